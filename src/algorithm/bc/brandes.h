/* brandes.h - the dependencies of one source (Brandes: A faster algorithm for betweenness centrality, 2001).
 *
 * For a source s and a vertex v, sigma(v) counts the shortest paths from s to v, and the dependency delta(v) is the sum
 * over all t of the share of the shortest s-t paths that pass through v. With share(w) = (1 + delta(w)) / sigma(w),
 *     sigma(w) = sum of sigma(v) over in-neighbours v one level nearer,
 *     delta(v) = sigma(v) * sum of share(w) over out-neighbours w one level further.
 * Both are sums over a whole row without a test: while a level is summed forward, sigma is still 0 for every vertex of
 * this level and further ones, and no in-neighbour is more than one level nearer; backward, share is still 0 for every
 * vertex of this level and nearer ones, and no out-neighbour is more than one level further. A level's sums are set
 * aside until all are complete. Each sum has a fixed order, so the results do not depend on the number of threads.
 */
#ifndef HD_ALGORITHM_BC_BRANDES_H
#define HD_ALGORITHM_BC_BRANDES_H

#include "base/team.h"
#include "graph/graph.h"

typedef struct hd_brandes {
    heddle_context *ctx;
    heddle_adjacency out, in;
    uint64_t vertices, edges;
    bool team;             /* large levels run on all threads of the context; otherwise the caller alone works */
    double *sigma, *share; /* by vertex; all 0 between two sources */
    double *counts;        /* sigma again, by place in `order` */
    uint64_t *seen;        /* one bit per vertex: it is in `order`; all 0 between two sources */
    uint64_t *before;      /* `seen` before the current level, where that is needed */
    uint64_t *starts;      /* one bit per position in `order`: a level begins there */
    /* The results of a source, in memory of the caller: */
    heddle_vertex *order; /* the vertices reached, level by level, the source first */
    uint64_t reached;
    double *delta; /* their dependencies, by position */
    double *total; /* dependencies are also added here, by vertex; NULL: not */
    uint64_t levels;
    uint64_t begin, end;   /* positions of the current level */
    uint64_t cursor;       /* the next piece of it that no thread has taken */
    uint64_t walked;       /* edges, of all sources so far */
    uint64_t unreported;   /* the part of them not yet reported as progress */
    uint64_t shared_edges; /* the part of them in levels large enough for a team */
    /* Rows of very many edges in the current level, set aside so that all threads share them. */
    heddle_vertex *big;  /* vertices */
    uint64_t *big_place; /* their positions in `order`, if they have one */
    uint64_t *big_first; /* their first part among all parts; one more for the end */
    double *parts;       /* sums of the parts */
    uint64_t big_room, part_room, big_count;
    /* For many small levels in a row; brandes_narrow.c. */
    hd_team mates;
    heddle_vertex *mate_finds; /* NULL: no team */
    uint64_t mate_room;        /* finds for each thread */
    bool crowded;              /* the team was found not to be worthwhile */
    /* For path counts beyond the range of double: */
    int32_t *exponents;
    uint32_t *depths;
    bool failed; /* no memory for them */
} hd_brandes;

heddle_status hd_brandes_new(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                             const heddle_adjacency *in, bool team, hd_brandes *b);
void hd_brandes_free(hd_brandes *b);

/* Computes the dependencies of a source: order and delta, `reached` of them; the source's own is 0. What was
 * done is incomplete when the context was cancelled or `failed` is set. Work proportional to what is reached. */
void hd_brandes_source(hd_brandes *b, heddle_vertex source);
/* Must follow before the next source: makes the arrays 0 again where they were touched, using `order`. */
void hd_brandes_forget(hd_brandes *b);

/* ---- Inside -------------------------------------------------------------------------------------------------- */

enum {
    HD_BRANDES_SMALL = 1 << 13, /* levels of fewer edges run on one thread */
    HD_BRANDES_BIG = 1 << 15,   /* rows of more edges are summed in parts, which a team shares out */
    HD_BRANDES_PART = 1 << 13,
    HD_BRANDES_NARROW = 1 << 15, /* levels of fewer edges may run on threads that stay together over many levels */
    HD_BRANDES_UP = 4,           /* bottom-up if the level has more than 1/4 of the edges of all unseen vertices */
    HD_BRANDES_PER_EDGE = 16     /* and at least n/16 edges, because it visits all vertices */
};

/* Counts edges and reports progress now and then. True if the work was cancelled. */
bool hd_brandes_advance(hd_brandes *b, uint64_t edges);

/* Forward: levels and sigma. False if the counts within one level differ by more than a double can hold. */
bool hd_brandes_forward(hd_brandes *b, heddle_vertex source);
/* Backward: dependencies. */
void hd_brandes_backward(hd_brandes *b);
/* Both passes on one thread, with counts of any size. */
void hd_brandes_wide(hd_brandes *b, heddle_vertex source);

