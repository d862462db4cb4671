/* mst_device.c - the minimum spanning forest on a device: batches of edges, light ones first, each by Borůvka's rounds
 * (mst.cl).
 *
 * The first batch reads all arcs in equal tiles and skips most by their weight. If edges are so few that it is the only
 * batch, a lane takes a row. Later batches visit the rows of vertices outside the largest tree, under the plan's
 * schedule. A named plan visits rows in the first batch too. The host reads the counts every few rounds, and shrinks a
 * batch whose items do not fit.
 */
#include "algorithm/mst/mst.h"
#include "algorithm/mst/mst_state.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/stall.h"
#include "engine/device/walk.h"

#include <stdio.h>

extern const char hd_text_kernels_sets[], hd_text_kernels_mst[], hd_text_kernels_mst_rounds[], hd_text_walk[];

enum {
    LIGHT = 15,           /* tenths of an edge per vertex in a batch, */
    WORTH = 30,           /* if there are more than this many in all */
    ROOM = 4,             /* items per vertex in a list: more than WORTH, */
    ROOM_LEAST = 1 << 24, /* or this, or all edges; never more than room_most */
    ROUNDS = 3,           /* between two reads of the state */
    MANY = 4,             /* lists longer than n/4 count as large */
    MOST_TRIES = 40
};
static const uint32_t room_most = UINT32_C(1) << 31; /* 32-bit counts may exceed it by what warps hold */

enum { START, BOUND, LIGHTEST, SHORT, ROWS, COLLECT, CHOOSE, SIFT, SAMPLE, FLATTEN, SECOND, KERNELS };
static const char *const names[KERNELS] = {"mst_start",  "mst_bound",   "mst_light",  "mst_short",
                                           "mst_rows",   "mst_collect", "mst_choose", "mst_sift",
                                           "set_sample", "set_flatten", "mst_second"};

typedef struct list {
    hd_buffer pairs, keys, ends;
} list;

typedef struct growth {
    hd_structure s;
    hd_walk walk;
    bool named, two; /* a plan was named; keys are in two parts */
    bool few;        /* few edges: one batch for all */
    uint32_t bits;   /* of a vertex in a key of one part */
    uint32_t n, room, directed, words[MST_WORDS];
    uint64_t arcs;
    hd_buffer parent, state, bounds, entries, best[2], best_ends[2];
    list lists[2], forest;
    void *kernel[KERNELS];
} growth;

/* ---- Setting up -------------------------------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t n) {
    uint32_t bits = 1;
    while (n > UINT64_C(1) << bits)
        bits++;
    return bits;
}

static heddle_status compile(growth *g) {
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_walk, hd_text_kernels_mst,
                                        hd_text_kernels_mst_rounds, NULL};
    hd_structure *s = &g->s;
    char defines[256];
    snprintf(defines, sizeof defines, "#define MST_TWO %d\n#define MST_NAMED %d\n%s", g->two, g->named,
             g->walk.defines);
    hd_kernels_close(&s->kernels);
    HD_TRY(hd_structure_compile(s, "mst", texts, defines));
    for (int i = 0; i < KERNELS; i++)
        if ((i != SECOND || g->two) && (!g->named || (i != LIGHTEST && i != SHORT)))
            HD_TRY(hd_kernels_find(&s->kernels, names[i], &g->kernel[i]));
    return HEDDLE_OK;
}

static heddle_status make_list(growth *g, uint64_t room, list *made) {
    HD_TRY(hd_structure_buffer(&g->s, room * 8, "trees of edges", &made->pairs));
    HD_TRY(hd_structure_buffer(&g->s, room * 8, "edges", &made->keys));
    made->ends = g->parent; /* a placeholder: not read unless keys have two parts */
    return HEDDLE_OK;
}

