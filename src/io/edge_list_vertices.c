/* edge_list_vertices.c - reads a list of vertices that accompanies an edge list, so that isolated vertices exist too:
 * one id per line, alone or in the first column. */
#include "base/memory.h"
#include "io/edge_list.h"

/* Whether the first line is a header: its word names a column, not a vertex. */
static bool is_header(const hd_edge_list *names, const hd_first_line *line, const hd_first_line *after) {
    static const char *const usual[] = {"id",       "ids",      "node",      "nodes", "nodeid", "node_id", "vertex",
                                        "vertices", "vertexid", "vertex_id", "name",  "key",    "index"};
    hd_word word = line->field[0];
    const char *colon = word.p < word.end ? memchr(word.p, ':', (size_t)(word.end - word.p)) : NULL;
    if (colon && word.end - colon >= 3 && hd_word_is((hd_word){colon, colon + 3}, ":id")) /* Neo4j: ":ID(User)" */
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (hd_word_is(word, usual[i]))
            return true;
    return !names->labels && !hd_starts_number(names, word) && after->fields &&
           hd_starts_number(names, after->field[0]);
}

/* Determines the separator of the file, and skips a header. */
static const char *open_names(heddle_context *ctx, hd_edge_list *names, char given, char of_edges) {
    const char *first = names->text.data;
    hd_first_line line, after;
    hd_edge_list_separate_by(names, given);
    hd_edge_list_find_line(names, first, &line);
    if (!line.p)
        return first;
    if (names->labels && !given) { /* a line without separators is one label, unless blanks separate the edges */
        char delimiter = hd_edge_list_delimiter(names, &line);
        hd_edge_list_separate_by(names, delimiter == ' ' ? of_edges : delimiter);
    }
    hd_edge_list_find_line(names, line.next, &after);
    hd_edge_list_split(names, &line);
    hd_edge_list_split(names, &after);
    if (!line.fields || !is_header(names, &line, &after))
        return first;
    hd_note(ctx, "%s: the first line, '%.*s', is taken for a header", names->text.input->name,
            (int)(line.end - line.p > 80 ? 80 : line.end - line.p), line.p);
    return line.next;
}

static heddle_status append(heddle_context *ctx, hd_vertex_list *vertices, uint64_t id) {
    if (vertices->count == vertices->capacity) {
        uint64_t room = vertices->capacity ? 2 * vertices->capacity : 512;
        uint64_t *ids;
        HD_TRY(HD_NEW(ctx, &ids, room, "a list of vertices"));
        if (vertices->count)
            memcpy(ids, vertices->ids, vertices->count * sizeof *ids);
        hd_vertex_list_free(ctx, vertices);
        vertices->ids = ids;
        vertices->capacity = room;
    }
    vertices->ids[vertices->count++] = id;
    return HEDDLE_OK;
}

/* Appends a field's label to the edges' text at *end; returns its raw id. */
static uint64_t move_label(const hd_edge_list *list, hd_word word, bool doubled, char **end) {
    char *start = *end;
    if (doubled) {
        *end = hd_edge_list_undouble(word, start);
    } else {
        memcpy(start, word.p, (size_t)(word.end - word.p));
        *end += word.end - word.p;
    }
    return (uint64_t)(start - list->text.data) << 16 | (uint64_t)(*end - start);
}

/* Reads the ids from p on; labels go to `room`, behind the edges' text. */
static heddle_status read_names(heddle_context *ctx, hd_edge_list *names, const hd_edge_list *list, const char *p,
                                char *room, hd_vertex_list *vertices) {
    hd_cursor cursor = {.part = 0};
    for (const char *next; p < names->text.end; p = next) {
        const char *newline = hd_line_end(p, names->text.end), *end = hd_trim_return(p, newline);
        hd_fields line = hd_edge_list_fields(names, p, end);
        hd_word word;
        uint64_t id;
        next = newline < names->text.end ? newline + 1 : newline;
        if (hd_advance(ctx, (uint64_t)(next - p)))
            return hd_cancelled_status(ctx);
        if (hd_edge_list_is_empty(names, p, end))
            continue;
        if (hd_edge_list_field(names, &cursor, &line, &word) != HD_FIELD ||
            !hd_edge_list_id(names, &cursor, word, &id) || !hd_edge_list_rest(names, &cursor, &line))
            return hd_text_fail(&names->text, ctx, &cursor);
        HD_TRY(append(ctx, vertices, names->labels ? move_label(list, word, line.doubled, &room) : id));
    }
    vertices->negative = cursor.seen_negative;
    vertices->large = cursor.seen_large;
    return hd_text_check_ids(ctx, &names->text);
}

heddle_status hd_vertex_list_read(heddle_context *ctx, hd_edge_list *list, hd_input *input,
                                  const heddle_load_options *options, const char **first, hd_vertex_list *vertices) {
    hd_edge_list names = {.labels = list->labels, .whole_ids = list->whole_ids};
    hd_input file;
    heddle_status status = HEDDLE_OK;
    HD_TRY(hd_input_open(ctx, options->vertices_from, &file));
    hd_text_open(&names.text, &file);
    const char *start = open_names(ctx, &names, options->delimiter, list->text.delimiter);
    HD_CHECK(hd_text_cut(ctx, &names.text, start));
    hd_text_begin(&names.text, &(hd_cursor){.part = 0});
    if (list->labels)
        HD_CHECK(hd_edge_list_own(ctx, list, input, file.bytes, first));
    hd_phase_begin(ctx, "read vertices", file.bytes);
    status = read_names(ctx, &names, list, start, (char *)(uintptr_t)list->text.end, vertices);
    hd_phase_end(ctx);
    if (status == HEDDLE_OK)
        status = hd_input_check(ctx, &file);
out:
    hd_text_close(ctx, &names.text);
    hd_input_close(ctx, &file);
    return status;
}

void hd_vertex_list_free(heddle_context *ctx, hd_vertex_list *vertices) {
    HD_DELETE(&ctx->allocator, vertices->ids, vertices->capacity);
}
