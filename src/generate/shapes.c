/* shapes.c - deterministic graphs: star, path, clique and balanced tree. All are undirected, and the k-th edge is a
 * formula in k.
 */
#include "generate/generate.h"

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    generator->items = generator->vertices - 1;
    return HEDDLE_OK;
}

static void fill_star(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    (void)generator;
    uint64_t first = cursor->position;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        batch->source[i] = 0;
        batch->target[i] = first + i + 1;
    }
}

static void fill_path(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    (void)generator;
    uint64_t first = cursor->position;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        batch->source[i] = first + i;
        batch->target[i] = first + i + 1;
    }
}

static heddle_status prepare_tree(heddle_context *ctx, const heddle_generate_options *options,
                                  hd_generator *generator) {
    if (options->branching == 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "branching of a tree is 0, expected at least 1 child per vertex");
    generator->own[0] = options->branching;
    return prepare(ctx, options, generator);
}

/* Vertices are numbered level by level: the children of v are b v + 1 .. b v + b. */
static void fill_tree(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t first = cursor->position, branching = generator->own[0];
    size_t count = hd_generate_take(cursor, batch);
    uint64_t parent = first / branching, child = first % branching;
    for (size_t i = 0; i < count; i++) {
        batch->source[i] = parent;
        batch->target[i] = first + i + 1;
        if (++child == branching) {
            child = 0;
            parent++;
        }
    }
}

static heddle_status prepare_clique(heddle_context *ctx, const heddle_generate_options *options,
                                    hd_generator *generator) {
    uint64_t n;
    HD_TRY(hd_generate_vertices(ctx, options, 1024, &n));
    generator->vertices = n;
    generator->items = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);
    return HEDDLE_OK;
}

/* All edges as chords of a circle: first those that span 1 step, then 2, up to half the circle. For an even number of
 * vertices the chords of that last span would come twice, so the items end after half of them. */
static void fill_clique(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t n = generator->vertices, vertex = cursor->position % n, span = cursor->position / n + 1;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        batch->source[i] = vertex;
        batch->target[i] = vertex + span < n ? vertex + span : vertex + span - n;
        if (++vertex == n) {
            vertex = 0;
            span++;
        }
    }
}

const hd_generator_kind hd_generator_star = {
    .info = {"star", "vertex 0 tied to every other one, undirected", "scale vertices" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill_star,
};
const hd_generator_kind hd_generator_path = {
    .info = {"path", "a line of vertices, undirected", "scale vertices" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill_path,
};
const hd_generator_kind hd_generator_clique = {
    .info = {"clique", "every two vertices tied, undirected; 1024 vertices by default", "vertices" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare_clique,
    .fill = fill_clique,
};
const hd_generator_kind hd_generator_tree = {
    .info = {"tree", "balanced tree, numbered level by level, undirected",
             "scale vertices branching" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare_tree,
    .fill = fill_tree,
};
