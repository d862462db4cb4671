/* sets.h - rows, and disjoint sets over the vertices, for kernels of cc, scc and mst.
 *
 * parent[v] is an ancestor of v, and never above v: no cycle can arise, and a root is the smallest of its set. A vertex
 * that has stopped being a root never becomes one again. So a look at a parent may be an old one, from a cache: it
 * still is an ancestor, and one that is taken for a root is found out by the exchange. */
#ifdef HD_OFFSET_64
typedef u64 row_place;
#else
typedef u32 row_place;
#endif

/* The root of v's tree as far as known here; every other vertex on the way gets its parent's parent. */
INLINE u32 set_root(GLOBAL u32 *parent, u32 v) {
    u32 up = parent[v], higher;
    while ((higher = parent[up]) != up) {
        hd_store32(&parent[v], higher);
        v = up;
        up = higher;
    }
    return up;
}

/* Makes two sets one: the larger root hangs below the smaller. */
INLINE void set_join(GLOBAL u32 *parent, u32 u, u32 v) {
    u = parent[u];
    v = parent[v];
    if (u == v)
        return;
    u = set_root(parent, u);
    v = set_root(parent, v);
    while (u != v) {
        u32 high = u > v ? u : v, low = u > v ? v : u;
        u32 found = hd_swap32(&parent[high], high, low);
        if (found == high)
            break;
        u = set_root(parent, found);
        v = low;
    }
}
