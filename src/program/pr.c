/* pr - PageRank without the mass of dangling vertices, which the algorithm adds between rounds as parameter base:
 * rank = base + damping * sum of rank / out-degree over in-edges. Sums are formed in double: single would lose the
 * small shares that come to a vertex of a million in-edges.
 *
 * From a file the CPU defines SHARES: values are what a vertex gives along each edge, its rank divided by its
 * out-degree (by 1 if it has none), so that an edge needs no degree and no division.
 *
 * Devices define STRENGTHS where edges share by weight (a vertex' strength is the sum of its edges' weights), and
 * PERSONAL where `initial` is a vertex' part of what is spread; base is then the whole of it. */
#define VALUE real
#define MESSAGE f64
#define TRAITS (ALL_ACTIVE | SUM | HD_ABSOLUTE)
#define PARAMETERS "damping=0.85 base=0"

#ifdef SHARES
#define SHARE(rank, me) ((real)((rank) / ((me)->out_degree ? (me)->out_degree : 1)))
#else
#define SHARE(rank, me) ((real)(rank))
#endif

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)me, (void)run;
#ifdef PERSONAL
    return me->initial;
#else
    return SHARE(1 / (f64)run->vertices, me);
#endif
}
PROGRAM MESSAGE identity(void) { return 0; }
#ifdef STRENGTHS
#define WEIGHT real
PROGRAM MESSAGE send(VALUE rank, WEIGHT weight, real strength) { return rank / strength * weight; }
#elif defined(SHARES)
PROGRAM MESSAGE send(VALUE share, u32 degree) {
    (void)degree;
    return share;
}
#else
PROGRAM MESSAGE send(VALUE rank, u32 degree) { return rank / (real)degree; }
#endif
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *rank, MESSAGE sum, ABOUT me, RUN run) {
    (void)me;
#ifdef PERSONAL
    f64 base = (f64)me->initial * run->parameter[1];
#else
    f64 base = run->parameter[1] > 0 ? run->parameter[1] : (1 - run->parameter[0]) / (f64)run->vertices;
#endif
    *rank = SHARE(base + run->parameter[0] * sum, me);
    return 1;
}
