/* communities.c - communities of high modularity, level by level, on the CPU.
 * Idea: Louvain (Blondel et al., 2008): vertices move to the neighbouring community that gains most, until none gains;
 * communities become the vertices of the next level. Leiden (Traag, Waltman, van Eck, 2019): only vertices whose
 * neighbours have moved are looked at again, which Louvain does here too; and the next level's vertices are parts of
 * the communities, found by merging vertices inside of them, so that nothing is merged that is not connected. Leiden's
 * levels are gone through twice: what was merged too early can still come apart.
 *
 * Modularity is the sum over communities of in / 2m - resolution (total / 2m)^2: `in` counts edges inside from both
 * ends, `total` all ends of edges. Vertices are visited in an order that the seed gives. Direction does not count:
 * every arc of a directed graph is an edge.
 *
 * One thread moves vertices. Communities are refined, merged and split by all threads, each community by one: what
 * happens in one does not depend on another, so that results are those of one thread. */
#include "algorithm/communities/communities.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "engine/weight_check.h"

#include <math.h>
#include <string.h>

enum {
    STEP = 1 << 12, /* vertices between two checks of the cancel flag */
    CHUNK = 64,     /* communities that a thread takes at once */
    STRIP = 1 << 12 /* vertices whose share of the modularity is summed up first */
};

/* Weights of edges by the label of their other ends. */
typedef struct tally {
    double *toward; /* per label; 0 between two uses */
    uint32_t *near; /* labels that have such edges */
    uint64_t count;
} tally;

/* Vertices by label. */
typedef struct grouping {
    uint64_t labels;
    uint64_t *starts; /* labels + 2 of them */
    uint32_t *sorted;
} grouping;

typedef struct search {
    heddle_context *ctx;
    const heddle_run_options *options;
    bool refine;
    uint64_t vertices;
    hd_level graph;
    double all;       /* 2m, times 1 / resolution: what totals are multiplied with is 1 / this */
    double sum;       /* 2m */
    uint32_t *member; /* per vertex of the user's: its vertex at this level */
    uint32_t *part;   /* per vertex of the level: its community … */
    double *total;    /* … and that one's ends */
    uint32_t *inner;  /* refine: its part of the community … */
    double *inside;   /* … and that one's ends */
    tally tally;
    uint32_t *queue;
    uint8_t *queued;
    uint64_t levels;
} search;

/* ---- Sums by label ----------------------------------------------------------------------------------------------- */

static void add_to(tally *t, uint32_t label, double weight) {
    if (t->toward[label] == 0)
        t->near[t->count++] = label;
    t->toward[label] += weight;
}

static void forget(tally *t) {
    for (uint64_t i = 0; i < t->count; i++)
        t->toward[t->near[i]] = 0;
    t->count = 0;
}

/* Adds up v's edges by the label of their other ends. */
static void look(const hd_level *g, const uint32_t *label, uint32_t v, tally *t) {
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
        add_to(t, label[g->targets[e]], g->weights[e]);
}

/* Sorts the first n vertices of `order` (NULL: all, ascending) by label; `sorted` has room for them. */
static heddle_status group(search *s, const uint32_t *label, uint64_t n, const uint32_t *order, grouping *by) {
    HD_TRY(HD_NEW_ZERO(s->ctx, &by->starts, by->labels + 2, "starts of communities"));
    for (uint64_t v = 0; v < n; v++)
        by->starts[label[v] + 2]++;
    for (uint64_t c = 2; c < by->labels + 2; c++)
        by->starts[c] += by->starts[c - 1];
    for (uint64_t i = 0; i < n; i++) {
        uint32_t v = order ? order[i] : (uint32_t)i;
        by->sorted[by->starts[label[v] + 1]++] = v;
    }
    return HEDDLE_OK;
}

static void ungroup(search *s, grouping *by) {
    HD_DELETE(&s->ctx->allocator, by->starts, by->labels + 2);
    by->starts = NULL;
}

/* ---- Merging ----------------------------------------------------------------------------------------------------- */

