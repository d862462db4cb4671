/* sssp - shortest distances from the sources: a vertex is as far as its nearest in-neighbour plus the edge. With
 * DISTANCE, the type of whole-numbered distances, a sum that the type cannot hold counts as unreached. */
#ifdef DISTANCE
#define UNREACHED ((DISTANCE) ~(DISTANCE)0)
#define FARTHER(distance, weight) ((weight) > UNREACHED - (distance) ? UNREACHED : (distance) + (weight))
#else
#define DISTANCE real
#define UNREACHED ((real)INFINITE)
#define FARTHER(distance, weight) ((distance) + (weight))
#endif
#define VALUE DISTANCE
#define MESSAGE DISTANCE
#define WEIGHT DISTANCE
#define TRAITS (MONOTONE | FROM_SOURCES | LEAST_FIRST)
#define DUMB_WEIGHT 0

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? 0 : UNREACHED;
}
PROGRAM MESSAGE identity(void) { return UNREACHED; }
PROGRAM MESSAGE send(VALUE distance, WEIGHT weight, u32 degree) {
    (void)degree;
    return FARTHER(distance, weight);
}
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *distance, MESSAGE nearest, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(nearest < *distance))
        return 0;
    *distance = nearest;
    return 1;
}
