/* pr_round.h - one round of PageRank, by either of two ways over the edges.
 *
 * Grouped: edges in blocks of targets (engine/cpu/blocked_edges.h). Needs no in-edges and no caches; making the groups
 * costs as much as several rounds. Rows (pr_rows.h): every vertex adds up its row of in-edges, a random access to the
 * shares; ahead while the caches hold them or few rounds are needed, since there is little to make. Either way sums are
 * double, without atomics, and in an order that depends on the graph and the options alone.
 */
#ifndef HD_ALGORITHM_PR_PR_ROUND_H
#define HD_ALGORITHM_PR_PR_ROUND_H

#include "algorithm/pr/pr_rows.h"
#include "engine/cpu/blocked_edges.h"
#include "engine/rank_options.h"

enum { HD_RANK_CODES = 256 };

typedef struct hd_rank_tally {
    double change;   /* sum of |F(x) - x| */
    double dangling; /* sum of the new ranks of vertices without out-edges */
    double sum;      /* of the new ranks; in rounds of several waves only */
} hd_rank_tally;

typedef struct hd_ranking {
    heddle_context *ctx;
    hd_rank_terms terms;
    uint64_t vertices;
    hd_rank_rows rows; /* in.offsets NULL: grouped */
    bool tried;        /* rows pay only if few rounds are left */
    bool even;         /* rows are long, and none is much longer than the average: the graph may be a random one */
    uint8_t *codes;    /* in a first round by rows, or NULL: u's share is coded[codes[u]] … */
    double coded[HD_RANK_CODES]; /* … for a code of out(u), so that less is to be read */
    hd_blocked blocked;
    bool single; /* float arrays; else double */
    double damping;
    uint64_t waves; /* of this round */
    double scale;   /* x is this times what the arrays hold, so that ranks add up to 1 after rounds of several waves */
    double spread;  /* (1 - d + d * D) / scale */
    double onward;  /* the new ranks are F(x) + onward * (F(x) - x of the round before) */
    void *share;    /* x(u) / out(u) */
    void *other;    /* of the round before, then of the next one */
    void *out;      /* out(u); -1 where it is 0: such a vertex's share, which no edge takes, is -x(u) */
    bool ahead;     /* `onward` may be other than 0; then both are there from the start */
    bool differs;   /* some round was not one of the definition's */
    bool plain;     /* rounds are those of the definition, from its start: one wave, and not onward */
    bool any_dangling; /* there are such vertices */
    double *tables;    /* grouped: one block's sums for each thread, then for each slot */
    uint64_t table_count;
    hd_rank_tally *tallies; /* one for each strip, then one for each group of them */
    uint64_t strips;
} hd_ranking;

/* Chooses rows, for which `in` has to be given, or groups the edges of `out`. Allocates what the rounds need beside the
 * vectors. */
heddle_status hd_ranking_edges(hd_ranking *r, const heddle_adjacency *out, const heddle_adjacency *in,
                               uint64_t longest_row);
/* Between two rounds, by rows that were tried and need more than a few: groups the edges after all. */
heddle_status hd_ranking_regroup(hd_ranking *r);
/* One round, in so many waves. One: strict. Several: the vertices of one wave after the other, in ascending order, and
 * each wave sees what those before it have found (block Gauss-Seidel), which is the same for any number of threads.
 *
 * Returns the change c, for which |x - F(x)| <= d * c holds afterwards. In one wave without `onward` that is the sum of
 * |x - x before|. In several, every new rank was computed from shares of which each is the new or the old one, hence
 * y, the ranks before they are scaled, obeys |y - F(y)| <= d * |y - x before|; to divide y by its
 * sum s divides the residual, which it moves by at most (1 - d) * |s - 1| before; so that c is
 * (|y - x before| + (1 - d) / d * |s - 1|) / s. */
double hd_ranking_round(hd_ranking *r);
void hd_ranking_edges_free(hd_ranking *r);

/* Strips whose tallies are added up together. */
enum { HD_TALLY_GROUP = 256 };
static inline uint64_t hd_tally_groups(uint64_t strips) { return (strips + HD_TALLY_GROUP - 1) / HD_TALLY_GROUP; }

static inline size_t hd_rank_bytes(const hd_ranking *r) { return r->single ? sizeof(float) : sizeof(double); }

#endif
