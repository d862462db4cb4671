/* lpa.c - communities by asynchronous label propagation, until no label changes.
 * Idea: Raghavan, Albert and Kumara, 2007: every vertex begins with itself as its label; in each round the vertices,
 * one after the other, take the most frequent label of their neighbours as they are then; of several their own, or
 * else one by chance.
 *
 * Here the vertices of a round are visited colour by colour (engine/cpu/colours.h). Those of one colour are no
 * neighbours, so that visiting them at once is the same as one after the other, and the result depends on the seed
 * alone. A change adds to the arcs whose ends have the same label, at least one: so there is an end. A vertex is looked
 * at again only if a neighbour has changed.
 */
#include "algorithm/cdlp/cdlp_device.h"
#include "algorithm/lpa/lpa_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/colours.h"
#include "engine/label_rank.h"

#include <string.h>

enum {
    STEP = 16,    /* vertices that a thread takes at once */
    WORTH = 256,  /* fewer of a colour are not worth waking the other threads */
    ROUNDS = 1000 /* unless the caller requests others */
};

typedef struct propagation {
    heddle_context *ctx;
    hd_row_modes rows;
    hd_colours colours;
    uint32_t *label, seed;
    uint8_t *marks; /* vertices to look at */
    uint64_t changed, visited, walked;
} propagation;

static bool visit(propagation *p, heddle_vertex v) {
    hd_row_ties ties = {.own = p->label[v], .salt = HD_LABEL_SALT(v, p->seed)};
    uint32_t found = hd_row_modes_of(&p->rows, p->label, v, &ties);
    if (found == ties.own)
        return false;
    p->label[v] = found;
    hd_row_modes_mark(&p->rows, v, p->marks);
    return true;
}

static void visit_colour(propagation *p, uint64_t from, uint64_t to) {
    uint64_t changed = 0, visited = 0, walked = 0;
    HD_PARALLEL_FOR(p->ctx, schedule(dynamic, STEP) reduction(+ : changed, visited, walked) if (to - from >= WORTH))
    for (uint64_t i = from; i < to; i++) {
        heddle_vertex v = p->colours.order[i];
        if (hd_advance_each(p->ctx, i - from, STEP, 0) || !p->marks[v])
            continue;
        p->marks[v] = 0;
        uint64_t degree = hd_row_modes_degree(&p->rows, v);
        if (!degree)
            continue;
        changed += visit(p, v);
        walked += degree;
        visited++;
    }
    p->changed += changed;
    p->visited += visited;
    p->walked += walked;
}

static heddle_status do_rounds(propagation *p, const hd_run *run) {
    heddle_report *report = &run->result->report;
    hd_rounds_mark(p->ctx);
    do {
        uint64_t before = p->walked;
        p->changed = p->visited = 0;
        for (uint64_t k = 0; k < p->colours.count; k++)
            visit_colour(p, p->colours.starts[k], p->colours.starts[k + 1]);
        HD_TRY(hd_cancelled_status(p->ctx));
        report->iterations++;
        HD_ROUND(p->ctx, .rounds = 1, .vertices = p->visited, .edges = p->walked - before,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = "colours");
    } while (p->changed && report->iterations < run->options.max_iterations);
    report->edges_walked = p->walked;
    report->converged = p->changed == 0;
    return HEDDLE_OK;
}

static heddle_status open_propagation(propagation *p, const hd_run *run) {
    uint64_t n = run->graph->vertices;
    HD_TRY(hd_row_modes_open(p->ctx, run->graph, &p->rows));
    HD_TRY(hd_colours_open(&p->rows, run->options.seed, &p->colours));
    HD_TRY(HD_NEW(p->ctx, &p->marks, n, "marks"));
    if (n)
        memset(p->marks, 1, n);
    p->seed = hd_lpa_seed(&run->options);
    HD_PARALLEL_FOR(p->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        p->label[v] = (uint32_t)v;
    return HEDDLE_OK;
}

static void close_propagation(propagation *p, uint64_t n) {
    HD_DELETE(&p->ctx->allocator, p->marks, n);
    hd_colours_close(p->ctx, &p->colours);
    hd_row_modes_close(&p->rows);
}

heddle_status hd_lpa_finish(const hd_run *run, uint64_t changed, uint64_t colours) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices;
    uint32_t *label = run->result->values, *first;
    HD_TRY(HD_NEW(ctx, &first, n, "communities"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        first[v] = UINT32_MAX;
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        hd_lower(&first[label[v]], (uint32_t)v);
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        label[v] = first[label[v]];
    hd_cdlp_figures(ctx, run->result, first, changed);
    hd_result_figure(run->result, "colours", (double)colours);
    HD_DELETE(&ctx->allocator, first, n);
    return HEDDLE_OK;
}

static heddle_status run_lpa(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices;
    propagation p = {.ctx = ctx};
    heddle_status status;
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_U32, n));
    p.label = run->result->values;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_propagation(&p, run));
    HD_CHECK(do_rounds(&p, run));
    status = hd_lpa_finish(run, p.changed, p.colours.count);
out:
    hd_phase_end(ctx);
    close_propagation(&p, n);
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    return hd_row_modes_bytes(run->ctx, run->graph, bytes);
}

#define OPTIONS(X, WITH_WORDS) X(seed) X(max_iterations)

const hd_algorithm hd_algorithm_lpa = {
    HD_ALGORITHM_INFO("lpa", "communities by asynchronous label propagation, until no label changes", OPTIONS),
    .column = "community",
    .counts_edges = true,
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_lpa}, {HD_ON_DEVICE, .bytes = hd_lpa_device_bytes, .run = hd_device_lpa}),
    .host_bytes = {.vertex = 24, .more = more_host_bytes},
    .results = HD_RESULTS_CHOSEN,
    .no_order = "the order of visits, and labels that are equally frequent, go by the numbers of vertices",
    .cost = {600, 15},
    .reference = hd_reference_lpa,
    .verify = hd_verify_lpa,
    .max_iterations = ROUNDS,
};
