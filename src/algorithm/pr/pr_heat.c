/* pr_heat.c - see pr_heat.h. */
#include "algorithm/pr/pr_heat.h"

#include "base/parallel.h"

/* The hot part of the vertices, and the share of the edges that must begin there. */
static const double hot_part = 1.0 / 16, hot_share = 0.5;

bool hd_pr_hot(uint64_t vertices, const uint32_t counts[HD_PR_CLASSES]) {
    double left = (double)vertices * hot_part, hot = 0, all = 0;
    for (int i = 0; i < HD_PR_CLASSES; i++) {
        double degree = i == HD_PR_CLASSES - 1 ? 0 : 0.75 * (double)(UINT64_C(1) << (HD_PR_CLASSES - 1 - i));
        double count = counts[i];
        hot += degree * (count < left ? count : left);
        all += degree * count;
        left = count < left ? left - count : 0;
    }
    return hot > hot_share * all;
}

bool hd_pr_hot_rows(heddle_context *ctx, const uint64_t *offsets, uint64_t n) {
    uint32_t counts[HD_PR_CLASSES] = {0};
    HD_PARALLEL(ctx, if (n >= HD_WORTH_THREADS)) {
        uint32_t here[HD_PR_CLASSES] = {0};
        HD_FOR(schedule(static))
        for (uint64_t v = 0; v < n; v++) {
            uint64_t degree = offsets[v + 1] - offsets[v];
            here[degree >> 32 ? 0 : degree ? __builtin_clz((unsigned)degree) : HD_PR_CLASSES - 1]++;
        }
        HD_CRITICAL
        for (int i = 0; i < HD_PR_CLASSES; i++)
            counts[i] += here[i];
    }
    return hd_pr_hot(n, counts);
}
