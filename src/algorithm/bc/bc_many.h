/* bc_many.h - betweenness from many sources on a device, some at once (bc_many.cl). */
#ifndef HD_ALGORITHM_BC_BC_MANY_H
#define HD_ALGORITHM_BC_BC_MANY_H

#include "algorithm/shared/structure_device.h"
#include "engine/bc_sources.h"

/* Adds up the dependencies of all sources, and fills the result. *served: false when the device has no room for
 * several at once, and nothing was done. */
heddle_status hd_bc_many(const hd_run *run, const hd_sources *sources, bool *served);
/* What that takes on a device that has `left` bytes free, rows included; 0: it would not serve. */
heddle_status hd_bc_many_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t sources, uint64_t left,
                               uint64_t *bytes);

#endif
