/* save_table.c - tables: an id and a value of each of several results in every row. */
#include "algorithm/algorithm.h"
#include "base/argument.h"
#include "base/memory.h"
#include "io/arrow_write.h"
#include "io/text_write.h"
#include "run/save.h"

#include <stdio.h>
#include <string.h>

enum { MOST = HEDDLE_TABLE_COLUMNS, TYPE_ROOM = HD_COLUMN_ROOM + 32 };

typedef struct table {
    const heddle_graph *graph;
    const heddle_result *const *results;
    uint64_t count;
    char (*names)[HD_COLUMN_ROOM];
    uint64_t longest_id;
    hd_layout how;
} table;

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* Which every layout can have as it is. */
static bool is_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || strchr("\"'\\,;", name[i]))
            return false;
    return length > 0 && length < HD_COLUMN_ROOM && strcmp(name, "id") != 0;
}

static bool occurs_before(char (*names)[HD_COLUMN_ROOM], uint64_t k) {
    for (uint64_t i = 0; i < k; i++)
        if (strcmp(names[i], names[k]) == 0)
            return true;
    return false;
}

/* Whether another column without a name of its own holds the same. */
static bool is_shared(const heddle_result *const *results, const char *const *given, uint64_t count, uint64_t k) {
    char name[HD_COLUMN_ROOM], other[HD_COLUMN_ROOM];
    hd_save_value_name(results[k], name, sizeof name);
    for (uint64_t i = 0; i < count; i++) {
        hd_save_value_name(results[i], other, sizeof other);
        if (i != k && !(given && given[i]) && strcmp(name, other) == 0)
            return true;
    }
    return false;
}

static heddle_status check_result(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    HD_NEEDS(ctx, result);
    HD_TRY(hd_result_of(ctx, "a table", graph, result));
    if (result->spread)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "values that are spread over ranks are no table of one process");
    if (result->forest_ends || result->walks || result->column_sources || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s has no value for each vertex, which a column of a table needs",
                       result->report.algorithm);
    return HEDDLE_OK;
}

heddle_status hd_table_names(heddle_context *ctx, const heddle_graph *graph, const heddle_result *const *results,
                             const char *const *given, uint64_t count, char (*names)[HD_COLUMN_ROOM]) {
    if (!count || count > MOST)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "a table of %llu columns: it has 1 to %d", (unsigned long long)count,
                       (int)MOST);
    for (uint64_t k = 0; k < count; k++)
        HD_TRY(check_result(ctx, graph, results[k]));
    for (uint64_t k = 0; k < count; k++) {
        if (given && given[k] && !is_name(given[k]))
            return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                           "'%.80s' is no name of a column: it has 1 to %d bytes, no quotes, backslashes, commas, "
                           "semicolons or control characters, and is not id",
                           given[k], HD_COLUMN_ROOM - 1);
        if (given && given[k])
            snprintf(names[k], HD_COLUMN_ROOM, "%s", given[k]);
        else if (is_shared(results, given, count, k))
            snprintf(names[k], HD_COLUMN_ROOM, "%s%s", results[k]->report.approximate ? "approximate_" : "",
                     results[k]->report.algorithm);
        else
            hd_save_value_name(results[k], names[k], HD_COLUMN_ROOM);
        if (occurs_before(names, k))
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "two columns are called %s: name one of them otherwise", names[k]);
    }
    return HEDDLE_OK;
}

/* ---- Text and JSON ---------------------------------------------------------------------------------------------- */

static char *format_table(const void *state, char *p, uint64_t row, uint64_t end) {
    const table *t = state;
    bool json = t->how == HD_LAYOUT_JSON;
    for (; row < end; row++) {
        p += sprintf(p, "%s", !json ? "" : row ? ",\n[" : "\n[");
        p = hd_save_print_id(p, t->graph, (heddle_vertex)row, t->how);
        for (uint64_t k = 0; k < t->count; k++)
            p = hd_save_print_cell(p, t->graph, t->results[k], row, t->how);
        p += sprintf(p, "%s", json ? "]" : "\n");
    }
    return p;
}

