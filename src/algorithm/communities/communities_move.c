/* communities_move.c - moving vertices between communities on a device (communities.cl), and refining communities
 * (communities_refine.cl).
 *
 * A sweep gives each class of vertices a turn. Sweeps end when they hardly raise the modularity; one that lowers it is
 * undone. */
#include "algorithm/communities/communities_device.h"
#include "base/random.h"

enum { SWEEPS = 64 /* at most */, REFINING = 4, CHOICE_BYTES = 24 };
static const double least_sweep = 1e-5; /* of a sweep, in modularity */

static heddle_status make_lists(hd_community_run *r, uint64_t entries) {
    uint64_t longs = entries / MOVE_SHORT, pieces = entries / MOVE_PIECE + longs; /* at most */
    HD_TRY(hd_community_room(r, longs * LONG_WORDS * 4 + 16, "long rows", &r->list_rows));
    return hd_community_room(r, pieces * 8 + 16, "pieces of rows", &r->list);
}

static heddle_status make_choices(hd_community_run *r, uint64_t pieces) {
    return hd_community_room(r, pieces * CHOICE_BYTES + 16, "choices", &r->found);
}

heddle_status hd_community_list_room(hd_community_run *r, uint64_t entries, uint64_t pieces) {
    HD_TRY(make_lists(r, entries));
    return make_choices(r, pieces);
}

heddle_status hd_community_list(hd_community_run *r) {
    const hd_rows_there *g = r->rows;
    hd_device *device = r->s.device;
    HD_TRY(make_lists(r, g->entries));
    HD_TRY(device->fill(device, &r->numbers_there, 0, 0, sizeof r->numbers));
    HD_TRY(HD_C_LAUNCH(r, LIST, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->offsets),
                       HD_ARGUMENT_BUFFER(r->list_rows), HD_ARGUMENT_BUFFER(r->list),
                       HD_ARGUMENT_BUFFER(r->numbers_there)));
    HD_TRY(hd_structure_look(&r->s, &r->numbers_there, r->numbers, sizeof r->numbers));
    r->longs = (uint32_t)r->numbers[MOVE_LONGS];
    r->pieces = (uint32_t)r->numbers[MOVE_PIECES];
    uint64_t slots = (uint64_t)r->pieces * 2 * MOVE_PIECE;
    HD_TRY(hd_community_room(r, slots * 4 + 16, "tables of communities", &r->keys));
    HD_TRY(hd_community_room(r, slots * 8 + 16, "tables of weights", &r->values));
    return make_choices(r, r->pieces);
}

heddle_status hd_community_totals(hd_community_run *r, const hd_buffer *part) {
    uint32_t n = r->rows->n;
    hd_device *device = r->s.device;
    HD_TRY(device->fill(device, &r->total, 0, 0, (uint64_t)n * 8));
    HD_TRY(device->fill(device, &r->size, 0, 0, (uint64_t)n * 4));
    return HD_C_LAUNCH(r, TOTALS, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(*part), HD_ARGUMENT_BUFFER(r->rows->ends),
                       HD_ARGUMENT_BUFFER(r->total), HD_ARGUMENT_BUFFER(r->size));
}

static uint64_t strips_of(uint64_t n) { return (n + MOVE_STRIP - 1) / MOVE_STRIP; }

/* Adds to r->numbers, which are fetched. */
heddle_status hd_community_measure(hd_community_run *r, const hd_buffer *part, double *modularity) {
    uint32_t n = r->rows->n;
    double squares = 0, sum = hd_whole_of(&r->scale, r->scale.sum);
    HD_TRY(HD_C_LAUNCH(r, INSIDE, hd_community_lanes(r), HD_ARGUMENT_VALUE(n), HD_C_LONG(r), HD_C_ROWS(r),
                       HD_ARGUMENT_BUFFER(*part), HD_ARGUMENT_BUFFER(r->numbers_there)));
    HD_TRY(HD_C_LAUNCH(r, SQUARES, strips_of(n), HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->total),
                       HD_ARGUMENT_BUFFER(r->strips_there)));
    HD_TRY(r->s.device->download(r->s.device, r->strips, &r->strips_there, 0, strips_of(n) * 8));
    HD_TRY(hd_structure_look(&r->s, &r->numbers_there, r->numbers, sizeof r->numbers));
    for (uint64_t i = 0; i < strips_of(n); i++)
        squares += r->strips[i];
    *modularity = (double)r->numbers[MOVE_INSIDE] / sum - squares / sum / r->all;
    return HEDDLE_OK;
}

/* ---- Deciding ---------------------------------------------------------------------------------------------------- */

