/* program_inputs_state.h - places in the buffer of numbers that a program reads. Kernels and host read it:
 * enumerations only. */
#ifndef HD_ENGINE_DEVICE_PROGRAM_INPUTS_STATE_H
#define HD_ENGINE_DEVICE_PROGRAM_INPUTS_STATE_H

/* The parameters come first, HD_PARAMETERS of them, as bits of doubles. */
enum {
    HD_INPUT_VERTICES = 8,
    HD_INPUT_SEED,
    HD_INPUT_FREE, /* words for the kernels' own use: 0 at the start */
    HD_INPUT_NUMBERS = HD_INPUT_FREE + 4
};

#endif
