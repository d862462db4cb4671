/* parallel.c - parallel prefix sum: each thread sums its range, one thread scans the sums, each rewrites its range. */
#include "base/parallel.h"

enum { MOST_RANGES = 256, SMALL = 1 << 14 };

static uint64_t prefix_sum_range(uint64_t *counts, uint64_t from, uint64_t to, uint64_t sum) {
    for (uint64_t i = from; i < to; i++) {
        uint64_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    return sum;
}

uint64_t hd_prefix_sum(heddle_context *ctx, uint64_t *counts, uint64_t n) {
    uint64_t sums[MOST_RANGES + 1];
    int ranges = ctx->threads < MOST_RANGES ? ctx->threads : MOST_RANGES;
    if (n < SMALL || ranges == 1)
        return counts[n] = prefix_sum_range(counts, 0, n, 0);
    HD_PARALLEL_FOR(ctx, schedule(static, 1))
    for (int r = 0; r < ranges; r++) {
        uint64_t sum = 0, to = hd_split(n, (uint64_t)ranges, (uint64_t)r + 1);
        for (uint64_t i = hd_split(n, (uint64_t)ranges, (uint64_t)r); i < to; i++)
            sum += counts[i];
        sums[r] = sum;
    }
    counts[n] = prefix_sum_range(sums, 0, (uint64_t)ranges, 0);
    HD_PARALLEL_FOR(ctx, schedule(static, 1))
    for (int r = 0; r < ranges; r++)
        prefix_sum_range(counts, hd_split(n, (uint64_t)ranges, (uint64_t)r),
                         hd_split(n, (uint64_t)ranges, (uint64_t)r + 1), sums[r]);
    return counts[n];
}
