/* ranked.c - see ranked.h.
 *
 * Weights become keys, 64-bit numbers that order like them. Keys and the edges they belong to are dealt into buckets,
 * whose bounds are those of a sorted sample, so that they are about as large as each other; equal keys share a bucket.
 * Each bucket is sorted by radix, in the cache, and its different keys are counted; then the ordinals are known.
 */
#include "algorithm/views/ranked.h"

#include "algorithm/algorithm.h"
#include "algorithm/paths/paths.h"
#include "algorithm/views/split_view.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/derived.h"
#include "engine/weight_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1 << 13, BUCKETS = 1 << 9, DIGIT = 8, DIGITS = 1 << DIGIT, CHUNK = 1 << 16, FEW = 32 };

typedef struct keyed {
    uint64_t key;
    uint64_t edge;
} keyed;

typedef struct sorting {
    heddle_context *ctx;
    const void *weights;
    heddle_weight_type type;
    uint64_t edges, chunks, buckets;
    uint64_t bounds[BUCKETS]; /* ascending: bucket b has the keys from bounds[b - 1] up to, not including, bounds[b] */
    uint64_t *starts;         /* chunks x buckets: where a chunk writes; then of buckets */
    keyed *items, *spare;
    uint64_t first[BUCKETS + 1];    /* place of a bucket's first item */
    uint64_t ordinals[BUCKETS + 1]; /* ordinal of its first key */
} sorting;

static const uint64_t sign = UINT64_C(1) << 63;

/* Zeros of either sign are the same. */
static uint64_t key_of(const sorting *s, uint64_t edge) {
    uint64_t bits = ((const uint64_t *)s->weights)[edge];
    if (s->type == HEDDLE_WEIGHT_I64)
        return bits ^ sign;
    bits = bits == sign ? 0 : bits;
    return bits & sign ? ~bits : bits | sign;
}

static uint64_t weight_of(heddle_weight_type type, uint64_t key) {
    if (type == HEDDLE_WEIGHT_I64)
        return key ^ sign;
    return key & sign ? key ^ sign : ~key;
}

