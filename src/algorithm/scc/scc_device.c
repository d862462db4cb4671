/* scc_device.c - strongly connected components on a device: the giant by a forward and a backward search (scc.cl), the
 * rest by trimming and signatures (scc_rest.cl).
 *
 * With cooperative launches, levels and rounds run inside one kernel; the host checks when a search switches from push
 * to pull, and once per round of the rest. A named plan assigns edges to lanes; searches then push all the time. In
 * undirected graphs the strong components are the connected ones.
 */
#include "algorithm/scc/scc_state.h"
#include "algorithm/structure/structure_device.h"
#include "engine/device/stall.h"
#include "engine/device/walk.h"

#include <stdio.h>

extern const char hd_text_kernels_sets[], hd_text_kernels_scc[], hd_text_kernels_scc_rest[], hd_text_walk[];

enum {
    LARGE_SHARE = 128, /* lists longer than n/128 count as large; */
    SMALL = 1 << 20,   /* in graphs of fewer vertices than this, lists longer than 2^20/16 */
    SMALL_SHARE = 16,
    LISTING = 4,      /* a pull step lists its finds if the step before had at most 4 large lists of them */
    LEVELS = 1 << 11, /* in one kernel */
    THIN = 32,        /* a search with fewer entries per level, on average, is abandoned */
    GROUPS = 2,       /* per unit in cooperative launches */
    CHUNK = 64,       /* edges of an entry under schedules balanced over edges: lists are often short */
    TRIMS = 2,
    JUMPS = 4 /* pointer-jumping steps per vertex in the forest of pairs */
};

enum { START, JUMP, PAIRS, SAMPLE, SEEDS, PUSH, PULL, SPLIT, TRIM, SPREAD, GROW, SETTLE, LEAST, LABEL, KERNELS };
static const char *const names[KERNELS] = {"scc_start", "set_jump",   "scc_pairs", "set_sample", "scc_seeds",
                                           "scc_push",  "scc_pull",   "scc_split", "scc_trim",   "scc_spread",
                                           "scc_grow",  "scc_settle", "scc_least", "scc_label"};

typedef struct search {
    hd_structure s;
    hd_walk walk;
    bool named;
    uint32_t n, words[SCC_WORDS];
    uint64_t room; /* words of a list of entries */
    hd_buffer state, parent, ahead, back, lists, member, class_from, class_to, from, to, due, rest;
    void *kernel[KERNELS];
} search;

/* ---- Setting up -------------------------------------------------------------------------------------------------- */

static heddle_status make_buffers(search *c) {
    hd_structure *s = &c->s;
    uint64_t each = (uint64_t)c->n * 4;
    c->room = 2 * hd_walk_room(&c->walk, c->n, s->resident->edges);
    HD_TRY(hd_structure_buffer(s, sizeof c->words, "state", &c->state));
    HD_TRY(hd_structure_buffer(s, each / 32 + 4, "vertices seen", &c->ahead));
    HD_TRY(hd_structure_buffer(s, each / 32 + 4, "vertices seen", &c->back));
    HD_TRY(hd_structure_buffer(s, 2 * c->room * 4, "edges to walk", &c->lists));
    HD_TRY(hd_structure_buffer(s, each, "components", &c->member));
    HD_TRY(hd_structure_buffer(s, each, "classes", &c->class_from));
    HD_TRY(hd_structure_buffer(s, each, "classes", &c->class_to));
    HD_TRY(hd_structure_buffer(s, each, "signatures", &c->from));
    HD_TRY(hd_structure_buffer(s, each, "signatures", &c->to));
    HD_TRY(hd_structure_buffer(s, each, "sets", &c->parent));
    HD_TRY(hd_structure_buffer(s, each, "rounds", &c->due));
    return hd_structure_buffer(s, 2 * each, "undecided vertices", &c->rest);
}

heddle_status hd_scc_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    hd_resident rows = {.edges = graph->edges};
    search c = {.s = {.ctx = r->run->ctx, .graph = graph, .resident = &rows}, .n = (uint32_t)graph->vertices};
    HD_TRY(hd_walk_of(r->run->ctx, "scc", &r->run->plan, r->info, &c.walk));
    bool wide = c.walk.wide;
    hd_walk_cut(&c.walk, CHUNK);
    HD_TRY(make_buffers(&c));
    *bytes = c.s.bytes + hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN | (wide ? HD_STRUCTURE_WIDE : 0));
    return HEDDLE_OK;
}

