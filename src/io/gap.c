/* gap.c - the serialized graphs of the GAP benchmark suite.
 *
 *     1 byte    1: directed
 *     int64     edges (arcs), vertices
 *     int64     vertices + 1 offsets
 *     int32     a target per arc (.sg), or pairs of target and weight (.wsg)
 *     directed: offsets and arcs of the other direction
 *
 * There is no magic number, and after the first byte nothing is aligned. Whether there are weights follows from the
 * file's size. The other direction is not read: it is rebuilt when it is needed.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/claims.h"
#include "graph/rebuild.h"
#include "io/format.h"

#include <string.h>

enum { HEADER = 17, BLOCK = 1 << 14, ROWS = 1 << 10 };

static uint64_t load_word64(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint32_t load_word32(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* The size of a file with `stride` bytes per arc; the numbers are known to be far below 2^60. */
static uint64_t file_size(uint64_t vertices, uint64_t edges, uint64_t stride, bool directed) {
    return HEADER + (directed ? 2 : 1) * ((vertices + 1) * 8 + edges * stride);
}

/* Reads the header. Returns NULL, or what is wrong with it; `rows` then says what it claims. */
static const char *read_header(const char *data, uint64_t bytes, hd_rows *rows) {
    if (bytes < HEADER)
        return "the file is too short for the header of an .sg file";
    *rows = (hd_rows){.edges = load_word64(data + 1), .vertices = load_word64(data + 9), .undirected = !data[0]};
    if (data[0] != 0 && data[0] != 1)
        return "not an .sg file: its first byte is neither 0 nor 1";
    if (rows->vertices > INT32_MAX)
        return "the header claims more vertices than 32-bit ids can name";
    if (rows->edges > bytes / 4)
        return "the header claims more edges than the file has room for";
    for (size_t stride = 4; stride <= 8; stride += 4)
        if (!rows->stride && bytes == file_size(rows->vertices, rows->edges, stride, data[0]))
            rows->stride = stride;
    if (!rows->stride)
        return "the file's size does not fit its header";
    rows->offsets = data + HEADER;
    rows->targets = rows->offsets + (rows->vertices + 1) * 8;
    rows->weights = rows->stride == 8 ? rows->targets + 4 : NULL;
    rows->weight_stride = rows->stride;
    return NULL;
}

static heddle_status fail_header(heddle_context *ctx, const hd_input *input, const hd_rows *rows, const char *wrong) {
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0, "%s (%llu bytes; it says %llu vertices, %llu edges)",
                        wrong, (unsigned long long)input->bytes, (unsigned long long)rows->vertices,
                        (unsigned long long)rows->edges);
}

static heddle_status check_offsets(heddle_context *ctx, const hd_input *input, const hd_rows *rows) {
    uint64_t n = rows->vertices;
    bool ascend = true;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(&& : ascend) if (n > BLOCK))
    for (uint64_t block = 0; block < n; block += BLOCK)
        for (uint64_t v = block; v < n && v < block + BLOCK; v++)
            ascend = ascend && load_word64(rows->offsets + v * 8) <= load_word64(rows->offsets + v * 8 + 8);
    if (!ascend || load_word64(rows->offsets) != 0 || load_word64(rows->offsets + n * 8) != rows->edges)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                            "the row offsets do not rise from 0 to the number of edges: the file is damaged");
    return HEDDLE_OK;
}

/* Results of a pass over all arcs. */
typedef struct findings {
    bool outside;  /* a target that is no vertex */
    bool unsorted; /* a row does not ascend */
    bool negative; /* a weight below 0 */
} findings;

static void look_at_row(const hd_rows *rows, uint64_t v, findings *f) {
    uint64_t last = load_word64(rows->offsets + v * 8 + 8);
    uint32_t before = 0;
    for (uint64_t k = load_word64(rows->offsets + v * 8); k < last; k++) {
        uint32_t target = load_word32(rows->targets + k * rows->stride);
        uint32_t weight = rows->weights ? load_word32(rows->weights + k * rows->stride) : 0;
        f->outside |= target >= rows->vertices;
        f->unsorted |= target < before;
        f->negative |= weight > INT32_MAX;
        before = target;
    }
}

