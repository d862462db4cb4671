/* labels.cl - label propagation on a device, for cdlp and lpa: vertices take the most frequent label of their
 * neighbours, colour by colour; all vertices of a colour at once. cdlp has one colour, and new labels go elsewhere.
 *
 * How many lanes count the labels of a row, and where, depends on its length (labels_state.h). Long rows go in pieces,
 * in three steps: warps count a piece each in the row's table; each finds the best slot of a piece of the table, and
 * empties it; each finds the best of these, and marks the neighbours in its piece if the label is new.
 *
 * LABELS_BOTH: in-edges count, too. LABELS_CHANCE: of labels that are equally frequent a vertex keeps its own, or takes
 * one by chance, otherwise the smallest. */
#include "algorithm/labels/labels_state.h"
#include "engine/label_rank.h"

#define LABELS_GRAPH                                                                                                  \
    u32 colour, u32 flags, u32 seed, GLOBAL u32 *state, GLOBAL const hd_offset *out_offsets,                          \
        GLOBAL const u32 *out_targets, GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets,              \
        GLOBAL const u32 *order, GLOBAL const u32 *colours, GLOBAL u32 *rows, GLOBAL const u32 *pieces,               \
        GLOBAL u32 *label, GLOBAL u32 *next, GLOBAL u32 *marks, GLOBAL u32 *more_marks, GLOBAL u32 *table, u64 slots, \
        GLOBAL u32 *found

typedef struct propagation {
    u32 flags, seed;
    GLOBAL const hd_offset *out_offsets, *in_offsets;
    GLOBAL const u32 *out_targets, *in_targets;
    GLOBAL const u32 *order, *pieces; /* vertices; pieces: row and number */
    GLOBAL u32 *rows;                 /* long ones */
    GLOBAL u32 *label, *next;
    GLOBAL u32 *marks, *more_marks; /* of this round, of the next one */
    GLOBAL u32 *keys, *counts;      /* tables of long rows */
    GLOBAL u32 *found;              /* the best of each piece: three words */
} propagation;

/* A group's shared memory. */
typedef struct desk {
    LOCAL u32 *table;            /* keys, then counts */
    LOCAL u32 *scratch, *chosen; /* of this warp */
    LOCAL hd_mode *tops;         /* of the group's warps */
} desk;

#define LABELS_PROPAGATION                                                                                     \
    propagation g;                                                                                             \
    g.flags = flags, g.seed = seed, g.out_offsets = out_offsets, g.in_offsets = in_offsets;                    \
    g.out_targets = out_targets, g.in_targets = in_targets, g.order = order, g.pieces = pieces, g.rows = rows; \
    g.label = label, g.next = next, g.marks = marks, g.more_marks = more_marks, g.keys = table;                \
    g.counts = table + slots, g.found = found
#define LABELS_DESK                                                                                           \
    SHARED u32 labels_table[2 * LABELS_SLOTS], labels_scratch[HD_WARPS][HD_SCRATCH], labels_chosen[HD_WARPS]; \
    SHARED hd_mode labels_tops[HD_WARPS];                                                                     \
    desk h;                                                                                                   \
    h.table = labels_table, h.scratch = labels_scratch[HD_WARP_HERE];                                         \
    h.chosen = &labels_chosen[HD_WARP_HERE], h.tops = labels_tops

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

typedef struct row {
    u32 v, own, live; /* its label; whether it is looked at */
    hd_offset out, in, out_count, count;
} row;

INLINE row labels_row(const propagation *g, u32 v) {
    row r;
    r.v = v;
    r.own = hd_far(&g->label[v]);
    r.live = !(g->flags & LABELS_MARKED) || hd_load32(&g->marks[v]);
    r.out = g->out_offsets[v];
    r.in = 0;
    r.count = r.out_count = g->out_offsets[v + 1] - r.out;
#if LABELS_BOTH
    r.in = g->in_offsets[v];
    r.count += g->in_offsets[v + 1] - r.in;
#endif
    return r;
}

