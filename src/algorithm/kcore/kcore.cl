/* kcore.cl - core numbers on a device: peeling, level by level, as kcore.c does it on the CPU. The rows are those of a
 * simple undirected graph. Idea: a round is a scan or a step of removals. A scan looks at the vertices that are left,
 * each warp at its share, and queues those that have no more neighbours left than the level. In a step of removals each
 * group takes a share of the queue, and then, without waiting for the others, the vertices that drop to the level
 * thereby, through many of kcore.c's steps: those that it adds are its own, in shared memory. Work that is too much for
 * one group goes to the end of the queue, for all to share in the next round; so do long rows, in pieces. Then comes
 * the level of the least number of neighbours that was seen.
 *
 * With a grid barrier all rounds are one launch, otherwise a round is one, and one that plans the next. */
#include "algorithm/kcore/kcore_state.h"
#include "engine/primitive/owner.cl"

#define KCORE_NONE 0xffffffffu

#define KCORE_GRAPH                                                                                                    \
    u32 n, u32 share, GLOBAL u32 *state, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *left, \
        GLOBAL u32 *core, GLOBAL u32 *rest, GLOBAL u32 *kept, GLOBAL u32 *queue, GLOBAL u32 *pieces

typedef struct peeling {
    u32 n, share; /* vertices of a warp's share of the rest */
    GLOBAL u32 *state;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
    GLOBAL u32 *left; /* neighbours left; of removed vertices, no more than their level */
    GLOBAL u32 *core;
    GLOBAL u32 *rest, *kept; /* vertices not removed when they were last looked at, share by share; how many */
    GLOBAL u32 *queue;       /* each vertex once at most */
    GLOBAL u32 *pieces;      /* of long rows: vertex and number */
} peeling;

/* A group's shared memory. */
typedef struct desk {
    LOCAL u32 *plan, *own;     /* vertices to be removed by this group */
    LOCAL u32 *count, *least;  /* of them; of the numbers that this group has seen */
    LOCAL u32 *scratch, *upto; /* of this warp */
    LOCAL hd_offset *entries;
} desk;

#define KCORE_PEELING                                                                                   \
    peeling g;                                                                                          \
    g.n = n, g.share = share, g.state = state, g.offsets = offsets, g.targets = targets, g.left = left; \
    g.core = core, g.rest = rest, g.kept = kept, g.queue = queue, g.pieces = pieces
#define KCORE_DESK                                                                                  \
    SHARED u32 kcore_plan[KCORE_PLAN], kcore_own[KCORE_OWN], kcore_counts[2];                       \
    SHARED u32 kcore_scratch[HD_WARPS][HD_SCRATCH], kcore_upto[HD_WARPS][HD_WARP];                  \
    SHARED hd_offset kcore_entries[HD_WARPS][HD_WARP];                                              \
    desk h;                                                                                         \
    h.plan = kcore_plan, h.own = kcore_own, h.count = &kcore_counts[0], h.least = &kcore_counts[1]; \
    h.scratch = kcore_scratch[HD_WARP_HERE], h.upto = kcore_upto[HD_WARP_HERE], h.entries = kcore_entries[HD_WARP_HERE]

INLINE GLOBAL u32 *kcore_slot(GLOBAL u32 *state, u32 round) { return state + KCORE_PLAN + round % 3 * KCORE_SLOT; }

INLINE void kcore_clear_slot(GLOBAL u32 *slot) {
    slot[KCORE_MORE] = slot[KCORE_MORE_PIECES] = 0;
    slot[KCORE_LOWEST] = KCORE_NONE;
}

INLINE void kcore_load_plan(const peeling *g, const desk *h) {
    if (HD_GROUP_LANE == 0)
        for (u32 i = 0; i < KCORE_PLAN; i++)
            h->plan[i] = g->state[i];
    hd_group_barrier();
}

INLINE void kcore_save_plan(const peeling *g, const desk *h) {
    for (u32 i = 0; i < KCORE_PLAN; i++)
        g->state[i] = h->plan[i];
}

/* The next step, after a round. One lane of every group computes it, with the same result. */
INLINE void kcore_turn(const peeling *g, const desk *h) {
    GLOBAL u32 *slot = kcore_slot(g->state, h->plan[KCORE_ROUND]);
    u32 more = hd_load32(&slot[KCORE_MORE]), more_pieces = hd_load32(&slot[KCORE_MORE_PIECES]);
    u32 lowest = hd_load32(&slot[KCORE_LOWEST]);
    h->plan[KCORE_ROUND]++;
    h->plan[KCORE_LEAST] = lowest < h->plan[KCORE_LEAST] ? lowest : h->plan[KCORE_LEAST];
    h->plan[KCORE_FROM] = h->plan[KCORE_TO];
    h->plan[KCORE_TO] += more;
    h->plan[KCORE_FIRST_PIECE] = h->plan[KCORE_LAST_PIECE];
    h->plan[KCORE_LAST_PIECE] += more_pieces;
    if (more || more_pieces) {
        h->plan[KCORE_LEVELS] += h->plan[KCORE_TURN] == KCORE_SCAN;
        h->plan[KCORE_TURN] = KCORE_PEEL;
        return;
    }
    h->plan[KCORE_TURN] = h->plan[KCORE_LEAST] == KCORE_NONE ? KCORE_DONE : KCORE_SCAN;
    h->plan[KCORE_K] = h->plan[KCORE_LEAST];
    h->plan[KCORE_LEAST] = KCORE_NONE;
}

