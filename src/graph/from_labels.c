/* from_labels.c - a graph from edges whose end points the caller names by strings: the strings are concatenated into
 * one text, which the builder then reads like the text of a file. */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/build.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_MOST = 65535 };

typedef struct label_source {
    const char *const *ends[2]; /* sources, targets */
    const void *weights;
    heddle_weight_type type;
    uint64_t edges, parts;
    uint64_t *places; /* of each part's text, and the end */
    uint64_t *ids;    /* 2 for each edge: offset << 16 | length */
    char *text;
} label_source;

/* The bytes of a part's text; *bad becomes the first invalid label, encoded as 2 * edge + side. */
static uint64_t measure_part(const label_source *self, uint64_t part, uint64_t *bad) {
    uint64_t bytes = 0, end = hd_split(self->edges, self->parts, part + 1);
    for (uint64_t e = hd_split(self->edges, self->parts, part); e < end; e++)
        for (uint64_t side = 0; side < 2; side++) {
            const char *label = self->ends[side][e];
            size_t length = label ? strnlen(label, LABEL_MOST + 1) : 0;
            if ((length == 0 || length > LABEL_MOST) && 2 * e + side < *bad)
                *bad = 2 * e + side;
            self->ids[2 * e + side] = length;
            bytes += length;
        }
    return bytes;
}

static void copy_part(const label_source *self, uint64_t part) {
    uint64_t at = self->places[part], end = hd_split(self->edges, self->parts, part + 1);
    for (uint64_t i = 2 * hd_split(self->edges, self->parts, part); i < 2 * end; i++) {
        uint64_t length = self->ids[i];
        memcpy(self->text + at, self->ends[i & 1][i >> 1], (size_t)length);
        self->ids[i] = at << 16 | length;
        at += length;
    }
}

static heddle_status fail_label(heddle_context *ctx, const label_source *self, uint64_t bad) {
    const char *label = self->ends[bad & 1][bad >> 1], *side = bad & 1 ? "targets" : "sources";
    char name[40];
    snprintf(name, sizeof name, "%s[%llu]", side, (unsigned long long)(bad >> 1));
    if (!label)
        return hd_fail_null(ctx, "heddle_graph_from_labels", name);
    return *label ? hd_fail(ctx, HEDDLE_E_LIMIT, "%s is longer than %d bytes", name, LABEL_MOST)
                  : hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s is empty", name);
}

static heddle_status gather(heddle_context *ctx, label_source *self) {
    uint64_t bad = UINT64_MAX, parts = self->parts;
    HD_TRY(HD_NEW_ZERO(ctx, &self->places, parts + 1, "labels"));
    HD_TRY(HD_NEW(ctx, &self->ids, 2 * self->edges, "labels"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic) reduction(min : bad) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < parts; part++)
        self->places[part + 1] = measure_part(self, part, &bad);
    if (bad != UINT64_MAX)
        return fail_label(ctx, self, bad);
    for (uint64_t part = 0; part < parts; part++)
        self->places[part + 1] += self->places[part];
    HD_TRY(HD_NEW(ctx, &self->text, self->places[parts], "labels"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < parts; part++)
        copy_part(self, part);
    return HEDDLE_OK;
}

static void begin(void *context, hd_cursor *cursor) {
    const label_source *self = context;
    cursor->position = hd_split(self->edges, self->parts, cursor->part);
    cursor->end = hd_split(self->edges, self->parts, cursor->part + 1);
}

static void next(void *context, hd_cursor *cursor, hd_edge_batch *batch) {
    const label_source *self = context;
    uint64_t e = cursor->position, left = cursor->end - e;
    size_t count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    for (size_t i = 0; i < count; i++, e++) {
        batch->source[i] = self->ids[2 * e];
        batch->target[i] = self->ids[2 * e + 1];
        if (self->weights) {
            hd_batch_weigh(batch, i, self->weights, self->type, e);
            if (!(batch->weight[i] - batch->weight[i] == 0)) {
                cursor->expected = "a finite weight";
                cursor->error_at = e;
                return; /* count stays 0 */
            }
        }
    }
    cursor->position = e;
    batch->count = count;
}

static heddle_status fail(void *context, heddle_context *ctx, const hd_cursor *cursor) {
    const label_source *self = context;
    uint64_t e = cursor->error_at;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "edge %llu (%.60s -> %.60s): expected %s", (unsigned long long)e,
                   self->ends[0][e], self->ends[1][e], cursor->expected);
}

heddle_status heddle_graph_from_labels(heddle_context *ctx, uint64_t edges, const char *const *sources,
                                       const char *const *targets, const void *weights, heddle_weight_type weight_type,
                                       const heddle_build_options *given, heddle_graph **graph) {
    heddle_build_options options;
    heddle_status status;
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_TRY(hd_edges_given(ctx, __func__, edges, sources, targets, given, &options));
    HD_TRY(hd_weights_given(ctx, weights, weight_type, edges));
    hd_threads_settle(ctx, hd_work(0, edges, 1));
    label_source self = {.ends = {sources, targets},
                         .weights = weights,
                         .type = weight_type,
                         .edges = edges,
                         .parts = hd_array_parts(ctx, edges)};
    HD_CHECK(gather(ctx, &self));
    hd_edge_source source = {.self = &self,
                             .parts = self.parts,
                             .phase = "build",
                             .work = edges,
                             .ids = HD_IDS_TEXT,
                             .text = self.text,
                             .weighted = weight_type != HEDDLE_WEIGHT_NONE,
                             .weight_type = weight_type,
                             .begin = begin,
                             .next = next,
                             .fail = fail};
    status = hd_graph_build(ctx, &source, &options, graph);
out:
    HD_DELETE(&ctx->allocator, self.text, self.places ? self.places[self.parts] : 0);
    HD_DELETE(&ctx->allocator, self.ids, 2 * edges);
    HD_DELETE(&ctx->allocator, self.places, self.parts + 1);
    return status;
}
