/* walk.cl - the schedules for kernels that are not vertex programs: a warp walks the edges of a list of entries.
 * Idea: the walks of thread, vwarp, wseg, vnode and edge (their files name the papers) as one macro, for bc, scc and
 * mst under named plans; scc and mst also walk by it under plan auto.
 *
 * HD_DEFINE_WALK(name, type, entry_at, visit) makes name(const type *job, LOCAL hd_walk_share *share, u64 count), which
 * all warps of a kernel call. entry_at(job, i) is entry i of `count`; visit(job, share, there, vertex, edge) is called
 * by all lanes of a warp at once, with there = 0 for idle ones, so collectives may stand in it. HD_WALK says who walks
 * what: 1 thread, 2 vwarp (HD_WIDTH lanes an entry), 3 wseg, 4 vnode, 5 edge. The last two want vertices cut into
 * entries of at most HD_CHUNK edges, vnode with HD_COALESCED as far apart as there are entries; hd_walk_append makes
 * such lists. */

#if HD_WALK < 1 || HD_WALK > 5
#error "HD_WALK: expected 1 to 5"
#endif
#define HD_WALK_CUTS (HD_WALK >= 4)
#define HD_WALK_SEGMENTS (HD_WALK == 3 || HD_WALK == 5)
#if HD_WALK == 2
#define HD_WALK_WIDTH HD_WIDTH
#else
#define HD_WALK_WIDTH 1u
#endif

/* An entry: `length` edges of a vertex, at edge, edge + stride … */
typedef struct hd_entry {
    u32 vertex;
    u32 length;
    u32 stride;
    u64 edge;
} hd_entry;

typedef struct hd_walk_share {
    u32 scratch[HD_WARP + 2]; /* for collectives, also those of `visit` */
#if HD_WALK_SEGMENTS
    u64 starts[HD_WARP];
    u64 firsts[HD_WARP];
    u32 owners[HD_WARP];
#endif
#if HD_WALK_CUTS
    u32 ends[HD_WARP];
    u32 names[HD_WARP];
#endif
} hd_walk_share;

INLINE hd_entry hd_entry_none(void) {
    hd_entry entry;
    entry.vertex = 0, entry.length = 0, entry.stride = 1, entry.edge = 0;
    return entry;
}

/* How many entries a vertex of `length` edges has. */
INLINE u32 hd_walk_parts(u32 length) {
#if HD_WALK_CUTS
    return length / HD_CHUNK + (length % HD_CHUNK != 0);
#else
    return length != 0;
#endif
}

/* Entry number `part` of a vertex whose edges begin at `first`. */
INLINE hd_entry hd_walk_part(u32 vertex, u64 first, u32 length, u32 part) {
    hd_entry entry;
    entry.vertex = vertex, entry.length = length, entry.stride = 1, entry.edge = first;
#if HD_WALK == 4 && HD_COALESCED
    entry.stride = hd_walk_parts(length);
    entry.edge = first + part;
    entry.length = (length - part) / entry.stride + ((length - part) % entry.stride != 0);
#elif HD_WALK_CUTS
    u32 left = length - part * HD_CHUNK;
    entry.edge = first + (u64)part * HD_CHUNK;
    entry.length = left < HD_CHUNK ? left : HD_CHUNK;
#endif
    (void)part;
    return entry;
}

/* The same, with the row found in `offsets`. */
INLINE hd_entry hd_walk_row(GLOBAL const hd_offset *offsets, u32 vertex, u32 part) {
    u64 first = offsets[vertex];
    return hd_walk_part(vertex, first, (u32)(offsets[vertex + 1] - first), part);
}

/* Entry i of a list of pairs: vertex, number of the part. */
INLINE hd_entry hd_walk_listed(GLOBAL const u32 *list, GLOBAL const hd_offset *offsets, u64 i) {
    return hd_walk_row(offsets, list[2 * i], list[2 * i + 1]);
}

/* The largest k < count with starts[k] <= place. */
#define HD_DEFINE_WALK_SEARCH(name, type)                              \
    INLINE u32 name(LOCAL const type *starts, u32 count, type place) { \
        u32 low = 0;                                                   \
        while (count - low > 1) {                                      \
            u32 middle = low + (count - low) / 2;                      \
            if (starts[middle] <= place)                               \
                low = middle;                                          \
            else                                                       \
                count = middle;                                        \
        }                                                              \
        return low;                                                    \
    }
HD_DEFINE_WALK_SEARCH(hd_walk_search, u64)
HD_DEFINE_WALK_SEARCH(hd_walk_search32, u32)

/* Appends the entries of the vertices of all lanes that have the flag, as pairs, with one atomic per warp. All lanes
 * call it, in uniform flow. Vertices without edges have no entries. */
