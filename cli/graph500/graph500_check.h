/* graph500_check.h - the five rules by which the Graph500 benchmark checks a search, after its specification. */
#ifndef CLI_GRAPH500_CHECK_H
#define CLI_GRAPH500_CHECK_H

#include "graph500/graph500.h"

/* A tree as a search returns it. */
typedef struct cli_g500_tree {
    uint64_t vertices;
    uint32_t root;
    const uint32_t *parents; /* UINT32_MAX where there is none; the root's may be itself */
    const float
        *distances; /* kernel 3: from the root, infinite outside the tree, sums in single precision; else NULL */
    int threads;    /* that check it */
} cli_g500_tree;

/* Which rule does not hold. Later ones are reported first. */
typedef enum cli_g500_rule {
    CLI_G500_HOLDS,
    CLI_G500_ROOT,
    CLI_G500_CYCLE,
    CLI_G500_ROOT_AWAY,
    CLI_G500_NO_DISTANCE,
    CLI_G500_APART,
    CLI_G500_TOO_FAR,
    CLI_G500_SPAN,
    CLI_G500_STRAY,
    CLI_G500_UNJOINED,
    CLI_G500_UNJOINED_BY_WEIGHT
} cli_g500_rule;

/* The state of a check. */
typedef struct cli_g500_found {
    uint64_t vertices;
    uint32_t *levels;   /* of the tree */
    uint64_t *joined;   /* a bit for each vertex that has an edge to its parent */
    uint64_t traversed; /* edges of the root's component */
} cli_g500_found;

/* False: out of memory. Freed by cli_g500_found_free in any case. */
bool cli_g500_found_new(cli_g500_found *found, uint64_t vertices);
void cli_g500_found_free(cli_g500_found *found);
uint64_t cli_g500_joined_words(uint64_t vertices); /* of `joined` */

/* The three steps of a check, in this order. The second may be done for shares of the edges apart: `joined` is then the
 * union, `traversed` the sum. */
cli_g500_rule cli_g500_check_tree(const cli_g500_tree *tree, cli_g500_found *found);
cli_g500_rule cli_g500_check_edges(const cli_g500_tree *tree, const cli_g500 *edges, cli_g500_found *found);
cli_g500_rule cli_g500_check_joined(const cli_g500_tree *tree, const cli_g500_found *found);
/* All of them. */
cli_g500_rule cli_g500_check(const cli_g500_tree *tree, const cli_g500 *edges, cli_g500_found *found);

const char *cli_g500_rule_text(cli_g500_rule rule);

#endif
