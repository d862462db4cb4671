/* save.c - results, and tables of several, as .tsv, .csv, .npy and .json. */
#include "run/save.h"

#include "algorithm/algorithm.h"
#include "base/argument.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "exchange/agree.h"
#include "exchange/fold.h"
#include "graph/graph.h"
#include "io/compress.h"
#include "io/scan.h"
#include "io/text_write.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char rank_word[] = "{rank}";

/* Separators of cells. */
const char *const hd_save_gaps[] = {[HD_LAYOUT_TSV] = "\t", [HD_LAYOUT_CSV] = ",", [HD_LAYOUT_JSON] = ", "};

enum {
    ESCAPED = 6,         /* the most bytes that one of a label takes in JSON */
    CELL = HD_SAVE_CELL, /* bytes of a value of a column, with the separator before it */
    ROW_EXTRAS = 16,     /* brackets, commas, blanks and the end of a line */
};

static bool ends_with(const char *path, size_t length, const char *suffix) {
    size_t suffix_length = strlen(suffix);
    return length >= suffix_length && strncasecmp(path + length - suffix_length, suffix, suffix_length) == 0;
}

hd_layout hd_save_layout(const char *path) {
    const hd_codec *codec = hd_codec_of_path(path);
    size_t length = strlen(path) - (codec ? strlen(codec->suffix) : 0);
    return ends_with(path, length, ".npy")    ? HD_LAYOUT_NPY
           : ends_with(path, length, ".json") ? HD_LAYOUT_JSON
           : ends_with(path, length, ".csv")  ? HD_LAYOUT_CSV
           : ends_with(path, length, ".tsv") || ends_with(path, length, ".txt") || strcmp(path, "-") == 0 ||
                   strncmp(path, "/dev/", 5) == 0 /* /dev/null, /dev/fd/63 */
               ? HD_LAYOUT_TSV
               : HD_LAYOUT_UNKNOWN;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

static char *print_words(char *p, const char *words) {
    size_t length = strlen(words);
    memcpy(p, words, length);
    return p + length;
}

/* The v-th value that is here; of several columns, they are one after the other. */
static char *print_value(char *p, const heddle_result *result, uint64_t v, bool json) {
    double value = hd_result_at(result, v);
    if (isinf(value) || isnan(value)) {
        const char *words = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        p = print_words(p, json ? "\"" : "");
        p = print_words(p, words);
        return print_words(p, json ? "\"" : "");
    }
    switch (result->type) {
    case HEDDLE_VALUE_U32: return hd_print_u64(p, ((const uint32_t *)result->values)[v]);
    case HEDDLE_VALUE_U64: return hd_print_u64(p, ((const uint64_t *)result->values)[v]);
    case HEDDLE_VALUE_I32: return hd_print_i64(p, ((const int32_t *)result->values)[v]);
    case HEDDLE_VALUE_I64: return hd_print_i64(p, ((const int64_t *)result->values)[v]);
    case HEDDLE_VALUE_F32: return hd_print_single(p, ((const float *)result->values)[v]);
    case HEDDLE_VALUE_F64: return hd_print_double(p, value);
    }
    return p;
}

/* As snprintf does. */
static size_t cut_text(const char *text, size_t length, char *buffer, size_t size) {
    size_t kept = length < size ? length : size ? size - 1 : 0;
    if (size && buffer) {
        memcpy(buffer, text, kept);
        buffer[kept] = '\0';
    }
    return length;
}

size_t heddle_result_value_text(const heddle_result *result, heddle_vertex vertex, char *buffer, size_t size) {
    char text[HD_NUMBER_ROOM + 8];
    uint64_t at = vertex - (result ? result->first : 0); /* beyond the count also for vertices before the first */
    if (!result || !result->values || at >= result->count)
        return cut_text("", 0, buffer, size);
    return cut_text(text, (size_t)(print_value(text, result, at, false) - text), buffer, size);
}

size_t heddle_forest_weight_text(const heddle_forest *forest, uint64_t edge, char *buffer, size_t size) {
    char text[HD_NUMBER_ROOM + 8];
    if (!forest || edge >= forest->edges)
        return cut_text("", 0, buffer, size);
    heddle_weight_type type = forest->weights ? forest->weight_type : HEDDLE_WEIGHT_NONE;
    return cut_text(text, (size_t)(hd_print_weight_of(text, forest->weights, type, edge) - text), buffer, size);
}

size_t heddle_result_column_text(const heddle_result *result, char *buffer, size_t size) {
    char name[HD_COLUMN_ROOM] = "";
    if (result)
        hd_save_value_name(result, name, sizeof name);
    return cut_text(name, strlen(name), buffer, size);
}

static char *print_escaped(char *p, const char *text, size_t length) {
    const char *end = text + length;
    *p++ = '"';
    for (const char *next; text < end; text = next) {
        uint32_t code;
        next = hd_scan_utf8(text, end, &code);
        if (!next) { /* another encoding, which JSON does not allow */
            p = print_words(p, "\\ufffd");
            next = text + 1;
        } else if (code < 0x20) {
            p += snprintf(p, 8, "\\u%04x", code);
        } else {
            if (code == '"' || code == '\\')
                *p++ = '\\';
            memcpy(p, text, (size_t)(next - text));
            p += next - text;
        }
    }
    *p++ = '"';
    return p;
}

static bool has_any(const char *text, size_t length, const char *signs) {
    for (size_t i = 0; i < length; i++)
        if (text[i] && strchr(signs, text[i]))
            return true;
    return false;
}

/* Between tabs, most labels can stand as they are. */
static bool is_plain(const char *text, size_t length, hd_layout how) {
    if (how == HD_LAYOUT_TSV)
        return !has_any(text, length, "\t\r\n") && (!length || text[0] != '"');
    return length > 0 && text[0] != ' ' && text[length - 1] != ' ' && !has_any(text, length, "\",\r\n");
}

/* Quoted as in RFC 4180: if necessary, and with quotes doubled. */
static char *print_quoted(char *p, const char *text, size_t length, hd_layout how) {
    if (is_plain(text, length, how)) {
        memcpy(p, text, length);
        return p + length;
    }
    *p++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            *p++ = '"';
        *p++ = text[i];
    }
    *p++ = '"';
    return p;
}