static heddle_status check_arcs(heddle_context *ctx, const hd_input *input, const hd_rows *rows, findings *all) {
    uint64_t n = rows->vertices;
    bool outside = false, unsorted = false, negative = false;
    hd_phase_begin(ctx, "read", n);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) reduction(|| : outside, unsorted, negative) if (n > ROWS))
    for (uint64_t block = 0; block < n; block += ROWS) {
        findings f = {0};
        uint64_t last = n - block < ROWS ? n : block + ROWS;
        if (hd_advance(ctx, last - block))
            continue;
        for (uint64_t v = block; v < last; v++)
            look_at_row(rows, v, &f);
        outside = outside || f.outside;
        unsorted = unsorted || f.unsorted;
        negative = negative || f.negative;
    }
    hd_phase_end(ctx);
    *all = (findings){outside, unsorted, negative};
    HD_TRY(hd_cancelled_status(ctx));
    if (outside)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0, "a target is not below the number of vertices");
    return HEDDLE_OK;
}

/* Sorted rows are copied without a rebuild. */
static heddle_status copy_rows(heddle_context *ctx, const hd_rows *rows, heddle_graph **result) {
    uint64_t n = rows->vertices, m = rows->edges;
    heddle_graph *graph;
    heddle_status status = HEDDLE_OK;
    HD_TRY(hd_graph_new(ctx, &graph));
    graph->vertices = n;
    graph->edges = m;
    graph->directed = !rows->undirected;
    graph->weight_type = rows->weight_type;
    graph->out.owned = true;
    HD_CHECK(HD_NEW(ctx, &graph->out.offsets, n + 1, "row offsets"));
    HD_CHECK(HD_NEW(ctx, &graph->out.targets, m, "edge targets"));
    if (rows->weights)
        HD_CHECK(hd_new(ctx, &graph->out.weights, m, 4, false, "edge weights"));
    uint32_t *targets = graph->out.targets, *weights = graph->out.weights;
    memcpy(graph->out.offsets, rows->offsets, (n + 1) * 8);
    HD_PARALLEL_FOR(ctx, schedule(static) if (m > BLOCK))
    for (uint64_t block = 0; block < m; block += BLOCK) {
        uint64_t last = m - block < BLOCK ? m : block + BLOCK;
        if (hd_advance(ctx, 0))
            continue;
        for (uint64_t k = block; k < last; k++)
            targets[k] = load_word32(rows->targets + k * rows->stride);
        for (uint64_t k = block; weights && k < last; k++)
            weights[k] = load_word32(rows->weights + k * rows->stride);
    }
    HD_CHECK(hd_cancelled_status(ctx));
    *result = graph;
    return HEDDLE_OK;
out:
    heddle_graph_destroy(&graph);
    return status;
}

static heddle_status take_rows(heddle_context *ctx, hd_rows *rows, const findings *found,
                               const heddle_build_options *options, heddle_graph **graph) {
    if (!found->unsorted && !hd_build_options_change(ctx, options, rows->weight_type))
        return copy_rows(ctx, rows, graph);
    hd_edge_source source = hd_rows_source(ctx, rows);
    return hd_graph_build(ctx, &source, options, graph);
}

/* Copies the rows first, to check that every arc has its reverse. */
static heddle_status read_undirected(heddle_context *ctx, const hd_input *input, hd_rows *rows, const findings *found,
                                     const heddle_build_options *options, heddle_graph **result) {
    heddle_build_options plain;
    heddle_graph *graph;
    heddle_build_options_init(&plain);
    HD_TRY(take_rows(ctx, rows, found, &plain, &graph));
    heddle_status status = hd_graph_prove_read(ctx, graph, input->name);
    bool change = hd_build_options_change(ctx, options, graph->weight_type);
    if (status == HEDDLE_OK && change)
        status = hd_graph_rebuild(ctx, graph, options, result);
    if (status == HEDDLE_OK && !change)
        *result = graph;
    else
        heddle_graph_destroy(&graph);
    return status;
}

