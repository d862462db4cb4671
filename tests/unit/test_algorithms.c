/* test_algorithms.c - the table of algorithms: every descriptor is complete, and one that leaves everything out gets
 * safe answers. */
#include "support.h"

#include "algorithm/algorithm.h"
#include "algorithm/views/ranked.h"
#include "engine/cpu/cpu.h"
#include "program/list.h"
#include "run/ordered.h"
#include "run/views.h"

#define FOR_ALL(each) for (size_t i_ = 0; ((each) = hd_algorithm_at(i_)); i_++)

/* What everybody asks has an answer; names are found, and are different. */
static void complete(void **unused) {
    const hd_algorithm *each;
    (void)unused;
    FOR_ALL(each) {
        const char *name = each->info.name, *options = each->info.options;
        assert_true(name && *name && each->info.description && *each->info.description && options);
        assert_ptr_equal(hd_algorithm_find(name), each);
        assert_ptr_equal(heddle_algorithm_at(i_), &each->info);
        assert_true(hd_executors_have(each, HD_ON_CPU, false) && each->reference && each->verify);
        assert_true(each->cost.thread > 0);
        assert_true((each->cost.gpu > 0) == hd_executors_have(each, HD_ON_DEVICE, false));
        assert_true(each->host_bytes.vertex > 0);
        assert_true(hd_results_renamed(each->results) == (each->no_order == NULL));
        assert_true(!each->split || !each->no_split);
        assert_true(hd_algorithm_takes(each, HD_OPTION_parents) == (each->find_parents != NULL));
        assert_true(!each->from_sources || hd_algorithm_takes(each, HD_OPTION_sources));
        assert_true(hd_algorithm_takes(each, HD_OPTION_tolerance) == (each->tolerance > 0));
        assert_true(hd_algorithm_takes(each, HD_OPTION_max_iterations) == (each->max_iterations > 0));
        assert_true(!hd_algorithm_takes(each, HD_OPTION_each) || each->searches);
    }
    assert_null(hd_algorithm_find("none"));
    assert_null(hd_algorithm_find(NULL));
}

/* A vertex program that is named is there; what has none counts its bytes on a device itself. */
static void programs(void **unused) {
    const hd_algorithm *each;
    size_t named = 0, built_in = 0;
    (void)unused;
    FOR_ALL(each) {
        named += each->program != NULL;
        if (each->program)
            assert_true(hd_cpu_program_find(each->program, false) && hd_cpu_program_find(each->program, true));
        else
            for (const hd_executor *e = each->executors; e->run; e++)
                assert_true(!(e->workers & HD_ON_DEVICE) || e->bytes || e->split_only);
    }
#define COUNT(name, facts) built_in++;
    HD_PROGRAMS(COUNT)
#undef COUNT
    assert_int_equal(named, built_in);
}

/* Orders, transforms, shards and GPUs are for those that say so. */
static void silent(void **unused) {
    heddle_context *ctx = support_context(1);
    static const int64_t from[] = {0}, to[] = {1};
    heddle_graph *graph;
    const hd_algorithm silent = {.info = {"silent", "says nothing", ""},
                                 HD_EXECUTORS({HD_ON_CPU, .run = hd_algorithm_find("cc")->executors[0].run})};
    hd_run run = {.ctx = ctx, .algorithm = &silent};
    hd_choose_facts facts = {.cost = silent.cost, .edges = UINT64_C(1) << 40, .vertices = 1 << 30, .runs = 1};
    (void)unused;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 1, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    run.graph = graph;
    hd_choose_device(ctx, &facts, &run.choice);
    assert_string_equal(run.choice.device, "cpu");
    heddle_run_options_init(&run.options);
    assert_int_equal(hd_plan_parse(ctx, "auto", &run.plan), HEDDLE_OK);
    assert_ptr_equal(hd_order_choose(&run), &hd_order_none);
    assert_false(hd_view_ranks.serves(&run));
    assert_int_equal(hd_views_check(&run), HEDDLE_OK);
    assert_int_equal(hd_plan_parse(ctx, "order=degree", &run.plan), HEDDLE_OK);
    assert_int_equal(hd_views_check(&run), HEDDLE_E_REFUSED);
    assert_int_equal(hd_plan_parse(ctx, "transform=udt", &run.plan), HEDDLE_OK);
    assert_int_equal(hd_views_check(&run), HEDDLE_E_REFUSED);
    assert_int_equal(hd_plan_parse(ctx, "schedule=shard", &run.plan), HEDDLE_OK);
    assert_int_equal(hd_views_check(&run), HEDDLE_E_REFUSED);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(complete), cmocka_unit_test(programs),
                                       cmocka_unit_test(silent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
