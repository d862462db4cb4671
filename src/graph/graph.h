/* graph.h - the graph as the library holds it.
 *
 * Invariants, once a graph has been handed out:
 *  1. offsets has vertices + 1 entries, starts at 0, never falls, ends at edges; every target is < vertices.
 *  2. Each row's targets ascend; parallel arcs keep the order of the input.
 *  3. directed == false: row by row, in-edges equal out-edges, weights included; parallel arcs in any order. For a file
 *     this is only a claim until it was verified (HD_VERIFY_TRANSPOSE).
 *  4. Integer ids ascend with the vertex.
 */
#ifndef HD_GRAPH_GRAPH_H
#define HD_GRAPH_GRAPH_H

#include "base/context.h"
#include "base/stamp.h"

#include <pthread.h>

/* One direction. Pointers lie in allocated memory (owned), in the mapped file, or in a mapped temporary file. */
typedef struct hd_csr {
    uint64_t *offsets;
    uint32_t *targets;
    void *weights; /* hd_weight_size bytes each, or NULL */
    bool owned;
    bool mapped; /* in a file: under a memory limit pages that were read are given back */
    void *map;   /* a temporary file that holds the arrays (base/spill.h), and perhaps the ids; else NULL */
    size_t map_bytes;
} hd_csr;

/* The user's ids: the id of vertex v is
 *   base + v            when `values` and `text` are NULL,
 *   values[v]           when `values` is not NULL (ascending, signed or unsigned by `type`),
 *   text[starts[v] .. starts[v + 1])  for strings. */
typedef struct hd_ids {
    heddle_id_type type;
    int64_t base;
    int64_t *values;
    char *text;
    uint64_t *starts;
    bool owned;
} hd_ids;

/* A .hdl file in memory, mapped or decompressed; the csr and id pointers point into it. Parts are checked before their
 * first use, by `verify` below; until then only the sizes of the arrays are known to be right. */
enum { HD_HDL_KINDS = 13 };
enum { HD_PACKED_KINDS = 3 }; /* pack.h: hd_packed_what */

/* Packed rows or weights in a file, as they lie there (pack.h). */
typedef struct hd_packed_section {
    void *data; /* NULL: not there */
    uint64_t bytes;
} hd_packed_section;

typedef struct hd_mapping {
    void *address;
    size_t bytes;                     /* to munmap or free */
    bool mapped;                      /* munmap it; otherwise it was allocated */
    bool named;                       /* the file source_name itself is mapped: it can be opened again */
    int unchecked;                    /* HD_VERIFY_ bits of the parts that were not checked yet */
    uint64_t text_bytes;              /* of the labels; label offsets may be invalid until the ids are checked */
    uint64_t checksums[HD_HDL_KINDS]; /* of the sections, by kind - 1 (io/hdl.h) */
    int view;                         /* io/hdl.h: which of the file's graphs this is */
    hd_stamp stamp;                   /* of the mapped file */
    hd_packed_section packed[HD_PACKED_KINDS];
} hd_mapping;

struct hd_hash_tap; /* base/hash.h */

enum { HD_ORDERS = 8 }; /* room for this many orders (order.h) */

/* The smallest and the largest of 32-bit weights, as unsigned numbers. */
typedef struct hd_weight_span {
    bool known;
    uint32_t least, most;
} hd_weight_span;

/* Data prepared for later runs, as words that their reader checks (graffix/recipe.h). */
typedef struct hd_kept {
    const uint64_t *words;
    uint64_t count;
    uint64_t checksum; /* of the file */
    bool owned;        /* allocated; otherwise in the mapped file, */
    bool checked;      /* whose checksum was compared */
} hd_kept;
enum { HD_KEPT_MOST = 8 };

