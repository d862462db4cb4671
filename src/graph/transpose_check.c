/* transpose_check.c - see transpose_check.h. Valid rows normally pass by their fingerprint; this exact check runs if
 * they do not, or if there are no random bytes for the fingerprint.
 *
 * Rows ascend, so visiting the arcs (u, v) of `out` by ascending u visits the entries of every row v of `in` in order:
 * a cursor per v points to the entry that must equal u. Every arc advances one cursor; if at the end each cursor is at
 * the end of its row, both sides are equal. If both sides are the same rows (an undirected graph), half of the arcs
 * suffice: arcs to larger vertices are matched with arcs to smaller ones, which come first in each row, so when u is
 * visited its cursor must have passed exactly these.
 *
 * The vertices v are divided among the threads; each thread visits, in every row, the range of arcs to its own v.
 */
#include "graph/transpose_check.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/fingerprint.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHARES = 16, SHARE = 1 << 16, FEW = 16 };

typedef struct sweep {
    heddle_context *ctx;
    uint64_t vertices, edges;
    const hd_csr *out, *in;
    heddle_weight_type type;
    uint64_t *next; /* per vertex: cursor in its row of `in` */
    bool failed, no_memory;
} sweep;

/* ---- Weights ---------------------------------------------------------------------------------------------------- */

static int compare_bits(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t count_of(const void *weights, heddle_weight_type type, uint64_t from, uint64_t count, uint64_t bits) {
    uint64_t found = 0;
    for (uint64_t k = from; k < from + count; k++)
        found += hd_weight_bits(weights, type, k) == bits;
    return found;
}

/* Whether `count` weights of `out` from e on and of `in` from c on are the same multiset. */
static bool same_weights(sweep *s, uint64_t e, uint64_t c, uint64_t count) {
    const void *out = s->out->weights, *in = s->in->weights;
    heddle_weight_type type = s->type;
    bool same = true;
    uint64_t *sorted;
    if (count <= FEW) {
        for (uint64_t k = e; same && k < e + count; k++) {
            uint64_t bits = hd_weight_bits(out, type, k);
            same = count_of(out, type, e, count, bits) == count_of(in, type, c, count, bits);
        }
        return same;
    }
    sorted = hd_alloc(&s->ctx->allocator, 2 * count * sizeof *sorted);
    if (!sorted) {
        hd_store(&s->no_memory, true);
        return false;
    }
    for (uint64_t k = 0; k < count; k++) {
        sorted[k] = hd_weight_bits(out, type, e + k);
        sorted[count + k] = hd_weight_bits(in, type, c + k);
    }
    qsort(sorted, count, sizeof *sorted, compare_bits);
    qsort(sorted + count, count, sizeof *sorted, compare_bits);
    same = memcmp(sorted, sorted + count, count * sizeof *sorted) == 0;
    hd_free(&s->ctx->allocator, sorted, 2 * count * sizeof *sorted);
    return same;
}

/* The arc e of u and the entry c differ in weight: checks whether the remaining parallel arcs have the same weights in
 * another order. Returns how many there are; 0: they differ. */
static uint64_t match_parallel(sweep *s, uint32_t u, uint64_t e, uint64_t end, uint64_t c) {
    const uint32_t *targets = s->out->targets, *back = s->in->targets;
    uint64_t count = 1;
    while (e + count < end && targets[e + count] == targets[e])
        count++;
    if (count > s->edges - c)
        return 0;
    for (uint64_t k = 1; k < count; k++)
        if (back[c + k] != u)
            return 0;
    return same_weights(s, e, c, count) ? count : 0;
}

/* ---- The walk --------------------------------------------------------------------------------------------------- */

/* Matches the arcs e .. stop-1 of u whose targets are below `high`, and arcs parallel to the last one; *stopped: the
 * next arc. False: an arc has no partner. */
static inline __attribute__((always_inline)) bool match_arcs(sweep *s, uint32_t u, uint64_t e, uint64_t stop,
                                                             uint64_t high, bool weighted, uint64_t *stopped) {
    const uint32_t *targets = s->out->targets, *back = s->in->targets;
    uint64_t *next = s->next, edges = s->edges, end = s->out->offsets[u + 1];
    uint32_t v;
    while (e < stop && (v = targets[e]) < high) {
        uint64_t c = next[v], count = 1;
        if (c == edges || back[c] != u)
            return false;
        if (weighted && hd_weight_bits(s->out->weights, s->type, e) != hd_weight_bits(s->in->weights, s->type, c))
            count = match_parallel(s, u, e, end, c);
        if (weighted && count == 0)
            return false;
        next[v] = c + count;
        e += count;
    }
    *stopped = e;
    return true;
}

/* The first arc of u to a vertex >= low. */
static uint64_t first_from(const sweep *s, uint64_t u, uint64_t low) {
    const uint64_t *offsets = s->out->offsets;
    const uint32_t *row = s->out->targets + offsets[u];
    uint64_t count = offsets[u + 1] - offsets[u];
    if (low == 0 || count == 0 || row[0] >= low)
        return offsets[u];
    return row[count - 1] < low ? offsets[u + 1] : offsets[u] + hd_row_find(row, count, (uint32_t)low);
}

/* Undirected: the first arc of u to a larger vertex, which is at u's cursor, after any loops. False: the cursor has
 * passed too few or too many of the arcs to smaller vertices. */
static bool find_half(const sweep *s, uint64_t u, uint64_t *first) {
    uint64_t e = s->next[u], end = s->out->offsets[u + 1];
    if (e > end || (e < end && s->out->targets[e] < u))
        return false;
    while (e < end && s->out->targets[e] == u)
        e++;
    *first = e;
    return true;
}

/* Matches the arcs of u to the vertices low .. high-1. */
static bool match_row(sweep *s, uint64_t u, uint64_t low, uint64_t high, uint64_t *done) {
    uint64_t e, end = s->out->offsets[u + 1];
    if (s->out != s->in || u < low)
        e = first_from(s, u, low);
    else if (!find_half(s, u, &e))
        return false;
    for (;;) {
        uint64_t stop = end - e < SHARE ? end : e + SHARE, from = e;
        if (!(s->type == HEDDLE_WEIGHT_NONE ? match_arcs(s, (uint32_t)u, e, stop, high, false, &e)
                                            : match_arcs(s, (uint32_t)u, e, stop, high, true, &e)))
            return false;
        *done += e - from + 1;
        if (*done >= SHARE) {
            if (hd_advance(s->ctx, *done) || hd_load(&s->failed))
                return false;
            *done = 0;
        }
        if (e < stop || stop == end)
            return true;
    }
}

static bool match_share(sweep *s, uint64_t low, uint64_t high) {
    uint64_t rows = s->out == s->in ? high : s->vertices, done = 0;
    bool same = true;
    memcpy(s->next + low, s->in->offsets + low, (high - low) * sizeof *s->next);
    for (uint64_t u = 0; same && u < rows; u++)
        same = match_row(s, u, low, high, &done);
    for (uint64_t v = low; same && s->out != s->in && v < high; v++)
        same = s->next[v] == s->in->offsets[v + 1];
    hd_advance(s->ctx, done);
    return same;
}

static void match_all(sweep *s) {
    uint64_t n = s->vertices, shares = (uint64_t)s->ctx->threads;
    shares = s->edges < HD_WORTH_THREADS ? 1 : shares < MOST_SHARES ? shares : MOST_SHARES;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (shares > 1))
    for (uint64_t k = 0; k < shares; k++) {
        uint64_t work = n + s->edges, from = hd_split(work, shares, k), to = hd_split(work, shares, k + 1);
        uint64_t low = k ? hd_row_at(s->in->offsets, n, from) : 0;
        uint64_t high = k + 1 < shares ? hd_row_at(s->in->offsets, n, to) : n;
        if (low < high && !match_share(s, low, high))
            hd_store(&s->failed, true);
    }
}

