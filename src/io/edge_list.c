/* edge_list.c - reading lines of "source target [weight]", as SNAP, CSV and TSV files have them.
 *
 * The first lines decide the kind of list: whether there is a header, whether ids are integers or labels, and which
 * column holds what. All other lines must be of that kind. Lines of integers take the fast path (text.h).
 *
 * Columns of integers are separated by any mix of blanks, tabs, commas and semicolons; but if the first column is not
 * followed by a comma, commas are decimal points ("1;2;0,5"). Labels may contain blanks: if the first line has a tab,
 * semicolon or comma, that is the only separator.
 */
#include "io/edge_list.h"

#include "base/parallel.h"
#include "io/adjacency_look.h"

#include <stdio.h>

/* ---- Fields ----------------------------------------------------------------------------------------------------- */

void hd_edge_list_separate_by(hd_edge_list *list, char delimiter) {
    memset(list->class, 0, sizeof list->class);
    for (int c = 0; c < ' '; c++)
        list->class[c] = HD_BAD;
    list->class[0x7f] = HD_BAD;
    list->class[' '] = list->class['\t'] = HD_SOFT;
    if (delimiter && delimiter != ' ')
        list->class[(unsigned char)delimiter] = HD_HARD;
    if (!delimiter)
        list->class[','] = list->class[';'] = HD_HARD;
    memcpy(list->spaced, list->class, sizeof list->spaced);
    if (!delimiter)
        list->spaced[','] = 0;
    list->stop = delimiter && delimiter != ' ' ? HD_HARD | HD_BAD : HD_SOFT | HD_HARD | HD_BAD;
    list->text.delimiter = delimiter;
}

static HD_ALWAYS_INLINE const char *skip_soft(const unsigned char *class, const char *p, const char *end) {
    while (p < end && class[(unsigned char)*p] == HD_SOFT)
        p++;
    return p;
}

const char hd_edge_list_unclosed[] = "a closing quote in the same line";

/* A field in quotes; the word is what stands between them. */
static __attribute__((noinline)) hd_field quoted_field(hd_edge_list *list, hd_cursor *cursor, hd_fields *line,
                                                       hd_word *word) {
    const char *open = line->p, *end = line->end, *wrong = NULL, *expected = NULL, *p = open + 1;
    for (; p < end && !wrong; p++)
        if (*p == '"' && (p + 1 == end || p[1] != '"'))
            break;
        else if (*p == '"')
            line->doubled = true, p++;
        else if (line->class[(unsigned char)*p] == HD_BAD)
            wrong = p, expected = "text";
    if (!wrong && p == end)
        wrong = open, expected = hd_edge_list_unclosed;
    if (!wrong && p + 1 < end && !(line->class[(unsigned char)p[1]] & (HD_SOFT | HD_HARD)))
        wrong = p + 1, expected = "a separator after the closing quote";
    if (wrong) {
        hd_text_wrong(&list->text, cursor, wrong, wrong == open ? end : wrong + 1, expected);
        return HD_FIELD_WRONG;
    }
    *word = (hd_word){open + 1, p};
    line->p = p + 1;
    return HD_FIELD;
}

/* A label whose quotes have been resolved. */
static void resolved_field(hd_fields *line, hd_word *word) {
    const char *close = memchr(line->p, HD_LABEL_CLOSE, (size_t)(line->end - line->p));
    *word = (hd_word){line->p + 1, close};
    line->p = close + 1;
}

static HD_ALWAYS_INLINE hd_field plain_field(hd_edge_list *list, hd_cursor *cursor, hd_fields *line, hd_word *word) {
    const char *p = line->p;
    word->p = p;
    while (p < line->end && !(line->class[(unsigned char)*p] & list -> stop))
        p++;
    if (p < line->end && line->class[(unsigned char)*p] == HD_BAD) {
        hd_text_wrong(&list->text, cursor, p, p + 1, "text");
        return HD_FIELD_WRONG;
    }
    line->p = word->end = p;
    while (word->end > word->p && line->class[(unsigned char)word->end[-1]] == HD_SOFT)
        word->end--;
    return HD_FIELD;
}

