/* parents.h - the tree behind finished labels.
 *
 * An edge from u to v is tight when u's label, carried along it, is v's. A parent of v is valid when a tight edge leads
 * from it to v and it is strictly better than v, or, where no such edge leads to v, when it has v's label and is fewer
 * hops away: hops over tight edges between equal labels, counted from the nearest vertex that has a strictly better
 * parent (or is a source). So valid parents form a tree even around edges that change nothing: those of weight 0, and
 * for widest paths most of them. The smallest valid parent is given, whatever the number of threads.
 */
#ifndef HD_ALGORITHM_PATHS_PARENTS_H
#define HD_ALGORITHM_PATHS_PARENTS_H

#include "engine/path_label.h"
#include "engine/run.h"

/* Fills `parents`, UINT32_MAX for sources and unreached vertices. Linear time; one look at every edge when no parent
 * has its child's label, else two. */
heddle_status hd_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         hd_path path, const void *labels, heddle_vertex *parents);

/* Fills result->parents from levels in result->values: for each vertex the smallest one level up, UINT32_MAX for none.
 * One look at every edge. */
heddle_status hd_level_parents(const hd_run *run);

#endif
