/* bench_plans.c - which plans heddle bench measures: a list that was given, every preset, or one plan. */
#include "bench.h"

#include "common.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* A bad plan is found out on a small graph before the measuring, which may take long; a refused one is a row. */
static int check_plans(cli_session *session, const bench *bench) {
    heddle_generate_options small;
    heddle_graph *graph = NULL;
    heddle_generate_options_init(&small);
    small.scale = 4;
    heddle_status status = heddle_graph_generate(session->context, &small, &graph);
    for (int i = 0; status == HEDDLE_OK && i < bench->plan_count; i++) {
        heddle_run_options options;
        heddle_explanation explanation = {.size = sizeof explanation};
        heddle_run_options_init(&options);
        options.algorithm = "bfs";
        options.plan = bench->plans[i];
        status = heddle_explain(session->context, graph, &options, &explanation);
        if (status == HEDDLE_E_REFUSED)
            status = HEDDLE_OK;
    }
    heddle_graph_destroy(&graph);
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

/* "ws,tigr-v" was meant as two plans: what stands behind a comma of one plan has a '='. */
static bool has_wrong_commas(const char *list) {
    for (const char *comma = strchr(list, ','); comma; comma = strchr(comma + 1, ','))
        if (!memchr(comma + 1, '=', strcspn(comma + 1, ",;")))
            return true;
    return false;
}

static int cut_list(cli_session *session, bench *bench) {
    size_t bytes = strlen(bench->settings->plans) + 1;
    if (has_wrong_commas(bench->settings->plans))
        return cli_usage_error(session->command, "--plans: found '%.200s', expected ';' between plans ('ws;tigr-v')",
                               bench->settings->plans);
    if (!(bench->plan_text = malloc(bytes))) {
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    memcpy(bench->plan_text, bench->settings->plans, bytes);
    for (char *at = bench->plan_text; *at;) {
        size_t length = strcspn(at, ";");
        bool more = at[length] == ';';
        at[length] = '\0';
        if (!length)
            return cli_usage_error(session->command, "--plans: expected plans with ';' between, found an empty one");
        if (bench->plan_count == BENCH_MOST_PLANS)
            return cli_usage_error(session->command, "--plans: more than %d plans", BENCH_MOST_PLANS);
        bench->plans[bench->plan_count++] = at;
        at += length + more;
    }
    return 0;
}

/* Baseline first, as the others are compared with it; and the one schedule that no preset names. */
static void take_presets(bench *bench) {
    const char *plan;
    bench->plans[bench->plan_count++] = "baseline";
    for (size_t i = 0; (plan = heddle_plan_at(i)) && bench->plan_count < BENCH_MOST_PLANS - 1; i++)
        if (strcmp(plan, "baseline"))
            bench->plans[bench->plan_count++] = plan;
    bench->plans[bench->plan_count++] = "schedule=edge";
}

int bench_choose_plans(cli_session *session, bench *bench) {
    int exit_status = 0;
    bench->plan_count = 0;
    if (bench->settings->plans)
        exit_status = cut_list(session, bench);
    else if (bench->presets)
        take_presets(bench);
    else
        bench->plans[bench->plan_count++] = bench->settings->plan;
    return exit_status ? exit_status : check_plans(session, bench);
}
