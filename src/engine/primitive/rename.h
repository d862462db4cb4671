/* rename.h - the graph with its vertices renamed (graph/order.h), built on the device that holds the graph.
 *
 * Names, places and rows are bit for bit those of the host: an order is a sort of the vertices, and the renamed rows
 * are a sort of the arcs. The host keeps names and places; it fetches the rows on demand.
 */
#ifndef HD_ENGINE_PRIMITIVE_RENAME_H
#define HD_ENGINE_PRIMITIVE_RENAME_H

#include "engine/device/resident.h"
#include "graph/order.h"

/* Whether the device should do it: a GPU, and a large enough graph. */
bool hd_rename_pays(const hd_device_info *info, const heddle_graph *graph);
/* Peak bytes while the rows are renamed, besides the rows of both graphs; in-edges of directed graphs are built with
 * them. */
uint64_t hd_rename_bytes(const hd_resident *renamed, bool directed, bool weights);

/* Names and places of `graph`, hollow, from its original's out-edges in `own`: on the device, where they are extras of
 * `renamed`, and on the host. */
heddle_status hd_rename_names(const hd_resident *own, const hd_order *order, heddle_graph *graph, hd_resident *renamed,
                              heddle_report *report);
/* The same on the device only, if the host has them. */
heddle_status hd_rename_known(const heddle_graph *graph, hd_resident *renamed, hd_buffer *names, hd_buffer *places);
/* Fills renamed->out, and for a directed graph renamed->in if requested. Seconds count as report->transforming. After
 * an error the caller releases the buffers that exist. */
heddle_status hd_rename_rows(const hd_resident *own, const heddle_graph *graph, bool weights, bool in,
                             hd_resident *renamed, heddle_report *report);

#endif
