/* arrow_result.c - a result as a stream of Arrow: ids, and a column of what they have.
 *
 * Whole numbers are signed, of 64 bits, as databases know them; a vertex that was not reached has no value (null).
 */
#include "algorithm/algorithm.h"
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "io/arrow_write.h"
#include "run/save.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void set_valid(uint8_t *valid, uint64_t k) { valid[k / 8] |= (uint8_t)(1 << k % 8); }

/* Whether a value stands for "not reached". */
static bool is_unreached(const heddle_result *result, uint64_t at) {
    double value = hd_result_at(result, at);
    return isinf(value) && (result->widest ? value < 0 : value > 0);
}

static bool is_real(const heddle_result *result) {
    return result->type == HEDDLE_VALUE_F32 || result->type == HEDDLE_VALUE_F64;
}

static uint64_t whole_at(const heddle_result *result, uint64_t at) {
    switch (result->type) {
    case HEDDLE_VALUE_U32: return ((const uint32_t *)result->values)[at];
    case HEDDLE_VALUE_I32: return (uint64_t)(int64_t)((const int32_t *)result->values)[at];
    default: return ((const uint64_t *)result->values)[at];
    }
}

/* Counts the values from `first` on that are none, and whether the others fit 63 bits. */
static uint64_t count_unreached(heddle_context *ctx, const heddle_result *result, uint64_t first, bool *large) {
    uint64_t nulls = 0;
    bool beyond = false, unsigned_ = result->type == HEDDLE_VALUE_U64;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : nulls) reduction(|| : beyond) if (result->count >=
                                                                                            HD_WORTH_THREADS))
    for (uint64_t k = 0; k < result->count; k++) {
        bool none = is_unreached(result, first + k);
        nulls += none;
        beyond = beyond || (unsigned_ && !none && whole_at(result, first + k) > INT64_MAX);
    }
    *large = beyond;
    return nulls;
}

