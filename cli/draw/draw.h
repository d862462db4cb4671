/* draw.h - heddle draw: a picture of a graph.
 *
 * A graph becomes simple and undirected (draw_graph.c), is laid out in the plane (draw_layout.c: each component by
 * itself, from the coarsest of several levels to the finest), gets colours, sizes and labels (draw_look.c), and is
 * written (draw_svg.c). Positions are functions of graph and seed: no number of threads changes them.
 */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct draw_point {
    double x, y;
} draw_point;

/* Simple and undirected: v's neighbours are targets[offsets[v] .. offsets[v + 1]), each arc with its reverse, no loops.
 * `weights`: how many edges an arc stands for; NULL: 1. */
typedef struct draw_graph {
    uint32_t n;
    uint64_t *offsets; /* n + 1 */
    uint32_t *targets;
    float *weights;
} draw_graph;

void draw_graph_free(draw_graph *graph);

/* ---- draw_graph.c ------------------------------------------------------------------------------------------------ */

/* Of a graph's out- and in-edges. False: no memory. */
bool draw_graph_make(uint32_t n, const heddle_adjacency *out, const heddle_adjacency *in, draw_graph *graph);
/* The graph of the groups: group[v] < count; two are joined by as many edges as their vertices are, of which each group
 * keeps the `strongest`. */
bool draw_graph_group(uint32_t n, const heddle_adjacency *out, const uint32_t *group, uint32_t count,
                      uint32_t strongest, draw_graph *graph);
/* Numbers the components, the largest first; component[v] < *count. */
bool draw_graph_components(const draw_graph *graph, uint32_t *component, uint32_t *count);
/* The vertices by component, those of one by number: component c has order[first[c] .. first[c + 1]), and `first` is
 * allocated with count + 1 numbers. */
bool draw_graph_sort(const draw_graph *graph, const uint32_t *component, uint32_t count, uint32_t *order,
                     uint32_t **first);

/* ---- draw_coarsen.c ---------------------------------------------------------------------------------------------- */

/* Contracts a matching: vertex v of the fine graph is in vertex parent[v] of the coarse one. */
bool draw_coarsen(const draw_graph *fine, uint64_t seed, draw_graph *coarse, uint32_t *parent);

/* ---- draw_force.c ------------------------------------------------------------------------------------------------ */

/* Moves the vertices by `rounds` rounds of forces: neighbours attract each other by the square of their distance, all
 * repel each other by its inverse. A round moves a vertex by at most `first` in the beginning, less and less then. */
bool draw_force(const draw_graph *graph, int rounds, double first, int threads, draw_point *at);
/* Scales positions so that edges and repulsion are in balance. */
void draw_balance(const draw_graph *graph, draw_point *at);

/* ---- draw_layout.c ----------------------------------------------------------------------------------------------- */

/* Where the vertices are, in a box from (0, 0) to `size`; neighbours are about 1 apart. */
bool draw_layout(const draw_graph *graph, uint64_t seed, int threads, draw_point *at, draw_point *size);

/* ---- draw_threads.c ---------------------------------------------------------------------------------------------- */

typedef void draw_part(void *user, uint32_t from, uint32_t to);
/* Calls `part` for ranges that together are 0 .. count, on that many threads; small ones on the calling one. */
void draw_share(int threads, uint32_t count, draw_part *part, void *user);

/* A number that depends on seed and index only. */
static inline uint64_t draw_random(uint64_t seed, uint64_t index) {
    uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u;
    x = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
    return x ^ (x >> 32);
}

/* In -0.5 .. 0.5. */
static inline double draw_jitter(uint64_t seed, uint64_t index) {
    return (double)(draw_random(seed, index) >> 11) * 0x1p-53 - 0.5;
}

/* ---- draw_look.c ------------------------------------------------------------------------------------------------- */

enum { DRAW_COLOURS = 10, DRAW_OTHER = DRAW_COLOURS /* of groups that have no colour of their own */ };

/* A picture: of the graph's vertices, or of groups of them. */
typedef struct draw_picture {
    const heddle_graph *graph;
    const draw_graph *drawn;
    const draw_point *at;
    draw_point size;
    const heddle_vertex *name; /* the vertex that each drawn one is labelled by; NULL: itself */
    unsigned char *colour;     /* 0 .. DRAW_OTHER */
    double *radius;
    uint32_t *labelled; /* drawn vertices with a label, the largest first */
    uint32_t label_count;
    const char *kind; /* what has a colour: "communities"; NULL: nothing */
    uint32_t kinds;   /* how many there are */
    struct {
        uint32_t example; /* its largest drawn vertex */
        uint64_t size;    /* its vertices */
    } key[DRAW_COLOURS];
    double scale; /* from layout to picture */
} draw_picture;

/* Colours the largest groups; group[v] < count; `members[v]`: vertices that drawn vertex v stands for, NULL: 1. */
bool draw_colour(draw_picture *picture, const uint32_t *group, uint32_t count, const uint64_t *members,
                 const double *value);
/* Radii from values (NULL: all alike), and the `labels` largest vertices that have room for their label. */
bool draw_sizes(draw_picture *picture, const double *value, uint32_t labels);
void draw_picture_free(draw_picture *picture);

/* ---- draw_svg.c -------------------------------------------------------------------------------------------------- */

enum { DRAW_WIDTH = 1600, DRAW_MARGIN = 40, DRAW_MOST_EDGES = 200000, DRAW_MOST_CIRCLES = 3000 };

typedef struct cli_page cli_page;
/* The drawing: an svg element; `alone`: with its style and background, as a file of its own. Returns the number of
 * edges in it. */
uint64_t draw_svg(cli_page *page, const draw_picture *picture, bool alone);
/* The label of a drawn vertex. */
void draw_label(const draw_picture *picture, uint32_t v, char *text, size_t size);

#endif
