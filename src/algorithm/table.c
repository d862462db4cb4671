/* table.c - the algorithms there are, in the order in which the help shows them. */
#include "algorithm/algorithm.h"

#include <string.h>

/* One line each. */
#define ALGORITHMS(X) \
    X(bfs)            \
    X(sssp)           \
    X(sswp)           \
    X(cc)             \
    X(pr)             \
    X(bc)             \
    X(closeness)      \
    X(harmonic)       \
    X(eccentricity)   \
    X(eigenvector)    \
    X(katz)           \
    X(hits)           \
    X(degree)         \
    X(scc)            \
    X(mst)            \
    X(bridges)        \
    X(articulation)   \
    X(biconnected)    \
    X(bipartite)      \
    X(toposort)       \
    X(tc)             \
    X(lcc)            \
    X(similar)        \
    X(kcore)          \
    X(truss)          \
    X(cdlp)           \
    X(lpa)            \
    X(louvain)        \
    X(leiden)         \
    X(walks)          \
    X(hs)             \
    X(cs)             \
    X(nn)

#define DECLARE(name) extern const hd_algorithm hd_algorithm_##name;
ALGORITHMS(DECLARE)

#define ENTER(name) &hd_algorithm_##name,
static const hd_algorithm *const algorithms[] = {ALGORITHMS(ENTER)};

const hd_algorithm *hd_algorithm_at(size_t index) {
    return index < sizeof algorithms / sizeof *algorithms ? algorithms[index] : NULL;
}

const hd_algorithm *hd_algorithm_find(const char *name) {
    const hd_algorithm *each;
    for (size_t i = 0; name && (each = hd_algorithm_at(i)); i++)
        if (strcmp(each->info.name, name) == 0)
            return each;
    return NULL;
}

const hd_algorithm *hd_algorithm_of(const heddle_run_options *options) {
    return options->program ? &hd_user_program : hd_algorithm_find(options->algorithm);
}

bool hd_algorithm_in_double(const hd_algorithm *algorithm, const heddle_graph *graph,
                            const heddle_run_options *options) {
    bool large = hd_weight_size(graph->weight_type) == 8, requested = options->precision == HEDDLE_PRECISION_DOUBLE;
    switch (algorithm->doubles) {
    case HD_DOUBLES_REAL: return requested || (large && options->precision == HEDDLE_PRECISION_DEFAULT);
    case HD_DOUBLES_SUMS:
        return large || (graph->weight_type == HEDDLE_WEIGHT_F32 && options->precision != HEDDLE_PRECISION_SINGLE);
    case HD_DOUBLES_WIDTHS: return graph->weight_type != HEDDLE_WEIGHT_F32;
    case HD_DOUBLES_ALWAYS: return true;
    default: return requested;
    }
}

const heddle_algorithm_info *heddle_algorithm_at(size_t index) {
    const hd_algorithm *found = hd_algorithm_at(index);
    return found ? &found->info : NULL;
}
