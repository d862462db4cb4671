/* element_write.c - see element_write.h. */
#include "io/element_write.h"

#include "base/parallel.h"
#include "io/scan.h"

#include <stdio.h>

enum { LONGEST_ESCAPE = 6 }; /* bytes that one byte of a label can become: \u001f, &quot; */

/* ---- Characters ------------------------------------------------------------------------------------------------- */

char *hd_print_text(char *p, const char *text) {
    size_t length = strlen(text);
    memcpy(p, text, length);
    return p + length;
}

char *hd_print_utf8(char *p, uint32_t code) {
    if (code < 0x80) {
        *p++ = (char)code;
        return p;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    *p++ = (char)(first[more] | code >> 6 * more);
    while (more-- > 0)
        *p++ = (char)(0x80 | (code >> 6 * more & 0x3f));
    return p;
}

static char *print_number_escape(char *p, uint32_t code) {
    p = hd_print_text(p, "&#");
    p = hd_print_u64(p, code);
    *p++ = ';';
    return p;
}

static char *print_json_control(char *p, unsigned char c) {
    static const char digits[] = "0123456789abcdef";
    p = hd_print_text(p, "\\u00");
    *p++ = digits[c >> 4];
    *p++ = digits[c & 15];
    return p;
}

/* One ASCII character. */
static char *print_plain(char *p, hd_escape escape, char c) {
    bool markup = escape == HD_ESCAPE_XML || escape == HD_ESCAPE_GML;
    bool strokes = escape == HD_ESCAPE_JSON || escape == HD_ESCAPE_DOT;
    if (markup && c == '&')
        return hd_print_text(p, "&amp;");
    if (markup && c == '"')
        return hd_print_text(p, "&quot;");
    if (escape == HD_ESCAPE_XML && c == '<')
        return hd_print_text(p, "&lt;");
    if (escape == HD_ESCAPE_JSON && (unsigned char)c < ' ')
        return print_json_control(p, (unsigned char)c);
    if (strokes && (c == '"' || c == '\\'))
        *p++ = '\\';
    *p++ = c;
    return p;
}

static char *print_escaped(char *p, hd_escape escape, const char *text, const char *end) {
    while (text < end) {
        uint32_t code = 0;
        const char *next = (unsigned char)*text < 0x80 ? text + 1 : hd_scan_utf8(text, end, &code);
        if (!next)
            next = text + 1; /* invalid UTF-8: labels were checked, so the format takes any bytes */
        if (escape == HD_ESCAPE_GML && code)
            p = print_number_escape(p, code);
        else if ((unsigned char)*text < 0x80)
            p = print_plain(p, escape, *text);
        else
            for (const char *c = text; c < next; c++)
                *p++ = *c;
        text = next;
    }
    return p;
}

/* ---- Ids -------------------------------------------------------------------------------------------------------- */

/* Whether the format can write this label so that it is read back. */
static bool can_stand(hd_escape escape, const char *p, const char *end) {
    if (escape == HD_ESCAPE_WORD && p == end)
        return false;
    for (const char *next; p < end; p = next) {
        uint32_t code;
        next = hd_scan_utf8(p, end, &code);
        if (!next || code == 0x7f || (code < ' ' && escape != HD_ESCAPE_JSON))
            return false;
        if ((escape == HD_ESCAPE_NONE && code == '"') || (escape == HD_ESCAPE_XML && (code | 1) == 0xffff) ||
            (escape == HD_ESCAPE_WORD && (hd_is_separator((char)*p) || code == '#')))
            return false;
    }
    return true;
}

static heddle_status check_labels(heddle_context *ctx, const heddle_graph *graph, hd_escape escape, const char *file,
                                  size_t *longest) {
    const hd_ids *ids = &graph->ids;
    *longest = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        const char *p = ids->text + ids->starts[v], *end = ids->text + ids->starts[v + 1];
        if (!can_stand(escape, p, end))
            return hd_fail(
                ctx, HEDDLE_E_LOSSY,
                "the label of vertex %llu cannot stand in a %s: it has control characters%s in it, or is not "
                "UTF-8",
                (unsigned long long)v, file,
                escape == HD_ESCAPE_NONE   ? " or quotes"
                : escape == HD_ESCAPE_XML  ? ", U+FFFE or U+FFFF"
                : escape == HD_ESCAPE_WORD ? ", blanks, commas, semicolons or #"
                                           : "");
        *longest = (size_t)(end - p) > *longest ? (size_t)(end - p) : *longest;
    }
    return HEDDLE_OK;
}