/* Out-edges first. */
INLINE u32 labels_entry(const propagation *g, const row *r, hd_offset i) {
#if LABELS_BOTH
    if (i >= r->out_count)
        return g->in_targets[r->in + (i - r->out_count)];
#endif
    return g->out_targets[r->out + i];
}

INLINE u32 labels_at(const propagation *g, const row *r, hd_offset i) {
    return hd_far(&g->label[labels_entry(g, r, i)]);
}

INLINE hd_mode labels_better(const propagation *g, const row *r, hd_mode best, u32 count, u32 label) {
#if LABELS_CHANCE
    u32 salt = HD_LABEL_SALT(r->v, g->seed);
    return hd_mode_better(best, count, HD_LABEL_RANK(label, r->own, salt), label);
#else
    (void)g, (void)r;
    return hd_mode_better(best, count, label, label);
#endif
}

/* The vertex takes a label; `lanes` lanes call it, of which this is number `lane`. */
INLINE void labels_settle(const propagation *g, const row *r, u32 label, u32 lane, u32 lanes, u32 *changed) {
    if (lane == 0) {
        g->next[r->v] = label;
        *changed += label != r->own;
    }
    if (label != r->own && (g->flags & LABELS_MARKS))
        for (hd_offset i = lane; i < r->count; i += lanes)
            hd_store32(&g->more_marks[labels_entry(g, r, i)], 1);
}

INLINE void labels_unmark(const propagation *g, u32 v) {
    if (g->flags & LABELS_MARKED)
        hd_store32(&g->marks[v], 0);
}

/* ---- One colour -------------------------------------------------------------------------------------------------- */

INLINE void labels_tiny(const propagation *g, u32 v, u32 *changed) {
    row r = labels_row(g, v);
    hd_mode best = hd_mode_none(r.own);
    u32 seen[LABELS_TINY], count = r.live ? (u32)r.count : 0;
    if (count)
        labels_unmark(g, v);
    HD_UNROLL
    for (u32 i = 0; i < LABELS_TINY; i++)
        seen[i] = i < count ? labels_at(g, &r, i) : 0xffffffffu;
    HD_UNROLL
    for (u32 i = 0; i < LABELS_TINY; i++) {
        u32 times = 0;
        HD_UNROLL
        for (u32 k = 0; k < LABELS_TINY; k++)
            times += seen[k] == seen[i];
        best = labels_better(g, &r, best, i < count ? times : 0, seen[i]);
    }
    labels_settle(g, &r, best.label, 0, 1, changed);
}

INLINE void labels_small(const propagation *g, const desk *h, u32 v, u32 *changed) {
    row r = labels_row(g, v);
    hd_mode best = hd_mode_none(r.own);
    u32 count = r.live ? (u32)r.count : 0, mine = HD_LANE < count ? labels_at(g, &r, HD_LANE) : 0xffffffffu, times = 0;
#ifdef HD_MATCHES
    times = hd_popcount(hd_match(mine));
#else
    h->scratch[HD_LANE] = mine;
    hd_warp_barrier();
    for (u32 i = 0; i < HD_WARP; i++)
        times += h->scratch[i] == mine;
    hd_warp_barrier();
#endif
    if (HD_LANE == 0 && count) /* all have seen the mark */
        labels_unmark(g, v);
    best = hd_mode_choose(h->scratch, h->chosen, labels_better(g, &r, best, HD_LANE < count ? times : 0, mine));
    labels_settle(g, &r, best.label, HD_LANE, HD_WARP, changed);
}

/* Counts every `lanes`-th label of the row in a table; equal ones that follow each other at once. */
INLINE void labels_count(const propagation *g, const row *r, u32 count, u32 lane, u32 lanes, LOCAL u32 *keys,
                         LOCAL u32 *counts, u32 slots) {
    u32 last = 0, times = 0;
    for (u32 i = lane; i < count; i += lanes) {
        u32 here = labels_at(g, r, i);
        if (times && here != last) {
            hd_mode_add_local(keys, counts, slots, last, times);
            times = 0;
        }
        last = here;
        times++;
    }
    if (times)
        hd_mode_add_local(keys, counts, slots, last, times);
}