/* Whose turn it is, and between what they choose. */
typedef struct turn {
    const hd_buffer *part; /* communities, or their parts */
    uint32_t refining;     /* parts of the communities in r->part */
    uint32_t salt, number;
} turn;

#define TOTALS(r, t)                                                                                     \
    HD_ARGUMENT_BUFFER((r)->rows->ends), HD_ARGUMENT_BUFFER((r)->total), HD_ARGUMENT_BUFFER(*(t)->part), \
        HD_ARGUMENT_BUFFER((r)->size), HD_ARGUMENT_VALUE((r)->all), HD_ARGUMENT_VALUE((r)->least)
#define WITHIN(r, t) HD_ARGUMENT_VALUE((t)->refining), HD_ARGUMENT_BUFFER((r)->part)
#define TURN(r, t) HD_ARGUMENT_VALUE((t)->salt), HD_ARGUMENT_VALUE((t)->number), HD_ARGUMENT_BUFFER((r)->marks)

static heddle_status decide_long(hd_community_run *r, const turn *t) {
    uint64_t lanes = (uint64_t)r->pieces * r->s.device->info.warp;
    HD_TRY(HD_C_LAUNCH(r, CLEAR, lanes, HD_C_LONG(r), TURN(r, t), HD_ARGUMENT_BUFFER(r->keys),
                       HD_ARGUMENT_BUFFER(r->values)));
    HD_TRY(HD_C_LAUNCH(r, ADD, lanes, HD_C_LONG(r), HD_C_ROWS(r), HD_ARGUMENT_BUFFER(*t->part), WITHIN(r, t),
                       TURN(r, t), HD_ARGUMENT_BUFFER(r->keys), HD_ARGUMENT_BUFFER(r->values)));
    HD_TRY(HD_C_LAUNCH(r, FIND, lanes, HD_C_LONG(r), HD_C_ROWS(r), TOTALS(r, t), TURN(r, t),
                       HD_ARGUMENT_BUFFER(r->keys), HD_ARGUMENT_BUFFER(r->values), HD_ARGUMENT_BUFFER(r->found)));
    return HD_C_LAUNCH(r, JOIN, (uint64_t)r->longs * r->s.device->info.warp, HD_ARGUMENT_VALUE(r->longs),
                       HD_ARGUMENT_BUFFER(r->list_rows), HD_C_ROWS(r), TOTALS(r, t), TURN(r, t),
                       HD_ARGUMENT_BUFFER(r->found), HD_ARGUMENT_BUFFER(r->next));
}

#define CHOSEN(r) HD_ARGUMENT_BUFFER((r)->chosen), HD_ARGUMENT_BUFFER((r)->tail)

/* Fills r->next of the vertices of this turn. */
static heddle_status decide(hd_community_run *r, const turn *t) {
    uint32_t n = r->rows->n;
    HD_TRY(r->s.device->fill(r->s.device, &r->tail, 0, 0, 4));
    HD_TRY(
        HD_C_LAUNCH(r, SELECT, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->rows->offsets), TURN(r, t), CHOSEN(r)));
    HD_TRY(HD_C_LAUNCH(r, SHORT, (uint64_t)n * r->s.device->info.warp, CHOSEN(r), HD_C_ROWS(r), TOTALS(r, t),
                       WITHIN(r, t), HD_ARGUMENT_BUFFER(r->next)));
    return r->longs ? decide_long(r, t) : HEDDLE_OK;
}

static heddle_status copy(hd_community_run *r, const hd_buffer *from, const hd_buffer *to) {
    uint32_t n = r->rows->n;
    return HD_C_LAUNCH(r, COPY, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(*from), HD_ARGUMENT_BUFFER(*to));
}

static heddle_status clear_numbers(hd_community_run *r) {
    return r->s.device->fill(r->s.device, &r->numbers_there, 0, 0, sizeof r->numbers);
}

/* ---- Moving ------------------------------------------------------------------------------------------------------ */

static heddle_status move_turn(hd_community_run *r, const turn *t) {
    const hd_rows_there *g = r->rows;
    HD_TRY(decide(r, t));
    HD_TRY(HD_C_LAUNCH(r, APPLY, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_VALUE(t->salt),
                       HD_ARGUMENT_VALUE(t->number), HD_ARGUMENT_BUFFER(g->ends), HD_ARGUMENT_BUFFER(r->next),
                       HD_ARGUMENT_BUFFER(r->part), HD_ARGUMENT_BUFFER(r->total), HD_ARGUMENT_BUFFER(r->size),
                       HD_ARGUMENT_BUFFER(r->marks), HD_ARGUMENT_BUFFER(r->gone),
                       HD_ARGUMENT_BUFFER(r->numbers_there)));
    return HD_C_LAUNCH(r, MARK, hd_community_lanes(r), CHOSEN(r), HD_C_LONG(r), HD_ARGUMENT_BUFFER(g->offsets),
                       HD_ARGUMENT_BUFFER(g->targets), HD_ARGUMENT_BUFFER(r->part), HD_ARGUMENT_BUFFER(r->gone),
                       HD_ARGUMENT_BUFFER(r->marks));
}

