/* convert.c - from a file, or a generator, to a file: by one process, or by all ranks together. */
#include "base/argument.h"
#include "exchange/agree.h"
#include "exchange/shared_hdl.h"
#include "exchange/together.h"
#include "io/format.h"

#include <string.h>
#include <strings.h>

static heddle_status refuse(heddle_context *ctx, const char *what) {
    return hd_fail(ctx, HEDDLE_E_REFUSED, "a file by %u ranks: %s: one process would do, without the launcher",
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

/* Where the graph comes from. */
typedef struct origin {
    const char *path; /* NULL: it is generated */
    const heddle_load_options *load;
    const heddle_generate_options *generate;
} origin;

/* The reader or generator hands its source to hd_shared_build. */
static heddle_status build(heddle_context *ctx, const origin *from, hd_shared_graph *shared) {
    heddle_graph *graph = NULL;
    ctx->build_together = hd_shared_build;
    ctx->building = shared;
    heddle_status status = from->path ? heddle_graph_load(ctx, from->path, from->load, &graph)
                                      : heddle_graph_generate(ctx, from->generate, &graph);
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
    uint64_t limit = from->path ? from->load->build.memory_limit : from->generate->build.memory_limit;
    HD_TRY(hd_together_begin(ctx, check(ctx, to, limit, save)));
    heddle_status status = build(ctx, from, &shared);
    if (status == HEDDLE_OK && save->in_edges)
        status = hd_shared_turn(ctx->link, &shared);
    if (status == HEDDLE_OK)
        status = hd_shared_hdl_write(ctx->link, &shared, to);
    hd_shared_graph_free(ctx, &shared);
    return hd_together_end(ctx, status);
}

heddle_status heddle_graph_convert(heddle_context *ctx, const char *from, const heddle_load_options *load,
                                   const char *to, const heddle_save_options *save) {
    heddle_load_options loading;
    heddle_save_options saving;
    heddle_graph *graph;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, from);
    HD_NEEDS(ctx, to);
    heddle_load_options_init(&loading);
    heddle_save_options_init(&saving);
    HD_TRY(HD_TAKE_OPTIONS(ctx, load, &loading));
    HD_TRY(HD_TAKE_OPTIONS(ctx, save, &saving));
    if (ctx->link)
        return write_together(ctx, &(origin){.path = from, .load = &loading}, to, &saving);
    HD_TRY(heddle_graph_load(ctx, from, &loading, &graph));
    heddle_status status = heddle_graph_save(ctx, graph, to, &saving);
    heddle_graph_destroy(&graph);
    return status;
}

heddle_status heddle_graph_generate_file(heddle_context *ctx, const heddle_generate_options *generate, const char *to,
                                         const heddle_save_options *save) {
    heddle_generate_options generating;
    heddle_save_options saving;
    heddle_graph *graph;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, to);
    heddle_generate_options_init(&generating);
    heddle_save_options_init(&saving);
    HD_TRY(HD_TAKE_OPTIONS(ctx, generate, &generating));
    HD_TRY(HD_TAKE_OPTIONS(ctx, save, &saving));
    if (ctx->link)
        return write_together(ctx, &(origin){.generate = &generating}, to, &saving);
    HD_TRY(heddle_graph_generate(ctx, &generating, &graph));
    heddle_status status = heddle_graph_save(ctx, graph, to, &saving);
    heddle_graph_destroy(&graph);
    return status;
}
