/* text_write.c - see text_write.h.
 *
 * Blocks are equal ranges of items. In each round every thread fills a buffer, then the buffers are written in order.
 * The rows of a graph are treated as one sequence of items: the arcs of vertex 0, the end of its row, the arcs of
 * vertex 1 …, so that neither one huge row nor a million empty ones cause load imbalance.
 */
#include "io/text_write.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

enum { BLOCK_BYTES = 4 << 20 }; /* rounds must be long, because a preempted thread delays all others */

heddle_status hd_text_writer_init(heddle_context *ctx, const heddle_graph *graph, hd_text_writer *writer) {
    *writer = (hd_text_writer){.graph = graph};
    return heddle_graph_out(ctx, graph, &writer->out);
}

/* Items up to vertex v's first arc. */
static uint64_t items_before(const hd_text_writer *writer, uint64_t v) { return writer->out.offsets[v] + v; }

static char *format_items(const void *state, char *p, uint64_t item, uint64_t end) {
    const hd_text_writer *writer = state;
    for (uint64_t u = hd_row_at(writer->out.offsets, writer->graph->vertices, item); item < end; u++) {
        uint64_t row_end = items_before(writer, u + 1) - 1, stop = row_end < end ? row_end : end;
        if (writer->row && item == items_before(writer, u))
            p = writer->row(writer, p, u);
        for (; item < stop; item++)
            p = writer->arc(writer, p, u, item - u);
        if (item < end) { /* the end of the row itself */
            if (writer->row_lines)
                *p++ = '\n';
            item++;
        }
    }
    return p;
}

heddle_status hd_text_write_items(heddle_context *ctx, hd_output *output, uint64_t items, size_t longest,
                                  hd_format_items *format, const void *state) {
    uint64_t threads = (uint64_t)ctx->threads, each = BLOCK_BYTES / longest, blocks;
    each = each ? each : 1;
    blocks = (items + each - 1) / each;
    threads = threads < blocks ? threads : blocks;
    uint64_t room = (each < items ? each : items) * longest, *lengths = NULL;
    char *buffers = NULL;
    heddle_status status = HEDDLE_OK;
    if (!blocks)
        return HEDDLE_OK;
    HD_CHECK(HD_NEW(ctx, &buffers, threads * room, "text to be written"));
    HD_CHECK(HD_NEW(ctx, &lengths, threads, "text to be written"));
    hd_phase_begin(ctx, "write", items);
    for (uint64_t block = 0; block < blocks && !hd_output_failed(output); block += threads) {
        uint64_t now = blocks - block < threads ? blocks - block : threads, done = 0;
        HD_PARALLEL_FOR(ctx, schedule(static, 1) reduction(+ : done) if (now > 1))
        for (uint64_t i = 0; i < now; i++) {
            uint64_t from = (block + i) * each, to = from + each < items ? from + each : items;
            lengths[i] = (uint64_t)(format(state, buffers + i * room, from, to) - (buffers + i * room));
            done += to - from;
        }
        for (uint64_t i = 0; i < now; i++)
            hd_output_write(output, buffers + i * room, lengths[i]);
        if (hd_advance(ctx, done))
            break;
    }
    hd_phase_end(ctx);
    status = hd_cancelled_status(ctx);
out:
    HD_DELETE(&ctx->allocator, buffers, threads * room);
    HD_DELETE(&ctx->allocator, lengths, threads);
    return status;
}

heddle_status hd_text_write_rows(heddle_context *ctx, const hd_text_writer *writer, hd_output *output) {
    return hd_text_write_items(ctx, output, items_before(writer, writer->graph->vertices), writer->longest,
                               format_items, writer);
}

char *hd_print_weight_of(char *p, const void *weights, heddle_weight_type type, uint64_t k) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return hd_print_u64(p, ((const uint32_t *)weights)[k]);
    case HEDDLE_WEIGHT_I32: return hd_print_i64(p, ((const int32_t *)weights)[k]);
    /* Text is read as doubles: with the fewest digits of a float it would be another number. */
    case HEDDLE_WEIGHT_F32: return hd_print_real(p, ((const float *)weights)[k]);
    case HEDDLE_WEIGHT_I64: return hd_print_i64(p, ((const int64_t *)weights)[k]);
    case HEDDLE_WEIGHT_F64: return hd_print_real(p, ((const double *)weights)[k]);
    default: *p = '1'; return p + 1;
    }
}

char *hd_print_weight(const hd_text_writer *writer, char *p, uint64_t k) {
    return hd_print_weight_of(p, writer->out.weights, writer->graph->weight_type, k);
}
