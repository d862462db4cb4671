/* mst_part.c - minimum spanning forest on several parts.
 *
 * An edge that is not in the forest of some of the edges is not in the forest of all. So every part finds the forest of
 * the edges that it has, by the code of one process; parts then merge their forests in pairs, the lighter edges first
 * (Kruskal), which are as many steps as the logarithm of the number of parts. Edges are compared by weight and ends, as
 * numbered in the graph, and are all different then: the forest is that of one process.
 *
 * The forest of all is part 0's. A part that merges needs 4 bytes for each vertex of the graph, and 24 for each edge of
 * both forests, of which there are fewer than vertices.
 */
#include "algorithm/mst/mst_part.h"

#include "algorithm/algorithm.h"
#include "algorithm/mst/mst.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/parts/own_rounds.h"
#include "engine/parts/run_own.h"
#include "exchange/agree.h"
#include "graph/union_find.h"

#include <stdlib.h>
#include <string.h>

typedef struct forest {
    hd_mst_edge *edges; /* ends are vertices of the graph; lightest first */
    uint64_t count, room;
} forest;

typedef struct mst_part {
    hd_part_own own;
    forest *whole; /* where part 0 leaves it */
} mst_part;

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice;
    forest forest;
    uint64_t below; /* remote vertices before the own ones */
} search;

static void free_forest(heddle_context *ctx, forest *f) {
    HD_DELETE(&ctx->allocator, f->edges, f->room);
    *f = (forest){.count = 0};
}

static heddle_status new_forest(heddle_context *ctx, uint64_t room, forest *f) {
    *f = (forest){.room = room};
    return HD_NEW(ctx, &f->edges, room, "forest");
}

static int lighter(const void *left, const void *right) {
    const hd_mst_edge *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->u != b->u)
        return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

static int before(const void *left, const void *right) {
    return hd_mst_before(left, right) ? -1 : hd_mst_before(right, left);
}

/* ---- Here ------------------------------------------------------------------------------------------------------- */

/* The slice's vertices, numbered in the order of the graph: edges of one weight compare as they do there. */
static uint32_t number_of(const search *s, uint32_t v) {
    uint64_t own = s->slice->own, remote = v - own;
    return (uint32_t)(v < own ? s->below + v : remote < s->below ? remote : own + remote);
}

static uint32_t name_of(const search *s, uint32_t number) {
    uint64_t own = s->slice->own;
    if (number - s->below < own)
        return (uint32_t)(s->slice->first + (number - s->below));
    return s->slice->names[number < s->below ? own + number : number];
}

/* Rows of own vertices; remote ones have none here. */
static heddle_status number_rows(search *s, uint64_t *offsets, uint32_t *targets) {
    const hd_slice *slice = s->slice;
    uint64_t n = slice->own + slice->remote;
    for (uint64_t v = 0; v <= n; v++)
        offsets[v] = v < s->below ? 0 : v - s->below < slice->own ? slice->offsets[v - s->below] : slice->edges;
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (slice->edges >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < slice->edges; k++)
        targets[k] = number_of(s, slice->targets[k]);
    return hd_cancelled_status(s->ctx);
}

static heddle_status take_forest(search *s, const hd_mst *mst) {
    HD_TRY(new_forest(s->ctx, mst->forest_count, &s->forest));
    s->forest.count = mst->forest_count;
    for (uint64_t i = 0; i < mst->forest_count; i++)
        s->forest.edges[i] =
            (hd_mst_edge){name_of(s, mst->forest[i].u), name_of(s, mst->forest[i].v), mst->forest[i].key};
    qsort(s->forest.edges, (size_t)s->forest.count, sizeof *s->forest.edges, lighter);
    return HEDDLE_OK;
}

