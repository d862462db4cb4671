/* graph.h - the graph as the library holds it.
 *
 * Invariants, once a graph has been handed out:
 *  1. offsets has vertices + 1 entries, starts at 0, never falls, ends at edges; every target is < vertices.
 *  2. Each row's targets ascend; parallel arcs keep the order of the input.
 *  3. directed == false: row by row, in-edges equal out-edges, weights included; parallel arcs in any order. A file
 *     that says so is believed once it has been looked into (HD_VERIFY_TURNED).
 *  4. Integer ids ascend with the vertex.
 */
#ifndef HD_GRAPH_GRAPH_H
#define HD_GRAPH_GRAPH_H

#include "base/context.h"
#include "base/stamp.h"

#include <pthread.h>

/* One direction. Pointers lie in allocated memory (owned) or in the mapped file. */
typedef struct hd_csr {
    uint64_t *offsets;
    uint32_t *targets;
    void *weights; /* hd_weight_size bytes each, or NULL */
    bool owned;
} hd_csr;

/* The user's ids: vertex v is called
 *   base + v            when `values` and `text` are NULL,
 *   values[v]           when `values` is there (ascending, as signed or unsigned by `type`),
 *   text[starts[v] .. starts[v + 1])  for strings. */
typedef struct hd_ids {
    heddle_id_type type;
    int64_t base;
    int64_t *values;
    char *text;
    uint64_t *starts;
    bool owned;
} hd_ids;

/* A .hdl file in memory, mapped or unpacked; the csr and id pointers lie inside. Parts are checked before their first
 * use, by `verify` below; until then only the sizes of the arrays are known to be right. */
enum { HD_HDL_KINDS = 10 };
typedef struct hd_mapping {
    void *address;
    size_t bytes;                     /* to munmap or free */
    bool mapped;                      /* munmap it; otherwise it was allocated */
    int unchecked;                    /* HD_VERIFY_ bits of the parts that were not looked at yet */
    uint64_t text_bytes;              /* of the labels; label starts may be wild until the ids are checked */
    uint64_t checksums[HD_HDL_KINDS]; /* of the sections, by kind - 1 (io/hdl.h) */
    int view;                         /* io/hdl.h: which of the file's graphs this is */
    hd_stamp stamp;                   /* of the mapped file */
} hd_mapping;

struct hd_hash_tap; /* base/hash.h */

enum { HD_ORDERS = 8 }; /* that vertices can be renamed in (order.h): room for so many */

struct heddle_graph {
    uint64_t serial; /* another one for every graph, so that copies of it elsewhere can be told apart; never 0 */
    uint64_t origin; /* of a graph that a run has made of another: that one's serial; 0: it stands for itself */
    uint64_t vertices;
    uint64_t edges;
    bool directed;
    heddle_weight_type weight_type;
    hd_csr out;
    hd_csr in; /* offsets NULL until asked for; undirected graphs never have their own */
    hd_ids ids;
    /* Of a graph that another one was renamed to (order.h): where each of that one's vertices is; allocated, or in the
     * mapped file, as the rows are. */
    heddle_vertex *places;
    heddle_vertex *names; /* the other way: that one's vertices in the order of this one's; always allocated */
    /* What it was renamed from. Of graphs in a file: the file's own, whose mapping it lies in; of others good while
     * a run on that one goes on. */
    const struct heddle_graph *original;
    bool hollow;                             /* its rows are on a device alone, or not made yet; `verify` brings them */
    struct heddle_graph *renamed[HD_ORDERS]; /* what the file has of them beside this one, by number - 1; or NULL */
    hd_mapping mapping;
    /* A lazily opened file's parts (HD_VERIFY_ bits) are checked by this before first use, those of a hollow graph
     * filled in; quick when they have been already. Who wants the parts that are read gives a tap, or NULL. Call
     * with `lock` held. NULL for other graphs. */
    heddle_status (*verify)(heddle_context *ctx, struct heddle_graph *graph, int what, const struct hd_hash_tap *tap);
    int unproven; /* HD_VERIFY_ bits of what a file says of its rows and nobody has looked into yet */
    /* Of a graph over a caller's rows (from_csr.c): offsets of our own where they had to be widened, and whom to tell
     * that the arrays are free again; else NULL. */
    uint64_t *widened;
    void (*release)(void *user);
    void *release_user;
    char *source_name; /* for errors found late: the file it came from, or NULL; strlen + 1 bytes allocated */
    heddle_allocator allocator;
    pthread_mutex_t lock; /* guards `in`, the lazy checks and what is filled in late */
};

