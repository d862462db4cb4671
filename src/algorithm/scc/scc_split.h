/* scc_split.h - strongly connected components on a split graph. Whoever could reach whom still can, by way of new
 * vertices: the graph's own vertices are in the same components as before, whatever a family looks like, and have the
 * smallest numbers there. New vertices are left out of the labels and the counts. */
#ifndef HD_ALGORITHM_SCC_SCC_SPLIT_H
#define HD_ALGORITHM_SCC_SCC_SPLIT_H

#include "algorithm/algorithm.h"

extern const hd_algorithm hd_algorithm_scc; /* what walks the split graph */

heddle_status hd_scc_transformed(const hd_run *run);

#endif
