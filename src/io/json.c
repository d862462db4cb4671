/* json.c - node-link JSON, as NetworkX (node_link_data) and d3 write it:
 *
 *     {"directed": true, "multigraph": false, "graph": {},
 *      "nodes": [{"id": "a"}, {"id": "b"}],
 *      "edges": [{"source": "a", "target": "b", "weight": 2.5}]}
 *
 * The edges may be named links, the weight value. Members come in any order; others are skipped. Nodes without an id
 * are identified by their index from 0, as in older d3 files, and labelled with their name.
 */
#include "io/collect.h"
#include "io/element_write.h"
#include "io/format.h"

typedef struct json {
    hd_collector c;
    const char *p;
    hd_bytes scratch; /* a string with its escapes replaced */
    bool directed;
    bool nodes, edges; /* seen */
    uint64_t count;    /* nodes so far */
} json;

/* ---- Values ----------------------------------------------------------------------------------------------------- */

enum { MOST_DEPTH = 512 };

/* A string (without its quotes) or another scalar, as raw input text; `string` distinguishes them. */
typedef struct scalar {
    hd_word word;
    bool string;
} scalar;

static heddle_status refuse(json *j, const char *expected) {
    const char *p = j->p, *end = j->c.text.end, *stop = p;
    while (stop < end && stop - p < 40 && !hd_is_token_end(*stop) && (stop == p || !strchr("{}[]:\"", *stop)))
        stop++;
    return hd_collector_refuse(&j->c, (hd_word){p, stop > p || p == end ? stop : p + 1}, expected);
}

static void skip_blanks(json *j) {
    while (j->p < j->c.text.end && (hd_is_space(*j->p) || hd_is_line_end(*j->p)))
        j->p++;
}

/* Consumes this character if it comes next. */
static bool take(json *j, char c) {
    skip_blanks(j);
    if (j->p == j->c.text.end || *j->p != c)
        return false;
    j->p++;
    return true;
}

/* The next character that is no blank; 0 at the end. */
static char peek(json *j) {
    skip_blanks(j);
    return j->p < j->c.text.end ? *j->p : '\0';
}

static heddle_status read_string(json *j, hd_word *word) {
    const char *open = j->p, *p = open + 1, *end = j->c.text.end;
    while (p < end && *p != '"' && (unsigned char)*p >= ' ')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    if (p >= end || *p != '"') {
        j->p = p < end ? p : end;
        return refuse(j, "a closing quote, and no control characters before it");
    }
    *word = (hd_word){open + 1, p};
    j->p = p + 1;
    return HEDDLE_OK;
}

/* A string, a number, true, false or null. */
static heddle_status read_scalar(json *j, scalar *value, const char *expected) {
    char c = peek(j);
    value->string = c == '"';
    if (value->string)
        return read_string(j, &value->word);
    const char *p = j->p, *end = j->c.text.end;
    while (p < end &&
           ((*p | 32) >= 'a' && (*p | 32) <= 'z' ? true : hd_is_digit(*p) || *p == '-' || *p == '+' || *p == '.'))
        p++;
    if (p == j->p)
        return refuse(j, expected);
    value->word = (hd_word){j->p, p};
    j->p = p;
    return HEDDLE_OK;
}

/* Passes over a value of any kind. */
static heddle_status skip_value(json *j) {
    char stack[MOST_DEPTH];
    size_t depth = 0;
    scalar unused;
    do {
        char c = peek(j);
        if (c == '{' || c == '[') {
            if (depth == MOST_DEPTH)
                return refuse(j, "at most 512 objects and arrays inside each other");
            stack[depth++] = c == '{' ? '}' : ']';
            j->p++;
        } else if (depth && c == stack[depth - 1]) {
            j->p++;
            depth--;
        } else if (depth && (c == ',' || c == ':')) {
            j->p++;
        } else {
            HD_TRY(read_scalar(j, &unused, "a value"));
        }
        HD_TRY(hd_collector_reach(&j->c, (uint64_t)(j->p - j->c.text.data)));
    } while (depth);
    return HEDDLE_OK;
}

