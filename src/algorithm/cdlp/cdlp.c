/* cdlp.c - communities by label propagation, as LDBC Graphalytics has it: every vertex begins with itself as its label;
 * in each of N synchronous rounds it takes the most frequent label of its neighbours, of several the smallest.
 * Idea: Raghavan, Albert and Kumara, 2007, made deterministic.
 *
 * A vertex changes only if a neighbour has changed in the round before. While many do, all are looked at; once few do,
 * they mark their neighbours, and only these are. A round in which nothing changes is the last: others would change
 * nothing either.
 */
#include "algorithm/algorithm.h"
#include "algorithm/cdlp/cdlp_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/row_mode.h"

#include <string.h>

enum {
    STEP = 64,           /* vertices that a thread takes at once */
    FEW = 16,            /* one vertex in 16 or fewer have changed: their neighbours are marked */
    SHARE = 4,           /* a thread's own table is for rows of 1/4 of its share of the graph, at most … */
    OWN_LEAST = 1 << 12, /* … or of this length */
    ROUNDS = 10          /* unless the caller asks for others */
};

typedef struct propagation {
    heddle_context *ctx;
    uint64_t n, longest;
    heddle_adjacency out, in; /* `in` has no offsets if the graph is undirected: out-edges are all there are */
    uint32_t *label, *next;
    uint8_t *marks;     /* vertices whose neighbours have changed */
    hd_row_mode *modes; /* one for each thread, for rows of up to `own` entries */
    uint64_t own;
    hd_row_mode shared; /* for longer ones, of which there are few: one thread at a time */
    uint64_t changed, visited, walked;
    bool marked; /* only marked vertices are looked at */
} propagation;

static inline hd_row_part part_of(const heddle_adjacency *rows, uint64_t v) {
    if (!rows->offsets)
        return (hd_row_part){NULL, 0};
    return (hd_row_part){rows->targets + rows->offsets[v], rows->offsets[v + 1] - rows->offsets[v]};
}

static void mark_part(const propagation *p, hd_row_part part) {
    for (uint64_t i = 0; i < part.count; i++)
        hd_store(&p->marks[part.targets[i]], 1);
}

/* After a round in which few have changed: label is the new, next the old one. */
static void mark_neighbours(propagation *p) {
    memset(p->marks, 0, p->n);
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) if (p->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->n; v++)
        if (p->label[v] != p->next[v]) {
            mark_part(p, part_of(&p->out, v));
            mark_part(p, part_of(&p->in, v));
        }
}

static uint32_t most_frequent(propagation *p, hd_row_part out, hd_row_part in) {
    uint32_t label;
    if (out.count + in.count <= p->own)
        return hd_row_mode_of(&p->modes[hd_thread()], p->label, out, in);
    HD_CRITICAL { label = hd_row_mode_of(&p->shared, p->label, out, in); }
    return label;
}

static void do_round(propagation *p) {
    uint64_t changed = 0, visited = 0, walked = 0, n = p->n;
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) reduction(+ : changed, visited, walked) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        hd_row_part out = part_of(&p->out, v), in = part_of(&p->in, v);
        p->next[v] = p->label[v];
        if ((v % STEP == 0 && hd_advance(p->ctx, STEP)) || out.count + in.count == 0 || (p->marked && !p->marks[v]))
            continue;
        p->next[v] = most_frequent(p, out, in);
        changed += p->next[v] != p->label[v];
        walked += out.count + in.count;
        visited++;
    }
    uint32_t *old = p->label;
    p->label = p->next;
    p->next = old;
    p->changed = changed;
    p->visited = visited;
    p->walked += walked;
}

static heddle_status do_rounds(propagation *p, const hd_run *run) {
    heddle_report *report = &run->result->report;
    p->changed = p->n;
    hd_rounds_mark(p->ctx);
    while (report->iterations < run->options.max_iterations && p->changed) {
        uint64_t before = p->walked;
        if (report->iterations && (p->marked = p->changed <= p->n / FEW))
            mark_neighbours(p);
        do_round(p);
        HD_TRY(hd_cancelled_status(p->ctx));
        report->iterations++;
        HD_ROUND(p->ctx, .rounds = 1, .vertices = p->visited, .edges = p->walked - before,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = p->marked ? "marked" : "all");
    }
    return HEDDLE_OK;
}

static uint64_t longest_row(heddle_context *ctx, uint64_t n, const heddle_adjacency *out, const heddle_adjacency *in) {
    uint64_t longest = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : longest) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = part_of(out, v).count + part_of(in, v).count;
        longest = count > longest ? count : longest;
    }
    return longest;
}

