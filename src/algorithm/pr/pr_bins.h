/* pr_bins.h - PageRank's rounds without random reads beyond shared memory (pr_bins.cl), for graphs whose
 * shares are asked for from everywhere. Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_BINS_H
#define HD_ALGORITHM_PR_PR_BINS_H

#include "algorithm/pr/pr_passes.h"

enum { HD_PR_BIN_KERNELS = 4 };

typedef struct hd_pr_bins {
    bool on; /* they are worth it, and there is room */
    hd_resident *graph;
    hd_pr_passes passes; /* if they are on, nothing else here is used but `groups`, `bridges` and `bytes` */
    hd_kernels kernels;
    void *kernel[HD_PR_BIN_KERNELS];
    hd_buffer starts, from, to, firsts, totals; /* of the graph */
    hd_buffer seats, units;                     /* who deals what */
    hd_buffer values, parts;
    uint32_t n, edges, count, block;   /* blocks, sources in each */
    uint32_t bin, bins, stride;        /* edges of a bin, bins, places from bin to bin */
    uint32_t dealers, groups, bridges; /* groups of the kernels */
    uint64_t bytes;                    /* of what a run takes beside the graph's */
} hd_pr_bins;

/* Sorts the edges, if it pays and if that has not been done for this graph yet. */
heddle_status hd_pr_bins_open(hd_pr_bins *bins, hd_resident *graph, heddle_report *report);
/* Bytes on such a device, at most. */
uint64_t hd_pr_bins_bytes(const heddle_graph *graph, const hd_device_info *info);
void hd_pr_bins_close(hd_pr_bins *bins); /* zeroed: nothing */
/* Queues a round: all but its end. It leaves `groups` + `bridges` partial sums. */
heddle_status hd_pr_bins_round(hd_pr_bins *bins, const hd_pr_round *round);

#endif
