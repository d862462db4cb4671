/* compare.c - see compare.h. */
#include "check/compare.h"

#include "engine/vertex_name.h"

#include <string.h>

static heddle_status compare_shape(heddle_context *ctx, const heddle_result *result, const heddle_result *expected) {
    if (result->type != expected->type || result->count != expected->count ||
        (result->values == NULL) != (expected->values == NULL))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected %llu values, and found %llu, or of another type",
                       (unsigned long long)expected->count, (unsigned long long)result->count);
    if (result->forest_edges != expected->forest_edges ||
        (result->forest_ends == NULL) != (expected->forest_ends == NULL) ||
        (expected->forest_ends && result->forest_type != expected->forest_type))
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected %llu edges, and found %llu, or with another type of weights",
                       (unsigned long long)expected->forest_edges, (unsigned long long)result->forest_edges);
    return HEDDLE_OK;
}

static heddle_status compare_values(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                    const heddle_result *expected, const char *value) {
    size_t size = hd_value_size(result->type);
    for (uint64_t v = 0; v < result->count; v++)
        if (memcmp((const char *)result->values + v * size, (const char *)expected->values + v * size, size) != 0)
            return hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: %s %.17g, and not %.17g",
                           hd_vertex_name(ctx, graph, (heddle_vertex)v).text, value, hd_result_at(result, v),
                           hd_result_at(expected, v));
    return HEDDLE_OK;
}

static heddle_status compare_edges(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                   const heddle_result *expected, const char *weight) {
    size_t size = hd_weight_size(expected->forest_type);
    const heddle_vertex *ends = result->forest_ends, *right = expected->forest_ends;
    for (uint64_t k = 0; k < expected->forest_edges; k++) {
        if (ends[2 * k] != right[2 * k] || ends[2 * k + 1] != right[2 * k + 1])
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %llu of the result is not %s - %s", (unsigned long long)k,
                           hd_vertex_name(ctx, graph, right[2 * k]).text,
                           hd_vertex_name(ctx, graph, right[2 * k + 1]).text);
        if (size && memcmp((const char *)result->forest_weights + k * size,
                           (const char *)expected->forest_weights + k * size, size) != 0)
            return hd_fail(ctx, HEDDLE_E_VERIFY, "edge %s - %s: %s %.17g, and not %.17g",
                           hd_vertex_name(ctx, graph, right[2 * k]).text,
                           hd_vertex_name(ctx, graph, right[2 * k + 1]).text, weight,
                           hd_weight_at(result->forest_weights, result->forest_type, k),
                           hd_weight_at(expected->forest_weights, result->forest_type, k));
    }
    return HEDDLE_OK;
}

static heddle_status compare_figures(heddle_context *ctx, const heddle_result *result, const heddle_result *expected) {
    for (uint32_t i = 0; i < expected->report.figure_count; i++) {
        const char *name = expected->report.figures[i].name;
        double found = hd_result_figure_of(result, name), right = expected->report.figures[i].value;
        if (!(found == right))
            return hd_fail(ctx, HEDDLE_E_VERIFY, "figure %s is %.17g, and not %.17g", name, found, right);
    }
    return HEDDLE_OK;
}

static heddle_status compare_all(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                 const heddle_result *expected, const char *value, const char *weight) {
    HD_TRY(compare_shape(ctx, result, expected));
    HD_TRY(compare_values(ctx, graph, result, expected, value));
    HD_TRY(compare_edges(ctx, graph, result, expected, weight));
    return compare_figures(ctx, result, expected);
}

heddle_status hd_compare_reference(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   const heddle_result *result, hd_reference_fn *reference, const char *value,
                                   const char *weight) {
    heddle_result *expected;
    HD_TRY(hd_result_new(ctx, result->report.algorithm, &expected));
    heddle_status status = reference(ctx, graph, options, expected);
    if (status == HEDDLE_OK)
        status = compare_all(ctx, graph, result, expected, value, weight);
    heddle_result_destroy(&expected);
    return status;
}
