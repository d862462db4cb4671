/* forest.c - see forest.h.
 *
 * The text lets a later search lower the levels of earlier ones; in the end a level is the distance from the nearest
 * root, so the roots are found first, by floods that visit every vertex once, and one search from all of them follows;
 * unless every root has a component of its own, whose flood finds the levels already.
 *
 * Numbers go round-robin over the parents of a level: the first child of each, then the second, and so on. A child is
 * numbered at its earliest turn: the smallest pair of its index among a parent's children and that parent's position.
 */
#include "graffix/forest.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4096,          /* vertices of a frontier that one thread visits faster than several */
    FEW_EDGES = 1 << 16, /* the same of their edges */
    FOUND = 256,         /* vertices that a thread appends at once */
    DIGIT = 11,
    DIGITS = 1 << DIGIT
};

static const uint32_t unknown = UINT32_MAX;

typedef struct turn {
    uint64_t key; /* index << 32 | position of the parent */
    heddle_vertex vertex;
} turn;

typedef struct grower {
    heddle_context *ctx;
    heddle_adjacency out;
    uint64_t n;
    uint32_t chunk, spare;
    bool both;
    uint32_t *level; /* of each vertex; while roots are found: 0 if visited, unless `both` */
    uint64_t *keys;  /* of each vertex: its earliest turn */
    turn *turns, *spare_turns;
    uint64_t *places; /* by thread and digit */
    hd_forest *forest;
} grower;

static uint64_t degree(const grower *g, uint64_t v) { return g->out.offsets[v + 1] - g->out.offsets[v]; }

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

