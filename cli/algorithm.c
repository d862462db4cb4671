/* algorithm.c - the body of the algorithm commands and of `heddle run`: check the request, load, run, verify, write,
 * show. Their differences are in their tables of options and in a cli_algorithm. */
#include "algorithm.h"

#include "file.h"
#include "names.h"
#include "outcome.h"
#include "page/page.h"
#include "page/page_run.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "signals.h"
#include "text.h"
#include "trial.h"
#include "vertex_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_run_defaults(void *settings) {
    heddle_load_options_init(&((cli_run_settings *)settings)->load);
    heddle_run_options_init(&((cli_run_settings *)settings)->run);
}

/* ---- Values with rules of their own ---------------------------------------------------------------------------- */

bool cli_parse_positive(const cli_option *option, const char *text, void *destination, char *expected) {
    double value;
    (void)option;
    if (!cli_read_real(text, strlen(text), &value) || !(value > 0)) {
        snprintf(expected, CLI_EXPECTED_ROOM, "a number above 0");
        return false;
    }
    *(double *)destination = value;
    return true;
}

bool cli_parse_fraction(const cli_option *option, const char *text, void *destination, char *expected) {
    double value;
    (void)option;
    if (!cli_read_real(text, strlen(text), &value) || !(value >= 0 && value < 1)) {
        snprintf(expected, CLI_EXPECTED_ROOM, "a number from 0 to below 1");
        return false;
    }
    *(double *)destination = value;
    return true;
}

bool cli_parse_probability(const cli_option *option, const char *text, void *destination, char *expected) {
    double value;
    (void)option;
    if (!cli_read_real(text, strlen(text), &value) || !(value > 0 && value < 1)) {
        snprintf(expected, CLI_EXPECTED_ROOM, "a number between 0 and 1");
        return false;
    }
    *(double *)destination = value;
    return true;
}

/* Whether the text has the form of a device's name, checked before a graph is loaded. Whether the device exists is up
 * to the library. */
static bool is_index(const char *text, size_t length) {
    return length && length <= 10 && strspn(text, "0123456789") >= length && strtoull(text, NULL, 10) <= UINT32_MAX;
}

/* One name of a list; `kind`: the last one's, of which a number alone is another. */
static bool is_one_device(const char *text, size_t length, bool *kind) {
    char word[64];
    const char *name;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), text);
    if (cli_is_host(word)) {
        *kind = false;
        return true;
    }
    if (*kind && is_index(text, length))
        return true;
    *kind = true;
    for (size_t i = 0; (name = heddle_device_kind_at(i)); i++) {
        size_t own = strlen(name);
        if (own > length || memcmp(text, name, own) != 0 || (own < length && text[own] != ':'))
            continue;
        return own == length || is_index(text + own + 1, length - own - 1);
    }
    return false;
}

static bool is_device_name(const char *text) {
    bool kind = false;
    if (cli_is_open(text))
        return true;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (!is_one_device(text, length, &kind))
            return false;
        text += length;
        if (!*text)
            return true;
    }
}

