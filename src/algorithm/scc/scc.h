/* scc.h - what the steps of the search for strongly connected components share.
 *
 * Each vertex has a class, and a mark once its component is known. No component reaches across classes, so every step
 * looks only at arcs between undecided vertices of one class.
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
    uint32_t *scratch[2]; /* per vertex; each step uses them as it likes */
    uint8_t classes;      /* in use */
    uint8_t from, to;     /* states that a search takes vertices from and to */
} hd_scc;

/* Whether `to` is undecided and of the class that `from` is or was of. */
static inline bool hd_scc_together(const hd_scc *scc, heddle_vertex from, heddle_vertex to) {
    return hd_load(&scc->state[to]) == (hd_load(&scc->state[from]) & HD_SCC_CLASS);
}

/* Makes v a component with the given label; true for the one caller that found it undecided. */
static inline bool hd_scc_decide(hd_scc *scc, heddle_vertex v, heddle_vertex label) {
    if (hd_fetch_or(&scc->state[v], (uint8_t)HD_SCC_DECIDED) & HD_SCC_DECIDED)
        return false;
    scc->label[v] = label;
    return true;
}

/* Takes the decided vertices out of `rest`. */
heddle_status hd_scc_shrink_rest(hd_scc *scc);

/* Takes all that can be reached from the pivot along a side, among the vertices in state `from`, to state `to`. */
heddle_status hd_scc_reach(hd_scc *scc, int side, heddle_vertex pivot, uint8_t from, uint8_t to);

/* Decides vertices that no other one of their class leads to, or that lead to no other; again and again. */
heddle_status hd_scc_trim(hd_scc *scc);
/* Decides what it can by looking at no more than about `work` arcs. */
heddle_status hd_scc_color(hd_scc *scc, uint64_t work);
/* Decides all that is left, on one thread, in linear time. */
heddle_status hd_scc_tarjan(hd_scc *scc);

#endif
