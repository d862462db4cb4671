/* The generator, the five rules and the statistics of heddle bench graph500: part of the command, so taken in whole. */
#include "support.h"

#include "../../cli/graph500/graph500.c"       /* NOLINT(bugprone-suspicious-include) */
#include "../../cli/graph500/graph500_check.c" /* NOLINT(bugprone-suspicious-include) */

#include <math.h>

/* A path 0 - 1 - 2 - 3 with a chord 0 - 2, a pair 4 - 5, a loop, and a vertex alone. */
static int64_t from[] = {0, 1, 2, 0, 4, 3}, to[] = {1, 2, 3, 2, 5, 3};
static const cli_g500 path = {.vertices = 7, .edges = 6, .from = from, .to = to};

/* Edges in two shares, as ranks have them; NULL: all rules hold. */
static const char *check_shares(const cli_g500_tree *tree, const cli_g500 *edges, uint64_t *traversed) {
    cli_g500 first = *edges, second = *edges;
    cli_g500_found found;
    assert_true(cli_g500_found_new(&found, edges->vertices));
    first.edges = 2;
    second.edges -= 2;
    second.from += 2;
    second.to += 2;
    if (edges->weights)
        second.weights += 2;
    cli_g500_rule whole = cli_g500_check(tree, edges, &found), rule = cli_g500_check_tree(tree, &found);
    if (rule == CLI_G500_HOLDS) {
        rule = cli_g500_check_edges(tree, &first, &found);
        cli_g500_rule other = cli_g500_check_edges(tree, &second, &found);
        rule = other > rule ? other : rule;
    }
    rule = rule == CLI_G500_HOLDS ? cli_g500_check_joined(tree, &found) : rule;
    assert_int_equal(rule, whole);
    *traversed = found.traversed;
    cli_g500_found_free(&found);
    return rule == CLI_G500_HOLDS ? NULL : cli_g500_rule_text(rule);
}

static const char *check(uint32_t root, const uint32_t *parents, uint64_t *traversed) {
    cli_g500_tree tree = {.vertices = 7, .root = root, .parents = parents, .threads = 2};
    return check_shares(&tree, &path, traversed);
}

static void right_trees(void **state) {
    const uint32_t none = UINT32_MAX;
    uint64_t traversed;
    (void)state;
    assert_null(check(0, (const uint32_t[]){none, 0, 0, 2, none, none, none}, &traversed));
    assert_int_equal(traversed, 5); /* with the loop */
    assert_null(check(0, (const uint32_t[]){0, 0, 0, 2, none, none, none}, &traversed));
    assert_null(check(5, (const uint32_t[]){none, none, none, none, 5, none, none}, &traversed));
    assert_int_equal(traversed, 1);
}

