/* test_threads.c - how many threads a call gets: by the work, within what the system gives, and after fork. */
#include "support.h"

#include "base/parallel.h"
#include "base/threads.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int threads_in_region(heddle_context *ctx) {
    int count = 0;
    HD_PARALLEL(ctx) {
        if (hd_thread() == 0)
            count = hd_threads_here();
    }
    return count;
}

static heddle_graph *ring(heddle_context *ctx, uint64_t vertices) {
    int64_t *from = malloc(2 * vertices * sizeof *from), *to = from + vertices;
    heddle_graph *graph;
    assert_non_null(from);
    for (uint64_t v = 0; v < vertices; v++) {
        from[v] = (int64_t)v;
        to[v] = (int64_t)((v + 1) % vertices);
    }
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, vertices, vertices, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                  &graph),
                          HEDDLE_OK);
    free(from);
    return graph;
}

/* Runs bfs around a ring and says whether it came all the way. */
static bool reaches_all(heddle_context *ctx, const heddle_graph *graph) {
    heddle_run_options options = support_run_options("bfs", "cpu", "auto");
    heddle_result *result;
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    bool all = status == HEDDLE_OK && heddle_result_report(result)->iterations >= heddle_graph_vertices(graph);
    heddle_result_destroy(&result);
    return all;
}

static void small_work_takes_one_thread(void **state) {
    (void)state;
    unsetenv("OMP_NUM_THREADS");
    heddle_context *ctx = support_context(0);
    heddle_graph *graph = ring(ctx, 10);
    assert_true(reaches_all(ctx, graph));
    assert_int_equal(ctx->threads, 1);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

static void asked_for_is_used(void **state) {
    (void)state;
    heddle_context *ctx = support_context(3);
    hd_threads_settle(ctx, 0);
    assert_int_equal(heddle_context_threads(ctx), heddle_context_threads(ctx) > 1 ? 3 : 1);
    assert_int_equal(threads_in_region(ctx), heddle_context_threads(ctx));
    heddle_context_destroy(&ctx);
}

static void a_wild_wish_is_bounded(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "100000",
           1); /* read by the runtime already, but it makes the number count as asked for */
    heddle_context *ctx = support_context(0);
    unsetenv("OMP_NUM_THREADS");
    assert_true(ctx->threads >= 1 && ctx->threads <= 4096);
    heddle_context_destroy(&ctx);
}

/* In a process of its own: 0 when `check` is content there. */
static int in_child(int (*check)(void *user), void *user) {
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* a hang is a failure */
        support_end_child(check(user));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_without_room(void *user) {
    (void)user;
    struct rlimit room = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    if (setrlimit(RLIMIT_AS, &room) != 0)
        return 0;
    heddle_context *ctx = support_context(1000);
    heddle_graph *graph = ring(ctx, 1000);
    if (heddle_context_threads(ctx) > 1 && !strstr(support_notes(), "threads instead of 1000"))
        return 2;
    if (heddle_context_threads(ctx) >= 500 || !reaches_all(ctx, graph))
        return 3;
    return 0;
}

static void fewer_threads_where_the_system_gives_fewer(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* a sanitizer's own memory is beyond any such limit */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    skip();
#endif
#endif
    assert_int_equal(in_child(run_without_room, NULL), 0);
}

typedef struct inherited {
    heddle_context *ctx;
    heddle_graph *graph;
} inherited;

static int run_again(void *user) {
    inherited *from_parent = user;
    if (!reaches_all(from_parent->ctx, from_parent->graph) || from_parent->ctx->threads != 1)
        return 2;
    heddle_context *own = support_context(2);
    if (!reaches_all(own, from_parent->graph) || own->threads != 1)
        return 3;
    heddle_context_destroy(&own);
    heddle_graph_destroy(&from_parent->graph);
    heddle_context_destroy(&from_parent->ctx);
    return 0;
}

static void a_child_of_fork_works_on_one_thread(void **state) {
    (void)state;
    inherited parent = {.ctx = support_context(2)};
    parent.graph = ring(parent.ctx, 100000);
    assert_true(reaches_all(parent.ctx, parent.graph));
    assert_int_equal(in_child(run_again, &parent), 0);
    assert_true(reaches_all(parent.ctx, parent.graph)); /* the parent goes on as before */
    assert_int_equal(parent.ctx->threads, heddle_context_threads(parent.ctx));
    heddle_graph_destroy(&parent.graph);
    heddle_context_destroy(&parent.ctx);
}

/* Regions of one thread are plain calls, but a team of one for what is inside. */
static void one_thread_is_a_team(void **unused) {
    (void)unused;
    heddle_context *one = support_context(1), *two = support_context(2);
    uint64_t sum = 0, singles = 0;
    HD_PARALLEL(one) {
        assert_int_equal(hd_thread(), 0);
        assert_int_equal(hd_threads_here(), 1);
        HD_FOR(schedule(dynamic, 3))
        for (uint64_t i = 0; i < 100; i++)
            sum += i;
        HD_SINGLE
        singles++;
        HD_BARRIER
    }
    HD_PARALLEL_FOR(two, if (sum == 0) schedule(static) reduction(+ : sum))
    for (uint64_t i = 0; i < 100; i++)
        sum += i;
    assert_true(sum == 2 * 4950 && singles == 1);
    uint64_t inner[2] = {9, 9};
    HD_PARALLEL(two) {
        int mine = hd_thread();
        HD_PARALLEL(one)
        inner[mine] = (uint64_t)hd_thread() + 10 * (uint64_t)hd_threads_here();
    }
    assert_true(inner[0] == 10 && (inner[1] == 10 || inner[1] == 9)); /* a second thread may be denied */
    heddle_context_destroy(&one);
    heddle_context_destroy(&two);
}

static void work_does_not_wrap(void **unused) {
    (void)unused;
    assert_true(hd_work(3, 4, 2) == 16);
    assert_true(hd_work(0, UINT64_MAX, 1) == UINT64_MAX && hd_work(UINT64_MAX, UINT64_MAX, 9) == UINT64_MAX);
    assert_true(hd_work(1, UINT64_MAX - 2, 1) == UINT64_MAX && hd_work(2, UINT64_MAX - 2, 1) == UINT64_MAX);
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    int64_t end = 0;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, 0, UINT64_MAX, &end, &end, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                  &graph),
                          HEDDLE_E_LIMIT);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_threads_where_the_system_gives_fewer), /* first: before there are threads */
        cmocka_unit_test(small_work_takes_one_thread),
        cmocka_unit_test(asked_for_is_used),
        cmocka_unit_test(a_wild_wish_is_bounded),
        cmocka_unit_test(one_thread_is_a_team),
        cmocka_unit_test(work_does_not_wrap),
        cmocka_unit_test(a_child_of_fork_works_on_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
