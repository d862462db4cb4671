/* disk_check.c - the first pass over rows in a file: checksums, bounds and order of targets, finite weights, and, by
 * the fingerprint of both directions, that in-edges match the out-edges. Nothing is computed from edges that have not
 * been through this.
 *
 * The grain is whole blocks of the checksums. Blocks of a grain are looked at in parallel; grains come in order, and
 * the last target of one is put in front of the next, where the check of ascending rows looks for it.
 */
#include "residency/disk_rows.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/fingerprint.h"
#include "io/hdl.h"

#include <string.h>

enum {
    UNIT = HD_HASH_BLOCK / 4, /* edges whose targets are a block of the checksum */
    OTHER_SPAN = UNIT         /* while the other direction is read: it is done once, with little memory */
};

typedef struct check {
    hd_disk *disk;
    bool targets, weights, prove; /* to be checked */
    uint64_t *hashes[HD_DISK_PARTS], hash_count[HD_DISK_PARTS];
    uint64_t falls, sum;
    bool outside, infinite;
    hd_transpose_keys keys;
    int side; /* graph/fingerprint.h */
    heddle_weight_type proven_type;
    uint32_t last;         /* target of the grain before */
    heddle_status visited; /* status of the visitor */
} check;

static void hash_blocks(const check *c, int part, const char *data, size_t size, uint64_t first, uint64_t end) {
    uint64_t m = c->disk->graph->edges * size, from = first * size, to = end * size;
    for (; from < to; from += HD_HASH_BLOCK) {
        uint64_t stop = m - from < HD_HASH_BLOCK ? m : from + HD_HASH_BLOCK;
        c->hashes[part][from / HD_HASH_BLOCK] = hd_hash_block(data + from, (size_t)(stop - from));
    }
}

static void keep(hd_disk *disk, const hd_csr *rows, uint64_t first, uint64_t end) {
    end = end < disk->kept_edges ? end : disk->kept_edges;
    if (first >= end || disk->filled)
        return;
    memcpy(disk->kept_targets + first, rows->targets + first, (end - first) * 4);
    if (disk->weight_size)
        memcpy(disk->kept_weights + first * disk->weight_size, (const char *)rows->weights + first * disk->weight_size,
               (end - first) * disk->weight_size);
}

/* One unit; *falls and *sum are the thread's own. */
static void look_at(check *c, const hd_disk_block *block, uint64_t first, uint64_t end, uint64_t *falls,
                    uint64_t *sum) {
    const heddle_graph *graph = c->disk->graph;
    const hd_csr *rows = &block->rows;
    if (c->targets) {
        hash_blocks(c, 0, (const char *)rows->targets, 4, first, end);
        if (!hd_hdl_targets_sound(graph, rows, first * 4, end * 4, falls))
            hd_store(&c->outside, true);
    }
    if (c->weights) {
        size_t size = c->disk->weight_size;
        hash_blocks(c, 1, rows->weights, size, first, end);
        if (!hd_hdl_weights_sound(graph, rows, first * size, end * size))
            hd_store(&c->infinite, true);
    }
    if (c->prove)
        *sum += hd_transpose_sum(&c->keys, graph->vertices, rows, c->proven_type, c->side, first, end);
    keep(c->disk, rows, first, end);
}

static void look_at_block(check *c, const hd_disk_block *block) {
    uint64_t units = (block->end_edge - block->first_edge + UNIT - 1) / UNIT, falls = 0, sum = 0;
    if (block->first_edge)
        block->rows.targets[block->first_edge - 1] = c->last; /* a page in front belongs to the buffer */
    HD_PARALLEL_FOR(c->disk->ctx, schedule(dynamic, 1) reduction(+ : falls, sum) if (units > 1))
    for (uint64_t k = 0; k < units; k++) {
        uint64_t first = block->first_edge + k * UNIT;
        uint64_t end = block->end_edge - first < UNIT ? block->end_edge : first + UNIT;
        if (!hd_advance(c->disk->ctx, (end - first) * (4 + c->disk->weight_size)))
            look_at(c, block, first, end, &falls, &sum);
    }
    c->falls += falls;
    c->sum += sum;
    c->last = block->rows.targets[block->end_edge - 1];
}