struct heddle_graph {
    uint64_t serial; /* unique per graph, to identify copies of it on devices and in caches; never 0 */
    uint64_t origin; /* of a graph that a run derived from another: that graph's serial; else 0 */
    uint64_t vertices;
    uint64_t edges;
    bool directed;
    heddle_weight_type weight_type;
    hd_csr out;
    hd_csr in; /* offsets NULL until first used; undirected graphs never have their own */
    hd_ids ids;
    /* Hash table of labels, with open addressing: vertex + 1, or 0. NULL until several were looked up. */
    uint32_t *label_slots;
    atomic_uint_least64_t label_slot_count; /* a power of two, above 2 * vertices; written under the lock */
    uint64_t label_scans;                   /* how often a label was looked up without it */
    hd_hash_key label_key;
    /* Of a renamed graph (order.h), the permutation: original vertex -> vertex of this graph; allocated, or in the
     * mapped file, as the rows are. */
    heddle_vertex *places;
    heddle_vertex *names; /* the inverse permutation: vertex of this graph -> original vertex; always allocated */
    /* The graph it was renamed from. Of graphs in a file: the file's main graph, whose mapping this one shares; of
     * others valid only during a run on that graph. */
    const struct heddle_graph *original;
    bool hollow;                             /* its rows are only on a device, or not built; `verify` fetches them */
    struct heddle_graph *renamed[HD_ORDERS]; /* renamed graphs that the same file holds, by number - 1; or NULL */
    hd_kept kept[HD_KEPT_MOST];
    uint32_t kept_count;
    hd_mapping mapping;
    /* Checks parts (HD_VERIFY_ bits) of a lazily opened file before their first use, and fills in those of a hollow
     * graph; returns at once if that was done. A tap, or NULL, receives the bytes that are read. Call with `lock` held.
     * NULL for other graphs. */
    heddle_status (*verify)(heddle_context *ctx, struct heddle_graph *graph, int what, const struct hd_hash_tap *tap);
    hd_weight_span weight_span; /* of 32-bit whole weights, if looked at */
    int unproven;               /* HD_VERIFY_ bits of the file's claims that were not verified yet */
    /* Of a graph over a caller's rows (from_csr.c): offsets allocated here if they had to be widened to 64 bits, and
     * the callback that releases the caller's arrays; else NULL. */
    uint64_t *widened;
    void (*release)(void *user);
    void *release_user;
    char *source_name; /* for errors found late: the file it came from, or NULL; strlen + 1 bytes allocated */
    heddle_allocator allocator;
    pthread_mutex_t lock; /* guards `in`, the lazy checks and lazily filled fields */
    atomic_int callbacks; /* progress callbacks that run while their call holds the lock */
};

/* For calls that take the lock: HEDDLE_E_REFUSED if the graph's lock is held by a call whose progress callback does not
 * return, as one does not that uses the graph itself. Waits a second for it. */
heddle_status hd_graph_await_callback(heddle_context *ctx, const heddle_graph *graph);

/* Parts of a file. Bits of the in-edges are those of the out-edges, shifted. Targets imply their offsets. */
enum {
    HD_VERIFY_OFFSETS = 1,
    HD_VERIFY_TARGETS = 2,
    HD_VERIFY_WEIGHTS = 4,
    HD_VERIFY_OUT = 7,
    HD_VERIFY_SHIFT = 3,
    HD_VERIFY_IN = HD_VERIFY_OUT << HD_VERIFY_SHIFT,
    HD_VERIFY_IDS = 64,
    HD_VERIFY_PLACES = 128, /* implies the out-offsets */
    /* Claims (claims.h); each implies the parts it concerns. In-edges of a file imply TRANSPOSE, rows of a renamed
     * graph SAME, both with weights if these are requested. Code that uses an undirected graph's out-edges as in-edges
     * must request TRANSPOSE itself. */
    HD_VERIFY_TRANSPOSE = 256,         /* the in-edges (undirected: the out-edges) are the transpose of the out-edges */
    HD_VERIFY_TRANSPOSE_WEIGHTS = 512, /* and have their weights */
    HD_VERIFY_SAME = 1024,             /* a renamed graph has the edges of the one it was renamed from, */
    HD_VERIFY_SAME_WEIGHTS = 2048,     /* and their weights */
    HD_VERIFY_CLAIMS = 3840,
    /* Packed out-edges; shifted by one, in-edges, by two, weights: sound, and equal to these, which must be requested
     * too. */
    HD_VERIFY_PACKED = 4096
};

/* Whether the value is one of the enumeration. */
bool hd_weight_is_known(heddle_weight_type type);

