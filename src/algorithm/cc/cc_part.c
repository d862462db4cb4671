/* cc_part.c - connected components on one of several parts, in one exchange whatever the graph's diameter.
 *
 * Every part finds the components of its own edges, remote ends included, and names each after its smallest own vertex.
 * It sends the others the labels of the vertices that they read: nearly all are in its largest component, so that it
 * sends that name once, and then the vertices with another one. So every part knows, for each remote vertex, the name
 * of its component here and at its owner: two components that are one. Part 0 gets these pairs, joins them, and sends
 * the names that have changed to their owners.
 *
 * On an undirected graph, as in one process, most edges of each part's giant are not looked at (graph/components.h).
 * All edges of own vertices outside it are, so that an edge between parts is seen by one of them unless it joins two
 * giants. That those are one is known from a few edges; where none was seen, a part looks for one, which takes all
 * edges of its giant if they are not neighbours.
 *
 * Part 0 needs 8 bytes for each pair, which are as many as components meet, and n / 4 bytes. On most graphs there are a
 * few for each two parts; most on a graph of long paths whose ids have no locality, where they may be as many as
 * vertices.
 */
#include "algorithm/cc/cc_part.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/parts/own_rounds.h"
#include "exchange/agree.h"
#include "exchange/swap.h"
#include "graph/components.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t low, high; /* names: vertices of the graph */
} pair;

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice;
    uint64_t *offsets;   /* own + remote + 1: those of remote vertices are empty rows */
    uint32_t *labels;    /* own and remote vertices: the smallest own one of their component here */
    uint32_t *names;     /* of own vertices' components */
    uint64_t *changed;   /* own vertices that are not in the largest one */
    uint64_t *largest;   /* its name at each part */
    uint32_t *elsewhere; /* remote vertices: the names of their components at their owners */
    pair *pairs;         /* room for one of each remote vertex, and of each part */
    uint64_t pair_count;
    bool undirected;
    uint32_t giant;   /* own vertex: the component whose edges were not all looked at; UINT32_MAX: all were */
    uint64_t *giants; /* its name at each part; UINT64_MAX: likewise */
    uint64_t walked;  /* edges in search of one between giants */
} search;

/* ---- Here ------------------------------------------------------------------------------------------------------- */

static heddle_status label_slice(search *s, hd_own_round *round, uint64_t *largest) {
    const hd_slice *slice = s->slice;
    uint64_t n = slice->own + slice->remote;
    hd_components components;
    for (uint64_t v = 0; v <= n; v++)
        s->offsets[v] = v <= slice->own ? slice->offsets[v] : slice->edges;
    const heddle_adjacency rows = {.offsets = s->offsets, .targets = slice->targets};
    bool recording = hd_rounds_pause(s->ctx); /* its steps are one round here */
    heddle_status status = hd_weak_labels_slice(s->ctx, n, &rows, s->undirected, s->labels, &components);
    hd_rounds_resume(s->ctx, recording);
    HD_TRY(status);
    *largest = slice->own ? slice->first + components.first : 0;
    s->giant = s->undirected && slice->edges ? components.giant : UINT32_MAX;
    for (uint64_t v = 0; v < slice->own; v++) {
        s->names[v] = (uint32_t)slice->first + s->labels[v];
        s->changed[v / 64] |= (uint64_t)(s->names[v] != *largest) << v % 64;
    }
    round->vertices = round->changes = slice->own;
    round->edges = components.walked;
    return HEDDLE_OK;
}

