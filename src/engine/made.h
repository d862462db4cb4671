/* made.h - what plans had made of a graph, kept with the context from run to run.
 *
 * Splitting a graph, renaming its vertices or laying it out in shards takes longer than most runs on what comes out. So
 * the last split, the orders and the last shards of the CPU stay with the context, and a run that asks for the same
 * of the same graph takes them as they are. They go when something else takes their place, when the context runs on
 * another graph, and with the context.
 */
#ifndef HD_ENGINE_MADE_H
#define HD_ENGINE_MADE_H

#include "engine/device/shards.h"
#include "graph/order.h"
#include "transform/split.h"

/* What the graph becomes before it is split. */
typedef enum hd_made_way {
    HD_MADE_AS_IS,
    HD_MADE_MIRRORED, /* with every arc's reverse */
    HD_MADE_SIMPLE    /* one arc where several are parallel: a split would part them */
} hd_made_way;

typedef struct hd_made_split {
    heddle_graph *changed; /* what it became; NULL: it was so */
    hd_split_result split; /* of that, or of the graph itself */
    bool fresh;            /* made in this run */
} hd_made_split;

/* The graph split as the options say. Belongs to the context, and is valid until the next call. */
heddle_status hd_made_split_of(heddle_context *ctx, const heddle_graph *graph, hd_made_way way,
                               const hd_split_options *options, const hd_made_split **made);

/* Shards of a graph's rows; `wish` as for hd_shards_new. Belong to the context, and are valid until the next call. */
heddle_status hd_made_shards_of(heddle_context *ctx, const heddle_graph *graph, const hd_incore_rows *rows,
                                const hd_shards_wish *wish, const hd_shards **made);

/* The graph with its vertices renamed: from its file, from an earlier run, or made now, which counts as
 * report->transforming. Belongs to the graph or the context, and is valid until the next call. Its places have been
 * checked. For a run on `device` (NULL: the CPU) that does it better than the host it is hollow: its rows are made
 * there when the run opens it. */
heddle_status hd_made_order_of(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                               const char *device, heddle_report *report, const heddle_graph **renamed);
/* The same where it is not there yet, on that device in any case. */
heddle_status hd_made_order_there(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                  const char *device, heddle_report *report, const heddle_graph **renamed);
/* The same where it is there already; else NULL. */
const heddle_graph *hd_made_order_ready(const heddle_context *ctx, const heddle_graph *graph, const hd_order *order);

/* Lets go of what was made of graphs other than this one. */
void hd_made_keep_only(heddle_context *ctx, const heddle_graph *graph);
void hd_made_forget(heddle_context *ctx);

#endif
