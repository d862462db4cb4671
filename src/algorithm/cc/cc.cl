/* cc.cl - connected components on a device.
 * Idea: Afforest (Sutton, Ben-Nun and Barak, IPDPS 2018): link a few neighbours of each vertex, sample the largest
 * component, then process only vertices outside it. Beats label propagation under every schedule, 0.231 ms on rmat22
 * against 4.13 of the best one, and Afforest's own code, 0.771 (bench/notes).
 *
 * Rows ascend, so a vertex' first neighbour is its smallest: making it the parent of every larger vertex builds a
 * forest without atomics. The trees are flattened by pointer jumping and hooked to each other by second neighbours;
 * what is left is linked by the last neighbours of a sample of vertices. Where rows lie in host memory (HD_HEADS is not
 * 0), vertices below `headed` have their HD_HEADS neighbours of largest degree in `heads` (heads.cl): these are linked
 * instead, and only rows outside the largest component are read. */
enum {
    SHORT = 16,  /* edges that a lane walks alone */
    LONG = 4096, /* longer rows are shared by all warps */
    TILE = 1024  /* arcs that a warp takes at once */
};
/* state: root of the (probably) largest component; number of long rows */
enum { LONG_COUNT = SET_WORDS };

#define CC_HEADS u32 headed, GLOBAL const u32 *heads

/* Neighbour i of a vertex: 0, 1 or the last one. If the vertex has heads, its i-th head, by degree. */
INLINE u32 cc_neighbour(CC_HEADS, GLOBAL const u32 *targets, hd_offset begin, hd_offset end, u32 v, u32 i) {
#if HD_HEADS
    if (v < headed) {
        u32 count, at = hd_heads_at(heads, v, &count);
        return hd_constant(&heads[at + (i < count ? i : count - 1)]);
    }
#endif
    return targets[i < end - begin ? begin + i : end - 1];
}
#define CC_LAST 0xffffffffu

KERNEL cc_start(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent,
                GLOBAL u32 *state, CC_HEADS) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i, first = v;
        hd_offset begin = offsets[v];
        hd_offset end = offsets[v + 1];
        if (begin < end)
            first = cc_neighbour(headed, heads, targets, begin, end, v, 0);
        parent[v] = first < v ? first : v;
        if (v == 0)
            for (u32 word = 0; word <= LONG_COUNT; word++)
                state[word] = 0;
    }
}

/* Hooks the larger root below the smaller one, by an atomic minimum; the trees are flat. This may undo another hook of
 * that root: its edge must be examined again, but no vertex gets into a wrong tree. */
INLINE void cc_hook_up(GLOBAL u32 *parent, u32 u, u32 v) {
    u32 high, low;
    u = parent[u];
    v = parent[v];
    high = u > v ? u : v, low = u > v ? v : u;
    if (low != high && parent[high] > low)
        hd_min32(&parent[high], low);
}

/* Hooks by the second neighbour of every vertex, and by the first one if it is the larger end. */
KERNEL cc_hook(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent, CC_HEADS) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        hd_offset begin = offsets[i], end = offsets[i + 1];
        u32 first = (u32)i;
        if (begin < end)
            first = cc_neighbour(headed, heads, targets, begin, end, (u32)i, 0);
        if (first > i)
            cc_hook_up(parent, (u32)i, first);
        if (end - begin > 1)
            cc_hook_up(parent, (u32)i, cc_neighbour(headed, heads, targets, begin, end, (u32)i, 1));
    }
}

/* Links the trees that are left by the last neighbour of one vertex in `sparse`, with compare-and-swap: no link is
 * lost. */
KERNEL cc_link(u32 n, u32 sparse, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent,
               CC_HEADS) {
    u32 some = (n - 1) / sparse + 1;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < some; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i * sparse;
        hd_offset begin = offsets[v], end = offsets[v + 1];
        if (begin < end)
            set_join(parent, v, cc_neighbour(headed, heads, targets, begin, end, v, CC_LAST));
    }
}

/* Whether v is known to be in the largest component, whose root may have changed meanwhile. */
INLINE int cc_settled(GLOBAL u32 *parent, u32 v, u32 giant) {
    u32 root = parent[v];
    if (root != giant)
        root = set_root(parent, root);
    return root == giant || root == hd_load32(&parent[giant]);
}

/* Links all edges of the vertices outside the largest component. */
KERNEL cc_finish(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent,
                 GLOBAL u32 *state, GLOBAL u32 *rows) {
    SHARED hd_offset begins[HD_WARPS][HD_WARP], ends[HD_WARPS][HD_WARP];
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    u32 giant = state[SET_GIANT], lane = HD_LANE, here = HD_WARP_HERE;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < n; first += HD_WARP_TOTAL * HD_WARP) {
        u32 v = (u32)first + lane, shared;
        hd_offset begin = 0, end = 0;
        if (first + lane < n) {
            begin = offsets[v];
            end = offsets[v + 1];
            if (end > begin && cc_settled(parent, v, giant))
                end = begin;
        }
        if (end > begin && end - begin > LONG) {
            rows[hd_add32(&state[LONG_COUNT], 1)] = v;
            end = begin;
        }
        begins[here][lane] = begin;
        ends[here][lane] = end;
        shared = hd_ballot(scratch[here], end > begin && end - begin > SHORT);
        if (!(shared >> lane & 1))
            for (hd_offset e = begin; e < end; e++)
                set_join(parent, v, targets[e]);
        hd_warp_barrier();
        for (; shared; shared &= shared - 1) {
            u32 k = hd_lowest(shared);
            for (u64 e = (u64)begins[here][k] + lane; e < ends[here][k]; e += HD_WARP)
                set_join(parent, (u32)first + k, targets[e]);
        }
        hd_warp_barrier();
    }
}

/* The long rows: all lanes of the launch share each. */
KERNEL cc_finish_long(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent, GLOBAL u32 *state,
                      GLOBAL u32 *rows) {
    u32 count = state[LONG_COUNT];
    for (u32 i = 0; i < count; i++) {
        u32 v = rows[i];
        u64 end = offsets[v + 1];
        for (u64 e = offsets[v] + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; e < end;
             e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
            set_join(parent, v, targets[e]);
    }
}

/* Links all edges; for graphs that store an edge at one end only. */
KERNEL cc_all(u32 n, u64 arcs, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *parent) {
    for (u64 begin = HD_WARP_INDEX * TILE; begin < arcs; begin += HD_WARP_TOTAL * TILE) {
        u64 end = arcs - begin < TILE ? arcs : begin + TILE;
        u32 first = row_of(offsets, 0, n, begin), last = row_of(offsets, first, n, end - 1);
        for (u64 e = begin + HD_LANE; e < end; e += HD_WARP)
            set_join(parent, row_of(offsets, first, last + 1, e), targets[e]);
    }
}
