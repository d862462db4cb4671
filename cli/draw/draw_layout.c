/* draw_layout.c - where vertices are: components one by one, then side by side.
 *
 * A component is made smaller level by level until few vertices are left. Those are laid out from random places; each
 * finer level begins where the vertices of the coarser one ended, in balance, so that forces have only to mend what is
 * near.
 */
#include "draw/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 48, COARSEST = 32, FIRST_ROUNDS = 300 };
static const double least_shrinking = 0.95; /* a level that has more vertices than that share is not worth it */
static const double page_shape = 1.5;       /* width over height */
static const double lone_gap = 0.35;        /* between vertices without edges; other components are 1 apart */

typedef struct level {
    draw_graph graph;
    uint32_t *parent; /* in the next, coarser level */
} level;

/* Few rounds where they take long: forces there have little left to do. */
static int rounds_for(const draw_graph *graph) {
    uint64_t work = graph->n + graph->offsets[graph->n] / 10;
    return work < 2000 ? 120 : work < 20000 ? 60 : 35;
}

static double mean_length(const draw_graph *graph, const draw_point *at) {
    double sum = 0;
    for (uint32_t v = 0; v < graph->n; v++)
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            sum += hypot(at[graph->targets[e]].x - at[v].x, at[graph->targets[e]].y - at[v].y);
    return graph->offsets[graph->n] ? sum / (double)graph->offsets[graph->n] : 1;
}

static bool settle(const draw_graph *graph, int rounds, double first, int threads, draw_point *at) {
    draw_balance(graph, at);
    return draw_force(graph, rounds, first * mean_length(graph, at), threads, at);
}

static bool settle_first(const draw_graph *graph, uint64_t seed, int threads, draw_point *at) {
    for (uint32_t v = 0; v < graph->n; v++)
        at[v] = (draw_point){draw_jitter(seed, 2 * (uint64_t)v), draw_jitter(seed, 2 * (uint64_t)v + 1)};
    return settle(graph, FIRST_ROUNDS, 1, threads, at);
}

/* From the coarser level, whose mean edge is about 1 of its own units. */
static void refine(const level *fine, uint64_t seed, const draw_point *coarse, double apart, draw_point *at) {
    for (uint32_t v = 0; v < fine->graph.n; v++) {
        draw_point from = coarse[fine->parent[v]];
        at[v] = (draw_point){from.x + apart * draw_jitter(seed, 2 * (uint64_t)v),
                             from.y + apart * draw_jitter(seed, 2 * (uint64_t)v + 1)};
    }
}

static bool coarsen(level *levels, int *count, uint64_t seed) {
    for (; *count < MOST_LEVELS && levels[*count - 1].graph.n > COARSEST; ++*count) {
        level *fine = &levels[*count - 1];
        fine->parent = malloc(fine->graph.n * sizeof *fine->parent);
        if (!fine->parent || !draw_coarsen(&fine->graph, seed + (uint64_t)*count, &fine[1].graph, fine->parent))
            return false;
        if (fine[1].graph.n > least_shrinking * fine->graph.n) {
            draw_graph_free(&fine[1].graph);
            break;
        }
    }
    return true;
}

static bool refine_all(const level *levels, int count, uint64_t seed, int threads, draw_point *at) {
    uint32_t n = levels[0].graph.n;
    draw_point *coarse = malloc(((size_t)n + 1) * sizeof *coarse);
    bool done = coarse && settle_first(&levels[count - 1].graph, seed, threads, at);
    for (int i = count - 2; done && i >= 0; i--) {
        const draw_graph *graph = &levels[i].graph;
        memcpy(coarse, at, levels[i + 1].graph.n * sizeof *coarse);
        refine(&levels[i], seed + (uint64_t)i, coarse, 0.5 * mean_length(&levels[i + 1].graph, coarse), at);
        done = settle(graph, rounds_for(graph), 0.5, threads, at);
    }
    free(coarse);
    return done;
}

/* The graph is connected. */
static bool lay_component(const draw_graph *graph, uint64_t seed, int threads, draw_point *at) {
    level levels[MOST_LEVELS] = {{.graph = *graph}};
    int count = 1;
    bool done = coarsen(levels, &count, seed) && refine_all(levels, count, seed, threads, at);
    for (int i = 0; i < MOST_LEVELS; i++) {
        if (i)
            draw_graph_free(&levels[i].graph);
        free(levels[i].parent);
    }
    return done;
}

/* ---- One component ----------------------------------------------------------------------------------------------- */

/* The graph of the vertices `order` .. `order` + n; place[v]: where v stands there. */
static bool cut_out(const draw_graph *graph, const uint32_t *order, uint32_t n, const uint32_t *place,
                    draw_graph *part) {
    uint64_t arcs = 0;
    *part = (draw_graph){.n = n, .offsets = malloc(((size_t)n + 1) * sizeof *part->offsets)};
    for (uint32_t i = 0; part->offsets && i <= n; i++) {
        part->offsets[i] = arcs;
        arcs += i < n ? graph->offsets[order[i] + 1] - graph->offsets[order[i]] : 0;
    }
    part->targets = malloc((arcs + 1) * sizeof *part->targets);
    part->weights = graph->weights ? malloc((arcs + 1) * sizeof *part->weights) : NULL;
    if (!part->offsets || !part->targets || (graph->weights && !part->weights)) {
        draw_graph_free(part);
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t e = graph->offsets[order[i]], to = part->offsets[i]; e < graph->offsets[order[i] + 1]; e++) {
            part->targets[to] = place[graph->targets[e]];
            if (part->weights)
                part->weights[to] = graph->weights[e];
            to++;
        }
    return true;
}

