/* edge_list.c - reading lines of "source target [weight]", as SNAP, CSV and TSV files have them.
 *
 * What kind of list it is shows in its first lines: whether there is a header, whether ids are integers or labels, and
 * where the weights are. After that every line must be of that kind. Lines of integers are read the quick way.
 *
 * Columns of integers are separated by blanks, tabs, commas and semicolons in any mix. Labels may have blanks in them:
 * where the first line has a tab, comma or semicolon, that alone separates.
 */
#include "io/edge_list.h"

#include "io/adjacency_look.h"

#include <stdio.h>

/* ---- Fields ----------------------------------------------------------------------------------------------------- */

void hd_edge_list_separate_by(hd_edge_list *list, char delimiter) {
    memset(list->class, 0, sizeof list->class);
    for (int c = 0; c < ' '; c++)
        list->class[c] = HD_BAD;
    list->class[0x7f] = HD_BAD;
    list->class[' '] = list->class['\t'] = HD_SOFT;
    if (delimiter)
        list->class[(unsigned char)delimiter] = HD_HARD;
    else
        list->class[','] = list->class[';'] = HD_HARD;
    list->stop = delimiter ? HD_HARD | HD_BAD : HD_SOFT | HD_HARD | HD_BAD;
}

static int class_of(const hd_edge_list *list, const char *p) { return list->class[(unsigned char)*p]; }

static const char *skip_soft(const hd_edge_list *list, const char *p, const char *end) {
    while (p < end && class_of(list, p) == HD_SOFT)
        p++;
    return p;
}

/* A field in quotes; the word is what stands between them. */
static hd_field quoted_field(hd_edge_list *list, hd_cursor *cursor, const char **at, const char *end, hd_word *word) {
    const char *open = *at, *close = memchr(open + 1, '"', (size_t)(end - open - 1));
    const char *wrong = NULL, *expected = NULL;
    for (const char *p = open + 1; p < (close ? close : end) && !wrong; p++)
        if (class_of(list, p) == HD_BAD)
            wrong = p, expected = "text";
    if (!wrong && !close)
        wrong = open, expected = "a closing quote in the same line";
    if (!wrong && close + 1 < end && close[1] == '"')
        wrong = close, expected = "no quotes inside quotes (they are not supported)";
    if (!wrong && close + 1 < end && !(class_of(list, close + 1) & (HD_SOFT | HD_HARD)))
        wrong = close + 1, expected = "a separator after the closing quote";
    if (wrong) {
        hd_text_wrong(&list->text, cursor, wrong, wrong == open ? end : wrong + 1, expected);
        return HD_FIELD_WRONG;
    }
    *word = (hd_word){open + 1, close};
    *at = close + 1;
    return HD_FIELD;
}

hd_field hd_edge_list_field(hd_edge_list *list, hd_cursor *cursor, const char **at, const char *end, hd_word *word) {
    const char *p = skip_soft(list, *at, end);
    if (p == end) {
        *word = (hd_word){end, end};
        return HD_FIELD_NONE;
    }
    if (*p == '"') {
        hd_field kind = quoted_field(list, cursor, &p, end, word);
        if (kind != HD_FIELD)
            return kind;
    } else {
        word->p = p;
        while (p < end && !(class_of(list, p) & list->stop))
            p++;
        if (p < end && class_of(list, p) == HD_BAD) {
            hd_text_wrong(&list->text, cursor, p, p + 1, "text");
            return HD_FIELD_WRONG;
        }
        word->end = p;
        while (word->end > word->p && class_of(list, word->end - 1) == HD_SOFT)
            word->end--;
    }
    p = skip_soft(list, p, end);
    *at = p < end && class_of(list, p) == HD_HARD ? p + 1 : p;
    return HD_FIELD;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

bool hd_edge_list_is_empty(const hd_edge_list *list, const char *p, const char *end) {
    p = skip_soft(list, p, end);
    return p == end || *p == '#' || *p == '%' || (*p == '/' && p + 1 < end && p[1] == '/');
}

/* The raw id of an integer, noting what is out of the ordinary about it. */
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

static bool read_id(hd_edge_list *list, hd_cursor *cursor, const char **p, const char *end, const char *missing,
                    uint64_t *id) {
    hd_word word;
    hd_field kind = hd_edge_list_field(list, cursor, p, end, &word);
    if (kind == HD_FIELD_NONE)
        hd_text_wrong(&list->text, cursor, end, end, missing);
    else if (kind == HD_FIELD && word.p == word.end)
        hd_text_wrong(&list->text, cursor, word.p, word.p + 1, list->labels ? "a vertex label" : "a vertex id");
    if (kind != HD_FIELD || word.p == word.end)
        return false;
    return list->labels ? label_id(list, cursor, word, id) : integer_id(list, cursor, word, id);
}

/* The weight, where columns `column` and so on are still to come. */
static bool read_weight(hd_edge_list *list, hd_cursor *cursor, const char *p, const char *end, int column,
                        double *weight) {
    for (; column <= list->weight_column; column++) {
        hd_word word;
        hd_field kind = hd_edge_list_field(list, cursor, &p, end, &word);
        if (kind == HD_FIELD_NONE)
            hd_text_wrong(&list->text, cursor, end, end, list->weight_missing);
        if (kind != HD_FIELD)
            return false;
        if (column == list->weight_column)
            return hd_text_weight(&list->text, cursor, word, weight);
    }
    return false;
}

static hd_line edge_line(void *self, hd_cursor *cursor, const char *p, const char *end, hd_text_edge *edge) {
    hd_edge_list *list = self;
    if (hd_edge_list_is_empty(list, p, end))
        return HD_LINE_EMPTY;
    const char *missing = list->labels ? "a second vertex label" : "a second vertex id";
    if (!read_id(list, cursor, &p, end, missing, &edge->source) ||
        !read_id(list, cursor, &p, end, missing, &edge->target) ||
        (list->weight_column && !read_weight(list, cursor, p, end, 3, &edge->weight)))
        return HD_LINE_WRONG;
    return HD_LINE_EDGE;
}

/* ---- The source ------------------------------------------------------------------------------------------------- */

static void begin(void *self, hd_cursor *cursor) { hd_text_begin(&((hd_edge_list *)self)->text, cursor); }

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    return hd_text_fail(&((hd_edge_list *)self)->text, ctx, cursor);
}

