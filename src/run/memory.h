/* memory.h - the bytes of a run on a device, before it, for --dry-run and explain. */
#ifndef HD_RUN_MEMORY_H
#define HD_RUN_MEMORY_H

#include "device/device.h"
#include "graph/graph.h"

/* What is assumed of a device where there is none to ask. */
extern const hd_device_info hd_common_device;

/* What bc, scc or mst, which are no programs, take on such a device under a plan; HEDDLE_E_REFUSED where they cannot
 * have it. */
heddle_status hd_walk_device_bytes(heddle_context *ctx, const heddle_graph *graph, const char *name, const char *plan,
                                   const hd_device_info *info, uint64_t *bytes);

#endif
