/* page_explain.c - see page_explain.h. */
#include "page/page_explain.h"

#include "common.h"
#include "page/page_chart.h"

#include <string.h>

enum { LEFT = 150, LANES_END = 520, TIME_FROM = 580, TIME_END = 930, ROW = 26, BAR = 14, TOP = 30 };

static void put_reasons(cli_page *page, const heddle_explanation *plan) {
    cli_page_section(page, "The plan, and why", plan->device_reason);
    cli_page_raw(page, "<ul>\n");
    for (uint32_t i = 0; i < plan->reason_count; i++) {
        cli_page_raw(page, "<li>");
        cli_page_put(page, plan->reasons[i]);
        cli_page_raw(page, "</li>\n");
    }
    cli_page_raw(page, "</ul>\n");
    cli_page_section_end(page);
}

static void put_bar(cli_page *page, const cli_scale *scale, double value, double y, const char *look,
                    const char *word) {
    double end = cli_scale_at(scale, value);
    cli_page_raw(page, "<rect class=\"%s\" x=\"%.0f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", look, scale->from,
                 y, end - scale->from > 1 ? end - scale->from : 1, BAR);
    cli_chart_text(page, end + 7, y + BAR - 3, "start", "ink", word);
}

static const char *lane_look(double share) {
    static const char *const looks[] = {"e0", "e1", "e2", "e3", "e4"};
    int step = (int)(share * 5);
    return looks[step < 0 ? 0 : step > 4 ? 4 : step];
}

static void put_schedules(cli_page *page, const heddle_explanation *plan) {
    char says[256], word[32];
    double longest = 0;
    for (uint32_t i = 0; i < plan->row_count; i++)
        longest = plan->rows[i].round_seconds > longest ? plan->rows[i].round_seconds : longest;
    cli_scale lanes = {0, 1, LEFT, LANES_END, false}, time = {0, longest > 0 ? longest : 1, TIME_FROM, TIME_END, false};
    snprintf(says, sizeof says,
             "Warps of %u lanes%s walk %s, all vertices taking part. Computed from the degrees; the time "
             "of a round is an estimate for a large GPU.",
             plan->warp, plan->warp_assumed ? " (assumed: no device was queried)" : "", plan->walks);
    cli_page_section(page, "What schedules would do", says);
    cli_chart_open(page, TOP + plan->row_count * ROW + 8.0, "Useful lanes and time of a round, by schedule");
    cli_chart_text(page, LEFT, 14, "start", "strong", "lanes that have an edge to walk");
    cli_chart_text(page, TIME_FROM, 14, "start", "strong", "a round, about");
    for (uint32_t i = 0; i < plan->row_count; i++) {
        const heddle_schedule_row *row = &plan->rows[i];
        double y = TOP + i * (double)ROW;
        bool chosen = !strcmp(row->name, plan->schedule);
        cli_chart_text(page, LEFT - 10, y + BAR - 3, "end", chosen ? "strong" : "ink", row->name);
        snprintf(word, sizeof word, "%.1f %%", 100 * row->lane_efficiency);
        put_bar(page, &lanes, row->lane_efficiency, y, lane_look(row->lane_efficiency), word);
        put_bar(page, &time, row->round_seconds, y, "phase", cli_time_word(row->round_seconds).text);
    }
    cli_chart_close(page);
    cli_page_section_end(page);
}

int cli_write_explain_page(cli_session *session, const char *algorithm, const char *graph_path,
                           const heddle_graph *graph, const heddle_explanation *plan, const char *path) {
    char title[512], note[64];
    cli_page page;
    snprintf(title, sizeof title, "%.100s on %.300s", algorithm, cli_page_name(graph_path));
    cli_page_open(&page, "Heddle explain", title);
    cli_page_tiles(&page);
    snprintf(note, sizeof note, "%s", cli_edge_words(graph, cli_count_edges(session, graph)).text);
    cli_page_tile(&page, "vertices", cli_grouped(heddle_graph_vertices(graph)).text, note);
    cli_page_tile(&page, "device", plan->device, NULL);
    cli_page_tile(&page, "plan", plan->name, NULL);
    cli_page_tile(&page, "schedule", plan->schedule, NULL);
    cli_page_tile(&page, "direction", plan->direction, NULL);
    cli_page_tile(&page, "transform", plan->transform, NULL);
    cli_page_tile(&page, "worklist", plan->worklist, NULL);
    cli_page_tile(&page, "residency", plan->residency, NULL);
    cli_page_tiles_end(&page);
    put_reasons(&page, plan);
    if (plan->row_count)
        put_schedules(&page, plan);
    return cli_page_close(session, &page, path);
}
