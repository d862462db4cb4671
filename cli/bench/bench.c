/* bench.c - heddle bench: repeatable measurements, every result verified once.
 *
 * A row is one algorithm on one graph under one plan: a warm-up that also prepares (in-edges, upload, compiling), then
 * the repeats on a resident graph, timed by the run's own report. */
#include "bench/bench.h"

#include "algorithm.h"
#include "common.h"
#include "file.h"
#include "names.h"
#include "page/page.h"
#include "progress.h"
#include "report.h"
#include "signals.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the word is one of those that the algorithm's options consist of. */
static bool takes(const char *algorithm, const char *word) {
    const heddle_algorithm_info *info;
    size_t length = strlen(word), i = 0;
    while ((info = heddle_algorithm_at(i)) && strcmp(info->name, algorithm) != 0)
        i++;
    for (const char *at = info ? info->options : ""; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* pr, whose sources are personalisations, is benched without. */
static bool from_source(const char *algorithm) {
    return cli_names_program(algorithm) || (takes(algorithm, "sources") && !takes(algorithm, "personalization"));
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, compare);
    return count % 2 ? times[count / 2] : (times[count / 2 - 1] + times[count / 2]) / 2;
}

/* Of sorted times, interpolated. */
static double quantile_of(const double *times, int count, double share) {
    double at = share * (count - 1);
    int low = (int)at;
    return low + 1 < count ? times[low] + (at - low) * (times[low + 1] - times[low]) : times[low];
}

/* ---- One row --------------------------------------------------------------------------------------------------- */

/* Lower bounds: bytes that must be moved at least once, and random reads, one per edge. */
static void set_floors(const bench_graph *graph, bench_row *row) {
    const cli_algorithm *algorithm = cli_algorithm_called(row->algorithm);
    double weight = algorithm && algorithm->weights ? (double)cli_weight_bytes(graph->graph) : 0;
    double n = (double)row->vertices, m = (double)row->edges, passes = row->passes > 1 ? row->passes : 1;
    if (algorithm && algorithm->walks_per_round)
        passes = (double)row->iterations;
    else if (algorithm && algorithm->walks > 0)
        passes = algorithm->walks;
    row->stream_floor = passes * (n * 8 + m * (4 + weight)) / graph->ceilings.copy;
    row->gather_floor = passes * m / graph->ceilings.gather;
    row->bus_floor = graph->ceilings.bus > 0 ? (double)row->bytes_sent / graph->ceilings.bus : 0;
}

static void note_first(bench_row *row, const heddle_report *report) {
    snprintf(row->device, sizeof row->device, "%s", report->device);
    snprintf(row->schedule, sizeof row->schedule, "%s", report->schedule);
    row->prepare = report->prepare + report->transforming;
    row->compile = report->compile;
    row->iterations = report->iterations;
    row->device_bytes = report->device_bytes;
    snprintf(row->keys, sizeof row->keys, "%s", report->plan);
    if (cli_names_program(row->algorithm) && row->edges)
        row->passes = (double)report->edges_walked / (double)row->edges;
}

/* Edges that passed to the device in the rounds of a run. */
static uint64_t bytes_sent(const heddle_result *result) {
    uint64_t count = heddle_result_round_count(result), sum = 0;
    heddle_round *rounds = count ? calloc(count, sizeof *rounds) : NULL;
    count = rounds ? heddle_result_rounds(result, rounds, sizeof *rounds, count) : 0;
    for (uint64_t i = 0; i < count; i++)
        sum += rounds[i].bytes_sent;
    free(rounds);
    return sum;
}

/* The warm-up: HEDDLE_E_REFUSED is an outcome, not an error. */
static heddle_status warm_up(bench *bench, const bench_graph *graph, const heddle_run_options *options,
                             bench_row *row) {
    heddle_context *context = bench->session->context;
    heddle_result *result = NULL;
    heddle_status status = heddle_run(context, graph->graph, options, &result);
    if (status == HEDDLE_E_REFUSED || status == HEDDLE_E_DEVICE_MEMORY) {
        snprintf(row->refused, sizeof row->refused, "%s", heddle_context_error(context)->message);
        return HEDDLE_OK;
    }
    if (status != HEDDLE_OK)
        return status;
    note_first(row, heddle_result_report(result));
    row->bytes_sent = bytes_sent(result);
    if (bench->settings->verify) {
        status = heddle_verify(context, graph->graph, options, result);
        const heddle_report *report = heddle_result_report(result);
        bool residual = report->residual_verified >= 0 && (report->verified < 0 || !report->converged);
        row->verified = residual ? BENCH_RESIDUAL : status == HEDDLE_OK;
        if (residual) {
            status = HEDDLE_OK;
        } else if (status == HEDDLE_E_VERIFY) {
            cli_say("%s on %s, plan %s: wrong: %s", row->algorithm, row->graph, row->plan,
                    heddle_context_error(context)->message);
            status = HEDDLE_OK;
        }
    }
    const heddle_report *report = heddle_result_report(result);
    row->approximate = report->approximate;
    row->inaccuracy = !row->approximate ? 0 : report->inaccuracy < 0 ? NAN : report->inaccuracy;
    heddle_result_destroy(&result);
    return status;
}

static heddle_status timed(bench *bench, const bench_graph *graph, const heddle_run_options *options, double *seconds) {
    heddle_result *result = NULL;
    heddle_status status = heddle_run(bench->session->context, graph->graph, options, &result);
    if (status == HEDDLE_OK)
        *seconds = heddle_result_report(result)->compute;
    heddle_result_destroy(&result);
    return status;
}

static heddle_status repeat(bench *bench, const bench_graph *graph, const heddle_run_options *options, bench_row *row) {
    double times[BENCH_MOST_REPEATS];
    row->times = calloc((size_t)bench->settings->repeats, sizeof *row->times);
    if (!row->times)
        return HEDDLE_E_MEMORY;
    for (; row->runs < bench->settings->repeats; row->runs++) {
        heddle_status status = timed(bench, graph, options, &times[row->runs]);
        if (status != HEDDLE_OK)
            return status;
        row->times[row->runs] = times[row->runs];
    }
    row->median = median_of(times, row->runs);
    row->quartiles[0] = quantile_of(times, row->runs, 0.25);
    row->quartiles[1] = quantile_of(times, row->runs, 0.75);
    row->least = times[0];
    row->most = times[row->runs - 1];
    return HEDDLE_OK;
}

/* Random sources with out-edges, the same for every plan. */
static heddle_status other_sources(bench *bench, const bench_graph *graph, heddle_run_options options, bench_row *row) {
    double times[BENCH_MOST_REPEATS];
    heddle_adjacency out;
    heddle_vertex source;
    uint64_t state = bench->settings->seed, n = row->vertices;
    heddle_status status = heddle_graph_out(bench->session->context, graph->graph, &out);
    options.sources = &source;
    options.source_count = 1;
    for (int i = 0; status == HEDDLE_OK && i < bench->settings->sources; i++) {
        for (int tries = 0; tries < 1000; tries++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            source = (heddle_vertex)((state >> 33) % n);
            if (out.offsets[source + 1] > out.offsets[source])
                break;
        }
        status = timed(bench, graph, &options, &times[i]);
    }
    if (status == HEDDLE_OK)
        row->random_median = median_of(times, bench->settings->sources);
    return status;
}

/* Lanes are counted in a separate run, because counting slows kernels down. CPU runs have no lanes. */
static heddle_status count_lanes(bench *bench, const bench_graph *graph, heddle_run_options options, bench_row *row) {
    heddle_result *result = NULL;
    if (cli_is_host(row->device) || !strcmp(row->plan, "auto"))
        return HEDDLE_OK;
    options.profile = 1;
    heddle_status status = heddle_run(bench->session->context, graph->graph, &options, &result);
    if (status == HEDDLE_OK && heddle_result_report(result)->lanes_walked)
        row->lanes =
            (double)heddle_result_report(result)->lanes_useful / (double)heddle_result_report(result)->lanes_walked;
    heddle_result_destroy(&result);
    return status;
}

static heddle_status measure(bench *bench, const bench_graph *graph, const char *algorithm, const char *plan,
                             bench_row *row) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.program = cli_names_program(algorithm) ? algorithm : NULL;
    options.device = bench->settings->device;
    options.plan = plan;
    options.approximate = bench->settings->approximate;
    options.memory_limit = bench->settings->memory_limit;
    if (from_source(algorithm)) {
        options.sources = &graph->source;
        options.source_count = 1;
        options.parents = bench->settings->parents && takes(algorithm, "parents");
    }
    *row = (bench_row){.graph = graph->name, .algorithm = algorithm, .plan = plan, .verified = -1, .lanes = -1};
    row->vertices = heddle_graph_vertices(graph->graph);
    row->edges = heddle_graph_edges(graph->graph);
    heddle_status status = warm_up(bench, graph, &options, row);
    if (status != HEDDLE_OK || row->refused[0])
        return status;
    status = repeat(bench, graph, &options, row);
    if (status == HEDDLE_OK && from_source(algorithm) && bench->settings->sources && !bench_compares(bench) &&
        row->vertices)
        status = other_sources(bench, graph, options, row);
    if (status == HEDDLE_OK && bench->presets)
        status = count_lanes(bench, graph, options, row);
    set_floors(graph, row);
    return status;
}

