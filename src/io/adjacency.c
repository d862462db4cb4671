/* adjacency.c - adjacency lists: a line for each vertex, with the vertices that its arcs lead to.
 *
 *     0 1 2 3                 as NetworkX writes them (.adjlist)
 *     user<TAB>a,b,c          the form that many crawls have
 *
 * There are no weights. A line of one word is a vertex without arcs. Text after a # is a comment.
 */
#include "io/adjacency_look.h"
#include "io/collect.h"
#include "io/element_write.h"
#include "io/format.h"

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* The end of the line's data: a comment begins with # at the start of the line or after a blank. */
static const char *cut_comment(const char *p, const char *end) {
    for (const char *c = p; (c = memchr(c, '#', (size_t)(end - c))); c++)
        if (c == p || hd_is_space(c[-1]))
            return c;
    return end;
}

static bool is_bad(char c) { return (unsigned char)c < ' ' && c != '\t'; }

/* The next word, delimited by blanks, or by commas in comma-separated lists. */
static heddle_status next_name(hd_collector *c, bool commas, const char **at, const char *end, hd_word *word) {
    const char *p = hd_skip_spaces(*at, end);
    word->p = p;
    while (p < end && !is_bad(*p) && (commas ? *p != ',' && *p != '\t' : !hd_is_separator(*p)))
        p++;
    word->end = p;
    if (p < end && is_bad(*p))
        return hd_collector_refuse(c, (hd_word){p, p + 1}, "text");
    while (commas && word->end > word->p && hd_is_space(word->end[-1]))
        word->end--;
    p = hd_skip_spaces(p, end);
    *at = p < end && (*p == ',' || (*p == ';' && !commas)) ? p + 1 : p;
    if (word->p == word->end && word->p < end)
        return hd_collector_refuse(c, (hd_word){word->p, word->p + 1}, "a vertex");
    return HEDDLE_OK;
}

static heddle_status read_line(hd_collector *c, bool tabbed, const char *p, const char *end) {
    const hd_word none = {NULL, NULL};
    uint32_t source, target;
    hd_word word;
    HD_TRY(next_name(c, tabbed, &p, end, &word));
    HD_TRY(hd_collector_name(c, word, (uint64_t)(word.p - c->text.data), &source));
    while (hd_skip_spaces(p, end) < end) {
        HD_TRY(next_name(c, tabbed, &p, end, &word));
        HD_TRY(hd_collector_name(c, word, (uint64_t)(word.p - c->text.data), &target));
        HD_TRY(hd_collector_edge(c, source, target, true, none));
    }
    return HEDDLE_OK;
}

static heddle_status read_lines(hd_collector *c) {
    const char *end = c->text.end;
    bool tabbed = hd_adjacency_look_at(c->text.data, c->text.input->bytes).tabbed;
    for (const char *p = c->text.data, *newline; p < end; p = newline + (newline < end)) {
        newline = hd_line_end(p, end);
        const char *stop = cut_comment(p, hd_trim_return(p, newline));
        if (hd_skip_spaces(p, stop) < stop)
            HD_TRY(read_line(c, tabbed, p, stop));
        HD_TRY(hd_collector_reach(c, (uint64_t)(newline - c->text.data)));
    }
    return HEDDLE_OK;
}

static heddle_status read_adjacency(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                    heddle_graph **graph) {
    hd_collector c;
    heddle_status status;
    HD_CHECK(hd_collector_open(ctx, input, options, &c));
    HD_CHECK(read_lines(&c));
    HD_CHECK(hd_collector_build(&c, graph));
out:
    hd_collector_close(&c);
    return status;
}

/* A higher score than the edge-list reader's, a lower one than that of formats with a header: then the suffix decides.
 * */
static int sniff(const char *data, uint64_t bytes) {
    return hd_adjacency_look_at(data, bytes).kind == HD_LINES_LISTS ? 45 : 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_target(const hd_text_writer *rows, char *p, uint64_t u, uint64_t k) {
    const hd_element_writer *writer = (const hd_element_writer *)(const void *)rows; /* its first member */
    (void)u;
    *p++ = ' ';
    return hd_print_vertex(writer, p, rows->out.targets[k]);
}

static char *print_source(const hd_text_writer *rows, char *p, uint64_t u) {
    return hd_print_vertex((const hd_element_writer *)(const void *)rows, p, u);
}

static heddle_status write_adjacency(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                     hd_output *output) {
    (void)options;
    hd_element_writer writer;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_WORD, "adjacency list", &writer));
    writer.rows.row = print_source;
    writer.rows.arc = print_target;
    writer.rows.row_lines = true;
    writer.rows.longest = 2 * writer.label + 2; /* the first arc of a row is written with the row's own id */
    if (!graph->vertices)
        hd_output_printf(output, "# no vertices\n"); /* empty files are refused */
    return hd_text_write_rows(ctx, &writer.rows, output);
}

const hd_format hd_format_adjacency = {
    .info = {"adjlist", "adjacency list: a line \"source target target ...\" per vertex", ".adjlist"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .names = true,
    .sniff = sniff,
    .read = read_adjacency,
    .write = write_adjacency,
};
