/* matrix_market.c - Matrix Market coordinate files: a square sparse matrix is a graph, entry (i, j) the arc i -> j.
 *
 *     %%MatrixMarket matrix coordinate pattern|integer|real general|symmetric|skew-symmetric
 *     % comments
 *     ROWS COLUMNS ENTRIES
 *     i j [value]          one line per entry, counted from 1
 *
 * A symmetric file holds one triangle and describes an undirected graph. A skew-symmetric one holds one triangle too,
 * but the other half has the opposite sign, so the graph is directed.
 */
#include "io/format.h"
#include "io/text.h"
#include "io/text_write.h"

#include "base/parallel.h"

typedef struct matrix {
    hd_text text;
    enum { PATTERN, INTEGER, REAL } field;
    enum { GENERAL, SYMMETRIC, SKEW } symmetry;
    hd_declared entries;
    const char *first; /* the line after the sizes */
} matrix;

static const char banner[] = "%%matrixmarket";

static int sniff(const char *data, uint64_t bytes) {
    hd_word start = {data, data + (bytes < sizeof banner - 1 ? bytes : sizeof banner - 1)};
    return hd_word_is(start, banner) ? 100 : 0;
}

/* ---- The header ------------------------------------------------------------------------------------------------- */

/* The next word of the banner must be one of `names` (NULL-terminated), which gives *choice. */
static heddle_status read_choice(heddle_context *ctx, matrix *m, const char **p, const char *end,
                                 const char *const *names, const char *expected, int *choice) {
    hd_word word = hd_next_word(p, end);
    for (*choice = 0; names[*choice]; ++*choice)
        if (hd_word_is(word, names[*choice]))
            return HEDDLE_OK;
    return hd_text_refuse(ctx, &m->text, word.p, word.end, "%s", expected);
}

static heddle_status read_banner(heddle_context *ctx, matrix *m, const char *p, const char *end) {
    static const char *const banners[] = {banner, NULL}, *const objects[] = {"matrix", NULL};
    static const char *const formats[] = {"coordinate", NULL};
    static const char *const fields[] = {"pattern", "integer", "real", "unsigned-integer", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};
    int unused, field, symmetry;
    HD_TRY(read_choice(ctx, m, &p, end, banners, "%%MatrixMarket matrix coordinate ...", &unused));
    HD_TRY(read_choice(ctx, m, &p, end, objects, "matrix", &unused));
    HD_TRY(read_choice(ctx, m, &p, end, formats, "coordinate (dense arrays are not supported)", &unused));
    HD_TRY(
        read_choice(ctx, m, &p, end, fields, "pattern, integer or real (complex matrices are not supported)", &field));
    const char *at = p;
    HD_TRY(read_choice(ctx, m, &p, end, symmetries,
                       "general, symmetric or skew-symmetric (hermitian matrices are not supported)", &symmetry));
    m->field = field == 0 ? PATTERN : field == 2 ? REAL : INTEGER;
    m->symmetry = symmetry == 0 ? GENERAL : symmetry == 1 ? SYMMETRIC : SKEW;
    if (m->field == PATTERN && m->symmetry == SKEW) {
        hd_word word = hd_next_word(&at, end);
        return hd_text_refuse(ctx, &m->text, word.p, word.end, "general or symmetric, for a pattern has no sign");
    }
    hd_word more = hd_next_word(&p, end);
    return more.p == end ? HEDDLE_OK : hd_text_refuse(ctx, &m->text, more.p, more.end, "the end of the line");
}

