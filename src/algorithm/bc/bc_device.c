/* bc_device.c - betweenness on a device: levels by bfs_device.c, vertices sorted by level, then one of two ways to sum
 * (bc_device.h); several sources are processed by bc_many.c if possible.
 *
 * The host reads the state once per source: how many levels there are, and whether path counts may exceed the range of
 * double, which selects one of two compilations of the kernels. Dependencies are summed on the device, in the order of
 * the sources.
 */
#include "algorithm/bc/bc_device.h"
#include "algorithm/bc/bc_state.h"

#include "algorithm/bc/bc_many.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_bc_value[], hd_text_kernels_bc[], hd_text_kernels_bc_order[],
    hd_text_kernels_bc_levels[], hd_text_kernels_bc_narrow[], hd_text_kernels_bc_tally[];

/* Tunables. */
enum {
    TEAM = 8,      /* lanes that sum a row */
    TEAM_ROW = 64, /* rows of more edges are summed by a warp */
    MARK = 8,      /* rows of a level are marked before summing if the next level has 8 times fewer vertices */
    PUSH = 1,      /* a level pushes its path counts if it has fewer edges than the next, by this factor */
    WARPS = 16,    /* in a group */
    GROUPS = 3,    /* on a multiprocessor */
    FEW_TEAM = 4,  /* the same for small levels */
    FEW_WARPS = 32,
    CLUSTER = 8 /* groups for small levels */
};

/* Positions in the device's words (bc.cl). */
enum { SEEN = BC_PARTS + 1 /* words that the host reads */ };

static const char *const names[HD_BC_KERNELS] = {"bc_count",   "bc_scan",     "bc_place", "bc_one_level",
                                                 "bc_one_cut", "bc_one_join", "bc_levels"};

/* ---- Before ----------------------------------------------------------------------------------------------------- */

static heddle_status compile(hd_bc_device *d, const char *const *texts, bool wide, bool resident, int team,
                             uint32_t warps, hd_kernels *kernels) {
    hd_structure *s = &d->b.s;
    int push = wide || !s->device->info.atomics64 ? 0 : PUSH;
    char defines[320];
    hd_kernels_text text = {.name = "bc", .texts = texts, .defines = defines, .warps = warps};
    text.wide = s->resident->wide;
    snprintf(defines, sizeof defines,
             "#define BC_EXTENDED %d\n#define BC_RESIDENT %d\n#define BC_DIRECTED %d\n#define BC_GROUPS %d\n"
             "#define BC_LONG %du\n#define BC_PART %du\n#define BC_TEAM %du\n#define BC_TEAM_ROW %du\n"
             "#define BC_MARK %du\n#define BC_PUSH %d\n",
             wide, resident, s->graph->directed, GROUPS, HD_BC_LONG, HD_BC_PART, team, TEAM_ROW, MARK, push);
    return hd_kernels_open(s->device, &text, &s->result->report, kernels);
}

heddle_status hd_bc_kit_open(hd_bc_device *d, bool wide) {
    static const char *const texts[] = {hd_text_kernels_bc_value, hd_text_kernels_bc, hd_text_kernels_bc_order,
                                        hd_text_kernels_bc_levels, NULL};
    hd_bc_kit *k = wide ? &d->wide : &d->plain;
    if (k->open)
        return HEDDLE_OK;
    HD_TRY(compile(d, texts, wide, d->resident, TEAM, WARPS, &k->kernels));
    for (int i = 0; i < (d->resident ? HD_BC_KERNELS : HD_BC_LEVELS); i++)
        HD_TRY(hd_kernels_find(&k->kernels, names[i], &k->kernel[i]));
    k->groups = d->resident ? hd_kernels_resident(&k->kernels, k->kernel[HD_BC_LEVELS]) : 0;
    k->open = true;
    return HEDDLE_OK;
}

