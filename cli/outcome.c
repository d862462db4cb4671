/* outcome.c - the summary of a run for people, and the tables on standard output. */
#include "outcome.h"

#include "names.h"
#include "parts.h"
#include "path.h"
#include "report.h"
#include "text.h"
#include "top.h"
#include "vertex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

static const char *graph_name(const cli_outcome *outcome) {
    return !strcmp(outcome->path, "-") ? "standard input" : outcome->path;
}

/* The name of an algorithm, the file of a program. */
static const char *run_name(const cli_outcome *outcome) {
    const char *program = outcome->settings->run.program, *slash = program ? strrchr(program, '/') : NULL;
    return slash ? slash + 1 : program ? program : outcome->name;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static void put_row(const cli_outcome *outcome, const cli_top *top, uint64_t row) {
    const heddle_graph *graph = outcome->graph;
    const heddle_vertex *parents = heddle_result_parents(outcome->result);
    if (top->kind == CLI_ROWS_EDGES) {
        heddle_forest forest = *heddle_result_forest(outcome->result);
        cli_put_vertex(stdout, graph, forest.ends[2 * row]);
        putchar('\t');
        cli_put_vertex(stdout, graph, forest.ends[2 * row + 1]);
        printf("\t%s\n", cli_forest_weight(&forest, row).text);
        return;
    }
    cli_put_vertex(stdout, graph, (heddle_vertex)row);
    if (top->kind == CLI_ROWS_COMPONENTS)
        printf("\t%llu", (unsigned long long)top->sizes[row]);
    else
        printf("\t%s", cli_shown_value(outcome->result, (heddle_vertex)row).text);
    if (parents) {
        putchar('\t');
        if (parents[row] != UINT32_MAX)
            cli_put_vertex(stdout, graph, parents[row]);
    }
    putchar('\n');
}

void cli_print_remark(const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    if (!report->approximate || outcome->settings->common.quiet)
        return;
    printf("# approximate: %s", run_name(outcome));
    if (report->error_bound >= 0)
        printf(", error at most %.6g", report->error_bound);
    if (report->error_bound >= 0 && report->confidence < 1)
        printf(" with confidence %g", report->confidence);
    putchar('\n');
    fflush(stdout); /* the library writes its rows past the buffer */
}

int cli_print_top(const cli_outcome *outcome, uint64_t most) {
    cli_top top;
    if (!cli_top_choose(outcome->result, cli_rows_of(outcome->algorithm, outcome->result), most, &top))
        return no_memory();
    cli_print_remark(outcome);
    for (uint64_t i = 0; i < top.count; i++)
        put_row(outcome, &top, top.rows[i]);
    cli_top_free(&top);
    return 0;
}

int cli_print_path(const cli_outcome *outcome) {
    const cli_path *path = &outcome->route;
    for (uint64_t i = 0; i < path->count; i++) {
        cli_put_vertex(stdout, outcome->graph, path->vertices[i]);
        printf("\t%s\n", cli_value_word(outcome->result, path->vertices[i]).text);
    }
    int exit_status = path->count ? 0 : CLI_EXIT_NOTHING;
    if (!path->count && !outcome->settings->common.quiet)
        cli_say("there is no path to %s", cli_vertex_word(outcome->graph, outcome->target).text);
    return exit_status;
}

/* ---- The summary ----------------------------------------------------------------------------------------------- */

/* Whole numbers as they are, others with six digits. */
static cli_word figure_word(const heddle_result *result, uint32_t figure) {
    double value = heddle_result_report(result)->figures[figure].value;
    const char *exact = heddle_result_figure_text(result, figure);
    cli_word word;
    if (value == floor(value) && value >= 0 && value < 1e15)
        return cli_grouped((uint64_t)value);
    if (!strpbrk(exact, ".e"))
        snprintf(word.text, sizeof word.text, "%s", exact);
    else
        snprintf(word.text, sizeof word.text, "%.6g", value);
    return word;
}

/* "load 0.012 s, compute 0.003 s": the phases that took part. */
static void list_phases(const cli_outcome *outcome, char *text, size_t size) {
    const heddle_report *report = heddle_result_report(outcome->result);
    const struct {
        const char *name;
        double seconds;
        bool shown;
    } phases[] = {
        {"load", outcome->load.seconds, true},
        {"build", report->prepare, report->prepare >= 0.0005},
        {"transform", report->transforming, report->transforming > 0},
        {"compile", report->compile, report->compile > 0},
        {"transfer", report->transfer, report->transfer > 0},
        {"compute", report->compute, true},
        {"verify", outcome->verify.seconds, report->verified >= 0 || report->residual_verified >= 0},
        {"write", outcome->write.seconds, outcome->settings->output != NULL},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof phases / sizeof *phases && used < size; i++)
        if (phases[i].shown)
            used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", phases[i].name,
                                     cli_seconds(phases[i].seconds).text);
}