static heddle_status open(search *c, const hd_run *run) {
    const heddle_run_options *options = &run->options;
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_walk, hd_text_kernels_scc,
                                        hd_text_kernels_scc_rest, NULL};
    hd_device *device;
    int want = HD_WANT_OUT | HD_WANT_IN;
    HD_TRY(hd_device_keep(run->ctx, options->device, &run->result->report, &device));
    HD_TRY(hd_walk_of(run->ctx, "scc", &run->plan, &device->info, &c->walk));
    hd_walk_cut(&c->walk, CHUNK);
    want |= c->walk.wide ? HD_STRUCTURE_WIDE : 0;
    HD_TRY(hd_structure_open(&c->s, run->ctx, run->graph, options->device, want, run->result));
    c->named = run->executor->scheduled;
    c->n = (uint32_t)run->graph->vertices;
    HD_TRY(hd_structure_compile(&c->s, "scc", texts, c->walk.defines));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&c->s.kernels, names[i], &c->kernel[i]));
    return make_buffers(c);
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static heddle_status set_words(search *c, int first, int count, uint32_t word) {
    return c->s.device->fill(c->s.device, &c->state, (uint64_t)first * 4, word, (uint64_t)count * 4);
}

static heddle_status look(search *c) { return hd_structure_look(&c->s, &c->state, c->words, sizeof c->words); }

static uint32_t groups_of(const search *c) { return hd_kernels_groups(&c->s.kernels, c->n); }

/* Groups of a cooperative launch; 0: the kernel runs a single round. */
static uint32_t together(const search *c, int which) {
    uint32_t most = hd_kernels_resident(&c->s.kernels, c->kernel[which]), wanted = c->s.device->info.units * GROUPS;
    return most < wanted ? most : wanted;
}

#define ROWS_ARGUMENTS(rows) HD_ARGUMENT_BUFFER((rows)->offsets), HD_ARGUMENT_BUFFER((rows)->targets)
#define GRAPH_ARGUMENTS(c)                                                                                  \
    HD_ARGUMENT_VALUE((c)->n), ROWS_ARGUMENTS(&(c)->s.resident->out), ROWS_ARGUMENTS(&(c)->s.resident->in), \
        HD_ARGUMENT_BUFFER((c)->state)
#define REST_ARGUMENTS(c)                                                                                      \
    GRAPH_ARGUMENTS(c), HD_ARGUMENT_BUFFER((c)->parent), HD_ARGUMENT_BUFFER((c)->member),                      \
        HD_ARGUMENT_BUFFER((c)->class_from), HD_ARGUMENT_BUFFER((c)->class_to), HD_ARGUMENT_BUFFER((c)->from), \
        HD_ARGUMENT_BUFFER((c)->to), HD_ARGUMENT_BUFFER((c)->due), HD_ARGUMENT_BUFFER((c)->rest),              \
        HD_ARGUMENT_BUFFER((c)->lists), HD_ARGUMENT_VALUE((c)->room)
#define LAUNCH(c, which, groups, ...) HD_LAUNCH(&(c)->s.kernels, (c)->kernel[which], names[which], groups, __VA_ARGS__)

/* Joins pairs, and chooses where the searches begin. */
static heddle_status begin(search *c) {
    uint32_t groups = groups_of(c), first = 0;
    HD_TRY(set_words(c, 0, SCC_WORDS, 0));
    HD_TRY(set_words(c, SCC_PIVOT, 1, UINT32_MAX));
    HD_TRY(LAUNCH(c, START, groups, GRAPH_ARGUMENTS(c), HD_ARGUMENT_BUFFER(c->parent)));
    for (uint32_t turn = 0; turn < JUMPS; turn++)
        HD_TRY(LAUNCH(c, JUMP, groups, HD_ARGUMENT_VALUE(c->n), HD_ARGUMENT_VALUE(first), HD_ARGUMENT_VALUE(turn),
                      HD_ARGUMENT_BUFFER(c->parent), HD_ARGUMENT_BUFFER(c->state)));
    HD_TRY(LAUNCH(c, PAIRS, groups, GRAPH_ARGUMENTS(c), HD_ARGUMENT_BUFFER(c->parent)));
    return LAUNCH(c, SAMPLE, 1, HD_ARGUMENT_VALUE(c->n), HD_ARGUMENT_BUFFER(c->parent), HD_ARGUMENT_BUFFER(c->state));
}

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

/* A search in one direction; the second one visits only what the first has visited. */
typedef struct way {
    const hd_resident_rows *ahead, *back;
    uint32_t bounded;
    const hd_buffer *inside, *bits;
} way;