INLINE void labels_middle(const propagation *g, const desk *h, u32 v, u32 *changed) {
    LOCAL u32 *keys = h->table + HD_WARP_HERE * (LABELS_MIDDLE * 3 / 2), *counts = keys + LABELS_SLOTS;
    row r = labels_row(g, v);
    hd_mode best = hd_mode_none(r.own);
    u32 count = r.live ? (u32)r.count : 0, slots = count * 3 / 2;
    for (u32 k = HD_LANE; k < slots; k += HD_WARP)
        keys[k] = counts[k] = 0;
    hd_warp_barrier();
    if (HD_LANE == 0 && count)
        labels_unmark(g, v);
    labels_count(g, &r, count, HD_LANE, HD_WARP, keys, counts, slots);
    hd_warp_barrier();
    for (u32 k = HD_LANE; k < slots; k += HD_WARP)
        best = labels_better(g, &r, best, counts[k], keys[k] - 1);
    best = hd_mode_choose(h->scratch, h->chosen, best);
    labels_settle(g, &r, best.label, HD_LANE, HD_WARP, changed);
}

/* All lanes of a group. */
INLINE void labels_large(const propagation *g, const desk *h, u32 v, u32 *changed) {
    LOCAL u32 *keys = h->table, *counts = keys + LABELS_SLOTS;
    row r = labels_row(g, v);
    hd_mode best = hd_mode_none(r.own);
    u32 count = r.live ? (u32)r.count : 0, slots = count * 3 / 2;
    for (u32 k = HD_GROUP_LANE; k < slots; k += HD_GROUP_SIZE)
        keys[k] = counts[k] = 0;
    hd_group_barrier();
    if (HD_GROUP_LANE == 0 && count)
        labels_unmark(g, v);
    labels_count(g, &r, count, HD_GROUP_LANE, HD_GROUP_SIZE, keys, counts, slots);
    hd_group_barrier();
    for (u32 k = HD_GROUP_LANE; k < slots; k += HD_GROUP_SIZE)
        best = labels_better(g, &r, best, counts[k], keys[k] - 1);
    best = hd_mode_choose(h->scratch, h->chosen, best);
    if (HD_LANE == 0)
        h->tops[HD_WARP_HERE] = best;
    hd_group_barrier();
    for (u32 w = 0; w < HD_WARPS; w++)
        best = hd_mode_better(best, h->tops[w].count, h->tops[w].rank, h->tops[w].label);
    labels_settle(g, &r, best.label, HD_GROUP_LANE, HD_GROUP_SIZE, changed);
    hd_group_barrier();
}

/* A piece of a long row; `base` is the colour's first. */
typedef struct piece {
    GLOBAL u32 *row;
    u32 number;
    u64 table, own; /* where the row's table begins, and where the piece's part of it */
} piece;

INLINE piece labels_piece(const propagation *g, u64 p, u32 base) {
    piece at;
    at.row = g->rows + (u64)g->pieces[2 * p] * ROW_WORDS;
    at.number = g->pieces[2 * p + 1];
    at.table = (u64)(at.row[ROW_FIRST] - base) * (2 * LABELS_PIECE);
    at.own = (p - base) * (2 * LABELS_PIECE);
    return at;
}

INLINE void labels_count_piece(const propagation *g, u64 p, u32 base) {
    piece at = labels_piece(g, p, base);
    row r = labels_row(g, at.row[ROW_VERTEX]);
    hd_offset first = (hd_offset)at.number * LABELS_PIECE;
    hd_offset end = r.count - first < LABELS_PIECE ? r.count : first + LABELS_PIECE;
    u32 slots = at.row[ROW_PIECES] * (2 * LABELS_PIECE), last = 0, times = 0;
    if (HD_LANE == 0 && at.number == 0) {
        at.row[ROW_OWN] = r.own;
        at.row[ROW_LIVE] = r.live;
    }
    for (hd_offset i = first + HD_LANE; r.live && i < end; i += HD_WARP) {
        u32 here = labels_at(g, &r, i);
        if (times && here != last) {
            hd_mode_add(g->keys + at.table, g->counts + at.table, slots, last, times);
            times = 0;
        }
        last = here;
        times++;
    }
    if (times)
        hd_mode_add(g->keys + at.table, g->counts + at.table, slots, last, times);
}