heddle_vertex cli_first_source(const cli_outcome *outcome) {
    return outcome->source_count ? outcome->settings->run.sources[0] : heddle_result_report(outcome->result)->source;
}

static void print_source(const cli_outcome *outcome) {
    heddle_vertex source = cli_first_source(outcome);
    if (source == UINT32_MAX)
        return;
    printf("  %-14s%s", "source", cli_vertex_word(outcome->graph, source).text);
    if (!outcome->source_count)
        fputs(" (chosen: the largest out-degree)", stdout);
    else if (outcome->source_count > 1)
        printf(" and %s more", cli_grouped(outcome->source_count - 1).text);
    putchar('\n');
}

double cli_edges_per_second(const heddle_report *report) {
    return report->compute > 0 ? (double)report->edges_walked / report->compute : 0;
}

double cli_lane_efficiency(const heddle_report *report) {
    return report->lanes_walked ? (double)report->lanes_useful / (double)report->lanes_walked : 0;
}

/* A run whose edges were read from the file. */
static void print_disk(const heddle_report *report) {
    printf("  %-14s%s of edges in %s part%s, %s of them in memory; %s read", "disk", cli_bytes(report->disk_edges).text,
           cli_grouped(report->disk_parts).text, report->disk_parts == 1 ? "" : "s",
           cli_bytes(report->disk_resident).text, cli_bytes(report->disk_read).text);
    if (report->disk_reading > 0)
        printf(", %s/s", cli_bytes((uint64_t)((double)report->disk_read / report->disk_reading)).text);
    putchar('\n');
}

enum { ENOUGH_DIGITS = 4 };

/* The bound of the error, and how many digits of every value it leaves. */
static void describe_error(const heddle_report *report, char *text, size_t size) {
    double relative = report->relative_error;
    int digits = relative < 0 ? 0 : relative <= 1e-15 ? 15 : (int)floor(-log10(relative)), used;
    used = snprintf(text, size, "at most %.3g", report->error_bound);
    if (report->error_bound == 0)
        return;
    if (digits && (report->verified >= 0 || digits >= ENOUGH_DIGITS)) /* without --verify the bound is far off */
        snprintf(text + used, size - (size_t)used, ", every value to %d digit%s", digits, digits == 1 ? "" : "s");
    else
        snprintf(text + used, size - (size_t)used, "%s",
                 report->verified < 0 ? " (small values: see --verify)" : ", of small values no digit is certain");
}

static void print_accuracy(const heddle_report *report) {
    printf("  %-14s%s", "accuracy", "approximate");
    if (report->error_bound >= 0)
        printf(", error at most %.3g", report->error_bound);
    if (report->error_bound >= 0 && report->confidence < 1)
        printf(" with a confidence of %g", report->confidence);
    if (report->worst_error >= 0)
        printf("; measured: %.3g", report->worst_error);
    if (report->inaccuracy >= 0)
        printf(", inaccuracy %.3g %%", 100 * report->inaccuracy);
    putchar('\n');
}

/* Of a certificate that says nothing about the error. */
static void describe_residual(const heddle_report *report, char *text, size_t size) {
    snprintf(text, size, "residual verified: %.3g, no bound on the error", report->residual_verified);
}

