/* gml.c - GML, the Graph Modelling Language: nested lists of keys and values.
 *
 *     graph [
 *       directed 1
 *       node [ id 0 label "a" ]
 *       edge [ source 0 target 1 weight 2.5 ]
 *     ]
 *
 * Reads node.id, node.label, edge.source, edge.target and edge.weight (or edge.value); other keys are skipped. Labels
 * are the vertices' ids if every vertex has one and no two are equal. Strings may contain entities (&quot; &#228;).
 */
#include "io/collect.h"
#include "io/element_write.h"
#include "io/format.h"

typedef enum token_kind { WORD, STRING, OPEN, CLOSE, END } token_kind;

typedef struct token {
    token_kind kind;
    hd_word word; /* of strings: what stands between the quotes */
} token;

typedef struct gml {
    hd_collector c;
    const char *p;
    hd_bytes scratch; /* a string with its entities replaced */
    bool directed;
    bool found; /* a graph */
    bool noted; /* that a list is skipped where a value or nothing was expected */
} gml;

/* ---- Tokens ----------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return hd_is_space(c) || hd_is_line_end(c) || c == '\f' || c == '\v'; }

static const char *skip_blanks(const char *p, const char *end) {
    for (;;) {
        while (p < end && is_blank(*p))
            p++;
        if (p == end || *p != '#')
            return p;
        p = hd_next_line(p, end); /* a comment */
    }
}

static heddle_status next_token(gml *g, token *t) {
    const char *end = g->c.text.end, *p = skip_blanks(g->p, end), *start = p;
    t->kind = p == end ? END : *p == '[' ? OPEN : *p == ']' ? CLOSE : *p == '"' ? STRING : WORD;
    if (t->kind == STRING) {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!close)
            return hd_collector_refuse(&g->c, (hd_word){p, p + 1}, "a closing quote");
        t->word = (hd_word){p + 1, close};
        g->p = close + 1;
        return hd_collector_reach(&g->c, (uint64_t)(p - g->c.text.data));
    }
    if (t->kind == WORD)
        while (p < end && !is_blank(*p) && *p != '[' && *p != ']' && *p != '"')
            p++;
    else if (p < end)
        p++;
    t->word = (hd_word){start, p};
    g->p = p;
    return hd_collector_reach(&g->c, (uint64_t)(p - g->c.text.data));
}

static heddle_status refuse(gml *g, const token *t, const char *expected) {
    return hd_collector_refuse(&g->c, t->word, expected);
}

/* Reads a key and its value, or the end of the list (*last). Of a value that is a list only the bracket is read. */
static heddle_status next_pair(gml *g, token *key, token *value, bool top, bool *last) {
    HD_TRY(next_token(g, key));
    *last = key->kind == (top ? END : CLOSE);
    if (*last)
        return HEDDLE_OK;
    if (key->kind != WORD || !((*key->word.p | 32) >= 'a' && (*key->word.p | 32) <= 'z'))
        return refuse(g, key, top ? "a key and its value" : "a key and its value, or ']'");
    HD_TRY(next_token(g, value));
    if (value->kind == CLOSE || value->kind == END)
        return refuse(g, value, "the value of a key");
    return HEDDLE_OK;
}

/* Skips the rest of an open list. */
static heddle_status skip_list(gml *g) {
    token t;
    for (uint64_t depth = 1; depth > 0;) {
        HD_TRY(next_token(g, &t));
        if (t.kind == END)
            return refuse(g, &t, "']'");
        depth += t.kind == OPEN;
        depth -= t.kind == CLOSE;
    }
    return HEDDLE_OK;
}

/* ---- Entities --------------------------------------------------------------------------------------------------- */

typedef struct entity {
    const char *name;
    uint32_t code;
} entity;

