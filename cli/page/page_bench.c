/* page_bench.c - the page of heddle bench: a bar for each row, with its spread, and floors where they were measured. */
#include "bench/bench.h"
#include "page/page_chart.h"

#include <math.h>
#include <string.h>

enum {
    RIGHT = 860,
    RIGHT_APPROXIMATE = 740,
    LEAST_LEFT = 130,
    MOST_LEFT = 340,
    ROW = 26,
    BAR = 14,
    TOP = 26,
    MOST_ROWS = 300
};

enum { LABEL_ROOM = 48 };

static const double space = 1.15; /* the axis reaches beyond the longest bar; what is slower still is cut */

static bool has_plans(const bench *bench) { return bench_compares(bench) || bench->plan_count > 1; }

/* Rows of one drawing: the same graph, and where plans are compared the same algorithm. */
static bool together(const bench *bench, const bench_row *a, const bench_row *b) {
    return !strcmp(a->graph, b->graph) && (!has_plans(bench) || !strcmp(a->algorithm, b->algorithm));
}

static void put_floor(cli_page *page, const cli_scale *time, double seconds, double y, const char *what) {
    if (!(seconds > 0) || seconds > time->high)
        return;
    cli_page_raw(page, "<path class=\"floor\" d=\"M%.1f %.1fv%d\"><title>%s %s</title></path>\n",
                 cli_scale_at(time, seconds), y - 3, BAR + 6, what, cli_time_word(seconds).text);
}

static void label_of(const bench *bench, const bench_row *row, char *label) {
    snprintf(label, LABEL_ROOM, "%s", has_plans(bench) ? row->plan : row->algorithm);
}

/* Where the bars begin: behind the longest label. */
static double left_of(const bench *bench, const bench_row *rows, size_t count) {
    double left = LEAST_LEFT;
    for (size_t i = 0; i < count; i++) {
        char label[LABEL_ROOM];
        label_of(bench, &rows[i], label);
        left = fmax(left, cli_chart_width(label) + 20);
    }
    return fmin(left, MOST_LEFT);
}

static void put_bar(cli_page *page, const bench *bench, const bench_row *row, const bench_row *base,
                    const cli_scale *time, double y) {
    const double left = time->from;
    char label[LABEL_ROOM], word[160], lanes[24] = "", ratio[32] = "", off[48] = "";
    label_of(bench, row, label);
    cli_chart_text(page, left - 10, y + BAR - 3, "end", "ink", label);
    if (row->refused[0]) {
        snprintf(word, sizeof word, "refused: %.110s", row->refused);
        cli_page_raw(page, "<rect class=\"refused\" x=\"%.1f\" y=\"%.1f\" width=\"24\" height=\"%d\"/>\n", left, y,
                     BAR);
        cli_chart_text(page, left + 32, y + BAR - 3, "start", "", word);
        return;
    }
    double end = cli_scale_at(time, row->median), least = cli_scale_at(time, row->least),
           most = cli_scale_at(time, row->most < time->high ? row->most : time->high), middle = y + BAR / 2.0;
    cli_page_raw(page, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
                 row->verified == 0 ? "pull" : "push", left, y, fmax(end - left, 1), BAR);
    cli_page_raw(page, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv6M%.1f %.1fv6\"/>\n", least, middle, most,
                 least, middle - 3, most, middle - 3);
    if (!bench_compares(bench)) {
        put_floor(page, time, row->stream_floor, y, "floor: every byte moved once,");
        put_floor(page, time, row->gather_floor, y, "floor: a random read for each edge,");
    }
    if (row->lanes >= 0)
        snprintf(lanes, sizeof lanes, ", lanes %.0f %%", 100 * row->lanes);
    if (base && base != row && row->median > 0)
        snprintf(ratio, sizeof ratio, ", \xc3\x97%.2f", base->median / row->median);
    if (row->approximate && row->inaccuracy >= 0)
        snprintf(off, sizeof off, ", inaccuracy %.3g %%", 100 * row->inaccuracy);
    else if (row->approximate)
        snprintf(off, sizeof off, ", approximate");
    snprintf(word, sizeof word, "%s%s%s%s%s", cli_time_word(row->median).text, ratio, lanes, off,
             row->verified == 0 ? ", WRONG" : "");
    cli_chart_text(page, (most > end ? most : end) + 8, y + BAR - 3, "start", "ink", word);
}

