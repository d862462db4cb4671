/* paths.c - see paths.h. */
#include "algorithm/paths/paths.h"

#include "base/parallel.h"
#include "engine/spread.h"
#include "engine/vertex_name.h"
#include "graph/rows.h"

#include <float.h>
#include <math.h>

hd_path hd_paths_sum_for(const heddle_graph *graph, const heddle_run_options *options, double most) {
    switch (graph->weight_type) {
    case HEDDLE_WEIGHT_I64: return HD_SUM_I64;
    case HEDDLE_WEIGHT_F64: return HD_SUM_D64;
    case HEDDLE_WEIGHT_F32: {
        bool may_overflow = most * (double)graph->vertices >= (double)FLT_MAX;
        return options->precision == HEDDLE_PRECISION_SINGLE && !may_overflow ? HD_SUM_F32 : HD_SUM_F64;
    }
    default: return HD_SUM_U32;
    }
}

/* ---- Figures ---------------------------------------------------------------------------------------------------- */

typedef struct figures {
    uint64_t reached;
    double most;    /* real values; -infinity: there is none */
    uint64_t whole; /* whole ones: a number that orders like the largest */
} figures;

static const uint64_t sign = UINT64_C(1) << 63;

/* Of values from .. to; a loop for each type, as they take as long as a round of the search. */
static figures look_at(const heddle_result *result, uint64_t from, uint64_t to) {
    figures seen = {.most = -INFINITY};
#define LOOK(kind, unreached, top, low)                                \
    do {                                                               \
        const kind *values = result->values;                           \
        kind most = (low);                                             \
        for (uint64_t v = from; v < to; v++) {                         \
            kind value = values[v];                                    \
            seen.reached += value != (unreached);                      \
            bool counts = value != (unreached) && value != (top);      \
            most = counts && value > most ? value : most;              \
        }                                                              \
        if (seen.reached && (whole || most > (low)))                   \
            seen.most = (double)most;                                  \
        if (seen.most > -INFINITY && result->type == HEDDLE_VALUE_I64) \
            seen.whole = (uint64_t)most ^ sign;                        \
        else if (whole)                                                \
            seen.whole = (uint64_t)most;                               \
    } while (0)
    bool whole = result->type <= HEDDLE_VALUE_U64; /* the least is 0 */
    const double none = result->widest ? -INFINITY : INFINITY;
    switch (result->type) {
    case HEDDLE_VALUE_U32: LOOK(uint32_t, UINT32_MAX, UINT32_MAX, 0); break;
    case HEDDLE_VALUE_U64: LOOK(uint64_t, UINT64_MAX, UINT64_MAX, 0); break;
    case HEDDLE_VALUE_I64: LOOK(int64_t, INT64_MIN, INT64_MAX, INT64_MIN); break;
    case HEDDLE_VALUE_F32: LOOK(float, (float)none, (float)INFINITY, -(float)INFINITY); break;
    default: LOOK(double, none, (double)INFINITY, -(double)INFINITY); break;
    }
#undef LOOK
    return seen;
}

static void add_most(heddle_result *result, double most, uint64_t whole) {
    if (result->type == HEDDLE_VALUE_I64)
        hd_result_figure_whole(result, "max", (int64_t)(whole ^ sign));
    else if (result->type <= HEDDLE_VALUE_U64)
        hd_result_figure_whole(result, "max", (hd_whole)whole);
    else if (result->type == HEDDLE_VALUE_F32)
        hd_result_figure_single(result, "max", (float)most);
    else
        hd_result_figure(result, "max", most);
}

void hd_paths_figures(heddle_context *ctx, heddle_result *result, double delta) {
    uint64_t reached = 0, whole = 0;
    double most = -INFINITY;
    HD_PARALLEL(ctx, reduction(+ : reached) reduction(max : most, whole) if (result->count >= HD_WORTH_THREADS)) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        figures seen = look_at(result, hd_split(result->count, parts, part), hd_split(result->count, parts, part + 1));
        reached += seen.reached;
        most = seen.most > most ? seen.most : most;
        whole = seen.whole > whole ? seen.whole : whole;
    }
    hd_spread_join(ctx, result, HD_LINK_SUM, &reached, 1);
    hd_spread_join(ctx, result, HD_LINK_MAX, &whole, 1);
    hd_spread_join_real(ctx, result, HD_LINK_MAX, &most, 1);
    hd_result_figure(result, "reached", (double)reached);
    if (most > -INFINITY)
        add_most(result, most, whole);
    if (delta > 0)
        hd_result_figure(result, "delta", delta);
}

/* ---- Sums that do not fit --------------------------------------------------------------------------------------- */

HD_PATH_INLINE bool cut_short(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                              const hd_path path, const void *labels) {
    bool cut = false;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1024) reduction(|| : cut) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (hd_path_label(path, labels, v) != hd_path_unreached(path))
            for (uint64_t k = out->offsets[v]; !cut && k < out->offsets[v + 1]; k++)
                cut = hd_path_label(path, labels, out->targets[k]) == hd_path_unreached(path);
    return cut;
}

bool hd_paths_cut_short(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out, hd_path path,
                        const void *labels) {
    if (path == HD_SUM_D64)
        return cut_short(ctx, graph, out, HD_SUM_D64, labels);
    if (path == HD_SUM_I64)
        return cut_short(ctx, graph, out, HD_SUM_I64, labels);
    return cut_short(ctx, graph, out, HD_SUM_U32, labels);
}

heddle_status hd_paths_refuse_sum(heddle_context *ctx, heddle_value_type type) {
    return hd_fail(ctx, HEDDLE_E_WEIGHT, "sssp: a distance is too large for %s",
                   type == HEDDLE_VALUE_F64 ? "an f64" : "64 bits");
}

/* ---- Widths ----------------------------------------------------------------------------------------------------- */

heddle_status hd_paths_check_widths(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out) {
    const int64_t *weights = out->weights;
    uint64_t bad = UINT64_MAX;
    if (graph->weight_type != HEDDLE_WEIGHT_I64)
        return HEDDLE_OK;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) if (graph->edges >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < graph->edges; k++)
        if ((weights[k] == INT64_MIN || weights[k] == INT64_MAX) && k < bad)
            bad = k;
    if (bad == UINT64_MAX)
        return HEDDLE_OK;
    hd_name from = hd_vertex_name(ctx, graph, (heddle_vertex)hd_row_of(out->offsets, graph->vertices, bad));
    hd_name to = hd_vertex_name(ctx, graph, out->targets[bad]);
    return hd_fail(ctx, HEDDLE_E_WEIGHT, "the edge from %s to %s has weight %lld, which sswp keeps for %s vertices",
                   from.text, to.text, (long long)weights[bad], weights[bad] > 0 ? "source" : "unreached");
}