static heddle_status read_gap(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    hd_rows rows = {0};
    findings found;
    const char *wrong = read_header(input->data, input->bytes, &rows);
    if (!wrong && rows.edges && !rows.weights && hd_path_has_suffix(input->name, ".wsg"))
        wrong = "a .wsg file with the size of one without weights";
    if (wrong)
        return fail_header(ctx, input, &rows, wrong);
    HD_TRY(check_offsets(ctx, input, &rows));
    HD_TRY(check_arcs(ctx, input, &rows, &found));
    if (rows.weights)
        rows.weight_type = found.negative ? HEDDLE_WEIGHT_I32 : HEDDLE_WEIGHT_U32;
    return rows.undirected ? read_undirected(ctx, input, &rows, &found, &options->build, graph)
                           : take_rows(ctx, &rows, &found, &options->build, graph);
}

static int sniff_gap(const char *data, uint64_t bytes) {
    hd_rows rows;
    if (read_header(data, bytes, &rows))
        return 0;
    bool ends = load_word64(rows.offsets) == 0 && load_word64(rows.offsets + rows.vertices * 8) == rows.edges;
    return ends ? 95 : 30;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static heddle_status write_pairs(heddle_context *ctx, hd_output *output, const heddle_adjacency *rows, uint64_t m) {
    const uint32_t *weights = rows->weights;
    for (uint64_t block = 0; block < m && !hd_output_failed(output); block += BLOCK) {
        uint64_t count = m - block < BLOCK ? m - block : BLOCK;
        char *p = hd_output_reserve(output, (size_t)count * 8);
        for (uint64_t i = 0; i < count; i++) {
            uint32_t pair[2] = {rows->targets[block + i], weights ? weights[block + i] : 1};
            memcpy(p + i * 8, pair, sizeof pair);
        }
        hd_output_advance(output, (size_t)count * 8);
        if (hd_advance(ctx, count))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

static heddle_status write_rows(heddle_context *ctx, hd_output *output, const heddle_adjacency *rows, uint64_t n,
                                uint64_t m, bool weighted) {
    hd_output_write(output, rows->offsets, (n + 1) * 8);
    if (weighted)
        return write_pairs(ctx, output, rows, m);
    hd_output_write(output, rows->targets, m * 4);
    return hd_advance(ctx, m) ? hd_cancelled_status(ctx) : HEDDLE_OK;
}

static heddle_status write_gap(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                               hd_output *output) {
    uint64_t n = graph->vertices, m = graph->edges;
    bool weighted = hd_path_has_suffix(hd_output_name(output), ".wsg") || graph->weight_type != HEDDLE_WEIGHT_NONE;
    heddle_adjacency out, in = {0};
    (void)options;
    if (n > INT32_MAX)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, hd_output_name(output), 0, "%llu vertices; .sg files hold at most %d",
                            (unsigned long long)n, INT32_MAX);
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    if (graph->directed)
        HD_TRY(heddle_graph_in(ctx, graph, &in));
    if (weighted && graph->weight_type == HEDDLE_WEIGHT_NONE)
        hd_note(ctx, "%s: the graph has no weights: 1 is written", hd_output_name(output));
    hd_phase_begin(ctx, "write", graph->directed ? 2 * m : m);
    hd_output_write(output, graph->directed ? "\1" : "\0", 1);
    hd_output_write(output, &m, sizeof m);
    hd_output_write(output, &n, sizeof n);
    heddle_status status = write_rows(ctx, output, &out, n, m, weighted);
    if (status == HEDDLE_OK && graph->directed)
        status = write_rows(ctx, output, &in, n, m, weighted);
    hd_phase_end(ctx);
    return status;
}

enum {
    UNWEIGHTED = HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_ISOLATED | HD_HOLDS_LOOPS,
    WEIGHTED = UNWEIGHTED | HD_HOLDS_INTEGER_WEIGHTS | HD_NEEDS_I32
};

static int holds_as(const char *path) { return hd_path_has_suffix(path, ".sg") ? UNWEIGHTED : WEIGHTED; }

const hd_format hd_format_gap = {
    .info = {"gap", "GAP benchmark suite, serialized: binary rows, .wsg with whole weights", ".sg .wsg"},
    .holds = WEIGHTED,
    .holds_as = holds_as,
    .sniff = sniff_gap,
    .read = read_gap,
    .write = write_gap,
};
