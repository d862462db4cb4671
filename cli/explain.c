/* explain.c - heddle explain: the plan of a run and why, and the efficiency of every schedule on the graph. */
#include "algorithm.h"
#include "json.h"
#include "names.h"
#include "page/page.h"
#include "page/page_explain.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#include <string.h>

/* ---- For people ------------------------------------------------------------------------------------------------ */

static void print_plan(const heddle_explanation *plan) {
    printf("  %-10s%s: ", "device", plan->device);
    cli_wrap(stdout, plan->device_reason, 14 + (int)strlen(plan->device), 12, CLI_WIDTH);
    printf("  %-10s%s\n", "plan", plan->name);
    if (!cli_is_host(plan->schedule)) {
        printf("  %-10stransform %s, schedule %s, direction %s, worklist %s,\n", "", plan->transform, plan->schedule,
               plan->direction, plan->worklist);
        printf("  %-10ssync %s, residency %s, exchange %s\n", "", plan->sync, plan->residency, plan->exchange);
    }
    for (uint32_t i = 0; i < plan->reason_count; i++) {
        printf("  %-10s", i == 0 ? "why" : "");
        cli_wrap(stdout, plan->reasons[i], 12, 14, CLI_WIDTH);
    }
}

static void print_rows(const heddle_explanation *plan) {
    if (cli_is_host(plan->schedule))
        printf("\nOn a GPU, for comparison:");
    printf("\nWarps of %u lanes%s walk %s,\nall vertices taking part:\n", plan->warp,
           plan->warp_assumed ? " (assumed: no device was queried)" : "", plan->walks);
    printf("  %-17s%12s%18s%14s%14s\n", "", "useful lanes", "transactions for", "a round on", "bytes on");
    printf("  %-17s%12s%18s%14s%14s\n", "schedule", "", "an edge", "a GPU, about", "the device");
    for (uint32_t i = 0; i < plan->row_count; i++) {
        const heddle_schedule_row *row = &plan->rows[i];
        printf("  %-17s%10.2f %%%11.3f + %-5.3g%10.3g ms%14s\n", row->name, 100 * row->lane_efficiency,
               row->edge_transactions, row->transactions - row->edge_transactions, 1e3 * row->round_seconds,
               row->device_bytes ? cli_bytes(row->device_bytes).text : "-");
    }
}

static void print_text(const char *algorithm, const char *path, const heddle_graph *graph, uint64_t edges,
                       const heddle_explanation *plan) {
    char name[1024];
    snprintf(name, sizeof name, "%s on %s", algorithm, strcmp(path, "-") ? path : "standard input");
    printf("%s\n", cli_clean(name));
    printf("  %-10s%s\n", "graph", cli_graph_words(graph, edges).text);
    if (plan->cpu_seconds > 0)
        printf("  %-10s%s on the CPU of this machine\n", "time", cli_about(plan->cpu_seconds).text);
    print_plan(plan);
    if (plan->row_count)
        print_rows(plan);
}

/* ---- As JSON --------------------------------------------------------------------------------------------------- */

static void json_plan(cli_json *json, const heddle_explanation *plan) {
    cli_json_object(json, "plan");
    cli_json_text(json, "name", plan->name);
    cli_json_text(json, "transform", plan->transform);
    cli_json_text(json, "schedule", plan->schedule);
    cli_json_text(json, "direction", plan->direction);
    cli_json_text(json, "worklist", plan->worklist);
    cli_json_text(json, "sync", plan->sync);
    cli_json_text(json, "residency", plan->residency);
    cli_json_text(json, "exchange", plan->exchange);
    cli_json_end(json);
    cli_json_array(json, "reasons");
    for (uint32_t i = 0; i < plan->reason_count; i++)
        cli_json_text(json, NULL, plan->reasons[i]);
    cli_json_end(json);
}

static void json_row(cli_json *json, const heddle_schedule_row *row) {
    cli_json_object(json, NULL);
    cli_json_text(json, "schedule", row->name);
    cli_json_text(json, "plan", row->plan);
    cli_json_real(json, "lane_efficiency", row->lane_efficiency);
    cli_json_count(json, "lanes_useful", row->lanes_useful);
    cli_json_count(json, "lanes_walked", row->lanes_walked);
    cli_json_real(json, "edge_transactions", row->edge_transactions);
    cli_json_real(json, "transactions", row->transactions);
    cli_json_real(json, "round_seconds", row->round_seconds);
    if (row->device_bytes)
        cli_json_count(json, "device_bytes", row->device_bytes);
    else
        cli_json_null(json, "device_bytes");
    cli_json_end(json);
}

