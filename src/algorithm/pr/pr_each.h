/* pr_each.h - personalised PageRank from each of many sources: all jumps of a column go to its source.
 *
 * A few columns are computed side by side, so that an edge is read once for all of them. Rounds are those of the
 * definition (pr.c), in double precision. A column stops to change in the round in which it converges, so it does not
 * depend on which others are computed with it. */
#ifndef HD_ALGORITHM_PR_PR_EACH_H
#define HD_ALGORITHM_PR_PR_EACH_H

#include "algorithm/algorithm.h"
#include "engine/rank_options.h"

enum { HD_PR_EACH_MOST = 8 /* columns side by side: their doubles are a cache line */ };

/* Fills the result: a column of ranks for each source, figures, report. */
heddle_status hd_pr_each(const hd_run *run);
heddle_status hd_pr_each_on_device(const hd_run *run);
/* Bytes of such a run on a device, rows included, and on the host beside the graph. */
heddle_status hd_pr_each_device_bytes(const hd_device_request *r, uint64_t *bytes);
double hd_pr_each_host_bytes(const hd_run *run);

/* Steps that both engines share. */
/* Columns for so many sources: 1, 2, 4 or 8. */
uint32_t hd_pr_each_width(uint64_t sources);
/* The divisor of ranks before they follow edges: the number, or weight, of a vertex' out-edges; 0: it has none. */
heddle_status hd_pr_each_out(heddle_context *ctx, const heddle_graph *graph, const hd_rank_terms *terms, double *out);
heddle_status hd_pr_each_columns(const hd_run *run); /* of the result */
/* Writes columns from `first` on into the result: rank is share * out. */
void hd_pr_each_take(const hd_run *run, const double *shares, const double *out, uint32_t width, uint64_t first,
                     uint64_t count);
void hd_pr_each_figures(const hd_run *run, double change, bool converged);

#endif
