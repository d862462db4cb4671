/* bfs_device.c - breadth-first search on a device: memory, launches, results. bfs.cl has the method.
 *
 * With cooperative launches two kernels alternate, each continuing where the other stopped: bfs_wide for levels of any
 * size, bfs_narrow for many small ones in a row. The host checks their state in between. Without them every level is a
 * few launches, queued ahead.
 */
#include "algorithm/bfs/bfs_device.h"

#include "algorithm/bfs/bfs_part.h"
#include "algorithm/bfs/bfs_state.h"

#include "algorithm/bfs/bfs_each.h"
#include "algorithm/paths/parents.h"
#include "algorithm/paths/paths.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_heads[], hd_text_kernels_bfs[], hd_text_kernels_bfs_wide[], hd_text_kernels_bfs_box[],
    hd_text_kernels_bfs_narrow[];

/* Tunables. */
enum {
    LONG = 512,         /* rows of more edges are cut */
    PART = 256,         /* into parts of this many, one warp each */
    OWN = 16,           /* edges that a lane checks alone; longer rows are continued by the warp */
    SCAN = 32,          /* cost of bottom-up: one edge per 32 vertices, in addition to the edges checked */
    DOWN = 1,           /* cost of top-down per edge */
    BITS_AT = 128,      /* levels of more than n/128 edges use a bitmap instead of a queue */
    SAMPLE = 8,         /* and look up one degree in 8 */
    STRIDE = 4,         /* words of the bitmap that a warp produces at once */
    QUIET_EDGES = 1024, /* frontiers of fewer edges are small; */
    QUIET_ROUNDS = 3,   /* after more than this many in a row one cluster takes over, */
    NARROW_MOST = 6144, /* until the frontier has more vertices, */
    NARROW_ROW = 256,   /* or a row is longer than this; */
    SPARE_ROW = 32,     /* than this, if memory is scarce; */
    SPARE_QUEUE = 16,   /* a queue has room for n/16 vertices then */
    SHARE = 64,         /* levels between two redistributions of the frontier over the groups */
    AHEAD = 32,         /* vertices after one that was found, whose data is prefetched */
    BESIDE = 4,         /* edges beyond its row, if that is in host memory */
    ROOM = 1024,        /* entries of a frontier in the shared memory of a group, at least QUIET_EDGES */
    WIDE_WARPS = 32,    /* in a group */
    WIDE_GROUPS = 2,    /* on a multiprocessor */
    NARROW_WARPS = 16,
    CLUSTER = 8,        /* groups of the narrow kernel, where there are clusters */
    WIDE_LEVELS = 1024, /* between two checks of the host */
    NARROW_LEVELS = 1 << 16,
    BATCH = 32 /* levels queued ahead, without a grid barrier */
};
_Static_assert(SPARE_QUEUE < BITS_AT, "what a frontier of n/BITS_AT edges finds has room in the queue");

/* Places in the device's words, and states (bfs.cl). */
enum { WIDE, BEGIN, SOURCES, TURN, PARTS_DOWN, QUEUE_DOWN, ALL_UP, PARENTS, KERNELS };
static const char *const names[KERNELS] = {"bfs_wide",       "bfs_begin",      "bfs_sources", "bfs_turn",
                                           "bfs_parts_down", "bfs_queue_down", "bfs_all_up",  "bfs_parents"};

_Static_assert(ROOM % (NARROW_WARPS * 32) == 0 && ROOM * CLUSTER <= 1 << 16, "as bfs_box.cl deals entries out");
_Static_assert((int)KERNELS == (int)HD_BFS_KERNELS, "as many kernels as the header says");

enum { ROWS = HD_WANT_OUT | HD_WANT_IN | HD_WANT_TIGHT }; /* of a search by itself */

/* ---- Before ------------------------------------------------------------------------------------------------------ */

