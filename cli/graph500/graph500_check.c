/* graph500_check.c - see graph500_check.h. */
#include "graph500/graph500_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In place of levels: outside the tree; not known yet. */
#define NONE UINT32_MAX
#define OPEN (UINT32_MAX - 1)

/* Threads read and write levels, bits and verdicts side by side; all write the same. */
#define LOAD(place) __atomic_load_n(place, __ATOMIC_RELAXED)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELAXED)

uint64_t cli_g500_joined_words(uint64_t vertices) { return vertices / 64 + 1; }

bool cli_g500_found_new(cli_g500_found *found, uint64_t vertices) {
    *found = (cli_g500_found){.vertices = vertices};
    found->levels = malloc((vertices + 1) * sizeof *found->levels);
    found->joined = malloc(cli_g500_joined_words(vertices) * sizeof *found->joined);
    return found->levels && found->joined;
}

void cli_g500_found_free(cli_g500_found *found) {
    free(found->levels);
    free(found->joined);
    *found = (cli_g500_found){.vertices = 0};
}

/* The level of v and of all between it and a vertex whose level is known, by following parents up to that one, then
 * down the same way. False: the way leads out of the tree, or never ends. */
static bool find_level(const cli_g500_tree *tree, uint32_t *levels, uint32_t v) {
    uint64_t steps = 0;
    uint32_t at = v, level;
    while ((level = LOAD(&levels[at])) == OPEN) {
        at = tree->parents[at];
        if (at >= tree->vertices || ++steps > tree->vertices)
            return false;
    }
    if (level == NONE)
        return false;
    for (at = v; steps; at = tree->parents[at], steps--)
        STORE(&levels[at], level + (uint32_t)steps);
    return true;
}

/* False: there is a cycle, or a parent is outside the tree. */
static bool find_levels(const cli_g500_tree *tree, uint32_t *levels) {
    bool wrong = false;
#pragma omp parallel for num_threads(tree->threads) schedule(static)
    for (uint64_t v = 0; v < tree->vertices; v++)
        levels[v] = tree->parents[v] != NONE ? OPEN : NONE;
    levels[tree->root] = 0;
#pragma omp parallel for num_threads(tree->threads) schedule(dynamic, 4096)
    for (uint64_t v = 0; v < tree->vertices; v++)
        if (LOAD(&levels[v]) == OPEN && !LOAD(&wrong) && !find_level(tree, levels, (uint32_t)v))
            STORE(&wrong, true);
    return !wrong;
}

cli_g500_rule cli_g500_check_tree(const cli_g500_tree *tree, cli_g500_found *found) {
    uint32_t above = tree->parents[tree->root];
    found->traversed = 0;
    memset(found->joined, 0, cli_g500_joined_words(found->vertices) * sizeof *found->joined);
    if (above != NONE && above != tree->root)
        return CLI_G500_ROOT;
    if (!find_levels(tree, found->levels))
        return CLI_G500_CYCLE;
    return tree->distances && tree->distances[tree->root] != 0 ? CLI_G500_ROOT_AWAY : CLI_G500_HOLDS;
}

static void mark_joined(uint64_t *joined, uint32_t v) {
    uint64_t bit = UINT64_C(1) << v % 64;
    if (!(LOAD(&joined[v / 64]) & bit))
        __atomic_fetch_or(&joined[v / 64], bit, __ATOMIC_RELAXED);
}

/* Whether the edge is the one by which v hangs on u: kernel 3's has the weight by which they differ. */
static bool hangs_on(const cli_g500_tree *tree, uint32_t v, uint32_t u, float weight) {
    return tree->parents[v] == u && (!tree->distances || tree->distances[v] == tree->distances[u] + weight);
}

/* Distances along the tree are sums of its edges; that none is longer than another path is seen here. */
static bool too_far(const cli_g500_tree *tree, uint32_t near, uint32_t far, float weight) {
    return tree->distances[far] > tree->distances[near] + weight;
}