static void print_json(const char *algorithm, const heddle_graph *graph, const heddle_explanation *plan) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "algorithm", algorithm);
    cli_json_object(&json, "graph");
    cli_json_graph(&json, graph);
    cli_json_end(&json);
    cli_json_text(&json, "device", plan->device);
    cli_json_text(&json, "device_reason", plan->device_reason);
    cli_json_estimate(&json, "estimated_cpu_seconds", plan->cpu_seconds);
    json_plan(&json, plan);
    cli_json_count(&json, "warp", plan->warp);
    cli_json_flag(&json, "warp_assumed", plan->warp_assumed);
    cli_json_text(&json, "walks", plan->walks);
    cli_json_array(&json, "schedules");
    for (uint32_t i = 0; i < plan->row_count; i++)
        json_row(&json, &plan->rows[i]);
    cli_json_end(&json);
    cli_json_end(&json);
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static const cli_command *find_algorithm(const char *name) {
    const cli_command *command = cli_find_command(name);
    return command && command->algorithm && strcmp(command->name, "run") != 0 ? command : NULL;
}

static int run(cli_session *session, void *opaque) {
    cli_run_settings *settings = opaque;
    const char *algorithm = session->arguments.operands[0], *path = session->arguments.operands[1];
    heddle_explanation plan = {.size = sizeof plan};
    heddle_graph *graph = NULL;
    double seconds;
    const cli_command *command = find_algorithm(algorithm);
    bool program = !command && cli_names_program(algorithm);
    if (!command && !program && (find_algorithm(path) || cli_names_program(path)))
        return cli_usage_error(session->command,
                               "the algorithm comes first, then the graph; here their order is reversed: try "
                               "'heddle explain %.100s %.300s'",
                               path, algorithm);
    if (!command && !program)
        return cli_usage_error(session->command,
                               "no algorithm '%.100s', and no program (FILE.c); 'heddle help' lists algorithms",
                               algorithm);
    algorithm = command ? command->name : algorithm;
    if (cli_page_check(session, settings->report))
        return CLI_EXIT_USAGE;
    heddle_status status = cli_load(session, path, &settings->load, &graph, &seconds);
    settings->run.algorithm = algorithm;
    settings->run.approximate = 1; /* explaining is not running */
    settings->run.program = program ? algorithm : NULL;
    if (status == HEDDLE_OK)
        status = heddle_explain(session->context, graph, &settings->run, &plan);
    int exit_status = status == HEDDLE_OK ? 0 : cli_fail(session, status);
    cli_progress_clear();
    if (!exit_status && settings->report)
        exit_status = cli_write_explain_page(session, algorithm, path, graph, &plan, settings->report);
    if (!exit_status && settings->common.json)
        print_json(algorithm, graph, &plan);
    else if (!exit_status)
        print_text(algorithm, path, graph, cli_count_edges(session, graph), &plan);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_option options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, cli_run_settings, run.device,
              "auto, cpu, cuda or opencl, optionally with :INDEX (default: auto)"),
    CLI_VALUE("plan", 0, "NAME", cli_parse_text, cli_run_settings, run.plan,
              "the plan to explain: auto (the default), a preset, or KEY=VALUE,...; see 'heddle help plans'"),
    CLI_REPORT_OPTION(cli_run_settings, report),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {{"Running", options, 0},
                                   CLI_READ_GROUP(cli_run_settings, load),
                                   CLI_BUILD_GROUP(cli_run_settings, load.build),
                                   CLI_COMMON_GROUP,
                                   CLI_END_GROUP};

const cli_command cli_explain = {
    .name = "explain",
    .hints = CLI_WORDS("plan", "why"),
    .summary = "the plan of a run, and what schedules would do",
    .operands = "ALGORITHM GRAPH",
    .about =
        "Tells on which device and under which plan ALGORITHM would run on GRAPH, and why; FILE.c in its place is a "
        "program of your own. Then, for each schedule, computed from the graph's degrees: the share of lanes that have "
        "an edge to walk (warp execution efficiency), how many transactions an edge costs, about how long a round over "
        "all edges takes on a large GPU, and the "
        "bytes that graph, values and buffers take on a device.\n\n"
        "A transaction is a sector of 32 bytes that one step of a warp touches. Reading targets and weights falls "
        "together more or less well, as the schedule has it; the value at the other end of an edge is a gather, "
        "counted "
        "as one more; in shards it lies beside the edge, and what is added is the writing of copies. Nothing is run, "
        "and no device is needed: without one, warps of 32 lanes are assumed. A run with "
        "--profile counts the lanes that are used. docs/schedules.md has the figures of real graphs.",
    .examples = "heddle explain sssp roads.gr\n"
                "heddle explain pr web.txt.zst --device cuda --plan ws\n"
                "heddle explain reliability.c network.txt --device cuda\n"
                "heddle explain bfs g.hdl --plan schedule=vnode,K=8 --json",
    .groups = groups,
    .settings_size = sizeof(cli_run_settings),
    .defaults = cli_run_defaults,
    .run = run,
};
