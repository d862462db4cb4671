/* result.c - creating and destroying results, and their figures. */
#include "engine/result.h"

#include "base/memory.h"
#include "device/device.h"
#include "io/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

size_t hd_value_size(heddle_value_type type) {
    return type == HEDDLE_VALUE_U64 || type == HEDDLE_VALUE_F64 || type == HEDDLE_VALUE_I64 ? 8 : 4;
}

heddle_status hd_result_new(heddle_context *ctx, const char *algorithm, heddle_result **result) {
    HD_TRY(HD_NEW_ZERO(ctx, result, 1, "result"));
    (*result)->allocator = ctx->allocator;
    (*result)->columns = 1;
    (*result)->residual = (double)NAN;
    (*result)->report = (heddle_report){.size = sizeof(heddle_report),
                                        .algorithm = algorithm,
                                        .device = "cpu",
                                        .schedule = "cpu",
                                        .transform = "none",
                                        .residency = "device",
                                        .exchange = "none",
                                        .plan = "",
                                        .converged = 1,
                                        .verified = -1,
                                        .residual_verified = -1,
                                        .source = UINT32_MAX,
                                        .error_bound = -1,
                                        .confidence = 1,
                                        .inaccuracy = -1,
                                        .worst_error = -1,
                                        .relative_error = -1};
    return HEDDLE_OK;
}

heddle_status hd_result_values_new(heddle_context *ctx, heddle_result *result, heddle_value_type type, uint64_t count) {
    result->type = type;
    result->count = count;
    return hd_new(ctx, &result->values, count, hd_value_size(type), false, "vertex values");
}

heddle_status hd_result_columns_new(heddle_context *ctx, heddle_result *result, heddle_value_type type, uint64_t count,
                                    const heddle_run_options *options) {
    uint64_t sources = options->source_count;
    size_t size = hd_value_size(type);
    double bytes = (double)size * (double)count * (double)sources, memory = (double)sysconf(_SC_PHYS_PAGES);
    if (memory > 0 && bytes > memory * (double)sysconf(_SC_PAGESIZE))
        return hd_fail(ctx, HEDDLE_E_MEMORY,
                       "values of %llu vertices from each of %llu sources take %.0f bytes, more than this machine has",
                       (unsigned long long)count, (unsigned long long)sources, bytes);
    result->type = type;
    result->count = count;
    result->columns = sources;
    HD_TRY(HD_NEW(ctx, &result->column_sources, sources, "sources"));
    if (sources)
        memcpy(result->column_sources, options->sources, sources * sizeof *options->sources);
    return hd_new(ctx, &result->values, count * sources, size, false, "values from each source");
}