/* Checks of whole sections. */
static heddle_status judge(const check *c) {
    const heddle_graph *graph = c->disk->graph;
    heddle_context *ctx = c->disk->ctx;
    uint32_t first = c->disk->in ? HD_HDL_IN_OFFSETS : HD_HDL_OUT_OFFSETS;
    const uint64_t *sums = graph->mapping.checksums;
    if (c->targets && hd_hash_join(c->hashes[0], graph->edges * 4) != sums[first])
        return hd_hdl_fail_section(ctx, graph, first + 1, "its checksum is wrong");
    if (c->outside)
        return hd_hdl_fail_section(ctx, graph, first + 1, "a target is no vertex");
    if (c->falls)
        return hd_hdl_fail_section(ctx, graph, first + 1, "its rows do not ascend");
    if (c->weights && hd_hash_join(c->hashes[1], graph->edges * c->disk->weight_size) != sums[first + 1])
        return hd_hdl_fail_section(ctx, graph, first + 2, "its checksum is wrong");
    return c->infinite ? hd_hdl_fail_section(ctx, graph, first + 2, "a weight is not finite") : HEDDLE_OK;
}

static heddle_status walk(check *c, const hd_disk_survey *survey, uint64_t end_edge) {
    hd_disk *disk = c->disk;
    uint64_t grain = disk->span_edges % UNIT ? UNIT : disk->span_edges;
    hd_disk_block block;
    bool more;
    disk->checking = c->targets;
    heddle_status status = hd_disk_pass_begin_by(disk, grain, end_edge);
    while (status == HEDDLE_OK && (status = hd_disk_pass_next(disk, &block, &more)) == HEDDLE_OK && more) {
        look_at_block(c, &block);
        /* Targets that are no vertices must not be used. What the visitor finds wrong may be damage, which is reported
         * first: the pass goes on to its end. */
        if (survey->visit && !c->outside && c->visited == HEDDLE_OK)
            c->visited = survey->visit(survey->self, &block);
    }
    disk->checking = false;
    heddle_status end = hd_disk_pass_end(disk);
    HD_TRY(status);
    HD_TRY(hd_cancelled_status(disk->ctx));
    return end;
}

static heddle_status check_rows(check *c, const hd_disk_survey *survey) {
    hd_disk *disk = c->disk;
    heddle_context *ctx = disk->ctx;
    bool all = c->targets || c->weights || c->prove || survey->whole;
    uint64_t m = disk->graph->edges, end = all ? m : disk->kept_edges;
    heddle_status status = HEDDLE_OK;
    for (int part = 0; part < HD_DISK_PARTS; part++) {
        c->hash_count[part] = hd_hash_blocks(m * (part ? disk->weight_size : 4));
        HD_CHECK(HD_NEW(ctx, &c->hashes[part], c->hash_count[part], "block checksums"));
    }
    hd_phase_begin(ctx, "verify", end * (4 + disk->weight_size));
    status = walk(c, survey, end);
    hd_phase_end(ctx);
    if (status == HEDDLE_OK && m)
        status = judge(c);
    if (status == HEDDLE_OK)
        status = c->visited;
out:
    for (int part = 0; part < HD_DISK_PARTS; part++)
        HD_DELETE(&ctx->allocator, c->hashes[part], c->hash_count[part]);
    return status;
}

/* ---- Both directions -------------------------------------------------------------------------------------------- */

static heddle_status fail_claim(const hd_disk *disk, bool weights) {
    const heddle_graph *graph = disk->graph;
    const char *words = graph->directed ? "the in-edges do not match the out-edges"
                        : weights ? "the file says it is undirected, but an edge lacks its reverse, or has another "
                                    "weight there"
                                  : "the file says it is undirected, but an edge lacks its reverse";
    return hd_fail_file(disk->ctx, HEDDLE_E_FORMAT, graph->source_name, 0, "%s", words);
}

