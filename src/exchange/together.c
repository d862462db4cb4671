/* together.c - see together.h. */
#include "exchange/together.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "exchange/agree.h"
#include "graph/fingerprint.h"
#include "io/hdl.h"

#include <string.h>

heddle_status hd_together_begin(heddle_context *ctx, heddle_status status) {
    if (!ctx->link)
        return status;
    HD_TRY(hd_agree(ctx->link, status));
    ctx->together = true;
    ctx->met = ctx->agreed = false;
    return HEDDLE_OK;
}

heddle_status hd_together_meet(heddle_context *ctx) {
    if (!hd_together(ctx) || ctx->met)
        return HEDDLE_OK;
    HD_TRY(hd_agree(ctx->link, HEDDLE_OK));
    ctx->met = true;
    return HEDDLE_OK;
}

/* A rank that never got to the meeting has its word now: there, or in an agreement before it, which the others take as
 * theirs and do not repeat. */
heddle_status hd_together_end(heddle_context *ctx, heddle_status status) {
    hd_link *link = hd_together(ctx);
    if (!link)
        return status;
    ctx->together = false;
    if (status == (heddle_status)HD_ELSEWHERE)
        status = HEDDLE_OK;
    if (status != HEDDLE_OK && ctx->agreed)
        return status;
    if (status == HEDDLE_OK || !ctx->met)
        return hd_agree(link, status);
    link->fail(link, status);
    return status;
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

uint64_t hd_file_hash(const heddle_graph *graph) {
    const hd_mapping *mapping = &graph->mapping;
    const hd_hdl_header *header = mapping->address;
    if (!header)
        return hd_hash2(graph->vertices, graph->edges);
    return hd_hash2(hd_hash_block(header, sizeof *header),
                    hd_hash_block(header + 1, header->sections * sizeof(hd_hdl_entry)));
}

/* All hashes come together at rank 0, which sends the checksum to all. */
static heddle_status join_hashes(void *self, uint64_t *hashes, uint64_t bytes, uint64_t *hash) {
    hd_link *link = self;
    uint64_t blocks = hd_hash_blocks(bytes);
    for (uint32_t p = 1; p < link->size; p++) {
        uint64_t first = hd_split(blocks, link->size, p), end = hd_split(blocks, link->size, p + 1);
        size_t length = (size_t)(end - first) * sizeof *hashes;
        hd_message_way way = {.open = false};
        if (!length || (link->rank && link->rank != p))
            continue;
        HD_TRY(link->rank ? link->send(link, 0, hashes + first, length, &way)
                          : link->receive(link, p, hashes + first, length, &way));
        HD_TRY(link->wait(link, &way));
    }
    *hash = link->rank ? 0 : hd_hash_join(hashes, bytes);
    return hd_broadcast(link, 0, hash, sizeof *hash);
}

heddle_status hd_together_hash(hd_link *link, const void *data, uint64_t bytes, uint64_t *hash) {
    const hd_hash_share share = {.part = link->rank, .parts = link->size, .self = link, .join = join_hashes};
    bool sound;
    return hd_hash_shared(link->ctx, data, bytes, NULL, NULL, &share, hash, &sound);
}

/* Whether one direction is the other's transpose, by sums over each rank's share of the arcs (graph/fingerprint.h). */
static heddle_status prove_transpose(hd_link *link, heddle_graph *graph, bool weights) {
    heddle_weight_type type = weights ? graph->weight_type : HEDDLE_WEIGHT_NONE;
    uint64_t n = graph->vertices, m = graph->edges;
    uint64_t first = hd_split(m, link->size, link->rank), end = hd_split(m, link->size, link->rank + 1);
    hd_transpose_keys keys = {.from = {0}};
    bool drawn = link->rank || hd_transpose_keys_draw(&keys);
    HD_TRY(hd_broadcast(link, 0, &keys, sizeof keys));
    uint64_t sums[2] = {0, drawn ? 0 : 1};
    if (graph->directed)
        sums[0] = hd_transpose_sum(&keys, n, &graph->out, type, 1, first, end) -
                  hd_transpose_sum(&keys, n, &graph->in, type, -1, first, end);
    else
        sums[0] = hd_transpose_sum(&keys, n, &graph->out, type, 0, first, end);
    HD_TRY(link->reduce(link, HD_LINK_SUM, sums, 2));
    if (sums[1])
        return hd_fail(link->ctx, HEDDLE_E_READ, "the system gives no random numbers");
    return sums[0] == 0 ? HEDDLE_OK
                        : hd_fail_file(link->ctx, HEDDLE_E_FORMAT, graph->source_name, 0,
                                       graph->directed ? "the in-edges do not match the out-edges"
                                                       : "the file says it is undirected, but some edges lack their "
                                                         "reverse, or it has another weight");
}

/* Checks that one rank has made before, in a run of its own, are made again by all: sharing takes all of them. */
static heddle_status join_unchecked(hd_link *link, heddle_graph *graph) {
    uint64_t bits[HD_LINK_NUMBERS];
    int mine = graph->mapping.unchecked | graph->unproven, all = 0;
    for (int i = 0; i < HD_LINK_NUMBERS - 1; i++)
        bits[i] = mine >> i & 1;
    bits[HD_LINK_NUMBERS - 1] = graph->verify != NULL;
    HD_TRY(link->reduce(link, HD_LINK_MAX, bits, HD_LINK_NUMBERS));
    for (int i = 0; i < HD_LINK_NUMBERS - 1; i++)
        all |= (int)bits[i] << i;
    if (!graph->verify && bits[HD_LINK_NUMBERS - 1])
        return hd_fail(link->ctx, HEDDLE_E_REFUSED, "some ranks check the file, and others do not");
    graph->mapping.unchecked |= all & ~HD_VERIFY_CLAIMS;
    graph->unproven |= all & HD_VERIFY_CLAIMS;
    return HEDDLE_OK;
}

static heddle_status check_all(hd_link *link, heddle_graph *graph, int what) {
    const hd_hash_share share = {.part = link->rank, .parts = link->size, .self = link, .join = join_hashes};
    HD_TRY(hd_agree_same(link, hd_file_hash(graph),
                         "the ranks see different graphs: the file has to be the same on all machines"));
    HD_TRY(join_unchecked(link, graph));
    int transpose = what & (HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS) & graph->unproven;
    if (!graph->verify)
        return HEDDLE_OK;
    HD_TRY(hd_hdl_verify_shared(link->ctx, graph, what, &share));
    if (!transpose)
        return HEDDLE_OK;
    HD_TRY(prove_transpose(link, graph, transpose & HD_VERIFY_TRANSPOSE_WEIGHTS));
    graph->unproven &= ~transpose;
    return HEDDLE_OK;
}

/* A rank that finds an error in its share sends it to the others. The graph's lock is held, as for any
 * check. */
heddle_status hd_together_check(heddle_context *ctx, const heddle_graph *given, int what) {
    hd_link *link = hd_together(ctx);
    heddle_graph *graph = (heddle_graph *)(uintptr_t)given;
    if (!link)
        return HEDDLE_OK;
    pthread_mutex_lock(&graph->lock);
    heddle_status status = check_all(link, graph, what);
    pthread_mutex_unlock(&graph->lock);
    if (status != HEDDLE_OK && !ctx->agreed)
        link->fail(link, status);
    return status == HEDDLE_OK ? hd_agree(link, status) : status;
}
