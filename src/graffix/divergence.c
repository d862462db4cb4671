/* divergence.c - Graffix, section 4: vertices whose edges a warp walks side by side get degrees that are more alike.
 *
 * Each `warp` vertices in a row are a warp's. A vertex whose degree is short of the warp's largest by less than the
 * threshold's share of that gets edges until it has `fill` of it (rounded): its lane would wait otherwise. The text's
 * bucket sort by degree is the order that this is meant for; it leaves little to lift, other orders more.
 */
#include "graffix/shortcuts.h"

#include "base/parallel.h"

static uint64_t degree(const heddle_adjacency *out, uint64_t v) { return out->offsets[v + 1] - out->offsets[v]; }

/* Edges that a vertex of degree d gets in a warp of this largest degree. */
static uint32_t lift(uint64_t d, uint64_t largest, const hd_graffix_options *options) {
    double wanted = (double)(uint64_t)(options->fill * (double)largest + 0.5);
    bool similar = (double)(largest - d) < options->threshold * (double)largest;
    return similar && d && wanted > (double)d ? (uint32_t)(wanted - (double)d) : 0;
}

/* Copies, and vertices with copies, share their edges already. */
static void leave_out(const hd_copies *copies, uint32_t *extra) {
    for (uint64_t i = 0; copies && i < copies->count; i++)
        extra[copies->list[i].copy] = extra[copies->list[i].owner] = 0;
}

static heddle_status plan(heddle_context *ctx, uint64_t n, const heddle_adjacency *out,
                          const hd_graffix_options *options, uint32_t *extra) {
    uint64_t warp = options->warp;
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t first = 0; first < n; first += warp) {
        uint64_t largest = 0, end = n - first < warp ? n : first + warp;
        for (uint64_t v = first; v < end; v++)
            largest = degree(out, v) > largest ? degree(out, v) : largest;
        for (uint64_t v = first; v < end; v++)
            extra[v] = lift(degree(out, v), largest, options);
    }
    leave_out(options->copies, extra);
    return HEDDLE_OK;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                          hd_graffix_result *result) {
    return hd_shortcuts_add(ctx, graph, options, plan, result);
}

const hd_graffix hd_graffix_divergence = {
    .name = "divergence",
    .description = "vertices that a warp walks together get edges to neighbours' neighbours, for similar degrees",
    .in_reports = "graffix-divergence",
    .order = &hd_order_degree,
    .threshold = 0.3,
    .make = make,
};
