/* scc_split.h - strongly connected components on a split graph. A split preserves reachability, for any shape of the
 * families: the graph's own vertices are in the same components as before, and have the smallest numbers there.
 * Vertices added by the split are excluded from labels and counts. */
#ifndef HD_ALGORITHM_SCC_SCC_SPLIT_H
#define HD_ALGORITHM_SCC_SCC_SPLIT_H

#include "engine/view.h"

extern const hd_view_kind hd_scc_split;

#endif
