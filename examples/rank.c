/* rank.c - PageRank: random surfers who follow a link or, with probability 1 - damping, go anywhere.
 *
 * Two totals over all vertices make it exact: surfers on pages without links go anywhere too, so what those pages hold
 * is spread over all; and the run ends when the ranks of a round have changed by less than `enough` in all, instead of
 * by `--tolerance` each.
 *
 *     heddle run examples/rank.c links.txt --param enough=1e-9 --precision double --top 10
 */
#define VALUE real
#define MESSAGE f64
#define TRAITS (ALL_ACTIVE | SUM)
#define PARAMETERS "damping=0.85 enough=0.0001"
#define TOTALS (ADDED(0) | ADDED(1))
#define DONE

PROGRAM VALUE init(ABOUT me, RUN run) { return (real)(1 / (f64)run->vertices); }

PROGRAM MESSAGE identity(void) { return 0; }

PROGRAM MESSAGE send(VALUE rank, u32 degree) { return (f64)rank / degree; }

PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }

PROGRAM int update(VALUE *rank, MESSAGE links, ABOUT me, RUN run) {
    f64 damping = run->parameter[0], anywhere = (1 - damping + damping * TOTAL(run, 0)) / (f64)run->vertices;
    *rank = (real)(anywhere + damping * links);
    return 1;
}

/* What pages without links hold; how far the rank moved. */
PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {
    part[0] = me->out_degree ? 0 : after;
    part[1] = real_abs(after - before);
}

PROGRAM int done(RUN run) { return TOTAL(run, 1) < run->parameter[1]; }
