/* split.c - see split.h: the table of transforms; selects the vertices to split, numbers the new ones, and allocates
 * the result.
 *
 * Vertices are processed in blocks. One pass counts, for each block, families and their nodes per level; a prefix sum
 * over the blocks gives every block its first numbers; a second pass writes them.
 */
#include "transform/split.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/word_list.h"
#include "graph/build.h"
#include "transform/split_ids.h"
#include "transform/splitter.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 14 };

/* One line each, in the order that texts list them. */
#define TRANSFORMS(X) \
    X(cliq)           \
    X(circ)           \
    X(star)           \
    X(udt)            \
    X(rstar)

#define DECLARE(name) extern const hd_transform hd_transform_##name;
TRANSFORMS(DECLARE)

#define ENTER(name) &hd_transform_##name,
static const hd_transform *const transforms[] = {TRANSFORMS(ENTER)};

enum { COUNT = sizeof transforms / sizeof *transforms };

const hd_transform *hd_transform_at(size_t index) { return index < COUNT ? transforms[index] : NULL; }

const heddle_transform_info *heddle_transform_at(size_t index) {
    return index < COUNT ? &transforms[index]->info : NULL;
}

const char *hd_transform_name(const hd_transform *transform) { return transform ? transform->info.name : "none"; }

void hd_transform_trees(uint32_t K, char *text, size_t size) {
    const char *names[COUNT];
    char list[160];
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (transforms[i]->tree && (!K || K >= transforms[i]->least))
            names[count++] = transforms[i]->info.name;
    hd_join(names, count, ", ", " or ", list, sizeof list);
    snprintf(text, size, "transform=%s", list);
}

heddle_status hd_transform_check_bound(heddle_context *ctx, const hd_transform *transform, uint32_t K) {
    if (!transform || !K || K >= transform->least)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s needs K of %lu or more: with K = 1 it would never end",
                   transform->info.name, (unsigned long)transform->least);
}

uint32_t hd_split_bound(uint64_t largest_degree) {
    double wanted = pow((double)largest_degree, 0.7);
    uint32_t best = 10;
    for (uint32_t ten = 10; ten <= 100000000; ten *= 10)
        for (uint32_t step = 1; step <= 5; step += step == 1 ? 1 : 3)
            if (fabs(log(wanted / ((double)ten * step))) < fabs(log(wanted / best)))
                best = ten * step;
    return best;
}

/* Counts of a block of vertices. */
typedef struct block {
    uint64_t families, firsts, edges, height;
    double hops;
    uint64_t nodes[HD_SPLIT_LEVELS];
} block;

static void count_block(const hd_splitter *s, uint64_t b, block *count) {
    uint64_t to = s->vertices - b * BLOCK < BLOCK ? s->vertices : (b + 1) * BLOCK;
    for (uint64_t v = b * BLOCK; v < to; v++) {
        hd_family family;
        if (hd_splitter_degree(s, v) <= s->split->K)
            continue;
        hd_splitter_shape(s, v, &family);
        count->families++;
        count->firsts += family.levels;
        count->edges += family.links;
        count->height = family.height > count->height ? family.height : count->height;
        count->hops += (double)family.degree * (double)family.hops;
        for (uint32_t l = 0; l < family.levels; l++)
            count->nodes[l] += family.ends[l] - (l ? family.ends[l - 1] : 0);
    }
}

/* Exclusive prefix sum over the blocks' counts. Fills in the totals. */
static void place_blocks(hd_splitter *s, block *blocks, uint64_t count) {
    hd_split_result *split = s->split;
    uint64_t nodes[HD_SPLIT_LEVELS] = {0};
    for (uint64_t b = 0; b < count; b++) {
        block here = blocks[b];
        blocks[b].families = split->families;
        blocks[b].firsts = s->firsts_count;
        split->families += here.families;
        s->firsts_count += here.firsts;
        split->added_edges += here.edges;
        split->height = here.height > split->height ? (uint32_t)here.height : split->height;
        split->hops += here.hops / (double)s->edges;
        for (uint32_t l = 0; l < HD_SPLIT_LEVELS; l++) {
            blocks[b].nodes[l] = nodes[l];
            nodes[l] += here.nodes[l];
            split->levels = here.nodes[l] && l >= split->levels ? l + 1 : split->levels;
        }
    }
    for (uint32_t l = 0; l < HD_SPLIT_LEVELS; l++)
        split->level_start[l + 1] = split->level_start[l] + nodes[l];
    split->added_vertices = split->level_start[split->levels];
}

