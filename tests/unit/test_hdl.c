/* test_hdl.c - Heddle's own file: what goes in comes out, opening touches nothing but the header, and damage is found
 * before it can do harm. */
#define _GNU_SOURCE
#include "context_case.h"

#include "base/hash.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "graph/pack.h"
#include "io/hdl.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Graphs ----------------------------------------------------------------------------------------------------- */

enum ids { IDS_BASE, IDS_HOLES, IDS_UNSIGNED, IDS_LABELS, IDS_KINDS };

static void give_labels(heddle_graph *graph) {
    static const char text[] = "anna bob\xc3\xa9 c the-last-one";
    uint64_t n = graph->vertices, *starts;
    char *copy;
    support_assert_status(ctx, HD_NEW(ctx, &starts, n + 1, "starts"), HEDDLE_OK);
    support_assert_status(ctx, HD_NEW(ctx, &copy, sizeof text - 1, "text"), HEDDLE_OK);
    memcpy(copy, text, sizeof text - 1);
    for (uint64_t v = 0; v <= n; v++) /* uneven pieces, the second one empty */
        starts[v] = v == 2 ? (sizeof text - 1) / n : (sizeof text - 1) * v / n;
    HD_DELETE(&ctx->allocator, graph->ids.values, n);
    graph->ids = (hd_ids){.type = HEDDLE_ID_STRING, .text = copy, .starts = starts, .owned = true};
}

/* Six vertices, one of them isolated, loops and parallel edges among them. */
static heddle_graph *make_graph(heddle_weight_type type, bool symmetrize, enum ids ids) {
    static const int64_t sources[] = {0, 0, 0, 1, 2, 4, 4, 4, 1, 2}, targets[] = {1, 2, 4, 1, 0, 0, 2, 2, 4, 5};
    static const uint32_t unsigned_weights[] = {1, 4000000000u, 3, 4, 5, 6, 7, 8, 9, 10};
    static const int32_t signed_weights[] = {-1, 2, -2000000000, 4, 5, 6, 7, 8, 9, 10};
    static const float real_weights[] = {0.5f, 1e-30f, 3, -4.25f, 5, 6, 7, 8, 9, 1e30f};
    const void *const weights[] = {NULL, unsigned_weights, signed_weights, real_weights};
    heddle_build_options options;
    heddle_graph *graph;
    heddle_build_options_init(&options);
    options.symmetrize = symmetrize;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 6, 10, sources, targets, weights[type], type, &options, &graph),
                          HEDDLE_OK);
    if (ids == IDS_BASE)
        graph->ids.base = 1;
    if (ids == IDS_LABELS)
        give_labels(graph);
    if (ids == IDS_HOLES || ids == IDS_UNSIGNED) {
        support_assert_status(ctx, HD_NEW(ctx, &graph->ids.values, 6, "ids"), HEDDLE_OK);
        for (int v = 0; v < 6; v++)
            graph->ids.values[v] =
                ids == IDS_HOLES ? v * 1000 - 2500 : (int64_t)(INT64_MAX - UINT64_C(2) + (unsigned)v);
        graph->ids.type = ids == IDS_HOLES ? HEDDLE_ID_I64 : HEDDLE_ID_U64;
        graph->ids.owned = true;
    }
    return graph;
}

static const char *save_as(const heddle_graph *graph, const char *name, bool in_edges) {
    const char *path = support_temp_path(name);
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.in_edges = in_edges;
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, &options), HEDDLE_OK);
    return path;
}

/* Everything of a graph that can be looked at. */
static heddle_status use_all(const heddle_graph *graph) {
    heddle_adjacency rows;
    heddle_vertex vertex;
    HD_TRY(heddle_graph_out(ctx, graph, &rows));
    HD_TRY(heddle_graph_in(ctx, graph, &rows));
    heddle_status status = heddle_graph_find(ctx, graph, "no such id", &vertex);
    return status == HEDDLE_E_SOURCE ? HEDDLE_OK : status;
}

/* ---- Round trips ------------------------------------------------------------------------------------------------ */

static void assert_same_in(const heddle_graph *a, const heddle_graph *b) {
    heddle_adjacency x, y;
    uint64_t n = heddle_graph_vertices(a), m = heddle_graph_edges(a);
    support_assert_status(ctx, heddle_graph_in(ctx, a, &x), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_in(ctx, b, &y), HEDDLE_OK);
    assert_memory_equal(x.offsets, y.offsets, (n + 1) * 8);
    assert_memory_equal(x.targets, y.targets, m * 4);
    if (x.weights)
        assert_memory_equal(x.weights, y.weights, m * 4);
    support_assert_status(ctx, heddle_graph_in(ctx, b, &x), HEDDLE_OK); /* and again */
    assert_ptr_equal(x.targets, y.targets);
}

