/* draw_coarsen.c - a smaller graph of the same shape: pairs of neighbours become one vertex each.
 *
 * Vertices choose in a random order, each the free neighbour that it shares most edges with, light ones first, so that
 * no vertex grows much faster than others. Around a hub most vertices find no free neighbour: those pair up with each
 * other, or a star would need as many levels as it has leaves.
 */
#include "draw/draw.h"

#include <stdlib.h>
#include <string.h>

enum { FREE = -1 }; /* as a uint32_t */

static uint64_t degree(const draw_graph *graph, uint32_t v) { return graph->offsets[v + 1] - graph->offsets[v]; }

/* Descending by what the edge weighs, ascending by the neighbour's degree. */
static uint32_t choose(const draw_graph *graph, uint32_t v, const uint32_t *mate) {
    uint32_t best = v;
    double best_score = 0;
    for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
        uint32_t u = graph->targets[e];
        double score = (graph->weights ? (double)graph->weights[e] : 1) / (double)degree(graph, u);
        if (mate[u] == (uint32_t)FREE && score > best_score) {
            best_score = score;
            best = u;
        }
    }
    return best;
}

/* Free neighbours of a hub, two by two. */
static void pair_around(const draw_graph *graph, uint32_t hub, uint32_t *mate) {
    uint32_t waiting = (uint32_t)FREE;
    for (uint64_t e = graph->offsets[hub]; e < graph->offsets[hub + 1]; e++) {
        uint32_t u = graph->targets[e];
        if (mate[u] != (uint32_t)FREE)
            continue;
        if (waiting == (uint32_t)FREE) {
            waiting = u;
        } else {
            mate[u] = waiting;
            mate[waiting] = u;
            waiting = (uint32_t)FREE;
        }
    }
}

/* A random permutation (Fisher and Yates). */
static void shuffle(uint32_t n, uint64_t seed, uint32_t *order) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (uint32_t)(draw_random(seed, i) % (i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

static uint32_t match(const draw_graph *graph, uint64_t seed, uint32_t *order, uint32_t *mate, uint32_t *parent) {
    uint32_t n = graph->n, count = 0;
    memset(mate, 0xff, (size_t)n * sizeof *mate);
    shuffle(n, seed, order);
    for (uint32_t i = 0; i < n; i++)
        if (mate[order[i]] == (uint32_t)FREE) {
            uint32_t other = choose(graph, order[i], mate);
            if (other != order[i]) {
                mate[order[i]] = other;
                mate[other] = order[i];
            }
        }
    for (uint32_t v = 0; v < n; v++)
        pair_around(graph, v, mate);
    for (uint32_t v = 0; v < n; v++)
        parent[v] = mate[v] != (uint32_t)FREE && mate[v] < v ? parent[mate[v]] : count++;
    return count;
}

/* Appends a fine vertex's arcs to the row of its coarse one; place[c]: where the arc to c is in this row. */
static uint64_t add_row(const draw_graph *fine, uint32_t v, const uint32_t *parent, uint64_t begin, uint64_t end,
                        draw_graph *coarse, uint64_t *place) {
    for (uint64_t e = fine->offsets[v]; e < fine->offsets[v + 1]; e++) {
        uint32_t target = parent[fine->targets[e]];
        float weight = fine->weights ? fine->weights[e] : 1;
        if (target == parent[v])
            continue;
        if (place[target] >= begin && place[target] < end && coarse->targets[place[target]] == target) {
            coarse->weights[place[target]] += weight;
        } else {
            place[target] = end;
            coarse->targets[end] = target;
            coarse->weights[end++] = weight;
        }
    }
    return end;
}

static bool contract(const draw_graph *fine, const uint32_t *parent, const uint32_t *mate, uint32_t count,
                     draw_graph *coarse) {
    uint64_t arcs = fine->offsets[fine->n], end = 0, *place = malloc(((size_t)count + 1) * sizeof *place);
    *coarse = (draw_graph){.n = count,
                           .offsets = malloc(((size_t)count + 1) * sizeof *coarse->offsets),
                           .targets = malloc((arcs + 1) * sizeof *coarse->targets),
                           .weights = malloc((arcs + 1) * sizeof *coarse->weights)};
    if (!place || !coarse->offsets || !coarse->targets || !coarse->weights) {
        free(place);
        draw_graph_free(coarse);
        return false;
    }
    memset(place, 0xff, (size_t)count * sizeof *place);
    coarse->offsets[0] = 0;
    for (uint32_t v = 0; v < fine->n; v++) {
        bool paired = mate[v] != (uint32_t)FREE;
        if (paired && mate[v] < v)
            continue; /* its mate's turn was its own */
        uint64_t begin = end;
        end = add_row(fine, v, parent, begin, end, coarse, place);
        if (paired)
            end = add_row(fine, mate[v], parent, begin, end, coarse, place);
        coarse->offsets[parent[v] + 1] = end;
    }
    free(place);
    return true;
}

bool draw_coarsen(const draw_graph *fine, uint64_t seed, draw_graph *coarse, uint32_t *parent) {
    uint32_t *order = malloc(((size_t)fine->n + 1) * sizeof *order);
    uint32_t *mate = malloc(((size_t)fine->n + 1) * sizeof *mate);
    bool done = order && mate;
    if (done) {
        uint32_t count = match(fine, seed, order, mate, parent);
        done = contract(fine, parent, mate, count, coarse);
    }
    free(order);
    free(mate);
    return done;
}
