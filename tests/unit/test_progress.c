/* test_progress.c - where the work is known beforehand, progress is a share of it, and ends with the whole. */
#include "support.h"

#include <pthread.h>

typedef struct seen {
    uint64_t reports, total, done;
    bool fell, changed; /* done went back; the total was another one */
} seen;

static int watch(void *user, const heddle_progress *progress) {
    seen *s = user;
    if (strcmp(progress->phase, "compute") != 0)
        return 0;
    s->fell |= s->reports && progress->done < s->done;
    s->changed |= s->reports && progress->total != s->total;
    s->total = progress->total;
    s->done = progress->done;
    s->reports++;
    return 0;
}

static seen run(const char *algorithm, uint64_t sources, bool each, double max_error) {
    static const heddle_vertex first[] = {0, 1, 2, 3, 4};
    seen s = {0};
    heddle_context_options options;
    heddle_generate_options make;
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_result *result;
    heddle_context_options_init(&options);
    options.threads = 2;
    options.progress = watch;
    options.progress_user = &s;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    heddle_generate_options_init(&make);
    make.kind = "uniform";
    make.scale = 10;
    support_assert_status(ctx, heddle_graph_generate(ctx, &make, &graph), HEDDLE_OK);
    heddle_run_options run = support_run_options(algorithm, "cpu", "auto");
    run.sources = first;
    run.source_count = sources;
    run.each = each;
    run.max_error = max_error;
    run.parents = 0;
    support_assert_status(ctx, heddle_run(ctx, graph, &run, &result), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    return s;
}

static void sources_are_the_work(void **state) {
    (void)state;
    for (uint64_t sources = 1; sources <= 5; sources += 4) {
        seen bc = run("bc", sources, false, 0), each = run("bfs", sources, true, 0);
        assert_true(bc.total > 0 && bc.done == bc.total && !bc.fell && !bc.changed);
        assert_true(each.total == sources && each.done == sources && !each.fell && !each.changed);
    }
}

/* Within an error budget steps follow each other, and the total is that of the plan. */
static void steps_add_up(void **state) {
    (void)state;
    seen all = run("bc", 0, false, 0), some = run("bc", 0, false, 0.06);
    assert_true(some.total > 0 && some.done == some.total && !some.fell);
    assert_true(some.total < all.total);
}

/* ---- A callback that uses the graph of its call ------------------------------------------------------------------ */

typedef struct user_of_graph {
    heddle_context *other;
    heddle_graph *graph;
    int refused, tried;
} user_of_graph;

static int use_graph(void *user, const heddle_progress *progress) {
    user_of_graph *u = user;
    heddle_adjacency in;
    (void)progress;
    if (!u->graph || u->tried) /* once: a refusal takes a second */
        return 0;
    u->tried = 1;
    u->refused = heddle_graph_in(u->other, u->graph, &in) == HEDDLE_E_REFUSED;
    return 0;
}

/* While in-edges are built the graph is locked: the callback's call is refused, and the run goes on. */
static void a_callback_that_uses_the_graph(void **state) {
    user_of_graph u = {.other = support_context(1)};
    heddle_context_options options;
    heddle_generate_options make;
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_adjacency in;
    (void)state;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.progress = use_graph;
    options.progress_user = &u;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    heddle_generate_options_init(&make);
    make.kind = "uniform";
    make.scale = 10;
    support_assert_status(ctx, heddle_graph_generate(ctx, &make, &graph), HEDDLE_OK);
    u.graph = graph;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &in), HEDDLE_OK);
    assert_int_equal(u.tried, 1);
    assert_int_equal(u.refused, 1);
    support_assert_message(u.other, "progress callback");
    support_assert_status(u.other, heddle_graph_in(u.other, graph, &in), HEDDLE_OK);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    heddle_context_destroy(&u.other);
}

/* ---- A cancel ends the call that it comes in, and no other ------------------------------------------------------- */

typedef struct canceller {
    heddle_context *ctx;
    bool wanted;
} canceller;

static int cancel_if_wanted(void *user, const heddle_progress *progress) {
    canceller *c = user;
    (void)progress;
    if (c->wanted)
        heddle_context_cancel(c->ctx);
    return 0;
}

