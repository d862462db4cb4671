/* patience.h - a rank that waits for long says which others it waits for: one that was stopped (SIGSTOP, a debugger),
 * or whose machine hangs, neither fails nor ends.
 *
 * Ranks that wait report so to rank 0, repeatedly; those that have not are the ones that all wait for. Rank 0 names
 * them after a time, later after twice that time, and so on. Rank 1 speaks where rank 0 is stopped on the same machine.
 */
#ifndef HD_EXCHANGE_PATIENCE_H
#define HD_EXCHANGE_PATIENCE_H

#include "exchange/peers.h"

struct hd_link;

typedef struct hd_patience {
    double limit;  /* seconds until rank 0 speaks */
    double *heard; /* of each rank in the launch: when it last reported that it waits; 0: never */
    uint32_t size;
} hd_patience;

/* One wait; zeroed when it begins. */
typedef struct hd_wait {
    double since, speaks, reports; /* when it began, and what is due next; 0: not known yet */
} hd_wait;

/* HEDDLE_RANK_SECONDS in the environment is the limit (default: 30). */
heddle_status hd_patience_open(heddle_context *ctx, uint32_t size, hd_patience *patience);
void hd_patience_close(heddle_context *ctx, hd_patience *patience);
void hd_patience_heard(hd_patience *patience, uint32_t rank);
/* Called now and then while a rank waits; `asleep`: for those that compute for it. Notes go to the link's context.
 * True: this rank has to report to rank 0 that it waits. */
bool hd_patience_look(hd_patience *patience, const struct hd_link *link, const hd_peers *peers, bool asleep,
                      hd_wait *wait);

#endif