/* ---- Finding the fault ------------------------------------------------------------------------------------------ */

/* The number of entries equal to u in v's row, and the first of them. */
static uint64_t entries(const hd_csr *rows, uint64_t v, uint32_t u, uint64_t *first) {
    uint64_t start = rows->offsets[v], length = rows->offsets[v + 1] - start, count = 0;
    uint64_t at = hd_row_find(rows->targets + start, length, u);
    while (at + count < length && rows->targets[start + at + count] == u)
        count++;
    *first = start + at;
    return count;
}

/* Finds the first arc of s->out that s->in does not have equally often and with the same weights. */
static void find_fault(sweep *s, hd_transpose_fault *fault) {
    for (uint64_t u = 0; u < s->vertices && !hd_cancelled(s->ctx); u++)
        for (uint64_t e = s->out->offsets[u]; e < s->out->offsets[u + 1];) {
            uint32_t v = s->out->targets[e];
            uint64_t c, there = entries(s->in, v, (uint32_t)u, &c), here = entries(s->out, u, v, &e);
            bool same = here == there;
            if (!same || (s->type != HEDDLE_WEIGHT_NONE && !same_weights(s, e, c, here))) {
                *fault = (hd_transpose_fault){.found = true, .weight = same, .from = (uint32_t)u, .to = v};
                return;
            }
            e += here;
        }
}

static void explain(sweep *s, hd_transpose_fault *fault) {
    const hd_csr *out = s->out;
    find_fault(s, fault);
    if (fault->found || s->out == s->in)
        return;
    s->out = s->in;
    s->in = out;
    find_fault(s, fault);
    *fault = (hd_transpose_fault){
        .found = fault->found, .weight = fault->weight, .added = true, .from = fault->to, .to = fault->from};
}

heddle_status hd_transpose_check(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                                 heddle_weight_type type, hd_transpose_fault *fault) {
    sweep s = {.ctx = ctx, .vertices = vertices, .out = out, .in = in, .type = type};
    *fault = (hd_transpose_fault){0};
    s.edges = out->offsets[vertices];
    hd_phase_begin(ctx, "verify", (out == in ? s.edges / 2 : 2 * s.edges) + vertices);
    bool same = hd_transpose_fingerprint(ctx, vertices, out, in, type);
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    if (same)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(ctx, &s.next, vertices, "cursors of rows"));
    hd_phase_begin(ctx, "verify", (out == in ? s.edges / 2 : s.edges) + vertices);
    match_all(&s);
    if (s.failed && !hd_cancelled(ctx) && !s.no_memory)
        explain(&s, fault);
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, s.next, vertices);
    HD_TRY(hd_cancelled_status(ctx));
    return s.no_memory ? hd_fail_memory(ctx, s.edges * sizeof(uint64_t), "parallel edges") : HEDDLE_OK;
}
