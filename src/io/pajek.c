/* pajek.c - Pajek's network files (.net):
 *
 *     *Vertices 3
 *     1 "first"
 *     2 "second"
 *     *Arcs            lines "from to [weight ...]"; *Edges: the same, undirected
 *     1 2 2.5
 *     *Arcslist        lines "from to to to ..."; *Edgeslist: the same, undirected
 *     3 1 2
 *
 * Vertices are numbered from 1; their labels are their ids if every vertex has one and no two are equal. A line that
 * begins with % is a comment. Words after the weight of an edge or the label of a vertex (positions, colours) are
 * skipped.
 */
#include "io/collect.h"
#include "io/element_write.h"
#include "io/format.h"

#include <stdio.h>

typedef enum section { START, VERTICES, ARCS, EDGES, ARCS_LIST, EDGES_LIST, IGNORED } section;

typedef struct pajek {
    hd_collector c;
    section section;
    bool declared;    /* the vertices are */
    bool ignored;     /* a section that is not read, which is noted once */
    bool arcs, lines; /* a section of directed, of undirected edges */
    uint64_t relations;
} pajek;

typedef struct section_name {
    const char *name;
    section section;
} section_name;

static const section_name sections[] = {
    {"*vertices", VERTICES},    {"*arcs", ARCS},       {"*edges", EDGES},       {"*arcslist", ARCS_LIST},
    {"*edgeslist", EDGES_LIST}, {"*network", START},   {"*partition", IGNORED}, {"*vector", IGNORED},
    {"*permutation", IGNORED},  {"*cluster", IGNORED}, {"*hierarchy", IGNORED}, {NULL, START},
};

/* ---- Sections --------------------------------------------------------------------------------------------------- */

static heddle_status declare_vertices(pajek *j, const char *p, const char *end) {
    hd_declared count;
    char digits[HD_NUMBER_ROOM];
    HD_TRY(hd_declared_read(j->c.ctx, &j->c.text, &p, end, "the number of vertices", &count));
    HD_TRY(hd_declared_vertices(j->c.ctx, &j->c.text, &count));
    for (uint64_t v = 1; v <= count.value; v++) {
        uint32_t vertex;
        hd_word name = {digits, hd_print_u64(digits, v)};
        HD_TRY(hd_collector_declare(&j->c, name, 0, &vertex));
        if (v % 100000 == 0)
            HD_TRY(hd_cancelled_status(j->c.ctx));
    }
    j->declared = true;
    return HEDDLE_OK;
}

static heddle_status start_section(pajek *j, const char *p, const char *end) {
    hd_word word = hd_next_word(&p, end);
    const section_name *found = sections;
    while (found->name && !hd_word_is(word, found->name))
        found++;
    if (!found->name)
        return hd_collector_refuse(&j->c, word,
                                   hd_word_is(word, "*matrix")
                                       ? "*Arcs or *Edges (matrices are not supported: save the network as arcs/edges)"
                                       : "*Vertices, *Arcs, *Edges, *Arcslist or *Edgeslist");
    bool again = found->section == START ? j->declared : found->section == VERTICES && j->declared;
    if (again)
        return hd_collector_refuse(&j->c, word, "one network in the file");
    if (!j->declared && found->section != VERTICES && found->section != START && found->section != IGNORED)
        return hd_collector_refuse(&j->c, word, "*Vertices before the edges");
    if (found->section == IGNORED && !j->ignored)
        hd_note(j->c.ctx, "%s: %.*s and what follows it are not read", j->c.text.input->name, (int)(word.end - word.p),
                word.p);
    j->relations += found->section >= ARCS && found->section <= EDGES_LIST && hd_skip_spaces(p, end) < end &&
                    *hd_skip_spaces(p, end) == ':';
    j->ignored |= found->section == IGNORED;
    j->section = found->section;
    j->arcs |= found->section == ARCS || found->section == ARCS_LIST;
    j->lines |= found->section == EDGES || found->section == EDGES_LIST;
    return found->section == VERTICES ? declare_vertices(j, p, end) : HEDDLE_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static heddle_status read_index(pajek *j, const char **p, const char *end, uint32_t *vertex) {
    hd_word word = hd_next_word(p, end);
    uint64_t index = 0;
    if (hd_scan_u64(word.p, word.end, &index) != word.end || index - 1 >= j->c.text.vertices)
        return hd_collector_refuse(&j->c, word, j->c.text.indices);
    *vertex = (uint32_t)index - 1;
    return HEDDLE_OK;
}

static heddle_status vertex_line(pajek *j, const char *p, const char *end) {
    uint32_t vertex;
    HD_TRY(read_index(j, &p, end, &vertex));
    p = hd_skip_spaces(p, end);
    if (p == end)
        return HEDDLE_OK;
    hd_word label = {p, hd_word_end(p, end)};
    if (*p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!close)
            return hd_collector_refuse(&j->c, (hd_word){p, end}, "a closing quote in the same line");
        label = (hd_word){p + 1, close};
    }
    return hd_collector_label(&j->c, vertex, label, (uint64_t)(label.p - j->c.text.data));
}

