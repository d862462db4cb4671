/* outlists.c - see outlists.h. */
#include "engine/parts/outlists.h"

#include "base/memory.h"

#include <string.h>

static uint64_t aligned(uint64_t count) { return (count + HD_LIST_ALIGN - 1) / HD_LIST_ALIGN * HD_LIST_ALIGN; }

static void begin_list(hd_outlists *l, uint64_t vertices) {
    l->at[l->count] = l->places;
    l->most[l->count++] = vertices;
    l->places += aligned(vertices);
}

/* The bits of vertices that parts read whom the host serves. */
static uint64_t mark_hub(const hd_slice *s, uint64_t direct, uint64_t *bits) {
    uint64_t words = s->own / 64 + 1, count = 0;
    for (uint32_t p = 0; p < s->parts; p++)
        for (uint64_t i = s->boundary_start[p]; !hd_is_direct(direct, p) && i < s->boundary_start[p + 1]; i++)
            bits[s->boundary[i] >> 6] |= UINT64_C(1) << (s->boundary[i] & 63);
    for (uint64_t w = 0; w < words; w++)
        count += (uint64_t)__builtin_popcountll(bits[w]);
    return count;
}

static void write_hub(const hd_slice *s, uint64_t *bits, uint32_t *to) {
    uint64_t words = s->own / 64 + 1, count = 0;
    for (uint64_t w = 0; w < words; w++)
        for (; bits[w]; bits[w] &= bits[w] - 1)
            to[count++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits[w]));
}

heddle_status hd_outlists_new(heddle_context *ctx, const hd_slice *s, uint64_t direct, uint64_t *bits, hd_outlists *l) {
    *l = (hd_outlists){.hub = mark_hub(s, direct, bits)};
    begin_list(l, l->hub);
    for (uint32_t p = 0; p < s->parts; p++)
        if (hd_is_direct(direct, p)) {
            l->of[p] = l->count;
            begin_list(l, hd_slice_read_by(s, p));
        }
    if (l->places > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT,
                       "other parts read %llu vertices of part %u, more than 2^32 - 1 in all; use peer=no instead",
                       (unsigned long long)l->places, s->part);
    l->room = l->places + l->count;
    HD_TRY(HD_NEW(ctx, &l->words, l->room, "vertices that others read"));
    memset(l->words, 0xff, l->places * sizeof *l->words);
    write_hub(s, bits, l->words);
    for (uint32_t p = 0; p < s->parts; p++)
        if (hd_is_direct(direct, p))
            memcpy(l->words + l->at[l->of[p]], s->boundary + s->boundary_start[p],
                   hd_slice_read_by(s, p) * sizeof *s->boundary);
    for (uint32_t i = 0; i < l->count; i++)
        l->words[l->places + i] = (uint32_t)l->at[i];
    return HEDDLE_OK;
}

void hd_outlists_free(heddle_context *ctx, hd_outlists *l) {
    HD_DELETE(&ctx->allocator, l->words, l->room);
    *l = (hd_outlists){.count = 0};
}
