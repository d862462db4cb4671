/* ordered.h - runs on a graph whose vertices were renamed (graph/order.h): what the run is told of vertices is renamed
 * on the way in, what it gives is brought back to the vertices that the caller knows. */
#ifndef HD_RUN_ORDERED_H
#define HD_RUN_ORDERED_H

#include "algorithm/algorithm.h"
#include "graph/order.h"

/* HEDDLE_E_REFUSED, with the reason, for an algorithm or a plan that cannot have the order that was asked for. */
heddle_status hd_order_check(const hd_run *run);

/* The order of a run whose plan is auto, once its device is known: one that the graph's file has, where it pays;
 * otherwise hd_order_none. */
const hd_order *hd_order_choose(const hd_run *run);

/* Runs on the graph with its vertices renamed in the plan's order. Making it counts as the report's transform. */
heddle_status hd_ordered_execute(const hd_run *run);

#endif
