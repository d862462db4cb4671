/* paths_device.c - see paths_device.h: memory, launches, labels. */
#include "algorithm/paths/paths_device.h"
#include "algorithm/paths/paths_state.h"

#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "engine/device/hybrid_rows.h"
#include "engine/device/kernels.h"
#include "engine/device/program_inputs.h"
#include "engine/device/stall.h"
#include "engine/primitive/restore_order.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_paths[], hd_text_kernels_paths_collect[], hd_text_kernels_paths_relax[],
    hd_text_kernels_paths_rounds[], hd_text_kernels_paths_order[], hd_text_kernels_paths_program[];

enum {
    WARPS = 32,         /* in a group, where groups can wait for each other */
    CHUNK = 256,        /* of paths.cl */
    PER = 8,            /* there, where a group has several warps */
    ROUNDS_MOST = 4096, /* in a launch: then the host looks whether to go on */
    BATCH = 16,         /* rounds queued at once where each is a launch of its own */
    SHARE_LOTS = 128    /* of all edges: work that is worth a narrow window */
};
/* Places in the state (paths.cl). */
enum { LABELS, EXPANDED, FLAGS, QUEUE, STARTS, TABLE, STAGE, BOUND_LIST, STATE, BARRIER, SOURCES, BUFFERS };
enum { START, FROM, RUN, COLLECT, RELAX, TURN, WIDTH, VALUES, KERNELS }; /* the last two: of programs */

static const char *const buffer_names[BUFFERS] = {"labels",       "labels expanded", "block flags", "a queue",
                                                  "edge numbers", "chunks",          "a stage",     "bounds",
                                                  "the state",    "a barrier",       "sources"};
static const char *const kernel_names[KERNELS] = {"paths_start", "paths_sources", "paths_run",   "paths_collect",
                                                  "paths_relax", "paths_turn",    "paths_width", "paths_values"};

typedef struct search {
    heddle_context *ctx;
    const hd_paths_setup *setup;
    const heddle_run_options *options;
    hd_resident *graph;
    hd_device *device;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_buffer buffer[BUFFERS];
    uint32_t n, groups;
    bool together; /* one launch, in which groups wait for each other */
    bool spills;   /* edges may be in host memory */
    bool weighted; /* the kernels read weights */
    size_t label_size;
    uint64_t words[PATHS_WORDS];
    uint64_t bytes;
    hd_joined joined; /* of a graph that does not fit */
    hd_hybrid hybrid;
    hd_program_inputs inputs; /* of setup->program */
} search;

/* For the kernels' packed counter. */
static bool too_many(const heddle_graph *graph) { return graph->vertices >> 28 || graph->edges >> 36; }

hd_refusal hd_paths_refuse(const hd_run *run) {
    bool widths64 = run->algorithm->doubles == HD_DOUBLES_WIDTHS && hd_weight_size(run->graph->weight_type) == 8;
    if (too_many(run->graph))
        return (hd_refusal){"its kernels count fewer vertices and edges", NULL, NULL};
    if (widths64)
        return (hd_refusal){"its kernels have no widths of 64 bits", NULL, NULL};
    return (hd_refusal){NULL, NULL, NULL};
}

/* ---- Preparations ----------------------------------------------------------------------------------------------- */

/* The type of weights as the kernels read them. */
static heddle_weight_type weights_of(const hd_paths_setup *setup, const heddle_graph *graph) {
    return setup->program && !setup->program->weighted ? HEDDLE_WEIGHT_NONE : graph->weight_type;
}

/* Definitions and texts of kernels for sums and widths. */
static void describe(search *s, char *defines, size_t size, const char **texts) {
    const char *const all[] = {hd_text_kernels_paths, hd_text_kernels_paths_collect, hd_text_kernels_paths_relax,
                               hd_text_kernels_paths_rounds};
    char edges[256] = "", hybrid[32] = "";
    for (int i = 0; i < 4; i++)
        texts[i] = all[i];
    if (s->hybrid.used)
        snprintf(hybrid, sizeof hybrid, "#define PATHS_HYBRID %du\n", HD_HYBRID_LINE);
    if (s->joined.bits)
        snprintf(edges, sizeof edges,
                 "#define TARGET_BITS %u\n#define TARGET_MASK %uu\n#define LEAST_WEIGHT %uu\n"
                 "#define JOINED_BITS %u\n#define LINE_EDGES %uu\n",
                 s->joined.target, UINT32_MAX >> (32 - s->joined.target), s->joined.least, s->joined.bits,
                 s->joined.line);
    snprintf(defines, size, "%s%s%s%s%s%s", edges, hybrid, s->setup->widest ? "#define PATH_WIDEST\n" : "",
             s->setup->wide_labels ? "#define LABEL_64\n" : "", s->setup->real ? "#define LABEL_FLOAT\n" : "",
             s->spills ? "#define PATHS_LINES\n" : "");
}