static void tunables(const hd_bfs_device *b, char *text, size_t size) {
    hd_near_heads_define(&b->heads, text, size);
    size_t used = strlen(text);
    snprintf(text + used, size - used,
             "#define BFS_LONG %du\n#define BFS_PART %du\n#define BFS_OWN %du\n#define BFS_SCAN %d\n"
             "#define BFS_DOWN %d\n#define BFS_BITS_AT %d\n#define BFS_SAMPLE %du\n#define BFS_STRIDE %du\n"
             "#define BFS_QUIET_EDGES %d\n#define BFS_QUIET_ROUNDS %du\n#define BFS_NARROW_MOST %du\n"
             "#define BFS_NARROW_ROW %du\n#define BFS_ROOM %du\n#define BFS_GROUPS %d\n"
             "#define BFS_RESIDENT %d\n#define BFS_DIRECTED %d\n#define BFS_AHEAD %du\n"
             "#define BFS_SHARE %du\n#define BFS_SPARE %d\n#define BFS_BESIDE %du\n",
             LONG, PART, OWN, SCAN, DOWN, BITS_AT, b->room.spare ? 1 : SAMPLE, STRIDE, QUIET_EDGES, QUIET_ROUNDS,
             NARROW_MOST, b->room.spare ? SPARE_ROW : NARROW_ROW, ROOM, WIDE_GROUPS, b->clusters, b->s.graph->directed,
             AHEAD, SHARE, b->room.spare, BESIDE);
}

static heddle_status open_kernels(hd_bfs_device *b, hd_bfs_manner manner) {
    static const char *const wide[] = {hd_text_heads, hd_text_kernels_bfs, hd_text_kernels_bfs_wide, NULL};
    static const char *const narrow[] = {hd_text_heads, hd_text_kernels_bfs, hd_text_kernels_bfs_box,
                                         hd_text_kernels_bfs_narrow, NULL};
    char defines[1024];
    hd_kernels_text text = {.name = "bfs", .texts = wide, .defines = defines, .warps = WIDE_WARPS};
    text.wide = b->s.resident->wide;
    b->clusters = b->s.device->info.grid_barrier;
    tunables(b, defines, sizeof defines);
    HD_TRY(hd_kernels_open(b->s.device, &text, &b->s.result->report, &b->s.kernels));
    for (int i = b->clusters ? WIDE : BEGIN; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&b->s.kernels, names[i], &b->kernel[i]));
    uint32_t groups = b->clusters ? hd_kernels_resident(&b->s.kernels, b->kernel[WIDE]) : 0;
    b->resident = manner == HD_BFS_AUTO && groups;
    b->groups = b->resident ? groups : hd_kernels_groups(&b->s.kernels, b->s.graph->vertices);
    if (!b->clusters)
        return HEDDLE_OK;
    text.texts = narrow;
    text.warps = NARROW_WARPS;
    HD_TRY(hd_kernels_open(b->s.device, &text, &b->s.result->report, &b->narrow));
    return hd_kernels_find(&b->narrow, "bfs_narrow", &b->narrow_kernel);
}

/* Parts of all long rows. */
static uint64_t count_parts(heddle_context *ctx, const uint64_t *offsets, uint64_t n) {
    uint64_t parts = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : parts) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t degree = offsets[v + 1] - offsets[v];
        parts += degree > LONG ? (degree + PART - 1) / PART : 0;
    }
    return parts;
}

/* With all edges on the device, queues for all vertices, and lists for as many parts as there could be. Without, what
 * is left is better used for edges: queues are short, and parts are counted. A queue must then hold the sources, and
 * what bfs_narrow can find in a level, besides n/SPARE_QUEUE. */
static heddle_status find_room(heddle_context *ctx, const heddle_graph *graph, const hd_device_info *info, bool spare,
                               uint64_t most, hd_bfs_room *room) {
    uint64_t n = graph->vertices, m = graph->edges;
    *room = (hd_bfs_room){.spare = spare, .queue = (uint32_t)n, .parts = (uint32_t)(m / PART + m / LONG + 1)};
    if (!spare || graph->hollow)
        return HEDDLE_OK;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS));
    room->parts = (uint32_t)count_parts(ctx, graph->out.offsets, n) + 1;
    uint64_t wanted = n / SPARE_QUEUE + most + 1 + (info->grid_barrier ? ROOM * CLUSTER * SPARE_ROW : 0);
    room->queue = (uint32_t)(wanted < n ? wanted : n);
    return HEDDLE_OK;
}

static heddle_status open_buffers(hd_bfs_device *b, uint64_t most) {
    hd_structure *s = &b->s;
    uint64_t n = s->graph->vertices, words = (n + 31) / 32;
    HD_TRY(hd_structure_buffer(s, most * 4, "sources", &b->source));
    HD_TRY(hd_structure_buffer(s, n * 4, "levels", &b->levels));
    HD_TRY(hd_structure_buffer(s, words * 8, "visited vertices", &b->bits));
    HD_TRY(hd_structure_buffer(s, (uint64_t)b->room.queue * 8, "a frontier", &b->queue));
    HD_TRY(hd_structure_buffer(s, (uint64_t)b->room.parts * 16, "long rows", &b->parts));
    HD_TRY(hd_structure_buffer(s, BFS_WORDS * 4, "the state", &b->words));
    return hd_structure_buffer(s, (uint64_t)b->groups * 8, "partial results", &b->walked);
}

