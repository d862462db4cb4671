/* bench_graph500.c - heddle bench graph500: the benchmark of that name, after its specification: an edge list is
 * generated; kernel 1 builds a graph of it; kernel 2 searches it from 64 vertices, one after the other, for a tree of
 * parents; kernel 3 finds the shortest paths from the same vertices, and their tree. Every tree is checked by the five
 * rules, outside the measured time.
 *
 * On ranks each has a share of the edge list, by which it checks the trees. The graph that kernel 1 makes of them is a
 * file, which all map and which has no name any more when the searches begin. */
#include "bench/bench.h"
#include "graph500/graph500_ranks.h"
#include "json.h"
#include "ranks.h"
#include "report.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_WARM = 3 };

/* A kernel's searches. */
typedef struct kernel {
    const char *algorithm, *prefix; /* of its lines in the report */
    bool lengths;                   /* of paths: there are distances */
    double seconds[CLI_G500_SEARCHES], checking[CLI_G500_SEARCHES];
    double edges[CLI_G500_SEARCHES], rates[CLI_G500_SEARCHES];
} kernel;

enum { KERNELS = 2 };

typedef struct measured {
    cli_session *session;
    const bench_settings *settings;
    cli_g500 list; /* all, or a rank's share */
    int rank, ranks;
    heddle_graph *graph;
    cli_g500_meeting meeting; /* of ranks */
    cli_g500_found found;
    uint32_t keys[CLI_G500_SEARCHES];
    int searches;
    double generation, construction;
    kernel kernels[KERNELS];
    char device[64];
} measured;

/* A file that only the ranks know. */
static void name_file(const measured *m, const char *suffix, char *path, size_t room) {
    snprintf(path, room, "./.graph500-%d-%llu.%s", m->settings->scale, (unsigned long long)m->settings->seed, suffix);
}

static heddle_status construct_together(measured *m, const heddle_build_options *build) {
    heddle_context *context = m->session->context;
    char path[64];
    name_file(m, "hdl", path, sizeof path);
    heddle_status status = heddle_graph_edges_file(context, m->list.vertices, m->list.edges, m->list.from, m->list.to,
                                                   m->list.weights, HEDDLE_WEIGHT_F32, build, path, NULL);
    if (status != HEDDLE_OK)
        return status;
    status = heddle_context_agree(context, heddle_graph_load(context, path, NULL, &m->graph));
    if (!m->rank)
        unlink(path);
    return status;
}

/* Loops and repetitions may be left out of the graph, but not of what is counted; the shortest of them stays. */
static heddle_status construct(measured *m) {
    heddle_build_options build;
    heddle_adjacency rows;
    heddle_status status;
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    build.drop_loops = 1;
    build.duplicates = HEDDLE_DUPLICATES_MIN;
    double start = cli_clock();
    status = m->ranks > 1 ? construct_together(m, &build)
                          : heddle_graph_from_edges(m->session->context, m->list.vertices, m->list.edges, m->list.from,
                                                    m->list.to, m->list.weights, HEDDLE_WEIGHT_F32, &build, &m->graph);
    m->construction = cli_clock() - start;
    if (status == HEDDLE_OK)
        status = heddle_context_agree(m->session->context, heddle_graph_out(m->session->context, m->graph, &rows));
    if (status == HEDDLE_OK)
        m->searches = cli_g500_keys(rows.offsets, m->list.vertices, m->settings->seed, CLI_G500_SEARCHES, m->keys);
    return status;
}