static heddle_status grow_here(search *s) {
    const hd_slice *slice = s->slice;
    heddle_context *ctx = s->ctx;
    uint64_t n = slice->own + slice->remote, *offsets = NULL;
    uint32_t *targets = NULL;
    hd_own_round round = {.vertices = slice->own, .direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, forests"};
    hd_mst mst = {.ctx = ctx, .vertices = n, .directed = true, .type = s->rounds.job->weight_type};
    heddle_status status;
    bool recording = hd_rounds_pause(ctx); /* its steps are one round here */
    while (s->below < slice->remote && slice->names[slice->own + s->below] < slice->first)
        s->below++;
    HD_CHECK(HD_NEW(ctx, &offsets, n + 1, "row offsets of a part"));
    HD_CHECK(HD_NEW(ctx, &targets, slice->edges, "edges of a part"));
    HD_CHECK(number_rows(s, offsets, targets));
    mst.out = (heddle_adjacency){.offsets = offsets, .targets = targets, .weights = slice->weights};
    HD_CHECK(hd_mst_forest(&mst));
    HD_CHECK(take_forest(s, &mst));
out:
    hd_rounds_resume(ctx, recording);
    round.edges = mst.walked;
    round.changes = s->forest.count;
    hd_mst_close(&mst);
    HD_DELETE(&ctx->allocator, offsets, n + 1);
    HD_DELETE(&ctx->allocator, targets, slice->edges);
    return status == HEDDLE_OK ? hd_own_rounds_next(&s->rounds, &round) : status;
}

/* ---- Together --------------------------------------------------------------------------------------------------- */

/* Of both, the forest; lightest first. */
static heddle_status join(search *s, const forest *other) {
    heddle_context *ctx = s->ctx;
    uint64_t n = s->rounds.job->vertices, a = 0, b = 0;
    const forest *one = &s->forest;
    forest both = {.count = 0};
    uint32_t *parent = NULL;
    heddle_status status;
    HD_CHECK(new_forest(ctx, one->count + other->count, &both));
    HD_CHECK(HD_NEW(ctx, &parent, n, "trees"));
    for (uint64_t v = 0; v < n; v++)
        parent[v] = (uint32_t)v;
    while (a < one->count || b < other->count) {
        bool mine = b == other->count || (a < one->count && lighter(&one->edges[a], &other->edges[b]) <= 0);
        hd_mst_edge edge = mine ? one->edges[a++] : other->edges[b++];
        if (hd_set_find(parent, edge.u) == hd_set_find(parent, edge.v))
            continue;
        hd_set_join(parent, edge.u, edge.v);
        both.edges[both.count++] = edge;
    }
    free_forest(ctx, &s->forest);
    s->forest = both;
    both = (forest){.count = 0};
out:
    HD_DELETE(&ctx->allocator, parent, n);
    free_forest(ctx, &both);
    return status;
}

static heddle_status send(search *s, uint32_t to) {
    hd_link *link = s->rounds.link;
    hd_message_way ways[2] = {{.open = false}, {.open = false}};
    size_t bytes = s->forest.count * sizeof *s->forest.edges;
    double start = hd_clock();
    heddle_status status = link->send(link, to, &s->forest.count, sizeof s->forest.count, &ways[0]);
    if (status == HEDDLE_OK && bytes)
        status = link->send(link, to, s->forest.edges, bytes, &ways[1]);
    status = hd_link_drain(link, status, ways, 2);
    hd_own_rounds_sent(&s->rounds, bytes + sizeof s->forest.count, bytes, hd_clock() - start);
    return status;
}

static heddle_status check_forest(const search *s, const forest *f, size_t bytes) {
    bool sound = bytes == f->count * sizeof *f->edges;
    for (uint64_t i = 0; sound && i < f->count; i++)
        sound = f->edges[i].u < s->rounds.job->vertices && f->edges[i].v < s->rounds.job->vertices;
    return sound ? HEDDLE_OK : hd_fail(s->ctx, HEDDLE_E_INTERNAL, "a forest of %zu bytes is not one", bytes);
}

static heddle_status receive(search *s, uint32_t from) {
    hd_link *link = s->rounds.link;
    hd_message_way ways[2] = {{.open = false}, {.open = false}};
    forest other = {.count = 0};
    uint64_t count = 0;
    double start = hd_clock();
    heddle_status status;
    HD_CHECK(link->receive(link, from, &count, sizeof count, &ways[0]));
    HD_CHECK(link->wait(link, &ways[0]));
    if (ways[0].bytes != sizeof count || (count && count >= s->rounds.job->vertices))
        HD_CHECK(hd_fail(s->ctx, HEDDLE_E_INTERNAL, "a forest of %llu edges", (unsigned long long)count));
    HD_CHECK(new_forest(s->ctx, count, &other));
    other.count = count;
    if (count) {
        HD_CHECK(link->receive(link, from, other.edges, count * sizeof *other.edges, &ways[1]));
        HD_CHECK(link->wait(link, &ways[1]));
        HD_CHECK(check_forest(s, &other, ways[1].bytes));
    }
    hd_own_rounds_sent(&s->rounds, 0, 0, hd_clock() - start);
    HD_CHECK(join(s, &other));
out:
    status = hd_link_drain(link, status, ways, 2);
    free_forest(s->ctx, &other);
    return status;
}

/* Pairs of parts at a distance of 1, 2, 4 …: the higher one's forest goes to the lower. */
static heddle_status join_all(search *s) {
    uint32_t rank = s->rounds.link->rank, size = s->rounds.link->size;
    for (uint64_t step = 1; step < size; step *= 2) {
        hd_own_round round = {.direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, joined"};
        if (rank % (2 * step) == step)
            HD_TRY(send(s, rank - (uint32_t)step));
        else if (rank % (2 * step) == 0 && rank + step < size)
            HD_TRY(receive(s, rank + (uint32_t)step));
        round.changes = rank % (2 * step) ? 0 : s->forest.count;
        HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    }
    return HEDDLE_OK;
}

static heddle_status run_part(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                              void *outputs, hd_part_report *report) {
    const mst_part *how = (const mst_part *)job->setup.own;
    search s = {.ctx = link->ctx, .slice = slice};
    heddle_status status;
    (void)degrees;
    (void)outputs;
    HD_CHECK(hd_own_rounds_begin_bare(&s.rounds, link, slice, job, report));
    HD_CHECK(grow_here(&s));
    HD_CHECK(join_all(&s));
    hd_own_rounds_finish(&s.rounds);
    if (!link->rank) {
        *how->whole = s.forest;
        s.forest = (forest){.count = 0};
    }
out:
    free_forest(s.ctx, &s.forest);
    return status;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

heddle_status hd_mst_in_parts(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    forest whole = {.count = 0};
    const mst_part part = {.own = {.run = run_part, .no_values = true}, .whole = &whole};
    hd_run gathered = *run;
    gathered.options.spread = 0;
    heddle_status status =
        hd_parts_run_own(&gathered, HEDDLE_VALUE_U32, run->graph->weight_type != HEDDLE_WEIGHT_NONE, &part.own);
    if (status == HEDDLE_OK) {
        qsort(whole.edges, (size_t)whole.count, sizeof *whole.edges, before);
        status = hd_mst_write(ctx, run->graph, whole.edges, whole.count, run->result);
    }
    free_forest(ctx, &whole);
    return status;
}