bool bench_compares(const bench *bench) { return bench->presets || bench->settings->approximate; }

/* ---- All of them ----------------------------------------------------------------------------------------------- */

/* Whether what follows is compared with this plan's row: the first, and, of techniques of graffix, every exact plan. */
static bool starts_group(const bench *bench, const char *plan) {
    return bench_compares(bench) &&
           (plan == bench->plans[0] || (bench->settings->approximate && !bench_is_approximate(plan)));
}

static int run_row(bench *bench, const bench_graph *graph, const char *algorithm, const char *plan,
                   const bench_row **base) {
    if (bench->row_count == BENCH_MOST_ROWS)
        return cli_usage_error(bench->session->command, "more than %d rows", BENCH_MOST_ROWS);
    bench_row *row = &bench->rows[bench->row_count];
    cli_signals_program(cli_names_program(algorithm) ? algorithm : NULL);
    heddle_status status = measure(bench, graph, algorithm, plan, row);
    cli_signals_program(NULL);
    if (status != HEDDLE_OK)
        return cli_fail(bench->session, status);
    bench->row_count++;
    cli_progress_clear();
    if (starts_group(bench, plan))
        *base = row->refused[0] ? NULL : row;
    if (!bench->settings->common.json)
        bench_print_row(bench, row, *base);
    return 0;
}

