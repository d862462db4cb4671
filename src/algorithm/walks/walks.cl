/* walks.cl - random walks on a device: a lane per walk. Step k of all walks lies side by side. */
#include "engine/walk_step.h"

/* Walks [first, first + count) of all; `each` of them begin at each source. */
KERNEL walks_go(u64 first, u64 count, u64 each, u64 steps, u32 all, GLOBAL const u32 *sources,
                GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const u64 *sums, u64 seed,
                u32 weighted, u32 second, u32 back, u32 near, u32 far, GLOBAL u32 *path) {
    walk_rules rules;
    rules.seed = seed;
    rules.weighted = weighted;
    rules.second = second;
    rules.back = back;
    rules.near = near;
    rules.far = far;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 walk = first + i, drawn = 0;
        u32 before = WALK_NONE, at = all ? (u32)(walk / each) : sources[walk / each];
        u64 stream = walk_stream(seed, at, walk % each);
        path[i] = at;
        for (u64 k = 1; k <= steps; k++) {
            u32 next =
                at == WALK_NONE ? WALK_NONE : walk_next(rules, offsets, targets, sums, before, at, stream, &drawn);
            before = at;
            at = next;
            path[k * count + i] = at;
        }
    }
}