static void number_block(hd_splitter *s, uint64_t b, block at) {
    const uint64_t *start = s->split->level_start;
    uint64_t to = s->vertices - b * BLOCK < BLOCK ? s->vertices : (b + 1) * BLOCK;
    for (uint64_t v = b * BLOCK; v < to; v++) {
        hd_family family;
        if (s->slot)
            s->slot[v] = UINT32_MAX;
        if (hd_splitter_degree(s, v) <= s->split->K)
            continue;
        hd_splitter_shape(s, v, &family);
        if (s->slot)
            s->slot[v] = (uint32_t)at.families;
        if (s->draws)
            s->draws[at.families] = (hd_split_draw){(uint32_t)(start[0] + at.nodes[0]), (uint32_t)family.nodes};
        s->high[at.families++] = (hd_split_vertex){(heddle_vertex)v, (uint32_t)at.firsts};
        for (uint32_t l = 0; l < family.levels; l++) {
            s->firsts[at.firsts++] = (uint32_t)(start[l] + at.nodes[l]);
            at.nodes[l] += family.ends[l] - (l ? family.ends[l - 1] : 0);
        }
    }
}

static heddle_status number(hd_splitter *s) {
    uint64_t count = (s->vertices + BLOCK - 1) / BLOCK;
    hd_split_result *split = s->split;
    block *blocks;
    heddle_status status = HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(s->ctx, &blocks, count, "families"));
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1))
    for (uint64_t b = 0; b < count; b++)
        if (!hd_cancelled(s->ctx))
            count_block(s, b, &blocks[b]);
    HD_CHECK(hd_cancelled_status(s->ctx));
    place_blocks(s, blocks, count);
    if (s->vertices + split->added_vertices >= UINT32_MAX || s->firsts_count >= UINT32_MAX) {
        status = hd_fail(s->ctx, HEDDLE_E_LIMIT,
                         "%s with K = %lu would add %llu vertices to %llu: together more than there are numbers for "
                         "(4294967294); take a larger K",
                         s->kind->info.name, (unsigned long)split->K, (unsigned long long)split->added_vertices,
                         (unsigned long long)s->vertices);
        goto out;
    }
    HD_CHECK(HD_NEW(s->ctx, &s->high, split->families, "families"));
    HD_CHECK(HD_NEW(s->ctx, &s->firsts, s->firsts_count, "families"));
    if (!s->kind->tree)
        HD_CHECK(HD_NEW(s->ctx, &s->slot, s->vertices, "families"));
    if (!s->kind->tree)
        HD_CHECK(HD_NEW(s->ctx, &s->draws, split->families, "families"));
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1))
    for (uint64_t b = 0; b < count; b++)
        number_block(s, b, blocks[b]);
out:
    HD_DELETE(&s->ctx->allocator, blocks, count);
    return status;
}

/* ---- Weights ---------------------------------------------------------------------------------------------------- */

static heddle_weight_type type_of(heddle_weight_type graph, hd_split_weights weights) {
    if (weights == HD_SPLIT_NONE)
        return HEDDLE_WEIGHT_NONE;
    if (weights == HD_SPLIT_STEPS)
        return HEDDLE_WEIGHT_U32;
    return weights == HD_SPLIT_GRAPH && graph == HEDDLE_WEIGHT_NONE ? HEDDLE_WEIGHT_U32 : graph;
}

static heddle_status choose_dumb(hd_splitter *s) {
    double wanted = s->options->dumb, held = wanted;
    if (s->to_type == HEDDLE_WEIGHT_U32) {
        s->dumb = wanted >= UINT32_MAX ? UINT32_MAX : wanted > 0 ? (uint32_t)wanted : 0;
        held = s->dumb;
    } else if (s->to_type == HEDDLE_WEIGHT_I32) {
        int32_t weight = wanted >= INT32_MAX ? INT32_MAX : wanted > INT32_MIN ? (int32_t)wanted : INT32_MIN;
        s->dumb = (uint32_t)weight;
        held = weight;
    } else if (s->to_type == HEDDLE_WEIGHT_F32) {
        float weight = isinf(wanted) ? FLT_MAX : (float)wanted;
        uint32_t bits;
        memcpy(&bits, &weight, sizeof weight);
        s->dumb = bits;
        held = (double)weight;
    } else if (s->to_type == HEDDLE_WEIGHT_I64) {
        int64_t weight = wanted >= 0x1p63 ? INT64_MAX : wanted > -0x1p63 ? (int64_t)wanted : INT64_MIN;
        s->dumb = (uint64_t)weight;
        held = (double)weight;
    } else if (s->to_type == HEDDLE_WEIGHT_F64) {
        double weight = isinf(wanted) ? DBL_MAX : wanted;
        memcpy(&s->dumb, &weight, sizeof weight);
    }
    s->size = hd_weight_size(s->to_type);
    if (held == wanted || isinf(wanted))
        return HEDDLE_OK;
    return hd_fail(s->ctx, HEDDLE_E_REFUSED, "the graph's weights cannot hold %g, the weight of the edges that %s adds",
                   wanted, s->kind->info.name);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static uint64_t largest_degree(const hd_splitter *s) {
    uint64_t most = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(max : most))
    for (uint64_t v = 0; v < s->vertices; v++)
        most = hd_splitter_degree(s, v) > most ? hd_splitter_degree(s, v) : most;
    return most;
}

