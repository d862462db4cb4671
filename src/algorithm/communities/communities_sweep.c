/* communities_sweep.c - moving vertices between communities, and refining communities, on threads.
 * Idea: a sweep visits the vertices that are marked: at first all, later those whose neighbours have moved. Blocks of
 * consecutive vertices are divided into classes by chance. The blocks of a class decide in parallel, each by one
 * thread: a vertex sees what the vertices before it in its block have decided, and of all others what was there before.
 * Then all of the class move. Few marked vertices move one after the other.
 *
 * A vertex alone in its community does not join another one that is alone if that has a larger number: the two might
 * change places.
 *
 * While communities are refined, vertices choose between parts of their own community. A part has the number of the
 * vertex that it began with, which stays in it: a vertex joins a part only if that vertex does not move in the same
 * phase. So parts are connected. */
#include "algorithm/communities/communities_search.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 64,             /* at most */
    REFINING = 2,            /* sweeps of refining, at most */
    CLASSES = 32,            /* at most; a power of two */
    FEWEST_CLASSES = 4,      /* unless vertices move one by one */
    CLASS_ENTRIES = 1 << 14, /* of a class, about */
    FEW = 1 << 15,           /* entries of marked vertices that move one by one */
    BLOCK = 64,              /* vertices of a block, at most */
    BLOCK_ENTRIES = 2048,    /* entries of a block, on average */
    BLOCKS = 1 << 12,        /* at least, if there are so many vertices */
    RANGE = 1 << 12,         /* vertices whose marks a thread lists at once */
    AHEAD = 32,              /* neighbours whose labels are fetched at once */
    CHUNK = 256,             /* listed vertices that a thread takes at once */
    DELTAS = 4 * BLOCK       /* slots of a block's changes */
};

/* Changes by the vertices of a block. */
typedef struct changes {
    uint32_t keys[DELTAS]; /* community + 1 */
    uint64_t ends[DELTAS];
    uint32_t size[DELTAS];
    uint16_t used[2 * BLOCK];
    uint32_t count;
    uint32_t base, width; /* the block's vertices; width 0: none */
} changes;

typedef struct sweep {
    hd_search *s;
    const hd_level *g;
    uint32_t *label;        /* communities, or their parts */
    const uint32_t *within; /* the communities whose parts they are; NULL: vertices move between communities */
    uint32_t block, salt;   /* vertices of a block: a power of two */
    uint64_t ranges;
    uint64_t *starts;                /* of each class and range: its place in the list */
    uint64_t listed, entries, moved; /* vertices; entries of their rows; how many of them moved */
    uint64_t gain;                   /* by the moves, in whole numbers */
} sweep;

/* ---- Which vertices are looked at -------------------------------------------------------------------------------- */

static inline uint32_t class_of(const sweep *w, uint64_t v) {
    return (uint32_t)hd_mix64(v / w->block + ((uint64_t)w->salt << 32)) % CLASSES;
}

/* Counts the marked vertices from v on, in the next block, by class, or lists them: `place` has the next place of each
 * class. They come in an order by chance. Returns the entries of their rows. */
static uint64_t list_block(const sweep *w, uint64_t v, bool write, uint64_t *place) {
    uint64_t stride = w->salt | 1, shift = w->salt >> 8, class = class_of(w, v), entries = 0;
    for (uint64_t i = 0; i < w->block; i++) {
        uint64_t u = v + ((i * stride + shift) & (w->block - 1));
        if (u < w->g->n && w->s->marks[u]) {
            if (write)
                w->s->list[place[class]] = (uint32_t)u;
            place[class]++;
            entries += hd_level_degree(w->g, u);
        }
    }
    return entries;
}

static uint64_t list_range(const sweep *w, uint64_t range, bool write, uint64_t *place) {
    uint64_t end = (range + 1) * RANGE < w->g->n ? (range + 1) * RANGE : w->g->n, entries = 0;
    for (uint64_t v = range * RANGE; v < end; v += w->block) {
        uint64_t left = end - v < w->block ? end - v : w->block;
        if (memchr(w->s->marks + v, 1, left))
            entries += list_block(w, v, write, place);
    }
    return entries;
}

