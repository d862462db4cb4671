/* bench_table.c - the rows of heddle bench, as a table and as JSON. */
#include "bench/bench.h"

#include "json.h"
#include "provenance.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { GRAPH_WIDTH = 18, PLAN_WIDTH = 13 };

static cli_word milliseconds(double seconds) {
    cli_word word;
    double ms = seconds * 1e3;
    snprintf(word.text, sizeof word.text, ms < 10 ? "%.3f" : ms < 1000 ? "%.1f" : "%.0f", ms);
    return word;
}

/* The last part of a path. */
static const char *short_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Plans of any length stay in their column. */
static int plan_width(const bench *bench) {
    size_t width = PLAN_WIDTH;
    for (int i = 0; i < bench->plan_count; i++)
        width = strlen(bench->plans[i]) > width ? strlen(bench->plans[i]) : width;
    return (int)width;
}

void bench_print_head(const bench *bench) {
    printf("%-*s %-5s %-*s %10s ", GRAPH_WIDTH, "graph", "what", plan_width(bench), "plan", "median ms");
    if (bench->settings->approximate)
        printf("%7s %10s %8s %10s %s\n", "rounds", "with prep.", "speed-up", "inaccuracy", "verified");
    else if (bench->presets)
        printf("%7s %9s %6s %10s %10s %8s %s\n", "rounds", "ms/round", "lanes", "bytes", "with prep.", "speed-up",
               "verified");
    else
        printf("%8s %10s %10s %8s %6s %6s %8s %s\n", "spread", "with prep.", "random", "edges/s", "stream", "gather",
               "rounds", "verified");
}

static const char *verified_of(const bench_row *row) {
    return row->verified == BENCH_RESIDUAL ? "residual" : row->verified < 0 ? "-" : row->verified ? "yes" : "NO";
}

/* How many times faster than `base`: two digits at least. */
static void ratio_text(const bench_row *row, const bench_row *base, char text[16]) {
    double ratio = base && row->median > 0 ? base->median / row->median : NAN;
    snprintf(text, 16, isnan(ratio) ? "-" : ratio < 0.1 ? "%#.2g" : "%.2f", ratio);
}

static void print_preset(const bench_row *row, const bench_row *base) {
    char lanes[16] = "-", ratio[16];
    if (row->lanes >= 0)
        snprintf(lanes, sizeof lanes, "%.1f%%", 100 * row->lanes);
    ratio_text(row, base, ratio);
    printf("%7llu %9s %6s %10s %10s %8s %s\n", (unsigned long long)row->iterations,
           row->iterations ? milliseconds(row->median / (double)row->iterations).text : "-", lanes,
           row->device_bytes ? cli_bytes(row->device_bytes).text : "-", milliseconds(row->median + row->prepare).text,
           ratio, verified_of(row));
}

/* As in the tables of Graffix: how much faster, how far from the exact result. */
static void print_approximate(const bench_row *row, const bench_row *base) {
    char ratio[16], inaccuracy[24] = "exact";
    ratio_text(row, base, ratio);
    if (row->approximate && isnan(row->inaccuracy))
        snprintf(inaccuracy, sizeof inaccuracy, "-");
    else if (row->approximate)
        snprintf(inaccuracy, sizeof inaccuracy, row->inaccuracy < 1e-12 ? "rounding" : "%.3g%%", 100 * row->inaccuracy);
    printf("%7llu %10s %8s %10s %s\n", (unsigned long long)row->iterations,
           milliseconds(row->median + row->prepare).text, ratio, inaccuracy, verified_of(row));
}

/* The share of a peak rate; "cached" if the run was faster than its floor: caches served what the peak is about. */
static void share_text(double floor, double median, char text[16]) {
    snprintf(text, 16, floor > median ? "cached" : "%.0f%%", 100 * floor / median);
}

static void print_times(const bench_row *row) {
    char spread[16] = "-", stream[16] = "-", gather[16] = "-";
    if (row->median > 0) {
        double share = (row->quartiles[1] - row->quartiles[0]) / row->median; /* large if other work interrupts a run */
        snprintf(spread, sizeof spread, share > 9.99 ? ">999%%" : "%.0f%%", 100 * share);
        share_text(row->stream_floor, row->median, stream);
        share_text(row->gather_floor, row->median, gather);
    }
    printf("%8s %10s %10s %8s %6s %6s %8llu %s\n", spread, milliseconds(row->median + row->prepare).text,
           row->random_median > 0 ? milliseconds(row->random_median).text : "-",
           row->median > 0 ? cli_si((double)row->edges / row->median).text : "-", stream, gather,
           (unsigned long long)row->iterations, verified_of(row));
}

void bench_print_row(const bench *bench, const bench_row *row, const bench_row *base) {
    printf("%-*.*s %-5s %-*s ", GRAPH_WIDTH, GRAPH_WIDTH, short_name(row->graph), short_name(row->algorithm),
           plan_width(bench), row->plan);
    if (row->refused[0]) {
        printf("refused: %s\n", row->refused);
        return;
    }
    printf("%10s ", milliseconds(row->median).text);
    if (bench->settings->approximate)
        print_approximate(row, base);
    else if (bench->presets)
        print_preset(row, base);
    else
        print_times(row);
    fflush(stdout);
}

