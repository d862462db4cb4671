/* csr_transpose.c - transposes a CSR: it is read as an edge source with sources and targets exchanged. Rows come out in
 * ascending order because the builder keeps the input order. */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/build.h"
#include "graph/rows.h"

#include <string.h>

typedef struct csr_source {
    const hd_csr *csr;
    heddle_weight_type type;
    uint64_t vertices;
    uint64_t parts;
} csr_source;

static void begin(void *context, hd_cursor *cursor) {
    csr_source *self = context;
    uint64_t edges = self->csr->offsets[self->vertices];
    cursor->position = hd_split(edges, self->parts, cursor->part);
    cursor->end = hd_split(edges, self->parts, cursor->part + 1);
    cursor->state[0] =
        cursor->position < cursor->end ? hd_row_of(self->csr->offsets, self->vertices, cursor->position) : 0;
}

static void next(void *context, hd_cursor *cursor, hd_edge_batch *batch) {
    const csr_source *self = context;
    const hd_csr *csr = self->csr;
    uint64_t row = cursor->state[0], e = cursor->position;
    uint64_t end = cursor->end - e < HD_BATCH ? cursor->end : e + HD_BATCH;
    size_t count = 0;
    for (; e < end; e++, count++) {
        while (csr->offsets[row + 1] <= e)
            row++;
        batch->source[count] = csr->targets[e];
        batch->target[count] = row;
        if (csr->weights)
            hd_batch_weigh(batch, count, csr->weights, self->type, e);
    }
    batch->count = count;
    cursor->state[0] = row;
    cursor->position = e;
}

heddle_status hd_csr_transpose(heddle_context *ctx, uint64_t vertices, const hd_csr *csr, heddle_weight_type type,
                               hd_csr *transposed) {
    csr_source self = {csr, type, vertices, (uint64_t)ctx->threads * 4};
    uint64_t edges = csr->offsets[vertices];
    if (edges >> 30 > self.parts)
        self.parts = edges >> 30;
    hd_edge_source source = {.self = &self,
                             .parts = self.parts,
                             .phase = "transpose",
                             .work = edges,
                             .ids = HD_IDS_KNOWN,
                             .vertices = vertices,
                             .weighted = type != HEDDLE_WEIGHT_NONE,
                             .weight_type = type,
                             .begin = begin,
                             .next = next};
    if (csr->mapped) {
        size_t size = hd_weight_size(type);
        source.behind[0] = (struct hd_behind){csr->targets, edges * sizeof *csr->targets, sizeof *csr->targets};
        source.behind[1] = (struct hd_behind){csr->weights, edges * size, size};
        source.behind[2] = (struct hd_behind){csr->offsets, (vertices + 1) * sizeof *csr->offsets, 0};
    }
    heddle_build_options options;
    heddle_build_options_init(&options);
    heddle_graph *graph;
    HD_TRY(hd_graph_build(ctx, &source, &options, &graph));
    *transposed = graph->out;
    graph->out = (hd_csr){.offsets = NULL};
    heddle_graph_destroy(&graph);
    return HEDDLE_OK;
}
