/* copied_paths.c - betweenness on a graph with copies of vertices (copied.h).
 *
 * A vertex and its copies are a tree of one level whose edges have length 0, which is what bc knows from split
 * graphs (algorithm/bc/bc_split.h): levels and path counts pass from the vertex to its copies, sums of dependencies
 * back. Split graphs have new vertices behind all others, so here vertices have their new order without holes, and
 * copies follow.
 */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rebuild.h"
#include "run/copied.h"

typedef struct copied_paths {
    hd_split_result tree; /* first: the run on the split graph finds it here */
    hd_run asked;         /* on the graph whose vertices are in their new order, without copies */
    const hd_run *run;
    const hd_graffix_result *changed;
    heddle_graph *whole; /* that graph */
    heddle_vertex *rank; /* of each place: a vertex's, or a copy's, behind all vertices */
    heddle_vertex *sources;
} copied_paths;

/* Rows being written. */
typedef struct paths_rows {
    uint64_t *offsets, vertices, edges, at;
    heddle_vertex *targets;
} paths_rows;

static bool serves(const hd_run *run) {
    return hd_plan_copies(&run->plan) && run->algorithm->copies == HD_COPIES_PATHS;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static heddle_status open_rows(heddle_context *ctx, uint64_t vertices, uint64_t edges, paths_rows *r) {
    *r = (paths_rows){.vertices = vertices, .edges = edges};
    HD_TRY(HD_NEW(ctx, &r->offsets, vertices + 1, "row offsets"));
    return HD_NEW(ctx, &r->targets, edges, "edges");
}

static void close_rows(heddle_context *ctx, paths_rows *r) {
    HD_DELETE(&ctx->allocator, r->offsets, r->vertices + 1);
    HD_DELETE(&ctx->allocator, r->targets, r->edges);
}

static void add_row(const copied_paths *c, const heddle_adjacency *out, heddle_vertex place, paths_rows *r) {
    for (uint64_t e = out->offsets[place]; e < out->offsets[place + 1]; e++)
        r->targets[r->at++] = c->rank[out->targets[e]];
}

static heddle_status build(heddle_context *ctx, paths_rows *r, heddle_graph **graph) {
    r->offsets[r->vertices] = r->at;
    hd_rows rows = {.vertices = r->vertices,
                    .edges = r->at,
                    .offsets = (const char *)r->offsets,
                    .targets = (const char *)r->targets,
                    .stride = sizeof(uint32_t)};
    heddle_build_options options;
    heddle_build_options_init(&options);
    hd_edge_source source = hd_rows_source(ctx, &rows);
    return hd_graph_build(ctx, &source, &options, graph);
}

/* Vertices by place, then copies, in their list's order. */
static heddle_status number(heddle_context *ctx, copied_paths *c, heddle_vertex **order) {
    const hd_copies *copies = &c->changed->copies;
    uint64_t next = 0;
    HD_TRY(HD_NEW(ctx, &c->rank, copies->places, "numbers"));
    HD_TRY(HD_NEW(ctx, order, copies->vertices + copies->count, "numbers"));
    for (uint64_t p = 0; p < copies->places; p++)
        if (copies->vertex[p] != UINT32_MAX && copies->place[copies->vertex[p]] == p) {
            (*order)[next] = (heddle_vertex)p;
            c->rank[p] = (heddle_vertex)next++;
        }
    for (uint64_t i = 0; i < copies->count; i++, next++) {
        (*order)[next] = copies->list[i].copy;
        c->rank[copies->list[i].copy] = (heddle_vertex)next;
    }
    return HEDDLE_OK;
}

/* The first copy of each vertex in the list, by rank; the list is sorted by vertex, not by rank. */
static heddle_status find_copies(heddle_context *ctx, const copied_paths *c, uint64_t **first) {
    const hd_copies *copies = &c->changed->copies;
    HD_TRY(HD_NEW(ctx, first, copies->vertices, "copies"));
    for (uint64_t v = 0; v < copies->vertices; v++)
        (*first)[v] = UINT64_MAX;
    for (uint64_t i = copies->count; i-- > 0;)
        (*first)[c->rank[copies->list[i].owner]] = i;
    return HEDDLE_OK;
}

static heddle_status make_graphs(heddle_context *ctx, copied_paths *c) {
    const hd_copies *copies = &c->changed->copies;
    uint64_t n = copies->vertices, count = copies->count, edges = c->changed->graph->edges, *first = NULL;
    heddle_vertex *order = NULL;
    paths_rows whole = {.at = 0}, split = {.at = 0};
    heddle_adjacency out;
    heddle_status status;
    HD_TRY(heddle_graph_out(ctx, c->changed->graph, &out));
    HD_CHECK(number(ctx, c, &order));
    HD_CHECK(find_copies(ctx, c, &first));
    HD_CHECK(open_rows(ctx, n, edges, &whole));
    HD_CHECK(open_rows(ctx, n + count, edges + count, &split));
    for (uint64_t v = 0; v < n; v++) {
        whole.offsets[v] = whole.at;
        split.offsets[v] = split.at;
        add_row(c, &out, order[v], &whole);
        add_row(c, &out, order[v], &split);
        for (uint64_t i = first[v]; i < count && copies->list[i].owner == order[v]; i++) {
            add_row(c, &out, copies->list[i].copy, &whole);
            split.targets[split.at++] = (heddle_vertex)(n + i);
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        split.offsets[n + i] = split.at;
        add_row(c, &out, copies->list[i].copy, &split);
    }
    HD_CHECK(build(ctx, &whole, &c->whole));
    if (count)
        HD_CHECK(build(ctx, &split, &c->tree.graph));
    c->tree.originals = n;
    c->tree.added_vertices = c->tree.added_edges = count;
    c->tree.levels = c->tree.height = 1;
    c->tree.level_start[1] = count;
    HD_CHECK(HD_NEW(ctx, &c->tree.family, count, "copies"));
    for (uint64_t i = 0; i < count; i++)
        c->tree.family[i] = c->rank[copies->list[i].owner];
out:
    close_rows(ctx, &whole);
    close_rows(ctx, &split);
    HD_DELETE(&ctx->allocator, order, n + count);
    HD_DELETE(&ctx->allocator, first, n);
    return status;
}

/* ---- The view ---------------------------------------------------------------------------------------------------- */

static heddle_status map_sources(copied_paths *c) {
    const heddle_run_options *given = &c->run->options;
    if (!given->source_count)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(c->run->ctx, &c->sources, given->source_count, "sources"));
    for (uint64_t i = 0; i < given->source_count; i++)
        c->sources[i] = c->rank[c->changed->copies.place[given->sources[i]]];
    c->asked.options.sources = c->sources;
    return HEDDLE_OK;
}

static heddle_status check(const hd_run *run) {
    if (serves(run) && run->options.samples)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED,
                       "%s: graffix=%s: samples are drawn by the numbers of vertices; use sources instead",
                       run->algorithm->info.name, run->plan.graffix->name);
    return HEDDLE_OK;
}

