/* advice.h - how uneven a graph's rows are, and whether splitting its vertices is worth it. */
#ifndef HD_PLAN_ADVICE_H
#define HD_PLAN_ADVICE_H

#include "transform/split.h"

/* Degrees of the rows, the share of lanes that have an edge when each walks one vertex, and the rows' bytes. */
heddle_status hd_irregularity_of(heddle_context *ctx, const heddle_graph *graph, bool pull,
                                 heddle_irregularity *irregularity);

/* How often two neighbours of a vertex are neighbours: the mean over some thousand vertices of two edges or more, each
 * asked about one pair. */
heddle_status hd_clustering_of(heddle_context *ctx, const heddle_graph *graph, bool pull, double *clustering);

/* Fills in worth and advice from the report's other figures. docs/transforms.md has the rules and what they rest on. */
void hd_transform_advise(heddle_transform_report *report);

#endif