uint64_t hd_disk_proof_bytes(const heddle_graph *graph, bool weights) {
    uint64_t span = graph->edges < OTHER_SPAN ? graph->edges : OTHER_SPAN, m = graph->edges;
    uint64_t each = hd_disk_edge_bytes(graph, weights), hashes = hd_hash_blocks(m * each) + HD_DISK_PARTS;
    return (graph->vertices + 1) * 8 + span * HD_DISK_SLOTS * each + hd_disk_table_bytes(graph) + hashes * 8;
}

/* The sum of a directed graph's other rows; they are checked on the way. */
static heddle_status sum_other(const check *c, uint64_t *sum) {
    hd_disk *disk = c->disk;
    hd_disk_request request = {.in = !disk->in, .weights = c->weights || c->proven_type, .span_edges = OTHER_SPAN};
    hd_disk other;
    hd_disk_survey survey = {.whole = true};
    check mine = {.disk = &other, .prove = true, .keys = c->keys, .side = -c->side, .proven_type = c->proven_type};
    heddle_status status;
    HD_CHECK(hd_disk_open(disk->ctx, disk->graph, &request, &other));
    int unchecked = hd_graph_unchecked(disk->graph) >> (other.in ? HD_VERIFY_SHIFT : 0);
    mine.targets = unchecked & HD_VERIFY_TARGETS;
    mine.weights = other.weight_size && unchecked & HD_VERIFY_WEIGHTS;
    HD_CHECK(check_rows(&mine, &survey));
    *sum = mine.sum;
    hd_disk_count(&disk->total, &other.total);
out:
    hd_disk_close(&other);
    return status;
}

/* The bits of what was found sound. */
static void note_checked(const hd_disk *disk, const check *c) {
    heddle_graph *graph = (heddle_graph *)(uintptr_t)disk->graph;
    int parts = HD_VERIFY_OFFSETS | HD_VERIFY_TARGETS | (disk->weight_size ? HD_VERIFY_WEIGHTS : 0);
    pthread_mutex_lock(&graph->lock);
    graph->mapping.unchecked &= ~(disk->in ? parts << HD_VERIFY_SHIFT : parts);
    if (c->prove) /* the other direction's too, which were checked on the way */
        graph->mapping.unchecked &= ~(graph->directed ? parts | parts << HD_VERIFY_SHIFT : parts);
    if (c->prove)
        graph->unproven &= ~(HD_VERIFY_TRANSPOSE | (disk->weight_size ? HD_VERIFY_TRANSPOSE_WEIGHTS : 0));
    pthread_mutex_unlock(&graph->lock);
}

static bool unproven(const heddle_graph *graph, bool weights) {
    heddle_graph *g = (heddle_graph *)(uintptr_t)graph;
    pthread_mutex_lock(&g->lock);
    int claims = g->unproven & (HD_VERIFY_TRANSPOSE | (weights ? HD_VERIFY_TRANSPOSE_WEIGHTS : 0));
    pthread_mutex_unlock(&g->lock);
    return claims;
}

heddle_status hd_disk_check(hd_disk *disk, const hd_disk_survey *survey) {
    const heddle_graph *graph = disk->graph;
    int unchecked = hd_graph_unchecked(graph) >> (disk->in ? HD_VERIFY_SHIFT : 0);
    check c = {.disk = disk,
               .targets = unchecked & HD_VERIFY_TARGETS,
               .weights = disk->weight_size && unchecked & HD_VERIFY_WEIGHTS,
               .prove = survey->prove && unproven(graph, disk->weight_size),
               .side = !graph->directed ? 0
                       : disk->in       ? -1
                                        : 1,
               .proven_type = disk->weight_size ? graph->weight_type : HEDDLE_WEIGHT_NONE};
    uint64_t sum = 0;
    if (c.prove && !hd_transpose_keys_draw(&c.keys))
        return hd_fail(disk->ctx, HEDDLE_E_INTERNAL, "the system gives no random bytes");
    HD_TRY(check_rows(&c, survey));
    if (c.prove && graph->directed)
        HD_TRY(sum_other(&c, &sum));
    if (c.prove && c.sum != sum)
        return fail_claim(disk, disk->weight_size);
    disk->filled = true;
    note_checked(disk, &c);
    return HEDDLE_OK;
}
