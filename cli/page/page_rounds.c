/* page_rounds.c - see page_rounds.h. Phases and rounds share one time axis; if the rounds take a small part of it,
 * lines lead from that part to the magnified columns. */
#include "page/page_rounds.h"

#include "page/page_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 64,
    RIGHT = 1008,
    BAR_TOP = 28,
    BAR_HEIGHT = 30,
    COLUMNS_TOP = 128,
    COLUMNS_END = 352,
    HEIGHT = 396,
    WORDS = 150,        /* columns that say in words what they are, when pointed at */
    MARK_WIDTH = 9,     /* the narrowest column that has a mark */
    ROWS = 16,          /* of the table */
    TOO_SHORT = 100000, /* phases below 1/TOO_SHORT of the whole are not shown */
    CLASSES = 5
};

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

typedef struct phase {
    const char *name;
    double begin, seconds;
} phase;

/* In the order in which they were. */
static int list_phases(const cli_outcome *outcome, phase *list) {
    const heddle_report *report = heddle_result_report(outcome->result);
    double at = outcome->run.begin, whole = 0;
    int count = 0;
    const phase all[] = {{"load", outcome->load.begin, outcome->load.seconds},
                         {"compile", -1, report->compile},
                         {"build", -1, report->prepare},
                         {"transform", -1, report->transforming},
                         {"transfer", -1, report->transfer},
                         {"compute", -1, report->compute},
                         {"verify", outcome->verify.begin, outcome->verify.seconds},
                         {"write", outcome->write.begin, outcome->write.seconds}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        whole += all[i].seconds;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i].seconds > whole / TOO_SHORT))
            continue;
        list[count] = all[i];
        if (all[i].begin < 0) {
            list[count].begin = at;
            at += all[i].seconds;
        }
        count++;
    }
    return count;
}

static void put_phase(cli_page *page, const phase *p, const cli_scale *time) {
    bool compute = !strcmp(p->name, "compute");
    double x = cli_scale_at(time, p->begin), width = cli_scale_at(time, p->begin + p->seconds) - x;
    cli_page_raw(page,
                 "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s %s</title></rect>\n",
                 compute ? "compute" : "phase", x, BAR_TOP,
                 width > 2     ? width - 1
                 : width > 0.7 ? width
                               : 0.7,
                 BAR_HEIGHT, p->name, cli_time_word(p->seconds).text);
    if (width > cli_chart_width(p->name) + 12)
        cli_chart_text(page, x + width / 2, BAR_TOP + 20, "middle", compute ? "on" : "ink", p->name);
}

/* "load 12 ms · compute 3 ms" */
static void put_phase_words(cli_page *page, const phase *list, int count) {
    char words[512] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s %s", i ? "  ·  " : "", list[i].name,
                                 cli_time_word(list[i].seconds).text);
    cli_chart_text(page, LEFT, BAR_TOP - 11, "start", "", words);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

static double mean_edges(const heddle_round *round) {
    return round->edges == HEDDLE_NOT_KNOWN ? -1 : (double)round->edges / (double)round->rounds;
}

static const char *const direction_looks[] = {[HEDDLE_DIRECTION_NONE] = "none",
                                              [HEDDLE_DIRECTION_PUSH] = "push",
                                              [HEDDLE_DIRECTION_PULL] = "pull",
                                              [HEDDLE_DIRECTION_MIXED] = "mixed"};
static const char *const lane_looks[CLASSES] = {"e0", "e1", "e2", "e3", "e4"};

static const char *look_of(const heddle_round *round, bool lanes) {
    if (lanes && round->lanes_walked) {
        int step = (int)((double)CLASSES * (double)round->lanes_useful / (double)round->lanes_walked);
        return lane_looks[step < CLASSES ? step : CLASSES - 1];
    }
    return mean_edges(round) < 0 ? "unknown" : direction_looks[round->direction];
}

typedef struct columns {
    const cli_rounds *rounds;
    cli_axes axes;
    bool lanes;   /* colours are their shares */
    bool unknown; /* some edges were not counted */
} columns;

typedef struct box {
    double x, y, width;
} box;

