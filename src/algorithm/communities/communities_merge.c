/* communities_merge.c - the graph of communities, built on the device (communities_merge.cl). */
#include "algorithm/communities/communities_device.h"

static heddle_status zero(hd_community_run *r, const hd_buffer *buffer, uint64_t bytes) {
    return bytes ? r->s.device->fill(r->s.device, buffer, 0, 0, bytes) : HEDDLE_OK;
}

static heddle_status look64(hd_community_run *r, const hd_buffer *buffer, uint64_t index, uint64_t *word) {
    hd_device *device = r->s.device;
    HD_TRY(device->download(device, word, buffer, index * 8, 8));
    HD_TRY(device->finish(device));
    return hd_advance(r->s.ctx, 0) ? hd_cancelled_status(r->s.ctx) : HEDDLE_OK;
}

/* Numbers labels from 0, in ascending order. */
static heddle_status number(hd_community_run *r, const hd_buffer *label, uint64_t *count) {
    uint32_t n = r->rows->n;
    HD_TRY(zero(r, &r->flags, ((uint64_t)n + 1) * 4));
    HD_TRY(HD_C_LAUNCH(r, FLAG, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(*label), HD_ARGUMENT_BUFFER(r->flags)));
    HD_TRY(hd_sort_sums(&r->sums, (uint64_t)n + 1, &r->flags, &r->places));
    HD_TRY(HD_C_LAUNCH(r, NUMBER, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->places), HD_ARGUMENT_BUFFER(*label)));
    return look64(r, &r->places, n, count);
}

/* The vertices of the next level begin in the communities that they are parts of, or each in its own. */
static heddle_status begin_parts(hd_community_run *r, uint32_t count) {
    uint32_t n = r->rows->n;
    if (!r->refine)
        return HD_C_LAUNCH(r, IDENTITY, count, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(r->part));
    HD_TRY(HD_C_LAUNCH(r, PARTS, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->inner), HD_ARGUMENT_BUFFER(r->part),
                       HD_ARGUMENT_BUFFER(r->next)));
    return HD_C_LAUNCH(r, COPY, count, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(r->next),
                       HD_ARGUMENT_BUFFER(r->part));
}

/* Where the tables of communities begin, in to->offsets; ends of the next level, and loops as far as they are known. */
static heddle_status plan_tables(hd_community_run *r, const hd_buffer *label, const hd_rows_there *to,
                                 uint64_t *slots) {
    const hd_rows_there *g = r->rows;
    uint32_t count = to->n;
    HD_TRY(zero(r, &r->flags, ((uint64_t)count + 1) * 4));
    HD_TRY(zero(r, &to->own, (uint64_t)count * 8));
    HD_TRY(zero(r, &to->ends, (uint64_t)count * 8));
    HD_TRY(HD_C_LAUNCH(r, BOUNDS, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->offsets),
                       HD_ARGUMENT_BUFFER(*label), HD_ARGUMENT_BUFFER(g->ends), HD_ARGUMENT_BUFFER(g->own),
                       HD_ARGUMENT_BUFFER(r->flags), HD_ARGUMENT_BUFFER(to->ends), HD_ARGUMENT_BUFFER(to->own)));
    HD_TRY(HD_C_LAUNCH(r, SLOTS, count, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(r->flags)));
    HD_TRY(hd_sort_sums(&r->sums, (uint64_t)count + 1, &r->flags, &to->offsets));
    return look64(r, &to->offsets, count, slots);
}

static heddle_status fill_tables(hd_community_run *r, const hd_buffer *label, const hd_rows_there *to, uint64_t slots) {
    uint32_t n = r->rows->n;
    HD_TRY(zero(r, &r->keys, slots * 4));
    HD_TRY(zero(r, &r->values, slots * 8));
    return HD_C_LAUNCH(r, ROWS, hd_community_lanes(r), HD_ARGUMENT_VALUE(n), HD_C_LONG(r), HD_C_ROWS(r),
                       HD_ARGUMENT_BUFFER(*label), HD_ARGUMENT_BUFFER(to->offsets), HD_ARGUMENT_BUFFER(r->keys),
                       HD_ARGUMENT_BUFFER(r->values), HD_ARGUMENT_BUFFER(to->own));
}