/* The same for a program. */
static void describe_program(search *s, char *defines, size_t size, const char **texts) {
    const char *const all[] = {hd_text_kernels_paths_order,   hd_text_kernels_paths,
                               hd_text_kernels_paths_program, hd_text_kernels_paths_collect,
                               hd_text_kernels_paths_relax,   hd_text_kernels_paths_rounds};
    const hd_incore_program *program = s->setup->program;
    heddle_value_type type = program->output;
    int kind = type == HEDDLE_VALUE_F32 || type == HEDDLE_VALUE_F64   ? 2
               : type == HEDDLE_VALUE_I32 || type == HEDDLE_VALUE_I64 ? 1
                                                                      : 0;
    hd_program_inputs_texts(&s->inputs, program, s->setup->inputs, texts);
    for (int i = 0; i < 6; i++)
        texts[HD_PROGRAM_TEXTS + i] = all[i];
    snprintf(defines, size, "%s#define PATH_PROGRAM\n#define PATH_VALUE %d\n%s%s%s", s->inputs.defines, kind,
             s->setup->wide_labels ? "#define LABEL_64\n" : "",
             program->traits & LARGEST_FIRST ? "#define PATH_LARGEST\n" : "",
             program->traits & FROM_SOURCES ? "#define PATH_FROM_SOURCES\n" : "");
}

static heddle_status open_kernels(search *s, const heddle_graph *graph, heddle_report *report) {
    char defines[640];
    bool waits = s->device->info.grid_barrier; /* groups can wait for each other */
    const char *texts[HD_PROGRAM_TEXTS + 7] = {NULL};
    hd_kernels_text text = {.name = "paths",
                            .texts = texts,
                            .defines = defines,
                            .warps = waits ? WARPS : 0,
                            .wide = s->graph->wide,
                            .weights = weights_of(s->setup, graph)};
    (s->setup->program ? describe_program : describe)(s, defines, sizeof defines, texts);
    if (waits)
        snprintf(defines + strlen(defines), sizeof defines - strlen(defines),
                 "#define PATHS_SHAPE __launch_bounds__(HD_WARP * HD_WARPS, 1)\n#define ENOUGH (1ul << 32)\n");
    HD_TRY(hd_kernels_open(s->device, &text, report, &s->kernels));
    for (int i = 0; i < (s->setup->program ? KERNELS : WIDTH); i++)
        if (i != RUN || waits)
            HD_TRY(hd_kernels_find(&s->kernels, kernel_names[i], &s->kernel[i]));
    s->groups = waits ? hd_kernels_resident(&s->kernels, s->kernel[RUN]) : 0;
    s->together = s->groups > 0;
    if (!s->together)
        s->groups = hd_kernels_groups(&s->kernels, s->graph->edges + s->n);
    return HEDDLE_OK;
}

/* Facts that determine the sizes of the buffers. */
typedef struct sizes {
    uint64_t vertices, edges, warp, groups, bounds, sources;
    size_t label, offset;
    bool staged; /* groups have several warps */
} sizes;

/* Blocks of vertices go round the groups, a run at a time: room for all that a group of several warps may find. */
static uint64_t stage_room(const sizes *s) {
    uint64_t run = s->warp * s->warp * PER, runs = (s->vertices + run - 1) / run;
    return s->staged ? (runs + s->groups - 1) / s->groups * s->groups * run : 0;
}

static void count_bytes(const sizes *s, uint64_t bytes[BUFFERS]) {
    uint64_t n = s->vertices, each[BUFFERS] = {[LABELS] = n * s->label,     [EXPANDED] = n * s->label,
                                               [FLAGS] = n / s->warp + 1,   [QUEUE] = n * 4,
                                               [STARTS] = n * s->offset,    [TABLE] = (s->edges / CHUNK + 1) * 4,
                                               [STAGE] = stage_room(s) * 4, [BOUND_LIST] = s->bounds * s->label,
                                               [STATE] = PATHS_WORDS * 8,   [BARRIER] = 4,
                                               [SOURCES] = s->sources * 4};
    for (int i = 0; i < BUFFERS; i++)
        bytes[i] = (each[i] + 15) / 16 * 16 + 16;
}

