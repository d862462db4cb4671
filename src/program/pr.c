/* pr - PageRank without the mass of dangling vertices, which the algorithm adds between rounds as parameter base:
 * rank = base + damping * sum of rank / out-degree over in-edges. Sums are formed in double: single would lose the
 * small shares that come to a vertex of a million in-edges. */
#define VALUE real
#define MESSAGE f64
#define TRAITS (ALL_ACTIVE | SUM)
#define PARAMETERS "damping=0.85 base=0"

PROGRAM VALUE init(ABOUT me, RUN run) {
    (void)me;
    return (real)(1 / (f64)run->vertices);
}
PROGRAM MESSAGE identity(void) { return 0; }
PROGRAM MESSAGE send(VALUE rank, u32 degree) { return rank / (real)degree; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }
PROGRAM int update(VALUE *rank, MESSAGE sum, ABOUT me, RUN run) {
    (void)me;
    f64 base = run->parameter[1] > 0 ? run->parameter[1] : (1 - run->parameter[0]) / (f64)run->vertices;
    *rank = (real)(base + run->parameter[0] * sum);
    return 1;
}