/* The names of remote vertices' components at their owners. */
static heddle_status exchange_names(search *s, uint64_t largest) {
    hd_link *link = s->rounds.link;
    const hd_slice *slice = s->slice;
    const hd_inbox *inbox = &s->rounds.boxes.inbox;
    double start = hd_clock();
    HD_TRY(hd_tell_all(link, largest, s->largest));
    HD_TRY(hd_tell_all(link, s->giant < slice->own ? slice->first + s->giant : UINT64_MAX, s->giants));
    hd_own_rounds_sent(&s->rounds, 2 * (link->size - 1) * sizeof largest, 0, hd_clock() - start);
    HD_TRY(hd_own_rounds_post(&s->rounds, s->names, s->changed));
    for (uint32_t p = 0; p < slice->parts; p++)
        for (uint64_t i = slice->remote_start[p]; i < slice->remote_start[p + 1]; i++)
            s->elsewhere[i] = (uint32_t)s->largest[p];
    HD_TRY(hd_own_rounds_take(&s->rounds));
    for (uint64_t i = 0; i < inbox->count; i++)
        memcpy(&s->elsewhere[inbox->places[i]], inbox->values + i * sizeof(uint32_t), sizeof(uint32_t));
    return HEDDLE_OK;
}

/* ---- Between parts ---------------------------------------------------------------------------------------------- */

static int by_names(const void *left, const void *right) {
    const pair *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

static bool same(const pair *a, const pair *b) { return a->low == b->low && a->high == b->high; }

static pair pair_of(uint32_t here, uint32_t there) { return here < there ? (pair){here, there} : (pair){there, here}; }

/* An edge from this part's giant to that of each other one with which no pair is known: `open` says of which, and there
 * are `left` of them. */
static uint64_t seek_giants(search *s, uint64_t *open, uint64_t left, uint64_t count) {
    const hd_slice *slice = s->slice;
    for (uint64_t v = 0; v < slice->own && left; v++) {
        uint32_t part = 0; /* rows ascend by vertex of the graph, hence by owner */
        for (uint64_t k = slice->offsets[v]; s->labels[v] == s->giant && k < slice->offsets[v + 1] && left; k++) {
            uint64_t remote = slice->targets[k] - slice->own;
            s->walked++;
            if (slice->targets[k] < slice->own)
                continue;
            while (remote >= slice->remote_start[part + 1])
                part++;
            if (!open[part] || s->elsewhere[remote] != s->giants[part]) /* whatever its component is here */
                continue;
            open[part] = 0;
            left--;
            s->pairs[count++] = pair_of(s->names[s->giant], (uint32_t)s->giants[part]);
        }
    }
    return count;
}

/* Pairs of giants that are not in the list; `open` is room for a number per part. Of two parts the lower one looks. */
static uint64_t pair_giants(search *s, uint64_t *open, uint64_t count) {
    const hd_slice *slice = s->slice;
    uint64_t left = 0;
    for (uint32_t p = 0; p < slice->parts; p++) {
        uint64_t i = slice->remote_start[p], end = slice->remote_start[p + 1];
        open[p] = p > slice->part && s->giants[p] != UINT64_MAX && i < end;
        for (; i < end && open[p]; i++)
            open[p] = !(s->labels[slice->own + i] == s->giant && s->elsewhere[i] == s->giants[p]);
        left += open[p];
    }
    return left ? seek_giants(s, open, left, count) : count;
}

/* Each pair once; most are equal to the one before already. Remote vertices that no edge was seen of have labels of
 * their own. */
static void list_pairs(search *s) {
    const hd_slice *slice = s->slice;
    uint64_t count = 0, kept = 0;
    for (uint64_t i = 0; i < slice->remote; i++) {
        uint32_t label = s->labels[slice->own + i];
        if (label >= slice->own)
            continue;
        pair found = pair_of(s->names[label], s->elsewhere[i]);
        if (!count || !same(&found, &s->pairs[count - 1]))
            s->pairs[count++] = found;
    }
    if (s->giant < slice->own)
        count = pair_giants(s, s->largest, count); /* which is not needed any more */
    qsort(s->pairs, (size_t)count, sizeof *s->pairs, by_names);
    for (uint64_t i = 0; i < count; i++)
        if (!kept || !same(&s->pairs[i], &s->pairs[kept - 1]))
            s->pairs[kept++] = s->pairs[i];
    s->pair_count = kept;
}

/* The names that occur in pairs, numbered in their order. */
typedef struct joining {
    uint64_t *bits, *before; /* of all vertices of the graph */
    uint64_t words, count;
    uint32_t *parents; /* of the numbered ones: smaller or equal */
    pair *answers;     /* name and its new one */
    uint64_t *counts;  /* answers for each part */
} joining;

static uint64_t number_of(const joining *j, uint32_t name) {
    uint64_t below = j->bits[name / 64] & ((UINT64_C(1) << name % 64) - 1);
    return j->before[name / 64] + (uint64_t)__builtin_popcountll(below);
}

static uint32_t root_of(uint32_t *parents, uint64_t v) {
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return (uint32_t)v;
}

static heddle_status number_names(heddle_context *ctx, joining *j, const pair *pairs, uint64_t count) {
    HD_TRY(HD_NEW_ZERO(ctx, &j->bits, j->words, "names of components"));
    HD_TRY(HD_NEW(ctx, &j->before, j->words + 1, "names of components"));
    for (uint64_t i = 0; i < count; i++) {
        j->bits[pairs[i].low / 64] |= UINT64_C(1) << pairs[i].low % 64;
        j->bits[pairs[i].high / 64] |= UINT64_C(1) << pairs[i].high % 64;
    }
    for (uint64_t w = 0; w < j->words; w++)
        j->before[w] = (uint64_t)__builtin_popcountll(j->bits[w]);
    j->count = hd_prefix_sum(ctx, j->before, j->words);
    HD_TRY(HD_NEW(ctx, &j->parents, j->count, "names of components"));
    return HD_NEW(ctx, &j->answers, j->count, "names of components");
}

/* On part 0: the smallest name of everything that is connected. */
static heddle_status join_pairs(search *s, joining *j, const pair *pairs, uint64_t count) {
    const hd_slice *slice = s->slice;
    uint32_t part = 0;
    uint64_t number = 0, answers = 0;
    HD_TRY(number_names(s->ctx, j, pairs, count));
    for (uint64_t i = 0; i < j->count; i++)
        j->parents[i] = (uint32_t)i;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t a = root_of(j->parents, number_of(j, pairs[i].low));
        uint32_t b = root_of(j->parents, number_of(j, pairs[i].high));
        j->parents[a > b ? a : b] = a > b ? b : a;
    }
    /* Numbers ascend with names, so a root is met, and its name kept, before those that belong to it. */
    for (uint64_t w = 0; w < j->words && !hd_cancelled(s->ctx); w++)
        for (uint64_t bits = j->bits[w]; bits; bits &= bits - 1, number++) {
            uint32_t name = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits)), root = root_of(j->parents, number);
            j->answers[number] = (pair){name, root == number ? name : j->answers[root].high};
        }
    for (uint64_t i = 0; i < j->count; i++) {
        pair answer = j->answers[i];
        while (answer.low >= slice->firsts[part + 1])
            part++;
        if (answer.low == answer.high)
            continue;
        j->answers[answers++] = answer;
        j->counts[part]++;
    }
    return hd_cancelled_status(s->ctx);
}

