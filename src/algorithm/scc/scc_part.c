/* scc_part.c - strongly connected components on one of several parts, by colours (Orzan, 2004).
 *
 * In each turn, every undecided vertex has a colour of its own, and the least colour that leads to a vertex becomes the
 * vertex'. A vertex that has kept its own is a root; whatever has its colour and leads back to it is its component. A
 * component has one colour, so that vertices of different ones need not be looked at together any more: the colours of
 * a turn are the classes of the next, and colours spread within their class only. They are numbers by chance, so that a
 * class falls to pieces also where components form long chains, and the number of turns is about logarithmic (Blelloch,
 * Gu, Shun and Sun, 2016, have the argument). In the first turn a pivot, the vertex of most edges both ways, has the
 * least colour, which spreads before all others, as the largest component is likely its own. Before every turn,
 * vertices that nothing of their class leads to, or that lead to nothing of it, are decided in a few passes.
 *
 * Colours, and the marks on the way back, spread within a part until nothing changes there; then what has changed is
 * sent to the parts that read it: one exchange for each time that a path changes parts. Forward, a part has the edges
 * into its vertices, and backward those out of them, in two slices, each reversed.
 *
 * The label of a component is its smallest vertex: parts send the smallest that each has to the part that collects the
 * component's colour, and that one sends the smallest of all back.
 */
#include "algorithm/scc/scc_part.h"

#include "algorithm/algorithm.h"
#include "algorithm/cc/cc_part.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "engine/cpu/bitmap.h"
#include "engine/parts/own_rounds.h"
#include "engine/parts/run_own.h"
#include "exchange/swap.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIMS = 8,       /* passes at most before a turn */
    TRIM_LEAST = 64, /* while each decides at least one of this many undecided vertices */
    FEW = 1 << 10    /* vertices that one thread goes through */
};

/* One direction: edges that lead to own vertices, or, backward, edges that own vertices have. */
typedef struct side {
    const hd_slice *slice;
    hd_slice_transpose *transposed; /* of each vertex that is known, own and remote: the own ones at the other end */
    hd_boxes *boxes;                /* colours */
    hd_boxes notices;               /* which vertices are decided */
    uint64_t *gone;                 /* remote vertices that are decided */
    uint32_t *classes;              /* the classes of the others */
} side;

/* Vertices whose colours, or marks, have yet to spread here: bits, and, as long as they are few, a list. */
typedef struct worklist {
    uint64_t *bits;
    uint32_t *list;
    uint64_t count; /* search.words or more: the list is not complete */
} worklist;

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    uint64_t own, words;
    side ahead, behind;
    hd_boxes back_boxes;
    hd_slice_transpose back_transposed;
    const uint32_t *degrees; /* out-edges of own vertices */
    uint32_t *labels;
    uint32_t *colours;
    uint32_t *classes; /* the colours of the turn before */
    uint64_t *open;    /* bits of own vertices: those not decided, */
    uint64_t *marked;  /* those that lead back to the root of their colour, */
    uint64_t *changed; /* those to be sent to other parts, */
    uint64_t *trimmed; /* and those that a pass has decided */
    worklist now, next;
    uint64_t left; /* undecided vertices of all parts */
    bool first;    /* turn: it has a pivot */
    uint32_t salt; /* makes colours of names; the pivot's name gives 0 */
} search;

/* ---- Spreading -------------------------------------------------------------------------------------------------- */

/* Whether the value lowers the vertex' colour. */
static bool lower(uint32_t *colour, uint32_t value) {
    uint32_t seen = hd_load(colour);
    while (value < seen)
        if (hd_compare_swap(colour, &seen, value))
            return true;
    return false;
}

static void note(search *s, uint32_t v) {
    worklist *next = &s->next;
    if (!hd_bit_shared(next->bits, v) && hd_bit_claim(next->bits, v) && hd_load(&next->count) < s->words) {
        uint64_t at = hd_fetch_add(&next->count, 1);
        if (at < s->words)
            next->list[at] = v;
    }
    if (!hd_bit_shared(s->changed, v))
        hd_bit_claim(s->changed, v);
}

