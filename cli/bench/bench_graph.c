/* bench_graph.c - graphs to measure on: files, or kinds with their size. Generated ones are symmetrised, without
 * duplicates and loops, with weights 1 .. 64 by a hash of the ends; with the ending -directed they stay as generated,
 * duplicates apart. */
#include "bench/bench.h"

#include "common.h"
#include "report.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char directed_ending[] = "-directed";

/* The kind of KIND:…; NULL: a file. */
static const heddle_generator_info *kind_of(const char *name) {
    const heddle_generator_info *info;
    size_t length = strcspn(name, ":");
    for (size_t i = 0; (info = heddle_generator_at(i)); i++)
        if (name[length] && strlen(info->kind) == length && !memcmp(info->kind, name, length))
            break;
    return info;
}

/* True when the name is KIND:SIZE[-directed]. The size is the scale, or else the width and height, or else the number
 * of vertices, as the kind has it. */
static bool parse_kind(const char *name, heddle_generate_options *options) {
    const heddle_generator_info *info = kind_of(name);
    if (!info)
        return false;
    const char *digits = name + strlen(info->kind) + 1;
    char *end;
    unsigned long size = strtoul(digits, &end, 10);
    bool directed = !strcmp(end, directed_ending);
    if (end == digits || (*end && !directed) || size == 0 || size > 100000)
        return false;
    options->kind = info->kind;
    options->scale = (int)size;
    options->width = options->height = size;
    if (!cli_has_word(info->options, "scale") && !cli_has_word(info->options, "width"))
        options->vertices = size;
    options->build.symmetrize = !directed;
    return true;
}

static heddle_status generate(cli_session *session, const char *name, uint64_t seed, heddle_graph **graph) {
    heddle_generate_options options;
    heddle_generate_options_init(&options);
    parse_kind(name, &options);
    options.weighted = 1;
    options.seed = seed;
    options.build.duplicates = HEDDLE_DUPLICATES_MIN;
    options.build.drop_loops = 1;
    return heddle_graph_generate(session->context, &options, graph);
}

static heddle_vertex find_source(cli_session *session, const bench_graph *graph) {
    heddle_adjacency out;
    uint64_t most = 0;
    heddle_vertex best = 0;
    const heddle_generator_info *kind = kind_of(graph->name);
    bool flat = kind && cli_has_word(kind->options, "width"); /* no vertex of a grid stands out */
    if (flat || heddle_graph_out(session->context, graph->graph, &out) != HEDDLE_OK)
        return 0;
    for (uint64_t v = 0; v < heddle_graph_vertices(graph->graph); v++)
        if (out.offsets[v + 1] - out.offsets[v] > most) {
            most = out.offsets[v + 1] - out.offsets[v];
            best = (heddle_vertex)v;
        }
    return best;
}

int bench_graph_open(cli_session *session, const char *name, uint64_t seed, bench_graph *graph) {
    heddle_generate_options probe;
    heddle_load_options load;
    double start = cli_clock();
    heddle_generate_options_init(&probe);
    heddle_load_options_init(&load);
    *graph = (bench_graph){.name = name};
    heddle_status status = parse_kind(name, &probe) ? generate(session, name, seed, &graph->graph)
                                                    : heddle_graph_load(session->context, name, &load, &graph->graph);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    graph->seconds = cli_clock() - start;
    graph->source = find_source(session, graph);
    return 0;
}

void bench_graph_close(bench_graph *graph) { heddle_graph_destroy(&graph->graph); }
