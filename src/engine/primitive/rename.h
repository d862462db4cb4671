/* rename.h - the graph with its vertices renamed (graph/order.h), made on the device that holds the graph.
 *
 * Names, places and rows are what the host would make, bit for bit: an order is a sort of the vertices, and the renamed
 * rows are a sort of the arcs. The host keeps names and places; the rows it gets when it asks for them.
 */
#ifndef HD_ENGINE_PRIMITIVE_RENAME_H
#define HD_ENGINE_PRIMITIVE_RENAME_H

#include "engine/device/resident.h"
#include "graph/order.h"

/* Whether the device shall do it: a GPU, with enough to do. */
bool hd_rename_pays(const hd_device_info *info, const heddle_graph *graph);
/* Bytes on the way to the renamed rows, beside the rows of both graphs; in-edges of directed ones are made with
 * them. */
uint64_t hd_rename_bytes(const hd_resident *renamed, bool directed, bool weights);

/* Names and places of `graph`, hollow, from its original's out-edges in `own`: on the device, where they are extras of
 * `renamed`, and on the host. */
heddle_status hd_rename_names(const hd_resident *own, const hd_order *order, heddle_graph *graph, hd_resident *renamed,
                              heddle_report *report);
/* The same on the device alone, where the host has them. */
heddle_status hd_rename_known(const heddle_graph *graph, hd_resident *renamed, hd_buffer *names, hd_buffer *places);
/* Fills renamed->out, and of a directed graph renamed->in if wanted. Seconds count as report->transforming. After an
 * error whatever is there has to be released. */
heddle_status hd_rename_rows(const hd_resident *own, const heddle_graph *graph, bool weights, bool in,
                             hd_resident *renamed, heddle_report *report);

#endif