heddle_status hd_bc_few_open(hd_bc_device *d, bool wide) {
    static const char *const texts[] = {hd_text_kernels_bc_value, hd_text_kernels_bc, hd_text_kernels_bc_narrow, NULL};
    hd_bc_kit *k = wide ? &d->wide : &d->plain;
    if (k->few_open)
        return HEDDLE_OK;
    HD_TRY(compile(d, texts, wide, false, FEW_TEAM, FEW_WARPS, &k->few));
    HD_TRY(hd_kernels_find(&k->few, "bc_few", &k->few_kernel));
    k->few_open = true;
    return HEDDLE_OK;
}

static heddle_status open_buffers(hd_bc_device *d) {
    hd_structure *s = &d->b.s;
    uint64_t n = s->graph->vertices, m = s->graph->edges * (s->graph->directed ? 2 : 1);
    uint64_t bigs = m / HD_BC_LONG + 1, parts = m / HD_BC_PART + bigs;
    HD_TRY(hd_structure_buffer(s, n * 8, "dependencies", &d->total));
    HD_TRY(hd_structure_buffer(s, n * 8, "path counts", &d->sigma));
    HD_TRY(hd_structure_buffer(s, n * 8, "dependencies", &d->shares));
    HD_TRY(hd_structure_buffer(s, n * 4, "path counts", &d->exponents));
    HD_TRY(hd_structure_buffer(s, (n / 32 + 1) * 4, "a level", &d->bits));
    HD_TRY(hd_structure_buffer(s, n * 4, "search order", &d->order));
    HD_TRY(hd_structure_buffer(s, (n + 2) * 4, "levels", &d->starts));
    HD_TRY(hd_structure_buffer(s, (n + 2) * 4, "levels", &d->cursors));
    HD_TRY(hd_structure_buffer(s, bigs * 8, "long rows", &d->bigs));
    HD_TRY(hd_structure_buffer(s, parts * 8, "long rows", &d->parts));
    HD_TRY(hd_structure_buffer(s, parts * 8, "long rows", &d->sums));
    HD_TRY(hd_structure_buffer(s, parts * 4, "long rows", &d->sum_exponents));
    return hd_structure_buffer(s, BC_WORDS * 4, "the state", &d->words);
}

/* From one source. `walk`: NULL for plan auto. */
static heddle_status single_bytes(const hd_device_request *r, const hd_walk *walk, uint64_t *bytes) {
    hd_bc_device d = {.b = {.s = {.ctx = r->run->ctx, .graph = r->run->graph}}};
    int want = HD_WANT_OUT | HD_WANT_IN | (walk && walk->wide ? HD_STRUCTURE_WIDE : 0);
    uint64_t n = r->run->graph->vertices;
    HD_TRY(hd_bfs_device_buffers(r, bytes));
    HD_TRY(open_buffers(&d));
    *bytes += d.b.s.bytes + hd_structure_rows(r->run->graph, want);
    *bytes += walk ? hd_walk_room(walk, n, r->run->graph->edges) * 8 + n * 8 : 0;
    *bytes += r->run->options.max_error > 0 ? n * 16 : 0;
    return HEDDLE_OK;
}

/* Under plan auto, several sources are processed side by side, as far as there is room. */
heddle_status hd_bc_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_run_options *options = &r->run->options;
    uint64_t n = r->run->graph->vertices, drawn = options->samples && options->samples < n ? options->samples : n;
    uint64_t sources = options->source_count ? options->source_count : drawn;
    bool open = !r->run->executor->scheduled;
    hd_walk walk;
    if (open && sources >= 2)
        HD_TRY(hd_bc_many_bytes(r->run->ctx, r->run->graph, sources, options->max_error > 0, r->left, bytes));
    if (*bytes)
        return HEDDLE_OK;
    HD_TRY(hd_walk_of(r->run->ctx, "bc", &r->run->plan, r->info, &walk));
    return single_bytes(r, open ? NULL : &walk, bytes);
}

/* ---- One source -------------------------------------------------------------------------------------------------- */

