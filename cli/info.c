/* info.c - heddle info: statistics of a graph. The figures come from heddle_graph_stats; this file only shows them, as
 * text with a histogram of the degrees, or as one JSON object. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "page/page.h"
#include "page/page_info.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct info_settings {
    cli_common common;
    heddle_load_options load;
    const char *report; /* a page */
    int structure;
} info_settings;

typedef cli_info_facts info_facts;

static void defaults(void *settings) { heddle_load_options_init(&((info_settings *)settings)->load); }

static const char *id_type_name(heddle_id_type type) {
    return type == HEDDLE_ID_STRING ? "string" : type == HEDDLE_ID_U64 ? "uint64" : "int64";
}

/* ---- Histogram ------------------------------------------------------------------------------------------------- */

/* Bin 0 is degree 0, bin k the degrees 2^(k-1) .. 2^k - 1. */
static uint64_t bin_low(int bin) { return bin ? UINT64_C(1) << (bin - 1) : 0; }
static uint64_t bin_high(int bin) { return bin ? (UINT64_C(1) << bin) - 1 : 0; }

static int last_bin(const heddle_stats *stats) {
    int last = HEDDLE_HISTOGRAM_BINS - 1;
    while (last >= 0 && !stats->histogram[last])
        last--;
    return last;
}

/* "0", "1", "2-3", "4-7" … */
static cli_word bin_label(int bin) {
    cli_word label;
    if (bin < 2)
        return cli_grouped((uint64_t)bin);
    snprintf(label.text, sizeof label.text, "%.20s-%.20s", cli_grouped(bin_low(bin)).text,
             cli_grouped(bin_high(bin)).text);
    return label;
}

/* A bar of `share` of `columns`: eighths of a character where the terminal has them, '#' where not. */
static void print_bar(double share, int columns, bool utf8) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int parts = (int)(share * columns * 8 + 0.5);
    if (parts == 0 && share > 0)
        parts = 1;
    if (!utf8) {
        for (int i = 0; i < (parts + 7) / 8; i++)
            putchar('#');
        return;
    }
    for (int i = 0; i < parts / 8; i++)
        fputs("█", stdout);
    fputs(eighths[parts % 8], stdout);
}

