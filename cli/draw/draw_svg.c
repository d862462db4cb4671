/* draw_svg.c - the drawing as SVG: edges below vertices below labels, and the key.
 *
 * A picture of many vertices is drawn by few elements, or browsers take seconds: one path of each colour for the
 * edges, and one of each colour and size for the vertices, whose points are strokes of no length with round ends.
 */
#include "draw/draw.h"

#include "page/page_chart.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_ROOM = 64, KEY_LINE = 24, KEY_WIDTH = 330, SIZES = 24, PATH_STEPS = 100 };

/* Paper, ink, soft ink, edges, then groups and others. Classes, not variables: not every program that shows SVG has
 * those. */
enum { PAPER, INK, SOFT, LINE, GROUP };
static const char *const light[GROUP + DRAW_COLOURS + 1] = {"#fff",    "#171c22", "#5b6672", "#8b97a3", "#2f6db5",
                                                            "#d97a1f", "#3a9a5b", "#c2334a", "#8163ad", "#1f93a0",
                                                            "#a8851c", "#c7589a", "#7d5a40", "#4a5bb8", "#8f9aa5"};
static const char *const dark[GROUP + DRAW_COLOURS + 1] = {"#12161b", "#e8ebee", "#97a3af", "#6c7884", "#6ea8e6",
                                                           "#f0a04b", "#6cc477", "#f0728a", "#b79be0", "#4fc3cf",
                                                           "#d8b84a", "#ef93c4", "#c39b80", "#98a6f5", "#76828e"};

static void put_colours(cli_page *page, const char *const *colours) {
    cli_page_raw(page, ".graph{background:%s}.graph .paper{fill:%s}.graph text{fill:%s}.graph .soft{fill:%s}\n",
                 colours[PAPER], colours[PAPER], colours[INK], colours[SOFT]);
    cli_page_raw(page, ".graph .rim,.graph .names text{stroke:%s}.graph .line{stroke:%s}\n", colours[PAPER],
                 colours[LINE]);
    for (int i = 0; i <= DRAW_OTHER; i++)
        cli_page_raw(page, ".graph .f%d{fill:%s}.graph .s%d{stroke:%s}\n", i, colours[GROUP + i], i,
                     colours[GROUP + i]);
}

static void put_style(cli_page *page) {
    cli_page_raw(page, "<style>\n.graph text{font:16px system-ui,-apple-system,\"Segoe UI\",Roboto,Arial,sans-serif}\n"
                       ".graph .edges path,.graph .dots path{fill:none}.graph .dots path{stroke-linecap:round}\n"
                       ".graph .rim{stroke-width:.8}.graph .names text{text-anchor:middle;font-weight:600;"
                       "stroke-width:3.5px;paint-order:stroke;stroke-linejoin:round}\n");
    put_colours(page, light);
    cli_page_raw(page, "@media screen and (prefers-color-scheme:dark){\n");
    put_colours(page, dark);
    cli_page_raw(page, "}\n</style>\n");
}

void draw_label(const draw_picture *picture, uint32_t v, char *text, size_t size) {
    heddle_vertex vertex = picture->name ? picture->name[v] : v;
    if (heddle_graph_id_text(picture->graph, vertex, text, size) < size)
        return;
    size_t end = size - 4; /* a whole character, then an ellipsis */
    while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "…", sizeof "…");
}

/* In the middle of the page. */
static double x_of(const draw_picture *picture, uint32_t v) {
    return DRAW_WIDTH / 2.0 + (picture->at[v].x - picture->size.x / 2) * picture->scale;
}
static double y_of(const draw_picture *picture, uint32_t v) { return DRAW_MARGIN + picture->at[v].y * picture->scale; }

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

/* Begins another path where the one before is long: renderers take time by the square of its length. */
static void put_step(cli_page *page, uint64_t count) {
    if (count % PATH_STEPS == 0)
        cli_page_raw(page, count ? "\"/>\n<path d=\"" : "<path d=\"");
}

