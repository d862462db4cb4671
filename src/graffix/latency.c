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
#include "graffix/extend.h"
#include "graffix/path_weight.h"
#include "graffix/recipe.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOGETHER = 256, /* vertices that a thread takes at once */
    REINFORCED = 2, /* edges that a cluster above the threshold gets at most, */
    LIFTED = 192,   /* and one that is lifted to it: `reach` of the pairs */
    BATCH = 1024,   /* centres that are looked at together */
    TWICE = 2       /* rounds inside for each edge of the diameter */
};
static const double reach = 0.1; /* below the threshold: coefficients that edges may lift to it */

typedef struct centre {
    heddle_vertex vertex;
    uint32_t neighbours, links; /* pairs of neighbours that are joined */
} centre;

typedef struct latency {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_graffix_options *options;
    heddle_adjacency out, in;
    centre *centres;
    uint64_t count, room;
    unsigned char *taken; /* per vertex: IN_CLUSTER, and CLAIMED while a batch is looked at */
    hd_new_edge *added;
    uint64_t added_count, added_room;
    hd_graffix_result *result;
} latency;

enum { IN_CLUSTER = 1, CLAIMED = 2 };

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
    if (most >= HD_CLUSTER_ROW)
        return false;
    add_neighbours(&l->out, v, m);
    if (l->graph->directed)
        add_neighbours(&l->in, v, m);
    return m->count > HD_CLUSTER_LEAST && m->count < HD_CLUSTER_MOST;
}

static bool joined(const members *m, uint32_t i, uint32_t j) { return m->row[i] >> j & 1; }

static void join(members *m, uint32_t i, uint32_t j) {
    m->row[i] |= UINT64_C(1) << j;
    m->row[j] |= UINT64_C(1) << i;
}

static uint64_t degree(const latency *l, heddle_vertex v) { return l->out.offsets[v + 1] - l->out.offsets[v]; }

/* Whether there is an arc between them, in either direction: looked for in the shorter row if it is in both. */
static bool knows(const latency *l, heddle_vertex x, heddle_vertex w) {
    if (l->graph->directed)
        return arc(l, x, w) != UINT64_MAX || arc(l, w, x) != UINT64_MAX;
    return degree(l, x) < degree(l, w) ? arc(l, x, w) != UINT64_MAX : arc(l, w, x) != UINT64_MAX;
}

/* Fills the rows; returns the pairs of neighbours that are joined. */
static uint32_t count_links(const latency *l, members *m) {
    uint32_t links = 0;
    memset(m->row, 0, sizeof m->row);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t j = i + 1; j < m->count; j++) {
            bool known = i == 0 || knows(l, m->vertex[i], m->vertex[j]);
            if (known)
                join(m, i, j);
            links += known && i;
        }
    return links;
}

static double pairs(uint32_t neighbours) { return neighbours * (neighbours - 1.0) / 2; }

/* Neighbours by rising degree: those of few edges know fewest others, and have short rows. */
static void sort_neighbours(const latency *l, members *m) {
    for (uint32_t i = 2; i < m->count; i++) {
        heddle_vertex v = m->vertex[i];
        uint64_t d = degree(l, v);
        uint32_t at = i;
        for (; at > 1 && degree(l, m->vertex[at - 1]) > d; at--)
            m->vertex[at] = m->vertex[at - 1];
        m->vertex[at] = v;
    }
}

/* The pairs of neighbours that are joined; 0 as soon as more than `most` of them are not. */
static uint32_t links_above(const latency *l, members *m, uint32_t most) {
    uint32_t missing = 0;
    sort_neighbours(l, m);
    for (uint32_t i = 1; i < m->count; i++)
        for (uint32_t j = i + 1; j < m->count; j++) {
            missing += knows(l, m->vertex[i], m->vertex[j]) ? 0 : 1;
            if (missing > most)
                return 0;
        }
    return (uint32_t)pairs(m->count - 1) - missing;
}

static heddle_status count_here(const latency *l, const uint32_t *most, uint32_t *words) {
    HD_PARALLEL_FOR(l->ctx, schedule(dynamic, TOGETHER))
    for (uint64_t v = 0; v < l->graph->vertices; v++) {
        members m;
        words[v] = 0;
        if (hd_advance_each(l->ctx, v, TOGETHER, 0) || !gather(l, (heddle_vertex)v, &m))
            continue;
        uint32_t links = links_above(l, &m, most[m.count - 1]);
        words[v] = links ? (m.count - 1) << HD_LINK_BITS | links : 0;
    }
    return hd_cancelled_status(l->ctx);
}

