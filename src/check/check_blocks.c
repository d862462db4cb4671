/* check_blocks.c - bridges, articulation and biconnected: the sequential references; the validators compare with them.
 *
 * By chains instead of low points (Schmidt, 2013). In depth-first order, every edge from a vertex down to one below it
 * that is not its child begins a chain, which goes on upwards from there until it comes to a vertex that a chain has
 * passed. A chain that ends where it begins, a cycle, is a block of its own; any other is in the block of the tree edge
 * above its end. Tree edges on no chain are bridges, each a block of its own.
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/compare.h"
#include "check/neighbours.h"

enum { STEP = 1 << 14 }; /* vertices between two checks of the cancel flag */

typedef struct chains {
    heddle_context *ctx;
    hd_neighbours all;
    heddle_vertex *order, *parent;
    uint32_t *place; /* in `order`; UINT32_MAX: not visited yet */
    uint64_t *next;
    /* Of a vertex that has a parent: a vertex below the block of the edge to it, or itself for a bridge. UINT32_MAX: no
     * chain has passed. */
    heddle_vertex *block;
    heddle_vertex *ends; /* edges in ascending order */
    uint64_t edges;
} chains;

/* ---- Depth-first forest ------------------------------------------------------------------------------------------ */

static heddle_status visit_tree(chains *c, heddle_vertex root, uint32_t *visited) {
    const hd_neighbours *all = &c->all;
    heddle_vertex v = root;
    c->parent[v] = v;
    for (;;) {
        if (c->place[v] == UINT32_MAX) {
            c->order[*visited] = v;
            c->place[v] = (*visited)++;
            c->next[v] = all->offsets[v];
            if (*visited % STEP == 0 && hd_advance(c->ctx, STEP))
                return hd_cancelled_status(c->ctx);
        }
        while (c->next[v] < all->offsets[v + 1] && c->place[all->list[c->next[v]]] != UINT32_MAX)
            c->next[v]++;
        if (c->next[v] < all->offsets[v + 1]) {
            heddle_vertex child = all->list[c->next[v]];
            c->parent[child] = v;
            v = child;
        } else if (v == root) {
            return HEDDLE_OK;
        } else {
            v = c->parent[v];
        }
    }
}

static heddle_status visit_all(chains *c) {
    uint32_t visited = 0;
    for (uint64_t v = 0; v < c->all.vertices; v++)
        c->place[v] = c->block[v] = UINT32_MAX;
    for (uint64_t v = 0; v < c->all.vertices; v++)
        if (c->place[v] == UINT32_MAX)
            HD_TRY(visit_tree(c, (heddle_vertex)v, &visited));
    return HEDDLE_OK;
}

/* ---- Chains ------------------------------------------------------------------------------------------------------ */

static void follow_chain(chains *c, heddle_vertex top, heddle_vertex from) {
    heddle_vertex end = from;
    while (end != top && c->block[end] == UINT32_MAX)
        end = c->parent[end];
    heddle_vertex block = end == top ? from : c->block[end];
    for (heddle_vertex v = from; v != end; v = c->parent[v])
        c->block[v] = block;
}

static void follow_chains(chains *c) {
    for (uint64_t i = 0; i < c->all.vertices; i++) {
        heddle_vertex v = c->order[i];
        for (uint64_t e = c->all.offsets[v]; e < c->all.offsets[v + 1]; e++) {
            heddle_vertex w = c->all.list[e];
            if (c->place[w] > c->place[v] && c->parent[w] != v)
                follow_chain(c, v, w);
        }
    }
}

/* Rows ascend if all edges are listed by their larger end first. */
static heddle_status sort_edges(chains *c) {
    const hd_neighbours *all = &c->all;
    uint64_t n = all->vertices, sum = 0;
    for (uint64_t v = 0; v < n; v++) {
        c->next[v] = sum;
        for (uint64_t e = all->offsets[v]; e < all->offsets[v + 1]; e++)
            sum += all->list[e] > v;
    }
    c->edges = sum;
    HD_TRY(HD_NEW(c->ctx, &c->ends, 2 * sum, "edges"));
    for (uint64_t w = 0; w < n; w++)
        for (uint64_t e = all->offsets[w]; e < all->offsets[w + 1]; e++) {
            heddle_vertex v = all->list[e];
            if (v > w)
                continue;
            c->ends[2 * c->next[v]] = v;
            c->ends[2 * c->next[v]++ + 1] = (heddle_vertex)w;
        }
    return HEDDLE_OK;
}

