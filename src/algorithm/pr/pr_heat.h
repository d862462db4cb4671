/* pr_heat.h - whether a few vertices begin most of the edges: it pays off then to keep their shares together. */
#ifndef HD_ALGORITHM_PR_PR_HEAT_H
#define HD_ALGORITHM_PR_PR_HEAT_H

#include "base/context.h"

/* Vertices by the bit length of their out-degree, the longest first: class k has 32 - k bits. */
enum { HD_PR_CLASSES = 33 };

bool hd_pr_hot(uint64_t vertices, const uint32_t counts[HD_PR_CLASSES]);
/* The same from the offsets of the rows of out-edges. */
bool hd_pr_hot_rows(heddle_context *ctx, const uint64_t *offsets, uint64_t vertices);

#endif
