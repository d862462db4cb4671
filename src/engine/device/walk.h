/* walk.h - the schedule of a plan for algorithms with kernels of their own (bc, scc, mst), as macros for
 * schedule/walk.cl.
 *
 * Such an algorithm decides itself in which direction and over which vertices it goes; a plan says who walks which
 * edge. A key that has no meaning there is refused with the reason.
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

/* A plan as `algorithm` takes it: HEDDLE_E_REFUSED for what cannot be. */
heddle_status hd_walk_of(heddle_context *ctx, const char *algorithm, const hd_plan *asked, const hd_device_info *device,
                         hd_walk *walk);
/* Entries of at most so many edges where a plan balances over edges: what is best depends on the algorithm. */
void hd_walk_cut(hd_walk *walk, uint32_t chunk);
/* Entries of a list of so many vertices with so many edges, at most. */
uint64_t hd_walk_room(const hd_walk *walk, uint64_t vertices, uint64_t edges);

#endif