/* The marked vertices, by class and block. */
static void list_marked(sweep *w) {
    uint64_t ranges = w->ranges, entries = 0;
    HD_PARALLEL_FOR(w->s->ctx, schedule(static) reduction(+ : entries) if (w->g->n >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < ranges; r++) {
        uint64_t count[CLASSES] = {0};
        entries += list_range(w, r, false, count);
        for (uint64_t c = 0; c < CLASSES; c++)
            w->starts[c * ranges + r] = count[c];
    }
    w->listed = hd_prefix_sum(w->s->ctx, w->starts, CLASSES * ranges);
    w->entries = entries;
    HD_PARALLEL_FOR(w->s->ctx, schedule(static) if (w->g->n >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < ranges; r++) {
        uint64_t place[CLASSES];
        for (uint64_t c = 0; c < CLASSES; c++)
            place[c] = w->starts[c * ranges + r];
        list_range(w, r, true, place);
    }
}

/* ---- Deciding ---------------------------------------------------------------------------------------------------- */

static inline uint32_t slot_of(const changes *d, uint32_t c) {
    uint32_t slot = c * 0x9e3779b1u >> 24;
    while (d->keys[slot] && d->keys[slot] != c + 1)
        slot = (slot + 1) % DELTAS;
    return slot;
}

static void change(changes *d, uint32_t c, uint64_t ends, uint32_t size) {
    uint32_t slot = slot_of(d, c);
    if (!d->keys[slot]) {
        d->keys[slot] = c + 1;
        d->ends[slot] = 0;
        d->size[slot] = 0;
        d->used[d->count++] = (uint16_t)slot;
    }
    d->ends[slot] += ends;
    d->size[slot] += size;
}

static void begin_block(changes *d, uint32_t base, uint32_t width) {
    for (uint32_t i = 0; i < d->count; i++)
        d->keys[d->used[i]] = 0;
    d->count = 0;
    d->base = base;
    d->width = width;
}

static inline uint64_t total_of(const sweep *w, const changes *d, uint32_t c) {
    uint64_t total = w->s->total[c];
    if (d->count) {
        uint32_t slot = slot_of(d, c);
        total += d->keys[slot] ? d->ends[slot] : 0;
    }
    return total;
}

static inline bool is_alone(const sweep *w, const changes *d, uint32_t c) {
    uint32_t size = w->s->size[c];
    if (d->count) {
        uint32_t slot = slot_of(d, c);
        size += d->keys[slot] ? d->size[slot] : 0;
    }
    return size == 1;
}

/* Adds up v's edges by the labels of their other ends, which are fetched first: they are far apart. */
static inline void look(const sweep *w, const changes *d, uint32_t v, hd_label_sums *t) {
    const hd_level *g = w->g;
    uint64_t end = g->offsets[v + 1];
    uint32_t labels[AHEAD];
    hd_label_sums_begin(t, end - g->offsets[v], g->n);
    for (uint64_t e = g->offsets[v], count; e < end; e += count) {
        const uint32_t *targets = g->targets + e;
        count = end - e < AHEAD ? end - e : AHEAD;
        for (uint64_t i = 0; i < count; i++)
            labels[i] = targets[i] - d->base < d->width ? w->s->next[targets[i]] : w->label[targets[i]];
        for (uint64_t i = 0; i < count; i++)
            if (!w->within || w->within[targets[i]] == w->within[v])
                hd_label_sums_add(t, labels[i], hd_level_weight(g, e + i));
    }
}

/* Where v goes from `from`: there, if nowhere is better. Adds what it gains. */
static inline uint32_t decide(const sweep *w, const changes *d, uint32_t v, uint32_t from, hd_label_sums *t,
                              uint64_t *gained) {
    double factor = (double)w->g->ends[v] / w->s->all, best = 0, stay;
    uint64_t own = 0;
    uint32_t to = UINT32_MAX;
    look(w, d, v, t);
    for (uint32_t i = 0; i < t->count; i++) {
        const hd_label_slot *slot = hd_label_sums_at(t, i);
        uint32_t c = slot->key - 1;
        if (c == from) {
            own = slot->sum;
            continue;
        }
        double gain = (double)slot->sum - factor * (double)total_of(w, d, c);
        if (to == UINT32_MAX || gain > best || (gain == best && c < to)) {
            best = gain;
            to = c;
        }
    }
    hd_label_sums_clear(t);
    stay = (double)own - factor * (double)(total_of(w, d, from) - w->g->ends[v]);
    if (to == UINT32_MAX || !(best > stay + w->s->least) || (to > from && is_alone(w, d, from) && is_alone(w, d, to)))
        return from;
    *gained += (uint64_t)fmin(best - stay, (double)w->g->ends[v]); /* all together no more than 2m */
    return to;
}

/* ---- A class ----------------------------------------------------------------------------------------------------- */

/* Where the first block that begins at `at` or behind it begins in the list, before `end`. */
static uint64_t block_from(const sweep *w, uint64_t begin, uint64_t at, uint64_t end) {
    const uint32_t *list = w->s->list;
    while (at > begin && at < end && list[at] / w->block == list[at - 1] / w->block)
        at++;
    return at < end ? at : end;
}

/* Vertices begin … end - 1 of the list, whole blocks. */
static uint64_t decide_chunk(const sweep *w, changes *d, hd_label_sums *t, uint64_t begin, uint64_t end,
                             uint64_t *gain) {
    hd_search *s = w->s;
    uint64_t moved = 0;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = s->list[i], base = v & ~(w->block - 1);
        if (i == begin || base != d->base)
            begin_block(d, base, w->block);
        if (w->within ? !s->marks[v] : 0) /* another vertex of the block has joined it */
            continue;
        uint32_t from = w->label[v], to = decide(w, d, v, from, t, gain);
        if (!w->within)
            s->marks[v] = 0;
        if (to == from)
            continue;
        s->next[v] = to;
        change(d, to, w->g->ends[v], 1);
        change(d, from, 0 - w->g->ends[v], 0u - 1u);
        if (w->within && to - base < w->block)
            s->marks[to] = 0;
        moved++;
    }
    begin_block(d, 0, 0);
    return moved;
}

/* Those that move arrive: their new labels are in w->label, the old ones in s->next. A part whose first vertex moves,
 * too, is not joined. */
static void arrive(const sweep *w, hd_label_sums *t, uint64_t begin, uint64_t end) {
    hd_search *s = w->s;
    hd_label_sums_begin(t, 2 * (end - begin), w->g->n);
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = s->list[i], from = w->label[v], to = s->next[v];
        if (to == from || (w->within && s->next[to] != to))
            continue;
        hd_label_sums_count(t, to, w->g->ends[v], 1);
        hd_label_sums_count(t, from, 0 - w->g->ends[v], 0u - 1u);
        w->label[v] = to;
        if (w->within) {
            hd_store(&s->marks[v], 0);
            hd_store(&s->marks[to], 0);
        } else
            s->next[v] = from;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const hd_label_slot *slot = hd_label_sums_at(t, i);
        hd_fetch_add(&s->total[slot->key - 1], slot->sum);
        hd_fetch_add(&s->size[slot->key - 1], slot->times);
    }
    hd_label_sums_clear(t);
}

