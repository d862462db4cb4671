/* pr_bins.h - PageRank's rounds without random reads beyond shared memory (pr_bins.cl), for graphs whose accesses to
 * shares have no locality. Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_BINS_H
#define HD_ALGORITHM_PR_PR_BINS_H

#include "algorithm/pr/pr_passes.h"

enum { HD_PR_BIN_KERNELS = 4 };

typedef struct hd_pr_bins {
    bool on; /* bins pay off, and there is room */
    hd_resident *graph;
    hd_pr_passes passes; /* if `on`, only `groups`, `bridges` and `bytes` of the other fields are used */
    hd_kernels kernels;
    void *kernel[HD_PR_BIN_KERNELS];
    hd_buffer starts, from, to, firsts, totals; /* of the graph */
    hd_buffer seats, units;                     /* which group distributes which shares */
    hd_buffer values, parts;
    uint32_t n, edges, count, block;   /* blocks, sources in each */
    uint32_t bin, bins, stride;        /* edges in a bin, bins, positions between bins */
    uint32_t dealers, groups, bridges; /* groups of the kernels */
    uint64_t bytes;                    /* of a run, besides the graph's */
} hd_pr_bins;

/* Sorts the edges if that pays off, unless it was done for this graph before. */
heddle_status hd_pr_bins_open(hd_pr_bins *bins, hd_resident *graph, heddle_report *report);
/* Upper bound of the bytes on such a device. */
uint64_t hd_pr_bins_bytes(const heddle_graph *graph, const hd_device_info *info);
void hd_pr_bins_close(hd_pr_bins *bins); /* if zeroed: does nothing */
/* Queues a round without its last kernel. It leaves `groups` + `bridges` partial sums. */
heddle_status hd_pr_bins_round(hd_pr_bins *bins, const hd_pr_round *round);

#endif
