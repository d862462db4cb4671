/* split_ids.h - names for the vertices that a split adds. */
#ifndef HD_TRANSFORM_SPLIT_IDS_H
#define HD_TRANSFORM_SPLIT_IDS_H

#include "transform/split.h"

/* Gives split->graph the graph's ids, and its new vertices ids above the largest one, or, if ids are strings, the
 * labels "split:0", "split:1" … HEDDLE_E_REFUSED if the graph has such labels already, HEDDLE_E_LIMIT if there are no
 * larger ids. */
heddle_status hd_split_name(heddle_context *ctx, const heddle_graph *graph, hd_split_result *split);

#endif
