/* walk.h - the schedule of a plan for algorithms with kernels of their own (bc, scc, mst), as macros for
 * schedule/walk.cl.
 *
 * Such an algorithm itself chooses the direction and the vertices; a plan assigns edges to lanes. A key that has no
 * meaning there is refused with the reason.
 */
#ifndef HD_ENGINE_DEVICE_WALK_H
#define HD_ENGINE_DEVICE_WALK_H

#include "device/device.h"
#include "plan/plan.h"

typedef struct hd_walk {
    hd_plan plan;
    uint32_t chunk;    /* edges of an entry at most; 0: a vertex is one entry */
    bool wide;         /* offsets=64 */
    char defines[192]; /* HD_WALK, HD_WIDTH, HD_CHUNK, HD_COALESCED */
} hd_walk;

/* A plan as `algorithm` uses it: HEDDLE_E_REFUSED for keys that do not apply. */
heddle_status hd_walk_of(heddle_context *ctx, const char *algorithm, const hd_plan *requested,
                         const hd_device_info *device, hd_walk *walk);
/* Sets the most edges of an entry if a plan balances over edges: the best value depends on the algorithm. */
void hd_walk_cut(hd_walk *walk, uint32_t chunk);
/* Upper bound of the entries of a list of that many vertices with that many edges. */
uint64_t hd_walk_room(const hd_walk *walk, uint64_t vertices, uint64_t edges);

#endif