/* Checks the tree of a search; on ranks all do. Returns the exit status. */
static int check(measured *m, const kernel *k, uint32_t root, const heddle_result *result) {
    cli_g500_tree tree = {.vertices = m->list.vertices,
                          .root = root,
                          .parents = heddle_result_parents(result),
                          .threads = heddle_context_threads(m->session->context)};
    cli_g500_rule rule = CLI_G500_HOLDS;
    int exit_status = 0;
    if (k->lengths) /* other ranks have no values, but say what they want to have */
        tree.distances = m->rank ? m->meeting.distances : heddle_result_values(result)->data;
    if (m->ranks > 1)
        exit_status = cli_g500_check_together(&m->meeting, &tree, &m->list, &m->found, &rule);
    else
        rule = cli_g500_check(&tree, &m->list, &m->found);
    if (exit_status || m->rank || rule == CLI_G500_HOLDS)
        return exit_status;
    cli_say("%s from vertex %lu: the tree breaks %s", k->algorithm, (unsigned long)root, cli_g500_rule_text(rule));
    return heddle_status_exit(HEDDLE_E_VERIFY);
}

/* One search; returns the exit status. */
static int search(measured *m, kernel *k, int i, bool timed) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = k->algorithm;
    options.precision = k->lengths ? HEDDLE_PRECISION_SINGLE : HEDDLE_PRECISION_DEFAULT; /* as its weights and trees */
    options.device = m->settings->device;
    options.plan = m->settings->plan;
    options.sources = &m->keys[i];
    options.source_count = 1;
    options.parents = 1;
    double start = cli_clock();
    heddle_status status = heddle_run(m->session->context, m->graph, &options, &result);
    double searched = cli_clock();
    if (status != HEDDLE_OK)
        return cli_fail(m->session, status);
    const heddle_report *report = heddle_result_report(result);
    snprintf(m->device, sizeof m->device, "%s", report->device);
    double seconds = m->ranks > 1 ? report->compute : searched - start; /* not of sending the tree to rank 0 */
    m->construction += m->ranks > 1 ? report->prepare : 0;              /* slices and transposed edges, which stay */
    int exit_status = timed ? check(m, k, m->keys[i], result) : 0;
    heddle_result_destroy(&result);
    if (exit_status)
        return exit_status;
    k->seconds[i] = seconds;
    k->checking[i] = cli_clock() - searched;
    k->edges[i] = (double)m->found.traversed;
    k->rates[i] = k->edges[i] / seconds;
    return 0;
}

/* The block of the specification, as lines or as members. */
typedef struct printer {
    cli_json json;
    bool as_json;
} printer;

static void put_count(printer *p, const char *key, uint64_t value) {
    if (p->as_json)
        cli_json_count(&p->json, key, value);
    else
        printf("%s: %llu\n", key, (unsigned long long)value);
}

static void put_real(printer *p, const char *prefix, const char *key, const char *suffix, double value) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", prefix, key, suffix);
    if (p->as_json)
        cli_json_real(&p->json, name, value);
    else
        printf("%s: %.9g\n", name, value);
}

static void put_series(printer *p, const char *prefix, const char *suffix, double *numbers, int count, bool harmonic) {
    cli_g500_stats s = cli_g500_summarise(numbers, count);
    put_real(p, prefix, "min_", suffix, s.least);
    put_real(p, prefix, "firstquartile_", suffix, s.first_quartile);
    put_real(p, prefix, "median_", suffix, s.median);
    put_real(p, prefix, "thirdquartile_", suffix, s.third_quartile);
    put_real(p, prefix, "max_", suffix, s.most);
    put_real(p, prefix, harmonic ? "harmonic_mean_" : "mean_", suffix, harmonic ? s.harmonic_mean : s.mean);
    put_real(p, prefix, harmonic ? "harmonic_stddev_" : "stddev_", suffix,
             harmonic ? s.harmonic_deviation : s.deviation);
}

static void put_kernel(printer *p, kernel *k, int searches) {
    put_series(p, k->prefix, "time", k->seconds, searches, false);
    put_series(p, k->prefix, "validate", k->checking, searches, false);
    put_series(p, k->prefix, "nedge", k->edges, searches, false);
    put_series(p, k->prefix, "TEPS", k->rates, searches, true);
}