char *hd_save_print_id(char *p, const heddle_graph *graph, heddle_vertex v, hd_layout how) {
    const hd_ids *ids = &graph->ids;
    if (ids->type == HEDDLE_ID_STRING) {
        const char *text = ids->text + ids->starts[v];
        size_t length = ids->starts[v + 1] - ids->starts[v];
        return how == HD_LAYOUT_JSON ? print_escaped(p, text, length) : print_quoted(p, text, length, how);
    }
    int64_t id = heddle_graph_id(graph, v);
    return ids->type == HEDDLE_ID_U64 ? hd_print_u64(p, (uint64_t)id) : hd_print_i64(p, id);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static uint64_t row_count(const heddle_result *result) {
    return result->forest_ends ? result->forest_edges : result->count;
}

static char *print_forest_row(char *p, const heddle_graph *graph, const heddle_result *result, uint64_t k,
                              hd_layout how) {
    const char *gap = hd_save_gaps[how];
    p = hd_save_print_id(p, graph, result->forest_ends[2 * k], how);
    p = print_words(p, gap);
    p = hd_save_print_id(p, graph, result->forest_ends[2 * k + 1], how);
    p = print_words(p, gap);
    return hd_print_weight_of(p, result->forest_weights, result->forest_type, k);
}

char *hd_save_print_cell(char *p, const heddle_graph *graph, const heddle_result *result, uint64_t v, hd_layout how) {
    p = print_words(p, hd_save_gaps[how]);
    return result->labels ? hd_save_print_id(p, graph, ((const uint32_t *)result->values)[v], how)
                          : print_value(p, result, v, how == HD_LAYOUT_JSON);
}

static char *print_row(char *p, const heddle_graph *graph, const heddle_result *result, uint64_t v, hd_layout how) {
    if (result->forest_ends)
        return print_forest_row(p, graph, result, v, how);
    p = hd_save_print_id(p, graph, (heddle_vertex)(result->first + v), how);
    p = hd_save_print_cell(p, graph, result, v, how);
    if (!result->parents)
        return p;
    p = print_words(p, hd_save_gaps[how]);
    if (result->parents[v] != UINT32_MAX)
        return hd_save_print_id(p, graph, result->parents[v], how);
    return print_words(p, how == HD_LAYOUT_JSON ? "null" : "");
}

uint64_t hd_save_longest_id(const heddle_graph *graph, uint64_t first, uint64_t count) {
    const hd_ids *ids = &graph->ids;
    uint64_t longest = 0;
    for (uint64_t v = first; ids->type == HEDDLE_ID_STRING && v < first + count; v++)
        if (ids->starts[v + 1] - ids->starts[v] > longest)
            longest = ids->starts[v + 1] - ids->starts[v];
    return longest;
}

typedef struct rows {
    const heddle_graph *graph;
    const heddle_result *result;
    const hd_save_share *share;
    hd_layout how;
} rows;

size_t hd_save_id_room(const heddle_graph *graph, uint64_t longest, hd_layout how) {
    if (graph->ids.type != HEDDLE_ID_STRING)
        return HD_NUMBER_ROOM;
    return (how == HD_LAYOUT_JSON ? ESCAPED : 2) * (size_t)longest + 2;
}

static size_t id_room(const rows *r) { return hd_save_id_room(r->graph, r->share->longest_id, r->how); }

static char *format_rows(const void *state, char *p, uint64_t row, uint64_t end) {
    const rows *r = state;
    for (; row < end; row++) {
        if (r->how == HD_LAYOUT_JSON)
            p = print_words(p, r->share->before + row ? ",\n[" : "\n[");
        p = print_row(p, r->graph, r->result, row, r->how);
        p = print_words(p, r->how == HD_LAYOUT_JSON ? "]" : "\n");
    }
    return p;
}

static heddle_status write_rows(heddle_context *ctx, hd_output *output, const rows *all) {
    size_t longest = 2 * id_room(all) + HD_NUMBER_ROOM + ROW_EXTRAS; /* no row has more than two ids */
    return hd_text_write_items(ctx, output, row_count(all->result), longest, format_rows, all);
}

/* ---- A column for each source ------------------------------------------------------------------------------------ */

static void write_names(hd_output *output, const rows *all) {
    size_t room = id_room(all) + ROW_EXTRAS;
    hd_output_printf(output, "%s", all->how == HD_LAYOUT_JSON ? "\"id\"" : "id");
    for (uint64_t k = 0; k < all->result->columns && !hd_output_failed(output); k++) {
        char *start = hd_output_reserve(output, room), *p = print_words(start, hd_save_gaps[all->how]);
        p = hd_save_print_id(p, all->graph, all->result->column_sources[k], all->how);
        hd_output_advance(output, (size_t)(p - start));
    }
}

static char *format_columns(const void *state, char *p, uint64_t row, uint64_t end) {
    const rows *r = state;
    for (; row < end; row++) {
        p = print_words(p, r->how != HD_LAYOUT_JSON ? "" : row ? ",\n[" : "\n[");
        p = hd_save_print_id(p, r->graph, (heddle_vertex)row, r->how);
        for (uint64_t k = 0; k < r->result->columns; k++) {
            p = print_words(p, hd_save_gaps[r->how]);
            p = print_value(p, r->result, k * r->result->count + row, r->how == HD_LAYOUT_JSON);
        }
        p = print_words(p, r->how == HD_LAYOUT_JSON ? "]" : "\n");
    }
    return p;
}

static heddle_status write_columns(heddle_context *ctx, hd_output *output, const rows *all) {
    const heddle_result *result = all->result;
    size_t longest = id_room(all) + result->columns * CELL + ROW_EXTRAS;
    if (all->how == HD_LAYOUT_JSON)
        hd_output_printf(output, "{\"algorithm\": \"%s\", \"columns\": [", result->report.algorithm);
    write_names(output, all);
    hd_output_printf(output, "%s", all->how == HD_LAYOUT_JSON ? "], \"rows\": [" : "\n");
    HD_TRY(hd_text_write_items(ctx, output, result->count, longest, format_columns, all));
    hd_output_printf(output, "%s", all->how == HD_LAYOUT_JSON ? "\n]}\n" : "");
    return HEDDLE_OK;
}

/* ---- Walks ------------------------------------------------------------------------------------------------------- */

/* A walk per row, of as many ids as it has; in .csv cells are left empty behind its end. */
static char *format_walks(const void *state, char *p, uint64_t row, uint64_t end) {
    const rows *r = state;
    const uint32_t *path = r->result->values;
    for (; row < end; row++) {
        p = print_words(p, r->how != HD_LAYOUT_JSON ? "" : row ? ",\n[" : "\n[");
        for (uint64_t k = 0; k < r->result->columns; k++) {
            heddle_vertex v = path[k * r->result->count + row];
            if (v == UINT32_MAX && r->how != HD_LAYOUT_CSV)
                break;
            p = print_words(p, k ? hd_save_gaps[r->how] : "");
            p = v == UINT32_MAX ? p : hd_save_print_id(p, r->graph, v, r->how);
        }
        p = print_words(p, r->how == HD_LAYOUT_JSON ? "]" : "\n");
    }
    return p;
}

static heddle_status write_walks(heddle_context *ctx, hd_output *output, const rows *all) {
    const heddle_result *result = all->result;
    size_t longest = (size_t)result->columns * (id_room(all) + 2) + ROW_EXTRAS;
    if (all->how == HD_LAYOUT_JSON)
        hd_output_printf(output, "{\"algorithm\": \"%s\", \"rows\": [", result->report.algorithm);
    bool header = all->how == HD_LAYOUT_CSV || (all->how == HD_LAYOUT_TSV && all->share->header);
    for (uint64_t k = 0; header && k < result->columns; k++)
        hd_output_printf(output, "%sstep%llu", k ? hd_save_gaps[all->how] : "", (unsigned long long)k);
    hd_output_printf(output, "%s", header ? "\n" : "");
    HD_TRY(hd_text_write_items(ctx, output, result->count, longest, format_walks, all));
    hd_output_printf(output, "%s", all->how == HD_LAYOUT_JSON ? "\n]}\n" : "");
    return HEDDLE_OK;
}

/* ---- Approximate results are marked ------------------------------------------------------------------------------ */

void hd_save_value_name(const heddle_result *result, char *name, size_t size) {
    const hd_algorithm *algorithm = hd_algorithm_find(result->report.algorithm);
    snprintf(name, size, "%s%s", result->report.approximate ? "approximate_" : "",
             result->forest_ends              ? "weight"
             : algorithm && algorithm->column ? algorithm->column
                                              : "value");
}

/* The same in .json and .npy, where values are called that, whatever they are. */
static const char *value_name(const heddle_result *result) {
    return result->report.approximate ? "approximate_value" : "value";
}

/* A first line of .tsv files, which readers of edge lists and NumPy's loadtxt take for a comment. */
void hd_save_remark(hd_output *output, const heddle_result *result) {
    const heddle_report *report = &result->report;
    if (!report->approximate)
        return;
    hd_output_printf(output, "# approximate: %s", report->algorithm);
    if (report->error_bound >= 0)
        hd_output_printf(output, ", error at most %.6g", report->error_bound);
    if (report->error_bound >= 0 && report->confidence < 1)
        hd_output_printf(output, " with confidence %g", report->confidence);
    hd_output_printf(output, "\n");
}

static void write_json_remark(hd_output *output, const heddle_result *result) {
    const heddle_report *report = &result->report;
    if (!report->approximate)
        return;
    hd_output_printf(output, "\"approximate\": true, ");
    if (report->error_bound >= 0)
        hd_output_printf(output, "\"error_bound\": %.17g, \"confidence\": %.17g, ", report->error_bound,
                         report->confidence);
}

static void begin_json(hd_output *output, const heddle_result *result) {
    hd_output_printf(output, "{\"algorithm\": \"%s\", ", result->report.algorithm);
    write_json_remark(output, result);
    if (result->forest_ends)
        hd_output_printf(output, "\"columns\": [\"source\", \"target\", \"weight\"], \"rows\": [");
    else
        hd_output_printf(output, "\"columns\": [\"id\", \"%s\"%s], \"rows\": [", value_name(result),
                         result->parents ? ", \"parent\"" : "");
}

static heddle_status write_json(heddle_context *ctx, hd_output *output, const rows *all) {
    if (all->share->begins)
        begin_json(output, all->result);
    HD_TRY(write_rows(ctx, output, all));
    if (all->share->ends)
        hd_output_printf(output, "\n]}\n");
    return HEDDLE_OK;
}

/* A row of names. */
static void write_header(hd_output *output, const rows *all) {
    const heddle_result *result = all->result;
    const char *gap = hd_save_gaps[all->how];
    char name[HD_COLUMN_ROOM];
    hd_save_value_name(result, name, sizeof name);
    if (result->forest_ends)
        hd_output_printf(output, "source%starget%s%s\n", gap, gap, name);
    else
        hd_output_printf(output, "id%s%s%s%s\n", gap, name, result->parents ? gap : "",
                         result->parents ? "parent" : "");
}

static heddle_status write_text(heddle_context *ctx, hd_output *output, const rows *all) {
    bool remark = all->how == HD_LAYOUT_TSV && !hd_output_is_standard(output); /* there the caller can say it */
    if (all->share->begins && remark)
        hd_save_remark(output, all->result);
    if (all->share->begins && (all->how == HD_LAYOUT_CSV || all->share->header))
        write_header(output, all);
    return write_rows(ctx, output, all);
}

/* ---- NumPy ------------------------------------------------------------------------------------------------------ */

/* Format version 1.0: magic, header length, a Python literal padded to 64 bytes, then the raw array. */
void hd_save_npy_header(hd_output *output, const char *type, const char *shape) {
    char header[HD_NPY_HEADER_ROOM];
    int length = snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (%s), }", type, shape);
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10;
    unsigned char start[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)padded, (unsigned char)(padded >> 8)};
    hd_output_write(output, start, sizeof start);
    hd_output_write(output, header, (size_t)length);
    for (int i = length; i < padded - 1; i++)
        hd_output_write(output, " ", 1);
    hd_output_write(output, "\n", 1);
}