static heddle_status launch(hd_bc_device *d, const hd_kernels *kernels, void *kernel, const char *name, uint32_t groups,
                            bool resident, uint32_t back, uint32_t from, uint32_t to) {
    const hd_resident *g = d->b.s.resident;
    uint32_t n = (uint32_t)g->vertices;
    const hd_argument arguments[] = {
        HD_ARGUMENT_VALUE(n),
        HD_ARGUMENT_VALUE(back),
        HD_ARGUMENT_VALUE(from),
        HD_ARGUMENT_VALUE(to),
        HD_ARGUMENT_BUFFER(g->out.offsets),
        HD_ARGUMENT_BUFFER(g->out.targets),
        HD_ARGUMENT_BUFFER(g->in.offsets),
        HD_ARGUMENT_BUFFER(g->in.targets),
        HD_ARGUMENT_BUFFER(d->b.levels),
        HD_ARGUMENT_BUFFER(d->order),
        HD_ARGUMENT_BUFFER(d->starts),
        HD_ARGUMENT_BUFFER(d->cursors),
        HD_ARGUMENT_BUFFER(d->bigs),
        HD_ARGUMENT_BUFFER(d->parts),
        HD_ARGUMENT_BUFFER(d->sigma),
        HD_ARGUMENT_BUFFER(d->shares),
        HD_ARGUMENT_BUFFER(d->exponents),
        HD_ARGUMENT_BUFFER(d->bits),
        HD_ARGUMENT_BUFFER(d->total),
        HD_ARGUMENT_BUFFER(d->sums),
        HD_ARGUMENT_BUFFER(d->sum_exponents),
        HD_ARGUMENT_BUFFER(d->words),
    };
    return hd_kernels_launch(kernels, kernel, name, groups, resident, arguments,
                             (uint32_t)(sizeof arguments / sizeof *arguments));
}

heddle_status hd_bc_launch(hd_bc_device *d, const hd_bc_kit *k, int which, uint32_t groups, uint32_t back,
                           uint32_t from, uint32_t to) {
    return launch(d, &k->kernels, k->kernel[which], names[which], groups, which == HD_BC_LEVELS, back, from, to);
}

heddle_status hd_bc_launch_few(hd_bc_device *d, const hd_bc_kit *k, uint32_t back, uint32_t from, uint32_t to) {
    return launch(d, &k->few, k->few_kernel, "bc_few", CLUSTER, false, back, from, to);
}

/* Sorts vertices by level. */
static heddle_status arrange(hd_bc_device *d, hd_bc_shape *shape) {
    hd_structure *s = &d->b.s;
    const hd_bc_kit *k = &d->plain;
    uint32_t groups = hd_kernels_groups(&k->kernels, s->graph->vertices), words[SEEN];
    uint64_t n = s->graph->vertices,
             most = (uint64_t)d->b.depth + BC_NEAR; /* levels, and those that are always counted */
    HD_TRY(s->device->fill(s->device, &d->words, 0, 0, BC_WORDS * 4));
    HD_TRY(s->device->fill(s->device, &d->starts, 0, 0, (most < n ? most : n) * 4 + 4));
    HD_TRY(hd_bc_launch(d, k, HD_BC_COUNT, groups, 0, 0, 0));
    HD_TRY(hd_bc_launch(d, k, HD_BC_SCAN, 1, 0, 0, 0));
    HD_TRY(hd_bc_launch(d, k, HD_BC_PLACE, groups, 0, 0, 0));
    HD_TRY(hd_structure_look(s, &d->words, words, SEEN * 4));
    *shape = (hd_bc_shape){.levels = words[BC_LEVELS], .bits = words[BC_BITS], .cut = words[BC_PARTS]};
    return HEDDLE_OK;
}

static heddle_status one_source(hd_bc_device *d, hd_bc_add add, heddle_vertex source) {
    hd_bc_shape shape;
    HD_TRY(hd_bfs_device_ready(&d->b, &source, 1));
    bool recording = hd_rounds_pause(d->b.s.ctx);
    heddle_status status = hd_bfs_device_search(&d->b);
    hd_rounds_resume(d->b.s.ctx, recording);
    HD_TRY(status);
    HD_TRY(arrange(d, &shape));
    d->levels += shape.levels;
    if (shape.levels > 1)
        HD_TRY(add(d, &shape));
    hd_structure_record(d->b.s.ctx, shape.levels, HEDDLE_DIRECTION_MIXED, "source");
    return HEDDLE_OK;
}

