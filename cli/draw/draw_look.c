/* draw_look.c - colours, sizes and labels. */
#include "draw/draw.h"

#include "page/page_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 60 /* vertices: all may have labels */ };
static const double clear_of_mean = 1.2;
static const double least_radius = 0.7, most_radius = 26, share_of_edge = 0.16; /* of the mean edge: a usual radius */

/* ---- Colours ----------------------------------------------------------------------------------------------------- */

typedef struct group_size {
    uint64_t size;
    uint32_t group;
} group_size;

static int by_size(const void *one, const void *other) {
    const group_size *x = one, *y = other;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

/* One vertex alone has no colour, unless it stands for several. */
static void rank_groups(draw_picture *picture, const group_size *sizes, uint32_t count, unsigned char *colour_of) {
    for (uint32_t i = 0; i < count; i++) {
        bool coloured = i < DRAW_COLOURS && sizes[i].size > 1;
        colour_of[sizes[i].group] = coloured ? (unsigned char)i : DRAW_OTHER;
        if (coloured)
            picture->key[i].size = sizes[i].size;
    }
}

bool draw_colour(draw_picture *picture, const uint32_t *group, uint32_t count, const uint64_t *members,
                 const double *value) {
    uint32_t n = picture->drawn->n;
    group_size *sizes = calloc((size_t)count + 1, sizeof *sizes);
    unsigned char *colour_of = malloc((size_t)count + 1);
    bool done = sizes && colour_of, seen[DRAW_COLOURS] = {false};
    for (uint32_t g = 0; done && g < count; g++)
        sizes[g].group = g;
    for (uint32_t v = 0; done && v < n; v++)
        sizes[group[v]].size += members ? members[v] : 1;
    if (done) {
        qsort(sizes, count, sizeof *sizes, by_size);
        rank_groups(picture, sizes, count, colour_of);
        picture->kinds = count;
    }
    for (uint32_t v = 0; done && v < n; v++) {
        unsigned char c = picture->colour[v] = colour_of[group[v]];
        if (c < DRAW_OTHER && (!seen[c] || value[v] > value[picture->key[c].example]))
            picture->key[c].example = v;
        if (c < DRAW_OTHER)
            seen[c] = true;
    }
    free(sizes);
    free(colour_of);
    return done;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

/* Areas follow values; a vertex of mean value has the usual radius, and none is so large that it hides others. */
static void set_radii(draw_picture *picture, const double *value) {
    uint32_t n = picture->drawn->n;
    double sum = 0, usual = share_of_edge * picture->scale;
    for (uint32_t v = 0; value && v < n; v++)
        sum += value[v];
    usual = fmax(least_radius, fmin(usual, most_radius / 3));
    for (uint32_t v = 0; v < n; v++) {
        double ratio = sum > 0 ? value[v] * n / sum : 1;
        picture->radius[v] = fmax(0.55 * usual, fmin(usual * sqrt(ratio), fmin(5 * usual, most_radius)));
    }
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

typedef struct wish {
    double value;
    uint32_t v;
} wish;

static int by_value(const void *one, const void *other) {
    const wish *x = one, *y = other;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->v < y->v ? -1 : x->v > y->v;
}

typedef struct frame {
    double left, right, top, bottom;
} frame;

static frame frame_of(const draw_picture *picture, uint32_t v) {
    enum { HEIGHT = 18 };
    char text[64];
    draw_label(picture, v, text, sizeof text);
    double x = picture->at[v].x * picture->scale, y = picture->at[v].y * picture->scale;
    double half = cli_chart_width(text) * 0.6;
    return (frame){x - half, x + half, y - HEIGHT / 2.0, y + HEIGHT / 2.0};
}

static bool overlap(frame a, frame b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static double mean_radius(const draw_picture *picture) {
    double sum = 0;
    for (uint32_t v = 0; v < picture->drawn->n; v++)
        sum += picture->radius[v];
    return sum / picture->drawn->n;
}

/* The largest first; what would lie on another label is left out, and so is what hardly stands out, but in small
 * graphs. */
static bool choose_labels(draw_picture *picture, uint32_t labels) {
    uint32_t n = picture->drawn->n;
    wish *wishes = malloc(((size_t)n + 1) * sizeof *wishes);
    frame *frames = malloc(((size_t)labels + 1) * sizeof *frames);
    picture->labelled = malloc(((size_t)labels + 1) * sizeof *picture->labelled);
    double least = n > FEW ? clear_of_mean * mean_radius(picture) : 0;
    bool done = wishes && frames && picture->labelled;
    for (uint32_t v = 0; done && v < n; v++)
        wishes[v] = (wish){picture->radius[v], v};
    if (done)
        qsort(wishes, n, sizeof *wishes, by_value);
    for (uint32_t i = 0; done && i < n && i / 4 < labels && picture->label_count < labels; i++) {
        if (wishes[i].value < least)
            break;
        frame own = frame_of(picture, wishes[i].v);
        uint32_t k = 0;
        while (k < picture->label_count && !overlap(own, frames[k]))
            k++;
        if (k == picture->label_count) {
            frames[k] = own;
            picture->labelled[picture->label_count++] = wishes[i].v;
        }
    }
    free(wishes);
    free(frames);
    return done;
}

bool draw_sizes(draw_picture *picture, const double *value, uint32_t labels) {
    set_radii(picture, value);
    return choose_labels(picture, labels < picture->drawn->n ? labels : picture->drawn->n);
}

void draw_picture_free(draw_picture *picture) {
    free(picture->colour);
    free(picture->radius);
    free(picture->labelled);
}