#define WAY_ARGUMENTS(c, w)                                                                                           \
    HD_ARGUMENT_VALUE((c)->n), ROWS_ARGUMENTS((w)->ahead), ROWS_ARGUMENTS((w)->back), HD_ARGUMENT_BUFFER((c)->state), \
        HD_ARGUMENT_VALUE((w)->bounded), HD_ARGUMENT_BUFFER(*(w)->inside), HD_ARGUMENT_BUFFER(*(w)->bits),            \
        HD_ARGUMENT_BUFFER((c)->lists), HD_ARGUMENT_VALUE((c)->room)

static void record(search *c, uint32_t rounds, heddle_direction direction, int which) {
    c->s.result->report.iterations += rounds;
    hd_structure_record(c->s.ctx, rounds, direction, names[which]);
}

static heddle_status push(search *c, const way *w, uint32_t round, uint32_t limit) {
    uint32_t groups = together(c, PUSH), rounds = groups ? LEVELS : 1;
    groups = groups ? groups : groups_of(c);
    HD_TRY(hd_kernels_launch(&c->s.kernels, c->kernel[PUSH], names[PUSH], groups, rounds > 1,
                             (const hd_argument[]){HD_ARGUMENT_VALUE(round), HD_ARGUMENT_VALUE(rounds),
                                                   HD_ARGUMENT_VALUE(limit), WAY_ARGUMENTS(c, w)},
                             14));
    HD_TRY(look(c));
    record(c, c->words[SCC_ROUND] - round, HEDDLE_DIRECTION_PUSH, PUSH);
    return HEDDLE_OK;
}

static heddle_status pull(search *c, const way *w, uint32_t round, uint32_t listing) {
    HD_TRY(set_words(c, SCC_COUNTS, 3, 0));
    HD_TRY(set_words(c, SCC_FOUND, 1, 0));
    HD_TRY(LAUNCH(c, PULL, groups_of(c), HD_ARGUMENT_VALUE(round), HD_ARGUMENT_VALUE(listing), WAY_ARGUMENTS(c, w)));
    HD_TRY(look(c));
    record(c, 1, HEDDLE_DIRECTION_PULL, PULL);
    return HEDDLE_OK;
}

/* `all`: the search is complete. A search along a chain, with a few vertices per level, is abandoned. */
static heddle_status reach(search *c, const way *w, bool *all) {
    uint32_t round = 0, large = c->n < SMALL ? SMALL / SMALL_SHARE : c->n / LARGE_SHARE, found = c->n;
    uint64_t spent = 0, all_found = 0;
    HD_TRY(set_words(c, SCC_COUNTS, 3, 0));
    HD_TRY(LAUNCH(c, SEEDS, groups_of(c), WAY_ARGUMENTS(c, w), HD_ARGUMENT_BUFFER(c->parent)));
    HD_TRY(look(c));
    bool pulling = c->words[SCC_LARGE];
    for (;;) {
        if (pulling) {
            uint32_t listing = found / LISTING <= large;
            HD_TRY(pull(c, w, round, listing));
            found = c->words[SCC_FOUND];
            pulling = !listing || found > large;
        } else {
            HD_TRY(push(c, w, round, c->named ? UINT32_MAX : large));
            round = c->words[SCC_ROUND];
            found = c->words[SCC_COUNTS + round % 3];
            spent += c->words[SCC_SPENT];
            pulling = !c->named && found > large;
        }
        *all = !found;
        all_found += found;
        if (all_found > c->room) /* each vertex is found once, and listed with all its parts */
            return hd_fail(c->s.ctx, HEDDLE_E_DEVICE, "%s: a search finds more vertices than there are",
                           c->s.device->info.name);
        if (!found || (round >= LEVELS && spent < (uint64_t)THIN * round))
            return HEDDLE_OK;
    }
}

static heddle_status forget(search *c, hd_buffer *bits) {
    return c->s.device->fill(c->s.device, bits, 0, 0, (uint64_t)c->n / 32 * 4 + 4);
}

/* Discards the result of an abandoned search: then there is no giant. */
static heddle_status find_giant(search *c) {
    const hd_resident *r = c->s.resident;
    way ahead = {&r->out, &r->in, 0, &c->ahead, &c->ahead}, back = {&r->in, &r->out, 1, &c->ahead, &c->back};
    bool all;
    HD_TRY(begin(c));
    HD_TRY(reach(c, &ahead, &all));
    if (!all)
        HD_TRY(forget(c, &c->ahead));
    else
        HD_TRY(reach(c, &back, &all));
    return all ? HEDDLE_OK : forget(c, &c->back);
}

/* ---- The rest ---------------------------------------------------------------------------------------------------- */

