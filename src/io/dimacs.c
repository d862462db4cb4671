/* dimacs.c - the shortest-path format of the 9th DIMACS challenge (.gr):
 *
 *     c a comment
 *     p sp VERTICES ARCS
 *     a FROM TO WEIGHT     one line per arc, counted from 1
 *
 * Weights are whole numbers there; real ones are read too, but never written.
 */
#include "io/format.h"
#include "io/text.h"
#include "io/text_write.h"

typedef struct dimacs {
    hd_text text;
    hd_declared arcs;
    const char *first; /* the line after the problem line */
} dimacs;

/* ---- The header ------------------------------------------------------------------------------------------------- */

static bool is_empty(const char *p, const char *end) { return p == end || *p == 'c'; }

static heddle_status read_problem(heddle_context *ctx, dimacs *d, const char *p, const char *end) {
    hd_declared vertices;
    hd_word word = hd_next_word(&p, end);
    if (!hd_word_is(word, "p"))
        return hd_text_refuse(ctx, &d->text, word.p, word.end, "a problem line 'p sp VERTICES ARCS' before the arcs");
    word = hd_next_word(&p, end);
    if (!hd_word_is(word, "sp"))
        return hd_text_refuse(ctx, &d->text, word.p, word.end, "sp, a shortest-path problem (no others are supported)");
    HD_TRY(hd_declared_read(ctx, &d->text, &p, end, "the number of vertices", &vertices));
    HD_TRY(hd_declared_read(ctx, &d->text, &p, end, "the number of arcs", &d->arcs));
    word = hd_next_word(&p, end);
    if (word.p < end)
        return hd_text_refuse(ctx, &d->text, word.p, word.end, "the end of the line");
    return hd_declared_vertices(ctx, &d->text, &vertices);
}

static heddle_status read_header(heddle_context *ctx, dimacs *d) {
    const char *stop = d->text.end;
    for (const char *p = d->text.data, *end; p < stop; p = hd_next_line(end, stop)) {
        end = hd_line_end(p, stop);
        const char *line_end = hd_trim_return(p, end), *start = hd_skip_spaces(p, line_end);
        if (is_empty(start, line_end))
            continue;
        d->first = hd_next_line(end, stop);
        return read_problem(ctx, d, start, line_end);
    }
    return hd_text_refuse(ctx, &d->text, stop, stop, "a problem line 'p sp VERTICES ARCS'");
}

/* A problem line after comments is certain; an arc line in its place is probably a damaged DIMACS file. */
static int sniff(const char *data, uint64_t bytes) {
    const char *stop = data + bytes;
    for (const char *p = data, *end; p < stop; p = hd_next_line(end, stop)) {
        end = hd_line_end(p, stop);
        const char *line_end = hd_trim_return(p, end), *start = hd_skip_spaces(p, line_end);
        if (start == line_end)
            continue;
        hd_word word = hd_next_word(&start, line_end), second = hd_next_word(&start, line_end);
        if (hd_word_is(word, "c"))
            continue;
        if (hd_word_is(word, "p"))
            return hd_word_is(second, "sp") ? 100 : 20;
        return hd_word_is(word, "a") && second.p < second.end && hd_is_digit(*second.p) ? 5 : 0;
    }
    return 0;
}

/* ---- Arcs ------------------------------------------------------------------------------------------------------- */

static hd_line arc_line(void *self, hd_cursor *cursor, const char *p, const char *end, hd_text_edge *edge) {
    dimacs *d = self;
    p = hd_skip_spaces(p, end);
    if (is_empty(p, end))
        return HD_LINE_EMPTY;
    hd_word kind = hd_next_word(&p, end);
    if (!hd_word_is(kind, "a")) {
        hd_text_wrong(&d->text, cursor, kind.p, kind.end, "an arc line 'a FROM TO WEIGHT' or a comment 'c ...'");
        return HD_LINE_WRONG;
    }
    bool right = hd_text_index(&d->text, cursor, hd_next_word(&p, end), &edge->source) &&
                 hd_text_index(&d->text, cursor, hd_next_word(&p, end), &edge->target) &&
                 hd_text_weight(&d->text, cursor, hd_next_word(&p, end), &edge->weight) &&
                 hd_text_line_done(&d->text, cursor, p, end);
    return right ? HD_LINE_EDGE : HD_LINE_WRONG;
}

static void begin(void *self, hd_cursor *cursor) { hd_text_begin(&((dimacs *)self)->text, cursor); }

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    return hd_text_fail(&((dimacs *)self)->text, ctx, cursor);
}

HD_TEXT_NEXT(next, dimacs, HD_SHAPE_ARC | HD_SHAPE_INDEX | HD_SHAPE_WEIGHT, arc_line)

static heddle_status complete(void *self, heddle_context *ctx, uint64_t edges) {
    dimacs *d = self;
    HD_TRY(hd_declared_count(ctx, &d->text, &d->arcs, edges, "arcs"));
    return hd_text_check_weights(ctx, &d->text);
}

static heddle_status read_dimacs(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                 heddle_graph **graph) {
    dimacs d = {.first = NULL};
    hd_text_open(&d.text, input);
    HD_TRY(read_header(ctx, &d));
    HD_TRY(hd_text_cut(ctx, &d.text, d.first));
    hd_edge_source source = {
        .self = &d,
        .parts = d.text.parts,
        .phase = "read",
        .work = (uint64_t)(d.text.end - d.first),
        .ids = HD_IDS_KNOWN,
        .vertices = d.text.vertices,
        .base = 1,
        .weighted = true,
        .behind = {hd_text_behind(&d.text)},
        .facts = d.text.part,
        .fact_size = sizeof *d.text.part,
        .begin = begin,
        .next = next,
        .fail = fail,
        .complete = complete,
    };
    heddle_status status = hd_graph_build(ctx, &source, &options->build, graph);
    hd_text_close(ctx, &d.text);
    return status;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_arc(const hd_text_writer *writer, char *p, uint64_t u, uint64_t k) {
    *p++ = 'a';
    *p++ = ' ';
    p = hd_print_u64(p, u + 1);
    *p++ = ' ';
    p = hd_print_u64(p, (uint64_t)writer->out.targets[k] + 1);
    *p++ = ' ';
    p = hd_print_weight(writer, p, k);
    *p++ = '\n';
    return p;
}

static heddle_status write_dimacs(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                  hd_output *output) {
    (void)options;
    hd_text_writer writer;
    HD_TRY(hd_text_writer_init(ctx, graph, &writer));
    writer.arc = print_arc;
    writer.longest = 2 * hd_digits_of(graph->vertices) + hd_weight_room(graph) + 5;
    if (graph->weight_type == HEDDLE_WEIGHT_NONE)
        hd_note(ctx, "%s: the graph has no weights: 1 is written", hd_output_name(output));
    hd_output_printf(output, "p sp %llu %llu\n", (unsigned long long)graph->vertices, (unsigned long long)graph->edges);
    return hd_text_write_rows(ctx, &writer, output);
}

const hd_format hd_format_dimacs = {
    .info = {"dimacs", "DIMACS shortest-path file: arcs with whole weights", ".gr"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_INTEGER_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_LOOPS,
    .splits = true,
    .sniff = sniff,
    .read = read_dimacs,
    .write = write_dimacs,
    .base = 1,
};