static void everything_comes_back(void **state) {
    const char *const names[] = {"round.hdl", "round.hdl.gz", "round.hdl.zst"};
    (void)state;
    for (int variant = 0; variant < 4 * 2 * IDS_KINDS * 2; variant++) {
        bool in_edges = variant % 2, symmetrize = variant / 2 % 2;
        heddle_graph *graph = make_graph((heddle_weight_type)(variant / 4 % 4), symmetrize, (enum ids)(variant / 16));
        for (int i = 0; i < 3; i++) {
            heddle_save_options options;
            heddle_save_options_init(&options);
            options.in_edges = in_edges;
            heddle_status status = heddle_graph_save(ctx, graph, support_temp_path(names[i]), &options);
            if (status == HEDDLE_E_UNSUPPORTED)
                continue;
            support_assert_status(ctx, status, HEDDLE_OK);
            heddle_graph *back = load_file(support_temp_path(names[i]));
            assert_int_equal(back->in.offsets != NULL, in_edges && !symmetrize);
            assert_int_equal(back->weight_type, graph->weight_type);
            assert_int_equal(back->ids.type, graph->ids.type);
            support_assert_same_graph(ctx, graph, back);
            assert_same_in(graph, back);
            heddle_graph_destroy(&back);
        }
        heddle_graph_destroy(&graph);
    }
}

static void empty_graphs(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 3; n++) {
        heddle_graph *graph, *back;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, n, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                              HEDDLE_OK);
        back = load_file(save_as(graph, "empty.hdl", true));
        support_assert_same_graph(ctx, graph, back);
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&back);
    }
}

/* Sections of more than one block, and pages. */
static void large_sections(void **state) {
    enum { N = 40000, M = 300000 };
    int64_t *ends = malloc(2 * M * sizeof *ends);
    heddle_graph *graph, *back;
    (void)state;
    for (uint64_t k = 0; k < 2 * M; k++)
        ends[k] = (int64_t)hd_below(hd_random(7, k), N);
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, N, M, ends, ends + M, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    back = load_file(save_as(graph, "large.hdl", true));
    assert_true(back->mapping.mapped);
    assert_int_equal((uintptr_t)back->out.targets % 4096, 0);
    support_assert_same_graph(ctx, graph, back);
    assert_same_in(graph, back);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
    free(ends);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void seal_header(hd_hdl_header *header, const hd_hdl_entry *table) {
    header->checksum = hd_hdl_header_checksum(header, table);
}

/* A file of 40 GiB, all of it holes, opens at once: nothing but the header is looked at. */
static void huge_files_open(void **state) {
    struct {
        hd_hdl_header header;
        hd_hdl_entry table[2];
    } file = {{.magic = HD_HDL_MAGIC, .endian = HD_HDL_ENDIAN, .version = HD_HDL_VERSION, .sections = 2}, {{0}}};
    const char *path = support_temp_path("huge.hdl");
    int fd = open(path, O_CREAT | O_RDWR, 0600);
    (void)state;
    file.header.vertices = UINT64_C(1) << 30;
    file.header.edges = UINT64_C(1) << 33;
    file.table[0] = (hd_hdl_entry){HD_HDL_OUT_OFFSETS, 0, 4096, ((UINT64_C(1) << 30) + 1) * 8, 0};
    file.table[1] = (hd_hdl_entry){HD_HDL_OUT_TARGETS, 0, UINT64_C(9) << 30, UINT64_C(1) << 35, 0};
    file.header.file_bytes = file.table[1].offset + file.table[1].bytes;
    seal_header(&file.header, file.table);
    if (ftruncate(fd, (off_t)file.header.file_bytes) != 0) {
        close(fd);
        print_message("skipped: no room for a file with holes\n");
        skip();
    }
    assert_int_equal(pwrite(fd, &file, sizeof file, 0), sizeof file);
    close(fd);
    heddle_graph *graph = load_file(path);
    assert_int_equal(heddle_graph_edges(graph), UINT64_C(1) << 33);
    heddle_graph_destroy(&graph);
    unlink(path);
}

/* ---- Damage ----------------------------------------------------------------------------------------------------- */

typedef struct image {
    char *data;
    size_t bytes;
} image;

static image read_image(const char *path) {
    image i;
    i.data = support_read_file(path, &i.bytes);
    return i;
}

static image make_image(heddle_weight_type type, bool symmetrize, enum ids ids) {
    heddle_graph *graph = make_graph(type, symmetrize, ids);
    image i = read_image(save_as(graph, "image.hdl", true));
    heddle_graph_destroy(&graph);
    return i;
}

static hd_hdl_header *header_of(image i) { return (hd_hdl_header *)(void *)i.data; }
static hd_hdl_entry *table_of(image i) { return (hd_hdl_entry *)(void *)(i.data + sizeof(hd_hdl_header)); }

static hd_hdl_entry *entry_of(image i, hd_hdl_kind kind) {
    for (uint32_t k = 0; k < header_of(i)->sections; k++)
        if (table_of(i)[k].kind == kind)
            return &table_of(i)[k];
    fail_msg("no section %d", kind);
    return NULL;
}

static void *section_of(image i, hd_hdl_kind kind) { return i.data + entry_of(i, kind)->offset; }

/* Makes all checksums right again: what a faulty or malicious writer could leave. */
static void seal(image i) {
    for (uint32_t k = 0; k < header_of(i)->sections; k++) {
        hd_hdl_entry *entry = &table_of(i)[k];
        bool sound;
        if (entry->offset <= i.bytes && entry->bytes <= i.bytes - entry->offset)
            support_assert_status(ctx,
                                  hd_hash_array(ctx, i.data + entry->offset, entry->bytes, NULL, NULL, &entry->checksum,
                                                &sound),
                                  HEDDLE_OK);
    }
    seal_header(header_of(i), table_of(i));
}

static heddle_status load_image(image i) {
    const char *path = support_write_file("damaged.hdl", i.data, i.bytes);
    heddle_graph *graph;
    HD_TRY(heddle_graph_load(ctx, path, NULL, &graph));
    heddle_status status = use_all(graph);
    heddle_graph_destroy(&graph);
    return status;
}

static void assert_damage(image i, const char *words) {
    support_assert_status(ctx, load_image(i), HEDDLE_E_FORMAT);
    support_assert_message(ctx, words);
    support_assert_message(ctx, "damaged.hdl");
}

static void truncated_everywhere(void **state) {
    image i = make_image(HEDDLE_WEIGHT_F32, false, IDS_LABELS);
    (void)state;
    for (size_t cut = 1; cut < i.bytes; cut++) {
        heddle_graph *graph;
        const char *path = support_write_file("cut.hdl", i.data, cut);
        support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_E_FORMAT);
        assert_null(graph);
    }
    free(i.data);
}

