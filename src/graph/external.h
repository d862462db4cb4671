/* external.h - building a graph on disk, under a memory limit; external.c describes how. */
#ifndef HD_GRAPH_EXTERNAL_H
#define HD_GRAPH_EXTERNAL_H

#include "base/spill.h"
#include "graph/builder.h"

/* Memory in which one thread sorts a bucket of up to `hd_external.most` arcs. */
typedef struct hd_sorter {
    hd_arcs arcs;
    uint64_t *lengths; /* HD_BUCKET_VERTICES */
    char *piece;       /* HD_SORTER_PIECE: records on their way from the disk */
    hd_bucket_scratch scratch;
    uint64_t kept;
    heddle_status status;
    int errnum; /* of a failed read or write; else 0 */
} hd_sorter;

enum { HD_SORTER_PIECE = 1 << 16 };

typedef struct hd_external {
    hd_builder *b;
    size_t record;  /* bytes of an arc on disk: local, target, weight */
    uint64_t most;  /* arcs that one thread sorts in memory */
    hd_spill stage; /* the arcs, bucket by bucket, in input order */
    hd_spill rows;  /* offsets, targets, weights, ids, each from a page on */
    uint64_t at_targets, at_weights, at_ids;
    uint64_t arcs; /* written to `rows` so far */
    /* placing: a buffer for each thread and bucket */
    uint64_t room; /* records of a buffer */
    char *buffers;
    uint32_t *filled;
    uint64_t buffer_count;
    int errnum; /* of the first failed write while placing; else 0 */
    hd_sorter *sorters;
    int sorter_count;
} hd_external;

/* Whether rows and ids fit in the memory limit; true without one. */
bool hd_builder_fits(const hd_builder *b);
/* Steps 2 and 3 on disk: the graph's arrays and ids lie in a mapped temporary file. Without a folder for it, the
 * error of a graph that does not fit. */
heddle_status hd_external_build(hd_builder *b, heddle_graph *graph);

/* Reads `count` records from record `at` on; rows are counted from `first`, which the records count from the bucket's
 * first. 0, or the system's error. */
int hd_sorter_load(const hd_external *x, hd_sorter *sorter, uint64_t at, uint64_t count, uint32_t first);
/* Appends the arcs that the sorter has kept to the rows; 0, or the system's error. */
int hd_sorter_append(const hd_external *x, const hd_sorter *sorter, uint64_t at);
/* Finishes a bucket that has more arcs than fit in memory (external_split.c); leaves its row lengths in `lengths`. */
heddle_status hd_external_split(hd_external *x, const hd_bucket *bucket, uint64_t *lengths);

#endif
