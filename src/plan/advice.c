/* advice.c - see advice.h. */
#include "plan/advice.h"

#include "base/parallel.h"
#include "base/random.h"
#include "schedule/efficiency.h"

#include <stdio.h>

enum { SAMPLES = 8192 };

/* Thresholds of the rules in docs/transforms.md. */
static const double hop_cost = 2.0 / 3; /* relative growth of the number of rounds per added hop, on average */
static const double least_gain = 1.1;   /* gain in warp efficiency that is required after that */
static const double even = 0.5;         /* from this warp efficiency on, degrees count as even */
static const double most_space = 1.25;  /* largest size, as a multiple of the graph's */

static unsigned bin_of(uint64_t degree) { return degree ? 64 - (unsigned)__builtin_clzll(degree) : 0; }

static heddle_status rows_of(heddle_context *ctx, const heddle_graph *graph, bool pull, heddle_adjacency *rows) {
    return pull ? heddle_graph_in(ctx, graph, rows) : heddle_graph_out(ctx, graph, rows);
}

heddle_status hd_irregularity_of(heddle_context *ctx, const heddle_graph *graph, bool pull,
                                 heddle_irregularity *irregularity) {
    uint64_t n = graph->vertices, most = 0, bins[HEDDLE_HISTOGRAM_BINS] = {0};
    heddle_adjacency rows;
    hd_efficiency efficiency;
    hd_plan plan = {.schedule = &hd_schedule_thread, .warp = 32};
    HD_TRY(rows_of(ctx, graph, pull, &rows));
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) reduction(+ : bins[:HEDDLE_HISTOGRAM_BINS]))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = rows.offsets[v + 1] - rows.offsets[v];
        unsigned bin = bin_of(degree);
        most = degree > most ? degree : most;
        bins[bin < HEDDLE_HISTOGRAM_BINS ? bin : HEDDLE_HISTOGRAM_BINS - 1]++;
    }
    HD_TRY(hd_efficiency_of(ctx, &(hd_row_offsets){n, rows.offsets, NULL}, &plan, 0, &efficiency));
    *irregularity =
        (heddle_irregularity){.vertices = n,
                              .edges = graph->edges,
                              .max_degree = most,
                              .mean_degree = n ? (double)graph->edges / (double)n : 0,
                              .warp_efficiency = hd_efficiency_share(&efficiency),
                              .bytes = (n + 1) * 8 + graph->edges * (4 + hd_weight_size(graph->weight_type))};
    for (unsigned b = 0; b < HEDDLE_HISTOGRAM_BINS; b++)
        irregularity->histogram[b] = bins[b];
    return HEDDLE_OK;
}

static bool has_edge(const heddle_adjacency *rows, heddle_vertex from, heddle_vertex to) {
    uint64_t low = rows->offsets[from], high = rows->offsets[from + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->targets[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->offsets[from + 1] && rows->targets[low] == to;
}

heddle_status hd_clustering_of(heddle_context *ctx, const heddle_graph *graph, bool pull, double *clustering) {
    heddle_adjacency rows;
    uint64_t samples = 0, closed = 0;
    *clustering = 0;
    HD_TRY(rows_of(ctx, graph, pull, &rows));
    for (uint64_t i = 0; graph->vertices && i < 8 * SAMPLES && samples < SAMPLES; i++) {
        uint64_t v = hd_below(hd_random(1, 3 * i), graph->vertices), degree = rows.offsets[v + 1] - rows.offsets[v];
        if (degree < 2)
            continue;
        uint64_t first = hd_below(hd_random(1, 3 * i + 1), degree),
                 second = hd_below(hd_random(1, 3 * i + 2), degree - 1);
        heddle_vertex a = rows.targets[rows.offsets[v] + first],
                      b = rows.targets[rows.offsets[v] + second + (second >= first)];
        samples++;
        closed += a != b && a != v && b != v && (has_edge(&rows, a, b) || has_edge(&rows, b, a));
    }
    *clustering = samples ? (double)closed / (double)samples : 0;
    return HEDDLE_OK;
}

void hd_transform_advise(heddle_transform_report *r) {
    double before = r->before.warp_efficiency, after = r->after.warp_efficiency, rounds = 1 + hop_cost * r->hops;
    double space = (double)r->after.bytes / (double)r->before.bytes;
    char *text = r->advice;
    size_t size = sizeof r->advice;
    r->worth = r->families && space <= most_space && after >= least_gain * rounds * before;
    if (!r->families)
        snprintf(text, size, "not worth it: no vertex has more than K = %llu edges", (unsigned long long)r->bound);
    else if (r->worth)
        snprintf(
            text, size,
            "worth it against one lane for each vertex: the largest degree is %.0f times the mean, %.0f%% of lanes "
            "have an edge instead of %.0f%%, and there are about %.1f times the rounds; schedule=vnode splits without "
            "hops",
            (double)r->before.max_degree / r->before.mean_degree, 100 * after, 100 * before, rounds);
    else if (space > most_space)
        snprintf(text, size, "not worth it: the graph grows to %.0f%%: take a larger K, or udt", 100 * space);
    else if (before >= even)
        snprintf(
            text, size,
            "not worth it: degrees are even, %.0f%% of lanes have an edge already (%.0f%% after), and there are about "
            "%.1f times the rounds",
            100 * before, 100 * after, rounds);
    else
        snprintf(text, size,
                 "not worth it: %.0f%% of lanes have an edge, %.0f%% before, and there are about %.1f times the "
                 "rounds: take "
                 "%s K",
                 100 * after, 100 * before, rounds, after < even ? "a smaller" : "a larger");
}
