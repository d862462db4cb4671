/* ordered.h - runs on a graph whose vertices were renamed (graph/order.h): what the run is told of vertices is renamed
 * on the way in, what it gives is brought back to the vertices that the caller knows. */
#ifndef HD_RUN_ORDERED_H
#define HD_RUN_ORDERED_H

#include "algorithm/algorithm.h"
#include "graph/order.h"

enum { HD_ORDER_REST = 256 };

/* Takes the order out of the options' plan: what is left of it, in `rest`, is their plan from then on.
 * HEDDLE_E_REFUSED, with the reason, for an algorithm or a plan that cannot have one. */
heddle_status hd_order_take(heddle_context *ctx, heddle_run_options *options, const hd_algorithm *algorithm,
                            char rest[HD_ORDER_REST], const hd_order **order);

/* The order of a run whose plan is auto, once its device is known: one that the graph's file has, where it pays;
 * otherwise hd_order_none. */
const hd_order *hd_order_choose(const heddle_graph *graph, const heddle_run_options *options,
                                const hd_algorithm *algorithm);

/* Runs `execute` on the renamed graph. Making it counts as the report's transform. */
heddle_status hd_ordered_execute(const hd_run *run, const hd_order *order, hd_run_fn execute);

#endif
