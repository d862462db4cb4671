/* generate.c - the table of synthetic graphs, and building one from options.
 *
 * A generator is an edge source like any reader: the builder reads it once to count and once to place the arcs, and
 * gets the same arcs both times because each is a function of the seed and its own index. Weights are a hash of the
 * unordered end points, so an arc, its reverse and its parallel arcs all have the same weight.
 */
#include "generate/generate.h"

#include "base/argument.h"
#include "base/limit.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/threads.h"
#include "base/word_list.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Names of independent streams of random numbers under one seed. */
enum { STREAM_EDGES = 1, STREAM_WEIGHTS = 2 };

/* One line each, in the order that texts list them. */
#define GENERATORS(X) \
    X(rmat)           \
    X(uniform)        \
    X(grid)           \
    X(road)           \
    X(smallworld)     \
    X(barabasi)       \
    X(blockmodel)     \
    X(configuration)  \
    X(star)           \
    X(path)           \
    X(clique)         \
    X(tree)

#define DECLARE(name) extern const hd_generator_kind hd_generator_##name;
GENERATORS(DECLARE)

#define ENTER(name) &hd_generator_##name,
static const hd_generator_kind *const kinds[] = {GENERATORS(ENTER)};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const heddle_generator_info *heddle_generator_at(size_t index) {
    return index < KIND_COUNT ? &kinds[index]->info : NULL;
}

void heddle_generate_options_init_sized(heddle_generate_options *options, size_t size) {
    heddle_generate_options defaults = {
        .size = sizeof defaults,
        .kind = "rmat",
        .scale = 16,
        .degree = 16,
        .width = 1024,
        .height = 1024,
        .depth = 1,
        .a = 0.57,
        .b = 0.19,
        .c = 0.19,
        .scramble = 1,
        .probability = 0.1,
        .branching = 2,
        .blocks = 4,
        .weight_min = 1,
        .weight_max = 64,
        .seed = 1,
    };
    heddle_build_options_init(&defaults.build);
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

/* ---- Checks -------------------------------------------------------------------------------------------------- */

/* 2^scale, scale checked. */
static heddle_status vertices_of_scale(heddle_context *ctx, const heddle_generate_options *options,
                                       uint64_t *vertices) {
    if (options->scale < 1 || options->scale > 31)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "scale is %d, expected 1 to 31", options->scale);
    *vertices = UINT64_C(1) << options->scale;
    return HEDDLE_OK;
}

heddle_status hd_generate_vertices(heddle_context *ctx, const heddle_generate_options *options, uint64_t otherwise,
                                   uint64_t *vertices) {
    *vertices = options->vertices ? options->vertices : otherwise;
    if (*vertices == 0)
        return vertices_of_scale(ctx, options, vertices);
    if (*vertices > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "vertices is %llu, expected at most %llu", (unsigned long long)*vertices,
                       (unsigned long long)UINT32_MAX);
    return HEDDLE_OK;
}

heddle_status hd_generate_edges(heddle_context *ctx, double degree, uint64_t vertices, uint64_t *edges) {
    double count = round(degree * (double)vertices);
    if (!(degree >= 0 && count < 0x1p63))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "degree is %g, expected 0 or more, and below 2^63 edges in all", degree);
    *edges = (uint64_t)count;
    return HEDDLE_OK;
}

heddle_status hd_generate_probability(heddle_context *ctx, const char *name, double value) {
    if (!(value >= 0 && value <= 1))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s is %g, expected a probability from 0 to 1", name, value);
    return HEDDLE_OK;
}

static bool is_undirected(const hd_generator *generator) { return generator->kind->undirected && !generator->directed; }

static uint64_t count_edges(const hd_generator *generator) {
    return generator->edges ? generator->edges : generator->items;
}

/* Refuses more arcs than any machine can hold: generating them would fail only after days. */
static heddle_status check_arcs(heddle_context *ctx, const hd_generator *generator) {
    uint64_t limit = (UINT64_C(1) << 45) >> is_undirected(generator), edges = count_edges(generator);
    if (edges > limit)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu edges are more than can be addressed, expected at most %llu",
                       (unsigned long long)edges, (unsigned long long)limit);
    return HEDDLE_OK;
}