char hd_save_byte_order(void) { return *(const unsigned char *)&(const uint16_t){1} ? '<' : '>'; }

int64_t hd_save_whole(const heddle_graph *graph, const heddle_result *result, uint64_t v) {
    if (result->labels && graph->ids.type != HEDDLE_ID_STRING)
        return heddle_graph_id(graph, ((const uint32_t *)result->values)[v]);
    if (result->type == HEDDLE_VALUE_I32)
        return ((const int32_t *)result->values)[v];
    if (result->type == HEDDLE_VALUE_I64)
        return ((const int64_t *)result->values)[v];
    if (result->type == HEDDLE_VALUE_U64) /* unreached, 2^64 - 1, turns into -1 */
        return (int64_t)((const uint64_t *)result->values)[v];
    uint32_t value = ((const uint32_t *)result->values)[v];
    return value == UINT32_MAX && !result->plain ? -1 : (int64_t)value;
}

/* A vertex's number in an array: its id, or its index if ids are strings. */
static int64_t vertex_number(const heddle_graph *graph, heddle_vertex v) {
    return graph->ids.type == HEDDLE_ID_STRING ? (int64_t)v : heddle_graph_id(graph, v);
}

/* NumPy's kind of such numbers: 'u' if ids exceed 2^63 - 1; they ascend. */
char hd_save_vertex_kind(const heddle_graph *graph) {
    bool large = graph->ids.type == HEDDLE_ID_U64 && graph->vertices &&
                 heddle_graph_id(graph, (heddle_vertex)(graph->vertices - 1)) < 0;
    return large ? 'u' : 'i';
}

