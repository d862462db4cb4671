/* forest.c - see forest.h.
 *
 * The text lets a later search lower the levels of earlier ones; in the end a level is the distance from the nearest
 * root, so the roots are found first, by floods that visit every vertex once, and one search from all of them follows.
 *
 * Numbers go round-robin over the parents of a level: the first child of each, then the second, and so on. A child is
 * numbered at its earliest turn: the smallest pair of its index among a parent's children and that parent's position.
 */
#include "graffix/forest.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>

enum {
    FEW = 4096, /* vertices of a frontier that one thread visits faster than several */
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
    uint32_t *level; /* of each vertex; while roots are found: 0 if visited */
    uint64_t *keys;  /* of each vertex: its earliest turn */
    turn *turns, *spare_turns;
    hd_forest *forest;
} grower;

static uint64_t degree(const grower *g, uint64_t v) { return g->out.offsets[v + 1] - g->out.offsets[v]; }

/* ---- Roots ------------------------------------------------------------------------------------------------------- */

/* All vertices by falling out-degree, ties by number, into `sequence`; degrees of n and more, of parallel arcs, count
 * as n. */
static heddle_status sort_by_degree(const grower *g, heddle_vertex *sequence) {
    uint64_t n = g->n, sum = 0, *counts;
    HD_TRY(HD_NEW_ZERO(g->ctx, &counts, n + 1, "vertices by degree"));
    for (uint64_t v = 0; v < n; v++)
        counts[n - (degree(g, v) < n ? degree(g, v) : n)]++;
    for (uint64_t d = 0; d <= n; d++) {
        uint64_t count = counts[d];
        counts[d] = sum;
        sum += count;
    }
    for (uint64_t v = 0; v < n; v++)
        sequence[counts[n - (degree(g, v) < n ? degree(g, v) : n)]++] = (heddle_vertex)v;
    HD_DELETE(&g->ctx->allocator, counts, n + 1);
    return HEDDLE_OK;
}

/* Gives `level` to the unknown targets of list[from .. to) and appends them to the list. Returns its new end. */
static uint64_t visit(grower *g, heddle_vertex *list, uint64_t from, uint64_t to, uint32_t level) {
    uint64_t end = to;
    HD_PARALLEL_FOR(g->ctx, schedule(dynamic, 64) if (to - from >= FEW))
    for (uint64_t i = from; i < to; i++)
        for (uint64_t e = g->out.offsets[list[i]]; e < g->out.offsets[list[i] + 1]; e++) {
            heddle_vertex w = g->out.targets[e];
            uint32_t seen = hd_load(&g->level[w]);
            if (seen == unknown && hd_compare_swap(&g->level[w], &seen, level))
                list[hd_fetch_add(&end, 1)] = w;
        }
    return end;
}

/* The roots come first in `order`; the visited ones behind them do not matter. */
static heddle_status find_roots(grower *g, uint64_t *count) {
    heddle_vertex *sequence, *reached, *roots = g->forest->order;
    HD_TRY(HD_NEW(g->ctx, &sequence, g->n, "vertices by degree"));
    heddle_status status = HD_NEW(g->ctx, &reached, g->n, "a search");
    if (status == HEDDLE_OK)
        status = sort_by_degree(g, sequence);
    *count = 0;
    for (uint64_t i = 0; status == HEDDLE_OK && i < g->n; i++) {
        if (g->level[sequence[i]] != unknown)
            continue;
        uint64_t from = 0, to = 1;
        roots[(*count)++] = reached[0] = sequence[i];
        g->level[sequence[i]] = 0;
        while (from < to && !hd_advance(g->ctx, 0)) {
            uint64_t end = visit(g, reached, from, to, 0);
            from = to;
            to = end;
        }
        status = hd_cancelled_status(g->ctx);
    }
    HD_DELETE(&g->ctx->allocator, reached, g->n);
    HD_DELETE(&g->ctx->allocator, sequence, g->n);
    return status;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static heddle_status find_levels(grower *g, uint64_t roots) {
    hd_forest *f = g->forest;
    for (uint64_t v = 0; v < g->n; v++)
        g->level[v] = unknown;
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

/* No two turns are the same: a parent has a child at each. */
static int earlier(const void *a, const void *b) {
    const turn *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* By radix, digit by digit; digits in which all agree are skipped. */
static void sort_turns(grower *g, uint64_t count) {
    uint64_t places[DIGITS], all = 0;
    if (count < DIGITS) {
        qsort(g->turns, count, sizeof *g->turns, earlier);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        all |= g->turns[i].key;
    for (int shift = 0; shift < 64 && all >> shift; shift += DIGIT) {
        uint64_t sum = 0;
        if (!(all >> shift & (DIGITS - 1)))
            continue;
        for (int d = 0; d < DIGITS; d++)
            places[d] = 0;
        for (uint64_t i = 0; i < count; i++)
            places[g->turns[i].key >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            uint64_t here = places[d];
            places[d] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < count; i++)
            g->spare_turns[places[g->turns[i].key >> shift & (DIGITS - 1)]++] = g->turns[i];
        turn *swap = g->turns;
        g->turns = g->spare_turns;
        g->spare_turns = swap;
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
    for (uint64_t i = first; i < end; i++)
        g->turns[i - first] = (turn){g->keys[f->order[i]], f->order[i]};
    sort_turns(g, end - first);
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
    for (uint64_t v = 0; v < g->n; v++) {
        g->level[v] = f->parent[v] = unknown;
        g->keys[v] = UINT64_MAX;
    }
    return HEDDLE_OK;
}

heddle_status hd_forest_grow(heddle_context *ctx, const heddle_adjacency *out, uint64_t vertices, uint32_t chunk,
                             uint32_t spare, hd_forest *forest) {
    grower g = {.ctx = ctx, .out = *out, .n = vertices, .chunk = chunk, .spare = spare, .forest = forest};
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
