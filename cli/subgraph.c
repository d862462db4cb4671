/* subgraph.c - heddle subgraph: some vertices of a graph and the edges between them, in any format. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "report.h"
#include "text.h"
#include "vertex_values.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct subgraph_settings {
    cli_common common;
    heddle_load_options load;
    heddle_save_options save;
    heddle_subgraph_options part;
    const char *keep, *component; /* a file of ids; ids */
    int largest;
    uint64_t core;
} subgraph_settings;

static void defaults(void *opaque) {
    subgraph_settings *settings = opaque;
    heddle_load_options_init(&settings->load);
    heddle_save_options_init(&settings->save);
    heddle_subgraph_options_init(&settings->part);
}

/* ---- Which vertices ---------------------------------------------------------------------------------------------- */

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* Values of the vertices by an algorithm, on the CPU. */
static int compute(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                   const char *algorithm, heddle_result **result) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.memory_limit = settings->save.memory_limit;
    heddle_status status = heddle_run(session->context, graph, &options, result);
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

static int keep_listed(cli_session *session, const heddle_graph *graph, const char *path, unsigned char *keep) {
    cli_vertices listed = {.list = NULL};
    int exit_status = cli_read_vertices(session, graph, path, &listed);
    memset(keep, 0, heddle_graph_vertices(graph));
    for (uint64_t i = 0; i < listed.count; i++)
        keep[listed.list[i]] = 1;
    free(listed.list);
    return exit_status;
}

/* Components, named after a vertex each; `marks`, per vertex, are 0. */
static void keep_largest(uint64_t n, const uint32_t *label, uint64_t *marks, unsigned char *keep) {
    uint64_t largest = 0;
    for (uint64_t v = 0; v < n; v++)
        marks[label[v]]++;
    for (uint64_t v = 0; v < n; v++) /* of several the first */
        largest = marks[v] > marks[largest] ? v : largest;
    for (uint64_t v = 0; v < n; v++)
        keep[v] = keep[v] && label[v] == largest;
}

static int keep_named(cli_session *session, const heddle_graph *graph, const char *names, const uint32_t *label,
                      uint64_t *marks, unsigned char *keep) {
    cli_vertices named = {.list = NULL};
    int exit_status = cli_name_vertices(session, graph, names, &named);
    for (uint64_t i = 0; i < named.count; i++)
        marks[label[named.list[i]]] = 1;
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        keep[v] = keep[v] && marks[label[v]];
    free(named.list);
    return exit_status;
}

static int keep_components(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                           unsigned char *keep) {
    uint64_t n = heddle_graph_vertices(graph), *marks = calloc(n + 1, sizeof *marks);
    heddle_result *result = NULL;
    int exit_status = marks ? compute(session, graph, settings, "cc", &result) : no_memory();
    if (!exit_status) {
        const uint32_t *label = heddle_result_values(result)->data;
        if (settings->component)
            exit_status = keep_named(session, graph, settings->component, label, marks, keep);
        memset(marks, 0, n * sizeof *marks);
        if (settings->largest)
            keep_largest(n, label, marks, keep);
    }
    heddle_result_destroy(&result);
    free(marks);
    return exit_status;
}

static int keep_core(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                     unsigned char *keep) {
    uint64_t least = settings->core;
    heddle_result *result = NULL;
    int exit_status = compute(session, graph, settings, "kcore", &result);
    for (uint64_t v = 0; !exit_status && v < heddle_graph_vertices(graph); v++)
        keep[v] = keep[v] && heddle_result_value(result, (heddle_vertex)v) >= (double)least;
    heddle_result_destroy(&result);
    return exit_status;
}

