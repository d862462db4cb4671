/* rounds.c - the list of round records, and how it is kept short. */
#include "base/rounds.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char several[] = "several"; /* kernel name of a record that covers different kernels */

heddle_status hd_rounds_new(heddle_context *ctx, hd_rounds *r) {
    if (!r->list)
        HD_TRY(HD_NEW(ctx, &r->list, HD_ROUNDS_MOST, "records of rounds"));
    *r = (hd_rounds){.list = r->list, .on = true, .least = 1};
    r->start = r->last = hd_clock();
    return HEDDLE_OK;
}

heddle_status hd_rounds_begin(heddle_context *ctx) { return hd_rounds_new(ctx, &ctx->rounds); }

static uint64_t sum(uint64_t a, uint64_t b) { return a == HD_NOT_KNOWN || b == HD_NOT_KNOWN ? HD_NOT_KNOWN : a + b; }

static void add_traffic(heddle_round *to, const hd_traffic *more) {
    to->parts_needed += more->parts_needed;
    to->parts_sent += more->parts_sent;
    to->parts_reused += more->parts_reused;
    to->bytes_needed += more->bytes_needed;
    to->bytes_sent += more->bytes_sent;
    to->bytes_reused += more->bytes_reused;
    to->copy_seconds += more->copy_seconds;
    to->kernel_seconds += more->kernel_seconds;
    to->parts_gathered += more->parts_gathered;
    to->bytes_gathered += more->bytes_gathered;
    to->parts_in_place += more->parts_in_place;
    to->bytes_in_place += more->bytes_in_place;
    to->parts_again += more->parts_again;
}

static void add_exchange(heddle_round *to, const hd_exchanged *more) {
    to->exchanged += more->bytes;
    to->exchanged_useful += more->useful;
    to->exchange_seconds += more->seconds;
    to->part_seconds += more->mean;
    to->slowest_seconds += more->slowest;
}

/* Merges the following record into `to`. */
static void join(heddle_round *to, const heddle_round *next) {
    to->rounds += next->rounds;
    to->vertices = sum(to->vertices, next->vertices);
    to->edges = sum(to->edges, next->edges);
    to->bytes = sum(to->bytes, next->bytes);
    to->lanes_useful += next->lanes_useful;
    to->lanes_walked += next->lanes_walked;
    to->seconds += next->seconds;
    to->in_place_exact &= next->in_place_exact;
    add_traffic(to, &(hd_traffic){next->parts_needed, next->parts_sent, next->parts_reused, next->bytes_needed,
                                  next->bytes_sent, next->bytes_reused, next->copy_seconds, next->kernel_seconds,
                                  next->parts_gathered, next->bytes_gathered, next->parts_in_place,
                                  next->bytes_in_place, next->parts_again});
    add_exchange(to, &(hd_exchanged){next->exchanged, next->exchanged_useful, next->exchange_seconds,
                                     next->part_seconds, next->slowest_seconds});
    if (to->direction != next->direction)
        to->direction = HEDDLE_DIRECTION_MIXED;
    if (strcmp(to->kernel, next->kernel) != 0)
        snprintf(to->kernel, sizeof to->kernel, "%s", several);
}

static void halve(hd_rounds *r) {
    r->count /= 2;
    r->least *= 2;
    for (uint32_t i = 0; i < r->count; i++) {
        r->list[i] = r->list[2 * i];
        join(&r->list[i], &r->list[2 * i + 1]);
    }
}

static void put_down(hd_rounds *r) {
    double now = hd_clock();
    if (!r->open.rounds)
        return;
    r->open.begin = r->last - r->start;
    r->open.seconds = now - r->last;
    r->last = now;
    r->list[r->count++] = r->open;
    r->open.rounds = 0;
    if (r->count == HD_ROUNDS_MOST)
        halve(r);
}

static uint64_t bytes_of(const hd_pass *pass) {
    return pass->edges == HD_NOT_KNOWN ? HD_NOT_KNOWN : pass->edges * (sizeof(heddle_vertex) + pass->weight_bytes);
}

static void open_record(hd_rounds *r, const hd_pass *pass) {
    r->open = (heddle_round){.number = r->number + 1,
                             .rounds = pass->rounds,
                             .vertices = pass->vertices,
                             .edges = pass->edges,
                             .bytes = bytes_of(pass),
                             .lanes_useful = pass->useful,
                             .lanes_walked = pass->walked,
                             .direction = pass->direction,
                             .road = "resident",
                             .in_place_exact = pass->whole_rows};
    add_traffic(&r->open, &pass->traffic);
    add_exchange(&r->open, &pass->exchange);
    memcpy(r->open.kernel, pass->kernel, strnlen(pass->kernel, sizeof r->open.kernel - 1));
    r->kernel = pass->kernel;
}

static void add_to_record(hd_rounds *r, const hd_pass *pass) {
    heddle_round *open = &r->open;
    open->rounds += pass->rounds;
    open->vertices = sum(open->vertices, pass->vertices);
    open->edges = sum(open->edges, pass->edges);
    open->bytes = sum(open->bytes, bytes_of(pass));
    open->lanes_useful += pass->useful;
    open->lanes_walked += pass->walked;
    open->in_place_exact &= pass->whole_rows;
    add_traffic(open, &pass->traffic);
    add_exchange(open, &pass->exchange);
    open->direction = open->direction == pass->direction ? pass->direction : HEDDLE_DIRECTION_MIXED;
    if (r->kernel != pass->kernel && strncmp(open->kernel, pass->kernel, sizeof open->kernel - 1) != 0)
        snprintf(open->kernel, sizeof open->kernel, "%s", several);
}

void hd_rounds_put(hd_rounds *r, const hd_pass *pass) {
    if (!r->on || !pass->rounds)
        return;
    if (r->open.rounds)
        add_to_record(r, pass);
    else
        open_record(r, pass);
    r->number += pass->rounds;
    if (r->open.rounds >= r->least)
        put_down(r);
}

void hd_rounds_add(heddle_context *ctx, const hd_pass *pass) { hd_rounds_put(&ctx->rounds, pass); }

void hd_rounds_mark(heddle_context *ctx) {
    hd_rounds *r = &ctx->rounds;
    if (!r->on)
        return;
    put_down(r);
    r->last = hd_clock();
}

void hd_rounds_close(hd_rounds *r) {
    if (r->on)
        put_down(r);
    r->on = false;
}

void hd_rounds_end(heddle_context *ctx) { hd_rounds_close(&ctx->rounds); }

void hd_rounds_trim(heddle_context *ctx, uint64_t rounds) {
    hd_rounds *r = &ctx->rounds;
    if (!r->on)
        return;
    put_down(r);
    while (r->count && r->number > rounds) { /* never: without records there are no rounds */
        heddle_round *last = &r->list[r->count - 1];
        uint64_t over = r->number - rounds, gone = over < last->rounds ? over : last->rounds;
        last->rounds -= gone;
        r->number -= gone;
        r->count -= last->rounds == 0;
    }
}

bool hd_rounds_pause(heddle_context *ctx) {
    bool was = ctx->rounds.on;
    ctx->rounds.on = false;
    return was;
}

void hd_rounds_resume(heddle_context *ctx, bool was) { ctx->rounds.on = was; }