static heddle_status read_sizes(heddle_context *ctx, matrix *m, const char *p, const char *end) {
    hd_declared rows, columns;
    HD_TRY(hd_declared_read(ctx, &m->text, &p, end, "the number of rows", &rows));
    HD_TRY(hd_declared_read(ctx, &m->text, &p, end, "the number of columns", &columns));
    HD_TRY(hd_declared_read(ctx, &m->text, &p, end, "the number of entries", &m->entries));
    hd_word more = hd_next_word(&p, end);
    if (more.p < end)
        return hd_text_refuse(ctx, &m->text, more.p, more.end, "the end of the line");
    if (rows.value != columns.value)
        return hd_text_refuse(ctx, &m->text, columns.p, columns.end,
                              "as many columns as rows, %llu (a graph's matrix is square)",
                              (unsigned long long)rows.value);
    return hd_declared_vertices(ctx, &m->text, &rows);
}

static heddle_status read_header(heddle_context *ctx, matrix *m) {
    const char *p = m->text.data, *stop = m->text.end, *end = hd_line_end(p, stop);
    HD_TRY(read_banner(ctx, m, p, hd_trim_return(p, end)));
    for (p = hd_next_line(end, stop); p < stop; p = hd_next_line(end, stop)) {
        end = hd_line_end(p, stop);
        const char *line_end = hd_trim_return(p, end), *start = hd_skip_spaces(p, line_end);
        if (start == line_end || *start == '%')
            continue;
        m->first = hd_next_line(end, stop);
        return read_sizes(ctx, m, start, line_end);
    }
    return hd_text_refuse(ctx, &m->text, stop, stop, "a line with the numbers of rows, columns and entries");
}

/* ---- Entries ---------------------------------------------------------------------------------------------------- */

static hd_line entry_line(void *self, hd_cursor *cursor, const char *p, const char *end, hd_text_edge *edge) {
    matrix *m = self;
    p = hd_skip_spaces(p, end);
    if (p == end || *p == '%')
        return HD_LINE_EMPTY;
    hd_word row = hd_next_word(&p, end);
    if (!hd_text_index(&m->text, cursor, row, &edge->source))
        return HD_LINE_WRONG;
    hd_word column = hd_next_word(&p, end);
    if (!hd_text_index(&m->text, cursor, column, &edge->target))
        return HD_LINE_WRONG;
    if (m->symmetry == SKEW && edge->source == edge->target) {
        hd_text_wrong(&m->text, cursor, row.p, column.end, "no entry on the diagonal of a skew-symmetric matrix");
        return HD_LINE_WRONG;
    }
    if (m->field != PATTERN) {
        hd_word value = hd_next_word(&p, end);
        if (!hd_text_weight(&m->text, cursor, value, &edge->weight))
            return HD_LINE_WRONG;
        if (m->field == INTEGER && m->text.part[cursor->part].real_weight) {
            hd_text_wrong(&m->text, cursor, value.p, value.end, "a whole number");
            return HD_LINE_WRONG;
        }
    }
    return hd_text_line_done(&m->text, cursor, p, end) ? HD_LINE_EDGE : HD_LINE_WRONG;
}

static void begin(void *self, hd_cursor *cursor) {
    matrix *m = self;
    hd_text_begin(&m->text, cursor);
    m->text.part[cursor->part].real_weight = m->field == REAL; /* whatever the entries look like */
}

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    return hd_text_fail(&((matrix *)self)->text, ctx, cursor);
}

HD_TEXT_NEXT(next_pattern, matrix, HD_SHAPE_INDEX, entry_line)
HD_TEXT_NEXT(next_integer, matrix, HD_SHAPE_INDEX | HD_SHAPE_WEIGHT | HD_SHAPE_WHOLE, entry_line)
HD_TEXT_NEXT(next_real, matrix, HD_SHAPE_INDEX | HD_SHAPE_WEIGHT, entry_line)

/* Skew-symmetric matrices are too rare for a fast path that checks for the diagonal. */
static void next_skew(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    hd_text_next(self, &((matrix *)self)->text, cursor, batch, NULL, entry_line);
}

static heddle_status complete(void *self, heddle_context *ctx, uint64_t edges) {
    matrix *m = self;
    HD_TRY(hd_declared_count(ctx, &m->text, &m->entries, edges, "entries"));
    return m->field == INTEGER ? hd_text_check_weights(ctx, &m->text) : HEDDLE_OK;
}