bool cli_parse_device(const cli_option *option, const char *text, void *destination, char *expected) {
    (void)option;
    *(const char **)destination = text;
    if (is_device_name(text))
        return true;
    char kinds[CLI_EXPECTED_ROOM / 2] = "auto, cpu";
    size_t used = strlen(kinds);
    for (size_t i = 0; heddle_device_kind_at(i); i++) {
        char kind[40];
        snprintf(kind, sizeof kind, "%.20s[:INDEX]", heddle_device_kind_at(i));
        cli_list_word(kinds, sizeof kinds, &used, kind, !heddle_device_kind_at(i + 1));
    }
    snprintf(expected, CLI_EXPECTED_ROOM, "%s, INDEX from 0 on; or several, as in cuda:0,1", kinds);
    return false;
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static const cli_choice precision_choices[] = {
    {"single", HEDDLE_PRECISION_SINGLE},
    {"double", HEDDLE_PRECISION_DOUBLE},
    {NULL, 0},
};

const cli_option cli_start_options[] = {
    CLI_VALUE("source", 's', "ID[,ID...]", cli_parse_text, cli_run_settings, source,
              "start at these vertices (pr: all jumps go to them); put an id that contains a comma in double quotes"),
    CLI_VALUE("sources", 0, "FILE", cli_parse_text, cli_run_settings, sources,
              "start at the vertices that FILE lists, one id a line, in double quotes if it contains blanks or commas"),
    CLI_END_OPTIONS,
};

const cli_option cli_path_options[] = {
    CLI_VALUE("path-to", 0, "ID", cli_parse_text, cli_run_settings, path_to,
              "print the vertices of the path to this one, each with its value"),
    CLI_FLAG("parents", 0, 1, cli_run_settings, parents,
             "also give each vertex's parent on its path, as a third column; of several the smallest id"),
    CLI_END_OPTIONS,
};

const cli_option cli_rounds_options[] = {
    CLI_VALUE("tolerance", 0, "X", cli_parse_positive, cli_run_settings, run.tolerance,
              "stop when no value changes by more (default: 0.0001)"),
    CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations,
               "stop after N rounds (default: 1000)"),
    CLI_END_OPTIONS,
};

const cli_option cli_init_options[] = {
    CLI_VALUE("init", 0, "FILE", cli_parse_text, cli_run_settings, init, "first values: \"id value\" lines"),
    CLI_VALUE("fixed", 0, "FILE", cli_parse_text, cli_run_settings, fixed,
              "vertices that keep their value: \"id value\" lines"),
    CLI_END_OPTIONS,
};

const cli_option cli_result_options[] = {
    CLI_VALUE("output", 'o', "FILE", cli_parse_text, cli_run_settings, output,
              "write all rows to FILE: .tsv or .txt, .csv, .npy or .json, with .gz, .zst, .bz2 or .xz behind it if you "
              "like; - writes tab-separated rows to standard output; {rank} in it: a file per rank (docs/clusters.md)"),
    CLI_NUMBER("top", 'n', "N", cli_parse_count, 1, 1e18, cli_run_settings, top,
               "print the N largest rows, tab-separated"),
    CLI_FLAG("output-header", 0, 1, cli_run_settings, output_header, "begin .tsv rows with a line of names"),
    CLI_END_OPTIONS,
};

const cli_option cli_running_options[] = {
    CLI_CHOICE("precision", 0, "single|double", precision_choices, cli_run_settings, run.precision,
               "of real values (default: as the algorithm's text says)"),
    CLI_VALUE("seed", 0, "N", cli_parse_u64, cli_run_settings, run.seed, "for choices left to chance"),
    CLI_FLAG("approximate", 0, 1, cli_run_settings, run.approximate, "allow plans whose result is not exact"),
    CLI_VALUE("max-error", 0, "X", cli_parse_positive, cli_run_settings, run.max_error,
              "pr, bc, harmonic: stop as soon as the error is proven to be at most X (pr: the sum over all ranks; bc, "
              "harmonic: of any vertex, normalized); bfs, sssp, cc, scc, mst: a plan of graffix that is faster and as "
              "exact on a sample; others are exact"),
    CLI_VALUE(
        "memory-limit", 0, "BYTES", cli_parse_bytes, cli_run_settings, run.memory_limit,
        "graph, values and buffers take no more, on the device where that has memory of its own: edges that do not fit "
        "lie elsewhere (plan key residency), or nothing is run; K, M, G or T may follow, by 1024"),
    CLI_FLAG("dry-run", 0, 1, cli_run_settings, dry_run,
             "load the graph, say what would run and about how much time and memory it would take, and stop"),
    CLI_REPORT_OPTION(cli_run_settings, report),
    CLI_END_OPTIONS,
};