char *hd_print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    const hd_ids *ids = &writer->rows.graph->ids;
    if (ids->type == HEDDLE_ID_STRING)
        return print_escaped(p, writer->escape, ids->text + ids->starts[v], ids->text + ids->starts[v + 1]);
    int64_t id = ids->values ? ids->values[v] : ids->base + (int64_t)v;
    return ids->type == HEDDLE_ID_U64 ? hd_print_u64(p, (uint64_t)id) : hd_print_i64(p, id);
}

char *hd_print_edge_weight(const hd_element_writer *writer, char *p, uint64_t k) {
    return hd_print_weight(&writer->rows, p, k);
}

char *hd_print_pointed_weight(const hd_element_writer *writer, char *p, uint64_t k) {
    char *end = hd_print_edge_weight(writer, p, k), *e = memchr(p, 'e', (size_t)(end - p));
    if (!e || memchr(p, '.', (size_t)(e - p)))
        return end;
    memmove(e + 2, e, (size_t)(end - e));
    e[0] = '.';
    e[1] = '0';
    return end + 2;
}

/* ---- Vertices and edges ----------------------------------------------------------------------------------------- */

static bool is_written(const heddle_graph *graph, uint64_t u, uint64_t v) { return graph->directed || v >= u; }

/* Finds the first arc that is written, and whether there are parallel edges. */
static void look_at_arcs(hd_element_writer *writer) {
    const heddle_graph *graph = writer->rows.graph;
    const heddle_adjacency *out = &writer->rows.out;
    writer->first = graph->edges;
    for (uint64_t u = 0; u < graph->vertices && !(writer->parallel && writer->first < graph->edges); u++)
        for (uint64_t k = out->offsets[u]; k < out->offsets[u + 1]; k++) {
            writer->parallel |= k > out->offsets[u] && out->targets[k] == out->targets[k - 1];
            if (writer->first == graph->edges && is_written(graph, u, out->targets[k]))
                writer->first = k;
        }
}

heddle_status hd_element_writer_init(heddle_context *ctx, const heddle_graph *graph, hd_escape escape, const char *file,
                                     hd_element_writer *writer) {
    *writer = (hd_element_writer){.escape = escape, .label = HD_NUMBER_ROOM};
    HD_TRY(hd_text_writer_init(ctx, graph, &writer->rows));
    if (graph->ids.type == HEDDLE_ID_STRING) {
        HD_TRY(check_labels(ctx, graph, escape, file, &writer->label));
        writer->label = writer->label * LONGEST_ESCAPE + HD_NUMBER_ROOM;
    }
    look_at_arcs(writer);
    return HEDDLE_OK;
}

static char *format_vertices(const void *state, char *p, uint64_t from, uint64_t to) {
    const hd_element_writer *writer = state;
    for (uint64_t v = from; v < to; v++)
        p = writer->vertex(writer, p, v);
    return p;
}

static char *format_arc(const hd_text_writer *rows, char *p, uint64_t u, uint64_t k) {
    const hd_element_writer *writer = (const hd_element_writer *)(const void *)rows; /* its first member */
    return is_written(rows->graph, u, rows->out.targets[k]) ? writer->edge(writer, p, u, k) : p;
}

heddle_status hd_element_write_vertices(heddle_context *ctx, const hd_element_writer *writer, hd_output *output) {
    return hd_text_write_items(ctx, output, writer->rows.graph->vertices, writer->label + writer->extras,
                               format_vertices, writer);
}

heddle_status hd_element_write_edges(heddle_context *ctx, const hd_element_writer *writer, hd_output *output) {
    hd_element_writer arcs = *writer;
    arcs.rows.arc = format_arc;
    arcs.rows.longest = 2 * writer->label + hd_weight_room(writer->rows.graph) + 2 + writer->extras;
    return hd_text_write_rows(ctx, &arcs.rows, output);
}
