/* largest.c - the largest label in each vertex's component; labels are numbers that --init gives.
 *
 * Labels travel unchanged, so that a component can be found without them, and its labels reduced once: the promise
 * CARRIED.
 *
 *     heddle run examples/largest.c roads.txt --symmetrize --init labels.txt
 */
#define VALUE f64
#define MESSAGE f64
#define TRAITS (MONOTONE | CARRIED)

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)run;
    return me->initial;
}

PROGRAM MESSAGE identity(void) { return -INFINITE; }

PROGRAM MESSAGE send(VALUE label, u32 degree) {
    (void)degree;
    return label;
}

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MAXIMUM(a, b); }

PROGRAM int update(VALUE *label, MESSAGE other, ABOUT me, RUN run) {
    (void)me, (void)run;
    if (!(other > *label))
        return 0;
    *label = other;
    return 1;
}
