/* test_from_arrays.c - graphs from what a program has in memory: its own rows, labelled edges, the bytes of a file; and
 * the ways back: all ids at once, values as the type that is wanted. */
#include "context_case.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* 0 -> 1 (4), 0 -> 2 (1), 2 -> 1 (2), 3 alone */
static const uint64_t wide[] = {0, 2, 2, 3, 3};
static const uint32_t narrow[] = {0, 2, 2, 3, 3};
static const heddle_vertex targets[] = {1, 2, 1};
static const uint32_t weights[] = {4, 1, 2};

static heddle_graph *expected_graph(void) {
    static const int64_t from[] = {0, 0, 2}, to[] = {1, 2, 1};
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 4, 3, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

static void count_release(void *user) { ++*(int *)user; }

static void rows_without_a_copy(void **state) {
    (void)state;
    heddle_graph *expected = expected_graph();
    for (int bits = 32; bits <= 64; bits += 32) {
        heddle_csr_options options;
        heddle_graph *graph;
        heddle_adjacency out;
        heddle_result *result;
        int released = 0;
        heddle_csr_options_init(&options);
        options.release = count_release;
        options.release_user = &released;
        const void *offsets = bits == 32 ? (const void *)narrow : wide;
        support_assert_status(ctx,
                              heddle_graph_from_csr(ctx, 4, 3, offsets, bits, targets, weights, HEDDLE_WEIGHT_U32,
                                                    &options, &graph),
                              HEDDLE_OK);
        support_assert_same_graph(ctx, graph, expected);
        support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
        assert_ptr_equal(out.targets, targets);
        assert_ptr_equal(out.weights, weights);
        if (bits == 64)
            assert_ptr_equal(out.offsets, wide);
        heddle_run_options run = support_run_options("sssp", "cpu", "auto");
        run.sources = &(heddle_vertex){0};
        run.source_count = 1;
        support_assert_status(ctx, heddle_run(ctx, graph, &run, &result), HEDDLE_OK);
        assert_true(heddle_result_value(result, 1) == 3);
        support_assert_status(ctx, heddle_verify(ctx, graph, &run, result), HEDDLE_OK);
        heddle_result_destroy(&result);
        assert_int_equal(released, 0);
        heddle_graph_destroy(&graph);
        assert_int_equal(released, 1);
    }
    heddle_graph_destroy(&expected);
}

static heddle_status take(const uint64_t *offsets, const heddle_vertex *to, const void *weight, heddle_weight_type type,
                          int undirected) {
    heddle_csr_options options;
    heddle_graph *graph;
    int released = 0;
    heddle_csr_options_init(&options);
    options.undirected = undirected;
    options.release = count_release;
    options.release_user = &released;
    heddle_status status = heddle_graph_from_csr(ctx, 2, 2, offsets, 64, to, weight, type, &options, &graph);
    heddle_graph_destroy(&graph);
    assert_int_equal(released, status == HEDDLE_OK); /* on error the arrays stay the caller's */
    return status;
}

static void rows_that_are_none(void **state) {
    (void)state;
    static const uint64_t good[] = {0, 1, 2}, one_row[] = {0, 2, 2}, late[] = {1, 1, 2}, short_of[] = {0, 1, 1};
    static const uint64_t falling[] = {0, 3, 2}, huge[] = {0, UINT64_MAX, 2};
    static const heddle_vertex both[] = {1, 0}, outside[] = {1, 2}, same[] = {1, 1};
    static const float sound[] = {1, 1}, uneven[] = {1, 2}, infinite[] = {1, INFINITY};
    assert_int_equal(take(good, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_OK);
    assert_int_equal(take(good, both, sound, HEDDLE_WEIGHT_F32, 1), HEDDLE_OK);
    assert_int_equal(take(late, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "begin with 1");
    assert_int_equal(take(short_of, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "end with 1");
    assert_int_equal(take(falling, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "row 0");
    assert_int_equal(take(huge, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT);
    assert_int_equal(take(good, outside, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "row 1 has the target");
    assert_int_equal(take(one_row, both, NULL, HEDDLE_WEIGHT_NONE, 0), HEDDLE_E_ARGUMENT); /* 1, 0: falls */
    support_assert_message(ctx, "row 0 does not ascend: 0 stands behind 1");
    assert_int_equal(take(good, both, infinite, HEDDLE_WEIGHT_F32, 0), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "the arc 1 -> 0 has a weight that is not finite");
    assert_int_equal(take(good, same, NULL, HEDDLE_WEIGHT_NONE, 1), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "undirected");
    assert_int_equal(take(good, both, uneven, HEDDLE_WEIGHT_F32, 1), HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "weight");
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_csr(ctx, 4, 3, (const char *)wide + 4, 64, targets, NULL,
                                                HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "aligned");
    support_assert_status(ctx, heddle_graph_from_csr(ctx, 0, 0, wide, 64, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    heddle_graph_destroy(&graph);
}

static void labels(void **state) {
    (void)state;
    static const char *const from[] = {"York", "York", "Bath"}, *const to[] = {"Leeds", "Bath", "Leeds"};
    heddle_graph *graph, *read;
    uint64_t offsets[4];
    char text[16];
    support_assert_status(ctx, heddle_graph_from_labels(ctx, 3, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    const char lines[] = "York Leeds 4\nYork Bath 1\nBath Leeds 2\n";
    support_assert_status(ctx, heddle_graph_load_memory(ctx, lines, sizeof lines - 1, NULL, &read), HEDDLE_OK);
    support_assert_same_graph(ctx, graph, read);
    support_assert_status(ctx, heddle_graph_labels(ctx, graph, offsets, NULL, 0), HEDDLE_OK);
    assert_int_equal(offsets[3], 13);
    support_assert_status(ctx, heddle_graph_labels(ctx, graph, offsets, text, sizeof text), HEDDLE_OK);
    assert_memory_equal(text, "YorkLeedsBath", 13);
    assert_int_equal(offsets[1], 4);
    assert_int_equal(offsets[2], 9);
    support_assert_status(ctx, heddle_graph_ids(ctx, graph, (int64_t[3]){0}), HEDDLE_E_REFUSED);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&read);
    static const char *const empty[] = {"York", "", "Bath"};
    assert_int_equal(heddle_graph_from_labels(ctx, 3, from, empty, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                     HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "targets[1] is empty");
    char *longest = malloc(65537);
    memset(longest, 'a', 65536);
    longest[65536] = '\0';
    const char *const too_long[] = {"York", "York", longest};
    assert_int_equal(heddle_graph_from_labels(ctx, 3, too_long, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                     HEDDLE_E_LIMIT);
    free(longest);
}

/* York -> Leeds, York -> Bath, Bath -> Leeds, in every layout: the graph is that of NUL-terminated strings. */
static const char cities[] = "YorkYorkBath|LeedsBathLeeds";
static const uint32_t from_32[] = {0, 4, 8, 12}, to_32[] = {13, 18, 22, 27};
static const uint64_t from_64[] = {0, 4, 8, 12}, spread_at[] = {13, 8, 0}, spread_long[] = {5, 4, 4};
static const uint8_t from_codes[] = {2, 2, 1};
static const int64_t to_codes[] = {0, 1, 0};

static heddle_strings strings_of(const void *offsets, int bits, uint64_t count) {
    heddle_strings made;
    heddle_strings_init(&made);
    made.text = cities;
    made.offsets = offsets;
    made.offset_bits = bits;
    made.count = count;
    return made;
}

/* Leeds, Bath and York, from anywhere in the text. */
static heddle_strings coded(const void *codes, int bits) {
    heddle_strings made = strings_of(spread_at, 64, 3);
    made.lengths = spread_long;
    made.codes = codes;
    made.code_bits = bits;
    return made;
}

static void strings(void **state) {
    (void)state;
    static const char *const from[] = {"York", "York", "Bath"}, *const to[] = {"Leeds", "Bath", "Leeds"};
    heddle_strings layouts[][2] = {{strings_of(from_32, 32, 3), strings_of(to_32, 32, 3)},
                                   {strings_of(from_64, 64, 3), strings_of(to_32, 32, 3)},
                                   {coded(from_codes, 8), coded(to_codes, 64)},
                                   {strings_of(from_64, 64, 3), coded(to_codes, 64)}};
    heddle_build_options options;
    heddle_build_options_init(&options);
    for (int limited = 0; limited < 2; limited++) {
        heddle_graph *expected, *graph;
        options.memory_limit = limited ? 1 << 24 : 0;
        support_assert_status(ctx,
                              heddle_graph_from_labels(ctx, 3, from, to, weights, HEDDLE_WEIGHT_U32, &options,
                                                       &expected),
                              HEDDLE_OK);
        for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
            support_assert_status(ctx,
                                  heddle_graph_from_strings(ctx, 3, &layouts[k][0], &layouts[k][1], weights,
                                                            HEDDLE_WEIGHT_U32, &options, &graph),
                                  HEDDLE_OK);
            support_assert_same_graph(ctx, expected, graph);
            heddle_graph_destroy(&graph);
        }
        heddle_graph_destroy(&expected);
    }
}

/* What no label is, and which end it is at; a string of a dictionary that no code names may be anything. */
static void strings_that_are_none(void **state) {
    (void)state;
    static const uint64_t empty[] = {0, 4, 4, 8}, decreasing[] = {0, 4, 3, 7};
    static const uint8_t none[] = {0, 3, 1}, unused[] = {0, 2, 2};
    heddle_strings good = strings_of(from_64, 64, 3), odd = strings_of(empty, 64, 3);
    heddle_graph *graph;
#define NO_LABEL(side, words)                                                                                   \
    do {                                                                                                        \
        support_assert_status(ctx,                                                                              \
                              heddle_graph_from_strings(ctx, 3, &good, &(side), NULL, HEDDLE_WEIGHT_NONE, NULL, \
                                                        &graph),                                                \
                              HEDDLE_E_ARGUMENT);                                                               \
        support_assert_message(ctx, words);                                                                     \
    } while (0)
    NO_LABEL(odd, "targets[1] is empty");
    odd.offsets = decreasing;
    NO_LABEL(odd, "targets[1] is empty");
    odd = strings_of(from_64, 64, 3);
    odd.text = "York\0orkBath";
    NO_LABEL(odd, "targets[1] has a NUL byte in it");
    heddle_build_options limited;
    heddle_build_options_init(&limited);
    limited.memory_limit = 1 << 24;
    support_assert_status(ctx,
                          heddle_graph_from_strings(ctx, 3, &odd, &good, NULL, HEDDLE_WEIGHT_NONE, &limited, &graph),
                          HEDDLE_E_ARGUMENT);
    support_assert_message(ctx, "sources[1] has a NUL byte in it");
    odd = coded(none, 8);
    NO_LABEL(odd, "targets[1] has the code 3, and the dictionary 3 strings");
    odd = strings_of(empty, 64, 3);
    odd.codes = none;
    odd.code_bits = 8;
    NO_LABEL(odd, "targets[1] has the code 3");
    odd.codes = unused;
    support_assert_status(ctx, heddle_graph_from_strings(ctx, 3, &good, &odd, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), 2);
    heddle_graph_destroy(&graph);
#undef NO_LABEL
}

/* Many labels in many parts come out as one thread makes them. */
static void many_labels(void **state) {
    (void)state;
    enum { EDGES = 50000, NAMES = 7001 };
    static char names[NAMES][16];
    static const char *from[EDGES], *to[EDGES];
    for (int i = 0; i < NAMES; i++)
        snprintf(names[i], sizeof names[i], "name %d", i);
    for (int e = 0; e < EDGES; e++) {
        from[e] = names[(unsigned)e * 2654435761u % NAMES];
        to[e] = names[(unsigned)e * 40503u % NAMES];
    }
    heddle_context *alone = support_context(1);
    heddle_graph *a, *b;
    support_assert_status(ctx, heddle_graph_from_labels(ctx, EDGES, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &a),
                          HEDDLE_OK);
    support_assert_status(alone, heddle_graph_from_labels(alone, EDGES, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &b),
                          HEDDLE_OK);
    support_assert_same_graph(ctx, a, b);
    heddle_graph_destroy(&b);
    heddle_build_options limited;
    heddle_build_options_init(&limited); /* the builder reads the labels itself */
    limited.memory_limit = 1 << 28;
    support_assert_status(ctx, heddle_graph_from_labels(ctx, EDGES, from, to, NULL, HEDDLE_WEIGHT_NONE, &limited, &b),
                          HEDDLE_OK);
    support_assert_same_graph(ctx, a, b);
    heddle_vertex vertex;
    support_assert_status(ctx, heddle_graph_find(ctx, a, from[0], &vertex), HEDDLE_OK);
    assert_int_equal(vertex, 0);
    heddle_graph_destroy(&a);
    heddle_graph_destroy(&b);
    heddle_context_destroy(&alone);
}

enum { NAMED = 3000 }; /* a path over vertices "v0", "v1" … */

static heddle_graph *named_path(heddle_context *context) {
    static char names[NAMED][8];
    static const char *ends[NAMED];
    heddle_graph *graph;
    for (int v = 0; v < NAMED; v++) {
        snprintf(names[v], sizeof names[v], "v%d", v);
        ends[v] = names[v];
    }
    support_assert_status(context,
                          heddle_graph_from_labels(context, NAMED - 1, ends, ends + 1, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                   &graph),
                          HEDDLE_OK);
    return graph;
}

/* Returns a word on what was wrong, or NULL. */
static const char *find_names(heddle_context *context, const heddle_graph *graph) {
    char name[16];
    heddle_vertex vertex;
    for (unsigned v = 0; v < NAMED; v++) {
        snprintf(name, sizeof name, "v%u", v);
        if (heddle_graph_find(context, graph, name, &vertex) != HEDDLE_OK || vertex != v)
            return "a label was not found";
        vertex = 77;
        snprintf(name, sizeof name, "w%u", v);
        if (heddle_graph_find(context, graph, name, &vertex) != HEDDLE_E_SOURCE || vertex != 77)
            return "a label was found that no vertex has";
    }
    return heddle_graph_find(context, graph, "", &vertex) == HEDDLE_E_SOURCE ? NULL : "the empty label was found";
}

static void *find_in_thread(void *graph) {
    heddle_context *alone;
    if (heddle_context_create(NULL, &alone) != HEDDLE_OK)
        return "no context";
    const char *wrong = find_names(alone, graph);
    heddle_context_destroy(&alone);
    return (void *)(uintptr_t)wrong;
}

/* Both threads come upon a graph without the table of labels. */
static void names_in_two_threads(void **state) {
    (void)state;
    heddle_graph *graph = named_path(ctx);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_in_thread, graph), 0);
    for (int i = 0; i < 2; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        if (wrong)
            fail_msg("thread %d: %s", i, (const char *)wrong);
    }
    heddle_graph_destroy(&graph);
}

static void *allocate_unless(void *user, size_t bytes, int zero) {
    void *memory = *(bool *)user ? NULL : aligned_alloc(64, (bytes + 63) / 64 * 64);
    return memory && zero ? memset(memory, 0, bytes) : memory;
}

static void release(void *user, void *memory, size_t bytes) {
    (void)user;
    (void)bytes;
    free(memory);
}

static void names_without_memory(void **state) {
    (void)state;
    bool refuses = false;
    heddle_context_options options;
    heddle_context *scarce;
    heddle_context_options_init(&options);
    options.allocator = (heddle_allocator){allocate_unless, release, &refuses};
    assert_int_equal(heddle_context_create(&options, &scarce), HEDDLE_OK);
    heddle_graph *graph = named_path(scarce);
    refuses = true;
    assert_null(find_names(scarce, graph));
    refuses = false;
    assert_null(find_names(scarce, graph));
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&scarce);
}

/* Ascending edges, which become rows by a copy, and others; numbered ids, and any. */
static void ids_of_32_bits(void **state) {
    (void)state;
    enum { EDGES = 10000, VERTICES = 700 };
    static uint32_t from[EDGES], to[EDGES], weight[EDGES];
    static int64_t wide_from[EDGES], wide_to[EDGES];
    for (int ascending = 0; ascending < 2; ascending++)
        for (int numbered = 0; numbered < 2; numbered++) {
            uint32_t offset = numbered ? 0 : UINT32_MAX - VERTICES + 1; /* ids up to 2^32 - 1 */
            for (uint32_t e = 0; e < EDGES; e++) {
                wide_from[e] = from[e] = offset + (ascending ? e / 15 : e * 2654435761u % VERTICES);
                wide_to[e] = to[e] = offset + (ascending ? e % 15 * 40 : e * 40503u % VERTICES);
                weight[e] = e;
            }
            heddle_graph *expected, *graph;
            uint64_t vertices = numbered ? VERTICES : 0;
            support_assert_status(ctx,
                                  heddle_graph_from_edges(ctx, vertices, EDGES, wide_from, wide_to, weight,
                                                          HEDDLE_WEIGHT_U32, NULL, &expected),
                                  HEDDLE_OK);
            support_assert_status(ctx,
                                  heddle_graph_from_edges32(ctx, vertices, EDGES, from, to, weight, HEDDLE_WEIGHT_U32,
                                                            NULL, &graph),
                                  HEDDLE_OK);
            support_assert_same_graph(ctx, expected, graph);
            heddle_graph_destroy(&expected);
            heddle_graph_destroy(&graph);
        }
}

static void integer_ids(void **state) {
    (void)state;
    static const int64_t from[] = {-5, 100}, to[] = {100, 7};
    heddle_graph *graph;
    int64_t ids[3];
    uint64_t offsets[4];
    char text[8];
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_ids(ctx, graph, ids), HEDDLE_OK);
    assert_true(ids[0] == -5 && ids[1] == 7 && ids[2] == 100);
    support_assert_status(ctx, heddle_graph_labels(ctx, graph, offsets, text, sizeof text), HEDDLE_OK);
    assert_memory_equal(text, "-57100", 6);
    assert_true(offsets[1] == 2 && offsets[2] == 3 && offsets[3] == 6);
    heddle_graph_destroy(&graph);
}

/* Every format that is written can be read back from memory, and so can what is no graph. */
static void bytes_of_files(void **state) {
    (void)state;
    heddle_graph *expected = expected_graph(), *graph;
    static const char *const names[] = {"g.hdl", "g.mtx", "g.el.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = support_temp_path(names[i]);
        heddle_save_options options;
        heddle_save_options_init(&options);
        options.lossy = 1;
        heddle_status status = heddle_graph_save(ctx, expected, path, &options);
        if (status == HEDDLE_E_UNSUPPORTED)
            continue; /* built without zlib */
        support_assert_status(ctx, status, HEDDLE_OK);
        size_t bytes;
        char *data = support_read_file(path, &bytes);
        support_assert_status(ctx, heddle_graph_load_memory(ctx, data, bytes, NULL, &graph), HEDDLE_OK);
        memset(data, 0xff, bytes); /* nothing points into it */
        free(data);
        assert_int_equal(heddle_graph_edges(graph), 3);
        if (strcmp(names[i], "g.hdl") == 0)
            support_assert_same_graph(ctx, graph, expected);
        heddle_graph_destroy(&graph);
    }
    heddle_load_options load;
    heddle_load_options_init(&load);
    load.format = "mtx";
    support_assert_status(ctx, heddle_graph_load_memory(ctx, "0 1\n", 4, &load, &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "<memory>");
    support_assert_status(ctx, heddle_graph_load_memory(ctx, "", 0, NULL, &graph), HEDDLE_E_FORMAT);
    support_assert_message(ctx, "empty");
    heddle_graph_destroy(&expected);
}

static void values_as_wanted(void **state) {
    (void)state;
    heddle_graph *graph = expected_graph();
    heddle_run_options options = support_run_options("sssp", "cpu", "auto");
    heddle_result *result;
    options.sources = &(heddle_vertex){0};
    options.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    uint32_t u32[4];
    uint64_t u64[4];
    int32_t i32[4];
    float f32[4];
    double f64[4];
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_U32, u32, 4), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_U64, u64, 4), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_I32, i32, 4), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_F32, f32, 4), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_F64, f64, 4), HEDDLE_OK);
    static const int expected[] = {0, 3, 1};
    for (int v = 0; v < 3; v++)
        assert_true(u32[v] == (uint32_t)expected[v] && u64[v] == (uint64_t)expected[v] && i32[v] == expected[v] &&
                    f32[v] == (float)expected[v] && f64[v] == expected[v]);
    assert_true(u32[3] == UINT32_MAX && u64[3] == UINT64_MAX && i32[3] == -1 && isinf(f32[3]) && isinf(f64[3]));
    heddle_result_destroy(&result);
    options = support_run_options("pr", "cpu", "auto");
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_F64, f64, 4), HEDDLE_OK);
    assert_true(f64[1] == heddle_result_value(result, 1));
    support_assert_status(ctx, heddle_result_copy(ctx, result, HEDDLE_VALUE_U32, u32, 4), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "vertex 0");
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

/* Hops from the sources, as a program that is nowhere on a disk. */
static void program_in_memory(void **state) {
    (void)state;
    static const char text[] =
        "#define VALUE u32\n"
        "#define MESSAGE u32\n"
        "#define TRAITS (MONOTONE | FROM_SOURCES)\n"
        "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? 0 : 0xffffffffu; }\n"
        "PROGRAM MESSAGE identity(void) { return 0xffffffffu; }\n"
        "PROGRAM MESSAGE send(VALUE value, u32 degree) { return value + (value != 0xffffffffu); }\n"
        "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a < b ? a : b; }\n"
        "PROGRAM int update(VALUE *value, MESSAGE sum, ABOUT me, RUN run) {\n"
        "    if (sum >= *value) return 0;\n"
        "    *value = sum;\n"
        "    return 1;\n"
        "}\n";
    heddle_graph *graph = expected_graph();
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.device = "cpu";
    options.program_text = "int x;";
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_E_PROGRAM);
    support_assert_message(ctx, "program_text");
    options.program_text = text;
    options.program = "hops";
    options.sources = &(heddle_vertex){0};
    options.source_count = 1;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    if (status == HEDDLE_E_UNSUPPORTED)
        skip(); /* no C compiler */
    support_assert_status(ctx, status, HEDDLE_OK);
    assert_true(heddle_result_value(result, 1) == 1 && heddle_result_value(result, 2) == 1);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

/* A graph is made, and gone again. */
#define MADE(call)                    \
    do {                              \
        heddle_status made_ = (call); \
        if (made_ != HEDDLE_OK)       \
            return made_;             \
        heddle_graph_destroy(&graph); \
    } while (0)

static heddle_status attempt(heddle_context *context, void *user) {
    (void)user;
    static const char *const from[] = {"a", "b"}, *const to[] = {"b", "c"};
    heddle_graph *graph;
    MADE(heddle_graph_from_labels(context, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph));
    heddle_strings ends[2] = {strings_of(from_64, 64, 3), coded(to_codes, 64)};
    MADE(heddle_graph_from_strings(context, 3, &ends[0], &ends[1], NULL, HEDDLE_WEIGHT_NONE, NULL, &graph));
    MADE(heddle_graph_from_csr(context, 4, 3, narrow, 32, targets, weights, HEDDLE_WEIGHT_U32, NULL, &graph));
    MADE(heddle_graph_load_memory(context, "0 1\n", 4, NULL, &graph));
    return HEDDLE_OK;
}

static void memory_runs_out(void **state) {
    (void)state;
    support_try_every_failure(attempt, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_a_copy),
        cmocka_unit_test(rows_that_are_none),
        cmocka_unit_test(labels),
        cmocka_unit_test(strings),
        cmocka_unit_test(strings_that_are_none),
        cmocka_unit_test(many_labels),
        cmocka_unit_test(names_in_two_threads),
        cmocka_unit_test(names_without_memory),
        cmocka_unit_test(ids_of_32_bits),
        cmocka_unit_test(integer_ids),
        cmocka_unit_test(bytes_of_files),
        cmocka_unit_test(values_as_wanted),
        cmocka_unit_test(program_in_memory),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