static void longer_than_it_should_be(void **state) {
    image i = make_image(HEDDLE_WEIGHT_NONE, false, IDS_BASE);
    (void)state;
    i.data = realloc(i.data, i.bytes + 64);
    memset(i.data + i.bytes, 0, 64);
    i.bytes += 64;
    assert_damage(i, "something after its end");
    free(i.data);
}

/* Each byte, flipped, is found, or lies where nothing is. */
static void every_flipped_byte(void **state) {
    enum ids kinds[] = {IDS_HOLES, IDS_LABELS};
    (void)state;
    for (int k = 0; k < 2; k++) {
        image i = make_image(HEDDLE_WEIGHT_I32, false, kinds[k]);
        heddle_graph *original = load_file(support_write_file("original.hdl", i.data, i.bytes));
        for (size_t at = 0; at < i.bytes; at++) {
            heddle_graph *graph;
            i.data[at] ^= 0x40;
            heddle_status status =
                heddle_graph_load(ctx, support_write_file("damaged.hdl", i.data, i.bytes), NULL, &graph);
            if (status == HEDDLE_OK)
                status = use_all(graph);
            if (status == HEDDLE_OK) {
                support_assert_same_graph(ctx, original, graph);
                assert_same_in(original, graph);
            } else {
                support_assert_status(ctx, status, HEDDLE_E_FORMAT);
            }
            heddle_graph_destroy(&graph);
            i.data[at] ^= 0x40;
        }
        heddle_graph_destroy(&original);
        free(i.data);
    }
}

