/* scc.c - strongly connected components: trim, then forward and backward from a hub, then the rest (Multistep: Slota,
 * Rajamanickam and Madduri, 2014). With few threads Tarjan's algorithm alone is faster if ids have locality.
 *
 * Most graphs have one giant component and very many of one vertex. The latter are trimmed (scc_trim.c). The giant is
 * the set of vertices that a well connected vertex reaches and is reached by. The other vertices that it reaches, and
 * those that it does not reach, become separate classes, which no further component crosses. The rest is solved by
 * colouring, and small remainders by Tarjan's algorithm. Labels are the smallest members, so the result does not depend
 * on the threads.
 */
#include "algorithm/scc/scc.h"
#include "algorithm/scc/scc_part.h"

#include "algorithm/algorithm.h"
#include "algorithm/parts_refusal.h"
#include "algorithm/structure/structure_device.h"
#include "base/parallel.h"
#include "check/check.h"
#include "graph/components.h"

enum {
    MOST_PARTS = 256,
    FEW = 1 << 12,      /* this many undecided vertices or fewer are left to one thread */
    WORTH = 8,          /* a giant has at least 1/8 of the undecided vertices */
    ENOUGH_THREADS = 4, /* from this many threads on, colouring beats Tarjan's algorithm on one thread */
    SAMPLES = 1 << 12,
    NEAR = 16,         /* an arc is short if its ids differ by less than n/16, */
    NEAR_LEAST = 4096, /* or less than this */
    SHORT = 6          /* ids have locality if 1/6 of the arcs are short: about twice as many as with random ids */
};

/* ---- The rest ------------------------------------------------------------------------------------------------ */

heddle_status hd_scc_shrink_rest(hd_scc *scc) {
    uint64_t parts = (uint64_t)(scc->ctx->threads < MOST_PARTS ? scc->ctx->threads : MOST_PARTS);
    uint64_t places[MOST_PARTS + 1];
    heddle_vertex *kept = scc->flood.frontier.items;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t part = 0; part < parts; part++) {
        uint64_t count = 0;
        for (uint64_t i = hd_split(scc->rest_count, parts, part); i < hd_split(scc->rest_count, parts, part + 1); i++)
            count += !(scc->state[scc->rest[i]] & HD_SCC_DECIDED);
        places[part] = count;
    }
    uint64_t left = hd_prefix_sum(scc->ctx, places, parts);
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t part = 0; part < parts; part++) {
        uint64_t place = places[part];
        for (uint64_t i = hd_split(scc->rest_count, parts, part); i < hd_split(scc->rest_count, parts, part + 1); i++)
            if (!(scc->state[scc->rest[i]] & HD_SCC_DECIDED))
                kept[place++] = scc->rest[i];
    }
    scc->flood.frontier.items = scc->rest;
    scc->rest = kept;
    scc->rest_count = left;
    return hd_cancelled_status(scc->ctx);
}

/* ---- Forward and backward ------------------------------------------------------------------------------------ */

static inline uint64_t pairs_of(const hd_scc *scc, heddle_vertex v) {
    return (uint64_t)scc->scratch[0][v] * scc->scratch[1][v];
}

/* The vertex with the most pairs of an entering and a leaving arc, as counted by the trimming; the smallest one of
 * equals. */
static heddle_vertex choose_pivot(const hd_scc *scc) {
    heddle_vertex best = UINT32_MAX;
    uint64_t most = 0;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static) reduction(max : most))
    for (uint64_t i = 0; i < scc->rest_count; i++)
        most = pairs_of(scc, scc->rest[i]) > most ? pairs_of(scc, scc->rest[i]) : most;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static) reduction(min : best))
    for (uint64_t i = 0; i < scc->rest_count; i++)
        if (pairs_of(scc, scc->rest[i]) == most && scc->rest[i] < best)
            best = scc->rest[i];
    return best;
}

/* Decides the members of the pivot's component. */
static heddle_status label_members(hd_scc *scc, uint8_t members) {
    heddle_vertex least = UINT32_MAX;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static) reduction(min : least))
    for (uint64_t i = 0; i < scc->rest_count; i++)
        if (scc->state[scc->rest[i]] == members && scc->rest[i] < least)
            least = scc->rest[i];
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t i = 0; i < scc->rest_count; i++)
        if (scc->state[scc->rest[i]] == members)
            scc->label[scc->rest[i]] = least;
    return hd_scc_shrink_rest(scc);
}