uint64_t hd_paths_device_bytes(const hd_device_request *r, bool wide_labels) {
    const heddle_graph *graph = r->run->graph;
    const hd_device_info *info = r->info;
    int want = HD_WANT_OUT | HD_WANT_WEIGHTS | HD_WANT_TIGHT;
    sizes size = {.vertices = graph->vertices,
                  .edges = graph->edges,
                  .warp = info->warp,
                  .groups = info->units,
                  .sources = r->run->options.source_count,
                  .label = wide_labels ? 8 : 4,
                  .offset = hd_resident_wide(graph, want) ? 8 : 4,
                  .staged = info->grid_barrier};
    uint64_t bytes[BUFFERS], all = hd_structure_rows(graph, want);
    count_bytes(&size, bytes);
    for (int i = 0; i < BUFFERS; i++)
        all += bytes[i];
    return all;
}

static heddle_status allocate(search *s) {
    sizes size = {.vertices = s->n,
                  .edges = s->graph->edges,
                  .warp = s->device->info.warp,
                  .groups = s->groups,
                  .bounds = s->setup->bound_count,
                  .sources = s->options->source_count,
                  .label = s->label_size,
                  .offset = s->graph->wide ? 8 : 4,
                  .staged = s->kernels.lanes > s->device->info.warp};
    uint64_t bytes[BUFFERS];
    count_bytes(&size, bytes);
    for (int i = 0; i < BUFFERS; i++) {
        HD_TRY(s->device->allocate(s->device, bytes[i], buffer_names[i], &s->buffer[i]));
        s->bytes += bytes[i];
    }
    return HEDDLE_OK;
}

/* Bounds as labels of the device's size. */
static heddle_status upload_bounds(search *s) {
    uint64_t count = s->setup->bound_count;
    uint32_t *narrow;
    if (s->label_size == 8)
        return s->device->upload(s->device, &s->buffer[BOUND_LIST], 0, s->setup->bounds, count * 8);
    HD_TRY(HD_NEW(s->ctx, &narrow, count, "bounds"));
    for (uint64_t i = 0; i < count; i++)
        narrow[i] = (uint32_t)s->setup->bounds[i];
    heddle_status status = s->device->upload(s->device, &s->buffer[BOUND_LIST], 0, narrow, count * 4);
    if (status == HEDDLE_OK)
        status = s->device->finish(s->device);
    HD_DELETE(&s->ctx->allocator, narrow, count);
    return status;
}

/* A window's width as the kernels keep it. */
static uint64_t width_word(const hd_paths_setup *setup) {
    double width = setup->width, most = setup->wide_labels ? 1e290 : 1e30;
    if (setup->real) {
        width = width < 1 / most ? 1 / most : width > most ? most : width;
        return setup->wide_labels ? hd_bits_of_double(width) : hd_bits_of((float)width);
    }
    return width < 1 ? 1 : width > 0x1p60 ? UINT64_C(1) << 60 : (uint64_t)(width + 0.5);
}

