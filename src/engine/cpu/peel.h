/* peel.h - peeling: for k = 0, 1, 2 … the items that have k left are removed, and those that drop to k thereby, until
 * none is left. Cores peel vertices by their neighbours, trusses edges by their triangles.
 * Idea: Matula and Beck, 1983.
 *
 * Removed items go to one queue, in which each has a place once. Items added in one step are removed in the next, by
 * all threads, or by one if it is little, so that a long path takes no more steps of all threads than a short one.
 * Each level looks at the items that are left.
 */
#ifndef HD_ENGINE_CPU_PEEL_H
#define HD_ENGINE_CPU_PEEL_H

#include "base/parallel.h"
#include "engine/result.h"

enum { HD_PEEL_FOUND = 1 << 10 }; /* items that a thread collects before it adds them to the queue */

typedef struct hd_peel hd_peel;

/* Items that a thread has found, for a shared list. */
typedef struct hd_peel_finds {
    uint32_t *list, *place; /* place: of each item in the list, or NULL */
    uint64_t *count;
    bool alone; /* no other thread adds, or lowers what is left */
    uint32_t found;
    uint32_t items[HD_PEEL_FOUND];
} hd_peel_finds;

struct hd_peel {
    heddle_context *ctx;
    uint64_t items;
    /* Per item: what it has left, given; of one that is removed, the k at which it was. */
    uint32_t *left;
    /* Removes the item at place i of the queue: calls hd_peel_lower for those that have one less thereby. */
    void (*remove)(hd_peel *p, uint64_t i, uint32_t k, hd_peel_finds *next);
    void (*begin)(hd_peel *p); /* NULL, or called before each level: all queued items are removed */
    const char *kernel;        /* the name of its rounds */
    void *job;
    uint32_t *queue; /* all items, in the order of their removal */
    uint32_t *place; /* of each item there, UINT32_MAX while it has none: if `placed` */
    bool placed;
    uint32_t *rest, *spare;
    uint64_t queued, rest_count, spare_count;
};

void hd_peel_flush(hd_peel_finds *f);

static inline void hd_peel_find(hd_peel_finds *f, uint32_t item) {
    if (f->found == HD_PEEL_FOUND)
        hd_peel_flush(f);
    f->items[f->found++] = item;
}

/* An item that is not at k yet has one less. Two threads may lower one that is at k + 1 at the same time: the second
 * finds that it was too late and takes that back. */
static inline void hd_peel_lower(const hd_peel *p, uint32_t item, uint32_t k, hd_peel_finds *next) {
    if (hd_load(&p->left[item]) <= k)
        return;
    if (next->alone) {
        if (--p->left[item] == k)
            hd_peel_find(next, item);
        return;
    }
    uint32_t before = hd_fetch_add(&p->left[item], UINT32_MAX);
    if (before == k + 1)
        hd_peel_find(next, item);
    else if (before <= k)
        hd_fetch_add(&p->left[item], 1);
}

/* Allocates the lists, of fewer than 2^32 - 1 items: 12 bytes for each, 16 if `placed`. Close it in any case. */
heddle_status hd_peel_open(hd_peel *p);
/* Adds an iteration to the report for every k at which items are removed. */
heddle_status hd_peel_run(hd_peel *p, heddle_report *report);
void hd_peel_close(hd_peel *p);

#endif
