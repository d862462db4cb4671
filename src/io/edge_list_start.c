/* edge_list_start.c - detects the kind of an edge list from its first lines: whether there is a header, whether ids are
 * integers or labels, what separates them, and whether a comment says that the graph is undirected. */
#include "io/edge_list.h"

#include <stdio.h>

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

void hd_edge_list_find_line(const hd_edge_list *list, const char *p, hd_first_line *line) {
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

void hd_edge_list_split(hd_edge_list *list, hd_first_line *line) {
    hd_cursor unused = {0};
    line->fields = 0;
    if (!line->p)
        return;
    hd_fields fields = hd_edge_list_fields(list, line->p, line->end);
    for (; line->fields < HD_MOST_FIELDS; line->fields++)
        if (hd_edge_list_field(list, &unused, &fields, &line->field[line->fields]) != HD_FIELD)
            return;
}

bool hd_starts_number(const hd_edge_list *list, hd_word word) {
    const char *p = word.p;
    if (p == word.end)
        return true;
    if (p > list->text.data && p[-1] == '"')
        return false;
    while (p < word.end && p < word.p + 2 && (*p == '-' || *p == '+' || *p == '.'))
        p++;
    return p < word.end && hd_is_digit(*p);
}

/* Whether those of these columns' fields that exist are integers. */
static bool has_integers(const hd_edge_list *list, const hd_first_line *line, const int column[2]) {
    for (int i = 0; i < 2; i++)
        if (column[i] <= line->fields && !hd_starts_number(list, line->field[column[i] - 1]))
            return false;
    return line->fields > 0;
}

bool hd_means_number(hd_word word) {
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
        else if ((*p != ',' || exponent) && (!after || (*p != '-' && *p != '+')))
            return false;
    }
    return digit;
}

/* ---- Separators ------------------------------------------------------------------------------------------------- */

/* Whether, in a line separated by blanks, every comma is a decimal comma of a number after the second column:
 * "ann bob 0,5". */
static bool has_decimal_commas(hd_edge_list *list, const hd_first_line *line) {
    hd_first_line words = {.p = line->p, .end = line->end};
    hd_edge_list_separate_by(list, ' ');
    hd_edge_list_split(list, &words);
    for (int i = 0; i < words.fields; i++) {
        hd_word word = words.field[i];
        bool comma = word.p < word.end && memchr(word.p, ',', (size_t)(word.end - word.p));
        if (comma && (i < 2 || !hd_means_number(word) || *word.p == ',' || word.end[-1] == ','))
            return false;
    }
    return words.fields > 2;
}

char hd_edge_list_delimiter(hd_edge_list *list, const hd_first_line *line) {
    static const char candidates[] = "\t;,";
    bool start = true, found[3] = {false, false, false};
    for (const char *p = line->p; p < line->end; p++) {
        if (start && *p == '"')
            for (p++; p < line->end && (*p != '"' || (p + 1 < line->end && p[1] == '"')); p++)
                p += *p == '"';
        start = p < line->end && hd_is_separator(*p);
        for (int i = 0; i < 3 && p < line->end; i++)
            found[i] |= *p == candidates[i];
    }
    for (int i = 0; i < 3; i++)
        if (found[i] && (candidates[i] != ',' || !has_decimal_commas(list, line)))
            return candidates[i];
    return ' ';
}

/* ---- Comments --------------------------------------------------------------------------------------------------- */

static bool mentions(const char *p, const char *end, const char *word) {
    size_t length = strlen(word);
    for (; (size_t)(end - p) >= length; p++)
        if (hd_word_is((hd_word){p, p + length}, word))
            return true;
    return false;
}

const char hd_edge_list_says_undirected[] = "# Undirected graph, each edge once";