static cli_g500_rule check_edge(const cli_g500_tree *tree, cli_g500_found *found, uint32_t u, uint32_t v,
                                float weight) {
    uint32_t left = found->levels[u], right = found->levels[v];
    if ((left == NONE) != (right == NONE))
        return CLI_G500_SPAN;
    if (left == NONE)
        return CLI_G500_HOLDS;
    if (hangs_on(tree, u, v, weight))
        mark_joined(found->joined, u);
    if (hangs_on(tree, v, u, weight))
        mark_joined(found->joined, v);
    if (tree->distances)
        return too_far(tree, u, v, weight) || too_far(tree, v, u, weight) ? CLI_G500_TOO_FAR : CLI_G500_HOLDS;
    return left > right + 1 || right > left + 1 ? CLI_G500_APART : CLI_G500_HOLDS;
}

cli_g500_rule cli_g500_check_edges(const cli_g500_tree *tree, const cli_g500 *edges, cli_g500_found *found) {
    uint64_t traversed = 0;
    unsigned worst = CLI_G500_HOLDS;
#pragma omp parallel for num_threads(tree->threads) schedule(static) reduction(+ : traversed) reduction(max : worst)
    for (uint64_t i = 0; i < edges->edges; i++) {
        uint32_t u = (uint32_t)edges->from[i], v = (uint32_t)edges->to[i];
        unsigned rule = check_edge(tree, found, u, v, tree->distances ? edges->weights[i] : 0);
        worst = rule > worst ? rule : worst;
        traversed += found->levels[u] != NONE;
    }
    found->traversed += traversed;
    return (cli_g500_rule)worst;
}

static cli_g500_rule check_vertex(const cli_g500_tree *tree, const cli_g500_found *found, uint64_t v) {
    bool inside = found->levels[v] != NONE, finite = !tree->distances || isfinite(tree->distances[v]);
    if (!inside)
        return tree->distances && finite ? CLI_G500_STRAY : CLI_G500_HOLDS;
    if (!finite)
        return CLI_G500_NO_DISTANCE;
    if (v == tree->root || found->joined[v / 64] >> v % 64 & 1)
        return CLI_G500_HOLDS;
    return tree->distances ? CLI_G500_UNJOINED_BY_WEIGHT : CLI_G500_UNJOINED;
}

cli_g500_rule cli_g500_check_joined(const cli_g500_tree *tree, const cli_g500_found *found) {
    unsigned worst = CLI_G500_HOLDS;
#pragma omp parallel for num_threads(tree->threads) schedule(static) reduction(max : worst)
    for (uint64_t v = 0; v < tree->vertices; v++) {
        unsigned rule = check_vertex(tree, found, v);
        worst = rule > worst ? rule : worst;
    }
    return (cli_g500_rule)worst;
}

cli_g500_rule cli_g500_check(const cli_g500_tree *tree, const cli_g500 *edges, cli_g500_found *found) {
    cli_g500_rule rule = cli_g500_check_tree(tree, found);
    if (rule == CLI_G500_HOLDS)
        rule = cli_g500_check_edges(tree, edges, found);
    return rule == CLI_G500_HOLDS ? cli_g500_check_joined(tree, found) : rule;
}

/* Rule 2 of kernel 2, that a vertex is one level below its parent, holds by the way levels are found. */
const char *cli_g500_rule_text(cli_g500_rule rule) {
    switch (rule) {
    case CLI_G500_HOLDS: break;
    case CLI_G500_ROOT: return "rule 1: the root has no parent but itself";
    case CLI_G500_CYCLE: return "rule 1: the tree has no cycles";
    case CLI_G500_ROOT_AWAY: return "rule 2: the root's distance is 0";
    case CLI_G500_NO_DISTANCE: return "rule 2: a vertex of the tree has a distance";
    case CLI_G500_APART: return "rule 3: the ends of an edge are at most one level apart";
    case CLI_G500_TOO_FAR: return "rule 3: the distances of the ends of an edge differ by its weight at most";
    case CLI_G500_SPAN: return "rule 4: the tree spans the whole component of the root";
    case CLI_G500_STRAY: return "rule 4: a vertex outside the tree has no distance";
    case CLI_G500_UNJOINED: return "rule 5: a vertex and its parent are joined by an edge";
    case CLI_G500_UNJOINED_BY_WEIGHT:
        return "rule 5: a vertex is further away than its parent by the weight of an edge that joins them";
    }
    return "no rule";
}
