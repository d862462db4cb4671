/* bfs.cl - direction-optimising breadth-first search on a device: what its kernels share.
 * Idea: Beamer, Asanović and Patterson (SC 2012): top-down while the frontier is small, bottom-up while it is large;
 * here decided on the device, with all levels in one cooperative launch. Beats every schedule of the vertex program:
 * 0.190 ms on rmat22 against 2.97 of the best one (bench/notes).
 *
 * bfs_wide.cl handles frontiers of any size, bfs_narrow.cl runs of small ones. `levels` holds the depths found so far;
 * unreached vertices have BFS_NONE. A frontier is a queue of vertices with edges, where rows of more than BFS_LONG
 * edges are cut into parts of BFS_PART in a list of pairs; or it is the difference of two visited bitmaps. Depth d has
 * its record in `words`, one of four that take turns: while depth d is worked on, its own is read, that of d + 1
 * filled, that of d + 2 cleared, and that of d - 1 is not read.
 *
 * Where memory is scarce (BFS_SPARE), a queue has room for `queue_room` vertices instead of all: frontiers in the
 * bitmaps that exceed it go bottom-up, and queues are only written where the edges, which are then counted exactly,
 * bound their length.
 *
 * Where rows lie in host memory (HD_HEADS is not 0), vertices below `headed` have their HD_HEADS neighbours of largest
 * degree in `heads` (heads.cl): bottom-up looks there first, and rows that are no longer are read there. */

#include "algorithm/bfs/bfs_state.h"

#define BFS_NONE 0xffffffffu

#define BFS_ARGUMENTS                                                                                         \
    u32 n, u32 sources, u32 parts_room, u32 narrow, u32 limit, GLOBAL const hd_offset *out_offsets,           \
        GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets,      \
        GLOBAL const u32 *source, GLOBAL u32 *levels, GLOBAL u32 *bits, GLOBAL u32 *queue, GLOBAL u32 *parts, \
        GLOBAL u32 *words, GLOBAL u64 *walked, u32 queue_room, u32 headed, GLOBAL const u32 *heads

typedef struct bfs_job {
    u32 n, sources, parts_room, narrow;
    GLOBAL const hd_offset *out_offsets;
    GLOBAL const u32 *out_targets;
    GLOBAL const hd_offset *in_offsets;
    GLOBAL const u32 *in_targets;
    GLOBAL const u32 *source;
    GLOBAL u32 *levels;
    GLOBAL u32 *bits;  /* two bitmaps */
    GLOBAL u32 *queue; /* two of queue_room */
    GLOBAL u32 *parts; /* two lists of parts_room pairs */
    GLOBAL u32 *words;
    GLOBAL u64 *walked; /* edges walked, by group */
    u32 queue_room, headed;
    GLOBAL const u32 *heads;
} bfs_job;

#define BFS_MAKE_JOB                                                                                           \
    bfs_job job;                                                                                               \
    job.n = n, job.sources = sources, job.parts_room = parts_room, job.narrow = narrow;                        \
    job.out_offsets = out_offsets, job.out_targets = out_targets, job.in_offsets = in_offsets;                 \
    job.in_targets = in_targets, job.source = source, job.levels = levels, job.bits = bits, job.queue = queue; \
    job.parts = parts, job.words = words, job.walked = walked, job.queue_room = queue_room;                    \
    job.headed = headed, job.heads = heads

INLINE GLOBAL u32 *bfs_record(const bfs_job *job, u32 depth) {
    return job->words + BFS_RECORDS + depth % 4 * BFS_RECORD;
}
INLINE GLOBAL u32 *bfs_queue(const bfs_job *job, u32 depth) { return job->queue + (u64)(depth % 2) * job->queue_room; }
INLINE GLOBAL u32 *bfs_parts(const bfs_job *job, u32 depth) {
    return job->parts + (u64)(depth % 2) * 2 * job->parts_room;
}
INLINE u32 bfs_degree(const bfs_job *job, u32 v) { return (u32)(job->out_offsets[v + 1] - job->out_offsets[v]); }
/* Whether the whole row is in `heads`. */
INLINE u32 bfs_is_near(const bfs_job *job, u32 v, u32 degree) {
    return HD_HEADS && !BFS_DIRECTED && degree <= HD_HEADS && v < job->headed;
}
/* Where it begins there. */
INLINE hd_offset bfs_near_row(const bfs_job *job, u32 v) {
#if HD_HEADS
    u32 count;
    return hd_heads_at(job->heads, v, &count);
#else
    return 0;
#endif
}
INLINE u32 bfs_parts_of(u32 degree) { return degree > BFS_LONG ? (degree + BFS_PART - 1) / BFS_PART : 0; }

/* Adds a vertex to the frontier of a depth: to the queue, or to the list of parts if its row is long. Needs no other
 * lanes. */
INLINE void bfs_put(const bfs_job *job, u32 depth, u32 v, u32 degree) {
    GLOBAL u32 *record = bfs_record(job, depth);
    u32 count = bfs_parts_of(degree);
    if (count) {
        u32 base = hd_add32(&record[BFS_BIG], count);
        for (u32 i = 0; i < count; i++) {
            bfs_parts(job, depth)[2 * ((u64)base + i)] = v;
            bfs_parts(job, depth)[2 * ((u64)base + i) + 1] = i;
        }
    } else if (degree) {
        bfs_queue(job, depth)[hd_add32(&record[BFS_SMALL], 1)] = v;
    }
}
