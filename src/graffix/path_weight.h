/* path_weight.h - the weight of an edge that stands for a path of two. */
#ifndef HD_GRAFFIX_PATH_WEIGHT_H
#define HD_GRAFFIX_PATH_WEIGHT_H

#include "graph/graph.h"

/* Stores the sum of two edges' weights at to[at], which has their type (u32 where the graph has none: then it is 2);
 * `to` NULL: only asks. False: the sum does not exceed both (weights of 0 or less, sums that leave their type or are
 * rounded off): such an edge could replace one of a spanning forest, and is not added. */
bool hd_path_weight(heddle_weight_type type, const void *weights, uint64_t first, uint64_t second, void *to,
                    uint64_t at);

#endif