/* In arrays of vertices, "no vertex" has all bits set: -1, as an unsigned number 2^64 - 1. */
static const int64_t no_vertex = -1;

static int64_t vertex_or_none(const heddle_graph *graph, heddle_vertex v) {
    return v == UINT32_MAX ? no_vertex : vertex_number(graph, v);
}

/* A record for each edge: its ends, and its weight in the graph's own type. */
static void write_npy_forest(hd_output *output, const heddle_graph *graph, const heddle_result *result) {
    heddle_weight_type weight = result->forest_type;
    size_t size = result->forest_weights ? hd_weight_size(weight) : 4;
    char order = hd_save_byte_order(), type[120], shape[32];
    char kind = hd_weight_real(weight) ? 'f' : weight == HEDDLE_WEIGHT_U32 || !result->forest_weights ? 'u' : 'i';
    char ends = hd_save_vertex_kind(graph);
    snprintf(type, sizeof type, "[('source', '%c%c8'), ('target', '%c%c8'), ('%sweight', '%c%c%d')]", order, ends,
             order, ends, result->report.approximate ? "approximate_" : "", order, kind, (int)size);
    snprintf(shape, sizeof shape, "%llu,", (unsigned long long)result->forest_edges);
    hd_save_npy_header(output, type, shape);
    for (uint64_t k = 0; k < result->forest_edges && !hd_output_failed(output); k++) {
        int64_t pair[2] = {vertex_number(graph, result->forest_ends[2 * k]),
                           vertex_number(graph, result->forest_ends[2 * k + 1])};
        const uint32_t one = 1;
        hd_output_write(output, pair, sizeof pair);
        hd_output_write(output, result->forest_weights ? (const char *)result->forest_weights + k * size : (void *)&one,
                        size);
    }
}

