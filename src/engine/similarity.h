/* similarity.h - how similar two vertices are, from the common entries of their rows: the definitions, which runs on
 * all devices, references and validators share. Rows are those of the simple undirected graph underneath.
 *
 * A common neighbour w adds 1, or, for Adamic and Adar's measure, 1 / log(degree of w), or, for resource allocation,
 * 1 / degree. Fractions are counted in whole units of 2^-scale, so that sums do not depend on their order and are the
 * same everywhere. The scale depends on the longest row alone: no sum reaches 2^63.
 * Zhou, Lü and Zhang, "Predicting missing links via local information", 2009.
 * Adamic and Adar, "Friends and neighbors on the Web", 2003.
 */
#ifndef HD_ENGINE_SIMILARITY_H
#define HD_ENGINE_SIMILARITY_H

#include "heddle.h"

#include <math.h>
#include <stdbool.h>

enum { HD_SIMILAR_TOP = 10 }; /* pairs, unless the caller requests another number */

static inline bool hd_similarity_weighs(heddle_similarity measure) {
    return measure == HEDDLE_SIMILARITY_ADAMIC_ADAR || measure == HEDDLE_SIMILARITY_RESOURCES;
}

/* 1 / log(2), the most that a neighbour adds, is below 2. */
static inline int hd_similarity_scale(uint64_t longest) {
    int scale = 62;
    for (; longest; longest /= 2)
        scale--;
    return scale < 52 ? scale : 52;
}

/* The contribution of a common neighbour of this degree, at least 1; those of one neighbour are no common ones. */
static inline uint64_t hd_similarity_weight(heddle_similarity measure, uint64_t degree, int scale) {
    double divisor = measure == HEDDLE_SIMILARITY_RESOURCES ? (double)degree : log((double)degree);
    return degree < 2 ? 1 : (uint64_t)(ldexp(1 / divisor, scale) + 0.5);
}

/* From the sum over the common neighbours, and the degrees of the two; 0 without common neighbours, but for
 * preferential attachment. */
static inline double hd_similarity_score(heddle_similarity measure, uint64_t sum, uint64_t a, uint64_t b, int scale) {
    if (measure == HEDDLE_SIMILARITY_ATTACHMENT)
        return (double)a * (double)b;
    if (!sum)
        return 0;
    switch (measure) {
    case HEDDLE_SIMILARITY_OVERLAP: return (double)sum / (double)(a < b ? a : b);
    case HEDDLE_SIMILARITY_COSINE: return (double)sum / sqrt((double)a * (double)b);
    case HEDDLE_SIMILARITY_ADAMIC_ADAR:
    case HEDDLE_SIMILARITY_RESOURCES: return ldexp((double)sum, -scale);
    default: return (double)sum / (double)(a + b - sum); /* Jaccard */
    }
}

#endif
