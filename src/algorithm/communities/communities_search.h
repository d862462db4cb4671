/* communities_search.h - louvain and leiden on threads: what communities.c (levels), communities_sweep.c (moving and
 * refining) and communities_aggregate.c (the next level) share.
 *
 * Every sum is made of whole numbers, and every decision depends only on what was there before its phase began: results
 * are the same for any number of threads. */
#ifndef HD_ALGORITHM_SHARED_COMMUNITIES_SEARCH_H
#define HD_ALGORITHM_SHARED_COMMUNITIES_SEARCH_H

#include "algorithm/communities/communities.h"
#include "algorithm/communities/label_sums.h"

/* Entries of a community that one thread adds up, at most, on a level of so many: a 256th of them, within bounds. The
 * tables of threads have room for them. */
static inline uint64_t hd_search_most(uint64_t entries) {
    enum { SHARE = 256, FEWEST = 1 << 15, MOST = 1 << 18 };
    uint64_t share = entries / SHARE;
    return share < FEWEST ? FEWEST : share < MOST ? share : MOST;
}

typedef struct hd_search {
    heddle_context *ctx;
    const heddle_run_options *options;
    bool refine;
    bool one_by_one;       /* vertices move one after the other, whatever the size of the level */
    uint64_t vertices;     /* of the first level */
    hd_level first, later; /* `first` stays until the end */
    const hd_level *graph; /* of this level: one of those */
    hd_whole_scale scale;
    double all, least; /* 2m / resolution; the smallest gain that counts: of whole numbers */
    uint32_t *member;  /* per vertex of the first level: its vertex at this one */
    uint32_t *part;    /* per vertex of the level: its community */
    uint32_t *inner;   /* refine: its part of the community */
    uint64_t *total;   /* per community, or part of one while communities are refined: ends */
    uint32_t *size;    /* likewise: vertices */
    uint32_t *next;    /* per vertex: where it goes */
    uint8_t *marks;    /* per vertex: to be looked at */
    uint32_t *list;    /* those of a sweep; vertices by community */
    uint64_t *places;  /* vertices + 2 */
    hd_label_sums *sums;
    uint64_t sums_room; /* slots of each thread's table */
    uint64_t levels;
} hd_search;

/* Gives every thread a table for so many labels. */
heddle_status hd_search_sums(hd_search *s, uint64_t labels);
void hd_search_sums_close(hd_search *s);

/* Ends and sizes of communities: total[c] and size[c] for all labels below graph->n. */
void hd_search_totals(hd_search *s, const uint32_t *label);
/* Moves vertices between the communities in s->part until a sweep gains less than `tolerance` of modularity. */
heddle_status hd_search_move(hd_search *s, double tolerance, uint64_t *moved);
/* Fills s->inner: parts of the communities in s->part. */
heddle_status hd_search_refine(hd_search *s);
/* s->graph becomes the graph of communities or their parts, s->part the communities in which these begin. `merged`:
 * false if that is the same graph; s->part is still changed to numbers from 0. */
heddle_status hd_search_aggregate(hd_search *s, bool *merged);

#endif