/* The group's least number goes to the slot of the round. */
INLINE void kcore_note_least(const peeling *g, const desk *h, u32 least) {
    if (least != KCORE_NONE)
        hd_min_local(h->least, least);
    hd_group_barrier();
    if (HD_GROUP_LANE == 0 && *h->least != KCORE_NONE)
        hd_min32(&kcore_slot(g->state, h->plan[KCORE_ROUND])[KCORE_LOWEST], *h->least);
}

/* ---- Scans ------------------------------------------------------------------------------------------------------- */

/* `scans`: whether it is a scan's turn. */
INLINE void kcore_scan_rest(const peeling *g, const desk *h, int scans) {
    GLOBAL u32 *slot = kcore_slot(g->state, h->plan[KCORE_ROUND]);
    u64 begin = HD_WARP_INDEX * g->share;
    u32 count = scans && begin < g->n ? g->kept[HD_WARP_INDEX] : 0, keeps = 0, least = KCORE_NONE, k = h->plan[KCORE_K];
    if (HD_GROUP_LANE == 0)
        *h->least = KCORE_NONE;
    hd_group_barrier();
    for (u32 first = 0; first < count; first += HD_WARP) {
        u32 i = first + HD_LANE, v = i < count ? g->rest[begin + i] : 0, all;
        u32 here = i < count ? hd_load32(&g->left[v]) : 0;
        int stays = i < count && here > k, goes = i < count && here == k;
        u32 place = hd_rank(h->scratch, stays, &all);
        if (stays) {
            g->rest[begin + keeps + place] = v; /* others have read what was there */
            least = here < least ? here : least;
        }
        keeps += all;
        place = hd_space(h->scratch, &slot[KCORE_MORE], goes ? 1 : 0);
        if (goes) {
            g->queue[h->plan[KCORE_TO] + place] = v;
            g->core[v] = k;
        }
    }
    if (HD_LANE == 0 && count)
        g->kept[HD_WARP_INDEX] = keeps;
    kcore_note_least(g, h, least);
}

/* ---- Removals ---------------------------------------------------------------------------------------------------- */

/* A neighbour of a removed vertex. Only the one that lowers it to the level queues it. */
INLINE void kcore_lower(const peeling *g, const desk *h, u32 k, u32 w, u32 *least) {
    u32 before = hd_add32(&g->left[w], 0xffffffffu), place;
    if (before > k + 1) {
        *least = before - 1 < *least ? before - 1 : *least;
    } else if (before == k + 1) {
        g->core[w] = k;
        place = hd_add_local(h->count, 1);
        if (place < KCORE_OWN)
            h->own[place] = w;
        else
            g->queue[h->plan[KCORE_TO] + hd_add32(&kcore_slot(g->state, h->plan[KCORE_ROUND])[KCORE_MORE], 1)] = w;
    }
}

/* A warp removes a vertex for each lane that has one; long rows wait for the next round. */
INLINE void kcore_remove(const peeling *g, const desk *h, u32 k, u32 v, int has, u32 *least) {
    hd_offset begin = has ? g->offsets[v] : 0;
    u32 degree = has ? (u32)(g->offsets[v + 1] - begin) : 0, below, all, owner = 0, end = 0;
    hd_offset entries = 0;
    if (degree > KCORE_LONG) {
        u32 count = (degree + KCORE_PIECE - 1) / KCORE_PIECE;
        u32 first =
            h->plan[KCORE_LAST_PIECE] + hd_add32(&kcore_slot(g->state, h->plan[KCORE_ROUND])[KCORE_MORE_PIECES], count);
        for (u32 i = 0; i < count; i++) {
            g->pieces[2 * ((u64)first + i)] = v;
            g->pieces[2 * ((u64)first + i) + 1] = i;
        }
        degree = 0;
    }
    below = hd_scan(h->scratch, degree, &all);
    h->upto[HD_LANE] = below + degree;
    h->entries[HD_LANE] = begin - below;
    hd_warp_barrier();
    for (u32 i = HD_LANE; i < all; i += HD_WARP) {
        u32 w;
        if (i >= end) {
            owner = hd_owner(h->upto, owner, i);
            end = h->upto[owner];
            entries = h->entries[owner];
        }
        w = g->targets[(hd_offset)(entries + i)];
        /* Where there is much to do, an atomic costs more than a look. */
        if (all <= 4 * HD_WARP || hd_load32(&g->left[w]) > k)
            kcore_lower(g, h, k, w, least);
    }
    hd_warp_barrier();
}

