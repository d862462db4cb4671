/* sort.c - see sort.h; sort.cl says how. */
#include "engine/primitive/sort.h"

static const char *const names[HD_SORT_KERNELS] = {"hd_sort_count", "hd_sort_sum", "hd_sort_spread", "hd_sort_move"};

enum {
    DIGIT = 8, /* bits, at most */
    PIECE_LEAST = 256,
    PIECE = 1 << 12, /* items that a group of 8 warps moves at once */
    PARTS = 1024     /* parts of the counts in a prefix sum */
};

/* ---- Room ------------------------------------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t n) {
    uint32_t bits = 1;
    while (bits < 32 && (n - 1) >> bits)
        bits++;
    return bits;
}

void hd_sort_shape(hd_sorter *s, hd_device *device, uint64_t items, uint64_t keys, bool second, bool wide) {
    uint64_t each = items / ((uint64_t)device->info.units * 64) + 1, bits = bits_of(keys);
    *s = (hd_sorter){.device = device, .items = items, .second = second, .wide = wide};
    s->passes = (uint32_t)(bits + DIGIT - 1) / DIGIT;
    s->bits = (uint32_t)(bits + s->passes - 1) / s->passes;
    s->length = (uint32_t)(each < PIECE_LEAST ? PIECE_LEAST : each > PIECE ? PIECE : (each + 31) / 32 * 32);
    while (items / s->length >= UINT32_MAX)
        s->length *= 2;
    s->pieces = (uint32_t)((items + s->length - 1) / s->length);
}

void hd_sort_fewer(hd_sorter *s, uint64_t items) {
    s->items = items;
    s->pieces = (uint32_t)((items + s->length - 1) / s->length);
}

static void sizes(const hd_sorter *s, uint64_t bytes[HD_SORT_BUFFERS]) {
    uint64_t items = s->items * 4, offset = s->wide ? 8 : 4, counts = (uint64_t)s->pieces << s->bits;
    bool other = s->passes > 1 || s->inside;
    bytes[HD_SORT_KEYS] = items;
    bytes[HD_SORT_OTHER_KEYS] = other ? items : 16;
    bytes[HD_SORT_OTHER_FIRST] = other ? items : 16;
    bytes[HD_SORT_OTHER_SECOND] = other && s->second ? items : 16;
    bytes[HD_SORT_SUMS] = PARTS * offset;
    bytes[HD_SORT_COUNTS] = counts * 4;
    bytes[HD_SORT_PLACES] = counts * offset;
}

uint64_t hd_sort_bytes(const hd_sorter *s) {
    uint64_t bytes[HD_SORT_BUFFERS], all = 0;
    sizes(s, bytes);
    for (int i = 0; i < HD_SORT_BUFFERS; i++)
        all += bytes[i];
    return all;
}

heddle_status hd_sort_open(hd_sorter *s, const hd_kernels *kernels, const char *what) {
    uint64_t bytes[HD_SORT_BUFFERS];
    s->kernels = kernels;
    for (int i = 0; i < HD_SORT_KERNELS; i++)
        HD_TRY(hd_kernels_find(kernels, names[i], &s->kernel[i]));
    sizes(s, bytes);
    for (int i = 0; i < HD_SORT_BUFFERS; i++)
        HD_TRY(s->device->allocate(s->device, bytes[i], what, &s->buffer[i]));
    return HEDDLE_OK;
}

heddle_status hd_sort_open_sums(hd_sorter *s, hd_device *device, const hd_kernels *kernels, const char *what) {
    *s = (hd_sorter){.device = device, .kernels = kernels, .wide = true};
    for (int i = HD_SORT_SUM; i <= HD_SORT_SPREAD; i++)
        HD_TRY(hd_kernels_find(kernels, names[i], &s->kernel[i]));
    return device->allocate(device, PARTS * 8, what, &s->buffer[HD_SORT_SUMS]);
}

void hd_sort_close(hd_sorter *s) {
    for (int i = 0; s->device && i < HD_SORT_BUFFERS; i++)
        s->device->release(s->device, &s->buffer[i]);
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

/* A warp for each of `items`. */
#define LAUNCH(s, which, items, ...)                                                                                 \
    HD_LAUNCH((s)->kernels, (s)->kernel[which], names[which], hd_kernels_groups((s)->kernels, (uint64_t)(items)*32), \
              __VA_ARGS__)