/* A kernel returns to the host at the end, or after SCC_BUDGET entries. */
static heddle_status grow(search *c) {
    uint32_t round = 0, groups = together(c, GROW), rounds = groups ? LEVELS : 1;
    groups = groups ? groups : groups_of(c);
    do {
        const hd_argument arguments[] = {HD_ARGUMENT_VALUE(round), HD_ARGUMENT_VALUE(rounds), REST_ARGUMENTS(c)};
        HD_TRY(hd_kernels_launch(&c->s.kernels, c->kernel[GROW], names[GROW], groups, rounds > 1, arguments,
                                 (uint32_t)(sizeof arguments / sizeof *arguments)));
        HD_TRY(look(c));
        record(c, c->words[SCC_ROUND] - round, HEDDLE_DIRECTION_MIXED, GROW);
        uint32_t before = round;
        round = c->words[SCC_ROUND];
        if (round == before && c->words[SCC_CHANGED + round % 3])
            return hd_fail(c->s.ctx, HEDDLE_E_DEVICE, "%s: a search does not get on", c->s.device->info.name);
    } while (c->words[SCC_CHANGED + round % 3]);
    return HEDDLE_OK;
}

/* Every list but the first is the output of a step: of trimming, or of deciding. */
static heddle_status decide_rest(search *c) {
    uint32_t step = 0, groups = groups_of(c);
    hd_stall stall = {.looks = 0};
    HD_TRY(LAUNCH(c, SPLIT, groups, REST_ARGUMENTS(c), HD_ARGUMENT_BUFFER(c->ahead), HD_ARGUMENT_BUFFER(c->back)));
    for (;; step++) {
        for (int i = 0; i < TRIMS; i++, step++)
            HD_TRY(LAUNCH(c, TRIM, groups, HD_ARGUMENT_VALUE(step), REST_ARGUMENTS(c)));
        HD_TRY(LAUNCH(c, SPREAD, groups, HD_ARGUMENT_VALUE(step), REST_ARGUMENTS(c)));
        HD_TRY(grow(c));
        if (!c->words[SCC_LISTED + step % 3])
            return HEDDLE_OK;
        HD_TRY(hd_stall_check(&stall, c->s.ctx, c->s.device, c->words, sizeof c->words));
        groups = hd_kernels_groups(&c->s.kernels, c->words[SCC_LISTED + step % 3]);
        HD_TRY(LAUNCH(c, SETTLE, groups, HD_ARGUMENT_VALUE(step), REST_ARGUMENTS(c)));
    }
}

/* The smallest vertex of each component; `to` receives the labels. */
static heddle_status label(search *c) {
    uint32_t groups = groups_of(c);
    HD_TRY(c->s.device->fill(c->s.device, &c->from, 0, UINT32_MAX, (uint64_t)c->n * 4));
    HD_TRY(
        LAUNCH(c, LEAST, groups, HD_ARGUMENT_VALUE(c->n), HD_ARGUMENT_BUFFER(c->member), HD_ARGUMENT_BUFFER(c->from)));
    return LAUNCH(c, LABEL, groups, HD_ARGUMENT_VALUE(c->n), HD_ARGUMENT_BUFFER(c->member), HD_ARGUMENT_BUFFER(c->from),
                  HD_ARGUMENT_BUFFER(c->to));
}

static heddle_status compute(search *c, heddle_result *result) {
    HD_TRY(hd_result_values_new(c->s.ctx, result, HEDDLE_VALUE_U32, c->n));
    if (c->n) {
        HD_TRY(hd_structure_start(&c->s));
        hd_rounds_mark(c->s.ctx);
        HD_TRY(find_giant(c));
        HD_TRY(decide_rest(c));
        HD_TRY(label(c));
        HD_TRY(hd_structure_stop(&c->s));
        HD_TRY(hd_structure_values(&c->s, &c->to, true));
    }
    return hd_structure_figures(c->s.ctx, result);
}

/* On an undirected graph they are the connected components. */
hd_refusal hd_scc_refuse_directed(const hd_run *run) {
    return run->graph->directed ? (hd_refusal){"the graph is directed", NULL, NULL} : (hd_refusal){NULL, NULL, NULL};
}

heddle_status hd_device_scc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    search c = {.s = {.ctx = ctx}};
    heddle_status status;
    char schedule[24] = "fast";
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open(&c, run));
    HD_CHECK(compute(&c, run->result));
    if (c.named)
        hd_schedule_label(&c.walk.plan, schedule, sizeof schedule);
    hd_structure_report(&c.s, run->options.device, schedule);
    run->result->report.edges_walked = 2 * run->graph->edges;
out:
    hd_phase_end(ctx);
    hd_structure_close(&c.s);
    return status;
}
