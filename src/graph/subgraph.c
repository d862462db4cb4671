/* subgraph.c - some of a graph's vertices and the arcs between them, as a graph of its own: one pass counts, one
 * copies. Vertices keep their ids and their order, so rows stay sorted, and an undirected graph stays undirected: both
 * arcs of an edge have the same weight. */
#include "base/argument.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/spill.h"
#include "base/threads.h"
#include "graph/build.h"
#include "graph/ids_subset.h"

#include <math.h>
#include <string.h>

enum {
    STEP = 256,        /* rows that a thread takes at once */
    TO_WRITE = 2 << 20 /* bytes that writing the part to a file takes at most */
};

void heddle_subgraph_options_init_sized(heddle_subgraph_options *options, size_t size) {
    heddle_subgraph_options defaults = {.size = sizeof defaults,
                                        .max_degree = UINT64_MAX,
                                        .min_weight = -HUGE_VAL,
                                        .max_weight = HUGE_VAL,
                                        .vertex_share = 1,
                                        .edge_share = 1,
                                        .seed = 1};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

typedef struct selection {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_subgraph_options options;
    heddle_adjacency out;
    uint64_t *in_degrees; /* of a directed graph, if degrees are requested */
    uint32_t *fresh;      /* new number; UINT32_MAX: dropped */
    uint64_t kept;
    bool weighs; /* weights are compared */
} selection;

/* Arcs in and out; both arcs of an undirected edge are one. A loop of an undirected graph is stored once. */
static uint64_t degree_of(const selection *s, uint64_t v) {
    uint64_t degree = s->out.offsets[v + 1] - s->out.offsets[v];
    if (s->graph->directed)
        return degree + s->in_degrees[v];
    for (uint64_t e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++)
        degree += s->out.targets[e] == v;
    return degree;
}

/* Names of streams of random numbers under one seed. */
enum { VERTICES = 1, EDGES = 2 };

/* Whether a random sample with this share has the item of that number. */
static inline bool is_drawn(const selection *s, double share, uint64_t stream, uint64_t number) {
    return share >= 1 || hd_unit(hd_hash2(hd_hash2(s->options.seed, stream), number)) < share;
}

static bool keeps_vertex(const selection *s, uint64_t v, bool by_degree) {
    const heddle_subgraph_options *o = &s->options;
    if ((o->keep && !o->keep[v]) || !is_drawn(s, o->vertex_share, VERTICES, v))
        return false;
    uint64_t degree = by_degree ? degree_of(s, v) : 0;
    return !by_degree || (degree >= o->min_degree && degree <= o->max_degree);
}

static void number_vertices(selection *s, bool by_degree) {
    uint64_t n = s->graph->vertices;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, STEP) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        s->fresh[v] = keeps_vertex(s, v, by_degree);
    for (uint64_t v = 0; v < n; v++)
        s->fresh[v] = s->fresh[v] ? (uint32_t)s->kept++ : UINT32_MAX;
}

/* One number for an edge's ends; of an undirected graph the same for both arcs. */
static inline uint64_t ends_of(const selection *s, uint64_t v, uint64_t w) {
    return s->graph->directed || v < w ? v << 32 | w : w << 32 | v;
}

static inline bool keeps_arc(const selection *s, uint64_t v, uint64_t e) {
    if (s->fresh[s->out.targets[e]] == UINT32_MAX)
        return false;
    if (!is_drawn(s, s->options.edge_share, EDGES, ends_of(s, v, s->out.targets[e])))
        return false;
    if (!s->weighs)
        return true;
    double weight = hd_weight_at(s->out.weights, s->graph->weight_type, e);
    return weight >= s->options.min_weight && weight <= s->options.max_weight;
}

static void count_arcs(const selection *s, uint64_t *counts) {
    uint64_t n = s->graph->vertices;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, STEP) if (s->graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t count = 0;
        if (hd_advance_each(s->ctx, v, STEP, STEP) || s->fresh[v] == UINT32_MAX)
            continue;
        for (uint64_t e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++)
            count += keeps_arc(s, v, e);
        counts[s->fresh[v]] = count;
    }
}

static void copy_arcs(const selection *s, hd_csr *rows) {
    uint64_t n = s->graph->vertices;
    size_t size = hd_weight_size(s->graph->weight_type);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, STEP) if (s->graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        if (hd_advance_each(s->ctx, v, STEP, STEP) || s->fresh[v] == UINT32_MAX)
            continue;
        uint64_t to = rows->offsets[s->fresh[v]];
        for (uint64_t e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            if (!keeps_arc(s, v, e))
                continue;
            rows->targets[to] = s->fresh[s->out.targets[e]];
            if (size)
                memcpy((char *)rows->weights + to * size, (const char *)s->out.weights + e * size, size);
            to++;
        }
    }
}

