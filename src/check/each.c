/* each.c - see each.h. */
#include "check/each.h"

#include "base/memory.h"
#include "check/check.h"
#include "engine/vertex_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Options of one column; `personal`, one number per vertex, is all 0 but for the last call's source. */
static heddle_run_options options_of(const heddle_run_options *options, uint64_t column, double *personal) {
    heddle_run_options one = *options;
    one.each = 0;
    one.sources = options->sources + column;
    one.source_count = 1;
    one.personalization = personal;
    if (column)
        personal[options->sources[column - 1]] = 0;
    personal[options->sources[column]] = 1;
    return one;
}

/* Adds a column to the result, which the first one gives its type. */
static heddle_status take_column(heddle_context *ctx, const heddle_run_options *options, uint64_t column,
                                 const heddle_result *one, heddle_result *result) {
    size_t bytes = result->count * hd_value_size(one->type);
    if (!result->values)
        HD_TRY(hd_result_columns_new(ctx, result, one->type, result->count, options));
    if (bytes)
        memcpy((char *)result->values + column * bytes, one->values, bytes);
    result->report.iterations += one->report.iterations;
    result->report.converged = result->report.converged && one->report.converged;
    if (!isnan(one->residual))
        hd_result_residual(result, column ? fmax(result->residual, one->residual) : one->residual);
    return HEDDLE_OK;
}

static heddle_status refer_one(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               hd_reference_fn one, uint64_t column, double *personal, heddle_result *result) {
    heddle_run_options its = options_of(options, column, personal);
    heddle_result *found;
    HD_TRY(hd_result_new(ctx, options->algorithm, &found));
    heddle_status status = one(ctx, graph, &its, found);
    if (status == HEDDLE_OK)
        status = take_column(ctx, options, column, found, result);
    heddle_result_destroy(&found);
    return status;
}

heddle_status hd_reference_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                hd_reference_fn one, heddle_result *result) {
    heddle_status status = HEDDLE_OK;
    double *personal;
    if (!options->source_count)
        return hd_result_columns_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices, options);
    HD_TRY(HD_NEW_ZERO(ctx, &personal, graph->vertices, "a personalisation"));
    result->count = graph->vertices;
    result->report.converged = 1;
    for (uint64_t k = 0; k < options->source_count && status == HEDDLE_OK; k++)
        status = refer_one(ctx, graph, options, one, k, personal, result);
    HD_DELETE(&ctx->allocator, personal, graph->vertices);
    return status;
}

/* Adds the column's source to the error message. */
static heddle_status name_source(heddle_context *ctx, const heddle_graph *graph, heddle_vertex source) {
    char message[512];
    snprintf(message, sizeof message, "%.500s", heddle_context_error(ctx)->message);
    return hd_fail(ctx, HEDDLE_E_VERIFY, "from %s: %s", hd_vertex_name(ctx, graph, source).text, message);
}

heddle_status hd_verify_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_verify_fn one, heddle_result *result) {
    heddle_status status = HEDDLE_OK;
    double *personal, bound = result->report.error_bound;
    if (!result->column_sources || result->columns != options->source_count)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "the result does not hold values from each of %llu sources",
                       (unsigned long long)options->source_count);
    HD_TRY(HD_NEW_ZERO(ctx, &personal, graph->vertices, "a personalisation"));
    for (uint64_t k = 0; k < options->source_count && status == HEDDLE_OK; k++) {
        heddle_run_options its = options_of(options, k, personal);
        heddle_result column = *result;
        column.values = (char *)result->values + k * result->count * hd_value_size(result->type);
        column.columns = 1;
        status = one(ctx, graph, &its, &column);
        result->report.residual_verified = fmax(result->report.residual_verified, column.report.residual_verified);
        bound = fmax(bound, column.report.error_bound);
        if (status == HEDDLE_E_VERIFY)
            status = name_source(ctx, graph, options->sources[k]);
    }
    result->report.error_bound = bound;
    HD_DELETE(&ctx->allocator, personal, graph->vertices);
    return status;
}
