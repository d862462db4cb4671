/* stream_again.h - walks a partition a second time before another takes its place on the device.
 *
 * Vertices that became active in it meanwhile, by its own edges or by those of partitions before it, would have to send
 * it again in the next round. The device finds out whether there are any (schedule/again.cl), so that no round waits
 * for the host. Only for programs whose values are the same in whatever order edges are walked, and whose rounds are
 * not counted: monotone ones, if the run is not bounded by a number of rounds.
 */
#ifndef HD_ENGINE_DEVICE_STREAM_AGAIN_H
#define HD_ENGINE_DEVICE_STREAM_AGAIN_H

#include "engine/device/incore_run.h"

typedef struct hd_stream_again {
    bool on;   /* in this run … */
    bool now;  /* and in this round */
    bool slow; /* kernels took more than twice as long as copies, in the last round that sent something */
} hd_stream_again;

/* Whether kernels are built for it: the program allows it, and the plan. */
bool hd_stream_again_fits(const incore *e);
/* After the rows are cut. */
void hd_stream_again_open(incore *e);
/* A round begins: sets `now`. */
void hd_stream_again_begin(incore *e);
/* Whether this partition may be walked again: not one that has a part of a row only. */
bool hd_stream_again_may(const incore *e, uint64_t index);
/* Queues the kernels of the second walk; the span and its edges are those of the launch before. */
heddle_status hd_stream_again_walk(incore *e, uint64_t index, uint64_t round);
/* After all walks of the round: corrects the flags. */
heddle_status hd_stream_again_settle(incore *e, uint64_t round);
/* After a round, when flags and words are here and its times known: counts what was walked again. */
void hd_stream_again_note(incore *e);

#endif
