/* latency.c - Graffix, section 3: a vertex whose neighbours know each other, with these neighbours, is a cluster, which
 * runs iterate in shared memory, or in a core's cache, before they go on.
 *
 * The clustering coefficient is that of the undirected graph. Only vertices of fewer neighbours than a cluster may
 * have are looked at, so that all of them cost near-linear time together. Those within reach of the threshold get
 * edges between neighbours until they have it, those above it a few more, while the budget of edges lasts; edges
 * follow a path of two. Then clusters are taken, the densest centre first, and a vertex is in one of them only.
 */
#include "graffix/latency.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/graffix.h"
#include "graffix/path_weight.h"
#include "graffix/recipe.h"
#include "graph/rebuild.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOGETHER = 256, /* vertices that a thread takes at once */
    LEAST = 3,      /* neighbours of a centre */
    REINFORCED = 2, /* edges that a cluster above the threshold gets at most */
    TWICE = 2       /* rounds inside for each edge of the diameter */
};
static const double reach = 0.1; /* below the threshold: coefficients that edges may lift to it */

typedef struct centre {
    heddle_vertex vertex;
    uint32_t neighbours, links; /* pairs of neighbours that are joined */
} centre;

typedef struct new_edge {
    heddle_vertex from, to;
    uint64_t first, second; /* the arcs of its path */
} new_edge;

typedef struct latency {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_graffix_options *options;
    heddle_adjacency out, in;
    centre *centres;
    uint64_t count;
    unsigned char *taken; /* per vertex: in a cluster */
    new_edge *added;
    uint64_t added_count, added_room;
    hd_graffix_result *result;
} latency;

/* The members of a cluster while it is looked at: the centre, then its neighbours. */
typedef struct members {
    heddle_vertex vertex[HD_CLUSTER_MOST];
    uint32_t count;
    uint64_t row[HD_CLUSTER_MOST]; /* bit j of row i: i and j are joined, in either direction */
} members;

/* ---- Coefficients ------------------------------------------------------------------------------------------------ */

static uint64_t arc(const latency *l, heddle_vertex x, heddle_vertex w) {
    return hd_row_arc(l->out.offsets, l->out.targets, x, w);
}

static void add_neighbours(const heddle_adjacency *rows, heddle_vertex v, members *m) {
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1] && m->count < HD_CLUSTER_MOST; e++) {
        uint32_t i = 0;
        while (i < m->count && m->vertex[i] != rows->targets[e])
            i++;
        if (i == m->count)
            m->vertex[m->count++] = rows->targets[e];
    }
}

/* False: it has too few neighbours, or too many. */
static bool gather(const latency *l, heddle_vertex v, members *m) {
    uint64_t most = l->out.offsets[v + 1] - l->out.offsets[v];
    m->count = 1;
    m->vertex[0] = v;
    if (most >= 2 * HD_CLUSTER_MOST)
        return false;
    add_neighbours(&l->out, v, m);
    if (l->graph->directed)
        add_neighbours(&l->in, v, m);
    return m->count > LEAST && m->count < HD_CLUSTER_MOST;
}

static bool joined(const members *m, uint32_t i, uint32_t j) { return m->row[i] >> j & 1; }

static void join(members *m, uint32_t i, uint32_t j) {
    m->row[i] |= UINT64_C(1) << j;
    m->row[j] |= UINT64_C(1) << i;
}

/* Fills the rows; returns the pairs of neighbours that are joined. */
static uint32_t count_links(const latency *l, members *m) {
    uint32_t links = 0;
    memset(m->row, 0, sizeof m->row);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t j = i + 1; j < m->count; j++) {
            bool known = i == 0 || arc(l, m->vertex[i], m->vertex[j]) != UINT64_MAX ||
                         (l->graph->directed && arc(l, m->vertex[j], m->vertex[i]) != UINT64_MAX);
            if (known)
                join(m, i, j);
            links += known && i;
        }
    return links;
}

static double pairs(uint32_t neighbours) { return neighbours * (neighbours - 1.0) / 2; }