/* ---- On disk, under a memory limit ------------------------------------------------------------------------------- */

enum { PIECE = 1 << 12 /* arcs on their way to the file */, PAGE = 4096 };

/* The rows' file: offsets, targets, weights, each from a page on. */
typedef struct row_file {
    hd_spill file;
    uint64_t targets, weights, end; /* where they begin */
    uint64_t written;               /* arcs */
    size_t size;                    /* of a weight */
    uint32_t count, target[PIECE];
    char weight[PIECE * sizeof(uint64_t)];
    int errnum;
} row_file;

static uint64_t page_up(uint64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

static void flush_arcs(row_file *f) {
    if (!f->errnum && f->count)
        f->errnum = hd_spill_write(&f->file, f->target, f->count * sizeof *f->target, f->targets + f->written * 4);
    if (!f->errnum && f->count && f->size)
        f->errnum = hd_spill_write(&f->file, f->weight, f->count * f->size, f->weights + f->written * f->size);
    f->written += f->count;
    f->count = 0;
}

static void write_arcs(const selection *s, row_file *f) {
    for (uint64_t v = 0; v < s->graph->vertices && !f->errnum; v++) {
        if (hd_advance_each(s->ctx, v, STEP, STEP) || s->fresh[v] == UINT32_MAX)
            continue;
        for (uint64_t e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            if (!keeps_arc(s, v, e))
                continue;
            f->target[f->count] = s->fresh[s->out.targets[e]];
            if (f->size)
                memcpy(f->weight + f->count * f->size, (const char *)s->out.weights + e * f->size, f->size);
            if (++f->count == PIECE)
                flush_arcs(f);
        }
    }
    flush_arcs(f);
}

static heddle_status write_rows(const selection *s, heddle_graph *graph, row_file *f) {
    f->size = hd_weight_size(graph->weight_type);
    f->targets = page_up((s->kept + 1) * 8);
    f->weights = page_up(f->targets + graph->edges * 4);
    f->end = f->weights + graph->edges * f->size;
    f->errnum = hd_spill_write(&f->file, graph->out.offsets, (s->kept + 1) * 8, 0);
    write_arcs(s, f);
    HD_TRY(hd_cancelled_status(s->ctx));
    return f->errnum ? hd_spill_fail(s->ctx, &f->file, f->errnum, "cannot write") : HEDDLE_OK;
}

static heddle_status map_rows(const selection *s, heddle_graph *graph, const row_file *f) {
    void *map;
    HD_TRY(hd_spill_map(s->ctx, &f->file, f->end, &map));
    HD_DELETE(&s->ctx->allocator, graph->out.offsets, s->kept + 1);
    graph->out = (hd_csr){.offsets = map, .mapped = true, .map = map, .map_bytes = (size_t)f->end};
    graph->out.targets = (uint32_t *)(void *)((char *)map + f->targets);
    graph->out.weights = f->size ? (char *)map + f->weights : NULL;
    return HEDDLE_OK;
}

/* The rows lie in a temporary file, which is mapped. */
static heddle_status copy_to_disk(const selection *s, heddle_graph *graph) {
    heddle_context *ctx = s->ctx;
    row_file *f;
    if (s->options.drop_isolated)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "the graph exceeds the memory limit and is built on disk, where vertices without arcs cannot be "
                       "dropped: leave that out, or raise the limit");
    HD_TRY(HD_NEW(ctx, &f, 1, "arcs on their way to disk"));
    *f = (row_file){.file.fd = -1};
    heddle_status status = hd_spill_open(ctx, ctx->limit->spill, &f->file);
    if (status == HEDDLE_OK)
        status = write_rows(s, graph, f);
    if (status == HEDDLE_OK)
        status = map_rows(s, graph, f);
    hd_spill_close(&f->file);
    HD_DELETE(&ctx->allocator, f, 1);
    return status;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static heddle_status copy_graph(const selection *s, heddle_graph *graph) {
    heddle_context *ctx = s->ctx;
    graph->directed = s->graph->directed;
    graph->weight_type = s->graph->weight_type;
    graph->vertices = s->kept;
    graph->out.owned = true;
    HD_TRY(hd_ids_keep(ctx, s->graph, s->fresh, s->kept, &graph->ids));
    HD_TRY(HD_NEW_ZERO(ctx, &graph->out.offsets, s->kept + 1, "row offsets"));
    count_arcs(s, graph->out.offsets);
    HD_TRY(hd_cancelled_status(ctx));
    uint64_t edges = hd_prefix_sum(ctx, graph->out.offsets, s->kept);
    uint64_t bytes = edges * (sizeof(uint32_t) + hd_weight_size(graph->weight_type));
    if (ctx->limit && ctx->limit->spill && bytes + TO_WRITE > hd_limit_left(ctx)) {
        graph->edges = edges;
        return copy_to_disk(s, graph);
    }
    HD_TRY(HD_NEW(ctx, &graph->out.targets, edges, "targets"));
    graph->edges = edges;
    if (graph->weight_type)
        HD_TRY(hd_new(ctx, &graph->out.weights, edges, hd_weight_size(graph->weight_type), false, "weights"));
    copy_arcs(s, &graph->out);
    HD_TRY(hd_cancelled_status(ctx));
    return s->options.drop_isolated ? hd_graph_drop_isolated(ctx, graph) : HEDDLE_OK;
}

static heddle_status check_bounds(heddle_context *ctx, const heddle_subgraph_options *o) {
    if (isnan(o->min_weight) || isnan(o->max_weight))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_graph_subgraph: a bound of weights is no number");
    if (!(o->vertex_share >= 0 && o->vertex_share <= 1 && o->edge_share >= 0 && o->edge_share <= 1))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "a sample of %g of the vertices and %g of the edges: expected shares "
                       "from 0 to 1",
                       o->vertex_share, o->edge_share);
    return HEDDLE_OK;
}

