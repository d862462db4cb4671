/* hdl_write.c - writes an .hdl file sequentially, so that the output may be a pipe or a compressor: the checksums are
 * computed before the first byte is written. */
#include "io/hdl.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/spill.h"
#include "base/word_list.h"
#include "graph/kept.h"
#include "graph/pack.h"

#include <string.h>

enum { ALIGNMENT = 64, PAGE = 4096, PIECE = 4 << 20, MOST = HD_HDL_KINDS * HD_HDL_VIEWS + HD_KEPT_MOST, MAPS = 3 };
static const uint64_t large = 1 << 16; /* sections from this size on begin on a page */

typedef struct plan {
    hd_hdl_header header;
    hd_hdl_entry table[MOST];
    const void *data[MOST];
    /* mapped files whose pages are given back: temporary ones, and under a memory limit that of the graph */
    struct {
        const char *start;
        uint64_t bytes;
    } maps[MAPS];
    bool has[HD_ORDERS];
    struct {
        uint32_t *data; /* packed sections, allocated here; data NULL: none */
        uint64_t count;
    } packed[HD_HDL_VIEWS * HD_PACKED_KINDS];
    uint32_t packed_count;
} plan;

static uint64_t round_up(uint64_t position, uint64_t unit) { return (position + unit - 1) / unit * unit; }

static void add(plan *p, uint32_t kind, const void *data, uint64_t bytes) {
    uint32_t i = p->header.sections++;
    p->data[i] = data;
    p->table[i] = (hd_hdl_entry){.kind = kind, .bytes = bytes};
}

static void add_rows(plan *p, uint32_t first, const heddle_adjacency *rows) {
    uint64_t n = p->header.vertices, m = p->header.edges;
    add(p, first, rows->offsets, (n + 1) * 8);
    add(p, first + 1, rows->targets, m * 4);
    if (p->header.weight_type != HEDDLE_WEIGHT_NONE)
        add(p, first + 2, rows->weights, m * hd_weight_size(p->header.weight_type));
}

static void add_ids(plan *p, const hd_ids *ids) {
    uint64_t n = p->header.vertices;
    if (ids->values)
        add(p, HD_HDL_ID_VALUES, ids->values, n * 8);
    if (ids->starts) {
        add(p, HD_HDL_LABEL_STARTS, ids->starts, (n + 1) * 8);
        add(p, HD_HDL_LABEL_TEXT, ids->text, ids->starts[n]);
    }
}

static heddle_status add_packed(heddle_context *ctx, plan *p, uint32_t kind, const hd_pack_source *source) {
    hd_packed packed;
    HD_TRY(hd_pack_measure(ctx, source, HD_PACK_BLOCKS, &packed));
    uint64_t front = hd_packed_front(packed.chunks), count = front + packed.count;
    uint32_t **data = &p->packed[p->packed_count].data;
    heddle_status status = HD_NEW(ctx, data, count, "packed rows");
    if (status == HEDDLE_OK) {
        p->packed[p->packed_count++].count = count;
        memset(*data, 0, front * 4);
        memcpy(*data, packed.starts, (packed.chunks + 1) * 4);
        add(p, kind, *data, count * 4);
        status = hd_pack_write(ctx, source, &packed, *data + front);
    }
    hd_packed_free(ctx, &packed);
    return status;
}

static heddle_status add_packed_weights(heddle_context *ctx, plan *p, int view, const void *weights) {
    uint64_t edges = p->header.edges;
    hd_pack_weights how = hd_pack_weights_of(ctx, weights, (heddle_weight_type)p->header.weight_type, edges);
    hd_pack_source source = hd_pack_weight_source(weights, how, edges);
    if (how == HD_PACK_WEIGHTS_NOT)
        return HEDDLE_OK;
    return add_packed(ctx, p, hd_hdl_kind_in(view, HD_HDL_PACKED_WEIGHTS), &source);
}

static heddle_status add_direction(heddle_context *ctx, plan *p, const heddle_adjacency *rows, int view, bool in,
                                   bool packed) {
    hd_pack_source source = hd_pack_targets(rows, p->header.vertices);
    add_rows(p, hd_hdl_kind_in(view, in ? HD_HDL_IN_OFFSETS : HD_HDL_OUT_OFFSETS), rows);
    if (packed)
        HD_TRY(add_packed(ctx, p, hd_hdl_kind_in(view, in ? HD_HDL_PACKED_IN : HD_HDL_PACKED_OUT), &source));
    return packed && !in && rows->weights ? add_packed_weights(ctx, p, view, rows->weights) : HEDDLE_OK;
}

