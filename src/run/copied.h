/* copied.h - runs of algorithms that are no vertex programs on graphs with copies of vertices: views of whole runs. */
#ifndef HD_RUN_COPIED_H
#define HD_RUN_COPIED_H

#include "engine/derived_graphs.h"
#include "engine/view.h"

extern const hd_view_kind hd_view_copied, hd_view_copied_forest, hd_view_copied_paths;

/* Makes the graph that plan->graffix makes of `graph`, with links between copies, and sets the inner run's. */
heddle_status hd_copied_open(hd_view *view, const heddle_graph *graph, const hd_graffix_result **changed);
void hd_copied_figures(const hd_view *view, const hd_graffix_result *changed);

#endif