/* Entries of the tables become rows, whose offsets replace the tables' starts. */
static heddle_status write_rows(hd_community_run *r, hd_rows_there *to, uint64_t slots) {
    uint64_t pieces = (slots + MERGE_PIECE - 1) / MERGE_PIECE, warp = r->s.device->info.warp;
    uint32_t count = to->n;
    HD_TRY(hd_community_room(r, (pieces + 1) * 4, "counts of pieces", &r->flags));
    HD_TRY(hd_community_room(r, (pieces + 1) * 8, "places of pieces", &r->places));
    HD_TRY(zero(r, &r->flags, (pieces + 1) * 4));
    if (pieces)
        HD_TRY(HD_C_LAUNCH(r, COUNT, pieces * warp, HD_ARGUMENT_VALUE(slots), HD_ARGUMENT_BUFFER(r->keys),
                           HD_ARGUMENT_BUFFER(r->flags)));
    HD_TRY(hd_sort_sums(&r->sums, pieces + 1, &r->flags, &r->places));
    HD_TRY(look64(r, &r->places, pieces, &to->entries));
    HD_TRY(hd_community_rows_room(r, count, to->entries, false, to));
    HD_TRY(HD_C_LAUNCH(r, OFFSETS, ((uint64_t)count + 1) * warp, HD_ARGUMENT_VALUE(count),
                       HD_ARGUMENT_BUFFER(to->offsets), HD_ARGUMENT_BUFFER(r->keys), HD_ARGUMENT_BUFFER(r->places)));
    if (!pieces)
        return HEDDLE_OK;
    return HD_C_LAUNCH(r, WRITE, pieces * warp, HD_ARGUMENT_VALUE(slots), HD_ARGUMENT_BUFFER(r->keys),
                       HD_ARGUMENT_BUFFER(r->values), HD_ARGUMENT_BUFFER(r->places), HD_ARGUMENT_BUFFER(to->targets),
                       HD_ARGUMENT_BUFFER(to->weights));
}

static heddle_status merge_rows(hd_community_run *r, const hd_buffer *label, hd_rows_there *to) {
    uint64_t slots;
    HD_TRY(hd_community_rows_room(r, to->n, 0, false, to));
    HD_TRY(plan_tables(r, label, to, &slots));
    HD_TRY(hd_community_room(r, slots * 4 + 16, "tables of communities", &r->keys));
    HD_TRY(hd_community_room(r, slots * 8 + 16, "tables of weights", &r->values));
    HD_TRY(fill_tables(r, label, to, slots));
    return write_rows(r, to, slots);
}

heddle_status hd_community_merge(hd_community_run *r, bool *merged) {
    const hd_buffer *label = r->refine ? &r->inner : &r->part;
    hd_rows_there *to = &r->later[r->rows == &r->later[0]];
    uint32_t vertices = (uint32_t)r->run->graph->vertices;
    uint64_t count;
    HD_TRY(number(r, &r->part, &count));
    if (r->refine)
        HD_TRY(number(r, &r->inner, &count));
    *merged = count < r->rows->n;
    if (!*merged)
        return HEDDLE_OK;
    HD_TRY(HD_C_LAUNCH(r, MEMBER, vertices, HD_ARGUMENT_VALUE(vertices), HD_ARGUMENT_BUFFER(*label),
                       HD_ARGUMENT_BUFFER(r->member)));
    to->n = (uint32_t)count;
    HD_TRY(merge_rows(r, label, to));
    HD_TRY(begin_parts(r, to->n));
    r->rows = to;
    return HEDDLE_OK;
}
