/* ordered.h - runs on a renamed graph (graph/order.h): sources and initial values are mapped on the way in, results are
 * mapped back to the original vertices. */
#ifndef HD_RUN_ORDERED_H
#define HD_RUN_ORDERED_H

#include "engine/view.h"
#include "graph/order.h"

/* The order of a run under plan auto, once its device is known: one that the graph's file has, if it is faster;
 * otherwise hd_order_none. */
const hd_order *hd_order_choose(const hd_run *run);

/* The graph with its vertices renamed in the plan's order. Making it counts as the report's transform. */
extern const hd_view_kind hd_view_order;

#endif
