/* pr_each.c - personalised PageRank from many sources on the CPU; see pr_each.h. */
#include "algorithm/pr/pr_each.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { STRIP = 1024 /* vertices whose changes are summed up together, whoever does it */ };

typedef struct tally {
    double change[HD_PR_EACH_MOST], idle[HD_PR_EACH_MOST];
} tally;

typedef struct surfers {
    heddle_context *ctx;
    const hd_run *run;
    hd_rank_terms terms;
    uint64_t vertices, strips;
    heddle_adjacency in;
    double *out;          /* 0: no out-edges */
    double *share, *next; /* `width` numbers per vertex: rank / out; of vertices without out-edges the rank */
    tally *tallies;
    uint32_t width;
    heddle_vertex source[HD_PR_EACH_MOST];
    double base[HD_PR_EACH_MOST];   /* what the source gets besides its neighbours' shares */
    double change[HD_PR_EACH_MOST]; /* in the last round that the column took part in */
    bool still[HD_PR_EACH_MOST];    /* it has converged, or is not used */
} surfers;

/* ---- Alike on the CPU and on devices ----------------------------------------------------------------------------- */

uint32_t hd_pr_each_width(uint64_t sources) {
    uint32_t width = 1;
    while (width < sources && width < HD_PR_EACH_MOST)
        width *= 2;
    return width;
}

heddle_status hd_pr_each_out(heddle_context *ctx, const heddle_graph *graph, const hd_rank_terms *terms, double *out) {
    heddle_adjacency rows;
    HD_TRY(terms->weights ? heddle_graph_out(ctx, graph, &rows) : hd_graph_bare(ctx, graph, false, &rows));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STRIP) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        out[v] = terms->weights ? 0 : (double)(rows.offsets[v + 1] - rows.offsets[v]);
        for (uint64_t e = rows.offsets[v]; terms->weights && e < rows.offsets[v + 1]; e++)
            out[v] += hd_weight_at(rows.weights, terms->weights, e);
    }
    return HEDDLE_OK;
}

heddle_status hd_pr_each_columns(const hd_run *run) {
    bool single = run->options.precision != HEDDLE_PRECISION_DOUBLE;
    return hd_result_columns_new(run->ctx, run->result, single ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64,
                                 run->graph->vertices, &run->options);
}

void hd_pr_each_take(const hd_run *run, const double *shares, const double *out, uint32_t width, uint64_t first,
                     uint64_t count) {
    heddle_result *result = run->result;
    uint64_t n = result->count;
    bool single = result->type == HEDDLE_VALUE_F32;
    HD_PARALLEL_FOR(run->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t c = 0; c < count; c++) {
            double rank = shares[v * width + c] * (out[v] > 0 ? out[v] : 1);
            if (single)
                ((float *)result->values)[(first + c) * n + v] = (float)rank;
            else
                ((double *)result->values)[(first + c) * n + v] = rank;
        }
}

void hd_pr_each_figures(const hd_run *run, double change, bool converged) {
    uint64_t sources = run->options.source_count;
    run->result->report.converged = converged;
    run->result->report.edges_walked = run->result->report.iterations * run->graph->edges;
    hd_result_residual(run->result, change);
    hd_result_figure(run->result, "sources", (double)sources);
    hd_result_figure(run->result, "batch", sources ? hd_pr_each_width(sources) : 0);
}

/* ---- A round ----------------------------------------------------------------------------------------------------- */

/* The number of columns is a constant to the compiler. */
static inline __attribute__((always_inline)) void round_of(const surfers *s, uint64_t v, tally *t, uint32_t width) {
    const heddle_adjacency *in = &s->in;
    double sum[HD_PR_EACH_MOST] = {0}, damping = s->run->options.damping, out = s->out[v] > 0 ? s->out[v] : 1;
    for (uint64_t e = in->offsets[v]; e < in->offsets[v + 1]; e++) {
        const double *theirs = s->share + (uint64_t)in->targets[e] * width;
        double weight = hd_weight_at(in->weights, s->terms.weights, e);
        for (uint32_t c = 0; c < width; c++)
            sum[c] += weight * theirs[c];
    }
    for (uint32_t c = 0; c < width; c++) {
        double before = s->share[v * width + c];
        double rank = damping * sum[c] + (s->source[c] == v ? s->base[c] : 0);
        s->next[v * width + c] = s->still[c] ? before : rank / out;
        t->change[c] += fabs(rank - before * out);
        t->idle[c] += s->out[v] > 0 ? 0 : rank;
    }
}

static void round_of_strip(const surfers *s, uint64_t strip) {
    uint64_t end = s->vertices - strip * STRIP < STRIP ? s->vertices : (strip + 1) * STRIP;
    tally t = {{0}, {0}};
    for (uint64_t v = strip * STRIP; v < end; v++)
        switch (s->width) {
        case 1: round_of(s, v, &t, 1); break;
        case 2: round_of(s, v, &t, 2); break;
        case 4: round_of(s, v, &t, 4); break;
        default: round_of(s, v, &t, 8);
        }
    s->tallies[strip] = t;
}