static heddle_status open_paths(hd_view *view) {
    const hd_run *run = view->run;
    hd_graffix_options options = hd_plan_graffix(&run->plan);
    const hd_derived_graffix *made;
    copied_paths *c;
    HD_TRY(HD_NEW_ZERO(run->ctx, &c, 1, "copies"));
    view->own = c;
    c->run = run;
    options.simple = true;
    HD_TRY(hd_derived_graffix_of(run, run->graph, &options, &made));
    c->changed = &made->result;
    view->inner.plan = hd_plan_without_graffix(&run->plan);
    if (!made->result.graph)
        return HEDDLE_OK;
    double start = hd_clock();
    HD_TRY(make_graphs(run->ctx, c));
    if (c->tree.graph)
        c->tree.graph->origin = c->whole->serial; /* a device keeps a graph, and one that is made of it */
    run->result->report.transforming += hd_clock() - start;
    c->asked = *run;
    c->asked.graph = c->whole;
    c->asked.plan.direction = HD_DIRECTION_OPEN;
    HD_TRY(map_sources(c));
    view->run = &c->asked; /* what was split, for the run on the split graph */
    view->inner.options = c->asked.options;
    view->inner.graph = c->tree.graph ? c->tree.graph : c->whole;
    view->inner.on_split = c->tree.graph != NULL;
    return hd_run_take_executor(&view->inner);
}

/* The graph without copies is directed, whose sums are not halved. */
static void halve(heddle_result *result) {
    for (uint64_t v = 0; v < result->count; v++) {
        if (result->type == HEDDLE_VALUE_F32)
            ((float *)result->values)[v] /= 2;
        else
            ((double *)result->values)[v] /= 2;
    }
    hd_result_figure(result, "max", hd_result_figure_of(result, "max") / 2);
}

static heddle_status map_result(hd_view *view) {
    const copied_paths *c = view->own;
    heddle_result *result = c->run->result;
    const hd_copies *copies = &c->changed->copies;
    uint64_t n = copies->vertices;
    size_t size = hd_value_size(result->type);
    const void *from = result->values;
    void *to;
    if (!c->changed->graph)
        return HEDDLE_OK;
    HD_TRY(hd_new(c->run->ctx, &to, n, size, false, "vertex values"));
    for (uint64_t v = 0; v < n; v++) {
        if (size == 4)
            ((uint32_t *)to)[v] = ((const uint32_t *)from)[c->rank[copies->place[v]]];
        else
            ((uint64_t *)to)[v] = ((const uint64_t *)from)[c->rank[copies->place[v]]];
    }
    hd_free(&result->allocator, result->values, result->count * size);
    result->values = to;
    result->count = n;
    if (!c->run->graph->directed && !c->run->options.normalized)
        halve(result);
    hd_result_figure(result, "copies", (double)copies->count);
    hd_result_figure(result, "added_edges", (double)c->changed->added_edges);
    result->report.approximate = c->changed->added_edges > 0;
    return HEDDLE_OK;
}

static void close_paths(hd_view *view) {
    copied_paths *c = view->own;
    if (!c)
        return;
    const heddle_allocator *allocator = &c->run->ctx->allocator;
    heddle_graph_destroy(&c->whole);
    heddle_graph_destroy(&c->tree.graph);
    HD_DELETE(allocator, c->tree.family, c->tree.added_vertices);
    HD_DELETE(allocator, c->rank, c->changed ? c->changed->copies.places : 0);
    HD_DELETE(allocator, c->sources, c->run->options.source_count);
    HD_DELETE(allocator, c, 1);
}

const hd_view_kind hd_view_copied_paths = {
    .check = check, .serves = serves, .open = open_paths, .map_result = map_result, .close = close_paths};