heddle_status hd_result_edges_new(heddle_context *ctx, heddle_result *result, uint64_t count, heddle_weight_type type) {
    result->forest_edges = count;
    result->forest_type = type;
    HD_TRY(HD_NEW(ctx, &result->forest_ends, 2 * count, "edges"));
    if (type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    return hd_new(ctx, &result->forest_weights, count, hd_weight_size(type), false, "weights of edges");
}

heddle_status hd_result_to_single(heddle_context *ctx, heddle_result *result) {
    const double *values = result->values;
    float *rounded;
    HD_TRY(HD_NEW(ctx, &rounded, result->count, "vertex values"));
    for (uint64_t v = 0; v < result->count; v++)
        rounded[v] = (float)values[v];
    hd_free(&result->allocator, result->values, result->count * sizeof *values);
    result->values = rounded;
    result->type = HEDDLE_VALUE_F32;
    return HEDDLE_OK;
}

heddle_status hd_result_parents_new(heddle_context *ctx, heddle_result *result, uint64_t count) {
    result->count = count;
    return HD_NEW(ctx, &result->parents, count, "parents");
}

static void free_parts(heddle_result *result) {
    for (uint64_t p = 0; result->part_rounds && p < result->part_count; p++)
        HD_DELETE(&result->allocator, result->part_rounds[p].list, result->part_rounds[p].count);
    HD_DELETE(&result->allocator, result->part_rounds, result->part_count);
    HD_DELETE(&result->allocator, result->parts, result->part_count);
    result->part_count = 0;
}

heddle_status hd_result_parts_new(heddle_context *ctx, heddle_result *result, uint64_t count) {
    free_parts(result);
    result->part_count = count;
    HD_TRY(HD_NEW_ZERO(ctx, &result->part_rounds, count, "records of rounds"));
    return HD_NEW_ZERO(ctx, &result->parts, count, "parts");
}

heddle_status hd_result_part_rounds_take(heddle_context *ctx, heddle_result *result, uint64_t part,
                                         const hd_rounds *rounds) {
    struct hd_part_rounds *to = &result->part_rounds[part];
    HD_TRY(HD_NEW(ctx, &to->list, rounds->count, "records of rounds"));
    to->count = rounds->count;
    if (rounds->count)
        memcpy(to->list, rounds->list, rounds->count * sizeof *to->list);
    return HEDDLE_OK;
}

void hd_result_device(heddle_result *result, const char *name) {
    hd_device_full_name(name, result->device, sizeof result->device);
    result->report.device = result->device;
}

void hd_result_transform(heddle_result *result, const char *name) {
    const char *outer = result->report.transform;
    size_t length = strlen(outer), own = strlen(name);
    if (strcmp(outer, "none") == 0)
        snprintf(result->transform, sizeof result->transform, "%s", name);
    else if (length < own || strcmp(outer + length - own, name) != 0) /* otherwise a part of the run is repeated */
        snprintf(result->transform + length, sizeof result->transform - length, "+%s", name);
    result->report.transform = result->transform;
}

/* The figure of that name, new or existing; HEDDLE_SUMMARY_MOST: there is no room. */
static uint32_t figure_at(heddle_result *result, const char *name) {
    heddle_report *report = &result->report;
    uint32_t i = 0;
    while (i < report->figure_count && strcmp(report->figures[i].name, name) != 0)
        i++;
    if (i == report->figure_count && i < HEDDLE_SUMMARY_MOST)
        report->figure_count++;
    return i;
}

static void set_figure(heddle_result *result, const char *name, double value, const char *text, size_t length) {
    uint32_t i = figure_at(result, name);
    if (i == HEDDLE_SUMMARY_MOST)
        return;
    result->report.figures[i] = (heddle_figure){.name = name, .value = value};
    memcpy(result->figures[i], text, length);
    result->figures[i][length] = '\0';
}

void hd_result_figure(heddle_result *result, const char *name, double value) {
    char text[HD_FIGURE_TEXT];
    if (isfinite(value))
        set_figure(result, name, value, text, (size_t)(hd_print_double(text, value) - text));
    else
        set_figure(result, name, value, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", value < 0 ? 4 : 3);
}

void hd_result_figure_single(heddle_result *result, const char *name, float value) {
    char text[HD_FIGURE_TEXT];
    if (isfinite(value))
        set_figure(result, name, (double)value, text, (size_t)(hd_print_single(text, value) - text));
    else
        hd_result_figure(result, name, (double)value);
}

void hd_result_figure_whole(heddle_result *result, const char *name, hd_whole value) {
    char digits[HD_FIGURE_TEXT], *end = digits + sizeof digits - 1, *p = end;
    hd_whole rest = value;
    do {
        int digit = (int)(rest % 10);
        *--p = (char)('0' + (digit < 0 ? -digit : digit));
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--p = '-';
    set_figure(result, name, (double)value, p, (size_t)(end - p));
}

void hd_result_total_weight(heddle_result *result) {
    heddle_weight_type type = result->forest_type;
    hd_whole whole = 0;
    double real = 0;
    for (uint64_t i = 0; i < result->forest_edges && hd_weight_real(type); i++)
        real += hd_weight_at(result->forest_weights, type, i);
    for (uint64_t i = 0; i < result->forest_edges && !hd_weight_real(type); i++)
        whole += hd_weight_whole(result->forest_weights, type, i);
    if (hd_weight_real(type))
        hd_result_figure(result, "total_weight", real);
    else
        hd_result_figure_whole(result, "total_weight", whole);
}

double hd_result_figure_of(const heddle_result *result, const char *name) {
    for (uint32_t i = 0; i < result->report.figure_count; i++)
        if (strcmp(result->report.figures[i].name, name) == 0)
            return result->report.figures[i].value;
    return (double)NAN;
}

void hd_result_residual(heddle_result *result, double residual) {
    result->residual = residual;
    hd_result_figure(result, "residual", residual);
}

void hd_result_sources(heddle_result *result, uint64_t sources) {
    result->sources = sources;
    hd_result_figure(result, "sources", (double)sources);
}

const char *heddle_result_figure_text(const heddle_result *result, uint32_t index) {
    return result && index < result->report.figure_count ? result->figures[index] : NULL;
}

heddle_status hd_result_take_rounds(heddle_context *ctx, heddle_result *result) {
    hd_rounds_end(ctx);
    HD_TRY(HD_NEW(ctx, &result->rounds, ctx->rounds.count, "records of rounds"));
    result->round_count = ctx->rounds.count;
    memcpy(result->rounds, ctx->rounds.list, result->round_count * sizeof *result->rounds);
    return HEDDLE_OK;
}

void heddle_result_destroy(heddle_result **result) {
    if (!result || !*result)
        return;
    heddle_result *r = *result;
    heddle_allocator allocator = r->allocator;
    hd_free(&allocator, r->values, r->count * r->columns * hd_value_size(r->type));
    HD_DELETE(&allocator, r->column_sources, r->columns);
    HD_DELETE(&allocator, r->parents, r->count);
    HD_DELETE(&allocator, r->rounds, r->round_count);
    free_parts(r);
    HD_DELETE(&allocator, r->forest_ends, r->forest_edges * 2);
    hd_free(&allocator, r->forest_weights, r->forest_edges * hd_weight_size(r->forest_type));
    hd_free(&allocator, r, sizeof *r);
    *result = NULL;
}

void hd_result_show(heddle_result *result) {
    result->shown_values = (heddle_values){.size = sizeof result->shown_values,
                                           .type = result->type,
                                           .count = result->count,
                                           .data = result->values,
                                           .columns = result->columns,
                                           .labels = result->labels,
                                           .plain = result->plain,
                                           .first = result->first,
                                           .spread = result->spread,
                                           .walks = result->walks};
    result->shown_forest = (heddle_forest){.size = sizeof result->shown_forest,
                                           .edges = result->forest_edges,
                                           .ends = result->forest_ends,
                                           .weight_type = result->forest_type,
                                           .weights = result->forest_weights};
}

heddle_status hd_result_of(heddle_context *ctx, const char *function, const heddle_graph *graph,
                           const heddle_result *result) {
    if (result->graph ? result->graph == graph->serial : !result->count || result->count == graph->vertices)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: result is of another graph than the one given", function);
}

const heddle_values *heddle_result_values(const heddle_result *result) {
    static const heddle_values none = {.size = sizeof none};
    return result ? &result->shown_values : &none;
}

void heddle_result_drop_parents(heddle_result *result) {
    if (!result)
        return;
    HD_DELETE(&result->allocator, result->parents, result->count);
    result->parents = NULL;
}

const heddle_vertex *heddle_result_parents(const heddle_result *result) { return result ? result->parents : NULL; }

const heddle_report *heddle_result_report(const heddle_result *result) {
    static const heddle_report none = {.size = sizeof none,
                                       .algorithm = "",
                                       .device = "",
                                       .schedule = "",
                                       .transform = "",
                                       .plan = "",
                                       .verified = -1,
                                       .residual_verified = -1,
                                       .relative_error = -1,
                                       .source = UINT32_MAX};
    return result ? &result->report : &none;
}

const heddle_forest *heddle_result_forest(const heddle_result *result) {
    static const heddle_forest none = {.size = sizeof none};
    return result ? &result->shown_forest : &none;
}

uint64_t heddle_result_round_count(const heddle_result *result) { return result ? result->round_count : 0; }

static uint64_t copy_rounds(const heddle_round *from, uint64_t there, heddle_round *rounds, size_t size,
                            uint64_t count) {
    size_t known = size < sizeof *rounds ? size : sizeof *rounds;
    count = count < there ? count : there;
    for (uint64_t i = 0; i < count; i++) {
        char *to = (char *)rounds + i * size;
        memcpy(to, &from[i], known);
        memset(to + known, 0, size - known);
    }
    return count;
}

uint64_t heddle_result_rounds(const heddle_result *result, heddle_round *rounds, size_t size, uint64_t count) {
    return result && rounds ? copy_rounds(result->rounds, result->round_count, rounds, size, count) : 0;
}

uint64_t heddle_result_part_rounds(const heddle_result *result, uint64_t part, heddle_round *rounds, size_t size,
                                   uint64_t count) {
    if (!result || part >= result->part_count)
        return 0;
    const struct hd_part_rounds *own = &result->part_rounds[part];
    return rounds ? copy_rounds(own->list, own->count, rounds, size, count) : own->count;
}

uint64_t heddle_result_part_count(const heddle_result *result) { return result ? result->part_count : 0; }

uint64_t heddle_result_parts(const heddle_result *result, heddle_part *parts, size_t size, uint64_t count) {
    size_t known = size < sizeof *parts ? size : sizeof *parts;
    if (!result || !parts)
        return 0;
    count = count < result->part_count ? count : result->part_count;
    for (uint64_t i = 0; i < count; i++) {
        char *to = (char *)parts + i * size;
        memcpy(to, &result->parts[i], known);
        memset(to + known, 0, size - known);
    }
    return count;
}

double hd_result_at(const heddle_result *result, uint64_t at) {
    switch (result->type) {
    case HEDDLE_VALUE_U32: {
        uint32_t value = ((const uint32_t *)result->values)[at];
        return value == UINT32_MAX && !result->plain ? (double)INFINITY : value;
    }
    case HEDDLE_VALUE_U64: {
        uint64_t value = ((const uint64_t *)result->values)[at];
        return value == UINT64_MAX && !result->plain ? (double)INFINITY : (double)value;
    }
    case HEDDLE_VALUE_I32: return ((const int32_t *)result->values)[at];
    case HEDDLE_VALUE_F32: return (double)((const float *)result->values)[at];
    case HEDDLE_VALUE_F64: return ((const double *)result->values)[at];
    case HEDDLE_VALUE_I64: {
        int64_t value = ((const int64_t *)result->values)[at];
        bool ends = result->widest && (value == INT64_MAX || value == INT64_MIN);
        return !ends ? (double)value : value < 0 ? -(double)INFINITY : (double)INFINITY;
    }
    }
    return NAN;
}

double heddle_result_value(const heddle_result *result, heddle_vertex vertex) {
    uint64_t at = vertex - (result ? result->first : 0); /* beyond the count also for vertices before the first */
    if (!result || !result->values || at >= result->count || !result->columns)
        return NAN;
    return hd_result_at(result, at);
}