static box box_of(const columns *c, const heddle_round *round) {
    double edges = mean_edges(round), x = cli_scale_at(&c->axes.x, round->begin);
    double width = cli_scale_at(&c->axes.x, round->begin + round->seconds) - x;
    double y = edges < 0 ? COLUMNS_END - 0.35 * (COLUMNS_END - COLUMNS_TOP) : cli_scale_at(&c->axes.y, edges);
    y = y > COLUMNS_END - 2 ? COLUMNS_END - 2 : y;
    return (box){x, y, width > 4 ? width - 1 : width > 0.6 ? width : 0.6};
}

static void put_words(cli_page *page, const heddle_round *round) {
    cli_page_raw(page, "<title>round %s", cli_grouped(round->number).text);
    if (round->rounds > 1)
        cli_page_raw(page, " to %s", cli_grouped(round->number + round->rounds - 1).text);
    cli_page_raw(page, ": ");
    cli_page_put(page, round->kernel);
    if (round->vertices != HEDDLE_NOT_KNOWN)
        cli_page_raw(page, ", %s vertices", cli_grouped(round->vertices).text);
    if (round->edges != HEDDLE_NOT_KNOWN)
        cli_page_raw(page, ", %s edges", cli_grouped(round->edges).text);
    cli_page_raw(page, ", %s</title>", cli_time_word(round->seconds).text);
}

/* Few columns are drawn one by one, with words; many in one stroke for each colour, to keep the page small. */
static void put_columns(cli_page *page, const columns *c) {
    static const char *const looks[] = {"none", "push", "pull", "mixed", "unknown", "e0", "e1", "e2", "e3", "e4"};
    const cli_rounds *r = c->rounds;
    for (uint64_t i = 0; r->count <= WORDS && i < r->count; i++) {
        box b = box_of(c, &r->list[i]);
        cli_page_raw(page, "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\">",
                     look_of(&r->list[i], c->lanes), b.x, b.y, b.width, COLUMNS_END - b.y);
        put_words(page, &r->list[i]);
        cli_page_raw(page, "</rect>\n");
    }
    for (size_t k = 0; r->count > WORDS && k < sizeof looks / sizeof *looks; k++) {
        bool any = false;
        for (uint64_t i = 0; i < r->count; i++) {
            if (strcmp(look_of(&r->list[i], c->lanes), looks[k]) != 0)
                continue;
            box b = box_of(c, &r->list[i]);
            if (!any)
                cli_page_raw(page, "<path class=\"%s\" d=\"", looks[k]);
            cli_page_raw(page, "M%.2f %dV%.1fh%.2fV%dz", b.x, COLUMNS_END, b.y, b.width, COLUMNS_END);
            any = true;
        }
        if (any)
            cli_page_raw(page, "\"/>\n");
    }
}

/* Up: along out-edges; down: from in-edges. */
static void put_marks(cli_page *page, const columns *c) {
    for (uint64_t i = 0; i < c->rounds->count; i++) {
        const heddle_round *round = &c->rounds->list[i];
        box b = box_of(c, round);
        double x = b.x + b.width / 2, y = b.y - 4;
        if (b.width < MARK_WIDTH)
            continue;
        if (round->direction == HEDDLE_DIRECTION_PUSH)
            cli_page_raw(page, "<path class=\"mark\" d=\"M%.1f %.1fl4 6h-8z\"/>\n", x, y - 6);
        else if (round->direction == HEDDLE_DIRECTION_PULL)
            cli_page_raw(page, "<path class=\"mark\" d=\"M%.1f %.1fl4-6h-8z\"/>\n", x, y);
    }
}