/* The row of a piece as it was when its turn came. */
INLINE row labels_row_then(const propagation *g, const piece *at) {
    row r = labels_row(g, at->row[ROW_VERTEX]);
    r.own = hd_far(&at->row[ROW_OWN]);
    r.live = hd_far(&at->row[ROW_LIVE]);
    return r;
}

INLINE void labels_best_slot(const propagation *g, const desk *h, u64 p, u32 base) {
    piece at = labels_piece(g, p, base);
    row r = labels_row_then(g, &at);
    hd_mode best = hd_mode_none(r.own);
    GLOBAL u32 *keys = g->keys + at.own, *counts = g->counts + at.own;
    if (HD_LANE == 0 && at.number == 0 && r.live)
        labels_unmark(g, r.v);
    for (u32 k = HD_LANE; r.live && k < 2 * LABELS_PIECE; k += HD_WARP) {
        u32 count = hd_far(&counts[k]);
        if (count) {
            best = labels_better(g, &r, best, count, hd_far(&keys[k]) - 1);
            keys[k] = counts[k] = 0;
        }
    }
    best = hd_mode_choose(h->scratch, h->chosen, best);
    if (HD_LANE == 0) {
        g->found[3 * p] = best.count;
        g->found[3 * p + 1] = best.rank;
        g->found[3 * p + 2] = best.label;
    }
}

INLINE void labels_best_piece(const propagation *g, const desk *h, u64 p, u32 base, u32 *changed) {
    piece at = labels_piece(g, p, base);
    row r = labels_row_then(g, &at);
    hd_mode best = hd_mode_none(r.own);
    hd_offset first = (hd_offset)at.number * LABELS_PIECE;
    hd_offset end = r.count - first < LABELS_PIECE ? r.count : first + LABELS_PIECE;
    u32 count = r.live ? at.row[ROW_PIECES] : 0;
    for (u32 i = HD_LANE; i < count; i += HD_WARP) {
        u64 q = 3 * ((u64)at.row[ROW_FIRST] + i);
        best = hd_mode_better(best, hd_far(&g->found[q]), hd_far(&g->found[q + 1]), hd_far(&g->found[q + 2]));
    }
    best = hd_mode_choose(h->scratch, h->chosen, best);
    if (HD_LANE == 0 && at.number == 0) {
        g->next[r.v] = best.label;
        *changed += best.label != r.own;
    }
    if (best.label != r.own && (g->flags & LABELS_MARKS))
        for (hd_offset i = first + HD_LANE; i < end; i += HD_WARP)
            hd_store32(&g->more_marks[labels_entry(g, &r, i)], 1);
}

/* The three steps of a colour. Neighbours in the order go to different groups. */
#define LABELS_ORDER ((u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX)

INLINE void labels_visit_rows(const propagation *g, const desk *h, GLOBAL const u32 *c, u32 *changed) {
    for (u64 p = c[COLOUR_PIECE] + LABELS_ORDER; p < c[COLOUR_LAST_PIECE]; p += HD_WARP_TOTAL)
        labels_count_piece(g, p, c[COLOUR_PIECE]);
    for (u64 i = c[COLOUR_LARGE] + HD_GROUP_INDEX; i < c[COLOUR_END]; i += HD_GROUP_TOTAL)
        labels_large(g, h, g->order[i], changed);
    for (u64 i = c[COLOUR_MIDDLE] + LABELS_ORDER; i < c[COLOUR_LARGE]; i += HD_WARP_TOTAL)
        labels_middle(g, h, g->order[i], changed);
    for (u64 i = c[COLOUR_SMALL] + LABELS_ORDER; i < c[COLOUR_MIDDLE]; i += HD_WARP_TOTAL)
        labels_small(g, h, g->order[i], changed);
    for (u64 i = c[COLOUR_TINY] + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < c[COLOUR_SMALL];
         i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        labels_tiny(g, g->order[i], changed);
}

INLINE void labels_find_best(const propagation *g, const desk *h, GLOBAL const u32 *c) {
    for (u64 p = c[COLOUR_PIECE] + LABELS_ORDER; p < c[COLOUR_LAST_PIECE]; p += HD_WARP_TOTAL)
        labels_best_slot(g, h, p, c[COLOUR_PIECE]);
}

INLINE void labels_settle_long(const propagation *g, const desk *h, GLOBAL const u32 *c, u32 *changed) {
    for (u64 p = c[COLOUR_PIECE] + LABELS_ORDER; p < c[COLOUR_LAST_PIECE]; p += HD_WARP_TOTAL)
        labels_best_piece(g, h, p, c[COLOUR_PIECE], changed);
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

KERNEL labels_start(u32 n, u32 mark, GLOBAL u32 *label, GLOBAL u32 *next, GLOBAL u32 *marks, GLOBAL u32 *more_marks) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        label[v] = next[v] = (u32)v;
        marks[v] = more_marks[v] = mark;
    }
}