static int run_plans(bench *bench, const bench_graph *graph, const char *algorithm) {
    const bench_row *base = NULL;
    int exit_status = 0;
    for (int i = 0; !exit_status && i < bench->plan_count; i++)
        exit_status = run_row(bench, graph, algorithm, bench->plans[i], &base);
    return exit_status;
}

static void print_graph(const bench *bench, const bench_graph *graph) {
    char bus[40] = "";
    if (graph->ceilings.bus > 0)
        snprintf(bus, sizeof bus, ", bus %.1f GB/s", graph->ceilings.bus / 1e9);
    printf("# %s: %s, ready after %s; %s: copy %.3g GB/s, random reads %.3g G/s%s\n", graph->name,
           cli_graph_words(graph->graph, cli_count_edges(bench->session, graph->graph)).text,
           cli_seconds(graph->seconds).text, bench->settings->device, graph->ceilings.copy / 1e9,
           graph->ceilings.gather / 1e9, bus);
}

static int run_graph(bench *bench, bench_graph *graph) {
    graph->ceilings.size = sizeof graph->ceilings;
    heddle_status status = heddle_device_ceilings(bench->session->context, bench->settings->device,
                                                  heddle_graph_vertices(graph->graph) * 4, &graph->ceilings);
    if (status != HEDDLE_OK)
        return cli_fail(bench->session, status);
    if (!bench->settings->common.json)
        print_graph(bench, graph);
    for (const char *at = bench->algorithm_text; *at; at += strlen(at) + 1) {
        const char *name = cli_algorithm_named(at); /* else a program */
        int exit_status = run_plans(bench, graph, name ? name : at);
        if (exit_status)
            return exit_status;
    }
    return 0;
}