static void forget_all(search *s) {
    memset(s->next.bits, 0, s->words * sizeof *s->next.bits);
    memset(s->changed, 0, s->words * sizeof *s->changed);
    s->next.count = 0;
}

/* In the first turn there is one class. */
static uint32_t class_of(const search *s, const side *d, uint64_t u) {
    return s->first ? 0 : u < s->own ? s->classes[u] : d->classes[u - s->own];
}

/* The colour goes on from a vertex that the part knows, own or remote. Returns the edges walked. */
static uint64_t colour_from(search *s, uint64_t u, uint32_t colour) {
    const hd_slice_transpose *t = s->ahead.transposed;
    uint32_t class = class_of(s, &s->ahead, u);
    for (uint64_t k = t->offsets[u]; k < t->offsets[u + 1]; k++) {
        uint32_t v = t->targets[k];
        if (hd_bit(s->open, v) && class_of(s, &s->ahead, v) == class && lower(&s->colours[v], colour))
            note(s, v);
    }
    return hd_slice_transpose_degree(t, u);
}

/* A vertex of that colour leads to its root: so do those of the same colour that lead to it. */
static uint64_t mark_from(search *s, uint64_t u, uint32_t colour) {
    const hd_slice_transpose *t = s->behind.transposed;
    for (uint64_t k = t->offsets[u]; k < t->offsets[u + 1]; k++) {
        uint32_t v = t->targets[k];
        if (s->colours[v] == colour && hd_bit(s->open, v) && !hd_bit_shared(s->marked, v) && hd_bit_claim(s->marked, v))
            note(s, v);
    }
    return hd_slice_transpose_degree(t, u);
}

typedef uint64_t (*spread_fn)(search *s, uint64_t u, uint32_t colour);

static uint64_t spread_bits(search *s, const uint64_t *bits, spread_fn spread) {
    uint64_t walked = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (s->words >= FEW))
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            uint64_t u = w * 64 + (uint64_t)__builtin_ctzll(left);
            walked += spread(s, u, hd_load(&s->colours[u]));
        }
    return walked;
}

static uint64_t spread_list(search *s, const uint32_t *list, uint64_t count, spread_fn spread) {
    uint64_t walked = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (count >= FEW))
    for (uint64_t i = 0; i < count; i++)
        walked += spread(s, list[i], hd_load(&s->colours[list[i]]));
    return walked;
}

/* From all that waits; what is noted meanwhile waits for the next step. `now` has no bits before and after. */
static uint64_t spread_step(search *s, spread_fn spread) {
    worklist now = s->next;
    s->next = (worklist){.bits = s->now.bits, .list = s->now.list};
    s->now = now;
    bool few = now.count < s->words;
    uint64_t walked = few ? spread_list(s, now.list, now.count, spread) : spread_bits(s, now.bits, spread);
    for (uint64_t i = 0; few && i < now.count; i++)
        now.bits[now.list[i] / 64] = 0;
    if (!few)
        memset(now.bits, 0, s->words * sizeof *now.bits);
    return walked;
}

/* Within the part, until nothing changes. */
static uint64_t spread_here(search *s, spread_fn spread) {
    enum { LOOK = 1 << 12 };
    uint64_t walked = 0;
    for (uint64_t step = 0; s->next.count; step++) {
        walked += spread_step(s, spread);
        if (step % LOOK == 0 && hd_advance(s->ctx, 0))
            break; /* the round's end says so */
    }
    return walked;
}

static uint64_t count(const search *s, const uint64_t *bits) {
    uint64_t sum = 0;
    for (uint64_t w = 0; w < s->words; w++)
        sum += (uint64_t)__builtin_popcountll(bits[w]);
    return sum;
}

static heddle_status send_changed(search *s, side *d, const uint32_t *values, const uint64_t *bits) {
    double start = hd_clock();
    HD_TRY(hd_boxes_post(d->boxes, values, bits));
    HD_TRY(hd_boxes_take(d->boxes));
    hd_own_rounds_sent(&s->rounds, d->boxes->bytes, d->boxes->useful, hd_clock() - start);
    return HEDDLE_OK;
}