/* ---- Within an error budget -------------------------------------------------------------------------------------- */

heddle_status hd_bc_add_all(const hd_run *run, const hd_bc_engine *engine, const hd_sources *all, hd_sources *used) {
    *used = *all;
    if (run->options.max_error > 0) {
        HD_TRY(hd_bc_budget_keep(run, engine, used));
        if (used->count)
            return HEDDLE_OK;
        *used = *all;
        hd_phase_total(run->ctx, all->count * engine->worth);
        HD_TRY(engine->clear(engine->self));
    }
    return engine->add(engine->self, all);
}

heddle_status hd_bc_fetch(hd_structure *s, const hd_buffer *sum, const hd_buffer *squares, double *sums,
                          double *squared) {
    uint64_t bytes = s->graph->vertices * 8;
    HD_TRY(s->device->download(s->device, sums, sum, 0, bytes));
    return hd_structure_look(s, squares, squared, bytes);
}

static heddle_status open_tally(hd_bc_device *d) {
    static const char *const texts[] = {hd_text_kernels_bc_tally, NULL};
    hd_structure *s = &d->b.s;
    uint64_t bytes = s->graph->vertices * 8;
    hd_kernels_text text = {.name = "bc", .texts = texts, .warps = WARPS};
    HD_TRY(hd_structure_buffer(s, bytes, "dependencies", &d->sum));
    HD_TRY(hd_structure_buffer(s, bytes, "squares", &d->squares));
    HD_TRY(hd_kernels_open(s->device, &text, &s->result->report, &d->tally_kernels));
    return hd_kernels_find(&d->tally_kernels, "bc_tally", &d->tally);
}

