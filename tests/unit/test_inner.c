/* test_inner.c - what runs that a run makes for itself take over from its options: and that --dry-run writes
 * nothing, and is refused where the run is, for every algorithm and every option. */
#include "support.h"

#include "algorithm/algorithm.h"
#include "run/inner.h"

#include <stdio.h>
#include <unistd.h>

enum { VERTICES = 6, EDGES = 9 };

static const heddle_vertex sources[] = {5, 4}, pairs[] = {5, 4, 0, 3};
static const double values[VERTICES] = {1, 2, 3, 4, 5, 6};
static const unsigned char fixed[VERTICES] = {0, 0, 0, 0, 0, 1};

static heddle_graph *small_graph(heddle_context *ctx) {
    static const int64_t from[EDGES] = {0, 1, 2, 3, 4, 0, 1, 2, 5}, to[EDGES] = {1, 2, 3, 4, 5, 2, 3, 5, 0};
    static const uint32_t weights[EDGES] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, VERTICES, EDGES, from, to, weights, HEDDLE_WEIGHT_U32, NULL,
                                                  &graph),
                          HEDDLE_OK);
    return graph;
}

/* The k-th option set to something else than its default; false: there is no such option. */
static bool set_option(heddle_run_options *o, int k) {
    switch (k) {
    case 0: break;
    case 1:
        o->sources = sources;
        o->source_count = 2;
        break;
    case 2: o->parents = 1; break;
    case 3: o->each = 1; break;
    case 4: o->weighted = 1; break;
    case 5: o->damping = 0.5; break;
    case 6: o->tolerance = 1e-3; break;
    case 7: o->max_iterations = 7; break;
    case 8: o->personalization = values; break;
    case 9: o->samples = 4; break;
    case 10: o->normalized = 1; break;
    case 11: o->delta = 2; break;
    case 12: o->rate = 0.25; break;
    case 13: o->initial = values; break;
    case 14: o->fixed = fixed; break;
    case 15: o->precision = HEDDLE_PRECISION_DOUBLE; break;
    case 16: o->seed = 7; break;
    case 17: o->plan = "order=degree"; break;
    case 18: o->profile = 1; break;
    case 19: o->keep_source = support_temp_path("source"); break;
    case 20: o->memory_limit = 1 << 30; break;
    case 21: o->max_error = 0.25; break;
    case 22:
        o->max_error = 0.25;
        o->confidence = 0.5;
        break;
    case 23:
        o->max_error = 0.25;
        o->top = 1;
        break;
    case 24: o->approximate = 1; break;
    case 25: o->checkpoint = support_temp_path("kept"); break;
    case 26:
        o->checkpoint = support_temp_path("kept");
        o->checkpoint_every = 1;
        o->resume = 1;
        break;
    case 27: o->spread = 1; break;
    case 28: o->reversed = 1; break;
    case 29: o->reachable_only = 1; break;
    case 30: o->alpha = 0.01; break;
    case 31: o->hubs = 1; break;
    case 32: o->resolution = 2; break;
    case 33:
        o->pairs = pairs;
        o->pair_count = 2;
        break;
    case 34: o->measure = HEDDLE_SIMILARITY_COSINE; break;
    case 35:
        o->walks = 3;
        o->length = 5;
        break;
    case 36:
        o->p = 2;
        o->q = 0.5;
        break;
    case 37: o->direction = HEDDLE_EDGES_IN; break;
    case 38: o->not_neighbours = 1; break;
    case 39: o->min_degree = 2; break;
    default: return false;
    }
    return true;
}

