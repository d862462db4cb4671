/* influence.c - influence that fades with every step.
 *
 * Each vertex has an influence of 1 of its own, and hands a share `decay` of all it has on to the vertices it points
 * to, in equal parts. Since decay is below 1 the sums converge on every graph.
 *
 *     heddle run examples/influence.c links.txt --param decay=0.5 --top 10
 */
#define VALUE real
#define MESSAGE real
#define TRAITS (ALL_ACTIVE | SUM)
#define PARAMETERS "decay=0.8"

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)me, (void)run;
    return 1;
}

PROGRAM MESSAGE identity(void) { return 0; }

PROGRAM MESSAGE send(VALUE influence, u32 degree) { return influence / (real)degree; }

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }

PROGRAM int update(VALUE *influence, MESSAGE received, ABOUT me, RUN run) {
    real fresh = 1 + (real)run->parameter[0] * received;
    int changed = fresh != *influence;
    (void)me;
    *influence = fresh;
    return changed;
}
