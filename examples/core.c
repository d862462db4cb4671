/* core.c - core numbers, by peeling in phases.
 *
 * In phase k every vertex with at most k neighbours left is removed, and k is its core number; its neighbours lose one
 * each in the next round. When a round removes nothing the next phase begins, with the fewest neighbours that anyone
 * has left; when nobody is left the run is over. For undirected graphs without loops and parallel edges.
 *
 *     heddle run examples/core.c friends.txt --symmetrize --no-loops --dedup --top 10
 */
typedef struct peeled {
    u32 left; /* neighbours; of a removed vertex 1 in the round in which it was removed, then 0 */
    u32 core; /* IN while it is not removed */
} peeled;
#define IN 0xffffffffu
#define VALUE peeled
#define MESSAGE u32
#define OUTPUT u32
#define TOTALS (ADDED(0) | SMALLEST(1))
#define FIRST_PHASE 0
#define DONE

PROGRAM VALUE init(ABOUT me, RUN run) {
    peeled all = {me->in_degree, IN};
    return all;
}

PROGRAM MESSAGE identity(void) { return 0; }

PROGRAM MESSAGE send(VALUE from, u32 degree) { return from.core != IN && from.left; }

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }

PROGRAM int update(VALUE *value, MESSAGE gone, ABOUT me, RUN run) {
    if (value->core != IN) {
        value->left = 0;
        return 1;
    }
    value->left -= gone;
    if (value->left <= PHASE(run)) {
        value->core = PHASE(run);
        value->left = 1;
        return 1;
    }
    return gone != 0;
}

/* Vertices removed in this round; the fewest neighbours of one that is still in. */
PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {
    part[0] = before.core == IN && after.core != IN;
    if (after.core == IN)
        part[1] = after.left;
}

/* Nobody is in. */
PROGRAM int done(RUN run) { return TOTAL(run, 1) == INFINITE; }

PROGRAM u32 next_phase(RUN run) {
    if (TOTAL(run, 0) > 0 || done(run))
        return PHASE(run);
    return (u32)TOTAL(run, 1);
}

PROGRAM OUTPUT output(VALUE value) { return value.core; }