static heddle_status read_matrix(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                 heddle_graph **graph) {
    matrix m = {.first = NULL};
    hd_text_open(&m.text, input);
    HD_TRY(read_header(ctx, &m));
    HD_TRY(hd_text_cut(ctx, &m.text, m.first));
    hd_edge_source source = {
        .self = &m,
        .parts = m.text.parts,
        .phase = "read",
        .work = (uint64_t)(m.text.end - m.first),
        .ids = HD_IDS_KNOWN,
        .vertices = m.text.vertices,
        .base = 1,
        .weighted = m.field != PATTERN,
        .undirected = m.symmetry == SYMMETRIC,
        .mirror = m.symmetry != GENERAL,
        .skew = m.symmetry == SKEW,
        .behind = {hd_text_behind(&m.text)},
        .facts = m.text.part,
        .fact_size = sizeof *m.text.part,
        .begin = begin,
        .next = m.symmetry == SKEW   ? next_skew
                : m.field == PATTERN ? next_pattern
                : m.field == INTEGER ? next_integer
                                     : next_real,
        .fail = fail,
        .complete = complete,
    };
    heddle_status status = hd_graph_build(ctx, &source, &options->build, graph);
    hd_text_close(ctx, &m.text);
    return status;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_entry(const hd_text_writer *writer, char *p, uint64_t u, uint64_t k) {
    uint64_t v = writer->out.targets[k];
    if (!writer->graph->directed && v > u)
        return p; /* the lower triangle is enough */
    p = hd_print_u64(p, u + 1);
    *p++ = ' ';
    p = hd_print_u64(p, v + 1);
    if (writer->out.weights) {
        *p++ = ' ';
        p = hd_print_weight(writer, p, k);
    }
    *p++ = '\n';
    return p;
}

/* Entries on and below the diagonal. */
static uint64_t count_lower(heddle_context *ctx, const hd_text_writer *writer) {
    uint64_t count = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 4096) reduction(+ : count))
    for (uint64_t u = 0; u < writer->graph->vertices; u++)
        for (uint64_t k = writer->out.offsets[u]; k < writer->out.offsets[u + 1]; k++)
            count += writer->out.targets[k] <= u;
    return count;
}

static heddle_status write_matrix(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                  hd_output *output) {
    static const char *const fields[] = {
        [HEDDLE_WEIGHT_NONE] = "pattern", [HEDDLE_WEIGHT_U32] = "integer", [HEDDLE_WEIGHT_I32] = "integer",
        [HEDDLE_WEIGHT_F32] = "real",     [HEDDLE_WEIGHT_I64] = "integer", [HEDDLE_WEIGHT_F64] = "real"};
    (void)options;
    hd_text_writer writer;
    HD_TRY(hd_text_writer_init(ctx, graph, &writer));
    writer.arc = print_entry;
    writer.longest = 2 * hd_digits_of(graph->vertices) + hd_weight_room(graph) + 3;
    uint64_t entries = graph->directed ? graph->edges : count_lower(ctx, &writer);
    hd_output_printf(output, "%%%%MatrixMarket matrix coordinate %s %s\n%llu %llu %llu\n", fields[graph->weight_type],
                     graph->directed ? "general" : "symmetric", (unsigned long long)graph->vertices,
                     (unsigned long long)graph->vertices, (unsigned long long)entries);
    return hd_text_write_rows(ctx, &writer, output);
}

const hd_format hd_format_matrix_market = {
    .info = {"mtx", "Matrix Market coordinate file: general, symmetric or skew-symmetric; pattern, integer or real",
             ".mtx"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_LOOPS,
    .splits = true,
    .sniff = sniff,
    .read = read_matrix,
    .write = write_matrix,
    .base = 1,
};