/* The damage is found where the section is used, not before. */
static void found_on_first_use(void **state) {
    (void)state;
    for (int kind = HD_HDL_OUT_OFFSETS; kind <= HD_HDL_LABEL_TEXT; kind++) {
        image i = make_image(HEDDLE_WEIGHT_U32, false, kind == HD_HDL_ID_VALUES ? IDS_HOLES : IDS_LABELS);
        ((char *)section_of(i, (hd_hdl_kind)kind))[0] ^= 1;
        heddle_graph *graph = load_file(support_write_file("damaged.hdl", i.data, i.bytes));
        heddle_adjacency rows;
        heddle_vertex vertex;
        heddle_status out = heddle_graph_out(ctx, graph, &rows);
        bool in_section = kind >= HD_HDL_IN_OFFSETS && kind <= HD_HDL_IN_WEIGHTS;
        assert_int_equal(out, in_section ? HEDDLE_OK : HEDDLE_E_FORMAT); /* ids go with the rows */
        heddle_status in = heddle_graph_in(ctx, graph, &rows);
        assert_int_equal(in, kind <= HD_HDL_IN_WEIGHTS ? HEDDLE_E_FORMAT : HEDDLE_OK); /* held against out-edges */
        heddle_status ids = heddle_graph_find(ctx, graph, "x", &vertex);
        assert_int_equal(ids, kind >= HD_HDL_ID_VALUES ? HEDDLE_E_FORMAT : HEDDLE_E_SOURCE);
        assert_int_equal(use_all(graph), HEDDLE_E_FORMAT); /* again, and with the same words */
        support_assert_message(ctx, hd_hdl_kind_name((uint32_t)kind).text);
        support_assert_message(ctx, "its checksum is wrong");
        support_assert_message(ctx, "damaged.hdl");
        heddle_save_options options;
        heddle_save_options_init(&options);
        options.in_edges = 1;
        size_t entries = support_temp_entries();
        assert_int_equal(heddle_graph_save(ctx, graph, support_temp_path("copy.hdl"), &options), HEDDLE_E_FORMAT);
        assert_int_equal(support_temp_entries(), entries);
        heddle_graph_destroy(&graph);
        free(i.data);
    }
}

static void headers_that_lie(void **state) {
    image i = make_image(HEDDLE_WEIGHT_F32, false, IDS_HOLES);
    hd_hdl_header *header = header_of(i), saved = *header;
    hd_hdl_entry *entry = entry_of(i, HD_HDL_OUT_TARGETS), saved_entry = *entry;
    (void)state;
#define TRY(change, words)                \
    do {                                  \
        change;                           \
        seal_header(header, table_of(i)); \
        assert_damage(i, words);          \
        *header = saved;                  \
        *entry = saved_entry;             \
    } while (0)
    TRY(header->edges = UINT64_C(1000000000000000000), "wrong for");
    TRY(header->edges = UINT64_MAX, "wrong for");
    TRY(header->vertices = 1u << 31, "wrong for");
    TRY(header->edges = 9, "wrong for");
    TRY(header->flags = 0, "should not be there"); /* in-edges of an undirected graph */
    TRY(header->flags = 5, "does not know");
    TRY(header->weight_type = 0, "should not be there");
    TRY(header->weight_type = 4, "does not know");
    TRY(header->id_type = 2, "should not be there");
    TRY(header->id_type = 3, "does not know");
    TRY(header->version = 3, "version 3");
    TRY(header->version = 0, "does not know");
    TRY(header->endian = __builtin_bswap32(HD_HDL_ENDIAN), "other byte order");
    TRY(header->endian = 7, "damaged");
    TRY(header->magic[5] = '\r', "damaged"); /* a transfer in text mode */
    TRY(header->id_base = INT64_MAX, "leave 64 bits");
    TRY(header->file_bytes += 64, "truncated");
    TRY(entry->offset = UINT64_MAX - 63, "outside the file");
    TRY(entry->offset = 0, "outside the file");
    TRY(entry->offset += 4, "outside the file");
    TRY(entry->bytes = UINT64_MAX, "outside the file");
    TRY(entry->bytes -= 4, "wrong for");
    TRY(entry->kind = HD_HDL_OUT_OFFSETS, "there twice");
    TRY(entry->kind = HD_HDL_LABEL_TEXT, "is missing");
    TRY((entry->kind = 99, entry->flags = HD_HDL_REQUIRED), "must know");
    TRY(entry->kind = 99, "is missing");
    header->sections = 2000; /* not TRY: the checksum would run past the end */
    assert_damage(i, "claims 2000 sections");
    header->sections = 1000;
    assert_damage(i, "table of sections");
    *header = saved;
    header->vertices = UINT64_C(1) << 32;
    seal_header(header, table_of(i));
    support_assert_status(ctx, load_image(i), HEDDLE_E_LIMIT);
#undef TRY
    free(i.data);
}

