/* program_inputs.h - the inputs of a user's program in kernels other than the in-core engine's (program_inputs.cl):
 * numbers of the run, sources, initial values, fixed vertices; and the texts to compile. */
#ifndef HD_ENGINE_DEVICE_PROGRAM_INPUTS_H
#define HD_ENGINE_DEVICE_PROGRAM_INPUTS_H

#include "base/word_list.h"
#include "device/device.h"
#include "engine/device/incore.h"
#include "engine/device/program_inputs_state.h"

enum { HD_PROGRAM_TEXTS = 5, HD_INPUT_BUFFERS = 4 };

typedef struct hd_program_inputs {
    hd_device *device;
    hd_buffer numbers, sources, initial, fixed;
    uint64_t bytes;
    char line[HD_LINE_ROOM], defines[96];
} hd_program_inputs;

/* Words, program and program_inputs.cl; `texts` has room for HD_PROGRAM_TEXTS. Definitions that they need are in
 * `in->defines`. */
void hd_program_inputs_texts(hd_program_inputs *in, const hd_incore_program *program, const hd_cpu_setup *setup,
                             const char **texts);
/* Allocates and fills the buffers for a graph of that many vertices. */
heddle_status hd_program_inputs_open(hd_program_inputs *in, hd_device *device, const hd_cpu_setup *setup,
                                     uint64_t vertices);
void hd_program_inputs_close(hd_program_inputs *in); /* if zeroed or closed: does nothing */

/* Arguments of a kernel that has HD_INPUT_ARGUMENTS. */
#define HD_PROGRAM_INPUTS(in)                                                                             \
    HD_ARGUMENT_BUFFER((in).numbers), HD_ARGUMENT_BUFFER((in).sources), HD_ARGUMENT_BUFFER((in).initial), \
        HD_ARGUMENT_BUFFER((in).fixed)

#endif
