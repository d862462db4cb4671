/* rehearse.c - finds out whether a plan would be refused, by running it, with the same options, on a graph of two
 * vertices of the same kind, in a context of its own, so that cached data of other runs is kept. */
#include "base/memory.h"
#include "run/inner.h"
#include "run/resolve.h"

enum { SIZE = 2 };

/* One edge of weight 1 between two vertices. */
static heddle_status stand_in(heddle_context *ctx, const heddle_graph *graph, heddle_graph **small) {
    static const int64_t from[] = {0}, to[] = {1};
    static const double real = 1;
    static const float single = 1;
    static const uint64_t whole = 1;
    static const uint32_t narrow = 1;
    size_t size = hd_weight_size(graph->weight_type);
    const void *weight = hd_weight_real(graph->weight_type) ? size == 8 ? (const void *)&real : &single
                         : size == 8                        ? (const void *)&whole
                                                            : &narrow;
    heddle_build_options build;
    heddle_build_options_init(&build);
    build.symmetrize = !graph->directed;
    return heddle_graph_from_edges(ctx, SIZE, 1, from, to, size ? weight : NULL, graph->weight_type, &build, small);
}

heddle_status hd_run_rehearse(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_run_options small = hd_inner_options(&run->options, HD_INNER_REHEARSAL);
    heddle_context_options own;
    heddle_context *other;
    heddle_graph *two = NULL;
    heddle_result *result = NULL;
    heddle_context_options_init(&own);
    own.threads = 1;
    own.allocator = ctx->allocator;
    if (heddle_context_create(&own, &other) != HEDDLE_OK)
        return hd_fail_memory(ctx, sizeof *other, "a context");
    heddle_status status = stand_in(other, run->graph, &two);
    if (status == HEDDLE_OK)
        status = heddle_run(other, two, &small, &result);
    if (status != HEDDLE_OK)
        ctx->error = other->error;
    heddle_result_destroy(&result);
    heddle_graph_destroy(&two);
    heddle_context_destroy(&other);
    return status;
}