/* Decides the component of a well connected vertex: the vertices that it reaches and that reach it. */
static heddle_status forward_backward(hd_scc *scc) {
    heddle_vertex pivot = choose_pivot(scc);
    uint8_t reached = scc->classes++, members = reached | HD_SCC_DECIDED;
    HD_TRY(hd_scc_reach(scc, HD_FLOOD_OUT, pivot, scc->state[pivot], reached));
    HD_TRY(hd_scc_reach(scc, HD_FLOOD_IN, pivot, reached, members));
    return label_members(scc, members);
}

/* Repeats this as long as it pays off. */
static heddle_status decide_giants(hd_scc *scc) {
    uint64_t before;
    do {
        if ((before = scc->rest_count) < FEW || scc->classes == HD_SCC_CLASS)
            return HEDDLE_OK;
        HD_TRY(forward_backward(scc));
    } while (before - scc->rest_count >= before / WORTH);
    return HEDDLE_OK;
}

static uint64_t arcs_of_rest(const hd_scc *scc) {
    uint64_t arcs = 0;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static) reduction(+ : arcs))
    for (uint64_t i = 0; i < scc->rest_count; i++)
        arcs += scc->out.offsets[scc->rest[i] + 1] - scc->out.offsets[scc->rest[i]];
    return arcs + scc->rest_count;
}

/* ---- One thread alone ---------------------------------------------------------------------------------------- */

/* Whether a depth-first search mostly hits the caches: ids with locality, as in web crawls and maps, estimated from a
 * sample of arcs. */
static bool goes_alone(const hd_scc *scc) {
    uint64_t n = scc->vertices, reach = n / NEAR > NEAR_LEAST ? n / NEAR : NEAR_LEAST, near = 0, seen = 0;
    if (scc->ctx->threads >= ENOUGH_THREADS)
        return false;
    for (uint64_t i = 0; i < SAMPLES && i < n; i++) {
        uint64_t v = n < SAMPLES ? i : n / SAMPLES * i, begin = scc->out.offsets[v], end = scc->out.offsets[v + 1];
        if (begin == end)
            continue;
        uint64_t w = scc->out.targets[begin + (end - begin) / 2];
        near += (w > v ? w - v : v - w) < reach;
        seen++;
    }
    return near * SHORT >= seen;
}

/* ---- All together -------------------------------------------------------------------------------------------- */

static heddle_status open_scc(hd_scc *scc) {
    HD_TRY(hd_flood_open(scc->ctx, scc->vertices, &scc->out, &scc->in, &scc->flood));
    HD_TRY(HD_NEW_ZERO(scc->ctx, &scc->state, scc->vertices, "component states"));
    HD_TRY(HD_NEW(scc->ctx, &scc->rest, scc->vertices, "undecided vertices"));
    HD_TRY(HD_NEW(scc->ctx, &scc->scratch[0], scc->vertices, "arc counts"));
    HD_TRY(HD_NEW(scc->ctx, &scc->scratch[1], scc->vertices, "arc counts"));
    scc->rest_count = scc->vertices;
    scc->classes = 1;
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < scc->vertices; v++)
        scc->rest[v] = (heddle_vertex)v;
    return HEDDLE_OK;
}

static void close_scc(hd_scc *scc) {
    const heddle_allocator *allocator = &scc->ctx->allocator;
    hd_flood_close(&scc->flood);
    HD_DELETE(allocator, scc->state, scc->vertices);
    HD_DELETE(allocator, scc->rest, scc->vertices);
    HD_DELETE(allocator, scc->scratch[0], scc->vertices);
    HD_DELETE(allocator, scc->scratch[1], scc->vertices);
}

/* Consecutive vertices are often in one component: their counts are added in one step. */
static void count_members(hd_scc *scc, uint32_t *size, uint64_t v, uint64_t end) {
    while (v < end) {
        heddle_vertex label = scc->label[v];
        uint64_t first = v;
        while (v < end && scc->label[v] == label)
            v++;
        hd_fetch_add(&size[label], (uint32_t)(v - first));
    }
}