static heddle_status open_chains(chains *c, const heddle_graph *graph) {
    uint64_t n = graph->vertices;
    HD_TRY(hd_neighbours_open(c->ctx, graph, &c->all));
    HD_TRY(HD_NEW(c->ctx, &c->order, n, "depth-first order"));
    HD_TRY(HD_NEW(c->ctx, &c->parent, n, "depth-first parents"));
    HD_TRY(HD_NEW(c->ctx, &c->place, n, "depth-first places"));
    HD_TRY(HD_NEW(c->ctx, &c->next, n, "depth-first search"));
    HD_TRY(HD_NEW(c->ctx, &c->block, n, "blocks"));
    HD_TRY(visit_all(c));
    follow_chains(c);
    return sort_edges(c);
}

static void close_chains(chains *c) {
    const heddle_allocator *allocator = &c->ctx->allocator;
    uint64_t n = c->all.vertices;
    HD_DELETE(allocator, c->order, n);
    HD_DELETE(allocator, c->parent, n);
    HD_DELETE(allocator, c->place, n);
    HD_DELETE(allocator, c->next, n);
    HD_DELETE(allocator, c->block, n);
    HD_DELETE(allocator, c->ends, 2 * c->edges);
    hd_neighbours_close(c->ctx, &c->all);
}

static heddle_vertex lower_end(const chains *c, uint64_t edge) {
    heddle_vertex u = c->ends[2 * edge], v = c->ends[2 * edge + 1];
    return c->place[u] > c->place[v] ? u : v;
}

/* An edge of the forest that no chain has passed; one that is not of the forest begins a chain. */
static bool is_bridge(const chains *c, uint64_t edge) {
    heddle_vertex v = lower_end(c, edge), other = c->ends[2 * edge] ^ c->ends[2 * edge + 1] ^ v;
    return c->parent[v] == other && c->block[v] == UINT32_MAX;
}