/* What merging the rows of a label needs. */
typedef struct merging {
    search *s;
    const uint32_t *label;
    const grouping *by;
    hd_level *next;
    bool write; /* else rows are counted */
} merging;

/* Edges inside become loops. */
static void write_row(const merging *m, const tally *t, uint32_t c) {
    const hd_level *g = &m->s->graph;
    hd_level *next = m->next;
    uint64_t used = next->offsets[c];
    for (uint64_t i = 0; i < t->count; i++)
        if (t->near[i] == c)
            next->own[c] += t->toward[c];
        else {
            next->targets[used] = t->near[i];
            next->weights[used++] = t->toward[t->near[i]];
        }
    for (uint64_t i = m->by->starts[c]; i < m->by->starts[c + 1]; i++) {
        next->own[c] += g->own[m->by->sorted[i]];
        next->ends[c] += g->ends[m->by->sorted[i]];
    }
}

static void merge_label(const merging *m, tally *t, uint32_t c) {
    for (uint64_t i = m->by->starts[c]; i < m->by->starts[c + 1]; i++)
        look(&m->s->graph, m->label, m->by->sorted[i], t);
    if (m->write)
        write_row(m, t, c);
    else
        m->next->offsets[c] = t->count - (t->toward[c] > 0);
    forget(t);
}

static void merge_labels(const merging *m, tally *tallies, int threads) {
    heddle_context *ctx = m->s->ctx;
    uint64_t next = 0, count = m->by->labels;
    HD_PARALLEL_FOR(ctx, schedule(static, 1) if (threads > 1))
    for (int t = 0; t < threads; t++)
        for (uint64_t c = hd_fetch_add(&next, CHUNK); c < count && !hd_advance(ctx, 0); c = hd_fetch_add(&next, CHUNK))
            for (uint64_t i = c; i < c + CHUNK && i < count; i++)
                merge_label(m, &tallies[t], (uint32_t)i);
}

/* Every thread has sums of its own; together they take no more than the level. */
static int merging_threads(const search *s, uint64_t labels) {
    uint64_t entries = s->graph.offsets[s->graph.n], most = labels ? entries / labels : 1;
    if (entries < HD_WORTH_THREADS || most < 2)
        return 1;
    return most < (uint64_t)s->ctx->threads ? (int)most : s->ctx->threads;
}

static heddle_status merge_with(merging *m, tally *tallies, int threads) {
    heddle_context *ctx = m->s->ctx;
    hd_level *next = m->next;
    merge_labels(m, tallies, threads);
    HD_TRY(hd_cancelled_status(ctx));
    HD_TRY(hd_level_room(ctx, hd_prefix_sum(ctx, next->offsets, next->n), next));
    m->write = true;
    merge_labels(m, tallies, threads);
    return hd_cancelled_status(ctx);
}

/* The graph whose vertices are the labels. Counts its edges first: there are usually far fewer than there were. */
static heddle_status merge_level(search *s, const uint32_t *label, const grouping *by) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    int threads = merging_threads(s, by->labels);
    hd_level next = {0};
    merging m = {.s = s, .label = label, .by = by, .next = &next};
    tally *tallies = NULL;
    double *toward = NULL;
    uint32_t *near = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(s->ctx, &tallies, (uint64_t)threads, "sums of threads"));
    HD_CHECK(HD_NEW_ZERO(s->ctx, &toward, (uint64_t)threads * by->labels, "sums of threads"));
    HD_CHECK(HD_NEW(s->ctx, &near, (uint64_t)threads * by->labels, "sums of threads"));
    HD_CHECK(hd_level_open(s->ctx, by->labels, &next));
    for (int t = 0; t < threads; t++)
        tallies[t] = (tally){toward + (uint64_t)t * by->labels, near + (uint64_t)t * by->labels, 0};
    status = merge_with(&m, tallies, threads);
out:
    HD_DELETE(allocator, tallies, (uint64_t)threads);
    HD_DELETE(allocator, toward, (uint64_t)threads * by->labels);
    HD_DELETE(allocator, near, (uint64_t)threads * by->labels);
    hd_level_close(s->ctx, status == HEDDLE_OK ? &s->graph : &next);
    if (status == HEDDLE_OK)
        s->graph = next;
    return status;
}

