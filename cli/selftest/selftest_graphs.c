/* selftest_graphs.c - small difficult graphs: empty ones, loops, parallel edges, one vertex with all the edges … */
#include "selftest/selftest.h"

#include <string.h>

enum { SCALE = 8, MOST_ARCS = 64 };

/* Arcs written down: pairs of ends, then -1. Weights follow from the arc's number. */
typedef struct drawn {
    const char *name;
    uint64_t vertices;
    int symmetrize;
    int64_t ends[2 * MOST_ARCS + 1];
} drawn;

static const drawn by_hand[] = {
    {"empty", 0, 0, {-1}},
    {"one-vertex", 1, 0, {-1}},
    {"one-loop", 1, 0, {0, 0, -1}},
    {"no-edges", 40, 0, {-1}},
    {"loops", 6, 0, {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 0, 4, 4, 5, 5, -1}},
    {"parallel", 5, 0, {0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 2, 3, 2, 3, 2, 3, 3, 4, 3, 4, 4, 0, 4, 0, -1}},
    {"isolated", 70, 1, {3, 17, 17, 31, 31, 32, 32, 33, 33, 65, 65, 3, 64, 65, -1}},
    {"disconnected", 12, 1, {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 6, 7, 8, 9, 9, 10, 10, 8, -1}},
    {"cycles", 9, 0, {0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 4, 5, 5, 3, 6, 7, 7, 6, 7, 8, -1}},
};

typedef struct made {
    const char *name, *kind;
    uint64_t vertices;
    int symmetrize, weighted, real;
} made;

static const made by_rule[] = {
    {"star", "star", 300, 0, 1, 0},
    {"star-both", "star", 300, 1, 1, 0},
    {"path", "path", 70, 0, 1, 0},
    {"clique", "clique", 33, 0, 1, 0},
    {"rmat", "rmat", 0, 0, 1, 0},
    {"rmat-undirected", "rmat", 0, 1, 1, 0},
    {"rmat-unweighted", "rmat", 0, 0, 0, 0},
    {"rmat-real", "rmat", 0, 0, 1, 1},
};

enum { HAND = sizeof by_hand / sizeof *by_hand, RULE = sizeof by_rule / sizeof *by_rule };

_Static_assert(HAND + RULE == CLI_SELFTEST_GRAPHS, "count the graphs");

static heddle_status draw(heddle_context *context, const drawn *this, heddle_graph **graph) {
    int64_t from[MOST_ARCS], to[MOST_ARCS];
    uint32_t weights[MOST_ARCS];
    uint64_t count = 0;
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = this->symmetrize;
    for (; this->ends[2 * count] >= 0; count++) {
        from[count] = this->ends[2 * count];
        to[count] = this->ends[2 * count + 1];
        weights[count] = (uint32_t)(1 + count * 7 % 13);
    }
    return heddle_graph_from_edges(context, this->vertices, count, from, to, weights, HEDDLE_WEIGHT_U32, &options,
                                   graph);
}

static heddle_status make(heddle_context *context, const made *this, heddle_graph **graph) {
    heddle_generate_options options;
    heddle_generate_options_init(&options);
    options.kind = this->kind;
    options.scale = SCALE;
    options.vertices = this->vertices;
    options.build.symmetrize = this->symmetrize;
    options.weighted = this->weighted;
    options.weight_real = this->real;
    return heddle_graph_generate(context, &options, graph);
}

const char *cli_selftest_graph_name(size_t index) {
    return index < HAND ? by_hand[index].name : index < HAND + RULE ? by_rule[index - HAND].name : NULL;
}

bool cli_selftest_graph_quick(size_t index) {
    static const char *const names[] = {"empty",    "one-vertex", "loops", "parallel",
                                        "isolated", "star",       "rmat",  "rmat-undirected"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], cli_selftest_graph_name(index)))
            return true;
    return false;
}

heddle_status cli_selftest_graph(heddle_context *context, size_t index, heddle_graph **graph) {
    return index < HAND ? draw(context, &by_hand[index], graph) : make(context, &by_rule[index - HAND], graph);
}