static int denser(const void *a, const void *b) {
    const centre *x = a, *y = b;
    double left = x->links * pairs(y->neighbours), right = y->links * pairs(x->neighbours);
    if (left < right || left > right)
        return left > right ? -1 : 1;
    if (x->neighbours != y->neighbours)
        return x->neighbours > y->neighbours ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Centres within reach of the threshold, the densest first. */
static heddle_status find_centres(latency *l) {
    uint64_t n = l->graph->vertices;
    double least = l->options->threshold - reach;
    HD_TRY(HD_NEW_ZERO(l->ctx, &l->centres, n, "clusters"));
    HD_PARALLEL_FOR(l->ctx, schedule(dynamic, TOGETHER))
    for (uint64_t v = 0; v < n; v++) {
        members m;
        if ((v % TOGETHER == 0 && hd_advance(l->ctx, 0)) || !gather(l, (heddle_vertex)v, &m))
            continue;
        l->centres[v] = (centre){(heddle_vertex)v, m.count - 1, count_links(l, &m)};
    }
    HD_TRY(hd_cancelled_status(l->ctx));
    for (uint64_t v = 0; v < n; v++)
        if (l->centres[v].neighbours && l->centres[v].links >= least * pairs(l->centres[v].neighbours))
            l->centres[l->count++] = l->centres[v];
    qsort(l->centres, l->count, sizeof *l->centres, denser);
    return HEDDLE_OK;
}

/* ---- New edges --------------------------------------------------------------------------------------------------- */

/* The arcs of a path of two edges inside the cluster, of a weight that an edge may have. */
static bool path(const latency *l, const members *m, uint32_t i, uint32_t j, new_edge *edge) {
    for (uint32_t x = 0; x < m->count; x++) {
        if (!joined(m, i, x) || !joined(m, x, j))
            continue;
        *edge = (new_edge){m->vertex[i], m->vertex[j], arc(l, m->vertex[i], m->vertex[x]),
                           arc(l, m->vertex[x], m->vertex[j])};
        if (edge->first != UINT64_MAX && edge->second != UINT64_MAX &&
            hd_path_weight(l->graph->weight_type, l->out.weights, edge->first, edge->second, NULL, 0))
            return true;
    }
    return false;
}

static uint32_t shared(const members *m, uint32_t i, uint32_t j) {
    return (uint32_t)__builtin_popcountll(m->row[i] & m->row[j]);
}
static uint32_t inside(const members *m, uint32_t i) { return (uint32_t)__builtin_popcountll(m->row[i]); }

/* The pair of neighbours to join next: those with most common neighbours, or, to reinforce, with fewest edges. False:
 * there is none with a path. */
static bool choose(const latency *l, const members *m, bool reinforce, uint32_t *a, uint32_t *b, new_edge *edge) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->count; i++)
        for (uint32_t j = 1; j < m->count; j++) {
            new_edge found;
            if (i == j || joined(m, i, j))
                continue;
            uint32_t score = reinforce ? 2 * HD_CLUSTER_MOST - inside(m, i) - inside(m, j) : shared(m, i, j);
            if (score <= best || !path(l, m, i, j, &found))
                continue;
            best = score;
            *a = i;
            *b = j;
            *edge = found;
        }
    return best > 0;
}

/* Adds edges to a centre's neighbourhood. False: it stays below the threshold, and nothing is added. */
static bool lift(latency *l, members *m, uint32_t links) {
    uint64_t before = l->added_count;
    double wanted = l->options->threshold * pairs(m->count - 1);
    bool reinforce = links >= wanted;
    for (uint32_t i = 0; reinforce ? i < REINFORCED : links < wanted; i++) {
        uint32_t a, b;
        if (l->added_count == l->added_room || !choose(l, m, reinforce, &a, &b, &l->added[l->added_count]))
            break;
        l->added_count++;
        join(m, a, b);
        links++;
    }
    if (links < wanted)
        l->added_count = before;
    return links >= wanted;
}

/* ---- Clusters ---------------------------------------------------------------------------------------------------- */

