/* sssp_width.c - see sssp_width.h. */
#include "algorithm/sssp/sssp_width.h"

#include "base/parallel.h"
#include "engine/weight_check.h"

#include <math.h>

enum { SAMPLES = 2048 };

/* The mean out-degree of the vertices that edges lead to. Where few vertices have most of the edges, that is far above
 * the mean of all. */
static double degree_met(const heddle_graph *graph, const heddle_adjacency *out) {
    uint64_t count = graph->edges < SAMPLES ? graph->edges : SAMPLES;
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex v = out->targets[hd_split(graph->edges, count, i)];
        sum += (double)(out->offsets[v + 1] - out->offsets[v]);
    }
    return count ? sum / (double)count : 1;
}

/* The width of buckets, as a power of two. Buckets of as many edges, on average, as are best on road networks, uniform
 * and skewed graphs alike: the more edges a vertex has, the sooner one of them is the last of a shortest path. */
int hd_sssp_width(const heddle_graph *graph, const heddle_adjacency *out, double delta) {
    if (delta == 0) {
        double degree = graph->edges ? (double)graph->edges / (double)graph->vertices : 1;
        delta = 4 * hd_weights_mean(graph, out) / sqrt(degree * fmax(degree, degree_met(graph, out)));
    }
    double exponent = delta > 0 ? floor(log2(delta) + 0.5) : 0; /* infinite where the mean is */
    return (int)fmax(-1000, fmin(exponent, 1000));
}