/* Neighbours of a vertex that has moved are looked at again, unless they are in its community. */
static inline void mark_neighbours(const sweep *w, uint32_t v) {
    const hd_level *g = w->g;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
        uint32_t u = g->targets[e];
        if (w->label[u] != w->label[v] && !hd_load(&w->s->marks[u]))
            hd_store(&w->s->marks[u], 1);
    }
}

static void mark_chunk(const sweep *w, uint64_t begin, uint64_t end) {
    hd_search *s = w->s;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = s->list[i];
        if (!w->within && s->next[v] != w->label[v])
            mark_neighbours(w, v);
        s->next[v] = w->label[v];
    }
}

/* Vertices begin … end - 1 of the list. */
static void sweep_class(sweep *w, uint64_t begin, uint64_t end) {
    uint64_t per = w->block > 8 ? CHUNK : 4 * w->block; /* so that long rows are spread */
    uint64_t chunks = (end - begin + per - 1) / per, moved = 0, gain = 0;
    HD_PARALLEL(w->s->ctx, reduction(+ : moved, gain)) {
        hd_label_sums t = w->s->sums[hd_thread()];
        changes d;
        memset(d.keys, 0, sizeof d.keys);
        d.count = 0;
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t i = 0; i < chunks; i++) {
            uint64_t from = block_from(w, begin, begin + i * per, end);
            moved += decide_chunk(w, &d, &t, from, block_from(w, begin, begin + (i + 1) * per, end), &gain);
        }
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t i = 0; i < chunks; i++)
            arrive(w, &t, begin + i * per, i + 1 < chunks ? begin + (i + 1) * per : end);
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t i = 0; i < chunks; i++)
            mark_chunk(w, begin + i * per, i + 1 < chunks ? begin + (i + 1) * per : end);
    }
    w->moved += moved;
    w->gain += gain;
}

/* ---- One by one -------------------------------------------------------------------------------------------------- */

