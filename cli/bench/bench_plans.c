/* bench_plans.c - which plans heddle bench measures: a list that was given, every preset, or one plan. */
#include "bench/bench.h"

#include "common.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bad plan is found out on a small graph before the measuring, which may take long; a refused one is a row. */
static heddle_status explain(cli_session *session, const heddle_graph *graph, const char *device, const char *plan,
                             heddle_explanation *explanation) {
    heddle_run_options options;
    *explanation = (heddle_explanation){.size = sizeof *explanation};
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.device = device;
    options.plan = plan;
    heddle_status status = heddle_explain(session->context, graph, &options, explanation);
    return status == HEDDLE_E_REFUSED ? HEDDLE_OK : status;
}

static heddle_status check_plans(cli_session *session, const bench *bench, const heddle_graph *graph) {
    heddle_explanation explanation;
    heddle_status status = HEDDLE_OK;
    for (int i = 0; status == HEDDLE_OK && i < bench->plan_count; i++)
        status = explain(session, graph, "auto", bench->plans[i], &explanation);
    return status;
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

/* Sets *named if a preset, on a device, has that schedule. */
static heddle_status find_schedule(cli_session *session, const heddle_graph *graph, const char *schedule, bool *named) {
    heddle_explanation explanation;
    heddle_status status = HEDDLE_OK;
    *named = false;
    for (size_t i = 0; status == HEDDLE_OK && !*named && heddle_plan_at(i); i++) {
        status = explain(session, graph, heddle_device_kind_at(0), heddle_plan_at(i), &explanation);
        *named = strncmp(explanation.schedule, schedule, strlen(schedule)) == 0; /* "vwarp-8" has vwarp */
    }
    return status;
}

/* Schedules that no preset has. */
static heddle_status take_schedules(cli_session *session, bench *bench, const heddle_graph *graph) {
    static char texts[8][48];
    heddle_status status = HEDDLE_OK;
    size_t key = 0, count = 0;
    const char *value;
    bool named;
    while (strcmp(heddle_plan_key_at(key)->name, "schedule") != 0)
        key++;
    for (size_t i = 0; status == HEDDLE_OK && (value = heddle_plan_value_at(key, i)); i++) {
        status = find_schedule(session, graph, value, &named);
        if (status != HEDDLE_OK || named || count == sizeof texts / sizeof *texts ||
            bench->plan_count == BENCH_MOST_PLANS)
            continue;
        snprintf(texts[count], sizeof *texts, "schedule=%s", value);
        bench->plans[bench->plan_count++] = texts[count++];
    }
    return status;
}

/* Baseline first, as the others are compared with it. */
static void take_presets(bench *bench) {
    const char *plan;
    bench->plans[bench->plan_count++] = "baseline";
    for (size_t i = 0; (plan = heddle_plan_at(i)) && bench->plan_count < BENCH_MOST_PLANS - 1; i++)
        if (strcmp(plan, "baseline") != 0)
            bench->plans[bench->plan_count++] = plan;
}

bool bench_is_approximate(const char *plan) { return strstr(plan, "graffix") != NULL; }

/* Each plan as it is, then under each technique of graffix and their combinations; to sweep, at several thresholds.
 * Plans that have a technique already are left as they are. */
static int take_techniques(cli_session *session, bench *bench) {
    static const char *const thresholds[] = {"", ",graffix.threshold=0.2", ",graffix.threshold=0.4",
                                             ",graffix.threshold=0.6", ",graffix.threshold=0.8"};
    enum { THRESHOLDS = sizeof thresholds / sizeof *thresholds, ROOM = 80 };
    int given = bench->plan_count, count = 0;
    size_t key = 0, each = ROOM, used = 0;
    const char *base[BENCH_MOST_PLANS], *value;
    for (int i = 0; i < given; i++) {
        if (bench_is_approximate(bench->plans[i]))
            return 0;
        base[i] = bench->plans[i];
        each = strlen(base[i]) + ROOM > each ? strlen(base[i]) + ROOM : each;
    }
    while (strcmp(heddle_plan_key_at(key)->name, "graffix") != 0)
        key++;
    if (!(bench->technique_text = malloc(each * BENCH_MOST_PLANS))) {
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    for (int i = 0; i < given; i++) {
        if (count < BENCH_MOST_PLANS)
            bench->plans[count++] = base[i];
        for (size_t v = 1; (value = heddle_plan_value_at(key, v)); v++) /* the first is none */
            for (size_t t = 0; t < (!bench->settings->sweep || strchr(value, '+') ? 1 : THRESHOLDS); t++) {
                if (count == BENCH_MOST_PLANS)
                    return cli_usage_error(session->command, "--approximate: more than %d plans", BENCH_MOST_PLANS);
                bench->plans[count++] = bench->technique_text + used;
                used += (size_t)snprintf(bench->technique_text + used, each, "%s,graffix=%s%s", base[i], value,
                                         thresholds[t]) +
                        1;
            }
    }
    bench->plan_count = count;
    return 0;
}

static int look_at_plans(cli_session *session, bench *bench) {
    heddle_generate_options small;
    heddle_graph *graph = NULL;
    heddle_generate_options_init(&small);
    small.scale = 4;
    heddle_status status = heddle_graph_generate(session->context, &small, &graph);
    if (status == HEDDLE_OK && bench->presets && !bench->settings->plans)
        status = take_schedules(session, bench, graph);
    if (status == HEDDLE_OK)
        status = check_plans(session, bench, graph);
    heddle_graph_destroy(&graph);
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
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
    if (!exit_status && bench->settings->approximate && !bench->presets)
        exit_status = take_techniques(session, bench);
    if (!exit_status && bench->settings->sweep && !bench->settings->approximate)
        return cli_usage_error(session->command, "--sweep is for --approximate");
    return exit_status ? exit_status : look_at_plans(session, bench);
}