/* False: no column changes any more. */
static bool do_round(surfers *s) {
    const heddle_run_options *options = &s->run->options;
    bool any = false;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (s->in.offsets[s->vertices] >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < s->strips; strip++)
        round_of_strip(s, strip);
    for (uint32_t c = 0; c < s->width; c++) {
        double change = 0, idle = 0;
        for (uint64_t strip = 0; strip < s->strips; strip++) {
            change += s->tallies[strip].change[c];
            idle += s->tallies[strip].idle[c];
        }
        if (s->still[c])
            continue;
        s->change[c] = change;
        s->base[c] = 1 - options->damping + options->damping * idle;
        s->still[c] = change < options->tolerance;
        any = any || !s->still[c];
    }
    double *before = s->share;
    s->share = s->next;
    s->next = before;
    return any;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static void begin(surfers *s, const heddle_vertex *sources, uint64_t count) {
    double damping = s->run->options.damping;
    s->width = hd_pr_each_width(count);
    memset(s->share, 0, s->vertices * s->width * sizeof *s->share);
    for (uint32_t c = 0; c < s->width; c++) {
        s->still[c] = c >= count;
        s->source[c] = sources[c < count ? c : 0];
        s->change[c] = 0;
        double out = s->out[s->source[c]];
        s->base[c] = 1 - damping + (out > 0 ? 0 : damping);
        if (c < count)
            s->share[(uint64_t)s->source[c] * s->width + c] = 1 / (out > 0 ? out : 1);
    }
}

/* *change: the largest of the columns' last ones. */
static heddle_status one_batch(surfers *s, uint64_t first, uint64_t count, double *change, bool *converged) {
    const hd_run *run = s->run;
    uint64_t rounds = 0, edges = run->graph->edges;
    bool more = true;
    begin(s, run->options.sources + first, count);
    for (; more && rounds < run->options.max_iterations; rounds++) {
        more = do_round(s);
        HD_TRY(hd_cancelled_status(s->ctx));
        HD_ROUND(s->ctx, .rounds = 1, .vertices = s->vertices, .edges = edges,
                 .weight_bytes = hd_weight_size(s->terms.weights), .direction = HEDDLE_DIRECTION_PULL,
                 .kernel = "side by side");
        hd_advance(s->ctx, 0);
    }
    for (uint32_t c = 0; c < count; c++)
        *change = fmax(*change, s->change[c]);
    *converged = *converged && !more;
    run->result->report.iterations += rounds;
    hd_pr_each_take(run, s->share, s->out, s->width, first, count);
    return HEDDLE_OK;
}

static heddle_status open_surfers(surfers *s) {
    const heddle_graph *graph = s->run->graph;
    uint32_t width = hd_pr_each_width(s->run->options.source_count);
    double begun = hd_clock();
    HD_TRY(s->terms.weights ? heddle_graph_in(s->ctx, graph, &s->in) : hd_graph_bare(s->ctx, graph, true, &s->in));
    HD_TRY(HD_NEW(s->ctx, &s->out, s->vertices, "out-degrees"));
    HD_TRY(hd_pr_each_out(s->ctx, graph, &s->terms, s->out));
    HD_TRY(HD_NEW(s->ctx, &s->share, s->vertices * width, "shares"));
    HD_TRY(HD_NEW(s->ctx, &s->next, s->vertices * width, "shares"));
    s->run->result->report.prepare += hd_clock() - begun;
    return HD_NEW(s->ctx, &s->tallies, s->strips, "changes");
}

static void close_surfers(surfers *s) {
    uint32_t width = hd_pr_each_width(s->run->options.source_count);
    HD_DELETE(&s->ctx->allocator, s->out, s->vertices);
    HD_DELETE(&s->ctx->allocator, s->share, s->vertices * width);
    HD_DELETE(&s->ctx->allocator, s->next, s->vertices * width);
    HD_DELETE(&s->ctx->allocator, s->tallies, s->strips);
}

heddle_status hd_pr_each(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices, count = run->options.source_count;
    surfers s = {.ctx = ctx, .run = run, .vertices = n, .strips = (n + STRIP - 1) / STRIP};
    double change = 0;
    bool converged = true;
    heddle_status status;
    HD_TRY(run->algorithm->check(ctx, run->graph, &run->options));
    HD_TRY(hd_rank_terms_of(ctx, run->graph, &run->options, &s.terms));
    HD_TRY(hd_pr_each_columns(run));
    hd_phase_begin(ctx, "compute", count);
    HD_CHECK(open_surfers(&s));
    hd_rounds_mark(ctx);
    for (uint64_t k = 0; k < count; k += HD_PR_EACH_MOST, hd_advance(ctx, HD_PR_EACH_MOST))
        HD_CHECK(one_batch(&s, k, count - k < HD_PR_EACH_MOST ? count - k : HD_PR_EACH_MOST, &change, &converged));
    hd_pr_each_figures(run, change, converged);
out:
    hd_phase_end(ctx);
    close_surfers(&s);
    return status;
}

/* In-edges of a directed graph are built. */
double hd_pr_each_host_bytes(const hd_run *run) {
    const heddle_graph *graph = run->graph;
    double sources = (double)run->options.source_count, single = run->options.precision != HEDDLE_PRECISION_DOUBLE;
    double edge = graph->directed ? 4 + (run->options.weighted ? (double)hd_weight_size(graph->weight_type) : 0) : 0;
    return (double)graph->edges * edge +
           (double)graph->vertices * (sources * (single ? 4 : 8) + 16 * hd_pr_each_width(run->options.source_count) +
                                      (graph->directed ? 16 : 8));
}
