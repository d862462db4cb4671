/* scc_tarjan.c - the remaining strongly connected components, on one thread, in linear time.
 *
 * Tarjan's algorithm without recursion, in Pearce's form (2005): a vertex on the path holds the smallest number that it
 * is known to reach among undecided vertices, and is not put on a second stack until it is finished. Once decided, its
 * number is larger than all others.
 */
#include "algorithm/scc/scc.h"

enum { LOOK = 1 << 16 }; /* steps between two checks of the cancel flag */

typedef struct search {
    hd_scc *scc;
    uint32_t *number;    /* scratch */
    heddle_vertex *path; /* from the root of the search to the current vertex, */
    uint64_t *arc;       /* the next arc of each, */
    uint32_t *own;       /* and the number that each got first */
    heddle_vertex *open; /* finished vertices whose component is not complete */
    uint64_t depth, opened;
    uint32_t seen;
    bool whole; /* nothing was decided before, so numbers are sufficient */
} search;

static inline void enter(search *s, heddle_vertex v) {
    s->path[s->depth] = v;
    s->arc[s->depth] = s->scc->out.offsets[v];
    s->own[s->depth++] = s->number[v] = ++s->seen;
}

static inline void decide(search *s, heddle_vertex v, heddle_vertex label) {
    s->scc->state[v] |= HD_SCC_DECIDED;
    s->scc->label[v] = label;
    s->number[v] = UINT32_MAX;
}

/* v is the root of its component, which is v and the vertices opened after it. */
static void complete(search *s, heddle_vertex v, uint32_t own) {
    uint64_t from = s->opened;
    heddle_vertex least = v;
    while (from > 0 && s->number[s->open[from - 1]] >= own) {
        from--;
        least = s->open[from] < least ? s->open[from] : least;
    }
    decide(s, v, least);
    while (s->opened > from)
        decide(s, s->open[--s->opened], least);
}

static inline void leave(search *s) {
    heddle_vertex v = s->path[--s->depth];
    if (s->number[v] == s->own[s->depth])
        complete(s, v, s->own[s->depth]);
    else
        s->open[s->opened++] = v;
    if (s->depth && s->number[v] < s->number[s->path[s->depth - 1]])
        s->number[s->path[s->depth - 1]] = s->number[v];
}

static bool search_from(search *s, heddle_vertex root) {
    const hd_scc *scc = s->scc;
    uint64_t steps = 0;
    enter(s, root);
    while (s->depth) {
        heddle_vertex v = s->path[s->depth - 1];
        uint64_t e = s->arc[s->depth - 1], end = scc->out.offsets[v + 1];
        uint32_t lowest = s->number[v];
        heddle_vertex next = v;
        if (++steps % LOOK == 0 && hd_advance(scc->ctx, LOOK))
            return false;
        for (; e < end && next == v; e++) {
            heddle_vertex w = scc->out.targets[e];
            if (!s->whole && !hd_scc_together(scc, v, w))
                continue;
            if (s->number[w] == 0)
                next = w;
            else if (s->number[w] < lowest)
                lowest = s->number[w];
        }
        s->number[v] = lowest;
        s->arc[s->depth - 1] = e;
        if (next != v)
            enter(s, next);
        else
            leave(s);
    }
    return true;
}

heddle_status hd_scc_tarjan(hd_scc *scc) {
    const heddle_allocator *allocator = &scc->ctx->allocator;
    uint64_t count = scc->rest_count;
    search s = {.scc = scc, .number = scc->scratch[0], .open = scc->flood.frontier.items};
    s.whole = count == scc->vertices && scc->classes == 1;
    heddle_status status;
    HD_CHECK(HD_NEW(scc->ctx, &s.path, count, "search path"));
    HD_CHECK(HD_NEW(scc->ctx, &s.arc, count, "search path"));
    HD_CHECK(HD_NEW(scc->ctx, &s.own, count, "search path"));
    for (uint64_t i = 0; i < count; i++)
        s.number[scc->rest[i]] = 0;
    for (uint64_t i = 0; i < count; i++)
        if (s.number[scc->rest[i]] == 0 && !search_from(&s, scc->rest[i]))
            break;
    status = hd_cancelled_status(scc->ctx);
out:
    HD_DELETE(allocator, s.path, count);
    HD_DELETE(allocator, s.arc, count);
    HD_DELETE(allocator, s.own, count);
    return status;
}
