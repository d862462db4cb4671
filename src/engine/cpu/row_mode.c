/* row_mode.c - the most frequent label of a row; row_mode.h explains the ways. */
#include "engine/cpu/row_mode.h"

#include "base/memory.h"
#include "engine/label_rank.h"

#include <string.h>

typedef struct best {
    uint32_t label, count, rank;
} best;

static const best none = {UINT32_MAX, 0, UINT32_MAX};

static HD_ALWAYS_INLINE void consider(best *b, uint32_t label, uint32_t count, const hd_row_ties *ties) {
    if (count < b->count)
        return;
    uint32_t rank = ties ? HD_LABEL_RANK(label, ties->own, ties->salt) : label;
    if (count > b->count || rank < b->rank)
        *b = (best){label, count, rank};
}

/* A power of two, at least twice the entries. */
static uint64_t slots_for(uint64_t count) {
    uint64_t slots = 64;
    while (slots < 2 * count)
        slots *= 2;
    return slots;
}

static bool counts_all(uint64_t labels, uint64_t longest) { return labels <= 2 * slots_for(longest); }

uint64_t hd_row_mode_bytes(uint64_t labels, uint64_t longest) {
    if (longest <= HD_ROW_MODE_SHORT)
        return 0;
    return counts_all(labels, longest) ? labels * 4 : slots_for(longest) * 8;
}

heddle_status hd_row_mode_open(heddle_context *ctx, uint64_t labels, uint64_t longest, hd_row_mode *mode) {
    *mode = (hd_row_mode){.keys = NULL};
    if (longest <= HD_ROW_MODE_SHORT)
        return HEDDLE_OK;
    bool all = counts_all(labels, longest);
    mode->slots = all ? labels : slots_for(longest);
    HD_TRY(HD_NEW_ZERO(ctx, &mode->counts, mode->slots, "counts of labels"));
    return all ? HEDDLE_OK : HD_NEW(ctx, &mode->keys, mode->slots, "labels of a row");
}

void hd_row_mode_close(heddle_context *ctx, hd_row_mode *mode) {
    HD_DELETE(&ctx->allocator, mode->keys, mode->slots);
    HD_DELETE(&ctx->allocator, mode->counts, mode->slots);
}

/* ---- Short rows -------------------------------------------------------------------------------------------------- */

static HD_ALWAYS_INLINE uint32_t sort_and_count(const uint32_t *label, hd_row_part a, hd_row_part b,
                                                const hd_row_ties *ties) {
    uint32_t sorted[HD_ROW_MODE_SHORT], count = 0, run = 0;
    best top = none;
    for (uint64_t i = 0; i < a.count + b.count; i++) {
        uint32_t key = label[i < a.count ? a.targets[i] : b.targets[i - a.count]], k = count++;
        for (; k && sorted[k - 1] > key; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = key;
    }
    for (uint32_t i = 0; i < count; i++) {
        run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        consider(&top, sorted[i], run, ties);
    }
    return top.label;
}

/* ---- Long rows --------------------------------------------------------------------------------------------------- */

static HD_ALWAYS_INLINE void count_all(hd_row_mode *mode, const uint32_t *label, hd_row_part part,
                                       const hd_row_ties *ties, best *top) {
    for (uint64_t i = 0; i < part.count; i++) {
        uint32_t key = label[part.targets[i]];
        consider(top, key, ++mode->counts[key], ties);
    }
}

static void clear_all(hd_row_mode *mode, const uint32_t *label, hd_row_part part) {
    for (uint64_t i = 0; i < part.count; i++)
        mode->counts[label[part.targets[i]]] = 0;
}

static HD_ALWAYS_INLINE void count_hashed(hd_row_mode *mode, uint64_t slots, const uint32_t *label, hd_row_part part,
                                          const hd_row_ties *ties, best *top) {
    for (uint64_t i = 0; i < part.count; i++) {
        uint32_t key = label[part.targets[i]];
        uint64_t slot = hd_mix64(key) & (slots - 1);
        while (mode->keys[slot] && mode->keys[slot] != key + 1)
            slot = (slot + 1) & (slots - 1);
        mode->counts[slot] = mode->keys[slot] ? mode->counts[slot] + 1 : 1;
        mode->keys[slot] = key + 1;
        consider(top, key, mode->counts[slot], ties);
    }
}

static HD_ALWAYS_INLINE uint32_t mode_of(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b,
                                         const hd_row_ties *ties) {
    best top = none;
    if (a.count + b.count <= HD_ROW_MODE_SHORT)
        return sort_and_count(label, a, b, ties);
    if (mode->keys) {
        uint64_t slots = slots_for(a.count + b.count);
        memset(mode->keys, 0, slots * sizeof *mode->keys);
        count_hashed(mode, slots, label, a, ties, &top);
        count_hashed(mode, slots, label, b, ties, &top);
        return top.label;
    }
    count_all(mode, label, a, ties, &top);
    count_all(mode, label, b, ties, &top);
    clear_all(mode, label, a);
    clear_all(mode, label, b);
    return top.label;
}

uint32_t hd_row_mode_of(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b) {
    return mode_of(mode, label, a, b, NULL);
}

uint32_t hd_row_mode_by(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b,
                        const hd_row_ties *ties) {
    return ties ? mode_of(mode, label, a, b, ties) : mode_of(mode, label, a, b, NULL);
}
