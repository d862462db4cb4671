/* graph500.c - see graph500.h. The edge list is what the specification calls the input of kernel 1; edges are drawn
 * independently of each other, so that their order is random without being shuffled. */
#include "graph500/graph500.h"

#include <math.h>
#include <stdlib.h>

static const double a = 0.57, b = 0.19, c = 0.19;

/* A generator of 64-bit numbers with a state of 64 bits, a counter: Steele, Lea and Flood's SplitMix. */
#define STEP UINT64_C(0x9e3779b97f4a7c15)

static uint64_t next_word(uint64_t *state) {
    uint64_t z = *state += STEP;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t bound) {
    uint64_t word, least = -bound % bound; /* below it, a remainder would be more likely than others */
    do
        word = next_word(state);
    while (word < least);
    return word % bound;
}

static uint32_t threshold(double probability) { return (uint32_t)(probability * 4294967296.0); }

/* One descent through the quadrants of the matrix: the row's bit first, then the column's, given the row's. */
static void draw_edge(int scale, uint64_t *state, uint64_t *from, uint64_t *to) {
    uint32_t upper = threshold(a + b), left_above = threshold(a / (a + b)), left_below = threshold(c / (1 - a - b));
    *from = *to = 0;
    for (int level = 0; level < scale; level++) {
        uint64_t word = next_word(state);
        bool below_half = (uint32_t)word >= upper;
        bool right = (uint32_t)(word >> 32) >= (below_half ? left_below : left_above);
        *from = *from << 1 | below_half;
        *to = *to << 1 | right;
    }
}

static bool permute(uint64_t vertices, uint64_t *state, uint32_t **places) {
    *places = malloc(vertices * sizeof **places);
    if (!*places)
        return false;
    for (uint64_t v = 0; v < vertices; v++)
        (*places)[v] = (uint32_t)v;
    for (uint64_t v = vertices; v > 1; v--) {
        uint64_t other = below(state, v);
        uint32_t kept = (*places)[v - 1];
        (*places)[v - 1] = (*places)[other];
        (*places)[other] = kept;
    }
    return true;
}

static uint64_t share_begin(uint64_t edges, int part, int parts) {
    uint64_t each = edges / (uint64_t)parts, rest = edges % (uint64_t)parts;
    return each * (uint64_t)part + ((uint64_t)part < rest ? (uint64_t)part : rest);
}

/* A number of the edge's own, so that shares can be drawn apart. With 23 bits and a half it is exact. */
static float draw_weight(uint64_t seed, uint64_t edge) {
    uint64_t state = ~seed + edge * STEP;
    return ((float)(next_word(&state) >> 41) + 0.5f) * 0x1p-23f;
}

uint64_t cli_g500_share(uint64_t edges, int part, int parts) {
    return share_begin(edges, part + 1, parts) - share_begin(edges, part, parts);
}

bool cli_g500_generate(int scale, int factor, uint64_t seed, int part, int parts, int threads, cli_g500 *graph) {
    uint64_t n = UINT64_C(1) << scale, all = n * (uint64_t)factor, m = cli_g500_share(all, part, parts), state = seed;
    uint32_t *places = NULL;
    (void)threads; /* without OpenMP there is one */
    *graph = (cli_g500){.vertices = n, .edges = m};
    graph->from = malloc((m + 1) * sizeof *graph->from);
    graph->to = malloc((m + 1) * sizeof *graph->to);
    graph->weights = malloc((m + 1) * sizeof *graph->weights);
    if (!graph->from || !graph->to || !graph->weights || !permute(n, &state, &places))
        return false;
    uint64_t before = share_begin(all, part, parts);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t i = 0; i < m; i++) {
        uint64_t from, to, own = state + (before + i) * (uint64_t)scale * STEP; /* behind the words of earlier edges */
        draw_edge(scale, &own, &from, &to);
        graph->from[i] = places[from];
        graph->to[i] = places[to];
        graph->weights[i] = draw_weight(seed, before + i);
    }
    free(places);
    return true;
}

void cli_g500_free(cli_g500 *graph) {
    free(graph->from);
    free(graph->to);
    free(graph->weights);
    *graph = (cli_g500){.vertices = 0};
}

int cli_g500_keys(const uint64_t *offsets, uint64_t vertices, uint64_t seed, int count, uint32_t *keys) {
    uint64_t state = ~seed, able = 0;
    int found = 0;
    for (uint64_t v = 0; v < vertices; v++)
        able += offsets[v + 1] > offsets[v];
    if (able < (uint64_t)count)
        count = (int)able;
    while (found < count) {
        uint32_t key = (uint32_t)below(&state, vertices);
        bool known = offsets[key + 1] == offsets[key];
        for (int i = 0; i < found && !known; i++)
            known = keys[i] == key;
        if (!known)
            keys[found++] = key;
    }
    return found;
}

/* ---- Statistics ------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
    double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

/* The value at a share of the sorted series, between neighbours where it falls between them. */
static double quantile(const double *sorted, int count, double share) {
    double place = share * (count - 1);
    int low = (int)place;
    return low + 1 < count ? sorted[low] + (place - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

cli_g500_stats cli_g500_summarise(double *numbers, int count) {
    cli_g500_stats s = {.mean = 0};
    double inverse = 0, squares = 0, inverse_squares = 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    for (int i = 0; i < count; i++) {
        s.mean += numbers[i] / count;
        inverse += 1 / numbers[i] / count;
    }
    for (int i = 0; i < count; i++) {
        squares += (numbers[i] - s.mean) * (numbers[i] - s.mean);
        inverse_squares += (1 / numbers[i] - inverse) * (1 / numbers[i] - inverse);
    }
    s.least = numbers[0];
    s.first_quartile = quantile(numbers, count, 0.25);
    s.median = quantile(numbers, count, 0.5);
    s.third_quartile = quantile(numbers, count, 0.75);
    s.most = numbers[count - 1];
    s.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
    s.harmonic_mean = 1 / inverse;
    s.harmonic_deviation = count > 1 ? sqrt(inverse_squares) / (count - 1) * s.harmonic_mean * s.harmonic_mean : 0;
    return s;
}