static void free_joining(heddle_context *ctx, joining *j, uint64_t parts) {
    HD_DELETE(&ctx->allocator, j->bits, j->words);
    HD_DELETE(&ctx->allocator, j->before, j->words + 1);
    HD_DELETE(&ctx->allocator, j->parents, j->count);
    HD_DELETE(&ctx->allocator, j->answers, j->count);
    HD_DELETE(&ctx->allocator, j->counts, parts);
}

/* Pairs to part 0, new names back. */
static heddle_status exchange_pairs(search *s) {
    hd_link *link = s->rounds.link;
    joining j = {.words = s->slice->firsts[s->slice->parts] / 64 + 1};
    hd_swapped in = {.total = 0}, back = {.total = 0};
    heddle_status status;
    double begin = hd_clock();
    HD_CHECK(HD_NEW_ZERO(s->ctx, &j.counts, link->size, "names of components"));
    HD_CHECK(hd_boxes_settle(&s->rounds.boxes));
    j.counts[0] = s->pair_count;
    HD_CHECK(hd_swap(link, s->pairs, j.counts, sizeof *s->pairs, "names of components", &in));
    j.counts[0] = 0;
    if (!link->rank)
        HD_CHECK(join_pairs(s, &j, (const pair *)(const void *)in.data, in.total));
    HD_CHECK(hd_swap(link, j.answers, j.counts, sizeof *j.answers, "names of components", &back));
    const pair *answers = (const pair *)(const void *)back.data;
    for (uint64_t i = 0; i < back.total; i++)
        s->names[answers[i].low - s->slice->first] = answers[i].high;
    uint64_t sent = link->rank ? s->pair_count : 0;
    for (uint32_t p = 1; p < link->size; p++)
        sent += j.counts[p];
    hd_own_rounds_sent(&s->rounds, sent * sizeof(pair), sent * sizeof(uint32_t), hd_clock() - begin);
out:
    hd_swapped_free(link, &in);
    hd_swapped_free(link, &back);
    free_joining(s->ctx, &j, link->size);
    return status;
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static heddle_status search_all(search *s, uint32_t *outputs) {
    hd_own_round here = {.direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, components"};
    hd_own_round joined = {.direction = HEDDLE_DIRECTION_PULL, .kernel = "slices, joined"};
    uint64_t largest;
    HD_TRY(label_slice(s, &here, &largest));
    HD_TRY(exchange_names(s, largest));
    HD_TRY(hd_own_rounds_next(&s->rounds, &here));
    list_pairs(s);
    joined.edges = s->walked;
    HD_TRY(exchange_pairs(s));
    /* The name of a component is kept at its smallest vertex. */
    for (uint64_t v = 0; v < s->slice->own; v++)
        outputs[v] = s->names[s->labels[v]];
    HD_TRY(hd_own_rounds_next(&s->rounds, &joined));
    hd_own_rounds_finish(&s->rounds);
    return HEDDLE_OK;
}

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report);
static const hd_part_own directed = {.run = run}, undirected = {.run = run};

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report) {
    heddle_context *ctx = link->ctx;
    const heddle_allocator *allocator = &ctx->allocator;
    uint64_t own = slice->own, n = own + slice->remote;
    search s = {.ctx = ctx, .slice = slice, .undirected = job->setup.own == &undirected};
    heddle_status status;
    (void)degrees;
    HD_CHECK(HD_NEW(ctx, &s.giants, link->size, "names of components"));
    HD_CHECK(HD_NEW(ctx, &s.offsets, n + 1, "row offsets of a part"));
    HD_CHECK(HD_NEW(ctx, &s.labels, n, "names of components"));
    HD_CHECK(HD_NEW(ctx, &s.names, own, "names of components"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.changed, own / 64 + 1, "changed vertices"));
    HD_CHECK(HD_NEW(ctx, &s.largest, link->size, "names of components"));
    HD_CHECK(HD_NEW(ctx, &s.elsewhere, slice->remote, "names of components"));
    HD_CHECK(HD_NEW(ctx, &s.pairs, slice->remote + link->size, "names of components"));
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, sizeof(uint32_t), report));
    HD_CHECK(search_all(&s, outputs));
out:
    status = hd_own_rounds_free(&s.rounds, status);
    HD_DELETE(allocator, s.offsets, n + 1);
    HD_DELETE(allocator, s.labels, n);
    HD_DELETE(allocator, s.names, own);
    HD_DELETE(allocator, s.changed, own / 64 + 1);
    HD_DELETE(allocator, s.largest, link->size);
    HD_DELETE(allocator, s.elsewhere, slice->remote);
    HD_DELETE(allocator, s.pairs, slice->remote + link->size);
    HD_DELETE(allocator, s.giants, link->size);
    return status;
}

const hd_part_own *hd_cc_part_of(const heddle_graph *graph) { return graph->directed ? &directed : &undirected; }
