/* context_case.h - one context for all tests of a file: cmocka_run_group_tests(tests, set_up, tear_down). */
#ifndef CONTEXT_CASE_H
#define CONTEXT_CASE_H

#include "support.h"

static heddle_context *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = support_context(2);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    heddle_context_destroy(&ctx);
    return 0;
}

static inline heddle_graph *load_file(const char *path) {
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
    return graph;
}

#endif