/* SNAP writes "# Undirected graph", KONECT "% sym", before the first edge; what we write is more precise. */
static void look_at_comments(heddle_context *ctx, hd_edge_list *list, const heddle_load_options *options, const char *p,
                             const char *end) {
    for (const char *next; p < end && !list->noted_direction; p = next) {
        const char *start = hd_skip_spaces(p, end);
        next = hd_next_line(p, end);
        size_t length = strlen(hd_edge_list_says_undirected);
        if ((size_t)(next - start) >= length && memcmp(start, hd_edge_list_says_undirected, length) == 0) {
            list->undirected = true;
            return;
        }
        if (options->build.symmetrize)
            continue;
        bool says = mentions(start, next, "undirected") || (next - start >= 6 && !memcmp(start, "% sym ", 6));
        if (!says)
            continue;
        const char *last = hd_trim_return(start, hd_line_end(start, next));
        list->noted_direction = true;
        hd_note(ctx,
                "%s: '%.*s' says that the graph is undirected, but every line is read as one directed edge: "
                "--symmetrize (or --undirected) adds the reverse ones",
                list->text.input->name, (int)(last - start > 80 ? 80 : last - start), start);
    }
}

/* The length of the sign of a comment that begins a label: no blank and no second sign follows. 0: there is none. */
static int sign_of_label(const char *p, const char *end) {
    int length = p == end ? 0 : *p == '#' || *p == '%' ? 1 : end - p > 1 && p[0] == '/' && p[1] == '/' ? 2 : 0;
    return length && end - p > length && p[length] != *p && !hd_is_space(p[length]) ? length : 0;
}

/* Comments before the first edge that look like edges: '#', '%' or "//" begins their first word, and they have as many
 * columns as `line`, or two or more if that is none. */
static void look_for_lost_lines(heddle_context *ctx, hd_edge_list *list, const char *p, const char *end,
                                const hd_first_line *line) {
    uint64_t count = 0;
    const char *shown = NULL, *shown_end = NULL;
    for (const char *next; p < end; p = next) {
        const char *last = hd_trim_return(p, hd_line_end(p, end));
        hd_first_line words = {.p = p, .end = last};
        next = hd_next_line(p, end);
        int sign = sign_of_label(p, last);
        if (!sign)
            continue;
        hd_edge_list_split(list, &words);
        hd_first_line names = words;
        names.field[0].p += sign;
        if (words.fields < 2 || (line->p && words.fields != line->fields) ||
            hd_header_names_in(&names) == HD_NAMES_SURE)
            continue;
        shown = shown ? shown : p;
        shown_end = shown_end ? shown_end : last;
        count++;
    }
    if (count)
        hd_note(
            ctx,
            "%s: %llu line%s before the first edge, such as '%.*s', %s: labels that begin with '%.*s' have to be in "
            "quotes",
            list->text.input->name, (unsigned long long)count, count == 1 ? "" : "s",
            (int)(shown_end - shown > 40 ? 40 : shown_end - shown), shown,
            count == 1 ? "is skipped as a comment" : "are skipped as comments", sign_of_label(shown, shown_end), shown);
}

bool hd_edge_list_has_pipes(const hd_input *input) {
    hd_edge_list list = {.labels = false};
    hd_first_line line;
    hd_text_open(&list.text, input);
    hd_edge_list_separate_by(&list, '\0');
    hd_edge_list_find_line(&list, list.text.data, &line);
    if (!line.p || !memchr(line.p, '|', (size_t)(line.end - line.p)))
        return false;
    for (const char *p = line.p; p < line.end; p++) {
        bool beside = (p > line.p && p[-1] == '|') || (p + 1 < line.end && p[1] == '|');
        if (*p == ',' || *p == ';' || *p == '\t' || *p == '"' || (*p == ' ' && !beside))
            return false;
    }
    return *line.p != '|' && line.end[-1] != '|';
}

/* Labels may begin with the sign of a comment, as hashtags do: their lines would be lost without a word. Looks at the
 * beginning of the edges. */
static void look_for_hashtags(heddle_context *ctx, const hd_edge_list *list, const char *p) {
    enum { LOOK = 1 << 18 };
    const char *end = list->text.end - p > LOOK ? p + LOOK : list->text.end;
    for (const char *next; p < end; p = next) {
        const char *last;
        next = hd_next_line(p, end);
        last = hd_trim_return(p, hd_line_end(p, next));
        int sign = sign_of_label(p, last);
        if (!sign && *p != '#')
            continue;
        hd_note(ctx,
                "%s: lines between the edges that begin with '%.*s', such as '%.*s', are comments: labels that begin "
                "so have "
                "to be in quotes",
                list->text.input->name, sign ? sign : 1, p, (int)(last - p > 40 ? 40 : last - p), p);
        return;
    }
}

