/* sets.cl - disjoint sets over the vertices, and rows, for the kernels of cc, scc and mst.
 * Idea: lock-free union-find with hooking and pointer jumping (Shiloach and Vishkin, 1982; Jaiganesh and Burtscher,
 * HPDC 2018). parent[v] is never above v, so stale reads from a near cache are still ancestors: only the
 * compare-and-swap that links two roots must be exact, and loads need not be coherent.
 *
 * No cycle can arise, and a root is the smallest of its set. A vertex that has stopped being a root never becomes one
 * again; one that is taken for a root by mistake is found out by the compare-and-swap. */

#include "algorithm/structure/sets_state.h"
#include "engine/primitive/row_of.cl"

enum {
    SET_SAMPLES = 4, /* vertices per lane */
    SET_SLOTS = 1024 /* of a histogram; a power of two */
};

/* The root of v's tree, as far as this lane sees it. Path splitting: every vertex on the way gets its grandparent as
 * parent. */
INLINE u32 set_root(GLOBAL u32 *parent, u32 v) {
    u32 up = parent[v], higher;
    while ((higher = parent[up]) != up) {
        hd_store32(&parent[v], higher);
        v = up;
        up = higher;
    }
    return up;
}

/* Unites two sets: the larger root becomes a child of the smaller one. Returns 0 if they were one set already. */
INLINE int set_join(GLOBAL u32 *parent, u32 u, u32 v) {
    u = parent[u];
    v = parent[v];
    if (u == v)
        return 0;
    u = set_root(parent, u);
    v = set_root(parent, v);
    while (u != v) {
        u32 high = u > v ? u : v, low = u > v ? v : u;
        u32 found = hd_swap32(&parent[high], high, low);
        if (found == high)
            return 1;
        u = set_root(parent, found);
        v = low;
    }
    return 0;
}

/* The root of v's tree without path splitting, which would overwrite what other lanes write meanwhile. */
INLINE u32 set_top(GLOBAL const u32 *parent, u32 v) {
    u32 up = parent[v], higher;
    while ((higher = parent[up]) != up)
        up = higher;
    return up;
}

/* Every vertex gets its root as parent; each lane writes only its own vertices. */
KERNEL set_flatten(u32 n, GLOBAL u32 *parent) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 up = parent[i], root = set_top(parent, up);
        if (root != up)
            hd_store32(&parent[i], root);
    }
}

/* Four pointer-jumping steps per vertex; does nothing if an earlier turn left every vertex at its root. */
KERNEL set_jump(u32 n, u32 first_turn, u32 turn, GLOBAL u32 *parent, GLOBAL u32 *state) {
    GLOBAL u32 *open = state + SET_OPEN;
    if (turn == first_turn || open[turn - 1])
        for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
            u32 first = parent[i], second = parent[first];
            if (second != first) {
                u32 third = parent[second], fourth = parent[third];
                hd_store32(&parent[i], fourth);
                if (fourth != third && !open[turn])
                    open[turn] = 1;
            }
        }
}

INLINE u32 set_slot(u32 root) { return root * 2654435761u >> 22; }

/* One group: the most frequent root of a sample of vertices. Roots may collide in a slot; a wrong guess only costs
 * time. */
KERNEL set_sample(u32 n, GLOBAL u32 *parent, GLOBAL u32 *state) {
    SHARED u32 counts[SET_SLOTS];
    SHARED u32 best;
    u32 root[SET_SAMPLES];
    for (u32 i = HD_GROUP_LANE; i < SET_SLOTS; i += HD_GROUP_SIZE)
        counts[i] = 0;
    if (HD_GROUP_LANE == 0)
        best = ~0u;
    hd_group_barrier();
    for (u32 i = 0; i < SET_SAMPLES; i++) {
        u32 k = i * HD_GROUP_SIZE + HD_GROUP_LANE;
        root[i] = set_root(parent, (u32)((u64)k * n / (SET_SAMPLES * HD_GROUP_SIZE)));
        hd_add_local(&counts[set_slot(root[i])], 1);
    }
    hd_group_barrier();
    for (u32 i = 0; i < SET_SAMPLES; i++) {
        u32 slot = set_slot(root[i]);
        hd_min_local(&best, (SET_SLOTS * SET_SAMPLES - counts[slot]) * SET_SLOTS + slot);
    }
    hd_group_barrier();
    if (HD_GROUP_LANE == 0)
        state[SET_VOTES] = counts[best % SET_SLOTS];
    for (u32 i = 0; i < SET_SAMPLES; i++)
        if (set_slot(root[i]) == best % SET_SLOTS)
            hd_store32(&state[SET_GIANT], root[i]);
}