/* Adds the out-edges, the in-edges if requested, and the permutation of a renamed graph. */
static heddle_status add_graph(heddle_context *ctx, plan *p, const heddle_graph *graph, int view,
                               const heddle_save_options *options) {
    heddle_adjacency rows;
    HD_TRY(heddle_graph_out(ctx, graph, &rows));
    HD_TRY(add_direction(ctx, p, &rows, view, false, options->packed));
    if (options->in_edges && graph->directed) {
        HD_TRY(heddle_graph_in(ctx, graph, &rows));
        HD_TRY(add_direction(ctx, p, &rows, view, true, options->packed));
    }
    if (view)
        add(p, hd_hdl_kind_in(view, HD_HDL_PLACES), graph->places, graph->vertices * 4);
    return HEDDLE_OK;
}

static void add_maps(plan *p, const heddle_graph *graph, bool limited) {
    const hd_mapping *file = &graph->mapping;
    p->maps[0].start = graph->out.map;
    p->maps[0].bytes = graph->out.map_bytes;
    p->maps[1].start = graph->in.map;
    p->maps[1].bytes = graph->in.map_bytes;
    p->maps[2].start = limited && file->mapped ? file->address : NULL;
    p->maps[2].bytes = file->bytes;
}

static heddle_status fail_order(heddle_context *ctx, const char *name, size_t length) {
    const char *names[HD_ORDERS];
    char each[160], all[160];
    size_t count = 0;
    for (size_t i = 0; hd_order_at(i); i++)
        if (hd_renames(hd_order_at(i)))
            names[count++] = hd_order_at(i)->info.name;
    hd_join(names, count, ", ", ", ", each, sizeof each);
    hd_join(names, count, ",", ",", all, sizeof all);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "order '%.*s': expected %s or %s", (int)(length < 60 ? length : 60), name,
                   each, all);
}

/* Builds requested orders that do not exist yet; they are kept until the file is written. */
static heddle_status add_orders(heddle_context *ctx, plan *p, const heddle_graph *graph,
                                const heddle_save_options *options, heddle_graph **made) {
    for (const char *at = options->order; at && *at;) {
        size_t length = strcspn(at, ",");
        const hd_order *order = hd_order_named(at, length);
        if (!hd_renames(order))
            return fail_order(ctx, at, length);
        const heddle_graph *renamed = hd_order_kept(graph, order);
        heddle_graph **room = &made[order->number - 1];
        at += length + (at[length] == ',');
        if (p->has[order->number - 1])
            continue; /* named twice */
        p->has[order->number - 1] = true;
        if (renamed)
            HD_TRY(hd_graph_verify(ctx, renamed, HD_VERIFY_PLACES));
        else
            HD_TRY(hd_order_graph(ctx, graph, order, room));
        HD_TRY(add_graph(ctx, p, renamed ? renamed : *room, (int)order->number, options));
    }
    return HEDDLE_OK;
}

/* Decisions prepared here, or in the file that the graph is from. */
static heddle_status add_kept(heddle_context *ctx, plan *p, const heddle_graph *graph) {
    for (uint32_t i = 0; i < graph->kept_count; i++) {
        HD_TRY(hd_kept_check(ctx, graph, i));
        add(p, HD_HDL_KEPT + i, graph->kept[i].words, graph->kept[i].count * sizeof(uint64_t));
    }
    return HEDDLE_OK;
}

/* Whether the pages of the array are to be given back. */
static bool is_mapped(const plan *p, const void *data) {
    for (int i = 0; i < MAPS; i++) {
        const char *start = p->maps[i].start;
        if (start && (const char *)data >= start && (const char *)data < start + p->maps[i].bytes)
            return true;
    }
    return false;
}

void hd_hdl_place(hd_hdl_header *header, hd_hdl_entry *table) {
    uint64_t end = sizeof *header + header->sections * sizeof *table;
    for (uint32_t i = 0; i < header->sections; i++) {
        table[i].offset = round_up(end, table[i].bytes >= large ? PAGE : ALIGNMENT);
        end = table[i].offset + table[i].bytes;
    }
    header->file_bytes = round_up(end, ALIGNMENT);
}

