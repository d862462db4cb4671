/* estimate.h - about how long a round over all edges takes under a schedule: from its steps and transactions
 * (efficiency.h), for a card such as the one that docs/performance.md has figures of. Good for an order of schedules
 * and a rough size, not for more. */
#ifndef HD_PLAN_ESTIMATE_H
#define HD_PLAN_ESTIMATE_H

#include "schedule/efficiency.h"

/* Seconds. `transactions`: of an edge; `side`: lanes that walk a row side by side, and then add up what they find. */
double hd_estimate_round(const hd_efficiency *efficiency, double transactions, uint32_t warp, uint32_t side);

#endif
