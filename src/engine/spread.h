/* spread.h - figures of values that are spread over ranks: each rank has those of its own vertices.
 *
 * All of these are called by all ranks, or by none: for a result whose values are in one place they change nothing. If
 * a rank fails meanwhile the numbers are as they were, and the end of the run says so on all (exchange/together.h).
 */
#ifndef HD_ENGINE_SPREAD_H
#define HD_ENGINE_SPREAD_H

#include "engine/result.h"
#include "exchange/link.h"

/* Joins the numbers of all ranks. */
void hd_spread_join(heddle_context *ctx, const heddle_result *result, hd_link_operation operation, uint64_t *numbers,
                    uint32_t count);
void hd_spread_join_real(heddle_context *ctx, const heddle_result *result, hd_link_operation operation, double *numbers,
                         uint32_t count);
/* Of values that are vertices: how often the most frequent one occurs. Every rank counts its own and sends the owners
 * of the vertices. Memory: three words per own vertex. */
heddle_status hd_spread_largest(heddle_context *ctx, const heddle_result *result, uint64_t *largest);

#endif