static void sections_that_lie(void **state) {
    image i = make_image(HEDDLE_WEIGHT_F32, false, IDS_HOLES);
    image labels = make_image(HEDDLE_WEIGHT_NONE, false, IDS_LABELS);
    (void)state;
#define TRY(image, type, kind, change, words)                     \
    do {                                                          \
        char *saved = malloc(image.bytes);                        \
        memcpy(saved, image.data, image.bytes);                   \
        type *p = section_of(image, kind);                        \
        change;                                                   \
        seal(image);                                              \
        assert_damage(image, words);                              \
        support_assert_message(ctx, hd_hdl_kind_name(kind).text); \
        memcpy(image.data, saved, image.bytes);                   \
        free(saved);                                              \
    } while (0)
    TRY(i, uint64_t, HD_HDL_OUT_OFFSETS, p[2] = 0, "fall");
    TRY(i, uint64_t, HD_HDL_OUT_OFFSETS, p[0] = 1, "first to the last");
    TRY(i, uint64_t, HD_HDL_OUT_OFFSETS, p[6] = UINT64_MAX, "first to the last");
    TRY(i, uint64_t, HD_HDL_OUT_OFFSETS, p[3] = UINT64_MAX, "fall");
    TRY(i, uint32_t, HD_HDL_OUT_TARGETS, p[0] = 6, "no vertex");
    TRY(i, uint32_t, HD_HDL_OUT_TARGETS, p[9] = UINT32_MAX, "no vertex");
    TRY(i, uint32_t, HD_HDL_OUT_TARGETS, p[0] = 3, "do not ascend");
    TRY(i, uint32_t, HD_HDL_IN_TARGETS, p[0] = 5, "do not ascend");
    TRY(i, float, HD_HDL_OUT_WEIGHTS, p[4] = NAN, "not finite");
    TRY(i, float, HD_HDL_IN_WEIGHTS, p[9] = -INFINITY, "not finite");
    TRY(i, int64_t, HD_HDL_ID_VALUES, p[3] = p[2], "do not ascend");
    TRY(i, int64_t, HD_HDL_ID_VALUES, p[0] = INT64_MAX, "do not ascend");
    TRY(labels, uint64_t, HD_HDL_LABEL_STARTS, p[1] = UINT64_MAX, "fall");
    TRY(labels, uint64_t, HD_HDL_LABEL_STARTS, p[6] -= 1, "first to the last");
    TRY(labels, char, HD_HDL_LABEL_TEXT, memcpy(p + 12, p, 4), "the same label"); /* of the first and fourth vertex */
#undef TRY
    free(i.data);
    free(labels.data);
}

/* ---- Packed edges ----------------------------------------------------------------------------------------------- */

static heddle_graph *make_larger(bool symmetrize, bool weighted) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.scale = 8;
    options.weighted = weighted;
    options.build.symmetrize = symmetrize;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static heddle_status save_packed(heddle_context *context, const heddle_graph *graph, const char *path) {
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.in_edges = options.packed = 1;
    options.order = "degree";
    return heddle_graph_save(context, graph, path, &options);
}

/* What is packed of it and how many chunks that takes. */
static heddle_status use_packed(heddle_context *context, const heddle_graph *graph, uint64_t chunks[HD_PACKED_KINDS]) {
    for (int what = 0; what < HD_PACKED_KINDS; what++) {
        hd_packed packed;
        HD_TRY(hd_graph_packed(context, graph, (hd_packed_what)what, &packed));
        chunks[what] = packed.words ? packed.chunks : 0;
    }
    return HEDDLE_OK;
}

/* Files keep the edges packed too, those of renamed graphs included, and the same bytes with any number of threads. */
static void packed_comes_back(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool symmetrize = i % 2, weighted = i / 2;
        heddle_graph *graph = make_larger(symmetrize, weighted), *back;
        uint64_t count = (graph->edges + HD_PACK_CHUNK - 1) / HD_PACK_CHUNK, chunks[HD_PACKED_KINDS];
        const char *path = support_temp_path("packed.hdl");
        assert_true(count > 2);
        support_assert_status(ctx, save_packed(ctx, graph, path), HEDDLE_OK);
        back = load_file(path);
        support_assert_same_graph(ctx, graph, back);
        for (int k = 0; k < 2; k++) {
            const heddle_graph *of = k ? hd_order_kept(back, hd_order_named("degree", 6)) : back;
            assert_non_null(of);
            support_assert_status(ctx, use_packed(ctx, of, chunks), HEDDLE_OK);
            assert_int_equal(chunks[HD_PACKED_OUT], count);
            assert_int_equal(chunks[HD_PACKED_IN], count);
            assert_int_equal(chunks[HD_PACKED_WEIGHTS], weighted ? count : 0);
        }
        heddle_context *one = support_context(1);
        support_assert_status(one, save_packed(one, back, support_temp_path("again.hdl")), HEDDLE_OK);
        image a = read_image(path), b = read_image(support_temp_path("again.hdl"));
        assert_int_equal(a.bytes, b.bytes);
        assert_memory_equal(a.data, b.data, a.bytes);
        free(a.data);
        free(b.data);
        heddle_context_destroy(&one);
        heddle_graph_destroy(&back);
        heddle_graph_destroy(&graph);
    }
}