static void print_histogram(const heddle_stats *stats) {
    int last = last_bin(stats), columns = cli_columns(STDOUT_FILENO), label = (int)strlen("out-degree");
    uint64_t most = 1;
    bool utf8 = cli_utf8();
    if (last < 0)
        return;
    for (int bin = 0; bin <= last; bin++) {
        int length = (int)strlen(bin_label(bin).text);
        label = length > label ? length : label;
        most = stats->histogram[bin] > most ? stats->histogram[bin] : most;
    }
    int digits = (int)strlen(cli_grouped(most).text);
    digits = digits > 8 ? digits : 8;
    int room = (columns > 120 ? 120 : columns) - label - digits - 14;
    printf("\n  %-*s  %*s\n", label, "out-degree", digits, "vertices");
    for (int bin = 0; bin <= last; bin++) {
        uint64_t count = stats->histogram[bin];
        printf("  %-*s  %*s  %5.1f%%  ", label, bin_label(bin).text, digits, cli_grouped(count).text,
               100.0 * (double)count / (double)stats->vertices);
        print_bar((double)count / (double)most, room > 10 ? room : 10, utf8);
        putchar('\n');
    }
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_count(const char *label, uint64_t value) { printf("  %-18s%s\n", label, cli_grouped(value).text); }

static cli_word id_word(const info_facts *facts, uint64_t vertex) {
    cli_word word;
    heddle_graph_id_text(facts->graph, (heddle_vertex)vertex, word.text, sizeof word.text);
    cli_clean(word.text);
    return word;
}

static void print_ids(const info_facts *facts) {
    if (!facts->stats.vertices)
        return;
    cli_word first = id_word(facts, 0), last = id_word(facts, facts->stats.vertices - 1);
    if (heddle_graph_id_type(facts->graph) == HEDDLE_ID_STRING)
        printf("  %-18sstrings, from '%s' to '%s' in order of occurrence\n", "ids", first.text, last.text);
    else
        printf("  %-18s%s .. %s\n", "ids", first.text, last.text);
}

static void print_weights(const heddle_stats *stats) {
    if (stats->weight_type == HEDDLE_WEIGHT_NONE)
        printf("  %-18snone\n", "weights");
    else if (stats->weight_type == HEDDLE_WEIGHT_I64)
        printf("  %-18s%lld .. %lld (i64)\n", "weights", (long long)stats->weight_min_whole,
               (long long)stats->weight_max_whole);
    else
        printf("  %-18s%.9g .. %.9g (%s)\n", "weights", stats->weight_min, stats->weight_max,
               cli_weight_name(stats->weight_type));
}

static void print_orders(const heddle_graph *graph) {
    const char *between = NULL;
    for (size_t i = 0; heddle_order_at(i); i++)
        if (heddle_graph_has_order(graph, heddle_order_at(i)->name)) {
            if (!between)
                printf("  %-18s", "orders");
            printf("%s%s", between ? between : "", heddle_order_at(i)->name);
            between = ", ";
        }
    if (between)
        puts(" (the file has the graph renamed)");
}

static void print_degrees(const info_facts *facts) {
    const heddle_stats *stats = &facts->stats;
    if (!stats->vertices)
        return;
    printf("  %-18smax %s (vertex %s), mean %.4g, median %.4g, p99 %.4g\n", "out-degree",
           cli_grouped(stats->max_out_degree).text, id_word(facts, stats->max_out_vertex).text, stats->mean_degree,
           stats->median_degree, stats->p99_degree);
    printf("  %-18smax %s\n", "in-degree", cli_grouped(stats->max_in_degree).text);
    printf("  %-18sGini index %.3f (0: all degrees are equal, 1: one vertex has all edges)\n", "irregularity",
           stats->gini);
}

static void print_components(const heddle_stats *stats) {
    printf("  %-18s%s", "components", cli_grouped(stats->components).text);
    if (stats->vertices)
        printf(", the largest with %s (%.1f%%)", cli_counted(stats->largest_component, "vertex", "vertices").text,
               100.0 * (double)stats->largest_component / (double)stats->vertices);
    putchar('\n');
    printf("  %-18sat least %s (estimated, in the largest component%s)\n", "diameter",
           cli_grouped(stats->estimated_diameter).text, stats->directed ? ", ignoring direction" : "");
}

static void print_real(const char *label, double value) {
    if (isnan(value))
        printf("  %-18snot defined\n", label);
    else
        printf("  %-18s%.6g\n", label, value);
}

static const char *yes(double figure) { return figure > 0 ? "yes" : "no"; }

/* Figures that take an algorithm each; NaN: not requested, or without meaning for undirected graphs. */
static void print_structure(const info_facts *facts) {
    const heddle_stats *stats = &facts->stats;
    print_real("density", stats->density);
    if (stats->directed)
        print_real("reciprocity", stats->reciprocity);
    print_real("assortativity", stats->assortativity);
    if (stats->forest)
        printf("  %-18s%s\n", "shape", stats->components == 1 ? "a tree" : "a forest");
    if (!facts->structure)
        return;
    if (!stats->directed)
        print_real("transitivity", facts->transitivity);
    printf("  %-18s%s\n", "bipartite", yes(facts->bipartite));
    if (stats->directed)
        printf("  %-18s%s\n", "acyclic", yes(facts->acyclic));
}

static void print_text(const info_facts *facts) {
    const heddle_stats *stats = &facts->stats;
    char name[1024];
    snprintf(name, sizeof name, "%s", !strcmp(facts->path, "-") ? "standard input" : facts->path);
    printf("%s\n", cli_clean(name));
    print_count("vertices", stats->vertices);
    if (stats->directed)
        printf("  %-18s%s, directed\n", "edges", cli_grouped(stats->edges).text);
    else
        printf("  %-18s%s (%s), undirected\n", "edges", cli_grouped(cli_info_edges(stats)).text,
               cli_counted(stats->edges, "arc", "arcs").text);
    print_ids(facts);
    print_weights(stats);
    print_orders(facts->graph);
    print_count("self loops", stats->self_loops);
    print_count("duplicate edges", stats->duplicate_edges);
    print_count("isolated vertices", stats->isolated);
    print_degrees(facts);
    print_components(stats);
    print_structure(facts);
    printf("  %-18s%s", "memory", cli_bytes(stats->bytes_csr).text);
    if (stats->bytes_csr >= 1024)
        printf(" (%s bytes)", cli_grouped(stats->bytes_csr).text);
    printf("\n");
    printf("  %-18sload %s, statistics %s\n", "time", cli_seconds(facts->load_seconds).text,
           cli_seconds(facts->stats_seconds).text);
    print_histogram(stats);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void json_id(cli_json *json, const char *key, const info_facts *facts, uint64_t vertex) {
    char text[256];
    heddle_id_type type = heddle_graph_id_type(facts->graph);
    if (vertex >= facts->stats.vertices) {
        cli_json_null(json, key);
    } else if (type == HEDDLE_ID_STRING) {
        heddle_graph_id_text(facts->graph, (heddle_vertex)vertex, text, sizeof text);
        cli_json_text(json, key, text);
    } else {
        int64_t id = heddle_graph_id(facts->graph, (heddle_vertex)vertex);
        if (type == HEDDLE_ID_U64)
            cli_json_count(json, key, (uint64_t)id);
        else
            cli_json_integer(json, key, id);
    }
}

static void json_histogram(cli_json *json, const heddle_stats *stats) {
    cli_json_array(json, "degree_histogram");
    for (int bin = 0; bin <= last_bin(stats); bin++) {
        cli_json_object(json, NULL);
        cli_json_count(json, "min", bin_low(bin));
        cli_json_count(json, "max", bin_high(bin));
        cli_json_count(json, "vertices", stats->histogram[bin]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void json_weight(cli_json *json, const char *key, const heddle_stats *stats, double value, int64_t whole) {
    if (stats->weight_type == HEDDLE_WEIGHT_NONE || !stats->edges)
        cli_json_null(json, key);
    else if (stats->weight_type == HEDDLE_WEIGHT_I64)
        cli_json_integer(json, key, whole);
    else
        cli_json_real(json, key, value);
}

static void print_json(const info_facts *facts) {
    const heddle_stats *stats = &facts->stats;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "graph", facts->path);
    cli_json_graph(&json, facts->graph);
    cli_json_undirected(&json, facts->graph, cli_info_edges(stats));
    json_weight(&json, "weight_min", stats, stats->weight_min, stats->weight_min_whole);
    json_weight(&json, "weight_max", stats, stats->weight_max, stats->weight_max_whole);
    cli_json_text(&json, "id_type", id_type_name(heddle_graph_id_type(facts->graph)));
    json_id(&json, "first_id", facts, 0);
    json_id(&json, "last_id", facts, stats->vertices - 1);
    cli_json_array(&json, "orders");
    for (size_t i = 0; heddle_order_at(i); i++)
        if (heddle_graph_has_order(facts->graph, heddle_order_at(i)->name))
            cli_json_text(&json, NULL, heddle_order_at(i)->name);
    cli_json_end(&json);
    cli_json_count(&json, "self_loops", stats->self_loops);
    cli_json_count(&json, "duplicate_edges", stats->duplicate_edges);
    cli_json_count(&json, "isolated", stats->isolated);
    cli_json_count(&json, "max_out_degree", stats->max_out_degree);
    json_id(&json, "max_out_id", facts, stats->max_out_vertex);
    cli_json_count(&json, "max_in_degree", stats->max_in_degree);
    cli_json_real(&json, "mean_degree", stats->mean_degree);
    cli_json_real(&json, "median_degree", stats->median_degree);
    cli_json_real(&json, "p99_degree", stats->p99_degree);
    cli_json_real(&json, "degree_deviation", stats->degree_deviation);
    cli_json_real(&json, "gini", stats->gini);
    cli_json_real(&json, "warp_efficiency", stats->warp_efficiency);
    cli_json_real(&json, "density", stats->density);
    cli_json_real(&json, "reciprocity", stats->reciprocity);
    cli_json_real(&json, "assortativity", stats->assortativity);
    cli_json_flag(&json, "forest", stats->forest);
    if (facts->structure) {
        cli_json_real(&json, "transitivity", facts->transitivity);
        cli_json_flag(&json, "bipartite", facts->bipartite > 0);
        if (stats->directed)
            cli_json_flag(&json, "acyclic", facts->acyclic > 0);
    }
    cli_json_count(&json, "components", stats->components);
    cli_json_count(&json, "largest_component", stats->largest_component);
    cli_json_count(&json, "estimated_diameter", stats->estimated_diameter);
    cli_json_count(&json, "bytes_csr", stats->bytes_csr);
    json_histogram(&json, stats);
    cli_json_object(&json, "phases");
    cli_json_seconds(&json, "load", facts->load_seconds);
    cli_json_seconds(&json, "stats", facts->stats_seconds);
    cli_json_end(&json);
    cli_json_end(&json);
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

/* A figure of an algorithm's report; NaN: it has none of that name. */
static heddle_status figure_of(cli_session *session, const heddle_graph *graph, const char *algorithm, const char *name,
                               double *value) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    *value = NAN;
    heddle_status status = heddle_run(session->context, graph, &options, &result);
    const heddle_report *report = status == HEDDLE_OK ? heddle_result_report(result) : NULL;
    for (uint32_t i = 0; report && i < report->figure_count; i++)
        if (!strcmp(report->figures[i].name, name))
            *value = report->figures[i].value;
    heddle_result_destroy(&result);
    return status;
}

/* Pairs of distinct neighbours of a vertex, over all vertices of an undirected graph, whose rows are sorted. */
static heddle_status count_pairs(cli_session *session, const heddle_graph *graph, double *pairs) {
    heddle_adjacency rows;
    heddle_status status = heddle_graph_out(session->context, graph, &rows);
    for (uint64_t v = 0; status == HEDDLE_OK && v < heddle_graph_vertices(graph); v++) {
        double near = 0;
        for (uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
            near += rows.targets[e] != v && (e == rows.offsets[v] || rows.targets[e] != rows.targets[e - 1]);
        *pairs += near * (near - 1) / 2;
    }
    return status;
}

static heddle_status find_structure(cli_session *session, const heddle_graph *graph, info_facts *facts) {
    double triangles = 0, pairs = 0;
    facts->structure = true;
    facts->transitivity = facts->acyclic = NAN;
    heddle_status status = figure_of(session, graph, "bipartite", "bipartite", &facts->bipartite);
    if (status == HEDDLE_OK && !facts->stats.directed)
        status = figure_of(session, graph, "tc", "triangles", &triangles);
    if (status == HEDDLE_OK && !facts->stats.directed)
        status = count_pairs(session, graph, &pairs);
    if (status == HEDDLE_OK && !facts->stats.directed)
        facts->transitivity = pairs > 0 ? 3 * triangles / pairs : 0;
    if (status == HEDDLE_OK && facts->stats.directed)
        status = figure_of(session, graph, "toposort", "acyclic", &facts->acyclic);
    return status;
}

static int run(cli_session *session, void *opaque) {
    const info_settings *settings = opaque;
    info_facts facts = {.path = session->arguments.operands[0], .stats.size = sizeof facts.stats};
    heddle_graph *graph = NULL;
    if (cli_page_check(session, settings->report))
        return CLI_EXIT_USAGE;
    heddle_status status = cli_load(session, facts.path, &settings->load, &graph, &facts.load_seconds);
    if (status == HEDDLE_OK) {
        double start = cli_clock();
        status = heddle_graph_stats(session->context, graph, &facts.stats);
        if (status == HEDDLE_OK && settings->structure)
            status = find_structure(session, graph, &facts);
        facts.stats_seconds = cli_clock() - start;
    }
    int exit_status = 0;
    if (status != HEDDLE_OK) {
        exit_status = cli_fail(session, status);
    } else {
        cli_progress_clear();
        facts.graph = graph;
        if (settings->report)
            exit_status = cli_write_info_page(session, &facts, settings->report);
        cli_progress_clear();
        if (!exit_status)
            (settings->common.json ? print_json : print_text)(&facts);
    }
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_option options[] = {
    CLI_FLAG("structure", 0, 1, info_settings, structure,
             "also transitivity, and whether the graph is bipartite and acyclic: an algorithm each"),
    CLI_REPORT_OPTION(info_settings, report),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    {"Report", options, 0},
    CLI_READ_GROUP(info_settings, load),
    CLI_BUILD_GROUP(info_settings, load.build),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_info = {
    .name = "info",
    .hints = CLI_WORDS("stats", "statistics", "describe", "show"),
    .summary = "size, degrees, irregularity and components of a graph",
    .operands = "GRAPH",
    .about = "Reads a graph and describes it: its size, its weights, the distribution of its out-degrees and how "
             "unevenly (Gini index), its weakly connected components, an estimate of its diameter without regard to "
             "direction ('heddle diameter' computes it, along the edges' direction), and the memory it takes.\n\n"
             "GRAPH is a file in any format that 'heddle help formats' lists, plain or compressed (.gz, .zst, .bz2, "
             ".xz), or - for standard input. Edge lists are read as directed; --undirected "
             "makes the graph undirected. An undirected edge is stored as two arcs.",
    .examples = "heddle info wiki-Vote.txt.gz\n"
                "heddle info roads.gr --json | python3 -m json.tool\n"
                "heddle info facebook_combined.txt --symmetrize --dedup\n"
                "zcat data.csv.gz | heddle info - --weight-column none",
    .groups = groups,
    .settings_size = sizeof(info_settings),
    .defaults = defaults,
    .run = run,
};
