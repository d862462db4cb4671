/* sort.h - a stable sort by keys of 32 bits on a device, and the sums of counts that it is made of.
 *
 * An item is a key and one or two words that go along. Who sorts opens kernels whose texts begin with hd_text_scan
 * and hd_text_sort, in groups of 8 warps, says what there is to sort, opens the sorter for its room, and may then
 * sort as often as there is something of that size.
 */
#ifndef HD_ENGINE_PRIMITIVE_SORT_H
#define HD_ENGINE_PRIMITIVE_SORT_H

#include "engine/device/kernels.h"

extern const char hd_text_scan[], hd_text_sort[];

enum { HD_SORT_COUNT, HD_SORT_SUM, HD_SORT_SPREAD, HD_SORT_MOVE, HD_SORT_KERNELS };
/* Room on the way: what one pass leaves for the next, and the counts. */
enum {
    HD_SORT_KEYS, /* the sorted keys, in the end */
    HD_SORT_OTHER_KEYS,
    HD_SORT_OTHER_FIRST,
    HD_SORT_OTHER_SECOND,
    HD_SORT_SUMS,
    HD_SORT_COUNTS,
    HD_SORT_PLACES,
    HD_SORT_BUFFERS
};

typedef struct hd_sorter {
    hd_device *device;
    const hd_kernels *kernels;
    void *kernel[HD_SORT_KERNELS];
    hd_buffer buffer[HD_SORT_BUFFERS];
    uint64_t items;
    uint32_t second;       /* whether there is a second word */
    uint32_t passes, bits; /* digits, and the bits of one */
    uint32_t length, pieces;
    bool wide;   /* hd_offset of the kernels */
    bool inside; /* what is sorted first lies in the sorter's own room (hd_sort_begin) */
} hd_sorter;

/* Where items are taken from, or go; `second` is any buffer where there is none. */
typedef struct hd_sort_items {
    const hd_buffer *keys, *first, *second;
} hd_sort_items;

/* Says what there is to sort: so many items, at least one, with keys below `keys`. */
void hd_sort_shape(hd_sorter *sorter, hd_device *device, uint64_t items, uint64_t keys, bool second, bool wide);
uint64_t hd_sort_bytes(const hd_sorter *sorter);
heddle_status hd_sort_open(hd_sorter *sorter, const hd_kernels *kernels, const char *what);
void hd_sort_close(hd_sorter *sorter); /* zeroed or closed: nothing */

/* Where the items have to be when `inside` is set, given where they go. */
hd_sort_items hd_sort_begin(const hd_sorter *sorter, const hd_sort_items *to);
/* Sorts; keys end up in buffer[HD_SORT_KEYS], whatever to->keys says. `rows`, where not NULL, has offsets of n rows
 * that the items lie in, and these are their first words. */
heddle_status hd_sort_run(const hd_sorter *sorter, const hd_sort_items *from, const hd_buffer *rows, uint32_t n,
                          const hd_sort_items *to);
/* sums[i]: of the words (32 bits) before the i-th of `count`, as hd_offset. */
heddle_status hd_sort_sums(const hd_sorter *sorter, uint64_t count, const hd_buffer *words, const hd_buffer *sums);

#endif
