/* laws.cl - the laws of reduce(), tested on the device that will run the program, where there is no C compiler to test
 * them on the host. Stands behind the program; one lane works. */
#include "engine/device/laws_state.h"

typedef VALUE hd_value;
typedef MESSAGE hd_message;
#ifdef OUTPUT
#define HD_OUTPUT(value) output(value)
#else
#define HD_OUTPUT(value) (value)
#endif
#include "program/laws.h"

INLINE run_info hd_law_run(GLOBAL const u64 *numbers) {
    run_info run;
    run.vertices = numbers[HD_LAW_VERTICES];
    run.iteration = 0;
    run.seed = numbers[HD_LAW_SEED];
    for (u32 i = 0; i < HD_PARAMETERS; i++)
        run.parameter[i] = hd_bits_f64(numbers[i]);
#ifdef TOTALS
    for (u32 i = 0; i < HD_TOTALS; i++)
        run.hd_total[i] = 0;
#endif
#ifdef FIRST_PHASE
    run.hd_phase = FIRST_PHASE;
    run.hd_phase_round = 0;
#endif
    return run;
}

INLINE about hd_law_about(GLOBAL const u64 *sample) {
    about me;
    me.vertex = (u32)sample[HD_LAW_VERTEX];
    me.in_degree = (u32)sample[HD_LAW_IN];
    me.out_degree = (u32)sample[HD_LAW_OUT];
    me.source = (u32)(sample[HD_LAW_FLAGS] & 1);
    me.fixed = (u32)(sample[HD_LAW_FLAGS] >> 1 & 1);
    me.initial = (real)hd_bits_f64(sample[HD_LAW_INITIAL]);
    return me;
}

/* The message of a sampled edge, from its source's first value. */
INLINE hd_message hd_law_sample(const run_info *run, GLOBAL const u64 *sample) {
    about me = hd_law_about(sample);
    return hd_law_message(run, init(&me, run), (hd_law_weight)hd_bits_f64(sample[HD_LAW_WEIGHT]), me.out_degree,
                          me.vertex, (u32)sample[HD_LAW_TARGET]);
}

KERNEL hd_laws(GLOBAL const u64 *numbers, GLOBAL u32 *broken) {
    if (HD_GROUP_LANE != 0 || HD_GROUP_INDEX != 0)
        return;
    run_info run = hd_law_run(numbers);
    int law = 0;
    for (u32 i = 0; i < HD_LAW_TRIALS && !law; i++) {
        GLOBAL const u64 *samples = numbers + HD_LAW_NUMBERS + i * HD_LAW_SAMPLES * HD_LAW_WORDS;
        about me = hd_law_about(samples + HD_LAW_EDGES * HD_LAW_WORDS);
        hd_message a = hd_law_sample(&run, samples), b = hd_law_sample(&run, samples + HD_LAW_WORDS),
                   c = hd_law_sample(&run, samples + 2 * HD_LAW_WORDS);
        law = hd_broken_law(&me, &run, init(&me, &run), a, b, c);
    }
    *broken = (u32)(law ? law : hd_made_up_law(&run));
}
