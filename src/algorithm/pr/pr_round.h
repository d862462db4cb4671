/* pr_round.h - one round of PageRank, over the edges in one of two layouts.
 *
 * Grouped: edges in blocks of targets (engine/cpu/blocked_edges.h). Needs no in-edges and does not depend on caches;
 * grouping costs as much as several rounds. Rows (pr_rows.h): every vertex sums its row of in-edges, with random
 * accesses to the shares. Faster while the shares fit in the caches or few rounds are needed, since there is little to
 * prepare. In both layouts sums are double, without atomics, and in an order that depends only on the graph and the
 * options.
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
    double sum;      /* of the new ranks; only in rounds of several waves */
} hd_rank_tally;

typedef struct hd_ranking {
    heddle_context *ctx;
    hd_rank_terms terms;
    uint64_t vertices;           /* that get ranks */
    hd_pr_rows rows;             /* in.offsets NULL: grouped */
    bool tried;                  /* rows pay off only if few rounds are left */
    bool even;                   /* rows are long and of similar length: the graph may be a random one */
    uint8_t *codes;              /* in a first round by rows, or NULL: u's share is coded[codes[u]], */
    double coded[HD_RANK_CODES]; /* for a code of out(u), which is smaller to read */
    hd_blocked blocked;
    bool single; /* float arrays; else double */
    double damping;
    uint64_t waves;    /* of this round */
    double scale;      /* x is this times the arrays' values, so that ranks add up to 1 after rounds of several waves */
    double was_scale;  /* the scale that the ranks before the round had, over this one */
    double spread;     /* (1 - d + d * D) / scale */
    double onward;     /* the new ranks are F(x) + onward * (F(x) - x of the previous round) */
    void *share;       /* x(u) / out(u) */
    void *other;       /* of the previous round, then of the next one */
    void *out;         /* out(u); -1 where it is 0: then the share, which no edge uses, is -x(u) */
    bool ahead;        /* `onward` may be nonzero; then both arrays exist from the start */
    bool differs;      /* some round was not one of the definition */
    bool plain;        /* rounds are those of the definition, from its start: one wave, no extrapolation */
    bool any_dangling; /* there are vertices without out-edges */
    double *tables;    /* grouped: one block's sums for each thread, then for each slot */
    uint64_t table_count;
    hd_rank_tally *tallies; /* one for each strip, then one for each group of them */
    uint64_t strips;
} hd_ranking;

/* Chooses rows, for which `in` must be given, or groups the edges of `out`. Allocates what the rounds need besides the
 * vectors. */
heddle_status hd_ranking_edges(hd_ranking *r, const heddle_adjacency *out, const heddle_adjacency *in,
                               uint64_t longest_row);
/* Groups the edges of `out`, rows of any number of sources; shares are those of the sources then, and r->vertices are
 * the targets. */
heddle_status hd_ranking_group(hd_ranking *r, uint64_t sources, const heddle_adjacency *out);
/* Between two rounds: groups the edges after all, if rows were tried and need more than a few rounds. */
heddle_status hd_ranking_regroup(hd_ranking *r);
/* One round, in r->waves waves. One wave: strict. Several: waves are processed one after the other, vertices in
 * ascending order, and each wave sees the results of those before it (block Gauss-Seidel); the result is the same for
 * any number of threads.
 *
 * Returns the change c, for which |x - F(x)| <= d * c holds afterwards. In one wave without `onward` that is the sum of
 * |x - x before|. In several waves, every new rank was computed from shares that are each new or old. Hence y, the
 * ranks before scaling, obeys |y - F(y)| <= d * |y - x before|. Dividing y by its sum s divides the residual, after
 * changing it by at most (1 - d) * |s - 1|. So c is (|y - x before| + (1 - d) / d * |s - 1|) / s. */
double hd_ranking_round(hd_ranking *r);
/* The first half of it: new shares in r->other (several waves: in r->share), and what they add up to. */
hd_rank_tally hd_ranking_waves(hd_ranking *r);
void hd_ranking_edges_free(hd_ranking *r);

/* Strips whose tallies are summed together. */
enum { HD_TALLY_GROUP = 256 };
static inline uint64_t hd_tally_groups(uint64_t strips) { return (strips + HD_TALLY_GROUP - 1) / HD_TALLY_GROUP; }

static inline size_t hd_rank_bytes(const hd_ranking *r) { return r->single ? sizeof(float) : sizeof(double); }

#endif
