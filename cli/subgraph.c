/* subgraph.c - heddle subgraph: some vertices of a graph and the edges between them, in any format. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "report.h"
#include "text.h"
#include "vertex_values.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subgraph_settings {
    cli_common common;
    heddle_load_options load;
    heddle_save_options save;
    heddle_subgraph_options part;
    const char *keep, *drop; /* files of ids */
    const char *component, *ego;
    const char *values; /* a file, */
    double least, most; /* and which values are meant */
    int largest, strong;
    uint64_t core, hops;
} subgraph_settings;

static void defaults(void *opaque) {
    subgraph_settings *settings = opaque;
    heddle_load_options_init(&settings->load);
    heddle_save_options_init(&settings->save);
    heddle_subgraph_options_init(&settings->part);
    settings->hops = 1;
    settings->least = -HUGE_VAL;
    settings->most = HUGE_VAL;
}

/* ---- Which vertices ---------------------------------------------------------------------------------------------- */

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* Values of the vertices by an algorithm, on the CPU; `sources` may be NULL. */
static int compute(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                   const char *algorithm, const cli_vertices *sources, heddle_result **result) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.sources = sources ? sources->list : NULL;
    options.source_count = sources ? sources->count : 0;
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

static int drop_listed(cli_session *session, const heddle_graph *graph, const char *path, unsigned char *keep) {
    cli_vertices listed = {.list = NULL};
    int exit_status = cli_read_vertices(session, graph, path, &listed);
    for (uint64_t i = 0; i < listed.count; i++)
        keep[listed.list[i]] = 0;
    free(listed.list);
    return exit_status;
}

/* Vertices that the file of values names, with a value between the bounds. */
static int keep_by_value(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                         unsigned char *keep) {
    uint64_t n = heddle_graph_vertices(graph);
    double *values = calloc(n + 1, sizeof *values);
    unsigned char *marks = calloc(n + 1, 1);
    int exit_status = values && marks ? 0 : no_memory();
    if (!exit_status)
        exit_status = cli_read_values(session, graph, settings->values, -HUGE_VAL, NAN, values, marks);
    for (uint64_t v = 0; !exit_status && v < n; v++)
        keep[v] = keep[v] && marks[v] && values[v] >= settings->least && values[v] <= settings->most;
    free(values);
    free(marks);
    return exit_status;
}

