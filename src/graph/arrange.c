/* arrange.c - the second pass over an edge source: every arc is written to its bucket, then each bucket is sorted into
 * rows. If symmetrising will drop many arcs, this is done in two rounds, each for half of the buckets, so that peak
 * memory stays low. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/batch_arcs.h"

#include <string.h>

enum { MOST_BUCKETS = 2048 };
static const uint64_t bucket_arcs = 1 << 16;
/* Memory that placing may take, as a multiple of the memory of the arcs that are kept. */
#define MOST_MEMORY 1.6

/* ---- Buckets ---------------------------------------------------------------------------------------------------- */

/* The first vertex of a range. */
static uint64_t range_first(const hd_builder *b, uint64_t range) {
    uint64_t key = range << b->shift;
    if (b->map.kind == HD_MAP_RANK)
        return hd_id_map_rank_of(&b->map, key);
    if (b->keys_are_ids)
        key = key > b->map.base ? key - b->map.base : 0;
    return key < b->map.vertices ? key : b->map.vertices;
}

static uint64_t range_arcs(const hd_builder *b, uint64_t range) {
    uint64_t arcs = 0;
    for (uint64_t part = 0; part < b->source->parts; part++)
        arcs += b->counts[part * b->ranges + range];
    return arcs;
}

/* Groups neighbouring ranges into buckets of at most `most` arcs, unless a single range has more. */
static heddle_status lay_buckets(hd_builder *b, uint64_t most) {
    heddle_context *ctx = b->ctx;
    uint64_t at = 0;
    HD_TRY(HD_NEW(ctx, &b->bucket_of, b->ranges, "buckets"));
    HD_TRY(HD_NEW_ZERO(ctx, &b->buckets, b->ranges + 1, "buckets"));
    hd_bucket *current = b->buckets;
    for (uint64_t range = 0; range < b->ranges; range++) {
        uint64_t arcs = range_arcs(b, range), end = range_first(b, range + 1);
        bool full = at - current->start + arcs > most || end - current->first > HD_BUCKET_VERTICES;
        if (full && current->vertices) {
            current++;
            current->start = at;
            current->first = (uint32_t)range_first(b, range);
        }
        current->vertices = (uint32_t)(end - current->first);
        b->bucket_of[range] = (uint32_t)(current - b->buckets);
        at += arcs;
    }
    b->bucket_count = (uint64_t)(current - b->buckets) + 1;
    b->buckets[b->bucket_count].start = at;
    return HEDDLE_OK;
}

/* Where each part writes in each bucket. */
static heddle_status lay_runs(hd_builder *b) {
    uint64_t parts = b->source->parts;
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->runs, parts * b->bucket_count, "positions"));
    HD_PARALLEL_FOR(b->ctx, schedule(static))
    for (uint64_t part = 0; part < parts; part++)
        for (uint64_t range = 0; range < b->ranges; range++)
            b->runs[part * b->bucket_count + b->bucket_of[range]].end += b->counts[part * b->ranges + range];
    for (uint64_t k = 0; k < b->bucket_count; k++) {
        uint64_t sum = b->buckets[k].start;
        for (uint64_t part = 0; part < parts; part++) {
            hd_run_of_arcs *run = &b->runs[part * b->bucket_count + k];
            run->next = sum;
            sum += run->end;
            run->end = sum;
        }
    }
    HD_DELETE(&b->ctx->allocator, b->counts, b->counts_size);
    return HEDDLE_OK;
}

/* ---- Placing ---------------------------------------------------------------------------------------------------- */

