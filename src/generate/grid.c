/* grid.c - grids of two or three dimensions, and road-like graphs: a grid that has lost some of its edges.
 *
 * Vertex (x, y, z) is number (z * height + y) * width + x. Every vertex owns the edges to its next neighbour in each
 * dimension; a hash of an edge's number decides whether it is removed, so that both of its arcs are.
 */
#include "generate/generate.h"

#include "base/random.h"

static heddle_status check_extent(heddle_context *ctx, const char *name, uint64_t extent, uint64_t *vertices) {
    if (extent == 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s of a grid is 0, expected at least 1", name);
    if (extent > UINT32_MAX / *vertices)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "a grid of %s %llu has too many vertices, expected at most %llu in all",
                       name, (unsigned long long)extent, (unsigned long long)UINT32_MAX);
    *vertices *= extent;
    return HEDDLE_OK;
}

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, uint64_t depth,
                             double removed, hd_generator *generator) {
    generator->vertices = 1;
    HD_TRY(check_extent(ctx, "width", options->width, &generator->vertices));
    HD_TRY(check_extent(ctx, "height", options->height, &generator->vertices));
    HD_TRY(check_extent(ctx, "depth", depth, &generator->vertices));
    HD_TRY(hd_generate_probability(ctx, "probability", removed));
    generator->items = generator->vertices;
    generator->grid = (hd_grid){options->width, options->height, depth, removed};
    return HEDDLE_OK;
}

static heddle_status prepare_grid(heddle_context *ctx, const heddle_generate_options *options,
                                  hd_generator *generator) {
    return prepare(ctx, options, options->depth, 0, generator);
}

static heddle_status prepare_road(heddle_context *ctx, const heddle_generate_options *options,
                                  hd_generator *generator) {
    return prepare(ctx, options, 1, options->probability, generator);
}

static inline void put(const hd_generator *generator, hd_edge_batch *batch, uint64_t vertex, uint64_t stride,
                       unsigned dimension) {
    if (generator->grid.removed > 0 &&
        hd_unit(hd_random(generator->seed, 2 * vertex + dimension)) < generator->grid.removed)
        return;
    batch->source[batch->count] = vertex;
    batch->target[batch->count] = vertex + stride;
    batch->count++;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t width = generator->grid.width, height = generator->grid.height, depth = generator->grid.depth;
    uint64_t vertex = cursor->position, row = vertex / width;
    uint64_t x = vertex % width, y = row % height, z = row / height;
    batch->count = 0;
    for (; vertex < cursor->end && batch->count + 3 <= HD_BATCH; vertex++) {
        if (x + 1 < width)
            put(generator, batch, vertex, 1, 0);
        if (y + 1 < height)
            put(generator, batch, vertex, width, 1);
        if (z + 1 < depth)
            put(generator, batch, vertex, width * height, 2);
        if (++x == width) {
            x = 0;
            if (++y == height) {
                y = 0;
                z++;
            }
        }
    }
    cursor->position = vertex;
}

const hd_generator_kind hd_generator_grid = {
    .info = {"grid", "2-D or 3-D grid: 4 or 6 neighbours, undirected", "width height depth" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare_grid,
    .fill = fill,
};
const hd_generator_kind hd_generator_road = {
    .info = {"road", "road-like: a 2-D grid that has lost a share of its edges, undirected",
             "width height probability" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare_road,
    .fill = fill,
};