/* ---- The header ------------------------------------------------------------------------------------------------- */

/* Facts of the first lines. */
typedef struct opening {
    const heddle_load_options *options;
    hd_column_choice choice[HD_ROLES];
    int column[2];        /* of source and target, ignoring column names */
    hd_first_line header; /* without fields if there is none */
    hd_first_line line;   /* the first line of edges */
    bool separated;       /* header and edges have the same separator */
    bool commented;       /* a comment names the columns, as in SNAP's and our own files: the first line is no header */
    bool doubtful;        /* the first line may be a header, but is not treated as one */
    char why[96];
} opening;

static bool is_missing(hd_word word) {
    static const char *const words[] = {"na", "n/a", "nan", "null", "none", "-", "?"};
    bool missing = word.p == word.end;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        missing |= hd_word_is(word, words[i]);
    return missing;
}

/* Evidence from the other columns: words above numbers are column names; numbers above numbers are data. */
typedef enum hint { HINT_NONE, HINT_NAMES, HINT_DATA } hint;

static hint other_columns(const opening *o, const hd_first_line *line, const hd_first_line *after) {
    bool names = false;
    for (int i = 0; i < line->fields; i++) {
        if (i + 1 == o->column[0] || i + 1 == o->column[1] || is_missing(line->field[i]))
            continue;
        if (hd_means_number(line->field[i]))
            return HINT_DATA;
        names |= i < after->fields && hd_means_number(after->field[i]);
    }
    return names ? HINT_NAMES : HINT_NONE;
}

/* Labels: is the first line unlike those after it? */
static bool stands_apart(hd_edge_list *list, opening *o, const hd_first_line *line, const hd_first_line *after) {
    uint64_t lines;
    bool all, usual = hd_header_names_in(line) != HD_NAMES_NONE;
    hint others = other_columns(o, line, after);
    if (!after->p || others == HINT_DATA || o->commented)
        return false;
    hd_first_words words = hd_edge_list_compare_words(list, line, o->column, &lines, &all);
    if (words == HD_WORDS_RECUR)
        return false;
    snprintf(o->why, sizeof o->why, "its words are not ids in the %s%llu line%s after it", all ? "" : "first ",
             (unsigned long long)lines, lines == 1 ? "" : "s");
    o->doubtful = words == HD_WORDS_UNCLEAR && others != HINT_NAMES && !usual;
    return !o->doubtful;
}

static bool is_header(hd_edge_list *list, opening *o, const hd_first_line *line, const hd_first_line *after) {
    const int *column = o->column;
    if (o->options->header != HEDDLE_HEADER_AUTO)
        return o->options->header == HEDDLE_HEADER_YES;
    if (hd_columns_are_named(o->choice) || (hd_header_names_in(line) == HD_NAMES_SURE && !o->commented))
        return true;
    if (line->fields < 2 || column[0] > line->fields || column[1] > line->fields)
        return false;
    if (line->field[0].p == line->field[0].end && after->fields && after->field[0].p < after->field[0].end) {
        snprintf(o->why, sizeof o->why, "its first column has no name"); /* pandas' index */
        return true;
    }
    bool strings = o->options->ids == HEDDLE_IDS_STRING;
    for (int i = 0; i < 2 && !strings; i++)
        if (hd_starts_number(list, line->field[column[i] - 1]))
            return false;
    if (!strings && after->fields >= 2 && has_integers(list, after, column)) {
        snprintf(o->why, sizeof o->why, "the next line has integers");
        return true;
    }
    return stands_apart(list, o, line, after);
}

/* Whether one of the comments from p to `end` names columns: "# FromNodeId ToNodeId". */
static bool has_names(hd_edge_list *list, const char *p, const char *end) {
    bool names = false;
    for (const char *next; p < end && !names; p = next) {
        next = hd_next_line(p, end);
        hd_first_line line;
        line.end = hd_trim_return(p, hd_line_end(p, next));
        for (line.p = p; line.p < line.end && (hd_is_space(*line.p) || strchr("#%/", *line.p));)
            line.p++;
        hd_edge_list_split(list, &line);
        names = line.fields <= 4; /* else it is a sentence */
        line.fields = line.fields > 2 ? 2 : line.fields;
        names = names && hd_header_names_in(&line) == HD_NAMES_SURE;
    }
    return names;
}

