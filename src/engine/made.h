/* made.h - cache of derived graphs: splits, orders and shards that plans made of a graph.
 *
 * Splitting a graph, renaming its vertices or building shards takes longer than most runs on the result. So the context
 * keeps the last split, the orders and the last shards of the CPU, and a run that needs the same of the same graph
 * reuses them. They are freed when another one replaces them, when the context runs on another graph, and with the
 * context.
 */
#ifndef HD_ENGINE_MADE_H
#define HD_ENGINE_MADE_H

#include "engine/device/shards.h"
#include "graph/order.h"
#include "transform/split.h"

/* Change of the graph before it is split. */
typedef enum hd_made_way {
    HD_MADE_AS_IS,
    HD_MADE_MIRRORED, /* with every arc's reverse */
    HD_MADE_SIMPLE    /* parallel arcs merged: a split would separate them */
} hd_made_way;

typedef struct hd_made_split {
    heddle_graph *changed; /* the changed graph; NULL: no change was needed */
    hd_split_result split; /* of that, or of the graph itself */
    bool fresh;            /* built in this run */
} hd_made_split;

/* The graph split as the options say. Belongs to the context, and is valid until the next call. */
heddle_status hd_made_split_of(heddle_context *ctx, const heddle_graph *graph, hd_made_way way,
                               const hd_split_options *options, const hd_made_split **made);

/* Shards of a graph's rows; `wish` as for hd_shards_new. Belong to the context, and are valid until the next call. */
heddle_status hd_made_shards_of(heddle_context *ctx, const heddle_graph *graph, const hd_incore_rows *rows,
                                const hd_shards_wish *wish, const hd_shards **made);

/* The renamed graph: from its file, from an earlier run, or built now, which counts as report->transforming. Owned by
 * the graph or the context, and valid until the next call. Its places have been checked. For a run on a `device` (NULL:
 * the CPU) that renames faster than the host it is hollow: its rows are built there when the run opens it. */
heddle_status hd_made_order_of(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                               const char *device, heddle_report *report, const heddle_graph **renamed);
/* Builds it on the device, even if the host has it. */
heddle_status hd_made_order_there(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                  const char *device, heddle_report *report, const heddle_graph **renamed);
/* The renamed graph if it exists already; else NULL. */
const heddle_graph *hd_made_order_ready(const heddle_context *ctx, const heddle_graph *graph, const hd_order *order);

/* Frees what was derived from other graphs than this one. */
void hd_made_keep_only(heddle_context *ctx, const heddle_graph *graph);
void hd_made_forget(heddle_context *ctx);

#endif
