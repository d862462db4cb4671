/* fingerprint.c - see fingerprint.h. Freivalds' test (1979): random numbers X and Y for every vertex, W for every
 * weight; the sum of X(from) Y(to) W(weight) over the arcs of one side, minus that of the other, is 0 if both sides are
 * equal, and nonzero with high probability if not. For an undirected graph both sides are the same rows: an arc counts
 * as (smaller end, larger end), added or subtracted by its direction; rows ascend, so those to subtract come first.
 * Self loops are their own reverse. */
#include "graph/fingerprint.h"

#include "base/parallel.h"
#include "graph/rows.h"

#include <sys/random.h>

enum { SHARE = 1 << 18 };

typedef hd_transpose_keys keys;

static inline uint64_t number(const uint64_t key[3], uint64_t of) {
    uint64_t x = (of ^ key[0]) * key[1];
    x = (x ^ x >> 32) * key[2];
    return x ^ x >> 32;
}

/* Sum over the arcs first .. end-1 of their targets' random numbers under `key`, times those of their weights. */
static uint64_t sum_arcs(const keys *all, const uint64_t key[3], const hd_csr *rows, heddle_weight_type type,
                         uint64_t first, uint64_t end) {
    const uint64_t own[3] = {key[0], key[1], key[2]};
    uint64_t sum = 0;
    if (type == HEDDLE_WEIGHT_NONE) {
        for (uint64_t e = first; e < end; e++)
            sum += number(own, rows->targets[e]);
        return sum;
    }
    for (uint64_t e = first; e < end; e++)
        sum += number(own, rows->targets[e]) * number(all->weight, hd_weight_bits(rows->weights, type, e));
    return sum;
}

/* Contribution of the arcs first .. end-1 of vertex v to the sum. */
static uint64_t sum_row(const keys *k, const hd_csr *rows, heddle_weight_type type, int side, uint32_t v,
                        uint64_t first, uint64_t end) {
    if (side > 0)
        return number(k->from, v) * sum_arcs(k, k->to, rows, type, first, end);
    if (side < 0)
        return number(k->to, v) * sum_arcs(k, k->from, rows, type, first, end);
    uint64_t middle = first + hd_row_find(rows->targets + first, end - first, v), loops = middle;
    while (loops < end && rows->targets[loops] == v)
        loops++;
    return number(k->from, v) * sum_arcs(k, k->to, rows, type, loops, end) -
           number(k->to, v) * sum_arcs(k, k->from, rows, type, first, middle);
}

/* `side`: 1 out-edges, -1 in-edges, 0 an undirected graph's rows. */
static uint64_t sum_rows(heddle_context *ctx, const keys *k, uint64_t n, const hd_csr *rows, heddle_weight_type type,
                         int side) {
    const uint64_t *offsets = rows->offsets;
    uint64_t work = n + offsets[n], sum = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) reduction(+ : sum) if (work > SHARE))
    for (uint64_t from = 0; from < work; from += SHARE) {
        uint64_t to = work - from < SHARE ? work : from + SHARE;
        if (hd_advance(ctx, side ? to - from : (to - from) / 2))
            continue;
        for (uint64_t v = hd_row_at(offsets, n, from); v < n && offsets[v] + v < to; v++)
            sum +=
                sum_row(k, rows, type, side, (uint32_t)v, hd_row_begin(offsets, v, from), hd_row_end(offsets, v, to));
    }
    return sum;
}

uint64_t hd_transpose_sum(const hd_transpose_keys *k, uint64_t vertices, const hd_csr *rows, heddle_weight_type type,
                          int side, uint64_t first, uint64_t end) {
    uint64_t sum = 0;
    if (first >= end)
        return 0;
    for (uint64_t v = hd_row_of(rows->offsets, vertices, first); first < end; v++) {
        uint64_t stop = rows->offsets[v + 1] < end ? rows->offsets[v + 1] : end;
        if (stop > first)
            sum += sum_row(k, rows, type, side, (uint32_t)v, first, stop);
        first = stop > first ? stop : first;
    }
    return sum;
}

bool hd_transpose_keys_draw(hd_transpose_keys *k) {
    if (getrandom(k, sizeof *k, GRND_NONBLOCK) != (ssize_t)sizeof *k)
        return false;
    for (int i = 1; i < 3; i++)
        k->from[i] |= 1, k->to[i] |= 1, k->weight[i] |= 1;
    return true;
}

bool hd_transpose_fingerprint(heddle_context *ctx, uint64_t vertices, const hd_csr *out, const hd_csr *in,
                              heddle_weight_type type) {
    keys k;
    if (!hd_transpose_keys_draw(&k))
        return false;
    if (out->offsets[vertices] != in->offsets[vertices])
        return false;
    uint64_t sum = sum_rows(ctx, &k, vertices, out, type, out == in ? 0 : 1);
    if (out != in)
        sum -= sum_rows(ctx, &k, vertices, in, type, -1);
    return sum == 0 && !hd_cancelled(ctx);
}
