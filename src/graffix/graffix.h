/* graffix.h - changed graphs on which programs run faster and give approximate values (Singh, Nasre: Graffix, ICPP
 * 2020). One file per technique (NAME.c) with a descriptor, one line in graffix.c.
 *
 * Both add edges from a vertex to a neighbour's neighbour, whose weight is the sum of the two edges'.
 * Such an edge changes no distance, no component, and, being the heaviest on a cycle, no minimum spanning forest; it
 * does change what counts edges or paths, as ranks and betweenness do. A technique may also renumber the vertices, and
 * copy some of them: a copy takes over some of a vertex's out-edges, and has no in-edges.
 */
#ifndef HD_GRAFFIX_GRAFFIX_H
#define HD_GRAFFIX_GRAFFIX_H

#include "graph/order.h"

enum { HD_GRAFFIX_PARTS = 3 }; /* of a combination at most */

typedef struct hd_graffix_options {
    const struct hd_graffix *kind;
    double threshold;                    /* of the technique; divergence: larger: more edges */
    double thresholds[HD_GRAFFIX_PARTS]; /* of a combination's parts instead */
    double fill;     /* divergence: the share of a warp's largest degree that others are lifted to */
    uint32_t warp;   /* vertices whose edges are walked in lockstep */
    uint32_t chunk;  /* coalesce: vertices whose values one memory access can bring, at most `warp` */
    uint32_t spare;  /* coalesce: places of a chunk that are left free for copies, below `chunk` */
    double budget;   /* latency: new edges at most, as a share of the graph's */
    bool weigh_unit; /* a graph without weights gets some: 1, and 2 for new edges */
    bool mirror;     /* every arc gets its reverse first */
    bool simple;     /* parallel arcs are merged first */
    bool links;      /* coalesce: edges of weight 0 between a vertex and its copies, in both directions */
    const struct hd_copies *copies;        /* of the graph that is changed, of an earlier part; NULL: it has none */
    const struct hd_link_counter *counter; /* latency: who counts links; NULL: the host's threads */
    struct hd_recipe *recipe;              /* decisions to follow, or to write down (recipe.h); NULL: neither */
    const heddle_graph *kept_by;           /* the graph that may have kept a recipe … */
    uint32_t kept_order;                   /* for itself in the order of this number; 0: as it is */
} hd_graffix_options;

/* A copy of a vertex: its number, that of the vertex, and how many of them there are, the vertex included. */
typedef struct hd_copy {
    heddle_vertex copy, owner, members;
} hd_copy;

/* Where vertices have gone. Places that hold neither a vertex nor a copy are holes: they have no edges. */
typedef struct hd_copies {
    uint64_t vertices, places; /* of the graph that was changed, and of the result */
    heddle_vertex *place;      /* of each vertex */
    heddle_vertex *vertex;     /* at each place; UINT32_MAX: a hole */
    uint32_t *degrees;         /* at each place: out-edges of the vertex and its copies together, 1 at a hole */
    hd_copy *list;             /* by owner, then by copy */
    uint64_t count;
    uint64_t holes, levels;
} hd_copies;

/* Vertices that are iterated by themselves, over the edges between them. A vertex is in one cluster at most. */
typedef struct hd_clusters {
    uint64_t count;
    heddle_vertex *members;
    uint64_t *starts;  /* count + 1: a cluster's first member */
    uint64_t room;     /* of members, and of starts less 1 */
    uint64_t *offsets; /* of all vertices' out-edges inside clusters */
    heddle_vertex *targets;
    void *weights; /* of weight_type */
    uint64_t vertices, edges;
    heddle_weight_type weight_type;
    uint32_t inside; /* rounds */
} hd_clusters;

typedef struct hd_graffix_result {
    heddle_graph *graph; /* NULL: nothing was changed */
    uint64_t added_edges;
    uint64_t lifted;      /* divergence: vertices that got edges */
    hd_copies copies;     /* coalesce; else empty, and vertices have the same numbers */
    hd_clusters clusters; /* latency; else empty */
} hd_graffix_result;

typedef struct hd_graffix {
    const char *name;        /* the value of the plan key */
    const char *description; /* one line */
    const char *in_reports;  /* "graffix-divergence" */
    const hd_order *order;   /* that it is meant for: taken where the plan leaves the order open */
    double threshold;        /* by default; below 0: by the degrees */
    bool copies;             /* renumbers vertices and copies some: a run has to merge the copies' values */
    bool clusters;           /* vertex programs iterate clusters between rounds */
    /* A combination (combined.c): techniques in the order in which they are applied, which is that of its name. */
    const struct hd_graffix *parts[HD_GRAFFIX_PARTS];
    heddle_status (*make)(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                          hd_graffix_result *result);
} hd_graffix;

#define HD_GRAFFIX_DEFAULT_FILL 0.85
#define HD_GRAFFIX_DEFAULT_BUDGET 0.02
enum {
    HD_GRAFFIX_DEFAULT_CHUNK = 16,
    HD_CLUSTER_MOST = 64,                 /* members of a cluster */
    HD_CLUSTER_LEAST = 3,                 /* neighbours of its centre */
    HD_CLUSTER_ROW = 2 * HD_CLUSTER_MOST, /* out-edges from which on a vertex is no centre, parallel ones included */
    HD_LINK_BITS = 16                     /* of a word of hd_link_counter */
};

/* Counts in place of the host's threads, with the same result. words[v] has the number of v's neighbours above
 * HD_LINK_BITS, and the number of pairs of them that are joined below. It is 0 if v is no centre: it has too few
 * neighbours, too many neighbours or arcs, no pair is joined, or more than missing[neighbours] are not (a table of
 * HD_CLUSTER_MOST numbers). *counted false: it was not worth it, and the host has to count. */
typedef struct hd_link_counter {
    const void *self;
    heddle_status (*count)(const void *self, const heddle_graph *graph, const uint32_t *missing, uint32_t *words,
                           bool *counted);
} hd_link_counter;

extern const hd_graffix hd_graffix_divergence, hd_graffix_coalesce, hd_graffix_latency;

const hd_graffix *hd_graffix_at(size_t index); /* techniques, then combinations; NULL past the last */
/* The parts of a combination, or the technique itself; NULL past the last. */
const hd_graffix *hd_graffix_part(const hd_graffix *kind, size_t index);
/* Whether they have the same technique and knobs. */
bool hd_graffix_same(const hd_graffix_options *a, const hd_graffix_options *b);
bool hd_graffix_has(const hd_graffix *kind, const hd_graffix *part); /* kind may be NULL */

/* Makes the changed graph: near-linear time, the same for any number of threads. A looser threshold of
 * divergence, a lower one of coalesce, gives a superset of the edges, between vertices. */
heddle_status hd_graffix_graph(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                               hd_graffix_result *result);
void hd_graffix_free(heddle_context *ctx, hd_graffix_result *result);

#endif