/* Until nothing changes anywhere. */
static heddle_status spread_all(search *s, side *d, spread_fn spread, const char *kernel) {
    const hd_inbox *inbox = &d->boxes->inbox;
    uint64_t changes = 1;
    while (changes) {
        hd_own_round round = {.vertices = count(s, s->next.bits), .direction = HEDDLE_DIRECTION_PUSH, .kernel = kernel};
        round.edges = spread_here(s, spread);
        round.changes = count(s, s->changed);
        HD_TRY(send_changed(s, d, s->colours, s->changed));
        memset(s->changed, 0, s->words * sizeof *s->changed);
        for (uint64_t i = 0; i < inbox->count; i++) {
            uint32_t colour;
            memcpy(&colour, inbox->values + i * sizeof colour, sizeof colour);
            round.edges += spread(s, s->own + inbox->places[i], colour);
        }
        HD_TRY(hd_own_rounds_next(&s->rounds, &round));
        changes = round.changes;
    }
    return hd_boxes_settle(d->boxes);
}

/* ---- Trimming --------------------------------------------------------------------------------------------------- */

/* Whether an edge of the row leads to, or comes from, another vertex of the class that is not decided. */
static bool has_open(const search *s, const side *d, uint64_t v, uint64_t *walked) {
    const hd_slice *slice = d->slice;
    for (uint64_t k = slice->offsets[v]; k < slice->offsets[v + 1]; k++) {
        uint64_t t = slice->targets[k];
        ++*walked;
        bool open = t < s->own ? t != v && hd_bit(s->open, t) : !hd_bit(d->gone, t - s->own);
        if (open && class_of(s, d, t) == class_of(s, d, v))
            return true;
    }
    return false;
}

static heddle_status tell_gone(search *s, side *d) {
    double start = hd_clock();
    HD_TRY(hd_boxes_post(&d->notices, NULL, s->trimmed));
    HD_TRY(hd_boxes_take(&d->notices));
    hd_own_rounds_sent(&s->rounds, d->notices.bytes, d->notices.useful, hd_clock() - start);
    for (uint64_t i = 0; i < d->notices.inbox.count; i++)
        hd_bit_set(d->gone, d->notices.inbox.places[i]);
    return hd_boxes_settle(&d->notices);
}

