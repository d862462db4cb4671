/* estimate.h - estimated time of a round over all edges under a schedule, from its steps and transactions
 * (efficiency.h), for a GPU like that of bench/notes. Good for ranking schedules and for an order of magnitude
 * only. */
#ifndef HD_PLAN_ESTIMATE_H
#define HD_PLAN_ESTIMATE_H

#include "schedule/efficiency.h"

/* Seconds. `transactions`: per edge; `side`: lanes that share a row and then reduce their partial results. */
double hd_estimate_round(const hd_efficiency *efficiency, double transactions, uint32_t warp, uint32_t side);

#endif
