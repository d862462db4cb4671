/* draw_force.c - one level of the layout: forces, with a quadtree for the far ones (Barnes and Hut).
 *
 * Every round is a function of the positions before it, vertex by vertex, so that threads need no order among them. The
 * tree stands on vertices sorted along a Z-curve; its cells lie in the order of a walk through it, and each knows where
 * the walk goes on if it is taken as a whole.
 */
#include "draw/draw.h"

#include "signals.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 16 /* of the tree: bits of a coordinate */,
    LEAF = 8 /* most vertices of one, but at the last level */
};
static const double open_angle = 1.0;   /* a cell wider than that share of its distance is opened */
static const double last_move = 0.02;   /* of the first */
static const double least_apart = 1e-6; /* square of the distance of vertices that have the same place */

typedef struct cell {
    draw_point centre; /* of mass */
    double mass, side;
    uint32_t first, last; /* its vertices, sorted */
    uint32_t next;        /* the cell after all that are inside it */
} cell;

typedef struct forces {
    const draw_graph *graph;
    draw_point *at, *moved;
    double most; /* that a vertex moves */
    uint32_t *order, *spare_order, *code, *spare_code;
    draw_point *sorted; /* positions in that order */
    double *mass;       /* in that order */
    cell *cells;
    uint32_t cell_count;
    double side; /* of the whole */
} forces;

/* Hubs repel more, so that what surrounds them has room. */
static double mass_of(const draw_graph *graph, uint32_t v) {
    return 1 + (double)(graph->offsets[v + 1] - graph->offsets[v]);
}

/* ---- The tree ---------------------------------------------------------------------------------------------------- */

