/* transform.c - heddle transform: splits a graph's vertices of many edges, and reports the cost and the effect. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "report.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { OUT_EDGES = 0, IN_EDGES = 1 };
enum { AS_IS = 0, ZERO, WIDEST };

typedef struct transform_settings {
    cli_common common;
    heddle_load_options load;
    heddle_save_options save;
    heddle_transform_options transform;
    int weights;
} transform_settings;

static void defaults(void *opaque) {
    transform_settings *settings = opaque;
    heddle_load_options_init(&settings->load);
    heddle_save_options_init(&settings->save);
    heddle_transform_options_init(&settings->transform);
}

/* ---- What people read ------------------------------------------------------------------------------------------- */

static void print_row(const char *name, const char *before, const char *after) {
    printf("%-22s %16s %16s\n", name, before, after);
}

static void print_counts(const char *name, uint64_t before, uint64_t after) {
    print_row(name, cli_grouped(before).text, cli_grouped(after).text);
}

static void print_histogram(const heddle_irregularity *before, const heddle_irregularity *after) {
    unsigned last = HEDDLE_HISTOGRAM_BINS;
    while (last && !before->histogram[last - 1] && !after->histogram[last - 1])
        last--;
    for (unsigned b = 0; b < last; b++) {
        char name[48];
        uint64_t low = b ? UINT64_C(1) << (b - 1) : 0, high = b ? (UINT64_C(1) << b) - 1 : 0;
        if (low == high)
            snprintf(name, sizeof name, "  degree %llu", (unsigned long long)low);
        else
            snprintf(name, sizeof name, "  degree %llu..%llu", (unsigned long long)low, (unsigned long long)high);
        print_counts(name, before->histogram[b], after->histogram[b]);
    }
}

static void print_report(const heddle_transform_report *r, int pull) {
    char before[32], after[32];
    printf("%s, K = %s, %s-edges: %s vertices split, %s new vertices, %s new edges, up to %lu hops, %s\n\n", r->name,
           cli_grouped(r->bound).text, pull ? "in" : "out", cli_grouped(r->families).text,
           cli_grouped(r->added_vertices).text, cli_grouped(r->added_edges).text, (unsigned long)r->height,
           cli_seconds(r->seconds).text);
    print_row("", "before", "after");
    print_counts("vertices", r->before.vertices, r->after.vertices);
    print_counts("edges", r->before.edges, r->after.edges);
    print_counts("largest degree", r->before.max_degree, r->after.max_degree);
    print_row("bytes", cli_bytes(r->before.bytes).text, cli_bytes(r->after.bytes).text);
    snprintf(after, sizeof after, "%.2f%%", 100 * (double)r->after.bytes / (double)r->before.bytes);
    print_row("space", "100%", after);
    snprintf(before, sizeof before, "%.1f%%", 100 * r->before.warp_efficiency);
    snprintf(after, sizeof after, "%.1f%%", 100 * r->after.warp_efficiency);
    print_row("warp efficiency", before, after);
    print_histogram(&r->before, &r->after);
    printf("\n");
    cli_wrap(stdout, r->advice, 0, 0, CLI_WIDTH);
}

/* ---- What scripts read ------------------------------------------------------------------------------------------ */

static void json_histogram(cli_json *json, const char *key, const heddle_irregularity *rows) {
    cli_json_array(json, key);
    for (unsigned b = 0; b < HEDDLE_HISTOGRAM_BINS; b++)
        cli_json_count(json, NULL, rows->histogram[b]);
    cli_json_end(json);
}

static void print_json(const char *input, const heddle_transform_report *r, int pull, double load,
                       const cli_transfer *transfer) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "input", input);
    cli_json_text(&json, "output", transfer->path);
    cli_json_text(&json, "transform", r->name);
    cli_json_count(&json, "K", r->bound);
    cli_json_text(&json, "direction", pull ? "pull" : "push");
    cli_json_count(&json, "families", r->families);
    cli_json_count(&json, "added_vertices", r->added_vertices);
    cli_json_count(&json, "added_edges", r->added_edges);
    cli_json_count(&json, "height", r->height);
    cli_json_real(&json, "mean_hops", r->hops);
    cli_json_graph(&json, transfer->graph);
    cli_json_count(&json, "bytes_before", r->before.bytes);
    cli_json_count(&json, "bytes_after", r->after.bytes);
    cli_json_count(&json, "max_degree_before", r->before.max_degree);
    cli_json_count(&json, "max_degree_after", r->after.max_degree);
    cli_json_real(&json, "warp_efficiency_before", r->before.warp_efficiency);
    cli_json_real(&json, "warp_efficiency_after", r->after.warp_efficiency);
    json_histogram(&json, "histogram_before", &r->before);
    json_histogram(&json, "histogram_after", &r->after);
    cli_json_real(&json, "mean_degree", r->before.mean_degree);
    cli_json_real(&json, "clustering", r->clustering);
    cli_json_flag(&json, "worth_it", r->worth);
    cli_json_text(&json, "advice", r->advice);
    cli_json_object(&json, "phases");
    cli_json_seconds(&json, "load", load);
    cli_json_seconds(&json, "transform", r->seconds);
    cli_json_seconds(&json, "write", transfer->write_seconds);
    cli_json_end(&json);
    cli_json_end(&json);
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

