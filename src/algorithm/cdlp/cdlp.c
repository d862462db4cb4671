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
#include "engine/cpu/row_modes.h"

#include <string.h>

enum {
    STEP = 64,  /* vertices that a thread takes at once */
    FEW = 16,   /* one vertex in 16 or fewer have changed: their neighbours are marked */
    ROUNDS = 10 /* unless the caller requests others */
};

typedef struct propagation {
    heddle_context *ctx;
    uint64_t n;
    hd_row_modes rows;
    uint32_t *label, *next;
    uint8_t *marks; /* vertices whose neighbours have changed */
    uint64_t changed, visited, walked;
    bool marked; /* only marked vertices are looked at */
} propagation;

/* After a round in which few have changed: label is the new, next the old one. */
static void mark_neighbours(propagation *p) {
    memset(p->marks, 0, p->n);
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) if (p->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->n; v++)
        if (p->label[v] != p->next[v])
            hd_row_modes_mark(&p->rows, v, p->marks);
}

static void do_round(propagation *p) {
    uint64_t changed = 0, visited = 0, walked = 0, n = p->n;
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) reduction(+ : changed, visited, walked) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = hd_row_modes_degree(&p->rows, v);
        p->next[v] = p->label[v];
        if (hd_advance_each(p->ctx, v, STEP, STEP) || degree == 0 || (p->marked && !p->marks[v]))
            continue;
        p->next[v] = hd_row_modes_of(&p->rows, p->label, v, NULL);
        changed += p->next[v] != p->label[v];
        walked += degree;
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

static heddle_status open_propagation(propagation *p, const heddle_graph *graph) {
    HD_TRY(hd_row_modes_open(p->ctx, graph, &p->rows));
    HD_TRY(HD_NEW(p->ctx, &p->next, p->n, "labels"));
    HD_TRY(HD_NEW(p->ctx, &p->marks, p->n, "marks"));
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (p->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < p->n; v++)
        p->label[v] = (uint32_t)v;
    return HEDDLE_OK;
}

static void close_propagation(propagation *p) {
    hd_row_modes_close(&p->rows);
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
    return hd_row_modes_bytes(run->ctx, run->graph, bytes);
}

#define OPTIONS(X, WITH_WORDS) WITH_WORDS(max_iterations, "how many rounds")

const hd_algorithm hd_algorithm_cdlp = {
    HD_ALGORITHM_INFO("cdlp",
                      "communities by label propagation: the most frequent label of the neighbours, round by round",
                      OPTIONS),
    .column = "community",
    .counts_edges = true,
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_cdlp}, {HD_ON_DEVICE, .bytes = hd_cdlp_device_bytes, .run = hd_device_cdlp}),
    .host_bytes = {.vertex = 9, .more = more_host_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "of labels that are equally frequent the smallest vertex wins",
    .cost = {66, 1.6},
    .reference = hd_reference_cdlp,
    .verify = hd_verify_cdlp,
    .max_iterations = ROUNDS,
};