static heddle_status load_packed(image i) {
    uint64_t chunks[HD_PACKED_KINDS];
    heddle_graph *graph;
    HD_TRY(heddle_graph_load(ctx, support_write_file("damaged.hdl", i.data, i.bytes), NULL, &graph));
    heddle_status status = use_packed(ctx, graph, chunks);
    heddle_graph_destroy(&graph);
    return status;
}

/* Packed sections that were damaged, and those that hold something else: found before they are used. */
static void packed_that_lies(void **state) {
    static const struct {
        uint32_t kind, word, bits; /* that are turned over; words from the section's beginning */
        const char *words;
    } lies[] = {{HD_HDL_PACKED_OUT, 0, 1, "fit together"},
                {HD_HDL_PACKED_OUT, 1, 1, "fit together"},
                {HD_HDL_PACKED_OUT, 1, 0x80000000, "fit together"},
                {HD_HDL_PACKED_IN, 2, UINT32_MAX, "fit together"},
                {HD_HDL_PACKED_OUT, 9, 0x40, "fit together"},     /* the width of a block */
                {HD_HDL_PACKED_OUT, 17, 1, "edges of the graph"}, /* a gap */
                {HD_HDL_PACKED_WEIGHTS, 17, 1, "weights of the graph"}};
    heddle_graph *graph = make_larger(false, true);
    (void)state;
    support_assert_status(ctx, save_packed(ctx, graph, support_temp_path("packed.hdl")), HEDDLE_OK);
    assert_int_equal(hd_packed_front((graph->edges + HD_PACK_CHUNK - 1) / HD_PACK_CHUNK), 8);
    image i = read_image(support_temp_path("packed.hdl"));
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        uint32_t *word = (uint32_t *)section_of(i, (hd_hdl_kind)lies[k].kind) + lies[k].word;
        *word ^= lies[k].bits;
        support_assert_status(ctx, load_packed(i), HEDDLE_E_FORMAT);
        support_assert_message(ctx, "its checksum is wrong");
        seal(i);
        if (load_packed(i) != HEDDLE_E_FORMAT)
            fail_msg("lie %zu was believed", k);
        support_assert_message(ctx, lies[k].words);
        support_assert_message(ctx, hd_hdl_kind_name(lies[k].kind).text);
        *word ^= lies[k].bits;
        seal(i);
    }
    for (int k = 0; k < 2; k++) { /* too short for its directory, or no whole number of units */
        hd_hdl_entry *entry = entry_of(i, HD_HDL_PACKED_OUT);
        uint64_t bytes = entry->bytes;
        entry->bytes = k ? bytes - 4 : 16;
        seal(i);
        support_assert_status(ctx, load_packed(i), HEDDLE_E_FORMAT);
        support_assert_message(ctx, "section 'packed out targets' has");
        entry->bytes = bytes - 16; /* the last chunk loses its end */
        seal(i);
        support_assert_status(ctx, load_packed(i), HEDDLE_E_FORMAT);
        support_assert_message(ctx, "fit together");
        entry->bytes = bytes;
        seal(i);
    }
    support_assert_status(ctx, load_packed(i), HEDDLE_OK);
    free(i.data);
    heddle_graph_destroy(&graph);
}

static heddle_status pack_and_use(heddle_context *failing, void *user) {
    uint64_t chunks[HD_PACKED_KINDS];
    heddle_graph *graph;
    HD_TRY(heddle_graph_load(failing, user, NULL, &graph));
    heddle_status status = use_packed(failing, graph, chunks);
    if (status == HEDDLE_OK)
        status = save_packed(failing, graph, support_temp_path("copy.hdl"));
    heddle_graph_destroy(&graph);
    return status;
}

static void packed_memory_fails(void **state) {
    heddle_graph *graph = make_larger(false, true);
    char *path = (char *)(uintptr_t)support_temp_path("memory.hdl");
    (void)state;
    support_assert_status(ctx, save_packed(ctx, graph, path), HEDDLE_OK);
    support_try_every_failure(pack_and_use, path);
    heddle_graph_destroy(&graph);
}