static heddle_status buffer_bytes(heddle_context *ctx, const heddle_graph *graph, const hd_bfs_room *room,
                                  uint64_t *bytes) {
    hd_bfs_device b = {.s = {.ctx = ctx, .graph = graph}, .room = *room};
    HD_TRY(open_buffers(&b, 1));
    *bytes = b.s.bytes;
    return HEDDLE_OK;
}

heddle_status hd_bfs_device_buffers(const hd_device_request *r, uint64_t *bytes) {
    hd_bfs_room room;
    HD_TRY(find_room(r->run->ctx, r->run->graph, r->info, hd_run_spills(r->run), 1, &room));
    return buffer_bytes(r->run->ctx, r->run->graph, &room, bytes);
}

heddle_status hd_bfs_device_open(hd_bfs_device *b, heddle_context *ctx, const heddle_graph *graph, const char *device,
                                 int want, bool wide, hd_bfs_manner manner, uint64_t most, heddle_result *result) {
    *b = (hd_bfs_device){.s = {.ctx = ctx, .graph = graph, .result = result}};
    HD_TRY(hd_resident_open(ctx, graph, device, want, wide, &result->report, &b->s.resident));
    b->s.device = b->s.resident->device;
    uint64_t later;
    bool spare = b->s.resident->residency && b->s.resident->residency->spills;
    HD_TRY(find_room(ctx, graph, &b->s.device->info, spare, most, &b->room));
    HD_TRY(buffer_bytes(ctx, graph, &b->room, &later));
    HD_TRY(hd_near_heads_open(b->s.resident, graph, later, &result->report, &b->heads));
    HD_TRY(open_kernels(b, manner));
    return open_buffers(b, most);
}

heddle_status hd_bfs_device_ready(hd_bfs_device *b, const heddle_vertex *sources, uint64_t count) {
    hd_device *d = b->s.device;
    b->source_count = (uint32_t)count;
    b->first_source = count ? sources[0] : 0;
    b->state = b->depth = 0;
    HD_TRY(d->fill(d, &b->words, 0, 0, BFS_WORDS * 4));
    HD_TRY(d->fill(d, &b->walked, 0, 0, (uint64_t)b->groups * 8));
    return d->upload(d, &b->source, 0, sources, count * 4);
}