/* One pass; *decided: vertices of all parts. */
static heddle_status trim_once(search *s, uint64_t *decided) {
    const hd_slice *slice = s->ahead.slice;
    hd_own_round round = {.direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, trimmed"};
    uint64_t walked = 0;
    memset(s->trimmed, 0, s->words * sizeof *s->trimmed);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (slice->edges >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->open[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (!has_open(s, &s->ahead, v, &walked) || !has_open(s, &s->behind, v, &walked)) {
                s->labels[v] = (uint32_t)(slice->first + v);
                s->trimmed[w] |= bits & -bits;
            }
        }
    for (uint64_t w = 0; w < s->words; w++)
        s->open[w] &= ~s->trimmed[w];
    round.vertices = round.changes = count(s, s->trimmed);
    round.edges = walked;
    HD_TRY(tell_gone(s, &s->ahead));
    HD_TRY(tell_gone(s, &s->behind));
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    s->left -= *decided = round.changes;
    return HEDDLE_OK;
}

static heddle_status trim(search *s) {
    uint64_t decided = UINT64_MAX;
    for (int i = 0; i < TRIMS && s->left && decided > s->left / TRIM_LEAST; i++)
        HD_TRY(trim_once(s, &decided));
    return HEDDLE_OK;
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

/* A permutation of all numbers, which 0 keeps its place in. */
static uint32_t shuffled(uint32_t x) {
    x = (x ^ x >> 16) * UINT32_C(0x85ebca6b);
    x = (x ^ x >> 13) * UINT32_C(0xc2b2ae35);
    return x ^ x >> 16;
}

static uint32_t own_colour(const search *s, uint64_t v) {
    return shuffled(((uint32_t)s->ahead.slice->first + (uint32_t)v) ^ s->salt);
}

/* The undecided vertex of most pairs of edges in and out, the smallest of several. */
static heddle_status choose_pivot(search *s) {
    const hd_slice *slice = s->ahead.slice;
    hd_link *link = s->rounds.link;
    uint64_t best = 0, at = 0, name;
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->open[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            uint64_t pairs = 1 + (slice->offsets[v + 1] - slice->offsets[v]) * s->degrees[v];
            at = pairs > best ? slice->first + v : at;
            best = pairs > best ? pairs : best;
        }
    uint64_t most = best;
    HD_TRY(link->reduce(link, HD_LINK_MAX, &most, 1));
    name = best == most ? at : UINT64_MAX;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &name, 1));
    s->salt = (uint32_t)name;
    return HEDDLE_OK;
}

static void note_open(search *s, bool all) {
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->open[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (all || s->colours[v])
                note(s, (uint32_t)v);
        }
}

/* Colours of all: a pivot's first, alone, then those that it has not reached. */
static heddle_status colour_all(search *s) {
    uint64_t pivot = s->salt - s->ahead.slice->first;
    for (uint64_t v = 0; v < s->own; v++)
        s->colours[v] = own_colour(s, v);
    forget_all(s);
    if (s->first && pivot < s->own)
        note(s, (uint32_t)pivot);
    if (s->first)
        HD_TRY(spread_all(s, &s->ahead, colour_from, "slices, pivot"));
    note_open(s, !s->first);
    return spread_all(s, &s->ahead, colour_from, "slices, colours");
}

static heddle_status mark_all(search *s) {
    forget_all(s);
    memset(s->marked, 0, s->words * sizeof *s->marked);
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->open[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (s->colours[v] != own_colour(s, v))
                continue;
            hd_bit_set(s->marked, v);
            note(s, (uint32_t)v);
        }
    return spread_all(s, &s->behind, mark_from, "slices, components");
}

/* ---- Labels ----------------------------------------------------------------------------------------------------- */

/* A component's smallest vertex, here or of all parts. */
typedef struct least {
    uint32_t colour, name;
} least;

static int by_colour(const void *left, const void *right) {
    const least *a = left, *b = right;
    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

static bool is_pivots(const search *s, uint64_t v) { return s->first && !s->colours[v]; }

/* The pivot's component has one label, which all agree on without a message of its own. */
static heddle_status label_pivot(search *s) {
    hd_link *link = s->rounds.link;
    uint64_t name = UINT64_MAX;
    for (uint64_t w = s->words; w-- > 0;)
        for (uint64_t bits = s->marked[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits), at = s->ahead.slice->first + v;
            name = is_pivots(s, v) && at < name ? at : name;
        }
    HD_TRY(link->reduce(link, HD_LINK_MIN, &name, 1));
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->marked[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (is_pivots(s, v))
                s->labels[v] = (uint32_t)name;
        }
    return HEDDLE_OK;
}

/* The other components here, each once, with the smallest vertex; returns how many. */
static uint64_t list_components(const search *s, least *list) {
    uint64_t found = 0, kept = 0;
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->marked[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (!is_pivots(s, v))
                list[found++] = (least){s->colours[v], (uint32_t)(s->ahead.slice->first + v)};
        }
    qsort(list, (size_t)found, sizeof *list, by_colour);
    for (uint64_t i = 0; i < found; i++)
        if (!kept || list[i].colour != list[kept - 1].colour)
            list[kept++] = list[i];
    return kept;
}

/* The part that collects a colour: those of a part follow each other in the sorted list. */
static uint32_t collector(const search *s, uint32_t colour) {
    return (uint32_t)((uint64_t)colour * s->rounds.link->size >> 32);
}

static least *find(least *list, uint64_t length, uint32_t colour) {
    const least key = {.colour = colour};
    uint64_t low = 0, high = length;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        *(list[middle].colour < key.colour ? &low : &high) = list[middle].colour < key.colour ? middle + 1 : middle;
    }
    return &list[low];
}

/* Replaces what came from all parts by the smallest of each colour. `sorted`: room for as many. */
static void collect(least *came, uint64_t total, least *sorted) {
    memcpy(sorted, came, total * sizeof *sorted);
    qsort(sorted, (size_t)total, sizeof *sorted, by_colour);
    for (uint64_t i = 0; i < total; i++)
        came[i] = *find(sorted, total, came[i].colour);
}

/* Asks the collectors, and takes their answers, which come in the order of what was asked. */
static heddle_status ask(search *s, least *list, uint64_t length, uint64_t *counts) {
    hd_link *link = s->rounds.link;
    heddle_context *ctx = s->ctx;
    hd_swapped in = {.total = 0}, back = {.total = 0};
    least *sorted = NULL;
    heddle_status status;
    double start = hd_clock();
    for (uint64_t i = 0; i < length; i++)
        counts[collector(s, list[i].colour)]++;
    HD_CHECK(hd_swap(link, list, counts, sizeof *list, "components", &in));
    HD_CHECK(HD_NEW(ctx, &sorted, in.total, "components"));
    if (in.total)
        collect((least *)(void *)in.data, in.total, sorted);
    HD_CHECK(hd_swap(link, in.data, in.counts, sizeof *list, "components", &back));
    if (length)
        memcpy(list, back.data, length * sizeof *list);
    uint64_t sent = length - counts[link->rank] + in.total - in.counts[link->rank];
    hd_own_rounds_sent(&s->rounds, sent * sizeof *list, sent * sizeof(uint32_t), hd_clock() - start);
out:
    HD_DELETE(&ctx->allocator, sorted, in.total);
    hd_swapped_free(link, &in);
    hd_swapped_free(link, &back);
    return status;
}

static heddle_status label_others(search *s) {
    heddle_context *ctx = s->ctx;
    uint64_t room = count(s, s->marked), *counts = NULL, size = s->rounds.link->size;
    least *list = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &list, room + 1, "components"));
    HD_CHECK(HD_NEW_ZERO(ctx, &counts, size, "components"));
    uint64_t length = list_components(s, list);
    HD_CHECK(ask(s, list, length, counts));
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->marked[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            if (!is_pivots(s, v))
                s->labels[v] = find(list, length, s->colours[v])->name;
        }
