/* test_external.c - graphs built on disk under a memory limit equal those built in memory, byte for byte; errors leave
 * nothing behind. */
#include "support.h"

#include "base/limit.h"
#include "base/random.h"
#include "base/spill.h"
#include "graph/graph.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static heddle_context *ctx;
static const uint64_t limit = 2600 << 10; /* bytes: about 10^4 to 3 x 10^4 arcs are sorted at once */

enum { EDGES = 400000 };
static int64_t sources[EDGES], targets[EDGES];
static double doubles[EDGES];
static float floats[EDGES];
static uint32_t words[EDGES];
static int32_t signed_words[EDGES];
static int64_t longs[EDGES];

static const void *weights_of(heddle_weight_type type) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return words;
    case HEDDLE_WEIGHT_I32: return signed_words;
    case HEDDLE_WEIGHT_F32: return floats;
    case HEDDLE_WEIGHT_I64: return longs;
    case HEDDLE_WEIGHT_F64: return doubles;
    default: return NULL;
    }
}

/* Random weights, and random ends below `vertices`, each times `factor`. */
static void fill(uint64_t vertices, int64_t factor, uint64_t seed) {
    for (uint64_t i = 0; i < EDGES; i++) {
        uint64_t hash = hd_hash2(seed, i), low = hd_hash2(seed, i / 2);
        sources[i] = (int64_t)(low % vertices) * factor;
        targets[i] = (int64_t)((hash >> 20) % vertices) * factor;
        words[i] = (uint32_t)(hash % 1000);
        signed_words[i] = (int32_t)words[i] - 500;
        floats[i] = (float)words[i] / 8;
        doubles[i] = (double)(hash >> 11) * 0x1p-53;
        longs[i] = (int64_t)(hash >> 2) - (INT64_C(1) << 60);
    }
}

static heddle_graph *build(uint64_t vertices, uint64_t edges, heddle_weight_type type, heddle_build_options options,
                           bool limited) {
    heddle_graph *graph;
    options.memory_limit = limited ? limit : 0;
    options.spill = limited ? support_temp_dir() : NULL;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, vertices, edges, sources, targets, weights_of(type), type,
                                                  &options, &graph),
                          HEDDLE_OK);
    return graph;
}

/* Saves both graphs and compares the files. */
static void assert_same_files(const heddle_graph *a, const heddle_graph *b, bool in_edges) {
    heddle_save_options save;
    const heddle_graph *const graphs[] = {a, b};
    const char *const paths[] = {support_temp_path("a.hdl"), support_temp_path("b.hdl")};
    size_t bytes[2];
    char *data[2];
    heddle_save_options_init(&save);
    save.in_edges = in_edges;
    for (int i = 0; i < 2; i++) {
        save.memory_limit = i ? 2 * limit : 0;
        support_assert_status(ctx, heddle_graph_save(ctx, graphs[i], paths[i], &save), HEDDLE_OK);
        data[i] = support_read_file(paths[i], &bytes[i]);
    }
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data[0], data[1], bytes[0]);
    for (int i = 0; i < 2; i++) {
        free(data[i]);
        unlink(paths[i]);
    }
    assert_int_equal(support_temp_entries(), 0);
}

static void compare(uint64_t vertices, uint64_t edges, heddle_weight_type type, const heddle_build_options *options,
                    bool in_edges) {
    heddle_graph *memory = build(vertices, edges, type, *options, false),
                 *disk = build(vertices, edges, type, *options, true);
    assert_null(memory->out.map);
    assert_non_null(disk->out.map);
    assert_same_files(memory, disk, in_edges);
    heddle_graph_destroy(&memory);
    heddle_graph_destroy(&disk);
}

static heddle_build_options plain(void) {
    heddle_build_options options;
    heddle_build_options_init(&options);
    return options;
}

static void every_weight_type(void **state) {
    const heddle_build_options options = plain();
    (void)state;
    fill(50000, 1, 1);
    for (heddle_weight_type type = HEDDLE_WEIGHT_NONE; type <= HEDDLE_WEIGHT_F64; type++)
        compare(50000, EDGES, type, &options, type == HEDDLE_WEIGHT_I64);
}

/* Loops, duplicates and reverse arcs are many among few vertices. */
static void every_rule(void **state) {
    (void)state;
    fill(700, 1, 2);
    for (int symmetrize = 0; symmetrize < 2; symmetrize++)
        for (heddle_duplicates how = HEDDLE_DUPLICATES_KEEP; how <= HEDDLE_DUPLICATES_SUM; how++) {
            heddle_build_options options = plain();
            options.symmetrize = symmetrize;
            options.duplicates = how;
            options.drop_loops = how % 2;
            compare(700, EDGES / 2, how == HEDDLE_DUPLICATES_SUM ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_I64, &options,
                    false);
        }
}

