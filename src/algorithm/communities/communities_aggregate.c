/* communities_aggregate.c - the graph of communities, built by all threads: the next level of louvain or leiden.
 * Idea: vertices are sorted by community. A thread adds up the rows of a community's members in a hash table and writes
 * the sums where there is room for all of them; then rows move together. Communities with very many edges are added up
 * by all threads, one such community after the other. The order of the entries of a row depends on chance, but nothing
 * that is computed from it does. */
#include "algorithm/communities/communities_search.h"
#include "base/memory.h"
#include "base/parallel.h"

enum {
    STRETCH = 1 << 11, /* vertices whose labels are counted before shared counts are raised */
    TAKEN = 32,        /* communities that a thread takes at once */
    ENTRIES = 1 << 14  /* of a large community: a thread takes so many at once, about */
};

#define EACH(i, count)                                                         \
    HD_PARALLEL_FOR(s->ctx, schedule(static) if ((count) >= HD_WORTH_THREADS)) \
    for (uint64_t i = 0; i < (count); i++)

/* ---- Numbers from 0 ---------------------------------------------------------------------------------------------- */

/* Numbers the labels from 0, in ascending order; s->places gets the number of each. */
static uint64_t number_labels(hd_search *s, uint32_t *label) {
    uint64_t n = s->graph->n;
    EACH(v, n)
    s->places[v] = 0;
    EACH(v, n)
    if (!hd_load(&s->places[label[v]]))
        hd_store(&s->places[label[v]], 1);
    uint64_t count = hd_prefix_sum(s->ctx, s->places, n);
    EACH(v, n)
    label[v] = (uint32_t)s->places[label[v]];
    return count;
}

/* ---- Vertices by label ------------------------------------------------------------------------------------------- */

typedef struct merging {
    hd_search *s;
    const uint32_t *label;
    uint64_t labels;
    uint64_t *starts;  /* labels + 2: members of c are list[starts[c]] … list[starts[c + 1] - 1] */
    uint64_t *entries; /* of members */
    uint64_t *bounds;  /* labels + 1: where there is room for the row of c */
    uint64_t *more;    /* per label: sums of a community that all threads add up; NULL: there is none */
    uint64_t most;     /* entries of other communities */
    uint32_t *targets;
    uint64_t *weights; /* with room for all rows */
    uint64_t room;
    hd_level next;
} merging;

/* Counts members and entries, by stretches of vertices, so that threads seldom meet at a large community. */
static void count_stretch(const merging *m, hd_label_sums *t, uint64_t from, uint64_t to) {
    hd_label_sums_begin(t, STRETCH, m->labels);
    for (uint64_t v = from; v < to; v++)
        hd_label_sums_count(t, m->label[v], hd_level_degree(m->s->graph, v), 1);
    for (uint32_t i = 0; i < t->count; i++) {
        const hd_label_slot *slot = hd_label_sums_at(t, i);
        hd_fetch_add(&m->starts[slot->key], slot->times);
        hd_fetch_add(&m->entries[slot->key - 1], slot->sum);
    }
    hd_label_sums_clear(t);
}

/* starts[c + 1] is where the next member of c has its place. */
static void place_stretch(const merging *m, hd_label_sums *t, uint64_t from, uint64_t to) {
    hd_label_sums_begin(t, STRETCH, m->labels);
    for (uint64_t v = from; v < to; v++)
        hd_label_sums_add(t, m->label[v], 1);
    for (uint32_t i = 0; i < t->count; i++) {
        hd_label_slot *slot = hd_label_sums_at(t, i);
        slot->sum = hd_fetch_add(&m->starts[slot->key], slot->sum);
    }
    for (uint64_t v = from; v < to; v++)
        m->s->list[hd_label_slot_of(t, m->label[v])->sum++] = (uint32_t)v;
    hd_label_sums_clear(t);
}

typedef void stretch_fn(const merging *m, hd_label_sums *t, uint64_t from, uint64_t to);

static void each_stretch(const merging *m, stretch_fn *act) {
    uint64_t n = m->s->graph->n, next = 0;
    HD_PARALLEL(m->s->ctx, if (n >= HD_WORTH_THREADS)) {
        hd_label_sums t = m->s->sums[hd_thread()];
        for (uint64_t v = hd_fetch_add(&next, STRETCH); v < n; v = hd_fetch_add(&next, STRETCH))
            act(m, &t, v, n - v < STRETCH ? n : v + STRETCH);
    }
}