/* False if the run is full already. */
static HD_ALWAYS_INLINE bool place_arc(const hd_builder *b, void *state, uint64_t range, uint32_t from, uint32_t to,
                                       uint64_t weight, uint32_t tag, const size_t size) {
    hd_run_of_arcs *runs = state;
    uint64_t k = b->bucket_of[range];
    if (k < b->round.first || k >= b->round.last)
        return true;
    if (runs[k].next == runs[k].end)
        return false;
    uint64_t at = runs[k].next++ - b->round.start;
    b->staged.local[at] = (uint16_t)((from - b->buckets[k].first) | tag);
    b->staged.target[b->round.base + at] = to;
    if (size == 4)
        ((uint32_t *)b->staged.weight)[b->round.base + at] = (uint32_t)weight;
    if (size == 8)
        ((uint64_t *)b->staged.weight)[b->round.base + at] = weight;
    return true;
}

/* The common case: one round, one arc per edge, no weights. */
static bool place_batch_plain(const hd_builder *b, hd_run_of_arcs *runs, const hd_edge_batch *batch,
                              const uint32_t *from, const uint32_t *to) {
    for (size_t i = 0; i < batch->count; i++) {
        if (i % HD_PLACE_CHECK == 0 && hd_cancelled(b->ctx))
            return true;
        uint64_t k = b->bucket_of[hd_key_range(b, batch->source[i], from[i])];
        if (runs[k].next == runs[k].end)
            return false;
        uint64_t at = runs[k].next++;
        b->staged.local[at] = (uint16_t)(from[i] - b->buckets[k].first);
        b->staged.target[at] = to[i];
    }
    return true;
}

static bool place_mapped(const hd_builder *b, hd_run_of_arcs *runs, const hd_edge_batch *batch, const uint32_t *from,
                         const uint32_t *to) {
    if (!b->both && !b->source->weighted)
        return place_batch_plain(b, runs, batch, from, to);
    switch (b->rules.weight_size) {
    case 0: return hd_place_edges(b, batch, from, to, 0, place_arc, runs);
    case 4: return hd_place_edges(b, batch, from, to, 4, place_arc, runs);
    default: return hd_place_edges(b, batch, from, to, 8, place_arc, runs);
    }
}

/* A file can be written to between the survey and here: nothing is taken for granted of a batch but its count. */
static bool place(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint32_t from[HD_BATCH], to[HD_BATCH];
    bool same = hd_id_map_apply(&b->map, batch->source, from, batch->count) &&
                hd_id_map_apply(&b->map, batch->target, to, batch->count) &&
                place_mapped(b, b->runs + part * b->bucket_count, batch, from, to);
    b->parts[part].changed |= !same;
    return same;
}

heddle_status hd_builder_check_runs(const hd_builder *b, uint64_t first, uint64_t last) {
    for (uint64_t part = 0; part < b->source->parts; part++)
        for (uint64_t k = first; k < last; k++)
            if (b->runs[part * b->bucket_count + k].next != b->runs[part * b->bucket_count + k].end)
                return hd_builder_fail_changed(b);
    return HEDDLE_OK;
}

/* ---- Finishing -------------------------------------------------------------------------------------------------- */

heddle_status hd_builder_finished(const hd_builder *b, heddle_status worst, uint64_t bytes) {
    if (worst == HEDDLE_E_MEMORY)
        return hd_fail_memory(b->ctx, bytes, "sorting rows");
    return worst == HEDDLE_OK
               ? HEDDLE_OK
               : hd_fail(b->ctx, worst, "the sum of duplicate arcs' weights leaves %s", hd_weight_name(b->weight_type));
}

static heddle_status finish_round(hd_builder *b) {
    const hd_round round = b->round;
    heddle_context *ctx = b->ctx;
    heddle_status worst = HEDDLE_OK;
    hd_phase_begin(ctx, "sort", round.last - round.first);
    HD_PARALLEL(ctx) {
        hd_bucket_scratch scratch = {.capacity = 0};
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t k = round.first; k < round.last; k++) {
            hd_bucket *each = &b->buckets[k];
            uint64_t at = each->start - round.start;
            hd_arcs arcs = {b->staged.local + at, b->staged.target + round.base + at,
                            hd_staged_weight(b, round.base + at)};
            if (hd_cancelled(ctx))
                continue;
            heddle_status status =
                hd_bucket_finish(&ctx->allocator, &b->rules, arcs, each[1].start - each->start, each->first,
                                 each->vertices, &scratch, b->offsets + each->first, &each->kept);
            if (status != HEDDLE_OK)
                hd_store(&worst, status);
            hd_advance(ctx, 1);
        }
        hd_bucket_scratch_free(&ctx->allocator, &scratch);
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    return hd_builder_finished(b, worst, b->staged_local);
}

