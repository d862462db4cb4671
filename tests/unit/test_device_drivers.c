/* test_device_drivers.c - drivers are the process's: opened by one thread at a time, refused in a child of fork. */
#include "support.h"

#include "device/device.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

/* What a host's threads do, each with a context of its own. */
static void *open_first_device(void *opened) {
    heddle_context *ctx;
    heddle_device_info devices[8] = {{.size = sizeof *devices}};
    hd_device *device = NULL;
    size_t count;
    stack_t before; /* a driver's compiler may leave one of its own, which a sanitizer does not know */
    bool known = sigaltstack(NULL, &before) == 0;
    if (heddle_context_create(NULL, &ctx) != HEDDLE_OK)
        return NULL;
    heddle_device_list(ctx, devices, 8, &count);
    *(heddle_status *)opened = hd_device_open(ctx, "opencl", &device);
    if (device)
        device->close(device);
    heddle_context_destroy(&ctx);
    if (known)
        sigaltstack(&before, NULL);
    return NULL;
}

/* First of all tests: it is the first use that crashed. */
static void threads_open_drivers_at_the_same_time(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    heddle_status opened[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_first_device, &opened[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < THREADS; i++)
        assert_int_equal(opened[i], opened[0]);
}

static heddle_status run_on(heddle_context *ctx, const heddle_graph *graph, const char *device) {
    heddle_run_options options = support_run_options("cc", device, "auto");
    heddle_result *result;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static int use_in_child(heddle_context *ctx, const heddle_graph *graph) {
    heddle_device_info devices[8] = {{.size = sizeof *devices}};
    size_t count;
    if (run_on(ctx, graph, "opencl") != HEDDLE_E_DEVICE || !strstr(heddle_context_error(ctx)->message, "forked"))
        return 2;
    if (run_on(ctx, graph, "cpu") != HEDDLE_OK || run_on(ctx, graph, "auto") != HEDDLE_OK)
        return 3;
    if (heddle_device_list(ctx, devices, 8, &count) != HEDDLE_OK || count < 2 || !strstr(devices[1].missing, "forked"))
        return 4;
    heddle_context_destroy(&ctx);
    return 0;
}

static void a_child_of_fork_is_refused_devices(void **state) {
    (void)state;
    static const int64_t from[] = {0, 1}, to[] = {1, 2};
    int status;
    heddle_graph *graph;
    heddle_context *ctx = support_context(2);
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 3, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    if (run_on(ctx, graph, "opencl") != HEDDLE_OK) {
        print_message("skipped: %s\n", heddle_context_error(ctx)->message);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
        skip();
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* a hang is a failure */
        support_end_child(use_in_child(ctx, graph));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    support_assert_status(ctx, run_on(ctx, graph, "opencl"), HEDDLE_OK); /* the parent's still work */
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_open_drivers_at_the_same_time),
        cmocka_unit_test(a_child_of_fork_is_refused_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
