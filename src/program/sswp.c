/* sswp - widest paths from the sources: a path is as wide as its narrowest edge. */
#define VALUE real
#define MESSAGE real
#define WEIGHT real
#define TRAITS (MONOTONE | FROM_SOURCES | LARGEST_FIRST)
#define DUMB_WEIGHT INFINITE

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? (real)INFINITE : -(real)INFINITE;
}
PROGRAM MESSAGE identity(void) { return -(real)INFINITE; }
PROGRAM MESSAGE send(VALUE width, WEIGHT weight, u32 degree) {
    (void)degree;
    return MINIMUM(width, weight);
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MAXIMUM(a, b); }
PROGRAM int update(VALUE *width, MESSAGE widest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(widest > *width))
        return 0;
    *width = widest;
    return 1;
}