static void json_row(cli_json *json, const bench_row *row) {
    cli_json_object(json, NULL);
    cli_json_text(json, "graph", row->graph);
    cli_json_count(json, "vertices", row->vertices);
    cli_json_count(json, "edges", row->edges);
    cli_json_text(json, "algorithm", row->algorithm);
    cli_json_text(json, "plan", row->plan);
    if (row->refused[0]) {
        cli_json_text(json, "refused", row->refused);
        cli_json_end(json);
        return;
    }
    cli_json_text(json, "device", row->device);
    cli_json_text(json, "schedule", row->schedule);
    cli_json_count(json, "runs", (uint64_t)row->runs);
    cli_json_real(json, "median", row->median);
    cli_json_real(json, "least", row->least);
    cli_json_real(json, "most", row->most);
    cli_json_array(json, "quartiles");
    for (int i = 0; i < 2; i++)
        cli_json_real(json, NULL, row->quartiles[i]);
    cli_json_end(json);
    cli_json_array(json, "times");
    for (int i = 0; i < row->runs; i++)
        cli_json_real(json, NULL, row->times[i]);
    cli_json_end(json);
    cli_json_text(json, "plan_keys", row->keys);
    cli_json_real(json, "prepare", row->prepare);
    cli_json_real(json, "compile", row->compile);
    if (row->random_median > 0)
        cli_json_real(json, "random_sources_median", row->random_median);
    else
        cli_json_null(json, "random_sources_median");
    cli_json_real(json, "edges_per_second", row->median > 0 ? (double)row->edges / row->median : 0);
    cli_json_real(json, "stream_floor", row->stream_floor);
    cli_json_real(json, "gather_floor", row->gather_floor);
    if (row->bytes_sent)
        cli_json_count(json, "bytes_sent", row->bytes_sent);
    if (row->bus_floor > 0)
        cli_json_real(json, "bus_floor", row->bus_floor);
    cli_json_count(json, "iterations", row->iterations);
    cli_json_count(json, "device_bytes", row->device_bytes);
    if (row->lanes >= 0)
        cli_json_real(json, "lane_efficiency", row->lanes);
    else
        cli_json_null(json, "lane_efficiency");
    cli_json_flag(json, "approximate", row->approximate);
    if (isnan(row->inaccuracy))
        cli_json_null(json, "inaccuracy");
    else
        cli_json_real(json, "inaccuracy", row->inaccuracy);
    if (row->verified < 0 || row->verified == BENCH_RESIDUAL)
        cli_json_null(json, "verified");
    else
        cli_json_flag(json, "verified", row->verified);
    cli_json_end(json);
}

/* The command line that measures the same again: --again reads it. */
static void json_arguments(cli_json *json, const bench *bench) {
    const bench_settings *settings = bench->settings;
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {{"--repeats", (uint64_t)settings->repeats},
                   {"--sources", (uint64_t)settings->sources},
                   {"--scale", (uint64_t)settings->scale},
                   {"--seed", settings->seed},
                   {"--threads", (uint64_t)heddle_context_threads(bench->session->context)}};
    const char *const words[] = {"--device",           settings->device, "--algorithms",
                                 settings->algorithms, "--plan",         settings->plan};
    char text[24];
    cli_json_array(json, "arguments");
    for (int i = 0; i < bench->session->arguments.operand_count; i++)
        cli_json_text(json, NULL, bench->session->arguments.operands[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cli_json_text(json, NULL, words[i]);
    if (settings->plans) {
        cli_json_text(json, NULL, "--plans");
        cli_json_text(json, NULL, settings->plans);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)numbers[i].value);
        cli_json_text(json, NULL, numbers[i].name);
        cli_json_text(json, NULL, text);
    }
    if (settings->memory_limit) {
        cli_json_text(json, NULL, "--memory-limit");
        snprintf(text, sizeof text, "%llu", (unsigned long long)settings->memory_limit);
        cli_json_text(json, NULL, text);
    }
    if (settings->approximate)
        cli_json_text(json, NULL, "--approximate");
    if (settings->sweep)
        cli_json_text(json, NULL, "--sweep");
    if (settings->parents)
        cli_json_text(json, NULL, "--parents");
    if (!settings->verify)
        cli_json_text(json, NULL, "--no-verify");
    cli_json_end(json);
}

void bench_print_json(FILE *out, const bench *bench) {
    cli_json json = {.out = out};
    cli_json_object(&json, NULL);
    cli_json_provenance(&json, bench->session, bench->row_count ? bench->rows[0].device : NULL);
    cli_json_count(&json, "threads", (uint64_t)heddle_context_threads(bench->session->context));
    cli_json_count(&json, "seed", bench->settings->seed);
    json_arguments(&json, bench);
    cli_json_array(&json, "rows");
    for (size_t i = 0; i < bench->row_count; i++)
        json_row(&json, &bench->rows[i]);
    cli_json_end(&json);
    cli_json_end(&json);
}

/* In quotes where a comma, a quote or a line end is in it. */
static void csv_text(FILE *out, const char *text) {
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

/* A line per row; seconds. The file has no place for provenance: JSON has. */
void bench_print_csv(FILE *out, const bench *bench) {
    fputs("graph,vertices,edges,algorithm,plan,plan_keys,device,schedule,runs,rounds,median,least,most,quartile1,"
          "quartile3,prepare,compile,verified,refused\n",
          out);
    for (size_t i = 0; i < bench->row_count; i++) {
        const bench_row *row = &bench->rows[i];
        const char *const texts[] = {row->algorithm, row->plan, row->keys, row->device, row->schedule};
        csv_text(out, row->graph);
        fprintf(out, ",%llu,%llu", (unsigned long long)row->vertices, (unsigned long long)row->edges);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            fputc(',', out);
            csv_text(out, texts[k]);
        }
        fprintf(out, ",%d,%llu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,", row->runs, (unsigned long long)row->iterations,
                row->median, row->least, row->most, row->quartiles[0], row->quartiles[1], row->prepare, row->compile,
                row->verified < 0 ? ""
                : row->verified   ? "yes"
                                  : "no");
        csv_text(out, row->refused);
        fputc('\n', out);
    }
}