INLINE void kcore_remove_piece(const peeling *g, const desk *h, u32 k, u64 p, u32 *least) {
    u32 v = hd_far(&g->pieces[2 * p]);
    u64 begin = (u64)g->offsets[v] + (u64)hd_far(&g->pieces[2 * p + 1]) * KCORE_PIECE, end = g->offsets[v + 1];
    end = end - begin < KCORE_PIECE ? end : begin + KCORE_PIECE;
    for (u64 e = begin + HD_LANE; e < end; e += HD_WARP) {
        u32 w = g->targets[e];
        if (hd_load32(&g->left[w]) > k)
            kcore_lower(g, h, k, w, least);
    }
}

/* `peels`: whether it is the turn of removals. Neighbouring entries go to different groups. */
INLINE void kcore_remove_all(const peeling *g, const desk *h, int peels) {
    u32 k = h->plan[KCORE_K], least = KCORE_NONE, head = 0, first_piece = h->plan[KCORE_FIRST_PIECE];
    u64 order = HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX, from = h->plan[KCORE_FROM];
    u64 to = peels ? h->plan[KCORE_TO] : from, last_piece = peels ? h->plan[KCORE_LAST_PIECE] : first_piece;
    if (HD_GROUP_LANE == 0) {
        *h->count = 0;
        *h->least = KCORE_NONE;
    }
    hd_group_barrier();
    for (u64 p = first_piece + order; p < last_piece; p += HD_WARP_TOTAL)
        kcore_remove_piece(g, h, k, p, &least);
    for (u64 base = from + order; base < to; base += HD_WARP_TOTAL * HD_WARP) {
        u64 i = base + HD_LANE * HD_WARP_TOTAL;
        kcore_remove(g, h, k, i < to ? hd_far(&g->queue[i]) : 0, i < to, &least);
    }
    for (;;) {
        u32 tail;
        hd_group_barrier();
        tail = *h->count < KCORE_OWN ? *h->count : KCORE_OWN;
        hd_group_barrier();
        if (head == tail)
            break;
        for (u32 base = head + HD_WARP_HERE; base < tail; base += HD_WARPS * HD_WARP) {
            u32 i = base + HD_LANE * HD_WARPS;
            kcore_remove(g, h, k, i < tail ? h->own[i] : 0, i < tail, &least);
        }
        head = tail;
    }
    kcore_note_least(g, h, least);
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

KERNEL kcore_start(KCORE_GRAPH) {
    (void)targets, (void)core, (void)queue, (void)pieces;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        left[v] = (u32)(offsets[v + 1] - offsets[v]);
        rest[v] = (u32)v;
        if (v % share == 0)
            kept[v / share] = n - v < share ? (u32)(n - v) : share;
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        for (u32 word = 0; word < KCORE_WORDS; word++)
            state[word] = word == KCORE_LEAST ? KCORE_NONE : 0;
        for (u32 round = 0; round < 3; round++)
            kcore_clear_slot(kcore_slot(state, round));
    }
}

/* All rounds in one launch, `most` at most. */
KERNEL kcore_run(KCORE_GRAPH, u32 most) {
    KCORE_PEELING;
    KCORE_DESK;
    int first = HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0;
    kcore_load_plan(&g, &h);
    for (u32 i = 0; i < most; i++) {
        u32 turn = h.plan[KCORE_TURN];
        if (turn == KCORE_DONE)
            break;
        if (first)
            kcore_clear_slot(kcore_slot(state, h.plan[KCORE_ROUND] + 1));
        HD_IF_UNIFORM(turn == KCORE_SCAN) { kcore_scan_rest(&g, &h, turn == KCORE_SCAN); }
        HD_IF_UNIFORM(turn == KCORE_PEEL) { kcore_remove_all(&g, &h, turn == KCORE_PEEL); }
        hd_grid_barrier(&state[KCORE_BARRIER]);
        if (HD_GROUP_LANE == 0)
            kcore_turn(&g, &h);
        hd_group_barrier();
    }
    if (first)
        kcore_save_plan(&g, &h);
}

/* The same with a launch per round. The host queues kernels of both kinds without looking: each does nothing if it is
 * not its turn. */
KERNEL kcore_scan(KCORE_GRAPH) {
    KCORE_PEELING;
    KCORE_DESK;
    kcore_load_plan(&g, &h);
    kcore_scan_rest(&g, &h, h.plan[KCORE_TURN] == KCORE_SCAN);
}

KERNEL kcore_peel(KCORE_GRAPH) {
    KCORE_PEELING;
    KCORE_DESK;
    kcore_load_plan(&g, &h);
    kcore_remove_all(&g, &h, h.plan[KCORE_TURN] == KCORE_PEEL);
}

KERNEL kcore_next(KCORE_GRAPH, u32 turn) {
    KCORE_PEELING;
    KCORE_DESK;
    kcore_load_plan(&g, &h);
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0 && h.plan[KCORE_TURN] == turn) {
        kcore_turn(&g, &h);
        kcore_clear_slot(kcore_slot(state, h.plan[KCORE_ROUND] + 1));
        kcore_save_plan(&g, &h);
    }
}