const cli_option cli_device_options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, cli_run_settings, run.device,
              "auto, cpu, cuda or opencl, optionally with :INDEX (default: auto, a GPU if the run is estimated to be "
              "faster there); "
              "or several that share the run, as in cuda:0,1 or opencl:0,cpu"),
    CLI_VALUE("plan", 0, "NAME", cli_parse_text, cli_run_settings, run.plan,
              "how the edges are laid out and walked: auto (the default), a preset, or KEY=VALUE,...; see 'heddle help "
              "plans'"),
    CLI_FLAG("profile", 0, 1, cli_run_settings, run.profile,
             "on a device: count the lanes that have an edge to walk, and report their share (slower)"),
    CLI_VALUE("keep-source", 0, "DIR", cli_parse_text, cli_run_settings, run.keep_source,
              "write the source of what is compiled for the run, kernels or a program of your own, to DIR"),
    CLI_VALUE("trace", 0, "FILE", cli_parse_text, cli_run_settings, trace,
              "write the phases with their times to FILE, in the JSON that browsers' trace viewers read"),
    CLI_VALUE("checkpoint", 0, "DIR", cli_parse_text, cli_run_settings, run.checkpoint,
              "vertex programs: keep the values in a file in DIR, to go on from after an interruption"),
    CLI_NUMBER("every", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.checkpoint_every,
               "write it after every N rounds (default: 10)"),
    CLI_FLAG("resume", 0, 1, cli_run_settings, run.resume, "go on from the checkpoint in DIR, if there is one"),
    CLI_END_OPTIONS,
};

/* ---- The request ----------------------------------------------------------------------------------------------- */

static bool has_suffix(const char *path, size_t length, const char *suffix) {
    size_t letters = strlen(suffix);
    return length > letters && !strncasecmp(path + length - letters, suffix, letters);
}

int cli_check_rows(const cli_session *session, const char *path) {
    if (cli_is_other_rank() || !path || !strcmp(path, "-"))
        return 0;
    size_t length = cli_unpacked_length(path);
    if (!has_suffix(path, length, ".tsv") && !has_suffix(path, length, ".npy") && !has_suffix(path, length, ".json") &&
        !has_suffix(path, length, ".csv") && !has_suffix(path, length, ".txt") && strncmp(path, "/dev/", 5) != 0)
        return cli_usage_error(
            session->command,
            "%.800s: results are written as .tsv, .txt, .csv, .npy or .json, with .gz, .zst, .bz2 or .xz behind it",
            path);
    return cli_file_check(path, "cannot create");
}

/* With --each a result has columns, but no parents or paths. */
static int check_each(const cli_session *session, const cli_run_settings *settings) {
    const char *with = !settings->run.each ? NULL
                       : settings->path_to ? "--path-to"
                       : settings->parents ? "--parents"
                       : settings->top     ? "--top"
                                           : NULL;
    return with ? cli_usage_error(session->command, "--each gives a column for each source: %s is for one run", with)
                : 0;
}

static int check_top(const cli_session *session, const cli_run_settings *settings, const cli_algorithm *algorithm) {
    if (!settings->top || algorithm->rows != CLI_ROWS_WALKS)
        return 0;
    return cli_usage_error(session->command, "no walk is larger than another: --output writes them");
}

/* At most one output goes to standard output; a JSON report can include path and top. */
static int check_stdout(const cli_session *session, const cli_run_settings *settings) {
    bool rows = settings->output && !strcmp(settings->output, "-");
    if (rows && settings->common.json)
        return cli_usage_error(session->command, "the rows and the --json report cannot both go to standard output");
    if (!settings->common.json && rows + (settings->top > 0) + (settings->path_to != NULL) > 1)
        return cli_usage_error(session->command, "of --output -, --top and --path-to only one can go to standard "
                                                 "output; --json has room for the latter two");
    if (settings->trace && !strcmp(settings->trace, "-"))
        return cli_usage_error(session->command, "--trace needs a file of its own");
    int exit_status = cli_file_check(settings->trace, "cannot write the trace");
    return exit_status ? exit_status : cli_page_check(session, settings->report);
}

static int check_inputs(const cli_session *session, const cli_run_settings *settings, const char *graph) {
    const char *files[] = {graph,           settings->sources,     settings->init,
                           settings->fixed, settings->personalize, settings->pairs};
    const char *outputs[] = {settings->output, settings->trace, settings->report};
    int standard = 0, exit_status = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        standard += files[i] && !strcmp(files[i], "-");
    if (standard > 1)
        return cli_usage_error(session->command, "only one input can be standard input");
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !exit_status; i++) {
        exit_status = cli_check_replaced(session, outputs[i], files + 1, sizeof files / sizeof *files - 1);
        if (!exit_status)
            exit_status = cli_check_replaced(session, outputs[i], outputs, i);
    }
    return exit_status;
}