/* Parts of a file. Those of in-edges are the ones of out-edges, shifted. Targets bring their offsets with them. */
enum {
    HD_VERIFY_OFFSETS = 1,
    HD_VERIFY_TARGETS = 2,
    HD_VERIFY_WEIGHTS = 4,
    HD_VERIFY_OUT = 7,
    HD_VERIFY_SHIFT = 3,
    HD_VERIFY_IN = HD_VERIFY_OUT << HD_VERIFY_SHIFT,
    HD_VERIFY_IDS = 64,
    HD_VERIFY_PLACES = 128, /* brings the out-offsets with it */
    /* Claims (claims.h), each of which brings the parts it is about with it. In-edges of a file bring TURNED, rows of a
     * renamed graph SAME, both with weights when these are wanted; that a graph is undirected must be asked for by who
     * takes its out-edges for in-edges. */
    HD_VERIFY_TURNED = 256, /* the in-edges, of an undirected graph its out-edges, are the out-edges turned round */
    HD_VERIFY_TURNED_WEIGHTS = 512, /* … and have their weights */
    HD_VERIFY_SAME = 1024,          /* a renamed graph has the edges of the one it was renamed from … */
    HD_VERIFY_SAME_WEIGHTS = 2048,  /* … and their weights */
    HD_VERIFY_CLAIMS = 3840
};

/* Is it one of the enumeration's? */
bool hd_weight_is_known(heddle_weight_type type);

/* An empty graph object with its lock and allocator set; heddle_graph_destroy frees whatever has been filled in. */
heddle_status hd_graph_new(heddle_context *ctx, heddle_graph **graph);
/* A graph that borrows the rows and ids of another, all of which has been verified, while that one lives. */
heddle_status hd_graph_borrow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **result);
/* Checks what of a lazily opened file has not been used yet; HEDDLE_OK at once for other graphs. */
heddle_status hd_graph_verify(heddle_context *ctx, const heddle_graph *graph, int what);
/* The same, and hands what it reads to the tap; nothing of what has been checked before. */
heddle_status hd_graph_verify_tapped(heddle_context *ctx, const heddle_graph *graph, int what,
                                     const struct hd_hash_tap *tap);
/* What of the parts has not been checked. */
int hd_graph_unchecked(const heddle_graph *graph);
/* heddle_graph_out, or _in, for who does not look at weights: those of a mapped file are not read. */
heddle_status hd_graph_bare(heddle_context *ctx, const heddle_graph *graph, bool in, heddle_adjacency *rows);
/* Whether the in-edges are there without being made: from the file, by an earlier call, or because the graph is
 * undirected. */
bool hd_graph_has_in(const heddle_graph *graph);
size_t hd_weight_size(heddle_weight_type type); /* bytes: 0, 4 or 8 */
static inline bool hd_weight_real(heddle_weight_type type) {
    return type == HEDDLE_WEIGHT_F32 || type == HEDDLE_WEIGHT_F64;
}
/* What messages call it: "u32". */
const char *hd_weight_name(heddle_weight_type type);
/* A graph of the same edges whose rows the host has: this one, or, where the renamed rows are on a device alone, the
 * one it was renamed from. For who asks about all edges whatever they are called. */
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

#endif
