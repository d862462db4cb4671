/* test_run_option.c - the table of run options: what is public of it, defaults, ranges, and what inner runs inherit. */
#include "support.h"

#include "algorithm/algorithm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 3 };

static heddle_graph *path(heddle_context *ctx) {
    static const int64_t from[] = {0, 1}, to[] = {1, 2};
    heddle_graph *graph;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, VERTICES, 2, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

/* The options of an algorithm are those that it lists, in that order, and then those of every run. */
static void lists(void **state) {
    const heddle_algorithm_info *info;
    heddle_run_option option = {.size = sizeof option};
    size_t all = 0, common = 0;
    (void)state;
    for (; heddle_run_option_at(NULL, all, &option); all++) {
        assert_true(option.name && *option.name && option.description && *option.description);
        common += option.common != 0;
    }
    for (size_t a = 0; (info = heddle_algorithm_at(a)); a++) {
        char words[300] = "";
        size_t count = 0, used = 0;
        for (; heddle_run_option_at(info->name, count, &option); count++)
            if (!option.common)
                used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? " " : "", option.name);
        assert_string_equal(words, info->options);
        assert_true(count >= common && count < all);
    }
    assert_int_equal(heddle_run_option_at("program", 0, &option), 1);
    assert_string_equal(option.name, "sources");
}

/* An algorithm has words and defaults of its own where they differ. */
static void differs(void **state) {
    static const struct {
        const char *algorithm, *name;
        double standard;
        const char *word;
    } cases[] = {{"pr", "tolerance", 1e-6, "ranks"},    {"hs", "tolerance", 1e-4, "value"},
                 {"cdlp", "max_iterations", 10, "how"}, {"lpa", "max_iterations", 1000, "stop"},
                 {"pr", "damping", 0.85, "share"},      {"walks", "length", 80, "edges"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_option option = {.size = sizeof option};
        size_t at = 0;
        while (heddle_run_option_at(cases[i].algorithm, at, &option) && strcmp(option.name, cases[i].name) != 0)
            at++;
        assert_string_equal(option.name, cases[i].name);
        assert_true(option.standard == cases[i].standard);
        assert_non_null(strstr(option.description, cases[i].word));
    }
}

/* A caller that was built with a shorter struct gets its fields, and no more. */
static void is_cut(void **state) {
    heddle_run_option option = {.size = offsetof(heddle_run_option, command), .command = "untouched"};
    (void)state;
    assert_int_equal(heddle_run_option_at("pr", 2, &option), 1);
    assert_string_equal(option.name, "damping");
    assert_string_equal(option.command, "untouched");
    assert_int_equal(option.size, offsetof(heddle_run_option, command));
}

static void set(heddle_run_options *options, const heddle_run_option *option, double number) {
    int choice = isfinite(number) ? (int)number : -1;
    if (option->kind == HEDDLE_OPTION_NUMBER)
        memcpy((char *)options + option->offset, &number, sizeof number);
    else
        memcpy((char *)options + option->offset, &choice, sizeof choice);
}

/* Numbers and choices outside their range are refused by name by every algorithm that takes them, and by no other. */
static void ranges(void **state) {
    static const double bad[] = {-1, NAN, INFINITY};
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = path(ctx);
    const hd_algorithm *algorithm;
    (void)state;
    for (size_t a = 0; (algorithm = hd_algorithm_at(a)); a++)
        for (int id = 0; id < HD_RUN_OPTION_COUNT; id++) {
            const heddle_run_option *about = &hd_run_options[id].about;
            bool taken = about->common || hd_algorithm_takes(algorithm, (hd_option_id)id);
            for (size_t i = 0; i < (about->kind == HEDDLE_OPTION_CHOICE ? 1 : sizeof bad / sizeof *bad); i++) {
                heddle_run_options options = support_run_options(algorithm->info.name, "cpu", "auto");
                heddle_result *result;
                if (about->kind != HEDDLE_OPTION_NUMBER && about->kind != HEDDLE_OPTION_CHOICE)
                    continue;
                set(&options, about, bad[i]);
                heddle_status status = heddle_run(ctx, graph, &options, &result);
                if ((status == HEDDLE_E_ARGUMENT) != taken)
                    fail_msg("%s with %s %g: %s", algorithm->info.name, about->name, bad[i],
                             heddle_status_name(status));
                if (taken)
                    support_assert_message(ctx, about->name);
                heddle_result_destroy(&result);
            }
        }
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* In words; bounds themselves are in the range, unless they are excluded. */
static void words(void **state) {
    static const struct {
        hd_option_id id;
        double value;
        const char *message; /* NULL: it is right */
    } cases[] = {{HD_OPTION_damping, 0, NULL},
                 {HD_OPTION_damping, 1, "damping 1: expected a number from 0 to below 1"},
                 {HD_OPTION_rate, 1, NULL},
                 {HD_OPTION_rate, 1.5, "rate 1.5: expected a number from 0 to 1"},
                 {HD_OPTION_confidence, 1, "confidence 1: expected a number between 0 and 1"},
                 {HD_OPTION_tolerance, -1, "tolerance -1: expected a finite number, 0 or more"},
                 {HD_OPTION_precision, 2, NULL},
                 {HD_OPTION_precision, 3, "precision 3: expected a number from 0 to 2: default single double"}};
    heddle_context *ctx = support_context(1);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hd_run_option *option = &hd_run_options[cases[i].id];
        heddle_run_options options;
        heddle_run_options_init(&options);
        set(&options, &option->about, cases[i].value);
        support_assert_status(ctx, hd_option_check(ctx, option, &options),
                              cases[i].message ? HEDDLE_E_ARGUMENT : HEDDLE_OK);
        if (cases[i].message)
            support_assert_message(ctx, cases[i].message);
    }
    heddle_context_destroy(&ctx);
}

/* Words of a choice are those of its enumeration. */
static void choices(void **state) {
    static const struct {
        hd_option_id id;
        int last;
        const char *word;
    } cases[] = {{HD_OPTION_precision, HEDDLE_PRECISION_DOUBLE, "double"},
                 {HD_OPTION_measure, HEDDLE_SIMILARITY_ATTACHMENT, "attachment"},
                 {HD_OPTION_direction, HEDDLE_EDGES_IN, "in"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = hd_run_options[cases[i].id].about.values;
        for (int k = 0; k < cases[i].last; k++)
            at = strchr(at, ' ') + 1;
        assert_string_equal(at, cases[i].word);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists),  cmocka_unit_test(differs), cmocka_unit_test(is_cut),
                                       cmocka_unit_test(ranges), cmocka_unit_test(words),   cmocka_unit_test(choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