/* In-edges that are not there need not be made for it. */
static heddle_status count_in_degrees(selection *s) {
    heddle_context *ctx = s->ctx;
    heddle_adjacency in;
    uint64_t n = s->graph->vertices, edges = s->graph->edges;
    HD_TRY(HD_NEW_ZERO(ctx, &s->in_degrees, n, "in-degrees"));
    if (!hd_graph_has_in(s->graph)) {
        HD_PARALLEL_FOR(ctx, schedule(static) if (edges >= HD_WORTH_THREADS))
        for (uint64_t e = 0; e < edges; e++)
            hd_fetch_add(&s->in_degrees[s->out.targets[e]], 1);
        return HEDDLE_OK;
    }
    HD_TRY(hd_graph_bare(ctx, s->graph, true, &in));
    for (uint64_t v = 0; v < n; v++)
        s->in_degrees[v] = in.offsets[v + 1] - in.offsets[v];
    return HEDDLE_OK;
}

static heddle_status take_rows(selection *s, bool by_degree) {
    HD_TRY(hd_graph_verify(s->ctx, s->graph, HD_VERIFY_IDS));
    HD_TRY(heddle_graph_out(s->ctx, s->graph, &s->out));
    if (!s->graph->directed) /* else arcs without their reverse would make a graph that is not what it says */
        HD_TRY(hd_graph_verify(s->ctx, s->graph, HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS));
    return by_degree && s->graph->directed ? count_in_degrees(s) : HEDDLE_OK;
}

static heddle_status select_part(selection *s, heddle_graph **subgraph) {
    const heddle_subgraph_options *o = &s->options;
    bool by_degree = o->min_degree > 0 || o->max_degree < UINT64_MAX;
    s->weighs = o->min_weight > -HUGE_VAL || o->max_weight < HUGE_VAL;
    HD_TRY(check_bounds(s->ctx, o));
    hd_threads_settle(s->ctx, hd_work(s->graph->vertices, s->graph->edges, 1));
    HD_TRY(take_rows(s, by_degree));
    HD_TRY(HD_NEW(s->ctx, &s->fresh, s->graph->vertices, "renumbering"));
    number_vertices(s, by_degree);
    HD_DELETE(&s->ctx->allocator, s->in_degrees, s->graph->vertices);
    s->in_degrees = NULL;
    HD_TRY(hd_graph_new(s->ctx, subgraph));
    return copy_graph(s, *subgraph);
}

heddle_status heddle_graph_subgraph(heddle_context *ctx, const heddle_graph *graph,
                                    const heddle_subgraph_options *options, heddle_graph **subgraph) {
    selection s = {.ctx = ctx, .graph = graph};
    hd_limit limit;
    if (subgraph)
        *subgraph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, subgraph);
    heddle_subgraph_options_init(&s.options);
    HD_TRY(hd_take_options(ctx, __func__, options, &s.options, sizeof s.options));
    hd_phase_begin(ctx, "build", 2 * graph->vertices);
    hd_limit_begin(ctx, &limit, s.options.memory_limit, hd_graph_allocated(graph), s.options.spill);
    heddle_status status = select_part(&s, subgraph);
    HD_DELETE(&ctx->allocator, s.fresh, graph->vertices);
    HD_DELETE(&ctx->allocator, s.in_degrees, graph->vertices);
    hd_limit_end(ctx, &limit);
    hd_phase_end(ctx);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(subgraph);
    return status;
}
