/* page_run.c - see page_run.h. */
#include "page/page_run.h"

#include "page/page_chart.h"
#include "page/page_rounds.h"
#include "page/page_values.h"
#include "report.h"
#include "rounds.h"
#include "top.h"
#include "vertex.h"

#include <math.h>
#include <string.h>

enum { TOP_ROWS = 10, LABEL_ROOM = 200 };

/* ---- Figures ----------------------------------------------------------------------------------------------------- */

static void put_graph_tile(cli_page *page, const cli_outcome *outcome) {
    const heddle_graph *graph = outcome->graph;
    char note[96];
    snprintf(note, sizeof note, "%s, %s%s", cli_edge_words(graph, outcome->edges).text,
             heddle_graph_directed(graph) ? "directed" : "undirected",
             heddle_graph_weight_type(graph) == HEDDLE_WEIGHT_NONE ? "" : ", weighted");
    cli_page_tile(page, "vertices", cli_grouped(heddle_graph_vertices(graph)).text, note);
}

/* The name of a figure with blanks for its underlines. */
static void put_figure(cli_page *page, const heddle_result *result, uint32_t index) {
    const heddle_figure *figure = &heddle_result_report(result)->figures[index];
    const char *exact = heddle_result_figure_text(result, index);
    char label[64], rounded[32];
    double value = figure->value;
    snprintf(label, sizeof label, "%s", figure->name);
    snprintf(rounded, sizeof rounded, "%.4g", value);
    for (char *p = label; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    if (value == floor(value) && fabs(value) < 1e15 && value >= 0) {
        cli_page_tile(page, label, cli_grouped((uint64_t)value).text, NULL);
    } else {
        cli_page_tile(page, label, strpbrk(exact, ".e") ? rounded : exact, NULL);
    }
}

/* Figures of the run itself, which are not of the answer, or those of the answer. */
static void put_figures(cli_page *page, const heddle_result *result, bool of_run) {
    const heddle_report *report = heddle_result_report(result);
    for (uint32_t i = 0; i < report->figure_count; i++) {
        const char *name = report->figures[i].name;
        if ((!strcmp(name, "residual") || !strcmp(name, "delta") || !strcmp(name, "batch")) == of_run)
            put_figure(page, result, i);
    }
}

static void put_accuracy(cli_page *page, const heddle_report *report) {
    char note[80] = "error unknown";
    if (report->error_bound >= 0)
        snprintf(note, sizeof note, "error at most %.3g", report->error_bound);
    else if (report->inaccuracy >= 0)
        snprintf(note, sizeof note, "inaccuracy %.3g %%", 100 * report->inaccuracy);
    cli_page_tile(page, "accuracy", "approximate", note);
}

static void put_source(cli_page *page, const cli_outcome *outcome) {
    heddle_vertex source = cli_first_source(outcome);
    char note[64] = "chosen: the largest out-degree";
    if (source == UINT32_MAX)
        return;
    if (outcome->source_count > 1)
        snprintf(note, sizeof note, "and %s more", cli_grouped(outcome->source_count - 1).text);
    cli_page_tile(page, "source", cli_vertex_word(outcome->graph, source).text,
                  outcome->source_count == 1 ? NULL : note);
}

/* The answer in figures, how exact it is, and of which graph. */
static void put_tiles(cli_page *page, const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    char share[32];
    cli_page_tiles(page);
    put_graph_tile(page, outcome);
    put_source(page, outcome);
    put_figures(page, outcome->result, false);
    if (report->approximate)
        put_accuracy(page, report);
    else if (report->error_bound >= 0) {
        snprintf(share, sizeof share, "\xe2\x89\xa4 %.3g", report->error_bound);
        cli_page_tile(page, "error", share, NULL);
    }
    if (report->verified >= 0)
        cli_page_tile(page, "verified", report->verified ? "yes" : "NO", NULL);
    else if (report->residual_verified >= 0) {
        snprintf(share, sizeof share, "%.3g", report->residual_verified);
        cli_page_tile(page, "residual verified", share, "no bound on the error");
    }
    cli_page_tiles_end(page);
}

/* How the run went: behind the answer, above the drawing of its time. */
static void put_run_tiles(cli_page *page, const cli_outcome *outcome) {
    const heddle_report *report = heddle_result_report(outcome->result);
    char where[96], rate[64], share[32];
    snprintf(where, sizeof where, "plan %.40s, schedule %.24s", outcome->settings->run.plan, report->schedule);
    snprintf(rate, sizeof rate, "%s edges/s", cli_short_count(cli_edges_per_second(report)).text);
    cli_page_section(page, "The run", NULL);
    cli_page_tiles(page);
    cli_page_tile(page, "compute", cli_time_word(report->compute).text, rate);
    if (report->iterations)
        cli_page_tile(page, "rounds", cli_grouped(report->iterations).text, report->converged ? NULL : "not converged");
    cli_page_tile(page, "device", report->device, where);
    if (report->lanes_walked) {
        snprintf(share, sizeof share, "%.1f %%", 100 * cli_lane_efficiency(report));
        cli_page_tile(page, "useful lanes", share, NULL);
    }
    put_figures(page, outcome->result, true);
    cli_page_tiles_end(page);
    cli_page_section_end(page);
}

/* ---- The largest rows -------------------------------------------------------------------------------------------- */

static void put_vertex(cli_page *page, const heddle_graph *graph, heddle_vertex vertex) {
    char label[LABEL_ROOM];
    size_t length = heddle_graph_id_text(graph, vertex, label, sizeof label);
    cli_page_raw(page, "<bdi>");
    cli_page_put(page, label);
    cli_page_raw(page, "</bdi>%s", length >= sizeof label ? "…" : "");
}

/* A row's number, and as words. */
static double number_of(const cli_outcome *outcome, const cli_top *top, uint64_t row, cli_word *word) {
    if (top->kind == CLI_ROWS_COMPONENTS) {
        *word = cli_grouped(top->sizes[row]);
        return (double)top->sizes[row];
    }
    if (top->kind == CLI_ROWS_EDGES) {
        *word = cli_forest_weight(heddle_result_forest(outcome->result), row);
        return 0;
    }
    *word = cli_shown_value(outcome->result, (heddle_vertex)row);
    return cli_row_number(outcome->result, top, row);
}

static void put_row(cli_page *page, const cli_outcome *outcome, const cli_top *top, uint64_t row, double most) {
    cli_word word;
    double number = number_of(outcome, top, row, &word);
    cli_page_raw(page, "<tr><td>");
    if (top->kind == CLI_ROWS_EDGES) {
        const heddle_vertex *ends = heddle_result_forest(outcome->result)->ends;
        put_vertex(page, outcome->graph, ends[2 * row]);
        cli_page_raw(page, " – ");
        put_vertex(page, outcome->graph, ends[2 * row + 1]);
    } else {
        put_vertex(page, outcome->graph, (heddle_vertex)row);
    }
    cli_page_raw(page, "</td><td>");
    cli_page_put(page, word.text);
    cli_page_raw(page, "</td>");
    if (most > 0)
        cli_page_raw(page, "<td class=\"bars\"><span class=\"bar\" style=\"width:%.1f%%\"></span></td>",
                     number > 0 ? 100 * number / most : 0);
    cli_page_raw(page, "</tr>\n");
}

static void put_top(cli_page *page, const cli_outcome *outcome, const cli_top *top) {
    const char *value = cli_value_name(outcome->algorithm);
    const char *const heads[][2] = {[CLI_ROWS_VALUES] = {"vertex", value},
                                    [CLI_ROWS_COMPONENTS] = {"label", "vertices"},
                                    [CLI_ROWS_EDGES] = {"edge", "weight"}};
    cli_word word;
    if (!top->count || outcome->settings->run.each)
        return;
    double most = number_of(outcome, top, top->rows[0], &word);
    most = isfinite(most) ? most : 0;
    cli_page_section(page, outcome->algorithm->top_title, NULL);
    cli_page_raw(page, "<div class=\"scroll\"><table>\n<tr><th>%s</th><th>%s</th>%s</tr>\n", heads[top->kind][0],
                 outcome->algorithm->weight ? outcome->algorithm->weight : heads[top->kind][1],
                 most > 0 ? "<th></th>" : "");
    for (uint64_t i = 0; i < top->count; i++)
        put_row(page, outcome, top, top->rows[i], most);
    cli_page_raw(page, "</table></div>\n");
    cli_page_section_end(page);
}

/* ---- The path ---------------------------------------------------------------------------------------------------- */

/* Its ends and what lies between, unless that is too much. */
static void put_path(cli_page *page, const cli_outcome *outcome) {
    enum { SHOWN = 40 }; /* vertices at each end */
    const cli_path *route = &outcome->route;
    char title[160], says[160];
    snprintf(title, sizeof title, "The path to %.60s", cli_vertex_word(outcome->graph, outcome->target).text);
    snprintf(says, sizeof says, "%s, %s %.40s.", cli_counted(route->count, "vertex", "vertices").text,
             cli_value_name(outcome->algorithm), cli_value_word(outcome->result, outcome->target).text);
    cli_page_section(page, title, route->count ? says : "There is none.");
    cli_page_raw(page, "<p>");
    for (uint64_t i = 0; i < route->count; i++) {
        if (i >= SHOWN && i + SHOWN < route->count) {
            cli_page_raw(page, " → …");
            i = route->count - SHOWN;
        }
        cli_page_raw(page, i ? " → " : "");
        put_vertex(page, outcome->graph, route->vertices[i]);
    }
    cli_page_raw(page, "</p>\n");
    cli_page_section_end(page);
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

int cli_write_run_page(cli_session *session, const cli_outcome *outcome, const char *path) {
    const char *program = outcome->settings->run.program;
    char title[512];
    cli_rounds rounds;
    cli_page page;
    cli_top top;
    bool chosen = cli_top_choose(outcome->result, cli_rows_of(outcome->algorithm, outcome->result), TOP_ROWS, &top);
    if (!cli_rounds_take(outcome->result, &rounds) || !chosen) {
        cli_say("out of memory");
        cli_rounds_free(&rounds);
        cli_top_free(&top);
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    snprintf(title, sizeof title, "%.200s on %.200s", program ? cli_page_name(program) : outcome->name,
             cli_page_name(outcome->path));
    cli_page_open(&page, "Heddle run", title);
    put_tiles(&page, outcome);
    if (outcome->settings->path_to)
        put_path(&page, outcome);
    put_top(&page, outcome, &top);
    cli_page_put_values(&page, outcome, &top);
    put_run_tiles(&page, outcome);
    cli_page_put_times(&page, outcome, &rounds);
    cli_page_put_rounds(&page, &rounds);
    cli_rounds_free(&rounds);
    cli_top_free(&top);
    return cli_page_close(session, &page, path);
}
