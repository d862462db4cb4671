/* device_case.h - the device that tests of kernels run on: OpenCL, or what HEDDLE_TEST_DEVICE names. Where there is
 * none the tests say so and are skipped. */
#ifndef DEVICE_CASE_H
#define DEVICE_CASE_H

#include "support.h"

#include <stdlib.h>

static const char *device_name = "opencl";
static heddle_context *device_ctx; /* NULL: there is no device */

/* For cmocka_run_group_tests: a small run tells whether there is a device. */
static inline int open_device(void **unused) {
    (void)unused;
    static const int64_t from[] = {0}, to[] = {1};
    heddle_context *ctx = support_context(2);
    heddle_graph *graph;
    heddle_run_options options;
    heddle_result *result;
    if (getenv("HEDDLE_TEST_DEVICE"))
        device_name = getenv("HEDDLE_TEST_DEVICE");
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 1, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    heddle_run_options_init(&options);
    options.algorithm = "cc";
    options.device = device_name;
    if (heddle_run(ctx, graph, &options, &result) == HEDDLE_OK)
        device_ctx = ctx;
    else
        print_message("skipped: %s\n", heddle_context_error(ctx)->message);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    if (!device_ctx)
        heddle_context_destroy(&ctx);
    return 0;
}

static inline int close_device(void **unused) {
    (void)unused;
    heddle_context_destroy(&device_ctx);
    return 0;
}

/* A graph of 2^scale vertices; weights are whole numbers. */
static inline heddle_graph *generate_case(const char *kind, int scale, int degree, bool undirected, bool weighted) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = scale;
    options.degree = degree;
    options.probability = 0.05; /* of smallworld */
    options.weighted = weighted;
    options.build.symmetrize = undirected;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static inline void skip_without_device(void) {
    if (!device_ctx)
        skip();
}

#endif