static uint32_t entity_code(const char *p, const char *end) {
    static const entity named[] = {{"amp", '&'}, {"quot", '"'},  {"lt", '<'},
                                   {"gt", '>'},  {"apos", '\''}, {"nbsp", 160}};
    uint64_t code = 0;
    if (p < end && *p == '#') {
        for (p++; p < end && hd_is_digit(*p) && code < 0x110000; p++)
            code = code * 10 + (uint64_t)(*p - '0');
        return p == end && code < 0x110000 ? (uint32_t)code : 0;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (hd_word_is((hd_word){p, end}, named[i].name))
            return named[i].code;
    return 0;
}

/* The text of a string; unknown entities stay as they are. */
static heddle_status decode(gml *g, hd_word string, hd_word *text) {
    *text = string;
    if (!memchr(string.p, '&', (size_t)(string.end - string.p)))
        return HEDDLE_OK;
    g->scratch.bytes = 0;
    HD_TRY(hd_bytes_reserve(g->c.ctx, &g->scratch, (uint64_t)(string.end - string.p) + 4));
    char *out = g->scratch.data;
    for (const char *p = string.p; p < string.end;) {
        const char *semicolon = *p == '&' ? memchr(p, ';', (size_t)(string.end - p < 12 ? string.end - p : 12)) : NULL;
        uint32_t code = semicolon ? entity_code(p + 1, semicolon) : 0;
        if (code) {
            out = hd_print_utf8(out, code); /* never longer than the entity */
            p = semicolon + 1;
        } else {
            *out++ = *p++;
        }
    }
    *text = (hd_word){g->scratch.data, out};
    return HEDDLE_OK;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

static uint64_t place(const gml *g, hd_word word) { return (uint64_t)(word.p - g->c.text.data); }

/* Notes, once, that a list is skipped that may be part of the graph. */
static void note_list(gml *g, hd_word key, const char *what) {
    if (!g->noted)
        hd_note(g->c.ctx, "%s: %s '%.*s [ ... ]' is not read", g->c.text.input->name, what, (int)(key.end - key.p),
                key.p);
    g->noted = true;
}

/* Reads the rest of a list and stores the values of `count` keys. The word of a missing value is NULL. */
static heddle_status read_values(gml *g, const char *const *keys, size_t count, token *values) {
    token key, value;
    for (size_t i = 0; i < count; i++)
        values[i] = (token){.word = {NULL, NULL}};
    for (bool last;;) {
        HD_TRY(next_pair(g, &key, &value, false, &last));
        if (last)
            return HEDDLE_OK;
        if (value.kind == OPEN && hd_word_is(key.word, "graph"))
            note_list(g, key.word, "the nested graph");
        for (size_t i = 0; i < count; i++)
            if (hd_word_is(key.word, keys[i]) && value.kind == OPEN)
                note_list(g, key.word, "the list");
            else if (hd_word_is(key.word, keys[i]))
                values[i] = value;
        if (value.kind == OPEN)
            HD_TRY(skip_list(g));
    }
}

static heddle_status read_node(gml *g, const token *list) {
    static const char *const keys[] = {"id", "label", "name"};
    token values[3], *id = &values[0], *label = &values[1];
    uint32_t vertex;
    hd_word text;
    HD_TRY(read_values(g, keys, 3, values));
    if (!label->word.p && values[2].word.p) { /* igraph's */
        label = &values[2];
        g->c.labels_from = "attribute 'name'";
    }
    if (!id->word.p)
        return refuse(g, list, "a node with an id");
    HD_TRY(hd_collector_declare(&g->c, id->word, place(g, id->word), &vertex));
    if (!label->word.p)
        return HEDDLE_OK;
    HD_TRY(decode(g, label->word, &text));
    return hd_collector_label(&g->c, vertex, text, place(g, label->word));
}

static heddle_status read_edge(gml *g, const token *list) {
    static const char *const keys[] = {"source", "target", "weight", "value"};
    token values[4], *source = &values[0], *target = &values[1], *weight = &values[2], *other = &values[3];
    uint32_t from, to;
    HD_TRY(read_values(g, keys, 4, values));
    if (!source->word.p || !target->word.p)
        return refuse(g, list, "an edge with a source and a target");
    HD_TRY(hd_collector_name(&g->c, source->word, place(g, source->word), &from));
    HD_TRY(hd_collector_name(&g->c, target->word, place(g, target->word), &to));
    return hd_collector_edge(&g->c, from, to, true, weight->word.p ? weight->word : other->word);
}

static heddle_status read_graph(gml *g) {
    token key, value;
    for (bool last;;) {
        HD_TRY(next_pair(g, &key, &value, false, &last));
        if (last)
            return HEDDLE_OK;
        if (value.kind == OPEN && hd_word_is(key.word, "node"))
            HD_TRY(read_node(g, &key));
        else if (value.kind == OPEN && hd_word_is(key.word, "edge"))
            HD_TRY(read_edge(g, &key));
        else if (value.kind == OPEN)
            HD_TRY(skip_list(g));
        else if (hd_word_is(key.word, "directed")) {
            if (!hd_word_is(value.word, "0") && !hd_word_is(value.word, "1"))
                return refuse(g, &value, "0 or 1");
            g->directed = *value.word.p == '1';
        }
    }
}

static heddle_status read_top(gml *g) {
    token key, value;
    for (bool last;;) {
        HD_TRY(next_pair(g, &key, &value, true, &last));
        if (last)
            return g->found ? HEDDLE_OK : refuse(g, &key, "a list 'graph [ ... ]'");
        bool graph = value.kind == OPEN && hd_word_is(key.word, "graph");
        if (graph && g->found)
            return refuse(g, &key, "one graph in the file");
        g->found |= graph;
        if (graph)
            HD_TRY(read_graph(g));
        else if (value.kind == OPEN)
            HD_TRY(skip_list(g));
    }
}

static heddle_status read_gml(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    gml g = {.directed = false};
    heddle_status status;
    HD_CHECK(hd_collector_open(ctx, input, options, &g.c));
    g.p = g.c.text.data;
    HD_CHECK(read_top(&g));
    hd_collector_set_directed(&g.c, g.directed);
    HD_CHECK(hd_collector_build(&g.c, graph));
out:
    hd_bytes_free(ctx, &g.scratch);
    hd_collector_close(&g.c);
    return status;
}

/* "graph [", perhaps after other keys (Creator "...", Version 1) and comments. */
static int sniff(const char *data, uint64_t bytes) {
    const char *end = data + (bytes < 4096 ? bytes : 4096), *p = skip_blanks(data, end);
    for (int pair = 0; pair < 8 && p < end; pair++) {
        const char *word = p;
        while (p < end && ((*p | 32) >= 'a' && (*p | 32) <= 'z'))
            p++;
        hd_word key = {word, p};
        p = skip_blanks(p, end);
        if (key.p == key.end || p == end)
            return 0;
        if (*p == '[')
            return hd_word_is(key, "graph") ? 100 : 0;
        if (*p == '"') {
            p = memchr(p + 1, '"', (size_t)(end - p - 1));
            if (!p)
                return 0;
            p++;
        } else {
            while (p < end && !is_blank(*p))
                p++;
        }
        p = skip_blanks(p, end);
    }
    return 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    p = hd_print_text(p, "  node [\n    id ");
    p = hd_print_u64(p, v);
    p = hd_print_text(p, "\n    label \"");
    p = hd_print_vertex(writer, p, v);
    return hd_print_text(p, "\"\n  ]\n");
}

static char *print_edge(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_text(p, "  edge [\n    source ");
    p = hd_print_u64(p, u);
    p = hd_print_text(p, "\n    target ");
    p = hd_print_u64(p, writer->rows.out.targets[k]);
    if (writer->rows.out.weights) {
        p = hd_print_text(p, "\n    weight ");
        p = hd_print_pointed_weight(writer, p, k);
    }
    return hd_print_text(p, "\n  ]\n");
}

static heddle_status write_gml(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                               hd_output *output) {
    (void)options;
    hd_element_writer writer;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_GML, "GML file", &writer));
    writer.vertex = print_vertex;
    writer.edge = print_edge;
    writer.extras = 96;
    hd_output_printf(output, "graph [\n  directed %d\n%s", graph->directed, writer.parallel ? "  multigraph 1\n" : "");
    HD_TRY(hd_element_write_vertices(ctx, &writer, output));
    HD_TRY(hd_element_write_edges(ctx, &writer, output));
    hd_output_printf(output, "]\n");
    return HEDDLE_OK;
}

const hd_format hd_format_gml = {
    .info = {"gml", "GML, the Graph Modelling Language: lists of nodes and edges", ".gml"},
    .holds =
        HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .names = true,
    .sniff = sniff,
    .read = read_gml,
    .write = write_gml,
};
