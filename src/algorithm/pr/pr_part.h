/* pr_part.h - PageRank on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_PR_PR_PART_H
#define HD_ALGORITHM_PR_PR_PART_H

#include "engine/parts/part.h"

/* Without weights or a personalisation. The graph's own facts are in it. */
typedef struct hd_pr_part {
    hd_part_own own;
    bool undirected;
} hd_pr_part;

hd_pr_part hd_pr_part_of(const heddle_graph *graph);

#endif
