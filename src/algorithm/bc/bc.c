/* bc.c - betweenness centrality: the sum of the dependencies of every source (brandes.h).
 *
 * If levels are large, one source at a time with all threads; if the graph is small, or so deep that its levels are
 * small, many sources in parallel, one thread each. In both cases dependencies are added in the order of the sources,
 * so that the sums have the same bits for any number of threads.
 */
#include "algorithm/algorithm.h"
#include "algorithm/bc/bc_budget.h"
#include "algorithm/bc/bc_device.h"
#include "algorithm/bc/bc_part.h"
#include "algorithm/bc/bc_split.h"
#include "algorithm/bc/brandes.h"
#include "algorithm/parts_refusal.h"
#include "base/memory.h"
#include "check/check.h"
#include "engine/bc_sources.h"

#include <string.h>

enum {
    SLOTS = 4,           /* per thread, if sources run in parallel: threads then seldom wait for the slowest */
    ADD_ALONE = 1 << 14, /* fewer dependencies than this are added by one thread */
    VERTEX_BYTES = 16    /* of a vertex in one source's arrays */
};
static const uint64_t cache_bytes = UINT64_C(8) << 20; /* total size of all threads' arrays that counts as small */
static const uint64_t slot_bytes = UINT64_C(1) << 30;  /* for slots beyond one per thread */

/* The result of one source. */
typedef struct slot {
    heddle_vertex *order;
    double *delta;
    uint64_t count;
} slot;

typedef struct centrality {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out, in;
    hd_sources sources;
    double *total;   /* the sums, by vertex */
    double *squares; /* sums of squares, if an error budget needs them, or NULL */
    uint64_t done;   /* sources of this step */
    uint64_t before; /* progress when it began */
    uint64_t walked, levels;
    /* for sources in parallel */
    hd_brandes *team; /* one for each thread */
    slot *slots;
    uint64_t slot_count;
} centrality;

static heddle_status new_slot(heddle_context *ctx, uint64_t n, slot *s) {
    HD_TRY(HD_NEW(ctx, &s->order, n, "search order"));
    return HD_NEW(ctx, &s->delta, n, "dependencies");
}

static void free_slot(heddle_context *ctx, uint64_t n, slot *s) {
    HD_DELETE(&ctx->allocator, s->order, n);
    HD_DELETE(&ctx->allocator, s->delta, n);
}

static heddle_status failure(centrality *c, const hd_brandes *b) {
    if (b->failed)
        return hd_fail_memory(c->ctx, c->graph->vertices * 8, "path counts");
    return hd_cancelled_status(c->ctx);
}

static void add_some(centrality *c, const slot *s, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++)
        c->total[s->order[i]] += s->delta[i];
    for (uint64_t i = begin; c->squares && i < end; i++)
        c->squares[s->order[i]] += s->delta[i] * s->delta[i];
}

static void add_slot(centrality *c, const slot *s) {
    if (s->count < ADD_ALONE) {
        add_some(c, s, 0, s->count);
        return;
    }
    HD_PARALLEL(c->ctx) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        add_some(c, s, hd_split(s->count, parts, part), hd_split(s->count, parts, part + 1));
    }
}

/* ---- One source at a time ------------------------------------------------------------------------------------ */

/* Whether the remaining sources should run in parallel, judged by those processed so far. */
static bool at_once(const centrality *c, const hd_brandes *b) {
    uint64_t left = c->sources.count - c->done, threads = (uint64_t)c->ctx->threads;
    bool small = c->graph->vertices * VERTEX_BYTES * threads <= cache_bytes;
    return threads > 1 && left >= threads && (small || b->shared_edges < b->walked / 2);
}

/* Progress counts sources: each counts as a pass over all edges, though it may reach only some. */
static uint64_t worth_of(const centrality *c) { return c->graph->edges + 1; }

static void report_sources(centrality *c) {
    uint64_t due = c->before + c->done * worth_of(c),
             reported = atomic_load_explicit(&c->ctx->done, memory_order_relaxed);
    hd_advance(c->ctx, due > reported ? due - reported : 0);
}

static heddle_status one_by_one(centrality *c) {
    hd_brandes b;
    slot s = {.order = NULL};
    heddle_status status;
    HD_TRY(hd_brandes_new(c->ctx, c->graph, &c->out, &c->in, true, &b));
    HD_CHECK(new_slot(c->ctx, c->graph->vertices, &s));
    b.order = s.order;
    b.delta = s.delta;
    b.total = c->squares ? NULL : c->total;
    while (c->done < c->sources.count && !(c->done && at_once(c, &b))) {
        uint64_t walked = b.walked;
        hd_brandes_source(&b, hd_source_at(&c->sources, c->done));
        HD_CHECK(failure(c, &b));
        s.count = b.reached;
        if (c->squares)
            add_slot(c, &s);
        c->levels += b.levels;
        HD_ROUND(c->ctx, .rounds = b.levels, .vertices = b.reached, .edges = 2 * (b.walked - walked),
                 .direction = HEDDLE_DIRECTION_MIXED, .kernel = "source");
        if (++c->done < c->sources.count)
            hd_brandes_forget(&b);
        report_sources(c);
    }
    c->walked += b.walked;
out:
    free_slot(c->ctx, c->graph->vertices, &s);
    hd_brandes_free(&b);
    return status;
}

