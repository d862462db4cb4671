/* page_chart.h - scales, axes and words of the drawings on pages. Coordinates are SVG's: y grows downwards. */
#ifndef CLI_PAGE_CHART_H
#define CLI_PAGE_CHART_H

#include "page/page.h"

enum { CLI_CHART_WIDTH = 1024 }; /* of all drawings: the page scales them to its own */

/* Values low .. high stand at from .. to; logarithmic ones are at least 1. */
typedef struct cli_scale {
    double low, high, from, to;
    bool logarithmic;
} cli_scale;

double cli_scale_at(const cli_scale *scale, double value);

/* The frame of a chart: where its axes are, and what they mean. */
typedef struct cli_axes {
    cli_scale x, y;
    const char *x_title, *y_title;
    double x_unit; /* x values are divided by this for their labels */
    bool x_whole;  /* no ticks between whole numbers */
} cli_axes;

void cli_chart_open(cli_page *page, double height, const char *what);
void cli_chart_close(cli_page *page);
/* Grid, ticks with their numbers, and titles. */
void cli_chart_axes(cli_page *page, const cli_axes *axes);
/* `anchor` is start, middle or end; `look` a class of the style sheet, or "". The text is escaped. */
void cli_chart_text(cli_page *page, double x, double y, const char *anchor, const char *look, const char *text);
/* About as wide as it will be. */
double cli_chart_width(const char *text);
/* A small square and its word at x; returns where the next begins. */
double cli_chart_key(cli_page *page, double x, double y, const char *look, const char *word);

typedef struct cli_unit {
    double seconds;
    const char *name;
} cli_unit;

/* The unit in which times of up to so many seconds are easy to read. */
cli_unit cli_unit_of(double seconds);
/* "12.3 ms" */
cli_word cli_time_word(double seconds);
/* "1.2M", "940": three digits. */
cli_word cli_short_count(double value);

#endif
