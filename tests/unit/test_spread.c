/* Values that are spread over ranks: figures, and one file of them all, the same as from one process. Ranks are parts
 * of this process. */
#include "base/memory.h"
#include "engine/spread.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { VERTICES = 7, MOST_PARTS = 4 };

static const uint32_t labels[VERTICES] = {0, 0, 2, 0, 2, 5, 0};
static const char *const names[] = {"a\"b", "c,d", "e", "f", "long label", "h", "i"};

typedef struct job {
    const uint64_t *firsts; /* of each part, and VERTICES */
    const char *path;
    uint64_t largest[MOST_PARTS];
    bool strings;
} job;

static heddle_status make_graph(heddle_context *ctx, bool strings, heddle_graph **graph) {
    heddle_build_options options;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6};
    const char *labels_from[6], *labels_to[6];
    int64_t from[6], to[6];
    heddle_build_options_init(&options);
    for (int i = 0; i < 6; i++) {
        labels_from[i] = names[ends[2 * i]];
        labels_to[i] = names[ends[2 * i + 1]];
        from[i] = 10 * ends[2 * i] + 5;
        to[i] = 10 * ends[2 * i + 1] + 5;
    }
    return strings ? heddle_graph_from_labels(ctx, 6, labels_from, labels_to, NULL, HEDDLE_WEIGHT_NONE, &options, graph)
                   : heddle_graph_from_edges(ctx, 0, 6, from, to, NULL, HEDDLE_WEIGHT_NONE, &options, graph);
}

static heddle_status make_result(heddle_context *ctx, uint64_t first, uint64_t end, heddle_result **result) {
    HD_TRY(hd_result_new(ctx, "cc", result));
    HD_TRY(hd_result_values_new(ctx, *result, HEDDLE_VALUE_U32, end - first));
    for (uint64_t v = first; v < end; v++)
        ((uint32_t *)(*result)->values)[v - first] = labels[v];
    (*result)->labels = true;
    hd_result_show(*result);
    return HEDDLE_OK;
}

static heddle_status save_part(hd_link *link, void *user) {
    job *j = user;
    heddle_context *ctx = link->ctx;
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_status status;
    HD_CHECK(make_graph(ctx, j->strings, &graph));
    HD_CHECK(make_result(ctx, j->firsts[link->rank], j->firsts[link->rank + 1], &result));
    result->first = j->firsts[link->rank];
    result->spread = true;
    result->graph = graph->serial;
    ctx->link = link;
    hd_enter(ctx);
    HD_CHECK(hd_spread_largest(ctx, result, &j->largest[link->rank]));
    if (j->path)
        HD_CHECK(heddle_result_save(ctx, graph, result, j->path));
out:
    ctx->link = NULL;
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void save_whole(heddle_context *ctx, bool strings, const char *path) {
    heddle_graph *graph;
    heddle_result *result;
    support_assert_status(ctx, make_graph(ctx, strings, &graph), HEDDLE_OK);
    support_assert_status(ctx, make_result(ctx, 0, VERTICES, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_save(ctx, graph, result, path), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
}

static void same_file(const char *path, const char *other) {
    size_t bytes, more;
    char *a = support_read_file(path, &bytes), *b = support_read_file(other, &more);
    assert_int_equal(bytes, more);
    assert_memory_equal(a, b, bytes);
    free(a);
    free(b);
}

static const uint64_t cuts[][MOST_PARTS + 1] = {{0, VERTICES}, {0, 3, VERTICES}, {0, 0, 5, VERTICES}, {0, 2, 2, 6, 7}};

static void one_file(void **state) {
    static const char *const files[] = {"a.tsv", "a.csv", "a.json", "a.npy"};
    heddle_context *ctx = support_context(1);
    (void)state;
    for (uint32_t f = 0; f < 4; f++)
        for (uint32_t parts = 1; parts <= MOST_PARTS; parts++) {
            job j = {.firsts = cuts[parts - 1], .path = support_temp_path(files[f]), .strings = parts % 2};
            const char *whole = support_temp_path(f == 3 ? "w.npy" : f == 2 ? "w.json" : f == 1 ? "w.csv" : "w.tsv");
            save_whole(ctx, j.strings, whole);
            support_assert_status(ctx, hd_link_local(ctx, parts, save_part, &j), HEDDLE_OK);
            same_file(j.path, whole);
            for (uint32_t p = 0; p < parts; p++)
                assert_int_equal(j.largest[p], 4);
            unlink(j.path);
            unlink(whole);
        }
    assert_int_equal(support_temp_entries(), 0);
    heddle_context_destroy(&ctx);
}

/* A file for each rank; what is no plain file gets the rows from rank 0. */
static void other_targets(void **state) {
    heddle_context *ctx = support_context(1);
    job j = {.firsts = cuts[2], .path = support_temp_path("b.{rank}.csv")};
    size_t bytes;
    (void)state;
    support_assert_status(ctx, hd_link_local(ctx, 3, save_part, &j), HEDDLE_OK);
    assert_int_equal(support_temp_entries(), 3);
    char *text = support_read_file(support_temp_path("b.2.csv"), &bytes);
    assert_string_equal(text, "id,component\n55,55\n65,5\n");
    free(text);
    for (char rank = '0'; rank < '3'; rank++) {
        char name[] = "b.0.csv";
        name[2] = rank;
        unlink(support_temp_path(name));
    }
    int ends[2];
    char room[400], path[40];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    j.path = path;
    support_assert_status(ctx, hd_link_local(ctx, 3, save_part, &j), HEDDLE_OK);
    close(ends[1]);
    ssize_t got = read(ends[0], room, sizeof room - 1);
    close(ends[0]);
    assert_true(got > 0);
    room[got] = '\0';
    assert_string_equal(room, "5\t5\n15\t5\n25\t25\n35\t5\n45\t25\n55\t55\n65\t5\n");
    heddle_context_destroy(&ctx);
}

/* What one rank cannot write is an error of all, and nothing is left behind. */
static void bad_target(void **state) {
    heddle_context *ctx = support_context(1);
    job j = {.firsts = cuts[2], .path = support_temp_path("none/a.tsv")};
    (void)state;
    support_assert_status(ctx, hd_link_local(ctx, 3, save_part, &j), HEDDLE_E_WRITE);
    j.path = support_temp_path("a.xyz");
    support_assert_status(ctx, hd_link_local(ctx, 3, save_part, &j), HEDDLE_E_ARGUMENT);
    assert_int_equal(support_temp_entries(), 0);
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    heddle_status status = hd_link_local(ctx, 3, save_part, user);
    assert_int_equal(support_temp_entries(), status == HEDDLE_OK ? 1 : 0);
    return status;
}

static void every_allocation_may_fail(void **state) {
    job j = {.firsts = cuts[2], .path = support_temp_path("a.json"), .strings = true};
    (void)state;
    support_try_every_failure(attempt, &j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file),
        cmocka_unit_test(other_targets),
        cmocka_unit_test(bad_target),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