static heddle_status take_clusters(latency *l) {
    hd_clusters *to = &l->result->clusters;
    uint64_t n = l->graph->vertices;
    to->room = n;
    HD_TRY(HD_NEW_ZERO(l->ctx, &l->taken, n, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &to->members, n, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &to->starts, n + 1, "clusters"));
    to->starts[0] = 0;
    for (uint64_t c = 0; c < l->count; c++) {
        members m;
        uint64_t end = to->starts[to->count];
        if (l->taken[l->centres[c].vertex] || !gather(l, l->centres[c].vertex, &m))
            continue;
        uint32_t left = 0;
        for (uint32_t i = 0; i < m.count; i++)
            left += !l->taken[m.vertex[i]];
        if (left <= LEAST || !lift(l, &m, count_links(l, &m)))
            continue;
        for (uint32_t i = 0; i < m.count; i++)
            if (!l->taken[m.vertex[i]]) {
                l->taken[m.vertex[i]] = 1;
                to->members[end++] = m.vertex[i];
            }
        to->starts[++to->count] = end;
        if (c % TOGETHER == 0 && hd_advance(l->ctx, 0))
            return hd_cancelled_status(l->ctx);
    }
    to->inside = TWICE * 2; /* a centre's neighbours are at most two edges from each other */
    return HEDDLE_OK;
}