INLINE void hd_walk_append(LOCAL hd_walk_share *share, int flag, u32 vertex, u32 length, GLOBAL u32 *list,
                           GLOBAL u32 *count) {
    u32 lane = HD_LANE, total, base = 0, any;
    flag = flag && length != 0;
#if HD_WALK_CUTS
    hd_rank(share->scratch, flag, &any);
    HD_IF_UNIFORM(any) {
        u32 before = hd_scan(share->scratch, flag ? hd_walk_parts(length) : 0, &total);
        share->ends[lane] = before;
        share->names[lane] = vertex;
        if (lane == 0 && total)
            base = hd_add32(count, total);
        base = hd_broadcast(share->scratch, base);
        hd_warp_barrier();
        for (u32 i = lane; i < total; i += HD_WARP) {
            u32 owner = hd_walk_search32(share->ends, HD_WARP, i);
            list[2 * ((u64)base + i)] = share->names[owner];
            list[2 * ((u64)base + i) + 1] = i - share->ends[owner];
        }
        hd_warp_barrier();
    }
#else
    u32 rank = hd_rank(share->scratch, flag, &total);
    (void)any;
    HD_IF_UNIFORM(total) {
        if (lane == 0 && total)
            base = hd_add32(count, total);
        base = hd_broadcast(share->scratch, base);
        if (flag) {
            list[2 * ((u64)base + rank)] = vertex;
            list[2 * ((u64)base + rank) + 1] = 0;
        }
    }
#endif
}

#if HD_WALK_SEGMENTS
INLINE u64 hd_walk_scan(LOCAL u32 *scratch, u32 mine, u64 *total) {
#ifdef HD_OFFSET_64
    u32 low_total, high_total;
    u64 low = hd_scan(scratch, mine & 0xffff, &low_total), high = hd_scan(scratch, mine >> 16, &high_total);
    *total = ((u64)high_total << 16) + low_total;
    return (high << 16) + low;
#else
    u32 sum, below = hd_scan(scratch, mine, &sum);
    *total = sum;
    return below;
#endif
}

/* A warp takes HD_WARP entries at a time and distributes their edges over its lanes; a lane finds the entry of its edge
 * by binary search. */
#define HD_DEFINE_WALK(name, type, entry_at, visit)                                                  \
    INLINE void name(const type *job, LOCAL hd_walk_share *share, u64 count) {                       \
        u32 lane = HD_LANE;                                                                          \
        for (u64 first = HD_WARP_INDEX * HD_WARP; first < count; first += HD_WARP_TOTAL * HD_WARP) { \
            hd_entry entry = hd_entry_none();                                                        \
            u64 total, start;                                                                        \
            if (first + lane < count)                                                                \
                entry = entry_at(job, first + lane);                                                 \
            start = hd_walk_scan(share->scratch, entry.length, &total);                              \
            hd_warp_barrier();                                                                       \
            share->starts[lane] = start;                                                             \
            share->firsts[lane] = entry.edge;                                                        \
            share->owners[lane] = entry.vertex;                                                      \
            hd_warp_barrier();                                                                       \
            for (u64 at = 0; at < total; at += HD_WARP) {                                            \
                u64 place = at + lane;                                                               \
                u32 row = hd_walk_search(share->starts, HD_WARP, place);                             \
                visit(job, share, place < total, share->owners[row],                                 \
                      share->firsts[row] + (place - share->starts[row]));                            \
            }                                                                                        \
            hd_warp_barrier();                                                                       \
        }                                                                                            \
    }
#else
/* HD_WALK_WIDTH lanes per entry. The warp takes as many steps as its longest entry needs. */
#define HD_DEFINE_WALK(name, type, entry_at, visit)                                                                 \
    INLINE void name(const type *job, LOCAL hd_walk_share *share, u64 count) {                                      \
        u32 part = HD_LANE % HD_WALK_WIDTH;                                                                         \
        u64 at_once = HD_WARP / HD_WALK_WIDTH;                                                                      \
        for (u64 first = HD_WARP_INDEX * at_once; first < count; first += HD_WARP_TOTAL * at_once) {                \
            u64 i = first + HD_LANE / HD_WALK_WIDTH;                                                                \
            hd_entry entry = hd_entry_none();                                                                       \
            if (i < count)                                                                                          \
                entry = entry_at(job, i);                                                                           \
            u32 most = hd_largest(share->scratch, entry.length);                                                    \
            for (u64 at = 0; at < most; at += HD_WALK_WIDTH)                                                        \
                visit(job, share, at + part < entry.length, entry.vertex, entry.edge + (at + part) * entry.stride); \
        }                                                                                                           \
    }
#endif
