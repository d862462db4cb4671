/* outcome_json.c - the report of a run as JSON, and its phases as a trace. Scripts rely on the keys. */
#include "outcome.h"

#include "file.h"
#include "json.h"
#include "parts.h"
#include "path.h"
#include "provenance.h"
#include "report.h"
#include "rounds.h"
#include "text.h"
#include "top.h"
#include "vertex.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void json_head(cli_json *json, const cli_outcome *outcome) {
    cli_json_text(json, "algorithm", outcome->name);
    if (outcome->settings->run.program)
        cli_json_text(json, "program", outcome->settings->run.program);
    cli_json_text(json, "file", outcome->path);
    cli_json_object(json, "graph");
    cli_json_count(json, "vertices", heddle_graph_vertices(outcome->graph));
    cli_json_count(json, "edges", heddle_graph_edges(outcome->graph));
    cli_json_flag(json, "directed", heddle_graph_directed(outcome->graph));
    cli_json_undirected(json, outcome->graph, outcome->edges);
    cli_json_end(json);
}

/* "direction=push,K=10" as an object. */
static void json_keys(cli_json *json, const char *text) {
    cli_json_object(json, "keys");
    while (*text) {
        char name[40], value[80];
        size_t length = strcspn(text, "="), end = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        snprintf(value, sizeof value, "%.*s", length < end ? (int)(end - length - 1) : 0, text + length + 1);
        cli_json_text(json, name, value);
        text += end + (text[end] == ',');
    }
    cli_json_end(json);
}

static void json_plan(cli_json *json, const cli_outcome *outcome, const char *schedule) {
    cli_json_object(json, "plan");
    cli_json_text(json, "name", outcome->settings->run.plan);
    cli_json_text(json, "transform", outcome->result ? heddle_result_report(outcome->result)->transform : "none");
    cli_json_text(json, "schedule", schedule);
    cli_json_text(json, "residency",
                  outcome->result                ? heddle_result_report(outcome->result)->residency
                  : outcome->device.residency[0] ? outcome->device.residency
                                                 : NULL);
    cli_json_text(json, "exchange", outcome->result ? heddle_result_report(outcome->result)->exchange : "none");
    json_keys(json, outcome->result ? heddle_result_report(outcome->result)->plan : "");
    cli_json_end(json);
}

static void json_phases(cli_json *json, const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    cli_json_object(json, "phases");
    cli_json_seconds(json, "load", outcome->load.seconds);
    cli_json_seconds(json, "build", report->prepare);
    cli_json_seconds(json, "transform", report->transforming);
    cli_json_seconds(json, "compile", report->compile);
    if (report->device_bytes)
        cli_json_seconds(json, "transfer", report->transfer);
    cli_json_seconds(json, "compute", report->compute);
    cli_json_seconds(json, "write", outcome->write.seconds);
    cli_json_end(json);
}

/* Bytes that crossed the bus in all rounds, and the least time for these. Not known if it is not for one round. */
static void json_crossed(cli_json *json, const heddle_report *report, const cli_rounds *rounds) {
    uint64_t sent = 0, read = 0;
    bool known = true;
    for (uint64_t i = 0; i < rounds->count; i++) {
        sent += rounds->list[i].bytes_sent;
        known &= rounds->list[i].bytes_in_place != HEDDLE_NOT_KNOWN;
        read += rounds->list[i].bytes_in_place;
    }
    cli_json_count(json, "bytes_sent", sent);
    if (!known)
        cli_json_null(json, "bytes_in_place");
    else
        cli_json_count(json, "bytes_in_place", read);
    if (known && report->bus > 0)
        cli_json_seconds(json, "bus_floor", (double)(sent + read) / report->bus);
}

