/* configuration.c - the configuration model: random graphs whose vertices have the degrees of a list or of another
 * graph, after Bollobás, and Molloy and Reed. Each vertex has as many half-edges as its degree, and these are joined
 * at random; loops and parallel edges occur, and the build options drop them.
 *
 * The half-edges are shuffled by a permutation that is a function of the seed (a Feistel network, whose numbers beyond
 * the last half-edge are permuted again), so none is stored: edge k joins the half-edges that 2k and 2k + 1 become. Of
 * a directed graph arc k leaves by the k-th half-edge out, and arrives at the one into a vertex that k becomes.
 */
#include "generate/generate.h"

#include "base/memory.h"
#include "base/random.h"
#include "graph/rows.h"

enum { ROUNDS = 4 };
#define MOST_STUBS (UINT64_C(1) << 46)

static uint64_t permuted(const hd_generator *generator, uint64_t number) {
    const hd_stubs *stubs = &generator->stubs;
    uint64_t mask = (UINT64_C(1) << stubs->half_bits) - 1;
    do {
        uint64_t left = number >> stubs->half_bits, right = number & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint64_t next = left ^ (hd_random(generator->seed + round, right) & mask);
            left = right;
            right = next;
        }
        number = left << stubs->half_bits | right;
    } while (number >= stubs->count);
    return number;
}

/* From degrees to where the half-edges of each vertex begin, in place. */
static heddle_status add_up(heddle_context *ctx, uint64_t *starts, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = starts[v];
        starts[v] = sum;
        if (degree > MOST_STUBS - sum)
            return hd_fail(ctx, HEDDLE_E_LIMIT, "the degrees add up to more than 2^46");
        sum += degree;
    }
    starts[n] = sum;
    return HEDDLE_OK;
}

static heddle_status make_room(heddle_context *ctx, hd_generator *generator, uint64_t arrays) {
    generator->held_count = arrays * (generator->vertices + 1);
    return HD_NEW_ZERO(ctx, &generator->held, generator->held_count, "degrees");
}

static heddle_status take_list(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    if (options->degree_count > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%llu degrees, expected at most %llu",
                       (unsigned long long)options->degree_count, (unsigned long long)UINT32_MAX);
    generator->vertices = options->degree_count;
    HD_TRY(make_room(ctx, generator, 1));
    for (uint64_t v = 0; v < generator->vertices; v++)
        generator->held[v] = options->degrees[v];
    return add_up(ctx, generator->held, generator->vertices);
}

static heddle_status take_directed(heddle_context *ctx, const heddle_graph *graph, hd_generator *generator) {
    heddle_adjacency out, into;
    uint64_t n = generator->vertices;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(heddle_graph_in(ctx, graph, &into));
    HD_TRY(make_room(ctx, generator, 2));
    generator->stubs.into = generator->held + n + 1;
    for (uint64_t v = 0; v <= n; v++) {
        generator->held[v] = out.offsets[v];
        generator->held[n + 1 + v] = into.offsets[v];
    }
    return HEDDLE_OK;
}

/* A loop is two half-edges, and one arc. */
static heddle_status take_undirected(heddle_context *ctx, const heddle_graph *graph, hd_generator *generator) {
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(make_room(ctx, generator, 1));
    for (uint64_t v = 0; v < generator->vertices; v++) {
        generator->held[v] = out.offsets[v + 1] - out.offsets[v];
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++)
            generator->held[v] += out.targets[e] == v;
    }
    return add_up(ctx, generator->held, generator->vertices);
}

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    const heddle_graph *graph = options->degrees_of;
    hd_stubs *stubs = &generator->stubs;
    if (!graph == !options->degrees)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the configuration model needs either degrees or a graph that has them");
    if (graph) {
        generator->vertices = heddle_graph_vertices(graph);
        HD_TRY(heddle_graph_directed(graph) ? take_directed(ctx, graph, generator)
                                            : take_undirected(ctx, graph, generator));
    } else {
        HD_TRY(take_list(ctx, options, generator));
    }
    stubs->out = generator->held;
    stubs->count = stubs->out[generator->vertices];
    if (!stubs->into && stubs->count % 2)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the degrees add up to %llu, expected an even number",
                       (unsigned long long)stubs->count);
    stubs->half_bits = 1;
    while (UINT64_C(1) << (2 * stubs->half_bits) < stubs->count)
        stubs->half_bits++;
    generator->items = stubs->into ? stubs->count : stubs->count / 2;
    generator->directed = stubs->into != NULL;
    return HEDDLE_OK;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_stubs *stubs = &generator->stubs;
    uint64_t first = cursor->position, n = generator->vertices;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        uint64_t k = first + i;
        if (stubs->into) {
            batch->source[i] = hd_row_of(stubs->out, n, k);
            batch->target[i] = hd_row_of(stubs->into, n, permuted(generator, k));
        } else {
            batch->source[i] = hd_row_of(stubs->out, n, permuted(generator, 2 * k));
            batch->target[i] = hd_row_of(stubs->out, n, permuted(generator, 2 * k + 1));
        }
    }
}

const hd_generator_kind hd_generator_configuration = {
    .info = {"configuration",
             "configuration model: random, with the degrees of another graph or of a list (undirected then); loops and "
             "parallels occur",
             "degrees degrees_of" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill,
};