/* The first window holds the sources alone. */
static heddle_status upload_state(search *s) {
    for (int i = 0; i < 3; i++)
        s->words[i * PATHS_SLOT + PATHS_LOWEST] = UINT64_MAX;
    s->words[PATHS_BOUND] = 1;
    s->words[PATHS_WIDTH] = s->words[PATHS_LEAST] = width_word(s->setup);
    s->words[PATHS_BOUNDS] = s->setup->bound_count;
    s->words[PATHS_LOTS] = s->graph->edges / SHARE_LOTS;
    HD_TRY(s->device->upload(s->device, &s->buffer[STATE], 0, s->words, sizeof s->words));
    HD_TRY(s->device->fill(s->device, &s->buffer[BARRIER], 0, 0, 4));
    HD_TRY(s->device->upload(s->device, &s->buffer[SOURCES], 0, s->options->sources, s->options->source_count * 4));
    if (s->setup->bound_count)
        HD_TRY(upload_bounds(s));
    return s->device->finish(s->device);
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

#define BUFFER(which) HD_ARGUMENT_BUFFER(s->buffer[which])

static heddle_status start(search *s) {
    uint32_t count = (uint32_t)s->options->source_count;
    HD_TRY(HD_LAUNCH(&s->kernels, s->kernel[START], kernel_names[START], hd_kernels_groups(&s->kernels, s->n),
                     HD_ARGUMENT_VALUE(s->n), BUFFER(LABELS), BUFFER(EXPANDED), BUFFER(FLAGS)));
    return HD_LAUNCH(&s->kernels, s->kernel[FROM], kernel_names[FROM], hd_kernels_groups(&s->kernels, count),
                     HD_ARGUMENT_VALUE(count), BUFFER(SOURCES), BUFFER(LABELS), BUFFER(FLAGS));
}

static heddle_status launch(search *s, int which, uint32_t groups, uint32_t most) {
    const hd_buffer *targets = s->hybrid.used   ? &s->hybrid.tails
                               : s->joined.bits ? &s->joined.edges
                                                : &s->graph->out.targets;
    const hd_buffer *weights = s->hybrid.used                   ? &s->hybrid.lines
                               : s->weighted && !s->joined.bits ? &s->graph->out.weights
                                                                : targets;
    const hd_buffer *offsets = s->hybrid.used ? &s->hybrid.offsets : &s->graph->out.offsets;
    const hd_argument arguments[] = {HD_ARGUMENT_VALUE(s->n),
                                     HD_ARGUMENT_VALUE(most),
                                     HD_ARGUMENT_BUFFER(*offsets),
                                     HD_ARGUMENT_BUFFER(*targets),
                                     HD_ARGUMENT_BUFFER(*weights),
                                     BUFFER(LABELS),
                                     BUFFER(EXPANDED),
                                     BUFFER(FLAGS),
                                     BUFFER(QUEUE),
                                     BUFFER(STARTS),
                                     BUFFER(TABLE),
                                     BUFFER(STAGE),
                                     BUFFER(BOUND_LIST),
                                     BUFFER(STATE),
                                     BUFFER(BARRIER),
                                     HD_PROGRAM_INPUTS(s->inputs)};
    uint32_t count = (uint32_t)(sizeof arguments / sizeof *arguments) - (s->setup->program ? 0 : HD_INPUT_BUFFERS);
    return hd_kernels_launch(&s->kernels, s->kernel[which], kernel_names[which], groups, which == RUN, arguments,
                             count);
}

/* First values, and the width of the window. Where all are active there is no source. */
static heddle_status start_program(search *s) {
    bool from_sources = s->setup->program->traits & FROM_SOURCES;
    uint32_t count = from_sources ? (uint32_t)s->options->source_count : 0,
             groups = hd_kernels_groups(&s->kernels, s->n);
    const hd_buffer *offsets = &s->graph->out.offsets;
    HD_TRY(HD_LAUNCH(&s->kernels, s->kernel[START], kernel_names[START], groups, HD_ARGUMENT_VALUE(s->n),
                     HD_ARGUMENT_BUFFER(*offsets), BUFFER(LABELS), BUFFER(EXPANDED), BUFFER(FLAGS),
                     HD_ARGUMENT_BUFFER(s->inputs.numbers), HD_PROGRAM_INPUTS(s->inputs)));
    HD_TRY(HD_LAUNCH(&s->kernels, s->kernel[FROM], kernel_names[FROM], groups, HD_ARGUMENT_VALUE(s->n),
                     HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(*offsets), BUFFER(SOURCES), BUFFER(LABELS),
                     BUFFER(EXPANDED), BUFFER(FLAGS), BUFFER(STATE), HD_ARGUMENT_BUFFER(s->inputs.numbers),
                     HD_PROGRAM_INPUTS(s->inputs)));
    if (!s->graph->edges || (from_sources && !count))
        return HEDDLE_OK;
    return launch(s, WIDTH, 1, from_sources ? s->options->sources[0] : 0);
}

static heddle_status write_values(search *s) {
    return HD_LAUNCH(&s->kernels, s->kernel[VALUES], kernel_names[VALUES], hd_kernels_groups(&s->kernels, s->n),
                     HD_ARGUMENT_VALUE(s->n), BUFFER(LABELS), BUFFER(EXPANDED), HD_ARGUMENT_BUFFER(s->inputs.numbers));
}

static heddle_status go_on(search *s, uint32_t batch) {
    if (s->together)
        return launch(s, RUN, s->groups, ROUNDS_MOST);
    for (uint32_t i = 0; i < batch; i++) {
        HD_TRY(launch(s, COLLECT, s->groups, s->groups));
        HD_TRY(launch(s, RELAX, s->groups, s->groups));
        HD_TRY(launch(s, TURN, 1, s->groups));
    }
    return HEDDLE_OK;
}

/* The time of the device's own clock, from the first kernel to the last, is the run's. */
static heddle_status iterate(search *s, heddle_report *report) {
    hd_device *d = s->device;
    double seconds = 0;
    hd_rounds_mark(s->ctx);
    hd_stall stall = {.looks = 0};
    HD_TRY(d->mark(d, 0));
    HD_TRY((s->setup->program ? start_program : start)(s));
    for (uint32_t batch = 2; !s->words[PATHS_FINISHED]; batch = batch < BATCH ? batch * 2 : BATCH) {
        uint64_t rounds = s->words[PATHS_ROUNDS], walked = s->words[PATHS_WALKED];
        HD_TRY(go_on(s, batch));
        HD_TRY(d->mark(d, 1));
        HD_TRY(d->download(d, s->words, &s->buffer[STATE], 0, sizeof s->words));
        HD_TRY(d->finish(d));
        HD_ROUND(s->ctx, .rounds = s->words[PATHS_ROUNDS] - rounds, .vertices = HD_NOT_KNOWN,
                 .edges = s->words[PATHS_WALKED] - walked,
                 .weight_bytes = s->weighted ? hd_weight_size(s->graph->weight_type) : 0,
                 .direction = HEDDLE_DIRECTION_PUSH, .whole_rows = true,
                 .kernel = kernel_names[s->together ? RUN : RELAX]);
        HD_TRY(hd_stall_check(&stall, s->ctx, d, s->words, sizeof s->words));
        if (hd_advance(s->ctx, 0))
            return hd_cancelled_status(s->ctx);
    }
    if (s->setup->program) {
        HD_TRY(write_values(s));
        HD_TRY(d->mark(d, 1));
        HD_TRY(d->finish(d));
    }
    HD_TRY(d->between(d, 0, 1, &seconds));
    report->compute += seconds;
    report->iterations += s->words[PATHS_ROUNDS];
    report->edges_walked += s->words[PATHS_WALKED];
    return HEDDLE_OK;
}

static heddle_status compute(search *s, const heddle_graph *graph, void *labels, heddle_result *result) {
    heddle_report *report = &result->report;
    HD_TRY(open_kernels(s, graph, report));
    HD_TRY(allocate(s));
    if (s->setup->program)
        HD_TRY(hd_program_inputs_open(&s->inputs, s->device, s->setup->inputs, s->n));
    HD_TRY(upload_state(s));
    HD_TRY(iterate(s, report));
    hd_buffer home = s->buffer[s->setup->program ? EXPANDED : LABELS];
    if (!s->setup->widest && !s->setup->program) /* the host makes widths of labels, and looks at sources meanwhile */
        HD_TRY(hd_restore_order(s->graph, graph, &s->buffer[LABELS], s->label_size, false, result, &home));
    double begun = hd_clock();
    HD_TRY(s->device->download(s->device, labels, &home, 0, s->n * s->label_size));
    HD_TRY(s->device->finish(s->device));
    report->transfer += hd_clock() - begun;
    return HEDDLE_OK;
}

heddle_status hd_paths_run(const hd_run *run, const hd_paths_setup *setup, void *labels, bool *excess) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_result *result = run->result;
    search s = {.ctx = ctx, .setup = setup, .options = &run->options, .n = (uint32_t)graph->vertices};
    s.spills = hd_run_spills(run);
    s.weighted = weights_of(setup, graph) != HEDDLE_WEIGHT_NONE;
    int want = HD_WANT_OUT | (s.weighted ? HD_WANT_WEIGHTS : 0);
    heddle_status status;
    *excess = false;
    hd_phase_begin(ctx, "compute", 0);
    if (s.spills && graph->weight_type)
        HD_CHECK(hd_joined_choose(ctx, graph, &result->report, &s.joined));
    HD_CHECK(hd_resident_open(ctx, graph, run->options.device, (s.joined.want ? s.joined.want : want) | HD_WANT_TIGHT,
                              setup->wide_offsets, &result->report, &s.graph));
    s.device = s.graph->device;
    s.label_size = setup->wide_labels ? 8 : 4;
    HD_CHECK(hd_hybrid_open(s.graph, graph, &s.joined, &s.hybrid));
    if (!s.hybrid.used)
        HD_CHECK(hd_joined_open(s.graph, graph, &s.joined));
    if (s.n)
        HD_CHECK(compute(&s, graph, labels, result));
    *excess = s.words[PATHS_EXCESS];
    hd_result_device(result, run->options.device);
    result->report.schedule = "fast";
    result->report.converged = 1;
    result->report.device_bytes = s.graph->bytes + s.bytes + s.inputs.bytes;
out:
    hd_phase_end(ctx);
    for (int i = 0; s.device && i < BUFFERS; i++)
        s.device->release(s.device, &s.buffer[i]);
    hd_program_inputs_close(&s.inputs);
    hd_kernels_close(&s.kernels);
    return status;
}