/* How many pairs may be missing, by the number of neighbours: devices without doubles decide as the host does. */
static heddle_status count_all(const latency *l, uint32_t *words) {
    const hd_link_counter *counter = l->options->counter;
    double least = l->options->threshold - reach;
    uint32_t most[HD_CLUSTER_MOST];
    bool counted = false;
    for (uint32_t k = 0; k < HD_CLUSTER_MOST; k++)
        most[k] = (uint32_t)(pairs(k) - least * pairs(k));
    if (counter)
        HD_TRY(counter->count(counter->self, l->graph, most, words, &counted));
    return counted ? HEDDLE_OK : count_here(l, most, words);
}

static int denser(const void *a, const void *b) {
    const centre *x = a, *y = b;
    double left = x->links * pairs(y->neighbours), right = y->links * pairs(x->neighbours);
    if (left < right || left > right)
        return left > right ? -1 : 1;
    if (x->neighbours != y->neighbours)
        return x->neighbours > y->neighbours ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static heddle_status list_centres(latency *l, const uint32_t *words) {
    uint64_t n = l->graph->vertices, count = 0;
    HD_PARALLEL_FOR(l->ctx, schedule(static) reduction(+ : count) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        count += words[v] != 0;
    HD_TRY(HD_NEW(l->ctx, &l->centres, count, "clusters"));
    l->room = count;
    for (uint64_t v = 0; v < n; v++)
        if (words[v])
            l->centres[l->count++] =
                (centre){(heddle_vertex)v, words[v] >> HD_LINK_BITS, words[v] & ((1u << HD_LINK_BITS) - 1)};
    return HEDDLE_OK;
}

/* Centres within reach of the threshold, the densest first. */
static heddle_status find_centres(latency *l) {
    uint64_t n = l->graph->vertices;
    uint32_t *words;
    HD_TRY(HD_NEW(l->ctx, &words, n, "clusters"));
    heddle_status status = count_all(l, words);
    if (status == HEDDLE_OK)
        status = list_centres(l, words);
    HD_DELETE(&l->ctx->allocator, words, n);
    HD_TRY(status);
    return hd_graffix_sort(l->ctx, l->centres, l->count, sizeof *l->centres, denser);
}

/* ---- New edges --------------------------------------------------------------------------------------------------- */

/* The arcs of a path of two edges inside the cluster, of a weight that an edge may have. */
static bool path(const latency *l, const members *m, uint32_t i, uint32_t j, hd_new_edge *edge) {
    for (uint32_t x = 0; x < m->count; x++) {
        if (!joined(m, i, x) || !joined(m, x, j))
            continue;
        *edge = (hd_new_edge){m->vertex[i], m->vertex[j], arc(l, m->vertex[i], m->vertex[x]),
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
static bool choose(const latency *l, const members *m, bool reinforce, uint32_t *a, uint32_t *b, hd_new_edge *edge) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->count; i++)
        for (uint32_t j = 1; j < m->count; j++) {
            hd_new_edge found;
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

/* A cluster that may be taken, and the edges that it would get. */
typedef struct proposal {
    members m;
    bool there, made;
    bool enough;     /* it is above the threshold, with its edges if it is not without */
    bool reinforced; /* it is without */
    uint32_t count;
    hd_new_edge edges[LIFTED];
} proposal;

static void propose(const latency *l, proposal *p) {
    uint32_t links = count_links(l, &p->m), a, b;
    double wanted = l->options->threshold * pairs(p->m.count - 1);
    p->made = true;
    p->count = 0;
    p->reinforced = links >= wanted;
    while (p->reinforced ? p->count < REINFORCED : links < wanted && p->count < LIFTED) {
        if (!choose(l, &p->m, p->reinforced, &a, &b, &p->edges[p->count]))
            break;
        p->count++;
        join(&p->m, a, b);
        links++;
    }
    p->enough = links >= wanted;
}

/* Adds the edges, as far as the budget goes. False: it stays below the threshold, and nothing is added. */
static bool add_edges(latency *l, const proposal *p) {
    uint64_t left = l->added_room - l->added_count;
    if (!p->enough || (!p->reinforced && p->count > left))
        return false;
    for (uint32_t i = 0; i < p->count && i < left; i++)
        l->added[l->added_count++] = p->edges[i];
    return true;
}

/* ---- Clusters ---------------------------------------------------------------------------------------------------- */

static bool is(const latency *l, heddle_vertex v, int what) { return l->taken[v] & what; }

static void take(latency *l, const members *m) {
    hd_clusters *to = &l->result->clusters;
    uint64_t end = to->starts[to->count];
    for (uint32_t i = 0; i < m->count; i++)
        if (!is(l, m->vertex[i], IN_CLUSTER)) {
            l->taken[m->vertex[i]] |= IN_CLUSTER;
            to->members[end++] = m->vertex[i];
        }
    to->starts[++to->count] = end;
}

/* Centres that no earlier one of the batch has among its neighbours: most likely these become clusters. */
static void claim(latency *l, proposal *batch, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        proposal *p = &batch[i];
        p->made = p->there && !is(l, p->m.vertex[0], CLAIMED); /* to be */
        for (uint32_t j = 0; p->made && j < p->m.count; j++)
            l->taken[p->m.vertex[j]] |= CLAIMED;
    }
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t j = 0; batch[i].made && j < batch[i].m.count; j++)
            l->taken[batch[i].m.vertex[j]] &= (unsigned char)~CLAIMED;
}

/* Takes centres in their order, as if one after the other: what is proposed does not depend on what is taken. */
static void take_batch(latency *l, const centre *centres, proposal *batch, uint64_t count) {
    HD_PARALLEL_FOR(l->ctx, schedule(static) if (count == BATCH))
    for (uint64_t i = 0; i < count; i++)
        batch[i].there = !is(l, centres[i].vertex, IN_CLUSTER) && gather(l, centres[i].vertex, &batch[i].m);
    claim(l, batch, count);
    HD_PARALLEL_FOR(l->ctx, schedule(dynamic, 8) if (count == BATCH))
    for (uint64_t i = 0; i < count; i++)
        if (batch[i].made)
            propose(l, &batch[i]);
    for (uint64_t i = 0; i < count; i++) {
        proposal *p = &batch[i];
        uint32_t left = 0;
        if (!p->there || is(l, centres[i].vertex, IN_CLUSTER))
            continue;
        for (uint32_t j = 0; j < p->m.count; j++)
            left += !is(l, p->m.vertex[j], IN_CLUSTER);
        if (left > HD_CLUSTER_LEAST && !p->made)
            propose(l, p);
        if (left > HD_CLUSTER_LEAST && add_edges(l, p))
            take(l, &p->m);
    }
}

static heddle_status take_clusters(latency *l) {
    hd_clusters *to = &l->result->clusters;
    uint64_t n = l->graph->vertices;
    proposal *batch;
    to->room = n;
    HD_TRY(HD_NEW_ZERO(l->ctx, &l->taken, n, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &to->members, n, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &to->starts, n + 1, "clusters"));
    HD_TRY(HD_NEW(l->ctx, &batch, BATCH, "clusters"));
    to->starts[0] = 0;
    for (uint64_t c = 0; c < l->count && !hd_advance(l->ctx, 0); c += BATCH)
        take_batch(l, l->centres + c, batch, l->count - c < BATCH ? l->count - c : BATCH);
    HD_DELETE(&l->ctx->allocator, batch, BATCH);
    to->inside = TWICE * 2; /* a centre's neighbours are at most two edges from each other */
    return hd_cancelled_status(l->ctx);
}

static int by_ends(const void *a, const void *b) {
    const hd_new_edge *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

/* A total order: which of two paths stays must not depend on the number of threads, nor on qsort. */
static int by_ends_and_path(const void *a, const void *b) {
    const hd_new_edge *x = a, *y = b;
    int ends = by_ends(a, b);
    if (ends || x->first != y->first)
        return ends ? ends : x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* The same pair may have been joined in two clusters. */
static heddle_status drop_doubles(latency *l) {
    uint64_t kept = 0;
    HD_TRY(hd_graffix_sort(l->ctx, l->added, l->added_count, sizeof *l->added, by_ends_and_path));
    for (uint64_t i = 0; i < l->added_count; i++)
        if (!kept || by_ends(&l->added[kept - 1], &l->added[i]) != 0)
            l->added[kept++] = l->added[i];
    l->added_count = kept;
    return HEDDLE_OK;
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
static bool sound_edge(const latency *l, const hd_new_edge *before, const hd_new_edge *e) {
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
    const hd_new_edge *added;
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
    HD_TRY(drop_doubles(l));
    return hd_recipe_writes(l->options->recipe) ? write_down(l) : HEDDLE_OK;
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

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
        HD_CHECK(hd_graffix_extend(ctx, graph, options, l.added, l.added_count, &result->graph));
    result->added_edges = result->graph ? (result->graph->edges - graph->edges) / (graph->directed ? 1 : 2) : 0;
    HD_CHECK(hd_clusters_rows(ctx, result->graph ? result->graph : graph, &result->clusters));
out:
    HD_DELETE(&ctx->allocator, l.centres, l.room);
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