static int compare(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static heddle_status choose_bounds(sorting *s) {
    uint64_t count = s->edges < SAMPLES ? s->edges : SAMPLES, parts = count < BUCKETS ? count : BUCKETS, *sample;
    HD_TRY(HD_NEW(s->ctx, &sample, count, "a sample of the weights"));
    for (uint64_t i = 0; i < count; i++)
        sample[i] = key_of(s, hd_split(s->edges, count, i));
    qsort(sample, count, sizeof *sample, compare);
    s->buckets = 1;
    for (uint64_t i = 1; i < parts; i++) {
        uint64_t bound = sample[hd_split(count, parts, i)];
        if (s->buckets == 1 || bound > s->bounds[s->buckets - 2])
            s->bounds[s->buckets++ - 1] = bound;
    }
    HD_DELETE(&s->ctx->allocator, sample, count);
    return HEDDLE_OK;
}

static uint64_t bucket_of(const sorting *s, uint64_t key) {
    uint64_t low = 0, high = s->buckets - 1; /* bounds below which the key may lie */
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (key < s->bounds[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void count_chunks(sorting *s) {
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (s->chunks > 1))
    for (uint64_t chunk = 0; chunk < s->chunks; chunk++) {
        uint64_t end = (chunk + 1) * CHUNK < s->edges ? (chunk + 1) * CHUNK : s->edges;
        for (uint64_t e = chunk * CHUNK; e < end && !hd_cancelled(s->ctx); e++)
            s->starts[chunk * s->buckets + bucket_of(s, key_of(s, e))]++;
    }
}

static void place_chunks(sorting *s) {
    uint64_t at = 0;
    for (uint64_t b = 0; b < s->buckets; b++) {
        s->first[b] = at;
        for (uint64_t chunk = 0; chunk < s->chunks; chunk++) {
            uint64_t *start = &s->starts[chunk * s->buckets + b], count = *start;
            *start = at;
            at += count;
        }
    }
    s->first[s->buckets] = at;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (s->chunks > 1))
    for (uint64_t chunk = 0; chunk < s->chunks; chunk++) {
        uint64_t end = (chunk + 1) * CHUNK < s->edges ? (chunk + 1) * CHUNK : s->edges;
        for (uint64_t e = chunk * CHUNK; e < end && !hd_cancelled(s->ctx); e++) {
            uint64_t key = key_of(s, e);
            s->items[s->starts[chunk * s->buckets + bucket_of(s, key)]++] = (keyed){key, e};
        }
    }
}

static void sort_few(keyed *items, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        keyed item = items[i];
        uint64_t k = i;
        for (; k > 0 && items[k - 1].key > item.key; k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

/* By radix, least significant digit first; digits that all keys share are passed over. Ends in `items`. */
static void sort_bucket(keyed *items, keyed *spare, uint64_t count) {
    if (count <= FEW) {
        sort_few(items, count);
        return;
    }
    uint64_t differ = 0;
    keyed *from = items, *to = spare;
    for (uint64_t i = 1; i < count; i++)
        differ |= items[i].key ^ items[0].key;
    for (int shift = 0; shift < 64; shift += DIGIT) {
        uint64_t starts[DIGITS + 1] = {0};
        if (!(differ >> shift & (DIGITS - 1)))
            continue;
        for (uint64_t i = 0; i < count; i++)
            starts[(from[i].key >> shift & (DIGITS - 1)) + 1]++;
        for (int d = 0; d < DIGITS; d++)
            starts[d + 1] += starts[d];
        for (uint64_t i = 0; i < count; i++)
            to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

/* Sorts the buckets and counts their different keys. */
static void sort_buckets(sorting *s) {
    s->ordinals[0] = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (s->chunks > 1))
    for (uint64_t b = 0; b < s->buckets; b++) {
        uint64_t start = s->first[b], count = s->first[b + 1] - start, different = count > 0;
        if (hd_cancelled(s->ctx))
            continue;
        sort_bucket(s->items + start, s->spare + start, count);
        for (uint64_t i = 1; i < count; i++)
            different += s->items[start + i].key != s->items[start + i - 1].key;
        s->ordinals[b + 1] = different;
    }
}

/* Writes the ordinal of each edge, and the weight of each ordinal. */
static void write_ordinals(const sorting *s, uint32_t *ordinals, uint64_t *weights) {
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) if (s->chunks > 1))
    for (uint64_t b = 0; b < s->buckets; b++) {
        uint64_t ordinal = s->ordinals[b];
        for (uint64_t i = s->first[b]; i < s->first[b + 1]; i++) {
            ordinal += i > s->first[b] && s->items[i].key != s->items[i - 1].key;
            ordinals[s->items[i].edge] = (uint32_t)ordinal;
            weights[ordinal] = weight_of(s->type, s->items[i].key);
        }
    }
}

static heddle_status number_weights(sorting *s, uint32_t *ordinals, hd_ranked *ranked) {
    heddle_context *ctx = s->ctx;
    heddle_status status;
    HD_TRY(choose_bounds(s));
    s->chunks = (s->edges + CHUNK - 1) / CHUNK;
    HD_CHECK(HD_NEW_ZERO(ctx, &s->starts, s->chunks * s->buckets, "weights by size"));
    HD_CHECK(HD_NEW(ctx, &s->items, s->edges, "weights by size"));
    HD_CHECK(HD_NEW(ctx, &s->spare, s->edges, "weights by size"));
    count_chunks(s);
    place_chunks(s);
    sort_buckets(s);
    HD_CHECK(hd_cancelled_status(ctx));
    for (uint64_t b = 0; b < s->buckets; b++)
        s->ordinals[b + 1] += s->ordinals[b];
    if (s->ordinals[s->buckets] >= UINT32_MAX) {
        status = hd_fail(ctx, HEDDLE_E_LIMIT, "%llu different weights of 64 bits, more than 2^32 - 2",
                         (unsigned long long)s->ordinals[s->buckets]);
        goto out;
    }
    ranked->count = s->ordinals[s->buckets];
    HD_CHECK(HD_NEW(ctx, &ranked->weights, ranked->count, "weights by ordinal"));
    write_ordinals(s, ordinals, ranked->weights);
out:
    HD_DELETE(&ctx->allocator, s->starts, s->chunks * s->buckets);
    HD_DELETE(&ctx->allocator, s->items, s->edges);
    HD_DELETE(&ctx->allocator, s->spare, s->edges);
    return status;
}

/* ---- The graph -------------------------------------------------------------------------------------------------- */

static bool serves(const hd_run *run) {
    hd_weight_ranks where = run->algorithm->weight_ranks;
    bool off_cpu = hd_on_device(run) || hd_runs_program(run);
    return hd_weight_size(run->graph->weight_type) == 8 &&
           (where == HD_WEIGHT_RANKS_ALWAYS || (where == HD_WEIGHT_RANKS_OFF_CPU && off_cpu));
}

heddle_status hd_ranked_make(const hd_run *run, hd_ranked *ranked) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    double most;
    heddle_status status;
    *ranked = (hd_ranked){.count = 0};
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS));
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_weights_check(ctx, graph, &out, false, run->algorithm->info.name, &most));
    if (run->algorithm->check) /* not visible in the ordinals any more */
        HD_TRY(run->algorithm->check(ctx, graph, &run->options));
    sorting *s;
    HD_TRY(HD_NEW_ZERO(ctx, &s, 1, "weights by size"));
    s->ctx = ctx;
    s->weights = out.weights;
    s->type = graph->weight_type;
    s->edges = graph->edges;
    HD_CHECK(hd_graph_borrow(ctx, graph, &ranked->graph));
    HD_CHECK(HD_NEW(ctx, (uint32_t **)&ranked->graph->out.weights, graph->edges, "ordinals of weights"));
    ranked->graph->weight_type = HEDDLE_WEIGHT_U32;
    status = number_weights(s, ranked->graph->out.weights, ranked);
