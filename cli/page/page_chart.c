/* page_chart.c - see page_chart.h. */
#include "page/page_chart.h"

#include <math.h>
#include <string.h>

double cli_scale_at(const cli_scale *scale, double value) {
    double low = scale->low, high = scale->high;
    if (scale->logarithmic) {
        value = log10(value > low ? value : low);
        low = log10(low);
        high = log10(high);
    }
    return high > low ? scale->from + (value - low) / (high - low) * (scale->to - scale->from) : scale->from;
}

void cli_chart_open(cli_page *page, double height, const char *what) {
    cli_page_raw(page, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", CLI_CHART_WIDTH, height);
    cli_page_put(page, what);
    cli_page_raw(page, "\">\n");
}

void cli_chart_close(cli_page *page) { cli_page_raw(page, "</svg>\n"); }

void cli_chart_text(cli_page *page, double x, double y, const char *anchor, const char *look, const char *text) {
    cli_page_raw(page, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, look);
    cli_page_put(page, text);
    cli_page_raw(page, "</text>\n");
}

double cli_chart_width(const char *text) {
    double width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80 ? 0 : strchr("il.,:;|'1 ", *text) ? 4.4 : 7;
    return width;
}

double cli_chart_key(cli_page *page, double x, double y, const char *look, const char *word) {
    cli_page_raw(page, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"1\"/>\n", look, x,
                 y - 9.5);
    cli_chart_text(page, x + 15, y, "start", "", word);
    return x + 15 + cli_chart_width(word) + 18;
}

/* 1, 2 or 5 times a power of ten, so that a span has at most so many. */
static double step_of(double span, int most) {
    double rough = span / most, power = pow(10, floor(log10(rough))), share = rough / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

cli_word cli_short_count(double value) {
    static const char units[] = "kMGTPE";
    cli_word word;
    int unit = -1;
    while (value >= 999.5 && unit < 5) {
        value /= 1000;
        unit++;
    }
    snprintf(word.text, sizeof word.text, "%.3g%.1s", value, unit < 0 ? "" : units + unit);
    return word;
}

cli_unit cli_unit_of(double seconds) {
    static const cli_unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
    for (int i = 0; i < 3; i++)
        if (seconds >= units[i].seconds)
            return units[i];
    return units[seconds > 0 ? 3 : 1];
}

cli_word cli_time_word(double seconds) {
    cli_unit unit = cli_unit_of(seconds);
    cli_word word;
    double value = seconds / unit.seconds;
    snprintf(word.text, sizeof word.text, value >= 100 ? "%.0f %s" : "%.3g %s", value, unit.name);
    return word;
}

/* ---- Axes -------------------------------------------------------------------------------------------------------- */

static void x_tick(cli_page *page, const cli_axes *a, double value, const char *label) {
    double x = cli_scale_at(&a->x, value);
    cli_page_raw(page, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>\n", x, a->y.from);
    cli_chart_text(page, x, a->y.from + 19, "middle", "", label);
}

static void y_tick(cli_page *page, const cli_axes *a, double value, const char *label) {
    double y = cli_scale_at(&a->y, value);
    cli_page_raw(page, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", a->x.from, y, a->x.to);
    cli_chart_text(page, a->x.from - 8, y + 4, "end", "", label);
}

typedef void tick_fn(cli_page *page, const cli_axes *axes, double value, const char *label);

static void linear_ticks(cli_page *page, const cli_axes *a, const cli_scale *scale, double unit, int most,
                         tick_fn *tick) {
    double step = step_of((scale->high - scale->low) / unit, most);
    if (a->x_whole && scale == &a->x && step < 1)
        step = 1;
    for (double value = ceil(scale->low / unit / step) * step; value * unit <= scale->high * (1 + 1e-9);
         value += step) {
        cli_word word;
        snprintf(word.text, sizeof word.text, "%.10g", fabs(value) < step * 1e-6 ? 0 : value);
        tick(page, a, value * unit, word.text);
    }
}

static void log_ticks(cli_page *page, const cli_axes *a, const cli_scale *scale, int most, tick_fn *tick) {
    int first = (int)ceil(log10(scale->low) - 1e-9), last = (int)floor(log10(scale->high) + 1e-9);
    int step = (last - first) / most + 1;
    for (int power = first; power <= last; power += step)
        tick(page, a, pow(10, power), cli_short_count(pow(10, power)).text);
}

void cli_chart_axes(cli_page *page, const cli_axes *a) {
    if (a->y.logarithmic)
        log_ticks(page, a, &a->y, 6, y_tick);
    else if (a->y.high > a->y.low)
        linear_ticks(page, a, &a->y, 1, 5, y_tick);
    cli_page_raw(page, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", a->x.from, a->y.from, a->x.to);
    if (a->x.logarithmic)
        log_ticks(page, a, &a->x, 8, x_tick);
    else if (a->x.high > a->x.low)
        linear_ticks(page, a, &a->x, a->x_unit > 0 ? a->x_unit : 1, 10, x_tick);
    cli_chart_text(page, a->x.to, a->y.from + 38, "end", "", a->x_title);
    cli_chart_text(page, a->x.from + 6, a->y.to - 12, "start", "", a->y_title);
}