/* One column of values, which begin at `first`. */
static heddle_status add_values(heddle_context *ctx, const heddle_result *result, uint64_t first, const char *name,
                                struct ArrowArrayStream *stream) {
    bool large, real = is_real(result);
    uint64_t nulls = count_unreached(ctx, result, first, &large);
    char format = result->type == HEDDLE_VALUE_F32 ? 'f' : real ? 'g' : large ? 'L' : 'l';
    uint8_t *valid = NULL;
    void *values;
    HD_TRY(hd_arrow_stream_numbers(ctx, stream, name, format, &values, nulls ? &valid : NULL));
    HD_PARALLEL_FOR(ctx, schedule(static) if (result->count >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < result->count; k++) {
        if (format == 'f')
            ((float *)values)[k] = ((const float *)result->values)[first + k];
        else if (real)
            ((double *)values)[k] = ((const double *)result->values)[first + k];
        else
            ((uint64_t *)values)[k] = whole_at(result, first + k);
    }
    for (uint64_t k = 0; nulls && k < result->count; k++)
        if (!is_unreached(result, first + k))
            set_valid(valid, k);
    hd_arrow_stream_nulls(stream, nulls);
    return HEDDLE_OK;
}

heddle_status hd_arrow_stream_values(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                     const char *name, struct ArrowArrayStream *stream) {
    return result->labels ? hd_arrow_stream_ids(ctx, stream, name, graph, result->values)
                          : add_values(ctx, result, 0, name, stream);
}

static heddle_status add_vertex_rows(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                     struct ArrowArrayStream *stream) {
    char name[64];
    HD_TRY(hd_arrow_stream_begin(ctx, result->count, result->parents ? 3 : 2, stream));
    HD_TRY(hd_arrow_stream_ids(ctx, stream, "id", graph, NULL));
    hd_save_value_name(result, name, sizeof name);
    HD_TRY(hd_arrow_stream_values(ctx, graph, result, name, stream));
    return result->parents ? hd_arrow_stream_ids(ctx, stream, "parent", graph, result->parents) : HEDDLE_OK;
}

/* A column for each source, under its id. */
static heddle_status add_source_columns(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                        struct ArrowArrayStream *stream) {
    char name[128];
    HD_TRY(hd_arrow_stream_begin(ctx, result->count, 1 + result->columns, stream));
    HD_TRY(hd_arrow_stream_ids(ctx, stream, "id", graph, NULL));
    for (uint64_t c = 0; c < result->columns; c++) {
        heddle_graph_id_text(graph, result->column_sources[c], name, sizeof name);
        HD_TRY(add_values(ctx, result, c * result->count, name, stream));
    }
    return HEDDLE_OK;
}

static heddle_status add_walks(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                               struct ArrowArrayStream *stream) {
    char name[32];
    HD_TRY(hd_arrow_stream_begin(ctx, result->count, result->columns, stream));
    for (uint64_t c = 0; c < result->columns; c++) {
        snprintf(name, sizeof name, "step%llu", (unsigned long long)c);
        HD_TRY(
            hd_arrow_stream_ids(ctx, stream, name, graph, (const heddle_vertex *)result->values + c * result->count));
    }
    return HEDDLE_OK;
}

static heddle_status add_forest_weights(heddle_context *ctx, const heddle_result *result, const char *name,
                                        struct ArrowArrayStream *stream) {
    bool real = result->forest_weights && hd_weight_real(result->forest_type);
    void *values;
    HD_TRY(hd_arrow_stream_numbers(ctx, stream, name, real ? 'g' : 'l', &values, NULL));
    for (uint64_t k = 0; k < result->forest_edges; k++) {
        if (real)
            ((double *)values)[k] = hd_weight_at(result->forest_weights, result->forest_type, k);
        else if (result->forest_type == HEDDLE_WEIGHT_I64 && result->forest_weights)
            ((int64_t *)values)[k] = ((const int64_t *)result->forest_weights)[k];
        else
            ((int64_t *)values)[k] =
                result->forest_weights ? (int64_t)hd_weight_at(result->forest_weights, result->forest_type, k) : 1;
    }
    return HEDDLE_OK;
}

static heddle_status add_forest(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                struct ArrowArrayStream *stream) {
    heddle_vertex *ends;
    char name[64];
    HD_TRY(hd_arrow_stream_begin(ctx, result->forest_edges, 3, stream));
    HD_TRY(HD_NEW(ctx, &ends, result->forest_edges, "ends of edges"));
    heddle_status status = HEDDLE_OK;
    for (int side = 0; side < 2 && status == HEDDLE_OK; side++) {
        for (uint64_t k = 0; k < result->forest_edges; k++)
            ends[k] = result->forest_ends[2 * k + (uint64_t)side];
        status = hd_arrow_stream_ids(ctx, stream, side ? "target" : "source", graph, ends);
    }
    HD_DELETE(&ctx->allocator, ends, result->forest_edges);
    HD_TRY(status);
    hd_save_value_name(result, name, sizeof name);
    return add_forest_weights(ctx, result, name, stream);
}

heddle_status hd_result_to_arrow(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                 struct ArrowArrayStream *stream) {
    hd_threads_settle(ctx, hd_work(result->count, 0, result->columns));
    heddle_status status = result->forest_ends      ? add_forest(ctx, graph, result, stream)
                           : result->walks          ? add_walks(ctx, graph, result, stream)
                           : result->column_sources ? add_source_columns(ctx, graph, result, stream)
                                                    : add_vertex_rows(ctx, graph, result, stream);
    if (status != HEDDLE_OK && stream->release)
        stream->release(stream);
    return status;
}

heddle_status heddle_result_to_arrow(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                     struct ArrowArrayStream *stream) {
    if (stream)
        memset(stream, 0, sizeof *stream);
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    HD_NEEDS(ctx, stream);
    HD_TRY(hd_result_of(ctx, __func__, graph, result));
    if (result->spread || (!result->forest_ends && !result->values && result->count))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "values that are spread over ranks are no table of one process");
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    return hd_result_to_arrow(ctx, graph, result, stream);
}