void hd_bfs_device_close(hd_bfs_device *b) {
    hd_kernels_close(&b->narrow);
    hd_structure_close(&b->s);
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static heddle_status launch(hd_bfs_device *b, const hd_kernels *kernels, void *kernel, hd_launch how, uint32_t limit) {
    const hd_resident *r = b->s.resident;
    uint32_t n = (uint32_t)r->vertices, narrow = b->clusters;
    const hd_argument arguments[] = {HD_ARGUMENT_VALUE(n),
                                     HD_ARGUMENT_VALUE(b->source_count),
                                     HD_ARGUMENT_VALUE(b->room.parts),
                                     HD_ARGUMENT_VALUE(narrow),
                                     HD_ARGUMENT_VALUE(limit),
                                     HD_ARGUMENT_BUFFER(r->out.offsets),
                                     HD_ARGUMENT_BUFFER(r->out.targets),
                                     HD_ARGUMENT_BUFFER(r->in.offsets),
                                     HD_ARGUMENT_BUFFER(r->in.targets),
                                     HD_ARGUMENT_BUFFER(b->source),
                                     HD_ARGUMENT_BUFFER(b->levels),
                                     HD_ARGUMENT_BUFFER(b->bits),
                                     HD_ARGUMENT_BUFFER(b->queue),
                                     HD_ARGUMENT_BUFFER(b->parts),
                                     HD_ARGUMENT_BUFFER(b->words),
                                     HD_ARGUMENT_BUFFER(b->walked),
                                     HD_ARGUMENT_VALUE(b->room.queue),
                                     HD_ARGUMENT_VALUE(b->heads.headed),
                                     HD_ARGUMENT_BUFFER(b->heads.buffer)};
    return hd_kernels_launch_as(kernels, kernel, how, arguments, (uint32_t)(sizeof arguments / sizeof *arguments));
}

static heddle_status one(hd_bfs_device *b, int which, uint32_t limit) {
    hd_launch how = {.name = names[which], .groups = b->groups, .resident = which == WIDE};
    return launch(b, &b->s.kernels, b->kernel[which], how, limit);
}

static heddle_status go_narrow(hd_bfs_device *b) {
    hd_launch how = {.name = "bfs_narrow", .groups = CLUSTER, .cached = true};
    return launch(b, &b->narrow, b->narrow_kernel, how, NARROW_LEVELS);
}

/* Detects a device that makes no progress, instead of waiting forever. */
static heddle_status look(hd_bfs_device *b) {
    uint32_t words[BFS_WORDS], state = b->state, depth = b->depth;
    HD_TRY(b->s.device->mark(b->s.device, 1));
    HD_TRY(hd_structure_look(&b->s, &b->words, words, sizeof words));
    b->state = words[BFS_STATE];
    b->depth = words[BFS_DEPTH];
    uint64_t rounds = (b->depth > depth ? b->depth - depth : 0) + (b->state == BFS_DONE); /* the last finds nothing */
    hd_structure_record(b->s.ctx, rounds, HEDDLE_DIRECTION_MIXED, b->resident ? "bfs_wide" : "bfs_levels");
    if (b->state == BFS_START || (b->state == state && b->depth == depth && state != BFS_DONE))
        return hd_fail(b->s.ctx, HEDDLE_E_DEVICE, "%s: bfs does not get on: state %lu at depth %lu",
                       b->s.device->info.name, (unsigned long)b->state, (unsigned long)b->depth);
    return HEDDLE_OK;
}

/* After small levels bfs_wide continues, unless the search has ended. */
static heddle_status run_resident(hd_bfs_device *b) {
    while (b->state != BFS_DONE) {
        if (b->state == BFS_NARROW)
            HD_TRY(go_narrow(b));
        HD_TRY(one(b, WIDE, WIDE_LEVELS));
        HD_TRY(look(b));
    }
    return HEDDLE_OK;
}

static heddle_status queue_levels(hd_bfs_device *b, uint32_t count) {
    static const int steps[] = {TURN, PARTS_DOWN, QUEUE_DOWN, ALL_UP};
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            HD_TRY(one(b, steps[k], b->depth + i));
    return HEDDLE_OK;
}

static heddle_status run_levels(hd_bfs_device *b) {
    uint32_t batch = 4;
    b->state = BFS_REBUILD;
    while (b->state != BFS_DONE) {
        if (b->state == BFS_REBUILD) {
            HD_TRY(one(b, BEGIN, b->depth));
            HD_TRY(one(b, SOURCES, b->depth));
        }
        if (b->state == BFS_NARROW)
            HD_TRY(go_narrow(b));
        else
            HD_TRY(queue_levels(b, batch));
        uint32_t before = b->state;
        HD_TRY(look(b));
        b->depth += before != BFS_NARROW && b->state == BFS_WIDE; /* the last that was queued is done */
        batch = batch < BATCH ? batch * 2 : BATCH;
    }
    return HEDDLE_OK;
}

heddle_status hd_bfs_device_search(hd_bfs_device *b) {
    hd_rounds_mark(b->s.ctx);
    return b->resident ? run_resident(b) : run_levels(b);
}

/* ---- A run ------------------------------------------------------------------------------------------------------ */

static heddle_status find_parents(hd_bfs_device *b, const hd_buffer *parents) {
    const hd_resident *r = b->s.resident;
    uint32_t n = (uint32_t)r->vertices, groups = hd_kernels_groups(&b->s.kernels, n);
    uint32_t source = b->source_count == 1 ? b->first_source : UINT32_MAX;
    HD_TRY(HD_LAUNCH(&b->s.kernels, b->kernel[PARENTS], names[PARENTS], groups, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_VALUE(source), HD_ARGUMENT_BUFFER(r->in.offsets), HD_ARGUMENT_BUFFER(r->in.targets),
                     HD_ARGUMENT_BUFFER(b->levels), HD_ARGUMENT_BUFFER(*parents)));
    return b->s.device->mark(b->s.device, 1);
}

/* The clock stopped at the last mark, before the host's last look. */
static heddle_status take_time(hd_bfs_device *b) {
    hd_device *d = b->s.device;
    HD_TRY(d->finish(d));
    return d->between(d, 0, 1, &b->s.result->report.compute);
}

static heddle_status add_figures(hd_bfs_device *b, heddle_result *result) {
    const uint32_t *levels = result->values;
    uint64_t reached = 0, *walked;
    uint32_t most = 0;
    HD_PARALLEL_FOR(b->s.ctx, schedule(static) reduction(+ : reached) reduction(max : most))
    for (uint64_t v = 0; v < result->count; v++) {
        reached += levels[v] != UINT32_MAX;
        most = levels[v] != UINT32_MAX && levels[v] > most ? levels[v] : most;
    }
    hd_result_figure(result, "reached", (double)reached);
    hd_result_figure(result, "max", most);
    result->report.iterations = reached ? (uint64_t)most + 1 : 0;
    hd_rounds_trim(b->s.ctx, result->report.iterations);
    if (!reached)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(b->s.ctx, &walked, b->groups, "partial results"));
    heddle_status status = hd_structure_fetch(&b->s, &b->walked, walked, (uint64_t)b->groups * 8);
    for (uint32_t i = 0; status == HEDDLE_OK && i < b->groups; i++)
        result->report.edges_walked += walked[i];
    HD_DELETE(&b->s.ctx->allocator, walked, b->groups);
    return status;
}

