/* interface.h - what the kernels of the in-core engine, the host and the tests' fake drivers agree on: buffers, places
 * in the state, the facts of a program. Preprocessor and enumerations only, which C, CUDA and OpenCL C read alike. */
#ifndef HD_SCHEDULE_INTERFACE_H
#define HD_SCHEDULE_INTERFACE_H

#include "program/traits.h"

/* A kernel's first arguments, all u32.
 *   n      vertices
 *   step   0 before the first round; otherwise 1 or 2: which of the two queues is read
 *   count  of what the kernel walks beside vertices: tiles, splits, virtual nodes, partials */
#define HD_SCALARS(X) \
    X(N, n)           \
    X(STEP, step)     \
    X(COUNT, count)

/* The arguments behind them: X(NAME, name, type, what errors call it). Shards and slices put some to another use
 * (shard.cl, slice.cl). */
#define HD_BUFFERS(X)                                                                                \
    X(OFFSETS, offsets, const hd_offset, "row offsets")                                              \
    X(TARGETS, targets, const u32, "edges")                                                          \
    X(WEIGHTS, weights, const hd_stored_weight, "weights")                                           \
    X(DEGREES, degrees, const hd_outflow, "out-degrees")                                             \
    X(IN_DEGREES, in_degrees, const u32, "in-degrees")                                               \
    X(NAMES, names, const u32, "names of vertices")                                                  \
    X(VALUES, values, hd_value, "vertex values")                                                     \
    X(NEXT, next, hd_value, "vertex values")                                                         \
    X(INITIAL, initial, const real, "initial values")                                                \
    X(FLAGS, flags, const unsigned char, "vertex flags") /* 1 source, 2 fixed, 4 a copy or a hole */ \
    X(WORDS, words, u32, "the state")                                                                \
    X(NUMBERS, numbers, f64, "the parameters")                                                       \
    X(PARTIALS, partials, hd_tally, "partial results")                                               \
    X(WALKED, walked, u64, "partial results")                                                        \
    X(LAYOUT, layout, const u32, "the schedule")                                                     \
    X(SPLITS, splits, const u32, "cut rows")                                                         \
    X(MESSAGES, messages, hd_message, "messages")                                                    \
    X(QUEUE, queue, u32, "a worklist")                                                               \
    X(QUEUE_NEXT, queue_next, u32, "a worklist")                                                     \
    X(QUEUED, queued, u32, "worklist marks")                                                         \
    X(QUEUED_NEXT, queued_next, u32, "worklist marks")                                               \
    X(TOUCHED, touched, u32, "targets")                                                              \
    X(TOUCHED_BITS, touched_bits, u32, "target marks")                                               \
    X(SENT, sent, hd_sent, "messages")                                                               \
    X(SENT_NEXT, sent_next, hd_sent, "messages") /* the next round's, which may be the same */       \
    X(COPIES, copies, const u32, "copies of vertices")                                               \
    X(CLUSTERS, clusters, const u32, "clusters")                                                     \
    X(CLUSTER_WEIGHTS, cluster_weights, const hd_stored_weight, "clusters")                          \
    X(CLUSTER_VALUES, cluster_values, hd_value, "clusters")

/* Further arguments of kernels of residency stream: the span to walk, and where its edges lie. In their buffers
 * `targets`, `weights` and `sources` hold the span's edges only. */
#define HD_SPAN_SCALARS(X)         \
    X(FIRST_ROW, first_row, u32)   \
    X(END_ROW, end_row, u32)       \
    X(FIRST_EDGE, first_edge, u64) \
    X(END_EDGE, end_edge, u64)     \
    X(GROUPS, groups, u32)         \
    X(RANGE, range, u32) /* virtual ids of a group */
#define HD_SPAN_BUFFERS(X)                                     \
    X(SOURCES, sources, const u32, "sources of edges")         \
    X(SHIFTS, shifts, const u32, "the partitions' first rows") \
    X(FLAGGED, flagged, u32, "the partitions' flags")

/* Places in `words`. */
enum {
    HD_DONE,
    HD_CONVERGED,
    HD_ITERATION,
    HD_LIMIT, /* rounds at most */
    HD_CHANGED,
    HD_TOUCHED,        /* length of the queue of targets */
    HD_COUNT,          /* and the one behind: lengths of the two queues of senders */
    HD_ORIGINALS = 10, /* vertices that do not pass sums on */
    HD_VERTICES,       /* of the user's graph */
    HD_ACTIVATED,      /* residency stream: vertices that were activated */
    HD_ACTIVATED_LOW,  /* their edges, 64 bits */
    HD_ACTIVATED_HIGH,
    HD_AGAIN, /* vertices that were walked in the same round (again.cl), and their edges */
    HD_AGAIN_LOW,
    HD_AGAIN_HIGH,
    HD_TOTAL,    /* a slice: values that changed in the round */
    HD_EVERY,    /* copies are merged after so many rounds; 0: not before the end */
    HD_STALE,    /* a copy differs from its vertex, and this round does not merge them */
    HD_SEED_LOW, /* the run's 64-bit seed */
    HD_SEED_HIGH,
    HD_PHASE,           /* of the next round */
    HD_PHASE_ROUND,     /* the rounds of that phase so far */
    HD_LISTS = 28,      /* a slice: lengths of the outbox, a word for each list of vertices that others read */
    HD_LISTS_MOST = 65, /* one for the host, and one for each device that is reached directly */
    HD_WORDS = HD_LISTS + HD_LISTS_MOST
};

/* The step of hd_take for own vertices; no inbox begins there. */
#define HD_TAKE_OWN 0xffffffffu

enum { HD_LIST_ALIGN = 64 /* a list of vertices that others read begins at a multiple: no warp walks two of them */ };

/* Places in `numbers`, behind the parameters. */
enum {
    HD_TOLERANCE = HD_PARAMETERS,
    HD_RESIDUAL,
    HD_IDLE,                                 /* a slice */
    HD_FIRST_TOTAL,                          /* and those behind: HD_TOTALS of them */
    HD_LARGEST = HD_FIRST_TOTAL + HD_TOTALS, /* finite magnitude of the outputs, where changes are relative to it */
    HD_NUMBERS
};

/* Of hd_tally (common.cl), at most: without and with a program's totals. */
enum { HD_TALLY_BYTES = 32, HD_TALLY_TOTALS_BYTES = HD_TALLY_BYTES + 8 * HD_TOTALS };

/* Places in what facts.cl writes of a program; the characters of its PARAMETERS follow. */
enum {
    HD_FACT_VALUE_SIZE,
    HD_FACT_MESSAGE_SIZE,
    HD_FACT_TRAITS,
    HD_FACT_WEIGHTED,
    HD_FACT_HAS_OUTPUT,
    HD_FACT_OUTPUT_SIZE,
    HD_FACT_OUTPUT_REAL,
    HD_FACT_OUTPUT_SIGNED,
    HD_FACT_HAS_DUMB_WEIGHT,
    HD_FACT_DUMB_WEIGHT, /* as the bits of an f32 */
    HD_FACT_LENGTH,      /* of PARAMETERS, with the 0 at its end */
    HD_FACT_UNREACHED,
    HD_FACTS
};

#endif
