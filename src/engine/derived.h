/* derived.h - cache of what plans derive from a graph: renamed graphs, split graphs, shards of the CPU.
 *
 * Deriving takes longer than most runs on the result, so the context keeps what was derived in one list, the most
 * recently used first, and a later run that needs the same reuses it. An entry is freed
 * - when the context runs on another graph, and with the context;
 * - when the graph that it was derived from is freed: a split of a renamed graph goes with that;
 * - least recently used first, while all together take more than HD_DERIVED_SHARE times the graph's own rows;
 * - when memory is short: a run that fails because of that is retried without any entries, and a run on the CPU under a
 *   memory limit starts without any.
 * Graphs that the current run uses are never freed.
 */
#ifndef HD_ENGINE_DERIVED_H
#define HD_ENGINE_DERIVED_H

#include "graph/graph.h"

enum { HD_DERIVED_SHARE = 6 };

/* The head of every entry. */
typedef struct hd_derived {
    const struct hd_derived_kind *kind;
    struct hd_derived *next;       /* the next less recently used entry */
    uint64_t of, root;             /* serials of the graph that it was derived from, and of the user's graph */
    uint64_t run;                  /* the last that used it */
    const heddle_graph *graphs[2]; /* those it owns, or NULL: other entries may be derived from them */
} hd_derived;

typedef struct hd_derived_kind {
    size_t size; /* of an entry */
    bool (*same)(const hd_derived *entry, const void *key);
    /* Fills in an entry that is zero except for the head. If it fails, what it has built is destroyed. */
    heddle_status (*make)(heddle_context *ctx, const heddle_graph *graph, const void *key, hd_derived *entry);
    uint64_t (*bytes)(const hd_derived *entry); /* besides the graphs; NULL: 0 */
    void (*destroy)(heddle_context *ctx, hd_derived *entry);
} hd_derived_kind;

/* A run on the graph begins: frees what was derived from others, and, with `limited`, everything. */
void hd_derived_begin(heddle_context *ctx, const heddle_graph *graph, bool limited);
/* The entry, or NULL. */
hd_derived *hd_derived_find(const heddle_context *ctx, const hd_derived_kind *kind, const heddle_graph *graph,
                            const void *key);
/* The same, for a run that is going to use it: found, or built now (*fresh, which may be NULL). Belongs to the context,
 * and is kept during the run. */
heddle_status hd_derived_get(heddle_context *ctx, const hd_derived_kind *kind, const heddle_graph *graph,
                             const void *key, bool *fresh, hd_derived **entry);
/* Frees the entry, which may be NULL, and what was derived from its graphs. */
void hd_derived_drop(heddle_context *ctx, hd_derived *entry);
/* Frees what was derived from a graph that is being freed. */
void hd_derived_drop_of(heddle_context *ctx, const heddle_graph *graph);
void hd_derived_forget(heddle_context *ctx);
/* Bytes of all entries. */
uint64_t hd_derived_bytes(const heddle_context *ctx);

/* The graph that a graph was derived from, or itself. */
static inline uint64_t hd_derived_root(const heddle_graph *graph) {
    return graph->origin ? graph->origin : graph->serial;
}

#endif