static heddle_status choose_K(hd_splitter *s, uint64_t largest) {
    uint32_t K = s->options->K ? s->options->K : hd_split_bound(largest);
    HD_TRY(hd_transform_check_bound(s->ctx, s->options->transform, K));
    s->split->K = K;
    if (largest <= K)
        hd_note(s->ctx, "%s: no vertex has more than K = %lu %s-edges (the most is %llu): there is nothing to split",
                s->kind->info.name, (unsigned long)K, s->options->pull ? "in" : "out", (unsigned long long)largest);
    return HEDDLE_OK;
}

static heddle_status write_graph(hd_splitter *s) {
    hd_split_result *split = s->split;
    heddle_graph *graph;
    uint64_t vertices = s->vertices + split->added_vertices, edges = s->edges + split->added_edges;
    HD_TRY(hd_graph_new(s->ctx, &split->graph));
    graph = split->graph;
    graph->vertices = vertices;
    graph->edges = edges;
    graph->directed = true;
    graph->weight_type = s->to_type;
    hd_csr *csr = s->options->pull ? &graph->in : &graph->out;
    csr->owned = true;
    HD_TRY(HD_NEW(s->ctx, &csr->offsets, vertices + 1, "row offsets"));
    HD_TRY(HD_NEW(s->ctx, &csr->targets, edges, "edges"));
    if (s->to_type)
        HD_TRY(hd_new(s->ctx, &csr->weights, edges, hd_weight_size(s->to_type), false, "weights"));
    HD_TRY(HD_NEW(s->ctx, &split->family, split->added_vertices, "families"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &split->fresh, edges / 64 + 1, "marks of new edges"));
    s->csr = *csr;
    HD_TRY(hd_splitter_write(s));
    return s->options->pull ? hd_csr_transpose(s->ctx, vertices, &graph->in, s->to_type, &graph->out) : HEDDLE_OK;
}

heddle_status hd_split_graph(heddle_context *ctx, const heddle_graph *graph, const hd_split_options *options,
                             hd_split_result *split) {
    hd_splitter s = {.ctx = ctx,
                     .options = options,
                     .kind = options->transform,
                     .split = split,
                     .vertices = graph->vertices,
                     .edges = graph->edges,
                     .from_type = options->weights == HD_SPLIT_STEPS ? HEDDLE_WEIGHT_NONE : graph->weight_type,
                     .to_type = type_of(graph->weight_type, options->weights)};
    heddle_status status;
    double start = hd_clock();
    *split = (hd_split_result){.originals = graph->vertices};
    HD_TRY(options->pull ? heddle_graph_in(ctx, graph, &s.rows) : heddle_graph_out(ctx, graph, &s.rows));
    uint64_t largest = largest_degree(&s);
    HD_TRY(choose_K(&s, largest));
    if (largest <= split->K)
        return HEDDLE_OK;
    hd_phase_begin(ctx, "transform", 0);
    HD_CHECK(choose_dumb(&s));
    HD_CHECK(number(&s));
    HD_CHECK(write_graph(&s));
    if (options->ids)
        HD_CHECK(hd_split_name(ctx, graph, split));
    split->seconds = hd_clock() - start;
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, s.high, split->families);
    HD_DELETE(&ctx->allocator, s.firsts, s.firsts_count);
    HD_DELETE(&ctx->allocator, s.slot, s.vertices);
    HD_DELETE(&ctx->allocator, s.draws, split->families);
    if (status != HEDDLE_OK)
        hd_split_free(ctx, split);
    return status;
}

heddle_status hd_split_count(heddle_context *ctx, const heddle_graph *graph, const hd_split_options *options,
                             uint64_t *vertices, uint64_t *edges) {
    hd_split_result split = {.originals = graph->vertices};
    hd_splitter s = {.ctx = ctx, .kind = options->transform, .split = &split, .vertices = graph->vertices};
    uint64_t added = 0, links = 0;
    bool in = options->pull && graph->in.offsets;
    HD_TRY(hd_graph_verify(ctx, graph, in ? HD_VERIFY_OFFSETS << HD_VERIFY_SHIFT : HD_VERIFY_OFFSETS));
    s.rows.offsets = in ? graph->in.offsets : graph->out.offsets;
    split.K = options->K ? options->K : hd_split_bound(largest_degree(&s));
    HD_TRY(hd_transform_check_bound(ctx, options->transform, split.K));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) reduction(+ : added) reduction(+ : links))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        hd_family family;
        if (hd_splitter_degree(&s, v) <= split.K)
            continue;
        hd_splitter_shape(&s, v, &family);
        added += family.nodes;
        links += family.links;
    }
    *vertices = added;
    *edges = links;
    return HEDDLE_OK;
}

void hd_split_free(heddle_context *ctx, hd_split_result *split) {
    HD_DELETE(&ctx->allocator, split->family, split->added_vertices);
    if (split->graph)
        HD_DELETE(&ctx->allocator, split->fresh, split->graph->edges / 64 + 1);
    heddle_graph_destroy(&split->graph);
}