out:
    HD_DELETE(&ctx->allocator, list, room + 1);
    HD_DELETE(&ctx->allocator, counts, size);
    return status;
}

static heddle_status label_all(search *s) {
    hd_own_round round = {.direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, labels"};
    if (s->first)
        HD_TRY(label_pivot(s));
    HD_TRY(label_others(s));
    round.vertices = round.changes = count(s, s->marked);
    for (uint64_t w = 0; w < s->words; w++)
        s->open[w] &= ~s->marked[w];
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    s->left -= round.changes;
    return HEDDLE_OK;
}

/* The colours of undecided vertices become classes; vertices of others that are not sent any more are decided. */
static heddle_status share_classes(search *s, side *d) {
    const hd_inbox *inbox = &d->boxes->inbox;
    HD_TRY(send_changed(s, d, s->colours, s->open));
    memset(d->gone, 0xff, hd_bitmap_words(d->slice->remote) * sizeof *d->gone);
    for (uint64_t i = 0; i < inbox->count; i++) {
        uint64_t v = inbox->places[i];
        memcpy(&d->classes[v], inbox->values + i * sizeof *d->classes, sizeof *d->classes);
        d->gone[v / 64] &= ~(UINT64_C(1) << v % 64);
    }
    return hd_boxes_settle(d->boxes);
}

static heddle_status end_turn(search *s, uint64_t turn) {
    uint32_t *classes = s->classes;
    HD_TRY(share_classes(s, &s->ahead));
    HD_TRY(share_classes(s, &s->behind));
    s->classes = s->colours;
    s->colours = classes;
    s->first = false;
    s->salt = (uint32_t)hd_mix64(turn);
    return trim(s);
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static heddle_status search_all(search *s) {
    s->left = s->rounds.job->vertices;
    s->first = true;
    HD_TRY(trim(s));
    HD_TRY(choose_pivot(s));
    for (uint64_t turn = 1; s->left; turn++) {
        HD_TRY(colour_all(s));
        HD_TRY(mark_all(s));
        HD_TRY(label_all(s));
        if (s->left)
            HD_TRY(end_turn(s, turn));
    }
    hd_own_rounds_finish(&s->rounds);
    return HEDDLE_OK;
}

static heddle_status allocate_side(search *s, side *d) {
    HD_TRY(HD_NEW_ZERO(s->ctx, &d->gone, hd_bitmap_words(d->slice->remote), "frontier"));
    return HD_NEW_ZERO(s->ctx, &d->classes, d->slice->remote, "classes");
}

static void release_side(search *s, side *d) {
    HD_DELETE(&s->ctx->allocator, d->gone, hd_bitmap_words(d->slice->remote));
    HD_DELETE(&s->ctx->allocator, d->classes, d->slice->remote);
}

static heddle_status allocate(search *s) {
    heddle_context *ctx = s->ctx;
    HD_TRY(HD_NEW(ctx, &s->colours, s->own, "colours"));
    HD_TRY(HD_NEW(ctx, &s->open, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->marked, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->changed, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->trimmed, s->words, "frontier"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->now.bits, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->now.list, s->words, "frontier"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->next.bits, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->next.list, s->words, "frontier"));
    HD_TRY(HD_NEW_ZERO(ctx, &s->classes, s->own, "classes"));
    HD_TRY(allocate_side(s, &s->ahead));
    HD_TRY(allocate_side(s, &s->behind));
    memset(s->open, 0xff, s->words * sizeof *s->open);
    if (s->own % 64)
        s->open[s->words - 1] = (UINT64_C(1) << s->own % 64) - 1;
    return HEDDLE_OK;
}

static void release(search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    HD_DELETE(allocator, s->colours, s->own);
    HD_DELETE(allocator, s->open, s->words);
    HD_DELETE(allocator, s->marked, s->words);
    HD_DELETE(allocator, s->changed, s->words);
    HD_DELETE(allocator, s->trimmed, s->words);
    HD_DELETE(allocator, s->now.bits, s->words);
    HD_DELETE(allocator, s->now.list, s->words);
    HD_DELETE(allocator, s->next.bits, s->words);
    HD_DELETE(allocator, s->next.list, s->words);
    HD_DELETE(allocator, s->classes, s->own);
    release_side(s, &s->ahead);
    release_side(s, &s->behind);
    hd_slice_transpose_free(s->ctx, &s->back_transposed);
}

static heddle_status turn(search *s, hd_part_report *report) {
    double start = hd_clock();
    HD_TRY(hd_slice_transpose_make(s->ctx, s->ahead.slice, s->ahead.transposed));
    HD_TRY(hd_slice_transpose_make(s->ctx, s->behind.slice, s->behind.transposed));
    report->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

static heddle_status run_part(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                              void *outputs, hd_part_report *report) {
    search s = {.ctx = link->ctx,
                .own = slice->own,
                .words = hd_bitmap_words(slice->own),
                .degrees = degrees,
                .labels = outputs};
    heddle_status status;
    s.ahead = (side){.slice = slice, .transposed = job->transposed, .boxes = &s.rounds.boxes};
    s.behind = (side){.slice = job->back, .transposed = &s.back_transposed, .boxes = &s.back_boxes};
    HD_CHECK(allocate(&s));
    HD_CHECK(turn(&s, report));
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, sizeof(uint32_t), report));
    HD_CHECK(hd_boxes_new(link, job->back, &hd_exchange_vr, sizeof(uint32_t), &s.back_boxes));
    HD_CHECK(hd_boxes_new(link, slice, &hd_exchange_vr, 0, &s.ahead.notices));
    HD_CHECK(hd_boxes_new(link, job->back, &hd_exchange_vr, 0, &s.behind.notices));
    HD_CHECK(search_all(&s));
out:
    status = hd_boxes_free(&s.behind.notices, status);
    status = hd_boxes_free(&s.ahead.notices, status);
    status = hd_boxes_free(&s.back_boxes, status);
    status = hd_own_rounds_free(&s.rounds, status);
    release(&s);
    return status;
}

heddle_status hd_scc_in_parts(const hd_run *run) {
    static const hd_part_own directed = {.run = run_part, .direction = true, .apart = true};
    const hd_part_own *own = run->graph->directed ? &directed : hd_cc_part_of(run->graph);
    HD_TRY(hd_parts_run_own(run, HEDDLE_VALUE_U32, false, own));
    return hd_structure_figures(run->ctx, run->result);
}
