/* edge_list_start.c - what an edge list is like shows in its first lines: whether there is a header, whether the ids
 * are integers or labels, what separates labels, and which column holds the weights. */
#include "io/edge_list.h"

enum { MOST_FIELDS = 64 };

typedef struct first_line {
    const char *p; /* NULL: there is none */
    const char *end;
    const char *next;
    hd_word field[MOST_FIELDS];
    int fields;
} first_line;

/* The first line from p on that is neither blank nor a comment, split into fields. */
static void find_line(hd_edge_list *list, const char *p, first_line *line) {
    const char *stop = list->text.end;
    line->p = NULL;
    line->fields = 0;
    for (const char *next; p < stop; p = next) {
        const char *newline = hd_line_end(p, stop), *end = hd_trim_return(p, newline);
        next = newline < stop ? newline + 1 : stop;
        if (hd_edge_list_is_empty(list, p, end))
            continue;
        line->p = p;
        line->end = end;
        line->next = next;
        return;
    }
}

static void split_line(hd_edge_list *list, first_line *line) {
    hd_cursor unused = {0};
    const char *p = line->p;
    for (line->fields = 0; line->p && line->fields < MOST_FIELDS; line->fields++)
        if (hd_edge_list_field(list, &unused, &p, line->end, &line->field[line->fields]) != HD_FIELD)
            return;
}

/* Digits, or a sign or point before one. A quoted field never does; an empty one is no evidence against. */
static bool starts_number(const hd_edge_list *list, hd_word word) {
    const char *p = word.p;
    if (p == word.end)
        return true;
    if (p > list->text.data && p[-1] == '"')
        return false;
    while (p < word.end && p < word.p + 2 && (*p == '-' || *p == '+' || *p == '.'))
        p++;
    return p < word.end && hd_is_digit(*p);
}

static bool has_integers(const hd_edge_list *list, const first_line *line) {
    for (int i = 0; i < line->fields && i < 2; i++)
        if (!starts_number(list, line->field[i]))
            return false;
    return line->fields > 0;
}

/* Whether a field means to be a number, be it a bad one. */
static bool is_number(hd_word word) {
    const char *p = word.p;
    p += p < word.end && (*p == '-' || *p == '+');
    hd_word rest = {p, word.end};
    if (hd_word_is(rest, "nan") || hd_word_is(rest, "inf") || hd_word_is(rest, "infinity"))
        return true;
    bool digit = false, point = false, exponent = false;
    for (; p < word.end; p++) {
        bool after = exponent && (p[-1] == 'e' || p[-1] == 'E');
        if (hd_is_digit(*p))
            digit = true;
        else if (digit && !exponent && (*p == 'e' || *p == 'E'))
            exponent = true;
        else if (*p == '.' && !point && !exponent)
            point = true;
        else if (!after || (*p != '-' && *p != '+'))
            return false;
    }
    return digit;
}

static bool is_one_of(hd_word word, const char *const *names) {
    for (; *names; names++)
        if (hd_word_is(word, *names))
            return true;
    return false;
}

static const char *const source_names[] = {"source", "src", "from", "fromnodeid", "node1", "node_1", "id_1", NULL};
static const char *const target_names[] = {"target",      "dst",   "dest",   "to",   "tonodeid",
                                           "destination", "node2", "node_2", "id_2", NULL};
static const char *const weight_names[] = {"weight", "weights",  "w",      "cost",  "distance",
                                           "length", "capacity", "rating", "value", NULL};

/* A header has names over integers, or the usual names. */
static bool is_header(const hd_edge_list *list, const first_line *line, const first_line *after) {
    if (line->fields < 2)
        return false;
    if (is_one_of(line->field[0], source_names) && is_one_of(line->field[1], target_names))
        return true;
    return !starts_number(list, line->field[0]) && !starts_number(list, line->field[1]) && after->fields >= 2 &&
           has_integers(list, after);
}

static int weight_column(const first_line *header, const first_line *line, int wanted) {
    if (wanted != HEDDLE_COLUMN_AUTO)
        return wanted;
    for (int i = 2; i < header->fields; i++)
        if (is_one_of(header->field[i], weight_names))
            return i + 1;
    return line->fields >= 3 && is_number(line->field[2]) ? 3 : 0;
}

/* Labels may have blanks in them when something else separates. */
static char label_delimiter(const first_line *line) {
    static const char candidates[] = "\t,;";
    bool quoted = false, found[3] = {false, false, false};
    for (const char *p = line->p; p < line->end; p++) {
        quoted ^= *p == '"';
        for (int i = 0; i < 3; i++)
            found[i] |= !quoted && *p == candidates[i];
    }
    for (int i = 0; i < 3; i++)
        if (found[i])
            return candidates[i];
    return '\0';
}

static const char *after_mark(const hd_text *text) { /* of UTF-8 */
    bool mark = text->input->bytes >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0;
    return text->data + (mark ? 3 : 0);
}

/* A NUL in the beginning of the data, or NULL. */
static const char *find_nul(const char *data, uint64_t bytes) {
    return bytes ? memchr(data, '\0', bytes < 4096 ? (size_t)bytes : 4096) : NULL;
}

heddle_status hd_edge_list_start(heddle_context *ctx, hd_edge_list *list, const heddle_load_options *options,
                                 const char **first) {
    first_line line, after, header = {.fields = 0};
    const char *nul = find_nul(list->text.data, list->text.input->bytes);
    if (nul)
        return hd_text_refuse(ctx, &list->text, nul, nul + 1, "text");
    hd_edge_list_separate_by(list, '\0');
    *first = after_mark(&list->text);
    find_line(list, *first, &line);
    if (!line.p)
        return HEDDLE_OK;
    split_line(list, &line);
    find_line(list, line.next, &after);
    split_line(list, &after);
    if (is_header(list, &line, &after)) {
        header = line;
        line = after;
        *first = header.next;
    }
    list->labels = options->ids == HEDDLE_IDS_STRING ||
                   (options->ids == HEDDLE_IDS_AUTO && line.fields > 0 && !has_integers(list, &line));
    if (list->labels && line.p) {
        hd_edge_list_separate_by(list, label_delimiter(&line));
        split_line(list, &line);
    }
    if (header.p && has_integers(list, &line) && !is_one_of(header.field[0], source_names))
        hd_note(ctx, "%s: the first line, '%.*s', is taken for a header", list->text.input->name,
                (int)(header.end - header.p > 80 ? 80 : header.end - header.p), header.p);
    list->weight_column = weight_column(&header, &line, options->weight_column);
    return HEDDLE_OK;
}

int hd_edge_list_sniff(const char *data, uint64_t bytes) {
    hd_input input = {.data = data, .bytes = bytes};
    hd_edge_list list;
    first_line line;
    if (find_nul(data, bytes))
        return 0;
    hd_text_open(&list.text, &input);
    hd_edge_list_separate_by(&list, '\0');
    find_line(&list, after_mark(&list.text), &line);
    split_line(&list, &line);
    if (line.fields < 2)
        return 1;
    return has_integers(&list, &line) ? 10 : 2;
}
