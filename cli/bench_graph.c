/* bench_graph.c - graphs to measure on: files, or kinds with their size. Generated ones are symmetrised, without
 * duplicates and loops, with weights 1 .. 64 by a hash of the ends; with the ending -directed they stay as generated,
 * duplicates apart. */
#include "bench.h"

#include "common.h"
#include "report.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char directed_ending[] = "-directed";

/* True when the name is KIND:SIZE[-directed]. */
static bool parse_kind(const char *name, heddle_generate_options *options) {
    static const struct {
        const char *kind, *generator;
    } kinds[] = {{"rmat:", "rmat"}, {"uniform:", "uniform"}, {"road:", "road"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].kind);
        char *end;
        if (strncmp(name, kinds[i].kind, length))
            continue;
        unsigned long size = strtoul(name + length, &end, 10);
        bool directed = !strcmp(end, directed_ending);
        if (end == name + length || (*end && !directed) || size == 0 || size > 100000)
            return false;
        options->kind = kinds[i].generator;
        options->scale = (int)size;
        options->width = options->height = size;
        options->build.symmetrize = !directed;
        return true;
    }
    return false;
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
    if (!strncmp(graph->name, "road:", 5) || heddle_graph_out(session->context, graph->graph, &out) != HEDDLE_OK)
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