static void write_names(hd_output *output, const table *t) {
    const char *quote = t->how == HD_LAYOUT_JSON ? "\"" : "";
    hd_output_printf(output, "%sid%s", quote, quote);
    for (uint64_t k = 0; k < t->count; k++)
        hd_output_printf(output, "%s%s%s%s", hd_save_gaps[t->how], quote, t->names[k], quote);
}

static heddle_status write_text(heddle_context *ctx, hd_output *output, const table *t) {
    bool json = t->how == HD_LAYOUT_JSON;
    size_t id = hd_save_id_room(t->graph, t->longest_id, t->how), longest = 16 + id;
    for (uint64_t k = 0; k < t->count; k++) {
        longest += t->results[k]->labels ? id + 2 : HD_SAVE_CELL;
        if (t->how == HD_LAYOUT_TSV)
            hd_save_remark(output, t->results[k]);
    }
    hd_output_printf(output, "%s", json ? "{\"columns\": [" : "");
    write_names(output, t);
    hd_output_printf(output, "%s", json ? "], \"rows\": [" : "\n");
    HD_TRY(hd_text_write_items(ctx, output, t->graph->vertices, longest, format_table, t));
    hd_output_printf(output, "%s", json ? "\n]}\n" : "");
    return HEDDLE_OK;
}

/* ---- NumPy ------------------------------------------------------------------------------------------------------ */

static bool is_real(const heddle_result *result) {
    return result->type == HEDDLE_VALUE_F32 || result->type == HEDDLE_VALUE_F64;
}

/* Strings of the longest label's length, or whole numbers. */
static void name_id_type(const table *t, char *type, size_t size) {
    if (t->graph->ids.type == HEDDLE_ID_STRING)
        snprintf(type, size, "'|S%llu'", (unsigned long long)(t->longest_id ? t->longest_id : 1));
    else
        snprintf(type, size, "'%c%c8'", hd_save_byte_order(), hd_save_vertex_kind(t->graph));
}

static void begin_npy(hd_output *output, const table *t) {
    char type[MOST * TYPE_ROOM + TYPE_ROOM], cell[32], shape[32];
    name_id_type(t, cell, sizeof cell);
    size_t used = (size_t)snprintf(type, sizeof type, "[('id', %s)", cell);
    for (uint64_t k = 0; k < t->count; k++) {
        const heddle_result *result = t->results[k];
        if (result->labels)
            name_id_type(t, cell, sizeof cell);
        else
            snprintf(cell, sizeof cell, "'%c%c%d'", hd_save_byte_order(),
                     is_real(result)                                     ? 'f'
                     : result->type == HEDDLE_VALUE_U64 && result->plain ? 'u'
                                                                         : 'i',
                     is_real(result) ? (int)hd_value_size(result->type) : 8);
        used += (size_t)snprintf(type + used, sizeof type - used, ", ('%s', %s)", t->names[k], cell);
    }
    snprintf(type + used, sizeof type - used, "]");
    snprintf(shape, sizeof shape, "%llu,", (unsigned long long)t->graph->vertices);
    hd_save_npy_header(output, type, shape);
}

/* The label with zeros up to the longest one's length, or the number. */
static void write_npy_id(hd_output *output, const table *t, heddle_vertex v) {
    const hd_ids *ids = &t->graph->ids;
    if (ids->type != HEDDLE_ID_STRING) {
        int64_t id = heddle_graph_id(t->graph, v);
        hd_output_write(output, &id, sizeof id);
        return;
    }
    static const char zeros[64];
    uint64_t length = ids->starts[v + 1] - ids->starts[v], room = t->longest_id ? t->longest_id : 1;
    hd_output_write(output, ids->text + ids->starts[v], (size_t)length);
    for (uint64_t left = room - length, now; left; left -= now) {
        now = left < sizeof zeros ? left : sizeof zeros;
        hd_output_write(output, zeros, (size_t)now);
    }
}