/* A row of ids for each walk, "no vertex" behind its end. */
static void write_npy_walks(hd_output *output, const heddle_graph *graph, const heddle_result *result) {
    const uint32_t *path = result->values;
    char type[8], shape[64];
    snprintf(type, sizeof type, "'%c%c8'", hd_save_byte_order(), hd_save_vertex_kind(graph));
    snprintf(shape, sizeof shape, "%llu, %llu", (unsigned long long)result->count, (unsigned long long)result->columns);
    hd_save_npy_header(output, type, shape);
    for (uint64_t i = 0; i < result->count && !hd_output_failed(output); i++)
        for (uint64_t k = 0; k < result->columns; k++) {
            int64_t number = vertex_or_none(graph, path[k * result->count + i]);
            hd_output_write(output, &number, sizeof number);
        }
}

static void begin_npy(hd_output *output, const rows *all, bool real) {
    const heddle_result *result = all->result;
    char order = hd_save_byte_order(), size = result->type == HEDDLE_VALUE_F32 ? '4' : '8', type[80], shape[64];
    char kind = real                                                ? 'f'
                : result->labels                                    ? hd_save_vertex_kind(all->graph)
                : result->type == HEDDLE_VALUE_U64 && result->plain ? 'u' /* 2^64 - 1 is not -1 */
                                                                    : 'i';
    if (result->parents) /* a record for each vertex */
        snprintf(type, sizeof type, "[('%s', '%c%c%c'), ('parent', '%c%c8')]", value_name(result), order, kind, size,
                 order, hd_save_vertex_kind(all->graph));
    else if (result->report.approximate) /* the only place that NumPy has for a mark is the name of a field */
        snprintf(type, sizeof type, "[('%s', '%c%c%c')]", value_name(result), order, kind, size);
    else
        snprintf(type, sizeof type, "'%c%c%c'", order, kind, size);
    if (result->column_sources)
        snprintf(shape, sizeof shape, "%llu, %llu", (unsigned long long)result->columns,
                 (unsigned long long)result->count);
    else
        snprintf(shape, sizeof shape, "%llu,", (unsigned long long)all->share->all);
    hd_save_npy_header(output, type, shape);
}