/* ---- Sources at once ----------------------------------------------------------------------------------------- */

static heddle_status open_slots(centrality *c) {
    uint64_t n = c->graph->vertices, threads = (uint64_t)c->ctx->threads, left = c->sources.count - c->done;
    c->slot_count = n * 12 * threads * SLOTS <= slot_bytes ? threads * SLOTS : threads;
    if (c->slot_count > left)
        c->slot_count = left;
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->team, threads, "searches"));
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->slots, c->slot_count, "searches"));
    for (uint64_t t = 0; t < threads; t++)
        HD_TRY(hd_brandes_new(c->ctx, c->graph, &c->out, &c->in, false, &c->team[t]));
    for (uint64_t k = 0; k < c->slot_count; k++)
        HD_TRY(new_slot(c->ctx, n, &c->slots[k]));
    return HEDDLE_OK;
}

static void close_slots(centrality *c) {
    uint64_t threads = (uint64_t)c->ctx->threads;
    for (uint64_t t = 0; c->team && t < threads; t++)
        hd_brandes_free(&c->team[t]);
    for (uint64_t k = 0; c->slots && k < c->slot_count; k++)
        free_slot(c->ctx, c->graph->vertices, &c->slots[k]);
    HD_DELETE(&c->ctx->allocator, c->team, threads);
    HD_DELETE(&c->ctx->allocator, c->slots, c->slot_count);
}

/* Fills the first `count` slots. */
static void fill_slots(centrality *c, uint64_t count) {
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, 1))
    for (uint64_t k = 0; k < count; k++) {
        hd_brandes *b = &c->team[hd_thread()];
        slot *s = &c->slots[k];
        b->order = s->order;
        b->delta = s->delta;
        if (!b->failed)
            hd_brandes_source(b, hd_source_at(&c->sources, c->done + k));
        s->count = b->reached;
        hd_brandes_forget(b);
        hd_fetch_add(&c->levels, b->levels);
    }
}

static uint64_t team_walked(const centrality *c) {
    uint64_t walked = 0;
    for (int t = 0; t < c->ctx->threads; t++)
        walked += c->team[t].walked;
    return walked;
}

static heddle_status many_at_once(centrality *c) {
    heddle_status status;
    HD_CHECK(open_slots(c));
    while (c->done < c->sources.count) {
        uint64_t left = c->sources.count - c->done, count = left < c->slot_count ? left : c->slot_count;
        uint64_t levels = c->levels, walked = team_walked(c), reached = 0;
        fill_slots(c, count);
        for (int t = 0; t < c->ctx->threads; t++)
            HD_CHECK(failure(c, &c->team[t]));
        for (uint64_t k = 0; k < count; k++)
            add_slot(c, &c->slots[k]), reached += c->slots[k].count;
        c->done += count;
        report_sources(c);
        HD_ROUND(c->ctx, .rounds = c->levels - levels, .vertices = reached, .edges = 2 * (team_walked(c) - walked),
                 .direction = HEDDLE_DIRECTION_MIXED, .kernel = "sources at once");
    }
    c->walked += team_walked(c);
out:
    close_slots(c);
    return status;
}

/* ---- Within an error budget ---------------------------------------------------------------------------------- */

static heddle_status add_sources(centrality *c) {
    c->done = 0;
    c->before = atomic_load_explicit(&c->ctx->done, memory_order_relaxed);
    if (c->sources.count)
        HD_TRY(one_by_one(c));
    return c->done < c->sources.count ? many_at_once(c) : HEDDLE_OK;
}

static heddle_status all_sources(centrality *c) {
    memset(c->total, 0, c->graph->vertices * sizeof *c->total);
    return add_sources(c);
}

static heddle_status clear_sums(void *self) {
    centrality *c = self;
    memset(c->total, 0, c->graph->vertices * sizeof *c->total);
    memset(c->squares, 0, c->graph->vertices * sizeof *c->squares);
    return HEDDLE_OK;
}

static heddle_status add_step(void *self, const hd_sources *sources) {
    centrality *c = self;
    hd_sources all = c->sources;
    c->sources = *sources;
    heddle_status status = add_sources(c);
    c->sources = all;
    return status;
}

static heddle_status fetch_sums(void *self, double *sums, double *squares) {
    const centrality *c = self;
    memcpy(sums, c->total, c->graph->vertices * sizeof *sums);
    memcpy(squares, c->squares, c->graph->vertices * sizeof *squares);
    return HEDDLE_OK;
}