static void write_npy_cell(hd_output *output, const table *t, const heddle_result *result, uint64_t v) {
    size_t size = hd_value_size(result->type);
    if (result->labels) {
        write_npy_id(output, t, ((const heddle_vertex *)result->values)[v]);
    } else if (is_real(result)) {
        hd_output_write(output, (const char *)result->values + v * size, size);
    } else {
        int64_t value = hd_save_whole(t->graph, result, v);
        hd_output_write(output, &value, sizeof value);
    }
}

static heddle_status write_npy(heddle_context *ctx, hd_output *output, const table *t) {
    begin_npy(output, t);
    for (uint64_t v = 0; v < t->graph->vertices && !hd_output_failed(output); v++) {
        write_npy_id(output, t, (heddle_vertex)v);
        for (uint64_t k = 0; k < t->count; k++)
            write_npy_cell(output, t, t->results[k], v);
    }
    return hd_cancelled_status(ctx);
}

/* ---- The calls -------------------------------------------------------------------------------------------------- */

static heddle_status write_table(heddle_context *ctx, const char *path, const table *t) {
    hd_output *output;
    HD_TRY(hd_output_open(ctx, path, 0, &output));
    heddle_status status = t->how == HD_LAYOUT_NPY ? write_npy(ctx, output, t) : write_text(ctx, output, t);
    if (status == HEDDLE_OK)
        return hd_output_close(&output);
    hd_output_abandon(&output);
    return status;
}

/* A result without a value for each vertex is a table of its own. */
static bool is_alone(const heddle_result *const *results, const char *const *names, uint64_t count) {
    const heddle_result *only = count == 1 ? results[0] : NULL;
    return only && !(names && names[0]) && !only->spread &&
           (only->forest_ends || only->walks || only->column_sources || only->parents);
}

heddle_status heddle_table_save(heddle_context *ctx, const heddle_graph *graph, const heddle_result *const *results,
                                const char *const *names, uint64_t count, const char *path) {
    char room[MOST][HD_COLUMN_ROOM];
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, results);
    HD_NEEDS(ctx, path);
    if (is_alone(results, names, count)) {
        HD_TRY(hd_result_of(ctx, __func__, graph, results[0]));
        HD_TRY(hd_save_check(ctx, graph, results[0], path));
        HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
        return hd_save_file(ctx, graph, results[0], path, true);
    }
    HD_TRY(hd_table_names(ctx, graph, results, names, count, room));
    HD_TRY(hd_save_check(ctx, graph, results[0], path));
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    const table t = {.graph = graph,
                     .results = results,
                     .count = count,
                     .names = room,
                     .longest_id = hd_save_longest_id(graph, 0, graph->vertices),
                     .how = hd_save_layout(path)};
    return write_table(ctx, path, &t);
}

heddle_status heddle_table_to_arrow(heddle_context *ctx, const heddle_graph *graph, const heddle_result *const *results,
                                    const char *const *names, uint64_t count, struct ArrowArrayStream *stream) {
    char room[MOST][HD_COLUMN_ROOM];
    if (stream)
        memset(stream, 0, sizeof *stream);
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, results);
    HD_NEEDS(ctx, stream);
    HD_TRY(hd_table_names(ctx, graph, results, names, count, room));
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    heddle_status status = hd_arrow_stream_begin(ctx, graph->vertices, count + 1, stream);
    if (status == HEDDLE_OK)
        status = hd_arrow_stream_ids(ctx, stream, "id", graph, NULL);
    for (uint64_t k = 0; k < count && status == HEDDLE_OK; k++)
        status = hd_arrow_stream_values(ctx, graph, results[k], room[k], stream);
    if (status != HEDDLE_OK && stream->release)
        stream->release(stream);
    return status;
}