static void every_kind_of_id(void **state) {
    static const int64_t factors[] = {1, 3, -INT64_C(0x10000000000), INT64_C(0x123456789)};
    const heddle_build_options options = plain();
    (void)state;
    for (int i = 0; i < 4; i++) {
        fill(20000, factors[i], 3);
        compare(0, EDGES, HEDDLE_WEIGHT_NONE, &options, i == 1);
    }
}

/* One vertex has more arcs than are sorted at once, then all of them; its targets ascend, or not. */
static void giant_vertices(void **state) {
    const heddle_build_options options = plain();
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        fill(300000, 1, 4);
        for (uint64_t i = 0; i < EDGES; i++) {
            if (kind < 2 ? i % 4 : 1)
                sources[i] = 299998;
            if (kind % 2)
                targets[i] = (int64_t)(i * 3 / 4);
            if (kind == 3)
                targets[i] = 299999 - (int64_t)(i / 16);
        }
        compare(300000, EDGES, kind ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_NONE, &options, kind == 0);
    }
}

/* A larger limit never fails where a smaller one suffices: sorting one large bucket in memory is counted. */
static void stars_under_any_limit(void **state) {
    heddle_build_options options = plain();
    int in_memory = 0, on_disk = 0;
    (void)state;
    fill(50000, 1, 13);
    for (uint64_t i = 0; i < EDGES; i++)
        sources[i] = 7;
    options.spill = support_temp_dir();
    for (options.memory_limit = limit; options.memory_limit < 5 * limit; options.memory_limit += limit / 8) {
        heddle_graph *graph;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, 50000, EDGES, sources, targets, NULL, HEDDLE_WEIGHT_NONE,
                                                      &options, &graph),
                              HEDDLE_OK);
        in_memory += !graph->out.map;
        on_disk += graph->out.map != NULL;
        heddle_graph_destroy(&graph);
    }
    assert_true(in_memory > 0 && on_disk > 0);
}

static void few_vertices_far_apart(void **state) {
    const heddle_build_options options = plain();
    (void)state;
    fill(3, 1, 5);
    for (uint64_t i = 0; i < EDGES; i++) {
        sources[i] = i % 40000 ? INT64_C(4) * (int64_t)(i % 1000) : INT64_C(900000);
        targets[i] = i % 3 ? (int64_t)(i % 90001) * 10 : 7;
    }
    compare(0, EDGES, HEDDLE_WEIGHT_U32, &options, false);
    compare(4000000, 100000, HEDDLE_WEIGHT_U32, &options, false); /* mostly vertices without arcs */
}

static void threads_do_not_matter(void **state) {
    const heddle_build_options options = plain();
    (void)state;
    fill(40000, 1, 6);
    for (int threads = 1; threads <= 4; threads++) {
        heddle_context_destroy(&ctx);
        ctx = support_context(threads);
        compare(40000, EDGES, HEDDLE_WEIGHT_U32, &options, true);
    }
}

static void what_fits_stays_in_memory(void **state) {
    const heddle_build_options options = plain();
    (void)state;
    fill(100, 1, 7);
    heddle_graph *graph = build(100, 1000, HEDDLE_WEIGHT_NONE, options, true), *empty = build(0, 0, 0, options, true);
    assert_null(graph->out.map);
    assert_int_equal(heddle_graph_vertices(empty), 0);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&empty);
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static char *text;
static size_t text_bytes;

/* Edges among `vertices` labels, or numbers with holes. */
static void write_lines(uint64_t vertices, bool labels) {
    text = realloc(text, EDGES * 40);
    text_bytes = 0;
    for (uint64_t i = 0; i < EDGES / 2; i++) {
        uint64_t hash = hd_hash2(8, i), u = hash % vertices, v = (hash >> 32) % vertices;
        text_bytes +=
            (size_t)sprintf(text + text_bytes, labels ? "v%llu w%llu %llu.5\n" : "%llu %llu %llu\n",
                            (unsigned long long)u * 5, (unsigned long long)v * 5, (unsigned long long)hash % 90);
    }
}

static heddle_status load_text(uint64_t most, const char *spill, heddle_graph **graph) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.format = "edgelist";
    options.build.memory_limit = most;
    options.build.spill = spill;
    const char *path = support_write_file("text.txt", text, text_bytes);
    heddle_status status = heddle_graph_load(ctx, path, &options, graph);
    unlink(path);
    return status;
}

