/* row_mode.c - the most frequent label of a row; row_mode.h explains the ways. */
#include "engine/cpu/row_mode.h"

#include "base/memory.h"

#include <string.h>

typedef struct best {
    uint32_t label, count;
} best;

static inline void consider(best *b, uint32_t label, uint32_t count) {
    if (count > b->count || (count == b->count && label < b->label))
        *b = (best){label, count};
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

static uint32_t sort_and_count(const uint32_t *label, hd_row_part a, hd_row_part b) {
    uint32_t sorted[HD_ROW_MODE_SHORT], count = 0, run = 0;
    best top = {UINT32_MAX, 0};
    for (uint64_t i = 0; i < a.count + b.count; i++) {
        uint32_t key = label[i < a.count ? a.targets[i] : b.targets[i - a.count]], k = count++;
        for (; k && sorted[k - 1] > key; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = key;
    }
    for (uint32_t i = 0; i < count; i++) {
        run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
        consider(&top, sorted[i], run);
    }
    return top.label;
}

/* ---- Long rows --------------------------------------------------------------------------------------------------- */

static void count_all(hd_row_mode *mode, const uint32_t *label, hd_row_part part, best *top) {
    for (uint64_t i = 0; i < part.count; i++) {
        uint32_t key = label[part.targets[i]];
        consider(top, key, ++mode->counts[key]);
    }
}

static void clear_all(hd_row_mode *mode, const uint32_t *label, hd_row_part part) {
    for (uint64_t i = 0; i < part.count; i++)
        mode->counts[label[part.targets[i]]] = 0;
}

static void count_hashed(hd_row_mode *mode, uint64_t slots, const uint32_t *label, hd_row_part part, best *top) {
    for (uint64_t i = 0; i < part.count; i++) {
        uint32_t key = label[part.targets[i]];
        uint64_t slot = hd_mix64(key) & (slots - 1);
        while (mode->keys[slot] && mode->keys[slot] != key + 1)
            slot = (slot + 1) & (slots - 1);
        mode->counts[slot] = mode->keys[slot] ? mode->counts[slot] + 1 : 1;
        mode->keys[slot] = key + 1;
        consider(top, key, mode->counts[slot]);
    }
}

uint32_t hd_row_mode_of(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b) {
    best top = {UINT32_MAX, 0};
    if (a.count + b.count <= HD_ROW_MODE_SHORT)
        return sort_and_count(label, a, b);
    if (mode->keys) {
        uint64_t slots = slots_for(a.count + b.count);
        memset(mode->keys, 0, slots * sizeof *mode->keys);
        count_hashed(mode, slots, label, a, &top);
        count_hashed(mode, slots, label, b, &top);
        return top.label;
    }
    count_all(mode, label, a, &top);
    count_all(mode, label, b, &top);
    clear_all(mode, label, a);
    clear_all(mode, label, b);
    return top.label;
}