static int run_named(bench *bench, const char *name) {
    bench_graph graph;
    int exit_status = bench_graph_open(bench->session, name, bench->settings->seed, &graph);
    if (!exit_status)
        exit_status = run_graph(bench, &graph);
    bench_graph_close(&graph);
    return exit_status;
}

static int run_default(bench *bench) {
    static const struct {
        const char *kind;
        bool square; /* as many vertices, given by the side of a square */
    } kinds[] = {{"rmat", false}, {"uniform", false}, {"road", true}};
    static char names[sizeof kinds / sizeof *kinds][24]; /* rows point at them */
    int scale = bench->settings->scale, exit_status = 0;
    for (size_t i = 0; !exit_status && i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(names[i], sizeof names[i], "%s:%d", kinds[i].kind, kinds[i].square ? 1 << (scale / 2) : scale);
        exit_status = run_named(bench, names[i]);
    }
    return exit_status;
}

static int cannot_write(const char *path) {
    cli_say("%s: cannot write: %s", path, strerror(errno));
    return CLI_EXIT_OUTPUT;
}

static int write_output(const bench *bench) {
    const char *path = bench->settings->output;
    cli_file file;
    if (path && !cli_file_open(&file, path))
        return cannot_write(path);
    if (path) {
        size_t length = strlen(path);
        bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
        (csv ? bench_print_csv : bench_print_json)(file.out, bench);
        if (!cli_file_close(&file, true))
            return cannot_write(path);
    }
    if (bench->settings->common.json)
        bench_print_json(stdout, bench);
    return bench->settings->report ? bench_write_page(bench, bench->settings->report) : 0;
}

static int wrong_results(const bench *bench) {
    for (size_t i = 0; i < bench->row_count; i++)
        if (bench->rows[i].verified == 0)
            return heddle_status_exit(HEDDLE_E_VERIFY);
    return 0;
}

static int measure_rows(bench *bench, int first) {
    cli_session *session = bench->session;
    int exit_status = 0;
    if (bench->presets && !bench->settings->common.quiet && cli_is_host(bench->settings->device))
        cli_say("note: on the CPU all plans without shards or a transform are the same loop; --device takes others");
    if (!bench->settings->common.json)
        bench_print_head(bench);
    if (session->arguments.operand_count == first)
        exit_status = run_default(bench);
    for (int i = first; !exit_status && i < session->arguments.operand_count; i++)
        exit_status = run_named(bench, session->arguments.operands[i]);
    int written = bench->row_count ? write_output(bench) : 0; /* an interrupt does not lose the rows before it */
    exit_status = exit_status ? exit_status : written;
    return exit_status ? exit_status : wrong_results(bench);
}

