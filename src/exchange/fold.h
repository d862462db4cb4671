/* fold.h - ranks of one machine become one process with the threads of all of them.
 *
 * Threads share a graph, ranks divide it and send each other messages about it: on one machine threads are faster, need
 * less memory, and can do all that one process can. So the first rank of each machine (or of each `most` of its ranks)
 * goes on alone, on the CPUs of all of them, and the others sleep until it has finished. While ranks are folded, a
 * context's link is that of the ranks that are left, or NULL where that is one.
 */
#ifndef HD_EXCHANGE_FOLD_H
#define HD_EXCHANGE_FOLD_H

#include "exchange/link.h"

typedef struct hd_fold {
    hd_link *whole;        /* the link of all ranks */
    uint32_t rank, size;   /* of this rank in it, and of it */
    uint32_t *leader;      /* of each rank: the one that computes for it, which may be itself */
    uint32_t *group, left; /* those that are left, and their number */
} hd_fold;

/* Collective: folds ranks of a machine, at most `most` into one (0: all). Without effect if no machine has several. */
heddle_status hd_fold_begin(heddle_context *ctx, uint32_t most);
/* Whether this rank sleeps. */
bool hd_fold_sleeps(const heddle_context *ctx);
/* Of the ranks that this one computes for: the i-th, in ascending order, itself first; false if there are fewer. */
bool hd_fold_member(const heddle_context *ctx, uint32_t i, uint32_t *rank);
/* Collective, of all ranks again: those that sleep wait here for the others. */
heddle_status hd_fold_end(heddle_context *ctx);
/* Before the context's link is closed, if the fold has not ended. */
void hd_fold_drop(heddle_context *ctx);

#endif
