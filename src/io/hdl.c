/* hdl.c - opening an .hdl file: the header and the section table are checked against the file's size, and pointers are
 * set. Sections are not read, so that a file of any size opens at once; hdl_verify.c checks them before their use. */
#include "io/hdl.h"

#include "base/hash.h"
#include "base/memory.h"
#include "graph/pack.h"
#include "graph/rebuild.h"
#include "io/format.h"

#include <stdio.h>
#include <string.h>

hd_hdl_name hd_hdl_kind_name(uint32_t in_file) {
    static const char *const names[HD_HDL_KINDS] = {
        "out offsets",        "out targets",       "out weights",       "in offsets", "in targets",
        "in weights",         "id values",         "label starts",      "label text", "places",
        "packed out targets", "packed in targets", "packed out weights"};
    hd_hdl_name name = {"unknown"};
    int view;
    uint32_t kind;
    if (hd_hdl_is_kept(in_file))
        return (hd_hdl_name){"prepared"};
    if (!hd_hdl_kind_known(in_file, &view, &kind))
        return name;
    const char *order = view ? hd_order_numbered((uint32_t)view)->info.name : "";
    snprintf(name.text, sizeof name.text, "%.20s%s%s", order, view ? " order: " : "", names[kind - 1]);
    return name;
}

uint64_t hd_hdl_header_checksum(const hd_hdl_header *header, const hd_hdl_entry *table) {
    hd_hdl_header copy = *header;
    copy.checksum = 0;
    return hd_hash2(hd_hash_block(&copy, sizeof copy), hd_hash_block(table, header->sections * sizeof *table));
}

/* The sections of one file, by graph and kind - 1; data NULL: not there. */
typedef struct section {
    char *data;
    uint64_t bytes;
    uint64_t checksum;
} section;

typedef struct opening {
    heddle_context *ctx;
    const hd_input *input;
    hd_hdl_header header;
    section sections[HD_HDL_VIEWS][HD_HDL_KINDS];
    section kept[HD_KEPT_MOST];
} opening;

#define FAIL(o, ...) hd_fail_file((o)->ctx, HEDDLE_E_FORMAT, (o)->input->name, 0, __VA_ARGS__)

/* The section table; the file must be known to be long enough for it. The input is aligned. */
static const hd_hdl_entry *table_of(const opening *o) {
    return (const hd_hdl_entry *)(const void *)(o->input->data + sizeof o->header);
}

static heddle_status check_header(opening *o) {
    hd_hdl_header *header = &o->header;
    if (o->input->bytes < sizeof *header)
        return FAIL(o, "not a whole .hdl file: %llu bytes, where the header alone has %zu",
                    (unsigned long long)o->input->bytes, sizeof *header);
    memcpy(header, o->input->data, sizeof *header);
    if (memcmp(header->magic, HD_HDL_MAGIC, sizeof header->magic) != 0)
        return FAIL(o, memcmp(header->magic, HD_HDL_MAGIC, 4) == 0 ? "the first bytes of this .hdl file are damaged"
                                                                   : "not an .hdl file: its mark is missing");
    if (header->endian == __builtin_bswap32(HD_HDL_ENDIAN))
        return FAIL(o, "this .hdl file was written on a machine of the other byte order: "
                       "convert it there to another format");
    if (header->endian != HD_HDL_ENDIAN)
        return FAIL(o, "the header of this .hdl file is damaged (its byte order mark is wrong)");
    if (header->version > HD_HDL_VERSION)
        return FAIL(o, "this .hdl file has version %u; this build reads up to version %u", header->version,
                    HD_HDL_VERSION);
    if (header->sections > HD_HDL_MOST_SECTIONS)
        return FAIL(o, "the header of this .hdl file is damaged (it claims %u sections)", header->sections);
    if (o->input->bytes < sizeof *header + header->sections * sizeof(hd_hdl_entry))
        return FAIL(o, "this .hdl file is truncated: it ends in the table of sections");
    if (header->checksum != hd_hdl_header_checksum(header, table_of(o)))
        return FAIL(o, "the header of this .hdl file is damaged (its checksum is wrong)");
    if (header->file_bytes != o->input->bytes)
        return FAIL(o, "this .hdl file %s: %llu bytes of %llu are there",
                    o->input->bytes < header->file_bytes ? "is truncated" : "has something after its end",
                    (unsigned long long)o->input->bytes, (unsigned long long)header->file_bytes);
    return HEDDLE_OK;
}