static uint32_t salt_of(const hd_community_run *r, uint64_t sweep) {
    return (uint32_t)hd_random(r->run->options.seed + r->levels, sweep);
}

static heddle_status sweep(hd_community_run *r, uint64_t *moved) {
    double best, now;
    HD_TRY(clear_numbers(r));
    HD_TRY(hd_community_measure(r, &r->part, &best));
    for (uint32_t i = 0; i < SWEEPS; i++) {
        turn t = {.part = &r->part, .salt = salt_of(r, i)};
        HD_TRY(clear_numbers(r));
        for (t.number = 0; t.number < MOVE_CLASSES; t.number++)
            HD_TRY(move_turn(r, &t));
        HD_TRY(hd_community_measure(r, &r->part, &now));
        if (!(now > best))
            break;
        HD_TRY(copy(r, &r->part, &r->best));
        *moved += r->numbers[MOVE_MOVED];
        if (now - best < least_sweep)
            break;
        best = now;
    }
    return copy(r, &r->best, &r->part);
}

heddle_status hd_community_move(hd_community_run *r, uint64_t *moved) {
    hd_device *device = r->s.device;
    *moved = 0;
    HD_TRY(hd_community_totals(r, &r->part));
    HD_TRY(copy(r, &r->part, &r->next));
    HD_TRY(copy(r, &r->part, &r->best));
    HD_TRY(device->fill(device, &r->marks, 0, 1, (uint64_t)r->rows->n * 4));
    return sweep(r, moved);
}

/* ---- Refining ---------------------------------------------------------------------------------------------------- */

static heddle_status start_refining(hd_community_run *r) {
    const hd_rows_there *g = r->rows;
    HD_TRY(hd_community_totals(r, &r->part));
    HD_TRY(r->s.device->fill(r->s.device, &r->inward, 0, 0, (uint64_t)g->n * 8));
    HD_TRY(HD_C_LAUNCH(r, INWARD, hd_community_lanes(r), HD_ARGUMENT_VALUE(g->n), HD_C_LONG(r), HD_C_ROWS(r),
                       HD_ARGUMENT_BUFFER(r->part), HD_ARGUMENT_BUFFER(r->inward)));
    HD_TRY(HD_C_LAUNCH(r, START, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->ends),
                       HD_ARGUMENT_BUFFER(r->total), HD_ARGUMENT_BUFFER(r->part), HD_ARGUMENT_BUFFER(r->inward),
                       HD_ARGUMENT_VALUE(r->all), HD_ARGUMENT_BUFFER(r->inner), HD_ARGUMENT_BUFFER(r->next),
                       HD_ARGUMENT_BUFFER(r->size), HD_ARGUMENT_BUFFER(r->marks)));
    return HD_C_LAUNCH(r, ALONE, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->ends),
                       HD_ARGUMENT_BUFFER(r->total));
}

static heddle_status refine_turn(hd_community_run *r, const turn *t) {
    uint32_t n = r->rows->n;
    HD_TRY(decide(r, t));
    HD_TRY(HD_C_LAUNCH(r, ATTACH, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->rows->ends),
                       HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(r->inner), HD_ARGUMENT_BUFFER(r->total),
                       HD_ARGUMENT_BUFFER(r->size), HD_ARGUMENT_BUFFER(r->marks),
                       HD_ARGUMENT_BUFFER(r->numbers_there)));
    return copy(r, &r->inner, &r->next);
}

heddle_status hd_community_refine(hd_community_run *r) {
    HD_TRY(start_refining(r));
    for (uint32_t i = 0; i < REFINING; i++) {
        turn t = {.part = &r->inner, .refining = 1, .salt = salt_of(r, SWEEPS + i)};
        HD_TRY(clear_numbers(r));
        for (t.number = 0; t.number < MOVE_CLASSES; t.number++)
            HD_TRY(refine_turn(r, &t));
        HD_TRY(hd_structure_look(&r->s, &r->numbers_there, r->numbers, sizeof r->numbers));
        if (!r->numbers[MOVE_MOVED])
            break;
    }
    return HEDDLE_OK;
}