/* Splits the first two lines by the separator of the first, and decides whether the first is a header. */
static void find_header(hd_edge_list *list, opening *o, const char **first) {
    hd_first_line line, after;
    char given = o->options->delimiter;
    hd_edge_list_find_line(list, *first, &line);
    if (!line.p)
        return;
    o->commented = has_names(list, *first, line.p);
    hd_edge_list_find_line(list, line.next, &after);
    char delimiter = given ? given : hd_edge_list_delimiter(list, &line);
    hd_edge_list_separate_by(list, delimiter);
    hd_edge_list_split(list, &line);
    o->separated = given || (after.p && delimiter != ' ' && memchr(after.p, delimiter, (size_t)(after.end - after.p)));
    if (!o->separated)
        hd_edge_list_separate_by(list, '\0');
    hd_edge_list_split(list, &after);
    if (is_header(list, o, &line, &after)) {
        o->header = line;
        *first = line.next;
        return;
    }
    if (o->doubtful)
        o->line = line;
    o->separated = given;
    hd_edge_list_separate_by(list, given);
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static int shown(const hd_first_line *line) { return (int)(line->end - line->p > 80 ? 80 : line->end - line->p); }

static int short_length(hd_word word) { return (int)(word.end - word.p > 40 ? 40 : word.end - word.p); }

static void tell_header(heddle_context *ctx, const hd_edge_list *list, const opening *o) {
    const char *name = list->text.input->name;
    char columns[200];
    hd_word kind[2];
    if (o->doubtful)
        hd_note(ctx, "%s: the first line, '%.*s', is read as an edge, though %s: --header yes takes it for a header",
                name, shown(&o->line), o->line.p, o->why);
    if (!o->header.p)
        return;
    hd_columns_tell(list, &o->header, columns, sizeof columns);
    hd_note(ctx, "%s: the first line, '%.*s', is taken for a header%s%s%s: %s", name, shown(&o->header), o->header.p,
            o->why[0] ? " (" : "", o->why, o->why[0] ? ")" : "", columns);
    if (hd_columns_tell_kinds(list, &o->header, kind))
        hd_note(ctx,
                "%s: equal ids in the columns '%.*s' and '%.*s' are one vertex: if these are two kinds of vertices, "
                "prefix the ids of one, as sed '2,$s/^\"*/&u/' IN > OUT does in column 1",
                name, short_length(kind[0]), kind[0].p, short_length(kind[1]), kind[1].p);
}

/* A NUL in the beginning of the data, or NULL. */
static const char *find_nul(const char *data, uint64_t bytes) {
    return bytes ? memchr(data, '\0', bytes < 4096 ? (size_t)bytes : 4096) : NULL;
}

static heddle_status read_opening(heddle_context *ctx, const heddle_load_options *options, opening *o) {
    *o = (opening){.options = options, .column = {1, 2}};
    HD_TRY(hd_columns_read(ctx, options, o->choice));
    if (options->header == HEDDLE_HEADER_NO && hd_columns_are_named(o->choice))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "columns '%.100s' are named, but there is to be no header: number them",
                       options->columns);
    for (int i = 0; i < 2; i++)
        if (o->choice[i].number > 0) {
            o->column[i] = o->choice[i].number;
            if (o->column[!i] == o->column[i])
                o->column[!i] = o->column[i] == 1 ? 2 : 1;
        }
    return HEDDLE_OK;
}

/* Decides between integers and labels, and assigns the columns. */
static heddle_status settle(heddle_context *ctx, hd_edge_list *list, opening *o) {
    heddle_id_choice ids = o->options->ids;
    hd_edge_list_split(list, &o->line);
    HD_TRY(hd_columns_settle(ctx, list, o->choice, &o->header, &o->line));
    list->labels = ids == HEDDLE_IDS_STRING ||
                   (ids == HEDDLE_IDS_AUTO && o->line.fields > 0 && !has_integers(list, &o->line, list->column));
    if (!list->labels)
        return HEDDLE_OK;
    if (!o->separated && o->line.p)
        hd_edge_list_separate_by(list, hd_edge_list_delimiter(list, &o->line));
    hd_edge_list_split(list, &o->line);
    return hd_columns_settle(ctx, list, o->choice, &o->header, &o->line);
}