/* Where the edges lay, and what it took. */
static void json_residency(cli_json *json, const heddle_report *report, const cli_rounds *rounds) {
    double edges = (double)report->edges_on_device + (double)report->edges_on_host;
    cli_json_object(json, "residency");
    cli_json_count(json, "edges_on_device", report->edges_on_device);
    cli_json_count(json, "edges_on_host", report->edges_on_host);
    cli_json_real(json, "resident_share", (double)report->edges_on_device / edges);
    cli_json_count(json, "host_bytes", report->host_bytes);
    cli_json_seconds(json, "pinning", report->pinning);
    if (report->bus > 0)
        cli_json_real(json, "bus_bytes_per_second", report->bus);
    json_crossed(json, report, rounds);
    if (report->bits_per_edge > 0 || report->packing > 0)
        cli_json_seconds(json, "packing", report->packing);
    if (report->bits_per_edge > 0)
        cli_json_real(json, "bits_per_edge", report->bits_per_edge);
    cli_json_end(json);
}

/* A run whose edges were read from the file. */
static void json_disk(cli_json *json, const heddle_report *report) {
    cli_json_object(json, "disk");
    cli_json_count(json, "parts", report->disk_parts);
    cli_json_count(json, "edge_bytes", report->disk_edges);
    cli_json_count(json, "resident_bytes", report->disk_resident);
    cli_json_real(json, "resident_share", (double)report->disk_resident / (double)report->disk_edges);
    cli_json_count(json, "bytes_read", report->disk_read);
    cli_json_seconds(json, "reading", report->disk_reading);
    if (report->disk_reading > 0)
        cli_json_real(json, "bytes_per_second", (double)report->disk_read / report->disk_reading);
    cli_json_end(json);
}

static void json_summary(cli_json *json, const heddle_result *result) {
    const heddle_report *report = heddle_result_report(result);
    cli_json_object(json, "summary");
    for (uint32_t i = 0; i < report->figure_count; i++)
        if (isfinite(report->figures[i].value))
            cli_json_digits(json, report->figures[i].name, heddle_result_figure_text(result, i));
        else
            cli_json_null(json, report->figures[i].name);
    cli_json_end(json);
}

static void json_sources(cli_json *json, const cli_outcome *outcome) {
    heddle_vertex source = cli_first_source(outcome);
    if (source == UINT32_MAX)
        cli_json_null(json, "source");
    else
        cli_json_vertex(json, "source", outcome->graph, source);
    if (outcome->source_count > 1)
        cli_json_count(json, "sources", outcome->source_count);
}

static const char *precision_name(const cli_outcome *outcome) {
    if (cli_rows_of(outcome->algorithm, outcome->result) != CLI_ROWS_VALUES)
        return NULL;
    switch (heddle_result_values(outcome->result)->type) {
    case HEDDLE_VALUE_F32: return "single";
    case HEDDLE_VALUE_F64: return "double";
    default: return NULL;
    }
}

static void json_row(cli_json *json, const cli_outcome *outcome, const cli_top *top, uint64_t row) {
    cli_json_array(json, NULL);
    if (top->kind == CLI_ROWS_EDGES) {
        heddle_forest forest = *heddle_result_forest(outcome->result);
        cli_json_vertex(json, NULL, outcome->graph, forest.ends[2 * row]);
        cli_json_vertex(json, NULL, outcome->graph, forest.ends[2 * row + 1]);
        cli_json_digits(json, NULL, cli_forest_weight(&forest, row).text);
    } else {
        cli_json_vertex(json, NULL, outcome->graph, (heddle_vertex)row);
        if (top->kind == CLI_ROWS_COMPONENTS)
            cli_json_count(json, NULL, top->sizes[row]);
        else
            cli_json_value(json, NULL, outcome->result, (heddle_vertex)row);
    }
    cli_json_end(json);
}

static void json_path(cli_json *json, const cli_outcome *outcome, const cli_path *path) {
    if (!path->count) {
        cli_json_null(json, "path");
        return;
    }
    cli_json_object(json, "path");
    cli_json_vertex(json, "to", outcome->graph, outcome->target);
    cli_json_value(json, "value", outcome->result, outcome->target);
    cli_json_array(json, "ids");
    for (uint64_t i = 0; i < path->count; i++)
        cli_json_vertex(json, NULL, outcome->graph, path->vertices[i]);
    cli_json_end(json);
    cli_json_end(json);
}