/* Checks values that only a newer or faulty writer can have put into a header whose checksum is right. */
static heddle_status check_values(const opening *o) {
    const hd_hdl_header *header = &o->header;
    if (header->version == 0 || header->flags & ~(uint32_t)HD_HDL_DIRECTED ||
        header->weight_type > (header->version < 2 ? HEDDLE_WEIGHT_F32 : HEDDLE_WEIGHT_F64) ||
        header->id_type > HEDDLE_ID_STRING)
        return FAIL(o, "the header of this .hdl file has values that this build does not know");
    if (header->vertices > UINT32_MAX - 1)
        return hd_fail_file(o->ctx, HEDDLE_E_LIMIT, o->input->name, 0, "more than 2^32 - 2 vertices");
    int64_t last;
    uint64_t unsigned_last, steps = header->vertices ? header->vertices - 1 : 0;
    if (header->id_type == HEDDLE_ID_U64 ? __builtin_add_overflow((uint64_t)header->id_base, steps, &unsigned_last)
                                         : __builtin_add_overflow(header->id_base, (int64_t)steps, &last))
        return FAIL(o, "the ids of this .hdl file leave 64 bits");
    return HEDDLE_OK;
}

/* The size a section must have; labels' text may have any, and packed ones any from their directory's on. */
static bool right_size(const hd_hdl_header *header, uint32_t kind, uint64_t bytes) {
    uint64_t n = header->vertices, wanted;
    bool overflow;
    switch (kind) {
    case HD_HDL_OUT_OFFSETS:
    case HD_HDL_IN_OFFSETS:
    case HD_HDL_LABEL_STARTS: overflow = __builtin_mul_overflow(n + 1, UINT64_C(8), &wanted); break;
    case HD_HDL_ID_VALUES: overflow = __builtin_mul_overflow(n, UINT64_C(8), &wanted); break;
    case HD_HDL_PLACES: overflow = __builtin_mul_overflow(n, UINT64_C(4), &wanted); break;
    case HD_HDL_LABEL_TEXT: return true;
    case HD_HDL_PACKED_OUT:
    case HD_HDL_PACKED_IN:
    case HD_HDL_PACKED_WEIGHTS: return hd_packed_fits(header->edges, bytes);
    case HD_HDL_OUT_WEIGHTS:
    case HD_HDL_IN_WEIGHTS:
        overflow = __builtin_mul_overflow(header->edges, (uint64_t)(header->weight_type >= HEDDLE_WEIGHT_I64 ? 8 : 4),
                                          &wanted);
        break;
    default: overflow = __builtin_mul_overflow(header->edges, UINT64_C(4), &wanted); break;
    }
    return !overflow && bytes == wanted;
}

static heddle_status take_kept(opening *o, const hd_hdl_entry *entry) {
    section *kept = &o->kept[entry->kind - HD_HDL_KEPT];
    if (kept->data || entry->bytes % sizeof(uint64_t) != 0)
        return FAIL(o, "section 'prepared' (kind %u) %s", entry->kind,
                    kept->data ? "is there twice" : "has half words");
    *kept = (section){(char *)(uintptr_t)o->input->data + entry->offset, entry->bytes, entry->checksum};
    return HEDDLE_OK;
}

static heddle_status take_section(opening *o, const hd_hdl_entry *entry) {
    const hd_hdl_name name = hd_hdl_kind_name(entry->kind);
    uint64_t start = sizeof o->header + o->header.sections * sizeof *entry, all = o->header.file_bytes;
    int view;
    uint32_t kind;
    if (entry->offset % 64 != 0 || entry->offset < start || entry->offset > all || entry->bytes > all - entry->offset)
        return FAIL(o, "section '%s' (kind %u) lies outside the file", name.text, entry->kind);
    if (hd_hdl_is_kept(entry->kind))
        return take_kept(o, entry);
    if (!hd_hdl_kind_known(entry->kind, &view, &kind))
        return entry->flags & HD_HDL_REQUIRED
                   ? FAIL(o, "this .hdl file has a section of kind %u that this build must know to use it", entry->kind)
                   : HEDDLE_OK;
    section *section = &o->sections[view][kind - 1];
    if (section->data)
        return FAIL(o, "section '%s' is there twice", name.text);
    if (!right_size(&o->header, kind, entry->bytes))
        return FAIL(o, "section '%s' has %llu bytes, which is wrong for %llu vertices and %llu edges", name.text,
                    (unsigned long long)entry->bytes, (unsigned long long)o->header.vertices,
                    (unsigned long long)o->header.edges);
    section->data = (char *)(uintptr_t)o->input->data + entry->offset;
    section->bytes = entry->bytes;
    section->checksum = entry->checksum;
    return HEDDLE_OK;
}