static heddle_status make_buffers(growth *g) {
    hd_structure *s = &g->s;
    uint64_t all = g->arcs, room = (uint64_t)ROOM * g->n;
    room = room < ROOM_LEAST ? ROOM_LEAST : room;
    room = room < all ? room : all;
    g->room = (uint32_t)(room < room_most ? room : room_most);
    HD_TRY(hd_structure_buffer(s, (uint64_t)g->n * 4, "trees", &g->parent));
    HD_TRY(hd_structure_buffer(s, sizeof g->words, "state", &g->state));
    HD_TRY(hd_structure_buffer(s, 16, "bounds", &g->bounds));
    HD_TRY(hd_structure_buffer(s, hd_walk_room(&g->walk, g->n, all) * 8, "rows", &g->entries));
    for (int i = 0; i < 2; i++) {
        HD_TRY(hd_structure_buffer(s, (uint64_t)g->n * 8, "lightest edges", &g->best[i]));
        g->best_ends[i] = g->parent;
        HD_TRY(make_list(g, g->room, &g->lists[i]));
    }
    return make_list(g, g->n, &g->forest);
}

/* Converts keys of one part to keys of two. */
static heddle_status part_keys(growth *g) {
    g->two = true;
    for (int i = 0; i < 2; i++) {
        HD_TRY(hd_structure_buffer(&g->s, (uint64_t)g->n * 4, "lightest edges", &g->best_ends[i]));
        HD_TRY(hd_structure_buffer(&g->s, (uint64_t)g->room * 4, "edges", &g->lists[i].ends));
    }
    return hd_structure_buffer(&g->s, (uint64_t)g->n * 4, "edges", &g->forest.ends);
}

/* Whether weights may be short enough for keys of one part; whole numbers usually are. */
static bool one_part(const growth *g, heddle_weight_type type) {
    return type == HEDDLE_WEIGHT_NONE ? 2 * g->bits < 64 : type == HEDDLE_WEIGHT_U32 && 2 * g->bits < 60;
}

heddle_status hd_mst_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    growth g = {.s = {.ctx = r->run->ctx, .graph = graph}, .n = (uint32_t)graph->vertices, .arcs = graph->edges};
    HD_TRY(hd_walk_of(r->run->ctx, "mst", &r->run->plan, r->info, &g.walk));
    g.bits = bits_of(graph->vertices);
    HD_TRY(make_buffers(&g));
    if (!one_part(&g, graph->weight_type))
        HD_TRY(part_keys(&g));
    *bytes =
        g.s.bytes + hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_WEIGHTS | (g.walk.wide ? HD_STRUCTURE_WIDE : 0));
    return HEDDLE_OK;
}

