/* build.h - from a stream of edges to a graph.
 *
 * Readers and generators do not hold edge lists. They describe themselves as an edge source: `parts` pieces in input
 * order, each of which can be read more than once, by any thread, in batches. The builder reads the source two or three
 * times: to find the ids and count arcs, then to place every edge in its row (see build.c).
 */
#ifndef HD_GRAPH_BUILD_H
#define HD_GRAPH_BUILD_H

#include "graph/graph.h"

enum { HD_BATCH = 1024 };

/* Some consecutive edges of a part. Ids are raw: the 64 bits of the user's id, or for strings
 * offset << 16 | length into the source's text. */
typedef struct hd_edge_batch {
    size_t count;
    uint64_t source[HD_BATCH];
    uint64_t target[HD_BATCH];
    double weight[HD_BATCH]; /* filled when the source is weighted */
    int64_t whole[HD_BATCH]; /* the exact weight, if it is a whole number of magnitude 2^53 or more */
} hd_edge_batch;

/* The state of a pass over one part. A source uses the fields as it likes; `position` and `end` are set by `begin`, the
 * others start at 0. */
typedef struct hd_cursor {
    uint64_t part;
    uint64_t position;
    uint64_t end;
    uint64_t state[4];
    /* found in text during the pass, merged over parts after the first pass */
    int64_t whole;      /* text: the latest weight exactly, if it is whole (hd_edge_batch.whole) */
    bool seen_real;     /* a weight with fraction or exponent */
    bool seen_negative; /* an id below 0 */
    bool seen_large;    /* an id past 2^63 - 1 */
    /* an error found during the pass: byte offset, length, and what was expected (static text) */
    const char *expected;
    uint64_t error_at;
    uint64_t error_length;
} hd_cursor;

typedef enum hd_id_mode {
    HD_IDS_KNOWN,    /* base .. base + vertices - 1; the source checks them, since it knows the position of a bad one */
    HD_IDS_DISCOVER, /* the vertices are the ids that occur */
    HD_IDS_TEXT      /* string labels */
} hd_id_mode;

typedef struct hd_edge_source hd_edge_source;

struct hd_edge_source {
    void *self;
    uint64_t parts;    /* each of fewer than 2^31 edges */
    const char *phase; /* name of the pass in progress reports: "read", "generate" */
    uint64_t work;     /* sum over all parts of (end - position): the progress unit */
    hd_id_mode ids;
    uint64_t vertices; /* KNOWN: number of vertices; DISCOVER: the least number (0: none required) */
    int64_t base;      /* KNOWN: the smallest id */
    const uint64_t
        *more; /* DISCOVER, TEXT: raw ids that exist whether they occur or not; labels come after the others */
    uint64_t more_count;
    bool more_negative, more_large; /* ids below 0 are among them; past 2^63 - 1 */
    uint64_t id_hint;               /* DISCOVER: ids are expected below this (e.g. twice the bytes of text) */
    const char *text;               /* TEXT: what ids point into */
    /* Mapped files that the passes read in the order of their positions: under a memory limit the pages behind are
     * given back. */
    struct hd_behind {
        const void *data; /* NULL: none */
        uint64_t bytes;
        uint64_t unit; /* bytes per position; 0: all of it is given back now and then */
    } behind[3];
    bool apart; /* on ranks: each has edges of its own; else all see the same, and read a share each */
    bool weighted;
    heddle_weight_type weight_type; /* NONE with weighted: the smallest type that holds what occurs (survey.c) */
    bool undirected;                /* the edges describe an undirected graph: */
    bool mirror;                    /*   each is given once and stands for both arcs */
    bool drop_isolated;             /* the caller will drop vertices without arcs from the graph */
    bool skew; /* with mirror: the second arc carries the negated weight, and undirected is false */
    /* Starts a pass over `cursor->part`. */
    void (*begin)(void *self, hd_cursor *cursor);
    /* Fills the batch with the next 1 .. HD_BATCH edges; count 0 ends the part, or, with cursor->expected set,
     * reports an error. Called concurrently for different parts. */
    void (*next)(void *self, hd_cursor *cursor, hd_edge_batch *batch);
    /* Fills the error record for a place in the input (readers: file, line, column, token). May be NULL when the
     * source cannot fail. */
    heddle_status (*fail)(void *self, heddle_context *ctx, const hd_cursor *cursor);
    /* Results of a pass over the parts, a record of `fact_size` bytes for each part: processes that read a share each
     * exchange them before `complete`. NULL: no share of the source can be read alone. */
    void *facts;
    size_t fact_size;
    /* Called once, after the first pass succeeded, with the total number of edges read; may fail (wrong counts).
     * NULL: no such check. */
    heddle_status (*complete)(void *self, heddle_context *ctx, uint64_t edges);
};

/* Doubles hold all whole numbers of at most this magnitude exactly. */
#define HD_EXACT_WHOLE 0x1p53

/* The i-th weight of a batch whose weights are whole numbers. */
static inline int64_t hd_batch_whole(const hd_edge_batch *batch, size_t i) {
    double weight = batch->weight[i];
    return weight > -HD_EXACT_WHOLE && weight < HD_EXACT_WHOLE ? (int64_t)weight : batch->whole[i];
}

/* Copies a weight from an array into a batch. */
static inline void hd_batch_weigh(hd_edge_batch *batch, size_t i, const void *weights, heddle_weight_type type,
                                  uint64_t k) {
    batch->weight[i] = hd_weight_at(weights, type, k);
    if (type == HEDDLE_WEIGHT_I64)
        batch->whole[i] = ((const int64_t *)weights)[k];
}

/* The number of parts that a caller's arrays are divided into. */
uint64_t hd_array_parts(const heddle_context *ctx, uint64_t edges);
/* Checks that a caller's weights and weight type agree. */
heddle_status hd_weights_given(heddle_context *ctx, const void *weights, heddle_weight_type type, uint64_t edges);
/* Checks the arrays of a caller's edges, and overlays its options on the defaults. */
heddle_status hd_edges_given(heddle_context *ctx, const char *function, uint64_t edges, const void *sources,
                             const void *targets, const heddle_build_options *given, heddle_build_options *options);
/* Checks the fields of a caller's options, after their size was handled (base/argument.h). */
heddle_status hd_build_options_check(heddle_context *ctx, const heddle_build_options *options);

/* heddle_graph_from_strings without its entry; `function` is the public function, for messages. */
heddle_status hd_graph_from_strings(heddle_context *ctx, const char *function, uint64_t edges,
                                    const heddle_strings *sources, const heddle_strings *targets, const void *weights,
                                    heddle_weight_type weight_type, const heddle_build_options *options,
                                    heddle_graph **graph);

/* Builds the graph. Time linear in edges and vertices; deterministic for any number of threads. Memory beyond the
 * finished CSR: a few bytes per edge (docs/architecture.md has the measured figures). */
heddle_status hd_graph_build(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options,
                             heddle_graph **graph);

/* Removes vertices without arcs, in place; the graph must not have been handed out yet. */
heddle_status hd_graph_drop_isolated(heddle_context *ctx, heddle_graph *graph);

/* The in-edges of a directed graph from its out-edges, or the other way round. */
heddle_status hd_csr_transpose(heddle_context *ctx, uint64_t vertices, const hd_csr *csr, heddle_weight_type type,
                               hd_csr *transposed);

#endif
