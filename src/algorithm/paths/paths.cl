/* paths.cl - single-source shortest and widest paths on a device: what its kernels share.
 * Idea: delta-stepping (Meyer and Sanders, 2003) as near-far lists (Davidson et al., IPDPS 2014), with a window whose
 * width follows the work, as ADDS does (Wang, Fussell and Lin, PPoPP 2021). Beats every schedule of the vertex program:
 * sssp takes 1.87 ms on rmat22 against 5.27 of the best one (bench/notes).
 *
 * Labels are unsigned numbers, smaller is better (engine/path_label.h). A vertex is pending while its label is below
 * the one it was last expanded with (`done`). A lane that improves a label sets the flag of the vertex' block; a round
 * collects the pending vertices of flagged blocks whose labels are below the window's bound, numbers their edges
 * consecutively and relaxes them: either all warps take equal shares of the edges (wide), or, where there are few,
 * every group takes some of the vertices and goes on by itself with what it improves within the window, for many rounds
 * in shared memory (narrow). Nothing is lost when a queue is full or work is deferred: the flag is enough to find a
 * vertex again. */
#include "algorithm/paths/paths_state.h"

#if HD_WARPS > 1
#define PER 8u /* vertices of a block per lane */
#else
#define PER 4u
#endif
#define BLOCK (PER * HD_WARP) /* vertices under one flag */
#define CHUNK 256u            /* edges between two entries of `table` */
#define SPAN 1024u            /* most edges that a warp takes at a time */
#define UNROLL 4u             /* edges that a lane has in flight */
#ifdef HD_OFFSET_64
#define NEAR 512u /* vertices in a group's own queue */
#else
#define NEAR 1024u
#endif
#define LIST (4 * NEAR)  /* vertices collected in shared memory; more go to the stage, if there is one */
#define SPILL 128u       /* a group stops its own rounds if its queue gets longer: work is redistributed */
#define LOCAL_ROUNDS 32u /* most rounds that a group does by itself */
#define NARROW 32768u    /* most edges of a narrow round */
#define LONG 256u        /* rows longer than this need a wide round */
#define LITTLE 4096u     /* fewer edges in a round widen the window */
#define MUCH 16384u      /* more edges narrow it */

#ifdef PATHS_HYBRID
#define LINE PATHS_HYBRID /* edges of every vertex, or loops, besides its tail (engine/device/hybrid_rows.h) */
#else
#define LINE 0u
#endif

#define EDGE_BITS 36
#define EDGE_MASK ((1ul << EDGE_BITS) - 1)
#define NOTHING (~(u64)0)

#ifdef HD_OFFSET_64
#define hd_offset_load hd_load64
#else
#define hd_offset_load hd_load32
#endif

#ifdef LABEL_64
typedef u64 label;
#define hd_label_load hd_load64
#define hd_label_min hd_min64
#else
typedef u32 label;
#define hd_label_load hd_load32
#define hd_label_min hd_min32
#endif

#if HD_WEIGHT_TYPE >= 4 /* i64, f64 */
typedef u64 weight_bits;
#else
typedef u32 weight_bits;
#endif

#ifndef LABEL_FLOAT
#define UNREACHED ((label) ~(label)0)
#elif defined(LABEL_64)
#define UNREACHED ((label)0x7ff0000000000000ul)
#define LABEL_REAL f64
#define WIDEST 1e300
#define hd_label_real hd_bits_f64
#define hd_real_label hd_f64_bits
#else
#define UNREACHED ((label)0x7f800000u)
#define LABEL_REAL f32
#define WIDEST 1e37f
#define hd_label_real hd_bits_f32
#define hd_real_label hd_f32_bits
#endif

typedef struct paths {
    u32 n;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;         /* PATHS_HYBRID: of tails, and `offsets` too */
    GLOBAL const weight_bits *weights; /* PATHS_HYBRID: lines */
    GLOBAL label *labels, *done;
    GLOBAL unsigned char *flags;
    GLOBAL u32 *queue;        /* collected vertices */
    GLOBAL hd_offset *starts; /* number of the first edge of each queued vertex */
    GLOBAL u32 *table;        /* queue index of the vertex of every CHUNK-th edge */
    GLOBAL u32 *stage;        /* per group, room for all vertices that it may collect */
    GLOBAL const label *bounds;
    GLOBAL u64 *state;
#ifdef PATH_PROGRAM
    hd_inputs inputs;
    label worst; /* no label from here on is better than what vertices begin with */
#endif
} paths;

/* A group's shared memory. */
typedef struct desk {
    LOCAL u32 *scratch;              /* of this warp */
    LOCAL hd_offset *starts, *shift; /* of this warp: the rows whose edges it relaxes */
    LOCAL label *labels;             /* of this warp */
    LOCAL u32 *near;                 /* two queues of vertices, then of their degrees; or the vertices collected */
    LOCAL hd_offset *begins;         /* offsets of the rows in the queues */
    LOCAL u32 *blocks;               /* flagged blocks */
    LOCAL u32 *sizes;                /* counters: see below */
    LOCAL u64 *sums;                 /* one per warp */
    LOCAL u64 *plan;
} desk;

/* Counters in `sizes`. The first three are the lengths of the queues, used in turn. */
#define GONE 3 /* edges walked */
#define LISTED 4
#define COLLECTED 5
#define LEFT 6 /* labels below the bound that were improved and not expanded */