hd_fields hd_edge_list_fields(const hd_edge_list *list, const char *p, const char *end) {
    return (hd_fields){.p = p, .end = end, .class = list->class, .first = true};
}

static HD_ALWAYS_INLINE hd_field next_field(hd_edge_list *list, hd_cursor *cursor, hd_fields *line, hd_word *word) {
    hd_field kind = HD_FIELD;
    line->doubled = false;
    line->p = skip_soft(line->class, line->p, line->end);
    if (line->p == line->end) {
        *word = (hd_word){line->end, line->end};
        return HD_FIELD_NONE;
    }
    if (*line->p == '"')
        kind = quoted_field(list, cursor, line, word);
    else if (list->resolved && *line->p == HD_LABEL_OPEN)
        resolved_field(line, word);
    else
        kind = plain_field(list, cursor, line, word);
    if (kind != HD_FIELD)
        return kind;
    line->p = skip_soft(line->class, line->p, line->end);
    bool hard = line->p < line->end && line->class[(unsigned char)*line->p] == HD_HARD;
    if (line->first && !(hard && *line->p == ','))
        line->class = list->spaced;
    line->first = false;
    line->p += hard;
    return HD_FIELD;
}

hd_field hd_edge_list_field(hd_edge_list *list, hd_cursor *cursor, hd_fields *line, hd_word *word) {
    return next_field(list, cursor, line, word);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

bool hd_edge_list_is_empty(const hd_edge_list *list, const char *p, const char *end) {
    p = skip_soft(list->class, p, end);
    return p == end || *p == '#' || *p == '%' || (*p == '/' && p + 1 < end && p[1] == '/');
}

/* The raw id of an integer; records whether it is negative or above 2^63 - 1. */
static bool integer_id(hd_edge_list *list, hd_cursor *cursor, hd_word word, uint64_t *id) {
    hd_text_part *part = &list->text.part[cursor->part];
    uint64_t at = (uint64_t)(word.p - list->text.data);
    const char *p = word.p, *q;
    bool negative = p < word.end && *p == '-';
    p += p < word.end && (*p == '-' || *p == '+');
    for (q = p; q < word.end && hd_is_digit(*q); q++)
        ;
    if (q == p || q < word.end) {
        hd_text_wrong(&list->text, cursor, word.p, word.end, "an integer vertex id (use --ids string for labels)");
        return false;
    }
    if (!hd_scan_u64(p, word.end, id) || (negative && *id > UINT64_C(1) << 63)) {
        hd_text_wrong(&list->text, cursor, word.p, word.end, "a vertex id that fits 64 bits");
        return false;
    }
    if (list->whole_ids && *p == '0' && q - p > 1) { /* 007 is not 7; the pass starts again with labels */
        hd_store(&list->padded, true);
        hd_text_wrong(&list->text, cursor, word.p, word.end,
                      "an id without leading zeros (--ids string keeps them, --ids int drops them)");
        return false;
    }
    if (negative && *id) {
        *id = -*id;
        cursor->seen_negative = true;
        part->negative_id = part->negative_id == HD_NOWHERE ? at : part->negative_id;
    } else if (*id > INT64_MAX) {
        cursor->seen_large = true;
        part->large_id = part->large_id == HD_NOWHERE ? at : part->large_id;
    }
    return true;
}

static bool label_id(hd_edge_list *list, hd_cursor *cursor, hd_word word, uint64_t *id) {
    uint64_t length = (uint64_t)(word.end - word.p);
    if (length > HD_MOST_LABEL) {
        hd_text_wrong(&list->text, cursor, word.p, word.end, "a label of at most 65535 bytes");
        return false;
    }
    *id = (uint64_t)(word.p - list->text.data) << 16 | length;
    return true;
}

bool hd_edge_list_id(hd_edge_list *list, hd_cursor *cursor, hd_word word, uint64_t *id) {
    if (word.p == word.end) {
        hd_text_wrong(&list->text, cursor, word.p, word.p + 1, list->labels ? "a vertex label" : "a vertex id");
        return false;
    }
    return list->labels ? label_id(list, cursor, word, id) : integer_id(list, cursor, word, id);
}

static bool read_id(hd_edge_list *list, hd_cursor *cursor, const hd_fields *line, hd_word word, uint64_t *id) {
    if (line->doubled && list->labels) { /* the pass ends here, and starts again after quotes were resolved */
        hd_store(&list->unresolved, true);
        hd_text_wrong(&list->text, cursor, word.p, word.end, "no quotes inside quotes");
        return false;
    }
    return hd_edge_list_id(list, cursor, word, id);
}

/* A weight with a decimal comma: read with a point in its place. */
static bool comma_weight(hd_edge_list *list, hd_cursor *cursor, hd_word word, double *weight) {
    hd_text_part *part = &list->text.part[cursor->part];
    char number[64];
    size_t length = (size_t)(word.end - word.p);
    bool real = false;
    if (length < sizeof number) {
        memcpy(number, word.p, length);
        *(char *)memchr(number, ',', length) = '.';
    }
    if (length >= sizeof number || hd_scan_number(number, number + length, weight, &real) != number + length) {
        hd_text_wrong(&list->text, cursor, word.p, word.end, "a finite number as weight");
        return false;
    }
    part->real_weight = part->comma_weight = true;
    part->negative_weight |= *weight < 0;
    return true;
}

static bool read_weight(hd_edge_list *list, hd_cursor *cursor, const hd_fields *line, hd_word word, double *weight) {
    size_t length = (size_t)(word.end - word.p);
    if (length && memchr(word.p, ',', length)) {
        if (line->class[','] == 0)
            return comma_weight(list, cursor, word, weight);
        hd_text_wrong(&list->text, cursor, word.p, word.end, "a number without commas, for these separate columns");
        return false;
    }
    if (length && memchr(word.p, '.', length))
        list->text.part[cursor->part].point_weight = true;
    return hd_text_weight(&list->text, cursor, word, weight);
}

/* The line has no column `column`: the error names the first missing column that would have been read. */
static void tell_missing(hd_edge_list *list, hd_cursor *cursor, const char *end, int column) {
    int nearest = HD_ROLES;
    for (int role = 0; role < HD_ROLES; role++)
        if (list->column[role] >= column && (nearest == HD_ROLES || list->column[role] < list->column[nearest]))
            nearest = role;
    hd_text_wrong(&list->text, cursor, end, end, list->missing[nearest]);
}

const char *hd_edge_list_open_quote(const unsigned char *class, const char *p, const char *end, int separators) {
    bool start = true;
    for (; p < end; p++) {
        if (start && *p == '"') {
            const char *open = p++;
            for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++)
                p += *p == '"';
            if (p == end)
                return open;
        }
        int kind = class[(unsigned char)*p];
        start = (kind & separators) || (start && kind == HD_SOFT);
    }
    return NULL;
}

