/* many_steps.cl - the halves of a step of many.cl as kernels of their own, for depth `from`.
 * The same method launch by launch, for devices whose groups cannot wait for each other (OpenCL). */
#define MANY_BEGIN                                     \
    SHARED many_share many_all[HD_WARPS];              \
    LOCAL many_share *share = &many_all[HD_WARP_HERE]; \
    MANY_MAKE_JOB

/* Of the launches that follow the last depth, `starts` knows nothing: they read that of the first. */
#define MANY_STEP                                                             \
    SHARED many_step step;                                                    \
    MANY_BEGIN;                                                               \
    if (HD_GROUP_LANE == 0)                                                   \
        step = many_think(&job, hd_load32(&job.words[MANY_DONE]) ? 0 : from); \
    hd_group_barrier()

/* `to`: the cost of all vertices (MANY_ALL). */
KERNEL many_begin_one(MANY_ARGUMENTS) {
    MANY_MAKE_JOB;
    if (MANY_FIRST)
        many_begin(&job, to);
}
KERNEL many_down_one(MANY_ARGUMENTS) {
    MANY_STEP;
    many_down(&job, share, &step, from, !step.done && !step.up);
}
KERNEL many_units_one(MANY_ARGUMENTS) {
    MANY_STEP;
    many_down_units(&job, share, &step, from, !step.done && !step.up);
}
KERNEL many_rise_one(MANY_ARGUMENTS) {
    MANY_STEP;
    many_rise(&job, share, from, !step.done && step.up);
}
KERNEL many_note_one(MANY_ARGUMENTS) {
    MANY_STEP;
    (void)share;
    if (MANY_FIRST)
        many_note(&job, &step, from);
}
KERNEL many_settle_one(MANY_ARGUMENTS) {
    SHARED many_turn turn;
    MANY_BEGIN;
    if (HD_GROUP_LANE == 0)
        turn = many_think_again(&job, from);
    hd_group_barrier();
    many_settle(&job, share, &turn, from);
}