static void lines_of_text(void **state) {
    (void)state;
    for (int labels = 0; labels < 2; labels++) {
        heddle_graph *memory, *disk;
        write_lines(labels ? 10000 : 90000, labels);
        support_assert_status(ctx, load_text(0, NULL, &memory), HEDDLE_OK);
        support_assert_status(ctx, load_text(limit + (labels ? 1 << 20 : 0), support_temp_dir(), &disk), HEDDLE_OK);
        assert_non_null(disk->out.map);
        support_assert_same_graph(ctx, memory, disk);
        assert_same_files(memory, disk, true);
        heddle_graph_destroy(&memory);
        heddle_graph_destroy(&disk);
    }
}

static void without_a_folder(void **state) {
    heddle_graph *graph;
    (void)state;
    write_lines(50000, false);
    support_assert_status(ctx, load_text(limit, NULL, &graph), HEDDLE_E_MEMORY);
    assert_null(graph);
    support_assert_message(ctx, "text.txt: 49989 vertices and 200000 arcs take ");
    support_assert_message(ctx, "memory limit of 2.5 MiB");
    support_assert_message(ctx, "heddle convert ");
    support_assert_status(ctx, load_text(limit, "/nowhere/at/all", &graph), HEDDLE_E_WRITE);
    support_assert_message(ctx, "/nowhere/at/all");
    support_assert_status(ctx, load_text(1 << 20, support_temp_dir(), &graph), HEDDLE_E_MEMORY);
    support_assert_message(ctx, "memory limit of 1.0 MiB");
    support_assert_status(ctx, load_text(10000, support_temp_dir(), &graph), HEDDLE_E_MEMORY);
    support_assert_message(ctx, "memory limit of 9.8 KiB");
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

static void parallel_arcs_that_do_not_fit(void **state) {
    heddle_build_options options = plain();
    heddle_graph *graph;
    (void)state;
    for (uint64_t i = 0; i < EDGES; i++) {
        sources[i] = 5;
        targets[i] = 9;
    }
    options.memory_limit = limit;
    options.spill = support_temp_dir();
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 100, EDGES, sources, targets, NULL, HEDDLE_WEIGHT_NONE, &options,
                                                  &graph),
                          HEDDLE_E_MEMORY);
    support_assert_message(ctx, "400000 parallel arcs from vertex 5 to vertex 9");
    options.drop_isolated = 1;
    fill(50000, 1, 9);
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 50000, EDGES, sources, targets, NULL, HEDDLE_WEIGHT_NONE,
                                                  &options, &graph),
                          HEDDLE_E_REFUSED);
    support_assert_message(ctx, "vertices without arcs");
}