static heddle_status write_npy(heddle_context *ctx, hd_output *output, const rows *all) {
    const heddle_graph *graph = all->graph;
    const heddle_result *result = all->result;
    bool real = result->type == HEDDLE_VALUE_F32 || result->type == HEDDLE_VALUE_F64;
    if (result->forest_ends) {
        write_npy_forest(output, graph, result);
        return hd_cancelled_status(ctx);
    }
    if (result->walks) {
        write_npy_walks(output, graph, result);
        return hd_cancelled_status(ctx);
    }
    if (all->share->begins)
        begin_npy(output, all, real);
    if (real && !result->parents) {
        hd_output_write(output, result->values, result->count * hd_value_size(result->type));
        return HEDDLE_OK;
    }
    for (uint64_t v = 0; v < result->count * result->columns && !hd_output_failed(output); v++) {
        size_t bytes = real ? hd_value_size(result->type) : sizeof(int64_t);
        int64_t value = real ? 0 : hd_save_whole(graph, result, v), parent;
        hd_output_write(output, real ? (const char *)result->values + v * bytes : (const void *)&value, bytes);
        if (!result->parents)
            continue;
        parent = vertex_or_none(graph, result->parents[v]);
        hd_output_write(output, &parent, sizeof parent);
    }
    return HEDDLE_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

heddle_status hd_save_check(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                            const char *path) {
    char packed[64];
    heddle_vertex vertex;
    hd_layout how = hd_save_layout(path);
    bool marked = how == HD_LAYOUT_NPY && (result->walks || result->parents) && graph->ids.type != HEDDLE_ID_STRING;
    if (marked && hd_graph_find_value(graph, no_vertex, &vertex))
        return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, path, 0,
                            "%s is the id of a vertex, and stands for no vertex in .npy: use .tsv, .csv or .json",
                            hd_save_vertex_kind(graph) == 'u' ? "18446744073709551615" : "-1");
    if (how != HD_LAYOUT_UNKNOWN)
        return HEDDLE_OK;
    hd_codec_suffixes(packed, sizeof packed);
    return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, path, 0,
                        "results are written as .tsv, .txt, .csv, .npy or .json, with %s behind it", packed);
}