/* Edges inside a group have its colour; `step`: every how many-th is drawn. */
static uint64_t put_edges_of(cli_page *page, const draw_picture *picture, unsigned colour, uint64_t step) {
    const draw_graph *graph = picture->drawn;
    uint64_t count = 0, at = 0;
    for (uint32_t v = 0; v < graph->n; v++)
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint32_t u = graph->targets[e];
            if (u < v || at++ % step)
                continue;
            unsigned own = picture->colour[u] == picture->colour[v] ? picture->colour[v] : DRAW_OTHER;
            if (own != colour)
                continue;
            put_step(page, count++);
            cli_page_raw(page, "M%.1f %.1fL%.1f %.1f", x_of(picture, v), y_of(picture, v), x_of(picture, u),
                         y_of(picture, u));
        }
    cli_page_raw(page, count ? "\"/>\n" : "");
    return count;
}

static double edge_width(const draw_picture *picture) { return fmax(0.35, fmin(1.6, 0.05 * picture->scale)); }

static uint64_t put_edges(cli_page *page, const draw_picture *picture) {
    uint64_t edges = picture->drawn->offsets[picture->drawn->n] / 2, drawn = 0;
    uint64_t step = edges / DRAW_MOST_EDGES + 1;
    double opacity = fmax(0.18, fmin(0.55, 40 / sqrt((double)edges / (double)step + 1)));
    cli_page_raw(page, "<g class=\"edges\" stroke-width=\"%.2f\" stroke-opacity=\"%.2f\">\n", edge_width(picture),
                 opacity);
    for (unsigned colour = DRAW_OTHER + 1; colour-- > 0;) {
        cli_page_raw(page, colour == DRAW_OTHER ? "<g class=\"line\">\n" : "<g class=\"s%u\">\n", colour);
        drawn += put_edges_of(page, picture, colour, step);
        cli_page_raw(page, "</g>\n");
    }
    cli_page_raw(page, "</g>\n");
    return drawn;
}

/* ---- Vertices ---------------------------------------------------------------------------------------------------- */

static void put_circle(cli_page *page, const draw_picture *picture, uint32_t v) {
    char text[LABEL_ROOM];
    draw_label(picture, v, text, sizeof text);
    cli_page_raw(page, "<circle class=\"rim f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>", picture->colour[v],
                 x_of(picture, v), y_of(picture, v), picture->radius[v]);
    cli_page_put(page, text);
    cli_page_raw(page, "</title></circle>\n");
}

/* Radii in steps of a fifth, from the smallest. */
static int size_of(double radius, double least) {
    int size = (int)(log(radius / least) / log(1.2) + 0.5);
    return size < SIZES - 1 ? size : SIZES - 1;
}

static void put_dots_of(cli_page *page, const draw_picture *picture, unsigned colour, int size, double least) {
    uint64_t count = 0;
    for (uint32_t v = 0; v < picture->drawn->n; v++) {
        if (picture->colour[v] != colour || size_of(picture->radius[v], least) != size)
            continue;
        if (!count)
            cli_page_raw(page, "<g class=\"s%u\" stroke-width=\"%.2f\">\n", colour, 2 * least * pow(1.2, size));
        put_step(page, count++);
        cli_page_raw(page, "M%.1f %.1fh0", x_of(picture, v), y_of(picture, v));
    }
    cli_page_raw(page, count ? "\"/>\n</g>\n" : "");
}

/* Small ones first: large ones lie above. */
static void put_dots(cli_page *page, const draw_picture *picture) {
    double least = HUGE_VAL;
    for (uint32_t v = 0; v < picture->drawn->n; v++)
        least = fmin(least, picture->radius[v]);
    for (int size = 0; size < SIZES; size++)
        for (unsigned colour = 0; colour <= DRAW_OTHER; colour++)
            put_dots_of(page, picture, colour, size, least);
}

static void put_vertices(cli_page *page, const draw_picture *picture) {
    cli_page_raw(page, "<g class=\"dots\">\n");
    if (picture->drawn->n > DRAW_MOST_CIRCLES)
        put_dots(page, picture);
    else
        for (uint32_t v = 0; v < picture->drawn->n; v++)
            put_circle(page, picture, v);
    cli_page_raw(page, "</g>\n");
}

