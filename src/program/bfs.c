/* bfs - levels from the sources: one more than the lowest in-neighbour. */
#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | FROM_SOURCES | ONCE)
#define DUMB_WEIGHT 0 /* edges added by a split do not count as a step */
#define UNREACHED 0xffffffffu

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? 0 : UNREACHED;
}
PROGRAM MESSAGE identity(void) { return UNREACHED; }
PROGRAM MESSAGE send(VALUE level, u32 degree) {
    (void)degree;
    return level == UNREACHED ? UNREACHED : level + 1;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *level, MESSAGE lowest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (lowest >= *level)
        return 0;
    *level = lowest;
    return 1;
}
