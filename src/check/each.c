/* each.c - see each.h. */
#include "check/each.h"

#include "check/check.h"
#include "engine/vertex_name.h"

#include <stdio.h>
#include <string.h>

static heddle_run_options options_of(const heddle_run_options *options, uint64_t column) {
    heddle_run_options one = *options;
    one.each = 0;
    one.sources = options->sources + column;
    one.source_count = 1;
    return one;
}

heddle_status hd_reference_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    uint64_t n = graph->vertices;
    HD_TRY(hd_result_columns_new(ctx, result, n, options));
    for (uint64_t k = 0; k < options->source_count; k++) {
        heddle_run_options one = options_of(options, k);
        heddle_result *search;
        HD_TRY(hd_result_new(ctx, "bfs", &search));
        heddle_status status = hd_reference_bfs(ctx, graph, &one, search);
        if (status == HEDDLE_OK && n)
            memcpy((uint32_t *)result->values + k * n, search->values, n * sizeof(uint32_t));
        result->report.iterations += search->report.iterations;
        heddle_result_destroy(&search);
        HD_TRY(status);
    }
    return HEDDLE_OK;
}

/* Adds the search's source to the error message. */
static heddle_status name_search(heddle_context *ctx, const heddle_graph *graph, heddle_vertex source) {
    char message[512];
    snprintf(message, sizeof message, "%.500s", heddle_context_error(ctx)->message);
    return hd_fail(ctx, HEDDLE_E_VERIFY, "the search from %s: %s", hd_vertex_name(ctx, graph, source).text, message);
}

heddle_status hd_verify_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const heddle_result *result) {
    if (!result->column_sources || result->columns != options->source_count)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the result does not hold a search from each of %llu sources",
                       (unsigned long long)options->source_count);
    for (uint64_t k = 0; k < options->source_count; k++) {
        heddle_run_options one = options_of(options, k);
        heddle_result search = *result;
        search.values = (uint32_t *)result->values + k * result->count;
        search.columns = 1;
        heddle_status status = hd_verify_bfs(ctx, graph, &one, &search);
        if (status == HEDDLE_E_VERIFY)
            return name_search(ctx, graph, options->sources[k]);
        HD_TRY(status);
    }
    return HEDDLE_OK;
}
