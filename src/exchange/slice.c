/* slice.c - see slice.h. */
#include "exchange/slice.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* ---- Cutting ---------------------------------------------------------------------------------------------------- */

static uint64_t place_of(const uint64_t *offsets, const uint64_t *second, uint64_t v) {
    return v + (offsets[v] - offsets[0]) + (second ? second[v] - second[0] : 0);
}

/* The first vertex whose place is `place` or more. */
static uint64_t vertex_at(const uint64_t *offsets, const uint64_t *second, uint64_t n, uint64_t place) {
    uint64_t low = 0, high = n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (place_of(offsets, second, middle) < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void hd_slice_cut(const uint64_t *offsets, const uint64_t *second, uint64_t n, uint32_t parts, const double *speeds,
                  uint64_t *firsts) {
    uint64_t all = place_of(offsets, second, n);
    double whole = 0, before = 0;
    for (uint32_t p = 0; p < parts; p++)
        whole += speeds ? speeds[p] : 1;
    firsts[0] = 0;
    for (uint32_t p = 1; p < parts; p++) {
        before += speeds ? speeds[p - 1] : 1;
        uint64_t place = speeds ? (uint64_t)((double)all * (before / whole)) : hd_split(all, parts, p);
        uint64_t v = vertex_at(offsets, second, n, place < all ? place : all);
        firsts[p] = v > firsts[p - 1] ? v : firsts[p - 1];
    }
    firsts[parts] = n;
}

/* The place up to which the ranges take `cost` of the seconds. */
static uint64_t place_at_cost(const uint64_t *offsets, const uint64_t *second, uint32_t parts, const uint64_t *firsts,
                              const double *seconds, double cost) {
    uint32_t p = 0;
    while (p + 1 < parts && cost > seconds[p])
        cost -= seconds[p++];
    uint64_t from = place_of(offsets, second, firsts[p]), to = place_of(offsets, second, firsts[p + 1]);
    double share = seconds[p] > 0 ? cost / seconds[p] : 1;
    return from + (uint64_t)((double)(to - from) * (share < 1 ? share : 1));
}

void hd_slice_cut_again(const uint64_t *offsets, const uint64_t *second, uint64_t n, uint32_t parts,
                        const uint64_t *firsts, const double *seconds, uint64_t *again) {
    double whole = 0;
    for (uint32_t p = 0; p < parts; p++)
        whole += seconds[p];
    again[0] = 0;
    for (uint32_t p = 1; p < parts; p++) {
        double cost = whole * p / parts;
        uint64_t place = place_at_cost(offsets, second, parts, firsts, seconds, cost);
        uint64_t v = vertex_at(offsets, second, n, place);
        again[p] = v > again[p - 1] ? v : again[p - 1];
    }
    again[parts] = n;
}

/* ---- Numbering -------------------------------------------------------------------------------------------------- */

/* The others' vertices that are read: a bit each, and how many there are before each word. */
typedef struct readings {
    uint64_t *bits, *before;
    uint64_t words;
} readings;

static void mark(uint64_t *bits, uint32_t v) {
    uint64_t bit = UINT64_C(1) << (v & 63);
    if (!(hd_load(&bits[v >> 6]) & bit))
        hd_fetch_or(&bits[v >> 6], bit);
}

static void mark_rows(heddle_context *ctx, const hd_slice *s, const hd_slice_rows *rows, readings *r) {
    uint64_t from = rows->offsets[0], to = rows->offsets[s->own];
    HD_PARALLEL_FOR(ctx, schedule(static) if (to - from >= HD_WORTH_THREADS))
    for (uint64_t k = from; k < to; k++)
        if (rows->targets[k] - s->first >= s->own)
            mark(r->bits, rows->targets[k]);
}

static uint64_t rank_of(const readings *r, uint64_t v) {
    uint64_t below = r->bits[v >> 6] & ((UINT64_C(1) << (v & 63)) - 1);
    return r->before[v >> 6] + (uint64_t)__builtin_popcountll(below);
}

static heddle_status count_readings(heddle_context *ctx, hd_slice *s, readings *r) {
    HD_PARALLEL_FOR(ctx, schedule(static) if (r->words >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < r->words; w++)
        r->before[w] = (uint64_t)__builtin_popcountll(r->bits[w]);
    s->remote = hd_prefix_sum(ctx, r->before, r->words);
    for (uint32_t p = 0; p <= s->parts; p++)
        s->remote_start[p] = s->firsts[p] >> 6 < r->words ? rank_of(r, s->firsts[p]) : s->remote;
    HD_TRY(HD_NEW(ctx, &s->names, s->own + s->remote, "vertices of a part"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (s->own >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < s->own; v++)
        s->names[v] = (uint32_t)(s->first + v);
    HD_PARALLEL_FOR(ctx, schedule(static) if (r->words >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < r->words; w++) {
        uint64_t at = s->own + r->before[w];
        for (uint64_t bits = r->bits[w]; bits; bits &= bits - 1)
            s->names[at++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
    return HEDDLE_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static uint64_t length_of(const hd_slice_rows *rows, uint64_t v) { return rows->offsets[v + 1] - rows->offsets[v]; }

static void add_row(hd_slice *s, const readings *r, const hd_slice_rows *rows, uint64_t v, uint64_t at) {
    uint64_t from = rows->offsets[v], count = length_of(rows, v);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t own = rows->targets[from + k] - s->first;
        s->targets[at + k] = (uint32_t)(own < s->own ? own : s->own + rank_of(r, rows->targets[from + k]));
    }
    if (s->made_weights && count)
        memcpy((char *)s->made_weights + at * s->weight_size, (const char *)rows->weights + from * s->weight_size,
               count * s->weight_size);
}

static heddle_status fill_rows(heddle_context *ctx, hd_slice *s, const readings *r, const hd_slice_rows *rows,
                               const hd_slice_rows *second) {
    bool both = second && second->offsets, weighted = rows->weights && s->weight_size;
    HD_TRY(HD_NEW(ctx, &s->offsets, s->own + 1, "row offsets of a part"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (s->own >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v <= s->own; v++)
        s->offsets[v] = rows->offsets[v] - rows->offsets[0] + (both ? second->offsets[v] - second->offsets[0] : 0);
    s->edges = s->offsets[s->own];
    HD_TRY(HD_NEW(ctx, &s->targets, s->edges, "edges of a part"));
    if (weighted && both)
        HD_TRY(hd_new(ctx, &s->made_weights, s->edges, s->weight_size, false, "weights of a part"));
    s->weights = !weighted ? NULL
                 : both    ? s->made_weights
                           : (const char *)rows->weights + rows->offsets[0] * s->weight_size;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 256) if (s->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < s->own; v++) {
        add_row(s, r, rows, v, s->offsets[v]);
        if (both)
            add_row(s, r, second, v, s->offsets[v] + length_of(rows, v));
    }
    return hd_cancelled_status(ctx);
}

heddle_status hd_slice_make(heddle_context *ctx, const uint64_t *firsts, uint32_t part, uint32_t parts,
                            const hd_slice_rows *rows, const hd_slice_rows *second, size_t weight_size, hd_slice *s) {
    readings r = {.words = firsts[parts] / 64 + 1};
    heddle_status status;
    *s = (hd_slice){.part = part,
                    .parts = parts,
                    .first = firsts[part],
                    .own = firsts[part + 1] - firsts[part],
                    .weight_size = weight_size};
    HD_TRY(HD_NEW(ctx, &s->firsts, parts + 1, "parts"));
    memcpy(s->firsts, firsts, (parts + 1) * sizeof *firsts);
    HD_TRY(HD_NEW_ZERO(ctx, &s->remote_start, parts + 1, "parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->boundary_start, parts + 1, "parts"));
    HD_CHECK(HD_NEW_ZERO(ctx, &r.bits, r.words, "vertices that a part reads"));
    HD_CHECK(HD_NEW(ctx, &r.before, r.words + 1, "vertices that a part reads"));
    mark_rows(ctx, s, rows, &r);
    if (second && second->offsets)
        mark_rows(ctx, s, second, &r);
    HD_CHECK(count_readings(ctx, s, &r));
    HD_CHECK(fill_rows(ctx, s, &r, rows, second));
out:
    HD_DELETE(&ctx->allocator, r.bits, r.words);
    HD_DELETE(&ctx->allocator, r.before, r.words + 1);
    return status;
}

/* ---- Boundaries ------------------------------------------------------------------------------------------------- */

/* Every part sends each owner the numbers of the owner's vertices that it reads. */
static heddle_status swap_lists(hd_link *link, hd_slice *s, hd_message_way *ways) {
    for (uint32_t p = 0; p < s->parts; p++) {
        uint64_t count = hd_slice_read_by(s, p);
        if (count)
            HD_TRY(
                link->receive(link, p, s->boundary + s->boundary_start[p], count * sizeof *s->boundary, &ways[2 * p]));
    }
    for (uint32_t p = 0; p < s->parts; p++) {
        uint64_t count = hd_slice_reads(s, p);
        if (count)
            HD_TRY(link->send(link, p, s->names + s->own + s->remote_start[p], count * sizeof *s->names,
                              &ways[2 * p + 1]));
    }
    return HEDDLE_OK;
}

heddle_status hd_slice_join(hd_link *link, hd_slice *s) {
    heddle_context *ctx = link->ctx;
    hd_message_way *ways = NULL;
    uint64_t *reads = NULL, *read_by = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &ways, (uint64_t)s->parts * 2, "messages between parts"));
    HD_CHECK(HD_NEW(ctx, &reads, s->parts, "parts"));
    HD_CHECK(HD_NEW(ctx, &read_by, s->parts, "parts"));
    for (uint32_t p = 0; p < s->parts; p++)
        reads[p] = hd_slice_reads(s, p);
    HD_CHECK(link->counts(link, reads, read_by));
    for (uint32_t p = 0; p < s->parts; p++)
        s->boundary_start[p + 1] = s->boundary_start[p] + read_by[p];
    s->boundary_count = s->boundary_start[s->parts];
    HD_CHECK(HD_NEW(ctx, &s->boundary, s->boundary_count, "vertices that others read"));
    status = swap_lists(link, s, ways);
    HD_CHECK(hd_link_drain(link, status, ways, (uint64_t)s->parts * 2));
    uint64_t strange = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : strange) if (s->boundary_count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < s->boundary_count; i++) {
        strange += s->boundary[i] - s->first >= s->own; /* also if below it: unsigned */
        s->boundary[i] -= (uint32_t)s->first;
    }
    if (strange)
        status = hd_fail(ctx, HEDDLE_E_INTERNAL, "other parts read %llu vertices of part %u that it does not have",
                         (unsigned long long)strange, s->part);
out:
    HD_DELETE(&ctx->allocator, ways, (uint64_t)s->parts * 2);
    HD_DELETE(&ctx->allocator, reads, s->parts);
    HD_DELETE(&ctx->allocator, read_by, s->parts);
    return status;
}

static heddle_status share_elements(hd_link *link, const hd_slice *s, const char *own, size_t size, char *stage,
                                    char *remote, hd_message_way *ways) {
    for (uint32_t p = 0; p < s->parts; p++)
        if (hd_slice_reads(s, p))
            HD_TRY(
                link->receive(link, p, remote + s->remote_start[p] * size, hd_slice_reads(s, p) * size, &ways[2 * p]));
    for (uint64_t i = 0; i < s->boundary_count; i++)
        memcpy(stage + i * size, own + s->boundary[i] * size, size);
    for (uint32_t p = 0; p < s->parts; p++)
        if (hd_slice_read_by(s, p))
            HD_TRY(link->send(link, p, stage + s->boundary_start[p] * size, hd_slice_read_by(s, p) * size,
                              &ways[2 * p + 1]));
    return HEDDLE_OK;
}

heddle_status hd_slice_share(hd_link *link, const hd_slice *s, const void *own, size_t size, void *remote) {
    heddle_context *ctx = link->ctx;
    hd_message_way *ways = NULL;
    char *stage = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &ways, (uint64_t)s->parts * 2, "messages between parts"));
    HD_CHECK(HD_NEW(ctx, &stage, s->boundary_count * size, "messages between parts"));
    status = share_elements(link, s, own, size, stage, remote, ways);
    status = hd_link_drain(link, status, ways, (uint64_t)s->parts * 2);
out:
    HD_DELETE(&ctx->allocator, ways, (uint64_t)s->parts * 2);
    HD_DELETE(&ctx->allocator, stage, s->boundary_count * size);
    return status;
}

uint64_t hd_slice_number(const hd_slice *s, heddle_vertex name) {
    uint64_t low = s->own, end = s->own + s->remote, high = end;
    if (name - s->first < s->own)
        return name - s->first;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        *(s->names[middle] < name ? &low : &high) = s->names[middle] < name ? middle + 1 : middle;
    }
    return low < end && s->names[low] == name ? low : end;
}

void hd_slice_free(heddle_context *ctx, hd_slice *s) {
    const heddle_allocator *allocator = &ctx->allocator;
    HD_DELETE(allocator, s->firsts, s->parts + 1);
    HD_DELETE(allocator, s->remote_start, s->parts + 1);
    HD_DELETE(allocator, s->boundary_start, s->parts + 1);
    HD_DELETE(allocator, s->offsets, s->own + 1);
    HD_DELETE(allocator, s->targets, s->edges);
    HD_DELETE(allocator, s->names, s->own + s->remote);
    HD_DELETE(allocator, s->boundary, s->boundary_count);
    if (s->made_weights)
        hd_free(allocator, s->made_weights, s->edges * s->weight_size);
    *s = (hd_slice){.parts = 0};
}

heddle_status hd_slice_owners(heddle_context *ctx, const hd_slice *s, hd_slice *owners) {
    *owners = (hd_slice){.part = s->part,
                         .parts = s->parts,
                         .own = s->remote,
                         .remote = s->boundary_count,
                         .firsts = s->firsts,
                         .remote_start = s->boundary_start,
                         .boundary_start = s->remote_start,
                         .boundary_count = s->remote};
    HD_TRY(HD_NEW(ctx, &owners->boundary, s->remote, "boundary vertices"));
    for (uint64_t v = 0; v < s->remote; v++)
        owners->boundary[v] = (uint32_t)v;
    return HEDDLE_OK;
}

void hd_slice_owners_free(heddle_context *ctx, hd_slice *owners) {
    HD_DELETE(&ctx->allocator, owners->boundary, owners->boundary_count);
}