/* ---- What the files say ---------------------------------------------------------------------------------------- */

/* Arrays that the run options point to. */
typedef struct inputs {
    cli_vertices sources, pairs;
    double *initial;
    unsigned char *fixed;
    double *personalization;
} inputs;

static void free_inputs(inputs *inputs) {
    free(inputs->sources.list);
    free(inputs->pairs.list);
    free(inputs->initial);
    free(inputs->fixed);
    free(inputs->personalization);
}

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

static int read_sources(const cli_session *session, cli_run_settings *settings, cli_outcome *outcome, inputs *inputs) {
    int exit_status = 0;
    if (settings->source)
        exit_status = cli_name_vertices(session, outcome->graph, settings->source, &inputs->sources);
    if (!exit_status && settings->sources)
        exit_status = cli_read_vertices(session, outcome->graph, settings->sources, &inputs->sources);
    settings->run.sources = inputs->sources.list;
    settings->run.source_count = outcome->source_count = inputs->sources.count;
    if (!exit_status && settings->path_to) {
        heddle_status status = heddle_graph_find(session->context, outcome->graph, settings->path_to, &outcome->target);
        exit_status = status == HEDDLE_OK ? 0 : cli_fail(session, status);
    }
    return exit_status;
}

static int read_pairs(const cli_session *session, cli_run_settings *settings, const cli_outcome *outcome,
                      inputs *inputs) {
    if (!settings->pairs)
        return 0;
    int exit_status = cli_read_pairs(session, outcome->graph, settings->pairs, &inputs->pairs);
    settings->run.pairs = inputs->pairs.list;
    settings->run.pair_count = inputs->pairs.count / 2;
    return exit_status;
}

static int read_initial(const cli_session *session, cli_run_settings *settings, const cli_outcome *outcome,
                        inputs *inputs) {
    uint64_t vertices = heddle_graph_vertices(outcome->graph);
    int exit_status = 0;
    if (!settings->init && !settings->fixed)
        return 0;
    inputs->initial = malloc((vertices + 1) * sizeof *inputs->initial);
    inputs->fixed = settings->fixed ? calloc(vertices + 1, 1) : NULL;
    if (!inputs->initial || (settings->fixed && !inputs->fixed))
        return no_memory();
    for (uint64_t v = 0; v < vertices; v++)
        inputs->initial[v] = outcome->algorithm->rest;
    if (settings->init)
        exit_status = cli_read_values(session, outcome->graph, settings->init, -HUGE_VAL, NAN, inputs->initial, NULL);
    if (!exit_status && settings->fixed)
        exit_status =
            cli_read_values(session, outcome->graph, settings->fixed, -HUGE_VAL, NAN, inputs->initial, inputs->fixed);
    settings->run.initial = inputs->initial;
    settings->run.fixed = inputs->fixed;
    return exit_status;
}

static int read_personalization(const cli_session *session, cli_run_settings *settings, const cli_outcome *outcome,
                                inputs *inputs) {
    uint64_t vertices = heddle_graph_vertices(outcome->graph);
    bool sources = outcome->algorithm->jumps && !settings->run.each && inputs->sources.count;
    if (!settings->personalize && !sources)
        return 0;
    if (settings->personalize && sources)
        return cli_usage_error(session->command,
                               "--source and --personalize both say where jumps go: give one of them");
    inputs->personalization = calloc(vertices + 1, sizeof *inputs->personalization);
    if (!inputs->personalization)
        return no_memory();
    settings->run.personalization = inputs->personalization;
    if (settings->personalize)
        return cli_read_values(session, outcome->graph, settings->personalize, 0, 1, inputs->personalization, NULL);
    for (uint64_t i = 0; i < inputs->sources.count; i++)
        inputs->personalization[inputs->sources.list[i]] += 1;
    settings->run.source_count = 0; /* outcome->source_count has it for the report */
    return 0;
}

