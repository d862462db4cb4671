/* uniform.c - uniform random graphs, after Erdős and Rényi: degree * n arcs, both ends drawn independently from all
 * vertices. Loops and parallel arcs occur, as in the "urand" graphs of the GAP benchmark; the build options drop them.
 */
#include "generate/generate.h"

#include "base/random.h"

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    return hd_generate_edges(ctx, options->degree, generator->vertices, &generator->items);
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t first = cursor->position, n = generator->vertices;
    size_t count = hd_generate_take(cursor, batch);
    for (size_t i = 0; i < count; i++) {
        batch->source[i] = hd_below(hd_random(generator->seed, 2 * (first + i)), n);
        batch->target[i] = hd_below(hd_random(generator->seed, 2 * (first + i) + 1), n);
    }
}

const hd_generator_kind hd_generator_uniform = {
    .info = {"uniform",
             "uniform random (Erdős-Rényi): degree * n arcs with independent ends, directed; loops and parallels occur",
             "scale vertices degree" HD_GENERATE_VALUES},
    .prepare = prepare,
    .fill = fill,
};
