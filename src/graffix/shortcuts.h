/* shortcuts.h - a graph in which vertices have new edges to neighbours' neighbours. */
#ifndef HD_GRAFFIX_SHORTCUTS_H
#define HD_GRAFFIX_SHORTCUTS_H

#include "graffix/graffix.h"

/* Fills `extra`, which is 0, with the number of edges that each vertex is to get. */
typedef heddle_status (*hd_shortcuts_plan)(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                           const hd_graffix_options *options, uint32_t *extra);

/* Adds as many as it finds; on undirected graphs with their reverse. */
heddle_status hd_shortcuts_add(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_shortcuts_plan plan, hd_graffix_result *result);

#endif
