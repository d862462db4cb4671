/* advice.h - how uneven a graph's rows are, and whether splitting its vertices is worth it. */
#ifndef HD_PLAN_ADVICE_H
#define HD_PLAN_ADVICE_H

#include "transform/split.h"

/* Degrees of the rows, warp efficiency with one lane per vertex, and the rows' bytes. */
heddle_status hd_irregularity_of(heddle_context *ctx, const heddle_graph *graph, bool pull,
                                 heddle_irregularity *irregularity);

/* Clustering coefficient, estimated from several thousand vertices of at least two edges, one pair of neighbours each.
 * */
heddle_status hd_clustering_of(heddle_context *ctx, const heddle_graph *graph, bool pull, double *clustering);

/* Fills in worth and advice from the report's other figures, by the rules of docs/transforms.md. */
void hd_transform_advise(heddle_transform_report *report);

#endif