static void put_keys(cli_page *page, const columns *c) {
    static const char *const words[] = {[HEDDLE_DIRECTION_NONE] = "no direction",
                                        [HEDDLE_DIRECTION_PUSH] = "push \xe2\x96\xb2",
                                        [HEDDLE_DIRECTION_PULL] = "pull \xe2\x96\xbc",
                                        [HEDDLE_DIRECTION_MIXED] = "both directions"};
    static const char *const shares[CLASSES] = {"under 20 %", "20-40 %", "40-60 %", "60-80 %", "80-100 %"};
    double x = LEFT + 180, y = COLUMNS_TOP - 12;
    if (c->lanes) {
        cli_chart_text(page, x, y, "start", "", "useful lanes:");
        x += 86;
        for (int i = 0; i < CLASSES; i++)
            x = cli_chart_key(page, x, y, lane_looks[i], shares[i]);
        cli_chart_text(page, x + 6, y, "start", "", "\xe2\x96\xb2 push  \xe2\x96\xbc pull");
        return;
    }
    for (int d = HEDDLE_DIRECTION_NONE; d <= HEDDLE_DIRECTION_MIXED; d++)
        for (uint64_t i = 0; i < c->rounds->count; i++)
            if ((int)c->rounds->list[i].direction == d && mean_edges(&c->rounds->list[i]) >= 0) {
                x = cli_chart_key(page, x, y, direction_looks[d], words[d]);
                break;
            }
    if (c->unknown)
        cli_chart_key(page, x, y, "unknown", "edges not counted");
}

static columns columns_of(const cli_rounds *rounds, const char *x_title) {
    const heddle_round *first = &rounds->list[0], *last = &rounds->list[rounds->count - 1];
    double end = last->begin + last->seconds, most = 1;
    columns c = {.rounds = rounds};
    for (uint64_t i = 0; i < rounds->count; i++) {
        most = fmax(most, mean_edges(&rounds->list[i]));
        c.lanes |= rounds->list[i].lanes_walked > 0;
        c.unknown |= mean_edges(&rounds->list[i]) < 0;
    }
    c.axes = (cli_axes){.x = {first->begin, end > first->begin ? end : first->begin + 1e-9, LEFT, RIGHT, false},
                        .y = {1, pow(10, ceil(log10(most * 1.2))), COLUMNS_END, COLUMNS_TOP, true},
                        .x_title = x_title,
                        .y_title = most > 1 ? "edges walked in a round" : "",
                        .x_unit = cli_unit_of(end - first->begin).seconds};
    return c;
}

/* From the rounds' part of the phases to the columns. */
static void put_zoom(cli_page *page, const cli_scale *time, double from, double to) {
    cli_page_raw(page, "<path class=\"zoom\" d=\"M%.1f %dL%d %dV%dH%dV%dL%.1f %dz\"/>\n", cli_scale_at(time, from),
                 BAR_TOP + BAR_HEIGHT, LEFT, COLUMNS_TOP - 30, COLUMNS_END, RIGHT, COLUMNS_TOP - 30,
                 cli_scale_at(time, to), BAR_TOP + BAR_HEIGHT);
}

void cli_page_put_times(cli_page *page, const cli_outcome *outcome, const cli_rounds *rounds) {
    phase list[8];
    int count = list_phases(outcome, list);
    char title[96];
    if (!count)
        return;
    double end = list[count - 1].begin + list[count - 1].seconds;
    cli_scale time = {0, end > 0 ? end : 1, LEFT, RIGHT, false};
    cli_page_section(page, "Where the time went",
                     rounds->count
                         ? "Above, the phases of the command. Below, its rounds: as wide as the time they took, "
                           "as high as the edges they walked."
                         : NULL);
    cli_chart_open(page, rounds->count ? HEIGHT : BAR_TOP + BAR_HEIGHT + 8, "Phases and rounds over time");
    put_phase_words(page, list, count);
    if (rounds->count) {
        const heddle_round *first = &rounds->list[0], *last = &rounds->list[rounds->count - 1];
        snprintf(title, sizeof title, "time since the run began, %s",
                 cli_unit_of(last->begin + last->seconds - first->begin).name);
        columns c = columns_of(rounds, title);
        put_zoom(page, &time, outcome->run.begin + first->begin, outcome->run.begin + last->begin + last->seconds);
        cli_chart_axes(page, &c.axes);
        put_columns(page, &c);
        put_marks(page, &c);
        put_keys(page, &c);
    }
    for (int i = 0; i < count; i++)
        put_phase(page, &list[i], &time);
    cli_chart_close(page);
    cli_page_section_end(page);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b) {
    const heddle_round *left = *(const heddle_round *const *)a, *right = *(const heddle_round *const *)b;
    return (left->seconds < right->seconds) - (left->seconds > right->seconds);
}

static int by_number(const void *a, const void *b) {
    const heddle_round *left = *(const heddle_round *const *)a, *right = *(const heddle_round *const *)b;
    return (left->number > right->number) - (left->number < right->number);
}