static uint32_t spread_bits(uint32_t x) {
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static void find_codes(forces *f) {
    const draw_point *at = f->at;
    draw_point low = at[0], high = at[0];
    for (uint32_t v = 1; v < f->graph->n; v++) {
        low = (draw_point){fmin(low.x, at[v].x), fmin(low.y, at[v].y)};
        high = (draw_point){fmax(high.x, at[v].x), fmax(high.y, at[v].y)};
    }
    f->side = fmax(fmax(high.x - low.x, high.y - low.y), 1e-9) * (1 + 1e-9);
    double scale = (1 << LEVELS) / f->side;
    for (uint32_t v = 0; v < f->graph->n; v++) {
        uint32_t x = (uint32_t)((at[v].x - low.x) * scale), y = (uint32_t)((at[v].y - low.y) * scale);
        f->code[v] = spread_bits(x) | spread_bits(y) << 1;
        f->order[v] = v;
    }
}

static void sort_codes(forces *f) {
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t begin[257] = {0};
        for (uint32_t i = 0; i < f->graph->n; i++)
            begin[(f->code[i] >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            begin[b + 1] += begin[b];
        for (uint32_t i = 0; i < f->graph->n; i++) {
            uint32_t to = begin[f->code[i] >> shift & 255]++;
            f->spare_code[to] = f->code[i];
            f->spare_order[to] = f->order[i];
        }
        uint32_t *code = f->code, *order = f->order;
        f->code = f->spare_code;
        f->order = f->spare_order;
        f->spare_code = code;
        f->spare_order = order;
    }
}

static uint32_t quarter(uint32_t code, int level) { return code >> (2 * (LEVELS - 1 - level)) & 3; }

static void weigh(const forces *f, cell *c) {
    draw_point sum = {0, 0};
    for (uint32_t i = c->first; i < c->last; i++) {
        sum.x += f->mass[i] * f->sorted[i].x;
        sum.y += f->mass[i] * f->sorted[i].y;
        c->mass += f->mass[i];
    }
    c->centre = (draw_point){sum.x / c->mass, sum.y / c->mass};
}

/* Levels at which all are in one quarter make no cell: there are fewer than two cells for each vertex. */
static void add_cell(forces *f, uint32_t first, uint32_t last, int level) {
    while (level < LEVELS && quarter(f->code[first], level) == quarter(f->code[last - 1], level))
        level++;
    uint32_t own = f->cell_count++;
    f->cells[own] = (cell){.first = first, .last = last, .side = ldexp(f->side, -level)};
    weigh(f, &f->cells[own]);
    if (level < LEVELS && last - first > LEAF)
        for (uint32_t end = first; first < last; first = end) {
            while (end < last && quarter(f->code[end], level) == quarter(f->code[first], level))
                end++;
            add_cell(f, first, end, level + 1);
        }
    f->cells[own].next = f->cell_count;
}

static void build_tree(forces *f) {
    find_codes(f);
    sort_codes(f);
    for (uint32_t i = 0; i < f->graph->n; i++) {
        f->sorted[i] = f->at[f->order[i]];
        f->mass[i] = mass_of(f->graph, f->order[i]);
    }
    f->cell_count = 0;
    add_cell(f, 0, f->graph->n, 0);
}

/* ---- Forces ------------------------------------------------------------------------------------------------------ */

/* By a mass at `from`, as strong as the inverse of the distance. Vertices at the same place part to the right and to
 * the left. */
static void repel(draw_point at, draw_point from, double mass, bool right, draw_point *force) {
    double x = at.x - from.x, y = at.y - from.y, square = x * x + y * y;
    if (square < least_apart) {
        square = least_apart;
        x = right ? 1e-3 : -1e-3;
    }
    force->x += mass * x / square;
    force->y += mass * y / square;
}

static draw_point repulsion(const forces *f, uint32_t own) {
    draw_point force = {0, 0}, at = f->sorted[own];
    for (uint32_t i = 0; i < f->cell_count;) {
        const cell *c = &f->cells[i];
        double x = at.x - c->centre.x, y = at.y - c->centre.y;
        bool inside = c->first <= own && own < c->last, leaf = c->next == i + 1;
        if (!inside && c->side * c->side < open_angle * open_angle * (x * x + y * y)) {
            repel(at, c->centre, c->mass, own >= c->first, &force);
            i = c->next;
            continue;
        }
        for (uint32_t j = c->first; leaf && j < c->last; j++)
            if (j != own)
                repel(at, f->sorted[j], f->mass[j], own > j, &force);
        i++;
    }
    force.x *= f->mass[own];
    force.y *= f->mass[own];
    return force;
}

/* The sum of the neighbours' pulls, and their stiffness, by which a step is divided: a hub of a thousand springs moves
 * as far as they stretch, not a thousand times that. */
static draw_point attraction(const forces *f, uint32_t v, double *stiffness) {
    draw_point force = {0, 0}, at = f->at[v];
    *stiffness = 0;
    for (uint64_t e = f->graph->offsets[v]; e < f->graph->offsets[v + 1]; e++) {
        draw_point other = f->at[f->graph->targets[e]];
        double x = other.x - at.x, y = other.y - at.y, length = sqrt(x * x + y * y);
        force.x += length * x;
        force.y += length * y;
        *stiffness += 2 * length;
    }
    return force;
}

static void move_vertices(void *user, uint32_t from, uint32_t to) {
    const forces *f = user;
    for (uint32_t i = from; i < to; i++) {
        uint32_t v = f->order[i];
        double stiffness;
        draw_point near = attraction(f, v, &stiffness), far = repulsion(f, i);
        double x = near.x + far.x, y = near.y + far.y, length = sqrt(x * x + y * y);
        double step = length / (stiffness + 1);
        double factor = length > 0 ? fmin(step, f->most) / length : 0;
        f->moved[v] = (draw_point){f->at[v].x + factor * x, f->at[v].y + factor * y};
    }
}

static void free_forces(forces *f) {
    free(f->moved);
    free(f->order);
    free(f->spare_order);
    free(f->code);
    free(f->spare_code);
    free(f->sorted);
    free(f->mass);
    free(f->cells);
}

static bool allocate(forces *f, size_t n) {
    f->moved = malloc(n * sizeof *f->moved);
    f->order = malloc(n * sizeof *f->order);
    f->spare_order = malloc(n * sizeof *f->spare_order);
    f->code = malloc(n * sizeof *f->code);
    f->spare_code = malloc(n * sizeof *f->spare_code);
    f->sorted = malloc(n * sizeof *f->sorted);
    f->mass = malloc(n * sizeof *f->mass);
    f->cells = malloc(2 * n * sizeof *f->cells);
    return f->moved && f->order && f->spare_order && f->code && f->spare_code && f->sorted && f->mass && f->cells;
}

bool draw_force(const draw_graph *graph, int rounds, double first, int threads, draw_point *at) {
    forces f = {.graph = graph, .at = at, .most = first};
    bool done = allocate(&f, (size_t)graph->n + 1);
    double cooling = pow(last_move, 1.0 / rounds);
    for (int round = 0; done && round < rounds && !cli_interrupted(); round++) {
        build_tree(&f);
        draw_share(threads, graph->n, move_vertices, &f);
        memcpy(at, f.moved, graph->n * sizeof *at);
        f.most *= cooling;
    }
    free_forces(&f);
    return done;
}

/* The energy of a picture that is s times as large is A s^3 - R log s, A being a third of the sum of the edges' cubed
 * lengths, and R the sum over pairs of their masses' product. It is smallest where s^3 = R / (3 A). */
void draw_balance(const draw_graph *graph, draw_point *at) {
    double cubes = 0, mass = 0, squares = 0;
    for (uint32_t v = 0; v < graph->n; v++) {
        double own = mass_of(graph, v);
        mass += own;
        squares += own * own;
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            double x = at[graph->targets[e]].x - at[v].x, y = at[graph->targets[e]].y - at[v].y;
            cubes += pow(x * x + y * y, 1.5) / 2; /* each edge is two arcs */
        }
    }
    double scale = cubes > 0 ? cbrt((mass * mass - squares) / 2 / cubes) : 1;
    for (uint32_t v = 0; v < graph->n; v++)
        at[v] = (draw_point){at[v].x * scale, at[v].y * scale};
}
