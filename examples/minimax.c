/* minimax.c - the lowest pass on the way: over all ways from the sources, the smallest possible largest weight.
 *
 * A way is as bad as its worst edge, so values never get less along an edge, and the least ones are final first: the
 * promise LEAST_FIRST.
 *
 *     heddle run examples/minimax.c mountains.gr --source 1
 */
#define VALUE f64
#define MESSAGE f64
#define WEIGHT f64
#define TRAITS (MONOTONE | FROM_SOURCES | LEAST_FIRST)

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? -INFINITE : INFINITE;
}

PROGRAM MESSAGE identity(void) { return INFINITE; }

PROGRAM MESSAGE send(VALUE worst, WEIGHT weight, u32 degree) {
    (void)degree;
    return MAXIMUM(worst, weight);
}

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }

PROGRAM int update(VALUE *worst, MESSAGE other, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(other < *worst))
        return 0;
    *worst = other;
    return 1;
}
