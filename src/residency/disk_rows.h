/* disk_rows.h - the rows of an .hdl file that is larger than memory: offsets in memory, targets and weights read from
 * the file span by span.
 *
 * A span is a fixed number of edges, whatever rows they belong to: rows may be cut anywhere, so a row of any length
 * needs no exception. The first spans stay in memory, as many as the request has bytes for; the others pass through a
 * ring of buffers (disk_ring.h). Nothing is used before the checksums of the sections and the bounds of all targets
 * were checked, in a first pass over the file (disk_check.c) that also fills the spans which stay.
 */
#ifndef HD_RESIDENCY_DISK_ROWS_H
#define HD_RESIDENCY_DISK_ROWS_H

#include "graph/graph.h"
#include "residency/disk_ring.h"

/* Which rows of a graph are read, and with how much memory. */
typedef struct hd_disk_request {
    bool in;             /* in-edges; of an undirected graph they are the out-edges */
    bool weights;        /* read the weights too, if there are any */
    uint64_t bytes;      /* for edges: buffers and spans that stay; at least hd_disk_least_bytes */
    uint64_t span_edges; /* edges of a span, also of smaller ones than the ring has room for; 0: by the bytes */
} hd_disk_request;

/* Edges that are in memory, as indices into the whole: rows.targets[e] for first_edge <= e < end_edge. */
typedef struct hd_disk_block {
    uint64_t span;
    uint64_t first_edge, end_edge;
    hd_csr rows; /* all offsets, and targets and weights shifted so that the graph's edge numbers hold */
    bool stays;
} hd_disk_block;

typedef struct hd_disk {
    heddle_context *ctx;
    const heddle_graph *graph;
    bool in; /* rows of the file's in-edges */
    hd_disk_file file;
    hd_disk_ring ring;
    uint64_t *offsets; /* vertices + 1 */
    uint64_t targets_at, weights_at;
    size_t weight_size; /* 0: weights are not read */
    uint64_t span_edges, span_count;
    uint64_t kept_edges; /* the edges before this one stay in memory */
    uint32_t *kept_targets;
    char *kept_weights;
    bool filled;   /* the kept edges have been read */
    bool checking; /* the pass under way checks its targets itself (disk_check.c) */
    /* The pass that is under way: spans of `grain` edges, those that stay first. */
    uint64_t grain, pass_count, pass_kept, pass_at;
    uint64_t *pass_spans, pass_room;
    hd_disk_want *wants;
    hd_disk_slot *slot;
    hd_traffic pass, total; /* spans and bytes: needed, read (sent) and in memory already (reused) */
    uint64_t passes;
    double begun; /* clock at the beginning of the pass */
} hd_disk;

static inline uint64_t hd_disk_edge_bytes(const heddle_graph *graph, bool weights) {
    return sizeof(heddle_vertex) + (weights ? hd_weight_size(graph->weight_type) : 0);
}
/* The least bytes for edges that a request works with. */
uint64_t hd_disk_least_bytes(const heddle_graph *graph, bool weights);
/* Bytes of the lists of spans, for the smallest that are chosen by bytes. */
uint64_t hd_disk_table_bytes(const heddle_graph *graph);
/* Bytes that hd_disk_check takes to compare the two directions of a directed graph: those of the other one. */
uint64_t hd_disk_proof_bytes(const heddle_graph *graph, bool weights);
/* Whether the rows can be read from a file: the graph is one that can be opened by its name, and the rows are in it. */
bool hd_disk_has_rows(const heddle_graph *graph, bool in);

/* Opens the file again and reads the offsets, which are checked. Closed also where this fails. */
heddle_status hd_disk_open(heddle_context *ctx, const heddle_graph *graph, const hd_disk_request *request,
                           hd_disk *disk);
void hd_disk_close(hd_disk *disk);

/* The degrees of a direction, from the offsets in the file; room for a number per vertex. */
heddle_status hd_disk_degrees(heddle_context *ctx, const heddle_graph *graph, bool in, uint32_t *degrees);

/* ---- A pass: the listed spans, each once ------------------------------------------------------------------------ */

/* Starts to read; NULL: all spans. The list is copied. */
heddle_status hd_disk_pass_begin(hd_disk *disk, const uint64_t *spans, uint64_t count);
/* The next block, valid until the next call; *more is false behind the last. Those that stay come first. */
heddle_status hd_disk_pass_next(hd_disk *disk, hd_disk_block *block, bool *more);
/* Ends a pass, also in the middle; fails if the file has changed since it was opened. */
heddle_status hd_disk_pass_end(hd_disk *disk);

/* ---- The first pass (disk_check.c) ------------------------------------------------------------------------------ */

/* Facts to collect beside the checks that a file needs. */
typedef struct hd_disk_survey {
    bool prove; /* verify that an undirected graph is, or that in-edges match the out-edges */
    bool whole; /* pass over all edges even if there is nothing to check any more */
    void *self;
    /* Called with every block, in the order of edges; NULL: not. Needs `whole`. */
    heddle_status (*visit)(void *self, const hd_disk_block *block);
} hd_disk_survey;

/* Checks what of the rows was not checked yet and fills the spans that stay. The errors are those of hd_graph_verify.
 * Has to come before the first other pass. */
heddle_status hd_disk_check(hd_disk *disk, const hd_disk_survey *survey);

/* For disk_check.c: a pass over spans of another size, in the order of edges. */
heddle_status hd_disk_pass_begin_by(hd_disk *disk, uint64_t grain, uint64_t end_edge);
/* Adds a pass to the total. */
void hd_disk_count(hd_traffic *total, const hd_traffic *pass);

#endif
