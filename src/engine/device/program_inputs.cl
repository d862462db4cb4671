/* program_inputs.cl - a user's program within kernels other than the in-core engine's: arguments of init() and
 * update(), and a message along an edge. Stands behind the program's text; engine/device/program_inputs.h fills the
 * buffers. Fields that a program does not use cost no load: everything is inlined. */
#include "engine/device/program_inputs_state.h"

typedef VALUE hd_value;
typedef MESSAGE hd_message;

#define HD_INPUT_ARGUMENTS                                                                             \
    GLOBAL const u64 *input_numbers, GLOBAL const u32 *input_sources, GLOBAL const f64 *input_initial, \
        GLOBAL const unsigned char *input_fixed
typedef struct hd_inputs {
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *sources;
    GLOBAL const f64 *initial;
    GLOBAL const unsigned char *fixed;
    run_info run;
} hd_inputs;

INLINE hd_inputs hd_inputs_of(GLOBAL const hd_offset *offsets, GLOBAL const u64 *numbers, GLOBAL const u32 *sources,
                              GLOBAL const f64 *initial, GLOBAL const unsigned char *fixed) {
    hd_inputs in;
    in.offsets = offsets;
    in.sources = sources;
    in.initial = initial;
    in.fixed = fixed;
    in.run.vertices = numbers[HD_INPUT_VERTICES];
    in.run.iteration = 0;
    in.run.seed = numbers[HD_INPUT_SEED];
    HD_UNROLL
    for (u32 i = 0; i < HD_PARAMETERS; i++)
        in.run.parameter[i] = hd_bits_f64(numbers[i]);
    return in;
}
#define HD_INPUTS(offsets) hd_inputs_of(offsets, input_numbers, input_sources, input_initial, input_fixed)

INLINE int hd_is_source(const hd_inputs *in, u32 v) { return (int)(in->sources[v / 32] >> v % 32 & 1); }

INLINE about hd_about(const hd_inputs *in, u32 v) {
    about me;
    me.vertex = v;
    me.out_degree = (u32)(in->offsets[v + 1] - in->offsets[v]);
    me.source = (u32)hd_is_source(in, v);
#ifdef HD_HAS_FIXED
    me.fixed = in->fixed[v];
#else
    me.fixed = 0;
#endif
#ifdef HD_HAS_INITIAL
    me.initial = (real)in->initial[v];
#else
    me.initial = 0;
#endif
    return me;
}

INLINE hd_value hd_first_value(const hd_inputs *in, u32 v) {
    about me = hd_about(in, v);
    return init(&me, &in->run);
}

/* The message of an edge, whose weight comes as it lies in memory; `send` ignores the degree. */
#ifdef WEIGHT
#if HD_WEIGHT_TYPE == 2
#define HD_WEIGHT_OF(bits) ((i32)(bits))
#elif HD_WEIGHT_TYPE == 3
#define HD_WEIGHT_OF(bits) hd_bits_f32(bits)
#elif HD_WEIGHT_TYPE == 4
#define HD_WEIGHT_OF(bits) ((i64)(bits))
#elif HD_WEIGHT_TYPE == 5
#define HD_WEIGHT_OF(bits) hd_bits_f64(bits)
#else
#define HD_WEIGHT_OF(bits) (bits)
#endif
#define HD_SEND(value, bits) send(value, (WEIGHT)HD_WEIGHT_OF(bits), 0u)
#else
#define HD_SEND(value, bits) send(value, 0u)
#endif