static void move_one(sweep *w, hd_label_sums *t, uint32_t v) {
    static const changes none = {.count = 0};
    hd_search *s = w->s;
    if (!s->marks[v])
        return;
    uint32_t from = w->label[v], to = decide(w, &none, v, from, t, &w->gain);
    s->marks[v] = w->within && to == from;
    if (to == from)
        return;
    w->label[v] = s->next[v] = to;
    s->total[to] += w->g->ends[v];
    s->total[from] -= w->g->ends[v];
    s->size[to]++;
    s->size[from]--;
    w->moved++;
    if (w->within)
        s->marks[to] = 0;
    else
        mark_neighbours(w, v);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

static uint64_t classes_of(const sweep *w) {
    uint64_t classes = FEWEST_CLASSES;
    while (classes < CLASSES && classes * CLASS_ENTRIES < w->entries)
        classes *= 2;
    return classes;
}

/* Visits the marked vertices. */
static heddle_status visit(sweep *w, uint64_t number) {
    hd_search *s = w->s;
    w->salt = (uint32_t)hd_random(s->options->seed + s->levels, number);
    w->moved = w->gain = 0;
    list_marked(w);
    if (s->one_by_one || w->entries < FEW) {
        hd_label_sums t = s->sums[0];
        for (uint64_t i = 0; i < w->listed && !hd_advance_each(s->ctx, i, CHUNK, CHUNK); i++)
            move_one(w, &t, s->list[i]);
        return hd_cancelled_status(s->ctx);
    }
    uint64_t classes = classes_of(w), each = CLASSES / classes * w->ranges;
    for (uint64_t c = 0; c < classes && !hd_advance(s->ctx, 0); c++)
        sweep_class(w, w->starts[c * each], w->starts[(c + 1) * each]);
    return hd_cancelled_status(s->ctx);
}

static heddle_status open_sweep(hd_search *s, uint32_t *label, const uint32_t *within, sweep *w) {
    const hd_level *g = s->graph;
    *w = (sweep){.s = s, .g = g, .label = label, .within = within, .block = BLOCK};
    while (w->block > 1 && (w->block * g->entries > BLOCK_ENTRIES * g->n || w->block * BLOCKS > g->n))
        w->block /= 2;
    w->ranges = (g->n + RANGE - 1) / RANGE;
    return HD_NEW(s->ctx, &w->starts, CLASSES * w->ranges + 1, "lists of vertices");
}

static void close_sweep(sweep *w) { HD_DELETE(&w->s->ctx->allocator, w->starts, CLASSES * w->ranges + 1); }

heddle_status hd_search_move(hd_search *s, double tolerance, uint64_t *moved) {
    const hd_level *g = s->graph;
    uint64_t least = (uint64_t)(tolerance * hd_whole_of(&s->scale, s->scale.sum) / 2);
    heddle_status status;
    sweep w;
    *moved = 0;
    HD_CHECK(open_sweep(s, s->part, NULL, &w));
    hd_search_totals(s, s->part);
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++) {
        s->next[v] = s->part[v];
        s->marks[v] = hd_level_degree(g, v) > 0;
    }
    for (uint64_t i = 0; i < SWEEPS; i++) {
        HD_CHECK(visit(&w, i));
        *moved += w.moved;
        if (!w.moved || w.gain < least)
            break;
    }
    status = HEDDLE_OK;
out:
    close_sweep(&w);
    return status;
}

/* ---- Refining ---------------------------------------------------------------------------------------------------- */

/* Whether v is tied to its community well enough to join a part of it. */
static bool may_join(const hd_search *s, uint64_t v) {
    const hd_level *g = s->graph;
    uint64_t inward = 0, rest = s->total[s->part[v]] - g->ends[v];
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
        inward += s->part[g->targets[e]] == s->part[v] ? hd_level_weight(g, e) : 0;
    return inward && !((double)inward < (double)g->ends[v] * (double)rest / s->all);
}

heddle_status hd_search_refine(hd_search *s) {
    const hd_level *g = s->graph;
    heddle_status status;
    sweep w;
    HD_CHECK(open_sweep(s, s->inner, s->part, &w));
    hd_search_totals(s, s->part);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, CHUNK) if (g->entries >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++) {
        s->marks[v] = may_join(s, v);
        s->inner[v] = s->next[v] = (uint32_t)v;
    }
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++) {
        s->total[v] = g->ends[v];
        s->size[v] = 1;
    }
    for (uint64_t i = 0; i < REFINING; i++) {
        HD_CHECK(visit(&w, SWEEPS + i));
        if (!w.moved)
            break;
    }
    status = HEDDLE_OK;
out:
    close_sweep(&w);
    return status;
}