static void put_group(cli_page *page, const bench *bench, size_t first, size_t count) {
    const bench_row *rows = bench->rows + first, *base = NULL;
    char title[256], says[256];
    double longest = 0, height = TOP + (double)count * ROW;
    for (size_t i = 0; i < count; i++) {
        longest = rows[i].median * space > longest ? rows[i].median * space : longest;
        base = bench_compares(bench) && !base && !rows[i].refused[0] ? &rows[i] : base;
    }
    snprintf(title, sizeof title, "%.160s%s%.40s", cli_page_name(rows->graph), has_plans(bench) ? ": " : "",
             has_plans(bench) ? rows->algorithm : "");
    snprintf(says, sizeof says,
             "%s vertices, %s arcs. Bars are medians of %d runs, lines reach from the fastest to the "
             "slowest%s.",
             cli_grouped(rows->vertices).text, cli_grouped(rows->edges).text, base ? base->runs : rows->runs,
             bench_compares(bench) ? "; \xc3\x97 is the speed-up over the first" : "");
    cli_page_section(page, title, says);
    cli_chart_open(page, height + 44, title);
    const double left = left_of(bench, rows, count);
    cli_unit unit = cli_unit_of(longest);
    char axis[32];
    snprintf(axis, sizeof axis, "time, %s", unit.name);
    cli_axes axes = {.x = {0, longest > 0 ? longest : 1, left, bench->settings->approximate ? RIGHT_APPROXIMATE : RIGHT,
                           false},
                     .y = {0, 0, height, TOP, false},
                     .x_title = axis,
                     .y_title = "",
                     .x_unit = unit.seconds};
    cli_chart_axes(page, &axes);
    for (size_t i = 0; i < count; i++)
        put_bar(page, bench, &rows[i], base, &axes.x, TOP + (double)i * ROW);
    if (!bench_compares(bench) && rows->stream_floor > 0) {
        cli_page_raw(page, "<path class=\"floor\" d=\"M%.1f 4v12\"/>\n", left);
        cli_chart_text(page, left + 8, 14, "start", "floorword",
                       "floors: every byte of the graph moved once, and a random read for each edge, at rates measured "
                       "here");
    }
    cli_chart_close(page);
    cli_page_section_end(page);
}

int bench_write_page(const bench *bench, const char *path) {
    cli_page page;
    size_t shown = bench->row_count < MOST_ROWS ? bench->row_count : MOST_ROWS;
    char more[128];
    cli_page_open(&page, "Heddle bench", has_plans(bench) ? "Plans, measured" : "Algorithms, measured");
    cli_page_tiles(&page);
    cli_page_tile(&page, "device", bench->settings->device, NULL);
    snprintf(more, sizeof more, "%d", heddle_context_threads(bench->session->context));
    cli_page_tile(&page, "threads", more, NULL);
    cli_page_tile(&page, "rows", cli_grouped(bench->row_count).text, NULL);
    cli_page_tiles_end(&page);
    for (size_t first = 0, count; first < shown; first += count) {
        for (count = 1; first + count < shown && together(bench, &bench->rows[first], &bench->rows[first + count]);)
            count++;
        put_group(&page, bench, first, count);
    }
    if (shown < bench->row_count) {
        snprintf(more, sizeof more, "%s more rows are in the report that --output writes.",
                 cli_grouped(bench->row_count - shown).text);
        cli_page_section(&page, "And more", more);
        cli_page_section_end(&page);
    }
    return cli_page_close(bench->session, &page, path);
}