bool hd_edge_list_rest(hd_edge_list *list, hd_cursor *cursor, const hd_fields *line) {
    hd_text_part *part = &list->text.part[cursor->part];
    const char *p = skip_soft(line->class, line->p, line->end), *end = line->end, *open = NULL;
    size_t length = (size_t)(end - p);
    const char *nul = length ? memchr(p, '\0', length) : NULL;
    uint64_t at = (uint64_t)(p - list->text.data);
    if (length && memchr(p, '"', length)) { /* between commas, a quote behind a blank is part of the field */
        bool hard = line->class[(unsigned char)line->p[-1]] == HD_HARD;
        open = hd_edge_list_open_quote(line->class, p, end, hard ? HD_HARD : HD_SOFT | HD_HARD);
    }
    if (nul)
        hd_text_wrong(&list->text, cursor, nul, nul + 1, "text");
    else if (open)
        hd_text_wrong(&list->text, cursor, open, end, hd_edge_list_unclosed);
    else if (length && hd_is_digit(*p) && at < part->more)
        part->more = at;
    return !nul && !open;
}

/* Gephi's column Type: the same word in every line. */
static bool read_type(hd_edge_list *list, hd_cursor *cursor, hd_word word) {
    bool same = hd_word_is(word, list->undirected ? "undirected" : "directed");
    if (!same)
        hd_text_wrong(&list->text, cursor, word.p, word.end,
                      list->undirected ? "Undirected, as in the first line (edges of both kinds are not supported)"
                                       : "Directed, as in the first line (edges of both kinds are not supported)");
    return same;
}

