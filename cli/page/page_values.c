/* page_values.c - see page_values.h. Bins have equal width, or, where values are far apart, equal ratio. Those of whole
 * numbers begin at whole numbers, so that few different values have a bar each. */
#include "page/page_values.h"

#include "page/page_chart.h"

#include <math.h>

enum { LEFT = 64, RIGHT = 1008, TOP = 36, END = 256, HEIGHT = 306, BINS = 24, FAR_APART = 100 };

static const double below_one = 0.5; /* where the axis of counts begins, so that a count of 1 is seen */

typedef struct histogram {
    double low, high, least_positive;
    uint64_t zeros, infinite;
    bool whole, logarithmic;
    int bins;
    double edges[BINS + 1]; /* bin k has the values from edges[k] on, and below edges[k + 1]; the last also `high` */
    uint64_t counts[BINS];
} histogram;

static bool is_whole(const cli_outcome *outcome, const cli_top *top) {
    heddle_value_type type = heddle_result_values(outcome->result)->type;
    heddle_weight_type weight = heddle_result_forest(outcome->result)->weight_type;
    if (top->kind == CLI_ROWS_EDGES)
        return weight != HEDDLE_WEIGHT_F32 && weight != HEDDLE_WEIGHT_F64;
    return top->kind == CLI_ROWS_COMPONENTS || (type != HEDDLE_VALUE_F32 && type != HEDDLE_VALUE_F64);
}

/* Rows that count: a label without vertices is no component. */
static bool next_number(const cli_outcome *outcome, const cli_top *top, uint64_t *row, double *number) {
    uint64_t count = cli_row_count(outcome->result, top->kind);
    for (; *row < count; (*row)++) {
        *number = cli_row_number(outcome->result, top, *row);
        if (top->kind != CLI_ROWS_COMPONENTS || *number > 0) {
            (*row)++;
            return true;
        }
    }
    return false;
}

static void find_range(const cli_outcome *outcome, const cli_top *top, histogram *h) {
    double number;
    *h = (histogram){.low = INFINITY, .high = -INFINITY, .least_positive = INFINITY, .whole = is_whole(outcome, top)};
    for (uint64_t row = 0; next_number(outcome, top, &row, &number);) {
        if (!isfinite(number)) {
            h->infinite++;
            continue;
        }
        h->zeros += number == 0;
        h->low = fmin(h->low, number);
        h->high = fmax(h->high, number);
        h->least_positive = number > 0 ? fmin(h->least_positive, number) : h->least_positive;
    }
}

static double edge_at(const histogram *h, double share) {
    double end = h->whole ? h->high + 1 : h->high; /* the last bin of whole numbers ends before the next one */
    double edge = h->logarithmic ? h->low * pow(end / h->low, share) : h->low + (end - h->low) * share;
    return h->whole ? floor(edge + 1e-9) : edge;
}

/* A logarithmic axis begins at the smallest value above 0. */
static void set_bins(histogram *h) {
    h->logarithmic = h->low >= 0 && h->high > FAR_APART * h->least_positive;
    h->low = h->logarithmic ? h->least_positive : h->low;
    h->edges[0] = h->low;
    for (int k = 1; k <= BINS; k++) {
        double edge = edge_at(h, (double)k / BINS);
        if (edge > h->edges[h->bins])
            h->edges[++h->bins] = edge;
    }
}

static void count_values(const cli_outcome *outcome, const cli_top *top, histogram *h) {
    double number;
    for (uint64_t row = 0; next_number(outcome, top, &row, &number);) {
        int first = 0, last = h->bins - 1;
        if (!isfinite(number) || number < h->low)
            continue;
        while (first < last) {
            int middle = (first + last + 1) / 2;
            if (number >= h->edges[middle])
                first = middle;
            else
                last = middle - 1;
        }
        h->counts[first]++;
    }
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

/* Labels of both axes. */
typedef struct words {
    const char *title, *one, *many, *number;
} words;

static words words_of(const cli_outcome *outcome, const cli_top *top) {
    static const words of[] = {[CLI_ROWS_VALUES] = {"Distribution of values", "vertex", "vertices", "value"},
                               [CLI_ROWS_COMPONENTS] = {"Distribution of sizes", "group", "groups", "size"},
                               [CLI_ROWS_EDGES] = {"Distribution of weights", "edge", "edges", "weight"}};
    words found = of[top->kind];
    if (top->kind == CLI_ROWS_VALUES)
        found.number = cli_value_name(outcome->algorithm);
    if (outcome->algorithm->weight)
        found = (words){found.title, "pair", "pairs", outcome->algorithm->weight};
    return found;
}

static void put_bar(cli_page *page, const histogram *h, const cli_axes *axes, const words *w, int k) {
    double start = h->edges[k], end = h->edges[k + 1], half = h->whole && !h->logarithmic ? 0.5 : 0;
    double x = cli_scale_at(&axes->x, start - half), y = cli_scale_at(&axes->y, (double)h->counts[k]);
    char range[64];
    if (!h->counts[k])
        return;
    snprintf(range, sizeof range, "%.10g", start);
    if (h->whole && start + 1 < end)
        snprintf(range, sizeof range, "%.10g to %.10g", start, end - 1);
    else if (!h->whole)
        snprintf(range, sizeof range, "%.4g to %.4g", start, end);
    cli_page_raw(
        page,
        "<rect class=\"push\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: %s</title></rect>\n", x,
        y, fmax(cli_scale_at(&axes->x, end - half) - x - 1, 1), END - y, range,
        cli_counted(h->counts[k], w->one, w->many).text);
}

/* With what the bars leave out. */
static void put_section(cli_page *page, const histogram *h, const words *w) {
    char says[256], zeros[96] = "", infinite[96] = "";
    if (h->logarithmic && h->zeros)
        snprintf(zeros, sizeof zeros, " Not shown: %s with 0.", cli_counted(h->zeros, w->one, w->many).text);
    if (h->infinite)
        snprintf(infinite, sizeof infinite, " Not reached: %s.", cli_counted(h->infinite, w->one, w->many).text);
    snprintf(says, sizeof says, "How many %s have which %s.%s%s", w->many, w->number, zeros, infinite);
    cli_page_section(page, w->title, says);
}

static void put_chart(cli_page *page, const histogram *h, const words *w) {
    uint64_t most = 1;
    double half = h->whole && !h->logarithmic ? 0.5 : 0;
    for (int k = 0; k < h->bins; k++)
        most = h->counts[k] > most ? h->counts[k] : most;
    cli_axes axes = {.x = {h->low - half, h->edges[h->bins] - half, LEFT, RIGHT, h->logarithmic},
                     .y = {below_one, pow(10, fmax(1, ceil(log10((double)most)))), END, TOP, true},
                     .x_title = w->number,
                     .x_whole = h->whole,
                     .y_title = w->many};
    cli_chart_open(page, HEIGHT, w->title);
    cli_chart_axes(page, &axes);
    for (int k = 0; k < h->bins; k++)
        put_bar(page, h, &axes, w, k);
    cli_chart_close(page);
}

void cli_page_put_values(cli_page *page, const cli_outcome *outcome, const cli_top *top) {
    histogram h;
    words w = words_of(outcome, top);
    if (outcome->settings->run.each || top->kind == CLI_ROWS_WALKS)
        return;
    find_range(outcome, top, &h);
    if (!(h.high > h.low) || !isfinite(h.high - h.low))
        return;
    set_bins(&h);
    count_values(outcome, top, &h);
    put_section(page, &h, &w);
    put_chart(page, &h, &w);
    cli_page_section_end(page);
}