/* Closes the gaps between the round's buckets; returns where the next arc goes. */
static uint64_t close_gaps(hd_builder *b) {
    const hd_round round = b->round;
    uint64_t out = round.base;
    for (uint64_t k = round.first; k < round.last; k++) {
        uint64_t at = round.base + b->buckets[k].start - round.start, kept = b->buckets[k].kept;
        if (at != out) {
            memmove(b->staged.target + out, b->staged.target + at, kept * sizeof *b->staged.target);
            if (b->staged.weight)
                memmove(hd_staged_weight(b, out), hd_staged_weight(b, at), kept * b->rules.weight_size);
        }
        out += kept;
    }
    return out;
}

static uint64_t round_local(const hd_builder *b, uint64_t middle) {
    uint64_t total = b->buckets[b->bucket_count].start, first = b->buckets[middle].start;
    return first > total - first ? first : total - first;
}

/* The bucket at which the second of two rounds starts. */
static uint64_t middle_bucket(const hd_builder *b) {
    uint64_t half = b->buckets[b->bucket_count].start / 2, k = 0;
    while (k < b->bucket_count && b->buckets[k].start < half)
        k++;
    return k;
}

/* Symmetrising may drop up to half of the arcs. If placing all arcs at once would take more than MOST_MEMORY times the
 * memory of those that are kept, it is done in two rounds: one more pass, less memory. */
static bool two_rounds(const hd_builder *b) {
    double each = 4 + (double)b->rules.weight_size, local = 2;
    return b->rules.symmetrize && each + local > MOST_MEMORY * each * b->kept;
}

static heddle_status place_and_finish(hd_builder *b, uint64_t *arcs) {
    heddle_context *ctx = b->ctx;
    uint64_t total = b->buckets[b->bucket_count].start;
    uint64_t middle = two_rounds(b) ? middle_bucket(b) : b->bucket_count;
    uint64_t splits[3] = {0, middle, b->bucket_count}, base = 0;
    b->staged_arcs = total;
    b->staged_local = round_local(b, middle);
    HD_TRY(HD_NEW(ctx, &b->staged.target, total, "edge targets"));
    HD_TRY(HD_NEW(ctx, &b->staged.local, b->staged_local, "placing arcs"));
    if (b->rules.weight_size)
        HD_TRY(hd_new(ctx, &b->staged.weight, total, b->rules.weight_size, false, "edge weights"));
    for (int r = 0; r < 2 && splits[r] < splits[r + 1]; r++) {
        b->round = (hd_round){splits[r], splits[r + 1], b->buckets[splits[r]].start, base};
        HD_TRY(hd_builder_walk(b, "build", place));
        HD_TRY(hd_builder_check_runs(b, b->round.first, b->round.last));
        HD_TRY(finish_round(b));
        base = close_gaps(b);
    }
    *arcs = base;
    return HEDDLE_OK;
}

heddle_status hd_builder_lay(hd_builder *b, uint64_t most) {
    HD_TRY(lay_buckets(b, most));
    return lay_runs(b);
}

heddle_status hd_builder_arrange(hd_builder *b, uint64_t *arcs) {
    uint64_t most = hd_builder_most_arcs(b) / MOST_BUCKETS + 1;
    HD_TRY(hd_builder_lay(b, most < bucket_arcs ? bucket_arcs : most));
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->offsets, b->map.vertices + 1, "row offsets"));
    return place_and_finish(b, arcs);
}