static void json_lanes(cli_json *json, const heddle_report *report) {
    if (!report->lanes_walked) {
        cli_json_null(json, "lane_efficiency");
        return;
    }
    cli_json_real(json, "lane_efficiency", cli_lane_efficiency(report));
    cli_json_real(json, "lane_efficiency_computed", report->lanes_computed);
    cli_json_count(json, "lanes_useful", report->lanes_useful);
    cli_json_count(json, "lanes_walked", report->lanes_walked);
}

static void json_if_known(cli_json *json, const char *name, double value) {
    if (value < 0)
        cli_json_null(json, name);
    else
        cli_json_real(json, name, value);
}

static void json_accuracy(cli_json *json, const heddle_report *report) {
    cli_json_flag(json, "approximate", report->approximate);
    json_if_known(json, "inaccuracy", report->inaccuracy);
    if (report->error_bound < 0 && !report->approximate)
        return;
    json_if_known(json, "error_bound", report->error_bound);
    json_if_known(json, "relative_error", report->relative_error);
    cli_json_real(json, "confidence", report->confidence);
    json_if_known(json, "error", report->worst_error);
}

static void json_run(cli_json *json, const cli_outcome *outcome, const cli_rounds *rounds) {
    const heddle_report *report = heddle_result_report(outcome->result);
    cli_json_text(json, "device", report->device);
    json_plan(json, outcome, report->schedule);
    json_phases(json, outcome);
    cli_json_count(json, "iterations", report->iterations);
    cli_json_count(json, "edges_walked", report->edges_walked);
    cli_json_real(json, "edges_per_second", cli_edges_per_second(report));
    if (report->verified < 0)
        cli_json_null(json, "verified");
    else
        cli_json_flag(json, "verified", report->verified);
    if (report->residual_verified >= 0)
        cli_json_real(json, "residual_verified", report->residual_verified);
    json_accuracy(json, report);
    json_summary(json, outcome->result);
    cli_json_flag(json, "converged", report->converged);
    json_sources(json, outcome);
    cli_json_count(json, "threads", (uint64_t)outcome->threads);
    cli_json_count(json, "seed", outcome->settings->run.seed);
    cli_json_text(json, "precision", precision_name(outcome));
    cli_json_count(json, "peak_memory", cli_peak_memory());
    if (report->device_bytes)
        cli_json_count(json, "device_memory", report->device_bytes);
    if (report->edges_on_device || report->edges_on_host)
        json_residency(json, report, rounds);
    if (report->disk_parts)
        json_disk(json, report);
    cli_json_parts(json, outcome->result);
    cli_json_provenance(json, outcome->session, report->device);
    if (outcome->settings->run.profile)
        json_lanes(json, report);
}

