/* test_huge_file.c - whole runs on a graph of more than 2^27 vertices and 2^32 edges that takes no room: where numbers
 * are 0 its .hdl file has a hole, and nearly all are. Four vertices have 2^30 parallel edges to vertex 0 each, and one
 * to another vertex at the end of the row; the edges of the last vertex are numbered from 2^32 on. Takes two minutes of
 * computing: only with HEDDLE_TEST_ALL, and without sanitizers. */
#include "context_case.h"

#include "base/hash.h"
#include "base/machine.h"
#include "io/hdl.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

enum { ROWS = 5, LAST_ROW = 1000, PAGE = 4096 };
static const uint64_t vertices = (UINT64_C(1) << 27) + 12345, long_row = (UINT64_C(1) << 30) + 7;

static void put(int file, uint64_t at, const void *data, size_t bytes) {
    assert_int_equal(pwrite(file, data, bytes, (off_t)at), bytes);
}

/* Of a section, of which only blocks at its beginning and those listed are read; the others are holes. */
static uint64_t checksum(int file, const hd_hdl_entry *entry, const uint64_t *places, size_t count) {
    uint64_t blocks = hd_hash_blocks(entry->bytes), *hashes = malloc(blocks * sizeof *hashes);
    char *block = calloc(1, HD_HASH_BLOCK);
    uint64_t nothing = hd_hash_block(block, HD_HASH_BLOCK);
    for (uint64_t k = 0; k < blocks; k++)
        hashes[k] = nothing;
    for (size_t i = 0; i <= count; i++) {
        uint64_t k = i < count ? places[i] / HD_HASH_BLOCK : blocks - 1, from = k * HD_HASH_BLOCK;
        size_t length = entry->bytes - from < HD_HASH_BLOCK ? entry->bytes - from : HD_HASH_BLOCK;
        assert_int_equal(pread(file, block, length, (off_t)(entry->offset + from)), length);
        hashes[k] = hd_hash_block(block, length);
    }
    uint64_t hash = hd_hash_join(hashes, entry->bytes);
    free(block);
    free(hashes);
    return hash;
}

static void write_offsets(int file, hd_hdl_entry *entry) {
    uint64_t at = (vertices - ROWS + 1) * 8, starts[ROWS];
    for (uint64_t i = 0; i < ROWS; i++)
        starts[i] = i + 1 < ROWS ? (i + 1) * long_row : (ROWS - 1) * long_row + LAST_ROW;
    put(file, entry->offset + at, starts, sizeof starts);
    entry->checksum = checksum(file, entry, &at, 1);
}

/* Each of the long rows ends with the next vertex, the last one with three others. */
static void write_targets(int file, hd_hdl_entry *entry) {
    uint64_t first = vertices - ROWS, places[ROWS];
    uint32_t last[] = {5, UINT32_C(1) << 27, (uint32_t)first};
    for (uint64_t i = 0; i + 1 < ROWS; i++) {
        uint32_t next = (uint32_t)(first + i + 1);
        places[i] = ((i + 1) * long_row - 1) * 4;
        put(file, entry->offset + places[i], &next, sizeof next);
    }
    places[ROWS - 1] = entry->bytes - sizeof last;
    put(file, entry->offset + places[ROWS - 1], last, sizeof last);
    entry->checksum = checksum(file, entry, places, ROWS);
}

/* False: there is no room for such a file. */
static bool write_file(const char *path) {
    hd_hdl_header header = {.magic = HD_HDL_MAGIC,
                            .endian = HD_HDL_ENDIAN,
                            .version = 1,
                            .vertices = vertices,
                            .edges = (ROWS - 1) * long_row + LAST_ROW,
                            .flags = HD_HDL_DIRECTED,
                            .sections = 2};
    hd_hdl_entry table[2] = {{.kind = HD_HDL_OUT_OFFSETS, .bytes = (vertices + 1) * 8},
                             {.kind = HD_HDL_OUT_TARGETS, .bytes = header.edges * 4}};
    int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0 && header.edges > UINT32_MAX);
    table[0].offset = PAGE;
    table[1].offset = (PAGE + table[0].bytes + PAGE - 1) / PAGE * PAGE;
    header.file_bytes = (table[1].offset + table[1].bytes + 63) / 64 * 64;
    bool fits = ftruncate(file, (off_t)header.file_bytes) == 0;
    if (fits) {
        write_offsets(file, &table[0]);
        write_targets(file, &table[1]);
        header.checksum = hd_hdl_header_checksum(&header, table);
        put(file, 0, &header, sizeof header);
        put(file, sizeof header, table, sizeof table);
    }
    close(file);
    return fits;
}

static heddle_result *run(const heddle_graph *graph, const char *algorithm) {
    heddle_run_options options;
    heddle_result *result;
    heddle_vertex source = (heddle_vertex)(vertices - ROWS);
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.memory_limit = UINT64_C(4) << 30;
    options.sources = &source;
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    const heddle_report *report = heddle_result_report(result);
    assert_string_equal(report->residency, "disk");
    assert_true(report->disk_edges > UINT64_C(1) << 34 && report->disk_resident < report->disk_edges);
    return result;
}

static void check_levels(const heddle_result *result) {
    const heddle_values *values = heddle_result_values(result);
    const uint32_t *levels = values->data;
    uint64_t first = vertices - ROWS, reached = 0;
    for (uint64_t v = 0; v < vertices; v++)
        reached += levels[v] != UINT32_MAX;
    assert_int_equal(reached, ROWS + 3);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_int_equal(levels[first + i], i);
    assert_int_equal(levels[0], 1);
    assert_int_equal(levels[5], ROWS);
    assert_int_equal(levels[UINT32_C(1) << 27], ROWS);
}

static void check_components(const heddle_result *result) {
    const uint32_t *labels = heddle_result_values(result)->data;
    uint64_t alone = 0;
    for (uint64_t v = 0; v < vertices; v++)
        alone += labels[v] == v;
    assert_int_equal(alone, vertices - ROWS - 2); /* of the eight, one has its own label */
    assert_int_equal(labels[5], 0);
    assert_int_equal(labels[UINT32_C(1) << 27], 0);
    for (uint64_t v = vertices - ROWS; v < vertices; v++)
        assert_int_equal(labels[v], 0);
}

static void test_runs(void **unused) {
    const char *path;
    heddle_graph *graph;
    heddle_result *result;
    (void)unused;
    if (SANITIZED || !getenv("HEDDLE_TEST_ALL") || hd_machine_memory("") < UINT64_C(8) << 30) {
        print_message("skipped: only with HEDDLE_TEST_ALL, and 8 GiB of memory\n");
        skip();
    }
    path = support_temp_path("huge.hdl");
    if (!write_file(path)) {
        print_message("skipped: no files of 17 GiB\n");
        skip();
    }
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), vertices);
    assert_int_equal(heddle_graph_edges(graph), (ROWS - 1) * long_row + LAST_ROW);
    result = run(graph, "bfs");
    check_levels(result);
    heddle_result_destroy(&result);
    result = run(graph, "cc");
    check_components(result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
