/* paths.h - shared by runs of sssp and sswp, wherever they were. */
#ifndef HD_ALGORITHM_PATHS_PATHS_H
#define HD_ALGORITHM_PATHS_PATHS_H

#include "engine/path_label.h"
#include "engine/result.h"

/* Adds the figures reached and max, exact for whole numbers of 64 bits, and delta where it is above 0. */
void hd_paths_figures(heddle_context *ctx, heddle_result *result, double delta);

/* Whether a sum that did not fit leaves a vertex without its distance: an edge leads from a reached vertex to one that
 * is not. Labels are those of the path, one of the sums. */
bool hd_paths_cut_short(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out, hd_path path,
                        const void *labels);
/* The error of a distance that leaves 64 bits. */
heddle_status hd_paths_refuse_sum(heddle_context *ctx, heddle_value_type type);

/* The sums of a run over the graph's weights, the largest of which is `most`: exact for whole numbers, in double for
 * real ones. On request f32 weights are summed in single, unless a sum may leave its range. HD_SUM_U32 if 32 bits may
 * do. */
hd_path hd_paths_sum_for(const heddle_graph *graph, const heddle_run_options *options, double most);
/* The path that distances of this type over the graph's weights belong to. */
static inline hd_path hd_paths_sum(const heddle_graph *graph, heddle_value_type type) {
    switch (type) {
    case HEDDLE_VALUE_U32: return HD_SUM_U32;
    case HEDDLE_VALUE_U64: return graph->weight_type == HEDDLE_WEIGHT_I64 ? HD_SUM_I64 : HD_SUM_U64;
    case HEDDLE_VALUE_F32: return HD_SUM_F32;
    default: return graph->weight_type == HEDDLE_WEIGHT_F64 ? HD_SUM_D64 : HD_SUM_F64;
    }
}

/* The path of widths by weights of this type. */
static inline hd_path hd_paths_widest(heddle_weight_type type) {
    switch (type) {
    case HEDDLE_WEIGHT_I32: return HD_WIDE_I32;
    case HEDDLE_WEIGHT_F32: return HD_WIDE_F32;
    case HEDDLE_WEIGHT_I64: return HD_WIDE_I64;
    case HEDDLE_WEIGHT_F64: return HD_WIDE_F64;
    default: return HD_WIDE_U32;
    }
}

/* The type of distances along this path, one of the sums. */
static inline heddle_value_type hd_paths_sum_type(hd_path path) {
    switch (path) {
    case HD_SUM_U32: return HEDDLE_VALUE_U32;
    case HD_SUM_F32: return HEDDLE_VALUE_F32;
    case HD_SUM_F64:
    case HD_SUM_D64: return HEDDLE_VALUE_F64;
    default: return HEDDLE_VALUE_U64;
    }
}

/* The type of sswp's values: as wide as it takes for the weights and both infinities. */
static inline heddle_value_type hd_paths_width_type(const heddle_graph *graph) {
    return graph->weight_type == HEDDLE_WEIGHT_F32   ? HEDDLE_VALUE_F32
           : graph->weight_type == HEDDLE_WEIGHT_I64 ? HEDDLE_VALUE_I64
                                                     : HEDDLE_VALUE_F64;
}
/* sswp has no labels beside those of sources and unreached vertices for the least and the largest i64. */
heddle_status hd_paths_check_widths(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out);

#endif
