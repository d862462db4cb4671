/* small_world.c - small worlds, after Watts and Strogatz: a ring in which every vertex is connected to its `degree`
 * nearest ones; then the far end of each edge is rewired, with the given probability, to a random other vertex.
 *
 * Rewiring depends only on the edge's own number, so a rewired edge may become parallel to another one (the build
 * options drop them); loops never arise.
 */
#include "generate/generate.h"

#include "base/random.h"

#include <math.h>

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    double degree = options->degree;
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    HD_TRY(hd_generate_probability(ctx, "probability", options->probability));
    if (!(degree >= 0 && degree < (double)generator->vertices) || fmod(degree, 2) != 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "degree of a small world is %g, expected an even whole number from 0 to below the number of "
                       "vertices, %llu",
                       degree, (unsigned long long)generator->vertices);
    generator->ring.half = (uint64_t)degree / 2;
    generator->ring.rewired = options->probability;
    return hd_generate_edges(ctx, degree / 2, generator->vertices, &generator->items);
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t first = cursor->position, n = generator->vertices, half = generator->ring.half;
    size_t count = hd_generate_take(cursor, batch);
    if (count == 0)
        return;
    uint64_t vertex = first / half, step = first % half + 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t target = vertex + step < n ? vertex + step : vertex + step - n;
        if (hd_unit(hd_random(generator->seed, 2 * (first + i))) < generator->ring.rewired) {
            target = hd_below(hd_random(generator->seed, 2 * (first + i) + 1), n - 1);
            target += target >= vertex;
        }
        batch->source[i] = vertex;
        batch->target[i] = target;
        if (++step > half) {
            step = 1;
            vertex++;
        }
    }
}

const hd_generator_kind hd_generator_smallworld = {
    .info = {"smallworld",
             "small world (Watts-Strogatz): a ring of even degree with a share of its edges rewired, undirected",
             "scale vertices degree probability" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill,
};