static void wrong_trees(void **state) {
    const uint32_t none = UINT32_MAX;
    const struct {
        uint32_t parents[7];
        const char *rule;
    } wrong[] = {
        {{1, 0, 0, 2, none, none, none}, "rule 1"},       /* the root has another parent */
        {{none, 2, 1, 2, none, none, none}, "rule 1"},    /* a cycle */
        {{none, 0, 0, 9, none, none, none}, "rule 1"},    /* a parent that is no vertex */
        {{none, 0, 0, 6, none, none, none}, "rule 1"},    /* a parent outside the tree */
        {{none, 0, 1, 2, none, none, none}, "rule 3"},    /* 0 - 2 spans two levels */
        {{none, 0, 0, none, none, none, none}, "rule 4"}, /* 3 was not found */
        {{none, 0, 0, 1, none, none, none}, "rule 5"},    /* no edge 1 - 3 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t traversed;
        const char *broken = check(0, wrong[i].parents, &traversed);
        assert_non_null(broken);
        assert_int_equal(strncmp(broken, wrong[i].rule, strlen(wrong[i].rule)), 0);
    }
}

static const char *check_paths(const uint32_t *parents, const float *distances) {
    static float weights[] = {0.5f, 0.25f, 0.125f, 0.875f, 0.5f, 0.5f};
    cli_g500_tree tree = {.vertices = 7, .parents = parents, .distances = distances, .threads = 2};
    cli_g500 weighted = path;
    uint64_t traversed;
    weighted.weights = weights;
    return check_shares(&tree, &weighted, &traversed);
}

/* Trees of shortest paths from 0: to 2 by way of 1, which is nearer than the chord. */
static void trees_of_paths(void **state) {
    const uint32_t none = UINT32_MAX;
    const float inf = INFINITY;
    const struct {
        uint32_t parents[7];
        float distances[7];
        const char *rule;
    } cases[] = {
        {{none, 0, 1, 2, none, none, none}, {0, 0.5f, 0.75f, 0.875f, inf, inf, inf}, NULL},
        {{none, 2, 1, 2, none, none, none}, {0, 0.5f, 0.75f, 0.875f, inf, inf, inf}, "rule 1"},
        {{none, 0, 1, 2, none, none, none}, {1, 0.5f, 0.75f, 0.875f, inf, inf, inf}, "rule 2"},
        {{none, 0, 1, 2, none, none, none}, {0, 0.5f, inf, inf, inf, inf, inf}, "rule 3"},
        {{none, 0, 0, 2, none, none, none}, {0, 0.5f, 0.875f, 1, inf, inf, inf}, "rule 3"},
        {{none, 0, 1, none, none, none, none}, {0, 0.5f, 0.75f, inf, inf, inf, inf}, "rule 4"},
        {{none, 0, 1, 0, none, none, none}, {0, 0.5f, 0.75f, 0.875f, inf, inf, inf}, "rule 5"},
        {{none, 0, 1, 2, none, none, none}, {0, 0, 0, 0, inf, inf, inf}, "rule 5"},
        {{none, 0, 1, 2, none, none, none}, {0, 0.5f, 0.75f, 0.875f, 7, inf, inf}, "rule 4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *broken = check_paths(cases[i].parents, cases[i].distances);
        assert_true((broken != NULL) == (cases[i].rule != NULL));
        if (broken)
            assert_int_equal(strncmp(broken, cases[i].rule, 6), 0);
    }
}

/* The shares of quadrants show in the first bits of ends before they are permuted: here, in degrees. Parts of the list
 * are drawn apart, as ranks do. */
static void edges_and_keys(void **state) {
    enum { PARTS = 3, VERTICES = 1024 };
    cli_g500 graph, part;
    uint32_t keys[CLI_G500_SEARCHES];
    uint64_t most = 0, loops = 0, at = 0, degrees[VERTICES] = {0}, offsets[VERTICES + 1] = {0};
    (void)state;
    assert_true(cli_g500_generate(10, CLI_G500_FACTOR, 7, 0, 1, 1, &graph));
    assert_int_equal(graph.edges, 16384);
    for (int p = 0; p < PARTS; p++) {
        assert_true(cli_g500_generate(10, CLI_G500_FACTOR, 7, p, PARTS, 2, &part));
        assert_int_equal(part.edges, cli_g500_share(graph.edges, p, PARTS));
        assert_memory_equal(graph.from + at, part.from, part.edges * sizeof *part.from);
        assert_memory_equal(graph.to + at, part.to, part.edges * sizeof *part.to);
        assert_memory_equal(graph.weights + at, part.weights, part.edges * sizeof *part.weights);
        at += part.edges;
        cli_g500_free(&part);
    }
    assert_int_equal(at, graph.edges);
    for (uint64_t i = 0; i < graph.edges; i++) {
        assert_true(graph.from[i] >= 0 && graph.from[i] < VERTICES && graph.to[i] >= 0 && graph.to[i] < VERTICES);
        loops += graph.from[i] == graph.to[i];
        degrees[graph.from[i]] += graph.from[i] != graph.to[i];
        degrees[graph.to[i]] += graph.from[i] != graph.to[i];
    }
    for (uint64_t v = 0; v < VERTICES; v++) {
        offsets[v + 1] = offsets[v] + degrees[v];
        most = degrees[v] > most ? degrees[v] : most;
    }
    assert_int_equal(offsets[VERTICES], 2 * (graph.edges - loops));
    assert_true(most > 20 * offsets[VERTICES] / VERTICES); /* skewed: (A + B)^10 n, some 30 times the mean */
    assert_int_equal(cli_g500_keys(offsets, VERTICES, 1, CLI_G500_SEARCHES, keys), CLI_G500_SEARCHES);
    for (int i = 0; i < CLI_G500_SEARCHES; i++) {
        assert_true(degrees[keys[i]] > 0);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(keys[i], keys[k]);
    }
    cli_g500_free(&graph);
}

static void statistics(void **state) {
    double numbers[] = {4, 1, 2};
    (void)state;
    cli_g500_stats s = cli_g500_summarise(numbers, 3);
    assert_true(s.least == 1 && s.first_quartile == 1.5 && s.median == 2 && s.third_quartile == 3 && s.most == 4);
    assert_true(fabs(s.mean - 7.0 / 3) < 1e-12 && fabs(s.deviation - sqrt(7.0 / 3)) < 1e-12);
    assert_true(fabs(s.harmonic_mean - 12.0 / 7) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_trees),    cmocka_unit_test(wrong_trees), cmocka_unit_test(trees_of_paths),
        cmocka_unit_test(edges_and_keys), cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
