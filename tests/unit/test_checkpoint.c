/* Checkpoints under memory that runs out: nothing leaks, nothing unfinished stays in the folder. tests/cli has the
 * rest. */
#include "support.h"

#include <dirent.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