static void sort_by_label(merging *m) {
    each_stretch(m, count_stretch);
    hd_prefix_sum(m->s->ctx, m->starts + 1, m->labels);
    each_stretch(m, place_stretch);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* Adds up v's row; returns what stays inside. */
static inline uint64_t add_row(const merging *m, hd_label_sums *t, uint32_t c, uint32_t v) {
    const hd_level *g = m->s->graph;
    uint64_t inside = g->own ? g->own[v] : 0, end = g->offsets[v + 1];
    for (uint64_t e = g->offsets[v]; e < end; e++) {
        uint32_t other = m->label[g->targets[e]];
        if (other == c)
            inside += hd_level_weight(g, e);
        else
            hd_label_sums_add(t, other, hd_level_weight(g, e));
    }
    return inside;
}

static inline uint64_t room_of(const merging *m, uint64_t c) { return m->bounds[c + 1] - m->bounds[c]; }

static void merge_label(const merging *m, hd_label_sums *t, uint32_t c) {
    uint64_t at = m->bounds[c], inside = 0, ends = 0;
    hd_label_sums_begin(t, room_of(m, c), m->labels);
    for (uint64_t i = m->starts[c]; i < m->starts[c + 1]; i++) {
        inside += add_row(m, t, c, m->s->list[i]);
        ends += m->s->graph->ends[m->s->list[i]];
    }
    for (uint32_t i = 0; i < t->count; i++) {
        m->targets[at + i] = hd_label_sums_at(t, i)->key - 1;
        m->weights[at + i] = hd_label_sums_at(t, i)->sum;
    }
    m->next.own[c] = inside;
    m->next.ends[c] = ends;
    m->next.offsets_made[c] = t->count;
    hd_label_sums_clear(t);
}

/* Adds a thread's sums of a large community; the first to reach another label gives it a place in the row. */
static void give_sums(const merging *m, hd_label_sums *t, uint32_t c, uint64_t *used) {
    for (uint32_t i = 0; i < t->count; i++) {
        const hd_label_slot *slot = hd_label_sums_at(t, i);
        if (!hd_fetch_add(&m->more[slot->key - 1], slot->sum))
            m->targets[m->bounds[c] + hd_fetch_add(used, 1)] = slot->key - 1;
    }
    hd_label_sums_clear(t);
}

/* Adds up members from m->starts[c] + `next` on, until there are none left; their ends, too. */
static uint64_t add_members(const merging *m, hd_label_sums *t, uint32_t c, uint64_t *next, uint64_t *used,
                            uint64_t *ends) {
    const hd_level *g = m->s->graph;
    uint64_t inside = 0, entries = 0, end = m->starts[c + 1] - m->starts[c];
    for (uint64_t i = hd_fetch_add(next, TAKEN); i < end; i = hd_fetch_add(next, TAKEN))
        for (uint64_t k = i; k < i + TAKEN && k < end; k++) {
            uint32_t v = m->s->list[m->starts[c] + k];
            if (entries && entries + hd_level_degree(g, v) > ENTRIES) {
                give_sums(m, t, c, used);
                entries = 0;
            }
            if (!entries)
                hd_label_sums_begin(t, hd_level_degree(g, v) > ENTRIES ? hd_level_degree(g, v) : ENTRIES, m->labels);
            entries += hd_level_degree(g, v);
            inside += add_row(m, t, c, v);
            *ends += g->ends[v];
        }
    give_sums(m, t, c, used);
    return inside;
}

/* By all threads. */
static void merge_large(const merging *m, uint32_t c) {
    uint64_t next = 0, used = 0, inside = 0, ends = 0, at = m->bounds[c];
    HD_PARALLEL(m->s->ctx, reduction(+ : inside, ends)) {
        hd_label_sums t = m->s->sums[hd_thread()];
        inside += add_members(m, &t, c, &next, &used, &ends);
    }
    HD_PARALLEL_FOR(m->s->ctx, schedule(static) if (used >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < used; i++) {
        m->weights[at + i] = m->more[m->targets[at + i]];
        m->more[m->targets[at + i]] = 0;
    }
    m->next.own[c] = inside;
    m->next.ends[c] = ends;
    m->next.offsets_made[c] = used;
}

static bool is_large(const merging *m, uint64_t c) { return m->entries[c] > m->most; }

static heddle_status merge_rows(const merging *m) {
    heddle_context *ctx = m->s->ctx;
    uint64_t next = 0;
    HD_PARALLEL(ctx, if (m->s->graph->entries >= HD_WORTH_THREADS)) {
        hd_label_sums t = m->s->sums[hd_thread()];
        for (uint64_t c = hd_fetch_add(&next, TAKEN); c < m->labels && !hd_advance(ctx, 0);
             c = hd_fetch_add(&next, TAKEN))
            for (uint64_t k = c; k < c + TAKEN && k < m->labels; k++)
                if (!is_large(m, k))
                    merge_label(m, &t, (uint32_t)k);
    }
    for (uint64_t c = 0; m->more && c < m->labels && !hd_cancelled(ctx); c++)
        if (is_large(m, c))
            merge_large(m, (uint32_t)c);
    return hd_cancelled_status(ctx);
}

/* Rows move together. */
static heddle_status pack_rows(merging *m) {
    heddle_context *ctx = m->s->ctx;
    hd_level *next = &m->next;
    HD_TRY(hd_level_room(ctx, hd_prefix_sum(ctx, next->offsets_made, next->n), true, next));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STRETCH) if (next->entries >= HD_WORTH_THREADS))
    for (uint64_t c = 0; c < next->n; c++) {
        uint64_t at = m->bounds[c], to = next->offsets[c], count = hd_level_degree(next, c);
        for (uint64_t i = 0; i < count; i++) {
            next->targets_made[to + i] = m->targets[at + i];
            next->weights_made[to + i] = m->weights[at + i];
        }
    }
    return HEDDLE_OK;
}