static void put_count(cli_page *page, uint64_t value) {
    cli_page_raw(page, "<td>%s</td>", value == HEDDLE_NOT_KNOWN ? "–" : cli_grouped(value).text);
}

/* Optional columns of the table. */
typedef struct extras {
    bool lanes, road;
    double bus;
} extras;

/* How the edges came, how many bytes of them crossed the bus or were read from the disk, and at which share of its
 * rate. */
static void put_road(cli_page *page, const heddle_round *round, double bus) {
    uint64_t bytes =
        round->bytes_in_place == HEDDLE_NOT_KNOWN ? HEDDLE_NOT_KNOWN : round->bytes_in_place + round->bytes_sent;
    double share = cli_bus_share(round, bus);
    cli_page_raw(page, "<td class=\"word\">%s</td>", round->road);
    if (bytes == HEDDLE_NOT_KNOWN)
        cli_page_raw(page, "<td>–</td>");
    else
        cli_page_raw(page, "<td>%s%s</td>", round->in_place_exact ? "" : "~", cli_grouped(bytes).text);
    if (share < 0)
        cli_page_raw(page, "<td>–</td>");
    else
        cli_page_raw(page, "<td>%.0f %%</td>", 100 * share);
}

static void put_table_row(cli_page *page, const heddle_round *round, const extras *more) {
    cli_page_raw(page, "<tr><td>%s", cli_grouped(round->number).text);
    if (round->rounds > 1)
        cli_page_raw(page, "–%s", cli_grouped(round->number + round->rounds - 1).text);
    cli_page_raw(page, "</td><td class=\"word\">");
    cli_page_put(page, round->kernel);
    cli_page_raw(page, "</td><td class=\"word\">%s</td>",
                 round->direction == HEDDLE_DIRECTION_NONE ? "–" : cli_direction_name(round->direction));
    put_count(page, round->vertices);
    put_count(page, round->edges);
    cli_page_raw(page, "<td>%s</td>", cli_time_word(round->seconds).text);
    if (round->edges == HEDDLE_NOT_KNOWN || !(round->seconds > 0))
        cli_page_raw(page, "<td>–</td>");
    else
        cli_page_raw(page, "<td>%s</td>", cli_short_count((double)round->edges / round->seconds).text);
    if (more->road)
        put_road(page, round, more->bus);
    if (more->lanes && round->lanes_walked)
        cli_page_raw(page, "<td>%.1f %%</td>", 100.0 * (double)round->lanes_useful / (double)round->lanes_walked);
    else if (more->lanes)
        cli_page_raw(page, "<td>–</td>");
    cli_page_raw(page, "</tr>\n");
}

void cli_page_put_rounds(cli_page *page, const cli_rounds *rounds) {
    const heddle_round **order = rounds->count ? malloc(rounds->count * sizeof *order) : NULL;
    uint64_t shown = rounds->count < ROWS ? rounds->count : ROWS;
    extras more = {.bus = rounds->bus};
    if (!order)
        return;
    for (uint64_t i = 0; i < rounds->count; i++) {
        order[i] = &rounds->list[i];
        more.lanes |= rounds->list[i].lanes_walked > 0;
        more.road |= rounds->list[i].bytes_in_place || rounds->list[i].parts_needed;
    }
    qsort(order, rounds->count, sizeof *order, by_time);
    qsort(order, shown, sizeof *order, by_number);
    cli_page_section(page, shown < rounds->count ? "The rounds that took longest" : "Rounds", NULL);
    cli_page_raw(page,
                 "<div class=\"scroll\"><table>\n<tr><th>round</th><th class=\"word\">kernel</th>"
                 "<th class=\"word\">direction</th><th>active vertices</th><th>edges walked</th><th>time</th>"
                 "<th>edges/s</th>%s%s</tr>\n",
                 more.road ? "<th class=\"word\">road</th><th>bytes moved</th><th>of the bus rate</th>" : "",
                 more.lanes ? "<th>useful lanes</th>" : "");
    for (uint64_t i = 0; i < shown; i++)
        put_table_row(page, order[i], &more);
    cli_page_raw(page, "</table></div>\n");
    cli_page_section_end(page);
    free(order);
}