static void add_figures(hd_scc *scc, heddle_result *result) {
    uint64_t components = 0, largest = 0, parts = (uint64_t)scc->ctx->threads;
    uint32_t *size = scc->scratch[0];
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < scc->vertices; v++)
        size[v] = 0;
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(static) reduction(+ : components))
    for (uint64_t v = 0; v < scc->vertices; v++)
        components += scc->label[v] == v;
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t part = 0; part < parts; part++)
        count_members(scc, size, hd_split(scc->vertices, parts, part), hd_split(scc->vertices, parts, part + 1));
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(static) reduction(max : largest))
    for (uint64_t v = 0; v < scc->vertices; v++)
        largest = size[v] > largest ? size[v] : largest;
    hd_result_figure(result, "components", (double)components);
    hd_result_figure(result, "largest", (double)largest);
}

/* The part that all threads decide together. */
static heddle_status decide_together(hd_scc *scc) {
    HD_TRY(hd_scc_trim(scc));
    HD_TRY(decide_giants(scc));
    if (scc->ctx->threads >= ENOUGH_THREADS && scc->rest_count >= FEW)
        HD_TRY(hd_scc_color(scc, (uint64_t)scc->ctx->threads * arcs_of_rest(scc)));
    return HEDDLE_OK;
}

static heddle_status run_directed(heddle_context *ctx, const heddle_graph *graph, heddle_result *result) {
    hd_scc scc = {.ctx = ctx, .vertices = graph->vertices, .label = result->values};
    heddle_status status;
    HD_TRY(hd_graph_bare(ctx, graph, false, &scc.out));
    bool alone = goes_alone(&scc);
    double start = hd_clock();
    HD_TRY(hd_graph_bare(ctx, graph, !alone, &scc.in));
    result->report.prepare += hd_clock() - start;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_scc(&scc));
    hd_rounds_mark(ctx);
    if (!alone)
        HD_CHECK(decide_together(&scc));
    uint64_t left = scc.rest_count;
    HD_CHECK(hd_scc_tarjan(&scc));
    if (left)
        HD_ROUND(ctx, .rounds = 1, .vertices = left, .edges = alone ? graph->edges : HD_NOT_KNOWN,
                 .kernel = "depth-first");
    add_figures(&scc, result);
    result->report.edges_walked = alone ? graph->edges : scc.flood.walked;
out:
    hd_phase_end(ctx);
    close_scc(&scc);
    return status;
}

/* In an undirected graph every connected component is strongly connected. */
static heddle_status run_undirected(heddle_context *ctx, const heddle_graph *graph, heddle_result *result) {
    heddle_adjacency out;
    hd_components components;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = hd_weak_labels(ctx, graph->vertices, &out, &out, result->values, &components);
    hd_phase_end(ctx);
    result->report.edges_walked = components.walked;
    hd_result_figure(result, "components", (double)components.count);
    hd_result_figure(result, "largest", (double)components.largest);
    return status;
}

static heddle_status run_scc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_U32, graph->vertices));
    return graph->directed ? run_directed(ctx, graph, run->result) : run_undirected(ctx, graph, run->result);
}

/* The components of an undirected graph are the weak ones. */
static heddle_status less_host_bytes(const hd_run *run, double *bytes) {
    *bytes = run->graph->directed ? 0 : -16.0 * (double)run->graph->vertices;
    return HEDDLE_OK;
}

/* A split preserves reachability, for any shape of the families: the graph's own vertices are in the same components as
 * before, and have the smallest numbers there. */
static const hd_split_way split_way = {.figures = hd_structure_figures};

const hd_algorithm hd_algorithm_scc = {
    HD_ALGORITHM_INFO("scc", "strongly connected components: each vertex gets the smallest id in its component",
                      HD_NO_OPTIONS),
    .column = "component",
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_scc},
                 {HD_ON_DEVICE, .refuse = hd_scc_refuse_directed, .bytes = hd_cc_device_bytes, .run = hd_device_cc},
                 {HD_ON_DEVICE, .bytes = hd_scc_device_bytes, .run = hd_device_scc},
                 {HD_ON_DEVICE, .scheduled = true, .bytes = hd_scc_device_bytes, .run = hd_device_scc},
                 {HD_IN_PARTS, .refuse = hd_parts_own_refuse, .run = hd_scc_in_parts}),
    .host_bytes = {.vertex = 24, .more = less_host_bytes},
    .results = HD_RESULTS_LABELS,
    .cpu_orders = {&hd_order_bfs, &hd_order_degree},
    .cost = {6, 0.05},
    .split = &split_way,
    .shortcuts = HD_SHORTCUTS_EXACT,
    .copies = HD_COPIES_LINKED,
    .reference = hd_reference_scc,
    .verify = hd_verify_scc,
};