/* A row has no more entries than there are other labels. */
static heddle_status make_room(merging *m) {
    hd_search *s = m->s;
    uint64_t most = m->labels - 1, large = 0;
    m->most = hd_search_most(s->graph->entries);
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(+ : large) if (m->labels >= HD_WORTH_THREADS))
    for (uint64_t c = 0; c < m->labels; c++) {
        m->bounds[c] = m->entries[c] < most ? m->entries[c] : most;
        large += is_large(m, c);
    }
    m->room = hd_prefix_sum(s->ctx, m->bounds, m->labels);
    HD_TRY(HD_NEW(s->ctx, &m->targets, m->room, "edges of communities"));
    HD_TRY(HD_NEW(s->ctx, &m->weights, m->room, "weights of communities"));
    return large ? HD_NEW_ZERO(s->ctx, &m->more, m->labels, "sums of communities") : HEDDLE_OK;
}

/* The graph whose vertices are the labels. */
static heddle_status merge_level(hd_search *s, const uint32_t *label, uint64_t labels) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    merging m = {.s = s, .label = label, .labels = labels, .starts = s->places};
    heddle_status status;
    EACH(c, labels + 2)
    m.starts[c] = 0;
    HD_CHECK(hd_level_open(s->ctx, labels, &m.next));
    HD_CHECK(HD_NEW_ZERO(s->ctx, &m.entries, labels, "entries of communities"));
    HD_CHECK(HD_NEW(s->ctx, &m.bounds, labels + 1, "room of communities"));
    sort_by_label(&m);
    HD_CHECK(make_room(&m));
    HD_CHECK(merge_rows(&m));
    status = pack_rows(&m);
out:
    HD_DELETE(allocator, m.targets, m.room);
    HD_DELETE(allocator, m.weights, m.room);
    HD_DELETE(allocator, m.entries, labels);
    HD_DELETE(allocator, m.bounds, labels + 1);
    HD_DELETE(allocator, m.more, labels);
    if (status != HEDDLE_OK)
        hd_level_close(s->ctx, &m.next);
    else {
        hd_level_close(s->ctx, &s->later);
        s->later = m.next;
        s->graph = &s->later;
    }
    return status;
}

heddle_status hd_search_aggregate(hd_search *s, bool *merged) {
    uint64_t n = s->graph->n, labels = number_labels(s, s->part);
    uint32_t *label = s->refine ? s->inner : s->part;
    if (s->refine)
        labels = number_labels(s, s->inner);
    *merged = labels < n;
    if (!*merged)
        return HEDDLE_OK;
    EACH(u, s->vertices)
    s->member[u] = label[s->member[u]];
    HD_TRY(merge_level(s, label, labels));
    EACH(v, s->refine ? n : 0) /* all members of a part are in the same community */
    hd_store(&s->next[s->inner[v]], s->part[v]);
    EACH(c, labels)
    s->part[c] = s->refine ? s->next[c] : (uint32_t)c;
    return HEDDLE_OK;
}