/* Before graphs are made, which takes seconds. Rows point into the list. */
static int cut_algorithms(cli_session *session, bench *bench) {
    size_t bytes = strlen(bench->settings->algorithms) + 2;
    if (!(bench->algorithm_text = calloc(1, bytes))) {
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    memcpy(bench->algorithm_text, bench->settings->algorithms, bytes - 2);
    for (char *at = bench->algorithm_text; *at; at += strlen(at) + 1) {
        at[strcspn(at, ",")] = '\0';
        if (!cli_algorithm_named(at) && !(cli_names_program(at) && access(at, R_OK) == 0))
            return cli_usage_error(session->command, "--algorithms: no algorithm '%s', and no program (FILE.c)", at);
    }
    return 0;
}

static int measure_all(cli_session *session, void *opaque) {
    bench bench = {.session = session, .settings = opaque};
    int first = session->arguments.operand_count && !strcmp(session->arguments.operands[0], "presets"), exit_status;
    bench.presets = first;
    if (cli_is_open(bench.settings->device))
        return cli_usage_error(session->command, "--device auto: a measurement is one device's; name it");
    exit_status = cut_algorithms(session, &bench);
    if (!exit_status)
        exit_status = cli_file_check(bench.settings->output, "cannot write");
    if (!exit_status)
        exit_status = bench_choose_plans(session, &bench);
    if (!exit_status && !(bench.rows = calloc(BENCH_MOST_ROWS, sizeof *bench.rows))) {
        cli_say("out of memory");
        exit_status = heddle_status_exit(HEDDLE_E_MEMORY);
    }
    if (!exit_status)
        exit_status = measure_rows(&bench, first);
    for (size_t i = 0; bench.rows && i <= bench.row_count && i < BENCH_MOST_ROWS; i++)
        free(bench.rows[i].times);
    free(bench.rows);
    free(bench.plan_text);
    free(bench.technique_text);
    free(bench.algorithm_text);
    return exit_status;
}

static int run_again(cli_session *session, bench_settings *settings);

static int run(cli_session *session, void *opaque) {
    bench_settings *settings = opaque;
    if (session->arguments.operand_count && !strcmp(session->arguments.operands[0], "graph500"))
        return bench_graph500(session, settings);
    int exit_status = cli_page_check(session, settings->report);
    if (!exit_status)
        exit_status = cli_check_replaced(session, settings->output, (const char *[]){settings->report}, 1);
    if (exit_status)
        return exit_status;
    return settings->again ? run_again(session, settings) : measure_all(session, settings);
}

static void defaults(void *opaque) {
    static char benched[256];
    size_t used = 0;
    bench_settings *settings = opaque;
    const cli_algorithm *each;
    for (size_t i = 0; (each = cli_algorithm_at(i)); i++)
        if (each->benched)
            used +=
                (size_t)snprintf(benched + used, sizeof benched - used, "%s%s", used ? "," : "", each->command.name);
    settings->device = "cpu";
    settings->algorithms = benched;
    settings->plan = "auto";
    settings->repeats = 5;
    settings->sources = 16;
    settings->verify = 1;
    settings->scale = 20;
    settings->seed = 1;
}

static const cli_option options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, bench_settings, device,
              "cpu (the default), cuda or opencl, optionally with :INDEX"),
    CLI_VALUE("algorithms", 'a', "LIST", cli_parse_text, bench_settings, algorithms,
              "which ones, with commas between; FILE.c is a program of your own (default: bfs, sssp, sswp, cc, pr, bc, "
              "scc, mst, tc, lcc, kcore and cdlp)"),
    CLI_VALUE("plan", 0, "PLAN", cli_parse_text, bench_settings, plan, "the plan of every run (default: auto)"),
    CLI_VALUE("plans", 0, "LIST", cli_parse_text, bench_settings, plans,
              "a row for each of these plans, with ';' between; with presets in place of all of them"),
    CLI_NUMBER("repeats", 'r', "N", cli_parse_int, 1, BENCH_MOST_REPEATS, bench_settings, repeats,
               "timed runs of each row (default: 5)"),
    CLI_NUMBER("sources", 0, "N", cli_parse_int, 0, BENCH_MOST_REPEATS, bench_settings, sources,
               "random sources beside the row's own, one run each (default: 16)"),
    CLI_NUMBER("scale", 's', "N", cli_parse_int, 4, 30, bench_settings, scale,
               "size of the graphs that are made when none is named: 2^N vertices (default: 20)"),
    CLI_VALUE("memory-limit", 0, "BYTES", cli_parse_bytes, bench_settings, memory_limit,
              "of every run: edges that do not fit lie elsewhere (plan key residency); K, M, G or T may follow"),
    CLI_FLAG("approximate", 0, 1, bench_settings, approximate,
             "compare each plan with the same plan under each technique of graffix, by time and inaccuracy"),
    CLI_FLAG("sweep", 0, 1, bench_settings, sweep, "with --approximate: at several thresholds, too"),
    CLI_FLAG("parents", 0, 1, bench_settings, parents, "bfs, sssp, sswp: find parents too"),
    CLI_VALUE("seed", 0, "N", cli_parse_u64, bench_settings, seed, "of generated graphs and random sources"),
    CLI_FLAG("no-verify", 0, 0, bench_settings, verify, "do not verify the first result of each row"),
    CLI_VALUE("output", 'o', "FILE", cli_parse_text, bench_settings, output,
              "also write the rows to FILE: JSON, or .csv"),
    CLI_VALUE("again", 0, "FILE", cli_parse_text, bench_settings, again,
              "measure what FILE, written by --output, holds; its own options count then"),
    CLI_REPORT_OPTION(bench_settings, report),
    CLI_END_OPTIONS};