#define DESK                                                                          \
    SHARED u32 desk_scratch[HD_SCRATCH * HD_WARPS], desk_near[LIST], desk_sizes[8];   \
    SHARED hd_offset desk_starts[HD_WARP * HD_WARPS], desk_shift[HD_WARP * HD_WARPS]; \
    SHARED hd_offset desk_begins[2 * NEAR];                                           \
    SHARED label desk_labels[HD_WARP * HD_WARPS];                                     \
    SHARED u32 desk_blocks[HD_WARP * HD_WARPS];                                       \
    SHARED u64 desk_plan[PATHS_PLAN], desk_sums[HD_WARPS];                            \
    desk h;                                                                           \
    h.scratch = desk_scratch + HD_SCRATCH * HD_WARP_HERE;                             \
    h.starts = desk_starts + HD_WARP * HD_WARP_HERE;                                  \
    h.shift = desk_shift + HD_WARP * HD_WARP_HERE;                                    \
    h.labels = desk_labels + HD_WARP * HD_WARP_HERE;                                  \
    h.near = desk_near;                                                               \
    h.begins = desk_begins;                                                           \
    h.blocks = desk_blocks;                                                           \
    h.sizes = desk_sizes;                                                             \
    h.sums = desk_sums;                                                               \
    h.plan = desk_plan

#ifndef PATH_PROGRAM
#define MORE_ARGUMENTS
#define MORE_FIELDS
#define ALONG(g, from, bits, to, excess) along(from, bits, excess)
#endif
#define ARGUMENTS                                                                                                      \
    u32 n, u32 most, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL const weight_bits *weights,    \
        GLOBAL label *labels, GLOBAL label *done, GLOBAL unsigned char *flags, GLOBAL u32 *queue,                      \
        GLOBAL hd_offset *starts, GLOBAL u32 *table, GLOBAL u32 *stage, GLOBAL const label *bounds, GLOBAL u64 *state, \
        GLOBAL u32 *barrier_word MORE_ARGUMENTS
#define PATHS            \
    paths g;             \
    g.n = n;             \
    g.offsets = offsets; \
    g.targets = targets; \
    g.weights = weights; \
    g.labels = labels;   \
    g.done = done;       \
    g.flags = flags;     \
    g.queue = queue;     \
    g.starts = starts;   \
    g.table = table;     \
    g.stage = stage;     \
    g.bounds = bounds;   \
    g.state = state MORE_FIELDS

/* ---- Labels: paths_program.cl has those of a program ------------------------------------------------------------- */

#ifndef PATH_PROGRAM
#ifdef PATH_WIDEST
/* The label of a path of one edge. */
INLINE label edge_label(u32 bits) {
#if HD_WEIGHT_TYPE == 3
    bits = hd_f32_bits(hd_bits_f32(bits) + 0.0f); /* -0 is 0 */
    return bits >> 31 ? bits : ~bits & 0x7fffffffu;
#else
#if HD_WEIGHT_TYPE == 2
    bits ^= 0x80000000u;
#endif
#ifdef LABEL_64
    return (1ul << 32) - bits;
#else
    return ~bits;
#endif
#endif
}
#endif

/* The label of a path that is extended by an edge. If it does not fit a label, returns UNREACHED and sets `excess`. */
INLINE label along(label from, weight_bits bits, u32 *excess) {
#if defined(PATH_WIDEST)
    label edge = edge_label(bits);
    *excess |= edge == UNREACHED;
    return from > edge ? from : edge;
#elif HD_WEIGHT_TYPE == 5
    label sum = hd_f64_bits(hd_bits_f64(from) + hd_bits_f64(bits));
    *excess |= sum == UNREACHED;
    return sum;
#elif HD_WEIGHT_TYPE == 4
    label sum = from + bits;
    *excess |= sum < from || sum == UNREACHED;
    return sum < from ? UNREACHED : sum;
#elif defined(LABEL_FLOAT)
    (void)excess;
    return hd_real_label(hd_label_real(from) + (LABEL_REAL)hd_bits_f32(bits));
#elif defined(LABEL_64)
    (void)excess;
    return from + bits;
#else
    u32 over = bits >= UNREACHED - from;
    *excess |= over;
    return over ? UNREACHED : from + bits;
#endif
}

/* The end of a window that begins at `from`; always above `from`. A width is a difference of labels, for floating-point
 * labels as the bits of a number of that type; for widest paths it is a number of bounds. */
INLINE label window_end(const paths *g, label from, u64 width) {
#if defined(PATH_WIDEST)
    u64 low = 0, count = g->state[PATHS_BOUNDS], last = count;
    while (count) { /* finds the first bound above `from` */
        u64 middle = count / 2;
        int right = g->bounds[low + middle] <= from;
        low = right ? low + middle + 1 : low;
        count = right ? count - middle - 1 : middle;
    }
    low += width - 1;
    return low < last ? g->bounds[low] : UNREACHED;
#elif defined(LABEL_FLOAT)
    label end = hd_real_label(hd_label_real(from) + hd_label_real((label)width));
    (void)g;
    return end > from ? end : from + 1;
#else
    (void)g;
    return width >= UNREACHED - from ? UNREACHED : (label)(from + width);
#endif
}

INLINE u64 wider(u64 width) {
#ifdef LABEL_FLOAT
    LABEL_REAL now = hd_label_real((label)width);
    return now < WIDEST ? hd_real_label(now * 2) : width;
#else
    return width < (1ul << 62) ? width * 2 : width;
#endif
}

INLINE u64 narrower(u64 width, u64 least) {
#ifdef LABEL_FLOAT
    LABEL_REAL middle = hd_label_real((label)width) / 2, low = hd_label_real((label)least);
    return hd_real_label(middle > low ? middle : low);
#else
    return width / 2 > least ? width / 2 : least;
#endif
}
#endif
