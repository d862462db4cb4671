/* row_sort.h - sorts the targets of one row, by insertion or by radix; parallel arcs keep their order. A sorter is one
 * thread's. */
#ifndef HD_GRAPH_ROW_SORT_H
#define HD_GRAPH_ROW_SORT_H

#include "base/memory.h"

#include <string.h>

enum {
    HD_ROW_SORT_FEW = 48,  /* rows of at most this many edges are sorted by insertion */
    HD_ROW_SORT_DIGIT = 8, /* bits per pass of the radix sort of longer rows */
    HD_ROW_SORT_ROOM = 1 << 12
};

/* Keys hold the target in the high half and the position in the row in the low half. */
typedef struct hd_row_sorter {
    uint64_t *keys, *other;
    uint64_t room;
} hd_row_sorter;

static inline void hd_row_sorter_free(const heddle_allocator *allocator, hd_row_sorter *s) {
    HD_DELETE(allocator, s->keys, s->room);
    HD_DELETE(allocator, s->other, s->room);
    s->room = 0;
}

/* False: out of memory. */
static inline bool hd_row_sorter_fits(const heddle_allocator *allocator, hd_row_sorter *s, uint64_t length) {
    if (length <= s->room)
        return true;
    hd_row_sorter_free(allocator, s);
    s->room = length < HD_ROW_SORT_ROOM ? HD_ROW_SORT_ROOM : length;
    s->keys = hd_alloc(allocator, s->room * sizeof *s->keys);
    s->other = hd_alloc(allocator, s->room * sizeof *s->other);
    return s->keys && s->other;
}

static inline void hd_row_sort_few(uint64_t *keys, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        uint64_t key = keys[i], k = i;
        for (; k > 0 && keys[k - 1] > key; k--)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

/* LSD radix sort by the `bits` low bits of the target; the positions in the low half are in order already. */
static inline void hd_row_sort_many(hd_row_sorter *s, uint64_t count, int bits) {
    enum { DIGITS = 1 << HD_ROW_SORT_DIGIT };
    for (int shift = 32; shift < 32 + bits; shift += HD_ROW_SORT_DIGIT) {
        uint64_t starts[DIGITS] = {0}, sum = 0;
        for (uint64_t i = 0; i < count; i++)
            starts[s->keys[i] >> shift & (DIGITS - 1)]++;
        for (int d = 0; d < DIGITS; d++) {
            uint64_t here = starts[d];
            starts[d] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < count; i++)
            s->other[starts[s->keys[i] >> shift & (DIGITS - 1)]++] = s->keys[i];
        uint64_t *keys = s->keys;
        s->keys = s->other;
        s->other = keys;
    }
}

static inline void hd_row_sort_keys(hd_row_sorter *s, uint64_t count, int bits) {
    if (count <= HD_ROW_SORT_FEW)
        hd_row_sort_few(s->keys, count);
    else
        hd_row_sort_many(s, count, bits);
}

/* The bits of targets below `vertices`. */
static inline int hd_row_sort_bits(uint64_t vertices) {
    int bits = 0;
    while (bits < 32 && vertices >> bits)
        bits++;
    return bits;
}

/* A whole row in place, with its weights of `size` bytes (0: none). False: out of memory. */
static inline bool hd_row_sort(const heddle_allocator *allocator, hd_row_sorter *s, uint32_t *targets, char *weights,
                               size_t size, uint64_t count, int bits) {
    if (!hd_row_sorter_fits(allocator, s, count))
        return false;
    for (uint64_t k = 0; k < count; k++)
        s->keys[k] = (uint64_t)targets[k] << 32 | k;
    hd_row_sort_keys(s, count, bits);
    for (uint64_t k = 0; k < count; k++)
        targets[k] = (uint32_t)(s->keys[k] >> 32);
    if (!size)
        return true;
    memcpy(s->other, weights, count * size);
    for (uint64_t k = 0; k < count; k++)
        memcpy(weights + k * size, (const char *)s->other + (uint32_t)s->keys[k] * size, size);
    return true;
}

#endif