static int by_ends(const void *a, const void *b) {
    const new_edge *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

/* The same pair may have been joined in two clusters. */
static void drop_doubles(latency *l) {
    uint64_t kept = 0;
    qsort(l->added, l->added_count, sizeof *l->added, by_ends);
    for (uint64_t i = 0; i < l->added_count; i++)
        if (!kept || by_ends(&l->added[kept - 1], &l->added[i]) != 0)
            l->added[kept++] = l->added[i];
    l->added_count = kept;
}

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

static heddle_status write_down(const latency *l) {
    const hd_clusters *c = &l->result->clusters;
    hd_recipe *recipe = l->options->recipe;
    HD_TRY(hd_recipe_put(l->ctx, recipe, l->added, l->added_count * sizeof *l->added));
    HD_TRY(hd_recipe_put(l->ctx, recipe, c->starts, (c->count + 1) * sizeof *c->starts));
    return hd_recipe_put(l->ctx, recipe, c->members, c->starts[c->count] * sizeof *c->members);
}

static bool in_row(const latency *l, uint64_t arc_number, heddle_vertex v) {
    return arc_number >= l->out.offsets[v] && arc_number < l->out.offsets[v + 1];
}

/* Whether it is a path of two arcs, and after the one before. */
static bool sound_edge(const latency *l, const new_edge *before, const new_edge *e) {
    return e->from < l->graph->vertices && in_row(l, e->first, e->from) &&
           in_row(l, e->second, l->out.targets[e->first]) && l->out.targets[e->second] == e->to && e->from != e->to &&
           (!before || by_ends(before, e) < 0) &&
           hd_path_weight(l->graph->weight_type, l->out.weights, e->first, e->second, NULL, 0);
}

/* Clusters one after the other, of few vertices, each in one of them only. */
static bool sound_clusters(latency *l, const uint64_t *starts, uint64_t count, const heddle_vertex *members,
                           uint64_t member_count) {
    uint64_t n = l->graph->vertices;
    bool sound = starts[0] == 0 && starts[count] == member_count && count <= n && member_count <= n;
    for (uint64_t k = 0; sound && k < count; k++)
        sound = starts[k] < starts[k + 1] && starts[k + 1] - starts[k] <= HD_CLUSTER_MOST;
    for (uint64_t i = 0; sound && i < member_count; i++) {
        sound = members[i] < n && !l->taken[members[i]];
        if (sound)
            l->taken[members[i]] = 1;
    }
    return sound;
}

static heddle_status follow(latency *l) {
    hd_clusters *to = &l->result->clusters;
    hd_recipe *recipe = l->options->recipe;
    const new_edge *added;
    const uint64_t *starts;
    const heddle_vertex *members;
    uint64_t count, start_count, member_count, n = l->graph->vertices;
    HD_TRY(hd_recipe_take(l->ctx, recipe, sizeof *added, (const void **)&added, &count));
    HD_TRY(hd_recipe_take(l->ctx, recipe, sizeof *starts, (const void **)&starts, &start_count));
    HD_TRY(hd_recipe_take(l->ctx, recipe, sizeof *members, (const void **)&members, &member_count));
    HD_TRY(HD_NEW_ZERO(l->ctx, &l->taken, n, "clusters"));
    if (count > l->added_room || !start_count || !sound_clusters(l, starts, start_count - 1, members, member_count))
        return hd_recipe_wrong(l->ctx);
    for (uint64_t i = 0; i < count; i++) {
        if (!sound_edge(l, i ? &added[i - 1] : NULL, &added[i]))
            return hd_recipe_wrong(l->ctx);
        l->added[l->added_count++] = added[i];
    }
    to->room = n;
    HD_TRY(HD_NEW(l->ctx, &to->members, n, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &to->starts, n + 1, "clusters"));
    memcpy(to->starts, starts, start_count * sizeof *starts);
    if (member_count)
        memcpy(to->members, members, member_count * sizeof *members);
    to->count = start_count - 1;
    to->inside = TWICE * 2;
    return HEDDLE_OK;
}

static heddle_status decide(latency *l) {
    HD_TRY(find_centres(l));
    HD_TRY(take_clusters(l));
    drop_doubles(l);
    return hd_recipe_writes(l->options->recipe) ? write_down(l) : HEDDLE_OK;
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

static heddle_status build(latency *l) {
    uint64_t n = l->graph->vertices, m = l->graph->edges, all = m + l->added_count, at = 0, next = 0, *offsets = NULL;
    heddle_weight_type type = l->graph->weight_type;
    heddle_weight_type to_type = type == HEDDLE_WEIGHT_NONE && l->options->weigh_unit ? HEDDLE_WEIGHT_U32 : type;
    size_t size = hd_weight_size(to_type);
    heddle_vertex *targets = NULL;
    char *weights = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(l->ctx, &offsets, n + 1, "row offsets"));
    HD_CHECK(HD_NEW(l->ctx, &targets, all, "edges"));
    if (to_type)
        HD_CHECK(hd_new(l->ctx, (void **)&weights, all, size, false, "weights"));
    for (uint64_t v = 0; v < n; v++) {
        uint64_t from = l->out.offsets[v], count = l->out.offsets[v + 1] - from;
        offsets[v] = at;
        memcpy(targets + at, l->out.targets + from, count * sizeof *targets);
        if (type)
            memcpy(weights + at * size, (const char *)l->out.weights + from * size, count * size);
        for (uint64_t k = 0; !type && to_type && k < count; k++)
            ((uint32_t *)(void *)weights)[at + k] = 1;
        at += count;
        for (; next < l->added_count && l->added[next].from == v; next++, at++) {
            targets[at] = l->added[next].to;
            hd_path_weight(type, l->out.weights, l->added[next].first, l->added[next].second, weights, at);
        }
    }
    offsets[n] = at;
    hd_rows rows = {.vertices = n,
                    .edges = all,
                    .offsets = (const char *)offsets,
                    .targets = (const char *)targets,
                    .weights = weights,
                    .stride = sizeof(uint32_t),
                    .weight_stride = size,
                    .weight_type = to_type};
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = !l->graph->directed; /* new edges have no reverse yet */
    hd_edge_source source = hd_rows_source(l->ctx, &rows);
    HD_CHECK(hd_graph_build(l->ctx, &source, &options, &l->result->graph));
    l->result->added_edges = l->result->graph->edges - m;
out:
    HD_DELETE(&l->ctx->allocator, offsets, n + 1);
    HD_DELETE(&l->ctx->allocator, targets, all);
    HD_DELETE(&l->ctx->allocator, weights, all * size);
    return status;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                          hd_graffix_result *result) {
    latency l = {.ctx = ctx, .graph = graph, .options = options, .result = result};
    heddle_status status;
    if (graph->vertices == 0)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &l.out));
    if (graph->directed)
        HD_TRY(heddle_graph_in(ctx, graph, &l.in));
    l.added_room = (uint64_t)(options->budget * (double)graph->edges / (graph->directed ? 1 : 2));
    HD_CHECK(HD_NEW(ctx, &l.added, l.added_room, "new edges"));
    HD_CHECK(hd_recipe_reads(options->recipe) ? follow(&l) : decide(&l));
    if (l.added_count)
        HD_CHECK(build(&l));
    HD_CHECK(hd_clusters_rows(ctx, result->graph ? result->graph : graph, &result->clusters));
out:
    HD_DELETE(&ctx->allocator, l.centres, graph->vertices);
    HD_DELETE(&ctx->allocator, l.taken, graph->vertices);
    HD_DELETE(&ctx->allocator, l.added, l.added_room);
    return status;
}

const hd_graffix hd_graffix_latency = {
    .name = "latency",
    .description = "neighbourhoods that know each other get edges, and are iterated in shared memory",
    .in_reports = "graffix-latency",
    .order = &hd_order_none,
    .threshold = 0.8,
    .clusters = true,
    .make = make,
};