/* Vertices at most so many edges away from one of these. */
static int keep_near(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                     unsigned char *keep) {
    cli_vertices named = {.list = NULL};
    heddle_result *result = NULL;
    int exit_status = cli_name_vertices(session, graph, settings->ego, &named);
    if (!exit_status)
        exit_status = compute(session, graph, settings, "bfs", &named, &result);
    for (uint64_t v = 0; !exit_status && v < heddle_graph_vertices(graph); v++)
        keep[v] = keep[v] && heddle_result_value(result, (heddle_vertex)v) <= (double)settings->hops;
    heddle_result_destroy(&result);
    free(named.list);
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

/* Components by `algorithm`: the largest one, those of the vertices in `names`, or both. */
static int keep_components(cli_session *session, const heddle_graph *graph, const subgraph_settings *settings,
                           const char *algorithm, bool largest, const char *names, unsigned char *keep) {
    uint64_t n = heddle_graph_vertices(graph), *marks = calloc(n + 1, sizeof *marks);
    heddle_result *result = NULL;
    int exit_status = marks ? compute(session, graph, settings, algorithm, NULL, &result) : no_memory();
    if (!exit_status) {
        const uint32_t *label = heddle_result_values(result)->data;
        if (names)
            exit_status = keep_named(session, graph, names, label, marks, keep);
        memset(marks, 0, n * sizeof *marks);
        if (largest)
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
    int exit_status = compute(session, graph, settings, "kcore", NULL, &result);
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
    if (!exit_status && settings->drop)
        exit_status = drop_listed(session, graph, settings->drop, keep);
    if (!exit_status && settings->values)
        exit_status = keep_by_value(session, graph, settings, keep);
    if (!exit_status && settings->ego)
        exit_status = keep_near(session, graph, settings, keep);
    if (!exit_status && (settings->component || settings->largest))
        exit_status = keep_components(session, graph, settings, "cc", settings->largest, settings->component, keep);
    if (!exit_status && settings->strong)
        exit_status = keep_components(session, graph, settings, "scc", true, NULL, keep);
    if (!exit_status && settings->core)
        exit_status = keep_core(session, graph, settings, keep);
    return exit_status;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void print_summary(cli_session *session, const subgraph_settings *settings, const char *input,
                          const heddle_graph *graph, const cli_transfer *transfer) {
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
    const char *const files[] = {input, settings->keep, settings->drop, settings->values};
    int piped = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        piped += files[i] && !strcmp(files[i], "-");
    if (piped > 1)
        return cli_usage_error(session->command, "only one input can be standard input");
    if (cli_given(&session->arguments, "hops") && !settings->ego)
        return cli_usage_error(session->command, "--hops needs --ego ID");
    bool bounded = settings->least > -HUGE_VAL || settings->most < HUGE_VAL;
    if (bounded != (settings->values != NULL))
        return cli_usage_error(session->command, "--values FILE needs --min-value or --max-value, and these need it");
    if (settings->least > settings->most)
        return cli_usage_error(session->command, "--min-value is above --max-value: no vertex would be left");
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
        print_summary(session, settings, input, graph, &transfer);
    free(keep);
    heddle_graph_destroy(&part);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_option own_options[] = {
    CLI_VALUE("keep", 0, "FILE", cli_parse_text, subgraph_settings, keep,
              "keep the vertices that FILE lists, one id a line"),
    CLI_VALUE("drop", 0, "FILE", cli_parse_text, subgraph_settings, drop, "drop the vertices that FILE lists"),
    CLI_VALUE("values", 0, "FILE", cli_parse_text, subgraph_settings, values,
              "keep the vertices whose value in FILE, \"id value\" lines as results have them, is within the bounds:"),
    CLI_NUMBER("min-value", 0, "X", cli_parse_real, -1e308, 1e308, subgraph_settings, least, "a value of X or more"),
    CLI_NUMBER("max-value", 0, "X", cli_parse_real, -1e308, 1e308, subgraph_settings, most, "a value of X or less"),
    CLI_VALUE("ego", 0, "ID[,ID...]", cli_parse_text, subgraph_settings, ego,
              "keep these vertices and those near them, along the edges' direction (--hops)"),
    CLI_NUMBER("hops", 0, "N", cli_parse_count, 0, 4294967295.0, subgraph_settings, hops,
               "with --ego: at most N edges away (default: 1)"),
    CLI_VALUE("component", 0, "ID[,ID...]", cli_parse_text, subgraph_settings, component,
              "keep the weakly connected components of these vertices"),
    CLI_FLAG("largest", 0, 1, subgraph_settings, largest,
             "keep the largest weakly connected component, of several the one with the smallest id"),
    CLI_FLAG("largest-strong", 0, 1, subgraph_settings, strong,
             "keep the largest strongly connected component, of several the one with the smallest id"),
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
    CLI_NUMBER("sample-vertices", 0, "P", cli_parse_real, 0, 1, subgraph_settings, part.vertex_share,
               "keep each vertex with probability P"),
    CLI_NUMBER("sample-edges", 0, "P", cli_parse_real, 0, 1, subgraph_settings, part.edge_share,
               "keep each edge with probability P"),
    CLI_VALUE("seed", 0, "N", cli_parse_u64, subgraph_settings, part.seed, "another seed gives another sample"),
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
    .hints = CLI_WORDS("filter", "extract", "largestcomponent", "ego", "egograph", "sample"),
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
                "heddle subgraph g.hdl strong.hdl --min-weight 0.5 --no-isolated\n"
                "heddle subgraph web.hdl near.csv --ego 42 --hops 2\n"
                "heddle subgraph g.hdl top.hdl --values ranks.tsv --min-value 0.001\n"
                "heddle subgraph g.hdl some.hdl --sample-edges 0.1 --seed 7",
    .groups = groups,
    .settings_size = sizeof(subgraph_settings),
    .defaults = defaults,
    .run = run,
};