static heddle_status open(growth *g, const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    hd_device *device;
    int want = HD_WANT_OUT | HD_WANT_WEIGHTS;
    HD_TRY(hd_device_keep(ctx, options->device, &run->result->report, &device));
    HD_TRY(hd_walk_of(ctx, "mst", &run->plan, &device->info, &g->walk));
    want |= g->walk.wide ? HD_STRUCTURE_WIDE : 0;
    HD_TRY(hd_structure_open(&g->s, ctx, graph, options->device, want, run->result));
    g->named = run->executor->scheduled;
    g->n = (uint32_t)graph->vertices;
    g->arcs = graph->edges;
    g->directed = graph->directed;
    g->few = !g->named && (g->directed ? g->arcs : g->arcs / 2) <= (uint64_t)g->n * WORTH / 10;
    g->bits = bits_of(graph->vertices);
    HD_TRY(make_buffers(g));
    if (!one_part(g, graph->weight_type))
        HD_TRY(part_keys(g));
    return compile(g);
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

#define GRAPH_ARGUMENTS(g)                                                                                \
    HD_ARGUMENT_VALUE((g)->n), HD_ARGUMENT_VALUE((g)->arcs), HD_ARGUMENT_VALUE((g)->bits),                \
        HD_ARGUMENT_VALUE((g)->directed), HD_ARGUMENT_BUFFER((g)->s.resident->out.offsets),               \
        HD_ARGUMENT_BUFFER((g)->s.resident->out.targets), HD_ARGUMENT_BUFFER(*weights_of(g)),             \
        HD_ARGUMENT_BUFFER((g)->parent), HD_ARGUMENT_BUFFER((g)->state), HD_ARGUMENT_BUFFER((g)->bounds), \
        HD_ARGUMENT_BUFFER((g)->entries)
#define LIST_ARGUMENTS(list) \
    HD_ARGUMENT_BUFFER((list).pairs), HD_ARGUMENT_BUFFER((list).keys), HD_ARGUMENT_BUFFER((list).ends)
#define BEST_ARGUMENTS(g, i) HD_ARGUMENT_BUFFER((g)->best[i]), HD_ARGUMENT_BUFFER((g)->best_ends[i])

static const hd_buffer *weights_of(const growth *g) {
    const hd_resident_rows *out = &g->s.resident->out;
    return out->weights.handle ? &out->weights : &out->targets; /* never read if there are none */
}

static heddle_status launch_bound(growth *g, uint32_t mode, uint32_t light, uint32_t worth) {
    return HD_LAUNCH(&g->s.kernels, g->kernel[BOUND], names[BOUND], 1, HD_ARGUMENT_VALUE(mode),
                     HD_ARGUMENT_VALUE(light), HD_ARGUMENT_VALUE(worth), GRAPH_ARGUMENTS(g));
}

static heddle_status launch_walk(growth *g, int which, uint64_t items) {
    uint32_t groups = hd_kernels_groups(&g->s.kernels, items);
    return HD_LAUNCH(&g->s.kernels, g->kernel[which], names[which], groups, GRAPH_ARGUMENTS(g),
                     HD_ARGUMENT_VALUE(g->room), LIST_ARGUMENTS(g->lists[0]), BEST_ARGUMENTS(g, 0));
}

static heddle_status launch_rows(growth *g) {
    const hd_kernels *kernels = &g->s.kernels;
    HD_TRY(HD_LAUNCH(kernels, g->kernel[ROWS], names[ROWS], hd_kernels_groups(kernels, g->n), GRAPH_ARGUMENTS(g)));
    return launch_walk(g, COLLECT, g->arcs);
}

/* `ready`: the minima of the next round have been reset. */
static heddle_status launch_choose(growth *g, uint32_t which, uint32_t ready) {
    uint32_t other = 1 - which, groups = hd_kernels_groups(&g->s.kernels, g->room);
    if (g->two)
        HD_TRY(HD_LAUNCH(&g->s.kernels, g->kernel[SECOND], names[SECOND], groups, HD_ARGUMENT_VALUE(which),
                         HD_ARGUMENT_VALUE(g->room), HD_ARGUMENT_BUFFER(g->state), LIST_ARGUMENTS(g->lists[which]),
                         BEST_ARGUMENTS(g, which)));
    return HD_LAUNCH(&g->s.kernels, g->kernel[CHOOSE], names[CHOOSE], groups, HD_ARGUMENT_VALUE(which),
                     HD_ARGUMENT_VALUE(ready), HD_ARGUMENT_VALUE(g->room), HD_ARGUMENT_VALUE(g->n),
                     HD_ARGUMENT_BUFFER(g->parent), HD_ARGUMENT_BUFFER(g->state), LIST_ARGUMENTS(g->lists[which]),
                     BEST_ARGUMENTS(g, which), BEST_ARGUMENTS(g, other), LIST_ARGUMENTS(g->forest));
}

static heddle_status launch_sift(growth *g, uint32_t which) {
    uint32_t other = 1 - which, groups = hd_kernels_groups(&g->s.kernels, g->room);
    return HD_LAUNCH(&g->s.kernels, g->kernel[SIFT], names[SIFT], groups, HD_ARGUMENT_VALUE(which),
                     HD_ARGUMENT_VALUE(g->room), HD_ARGUMENT_BUFFER(g->parent), HD_ARGUMENT_BUFFER(g->state),
                     LIST_ARGUMENTS(g->lists[which]), LIST_ARGUMENTS(g->lists[other]), BEST_ARGUMENTS(g, other));
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

static heddle_status look(growth *g) { return hd_structure_look(&g->s, &g->state, g->words, sizeof g->words); }

/* Resets the lightest edge of every tree. */
static heddle_status clear_best(growth *g, uint32_t which) {
    hd_device *d = g->s.device;
    if (g->two)
        HD_TRY(d->fill(d, &g->best_ends[which], 0, UINT32_MAX, (uint64_t)g->n * 4));
    return d->fill(d, &g->best[which], 0, UINT32_MAX, (uint64_t)g->n * 8);
}

static void record(growth *g, uint64_t rounds, uint64_t edges, int which) {
    g->s.result->report.iterations += rounds;
    HD_ROUND(g->s.ctx, .rounds = rounds, .vertices = HD_NOT_KNOWN, .edges = edges,
             .weight_bytes = hd_weight_size(g->s.graph->weight_type), .kernel = names[which]);
}

static heddle_status collect(growth *g, bool first) {
    HD_TRY(clear_best(g, 0));
    if (first)
        HD_TRY(clear_best(g, 1));
    if (first && g->few) {
        HD_TRY(launch_walk(g, SHORT, g->n));
        return launch_walk(g, COLLECT, g->arcs);
    }
    if (first && !g->named)
        return launch_walk(g, LIGHTEST, g->arcs);
    if (!first && !g->directed)
        HD_TRY(HD_LAUNCH(&g->s.kernels, g->kernel[SAMPLE], names[SAMPLE], 1, HD_ARGUMENT_VALUE(g->n),
                         HD_ARGUMENT_BUFFER(g->parent), HD_ARGUMENT_BUFFER(g->state)));
    return launch_rows(g);
}

static heddle_status flatten(growth *g) {
    const hd_kernels *kernels = &g->s.kernels;
    return HD_LAUNCH(kernels, g->kernel[FLATTEN], names[FLATTEN], hd_kernels_groups(kernels, g->n),
                     HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->parent));
}

/* Rounds until no item is left; the edges of the first list have been offered. While the list is large, a pass over all
 * vertices is cheaper than one over the ends of its items. */
static heddle_status rounds(growth *g) {
    uint32_t which = 0;
    hd_stall stall = {.looks = 0};
    while (g->words[MST_FOUND + which]) {
        uint32_t many = g->words[MST_FOUND + which] > g->n / MANY;
        if (many)
            HD_TRY(flatten(g));
        for (int i = 0; i < ROUNDS; i++, which = 1 - which) {
            HD_TRY(launch_sift(g, which));
            if (many)
                HD_TRY(clear_best(g, which));
            HD_TRY(launch_choose(g, 1 - which, many));
        }
        HD_TRY(look(g));
        record(g, ROUNDS, HD_NOT_KNOWN, CHOOSE);
        HD_TRY(hd_stall_check(&stall, g->s.ctx, g->s.device, g->words, sizeof g->words));
    }
    return HEDDLE_OK;
}

/* Collects the next batch: edges from the upper bound of the previous one on. */
static heddle_status batch(growth *g, bool first) {
    uint32_t mode = first ? MST_FIRST : MST_NEXT, light = LIGHT, worth = WORTH;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!g->few || !first || tries)
            HD_TRY(launch_bound(g, mode, light, worth));
        HD_TRY(collect(g, first));
        HD_TRY(launch_choose(g, 0, first));
        HD_TRY(look(g));
        record(g, 1, g->arcs, COLLECT);
        if (g->words[MST_TOO_HEAVY])
            return HEDDLE_OK;
        if (g->words[MST_FOUND] <= g->room)
            return rounds(g);
        mode = MST_AGAIN;
        light /= 2;
        worth = 0;
    }
    return hd_fail(g->s.ctx, HEDDLE_E_LIMIT, "mst: more than %lu edges of the same ends and weight: use cpu",
                   (unsigned long)g->room);
}