/* ---- Moving ------------------------------------------------------------------------------------------------------ */

/* An order of the level's vertices, by the seed. */
static void shuffle(search *s) {
    uint64_t n = s->graph.n;
    for (uint64_t i = 0; i < n; i++)
        s->queue[i] = (uint32_t)i;
    for (uint64_t i = 0; i + 1 < n; i++) {
        uint64_t j = i + hd_below(hd_random(s->options->seed + s->levels, i), n - i);
        uint32_t v = s->queue[i];
        s->queue[i] = s->queue[j];
        s->queue[j] = v;
    }
}

/* The community that the vertex gains most in; `stay` if no other is better. Ends are without those of v. */
static uint32_t best_of(const search *s, const tally *t, const double *ends, uint32_t v, uint32_t stay) {
    double factor = s->graph.ends[v] / s->all, best = t->toward[stay] - factor * ends[stay];
    uint32_t found = stay;
    best += HD_LEAST_GAIN * s->sum;
    for (uint64_t i = 0; i < t->count; i++) {
        uint32_t c = t->near[i];
        double gain = t->toward[c] - factor * ends[c];
        if (c != stay && (gain > best || (gain == best && found != stay && c < found))) {
            best = gain;
            found = c;
        }
    }
    return found;
}

/* Visits vertices until none of them gains by moving. Returns how many moved. */
static uint64_t move_vertices(search *s) {
    const hd_level *g = &s->graph;
    uint64_t n = g->n, head = 0, left = n, moved = 0;
    shuffle(s);
    memset(s->queued, 1, n);
    for (uint64_t step = 1; left && !(step % STEP == 0 && hd_advance(s->ctx, STEP)); step++, left--) {
        uint32_t v = s->queue[head], from = s->part[v];
        head = head + 1 == n ? 0 : head + 1;
        s->queued[v] = 0;
        look(g, s->part, v, &s->tally);
        s->total[from] -= g->ends[v];
        uint32_t to = best_of(s, &s->tally, s->total, v, from);
        s->total[to] += g->ends[v];
        s->part[v] = to;
        forget(&s->tally);
        for (uint64_t e = g->offsets[v]; to != from && e < g->offsets[v + 1]; e++) {
            uint32_t w = g->targets[e];
            if (s->part[w] != to && !s->queued[w]) {
                s->queued[w] = 1;
                s->queue[(head + left - 1) % n] = w;
                left++;
            }
        }
        moved += to != from;
    }
    return moved;
}

/* ---- Refining ---------------------------------------------------------------------------------------------------- */

/* Edges of v to the rest of its community. */
static double inward(const search *s, uint32_t v) {
    const hd_level *g = &s->graph;
    double sum = 0;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
        sum += s->part[g->targets[e]] == s->part[v] ? g->weights[e] : 0;
    return sum;
}

/* Adds up v's edges by the parts of its own community. */
static void look_inside(const search *s, uint32_t v, tally *t) {
    const hd_level *g = &s->graph;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
        if (s->part[g->targets[e]] == s->part[v])
            add_to(t, s->inner[g->targets[e]], g->weights[e]);
}

/* A vertex that is alone, and tied to its community well enough, joins the part of it in which it gains most. */
static void refine_vertex(search *s, uint32_t v, tally *t) {
    const hd_level *g = &s->graph;
    uint32_t own = s->inner[v];
    double rest = s->total[s->part[v]] - g->ends[v];
    if (s->queued[v] || inward(s, v) < g->ends[v] * rest / s->all)
        return;
    look_inside(s, v, t);
    s->inside[own] -= g->ends[v];
    uint32_t to = best_of(s, t, s->inside, v, own);
    s->inside[to] += g->ends[v];
    s->inner[v] = to;
    s->queued[to] = to != own ? 1 : s->queued[to];
    forget(t);
}