static heddle_status compute(hd_bfs_device *b, const hd_run *run, hd_bfs_manner manner) {
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    uint64_t n = run->graph->vertices;
    hd_buffer parents = {.handle = 0};
    HD_TRY(hd_bfs_device_open(b, run->ctx, run->graph, options->device, ROWS, false, manner, options->source_count,
                              result));
    HD_TRY(hd_result_values_new(run->ctx, result, HEDDLE_VALUE_U32, n));
    if (options->parents) {
        HD_TRY(hd_result_parents_new(run->ctx, result, n));
        HD_TRY(hd_structure_buffer(&b->s, n * 4, "parents", &parents));
    }
    hd_structure_report(&b->s, options->device, "fast");
    if (!n)
        return add_figures(b, result);
    HD_TRY(hd_bfs_device_ready(b, options->sources, options->source_count));
    HD_TRY(hd_structure_start(&b->s));
    HD_TRY(hd_bfs_device_search(b));
    if (options->parents)
        HD_TRY(find_parents(b, &parents));
    HD_TRY(take_time(b));
    HD_TRY(hd_structure_values(&b->s, &b->levels, false));
    if (options->parents)
        HD_TRY(hd_structure_fetch(&b->s, &parents, result->parents, n * 4));
    return add_figures(b, result);
}

heddle_status hd_bfs_on_device(const hd_run *run, hd_bfs_manner manner) {
    heddle_context *ctx = run->ctx;
    hd_bfs_device b = {.s = {.ctx = ctx}};
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = compute(&b, run, manner);
    hd_phase_end(ctx);
    hd_bfs_device_close(&b);
    return status;
}

/* ---- Under a plan ---------------------------------------------------------------------------------------------- */

/* Part of the search, also where the search has measured its own time. */
static heddle_status add_parents(const hd_run *run) {
    heddle_report *report = &run->result->report;
    double start = hd_clock();
    HD_TRY(hd_level_parents(run));
    if (report->compute > 0)
        report->compute += hd_clock() - start;
    return HEDDLE_OK;
}

heddle_status hd_device_bfs(const hd_run *run) { return hd_bfs_on_device(run, HD_BFS_AUTO); }

heddle_status hd_bfs_program(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    hd_incore_program program;
    hd_cpu_setup setup = {.sources = options->sources,
                          .source_count = options->source_count,
                          .own = hd_bfs_part_of(run->graph)};
    HD_TRY(hd_incore_find(ctx, "bfs", false, &program));
    HD_TRY(hd_program_execute(run, &program, NULL, &setup));
    if (options->parents && !result->parents)
        HD_TRY(add_parents(run));
    hd_paths_figures(ctx, result, 0);
    return HEDDLE_OK;
}

heddle_status hd_bfs_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    uint64_t heads = 0;
    HD_TRY(hd_bfs_device_buffers(r, bytes));
    if (hd_run_spills(r->run))
        HD_TRY(hd_structure_heads(r, ROWS, *bytes, &heads));
    *bytes += heads + hd_structure_rows(r->run->graph, ROWS);
    return HEDDLE_OK;
}