/* Labels can be asked for without a context, hence before they are checked: wild starts must do no harm. */
static void wild_labels(void **state) {
    image i = make_image(HEDDLE_WEIGHT_NONE, false, IDS_LABELS);
    char text[64];
    (void)state;
    uint64_t *starts = section_of(i, HD_HDL_LABEL_STARTS);
    starts[1] = UINT64_MAX / 2;
    starts[4] = 1 << 20;
    seal(i);
    heddle_graph *graph = load_file(support_write_file("damaged.hdl", i.data, i.bytes));
    for (heddle_vertex v = 0; v < 6; v++)
        assert_true(heddle_graph_id_text(graph, v, text, sizeof text) < sizeof text);
    heddle_graph_destroy(&graph);
    free(i.data);
}

/* Sections from the future are left alone. */
static void unknown_sections(void **state) {
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_U32, false, IDS_HOLES);
    image i = read_image(save_as(graph, "known.hdl", true));
    (void)state;
    for (int kind = HD_HDL_IN_OFFSETS; kind <= HD_HDL_IN_WEIGHTS; kind++)
        entry_of(i, (hd_hdl_kind)kind)->kind = 100 + (uint32_t)kind;
    seal(i);
    heddle_graph *back = load_file(support_write_file("unknown.hdl", i.data, i.bytes));
    assert_null(back->in.offsets);
    support_assert_same_graph(ctx, graph, back);
    assert_same_in(graph, back);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
    free(i.data);
}

/* Files written once stay readable, and are written the same way again. */
static void old_files_stay(void **state) {
    static const char *const names[] = {"plain", "real-both", "undirected", "ids", "labels", "no-edges"};
    const char *root = getenv("HEDDLE_SOURCE_DIR");
    (void)state;
    if (!root) {
        print_message("skipped: HEDDLE_SOURCE_DIR is not set\n");
        skip();
    }
    for (int k = 0; k < 6; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hdl/%s.hdl", root, names[k]);
        heddle_graph *graph = load_file(path);
        support_assert_status(ctx, use_all(graph), HEDDLE_OK);
        image old = read_image(path), again = read_image(save_as(graph, "again.hdl", k == 1 || k == 4));
        assert_int_equal(again.bytes, old.bytes);
        assert_memory_equal(again.data, old.data, old.bytes);
        heddle_graph_destroy(&graph);
        free(old.data);
        free(again.data);
    }
}

/* ---- Changes while loading -------------------------------------------------------------------------------------- */

static void build_options_apply(void **state) {
    heddle_load_options options;
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_I32, false, IDS_BASE), *changed;
    heddle_graph *expected = make_graph(HEDDLE_WEIGHT_I32, true, IDS_BASE);
    (void)state;
    const char *path = save_as(graph, "options.hdl", false);
    heddle_load_options_init(&options);
    options.build.symmetrize = 1;
    support_assert_status(ctx, heddle_graph_load(ctx, path, &options, &changed), HEDDLE_OK);
    assert_false(changed->mapping.address);
    support_assert_same_graph(ctx, expected, changed);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&expected);
    heddle_graph_destroy(&changed);
    /* what is damaged is not rebuilt */
    image i = make_image(HEDDLE_WEIGHT_I32, false, IDS_LABELS);
    ((char *)section_of(i, HD_HDL_LABEL_TEXT))[3] ^= 1;
    path = support_write_file("damaged.hdl", i.data, i.bytes);
    support_assert_status(ctx, heddle_graph_load(ctx, path, &options, &changed), HEDDLE_E_FORMAT);
    assert_null(changed);
    free(i.data);
}

static void labels_survive_a_rebuild(void **state) {
    heddle_load_options options;
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_NONE, false, IDS_LABELS), *changed;
    char before[64], after[64];
    (void)state;
    heddle_load_options_init(&options);
    options.build.drop_isolated = options.build.drop_loops = 1;
    support_assert_status(ctx, heddle_graph_load(ctx, save_as(graph, "labels.hdl", false), &options, &changed),
                          HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(changed), 5); /* vertex 3 is gone */
    assert_int_equal(heddle_graph_edges(changed), 9);
    for (heddle_vertex v = 0; v < 5; v++) {
        heddle_graph_id_text(graph, v < 3 ? v : v + 1, before, sizeof before);
        heddle_graph_id_text(changed, v, after, sizeof after);
        assert_string_equal(before, after);
    }
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&changed);
}

/* ---- Trouble ---------------------------------------------------------------------------------------------------- */

typedef struct attempt {
    const char *path;
    bool rebuild;
} attempt;