/* Whether the next level is found bottom-up. */
static inline bool hd_brandes_rises(const hd_brandes *b, uint64_t edges, uint64_t unseen) {
    return edges > unseen / HD_BRANDES_UP && edges > b->vertices / HD_BRANDES_PER_EDGE;
}

/* Many levels, forward or backward, while they are small and none is found bottom-up. Forward: the current level has
 * yet to be summed, on entry and on return; false if counts get out of range. Backward: takes and returns the end of
 * the last level that is not done yet. */
heddle_status hd_brandes_narrow_new(hd_brandes *b);
void hd_brandes_narrow_free(hd_brandes *b);
bool hd_brandes_narrow_pays(const hd_brandes *b, uint64_t edges);
bool hd_brandes_narrow_forward(hd_brandes *b, uint64_t *edges, uint64_t *unseen);
uint64_t hd_brandes_narrow_backward(hd_brandes *b, uint64_t end);

/* The exponent of the power of two by which a level is divided, given its least and largest sum. False if none brings
 * all its sums into range. */
bool hd_brandes_exponent(double least, double most, int *exponent);
/* Where the level that ends before `end` begins. */
uint64_t hd_brandes_begin(const hd_brandes *b, uint64_t end);

/* Facts of a level for the backward pass, stored in the level's first entry of `delta`: the exponent by
 * which it was divided, whether it is large enough for a team, and whether it is too large for one that stays
 * together. */
static inline double hd_level_word(int exponent, uint64_t edges) {
    return 4.0 * exponent + (edges >= HD_BRANDES_SMALL) + 2 * (edges >= HD_BRANDES_NARROW);
}
static inline int hd_level_exponent(double word) { return (int)word / 4; }
static inline bool hd_level_large(double word) { return (int)word % 2; }
static inline bool hd_level_wide(double word) { return (int)word / 2 % 2; }

/* The sum of x over targets[from .. to), part of a row that begins at `first`; parallel edges count once. */
static inline double hd_row_sum(const heddle_vertex *targets, uint64_t first, uint64_t from, uint64_t to,
                                const double *x) {
    double sums[4] = {0, 0, 0, 0};
    heddle_vertex last = from > first ? targets[from - 1] : UINT32_MAX;
    for (; from + 4 <= to; from += 4)
        for (int k = 0; k < 4; k++) {
            heddle_vertex t = targets[from + (uint64_t)k];
            sums[k] += t == last ? 0 : x[t];
            last = t;
        }
    for (; from < to; from++) {
        sums[0] += targets[from] == last ? 0 : x[targets[from]];
        last = targets[from];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* The same for a whole row; long rows part by part, as a team would sum them. */
static inline double hd_whole_row_sum(const heddle_adjacency *rows, uint64_t v, const double *x) {
    uint64_t first = rows->offsets[v], end = rows->offsets[v + 1];
    double sum = 0;
    if (end - first <= HD_BRANDES_BIG)
        return hd_row_sum(rows->targets, first, first, end, x);
    for (uint64_t k = first; k < end; k += HD_BRANDES_PART)
        sum += hd_row_sum(rows->targets, first, k, end - k < HD_BRANDES_PART ? end : k + HD_BRANDES_PART, x);
    return sum;
}

static inline uint64_t hd_row_length(const heddle_adjacency *rows, uint64_t v) {
    return rows->offsets[v + 1] - rows->offsets[v];
}

/* ---- Shared work ------------------------------------------------------------------------------------------------ */

/* Leaves a vertex to the whole team, with its position in `order`, if it has one. */
static inline void hd_brandes_defer(hd_brandes *b, heddle_vertex v, uint64_t place) {
    uint64_t k = hd_fetch_add(&b->big_count, 1);
    b->big[k] = v;
    b->big_place[k] = place;
}

/* Takes up to `most` pieces of work below `end`: *from .. *to; false if none are left. */
static inline bool hd_brandes_take(hd_brandes *b, uint64_t most, uint64_t end, uint64_t *from, uint64_t *to) {
    *from = hd_fetch_add(&b->cursor, most);
    *to = *from + most < end ? *from + most : end;
    return *from < end;
}

/* Cuts the rows set aside into parts; returns their number. Part p belongs to the k with big_first[k] <= p. */
uint64_t hd_brandes_cut(hd_brandes *b, const heddle_adjacency *rows);
/* Part p of such a row: the index of its vertex in `big`; its edges *from .. *to. */
uint64_t hd_brandes_part(const hd_brandes *b, const heddle_adjacency *rows, uint64_t p, uint64_t *from, uint64_t *to);
/* Sums x over the rows set aside: afterwards parts[k] is the sum for big[k]. */
void hd_brandes_sum_big(hd_brandes *b, const heddle_adjacency *rows, const double *x);

#endif
