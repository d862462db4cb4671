/* sssp - shortest distances from the sources: a vertex is as far as its nearest in-neighbour plus the edge. */
#define VALUE real
#define MESSAGE real
#define WEIGHT real
#define TRAITS (MONOTONE | FROM_SOURCES)
#define DUMB_WEIGHT 0

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? 0 : (real)INFINITE;
}
PROGRAM MESSAGE identity(void) { return (real)INFINITE; }
PROGRAM MESSAGE send(VALUE distance, WEIGHT weight, u32 degree) {
    (void)degree;
    return distance + weight;
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *distance, MESSAGE nearest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(nearest < *distance))
        return 0;
    *distance = nearest;
    return 1;
}