/* Places the sections, and fills in all checksums. */
static heddle_status lay_out(heddle_context *ctx, plan *p) {
    heddle_status status = HEDDLE_OK;
    uint64_t total = 0;
    for (uint32_t i = 0; i < p->header.sections; i++)
        total += p->table[i].bytes;
    hd_hdl_place(&p->header, p->table);
    hd_phase_begin(ctx, "checksum", total);
    for (uint32_t i = 0; i < p->header.sections; i++) {
        hd_hdl_entry *entry = &p->table[i];
        bool sound;
        HD_CHECK((is_mapped(p, p->data[i]) ? hd_hash_mapped : hd_hash_array)(ctx, p->data[i], entry->bytes, NULL, NULL,
                                                                             &entry->checksum, &sound));
    }
    p->header.checksum = hd_hdl_header_checksum(&p->header, p->table);
out:
    hd_phase_end(ctx);
    return status;
}

/* Padding up to a section's offset: less than a page. */
static void write_zeros(hd_output *output, uint64_t until) {
    static const char zeros[PAGE];
    uint64_t bytes = until - hd_output_position(output);
    hd_output_write(output, zeros, (size_t)(bytes < PAGE ? bytes : PAGE));
}

static heddle_status write_section(heddle_context *ctx, hd_output *output, const char *data, uint64_t bytes,
                                   bool mapped) {
    for (uint64_t at = 0; at < bytes && !hd_output_failed(output);) {
        uint64_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        hd_output_write(output, data + at, (size_t)piece);
        if (mapped)
            hd_pages_release(data + at, piece);
        at += piece;
        if (hd_advance(ctx, piece))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

/* Stops when the output fails: closing it reports why. */
static heddle_status write_all(heddle_context *ctx, const plan *p, hd_output *output) {
    heddle_status status = HEDDLE_OK;
    hd_phase_begin(ctx, "write", p->header.file_bytes);
    hd_output_write(output, &p->header, sizeof p->header);
    hd_output_write(output, p->table, p->header.sections * sizeof *p->table);
    for (uint32_t i = 0; i < p->header.sections && !hd_output_failed(output); i++) {
        write_zeros(output, p->table[i].offset);
        HD_CHECK(write_section(ctx, output, p->data[i], p->table[i].bytes, is_mapped(p, p->data[i])));
    }
    write_zeros(output, p->header.file_bytes);
out:
    hd_phase_end(ctx);
    return status;
}

hd_hdl_header hd_hdl_header_of(uint64_t vertices, uint64_t edges, bool directed, heddle_weight_type type) {
    hd_hdl_header header = {.endian = HD_HDL_ENDIAN,
                            .version = hd_weight_size(type) > 4 ? HD_HDL_VERSION : 1,
                            .vertices = vertices,
                            .edges = edges,
                            .flags = directed ? HD_HDL_DIRECTED : 0,
                            .weight_type = type};
    memcpy(header.magic, HD_HDL_MAGIC, sizeof header.magic);
    return header;
}

heddle_status hd_hdl_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                           hd_output *output) {
    plan p = {.header = hd_hdl_header_of(graph->vertices, graph->edges, graph->directed, graph->weight_type)};
    heddle_graph *made[HD_ORDERS] = {NULL};
    heddle_status status;
    p.header.id_type = graph->ids.type;
    p.header.id_base = graph->ids.base;
    HD_CHECK(add_graph(ctx, &p, graph, 0, options));
    add_ids(&p, &graph->ids);
    add_maps(&p, graph, ctx->limit);
    HD_CHECK(add_orders(ctx, &p, graph, options, made));
    HD_CHECK(add_kept(ctx, &p, graph));
    HD_CHECK(lay_out(ctx, &p));
    status = write_all(ctx, &p, output);
out:
    for (int i = 0; i < HD_ORDERS; i++)
        heddle_graph_destroy(&made[i]);
    for (uint32_t i = 0; i < p.packed_count; i++)
        HD_DELETE(&ctx->allocator, p.packed[i].data, p.packed[i].count);
    return status;
}
