/* reliability.c - the most reliable paths.
 *
 * An edge's weight is the probability that it works; a path works when all its edges do. Each vertex gets the
 * probability of the best path from the sources, 0 where there is none. No path gets better by another edge: the promise
 * LARGEST_FIRST.
 *
 *     heddle run examples/reliability.c network.txt --source a --top 10
 */
#define VALUE real
#define MESSAGE real
#define WEIGHT real
#define TRAITS (MONOTONE | FROM_SOURCES | LARGEST_FIRST)

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->source ? 1 : 0;
}

PROGRAM MESSAGE identity(void) { return 0; }

PROGRAM MESSAGE send(VALUE chance, WEIGHT works, u32 degree) {
    (void)degree;
    return chance * MINIMUM(works, (real)1);
}

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MAXIMUM(a, b); }

PROGRAM int update(VALUE *chance, MESSAGE best, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(best > *chance))
        return 0;
    *chance = best;
    return 1;
}
