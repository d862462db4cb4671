/* scc.h - declarations shared by the steps of strongly connected components.
 *
 * Each vertex has a class, and a flag once its component is known. No component crosses classes, so every step visits
 * only arcs between undecided vertices of one class.
 */
#ifndef HD_ALGORITHM_SCC_SCC_H
#define HD_ALGORITHM_SCC_SCC_H

#include "engine/cpu/flood_fill.h"

enum { HD_SCC_DECIDED = 0x80, HD_SCC_CLASS = 0x7f };

typedef struct hd_scc {
    heddle_context *ctx;
    uint64_t vertices;
    heddle_adjacency out, in;
    hd_flood flood;
    uint8_t *state;       /* class, | HD_SCC_DECIDED */
    heddle_vertex *label; /* of decided vertices */
    heddle_vertex *rest;  /* the undecided ones, ascending */
    uint64_t rest_count;
    uint32_t *scratch[2]; /* per vertex; each step uses them for its own purpose */
    uint8_t classes;      /* in use */
    uint8_t from, to;     /* states between which a search moves vertices */
} hd_scc;

/* Whether `to` is undecided and in the current or former class of `from`. */
static inline bool hd_scc_together(const hd_scc *scc, heddle_vertex from, heddle_vertex to) {
    return hd_load(&scc->state[to]) == (hd_load(&scc->state[from]) & HD_SCC_CLASS);
}

/* Decides v, with the given label; true for the one caller that found it undecided. */
static inline bool hd_scc_decide(hd_scc *scc, heddle_vertex v, heddle_vertex label) {
    if (hd_fetch_or(&scc->state[v], (uint8_t)HD_SCC_DECIDED) & HD_SCC_DECIDED)
        return false;
    scc->label[v] = label;
    return true;
}

/* Removes the decided vertices from `rest`. */
heddle_status hd_scc_shrink_rest(hd_scc *scc);

/* Moves all vertices in state `from` that are reached from the pivot along a side to state `to`. */
heddle_status hd_scc_reach(hd_scc *scc, int side, heddle_vertex pivot, uint8_t from, uint8_t to);

/* Repeatedly decides vertices that no other vertex of their class has an arc to, or that have an arc to no other. */
heddle_status hd_scc_trim(hd_scc *scc);
/* Decides what it can while visiting at most about `work` arcs. */
heddle_status hd_scc_color(hd_scc *scc, uint64_t work);
/* Decides all remaining vertices, on one thread, in linear time. */
heddle_status hd_scc_tarjan(hd_scc *scc);

#endif