HD_TEXT_NEXT(next_plain, hd_edge_list, HD_SHAPE_COLUMNS, edge_line)
HD_TEXT_NEXT(next_weighted, hd_edge_list, HD_SHAPE_COLUMNS | HD_SHAPE_WEIGHT, edge_line)

/* Labels, and weights in another place than the third column. */
static void next_other(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    hd_text_next(self, &((hd_edge_list *)self)->text, cursor, batch, NULL, edge_line);
}

static heddle_status complete(void *self, heddle_context *ctx, uint64_t edges) {
    hd_edge_list *list = self;
    (void)edges;
    HD_TRY(hd_text_check_ids(ctx, &list->text));
    return list->weight_column ? hd_text_check_weights(ctx, &list->text) : HEDDLE_OK;
}

static uint64_t id_hint(uint64_t bytes) {
    uint64_t hint = bytes > UINT32_MAX / 2 ? UINT64_C(1) << 32 : 2 * bytes;
    return hint < 1 << 20 ? 1 << 20 : hint;
}

static heddle_status read_edge_list(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                    heddle_graph **graph) {
    hd_edge_list list = {.labels = false};
    const char *first;
    if (options->weight_column < HEDDLE_COLUMN_AUTO || options->weight_column == 1 || options->weight_column == 2)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "weight column %d: weights stand in column 3 or later",
                       options->weight_column);
    if (input->bytes >> 48)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, input->name, 0, "larger than 2^48 bytes");
    hd_text_open(&list.text, input);
    HD_TRY(hd_edge_list_start(ctx, &list, options, &first));
    if (list.labels && options->vertices)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "a number of vertices can be demanded of integer ids only, and those of "
                       "%s are labels",
                       input->name);
    snprintf(list.weight_missing, sizeof list.weight_missing, "a weight in column %d", list.weight_column);
    HD_TRY(hd_text_cut(ctx, &list.text, first));
    bool quick = !list.labels && list.weight_column <= 3;
    hd_edge_source source = {
        .self = &list,
        .parts = list.text.parts,
        .phase = "read",
        .work = (uint64_t)(list.text.end - first),
        .ids = list.labels ? HD_IDS_TEXT : HD_IDS_DISCOVER,
        .vertices = options->vertices,
        .id_hint = id_hint(input->bytes),
        .text = list.labels ? input->data : NULL,
        .weighted = list.weight_column != 0,
        .begin = begin,
        .next = !quick               ? next_other
                : list.weight_column ? next_weighted
                                     : next_plain,
        .fail = fail,
        .complete = complete,
    };
    heddle_status status = hd_graph_build(ctx, &source, &options->build, graph);
    hd_text_close(ctx, &list.text);
    return status;
}

const hd_format hd_format_edge_list = {
    .info = {"edgelist", "edge list: a line \"source target [weight]\" per edge, as SNAP, CSV and TSV files have it",
             ".el .wel .txt .tsv .csv .edgelist .edges"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_WEIGHTS | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .sniff = hd_edge_list_sniff,
    .loose = true,
    .doubt = hd_adjacency_doubt,
    .read = read_edge_list,
    .write = hd_edge_list_write,
    .base = 0,
};
