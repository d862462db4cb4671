/* sort.h - a stable sort by 32-bit keys on a device, and the prefix sums that it uses.
 *
 * An item is a key and one or two words. The caller opens kernels whose texts begin with hd_text_scan and hd_text_sort,
 * in groups of 8 warps, describes what is to be sorted, opens the sorter, which allocates its buffers, and may then
 * sort any number of times within that size.
 */
#ifndef HD_ENGINE_PRIMITIVE_SORT_H
#define HD_ENGINE_PRIMITIVE_SORT_H

#include "engine/device/kernels.h"

extern const char hd_text_scan[], hd_text_sort[];

enum { HD_SORT_COUNT, HD_SORT_SUM, HD_SORT_SPREAD, HD_SORT_MOVE, HD_SORT_KERNELS };
/* Buffers: the output of a pass for the next one, and the counts. */
enum {
    HD_SORT_KEYS, /* finally the sorted keys */
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
    bool inside; /* the first input is in the sorter's own buffers (hd_sort_begin) */
} hd_sorter;

/* Source or destination of items; `second` is any buffer if there is no second word. */
typedef struct hd_sort_items {
    const hd_buffer *keys, *first, *second;
} hd_sort_items;

/* Describes what is to be sorted: `items`, at least one, with keys below `keys`. */
void hd_sort_shape(hd_sorter *sorter, hd_device *device, uint64_t items, uint64_t keys, bool second, bool wide);
uint64_t hd_sort_bytes(const hd_sorter *sorter);
heddle_status hd_sort_open(hd_sorter *sorter, const hd_kernels *kernels, const char *what);
void hd_sort_close(hd_sorter *sorter); /* if zeroed or closed: does nothing */

/* So many items from now on: at least one, and no more than there is room for. */
void hd_sort_fewer(hd_sorter *sorter, uint64_t items);
/* Where the items must be if `inside` is set, given their destination. */
hd_sort_items hd_sort_begin(const hd_sorter *sorter, const hd_sort_items *to);
/* Sorts; the keys end up in buffer[HD_SORT_KEYS], not in to->keys. `rows`, if not NULL, has the offsets of n rows that
 * hold the items, and the rows are their first words. */
heddle_status hd_sort_run(const hd_sorter *sorter, const hd_sort_items *from, const hd_buffer *rows, uint32_t n,
                          const hd_sort_items *to);
/* Prefix sums alone, of any number of words: kernels whose text includes sums.cl. Closed by hd_sort_close. */
heddle_status hd_sort_open_sums(hd_sorter *sorter, hd_device *device, const hd_kernels *kernels, const char *what);
/* sums[i]: the sum of the first i of `count` 32-bit words, as hd_offset. */
heddle_status hd_sort_sums(const hd_sorter *sorter, uint64_t count, const hd_buffer *words, const hd_buffer *sums);

#endif
