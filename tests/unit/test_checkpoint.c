/* Checkpoints under memory that runs out: nothing leaks, nothing unfinished stays in the folder. Forged files,
 * with right sums. tests/cli has the rest. */
#include "support.h"

#include "base/hash.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct attempt {
    const char *folder;
    int resume;
} attempt;

static heddle_status run(heddle_context *ctx, void *user) {
    static const int64_t from[] = {0, 1, 2, 3, 0}, to[] = {1, 2, 3, 0, 2};
    const attempt *a = user;
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    options.device = "cpu";
    options.checkpoint = a->folder;
    options.checkpoint_every = 1;
    options.resume = a->resume;
    options.max_iterations = 4;
    heddle_status status = heddle_graph_from_edges(ctx, 4, 5, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(ctx, graph, &options, &result);
    if (status == HEDDLE_OK)
        assert_int_equal(heddle_result_report(result)->iterations, 4);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void every_failure(void **state) {
    attempt a = {.folder = support_temp_path("kept")};
    int files = 0;
    (void)state;
    support_try_every_failure(run, &a);
    a.resume = 1;
    support_try_every_failure(run, &a);
    DIR *list = opendir(a.folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(list);
    assert_int_equal(files, 1);
}

/* ---- Forged files ------------------------------------------------------------------------------------------------ */

enum { VERTICES = 6, HEADER = 128, ROUND_AT = 96, SUM_AT = 104, CHECKSUM_AT = 112 };

/* A path, whose run is kept in the folder after each round. */
static heddle_status run_path(heddle_context *ctx, const char *algorithm, heddle_weight_type type, const char *folder,
                              int resume) {
    static const int64_t from[] = {0, 1, 2, 3, 4}, to[] = {1, 2, 3, 4, 5};
    static const uint32_t whole[] = {1, 2, 3, 4, 5};
    static const int32_t negative[] = {-1, -2, -3, -4, -5};
    const void *weights = type == HEDDLE_WEIGHT_U32 ? (const void *)whole : type ? (const void *)negative : NULL;
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.checkpoint = folder;
    options.checkpoint_every = 1;
    options.resume = resume;
    options.parents = strcmp(algorithm, "cc") != 0;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, VERTICES, 5, from, to, weights, type, NULL, &graph),
                          HEDDLE_OK);
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

/* Gives all values of the checkpoint these bytes, the file a round, and both the sums that belong to them. size 0: that
 * of the values. */
static void forge(const char *path, const void *value, size_t size, uint64_t round) {
    size_t bytes;
    char *file = support_read_file(path, &bytes);
    uint64_t sum = 0;
    size = size ? size : (bytes - HEADER) / VERTICES;
    memcpy(file + ROUND_AT, &round, sizeof round);
    assert_int_equal(bytes, HEADER + VERTICES * size);
    for (uint64_t v = 0; v < VERTICES; v++) {
        uint64_t word = 0;
        memcpy(&word, value, size);
        memcpy(file + HEADER + v * size, value, size);
        sum += hd_hash2(v, word);
    }
    memcpy(file + SUM_AT, &sum, sizeof sum);
    uint64_t checksum = hd_hash_block(file, CHECKSUM_AT);
    memcpy(file + CHECKSUM_AT, &checksum, sizeof checksum);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file, 1, bytes, out), bytes);
    fclose(out);
    free(file);
}

static void labels_beyond_the_graph(void **state) {
    static const uint32_t labels[] = {VERTICES, 1000, 4294967290u, UINT32_MAX};
    const char *folder = support_temp_path("labels"), *path = support_temp_path("labels/checkpoint");
    heddle_context *ctx = support_context(1);
    (void)state;
    support_assert_status(ctx, run_path(ctx, "cc", HEDDLE_WEIGHT_NONE, folder, 0), HEDDLE_OK);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        forge(path, &labels[i], sizeof labels[i], 1);
        support_assert_status(ctx, run_path(ctx, "cc", HEDDLE_WEIGHT_NONE, folder, 1), HEDDLE_E_FORMAT);
        support_assert_message(ctx, "vertices that the graph does not have");
    }
    heddle_context_destroy(&ctx);
}

/* Widths that no sum of weights gives: the run may return anything, within bounds (UndefinedBehaviorSanitizer). */
static void widths_beyond_the_type(void **state) {
    static const double widths[] = {NAN, 1e306, -1e306, 4294967296.0, -2147483649.0};
    static const heddle_weight_type types[] = {HEDDLE_WEIGHT_U32, HEDDLE_WEIGHT_I32};
    heddle_context *ctx = support_context(1);
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const char *folder = support_temp_path(t ? "signed" : "unsigned");
        const char *path = support_temp_path(t ? "signed/checkpoint" : "unsigned/checkpoint");
        support_assert_status(ctx, run_path(ctx, "sswp", types[t], folder, 0), HEDDLE_OK);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            forge(path, &widths[i], sizeof widths[i], 1);
            support_assert_status(ctx, run_path(ctx, "sswp", types[t], folder, 1), HEDDLE_OK);
        }
    }
    heddle_context_destroy(&ctx);
}

/* Any bytes as values, and any round: the run ends, within bounds, with an answer or an error. */
static void any_bytes(void **state) {
    static const struct {
        const char *algorithm;
        heddle_weight_type weights;
    } runs[] = {{"bfs", HEDDLE_WEIGHT_NONE}, {"sssp", HEDDLE_WEIGHT_U32}, {"sssp", HEDDLE_WEIGHT_NONE},
                {"pr", HEDDLE_WEIGHT_NONE},  {"hs", HEDDLE_WEIGHT_U32},   {"cc", HEDDLE_WEIGHT_NONE}};
    static const unsigned char bytes[] = {0, 0x7f, 0x80, 0xff};
    static const uint64_t rounds[] = {1, UINT32_MAX, UINT64_MAX};
    heddle_context *ctx = support_context(1);
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char name[16], file[32];
        snprintf(name, sizeof name, "any%zu", i);
        snprintf(file, sizeof file, "any%zu/checkpoint", i);
        const char *folder = support_temp_path(name), *path = support_temp_path(file);
        for (size_t k = 0; k < sizeof bytes * (sizeof rounds / sizeof *rounds); k++) {
            uint64_t value;
            memset(&value, bytes[k % sizeof bytes], sizeof value);
            support_assert_status(ctx, run_path(ctx, runs[i].algorithm, runs[i].weights, folder, 0), HEDDLE_OK);
            forge(path, &value, 0, rounds[k / sizeof bytes]);
            heddle_status status = run_path(ctx, runs[i].algorithm, runs[i].weights, folder, 1);
            if (status != HEDDLE_OK)
                assert_in_range(-status, 1, 1000);
        }
    }
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_bytes), cmocka_unit_test(every_failure),
                                       cmocka_unit_test(labels_beyond_the_graph),
                                       cmocka_unit_test(widths_beyond_the_type)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