static hd_line edge_line(void *self, hd_cursor *cursor, const char *p, const char *end, hd_text_edge *edge) {
    hd_edge_list *list = self;
    if (hd_edge_list_is_empty(list, p, end))
        return HD_LINE_EMPTY;
    hd_fields line = hd_edge_list_fields(list, p, end);
    for (int column = 1; column <= list->last_column; column++) {
        hd_word word;
        hd_field kind = next_field(list, cursor, &line, &word);
        if (kind == HD_FIELD_NONE)
            tell_missing(list, cursor, end, column);
        if (kind != HD_FIELD)
            return HD_LINE_WRONG;
        bool fine = column == list->column[HD_ROLE_SOURCE]   ? read_id(list, cursor, &line, word, &edge->source)
                    : column == list->column[HD_ROLE_TARGET] ? read_id(list, cursor, &line, word, &edge->target)
                    : column == list->column[HD_ROLE_WEIGHT] ? read_weight(list, cursor, &line, word, &edge->weight)
                    : column == list->type_column            ? read_type(list, cursor, word)
                                                             : true;
        if (!fine)
            return HD_LINE_WRONG;
    }
    return line.p == line.end || hd_edge_list_rest(list, cursor, &line) ? HD_LINE_EDGE : HD_LINE_WRONG;
}

/* ---- The source ------------------------------------------------------------------------------------------------- */

static void begin(void *self, hd_cursor *cursor) { hd_text_begin(&((hd_edge_list *)self)->text, cursor); }

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    return hd_text_fail(&((hd_edge_list *)self)->text, ctx, cursor);
}

HD_TEXT_NEXT(next_plain, hd_edge_list, HD_SHAPE_COLUMNS, edge_line)
HD_TEXT_NEXT(next_weighted, hd_edge_list, HD_SHAPE_COLUMNS | HD_SHAPE_WEIGHT, edge_line)
HD_TEXT_NEXT(next_delimited, hd_edge_list, HD_SHAPE_COLUMNS | HD_SHAPE_DELIMITER, edge_line)
HD_TEXT_NEXT(next_delimited_weighted, hd_edge_list, HD_SHAPE_COLUMNS | HD_SHAPE_DELIMITER | HD_SHAPE_WEIGHT, edge_line)

/* Labels, and columns in another order. */
static void next_other(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    hd_text_next(self, &((hd_edge_list *)self)->text, cursor, batch, NULL, edge_line);
}

typedef void (*next_fn)(void *self, hd_cursor *cursor, hd_edge_batch *batch);

static next_fn choose_next(const hd_edge_list *list) {
    const int *column = list->column;
    bool usual = column[HD_ROLE_SOURCE] == 1 && column[HD_ROLE_TARGET] == 2 && column[HD_ROLE_WEIGHT] <= 3;
    if (list->labels || !usual || list->type_column)
        return next_other;
    if (list->text.delimiter)
        return column[HD_ROLE_WEIGHT] ? next_delimited_weighted : next_delimited;
    return column[HD_ROLE_WEIGHT] ? next_weighted : next_plain;
}

static unsigned long long line_of(const hd_text *text, uint64_t at) {
    const char *p = text->data, *end = p + at;
    unsigned long long line = 1;
    for (const char *next; (next = memchr(p, '\n', (size_t)(end - p))); p = next + 1)
        line++;
    return line;
}

/* Whether the field at p is a number, and not just begins with a digit ("3rd"). */
static bool is_number(const hd_edge_list *list, const char *p) {
    const char *end = p;
    while (end < list->text.end && !hd_is_line_end(*end) && !list->class[(unsigned char)*end])
        end++;
    return hd_means_number((hd_word){p, end});
}