/* An empty graph object with its lock and allocator set; heddle_graph_destroy frees whatever has been filled in. */
heddle_status hd_graph_new(heddle_context *ctx, heddle_graph **graph);
/* A graph that shares the rows and ids of another one, which must be fully verified and must outlive it. */
heddle_status hd_graph_borrow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **result);
/* Checks those parts of a lazily opened file that were not checked yet; HEDDLE_OK at once for other graphs. */
heddle_status hd_graph_verify(heddle_context *ctx, const heddle_graph *graph, int what);
/* The same, and passes the bytes it reads to the tap, but not those of parts that were checked before. */
heddle_status hd_graph_verify_tapped(heddle_context *ctx, const heddle_graph *graph, int what,
                                     const struct hd_hash_tap *tap);
/* HD_VERIFY_ bits of the parts that were not checked yet. */
int hd_graph_unchecked(const heddle_graph *graph);
/* The vertex with this id, given by its 64 bits; ids are integers. */
bool hd_graph_find_value(const heddle_graph *graph, int64_t id, heddle_vertex *vertex);
/* Bytes of the graph's arrays in allocated memory. */
uint64_t hd_graph_allocated(const heddle_graph *graph);
/* heddle_graph_out, or _in, without weights: those of a mapped file are not read. */
heddle_status hd_graph_bare(heddle_context *ctx, const heddle_graph *graph, bool in, heddle_adjacency *rows);
/* Whether in-edges are available without building them: from the file, from an earlier call, or because the graph is
 * undirected. */
bool hd_graph_has_in(const heddle_graph *graph);
/* Whether devices need row offsets of 64 bits: 32 hold the sum of an offset and a vertex, too. */
static inline bool hd_wide_offsets(uint64_t vertices, uint64_t edges) { return vertices + edges > UINT32_MAX; }
/* The same for kernels that number only edges, whose lanes may count a few past the last. */
static inline bool hd_wide_edges(uint64_t edges) { return edges > UINT32_MAX - UINT16_MAX; }
size_t hd_weight_size(heddle_weight_type type); /* bytes: 0, 4 or 8 */
static inline bool hd_weight_real(heddle_weight_type type) {
    return type == HEDDLE_WEIGHT_F32 || type == HEDDLE_WEIGHT_F64;
}
/* The bits of the k-th weight; zeros of either sign have the same. */
static inline uint64_t hd_weight_bits(const void *weights, heddle_weight_type type, uint64_t k) {
    if (type == HEDDLE_WEIGHT_I64 || type == HEDDLE_WEIGHT_F64) {
        uint64_t bits = ((const uint64_t *)weights)[k];
        return hd_weight_real(type) && bits << 1 == 0 ? 0 : bits;
    }
    uint32_t bits = ((const uint32_t *)weights)[k];
    return hd_weight_real(type) && bits << 1 == 0 ? 0 : bits;
}
/* Its name in messages: "u32". */
const char *hd_weight_name(heddle_weight_type type);
/* A graph with the same edges whose rows are in host memory: this one, or, if its renamed rows are only on a device,
 * the one it was renamed from. For questions about all edges that do not depend on vertex numbers. */
static inline const heddle_graph *hd_graph_on_host(const heddle_graph *graph) {
    return graph->hollow ? graph->original : graph;
}

/* The k-th weight as a number (1 without weights); i64 beyond 2^53 is rounded. */
static inline double hd_weight_at(const void *weights, heddle_weight_type type, uint64_t k) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)weights)[k];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)weights)[k];
    case HEDDLE_WEIGHT_F32: return ((const float *)weights)[k];
    case HEDDLE_WEIGHT_I64: return (double)((const int64_t *)weights)[k];
    case HEDDLE_WEIGHT_F64: return ((const double *)weights)[k];
    default: return 1.0;
    }
}

/* The k-th weight of a type of whole numbers (1 without weights). */
static inline int64_t hd_weight_whole(const void *weights, heddle_weight_type type, uint64_t k) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)weights)[k];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)weights)[k];
    case HEDDLE_WEIGHT_I64: return ((const int64_t *)weights)[k];
    default: return 1;
    }
}

/* Bytes of the rows of one direction in host memory. */
static inline uint64_t hd_row_bytes(const heddle_graph *graph, bool weights) {
    return (graph->vertices + 1) * 8 + graph->edges * (4 + (weights ? hd_weight_size(graph->weight_type) : 0));
}

#endif
