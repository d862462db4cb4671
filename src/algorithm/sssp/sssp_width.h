/* sssp_width.h - the width of delta-stepping's buckets. */
#ifndef HD_ALGORITHM_SSSP_SSSP_WIDTH_H
#define HD_ALGORITHM_SSSP_SSSP_WIDTH_H

#include "graph/graph.h"

/* As a power of two: nearest to `delta`, or, if that is 0, chosen by a sample of weights and degrees. */
int hd_sssp_width(const heddle_graph *graph, const heddle_adjacency *out, double delta);

#endif