static int read_inputs(const cli_session *session, cli_run_settings *settings, cli_outcome *outcome, inputs *inputs) {
    int exit_status = read_sources(session, settings, outcome, inputs);
    if (!exit_status)
        exit_status = read_pairs(session, settings, outcome, inputs);
    if (!exit_status)
        exit_status = read_initial(session, settings, outcome, inputs);
    if (!exit_status)
        exit_status = read_personalization(session, settings, outcome, inputs);
    return exit_status;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

/* --dry-run. A limit that the run would not keep to is an error here too. */
static int measure_only(cli_session *session, cli_outcome *outcome) {
    const heddle_run_options *run = &outcome->settings->run;
    outcome->device.size = sizeof outcome->device;
    heddle_status status = heddle_run_memory(session->context, outcome->graph, run, &outcome->device);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    cli_progress_clear();
    cli_print_dry_run(outcome);
    if (!run->memory_limit || !outcome->device.refused[0])
        return 0;
    cli_say("%s", outcome->device.refused);
    return heddle_status_exit(cli_leaves_host(outcome) ? HEDDLE_E_DEVICE_MEMORY : HEDDLE_E_MEMORY);
}

static cli_span span_since(double start, double begin) { return (cli_span){begin - start, cli_clock() - begin}; }

static int save(cli_session *session, cli_outcome *outcome, double start) {
    const char *path = outcome->settings->output;
    struct stat file;
    double begin = cli_clock();
    if (!path)
        return 0;
    if (!strcmp(path, "-") && !cli_is_other_rank())
        cli_print_remark(outcome);
    heddle_status status = outcome->settings->output_header
                               ? heddle_table_save(session->context, outcome->graph, &outcome->result, NULL, 1, path)
                               : heddle_result_save(session->context, outcome->graph, outcome->result, path);
    outcome->write = span_since(start, begin);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    if (stat(path, &file) == 0 && S_ISREG(file.st_mode))
        outcome->bytes = (uint64_t)file.st_size;
    return 0;
}

static int show(const cli_outcome *outcome) {
    const cli_run_settings *settings = outcome->settings;
    int exit_status = 0;
    cli_progress_clear();
    if (settings->common.json)
        return cli_print_report(outcome);
    if (!settings->output && !settings->top && !settings->path_to)
        return cli_print_summary(outcome);
    if (settings->top)
        exit_status = cli_print_top(outcome, settings->top);
    else if (settings->path_to)
        exit_status = cli_print_path(outcome);
    cli_say_summary(outcome);
    return exit_status;
}

/* Notes about the request as a whole. */
static void remark(const cli_run_settings *settings, const heddle_report *report) {
    if (settings->common.quiet)
        return;
    if (settings->run.approximate && !report->approximate)
        cli_say("note: this result is exact: --approximate changed nothing");
    if (report->approximate && report->error_bound > settings->run.max_error && report->error_bound >= 0 &&
        !report->converged)
        cli_say("note: the error is proven to be at most %g only", report->error_bound);
    if (settings->run.top && report->approximate && report->converged && report->error_bound > settings->run.max_error)
        cli_say("note: stopped with the %s largest known: the bound of the error is %g, above --max-error %g",
                cli_grouped(settings->run.top).text, report->error_bound, settings->run.max_error);
    if (settings->run.profile && !report->lanes_walked)
        cli_say("note: --profile counted nothing: %s",
                report->device_bytes ? "this plan's kernels do not count lanes" : "the CPU has no lanes");
    if (settings->run.keep_source && access(settings->run.keep_source, F_OK) != 0)
        cli_say("note: --keep-source wrote nothing: this run needed nothing compiled");
    if (!report->converged)
        cli_say("note: not converged after %s; --max-iterations allows more",
                cli_counted(report->iterations, "iteration", "iterations").text);
}

/* All but the rows. */
static int report(cli_session *session, cli_run_settings *settings, cli_outcome *outcome) {
    int exit_status = settings->trace ? cli_write_trace(outcome, settings->trace) : 0;
    if (!exit_status && settings->report)
        exit_status = cli_write_run_page(session, outcome, settings->report);
    if (exit_status)
        return exit_status;
    remark(settings, heddle_result_report(outcome->result));
    return show(outcome);
}

int cli_run_on(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
               const heddle_graph *graph, heddle_result **result) {
    cli_outcome outcome = {.session = session, .settings = settings, .algorithm = algorithm, .graph = graph};
    inputs inputs = {.initial = NULL};
    heddle_status status = HEDDLE_OK;
    int exit_status = read_inputs(session, settings, &outcome, &inputs);
    if (!exit_status)
        status = heddle_run(session->context, graph, &settings->run, result);
    if (!exit_status && status == HEDDLE_OK && settings->verify)
        status = heddle_verify(session->context, graph, &settings->run, *result);
    if (!exit_status && status == HEDDLE_OK)
        remark(settings, heddle_result_report(*result));
    free_inputs(&inputs);
    return status == HEDDLE_OK ? exit_status : cli_fail(session, status);
}

/* A faster alternative to a search from every vertex. */
static const char *advice_of(const cli_run_settings *settings, const cli_algorithm *algorithm) {
    const heddle_run_options *run = &settings->run;
    if (!algorithm->from_all || run->source_count || run->samples || run->max_error > 0)
        return NULL;
    return algorithm->bounded ? "--max-error 0.01 stops at a proven bound of the error, which is often much sooner"
                              : "--samples 1000 draws some vertices instead of all";
}

static int run_and_show(cli_session *session, cli_run_settings *settings, cli_outcome *outcome, double start) {
    heddle_result *result = NULL;
    double begin = cli_clock();
    cli_signals_program(settings->run.program);
    cli_progress_advise(advice_of(settings, outcome->algorithm));
    heddle_status status = heddle_run(session->context, outcome->graph, &settings->run, &result);
    cli_signals_program(NULL);
    cli_progress_advise(NULL);
    outcome->run = span_since(start, begin);
    outcome->result = result;
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    if (settings->verify) {
        begin = cli_clock();
        status = heddle_verify(session->context, outcome->graph, &settings->run, result);
        outcome->verify = span_since(start, begin);
    }
    int exit_status = 0;
    if (settings->path_to && !cli_path_find(result, outcome->target, &outcome->route))
        status = HEDDLE_E_MEMORY;
    if (!settings->parents) /* the path needed them */
        heddle_result_drop_parents(result);
    if (status != HEDDLE_OK) {
        exit_status = cli_fail(session, status);
        if (status == HEDDLE_E_VERIFY && settings->common.json && !cli_is_other_rank())
            cli_print_report(outcome);
    } else {
        if (!heddle_result_report(result)->disk_parts) /* else the graph need not fit in memory */
            outcome->edges = cli_count_edges(session, outcome->graph);
        exit_status = save(session, outcome, start);
        if (!exit_status && !cli_is_other_rank())
            exit_status = report(session, settings, outcome);
        exit_status = cli_ranks_agree(session, exit_status);
    }
    cli_path_free(&outcome->route);
    heddle_result_destroy(&result);
    return exit_status;
}

/* Starts a device's driver while the graph is read; the run reports its errors. With --device auto no driver is started
 * for small files, which run on the CPU unless there are many searches: the user did not ask for a driver that may
 * crash. */
static void start_device(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
                         const char *path) {
    enum { LEAST_BYTES = 1 << 20 };
    struct stat file;
    bool standard = !strcmp(path, "-"), regular = !standard && stat(path, &file) == 0 && S_ISREG(file.st_mode);
    bool open = !regular || file.st_size >= LEAST_BYTES || settings->run.each || algorithm->from_all;
    if (cli_is_open(settings->run.device) && open && !cli_drivers_are_sound(session))
        settings->run.device = "cpu";
    if (!settings->dry_run && (standard || regular))
        heddle_device_prepare(session->context, &settings->run, regular ? (uint64_t)file.st_size : 0);
}

/* Loading keeps to --memory-limit unless the run may leave the host, where the limit is that of the device. Where auto
 * has nothing to choose from, no driver is opened: some take more memory than the limit leaves. */
static void limit_loading(const cli_session *session, cli_run_settings *settings) {
    if (!settings->run.memory_limit)
        return;
    if (cli_is_open(settings->run.device) &&
        (heddle_context_ranks(session->context) > 1 || !cli_accelerator_is_there()))
        settings->run.device = "cpu";
    if (settings->run.device && cli_is_host(settings->run.device))
        settings->load.build.memory_limit = settings->run.memory_limit;
}

bool cli_names_program(const char *word) {
    size_t length = strlen(word);
    return length > 2 && !strcmp(word + length - 2, ".c");
}

/* A file whose weights are missing or wrong is read without them if the run does not use them. */
static heddle_status load_graph(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
                                const char *path, heddle_graph **graph, double *seconds) {
    struct stat file;
    const heddle_error *error = heddle_context_error(session->context);
    heddle_load_options *load = &settings->load;
    heddle_status status = cli_load(session, path, load, graph, seconds);
    bool used = settings->run.program || !algorithm || algorithm->weights || settings->run.weighted;
    bool asked = load->weight_column != HEDDLE_COLUMN_AUTO || load->columns || load->weight_type;
    if (status != HEDDLE_E_FORMAT || used || asked || !strstr(error->expected, "weight") ||
        heddle_context_ranks(session->context) > 1 || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return status;
    heddle_error first = *error;
    double before = *seconds;
    load->weight_column = HEDDLE_COLUMN_NONE;
    status = cli_load(session, path, load, graph, seconds);
    *seconds += before;
    if (status == HEDDLE_OK && !settings->common.quiet)
        cli_say("note: %s: no weights are read, since %s does not use them", first.message, session->command->name);
    return status;
}

int cli_run_algorithm(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
                      const char *path) {
    cli_outcome outcome = {
        .session = session, .settings = settings, .algorithm = algorithm, .name = session->command->name, .path = path};
    inputs inputs = {.initial = NULL};
    heddle_graph *graph = NULL;
    double start = cli_clock();
    settings->run.parents = settings->parents || settings->path_to;
    if (settings->run.max_error > 0)
        settings->run.top = settings->top;
    /* Largest values, which summaries have too, come from rank 0. */
    settings->run.spread = (settings->output || settings->common.json) && !settings->run.parents && !settings->verify &&
                           !settings->top && !settings->report && !settings->output_header;
    outcome.threads = heddle_context_threads(session->context);
    outcome.start_peak = cli_peak_memory();
    int exit_status = cli_check_rows(session, settings->output);
    if (!exit_status)
        exit_status = check_each(session, settings);
    if (!exit_status)
        exit_status = check_top(session, settings, algorithm);
    if (!exit_status)
        exit_status = check_stdout(session, settings);
    if (!exit_status)
        exit_status = check_inputs(session, settings, path);
    if (!exit_status && (settings->run.resume || settings->run.checkpoint_every) && !settings->run.checkpoint)
        exit_status = cli_usage_error(session->command, "%s needs --checkpoint DIR",
                                      settings->run.resume ? "--resume" : "--every");
    exit_status = cli_ranks_agree(session, exit_status);
    if (exit_status)
        return exit_status;
    limit_loading(session, settings);
    if (heddle_context_ranks(session->context) == 1)
        start_device(session, settings, algorithm, path);
    heddle_status status = load_graph(session, settings, algorithm, path, &graph, &outcome.load.seconds);
    status = heddle_context_agree(session->context, status);
    outcome.graph = graph;
    outcome.load_peak = cli_peak_memory();
    if (status != HEDDLE_OK) {
        heddle_graph_destroy(&graph);
        return cli_fail(session, status);
    }
    exit_status = cli_ranks_agree(session, read_inputs(session, settings, &outcome, &inputs));
    if (!exit_status)
        exit_status =
            settings->dry_run ? measure_only(session, &outcome) : run_and_show(session, settings, &outcome, start);
    free_inputs(&inputs);
    heddle_graph_destroy(&graph);
    return exit_status;
}