/* Labels of parts are vertices of their community: communities share the sums, and each has its place in the list. */
static void refine_communities(search *s, const grouping *by) {
    uint64_t next = 0, count = by->labels;
    HD_PARALLEL(s->ctx, if (s->graph.n >= HD_WORTH_THREADS))
    for (uint64_t c = hd_fetch_add(&next, CHUNK); c < count; c = hd_fetch_add(&next, CHUNK))
        for (uint64_t k = c; k < c + CHUNK && k < count; k++) {
            tally t = {s->tally.toward, s->tally.near + by->starts[k], 0};
            for (uint64_t i = by->starts[k]; i < by->starts[k + 1]; i++) {
                if (i % STEP == 0 && hd_advance(s->ctx, STEP))
                    break;
                refine_vertex(s, by->sorted[i], &t);
            }
        }
}

/* Renumbers labels 0, 1, 2 … by first occurrence; `map` has room for each. Returns how many there are. */
static uint64_t renumber(uint32_t *label, uint64_t n, uint32_t *map) {
    uint64_t count = 0;
    memset(map, 0xff, n * sizeof *map);
    for (uint64_t v = 0; v < n; v++) {
        if (map[label[v]] == UINT32_MAX)
            map[label[v]] = (uint32_t)count++;
        label[v] = map[label[v]];
    }
    return count;
}

/* The same of communities, with their totals. */
static uint64_t renumber_parts(search *s) {
    uint64_t n = s->graph.n, count = renumber(s->part, n, s->tally.near);
    const uint32_t *map = s->tally.near;
    for (uint64_t c = 0; c < n; c++)
        if (map[c] != UINT32_MAX)
            s->inside[map[c]] = s->total[c];
    memcpy(s->total, s->inside, count * sizeof *s->total);
    return count;
}

static heddle_status refine_parts(search *s) {
    const hd_level *g = &s->graph;
    uint64_t n = g->n;
    grouping by = {.labels = renumber_parts(s)};
    heddle_status status;
    for (uint64_t v = 0; v < n; v++) {
        s->inner[v] = (uint32_t)v;
        s->inside[v] = g->ends[v];
    }
    shuffle(s);
    memset(s->queued, 0, n); /* here: somebody has joined the vertex */
    HD_CHECK(HD_NEW(s->ctx, &by.sorted, n, "vertices by community"));
    HD_CHECK(group(s, s->part, n, s->queue, &by));
    refine_communities(s, &by);
    status = hd_cancelled_status(s->ctx);
out:
    ungroup(s, &by);
    HD_DELETE(&s->ctx->allocator, by.sorted, n);
    return status;
}

/* ---- From level to level ----------------------------------------------------------------------------------------- */

/* Communities, or their parts, become vertices; a part begins in the community that it is a part of. */
static heddle_status next_level(search *s, bool *merged) {
    uint64_t n = s->graph.n;
    uint32_t *label = s->refine ? s->inner : s->part, *map = s->tally.near;
    grouping by = {.sorted = s->queue};
    heddle_status status;
    renumber(s->part, n, map);
    by.labels = renumber(label, n, map);
    *merged = by.labels < n;
    if (!*merged)
        return HEDDLE_OK;
    HD_CHECK(group(s, label, n, NULL, &by));
    HD_CHECK(merge_level(s, label, &by));
    for (uint64_t u = 0; u < s->vertices; u++)
        s->member[u] = label[s->member[u]];
    for (uint64_t c = 0; c < by.labels; c++)
        map[c] = s->refine ? s->part[by.sorted[by.starts[c]]] : (uint32_t)c;
    memcpy(s->part, map, by.labels * sizeof *s->part);
    renumber(s->part, by.labels, map);
    memset(s->total, 0, by.labels * sizeof *s->total);
    for (uint64_t c = 0; c < by.labels; c++)
        s->total[s->part[c]] += s->graph.ends[c];
out:
    ungroup(s, &by);
    return status;
}