heddle_status hd_sort_sums(const hd_sorter *s, uint64_t count, const hd_buffer *words, const hd_buffer *sums) {
    uint32_t part = (uint32_t)((count + PARTS - 1) / PARTS), parts = (uint32_t)((count + part - 1) / part);
    HD_TRY(LAUNCH(s, HD_SORT_SUM, parts, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(part), HD_ARGUMENT_VALUE(parts),
                  HD_ARGUMENT_BUFFER(*words), HD_ARGUMENT_BUFFER(s->buffer[HD_SORT_SUMS])));
    return LAUNCH(s, HD_SORT_SPREAD, parts, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(part), HD_ARGUMENT_VALUE(parts),
                  HD_ARGUMENT_BUFFER(*words), HD_ARGUMENT_BUFFER(s->buffer[HD_SORT_SUMS]), HD_ARGUMENT_BUFFER(*sums));
}

/* Where items are before the last `passes` passes: the last pass writes them to their destination. */
static hd_sort_items before(const hd_sorter *s, uint32_t passes, const hd_sort_items *to) {
    const hd_buffer *b = s->buffer;
    return passes % 2 ? (hd_sort_items){&b[HD_SORT_OTHER_KEYS], &b[HD_SORT_OTHER_FIRST], &b[HD_SORT_OTHER_SECOND]}
                      : (hd_sort_items){&b[HD_SORT_KEYS], to->first, to->second};
}

hd_sort_items hd_sort_begin(const hd_sorter *s, const hd_sort_items *to) { return before(s, s->passes, to); }

static heddle_status run_pass(const hd_sorter *s, uint32_t pass, const hd_sort_items *from, const hd_buffer *offsets,
                              uint32_t n, const hd_sort_items *to) {
    uint32_t shift = pass * s->bits, mask = (1u << s->bits) - 1, rows = offsets != NULL;
    uint32_t groups = hd_kernels_groups(s->kernels, (uint64_t)s->pieces * s->kernels->lanes);
    const hd_buffer *b = s->buffer, *any = rows ? offsets : &b[HD_SORT_PLACES];
    HD_TRY(LAUNCH(s, HD_SORT_COUNT, s->pieces, HD_ARGUMENT_VALUE(s->items), HD_ARGUMENT_VALUE(s->length),
                  HD_ARGUMENT_VALUE(s->pieces), HD_ARGUMENT_VALUE(shift), HD_ARGUMENT_VALUE(mask),
                  HD_ARGUMENT_BUFFER(*from->keys), HD_ARGUMENT_BUFFER(b[HD_SORT_COUNTS])));
    HD_TRY(hd_sort_sums(s, (uint64_t)s->pieces << s->bits, &b[HD_SORT_COUNTS], &b[HD_SORT_PLACES]));
    return HD_LAUNCH(s->kernels, s->kernel[HD_SORT_MOVE], names[HD_SORT_MOVE], groups, HD_ARGUMENT_VALUE(s->items),
                     HD_ARGUMENT_VALUE(s->length), HD_ARGUMENT_VALUE(s->pieces), HD_ARGUMENT_VALUE(shift),
                     HD_ARGUMENT_VALUE(mask), HD_ARGUMENT_VALUE(rows), HD_ARGUMENT_VALUE(s->second),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(*any), HD_ARGUMENT_BUFFER(b[HD_SORT_PLACES]),
                     HD_ARGUMENT_BUFFER(*from->keys), HD_ARGUMENT_BUFFER(*from->first),
                     HD_ARGUMENT_BUFFER(*from->second), HD_ARGUMENT_BUFFER(*to->keys), HD_ARGUMENT_BUFFER(*to->first),
                     HD_ARGUMENT_BUFFER(*to->second));
}

heddle_status hd_sort_run(const hd_sorter *s, const hd_sort_items *from, const hd_buffer *rows, uint32_t n,
                          const hd_sort_items *to) {
    hd_sort_items here = *from;
    for (uint32_t pass = 0; pass < s->passes; pass++) {
        hd_sort_items next = before(s, s->passes - pass - 1, to);
        HD_TRY(run_pass(s, pass, &here, pass ? NULL : rows, n, &next));
        here = next;
    }
    return HEDDLE_OK;
}
