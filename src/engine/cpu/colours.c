/* colours.c - see colours.h. */
#include "engine/cpu/colours.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

enum {
    STEP = 64,  /* vertices that a thread takes at once */
    WINDOW = 64 /* colours that are looked at in one pass over a row */
};

static const uint32_t none = UINT32_MAX; /* no colour yet */

typedef struct colouring {
    heddle_context *ctx;
    const hd_row_modes *rows;
    uint64_t n, seed;
    uint32_t *colour;
    uint64_t *waits;      /* entries of a vertex' row that come before it in the order and have no colour yet */
    heddle_vertex *queue; /* vertices that wait for none, in the order in which they were found */
    uint64_t tail;
} colouring;

static inline bool before(const colouring *c, heddle_vertex u, heddle_vertex v) {
    uint64_t x = hd_random(c->seed, u), y = hd_random(c->seed, v);
    return x != y ? x < y : u < v;
}

static uint64_t count_before(const colouring *c, hd_row_part part, heddle_vertex v) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < part.count; i++)
        count += before(c, part.targets[i], v);
    return count;
}

static void mask_used(const colouring *c, hd_row_part part, uint32_t base, uint64_t *used) {
    for (uint64_t i = 0; i < part.count; i++) {
        uint32_t colour = c->colour[part.targets[i]];
        if (colour != none && colour >= base && colour - base < WINDOW)
            *used |= UINT64_C(1) << (colour - base);
    }
}

/* Neighbours after v in the order have none yet. */
static uint32_t smallest_free(const colouring *c, heddle_vertex v) {
    for (uint32_t base = 0;; base += WINDOW) {
        uint64_t used = 0;
        mask_used(c, hd_row_part_of(&c->rows->out, v), base, &used);
        mask_used(c, hd_row_part_of(&c->rows->in, v), base, &used);
        if (~used)
            return base + (uint32_t)__builtin_ctzll(~used);
    }
}

static void release(colouring *c, hd_row_part part, heddle_vertex v) {
    for (uint64_t i = 0; i < part.count; i++) {
        heddle_vertex u = part.targets[i];
        if (before(c, v, u) && hd_fetch_add(&c->waits[u], UINT64_MAX) == 1)
            c->queue[hd_fetch_add(&c->tail, 1)] = u;
    }
}

static void begin(colouring *c) {
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, STEP) if (c->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < c->n; v++) {
        if (hd_advance_each(c->ctx, v, STEP, STEP))
            continue;
        c->colour[v] = none;
        c->waits[v] = count_before(c, hd_row_part_of(&c->rows->out, v), (heddle_vertex)v) +
                      count_before(c, hd_row_part_of(&c->rows->in, v), (heddle_vertex)v);
        if (!c->waits[v])
            c->queue[hd_fetch_add(&c->tail, 1)] = (heddle_vertex)v;
    }
}

/* Vertices of the queue are no neighbours of each other: the later one would wait. */
static void colour_queue(colouring *c) {
    for (uint64_t head = 0, end = c->tail; head < end && !hd_cancelled(c->ctx); head = end, end = c->tail) {
        HD_PARALLEL_FOR(c->ctx, schedule(dynamic, STEP) if (end - head >= STEP * 4))
        for (uint64_t i = head; i < end; i++)
            c->colour[c->queue[i]] = smallest_free(c, c->queue[i]);
        HD_PARALLEL_FOR(c->ctx, schedule(dynamic, STEP) if (end - head >= STEP * 4))
        for (uint64_t i = head; i < end; i++) {
            if ((i - head) % STEP == 0 && hd_advance(c->ctx, STEP))
                continue;
            release(c, hd_row_part_of(&c->rows->out, c->queue[i]), c->queue[i]);
            release(c, hd_row_part_of(&c->rows->in, c->queue[i]), c->queue[i]);
        }
    }
}

static heddle_status sort_by_colour(const colouring *c, hd_colours *to) {
    for (uint64_t v = 0; v < c->n; v++)
        to->count = c->colour[v] + UINT64_C(1) > to->count ? c->colour[v] + UINT64_C(1) : to->count;
    HD_TRY(HD_NEW_ZERO(c->ctx, &to->starts, to->count + 1, "colours"));
    HD_TRY(HD_NEW(c->ctx, &to->order, c->n, "vertices by colour"));
    for (uint64_t v = 0; v < c->n; v++)
        to->starts[c->colour[v]]++;
    hd_prefix_sum(c->ctx, to->starts, to->count);
    for (uint64_t v = 0; v < c->n; v++) /* every start moves to its end … */
        to->order[to->starts[c->colour[v]]++] = (heddle_vertex)v;
    for (uint64_t k = to->count; k > 0; k--) /* the next one's start */
        to->starts[k] = to->starts[k - 1];
    to->starts[0] = 0;
    return HEDDLE_OK;
}

heddle_status hd_colours_open(const hd_row_modes *rows, uint64_t seed, hd_colours *colours) {
    heddle_context *ctx = rows->ctx;
    colouring c = {.ctx = ctx, .rows = rows, .n = rows->n, .seed = seed};
    heddle_status status;
    *colours = (hd_colours){.vertices = c.n};
    HD_CHECK(HD_NEW(ctx, &c.colour, c.n, "colours"));
    HD_CHECK(HD_NEW(ctx, &c.waits, c.n, "vertices that wait"));
    HD_CHECK(HD_NEW(ctx, &c.queue, c.n, "queue"));
    begin(&c);
    colour_queue(&c);
    HD_CHECK(hd_cancelled_status(ctx));
    status = sort_by_colour(&c, colours);
out:
    HD_DELETE(&ctx->allocator, c.colour, c.n);
    HD_DELETE(&ctx->allocator, c.waits, c.n);
    HD_DELETE(&ctx->allocator, c.queue, c.n);
    return status;
}

void hd_colours_close(heddle_context *ctx, hd_colours *colours) {
    HD_DELETE(&ctx->allocator, colours->starts, colours->count + 1);
    HD_DELETE(&ctx->allocator, colours->order, colours->vertices);
}