/* Without a weight, words like "c Red" may follow the ends at once. */
static bool is_weight(hd_word word) {
    return word.p < word.end && (hd_is_digit(*word.p) || *word.p == '-' || *word.p == '+' || *word.p == '.' ||
                                 hd_word_is(word, "nan") || hd_word_is(word, "inf") || hd_word_is(word, "infinity"));
}

static heddle_status edge_line(pajek *j, const char *p, const char *end, bool directed) {
    const hd_word none = {NULL, NULL};
    uint32_t source, target;
    HD_TRY(read_index(j, &p, end, &source));
    HD_TRY(read_index(j, &p, end, &target));
    hd_word weight = hd_next_word(&p, end);
    return hd_collector_edge(&j->c, source, target, directed, is_weight(weight) ? weight : none);
}

static heddle_status list_line(pajek *j, const char *p, const char *end, bool directed) {
    uint32_t source, target;
    HD_TRY(read_index(j, &p, end, &source));
    for (p = hd_skip_spaces(p, end); p < end; p = hd_skip_spaces(p, end)) {
        HD_TRY(read_index(j, &p, end, &target));
        HD_TRY(hd_collector_edge(&j->c, source, target, directed, (hd_word){NULL, NULL}));
    }
    return HEDDLE_OK;
}

static heddle_status read_line(pajek *j, const char *p, const char *end) {
    p = hd_skip_spaces(p, end);
    if (p == end || *p == '%' || (j->section == IGNORED && *p != '*'))
        return HEDDLE_OK;
    if (*p == '*')
        return start_section(j, p, end);
    switch (j->section) {
    case VERTICES: return vertex_line(j, p, end);
    case ARCS: return edge_line(j, p, end, true);
    case EDGES: return edge_line(j, p, end, false);
    case ARCS_LIST: return list_line(j, p, end, true);
    case EDGES_LIST: return list_line(j, p, end, false);
    default: return hd_collector_refuse(&j->c, (hd_word){p, hd_word_end(p, end)}, "*Vertices and their number");
    }
}

static heddle_status read_lines(pajek *j) {
    const char *end = j->c.text.end;
    for (const char *p = j->c.text.data, *newline; p < end; p = newline + (newline < end)) {
        newline = hd_line_end(p, end);
        HD_TRY(read_line(j, p, hd_trim_return(p, newline)));
        HD_TRY(hd_collector_reach(&j->c, (uint64_t)(newline - j->c.text.data)));
    }
    if (!j->declared)
        return hd_collector_refuse(&j->c, (hd_word){end, end}, "*Vertices and their number");
    if (!j->c.edges)
        hd_collector_set_directed(&j->c, j->arcs || !j->lines);
    if (j->relations > 1)
        hd_note(j->c.ctx, "%s: its %llu relations are read as one graph", j->c.text.input->name,
                (unsigned long long)j->relations);
    return HEDDLE_OK;
}

static heddle_status read_pajek(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                heddle_graph **graph) {
    pajek j = {.section = START};
    heddle_status status;
    HD_CHECK(hd_collector_open(ctx, input, options, &j.c));
    HD_CHECK(read_lines(&j));
    HD_CHECK(hd_collector_build(&j.c, graph));
out:
    hd_collector_close(&j.c);
    return status;
}

/* The first line that is not blank or a comment begins with a star and one of Pajek's keywords. */
static int sniff(const char *data, uint64_t bytes) {
    const char *end = data + bytes, *p = data;
    for (; p < end; p = hd_next_line(p, end)) {
        const char *start = hd_skip_spaces(p, end);
        if (start == end || *start == '%' || hd_is_line_end(*start))
            continue;
        hd_word word = hd_next_word(&start, hd_line_end(start, end));
        if (hd_word_is(word, "*matrix"))
            return 100;
        for (const section_name *name = sections; name->name; name++)
            if (hd_word_is(word, name->name))
                return 100;
        return 0;
    }
    return 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    p = hd_print_u64(p, v + 1);
    *p++ = ' ';
    *p++ = '"';
    p = hd_print_vertex(writer, p, v);
    *p++ = '"';
    *p++ = '\n';
    return p;
}

static char *print_edge(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_u64(p, u + 1);
    *p++ = ' ';
    p = hd_print_u64(p, (uint64_t)writer->rows.out.targets[k] + 1);
    if (writer->rows.out.weights) {
        *p++ = ' ';
        p = hd_print_edge_weight(writer, p, k);
    }
    *p++ = '\n';
    return p;
}

static heddle_status write_pajek(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                 hd_output *output) {
    (void)options;
    hd_element_writer writer;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_NONE, "Pajek file", &writer));
    writer.vertex = print_vertex;
    writer.edge = print_edge;
    writer.extras = 2 * HD_NUMBER_ROOM;
    hd_output_printf(output, "*Vertices %llu\n", (unsigned long long)graph->vertices);
    HD_TRY(hd_element_write_vertices(ctx, &writer, output));
    hd_output_printf(output, graph->directed ? "*Arcs\n" : "*Edges\n");
    return hd_element_write_edges(ctx, &writer, output);
}

const hd_format hd_format_pajek = {
    .info = {"pajek", "Pajek network: numbered vertices, then arcs or edges", ".net .paj"},
    .holds =
        HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .names = true,
    .sniff = sniff,
    .read = read_pajek,
    .write = write_pajek,
};