static void print_block(measured *m) {
    printer p = {.json = {.out = stdout}, .as_json = m->settings->common.json};
    if (p.as_json) {
        cli_json_object(&p.json, NULL);
        cli_json_text(&p.json, "device", m->device);
        cli_json_flag(&p.json, "verified", true);
    }
    put_count(&p, "SCALE", (uint64_t)m->settings->scale);
    put_count(&p, "edgefactor", CLI_G500_FACTOR);
    put_count(&p, "NBFS", (uint64_t)m->searches);
    put_real(&p, "", "graph_generation", "", m->generation);
    put_real(&p, "", "construction_time", "", m->construction);
    for (int k = 0; k < KERNELS; k++)
        put_kernel(&p, &m->kernels[k], m->searches);
    if (p.as_json)
        cli_json_end(&p.json);
}

/* Before the first: opens the device, and brings the graph there; ranks make all that a search may want. */
static int warm_up(measured *m, kernel *k) {
    int exit_status = 0;
    for (int i = 0; i < (m->ranks > 1 ? RANKS_WARM : 1) && !exit_status; i++)
        exit_status = cli_ranks_agree(m->session, m->searches ? search(m, k, 0, false) : 0);
    return exit_status;
}

static int search_all(measured *m, kernel *k) {
    int exit_status = warm_up(m, k);
    for (int i = 0; i < m->searches && !exit_status; i++)
        exit_status = cli_ranks_agree(m->session, search(m, k, i, true));
    return exit_status;
}

static int generate(measured *m) {
    double start = cli_clock();
    int threads = heddle_context_threads(m->session->context);
    bool there =
        cli_g500_generate(m->settings->scale, CLI_G500_FACTOR, m->settings->seed, m->rank, m->ranks, threads, &m->list);
    m->generation = cli_clock() - start;
    if (there && cli_g500_found_new(&m->found, m->list.vertices))
        return 0;
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

static int meet(measured *m) {
    char path[64];
    name_file(m, "trees", path, sizeof path);
    return m->ranks > 1 ? cli_g500_meeting_open(&m->meeting, m->session, path, m->list.vertices) : 0;
}

static int measure(measured *m) {
    int exit_status = cli_ranks_agree(m->session, generate(m));
    if (!exit_status)
        exit_status = meet(m);
    if (exit_status)
        return exit_status;
    heddle_status status = construct(m);
    if (status != HEDDLE_OK)
        return cli_fail(m->session, status);
    for (int k = 0; k < KERNELS && !exit_status; k++)
        exit_status = search_all(m, &m->kernels[k]);
    if (!exit_status && m->searches && !m->rank)
        print_block(m);
    return exit_status;
}

/* Options for rows of a table: graph500 has a block of statistics, and neither a page nor a file. */
static int refuse_options(cli_session *session, const bench_settings *settings) {
    const char *given = settings->report   ? "--report"
                        : settings->output ? "--output"
                        : settings->plans  ? "--plans"
                        : settings->again  ? "--again"
                                           : NULL;
    return given
               ? cli_usage_error(session->command, "%s: not for graph500, which prints its statistics (--json)", given)
               : 0;
}

int bench_graph500(cli_session *session, const bench_settings *settings) {
    int refused = refuse_options(session, settings);
    if (refused)
        return refused;
    if (session->arguments.operand_count > 1)
        return cli_usage_error(session->command,
                               "graph500 makes its own graph, of --scale: unexpected operand '%.200s'",
                               session->arguments.operands[1]);
    measured *m = calloc(1, sizeof *m);
    if (!m) {
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    m->session = session;
    m->settings = settings;
    m->kernels[0] = (kernel){.algorithm = "bfs", .prefix = ""};
    m->kernels[1] = (kernel){.algorithm = "sssp", .prefix = "sssp_", .lengths = true};
    m->ranks = heddle_context_ranks(session->context);
    m->rank = heddle_context_rank(session->context);
    int exit_status = measure(m);
    heddle_graph_destroy(&m->graph);
    cli_g500_free(&m->list);
    cli_g500_found_free(&m->found);
    cli_g500_meeting_close(&m->meeting);
    free(m);
    return exit_status;
}