/* A limit on the file size stands for a full disk. */
static void full_disk(void **state) {
    heddle_build_options options = plain();
    struct rlimit old, small = {.rlim_cur = 0};
    (void)state;
    fill(50000, 1, 10);
    options.memory_limit = limit;
    options.spill = support_temp_dir();
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    for (small.rlim_cur = 1; small.rlim_cur < 6 << 20; small.rlim_cur += 1 << 19) {
        heddle_graph *graph;
        setrlimit(RLIMIT_FSIZE, &small);
        heddle_status status =
            heddle_graph_from_edges(ctx, 50000, EDGES, sources, targets, doubles, HEDDLE_WEIGHT_F64, &options, &graph);
        setrlimit(RLIMIT_FSIZE, &old);
        if (status == HEDDLE_OK)
            heddle_graph_destroy(&graph);
        else
            support_assert_message(ctx, "File too large");
        assert_true(status == HEDDLE_E_WRITE || (status == HEDDLE_OK && small.rlim_cur > 4 << 20));
        assert_int_equal(support_temp_entries(), 0);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static heddle_status attempt(heddle_context *failing, void *user) {
    heddle_build_options options = plain();
    heddle_graph *graph;
    heddle_save_options save;
    (void)user;
    heddle_save_options_init(&save);
    options.memory_limit = limit;
    save.memory_limit = 2 * limit;
    save.in_edges = 1;
    options.spill = support_temp_dir();
    heddle_status status =
        heddle_graph_from_edges(failing, 0, EDGES / 2, sources, targets, doubles, HEDDLE_WEIGHT_F64, &options, &graph);
    if (status == HEDDLE_OK)
        status = heddle_graph_save(failing, graph, support_temp_path("f.hdl"), &save);
    heddle_graph_destroy(&graph);
    unlink(support_temp_path("f.hdl"));
    return status;
}

static void every_allocation_fails_once(void **state) {
    (void)state;
    fill(300000, 3, 11);
    for (uint64_t i = 0; i < EDGES; i += 2)
        sources[i] = 300; /* a bucket to split */
    support_try_every_failure(attempt, NULL);
    assert_int_equal(support_temp_entries(), 0);
}

/* Edges that are collected in a temporary file; with the first directed one the others become two arcs each. */
static heddle_status collect(heddle_context *failing, void *user) {
    heddle_load_options options;
    heddle_graph *graph;
    heddle_load_options_init(&options);
    options.build.memory_limit = limit;
    options.build.spill = support_temp_dir();
    heddle_status status = heddle_graph_load(failing, user, &options, &graph);
    if (status == HEDDLE_OK)
        assert_int_equal(heddle_graph_edges(graph), 6);
    heddle_graph_destroy(&graph);
    return status;
}

static void collected_edges(void **state) {
    const char *path = support_write_text("c.net", "*Vertices 4\n*Edges\n1 2\n2 3 0.5\n4 4\n*Arcs\n2 1 7\n");
    (void)state;
    support_assert_status(ctx, collect(ctx, (void *)(uintptr_t)path), HEDDLE_OK);
    support_try_every_failure(collect, (void *)(uintptr_t)path);
    unlink(path);
    assert_int_equal(support_temp_entries(), 0);
}

typedef struct stop {
    int calls, at;
} stop;

static int stop_at(void *user, const heddle_progress *progress) {
    stop *s = user;
    (void)progress;
    return ++s->calls >= s->at;
}

static void can_be_cancelled(void **state) {
    heddle_build_options options = plain();
    (void)state;
    fill(50000, 1, 12);
    options.memory_limit = limit;
    options.spill = support_temp_dir();
    for (int at = 1;; at++) {
        stop s = {.at = at};
        heddle_context_options create;
        heddle_context *own;
        heddle_graph *graph;
        heddle_context_options_init(&create);
        create.progress = stop_at;
        create.progress_user = &s;
        assert_int_equal(heddle_context_create(&create, &own), HEDDLE_OK);
        heddle_status status =
            heddle_graph_from_edges(own, 50000, EDGES, sources, targets, NULL, HEDDLE_WEIGHT_NONE, &options, &graph);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&own);
        assert_int_equal(support_temp_entries(), 0);
        assert_true(status == HEDDLE_E_CANCELLED || (status == HEDDLE_OK && at > 1));
        if (status == HEDDLE_OK)
            break;
    }
}

/* ---- The parts -------------------------------------------------------------------------------------------------- */

static void limits_count(void **state) {
    hd_limit counted;
    (void)state;
    assert_true(hd_limit_left(ctx) == UINT64_MAX);
    hd_limit_begin(ctx, &counted, 1000000, 400000, NULL);
    assert_int_equal(hd_limit_left(ctx), 600000);
    char *block = ctx->allocator.allocate(ctx->allocator.user, 500000, 0);
    assert_non_null(block);
    assert_null(ctx->allocator.allocate(ctx->allocator.user, 100001, 0));
    assert_int_equal(hd_limit_left(ctx), 100000);
    ctx->allocator.release(ctx->allocator.user, block, 500000);
    assert_int_equal(hd_limit_left(ctx), 600000);
    hd_limit_end(ctx, &counted);
    assert_true(hd_limit_left(ctx) == UINT64_MAX);
    hd_limit_begin(ctx, &counted, 0, 5, NULL); /* no limit */
    assert_true(hd_limit_left(ctx) == UINT64_MAX);
    hd_limit_end(ctx, &counted);
}

static void sizes_have_units(void **state) {
    (void)state;
    assert_string_equal(hd_size_of(1023).text, "1023 bytes");
    assert_string_equal(hd_size_of(1536).text, "1.5 KiB");
    assert_string_equal(hd_size_of(UINT64_C(3) << 40).text, "3.0 TiB");
}

static void spilled_bytes_come_back(void **state) {
    hd_spill file;
    char back[16];
    (void)state;
    support_assert_status(ctx, hd_spill_open(ctx, support_temp_dir(), &file), HEDDLE_OK);
    assert_int_equal(support_temp_entries(), 0);
    assert_int_equal(hd_spill_write(&file, "spill", 5, 100000), 0);
    assert_int_equal(hd_spill_read(&file, back, 5, 100000), 0);
    assert_memory_equal(back, "spill", 5);
    assert_int_not_equal(hd_spill_read(&file, back, 6, 100000), 0);
    hd_spill_close(&file);
    hd_spill_close(&file);
    support_assert_status(ctx, hd_spill_open(ctx, "", &file), HEDDLE_OK);
    hd_spill_close(&file);
}

static int set_up(void **state) {
    (void)state;
    ctx = support_context(2);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    free(text);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_count),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(spilled_bytes_come_back),
        cmocka_unit_test(every_weight_type),
        cmocka_unit_test(every_rule),
        cmocka_unit_test(every_kind_of_id),
        cmocka_unit_test(giant_vertices),
        cmocka_unit_test(stars_under_any_limit),
        cmocka_unit_test(few_vertices_far_apart),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_fits_stays_in_memory),
        cmocka_unit_test(lines_of_text),
        cmocka_unit_test(without_a_folder),
        cmocka_unit_test(parallel_arcs_that_do_not_fit),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(collected_edges),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
