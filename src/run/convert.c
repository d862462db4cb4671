/* convert.c - from a file, a generator or a caller's edges to a file: by one process, or by all ranks together. */
#include "base/argument.h"
#include "exchange/agree.h"
#include "exchange/shared_hdl.h"
#include "exchange/together.h"
#include "io/format.h"

#include <string.h>
#include <strings.h>

static heddle_status refuse(heddle_context *ctx, const char *what) {
    return hd_fail(ctx, HEDDLE_E_REFUSED, "a file by %u ranks: %s; use one process, without the launcher, instead",
                   ctx->link->size, what);
}

static heddle_status check(heddle_context *ctx, const char *to, uint64_t limit, const heddle_save_options *save) {
    size_t length = strlen(to);
    bool hdl = save->format ? strcmp(save->format, hd_format_hdl.info.name) == 0
                            : length > 4 && strcasecmp(to + length - 4, ".hdl") == 0;
    if (!hdl)
        return refuse(ctx, "they write .hdl files, not compressed");
    if (save->order || save->packed)
        return refuse(ctx, save->order ? "an order renames the whole graph" : "edges are packed by one process");
    if (save->memory_limit || limit)
        return refuse(ctx, "a memory limit is for a build on disk");
    return HEDDLE_OK;
}

/* A caller's edges; on ranks, each has some. */
typedef struct edges {
    uint64_t vertices, count;
    const int64_t *sources, *targets;
    const void *weights;
    heddle_weight_type type;
    const heddle_build_options *build;
} edges;

/* Where the graph comes from. */
typedef struct origin {
    heddle_status (*make)(heddle_context *ctx, const struct origin *from, heddle_graph **graph);
    uint64_t memory_limit;
    const char *path;
    const heddle_load_options *load;
    const heddle_generate_options *generate;
    const edges *given;
} origin;

static heddle_status make_from_file(heddle_context *ctx, const origin *from, heddle_graph **graph) {
    return heddle_graph_load(ctx, from->path, from->load, graph);
}

static heddle_status make_by_generator(heddle_context *ctx, const origin *from, heddle_graph **graph) {
    return heddle_graph_generate(ctx, from->generate, graph);
}

static heddle_status make_from_edges(heddle_context *ctx, const origin *from, heddle_graph **graph) {
    const edges *e = from->given;
    return heddle_graph_from_edges(ctx, e->vertices, e->count, e->sources, e->targets, e->weights, e->type, e->build,
                                   graph);
}

/* The reader or generator hands its source to hd_shared_build. */
static heddle_status build(heddle_context *ctx, const origin *from, hd_shared_graph *shared) {
    heddle_graph *graph = NULL;
    ctx->build_together = hd_shared_build;
    ctx->building = shared;
    heddle_status status = from->make(ctx, from, &graph);
    ctx->build_together = NULL;
    ctx->building = NULL;
    heddle_graph_destroy(&graph);
    if (status == HEDDLE_OK)
        return hd_fail(ctx, HEDDLE_E_INTERNAL, "each rank has built the whole graph");
    return status == (heddle_status)HD_ELSEWHERE ? HEDDLE_OK : status;
}

static heddle_status write_together(heddle_context *ctx, const origin *from, const char *to,
                                    const heddle_save_options *save) {
    hd_shared_graph shared = {.vertices = 0};
    HD_TRY(hd_together_begin(ctx, check(ctx, to, from->memory_limit, save)));
    heddle_status status = build(ctx, from, &shared);
    if (status == HEDDLE_OK && save->in_edges)
        status = hd_shared_turn(ctx->link, &shared);
    if (status == HEDDLE_OK)
        status = hd_shared_hdl_write(ctx->link, &shared, to);
    hd_shared_graph_free(ctx, &shared);
    return hd_together_end(ctx, status);
}

/* By one process, or by all. */
static heddle_status write_file(heddle_context *ctx, const origin *from, const char *to,
                                const heddle_save_options *save) {
    heddle_graph *graph;
    if (ctx->link)
        return write_together(ctx, from, to, save);
    HD_TRY(from->make(ctx, from, &graph));
    heddle_status status = heddle_graph_save(ctx, graph, to, save);
    heddle_graph_destroy(&graph);
    return status;
}

heddle_status heddle_graph_convert(heddle_context *ctx, const char *from, const heddle_load_options *load,
                                   const char *to, const heddle_save_options *save) {
    heddle_load_options loading;
    heddle_save_options saving;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, from);
    HD_NEEDS(ctx, to);
    heddle_load_options_init(&loading);
    heddle_save_options_init(&saving);
    HD_TRY(HD_TAKE_OPTIONS(ctx, load, &loading));
    HD_TRY(HD_TAKE_OPTIONS(ctx, save, &saving));
    origin file = {.make = make_from_file, .memory_limit = loading.build.memory_limit, .path = from, .load = &loading};
    return write_file(ctx, &file, to, &saving);
}

heddle_status heddle_graph_generate_file(heddle_context *ctx, const heddle_generate_options *generate, const char *to,
                                         const heddle_save_options *save) {
    heddle_generate_options generating;
    heddle_save_options saving;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, to);
    heddle_generate_options_init(&generating);
    heddle_save_options_init(&saving);
    HD_TRY(HD_TAKE_OPTIONS(ctx, generate, &generating));
    HD_TRY(HD_TAKE_OPTIONS(ctx, save, &saving));
    origin generator = {.make = make_by_generator,
                        .memory_limit = generating.build.memory_limit,
                        .generate = &generating};
    return write_file(ctx, &generator, to, &saving);
}

heddle_status heddle_graph_edges_file(heddle_context *ctx, uint64_t vertices, uint64_t count, const int64_t *sources,
                                      const int64_t *targets, const void *weights, heddle_weight_type weight_type,
                                      const heddle_build_options *build_options, const char *to,
                                      const heddle_save_options *save) {
    heddle_build_options building;
    heddle_save_options saving;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, to);
    heddle_build_options_init(&building);
    heddle_save_options_init(&saving);
    HD_TRY(HD_TAKE_OPTIONS(ctx, build_options, &building));
    HD_TRY(HD_TAKE_OPTIONS(ctx, save, &saving));
    edges given = {vertices, count, sources, targets, weights, weight_type, &building};
    origin mine = {.make = make_from_edges, .memory_limit = building.memory_limit, .given = &given};
    return write_file(ctx, &mine, to, &saving);
}
