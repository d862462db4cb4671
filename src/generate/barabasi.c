/* barabasi.c - scale-free graphs by preferential attachment, after Barabási and Albert: a star of degree + 1 vertices,
 * to which vertices are added one by one, each with `degree` edges to different earlier ones, which it meets in
 * proportion to their degrees.
 *
 * An edge's far end is the end of a random earlier edge. That one is found without a list of edges (Sanders and
 * Schulz, Scalable generation of scale-free graphs, 2016): ends are numbered, 2k is the new vertex of edge k and 2k + 1
 * its far end, which is drawn again by the random number of k, until an even end is met: two draws on average. If a
 * vertex meets another one twice it draws again, for itself alone: later vertices that meet this end follow its first
 * draw, so that no end depends on others of the same vertex.
 */
#include "generate/generate.h"

#include "base/random.h"

#include <math.h>

/* Items are the star, then a vertex each. */
static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    double degree = options->degree;
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    if (!(degree >= 1 && degree <= HD_BATCH && degree < (double)generator->vertices) || fmod(degree, 1) != 0)
        return hd_fail(
            ctx, HEDDLE_E_ARGUMENT,
            "degree of a graph by preferential attachment is %g, expected a whole number from 1 to %d, below "
            "the number of vertices, %llu",
            degree, HD_BATCH, (unsigned long long)generator->vertices);
    generator->own[0] = (uint64_t)degree;
    generator->items = generator->vertices - (uint64_t)degree;
    generator->edges = generator->items * (uint64_t)degree;
    return HEDDLE_OK;
}

/* The vertex that edge `edge`, not of the star, meets with its draw number `draw`. */
static uint64_t met(uint64_t seed, uint64_t degree, uint64_t edge, uint64_t draw) {
    uint64_t word = draw ? hd_random(hd_hash2(seed, draw), edge) : hd_random(seed, edge);
    for (;;) {
        uint64_t end = hd_below(word, 2 * degree * (edge / degree));
        edge = end / 2;
        if (edge < degree) /* of the star */
            return end % 2 ? 0 : edge + 1;
        if (end % 2 == 0)
            return degree + edge / degree;
        word = hd_random(seed, edge);
    }
}

static bool is_among(const uint64_t *list, uint64_t count, uint64_t vertex) {
    uint64_t k = 0;
    while (k < count && list[k] != vertex)
        k++;
    return k < count;
}

/* All edges of an item, into the batch's next places. */
static void add_vertex(const hd_generator *generator, uint64_t item, hd_edge_batch *batch) {
    uint64_t degree = generator->own[0], *targets = batch->target + batch->count;
    for (uint64_t j = 0; j < degree; j++) {
        uint64_t target = item ? met(generator->seed, degree, item * degree + j, 0) : 0;
        for (uint64_t draw = 1; item && is_among(targets, j, target); draw++)
            target = met(generator->seed, degree, item * degree + j, draw);
        batch->source[batch->count + j] = item ? degree + item : j + 1;
        targets[j] = target;
    }
    batch->count += degree;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    batch->count = 0;
    while (cursor->position < cursor->end && batch->count + generator->own[0] <= HD_BATCH)
        add_vertex(generator, cursor->position++, batch);
}

const hd_generator_kind hd_generator_barabasi = {
    .info = {"barabasi",
             "preferential attachment (Barabási-Albert): each new vertex is tied to degree earlier ones, undirected",
             "scale vertices degree" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill,
};
