/* pr_passes.h - PageRank's rounds by bins in passes, whose values stay in the cache (pr_passes.cl): for graphs
 * whose shares fit into the shared memory of all groups that run at once. Only pr_bins.c uses this. */
#ifndef HD_ALGORITHM_PR_PR_PASSES_H
#define HD_ALGORITHM_PR_PR_PASSES_H

#include "engine/device/kernels.h"

enum { HD_PR_PASS_KERNELS = 5 };

/* The arrays of one round. */
typedef struct hd_pr_round {
    hd_buffer before, after, shares, next, state, figures, partials;
} hd_pr_round;

typedef struct hd_pr_passes {
    bool on; /* passes pay off */
    hd_resident *graph;
    hd_kernels kernels;
    void *kernel[HD_PR_PASS_KERNELS];
    hd_buffer bounds, begins, facts, from, where, to; /* of the graph */
    hd_buffer pieces, totals;                         /* while edges are being sorted */
    hd_buffer values, parts, meeting;
    uint32_t n, edges, blocks, block; /* blocks, sources in each at most */
    uint32_t bin, bins, stride;       /* edges in a bin, bins, positions between bins */
    uint32_t groups, per, passes;     /* groups, bins of a pass */
    uint64_t bytes;                   /* of a run, besides the graph's */
} hd_pr_passes;

/* Sorts the edges if that pays off, unless it was done for this graph before. */
heddle_status hd_pr_passes_open(hd_pr_passes *passes, hd_resident *graph, heddle_report *report);
void hd_pr_passes_close(hd_pr_passes *passes); /* if zeroed: does nothing */
/* Queues a round without its last kernel. It leaves `groups` partial sums. */
heddle_status hd_pr_passes_round(hd_pr_passes *passes, const hd_pr_round *round);

#endif
