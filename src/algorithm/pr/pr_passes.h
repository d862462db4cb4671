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
    bool on; /* they are worth it */
    hd_resident *graph;
    hd_kernels kernels;
    void *kernel[HD_PR_PASS_KERNELS];
    hd_buffer bounds, begins, facts, from, where, to; /* of the graph */
    hd_buffer pieces, totals;                         /* while edges are sorted */
    hd_buffer values, parts, meeting;
    uint32_t n, edges, blocks, block; /* blocks, sources in each at most */
    uint32_t bin, bins, stride;       /* edges of a bin, bins, places from bin to bin */
    uint32_t groups, per, passes;     /* groups, bins of a pass */
    uint64_t bytes;                   /* of what a run takes beside the graph's */
} hd_pr_passes;

/* Sorts the edges, if it pays and if that has not been done for this graph yet. */
heddle_status hd_pr_passes_open(hd_pr_passes *passes, hd_resident *graph, heddle_report *report);
void hd_pr_passes_close(hd_pr_passes *passes); /* zeroed: nothing */
/* Queues a round: all but its end. It leaves `groups` partial sums. */
heddle_status hd_pr_passes_round(hd_pr_passes *passes, const hd_pr_round *round);

#endif