static bool known(const char *name) {
    for (size_t i = 0; heddle_transform_at(i); i++)
        if (strcmp(heddle_transform_at(i)->name, name) == 0)
            return true;
    return false;
}

static int unknown(const cli_session *session, const char *name) {
    char list[128] = "";
    size_t used = 0;
    for (size_t i = 0; heddle_transform_at(i); i++)
        cli_list_word(list, sizeof list, &used, heddle_transform_at(i)->name, !heddle_transform_at(i + 1));
    return cli_usage_error(session->command, "no transform '%s': expected %s", name, list);
}

static int run(cli_session *session, void *opaque) {
    const transform_settings *settings = opaque;
    heddle_transform_options options = settings->transform;
    const char *name = session->arguments.operands[0], *input = session->arguments.operands[1];
    cli_transfer transfer = {.path = session->arguments.operands[2], .before = "load"};
    heddle_graph *graph = NULL, *split = NULL;
    heddle_transform_report report = {.size = sizeof report};
    if (!known(name))
        return unknown(session, name);
    int exit_status = cli_check_output(session, transfer.path, &settings->save);
    if (exit_status)
        return exit_status;
    options.name = name;
    options.weigh = settings->weights != AS_IS;
    options.weight = settings->weights == WIDEST ? INFINITY : 0;
    heddle_status status = cli_load(session, input, &settings->load, &graph, &transfer.before_seconds);
    if (status == HEDDLE_OK)
        status = heddle_graph_transform(session->context, graph, &options, &split, &report);
    transfer.graph = split ? split : graph;
    if (status == HEDDLE_OK)
        status = cli_save(session, &transfer, &settings->save);
    if (status != HEDDLE_OK)
        exit_status = cli_fail(session, status);
    else if (settings->common.json)
        print_json(input, &report, options.pull, transfer.before_seconds, &transfer);
    else if (strcmp(transfer.path, "-") != 0 && !settings->common.quiet)
        print_report(&report, options.pull);
    heddle_graph_destroy(&split);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static void list_transforms(FILE *out) {
    fprintf(out, "Transforms:\n");
    for (size_t i = 0; heddle_transform_at(i); i++) {
        fprintf(out, "  %-7s ", heddle_transform_at(i)->name);
        cli_wrap(out, heddle_transform_at(i)->description, 10, 10, CLI_WIDTH);
    }
}

static const cli_choice directions[] = {{"push", OUT_EDGES}, {"pull", IN_EDGES}, {NULL, 0}};
static const cli_choice weights[] = {{"as-is", AS_IS}, {"zero", ZERO}, {"infinity", WIDEST}, {NULL, 0}};

static const cli_option own_options[] = {
    CLI_NUMBER("K", 'K', "N", cli_parse_count, 1, UINT32_MAX, transform_settings, transform.bound,
               "the most edges a vertex may keep; by default chosen from the largest degree"),
    CLI_CHOICE("direction", 0, "WAY", directions, transform_settings, transform.pull,
               "push shares out out-edges (default), pull in-edges"),
    CLI_VALUE("seed", 0, "N", cli_parse_u64, transform_settings, transform.seed,
              "cliq, circ: draws which vertex of a family gets an edge of the other direction (1)"),
    CLI_CHOICE("new-weights", 0, "W", weights, transform_settings, weights,
               "what new edges weigh: zero keeps distances, infinity (the largest number) keeps widths; other edges "
               "weigh 1 where the graph has no weights; as-is, the default, is zero where it has and none where not"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    {"Splitting", own_options, 0},
    CLI_READ_GROUP(transform_settings, load),
    CLI_BUILD_GROUP(transform_settings, load.build),
    CLI_SAVE_GROUP(transform_settings, save),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_transform = {
    .name = "transform",
    .hints = CLI_WORDS("split"),
    .summary = "split vertices of many edges",
    .operands = "NAME IN OUT",
    .about =
        "Splits every vertex of more than K edges of the graph IN into a family of vertices that share them out, and "
        "writes the graph to OUT. The graph's vertices keep their ids; new ones get ids above the largest, or the "
        "labels split:0, split:1 and so on. Ways between the graph's own vertices stay, and with new edges of "
        "weight 0 their lengths do.\n\n"
        "Tells the cost, in time and space, how even degrees are before and after, and whether it is worth it. To "
        "run an algorithm under a transform no file is needed: heddle sssp GRAPH --plan tigr-udt.",
    .examples = "heddle transform udt g.hdl g-udt.hdl\n"
                "heddle transform star g.hdl g-star.hdl --K 100 --direction pull\n"
                "heddle transform circ links.txt ring.wel --K 32 --new-weights zero --seed 7",
    .groups = groups,
    .settings_size = sizeof(transform_settings),
    .defaults = defaults,
    .more_help = list_transforms,
    .run = run,
};