static int hex_digit(char c) {
    return hd_is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* The four hexadecimal digits at p; -1 when there are none. */
static int32_t read_unit(const char *p, const char *end) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = end - p > i ? hex_digit(p[i]) : -1;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Decodes the escape at p, after the backslash; returns the end of it, or NULL. */
static const char *decode_escape(const char *p, const char *end, uint32_t *code) {
    static const char letters[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
    const char *letter = *p ? strchr(letters, *p) : NULL;
    if (letter) {
        *code = (uint32_t)codes[letter - letters];
        return p + 1;
    }
    int32_t unit = *p == 'u' ? read_unit(p + 1, end) : -1;
    if (unit < 0)
        return NULL;
    p += 5;
    *code = (uint32_t)unit;
    if (unit >= 0xd800 && unit < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        int32_t low = read_unit(p + 2, end);
        if (low < 0xdc00 || low > 0xdfff)
            return NULL;
        *code = 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
        return p + 6;
    }
    return unit >= 0xd800 && unit < 0xe000 ? NULL : p;
}

/* The text of a scalar. */
static heddle_status decode(json *j, scalar value, hd_word *text) {
    hd_bytes *scratch = &j->scratch;
    *text = value.word;
    if (!value.string || !memchr(value.word.p, '\\', (size_t)(value.word.end - value.word.p)))
        return HEDDLE_OK;
    scratch->bytes = 0;
    HD_TRY(hd_bytes_reserve(j->c.ctx, scratch, (uint64_t)(value.word.end - value.word.p)));
    char *out = scratch->data;
    for (const char *p = value.word.p; p < value.word.end;) {
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        uint32_t code;
        const char *next = decode_escape(p + 1, value.word.end, &code);
        if (!next)
            return hd_collector_refuse(&j->c, (hd_word){p, p + 2}, "an escape that JSON has");
        out = hd_print_utf8(out, code); /* never longer than the escape */
        p = next;
    }
    *text = (hd_word){scratch->data, out};
    return HEDDLE_OK;
}

/* ---- Nodes and edges -------------------------------------------------------------------------------------------- */

/* The name of the next member of an open object; *last: the object has ended. */
static heddle_status next_member(json *j, bool *first, hd_word *name, bool *last) {
    *last = take(j, '}');
    if (*last)
        return HEDDLE_OK;
    if (!*first && !take(j, ','))
        return refuse(j, "',' or '}'");
    *first = false;
    if (peek(j) != '"')
        return refuse(j, "the name of a member, in quotes");
    HD_TRY(read_string(j, name));
    return take(j, ':') ? HEDDLE_OK : refuse(j, "':'");
}

static bool is_called(hd_word name, const char *text) {
    return (size_t)(name.end - name.p) == strlen(text) && memcmp(name.p, text, strlen(text)) == 0;
}

static uint64_t place(const json *j, hd_word word) { return (uint64_t)(word.p - j->c.text.data); }

/* A member to read. An array or object as its value is an error, or skipped if `expected` is NULL. */
typedef struct wanted {
    const char *name;
    const char *expected;
} wanted;

static heddle_status read_wanted(json *j, const wanted *member, scalar *value) {
    if (!member->expected && (peek(j) == '{' || peek(j) == '['))
        return skip_value(j);
    HD_TRY(read_scalar(j, value, member->expected ? member->expected : "a value"));
    if (!value->string && hd_word_is(value->word, "null"))
        *value = (scalar){.string = false};
    return HEDDLE_OK;
}

/* Reads the rest of an object and stores the wanted members. The word of a missing value is NULL. */
static heddle_status read_members(json *j, const wanted *members, size_t count, scalar *values) {
    hd_word name;
    bool first = true, last;
    for (size_t i = 0; i < count; i++)
        values[i] = (scalar){.string = false};
    for (;;) {
        HD_TRY(next_member(j, &first, &name, &last));
        if (last)
            return HEDDLE_OK;
        size_t i = 0;
        while (i < count && !is_called(name, members[i].name))
            i++;
        HD_TRY(i < count ? read_wanted(j, &members[i], &values[i]) : skip_value(j));
    }
}

static heddle_status read_node(json *j) {
    static const wanted members[] = {{"id", "a string or a number as id"}, {"name", NULL}, {"label", NULL}};
    scalar values[3], *id = &values[0];
    hd_word text;
    uint32_t vertex;
    uint64_t start = (uint64_t)(j->p - j->c.text.data), index = j->count++;
    char digits[HD_NUMBER_ROOM];
    HD_TRY(read_members(j, members, 3, values));
    if (id->word.p) {
        HD_TRY(decode(j, *id, &text));
        return hd_collector_declare(&j->c, text, place(j, id->word), &vertex);
    }
    const scalar *label = values[1].word.p ? &values[1] : &values[2];
    HD_TRY(hd_collector_declare(&j->c, (hd_word){digits, hd_print_u64(digits, index)}, start, &vertex));
    if (!label->word.p)
        return HEDDLE_OK;
    HD_TRY(decode(j, *label, &text));
    return hd_collector_label(&j->c, vertex, text, place(j, label->word));
}

static heddle_status read_edge(json *j) {
    static const wanted members[] = {{"source", "the id of a node"},
                                     {"target", "the id of a node"},
                                     {"weight", "a number as weight"},
                                     {"value", NULL},
                                     {"from", NULL}, /* as vis.js has it */
                                     {"to", NULL}};
    scalar values[6], *weight = &values[2], *other = &values[3];
    const char *start = j->p;
    uint32_t ends[2];
    HD_TRY(read_members(j, members, 6, values));
    for (int i = 0; i < 2; i++)
        values[i] = values[i].word.p ? values[i] : values[4 + i];
    if (!values[0].word.p || !values[1].word.p)
        return hd_collector_refuse(&j->c, (hd_word){start - 1, start}, "an edge with source and target");
    for (int i = 0; i < 2; i++) {
        hd_word name;
        HD_TRY(decode(j, values[i], &name));
        HD_TRY(hd_collector_name(&j->c, name, place(j, values[i].word), &ends[i]));
    }
    return hd_collector_edge(&j->c, ends[0], ends[1], true, weight->word.p ? weight->word : other->word);
}

static heddle_status read_array(json *j, heddle_status (*read_one)(json *)) {
    if (!take(j, '['))
        return refuse(j, "an array");
    for (bool first = true; !take(j, ']'); first = false) {
        if (!first && !take(j, ','))
            return refuse(j, "',' or ']'");
        if (!take(j, '{'))
            return refuse(j, "an object");
        HD_TRY(read_one(j));
        HD_TRY(hd_collector_reach(&j->c, (uint64_t)(j->p - j->c.text.data)));
    }
    return HEDDLE_OK;
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

static heddle_status read_flag(json *j, bool *flag) {
    scalar value;
    HD_TRY(read_scalar(j, &value, "true or false"));
    *flag = hd_word_is(value.word, "true");
    return !value.string && (*flag || hd_word_is(value.word, "false"))
               ? HEDDLE_OK
               : hd_collector_refuse(&j->c, value.word, "true or false");
}

static heddle_status read_member(json *j, hd_word name) {
    bool nodes = is_called(name, "nodes"), edges = is_called(name, "edges") || is_called(name, "links");
    if (is_called(name, "adjacency"))
        return hd_collector_refuse(&j->c, name,
                                   "nodes and edges: this is NetworkX's adjacency_data; write node_link_data");
    if (is_called(name, "elements"))
        return hd_collector_refuse(&j->c, name,
                                   "nodes and edges: this is Cytoscape's JSON; write NetworkX's node_link_data");
    if ((nodes && j->nodes) || (edges && j->edges))
        return hd_collector_refuse(&j->c, name, "each member once");
    j->nodes |= nodes;
    j->edges |= edges;
    if (nodes)
        return read_array(j, read_node);
    if (edges)
        return read_array(j, read_edge);
    return is_called(name, "directed") ? read_flag(j, &j->directed) : skip_value(j);
}

static heddle_status read_object(json *j) {
    hd_word name;
    if (peek(j) == '[')
        return refuse(j, "an object with nodes and edges: if this is a list of records, "
                         "pandas.read_json(IN).to_csv(OUT, index=False) makes an edge list of it");
    if (!take(j, '{'))
        return refuse(j, "an object with nodes and edges (node-link JSON, as NetworkX's node_link_data has it)");
    bool first = true, last;
    for (;;) {
        HD_TRY(next_member(j, &first, &name, &last));
        if (last)
            break;
        HD_TRY(read_member(j, name));
    }
    if (!j->nodes && !j->edges)
        return hd_collector_refuse(&j->c, (hd_word){j->p - 1, j->p},
                                   "nodes and edges (node-link JSON, as NetworkX's node_link_data has it)");
    return peek(j) == '\0' && j->p == j->c.text.end
               ? HEDDLE_OK
               : refuse(j, "the end of the file (JSON Lines are not supported: use an edge list)");
}

static heddle_status read_json(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                               heddle_graph **graph) {
    json j = {.directed = false};
    heddle_status status;
    HD_CHECK(hd_collector_open(ctx, input, options, &j.c));
    j.p = j.c.text.data;
    HD_CHECK(read_object(&j));
    hd_collector_set_directed(&j.c, j.directed);
    HD_CHECK(hd_collector_build(&j.c, graph));
out:
    hd_bytes_free(ctx, &j.scratch);
    hd_collector_close(&j.c);
    return status;
}

/* No other format begins with a brace or bracket. */
static int sniff(const char *data, uint64_t bytes) {
    const char *end = data + bytes, *p = data;
    while (p < end && (hd_is_space(*p) || hd_is_line_end(*p)))
        p++;
    if (p == end || (*p != '{' && *p != '['))
        return 0;
    char open = *p;
    for (p++; p < end && (hd_is_space(*p) || hd_is_line_end(*p));)
        p++;
    return p < end &&
                   (*p == '"' || *p == '{' || *p == '[' || *p == ']' || *p == '}' || (open == '[' && hd_is_digit(*p)))
               ? 90
               : 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_id(const hd_element_writer *writer, char *p, uint64_t v) {
    bool quoted = writer->rows.graph->ids.type == HEDDLE_ID_STRING;
    if (quoted)
        *p++ = '"';
    p = hd_print_vertex(writer, p, v);
    if (quoted)
        *p++ = '"';
    return p;
}

static char *print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    p = hd_print_text(p, v ? ",\n  {\"id\": " : "\n  {\"id\": ");
    p = print_id(writer, p, v);
    *p++ = '}';
    return p;
}

static char *print_edge(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_text(p, k != writer->first ? ",\n  {\"source\": " : "\n  {\"source\": ");
    p = print_id(writer, p, u);
    p = hd_print_text(p, ", \"target\": ");
    p = print_id(writer, p, writer->rows.out.targets[k]);
    if (writer->rows.out.weights) {
        p = hd_print_text(p, ", \"weight\": ");
        p = hd_print_edge_weight(writer, p, k);
    }
    *p++ = '}';
    return p;
}

static heddle_status write_json(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                hd_output *output) {
    (void)options;
    hd_element_writer writer;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_JSON, "JSON file", &writer));
    writer.vertex = print_vertex;
    writer.edge = print_edge;
    writer.extras = 64;
    hd_output_printf(output, "{\"directed\": %s, \"multigraph\": %s, \"graph\": {},\n \"nodes\": [",
                     graph->directed ? "true" : "false", writer.parallel ? "true" : "false");
    HD_TRY(hd_element_write_vertices(ctx, &writer, output));
    hd_output_printf(output, "],\n \"edges\": [");
    HD_TRY(hd_element_write_edges(ctx, &writer, output));
    hd_output_printf(output, "]}\n");
    return HEDDLE_OK;
}

const hd_format hd_format_json = {
    .info = {"json", "node-link JSON: arrays of nodes and edges, as NetworkX and d3 have it", ".json"},
    .holds =
        HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .names = true,
    .sniff = sniff,
    .read = read_json,
    .write = write_json,
};