/* Equal keys keep their order: no two children have the same turn, but vertices have the same degree. */
static int earlier(const void *a, const void *b) {
    const turn *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Sorts by one digit: each thread has a part of the turns, and for every digit a place behind those of threads before
 * it. */
static void sort_digit(grower *g, uint64_t count, int shift) {
    uint64_t parts = count >= HD_WORTH_THREADS ? (uint64_t)g->ctx->threads : 1;
    HD_PARALLEL_FOR(g->ctx, schedule(static, 1) if (parts > 1))
    for (uint64_t t = 0; t < parts; t++) {
        uint64_t *own = g->places + t * DIGITS, end = hd_split(count, parts, t + 1);
        memset(own, 0, DIGITS * sizeof *own);
        for (uint64_t i = hd_split(count, parts, t); i < end; i++)
            own[g->turns[i].key >> shift & (DIGITS - 1)]++;
    }
    uint64_t sum = 0;
    for (uint64_t d = 0; d < DIGITS; d++)
        for (uint64_t t = 0; t < parts; t++) {
            uint64_t here = g->places[t * DIGITS + d];
            g->places[t * DIGITS + d] = sum;
            sum += here;
        }
    HD_PARALLEL_FOR(g->ctx, schedule(static, 1) if (parts > 1))
    for (uint64_t t = 0; t < parts; t++) {
        uint64_t *own = g->places + t * DIGITS, end = hd_split(count, parts, t + 1);
        for (uint64_t i = hd_split(count, parts, t); i < end; i++)
            g->spare_turns[own[g->turns[i].key >> shift & (DIGITS - 1)]++] = g->turns[i];
    }
    turn *swap = g->turns;
    g->turns = g->spare_turns;
    g->spare_turns = swap;
}

/* By radix, digit by digit; digits that are 0 in all are skipped. Few of them are in their order already, or sorted
 * otherwise. */
static void sort_turns(grower *g, uint64_t count) {
    uint64_t all = 0;
    if (count < DIGITS) {
        qsort(g->turns, count, sizeof *g->turns, earlier);
        return;
    }
    HD_PARALLEL_FOR(g->ctx, schedule(static) reduction(| : all) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++)
        all |= g->turns[i].key;
    for (int shift = 0; shift < 64 && all >> shift; shift += DIGIT)
        if (all >> shift & (DIGITS - 1))
            sort_digit(g, count, shift);
}

/* All vertices by falling out-degree, ties by number, as turns. */
static void sort_by_degree(grower *g) {
    uint64_t n = g->n, most = 0;
    HD_PARALLEL_FOR(g->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        most = degree(g, v) > most ? degree(g, v) : most;
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        g->turns[v] = (turn){most - degree(g, v), (heddle_vertex)v};
    sort_turns(g, n);
}

/* ---- Roots ------------------------------------------------------------------------------------------------------- */

/* Gives `level` to the unknown targets of list[from .. to) and appends them to the list. Returns its new end. */
static uint64_t visit_few(grower *g, heddle_vertex *list, uint64_t from, uint64_t to, uint32_t level) {
    uint64_t end = to;
    for (uint64_t i = from; i < to; i++)
        for (uint64_t e = g->out.offsets[list[i]]; e < g->out.offsets[list[i] + 1]; e++) {
            heddle_vertex w = g->out.targets[e];
            if (g->level[w] != unknown)
                continue;
            g->level[w] = level;
            list[end++] = w;
        }
    return end;
}

/* The same by all threads. Each appends what it has found in blocks. */
static uint64_t visit_many(grower *g, heddle_vertex *list, uint64_t from, uint64_t to, uint32_t level) {
    uint64_t end = to;
    HD_PARALLEL(g->ctx) {
        heddle_vertex found[FOUND];
        uint64_t count = 0;
        HD_FOR(schedule(dynamic, 64))
        for (uint64_t i = from; i < to; i++)
            for (uint64_t e = g->out.offsets[list[i]]; e < g->out.offsets[list[i] + 1]; e++) {
                heddle_vertex w = g->out.targets[e];
                uint32_t seen = hd_load(&g->level[w]);
                if (seen != unknown || !hd_compare_swap(&g->level[w], &seen, level))
                    continue;
                found[count++] = w;
                if (count == FOUND) {
                    memcpy(list + hd_fetch_add(&end, count), found, sizeof found);
                    count = 0;
                }
            }
        memcpy(list + hd_fetch_add(&end, count), found, count * sizeof *found);
    }
    return end;
}

/* Frontiers of few vertices may still have many edges. */
static uint64_t visit(grower *g, heddle_vertex *list, uint64_t from, uint64_t to, uint32_t level) {
    uint64_t edges = 0;
    for (uint64_t i = from; i < to && i < from + FEW; i++)
        edges += degree(g, list[i]);
    return to - from >= FEW || edges >= FEW_EDGES ? visit_many(g, list, from, to, level)
                                                  : visit_few(g, list, from, to, level);
}

/* Visits everything that a root reaches. */
static heddle_status flood(grower *g, heddle_vertex *reached, heddle_vertex root) {
    uint64_t from = 0, to = 1;
    uint32_t level = 0;
    reached[0] = root;
    while (from < to && !hd_advance(g->ctx, 0)) {
        uint64_t end = visit(g, reached, from, to, g->both ? ++level : 0);
        from = to;
        to = end;
    }
    return hd_cancelled_status(g->ctx);
}

/* The roots come first in `order`; the visited ones behind them do not matter. Vertices without out-edges, which are
 * the last, reach nothing. */
static heddle_status find_roots(grower *g, uint64_t *count) {
    heddle_vertex *reached, *roots = g->forest->order;
    HD_TRY(HD_NEW(g->ctx, &reached, g->n, "a search"));
    sort_by_degree(g);
    heddle_status status = hd_cancelled_status(g->ctx);
    *count = 0;
    for (uint64_t i = 0; status == HEDDLE_OK && i < g->n; i++) {
        heddle_vertex v = g->turns[i].vertex;
        if (g->level[v] != unknown)
            continue;
        roots[(*count)++] = v;
        g->level[v] = 0;
        if (degree(g, v))
            status = flood(g, reached, v);
    }
    HD_DELETE(&g->ctx->allocator, reached, g->n);
    return status;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* By the levels that the floods have found; roots stay in their order. */
static void sort_by_level(grower *g, uint64_t roots) {
    hd_forest *f = g->forest;
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        g->turns[v] = (turn){g->level[v], (heddle_vertex)v};
    sort_turns(g, g->n);
    f->levels = g->turns[g->n - 1].key + 1;
    f->starts[0] = 0;
    f->starts[f->levels] = g->n;
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t i = roots; i < g->n; i++) {
        f->order[i] = g->turns[i].vertex;
        if (g->turns[i].key != g->turns[i - 1].key)
            f->starts[g->turns[i].key] = i;
    }
}

static heddle_status find_levels(grower *g, uint64_t roots) {
    hd_forest *f = g->forest;
    if (g->both) {
        sort_by_level(g, roots);
        return HEDDLE_OK;
    }
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        g->level[v] = unknown;
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (roots >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < roots; i++)
        g->level[f->order[i]] = 0;
    for (uint64_t from = 0, to = roots; from < to;) {
        f->starts[f->levels++] = from;
        uint64_t end = visit(g, f->order, from, to, (uint32_t)f->levels);
        from = to;
        to = end;
        if (hd_advance(g->ctx, 0))
            return hd_cancelled_status(g->ctx);
    }
    f->starts[f->levels] = g->n;
    return HEDDLE_OK;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static void lower(uint64_t *word, uint64_t value) {
    uint64_t old = hd_load(word);
    while (value < old && !hd_compare_swap(word, &old, value)) {
    }
}

/* Sorts level l, whose parents are in their final order, by the earliest turns. */
static void sort_level(grower *g, uint64_t l) {
    hd_forest *f = g->forest;
    uint64_t parents = f->starts[l - 1], first = f->starts[l], end = f->starts[l + 1];
    HD_PARALLEL_FOR(g->ctx, schedule(dynamic, 64) if (first - parents >= FEW))
    for (uint64_t i = parents; i < first; i++) {
        uint64_t index = 0;
        for (uint64_t e = g->out.offsets[f->order[i]]; e < g->out.offsets[f->order[i] + 1]; e++)
            if (g->level[g->out.targets[e]] == l)
                lower(&g->keys[g->out.targets[e]], index++ << 32 | (i - parents));
    }
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (end - first >= HD_WORTH_THREADS))
    for (uint64_t i = first; i < end; i++)
        g->turns[i - first] = (turn){g->keys[f->order[i]], f->order[i]};
    sort_turns(g, end - first);
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (end - first >= HD_WORTH_THREADS))
    for (uint64_t i = first; i < end; i++) {
        f->order[i] = g->turns[i - first].vertex;
        f->parent[i] = f->place[f->order[parents + (uint32_t)g->turns[i - first].key]];
    }
}

/* Level by level: a parent's place is known before its children's. */
static heddle_status number(grower *g) {
    hd_forest *f = g->forest;
    uint64_t each = g->chunk - g->spare, at = 0;
    for (uint64_t l = 0; l < f->levels; l++) {
        uint64_t count = f->starts[l + 1] - f->starts[l], chunks = (count + each - 1) / each;
        if (at + chunks * g->chunk >= UINT32_MAX)
            return hd_fail(
                g->ctx, HEDDLE_E_LIMIT,
                "graffix=coalesce: more than 2^32 - 2 places, holes included: a smaller chunk or spare would "
                "do");
        if (l)
            sort_level(g, l);
        f->first_place[l] = at;
        HD_PARALLEL_FOR(g->ctx, schedule(static) if (count >= HD_WORTH_THREADS))
        for (uint64_t i = 0; i < count; i++)
            f->place[f->order[f->starts[l] + i]] = (heddle_vertex)(at + i / each * g->chunk + i % each);
        at += chunks * g->chunk;
        if (hd_advance(g->ctx, 0))
            return hd_cancelled_status(g->ctx);
    }
    f->first_place[f->levels] = f->places = at;
    return HEDDLE_OK;
}

static heddle_status open_forest(grower *g) {
    hd_forest *f = g->forest;
    *f = (hd_forest){.vertices = g->n, .room = g->n + 1};
    HD_TRY(HD_NEW(g->ctx, &f->starts, f->room, "levels"));
    HD_TRY(HD_NEW(g->ctx, &f->first_place, f->room, "levels"));
    HD_TRY(HD_NEW(g->ctx, &f->order, g->n, "numbers"));
    HD_TRY(HD_NEW(g->ctx, &f->place, g->n, "numbers"));
    HD_TRY(HD_NEW(g->ctx, &f->parent, g->n, "parents"));
    HD_TRY(HD_NEW(g->ctx, &g->level, g->n, "levels"));
    HD_TRY(HD_NEW(g->ctx, &g->keys, g->n, "numbers"));
    HD_TRY(HD_NEW(g->ctx, &g->turns, g->n, "numbers"));
    HD_TRY(HD_NEW(g->ctx, &g->spare_turns, g->n, "numbers"));
    HD_TRY(HD_NEW(g->ctx, &g->places, (uint64_t)g->ctx->threads * DIGITS, "numbers"));
    HD_PARALLEL_FOR(g->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++) {
        g->level[v] = f->parent[v] = unknown;
        g->keys[v] = UINT64_MAX;
    }
    return HEDDLE_OK;
}

heddle_status hd_forest_grow(heddle_context *ctx, const heddle_adjacency *out, uint64_t vertices, bool both,
                             uint32_t chunk, uint32_t spare, hd_forest *forest) {
    grower g = {.ctx = ctx, .out = *out, .n = vertices, .both = both, .chunk = chunk, .spare = spare, .forest = forest};
    uint64_t roots;
    heddle_status status;
    HD_CHECK(open_forest(&g));
    HD_CHECK(find_roots(&g, &roots));
    HD_CHECK(find_levels(&g, roots));
    HD_CHECK(number(&g));
out:
    HD_DELETE(&ctx->allocator, g.level, vertices);
    HD_DELETE(&ctx->allocator, g.keys, vertices);
    HD_DELETE(&ctx->allocator, g.turns, vertices);
    HD_DELETE(&ctx->allocator, g.spare_turns, vertices);
    HD_DELETE(&ctx->allocator, g.places, (uint64_t)ctx->threads * DIGITS);
    if (status != HEDDLE_OK)
        hd_forest_free(ctx, forest);
    return status;
}

void hd_forest_free(heddle_context *ctx, hd_forest *forest) {
    const heddle_allocator *allocator = &ctx->allocator;
    HD_DELETE(allocator, forest->starts, forest->room);
    HD_DELETE(allocator, forest->first_place, forest->room);
    HD_DELETE(allocator, forest->order, forest->vertices);
    HD_DELETE(allocator, forest->place, forest->vertices);
    HD_DELETE(allocator, forest->parent, forest->vertices);
}