/* Inside a vertex that is wide enough, else above it. */
static double label_base(const draw_picture *picture, uint32_t v, const char *text) {
    double width = 16.0 / 12 * cli_chart_width(text), radius = picture->radius[v];
    return y_of(picture, v) + (width < 1.8 * radius && radius > 20 ? 5 : -radius - 5);
}

static void put_labels(cli_page *page, const draw_picture *picture) {
    char text[LABEL_ROOM];
    cli_page_raw(page, "<g class=\"names\">\n");
    for (uint32_t i = picture->label_count; i-- > 0;) {
        uint32_t v = picture->labelled[i];
        draw_label(picture, v, text, sizeof text);
        cli_page_raw(page, "<text x=\"%.1f\" y=\"%.1f\">", x_of(picture, v), label_base(picture, v, text));
        cli_page_put(page, text);
        cli_page_raw(page, "</text>\n");
    }
    cli_page_raw(page, "</g>\n");
}

/* ---- The key ----------------------------------------------------------------------------------------------------- */

static uint32_t key_lines(const draw_picture *picture) {
    uint32_t lines = 0;
    while (lines < DRAW_COLOURS && picture->key[lines].size)
        lines++;
    return picture->kind ? lines : 0;
}

/* Below the drawing, in columns. */
static void put_key(cli_page *page, const draw_picture *picture, double top) {
    enum { COLUMNS = (DRAW_WIDTH - 2 * DRAW_MARGIN) / KEY_WIDTH };
    uint32_t lines = key_lines(picture), key_rows = (lines + COLUMNS - 1) / COLUMNS;
    char text[LABEL_ROOM];
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t line = i / COLUMNS;
        double x = DRAW_MARGIN + (double)(i % COLUMNS) * KEY_WIDTH, y = top + (double)line * KEY_LINE;
        draw_label(picture, picture->key[i].example, text, LABEL_ROOM / 3);
        cli_page_raw(page, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"7\" class=\"f%u\"/><text x=\"%.0f\" y=\"%.0f\">", x,
                     y - 5, i, x + 14, y);
        cli_page_put(page, text);
        cli_page_raw(page, " <tspan class=\"soft\">%s</tspan></text>\n",
                     cli_counted(picture->key[i].size, "vertex", "vertices").text);
    }
    if (lines)
        cli_page_raw(page,
                     "<text class=\"soft\" x=\"%d\" y=\"%.0f\">%s %s%s; each is named after its largest vertex"
                     "</text>\n",
                     DRAW_MARGIN - 7, top + (double)key_rows * KEY_LINE + 4, cli_grouped(picture->kinds).text,
                     picture->kind, picture->kinds > lines ? ", the largest in colour" : "");
}

uint64_t draw_svg(cli_page *page, const draw_picture *picture, bool alone) {
    enum { COLUMNS = (DRAW_WIDTH - 2 * DRAW_MARGIN) / KEY_WIDTH };
    double bottom = 2 * DRAW_MARGIN + picture->size.y * picture->scale;
    uint32_t rows = (key_lines(picture) + COLUMNS - 1) / COLUMNS;
    double height = ceil(bottom + (rows ? (rows + 1) * KEY_LINE + DRAW_MARGIN / 2.0 : 0));
    if (alone)
        cli_page_raw(page, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    cli_page_raw(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" role=\"img\" viewBox=\"0 0 %d %.0f\"",
                 DRAW_WIDTH, height);
    if (alone)
        cli_page_raw(page, " width=\"%d\" height=\"%.0f\"", DRAW_WIDTH, height);
    cli_page_raw(page, ">\n");
    put_style(page);
    cli_page_raw(page, "<rect class=\"paper\" width=\"%d\" height=\"%.0f\"/>\n", DRAW_WIDTH, height);
    uint64_t edges = put_edges(page, picture);
    put_vertices(page, picture);
    put_labels(page, picture);
    put_key(page, picture, bottom + KEY_LINE / 2.0);
    cli_page_raw(page, "</svg>\n");
    return edges;
}
