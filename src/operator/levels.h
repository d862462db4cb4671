/* levels.h - breadth-first search, for bfs, for sssp and sswp without weights, and for programs that promise ONCE. */
#ifndef HD_OPERATOR_LEVELS_H
#define HD_OPERATOR_LEVELS_H

#include "engine/result.h"

typedef struct hd_levels_from {
    const heddle_vertex *sources;
    uint64_t source_count;
    uint64_t most; /* the last level that is looked for; 0: all are */
} hd_levels_from;

/* Fills `levels` (UINT32_MAX: unreached) and, unless NULL, `parents` (UINT32_MAX: none), both one per vertex; the
 * report's iterations, edges_walked and prepare; and the number of vertices reached. */
heddle_status hd_levels(heddle_context *ctx, const heddle_graph *graph, const hd_levels_from *from, uint32_t *levels,
                        heddle_vertex *parents, heddle_report *report, uint64_t *reached);

#endif