static heddle_status grow(growth *g) {
    const hd_kernels *kernels = &g->s.kernels;
    hd_device *d = g->s.device;
    HD_TRY(d->fill(d, &g->state, 0, 0, sizeof g->words));
    HD_TRY(d->fill(d, &g->state, SET_GIANT * 4, UINT32_MAX, 4));
    uint32_t all = g->few;
    HD_TRY(HD_LAUNCH(kernels, g->kernel[START], names[START], hd_kernels_groups(kernels, g->n), HD_ARGUMENT_VALUE(g->n),
                     HD_ARGUMENT_VALUE(all), HD_ARGUMENT_BUFFER(g->s.resident->out.offsets),
                     HD_ARGUMENT_BUFFER(g->parent), HD_ARGUMENT_BUFFER(g->state), HD_ARGUMENT_BUFFER(g->bounds)));
    HD_TRY(batch(g, true));
    hd_stall stall = {.looks = 0};
    while (!g->words[MST_LAST] && !g->words[MST_TOO_HEAVY]) {
        HD_TRY(batch(g, false));
        HD_TRY(hd_stall_check(&stall, g->s.ctx, g->s.device, g->words, sizeof g->words));
    }
    return HEDDLE_OK;
}

static heddle_status compute(growth *g) {
    if (!g->arcs)
        return HEDDLE_OK;
    HD_TRY(hd_structure_start(&g->s));
    hd_rounds_mark(g->s.ctx);
    HD_TRY(grow(g));
    HD_TRY(hd_structure_stop(&g->s));
    if (!g->words[MST_TOO_HEAVY])
        return HEDDLE_OK;
    HD_TRY(part_keys(g));
    HD_TRY(compile(g));
    HD_TRY(hd_structure_start(&g->s));
    HD_TRY(grow(g));
    return hd_structure_stop(&g->s);
}

