/* page_info.c - see page_info.h. Distances come from searches from a few pseudo-random vertices, always the same for
 * the same graph. */
#include "page/page_info.h"

#include "page/page_chart.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 64, RIGHT = 1008, TOP = 36, END = 316, HEIGHT = 366, SEARCHES = 16, CELL = 4, MOST_DOTS = 1500 };

static const uint64_t search_work = UINT64_C(4000000000); /* edges of all searches together, at most */

/* How many there are of each number. */
typedef struct tally {
    uint64_t *count;
    uint64_t most; /* the largest number */
} tally;

static bool tally_new(tally *t, uint64_t most) {
    *t = (tally){.count = calloc(most + 1, sizeof *t->count), .most = most};
    return t->count != NULL;
}

/* ---- Dots -------------------------------------------------------------------------------------------------------- */

/* A dot for each number that occurs. Dots that coincide are drawn once, to keep the page small. */
static void put_dots(cli_page *page, const tally *t, const cli_axes *a, const char *look) {
    static bool taken[(RIGHT - LEFT) / CELL + 2][(END - TOP) / CELL + 2];
    int dots = 0;
    memset(taken, 0, sizeof taken);
    cli_page_raw(page, "<g class=\"%s\">\n", look);
    for (uint64_t k = 1; k <= t->most && dots < MOST_DOTS; k++) {
        if (!t->count[k])
            continue;
        double x = cli_scale_at(&a->x, (double)k), y = cli_scale_at(&a->y, (double)t->count[k]);
        bool *cell = &taken[(int)((x - LEFT) / CELL)][(int)((y - TOP) / CELL)];
        if (*cell)
            continue;
        *cell = true;
        dots++;
        cli_page_raw(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>\n", x, y);
    }
    cli_page_raw(page, "</g>\n");
}

static double power_above(double value) { return pow(10, fmax(1, ceil(log10(value * 1.05)))); }

static cli_axes dot_axes(double most_x, double most_y, const char *x_title, const char *y_title) {
    return (cli_axes){.x = {1, power_above(most_x), LEFT, RIGHT, true},
                      .y = {1, power_above(most_y), END, TOP, true},
                      .x_title = x_title,
                      .y_title = y_title};
}

static double highest(const tally *t) {
    uint64_t most = 1;
    for (uint64_t k = 1; k <= t->most; k++)
        most = t->count[k] > most ? t->count[k] : most;
    return (double)most;
}

/* ---- Degrees ----------------------------------------------------------------------------------------------------- */

/* Out-degrees from the rows; in-degrees by counting targets. */
static bool count_degrees(const heddle_adjacency *out, const heddle_stats *stats, tally *leave, tally *enter) {
    uint64_t n = stats->vertices;
    uint32_t *in = calloc(n + 1, sizeof *in);
    bool fits = tally_new(leave, stats->max_out_degree) && tally_new(enter, stats->max_in_degree) && in;
    for (uint64_t v = 0; fits && v < n; v++)
        leave->count[out->offsets[v + 1] - out->offsets[v]]++;
    for (uint64_t e = 0; fits && e < stats->edges; e++)
        in[out->targets[e]]++;
    for (uint64_t v = 0; fits && v < n; v++)
        enter->count[in[v] <= enter->most ? in[v] : enter->most]++;
    free(in);
    return fits;
}

static int put_degrees(cli_session *session, cli_page *page, const cli_info_facts *facts) {
    tally leave = {.count = NULL}, enter = {.count = NULL};
    heddle_adjacency out;
    heddle_status status = heddle_graph_out(session->context, facts->graph, &out);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    bool fits = count_degrees(&out, &facts->stats, &leave, &enter);
    if (fits && facts->stats.edges) {
        cli_axes axes = dot_axes((double)(leave.most > enter.most ? leave.most : enter.most),
                                 fmax(highest(&leave), highest(&enter)), "degree", "vertices of that degree");
        cli_page_section(page, "Degrees",
                         "Both axes are logarithmic: a straight slope is a power law, a hump a "
                         "typical degree.");
        cli_chart_open(page, HEIGHT, "Vertices by degree");
        cli_chart_axes(page, &axes);
        if (facts->stats.directed)
            put_dots(page, &enter, &axes, "pull");
        put_dots(page, &leave, &axes, "push");
        double x = cli_chart_key(page, RIGHT - 260, TOP - 12, "push", facts->stats.directed ? "out-degree" : "degree");
        if (facts->stats.directed)
            cli_chart_key(page, x, TOP - 12, "pull", "in-degree");
        cli_chart_close(page);
        cli_page_section_end(page);
    }
    free(leave.count);
    free(enter.count);
    if (fits)
        return 0;
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* ---- Distances --------------------------------------------------------------------------------------------------- */

static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Pairs of a source and a vertex at each distance. */
typedef struct hops {
    tally pairs;
    uint64_t searches;
} hops;

static bool add_levels(hops *h, const heddle_result *result, uint64_t vertices) {
    uint64_t deepest = heddle_result_report(result)->iterations;
    if (deepest > h->pairs.most || !h->pairs.count) {
        uint64_t *more = realloc(h->pairs.count, (deepest + 1) * sizeof *more);
        if (!more)
            return false;
        for (uint64_t k = h->pairs.count ? h->pairs.most + 1 : 0; k <= deepest; k++)
            more[k] = 0;
        h->pairs = (tally){more, deepest};
    }
    for (uint64_t v = 0; v < vertices; v++) {
        double level = heddle_result_value(result, (heddle_vertex)v);
        if (level <= (double)h->pairs.most)
            h->pairs.count[(uint64_t)level]++;
    }
    return true;
}

/* Searches from vertices that have out-edges; large graphs have fewer. */
static int search(cli_session *session, const cli_info_facts *facts, hops *h) {
    uint64_t n = facts->stats.vertices, wanted = search_work / (facts->stats.edges + n + 1);
    heddle_adjacency out;
    heddle_run_options options;
    heddle_status status = heddle_graph_out(session->context, facts->graph, &out);
    heddle_run_options_init(&options);
    options.algorithm = "bfs";
    options.device = "cpu";
    options.source_count = 1;
    wanted = wanted > SEARCHES ? SEARCHES : wanted < 1 ? 1 : wanted;
    for (uint64_t i = 0; status == HEDDLE_OK && h->searches < wanted && i < 64 * wanted; i++) {
        heddle_vertex source = (heddle_vertex)(scramble(i + 1) % n);
        heddle_result *result = NULL;
        if (out.offsets[source + 1] == out.offsets[source])
            continue;
        options.sources = &source;
        status = heddle_run(session->context, facts->graph, &options, &result);
        if (status == HEDDLE_OK && !add_levels(h, result, n)) {
            cli_say("out of memory");
            heddle_result_destroy(&result);
            return heddle_status_exit(HEDDLE_E_MEMORY);
        }
        h->searches++;
        heddle_result_destroy(&result);
    }
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

/* Effective diameter: hops within which `share` (nine tenths) of the reached pairs are, interpolated. */
static double reach_of(const hops *h, double share, uint64_t last) {
    double all = 0, sum = 0;
    for (uint64_t k = 1; k <= last; k++)
        all += (double)h->pairs.count[k];
    for (uint64_t k = 1; k <= last; k++) {
        double next = sum + (double)h->pairs.count[k];
        if (next >= share * all)
            return (double)k - 1 + (share * all - sum) / (next - sum);
        sum = next;
    }
    return (double)last;
}

static void put_curve(cli_page *page, const hops *h, const cli_axes *a, uint64_t last, double each) {
    uint64_t step = last / 400 + 1; /* points */
    double sum = 0;
    cli_page_raw(page, "<path class=\"curve\" d=\"M");
    for (uint64_t k = 0; k <= last; k++) {
        sum += (double)h->pairs.count[k];
        if (k % step == 0 || k == last)
            cli_page_raw(page, "%s%.1f %.1f", k ? "L" : "", cli_scale_at(&a->x, (double)k),
                         cli_scale_at(&a->y, 100 * sum / each));
    }
    cli_page_raw(page, "\"/>\n");
}

static void put_hops(cli_page *page, const cli_info_facts *facts, const hops *h) {
    uint64_t last = h->pairs.most;
    while (last > 1 && !h->pairs.count[last])
        last--;
    double each = (double)h->searches * (double)facts->stats.vertices, nine = reach_of(h, 0.9, last);
    cli_axes axes = {.x = {0, (double)last, LEFT, RIGHT, false},
                     .y = {0, 100, END, TOP, false},
                     .x_title = "hops",
                     .x_whole = true,
                     .y_title = "vertices reached, % of all"};
    char says[200], word[64];
    snprintf(says, sizeof says,
             "The share of vertices within so many hops along %s, the mean of %llu searches from "
             "vertices chosen by chance.",
             facts->stats.directed ? "out-edges" : "edges", (unsigned long long)h->searches);
    cli_page_section(page, "Distances", says);
    cli_chart_open(page, HEIGHT, "Vertices reached within so many hops");
    cli_chart_axes(page, &axes);
    double x = cli_scale_at(&axes.x, nine);
    cli_page_raw(page, "<path class=\"axis\" stroke-dasharray=\"3 3\" d=\"M%.1f %dV%d\"/>\n", x, END, TOP);
    snprintf(word, sizeof word, "90 %% of reached pairs within %.1f hops", nine);
    cli_chart_text(page, x > RIGHT - 260 ? x - 8 : x + 8, END - 12, x > RIGHT - 260 ? "end" : "start", "ink", word);
    put_curve(page, h, &axes, last, each);
    cli_chart_close(page);
    cli_page_section_end(page);
}

static int put_distances(cli_session *session, cli_page *page, const cli_info_facts *facts) {
    hops h = {.searches = 0};
    int exit_status = facts->stats.edges ? search(session, facts, &h) : 0;
    if (!exit_status && h.searches && h.pairs.most > 0)
        put_hops(page, facts, &h);
    free(h.pairs.count);
    return exit_status;
}

/* ---- Components -------------------------------------------------------------------------------------------------- */

/* Components by size. */
static bool count_sizes(const heddle_result *result, const heddle_stats *stats, tally *sizes) {
    uint32_t *members = calloc(stats->vertices + 1, sizeof *members);
    bool fits = members && tally_new(sizes, stats->largest_component);
    for (uint64_t v = 0; fits && v < stats->vertices; v++)
        members[(uint64_t)heddle_result_value(result, (heddle_vertex)v)]++;
    for (uint64_t v = 0; fits && v < stats->vertices; v++)
        if (members[v])
            sizes->count[members[v] <= sizes->most ? members[v] : sizes->most]++;
    free(members);
    return fits;
}

static void put_sizes(cli_page *page, const cli_info_facts *facts, const tally *sizes) {
    cli_axes axes = dot_axes((double)sizes->most, highest(sizes), "vertices of a component", "components of that size");
    char word[96];
    double x = cli_scale_at(&axes.x, (double)sizes->most), y = cli_scale_at(&axes.y, (double)sizes->count[sizes->most]);
    cli_page_section(page, "Components", "Weakly connected ones, by size.");
    cli_chart_open(page, HEIGHT, "Components by size");
    cli_chart_axes(page, &axes);
    put_dots(page, sizes, &axes, "none");
    snprintf(word, sizeof word, "the largest: %s vertices, %.1f %%", cli_grouped(sizes->most).text,
             100.0 * (double)sizes->most / (double)facts->stats.vertices);
    cli_chart_text(page, x - 8, y - 10, "end", "ink", word);
    cli_chart_close(page);
    cli_page_section_end(page);
}

static int put_components(cli_session *session, cli_page *page, const cli_info_facts *facts) {
    heddle_run_options options;
    heddle_result *result = NULL;
    tally sizes = {.count = NULL};
    if (facts->stats.components < 2)
        return 0;
    heddle_run_options_init(&options);
    options.algorithm = "cc";
    options.device = "cpu";
    heddle_status status = heddle_run(session->context, facts->graph, &options, &result);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    bool fits = count_sizes(result, &facts->stats, &sizes);
    if (fits)
        put_sizes(page, facts, &sizes);
    else
        cli_say("out of memory");
    heddle_result_destroy(&result);
    free(sizes.count);
    return fits ? 0 : heddle_status_exit(HEDDLE_E_MEMORY);
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static void put_tiles(cli_page *page, const heddle_stats *stats) {
    char word[64], note[96];
    cli_page_tiles(page);
    cli_page_tile(page, "vertices", cli_grouped(stats->vertices).text, NULL);
    snprintf(note, sizeof note, "undirected, %s", cli_counted(stats->edges, "arc", "arcs").text);
    cli_page_tile(page, "edges", cli_grouped(cli_info_edges(stats)).text, stats->directed ? "directed" : note);
    snprintf(word, sizeof word, "%.4g", stats->mean_degree);
    snprintf(note, sizeof note, "largest %s, median %.4g", cli_grouped(stats->max_out_degree).text,
             stats->median_degree);
    cli_page_tile(page, "mean out-degree", word, note);
    snprintf(word, sizeof word, "%.3f", stats->gini);
    cli_page_tile(page, "Gini index of degrees", word, "0: all equal, 1: one has all");
    if (stats->vertices)
        snprintf(note, sizeof note, "largest %.1f %% of the vertices",
                 100.0 * (double)stats->largest_component / (double)stats->vertices);
    cli_page_tile(page, "components", cli_grouped(stats->components).text, stats->vertices ? note : NULL);
    snprintf(word, sizeof word, "\xe2\x89\xa5 %s", cli_grouped(stats->estimated_diameter).text);
    cli_page_tile(page, "diameter", word, stats->directed ? "ignoring direction" : "of the largest component");
    snprintf(note, sizeof note, "%s isolated vertices", cli_grouped(stats->isolated).text);
    cli_page_tile(page, "self loops", cli_grouped(stats->self_loops).text, note);
    cli_page_tile(page, "duplicate edges", cli_grouped(stats->duplicate_edges).text, NULL);
    if (stats->weight_type != HEDDLE_WEIGHT_NONE) {
        snprintf(word, sizeof word, "%.6g .. %.6g", stats->weight_min, stats->weight_max);
        cli_page_tile(page, "weights", word, NULL);
    }
    cli_page_tile(page, "memory", cli_bytes(stats->bytes_csr).text, NULL);
    cli_page_tiles_end(page);
}

int cli_write_info_page(cli_session *session, const cli_info_facts *facts, const char *path) {
    cli_page page;
    cli_page_open(&page, "Heddle info", cli_page_name(facts->path));
    put_tiles(&page, &facts->stats);
    int exit_status = put_degrees(session, &page, facts);
    if (!exit_status)
        exit_status = put_distances(session, &page, facts);
    if (!exit_status)
        exit_status = put_components(session, &page, facts);
    if (!exit_status)
        return cli_page_close(session, &page, path);
    cli_page_drop(&page);
    return exit_status;
}
