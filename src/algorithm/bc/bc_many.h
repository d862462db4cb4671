/* bc_many.h - betweenness from many sources on a device, in batches (bc_many.cl). */
#ifndef HD_ALGORITHM_BC_BC_MANY_H
#define HD_ALGORITHM_BC_BC_MANY_H

#include "algorithm/structure/structure_device.h"
#include "engine/bc_sources.h"

/* Sums the dependencies of all sources, and fills the result. *served: false if the device has no room for several at
 * once; then nothing was done. */
heddle_status hd_bc_many(const hd_run *run, const hd_sources *sources, bool *served);
/* Bytes that this takes on a device with `left` bytes free, including rows; 0: there is no room. `squared`: within an
 * error budget. */
heddle_status hd_bc_many_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t sources, bool squared,
                               uint64_t left, uint64_t *bytes);

#endif