/* ---- The result -------------------------------------------------------------------------------------------------- */

/* The edges of the forest from their keys; `ends` is NULL if they are in the keys. */
static void take_edges(const growth *g, const uint64_t *keys, const uint32_t *ends, const hd_mst_batch *to) {
    uint32_t bits = g->bits, mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    HD_PARALLEL_FOR(g->s.ctx, if (to->count >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t i = 0; i < to->count; i++) {
        uint64_t key = keys[i];
        to->edges[i] =
            ends ? (hd_mst_edge){(uint32_t)key, ends[i], (uint32_t)(key >> 32)}
                 : (hd_mst_edge){(uint32_t)(key >> bits) & mask, (uint32_t)key & mask, (uint32_t)(key >> 2 * bits)};
    }
}

/* Edges are in the order in which the device found them. */
static heddle_status fetch(growth *g, heddle_result *result) {
    heddle_context *ctx = g->s.ctx;
    uint64_t count = g->arcs ? g->words[MST_FOREST] : 0, *keys = NULL;
    uint32_t *ends = NULL;
    hd_mst_batch forest = {.runs = 0};
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &keys, count, "forest"));
    HD_CHECK(hd_structure_fetch(&g->s, &g->forest.keys, keys, count * 8));
    if (g->two) {
        HD_CHECK(HD_NEW(ctx, &ends, count, "forest"));
        HD_CHECK(hd_structure_fetch(&g->s, &g->forest.ends, ends, count * 4));
    }
    HD_CHECK(hd_mst_batch_new(ctx, count, &forest));
    take_edges(g, keys, ends, &forest);
    HD_CHECK(hd_mst_sort(ctx, g->n, &forest));
    status = hd_mst_write(ctx, g->s.graph, forest.edges, count, result);
out:
    HD_DELETE(&ctx->allocator, keys, count);
    HD_DELETE(&ctx->allocator, ends, count);
    hd_mst_batch_free(ctx, &forest);
    return status;
}

heddle_status hd_device_mst(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    growth g = {.s = {.ctx = ctx}};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open(&g, run));
    HD_CHECK(compute(&g));
    HD_CHECK(fetch(&g, run->result));
    char schedule[24] = "fast";
    if (g.named)
        hd_schedule_label(&g.walk.plan, schedule, sizeof schedule);
    hd_structure_report(&g.s, run->options.device, schedule);
    run->result->report.edges_walked = run->graph->edges;
out:
    hd_phase_end(ctx);
    hd_structure_close(&g.s);
    return status;
}
