/* similar.h - shared by runs of similar on the CPU and on devices: scores of pairs, and the result's rows. */
#ifndef HD_ALGORITHM_SIMILAR_SIMILAR_H
#define HD_ALGORITHM_SIMILAR_SIMILAR_H

#include "algorithm/algorithm.h"
#include "algorithm/similar/best_pairs.h"
#include "engine/similarity.h"

/* The vertices to compare, and the results. */
typedef struct hd_similar {
    const hd_run *run;
    heddle_context *ctx;
    heddle_similarity measure;
    const uint64_t *offsets; /* the simple graph's rows */
    const heddle_vertex *targets;
    uint64_t vertices, longest;
    int scale;
    uint64_t *weights;    /* of vertices as common neighbours; NULL: all 1 */
    hd_best_pairs *lists; /* one for each source, or one for all pairs */
    uint64_t lists_count;
} hd_similar;

/* Options that contradict each other or the graph. */
heddle_status hd_similar_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);

/* Of a graph with these rows; lists are allocated unless pairs are given. Close it in any case. */
heddle_status hd_similar_open(const hd_run *run, const uint64_t *offsets, const heddle_vertex *targets, hd_similar *s);
void hd_similar_close(hd_similar *s);

static inline double hd_similar_score(const hd_similar *s, heddle_vertex a, heddle_vertex b, uint64_t sum) {
    return hd_similarity_score(s->measure, sum, s->offsets[a + 1] - s->offsets[a], s->offsets[b + 1] - s->offsets[b],
                               s->scale);
}

/* Whether lists may have the pair, by the options. */
bool hd_similar_is_wanted(const hd_similar *s, heddle_vertex a, heddle_vertex b);

/* The result's rows: the given pairs, whose scores are to be filled in, */
heddle_status hd_similar_rows(const hd_run *run, uint64_t count, double **scores);
/* or the pairs of all lists. */
heddle_status hd_similar_take_lists(hd_similar *s);
void hd_similar_figures(heddle_result *result);

/* Bytes of the options' lists. */
uint64_t hd_similar_lists_bytes(const hd_run *run);

heddle_status hd_device_similar(const hd_run *run);
heddle_status hd_similar_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
