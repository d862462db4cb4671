/* laws_state.h - samples on which the laws of reduce() are tested on a device, as words of 64 bits; real numbers as
 * bits of doubles. Kernel and host read it: enumerations only. */
#ifndef HD_ENGINE_DEVICE_LAWS_STATE_H
#define HD_ENGINE_DEVICE_LAWS_STATE_H

/* The first words, behind the parameters. */
enum { HD_LAW_VERTICES = 8, HD_LAW_SEED, HD_LAW_NUMBERS };

/* A vertex; `fixed` and `source` are bits of the flags. An edge from it. */
enum { HD_LAW_VERTEX, HD_LAW_IN, HD_LAW_OUT, HD_LAW_FLAGS, HD_LAW_INITIAL, HD_LAW_WEIGHT, HD_LAW_TARGET, HD_LAW_WORDS };

/* Of each trial: three edges and the vertex that their messages go to. */
enum { HD_LAW_EDGES = 3, HD_LAW_SAMPLES = HD_LAW_EDGES + 1 };

#endif