static heddle_status load_and_use(heddle_context *failing, void *user) {
    const attempt *a = user;
    heddle_load_options options;
    heddle_graph *graph;
    heddle_adjacency rows;
    heddle_load_options_init(&options);
    options.build.symmetrize = options.build.drop_isolated = a->rebuild;
    HD_TRY(heddle_graph_load(failing, a->path, &options, &graph));
    heddle_status status = heddle_graph_out(failing, graph, &rows);
    if (status == HEDDLE_OK)
        status = heddle_graph_in(failing, graph, &rows);
    if (status == HEDDLE_OK && !a->rebuild)
        status = heddle_graph_save(failing, graph, support_temp_path("copy.hdl"), NULL);
    heddle_graph_destroy(&graph);
    return status;
}

/* The first section, of 8 MiB, fails in its first piece; more sections would follow. */
static void full_device(void **state) {
    (void)state;
    const int64_t from = 0, to = 1;
    const double weight = 0.5;
    heddle_graph *graph;
    heddle_save_options options;
    if (access("/dev/full", W_OK) != 0)
        skip();
    support_assert_status(
        ctx, heddle_graph_from_edges(ctx, 1 << 20, 1, &from, &to, &weight, HEDDLE_WEIGHT_F64, NULL, &graph), HEDDLE_OK);
    heddle_save_options_init(&options);
    options.format = "hdl";
    options.in_edges = 1;
    support_assert_status(ctx, heddle_graph_save(ctx, graph, "/dev/full", &options), HEDDLE_E_WRITE);
    support_assert_message(ctx, "/dev/full: cannot write: No space left on device");
    heddle_graph_destroy(&graph);
}

static void memory_fails(void **state) {
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_F32, false, IDS_LABELS);
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        attempt a = {save_as(graph, "memory.hdl", variant & 1), variant & 2};
        support_try_every_failure(load_and_use, &a);
    }
    heddle_graph_destroy(&graph);
}

static void cancelled(void **state) {
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_F32, false, IDS_LABELS);
    heddle_adjacency rows;
    (void)state;
    heddle_graph *back = load_file(save_as(graph, "cancelled.hdl", true));
    support_cancel(ctx);
    assert_int_equal(heddle_graph_out(ctx, back, &rows), HEDDLE_E_CANCELLED);
    assert_int_equal(heddle_graph_save(ctx, graph, support_temp_path("never.hdl"), NULL), HEDDLE_E_CANCELLED);
    support_uncancel(ctx);
    assert_int_not_equal(access(support_temp_path("never.hdl"), F_OK), 0);
    support_assert_same_graph(ctx, graph, back);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

static void *use_in_thread(void *graph) {
    heddle_context *own = NULL;
    heddle_adjacency rows;
    heddle_vertex vertex;
    heddle_status status = heddle_context_create(NULL, &own);
    if (status == HEDDLE_OK)
        status = heddle_graph_out(own, graph, &rows);
    if (status == HEDDLE_OK)
        status = heddle_graph_in(own, graph, &rows);
    if (status == HEDDLE_OK && heddle_graph_find(own, graph, "none", &vertex) != HEDDLE_E_SOURCE)
        status = HEDDLE_E_INTERNAL;
    heddle_context_destroy(&own);
    return (void *)(intptr_t)status;
}

/* Several threads, each with its own context, come upon an unchecked graph at once. */
static void many_threads(void **state) {
    heddle_graph *graph = make_graph(HEDDLE_WEIGHT_F32, false, IDS_LABELS);
    heddle_graph *back = load_file(save_as(graph, "threads.hdl", true));
    pthread_t threads[4];
    void *status;
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, back), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &status);
        assert_int_equal((intptr_t)status, HEDDLE_OK);
    }
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back), cmocka_unit_test(empty_graphs),
        cmocka_unit_test(large_sections),        cmocka_unit_test(huge_files_open),
        cmocka_unit_test(truncated_everywhere),  cmocka_unit_test(longer_than_it_should_be),
        cmocka_unit_test(every_flipped_byte),    cmocka_unit_test(found_on_first_use),
        cmocka_unit_test(headers_that_lie),      cmocka_unit_test(sections_that_lie),
        cmocka_unit_test(packed_comes_back),     cmocka_unit_test(packed_that_lies),
        cmocka_unit_test(packed_memory_fails),   cmocka_unit_test(wild_labels),
        cmocka_unit_test(unknown_sections),      cmocka_unit_test(old_files_stay),
        cmocka_unit_test(build_options_apply),   cmocka_unit_test(labels_survive_a_rebuild),
        cmocka_unit_test(memory_fails),          cmocka_unit_test(cancelled),
        cmocka_unit_test(many_threads),          cmocka_unit_test(full_device),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