/* Refuses missing sections, and unexpected ones. */
static heddle_status check_presence(const opening *o, int view) {
    const section *sections = o->sections[view];
    bool own = view == 0, here = own || sections[HD_HDL_PLACES - 1].data;
    bool weighted = here && o->header.weight_type != HEDDLE_WEIGHT_NONE;
    bool labels = own && o->header.id_type == HEDDLE_ID_STRING;
    bool values = own && !labels && sections[HD_HDL_ID_VALUES - 1].data;
    bool in = here && sections[HD_HDL_IN_OFFSETS - 1].data && o->header.flags & HD_HDL_DIRECTED;
    bool packed[HD_PACKED_KINDS];
    for (int i = 0; i < HD_PACKED_KINDS; i++) /* if there, then beside what they repeat */
        packed[i] = sections[HD_HDL_PACKED_OUT - 1 + i].data && (i == HD_PACKED_IN ? in : i ? weighted : here);
    const bool wanted[HD_HDL_KINDS] = {here,   here,   weighted,     in,        in,        in && weighted, values,
                                       labels, labels, here && !own, packed[0], packed[1], packed[2]};
    for (uint32_t i = 0; i < HD_HDL_KINDS; i++)
        if (wanted[i] != (sections[i].data != NULL))
            return FAIL(o, "section '%s' %s", hd_hdl_kind_name(hd_hdl_kind_in(view, i + 1)).text,
                        wanted[i] ? "is missing" : "should not be there");
    return HEDDLE_OK;
}

static heddle_status open_sections(opening *o) {
    HD_TRY(check_header(o));
    HD_TRY(check_values(o));
    const hd_hdl_entry *table = table_of(o);
    for (uint32_t i = 0; i < o->header.sections; i++)
        HD_TRY(take_section(o, &table[i]));
    for (int view = 0; view < HD_HDL_VIEWS; view++)
        HD_TRY(check_presence(o, view));
    return HEDDLE_OK;
}

static hd_csr view_csr(const section *sections, bool mapped) {
    return (hd_csr){.offsets = (void *)sections[0].data,
                    .targets = (void *)sections[1].data,
                    .weights = sections[2].data,
                    .mapped = mapped};
}

/* A graph over the sections of one view; it does not own their memory. */
static heddle_status make_graph(const opening *o, int view, heddle_graph **result) {
    const section *sections = o->sections[view];
    heddle_graph *graph;
    size_t name_bytes = strlen(o->input->name) + 1;
    HD_TRY(hd_graph_new(o->ctx, &graph));
    graph->source_name = hd_alloc(&o->ctx->allocator, name_bytes);
    if (!graph->source_name) {
        heddle_graph_destroy(&graph);
        return hd_fail_memory(o->ctx, name_bytes, "a file's name");
    }
    memcpy(graph->source_name, o->input->name, name_bytes);
    graph->vertices = o->header.vertices;
    graph->edges = o->header.edges;
    graph->directed = o->header.flags & HD_HDL_DIRECTED;
    graph->weight_type = (heddle_weight_type)o->header.weight_type;
    graph->out = view_csr(&sections[HD_HDL_OUT_OFFSETS - 1], o->input->mapped);
    graph->in = view_csr(&sections[HD_HDL_IN_OFFSETS - 1], o->input->mapped);
    graph->places = (void *)sections[HD_HDL_PLACES - 1].data;
    graph->mapping = (hd_mapping){.unchecked = HD_VERIFY_OUT | (view ? HD_VERIFY_PLACES : HD_VERIFY_IDS) |
                                               (graph->in.offsets ? HD_VERIFY_IN : 0),
                                  .view = view,
                                  .stamp = o->input->stamp};
    graph->unproven = (!graph->directed || graph->in.offsets ? HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS : 0) |
                      (view ? HD_VERIFY_SAME | HD_VERIFY_SAME_WEIGHTS : 0);
    if (graph->weight_type == HEDDLE_WEIGHT_NONE)
        graph->unproven &= ~(HD_VERIFY_TRANSPOSE_WEIGHTS | HD_VERIFY_SAME_WEIGHTS);
    for (int i = 0; i < HD_HDL_KINDS; i++)
        graph->mapping.checksums[i] = sections[i].checksum;
    for (int i = 0; i < HD_PACKED_KINDS; i++) {
        const section *packed = &sections[HD_HDL_PACKED_OUT - 1 + i];
        graph->mapping.packed[i] = (hd_packed_section){packed->data, packed->bytes};
        graph->mapping.unchecked |= packed->data ? HD_VERIFY_PACKED << i : 0;
    }
    graph->verify = hd_hdl_verify;
    *result = graph;
    return HEDDLE_OK;
}