static void cancelling_ends_one_call(void **state) {
    canceller c = {.wanted = false};
    heddle_context_options options;
    heddle_generate_options make;
    heddle_graph *graph;
    heddle_result *result;
    (void)state;
    heddle_context_options_init(&options);
    options.threads = 2;
    options.progress = cancel_if_wanted;
    options.progress_user = &c;
    assert_int_equal(heddle_context_create(&options, &c.ctx), HEDDLE_OK);
    heddle_generate_options_init(&make);
    make.kind = "uniform";
    make.scale = 10;
    heddle_context_cancel(c.ctx); /* no call is under way */
    support_assert_status(c.ctx, heddle_graph_generate(c.ctx, &make, &graph), HEDDLE_OK);
    heddle_run_options run = support_run_options("bc", "cpu", "auto");
    for (int i = 0; i < 2; i++) {
        heddle_context_cancel(c.ctx); /* too late for the last call */
        support_assert_status(c.ctx, heddle_run(c.ctx, graph, &run, &result), HEDDLE_OK);
        heddle_result_destroy(&result);
        c.wanted = true;
        support_assert_status(c.ctx, heddle_run(c.ctx, graph, &run, &result), HEDDLE_E_CANCELLED);
        assert_null(result);
        support_assert_status(c.ctx, heddle_run_reference(c.ctx, graph, &run, &result), HEDDLE_E_CANCELLED);
        c.wanted = false;
    }
    support_assert_status(c.ctx, heddle_run(c.ctx, graph, &run, &result), HEDDLE_OK);
    support_assert_verified(c.ctx, graph, &run, result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&c.ctx);
}

/* ---- Two threads with one context -------------------------------------------------------------------------------- */

typedef struct intruder {
    heddle_context *ctx;
    heddle_status run, error, after;
    bool named; /* the fault, by the message */
    int tried;
} intruder;

static heddle_status generate(heddle_context *ctx) {
    heddle_generate_options make;
    heddle_graph *graph;
    heddle_generate_options_init(&make);
    make.kind = "path";
    make.vertices = 1000;
    heddle_status status = heddle_graph_generate(ctx, &make, &graph);
    heddle_graph_destroy(&graph);
    return status;
}

/* On a thread of its own, while the context is in a call. */
static void *intrude(void *user) {
    intruder *i = user;
    i->run = generate(i->ctx);
    i->error = heddle_context_error(i->ctx)->status;
    i->named = strstr(heddle_context_error(i->ctx)->message, "another thread is in a call with this context");
    return NULL;
}

static int let_intrude(void *user, const heddle_progress *progress) {
    intruder *i = user;
    pthread_t thread;
    (void)progress;
    if (i->tried++)
        return 0;
    assert_int_equal(pthread_create(&thread, NULL, intrude, i), 0);
    pthread_join(thread, NULL);
    i->after = generate(i->ctx); /* the callback's own thread may */
    return 0;
}

static void *generate_on_thread(void *user) {
    intruder *i = user;
    i->run = generate(i->ctx);
    i->error = heddle_context_error(i->ctx)->status;
    return NULL;
}

static void two_threads_with_one_context(void **state) {
    intruder i = {.tried = 0};
    heddle_context_options options;
    pthread_t thread;
    (void)state;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.progress = let_intrude;
    options.progress_user = &i;
    assert_int_equal(heddle_context_create(&options, &i.ctx), HEDDLE_OK);
    support_assert_status(i.ctx, generate(i.ctx), HEDDLE_OK);
    assert_true(i.tried > 0);
    assert_int_equal(i.run, HEDDLE_E_REFUSED);
    assert_int_equal(i.error, HEDDLE_E_REFUSED);
    assert_true(i.named);
    assert_int_equal(i.after, HEDDLE_OK);
    assert_int_equal(heddle_context_error(i.ctx)->status, HEDDLE_OK);
    assert_int_equal(pthread_create(&thread, NULL, generate_on_thread, &i), 0); /* one after the other */
    pthread_join(thread, NULL);
    assert_int_equal(i.run, HEDDLE_OK);
    assert_int_equal(i.error, HEDDLE_OK);
    heddle_context_destroy(&i.ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_callback_that_uses_the_graph),
                                       cmocka_unit_test(sources_are_the_work), cmocka_unit_test(steps_add_up),
                                       cmocka_unit_test(cancelling_ends_one_call),
                                       cmocka_unit_test(two_threads_with_one_context)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