/* The vertex that an edge's block is named after. */
static heddle_vertex block_of(const chains *c, heddle_vertex lower) {
    return c->block[lower] == UINT32_MAX ? lower : c->block[lower];
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

typedef heddle_status fill_fn(chains *c, heddle_result *result);

static heddle_status compute(heddle_context *ctx, const heddle_graph *graph, heddle_result *result, fill_fn *fill) {
    chains c = {.ctx = ctx};
    hd_phase_begin(ctx, "compute", graph->vertices);
    heddle_status status = open_chains(&c, graph);
    if (status == HEDDLE_OK)
        status = fill(&c, result);
    hd_phase_end(ctx);
    close_chains(&c);
    return status;
}

/* The vertices at and below each vertex: `next` is free for them. */
static void count_below(chains *c) {
    for (uint64_t v = 0; v < c->all.vertices; v++)
        c->next[v] = 1;
    for (uint64_t i = c->all.vertices; i-- > 0;) {
        heddle_vertex v = c->order[i];
        if (c->parent[v] != v)
            c->next[c->parent[v]] += c->next[v];
    }
}

static heddle_status fill_bridges(chains *c, heddle_result *result) {
    uint64_t count = 0, most = 0;
    uint32_t *weights, *whole;
    count_below(c);
    HD_TRY(HD_NEW(c->ctx, &whole, c->all.vertices, "sizes of components"));
    for (uint64_t i = 0; i < c->all.vertices; i++) {
        heddle_vertex v = c->order[i];
        whole[v] = c->parent[v] == v ? (uint32_t)c->next[v] : whole[c->parent[v]];
    }
    for (uint64_t e = 0; e < c->edges; e++)
        count += is_bridge(c, e);
    heddle_status status = hd_result_edges_new(c->ctx, result, count, HEDDLE_WEIGHT_U32);
    weights = result->forest_weights;
    count = 0;
    for (uint64_t e = 0; e < c->edges && status == HEDDLE_OK; e++) {
        if (!is_bridge(c, e))
            continue;
        uint64_t below = c->next[lower_end(c, e)], above = whole[lower_end(c, e)] - below;
        result->forest_ends[2 * count] = c->ends[2 * e];
        result->forest_ends[2 * count + 1] = c->ends[2 * e + 1];
        weights[count++] = (uint32_t)(below < above ? below : above);
        most = weights[count - 1] > most ? weights[count - 1] : most;
    }
    HD_DELETE(&c->ctx->allocator, whole, c->all.vertices);
    hd_result_figure_whole(result, "bridges", count);
    hd_result_figure_whole(result, "max", most);
    return status;
}

/* A vertex is in as many blocks as names occur at its edges. `seen`: the last vertex at which a name did. */
static heddle_status fill_articulation(chains *c, heddle_result *result) {
    const hd_neighbours *all = &c->all;
    uint64_t points = 0, most = 0;
    HD_TRY(hd_result_values_new(c->ctx, result, HEDDLE_VALUE_U32, all->vertices));
    result->plain = true;
    uint32_t *values = result->values;
    for (uint64_t v = 0; v < all->vertices; v++) {
        uint32_t blocks = 0;
        for (uint64_t e = all->offsets[v]; e < all->offsets[v + 1]; e++) {
            heddle_vertex w = all->list[e], name = block_of(c, c->place[w] > c->place[v] ? w : (heddle_vertex)v);
            blocks += all->seen[name] != v + 1;
            all->seen[name] = (heddle_vertex)(v + 1);
        }
        values[v] = blocks ? blocks - 1 : 0;
        points += values[v] > 0;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure_whole(result, "cut_vertices", points);
    hd_result_figure_whole(result, "max", most);
    return HEDDLE_OK;
}

static heddle_status fill_biconnected(chains *c, heddle_result *result) {
    const hd_neighbours *all = &c->all;
    uint64_t *size = c->next; /* 1 + the vertices below the top one; of each name */
    uint32_t blocks = 0, *weights;
    uint64_t most = 0;
    HD_TRY(hd_result_edges_new(c->ctx, result, c->edges, HEDDLE_WEIGHT_U32));
    weights = result->forest_weights;
    for (uint64_t e = 0; e < c->edges; e++) {
        heddle_vertex name = block_of(c, lower_end(c, e));
        if (!all->seen[name])
            all->seen[name] = ++blocks;
        result->forest_ends[2 * e] = c->ends[2 * e];
        result->forest_ends[2 * e + 1] = c->ends[2 * e + 1];
        weights[e] = all->seen[name] - 1;
    }
    for (uint64_t v = 0; v < all->vertices; v++)
        size[v] = 1;
    for (uint64_t v = 0; v < all->vertices; v++)
        if (c->parent[v] != v) {
            uint64_t members = ++size[block_of(c, (heddle_vertex)v)];
            most = members > most ? members : most;
        }
    hd_result_figure_whole(result, "blocks", blocks);
    hd_result_figure_whole(result, "largest", most);
    return HEDDLE_OK;
}

heddle_status hd_reference_bridges(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   heddle_result *result) {
    (void)options;
    return compute(ctx, graph, result, fill_bridges);
}

heddle_status hd_reference_articulation(heddle_context *ctx, const heddle_graph *graph,
                                        const heddle_run_options *options, heddle_result *result) {
    (void)options;
    return compute(ctx, graph, result, fill_articulation);
}

heddle_status hd_reference_biconnected(heddle_context *ctx, const heddle_graph *graph,
                                       const heddle_run_options *options, heddle_result *result) {
    (void)options;
    return compute(ctx, graph, result, fill_biconnected);
}

heddle_status hd_verify_bridges(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    return hd_compare_reference(ctx, graph, options, result, hd_reference_bridges, "", "smaller side");
}

heddle_status hd_verify_articulation(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                     heddle_result *result) {
    return hd_compare_reference(ctx, graph, options, result, hd_reference_articulation, "components more", "");
}

heddle_status hd_verify_biconnected(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                    heddle_result *result) {
    return hd_compare_reference(ctx, graph, options, result, hd_reference_biconnected, "", "block");
}