static heddle_status add_renamed(const opening *o, heddle_graph *graph) {
    for (int view = 1; view < HD_HDL_VIEWS; view++) {
        heddle_graph **renamed = &graph->renamed[view - 1];
        if (!o->sections[view][HD_HDL_PLACES - 1].data)
            continue;
        HD_TRY(make_graph(o, view, renamed));
        (*renamed)->original = graph;
        (*renamed)->origin = graph->serial;
    }
    return HEDDLE_OK;
}

/* Makes the graph, which takes ownership of the input's memory. */
static heddle_status hand_over(const opening *o, hd_input *input, heddle_graph **result) {
    const section *sections = o->sections[0];
    heddle_graph *graph;
    HD_TRY(make_graph(o, 0, &graph));
    heddle_status status = add_renamed(o, graph);
    if (status != HEDDLE_OK) {
        heddle_graph_destroy(&graph);
        return status;
    }
    graph->ids = (hd_ids){.type = (heddle_id_type)o->header.id_type,
                          .base = o->header.id_base,
                          .values = (void *)sections[HD_HDL_ID_VALUES - 1].data,
                          .starts = (void *)sections[HD_HDL_LABEL_STARTS - 1].data,
                          .text = sections[HD_HDL_LABEL_TEXT - 1].data};
    for (int i = 0; i < HD_KEPT_MOST; i++)
        if (o->kept[i].data)
            graph->kept[graph->kept_count++] = (hd_kept){.words = (const void *)o->kept[i].data,
                                                         .count = o->kept[i].bytes / sizeof(uint64_t),
                                                         .checksum = o->kept[i].checksum};
    graph->mapping.address = (void *)(uintptr_t)input->data;
    graph->mapping.bytes = (size_t)(input->mapped ? input->bytes : input->capacity);
    graph->mapping.mapped = input->mapped;
    graph->mapping.named = input->named;
    graph->mapping.text_bytes = sections[HD_HDL_LABEL_TEXT - 1].bytes;
    input->data = NULL;
    *result = graph;
    return HEDDLE_OK;
}

static heddle_status read_hdl(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    opening o = {.ctx = ctx, .input = input};
    HD_TRY(open_sections(&o));
    HD_TRY(hand_over(&o, input, graph));
    if (!hd_build_options_change(ctx, &options->build, (*graph)->weight_type))
        return HEDDLE_OK;
    if (ctx->link) {
        heddle_graph_destroy(graph);
        return hd_fail_file(ctx, HEDDLE_E_REFUSED, o.input->name, 0,
                            "several ranks take the graph as it is: change it first, with one process: heddle convert");
    }
    heddle_graph *rebuilt = NULL;
    heddle_status status = hd_hdl_verify(ctx, *graph, HD_VERIFY_OUT | HD_VERIFY_IDS, NULL);
    if (status == HEDDLE_OK)
        status = hd_graph_rebuild(ctx, *graph, &options->build, &rebuilt);
    heddle_graph_destroy(graph);
    *graph = rebuilt;
    return status;
}

static int sniff_hdl(const char *data, uint64_t bytes) {
    return bytes >= 4 && memcmp(data, HD_HDL_MAGIC, 4) == 0 ? 100 : 0;
}

const hd_format hd_format_hdl = {
    .info = {"hdl", "Heddle's own: mapped rather than read, checksummed, holds everything", ".hdl"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_INTEGER_WEIGHTS |
             HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .sniff = sniff_hdl,
    .read = read_hdl,
    .write = hd_hdl_write,
};
