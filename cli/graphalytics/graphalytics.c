/* graphalytics.c - heddle graphalytics run: the six algorithms of LDBC Graphalytics on its data sets, validated by its
 * rules against the results that the data sets come with. */
#include "graphalytics/graphalytics.h"

#include "algorithm.h"
#include "json.h"
#include "report.h"
#include "signals.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct ldbc_settings {
    cli_common common;
    const char *device;
    const char *graph;      /* only this data set; NULL: all */
    const char *algorithms; /* only these, with commas; NULL: all that the data set names */
    const char *output;     /* folder */
} ldbc_settings;

/* One run. */
typedef struct ldbc_row {
    const cli_ldbc_set *set;
    const cli_ldbc_algorithm *algorithm;
    uint64_t vertices, edges; /* an undirected edge counts once */
    char device[24];
    double load, processing;
    uint64_t started; /* milliseconds since 1970 */
    cli_ldbc_verdict verdict;
    char why[160];
} ldbc_row;

typedef struct ldbc_bench {
    cli_session *session;
    const ldbc_settings *settings;
    cli_json json;
    uint64_t sets, runs, failed;
} ldbc_bench;

/* ---- One algorithm ---------------------------------------------------------------------------------------------- */

static const char *verdict_word(cli_ldbc_verdict verdict) {
    return verdict == CLI_LDBC_PASSED ? "passed" : verdict == CLI_LDBC_FAILED ? "failed" : "no reference";
}

static void show_row(ldbc_bench *bench, const ldbc_row *row) {
    double rate = row->processing > 0 ? (double)(row->vertices + row->edges) / row->processing : 0;
    if (!bench->settings->common.json) {
        printf("%-24s %-5s %-9s %11s %9s EVPS  %s%s%s\n", row->set->name, row->algorithm->name, row->device,
               cli_seconds(row->processing).text, cli_si(rate).text, verdict_word(row->verdict),
               row->why[0] ? ": " : "", row->why);
        return;
    }
    cli_json *json = &bench->json;
    cli_json_object(json, NULL);
    cli_json_text(json, "graph", row->set->name);
    cli_json_text(json, "algorithm", row->algorithm->name);
    cli_json_text(json, "device", row->device);
    cli_json_count(json, "vertices", row->vertices);
    cli_json_count(json, "edges", row->edges);
    cli_json_seconds(json, "load", row->load);
    cli_json_count(json, "started", row->started);
    cli_json_seconds(json, "processing", row->processing);
    cli_json_real(json, "evps", rate);
    cli_json_text(json, "validation", verdict_word(row->verdict));
    if (row->why[0])
        cli_json_text(json, "difference", row->why);
    cli_json_end(json);
}

/* Parameters of the algorithm in the data set. Values have double precision; pr makes all its rounds. */
static int set_options(ldbc_bench *bench, const ldbc_row *row, const heddle_graph *graph, heddle_run_options *options,
                       heddle_vertex *source) {
    const cli_ldbc_algorithm *algorithm = row->algorithm;
    const char *set = (const char *)row->set, *from = algorithm->source ? set + algorithm->source : NULL;
    heddle_run_options_init(options);
    options->algorithm = algorithm->algorithm;
    options->device = bench->settings->device;
    options->precision = HEDDLE_PRECISION_DOUBLE;
    options->damping = row->set->damping;
    options->tolerance = 1e-300;
    if (algorithm->rounds)
        memcpy(&options->max_iterations, set + algorithm->rounds, sizeof options->max_iterations);
    if (!from)
        return 0;
    heddle_status status = heddle_graph_find(bench->session->context, graph, from, source);
    if (status != HEDDLE_OK) {
        cli_say("%s: %s.source-vertex '%s' is no vertex of the graph", row->set->name, algorithm->name, from);
        return CLI_EXIT_OUTPUT;
    }
    options->sources = source;
    options->source_count = 1;
    return 0;
}

static int finish_row(ldbc_bench *bench, ldbc_row *row, const heddle_graph *graph, const heddle_result *result) {
    char reference[2 * PATH_MAX], upper[8], path[2 * PATH_MAX];
    size_t i = 0;
    for (; row->algorithm->name[i]; i++)
        upper[i] = (char)(row->algorithm->name[i] - 'a' + 'A');
    upper[i] = '\0';
    snprintf(reference, sizeof reference, "%s/%s-%s", row->set->folder, row->set->name, upper);
    snprintf(row->device, sizeof row->device, "%s", heddle_result_report(result)->device);
    int exit_status = cli_ldbc_validate(bench->session, row->algorithm, graph, result, reference, &row->verdict,
                                        row->why, sizeof row->why);
    if (!exit_status && cli_interrupted()) {
        cli_say("interrupted");
        return CLI_EXIT_INTERRUPTED;
    }
    if (!exit_status && bench->settings->output) {
        snprintf(path, sizeof path, "%s/%s-%s", bench->settings->output, row->set->name, upper);
        exit_status = cli_ldbc_write(row->algorithm, graph, result, path);
    }
    return exit_status;
}