KERNEL labels_visit(LABELS_GRAPH) {
    LABELS_PROPAGATION;
    LABELS_DESK;
    u32 changed = 0;
    labels_visit_rows(&g, &h, colours + (u64)colour * COLOUR_WORDS, &changed);
    if (changed)
        hd_add32(&state[LABELS_CHANGED], changed);
}

KERNEL labels_best(LABELS_GRAPH) {
    LABELS_PROPAGATION;
    LABELS_DESK;
    (void)state;
    labels_find_best(&g, &h, colours + (u64)colour * COLOUR_WORDS);
}

KERNEL labels_join(LABELS_GRAPH) {
    LABELS_PROPAGATION;
    LABELS_DESK;
    u32 changed = 0;
    labels_settle_long(&g, &h, colours + (u64)colour * COLOUR_WORDS, &changed);
    if (changed)
        hd_add32(&state[LABELS_CHANGED], changed);
}

/* A round in one launch; `colour` is how many there are. */
KERNEL labels_round(LABELS_GRAPH) {
    LABELS_PROPAGATION;
    LABELS_DESK;
    u32 changed = 0;
    for (u32 i = 0; i < colour; i++) {
        GLOBAL const u32 *c = colours + (u64)i * COLOUR_WORDS;
        int any_long = c[COLOUR_PIECE] < c[COLOUR_LAST_PIECE];
        (void)any_long;
        labels_visit_rows(&g, &h, c, &changed);
        hd_grid_barrier(&state[LABELS_BARRIER]);
        HD_IF_UNIFORM(any_long) {
            labels_find_best(&g, &h, c);
            hd_grid_barrier(&state[LABELS_BARRIER]);
            labels_settle_long(&g, &h, c, &changed);
            hd_grid_barrier(&state[LABELS_BARRIER]);
        }
    }
    if (changed)
        hd_add32(&state[LABELS_CHANGED], changed);
}

#if !LABELS_BOTH
#include "engine/primitive/row_of.cl"

/* Whether rows ascend, without an entry twice. */
KERNEL labels_check(u32 n, u64 arcs, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *state) {
    for (u64 e = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE + 1; e < arcs; e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (targets[e] <= targets[e - 1] && offsets[row_of(offsets, 0, n, e)] != e)
            hd_store32(&state[LABELS_MIXED], 1);
}

/* The first round, if they do and the smallest label wins: all labels differ, and the first neighbour has the smallest.
 */
KERNEL labels_first(u32 n, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, GLOBAL u32 *next,
                    GLOBAL u32 *state) {
    SHARED u32 all;
    u32 changed = 0;
    if (HD_GROUP_LANE == 0)
        all = 0;
    hd_group_barrier();
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        if (offsets[v] < offsets[v + 1]) {
            next[v] = targets[offsets[v]];
            changed += next[v] != v;
        }
    hd_add_local(&all, changed);
    hd_group_barrier();
    if (HD_GROUP_LANE == 0 && all)
        hd_add32(&state[LABELS_CHANGED], all);
}
#endif
