/* bfs_box.cl - the frontier of bfs_narrow.cl in the shared memory of a cluster's groups, and how they share it out.
 * Idea: a counting sort by the high bits of ids. Neighbours are then mostly in one group, whose L1 has their rows. */

/* A vertex of the frontier with its row. */
typedef struct bfs_entry {
    u32 vertex;
    u32 degree;      /* with the flag BFS_IN_HEADS if the row is read from `heads` */
    hd_offset first; /* where the row begins there, or in out_targets */
} bfs_entry;

#define BFS_BUCKETS BFS_ROOM                            /* of ids, when entries are dealt out */
#define BFS_DEAL_EACH (BFS_ROOM / (HD_WARP * HD_WARPS)) /* entries, and buckets, of a lane then */
#define BFS_IN_HEADS 0x80000000u                        /* only with heads: no row of theirs is as long */

INLINE u32 bfs_degree_of(u32 flagged) { return HD_HEADS ? flagged & ~BFS_IN_HEADS : flagged; }

INLINE GLOBAL const u32 *bfs_row_at(const bfs_job *job, u32 degree, hd_offset first) {
#if HD_HEADS
    if (degree & BFS_IN_HEADS)
        return job->heads + first;
#endif
    return job->out_targets + first;
}

/* A group's entries of the frontier, in shared memory. */
typedef struct bfs_box {
    bfs_entry entries[2][BFS_ROOM];
    u32 counts[3];               /* entries, by depth; those beyond BFS_ROOM are in the queue */
    u32 longs[3];                /* by depth: whether the group found a long row, or had no room */
    u32 arrived[2 * HD_CLUSTER]; /* of hd_cluster_meet */
    u32 sums[HD_WARPS];
    unsigned short dealt[BFS_ROOM]; /* which entries of all groups this one takes: the group and the place there */
#if BFS_SPARE
    u32 touched[HD_WARP * HD_WARPS]; /* of hd_touch */
#endif
} bfs_box;

typedef struct bfs_lines {
    u32 scratch[HD_WARP + 2];
    u32 lengths[HD_WARP];
    hd_offset firsts[HD_WARP];
} bfs_lines;

/* Entry i of those that were dealt to the group; without its vertex. */
INLINE bfs_entry bfs_entry_dealt(LOCAL const bfs_box *box, u32 depth, u32 i) {
    u32 group = box->dealt[i] / BFS_ROOM, place = box->dealt[i] % BFS_ROOM;
    bfs_entry entry;
    entry.vertex = 0;
    entry.degree = HD_IN_CLUSTER(bfs_entry, &box->entries[depth % 2][place], group)->degree;
    entry.first = HD_IN_CLUSTER(bfs_entry, &box->entries[depth % 2][place], group)->first;
    return entry;
}

/* Where each bucket's entries of this group begin in the order of all entries. `counts`: of the buckets, in each
 * group. */
INLINE void bfs_deal_places(LOCAL bfs_box *box, LOCAL bfs_lines *lines, LOCAL const u32 *counts, LOCAL u32 *places) {
    u32 here[BFS_DEAL_EACH], before[BFS_DEAL_EACH], first = HD_GROUP_LANE * BFS_DEAL_EACH, all = 0, total, start;
    HD_UNROLL for (u32 j = 0; j < BFS_DEAL_EACH; j++) {
        here[j] = before[j] = 0;
        for (u32 group = 0; group < HD_CLUSTER; group++) {
            u32 count = *HD_IN_CLUSTER(u32, &counts[first + j], group);
            here[j] += count;
            before[j] += group < hd_cluster_rank() ? count : 0;
        }
        all += here[j];
    }
    start = hd_scan(lines->scratch, all, &total);
    if (HD_LANE == 0)
        box->sums[HD_WARP_HERE] = total;
    hd_group_barrier();
    for (u32 i = 0; i < HD_WARP_HERE; i++)
        start += box->sums[i];
    HD_UNROLL for (u32 j = 0; j < BFS_DEAL_EACH; j++) {
        places[first + j] = start + before[j];
        start += here[j];
    }
    hd_group_barrier();
}

/* Deals the entries of all groups out, `each` to a group. The entries of the next depth are not there yet, and lend
 * their room. */
INLINE void bfs_deal(const bfs_job *job, LOCAL bfs_box *box, LOCAL bfs_lines *lines, u32 depth, u32 each) {
    LOCAL u32 *counts = (LOCAL u32 *)box->entries[(depth + 1) % 2], *places = counts + BFS_BUCKETS;
    LOCAL const bfs_entry *entries = box->entries[depth % 2];
    u32 mine = box->counts[depth % 3], shift = 0, before[BFS_DEAL_EACH];
    while ((job->n - 1) >> shift >= BFS_BUCKETS)
        shift++;
    for (u32 i = HD_GROUP_LANE; i < BFS_BUCKETS; i += HD_GROUP_SIZE)
        counts[i] = 0;
    hd_group_barrier();
    HD_UNROLL for (u32 j = 0; j < BFS_DEAL_EACH; j++) {
        u32 i = j * HD_GROUP_SIZE + HD_GROUP_LANE;
        before[j] = i < mine ? hd_add_local(&counts[entries[i].vertex >> shift], 1) : 0;
    }
    hd_cluster_barrier();
    bfs_deal_places(box, lines, counts, places);
    HD_UNROLL for (u32 j = 0; j < BFS_DEAL_EACH; j++) {
        u32 i = j * HD_GROUP_SIZE + HD_GROUP_LANE;
        if (i < mine) {
            u32 place = places[entries[i].vertex >> shift] + before[j];
            *HD_TO_CLUSTER(unsigned short, &box->dealt[place % each], place / each) =
                (unsigned short)(hd_cluster_rank() * BFS_ROOM + i);
        }
    }
    hd_cluster_barrier();
}