int cli_print_report(const cli_outcome *outcome) {
    cli_json json = {.out = stdout};
    cli_rounds rounds;
    cli_top top;
    bool chosen =
        cli_top_choose(outcome->result, cli_rows_of(outcome->algorithm, outcome->result), outcome->settings->top, &top);
    if (!cli_rounds_take(outcome->result, &rounds) || !chosen) {
        cli_say("out of memory");
        cli_top_free(&top);
        cli_rounds_free(&rounds);
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    cli_json_object(&json, NULL);
    json_head(&json, outcome);
    json_run(&json, outcome, &rounds);
    cli_json_rounds(&json, &rounds);
    if (outcome->settings->path_to)
        json_path(&json, outcome, &outcome->route);
    if (outcome->settings->top) {
        cli_json_array(&json, "top");
        for (uint64_t i = 0; i < top.count; i++)
            json_row(&json, outcome, &top, top.rows[i]);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    int exit_status = outcome->settings->path_to && !outcome->route.count ? CLI_EXIT_NOTHING : 0;
    cli_rounds_free(&rounds);
    cli_top_free(&top);
    return exit_status;
}

static void json_bytes(cli_json *json, const char *name, uint64_t bytes) {
    if (bytes)
        cli_json_count(json, name, bytes);
    else
        cli_json_null(json, name);
}

static void json_device_memory(cli_json *json, const heddle_device_memory *device) {
    cli_json_object(json, "device_memory");
    json_bytes(json, "wanted", device->wanted);
    json_bytes(json, "free", device->free);
    json_bytes(json, "total", device->total);
    if (device->wanted && device->total)
        cli_json_flag(json, "fits", device->wanted <= device->free);
    else
        cli_json_null(json, "fits");
    cli_json_text(json, "missing", device->missing[0] ? device->missing : NULL);
    cli_json_count(json, "host_resident", device->host_resident);
    cli_json_end(json);
}

void cli_report_dry_run(const cli_outcome *outcome, const cli_memory *memory) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    json_head(&json, outcome);
    cli_json_flag(&json, "dry_run", true);
    cli_json_text(&json, "device", outcome->device.device);
    json_plan(&json, outcome, cli_leaves_host(outcome) ? NULL : "cpu");
    cli_json_object(&json, "memory");
    cli_json_count(&json, "out_edges", memory->out_edges);
    cli_json_count(&json, "in_edges", memory->in_edges);
    cli_json_count(&json, "run", memory->run);
    cli_json_count(&json, "total", memory->total);
    cli_json_count(&json, "peak", memory->peak);
    cli_json_end(&json);
    if (cli_leaves_host(outcome))
        json_device_memory(&json, &outcome->device);
    cli_json_object(&json, "phases");
    cli_json_seconds(&json, "load", outcome->load.seconds);
    cli_json_end(&json);
    cli_json_estimate(&json, "estimated_cpu_seconds", outcome->device.cpu_seconds);
    cli_json_count(&json, "threads", (uint64_t)outcome->threads);
    cli_json_end(&json);
}

/* ---- The trace ------------------------------------------------------------------------------------------------- */

/* A complete event of the trace format that browsers read: times in microseconds. */
static void json_event(cli_json *json, const char *name, double begin, double seconds) {
    if (seconds <= 0)
        return;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_text(json, "ph", "X");
    cli_json_real(json, "ts", begin * 1e6);
    cli_json_real(json, "dur", seconds * 1e6);
    cli_json_count(json, "pid", 1);
    cli_json_count(json, "tid", 1);
    cli_json_end(json);
}

int cli_write_trace(const cli_outcome *outcome, const char *path) {
    const heddle_report *report = heddle_result_report(outcome->result);
    cli_rounds rounds;
    cli_file file;
    bool taken = cli_rounds_take(outcome->result, &rounds);
    if (taken && cli_file_open(&file, path)) {
        cli_json json = {.out = file.out};
        double compiled = outcome->run.begin + report->compile, built = compiled + report->prepare;
        cli_json_object(&json, NULL);
        cli_json_array(&json, "traceEvents");
        json_event(&json, "load", outcome->load.begin, outcome->load.seconds);
        json_event(&json, "compile", outcome->run.begin, report->compile);
        json_event(&json, "build", compiled, report->prepare);
        json_event(&json, "transfer", built, report->transfer);
        json_event(&json, "compute", built + report->transfer, report->compute);
        cli_trace_rounds(&json, &rounds, outcome->run.begin);
        json_event(&json, "verify", outcome->verify.begin, outcome->verify.seconds);
        json_event(&json, "write", outcome->write.begin, outcome->write.seconds);
        cli_json_end(&json);
        cli_json_end(&json);
        cli_rounds_free(&rounds);
        if (cli_file_close(&file, true))
            return 0;
    }
    cli_rounds_free(&rounds);
    cli_say("%.800s: cannot write the trace: %s", path, strerror(errno));
    return heddle_status_exit(HEDDLE_E_WRITE);
}