/* Whether the first line could be the numbers of vertices and edges; the lines after it decide (edge_list.c). */
static bool reads_counts(const hd_edge_list *list, const opening *o, uint64_t count[2]) {
    const hd_word *field = o->line.field;
    if (list->labels || o->options->header || o->header.p || o->line.fields != 2 || list->column[HD_ROLE_SOURCE] != 1 ||
        list->column[HD_ROLE_TARGET] != 2)
        return false;
    return hd_scan_u64(field[0].p, field[0].end, &count[0]) && hd_scan_u64(field[1].p, field[1].end, &count[1]);
}

/* Notes that the usual place of weights holds none. */
static void tell_weights(heddle_context *ctx, hd_edge_list *list, const opening *o) {
    const int *column = list->column;
    int place = column[HD_ROLE_SOURCE] > column[HD_ROLE_TARGET] ? column[HD_ROLE_SOURCE] : column[HD_ROLE_TARGET];
    if (list->weight_by_place && hd_edge_list_has_times(list, o->line.p))
        hd_note(ctx, "%s: column %d looks like times, and is read as weights: --weight-column none leaves it out",
                list->text.input->name, column[HD_ROLE_WEIGHT]);
    if (!list->no_weight || place >= o->line.fields)
        return;
    hd_word word = o->line.field[place];
    int length = short_length(word);
    if (length > 0)
        hd_note(ctx, "%s: column %d, '%.*s', is not a number: edges have no weights", list->text.input->name, place + 1,
                length, word.p);
}

heddle_status hd_edge_list_start(heddle_context *ctx, hd_edge_list *list, const heddle_load_options *options,
                                 const char **first) {
    opening o;
    const char *start = list->text.data, *nul = find_nul(list->text.data, list->text.input->bytes);
    HD_TRY(read_opening(ctx, options, &o));
    if (nul)
        return hd_text_refuse(ctx, &list->text, nul, nul + 1, "text");
    hd_edge_list_separate_by(list, options->delimiter);
    *first = start;
    find_header(list, &o, first);
    if (!o.header.p && hd_columns_are_named(o.choice))
        return hd_text_refuse(ctx, &list->text, list->text.end, list->text.end, "a header that names the columns");
    const char *open = hd_edge_list_open_quote(list->class, o.header.p, o.header.end, HD_SOFT | HD_HARD);
    if (open)
        return hd_text_refuse(ctx, &list->text, open, o.header.end, "%s", hd_edge_list_unclosed);
    hd_edge_list_find_line(list, *first, &o.line);
    HD_TRY(settle(ctx, list, &o));
    list->counts = reads_counts(list, &o, list->count);
    const char *opens = o.header.p ? o.header.p : o.line.p;
    look_at_comments(ctx, list, options, start, opens ? opens : list->text.end);
    look_for_lost_lines(ctx, list, start, opens ? opens : list->text.end, &o.line);
    if (o.header.p)
        hd_columns_find_type(list, &o.header, &o.line);
    tell_header(ctx, list, &o);
    tell_weights(ctx, list, &o);
    if (list->labels && o.line.p)
        look_for_hashtags(ctx, list, o.line.p);
    return HEDDLE_OK;
}

int hd_edge_list_sniff(const char *data, uint64_t bytes) {
    static const int column[2] = {1, 2};
    hd_input input = {.data = data, .bytes = bytes};
    hd_edge_list list = {.labels = false};
    hd_first_line line;
    if (find_nul(data, bytes))
        return 0;
    hd_text_open(&list.text, &input);
    hd_edge_list_separate_by(&list, '\0');
    hd_edge_list_find_line(&list, list.text.data, &line);
    hd_edge_list_split(&list, &line);
    if (line.fields < 2)
        return 1;
    return has_integers(&list, &line, column) ? 10 : 2;
}