/* A lower bound of the memory of the build, duplicates included: targets, weights, offsets. A graph that cannot fit is
 * refused before hours of work. */
static heddle_status check_memory(heddle_context *ctx, const hd_generator *generator) {
    uint64_t room = hd_machine_memory(""), arcs = count_edges(generator) << is_undirected(generator);
    uint64_t bytes = arcs * (sizeof(uint32_t) + hd_weight_size(generator->weights.type)) +
                     (generator->vertices + 1) * sizeof(uint64_t);
    bool shared = ctx->build_together || (ctx->limit && ctx->limit->spill); /* by ranks, or with the disk */
    if (bytes > room && !shared)
        return hd_fail(
            ctx, HEDDLE_E_MEMORY,
            "%llu vertices with %llu arcs take at least %.1f GiB of memory, and this process may have %.1f GiB",
            (unsigned long long)generator->vertices, (unsigned long long)arcs, (double)bytes / 0x1p30,
            (double)room / 0x1p30);
    return HEDDLE_OK;
}

static heddle_status unknown_kind(heddle_context *ctx, const char *kind) {
    const char *names[KIND_COUNT];
    char known[256];
    for (size_t k = 0; k < KIND_COUNT; k++)
        names[k] = kinds[k]->info.kind;
    hd_join(names, KIND_COUNT, ", ", ", ", known, sizeof known);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "unknown kind of graph '%s', expected one of %s", kind ? kind : "", known);
}

static heddle_status find_kind(heddle_context *ctx, const heddle_generate_options *options,
                               const hd_generator_kind **kind) {
    size_t k = 0;
    while (k < KIND_COUNT && !(options->kind && strcmp(kinds[k]->info.kind, options->kind) == 0))
        k++;
    if (k == KIND_COUNT)
        return unknown_kind(ctx, options->kind);
    *kind = kinds[k];
    if (options->vertices > 0 && !hd_has_word((*kind)->info.options, "vertices"))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the kind %s takes no number of vertices; its sizes are among: %s",
                       options->kind, (*kind)->info.options);
    return HEDDLE_OK;
}

/* ---- Weights ------------------------------------------------------------------------------------------------- */

static heddle_status prepare_weights(heddle_context *ctx, const heddle_generate_options *options,
                                     hd_weight_range *weights) {
    double least = options->weight_min, most = options->weight_max;
    if (!options->weighted)
        return HEDDLE_OK;
    if (!isfinite(least) || !isfinite(most) || least > most)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights from %g to %g, expected finite numbers, the smaller first",
                       least, most);
    weights->seed = hd_hash2(options->seed, STREAM_WEIGHTS);
    if (options->weight_real) {
        if (least < -FLT_MAX || most > FLT_MAX)
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights from %g to %g do not fit single precision", least, most);
        weights->type = HEDDLE_WEIGHT_F32;
        weights->least = (float)least;
        weights->bound = (float)most;
        /* rounded to float precision: the product in draw_weights is then exact, with or without fused multiply-add */
        double range = weights->bound - weights->least;
        weights->range = range > FLT_MAX ? range : (float)range;
        return HEDDLE_OK;
    }
    if (least != floor(least) || most != floor(most))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights from %g to %g are not whole numbers: ask for real ones", least,
                       most);
    if (least < 0 ? least < INT32_MIN || most > INT32_MAX : most > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weights from %.0f to %.0f do not fit 32 bits", least, most);
    weights->type = least < 0 ? HEDDLE_WEIGHT_I32 : HEDDLE_WEIGHT_U32;
    weights->least = least;
    weights->steps = (uint64_t)(most - least) + 1;
    return HEDDLE_OK;
}

static inline uint64_t pair_hash(uint64_t seed, uint64_t u, uint64_t v) {
    uint64_t swap = (u ^ v) & -(uint64_t)(u > v);
    return hd_hash2(seed, (u ^ swap) << 32 | (v ^ swap));
}