/* Notes and checks that need all lines. */
static heddle_status complete(void *self, heddle_context *ctx, uint64_t edges) {
    hd_edge_list *list = self;
    const hd_text *text = &list->text;
    const char *name = text->input->name;
    uint64_t more = HD_NOWHERE;
    bool comma = false, point = false;
    for (const hd_text_part *part = text->part; part < text->part + text->parts; part++) {
        more = part->more < more ? part->more : more;
        comma |= part->comma_weight;
        point |= part->point_weight;
    }
    HD_TRY(hd_text_check_ids(ctx, text));
    if (list->column[HD_ROLE_WEIGHT])
        HD_TRY(hd_text_check_weights(ctx, text));
    if (comma && point)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                            "some weights have a decimal comma, others a decimal point: one of them is no such thing");
    if (comma)
        hd_note(ctx, "%s: weights are read with decimal commas", name);
    if (list->no_weight && more != HD_NOWHERE && is_number(list, text->data + more))
        hd_note(ctx,
                "%s:%llu: this line has a number in a %s column, the first has none: no weights are read "
                "(--weight-column %d demands one in every line)",
                name, line_of(text, more), list->last_column == 2 ? "third" : "further", list->last_column + 1);
    list->edges = edges;
    return HEDDLE_OK;
}

/* Notes a first line "vertices edges", as METIS and many exercises have it: the second number is that of the lines
 * after it, and no other id exceeds the first. */
static void note_counts(heddle_context *ctx, const hd_edge_list *list, const heddle_graph *graph) {
    uint64_t n = graph->vertices;
    if (!list->counts || n < 2 || list->edges < 3 || list->count[1] != list->edges - 1)
        return;
    uint64_t largest = (uint64_t)heddle_graph_id(graph, (heddle_vertex)(n - 1));
    if (largest == list->count[1] && largest > list->count[0]) /* the line's own */
        largest = (uint64_t)heddle_graph_id(graph, (heddle_vertex)(n - 2));
    if (largest <= list->count[0])
        hd_note(ctx,
                "%s: the first line, '%llu %llu', is read as an edge, but could be the numbers of vertices and edges: "
                "--header yes skips it",
                list->text.input->name, (unsigned long long)list->count[0], (unsigned long long)list->count[1]);
}

static uint64_t id_hint(uint64_t bytes) {
    uint64_t hint = bytes > UINT32_MAX / 2 ? UINT64_C(1) << 32 : 2 * bytes;
    return hint < 1 << 20 ? 1 << 20 : hint;
}

static heddle_status build(heddle_context *ctx, hd_edge_list *list, const char *first,
                           const heddle_load_options *options, const hd_vertex_list *vertices, heddle_graph **graph) {
    HD_TRY(hd_text_cut(ctx, &list->text, first));
    hd_edge_source source = {
        .self = list,
        .parts = list->text.parts,
        .phase = "read",
        .work = (uint64_t)(list->text.end - first),
        .ids = list->labels ? HD_IDS_TEXT : HD_IDS_DISCOVER,
        .vertices = options->vertices,
        .more = vertices->ids,
        .more_count = vertices->count,
        .more_negative = vertices->negative,
        .more_large = vertices->large,
        .id_hint = id_hint(list->text.input->bytes + 8 * vertices->count),
        .text = list->labels ? list->text.data : NULL,
        .weighted = list->column[HD_ROLE_WEIGHT] != 0,
        .undirected = list->undirected,
        .mirror = list->undirected,
        .behind = {hd_text_behind(&list->text)},
        .facts = list->text.part,
        .fact_size = sizeof *list->text.part,
        .begin = begin,
        .next = choose_next(list),
        .fail = fail,
        .complete = complete,
    };
    heddle_status status = hd_graph_build(ctx, &source, &options->build, graph);
    hd_text_close(ctx, &list->text);
    return status;
}