static heddle_status within_budget(centrality *c, const hd_run *run) {
    hd_bc_engine engine = {c, clear_sums, add_step, fetch_sums, worth_of(c)};
    hd_sources used;
    HD_TRY(HD_NEW(c->ctx, &c->squares, c->graph->vertices, "squares"));
    heddle_status status = hd_bc_budget_keep(run, &engine, &used);
    HD_DELETE(&c->ctx->allocator, c->squares, c->graph->vertices);
    HD_TRY(status);
    if (used.count == 0) {
        hd_phase_total(c->ctx, c->sources.count * worth_of(c));
        return all_sources(c);
    }
    c->sources = used; /* all of them: there was nothing drawn to free */
    return HEDDLE_OK;
}

/* ---- The whole ----------------------------------------------------------------------------------------------- */

/* Scales the sums, and converts them to the requested precision. */
static heddle_status scale_sums(centrality *c, const heddle_run_options *options, heddle_result *result) {
    uint64_t n = c->graph->vertices;
    double most = 0;
    HD_PARALLEL_FOR(c->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        c->total[v] *= c->sources.scale;
        most = c->total[v] > most ? c->total[v] : most;
    }
    hd_result_figure(result, "max", most);
    hd_result_sources(result, c->sources.count);
    return options->precision == HEDDLE_PRECISION_SINGLE ? hd_result_to_single(c->ctx, result) : HEDDLE_OK;
}

static heddle_status check_bc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    (void)graph;
    return hd_sources_check(ctx, options);
}

static heddle_status run_bc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    centrality c = {.ctx = ctx, .graph = graph};
    heddle_status status;
    HD_TRY(hd_graph_bare(ctx, graph, false, &c.out));
    double start = hd_clock();
    HD_TRY(hd_graph_bare(ctx, graph, true, &c.in));
    result->report.prepare += hd_clock() - start;
    HD_TRY(hd_sources_of(ctx, graph, &run->options, &c.sources));
    hd_phase_begin(ctx, "compute", c.sources.count * worth_of(&c));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_F64, graph->vertices));
    c.total = result->values;
    hd_rounds_mark(ctx);
    HD_CHECK(run->options.max_error > 0 ? within_budget(&c, run) : all_sources(&c));
    HD_CHECK(scale_sums(&c, &run->options, result));
    result->report.iterations = c.levels;
    result->report.edges_walked = 2 * c.walked;
out:
    hd_sources_free(ctx, graph, &c.sources);
    hd_phase_end(ctx);
    return status;
}

/* Within an error budget: about as many as a confidence of 0.9 takes on a graph of one component. */
static uint64_t searches(const heddle_graph *graph, const heddle_run_options *options) {
    if (options->max_error > 0) {
        double likely = 40 / options->max_error;
        return likely < (double)graph->vertices ? (uint64_t)likely + 1 : graph->vertices;
    }
    return options->source_count ? options->source_count : options->samples ? options->samples : graph->vertices;
}

#define OPTIONS(X, WITH_WORDS)                                                             \
    X(sources)                                                                             \
    WITH_WORDS(samples, "paths from K vertices chosen by chance (--seed), instead of all") \
    X(seed)                                                                                \
    WITH_WORDS(normalized, "divide by the number of pairs of other vertices")              \
    X(precision)                                                                           \
    X(confidence) WITH_WORDS(top, "with --max-error: may also stop once the K largest values are known to be that")

const hd_algorithm hd_algorithm_bc = {
    HD_ALGORITHM_INFO("bc", "betweenness centrality: the shortest paths that pass through a vertex", OPTIONS),
    .column = "betweenness",
    .counts_edges = true,
    .in_edges = HD_IN_MADE,
    .doubles = HD_DOUBLES_ALWAYS,
    HD_EXECUTORS({HD_ON_CPU | HD_ON_DEVICE, .split_only = true, .run = hd_bc_on_split}, {HD_ON_CPU, .run = run_bc},
                 {HD_ON_DEVICE, .doubles = true, .bytes = hd_bc_device_bytes, .run = hd_device_bc},
                 {HD_ON_DEVICE, .scheduled = true, .doubles = true, .bytes = hd_bc_device_bytes, .run = hd_device_bc},
                 {HD_IN_PARTS, .refuse = hd_parts_own_refuse, .run = hd_bc_in_parts}),
    .host_bytes = {.vertex = 64},
    .searches = searches,
    .results = HD_RESULTS_VALUES,
    .cpu_orders = {&hd_order_bfs, &hd_order_degree},
    .device_orders = {&hd_order_bfs, &hd_order_degree},
    .cost = {12, 0.05},
    .split = &hd_bc_split_way,
    .check = check_bc,
    .shortcuts = HD_SHORTCUTS_APPROXIMATE,
    .copies = HD_COPIES_PATHS,
    .reference = hd_reference_bc,
    .verify = hd_verify_bc,
    .budget = {.prepare = hd_bc_budget_prepare, .exact = hd_bc_budget_exact, .error = hd_bc_budget_error},
};
