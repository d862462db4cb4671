/* row_set.c - row intersection on the CPU; row_set.h explains the three ways. */
#include "engine/cpu/row_set.h"

#include "base/memory.h"
#include "graph/rows.h"

#include <string.h>

enum {
    FILTER_BITS = 1 << 14, /* 2 KiB */
    FILTER_WORDS = FILTER_BITS / 64,
    LONG_ROW = 16,        /* entries: from here on the table */
    SEARCHED = 16,        /* the other row is searched if it is longer by this factor */
    TABLE_ARCS = 4,       /* tables of all threads have at most this many words per arc, */
    TABLE_LEAST = 1 << 22 /* or this many */
};

bool hd_row_set_wants_table(const heddle_context *ctx, uint64_t vertices, uint64_t arcs, uint32_t longest) {
    uint64_t most = TABLE_ARCS * arcs > TABLE_LEAST ? TABLE_ARCS * arcs : TABLE_LEAST;
    return longest >= LONG_ROW && (uint64_t)ctx->threads * vertices <= most;
}

uint64_t hd_row_set_bytes(uint64_t vertices, uint32_t longest, bool table) {
    return FILTER_WORDS * 8 + ((uint64_t)longest + HD_ROW_SET_MISSES) * 4 + (table ? vertices * 4 : 0);
}

heddle_status hd_row_set_open(heddle_context *ctx, uint64_t vertices, uint32_t longest, bool table, hd_row_set *set) {
    *set = (hd_row_set){.vertices = vertices, .longest = longest};
    HD_TRY(HD_NEW_ZERO(ctx, &set->filter, FILTER_WORDS, "filter of a row"));
    HD_TRY(HD_NEW(ctx, &set->tallies, (uint64_t)longest + HD_ROW_SET_MISSES, "tallies of a row"));
    return table ? HD_NEW_ZERO(ctx, &set->table, vertices, "positions in a row") : HEDDLE_OK;
}

void hd_row_set_close(heddle_context *ctx, hd_row_set *set) {
    HD_DELETE(&ctx->allocator, set->filter, FILTER_WORDS);
    HD_DELETE(&ctx->allocator, set->tallies, (uint64_t)set->longest + HD_ROW_SET_MISSES);
    HD_DELETE(&ctx->allocator, set->table, set->vertices);
}

static inline uint32_t bit_of(heddle_vertex v) { return v % FILTER_BITS; }

void hd_row_set_take(hd_row_set *set, const heddle_vertex *row, const uint8_t *both, uint32_t count) {
    set->row = row;
    set->both = both;
    set->count = count;
    set->in_table = set->table && count >= LONG_ROW;
    memset(set->tallies, 0, ((size_t)count + HD_ROW_SET_MISSES) * sizeof *set->tallies);
    for (uint32_t i = 0; i < count; i++)
        if (set->in_table)
            set->table[row[i]] = HD_ROW_SET_MISSES + i;
        else
            set->filter[bit_of(row[i]) / 64] |= UINT64_C(1) << bit_of(row[i]) % 64;
}

void hd_row_set_drop(hd_row_set *set) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->in_table)
            set->table[set->row[i]] = 0;
        else
            set->filter[bit_of(set->row[i]) / 64] = 0;
    set->count = 0;
}

/* ---- Meeting another row --------------------------------------------------------------------------------------- */

typedef struct other_row {
    const heddle_vertex *row;
    const uint8_t *both;
    uint32_t count, arcs;
    uint64_t *sum; /* of the arcs of its common entries */
} other_row;

/* Counts the common entry at position p of the set's row, k of the other. */
static HD_ALWAYS_INLINE uint64_t found(const hd_row_set *set, const other_row *other, uint32_t p, uint32_t k,
                                       bool in_arcs) {
    set->tallies[HD_ROW_SET_MISSES + p] += in_arcs ? other->arcs : 1;
    if (!in_arcs)
        return 1;
    *other->sum += 1 + other->both[k];
    return 1 + set->both[p];
}

static HD_ALWAYS_INLINE uint64_t meet_table(const hd_row_set *set, const other_row *other, bool in_arcs) {
    uint64_t sum = 0;
    if (!in_arcs) {
        for (uint32_t k = 0; k < other->count; k++) {
            uint32_t place = set->table[other->row[k]], miss = k % HD_ROW_SET_MISSES;
            set->tallies[place > miss ? place : miss]++;
            sum += place != 0;
        }
        return sum;
    }
    for (uint32_t k = 0; k < other->count; k++) {
        uint32_t place = set->table[other->row[k]];
        if (place)
            sum += found(set, other, place - HD_ROW_SET_MISSES, k, true);
    }
    return sum;
}

static HD_ALWAYS_INLINE uint64_t meet_filter(const hd_row_set *set, const other_row *other, uint32_t limit,
                                             bool in_arcs) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < other->count; k++) {
        heddle_vertex w = other->row[k];
        if (!(set->filter[bit_of(w) / 64] >> bit_of(w) % 64 & 1))
            continue;
        uint32_t p = (uint32_t)hd_row_find(set->row, limit, w);
        if (p < limit && set->row[p] == w)
            sum += found(set, other, p, k, in_arcs);
    }
    return sum;
}

static HD_ALWAYS_INLINE uint64_t meet_search(const hd_row_set *set, const other_row *other, uint32_t limit,
                                             bool in_arcs) {
    uint64_t sum = 0;
    for (uint32_t p = 0, k = 0; p < limit && k < other->count; p++) {
        k += (uint32_t)hd_row_find(other->row + k, other->count - k, set->row[p]);
        if (k < other->count && other->row[k] == set->row[p])
            sum += found(set, other, p, k, in_arcs);
    }
    return sum;
}

static HD_ALWAYS_INLINE uint64_t meet(const hd_row_set *set, const other_row *other, uint32_t limit, bool in_arcs) {
    if (other->count / SEARCHED > limit)
        return meet_search(set, other, limit, in_arcs);
    return set->in_table ? meet_table(set, other, in_arcs) : meet_filter(set, other, limit, in_arcs);
}

uint64_t hd_row_set_meet(hd_row_set *set, const heddle_vertex *other, uint32_t count, uint32_t limit) {
    other_row row = {.row = other, .count = count};
    return meet(set, &row, limit, false);
}

uint64_t hd_row_set_meet_arcs(hd_row_set *set, const heddle_vertex *other, const uint8_t *other_both, uint32_t count,
                              uint32_t limit, uint32_t arcs, uint64_t *others) {
    other_row row = {.row = other, .both = other_both, .count = count, .arcs = arcs, .sum = others};
    return meet(set, &row, limit, true);
}