static const cli_group groups[] = {{"Measuring", options, 0}, CLI_COMMON_GROUP, CLI_END_GROUP};

/* Everything but where the report goes comes from the file. */
static int run_again(cli_session *session, bench_settings *settings) {
    char *list[BENCH_MOST_ARGUMENTS + 1], *block = NULL;
    bench_settings read = {.common = settings->common};
    cli_session again = {.command = session->command,
                         .common = &read.common,
                         .words = session->words,
                         .word_count = session->word_count};
    int exit_status, count = bench_read_arguments(settings->again, &block, list);
    defaults(&read);
    if (count < 0 || cli_parse(groups, &read, count, list, &again.arguments) != CLI_PARSE_OK || read.again) {
        cli_say("%s: expected what heddle bench --output writes", settings->again);
        free(block);
        return heddle_status_exit(HEDDLE_E_FORMAT);
    }
    int threads = read.common.threads;
    read.common = settings->common;
    read.common.threads = threads;
    read.output = settings->output;
    read.report = settings->report;
    exit_status = cli_with_context(&again, &read, measure_all);
    free(block);
    return exit_status;
}

const cli_command cli_bench = {
    .name = "bench",
    .aliases = CLI_WORDS("benchmark"),
    .hints = CLI_WORDS("time"),
    .summary = "measure algorithms on this machine",
    .ranks_word = "graph500",
    .operands = "[presets|graph500] [GRAPH...]",
    .about =
        "Runs algorithms on graphs and prints a table: the median of the computing time over the repeats and its "
        "spread, the same with what is prepared once (in-edges, renaming, transforms), the median over random "
        "sources, edges a second, and how near the time is to two floors: every byte of the graph moved once, and one "
        "random read for each edge, both at the rates that this machine was just measured to have; in the JSON also "
        "the time of the bus for the edges that were sent to a device. Every row's first result is verified.\n\n"
        "A GRAPH is a file, or KIND:SIZE (rmat:SCALE, road:WIDTH; 'heddle help generate' has the kinds), which is "
        "generated: symmetrised, without duplicates and loops, weights 1 to 64; with -directed behind it is left "
        "directed. Without a GRAPH there are rmat, uniform and road, of --scale.\n\n"
        "With presets as the first word every preset and every schedule that none has are measured, with rounds, the "
        "share of lanes that had an edge to walk, the bytes on the device, and the speed-up over baseline, or over the "
        "first of --plans.\n\n"
        "With graph500 as the first word the Graph500 benchmark is run as its specification says: a Kronecker graph of "
        "2^N vertices (--scale) and 16 edges for each, 64 searches for a tree of parents and 64 for a tree of shortest "
        "paths, every tree checked by the five rules, and the block of statistics, with the harmonic mean of traversed "
        "edges per second (TEPS). Several ranks "
        "(mpirun, srun) do this together; the graph is then a file in the current folder, for as long as they run.",
    .examples = "heddle bench --scale 18\n"
                "heddle bench graph500 --scale 20\n"
                "mpirun -n 4 heddle bench graph500 --scale 24\n"
                "heddle bench rmat:22 road:2048 --device cuda --output h200.json\n"
                "heddle bench rmat:20-directed --algorithms scc\n"
                "heddle bench rmat:24 -d cuda --memory-limit 512M --plans 'auto;graphie'\n"
                "heddle bench rmat:20 --algorithms bfs --parents\n"
                "heddle bench presets rmat:20 --device cuda --algorithms bfs,sssp\n"
                "heddle bench presets g.hdl --device cuda --algorithms my.c --plans 'ws;tigr-v'\n"
                "heddle bench presets rmat:20 --device cuda --plans 'ws;schedule=edge'",
    .groups = groups,
    .settings_size = sizeof(bench_settings),
    .defaults = defaults,
    .run = run,
};