/* keep[v] becomes 0 for vertices to drop. */
static int choose(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                  unsigned char *keep) {
    int exit_status = 0;
    memset(keep, 1, heddle_graph_vertices(graph));
    if (settings->keep)
        exit_status = keep_listed(session, graph, settings->keep, keep);
    if (!exit_status && (settings->component || settings->largest))
        exit_status = keep_components(session, graph, settings, keep);
    if (!exit_status && settings->core)
        exit_status = keep_core(session, graph, settings, keep);
    return exit_status;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void tell(cli_session *session, const subgraph_settings *settings, const char *input, const heddle_graph *graph,
                 const cli_transfer *transfer) {
    if (!heddle_graph_vertices(transfer->graph) && heddle_graph_vertices(graph))
        cli_note((void *)session->common, "no vertex of the graph is left");
    else if (!heddle_graph_edges(transfer->graph) && heddle_graph_edges(graph))
        cli_note((void *)session->common, "no edge of the graph is left");
    if (!settings->common.json) {
        cli_say_written(session, transfer);
        return;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "input", input);
    cli_json_count(&json, "input_vertices", heddle_graph_vertices(graph));
    cli_json_count(&json, "input_edges", heddle_graph_edges(graph));
    cli_json_transfer(&json, transfer);
    cli_json_end(&json);
}

static int check(const cli_session *session, const subgraph_settings *settings, const char *input) {
    const heddle_subgraph_options *part = &settings->part;
    if (settings->keep && !strcmp(settings->keep, "-") && !strcmp(input, "-"))
        return cli_usage_error(session->command, "only one input can be standard input");
    if (part->min_degree > part->max_degree)
        return cli_usage_error(session->command, "--min-degree is above --max-degree: no vertex would be left");
    if (part->min_weight > part->max_weight)
        return cli_usage_error(session->command, "--min-weight is above --max-weight: no edge would be left");
    return 0;
}

static int run(cli_session *session, void *opaque) {
    subgraph_settings *settings = opaque;
    const char *input = session->arguments.operands[0];
    cli_transfer transfer = {.path = session->arguments.operands[1], .before = "load"};
    heddle_graph *graph = NULL, *part = NULL;
    unsigned char *keep = NULL;
    char folder[PATH_MAX];
    int exit_status = check(session, settings, input);
    if (!exit_status)
        exit_status = cli_check_output(session, transfer.path, &settings->save);
    if (exit_status)
        return exit_status;
    cli_limit_build(&settings->save, transfer.path, &settings->load.build, folder, sizeof folder);
    settings->part.memory_limit = settings->save.memory_limit;
    settings->part.spill = settings->load.build.spill;
    /* Of the part, not of the graph, which may be mapped, and whose isolated vertices may be listed. */
    settings->part.drop_isolated = settings->load.build.drop_isolated;
    settings->load.build.drop_isolated = 0;
    heddle_status status = cli_load(session, input, &settings->load, &graph, &transfer.before_seconds);
    if (status == HEDDLE_OK) {
        keep = malloc(heddle_graph_vertices(graph) + 1);
        exit_status = keep ? choose(session, graph, settings, keep) : no_memory();
    }
    settings->part.keep = keep;
    if (status == HEDDLE_OK && !exit_status)
        status = heddle_graph_subgraph(session->context, graph, &settings->part, &part);
    transfer.graph = part;
    if (status == HEDDLE_OK && !exit_status)
        status = cli_save(session, &transfer, &settings->save);
    if (status != HEDDLE_OK)
        exit_status = cli_fail(session, status);
    else if (!exit_status)
        tell(session, settings, input, graph, &transfer);
    free(keep);
    heddle_graph_destroy(&part);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_option own_options[] = {
    CLI_VALUE("keep", 0, "FILE", cli_parse_text, subgraph_settings, keep,
              "keep the vertices that FILE lists, one id a line"),
    CLI_VALUE("component", 0, "ID[,ID...]", cli_parse_text, subgraph_settings, component,
              "keep the weakly connected components of these vertices"),
    CLI_FLAG("largest", 0, 1, subgraph_settings, largest,
             "keep the largest weakly connected component, of several the one with the smallest id"),
    CLI_NUMBER("core", 0, "K", cli_parse_count, 1, 4294967295.0, subgraph_settings, core,
               "keep the K-core: vertices of core number K or more"),
    CLI_NUMBER("min-degree", 0, "N", cli_parse_count, 0, 1e18, subgraph_settings, part.min_degree,
               "keep vertices of at least N edges, in and out"),
    CLI_NUMBER("max-degree", 0, "N", cli_parse_count, 0, 1e18, subgraph_settings, part.max_degree,
               "keep vertices of at most N edges"),
    CLI_NUMBER("min-weight", 0, "X", cli_parse_real, -1e308, 1e308, subgraph_settings, part.min_weight,
               "keep edges of weight X or more"),
    CLI_NUMBER("max-weight", 0, "X", cli_parse_real, -1e308, 1e308, subgraph_settings, part.max_weight,
               "keep edges of weight X or less"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    {"What is kept", own_options, 0},
    CLI_READ_GROUP(subgraph_settings, load),
    CLI_BUILD_GROUP(subgraph_settings, load.build),
    CLI_SAVE_GROUP(subgraph_settings, save),
    CLI_LIMIT_GROUP(subgraph_settings, save),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_subgraph = {
    .name = "subgraph",
    .aliases = CLI_WORDS("induced", "inducedsubgraph"),
    .hints = CLI_WORDS("filter", "extract", "largestcomponent"),
    .summary = "some vertices, and the edges between them",
    .operands = "IN OUT",
    .about =
        "Writes a part of the graph IN to OUT, in any format: the vertices that fulfil all conditions that are given, "
        "and the edges between them. Vertices keep their ids. Degrees and cores are those of the graph IN; an edge "
        "of an undirected graph counts once in a degree, a loop twice. Without weights every edge weighs 1. "
        "--no-isolated also drops vertices that are left without edges.\n\n"
        "--memory-limit holds for both graphs; .hdl files are mapped and do not count. If OUT is an .hdl file, what "
        "exceeds the limit is built in temporary files beside it. Components are found from such a file too; cores are "
        "refused if the graph exceeds the limit.",
    .examples = "heddle subgraph web.txt.zst core.hdl --core 20\n"
                "heddle subgraph roads.gr main.gr --largest\n"
                "heddle subgraph friends.txt mine.csv --keep people.txt --lossy\n"
                "heddle subgraph g.hdl strong.hdl --min-weight 0.5 --no-isolated",
    .groups = groups,
    .settings_size = sizeof(subgraph_settings),
    .defaults = defaults,
    .run = run,
};
