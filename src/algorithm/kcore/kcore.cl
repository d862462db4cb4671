/* kcore.cl - core numbers on a device: peeling, level by level, as kcore.c does it on the CPU.
 * The rows are those of a simple undirected graph. The host queues kernels of both kinds without looking: each returns
 * at once if it is not its turn. */
#include "algorithm/kcore/kcore_state.h"

#define KCORE_NONE 0xffffffffu

KERNEL kcore_start(u32 n, GLOBAL const hd_offset *offsets, GLOBAL u32 *left, GLOBAL u32 *state) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        left[v] = (u32)(offsets[v + 1] - offsets[v]);
        if (v < KCORE_WORDS)
            state[v] = v == KCORE_LEAST ? KCORE_NONE : 0;
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) /* there may be fewer vertices than words */
        for (u32 word = n; word < KCORE_WORDS; word++)
            state[word] = word == KCORE_LEAST ? KCORE_NONE : 0;
}

/* Queues the vertices that have exactly k neighbours left; removed ones have fewer. */
KERNEL kcore_scan(u32 n, GLOBAL const u32 *left, GLOBAL u32 *queue, GLOBAL u32 *state) {
    u32 k = state[KCORE_K], least = KCORE_NONE;
    if (state[KCORE_TURN] != KCORE_SCAN)
        return;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 here = left[v];
        if (here == k)
            queue[hd_add32(&state[KCORE_TAIL], 1)] = (u32)v;
        else if (here > k && here < least)
            least = here;
    }
    if (least < hd_load32(&state[KCORE_LEAST]))
        hd_min32(&state[KCORE_LEAST], least);
}

/* A warp per vertex: neighbours that drop to k are queued. Of several lanes that lower the same neighbour below that,
 * all but the first take it back. */
KERNEL kcore_peel(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *left, GLOBAL u32 *queue,
                  GLOBAL u32 *state) {
    u32 k = state[KCORE_K], to = state[KCORE_TO];
    if (state[KCORE_TURN] != KCORE_PEEL)
        return;
    for (u64 i = state[KCORE_FROM] + HD_WARP_INDEX; i < to; i += HD_WARP_TOTAL) {
        u32 v = queue[i];
        for (u64 e = (u64)offsets[v] + HD_LANE; e < offsets[v + 1]; e += HD_WARP) {
            u32 w = targets[e], before;
            if (hd_load32(&left[w]) <= k)
                continue;
            before = hd_add32(&left[w], 0xffffffffu);
            if (before == k + 1)
                queue[hd_add32(&state[KCORE_TAIL], 1)] = w;
            else if (before <= k)
                hd_add32(&left[w], 1);
        }
    }
}

/* One lane, after a scan or a step of removals: what is next. */
KERNEL kcore_next(u32 n, u32 turn, GLOBAL u32 *state) {
    if (HD_GROUP_INDEX || HD_GROUP_LANE || state[KCORE_TURN] != turn)
        return;
    state[KCORE_STEPS]++;
    state[KCORE_FROM] = state[KCORE_TO];
    state[KCORE_TO] = state[KCORE_TAIL];
    if (state[KCORE_FROM] < state[KCORE_TO]) {
        state[KCORE_LEVELS] += turn == KCORE_SCAN;
        state[KCORE_TURN] = KCORE_PEEL;
        return;
    }
    state[KCORE_TURN] = state[KCORE_TAIL] == n ? KCORE_DONE : KCORE_SCAN;
    state[KCORE_K] = turn == KCORE_SCAN ? state[KCORE_LEAST] : state[KCORE_K] + 1; /* a level without vertices */
    state[KCORE_LEAST] = KCORE_NONE;
}