/* Whether the values approach a limit, from which they are apart by more than the residual says. */
static bool leaves_residual(const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    bool residual = false;
    for (uint32_t i = 0; i < report->figure_count; i++)
        residual = residual || !strcmp(report->figures[i].name, "residual");
    return residual && !outcome->settings->run.program;
}

static void print_run(const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    char phases[256], words[96];
    list_phases(outcome, phases, sizeof phases);
    bool lanes = !cli_is_host(report->schedule);
    printf("  %-14s%s, %d thread%s, plan %s%s%s\n", "device", report->device, outcome->threads,
           outcome->threads == 1 ? "" : "s", outcome->settings->run.plan, lanes ? ", schedule " : "",
           lanes ? report->schedule : "");
    print_source(outcome);
    printf("  %-14s%s\n", "time", phases);
    printf("  %-14s%s%s\n", "iterations", cli_grouped(report->iterations).text,
           report->converged ? "" : ", not converged");
    printf("  %-14s%s edges/s\n", "speed", cli_si(cli_edges_per_second(report)).text);
    if (report->disk_parts)
        print_disk(report);
    cli_print_parts(outcome->result);
    if (report->lanes_walked)
        printf("  %-14s%.2f %% had an edge to walk (%.2f %% where all vertices take part, from the degrees)\n", "lanes",
               100 * cli_lane_efficiency(report), 100 * report->lanes_computed);
    for (uint32_t i = 0; i < report->figure_count; i++) {
        char label[32];
        snprintf(label, sizeof label, "%s", report->figures[i].name);
        for (char *p = label; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        printf("  %-14s%s\n", label, figure_word(outcome->result, i).text);
    }
    if (report->approximate)
        print_accuracy(report);
    else if (report->error_bound >= 0) {
        describe_error(report, words, sizeof words);
        printf("  %-14s%s\n", "error", words);
    } else if (report->verified < 0 && report->residual_verified < 0 && leaves_residual(outcome))
        printf("  %-14snot known: see --verify\n", "error");
    if (report->verified < 0 && report->residual_verified >= 0) {
        describe_residual(report, words, sizeof words);
        printf("  %-14sno: %s\n", "verified", words);
    }
    if (report->verified >= 0)
        printf("  %-14s%s\n", "verified",
               report->verified                 ? "yes"
               : report->residual_verified >= 0 ? "no: not converged"
                                                : "no: the result is wrong");
}

/* The cells of a row for people: two or three words. */
static int row_words(const cli_outcome *outcome, const cli_top *top, uint64_t row, cli_word words[3]) {
    if (top->kind == CLI_ROWS_EDGES) {
        heddle_forest forest = *heddle_result_forest(outcome->result);
        words[0] = cli_vertex_word(outcome->graph, forest.ends[2 * row]);
        words[1] = cli_vertex_word(outcome->graph, forest.ends[2 * row + 1]);
        words[2] = cli_forest_weight(&forest, row);
        return 3;
    }
    words[0] = cli_vertex_word(outcome->graph, (heddle_vertex)row);
    words[1] = top->kind == CLI_ROWS_COMPONENTS ? cli_grouped(top->sizes[row])
                                                : cli_shown_value(outcome->result, (heddle_vertex)row);
    return 2;
}

static void print_cells(const cli_word *words, int cells, const int *width) {
    for (int i = 0; i + 1 < cells; i++)
        printf("  %-*s", width[i], words[i].text);
    printf("  %s\n", words[cells - 1].text);
}

static void print_first_rows(const cli_outcome *outcome, const cli_top *top) {
    static const char *const titles[][3] = {
        [CLI_ROWS_VALUES] = {"id", "value", ""},
        [CLI_ROWS_COMPONENTS] = {"label", "vertices", ""},
        [CLI_ROWS_EDGES] = {"id", "id", "weight"},
    };
    const char *weight = outcome->algorithm->weight;
    int width[3], cells = 0;
    cli_word words[3], heads[3];
    if (outcome->algorithm->rows == CLI_ROWS_WALKS)
        printf("\n--output FILE writes the walks, --output - to standard output\n");
    if (!top->count)
        return;
    for (int i = 0; i < 3; i++)
        width[i] =
            snprintf(heads[i].text, sizeof heads[i].text, "%s", i == 2 && weight ? weight : titles[top->kind][i]);
    for (uint64_t i = 0; i < top->count; i++) {
        cells = row_words(outcome, top, top->rows[i], words);
        for (int k = 0; k < cells; k++)
            width[k] = (int)strlen(words[k].text) > width[k] ? (int)strlen(words[k].text) : width[k];
    }
    bool witness = top->kind != outcome->algorithm->rows;
    printf("\n%s:\n", witness ? outcome->algorithm->witness : outcome->algorithm->top_title);
    print_cells(heads, cells, width);
    for (uint64_t i = 0; i < top->count; i++) {
        row_words(outcome, top, top->rows[i], words);
        print_cells(words, cells, width);
    }
}

static void print_head(const cli_outcome *outcome, const char *verb) {
    char name[1024];
    snprintf(name, sizeof name, "%s%s %s", run_name(outcome), verb, graph_name(outcome));
    printf("%s\n", cli_clean(name));
    printf("  %-14s%s\n", "graph", cli_graph_words(outcome->graph, outcome->edges).text);
}

int cli_print_summary(const cli_outcome *outcome) {
    cli_top top;
    if (!cli_top_choose(outcome->result, cli_rows_of(outcome->algorithm, outcome->result), CLI_FIRST_ROWS, &top))
        return no_memory();
    print_head(outcome, " on");
    print_run(outcome);
    if (!outcome->settings->run.each)
        print_first_rows(outcome, &top);
    cli_top_free(&top);
    return 0;
}

/* ", approximate, inaccuracy 1.2 %": what was measured, or is proven. */
static void list_accuracy(const heddle_report *report, char *text, size_t size) {
    if (report->approximate)
        snprintf(text, size, ", approximate%s", report->error_bound < 0 ? "" : " within the error bound");
    else if (report->error_bound >= 0)
        describe_error(report, text + snprintf(text, size, ", error "), size - strlen(", error "));
    size_t used = strlen(text);
    if (report->approximate && report->inaccuracy >= 0)
        snprintf(text + used, size - used, ", inaccuracy %.3g %%", 100 * report->inaccuracy);
}

void cli_say_summary(const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    char phases[256], rounds[96] = "", figures[256] = "", written[1024] = "", source[160] = "", accuracy[96] = "",
                      verdict[96] = "";
    size_t used = 0;
    if (outcome->settings->common.quiet)
        return;
    list_phases(outcome, phases, sizeof phases);
    for (uint32_t i = 0; i < report->figure_count && used < sizeof figures; i++)
        used += (size_t)snprintf(figures + used, sizeof figures - used, ", %s %s", report->figures[i].name,
                                 figure_word(outcome->result, i).text);
    if (outcome->settings->output && strcmp(outcome->settings->output, "-") != 0)
        snprintf(written, sizeof written, "; wrote %.800s%s%s", outcome->settings->output, outcome->bytes ? ", " : "",
                 outcome->bytes ? cli_bytes(outcome->bytes).text : "");
    list_accuracy(report, accuracy, sizeof accuracy);
    if (report->verified == 1)
        snprintf(verdict, sizeof verdict, "verified");
    else if (report->residual_verified >= 0)
        describe_residual(report, verdict, sizeof verdict);
    if (!outcome->source_count && report->source != UINT32_MAX)
        snprintf(source, sizeof source, " from %s (the largest out-degree)",
                 cli_vertex_word(outcome->graph, report->source).text);
    if (report->lanes_walked && used < sizeof figures)
        snprintf(figures + used, sizeof figures - used, ", %.2f %% of lanes had an edge to walk",
                 100 * cli_lane_efficiency(report));
    if (report->iterations || !report->figure_count) /* some algorithms have no iterations */
        snprintf(rounds, sizeof rounds, "%s%s", cli_counted(report->iterations, "iteration", "iterations").text,
                 report->converged ? "" : " (not converged)");
    cli_say("%.200s on %.600s%s: %s, %s; %s%s%s%s%s%s (%s)", run_name(outcome), graph_name(outcome), source,
            cli_counted(heddle_graph_vertices(outcome->graph), "vertex", "vertices").text,
            cli_edge_words(outcome->graph, outcome->edges).text, rounds, rounds[0] ? figures : figures + strlen(", "),
            accuracy, verdict[0] ? ", " : "", verdict, written, phases);
}

/* ---- Dry run --------------------------------------------------------------------------------------------------- */

/* On Linux ru_maxrss includes the process before exec; VmHWM does not. */
uint64_t cli_peak_memory(void) {
    struct rusage usage;
    char line[128];
    unsigned long long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && !kilobytes && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %llu", &kilobytes);
    if (status)
        fclose(status);
    if (!kilobytes && getrusage(RUSAGE_SELF, &usage) == 0)
        kilobytes = (unsigned long long)usage.ru_maxrss;
    return (uint64_t)kilobytes * 1024;
}

cli_memory cli_estimate_memory(const cli_outcome *outcome) {
    cli_memory memory = {.out_edges = outcome->device.host_edges,
                         .in_edges = outcome->device.host_in_edges,
                         .run = outcome->device.host_run};
    memory.total = memory.out_edges + memory.in_edges + memory.run;
    memory.peak = outcome->start_peak + memory.total;
    memory.peak = memory.peak > outcome->load_peak ? memory.peak : outcome->load_peak;
    return memory;
}

bool cli_leaves_host(const cli_outcome *outcome) { return !cli_is_host(outcome->device.device); }

static void print_device_memory(const heddle_device_memory *device) {
    printf("  %-14s", "device memory");
    if (!device->wanted)
        printf("not known before the run");
    else
        printf("about %s for graph, values and buffers", cli_bytes(device->wanted).text);
    if (device->total)
        printf("; %s of %s free%s", cli_bytes(device->free).text, cli_bytes(device->total).text,
               device->wanted > device->free ? ": it does not fit" : "");
    putchar('\n');
    if (device->missing[0])
        printf("  %-14s%s\n", "", device->missing);
}

static void print_residency(const heddle_device_memory *device) {
    printf("  %-14s%s", "residency", device->residency);
    if (device->host_resident)
        printf(", %s of edges in host memory", cli_bytes(device->host_resident).text);
    putchar('\n');
}

void cli_print_dry_run(const cli_outcome *outcome) {
    cli_memory memory = cli_estimate_memory(outcome);
    if (outcome->settings->common.json) {
        cli_report_dry_run(outcome, &memory);
        return;
    }
    bool refused = outcome->settings->run.memory_limit && outcome->device.refused[0];
    print_head(outcome, refused ? " would not run on" : " would run on");
    printf("  %-14s%s, %d thread%s, plan %s\n", "device", outcome->device.device, outcome->threads,
           outcome->threads == 1 ? "" : "s", outcome->settings->run.plan);
    if (outcome->device.residency[0] && (cli_leaves_host(outcome) || strcmp(outcome->device.residency, "device") != 0))
        print_residency(&outcome->device);
    printf("  %-14sabout %s: out-edges %s, in-edges %s, values and buffers %s\n", "memory",
           cli_bytes(memory.total).text, cli_bytes(memory.out_edges).text, cli_bytes(memory.in_edges).text,
           cli_bytes(memory.run).text);
    printf("  %-14sabout %s, loading included\n", "peak", cli_bytes(memory.peak).text);
    if (cli_leaves_host(outcome))
        print_device_memory(&outcome->device);
    printf("  %-14sload %s", "time", cli_seconds(outcome->load.seconds).text);
    if (outcome->device.cpu_seconds > 0)
        printf(", then %s%s on the CPU of this machine", outcome->settings->run.max_error > 0 ? "at most " : "",
               cli_about(outcome->device.cpu_seconds).text);
    putchar('\n');
}