static void foretells_what_runs(void **state) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = small_graph(ctx);
    const heddle_algorithm_info *info;
    size_t entries = support_temp_entries();
    (void)state;
    for (size_t a = 0; (info = heddle_algorithm_at(a)); a++) {
        heddle_run_options options;
        for (int k = 0; heddle_run_options_init(&options), options.algorithm = info->name, set_option(&options, k);
             k++) {
            heddle_device_memory memory = {.size = sizeof memory};
            heddle_result *result = NULL;
            options.device = "cpu";
            heddle_status foretold = heddle_run_memory(ctx, graph, &options, &memory);
            if (support_temp_entries() != entries)
                fail_msg("%s, option %d: heddle_run_memory wrote something", info->name, k);
            heddle_run_options unkept = options;
            unkept.checkpoint = NULL;
            unkept.resume = 0;
            heddle_status ran = options.checkpoint && foretold == HEDDLE_E_REFUSED
                                    ? HEDDLE_E_REFUSED
                                    : heddle_run(ctx, graph, &unkept, &result);
            if (foretold != ran)
                fail_msg("%s, option %d: heddle_run_memory gave %d (%s), the run %d", info->name, k, foretold,
                         heddle_context_error(ctx)->message, ran);
            heddle_result_destroy(&result);
        }
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* All at once. */
static void nothing_of_the_outcome(void **state) {
    static const hd_inner all[] = {HD_INNER_COMPARISON, HD_INNER_TRIAL};
    heddle_run_options given;
    (void)state;
    heddle_run_options_init(&given);
    for (int k = 0; set_option(&given, k); k++) {
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        heddle_run_options o = hd_inner_options(&given, all[i]);
        assert_true(!o.checkpoint && !o.keep_source);
        assert_false(o.resume || o.profile || o.spread || o.memory_limit || o.max_error > 0 || o.top);
        assert_true(o.seed == 7 && o.damping == 0.5 && o.alpha == 0.01 && o.p == 2 && o.weighted);
        assert_true(o.source_count == 2 && o.pair_count == 2);
    }
}

/* A reference checks its options as a run does. */
static void references_check(void **state) {
    static const heddle_vertex far[] = {0, 4000000000u}, same[] = {1, 1};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = small_graph(ctx);
    (void)state;
    const struct {
        const char *algorithm;
        heddle_run_options set;
        heddle_status status;
    } cases[] = {
        {"similar", {.pairs = far, .pair_count = 1}, HEDDLE_E_SOURCE},
        {"similar", {.pairs = same, .pair_count = 1}, HEDDLE_E_ARGUMENT},
        {"similar", {.pair_count = 1}, HEDDLE_E_ARGUMENT},
        {"similar", {.measure = (heddle_similarity)6}, HEDDLE_E_ARGUMENT},
        {"bc", {.sources = far + 1, .source_count = 1}, HEDDLE_E_SOURCE},
        {"walks", {.sources = far + 1, .source_count = 1}, HEDDLE_E_SOURCE},
        {"walks", {.p = -1}, HEDDLE_E_ARGUMENT},
        {"louvain", {.resolution = -1}, HEDDLE_E_ARGUMENT},
        {"leiden", {.resolution = -1}, HEDDLE_E_ARGUMENT},
        {"katz", {.alpha = -1}, HEDDLE_E_ARGUMENT},
        {"bc", {.sources = far, .source_count = 1, .samples = 2}, HEDDLE_E_ARGUMENT},
        {"closeness", {.sources = far, .source_count = 1, .samples = 2}, HEDDLE_E_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options = cases[i].set;
        heddle_result *result;
        options.size = sizeof options;
        options.algorithm = cases[i].algorithm;
        options.device = "cpu";
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), cases[i].status);
        support_assert_status(ctx, heddle_run_reference(ctx, graph, &options, &result), cases[i].status);
        assert_null(result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* Each field of the options has its line in the table that ranks compare: only padding lies between two. */
static void every_field_is_listed(void **state) {
    size_t end = 0;
    (void)state;
    for (int id = 0; id < HD_RUN_OPTION_COUNT; id++) {
        const heddle_run_option *about = &hd_run_options[id].about;
        if (about->offset < end || about->offset - end >= sizeof(uint64_t) ||
            (about->offset != end && about->offset % 8))
            fail_msg("before or at '%s' a field of heddle_run_options has no row in run_option.h", about->name);
        end = about->offset + hd_run_options[id].bytes;
    }
    if (sizeof(heddle_run_options) - end >= sizeof(uint64_t))
        fail_msg("the last fields of heddle_run_options have no row in run_option.h");
}

/* An option that the algorithm does not read is noted, by name; the command and Python refuse it beforehand. */
static void unused_options_are_noted(void **state) {
    static const double initial[] = {1, 2};
    static const int64_t from[] = {0}, to[] = {1};
    static const uint32_t weight[] = {1};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph;
    heddle_result *result;
    (void)state;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 2, 1, from, to, weight, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    for (int all = 0; all < 2; all++) {
        heddle_run_options options = support_run_options("sssp", "cpu", "auto");
        options.weighted = options.parents = 1; /* it is */
        options.max_error = 0.5;                /* has a note of its own */
        if (all) {
            options.damping = 7;
            options.rate = 0; /* as in a struct that was filled with 0 */
            options.initial = initial;
            options.q = 2;
        }
        support_clear_notes();
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        assert_int_equal(strstr(support_notes(), "does not use") != NULL, all);
        assert_int_equal(strstr(support_notes(), "options that sssp does not use: damping, initial, q") != NULL, all);
        heddle_result_destroy(&result);
    }
    for (int drawn = 0; drawn < 2; drawn++) { /* cliq draws where edges end, by the seed */
        heddle_run_options options = support_run_options("bfs", "cpu", drawn ? "transform=cliq,K=4" : "transform=udt");
        options.seed = 7;
        support_clear_notes();
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
        assert_int_equal(strstr(support_notes(), "options that bfs does not use: seed") != NULL, !drawn);
        heddle_result_destroy(&result);
    }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_is_listed),
                                       cmocka_unit_test(unused_options_are_noted),
                                       cmocka_unit_test(foretells_what_runs), cmocka_unit_test(nothing_of_the_outcome),
                                       cmocka_unit_test(references_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