static void draw_weights(const hd_weight_range *weights, hd_edge_batch *batch) {
    if (weights->type != HEDDLE_WEIGHT_F32) {
        for (size_t i = 0; i < batch->count; i++) {
            uint64_t hash = pair_hash(weights->seed, batch->source[i], batch->target[i]);
            batch->weight[i] = weights->least + (double)hd_below(hash, weights->steps);
        }
        return;
    }
    for (size_t i = 0; i < batch->count; i++) {
        uint64_t hash = pair_hash(weights->seed, batch->source[i], batch->target[i]);
        double fraction = (double)(hash >> 40) * 0x1p-24;
        float weight = (float)(weights->least + weights->range * fraction);
        if (weight >= weights->bound && weights->bound > weights->least) /* rounded up to the excluded end */
            weight = nextafterf((float)weights->bound, (float)weights->least);
        batch->weight[i] = weight;
    }
}

/* ---- The edge source ----------------------------------------------------------------------------------------- */

static void begin_part(void *self, hd_cursor *cursor) {
    const hd_generator *generator = self;
    cursor->position = hd_split(generator->items, generator->parts, cursor->part);
    cursor->end = hd_split(generator->items, generator->parts, cursor->part + 1);
}

static void next_batch(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_generator *generator = self;
    generator->kind->fill(generator, cursor, batch);
    if (generator->weights.type != HEDDLE_WEIGHT_NONE)
        draw_weights(&generator->weights, batch);
}

/* Enough parts for load balance, none too small to be worth a task or too large for the builder. The graph does not
 * depend on their number. */
static uint64_t count_parts(const heddle_context *ctx, uint64_t items) {
    enum { FOR_RANKS = 512 }; /* who may have different numbers of threads */
    uint64_t wanted = ctx->build_together ? FOR_RANKS : (uint64_t)ctx->threads * 4, most = (items >> 12) + 1,
             least = (items >> 28) + 1;
    wanted = wanted < most ? wanted : most;
    return wanted > least ? wanted : least;
}

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    HD_TRY(find_kind(ctx, options, &generator->kind));
    HD_TRY(prepare_weights(ctx, options, &generator->weights));
    generator->seed = hd_hash2(options->seed, STREAM_EDGES);
    HD_TRY(generator->kind->prepare(ctx, options, generator));
    HD_TRY(check_arcs(ctx, generator));
    HD_TRY(check_memory(ctx, generator));
    hd_threads_settle(ctx, hd_work(generator->vertices, count_edges(generator), 1));
    generator->parts = count_parts(ctx, count_edges(generator));
    return HEDDLE_OK;
}

heddle_status heddle_graph_generate(heddle_context *ctx, const heddle_generate_options *given, heddle_graph **graph) {
    heddle_generate_options options;
    hd_generator *generator;
    hd_limit limit;
    heddle_status status;

    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    heddle_generate_options_init(&options);
    HD_TRY(HD_TAKE_OPTIONS(ctx, given, &options));
    HD_TRY(hd_build_options_check(ctx, &options.build));
    HD_TRY(HD_NEW_ZERO(ctx, &generator, 1, "generator"));
    hd_limit_begin(ctx, &limit, options.build.memory_limit, 0, options.build.spill);
    HD_CHECK(prepare(ctx, &options, generator));
    hd_edge_source source = {
        .self = generator,
        .parts = generator->parts,
        .phase = "generate",
        .work = generator->items,
        .ids = HD_IDS_KNOWN,
        .vertices = generator->vertices,
        .weighted = generator->weights.type != HEDDLE_WEIGHT_NONE,
        .weight_type = generator->weights.type,
        .undirected = is_undirected(generator),
        .mirror = is_undirected(generator),
        .begin = begin_part,
        .next = next_batch,
    };
    status = hd_graph_build(ctx, &source, &options.build, graph);
out:
    HD_DELETE(&ctx->allocator, generator->held, generator->held_count);
    HD_DELETE(&ctx->allocator, generator, 1);
    hd_limit_end(ctx, &limit);
    return status;
}
