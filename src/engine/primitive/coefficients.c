/* coefficients.c - see coefficients.h. Vertices are counted in pieces, between which the run can be cancelled. */
#include "engine/primitive/coefficients.h"

#include "engine/device/kernels.h"
#include "engine/device/resident.h"

#include <stdio.h>

extern const char hd_text_intersect[], hd_text_coefficients[];

enum {
    LEAST = 1 << 25, /* arcs: with fewer, host and device take as long (bench/notes/graffix.md) */
    PIECE = 1 << 22  /* vertices that are counted by a launch */
};

typedef struct counting {
    const hd_run *run;
    const heddle_graph *graph;
    hd_device *device;
    hd_resident *resident;
    hd_kernels kernels;
    hd_buffer missing, words;
} counting;

static bool is_wide(const counting *c) {
    return c->run->plan.wide_offsets == HD_YES || hd_wide_offsets(c->graph->vertices, c->graph->edges);
}

static uint64_t piece_of(const counting *c) { return c->graph->vertices < PIECE ? c->graph->vertices : PIECE; }

/* Bytes of rows that are not on the device yet. */
static uint64_t rows_bytes(const counting *c, const hd_resident_rows *rows) {
    return (rows->offsets.handle ? 0 : (c->graph->vertices + 1) * (is_wide(c) ? 8 : 4)) +
           (rows->targets.handle ? 0 : c->graph->edges * 4);
}

static bool is_forced(const counting *c) { return c->run->plan.prepare == HD_YES; }

/* Whether the device should count, if it has room. If edges spill, run/choose_residency.c refuses such a plan. */
static bool should_count(const counting *c) {
    const hd_device *d = c->device;
    return is_forced(c) || (d->info.accelerator && c->graph->edges >= LEAST && !d->budget.spills);
}

static heddle_status check_room(const counting *c, bool *fits) {
    uint64_t left = 0, total = 0;
    uint64_t wanted = rows_bytes(c, &c->resident->out) + (c->graph->directed ? rows_bytes(c, &c->resident->in) : 0) +
                      (HD_CLUSTER_MOST + piece_of(c)) * 4;
    HD_TRY(c->device->memory(c->device, &left, &total));
    *fits = wanted <= left;
    return HEDDLE_OK;
}

static heddle_status prepare(counting *c, const uint32_t *missing, heddle_report *report) {
    static const char *const texts[] = {hd_text_intersect, hd_text_coefficients, NULL};
    hd_device *d = c->device;
    char defines[256];
    snprintf(defines, sizeof defines,
             "#define HD_DIRECTED %d\n#define HD_CLUSTER_MOST %du\n#define HD_CLUSTER_LEAST %du\n"
             "#define HD_CLUSTER_ROW %du\n#define HD_LINK_BITS %d\n",
             c->graph->directed, HD_CLUSTER_MOST, HD_CLUSTER_LEAST, HD_CLUSTER_ROW, HD_LINK_BITS);
    hd_kernels_text text = {.name = "coefficients", .texts = texts, .defines = defines, .wide = c->resident->wide};
    HD_TRY(hd_kernels_open(d, &text, report, &c->kernels));
    HD_TRY(d->allocate(d, HD_CLUSTER_MOST * 4, "coefficients", &c->missing));
    HD_TRY(d->allocate(d, piece_of(c) * 4, "coefficients", &c->words));
    HD_TRY(d->upload(d, &c->missing, 0, missing, HD_CLUSTER_MOST * 4));
    return d->finish(d);
}

static heddle_status count_piece(const counting *c, uint64_t first, uint32_t count, uint32_t *words) {
    const hd_resident_rows *out = &c->resident->out, *in = &c->resident->in;
    hd_device *d = c->device;
    HD_TRY(HD_START(&c->kernels, "hd_coefficients", (uint64_t)count * d->info.warp, HD_ARGUMENT_VALUE(first),
                    HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(c->missing), HD_ARGUMENT_BUFFER(out->offsets),
                    HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(in->offsets), HD_ARGUMENT_BUFFER(in->targets),
                    HD_ARGUMENT_BUFFER(c->words)));
    HD_TRY(d->download(d, words + first, &c->words, 0, (uint64_t)count * 4));
    HD_TRY(d->finish(d));
    return hd_advance(c->run->ctx, 0) ? hd_cancelled_status(c->run->ctx) : HEDDLE_OK;
}

/* Compiling by the driver at the launch counts as compiling, too. */
static heddle_status count_all(counting *c, const uint32_t *missing, uint32_t *words) {
    heddle_report *report = &c->run->result->report;
    uint64_t n = c->graph->vertices;
    double late = c->device->late;
    heddle_status status;
    HD_CHECK(prepare(c, missing, report));
    for (uint64_t first = 0; first < n; first += PIECE)
        HD_CHECK(count_piece(c, first, (uint32_t)(n - first < PIECE ? n - first : PIECE), words));
out:
    report->compile += c->device->late - late;
    c->device->late = late;
    c->device->release(c->device, &c->missing);
    c->device->release(c->device, &c->words);
    hd_kernels_close(&c->kernels);
    return status;
}

/* With the graph on the device for as long as that takes, or longer if it was there before. */
static heddle_status count_there(counting *c, const uint32_t *missing, uint32_t *words) {
    heddle_report unused = {.compute = 0};
    bool directed = c->graph->directed, had_out = c->resident->out.targets.handle != 0,
         had_in = c->resident->in.targets.handle != 0;
    HD_TRY(hd_resident_open(c->run->ctx, c->graph, c->run->options.device, HD_WANT_OUT | (directed ? HD_WANT_IN : 0),
                            is_wide(c), &unused, &c->resident));
    heddle_status status = count_all(c, missing, words);
    if (directed && !had_in)
        hd_resident_drop_rows(c->resident, &c->resident->in);
    if (!had_out)
        hd_resident_drop_rows(c->resident, &c->resident->out);
    if (!directed)
        c->resident->in = c->resident->out;
    return status;
}

heddle_status hd_coefficients_count(const void *self, const heddle_graph *graph, const uint32_t *missing,
                                    uint32_t *words, bool *counted) {
    const hd_run *run = self;
    heddle_report *report = &run->result->report;
    counting c = {.run = run, .graph = graph};
    *counted = false;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, report, &c.device));
    *counted = should_count(&c);
    if (!*counted)
        return HEDDLE_OK;
    HD_TRY(hd_resident_claim(run->ctx, graph, run->options.device, report, &c.resident));
    if (!is_forced(&c))
        HD_TRY(check_room(&c, counted));
    heddle_status status = *counted ? count_there(&c, missing, words) : HEDDLE_OK;
    if (status == HEDDLE_E_DEVICE_MEMORY && !is_forced(&c)) {
        *counted = false;
        hd_enter(run->ctx); /* the host has more memory */
        return HEDDLE_OK;
    }
    if (status == HEDDLE_OK && *counted)
        hd_note(run->ctx, "graffix=%s: neighbourhoods were counted on %s", run->plan.graffix->name,
                run->options.device);
    return status;
}
