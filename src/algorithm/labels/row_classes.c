/* row_classes.c - see row_classes.h. */
#include "algorithm/labels/row_classes.h"

#include "base/memory.h"
#include "engine/cpu/colours.h"

enum { TINY, SMALL, MIDDLE, LARGE, LONG, CLASSES };

typedef struct key {
    bool coloured;
    uint64_t seed;
} key;

static bool same(const hd_derived *entry, const void *wanted) {
    const hd_row_classes *c = (const hd_row_classes *)entry;
    const key *k = wanted;
    return c->coloured == k->coloured && (!k->coloured || c->seed == k->seed);
}

static uint64_t pieces_of(uint64_t degree) { return (degree + LABELS_PIECE - 1) / LABELS_PIECE; }

static int class_of(uint64_t degree) {
    return degree <= LABELS_TINY     ? TINY
           : degree <= LABELS_SMALL  ? SMALL
           : degree <= LABELS_MIDDLE ? MIDDLE
           : degree <= LABELS_LARGE  ? LARGE
                                     : LONG;
}

/* How far the lists are filled. */
typedef struct filling {
    hd_row_classes *c;
    const hd_row_modes *rows;
    uint32_t vertices, longs, pieces;
} filling;

static void add_long(filling *f, uint32_t v, uint64_t degree) {
    uint32_t *row = f->c->rows + (uint64_t)f->longs * ROW_WORDS;
    row[ROW_VERTEX] = v;
    row[ROW_FIRST] = f->pieces;
    row[ROW_PIECES] = (uint32_t)pieces_of(degree);
    row[ROW_OWN] = row[ROW_LIVE] = 0;
    for (uint32_t i = 0; i < row[ROW_PIECES]; i++, f->pieces++) {
        f->c->list[2 * (uint64_t)f->pieces] = f->longs;
        f->c->list[2 * (uint64_t)f->pieces + 1] = i;
    }
    f->longs++;
}

/* The vertices [first, last) of the colouring's order, or of the numbers if that is NULL. */
static void divide(filling *f, const heddle_vertex *order, uint64_t first, uint64_t last, uint32_t *words) {
    const hd_row_modes *rows = f->rows;
    uint32_t count[CLASSES] = {0}, place[CLASSES];
    words[COLOUR_PIECE] = f->pieces;
    for (uint64_t i = first; i < last; i++) {
        uint64_t degree = hd_row_modes_degree(rows, order ? order[i] : i);
        count[class_of(degree)] += degree > 0;
    }
    for (int k = TINY; k <= LARGE; k++) {
        words[COLOUR_TINY + k] = place[k] = f->vertices;
        f->vertices += count[k];
    }
    words[COLOUR_END] = f->vertices;
    for (uint64_t i = first; i < last; i++) {
        uint32_t v = order ? order[i] : (uint32_t)i;
        uint64_t degree = hd_row_modes_degree(rows, v);
        int class = class_of(degree);
        if (class == LONG)
            add_long(f, v, degree);
        else if (degree)
            f->c->order[place[class]++] = v;
    }
    words[COLOUR_LAST_PIECE] = f->pieces;
}

/* Counts long rows and their pieces. */
static void count_long(const hd_row_modes *rows, uint64_t *longs, uint64_t *pieces) {
    for (uint64_t v = 0; v < rows->n; v++) {
        uint64_t degree = hd_row_modes_degree(rows, v);
        if (degree > LABELS_LARGE) {
            *longs += 1;
            *pieces += pieces_of(degree);
        }
    }
}

static heddle_status fill(heddle_context *ctx, hd_row_classes *c, const hd_row_modes *rows, const hd_colours *colours) {
    filling f = {.c = c, .rows = rows};
    count_long(rows, &c->longs, &c->pieces);
    if (c->pieces > UINT32_MAX)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "rows of more than 2^32 pieces");
    c->vertices = rows->n;
    c->colours = c->coloured ? colours->count : 1;
    HD_TRY(HD_NEW(ctx, &c->words, c->colours * COLOUR_WORDS, "colours"));
    HD_TRY(HD_NEW(ctx, &c->order, c->vertices, "vertices by colour"));
    HD_TRY(HD_NEW(ctx, &c->rows, c->longs * ROW_WORDS, "long rows"));
    HD_TRY(HD_NEW(ctx, &c->list, c->pieces * 2, "pieces of long rows"));
    for (uint64_t k = 0; k < c->colours; k++)
        divide(&f, c->coloured ? colours->order : NULL, c->coloured ? colours->starts[k] : 0,
               c->coloured ? colours->starts[k + 1] : c->vertices, c->words + k * COLOUR_WORDS);
    return HEDDLE_OK;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const void *wanted, hd_derived *entry) {
    hd_row_classes *c = (hd_row_classes *)entry;
    const key *k = wanted;
    hd_row_modes rows = {.ctx = ctx};
    hd_colours colours = {.count = 0};
    heddle_status status;
    c->coloured = k->coloured;
    c->seed = k->seed;
    HD_CHECK(hd_row_modes_rows(ctx, graph, &rows));
    if (c->coloured)
        HD_CHECK(hd_colours_open(&rows, c->seed, &colours));
    status = fill(ctx, c, &rows, &colours);
out:
    hd_colours_close(ctx, &colours);
    hd_row_modes_close(&rows);
    return status;
}

static uint64_t bytes(const hd_derived *entry) {
    const hd_row_classes *c = (const hd_row_classes *)entry;
    return (c->colours * COLOUR_WORDS + c->vertices + c->longs * ROW_WORDS + c->pieces * 2) * 4;
}

static void destroy(heddle_context *ctx, hd_derived *entry) {
    hd_row_classes *c = (hd_row_classes *)entry;
    HD_DELETE(&ctx->allocator, c->words, c->colours * COLOUR_WORDS);
    HD_DELETE(&ctx->allocator, c->order, c->vertices);
    HD_DELETE(&ctx->allocator, c->rows, c->longs * ROW_WORDS);
    HD_DELETE(&ctx->allocator, c->list, c->pieces * 2);
}

heddle_status hd_row_classes_of(heddle_context *ctx, const heddle_graph *graph, bool coloured, uint64_t seed,
                                const hd_row_classes **classes) {
    static const hd_derived_kind kind = {sizeof(hd_row_classes), same, make, bytes, destroy};
    key wanted = {coloured, seed};
    hd_derived *entry;
    HD_TRY(hd_derived_get(ctx, &kind, graph, &wanted, NULL, &entry));
    *classes = (const hd_row_classes *)entry;
    return HEDDLE_OK;
}

uint64_t hd_row_classes_most(const hd_row_classes *c) {
    uint64_t most = 0;
    for (uint64_t k = 0; k < c->colours; k++) {
        const uint32_t *words = c->words + k * COLOUR_WORDS;
        uint64_t pieces = words[COLOUR_LAST_PIECE] - words[COLOUR_PIECE];
        most = pieces > most ? pieces : most;
    }
    return most;
}