/* Milliseconds since 1970. */
static uint64_t wall_clock(void) {
    struct timespec now = {.tv_sec = 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int run_algorithm(ldbc_bench *bench, ldbc_row *row, const heddle_graph *graph) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_vertex source;
    int exit_status = set_options(bench, row, graph, &options, &source);
    if (exit_status)
        return exit_status;
    double begin = cli_clock();
    row->started = wall_clock();
    heddle_status status = heddle_run(bench->session->context, graph, &options, &result);
    row->processing = cli_clock() - begin;
    if (status != HEDDLE_OK)
        return cli_fail(bench->session, status);
    exit_status = finish_row(bench, row, graph, result);
    heddle_result_destroy(&result);
    if (exit_status)
        return exit_status;
    bench->runs++;
    bench->failed += row->verdict == CLI_LDBC_FAILED;
    show_row(bench, row);
    return 0;
}

/* ---- One data set ----------------------------------------------------------------------------------------------- */

/* The column of sssp's weights: behind the two ends, in the order of their names. */
static int weight_column(const cli_ldbc_set *set) {
    char names[sizeof set->edge_values], *rest = names;
    int column = 3;
    if (!set->edge_values[0])
        return HEDDLE_COLUMN_NONE;
    memcpy(names, set->edge_values, sizeof names);
    for (char *name; set->weight[0] && (name = strsep(&rest, " ")); column++)
        if (!strcmp(name, set->weight))
            return column;
    return 3;
}

/* Its edges are an .hdl file, which has the vertices too. */
static bool is_loaded(const cli_ldbc_set *set) {
    size_t length = strlen(set->edge_file);
    return length > 4 && !strcmp(set->edge_file + length - 4, ".hdl");
}

static heddle_status load_set(ldbc_bench *bench, const cli_ldbc_set *set, heddle_graph **graph, double *seconds) {
    char vertices[PATH_MAX + 260], edges[PATH_MAX + 260];
    heddle_load_options options;
    heddle_load_options_init(&options);
    snprintf(vertices, sizeof vertices, "%s/%s", set->folder, set->vertex_file);
    snprintf(edges, sizeof edges, "%s/%s", set->folder, set->edge_file);
    if (!is_loaded(set)) {
        options.format = "edgelist";
        options.ids = HEDDLE_IDS_INTEGER;
        options.header = HEDDLE_HEADER_NO;
        options.vertices_from = vertices;
        options.weight_column = weight_column(set);
        options.weight_type = options.weight_column == HEDDLE_COLUMN_NONE ? HEDDLE_WEIGHT_NONE : HEDDLE_WEIGHT_F64;
        options.build.symmetrize = !set->directed;
    }
    double begin = cli_clock();
    heddle_status status = heddle_graph_load(bench->session->context, edges, &options, graph);
    *seconds = cli_clock() - begin;
    return status;
}

/* Whether the option requests it. */
static bool is_asked(const ldbc_settings *settings, const char *name) {
    char words[256] = "";
    for (size_t i = 0; settings->algorithms && settings->algorithms[i] && i + 1 < sizeof words; i++)
        words[i] = settings->algorithms[i] == ',' ? ' ' : settings->algorithms[i];
    return !settings->algorithms || cli_has_word(words, name);
}

static int run_set(ldbc_bench *bench, const cli_ldbc_set *set) {
    heddle_graph *graph = NULL;
    ldbc_row row = {.set = set};
    int exit_status = 0;
    heddle_status status = load_set(bench, set, &graph, &row.load);
    if (status != HEDDLE_OK)
        return cli_fail(bench->session, status);
    bench->sets++;
    row.vertices = heddle_graph_vertices(graph);
    row.edges = heddle_graph_edges(graph) / (set->directed ? 1 : 2);
    for (const cli_ldbc_algorithm *each = cli_ldbc_algorithms; each->name && !exit_status; each++)
        if (cli_has_word(set->algorithms, each->name) && is_asked(bench->settings, each->name)) {
            row.algorithm = each;
            exit_status = run_algorithm(bench, &row, graph);
        }
    heddle_graph_destroy(&graph);
    return exit_status;
}

static int run_file(ldbc_bench *bench, const char *path) {
    cli_ldbc_set set;
    int exit_status = 0;
    if (!cli_ldbc_read(path, &set, &exit_status))
        return exit_status;
    return bench->settings->graph && strcmp(bench->settings->graph, set.name) != 0 ? 0 : run_set(bench, &set);
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static int is_description(const struct dirent *entry) {
    static const char suffix[] = ".properties";
    size_t length = strlen(entry->d_name);
    return length > sizeof suffix - 1 && !strcmp(entry->d_name + length - (sizeof suffix - 1), suffix);
}

static int run_folder(ldbc_bench *bench, const char *folder) {
    struct dirent **list;
    int exit_status = 0, count = scandir(folder, &list, is_description, alphasort);
    if (count < 0) {
        cli_say("%s: %s", folder, strerror(errno));
        return CLI_EXIT_OUTPUT;
    }
    for (int i = 0; i < count; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (!exit_status)
            exit_status = run_file(bench, path);
        free(list[i]);
    }
    free(list);
    return exit_status;
}

static int check_words(const cli_session *session, const ldbc_settings *settings) {
    char words[256], *rest = words;
    if (strcmp(session->arguments.operands[0], "run") != 0)
        return cli_usage_error(session->command, "'%s': expected run", session->arguments.operands[0]);
    snprintf(words, sizeof words, "%s", settings->algorithms ? settings->algorithms : "bfs");
    for (char *word; (word = strsep(&rest, ","));)
        if (!cli_ldbc_find(word))
            return cli_usage_error(session->command, "'%s': expected some of bfs, cdlp, lcc, pr, sssp, wcc", word);
    return 0;
}

static int run(cli_session *session, void *opaque) {
    ldbc_settings *settings = opaque;
    ldbc_bench bench = {.session = session, .settings = settings, .json = {.out = stdout}};
    const char *path = session->arguments.operands[1];
    struct stat file;
    int exit_status = check_words(session, settings);
    if (exit_status)
        return exit_status;
    if (settings->common.json)
        cli_json_array(&bench.json, NULL);
    bool folder = stat(path, &file) == 0 && S_ISDIR(file.st_mode);
    exit_status = folder ? run_folder(&bench, path) : run_file(&bench, path);
    if (settings->common.json)
        cli_json_end(&bench.json);
    if (!exit_status && !bench.sets) {
        cli_say("%s: no data set of Graphalytics%s%s (NAME.properties with the lines graph.NAME.edge-file …)", path,
                settings->graph ? " called " : "", settings->graph ? settings->graph : "");
        return CLI_EXIT_OUTPUT;
    }
    if (!exit_status && !settings->common.quiet)
        cli_say("%llu runs on %llu data set%s, %llu failed", (unsigned long long)bench.runs,
                (unsigned long long)bench.sets, bench.sets == 1 ? "" : "s", (unsigned long long)bench.failed);
    return exit_status ? exit_status : bench.failed ? heddle_status_exit(HEDDLE_E_VERIFY) : 0;
}

static void defaults(void *opaque) { ((ldbc_settings *)opaque)->device = "auto"; }

static const cli_option own_options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, ldbc_settings, device,
              "auto, cpu, cuda or opencl, optionally with :INDEX (default: auto)"),
    CLI_VALUE("graph", 0, "NAME", cli_parse_text, ldbc_settings, graph, "this data set only"),
    CLI_VALUE("algorithms", 'a', "LIST", cli_parse_text, ldbc_settings, algorithms,
              "some of bfs, cdlp, lcc, pr, sssp, wcc, with commas between (default: those that the data set names)"),
    CLI_VALUE("output", 'o', "DIR", cli_parse_text, ldbc_settings, output,
              "write results to this folder, as NAME-BFS and so on"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {{"Graphalytics", own_options, 0}, CLI_COMMON_GROUP, CLI_END_GROUP};

const cli_command cli_graphalytics = {
    .name = "graphalytics",
    .hints = CLI_WORDS("ldbc"),
    .ranks = CLI_RANKS_NONE,
    .summary = "run and validate LDBC Graphalytics",
    .operands = "run PATH",
    .about =
        "Runs the algorithms of LDBC Graphalytics on its data sets: PATH is a folder with NAME.properties, NAME.v and "
        "NAME.e, or one such .properties file. Sources, rounds and damping are those that the description names; "
        "values "
        "have double precision. If there is a NAME-BFS, NAME-CDLP, NAME-LCC, NAME-PR, NAME-SSSP or NAME-WCC beside it, "
        "the result is validated by the benchmark's rules: levels and labels exactly, components up to other names, "
        "real values up to 0.01 percent.\n\n"
        "EVPS are edges and vertices per second of processing, without loading. Exit status 5 when a result is not the "
        "expected one.",
    .examples = "heddle graphalytics run datasets/\n"
                "heddle graphalytics run example-directed.properties --json\n"
                "heddle graphalytics run datasets/ --graph wiki-Talk --device cuda",
    .groups = groups,
    .settings_size = sizeof(ldbc_settings),
    .defaults = defaults,
    .run = run,
};
