/* split_view.h - runs on a split graph (transform/split.h): values come back for the graph's own vertices. */
#ifndef HD_ALGORITHM_VIEWS_SPLIT_VIEW_H
#define HD_ALGORITHM_VIEWS_SPLIT_VIEW_H

#include "engine/derived_graphs.h"
#include "engine/view.h"

/* Of an algorithm that is no vertex program, under a plan with a transform; its descriptor says how (hd_split_way). */
extern const hd_view_kind hd_view_split;

/* Steps that views of split graphs share. The first makes the graph, which counts as the report's transform, and sets
 * the inner run's; view->own is for the caller. The second drops values of vertices that the split has added, and adds
 * its figures. */
heddle_status hd_split_open(hd_view *view, hd_split_change change, const hd_split_options *options,
                            const hd_derived_split **made);
heddle_status hd_split_bring_back(const hd_view *view, const hd_split_result *split);

#endif