static heddle_status all_levels(search *s, heddle_report *report) {
    bool merged = true;
    report->converged = 1;
    hd_rounds_mark(s->ctx);
    while (merged && s->graph.n) {
        if (s->levels == s->options->max_iterations) {
            report->converged = 0;
            break;
        }
        uint64_t n = s->graph.n, edges = s->graph.offsets[n], moved = move_vertices(s);
        HD_TRY(hd_cancelled_status(s->ctx));
        s->levels++;
        bool last = moved == 0 && s->levels > 1;
        if (s->refine && !last)
            HD_TRY(refine_parts(s));
        report->edges_walked += edges;
        HD_ROUND(s->ctx, .rounds = 1, .vertices = n, .edges = edges, .kernel = "level");
        if (last)
            break;
        HD_TRY(next_level(s, &merged));
    }
    report->iterations = s->levels;
    return HEDDLE_OK;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* The vertices of the first level, which is there, begin in `part`; NULL: each is a community. */
static heddle_status open_search(search *s, const uint32_t *part) {
    uint64_t n = s->vertices;
    HD_TRY(HD_NEW(s->ctx, &s->member, n, "members"));
    HD_TRY(HD_NEW(s->ctx, &s->part, n, "communities"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->total, n, "ends of communities"));
    HD_TRY(HD_NEW(s->ctx, &s->inner, s->refine ? n : 0, "parts"));
    HD_TRY(HD_NEW(s->ctx, &s->inside, s->refine ? n : 0, "ends of parts"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->tally.toward, n, "weights"));
    HD_TRY(HD_NEW(s->ctx, &s->tally.near, n, "neighbours"));
    HD_TRY(HD_NEW(s->ctx, &s->queue, n, "a queue"));
    HD_TRY(HD_NEW(s->ctx, &s->queued, n, "marks"));
    for (uint64_t v = 0; v < n; v++) {
        s->member[v] = (uint32_t)v;
        s->part[v] = part ? part[v] : (uint32_t)v;
        s->total[s->part[v]] += s->graph.ends[v];
    }
    s->all = hd_communities_all(s->sum, s->options->resolution);
    return HEDDLE_OK;
}

static void close_search(search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    uint64_t n = s->vertices;
    hd_level_close(s->ctx, &s->graph);
    HD_DELETE(allocator, s->member, n);
    HD_DELETE(allocator, s->part, n);
    HD_DELETE(allocator, s->total, n);
    HD_DELETE(allocator, s->inner, s->refine ? n : 0);
    HD_DELETE(allocator, s->inside, s->refine ? n : 0);
    HD_DELETE(allocator, s->tally.toward, n);
    HD_DELETE(allocator, s->tally.near, n);
    HD_DELETE(allocator, s->queue, n);
    HD_DELETE(allocator, s->queued, n);
}

/* Communities of the last level, named after their smallest vertices. */
static void name_communities(search *s, uint32_t *label) {
    uint32_t *first = s->tally.near;
    memset(first, 0xff, s->vertices * sizeof *first);
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint32_t c = s->part[s->member[v]];
        if (first[c] == UINT32_MAX)
            first[c] = (uint32_t)v;
        label[v] = first[c];
    }
}

static heddle_status return_to_first(search *s, const heddle_graph *graph) {
    hd_level_close(s->ctx, &s->graph);
    s->graph = (hd_level){0};
    return hd_level_first(s->ctx, graph, s->options, &s->graph, &s->sum);
}

/* Makes the first level anew; its vertices begin in the communities that were found. */
static heddle_status begin_again(search *s, const heddle_graph *graph) {
    name_communities(s, s->queue);
    HD_TRY(return_to_first(s, graph));
    memset(s->total, 0, s->vertices * sizeof *s->total);
    for (uint64_t v = 0; v < s->vertices; v++) {
        s->member[v] = (uint32_t)v;
        s->part[v] = s->queue[v];
        s->total[s->part[v]] += s->graph.ends[v];
    }
    return HEDDLE_OK;
}

/* ---- Pieces of communities --------------------------------------------------------------------------------------- */

static void spread(const heddle_adjacency *rows, const uint32_t *label, uint32_t *name, uint32_t *queue, uint32_t v,
                   uint64_t *tail) {
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        uint32_t w = rows->targets[e];
        if (label[w] == label[v] && name[w] == UINT32_MAX) {
            name[w] = name[v];
            queue[(*tail)++] = w;
        }
    }
}