/* Every edge of a list of integers has source < target: it may be an undirected graph whose edges are listed once. */
static void note_ascending(heddle_context *ctx, const hd_edge_list *list, const heddle_load_options *options,
                           const heddle_graph *graph) {
    enum { ENOUGH = 100 }; /* edges */
    const hd_csr *out = &graph->out;
    if (list->labels || list->undirected || list->noted_direction || list->type_column || options->build.symmetrize ||
        graph->edges < ENOUGH)
        return;
    for (uint64_t v = 0; v < graph->vertices; v++) /* rows ascend, and vertices are numbered by their ids */
        if (out->offsets[v] < out->offsets[v + 1] && out->targets[out->offsets[v]] <= v)
            return;
    hd_note(ctx, "%s: every edge is listed once, with source < target: if the graph is undirected, use --undirected",
            list->text.input->name);
}

static heddle_status read_lines(heddle_context *ctx, hd_edge_list *list, hd_input *input,
                                const heddle_load_options *options, heddle_graph **graph) {
    hd_vertex_list vertices = {.ids = NULL};
    const char *first;
    hd_text_open(&list->text, input);
    HD_TRY(hd_edge_list_start(ctx, list, options, &first));
    if (options->vertices && (list->labels || options->vertices_from))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "a number of vertices can be demanded of integer ids only, and without a list of vertices");
    list->whole_ids = !list->labels && options->ids == HEDDLE_IDS_AUTO;
    heddle_status status = HEDDLE_OK;
    if (options->vertices_from)
        HD_CHECK(hd_vertex_list_read(ctx, list, input, options, &first, &vertices));
    status = build(ctx, list, first, options, &vertices, graph);
    if (list->unresolved && status == HEDDLE_E_FORMAT) {
        HD_CHECK(hd_edge_list_resolve(ctx, list, input, &first));
        status = build(ctx, list, first, options, &vertices, graph);
    }
out:
    hd_vertex_list_free(ctx, &vertices);
    return status;
}

/* Ids with leading zeros are labels: reads the file again. Its notes have been given already. */
static heddle_status read_labels(heddle_context *ctx, hd_edge_list *list, hd_input *input, heddle_load_options *options,
                                 heddle_graph **graph) {
    heddle_error error = ctx->error;
    heddle_note_fn note = ctx->note;
    hd_note(ctx, "%s:%llu: the id '%s' has leading zeros: ids are read as text (--ids int reads them as numbers)",
            input->name, (unsigned long long)error.line, error.token);
    *list = (hd_edge_list){.labels = false};
    options->ids = HEDDLE_IDS_STRING;
    ctx->note = NULL;
    heddle_status status = read_lines(ctx, list, input, options, graph);
    ctx->note = note;
    return status;
}

static heddle_status read_edge_list(heddle_context *ctx, hd_input *input, const heddle_load_options *given,
                                    heddle_graph **graph) {
    hd_edge_list list = {.labels = false};
    heddle_load_options options = *given;
    if (input->bytes >> 47)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, input->name, 0, "larger than 2^47 bytes");
    if (!options.delimiter && hd_edge_list_has_pipes(input))
        options.delimiter = '|';
    heddle_status status = read_lines(ctx, &list, input, &options, graph);
    if (status == HEDDLE_E_FORMAT && list.padded && !options.vertices && !ctx->build_together)
        status = read_labels(ctx, &list, input, &options, graph);
    if (status != HEDDLE_OK)
        return status;
    note_counts(ctx, &list, *graph);
    note_ascending(ctx, &list, &options, *graph);
    if (!(*graph)->edges)
        hd_note(ctx, "%s: there are no edges in it", input->name);
    return HEDDLE_OK;
}

const hd_format hd_format_edge_list = {
    .info = {"edgelist", "edge list: a line \"source target [weight]\" per edge, as SNAP, CSV and TSV files have it",
             ".el .wel .txt .tsv .csv .edgelist .edges"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .splits = true,
    .columns = true,
    .sniff = hd_edge_list_sniff,
    .loose = ".txt .tsv .csv",
    .doubt = hd_adjacency_doubt,
    .read = read_edge_list,
    .write = hd_edge_list_write,
    .base = 0,
};