/* Its longest axis becomes horizontal, its corner (0, 0); its mean edge becomes 1, or its area, taken as a square, that
 * of its vertices, 1 each, whatever is more. Returns its size. */
static draw_point normalise(const draw_graph *graph, draw_point *at) {
    draw_point mean = {0, 0}, low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    double xx = 0, xy = 0, yy = 0;
    uint32_t n = graph->n;
    for (uint32_t v = 0; v < n; v++)
        mean = (draw_point){mean.x + at[v].x / n, mean.y + at[v].y / n};
    for (uint32_t v = 0; v < n; v++) {
        double x = at[v].x - mean.x, y = at[v].y - mean.y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    double angle = atan2(2 * xy, xx - yy) / 2, c = cos(angle), s = sin(angle);
    for (uint32_t v = 0; v < n; v++) {
        double x = at[v].x - mean.x, y = at[v].y - mean.y;
        at[v] = (draw_point){c * x + s * y, c * y - s * x};
        low = (draw_point){fmin(low.x, at[v].x), fmin(low.y, at[v].y)};
        high = (draw_point){fmax(high.x, at[v].x), fmax(high.y, at[v].y)};
    }
    double side = fmax(fmax(high.x - low.x, high.y - low.y), 1e-9);
    double scale = fmax(1 / fmax(mean_length(graph, at), 1e-9), sqrt(n) / side);
    for (uint32_t v = 0; v < n; v++)
        at[v] = (draw_point){scale * (at[v].x - low.x), scale * (at[v].y - low.y)};
    return (draw_point){scale * (high.x - low.x), scale * (high.y - low.y)};
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

typedef struct box {
    draw_point size, corner;
    uint32_t component;
    double gap; /* to the next one */
} box;

static int by_height(const void *one, const void *other) {
    const box *x = one, *y = other;
    if (x->size.y != y->size.y)
        return x->size.y > y->size.y ? -1 : 1;
    return x->component < y->component ? -1 : x->component > y->component;
}

/* In rows, the highest first. Returns the size of the whole. */
static draw_point pack(box *boxes, uint32_t count) {
    double area = 0, largest = 0, width = 0, x = 0, y = 0, height = 0, right = 0;
    for (uint32_t i = 0; i < count; i++) {
        boxes[i].gap = boxes[i].size.x > 0 || boxes[i].size.y > 0 ? 1 : lone_gap;
        boxes[i].size.x += boxes[i].gap;
        boxes[i].size.y += boxes[i].gap;
        area += boxes[i].size.x * boxes[i].size.y;
        largest = fmax(largest, boxes[i].size.x * boxes[i].size.y);
        width = fmax(width, boxes[i].size.x);
    }
    if (largest < area / 2) /* else the page is as wide as the largest component, and the others are below it */
        width = fmax(width, sqrt(area * page_shape));
    qsort(boxes, count, sizeof *boxes, by_height);
    for (uint32_t i = 0; i < count; i++) {
        if (x > 0 && x + boxes[i].size.x > width) {
            x = 0;
            y += height;
            height = 0;
        }
        boxes[i].corner = (draw_point){x + boxes[i].gap / 2, y + boxes[i].gap / 2};
        x += boxes[i].size.x;
        height = fmax(height, boxes[i].size.y);
        right = fmax(right, x);
    }
    return (draw_point){right, y + height};
}

typedef struct parts {
    uint32_t count, *component, *order, *first, *place;
    draw_point *at; /* in that order */
    box *boxes;
} parts;

static bool lay_parts(const draw_graph *graph, uint64_t seed, int threads, parts *p) {
    bool done = true;
    for (uint32_t c = 0; done && c < p->count; c++) {
        draw_graph part;
        draw_point *at = p->at + p->first[c];
        uint32_t n = p->first[c + 1] - p->first[c];
        p->boxes[c] = (box){.component = c};
        at[0] = (draw_point){0, 0};
        if (n == 1)
            continue;
        done =
            cut_out(graph, p->order + p->first[c], n, p->place, &part) && lay_component(&part, seed + c, threads, at);
        if (done)
            p->boxes[c].size = normalise(&part, at);
        draw_graph_free(&part);
    }
    return done;
}

static bool find_parts(const draw_graph *graph, parts *p) {
    size_t n = (size_t)graph->n + 1;
    p->component = malloc(n * sizeof *p->component);
    p->order = malloc(n * sizeof *p->order);
    p->place = malloc(n * sizeof *p->place);
    p->at = malloc(n * sizeof *p->at);
    if (!p->component || !p->order || !p->place || !p->at || !draw_graph_components(graph, p->component, &p->count) ||
        !draw_graph_sort(graph, p->component, p->count, p->order, &p->first))
        return false;
    for (uint32_t i = 0; i < graph->n; i++)
        p->place[p->order[i]] = i - p->first[p->component[p->order[i]]];
    p->boxes = malloc(((size_t)p->count + 1) * sizeof *p->boxes);
    return p->boxes != NULL;
}

static void join_parts(const parts *p, draw_point *at) {
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t c = p->boxes[i].component;
        draw_point corner = p->boxes[i].corner;
        for (uint32_t k = p->first[c]; k < p->first[c + 1]; k++)
            at[p->order[k]] = (draw_point){corner.x + p->at[k].x, corner.y + p->at[k].y};
    }
}

bool draw_layout(const draw_graph *graph, uint64_t seed, int threads, draw_point *at, draw_point *size) {
    parts p = {.count = 0};
    bool done = find_parts(graph, &p) && lay_parts(graph, seed, threads, &p);
    if (done) {
        *size = pack(p.boxes, p.count);
        join_parts(&p, at);
    }
    free(p.component);
    free(p.order);
    free(p.place);
    free(p.first);
    free(p.at);
    free(p.boxes);
    return done;
}
