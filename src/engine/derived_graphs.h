/* derived_graphs.h - split and renamed graphs, from the cache (derived.h) or built now. Both belong to the context, and
 * are kept during the run. */
#ifndef HD_ENGINE_DERIVED_GRAPHS_H
#define HD_ENGINE_DERIVED_GRAPHS_H

#include "engine/derived.h"
#include "graffix/graffix.h"
#include "graph/order.h"
#include "transform/split.h"

/* Change of the graph before it is split. */
typedef enum hd_split_change {
    HD_SPLIT_UNCHANGED,
    HD_SPLIT_MIRRORED, /* with every arc's reverse */
    HD_SPLIT_SIMPLE    /* parallel arcs merged: a split would separate them */
} hd_split_change;

typedef struct hd_derived_split {
    hd_derived head;
    hd_split_change change;
    hd_split_options options;
    heddle_graph *changed; /* the changed graph; NULL: no change was needed */
    hd_split_result split; /* of that, or of the graph itself */
} hd_derived_split;

/* The graph split as the options say. */
heddle_status hd_derived_split_of(heddle_context *ctx, const heddle_graph *graph, hd_split_change change,
                                  const hd_split_options *options, bool *fresh, const hd_derived_split **split);

typedef struct hd_derived_graffix {
    hd_derived head;
    hd_graffix_options options;
    heddle_graph *mirrored;   /* with every arc's reverse, or without parallel arcs; NULL: not needed */
    hd_graffix_result result; /* of that, or of the graph itself */
} hd_derived_graffix;

/* The graph, the run's or one made of it, changed as its plan says and `options` add to that: by what the user's has
 * kept, with the help of the run's device if that pays. The report gets the technique, and the seconds as
 * transforming. */
struct hd_run;
heddle_status hd_derived_graffix_of(const struct hd_run *run, const heddle_graph *graph,
                                    const hd_graffix_options *options, const hd_derived_graffix **changed);

/* The renamed graph: from its file, from an earlier run, or built now, which counts as report->transforming. Its places
 * have been checked. For a run on a `device` (NULL: the CPU) that renames faster than the host it is hollow: its rows
 * are built there when the run opens it. */
heddle_status hd_derived_order_of(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                  const char *device, heddle_report *report, const heddle_graph **renamed);
/* Builds it on the device, even if the host has it. */
heddle_status hd_derived_order_there(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                                     const char *device, heddle_report *report, const heddle_graph **renamed);
/* The renamed graph if it exists already; else NULL. */
const heddle_graph *hd_derived_order_ready(const heddle_context *ctx, const heddle_graph *graph, const hd_order *order);

#endif