out:
    HD_DELETE(&ctx->allocator, s, 1);
    if (status != HEDDLE_OK)
        hd_ranked_free(ctx, ranked);
    return status;
}

void hd_ranked_free(heddle_context *ctx, hd_ranked *ranked) {
    if (ranked->graph)
        hd_derived_drop_of(ctx, ranked->graph);
    if (ranked->graph && ranked->graph->weight_type == HEDDLE_WEIGHT_U32)
        hd_free(&ctx->allocator, ranked->graph->out.weights, ranked->graph->edges * sizeof(uint32_t));
    heddle_graph_destroy(&ranked->graph);
    HD_DELETE(&ctx->allocator, ranked->weights, ranked->count);
}

/* ---- On the way back -------------------------------------------------------------------------------------------- */

static heddle_status bring_forest_back(heddle_context *ctx, const hd_ranked *ranked, heddle_weight_type type,
                                       heddle_result *result) {
    const uint32_t *ordinals = result->forest_weights;
    uint64_t *weights;
    HD_TRY(HD_NEW(ctx, &weights, result->forest_edges, "forest"));
    for (uint64_t i = 0; i < result->forest_edges; i++)
        weights[i] = ranked->weights[ordinals[i]];
    hd_free(&result->allocator, result->forest_weights, result->forest_edges * sizeof *ordinals);
    result->forest_weights = weights;
    result->forest_type = type;
    hd_result_total_weight(result);
    return HEDDLE_OK;
}

/* Widths by whole-numbered weights are doubles, and lie where the weights will. */
static void bring_widths_back(heddle_context *ctx, const hd_ranked *ranked, heddle_weight_type type,
                              heddle_result *result) {
    double *ordinals = result->values;
    HD_PARALLEL_FOR(ctx, schedule(static) if (result->count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < result->count; v++) {
        uint64_t bits;
        if (isfinite(ordinals[v]))
            bits = ranked->weights[(uint64_t)ordinals[v]];
        else if (type == HEDDLE_WEIGHT_I64)
            bits = (uint64_t)(ordinals[v] > 0 ? INT64_MAX : INT64_MIN);
        else
            continue;
        memcpy(&ordinals[v], &bits, sizeof bits);
    }
    result->type = type == HEDDLE_WEIGHT_I64 ? HEDDLE_VALUE_I64 : HEDDLE_VALUE_F64;
    hd_paths_figures(ctx, result, 0);
}

static heddle_status map_result(hd_view *view) {
    heddle_weight_type type = view->run->graph->weight_type;
    heddle_result *result = view->run->result;
    if (result->forest_ends)
        return bring_forest_back(view->run->ctx, view->own, type, result);
    bring_widths_back(view->run->ctx, view->own, type, result);
    return HEDDLE_OK;
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

static heddle_status open_ranks(hd_view *view) {
    const hd_run *run = view->run;
    hd_ranked *ranked;
    double start = hd_clock();
    HD_TRY(HD_NEW_ZERO(run->ctx, &ranked, 1, "ordinals of weights"));
    view->own = ranked;
    HD_TRY(hd_ranked_make(run, ranked));
    view->inner.graph = ranked->graph;
    run->result->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

static void close_ranks(hd_view *view) {
    hd_ranked *ranked = view->own;
    if (ranked)
        hd_ranked_free(view->run->ctx, ranked);
    HD_DELETE(&view->run->ctx->allocator, ranked, 1);
}

/* The ordinals, and two lists of weights while they are sorted. */
static heddle_status host_bytes(const hd_run *run, uint64_t *bytes) {
    if (serves(run))
        *bytes += run->graph->edges * (sizeof(uint32_t) + 2 * sizeof(keyed));
    return HEDDLE_OK;
}

const hd_view_kind hd_view_ranks = {.keeps_numbers = true,
                                    .serves = serves,
                                    .host_bytes = host_bytes,
                                    .open = open_ranks,
                                    .map_result = map_result,
                                    .close = close_ranks};
