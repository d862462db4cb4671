/* wheel.c - a toy: a ring of vertices, each of which is tied to vertex 0 as well. */
#include "generate/generate.h"

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    generator->items = 2 * (generator->vertices - 1);
    return HEDDLE_OK;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t first = cursor->position, rim = generator->vertices - 1;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        uint64_t place = (first + i) / 2;
        batch->source[i] = 1 + place;
        batch->target[i] = (first + i) % 2 ? 0 : 1 + (place + 1) % rim;
    }
}

const hd_generator_kind hd_generator_wheel = {
    .info = {"wheel", "a ring around vertex 0, undirected", "scale vertices" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill,
};
