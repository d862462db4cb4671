/* cpu_copies.h - merging the values of vertices and their copies, between rounds (graffix/coalesce.c). */
#ifndef HD_ENGINE_CPU_CPU_COPIES_H
#define HD_ENGINE_CPU_CPU_COPIES_H

#include "engine/cpu/cpu_engine.h"

/* Whether values are merged after this round, counted from 1. */
static inline bool hd_copies_due(const hd_engine *e, uint64_t round) {
    return e->setup->copies && e->setup->every && round % e->setup->every == 0;
}

/* After a round of a monotone program: merges values if it is time, and appends the copies that have changed to the
 * frontier. True: a copy differs from its vertex, and will be merged later. */
bool hd_copies_merge_frontier(hd_engine *e, bool due);
/* After a strict round of a program that adds up: copies get their vertices' values if it is time, else their own of
 * the round before. */
void hd_copies_merge_sums(hd_engine *e, bool due);
/* At the end of a run. */
void hd_copies_merge_last(hd_engine *e);

#endif