typedef struct splitting {
    search *s;
    heddle_adjacency out, in; /* no offsets: of an undirected graph */
    const uint32_t *label;
    uint32_t *name;
    grouping by;
} splitting;

/* Names the pieces of one community after their smallest vertices; its queue is its place in the array. */
static void split_community(const splitting *p, uint64_t c) {
    uint32_t *queue = p->s->queue + p->by.starts[c];
    for (uint64_t i = p->by.starts[c]; i < p->by.starts[c + 1]; i++) {
        uint32_t v = p->by.sorted[i];
        uint64_t tail = 1;
        if (p->name[v] != UINT32_MAX)
            continue;
        p->name[v] = queue[0] = v;
        for (uint64_t head = 0; head < tail && !(head % STEP == 0 && hd_advance(p->s->ctx, 0)); head++) {
            spread(&p->out, p->label, p->name, queue, queue[head], &tail);
            if (p->in.offsets)
                spread(&p->in, p->label, p->name, queue, queue[head], &tail);
        }
    }
}

/* Pieces of a community that are not connected become communities: modularity does not fall thereby. */
static heddle_status split_pieces(search *s, const heddle_graph *graph, uint32_t *label) {
    uint64_t n = s->vertices, next = 0;
    splitting p = {.s = s, .label = label, .name = s->member, .by = {.labels = n, .sorted = s->tally.near}};
    HD_TRY(hd_graph_bare(s->ctx, graph, false, &p.out));
    if (graph->directed)
        HD_TRY(hd_graph_bare(s->ctx, graph, true, &p.in));
    memset(p.name, 0xff, n * sizeof *p.name);
    HD_TRY(group(s, label, n, NULL, &p.by));
    HD_PARALLEL(s->ctx, if (n >= HD_WORTH_THREADS))
    for (uint64_t c = hd_fetch_add(&next, CHUNK); c < n && !hd_advance(s->ctx, 0); c = hd_fetch_add(&next, CHUNK))
        for (uint64_t k = c; k < c + CHUNK && k < n; k++)
            split_community(&p, k);
    ungroup(s, &p.by);
    memcpy(label, p.name, n * sizeof *label);
    return hd_cancelled_status(s->ctx);
}

/* ---- Figures ----------------------------------------------------------------------------------------------------- */

/* The weight of edges inside communities, from both ends: sums of strips, whatever the number of threads. */
static heddle_status weight_inside(search *s, const uint32_t *label, double *inside) {
    const hd_level *g = &s->graph;
    uint64_t n = s->vertices, count = (n + STRIP - 1) / STRIP;
    double *strips;
    HD_TRY(HD_NEW(s->ctx, &strips, count, "sums of strips"));
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++) {
        strips[i] = 0;
        for (uint64_t v = i * STRIP; v < (i + 1) * STRIP && v < n; v++) {
            double sum = g->own[v];
            for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
                sum += label[g->targets[e]] == label[v] ? g->weights[e] : 0;
            strips[i] += sum;
        }
    }
    *inside = 0;
    for (uint64_t i = 0; i < count; i++)
        *inside += strips[i];
    HD_DELETE(&s->ctx->allocator, strips, count);
    return HEDDLE_OK;
}

void hd_communities_figures(heddle_result *result, uint32_t *sizes, double modularity, uint64_t levels) {
    const uint32_t *label = result->values;
    uint64_t communities = 0, largest = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        communities += label[v] == v;
        largest = ++sizes[label[v]] > largest ? sizes[label[v]] : largest;
    }
    hd_result_figure(result, "communities", (double)communities);
    hd_result_figure(result, "largest", (double)largest);
    hd_result_figure(result, "modularity", modularity);
    hd_result_figure(result, "levels", (double)levels);
}

/* Of the final labels, on the user's graph: `ends` and `own` are those of its vertices. Modularity is computed from
 * what the search divided by, not from the option: the certificate sees another resolution. */