static heddle_status add_to_tally(hd_bc_device *d) {
    uint32_t n = (uint32_t)d->b.s.graph->vertices;
    return HD_LAUNCH(&d->tally_kernels, d->tally, "bc_tally", hd_kernels_groups(&d->tally_kernels, n),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(d->total), HD_ARGUMENT_BUFFER(d->sum),
                     HD_ARGUMENT_BUFFER(d->squares));
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

/* One source after the other. */
typedef struct each_source {
    hd_bc_device *d;
    hd_bc_add add;
} each_source;

static heddle_status clear(void *self) {
    hd_bc_device *d = ((each_source *)self)->d;
    hd_device *device = d->b.s.device;
    uint64_t bytes = d->b.s.graph->vertices * 8;
    HD_TRY(device->fill(device, &d->total, 0, 0, bytes));
    if (!d->tally)
        return HEDDLE_OK;
    HD_TRY(device->fill(device, &d->sum, 0, 0, bytes));
    return device->fill(device, &d->squares, 0, 0, bytes);
}

static heddle_status add_sources(void *self, const hd_sources *sources) {
    each_source *each = self;
    for (uint64_t i = 0; i < sources->count; i++, hd_advance(each->d->b.s.ctx, 1)) {
        HD_TRY(one_source(each->d, each->add, hd_source_at(sources, i)));
        if (each->d->tally)
            HD_TRY(add_to_tally(each->d));
    }
    return HEDDLE_OK;
}

static heddle_status fetch(void *self, double *sums, double *squares) {
    hd_bc_device *d = ((each_source *)self)->d;
    return hd_bc_fetch(&d->b.s, &d->sum, &d->squares, sums, squares);
}

static heddle_status open_run(hd_bc_device *d, const hd_run *run, hd_bfs_manner manner) {
    const heddle_run_options *options = &run->options;
    bool named = run->executor->scheduled;
    hd_device *device;
    HD_TRY(hd_device_keep(run->ctx, options->device, &run->result->report, &device));
    if (named)
        HD_TRY(hd_walk_of(run->ctx, "bc", &run->plan, &device->info, &d->walk));
    HD_TRY(hd_bfs_device_open(&d->b, run->ctx, run->graph, options->device, HD_WANT_OUT | HD_WANT_IN, d->walk.wide,
                              manner, 1, run->result));
    d->resident = d->b.resident;
    HD_TRY(open_buffers(d));
    HD_TRY(hd_bc_kit_open(d, false));
    if (options->max_error > 0)
        HD_TRY(open_tally(d));
    return named ? hd_bc_walk_open(d) : HEDDLE_OK;
}

heddle_status hd_bc_hand_over(hd_structure *s, const hd_buffer *total, const hd_sources *sources, uint64_t levels,
                              const heddle_run_options *options) {
    heddle_result *result = s->result;
    uint64_t n = s->graph->vertices;
    double most = 0, *values;
    HD_TRY(hd_result_values_new(s->ctx, result, HEDDLE_VALUE_F64, n));
    values = result->values;
    if (n)
        HD_TRY(hd_structure_values(s, total, false));
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        values[v] *= sources->scale;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure(result, "max", most);
    hd_result_sources(result, sources->count);
    result->report.iterations = levels;
    result->report.edges_walked = 2 * s->graph->edges * sources->count;
    return options->precision == HEDDLE_PRECISION_SINGLE ? hd_result_to_single(s->ctx, result) : HEDDLE_OK;
}

static heddle_status run_each(hd_bc_device *d, const hd_run *run, hd_bfs_manner manner) {
    heddle_context *ctx = run->ctx;
    const heddle_run_options *options = &run->options;
    hd_structure *s = &d->b.s;
    hd_bc_add add = run->executor->scheduled ? hd_bc_add_walking : hd_bc_add_fast;
    char schedule[sizeof run->result->schedule] = "fast";
    each_source each = {d, add};
    hd_bc_engine engine = {&each, clear, add_sources, fetch, 1};
    hd_sources used;
    HD_TRY(open_run(d, run, manner));
    HD_TRY(clear(&each));
    HD_TRY(hd_structure_start(s));
    hd_rounds_mark(ctx);
    hd_phase_total(ctx, d->sources.count);
    HD_TRY(hd_bc_add_all(run, &engine, &d->sources, &used));
    HD_TRY(hd_structure_stop(s));
    if (add == hd_bc_add_walking)
        hd_schedule_label(&d->walk.plan, schedule, sizeof schedule);
    hd_structure_report(s, options->device, schedule);
    return hd_bc_hand_over(s, d->tally ? &d->sum : &d->total, &used, d->levels, options);
}

static heddle_status run_all(hd_bc_device *d, const hd_run *run, hd_bfs_manner manner) {
    bool served = false;
    HD_TRY(hd_sources_of(run->ctx, run->graph, &run->options, &d->sources));
    if (!run->executor->scheduled && manner == HD_BFS_AUTO && d->sources.count > 1)
        HD_TRY(hd_bc_many(run, &d->sources, &served));
    return served ? HEDDLE_OK : run_each(d, run, manner);
}

heddle_status hd_bc_on_device(const hd_run *run, hd_bfs_manner manner) {
    heddle_context *ctx = run->ctx;
    hd_bc_device d = {.b = {.s = {.ctx = ctx}}};
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = run_all(&d, run, manner);
    hd_phase_end(ctx);
    hd_sources_free(ctx, run->graph, &d.sources);
    hd_kernels_close(&d.plain.kernels);
    hd_kernels_close(&d.wide.kernels);
    hd_kernels_close(&d.plain.few);
    hd_kernels_close(&d.wide.few);
    hd_kernels_close(&d.walk_kernels);
    hd_kernels_close(&d.tally_kernels);
    hd_bfs_device_close(&d.b);
    return status;
}

heddle_status hd_device_bc(const hd_run *run) { return hd_bc_on_device(run, HD_BFS_AUTO); }