/* Tables of all threads take about as much as the graph at most, however long its longest row is. */
static uint64_t own_rows(const heddle_context *ctx, const heddle_graph *graph, uint64_t longest) {
    uint64_t threads = (uint64_t)ctx->threads, entries = graph->directed ? 2 * graph->edges : graph->edges;
    uint64_t own = (graph->vertices + entries) / (SHARE * threads);
    own = own > OWN_LEAST ? own : OWN_LEAST;
    return threads == 1 || own > longest ? longest : own;
}

static heddle_status take_rows(heddle_context *ctx, const heddle_graph *graph, heddle_adjacency *out,
                               heddle_adjacency *in) {
    *in = (heddle_adjacency){.offsets = NULL};
    HD_TRY(hd_graph_bare(ctx, graph, false, out));
    return graph->directed ? hd_graph_bare(ctx, graph, true, in) : HEDDLE_OK;
}

static heddle_status open_propagation(propagation *p, const heddle_graph *graph) {
    HD_TRY(take_rows(p->ctx, graph, &p->out, &p->in));
    p->longest = longest_row(p->ctx, p->n, &p->out, &p->in);
    p->own = own_rows(p->ctx, graph, p->longest);
    HD_TRY(HD_NEW(p->ctx, &p->next, p->n, "labels"));
    HD_TRY(HD_NEW(p->ctx, &p->marks, p->n, "marks"));
    HD_TRY(HD_NEW_ZERO(p->ctx, &p->modes, (uint64_t)p->ctx->threads, "threads"));
    for (int t = 0; t < p->ctx->threads; t++)
        HD_TRY(hd_row_mode_open(p->ctx, p->n, p->own, &p->modes[t]));
    if (p->longest > p->own)
        HD_TRY(hd_row_mode_open(p->ctx, p->n, p->longest, &p->shared));
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->n; v++)
        p->label[v] = (uint32_t)v;
    return HEDDLE_OK;
}

static void close_propagation(propagation *p) {
    for (int t = 0; p->modes && t < p->ctx->threads; t++)
        hd_row_mode_close(p->ctx, &p->modes[t]);
    hd_row_mode_close(p->ctx, &p->shared);
    HD_DELETE(&p->ctx->allocator, p->modes, (uint64_t)p->ctx->threads);
    HD_DELETE(&p->ctx->allocator, p->next, p->n);
    HD_DELETE(&p->ctx->allocator, p->marks, p->n);
}

void hd_cdlp_figures(heddle_context *ctx, heddle_result *result, uint32_t *size, uint64_t changed) {
    const uint32_t *label = result->values;
    uint64_t communities = 0, largest = 0, n = result->count;
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        size[v] = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        hd_fetch_add(&size[label[v]], 1);
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : communities) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        communities += size[v] > 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : largest) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        largest = size[v] > largest ? size[v] : largest;
    hd_result_figure(result, "communities", (double)communities);
    hd_result_figure(result, "largest", (double)largest);
    hd_result_figure(result, "changed", (double)changed);
}

/* The labels of the last round may be in the array that is to be freed. */
static void bring_home(propagation *p, uint32_t *values) {
    if (p->label == values)
        return;
    memcpy(values, p->label, p->n * sizeof *values);
    p->next = p->label;
    p->label = values;
}

static heddle_status run_cdlp(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    propagation p = {.ctx = ctx, .n = run->graph->vertices};
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_U32, p.n));
    p.label = run->result->values;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_propagation(&p, run->graph));
    status = do_rounds(&p, run);
    bring_home(&p, run->result->values);
    run->result->report.edges_walked = p.walked;
    if (status == HEDDLE_OK)
        hd_cdlp_figures(ctx, run->result, p.next, p.changed);
out:
    hd_phase_end(ctx);
    close_propagation(&p);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    heddle_adjacency out, in;
    uint64_t n = run->graph->vertices, threads = (uint64_t)run->ctx->threads;
    HD_TRY(take_rows(run->ctx, run->graph, &out, &in));
    uint64_t longest = longest_row(run->ctx, n, &out, &in), own = own_rows(run->ctx, run->graph, longest);
    *bytes = (double)(threads * hd_row_mode_bytes(n, own) + (longest > own ? hd_row_mode_bytes(n, longest) : 0));
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_cdlp = {
    .info = {"cdlp", "communities by label propagation: the most frequent label of the neighbours, round by round",
             "max_iterations"},
    .in_edges = HD_IN_MADE,
    .run = run_cdlp,
    .device_run = hd_device_cdlp,
    .device_bytes = hd_cdlp_device_bytes,
    .host_bytes = {.vertex = 9, .more = more_host_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "of labels that are equally frequent the smallest vertex wins",
    .cost = {100, 1.5},
    .reference = hd_reference_cdlp,
    .verify = hd_verify_cdlp,
    .max_iterations = ROUNDS,
};