static heddle_status add_figures(search *s, const heddle_graph *graph, heddle_result *result) {
    const uint32_t *label = result->values;
    double modularity = 0;
    HD_TRY(return_to_first(s, graph));
    memset(s->total, 0, s->vertices * sizeof *s->total);
    memset(s->queue, 0, s->vertices * sizeof *s->queue);
    for (uint64_t v = 0; v < s->vertices; v++)
        s->total[label[v]] += s->graph.ends[v];
    HD_TRY(weight_inside(s, label, &modularity));
    modularity = s->sum > 0 ? modularity / s->sum : 0;
    for (uint64_t v = 0; v < s->vertices && s->sum > 0; v++)
        modularity -= s->total[v] / s->sum * (s->total[v] / s->all);
    hd_communities_figures(result, s->queue, modularity, s->levels);
    return HEDDLE_OK;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

double hd_communities_all(double sum, double resolution) {
    return sum > 0 && resolution > 0 ? sum / resolution : HUGE_VAL;
}

heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    if (!(options->resolution >= 0) || isinf(options->resolution))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "resolution %g: expected a finite number, 0 or more",
                       options->resolution);
    if (!options->weighted || graph->weight_type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_weights_check(ctx, graph, &out, true, options->algorithm, &most));
    if (isinf(2 * most * (double)graph->edges))
        return hd_fail(ctx, HEDDLE_E_WEIGHT, "weights of up to %g, on %llu edges: %s needs weights whose sum is finite",
                       most, (unsigned long long)graph->edges, options->algorithm);
    return HEDDLE_OK;
}

heddle_status hd_communities_run(const hd_run *run, bool refine) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    search s = {.ctx = ctx, .options = &run->options, .refine = refine, .vertices = run->graph->vertices};
    heddle_status status;
    HD_TRY(hd_communities_check(ctx, run->graph, &run->options));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(return_to_first(&s, run->graph));
    HD_CHECK(open_search(&s, NULL));
    HD_CHECK(all_levels(&s, &result->report));
    if (refine && result->report.converged) {
        HD_CHECK(begin_again(&s, run->graph));
        HD_CHECK(all_levels(&s, &result->report));
    }
    name_communities(&s, result->values);
    if (refine)
        HD_CHECK(split_pieces(&s, run->graph, result->values));
    status = add_figures(&s, run->graph, result);
out:
    hd_phase_end(ctx);
    close_search(&s);
    return status;
}

heddle_status hd_communities_rest(const hd_run *run, bool refine, hd_level *level, uint32_t *part, double sum,
                                  uint64_t *levels) {
    search s = {.ctx = run->ctx, .options = &run->options, .refine = refine, .sum = sum, .levels = *levels};
    heddle_status status;
    s.graph = *level;
    s.vertices = level->n;
    *level = (hd_level){0};
    HD_CHECK(open_search(&s, part));
    HD_CHECK(all_levels(&s, &run->result->report));
    for (uint64_t v = 0; v < s.vertices; v++)
        part[v] = s.part[s.member[v]];
    *levels = s.levels;
out:
    close_search(&s);
    return status;
}

/* The edges of the first level, and of the next, which has about `next` times as many; arrays of vertices; and sums of
 * threads that merge, of communities that are a quarter of the vertices. */
static double level_bytes(const hd_run *run, double next) {
    const heddle_graph *graph = run->graph;
    double entries = (double)graph->edges * (graph->directed ? 2 : 1), n = (double)graph->vertices;
    double sums = run->ctx->threads * 3 * n < 12 * entries ? run->ctx->threads * 3 * n : 12 * entries;
    return (1 + next) * 12 * entries + 24 * n + (run->ctx->threads > 1 ? sums : 0);
}

/* Louvain's next level has about a third of the edges at most on usual graphs. */
heddle_status hd_louvain_bytes(const hd_run *run, double *bytes) {
    *bytes = level_bytes(run, 0.33);
    return HEDDLE_OK;
}

/* Leiden merges refined communities, which are smaller and keep more edges between them. */
heddle_status hd_leiden_bytes(const hd_run *run, double *bytes) {
    *bytes = level_bytes(run, 0.85);
    return HEDDLE_OK;
}