heddle_status hd_save_write(heddle_context *ctx, hd_output *output, const heddle_graph *graph,
                            const heddle_result *result, const char *path, const hd_save_share *share) {
    const rows all = {.graph = graph, .result = result, .share = share, .how = hd_save_layout(path)};
    hd_threads_settle(ctx, hd_work(result->count, 0, result->columns));
    if (all.how == HD_LAYOUT_NPY)
        return write_npy(ctx, output, &all);
    if (result->walks)
        return write_walks(ctx, output, &all);
    if (result->column_sources)
        return write_columns(ctx, output, &all);
    return all.how == HD_LAYOUT_JSON ? write_json(ctx, output, &all) : write_text(ctx, output, &all);
}

heddle_status hd_save_file(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                           const char *path, bool header) {
    hd_output *output;
    hd_save_share whole = {.begins = true, .ends = true, .all = result->count, .header = header};
    HD_TRY(hd_output_open(ctx, path, 0, &output));
    whole.longest_id = hd_save_longest_id(graph, 0, graph->vertices); /* of labels too, which may be any vertex */
    heddle_status status = hd_save_write(ctx, output, graph, result, path, &whole);
    if (status != HEDDLE_OK) {
        hd_output_abandon(&output);
        return status;
    }
    return hd_output_close(&output);
}

/* A path with the rank's number in place of "{rank}". */
static heddle_status name_of_rank(heddle_context *ctx, const char *path, uint32_t rank, char name[PATH_MAX]) {
    const char *place = strstr(path, rank_word);
    int length =
        snprintf(name, PATH_MAX, "%.*s%u%s", (int)(place - path), path, (unsigned)rank, place + strlen(rank_word));
    return length < PATH_MAX ? HEDDLE_OK : hd_fail_file(ctx, HEDDLE_E_WRITE, path, ENAMETOOLONG, "cannot create");
}

/* The rows that the i-th of `count` files has. */
static heddle_result rows_of_file(const heddle_result *result, uint32_t i, uint32_t count) {
    heddle_result rows = *result;
    uint64_t before = hd_split(result->count, count, i);
    rows.count = hd_split(result->count, count, i + 1) - before;
    rows.first += before;
    rows.values = (char *)result->values + before * hd_value_size(result->type);
    rows.parents = result->parents ? result->parents + before : NULL;
    return rows;
}

/* Results without a row for each vertex are in the first file, the only one. */
heddle_status hd_save_by_rank(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                              const char *path) {
    bool divides = result->values && result->columns == 1 && !result->column_sources && !result->walks;
    char name[PATH_MAX];
    uint32_t rank, count = 0;
    while (hd_fold_member(ctx, count, &rank))
        count++;
    for (uint32_t i = 0; i < (divides ? count : 1); i++) {
        const heddle_result rows = divides ? rows_of_file(result, i, count) : *result;
        hd_fold_member(ctx, i, &rank);
        HD_TRY(name_of_rank(ctx, path, rank, name));
        HD_TRY(hd_save_file(ctx, graph, &rows, name, false));
    }
    return HEDDLE_OK;
}

static heddle_status save(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                          const char *path) {
    HD_TRY(hd_result_of(ctx, "heddle_result_save", graph, result));
    HD_TRY(hd_save_check(ctx, graph, result, path));
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    return strstr(path, rank_word) ? hd_save_by_rank(ctx, graph, result, path)
                                   : hd_save_file(ctx, graph, result, path, false);
}

heddle_status heddle_result_save(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                 const char *path) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, result);
    HD_NEEDS(ctx, path);
    if (!ctx->link)
        return save(ctx, graph, result, path);
    if (result->spread)
        return hd_save_spread(ctx, graph, result, path, strstr(path, rank_word) != NULL);
    return hd_agree(ctx->link, ctx->link->rank ? HEDDLE_OK : save(ctx, graph, result, path));
}
