/* bc_many.c - see bc_many.h. Batches of sources are processed one after the other. In each batch, path counts are
 * computed during the search, level by level for all its sources together, then dependencies in the backward pass,
 * which are added to the sums in the order of the sources.
 *
 * Counts are double until one gets too large: from then on they have exponents.
 */
#include "algorithm/bc/bc_many.h"

#include "algorithm/bc/bc_device.h"
#include "algorithm/many/many_device.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_many[], hd_text_kernels_many_steps[], hd_text_kernels_bc_value[],
    hd_text_kernels_bc_many[];

/* Tunables. */
enum {
    WARPS = 16, /* in a group */
    GROUPS = 2, /* on a multiprocessor */
    DEGREE = 8  /* with more edges per vertex, a lane has more reads in flight */
};

/* Bytes of the buffers allocated here, for one search: per pair, and per part of rows that are cut. */
static const uint64_t pair_bytes = 20, part_bytes = 12;

enum { BEGIN, PAIRS, UNITS, JOIN, ADD, FORWARD, BACKWARD, KERNELS };
static const char *const names[KERNELS] = {"bcm_begin", "bcm_pairs_of", "bcm_units_of", "bcm_join_of",
                                           "bcm_add",   "bcm_forward",  "bcm_backward"};

typedef struct many_bc {
    hd_structure s;
    hd_many m;
    const hd_sources *sources;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_buffer total, squares, sigma, shares, exponents, sums, sum_exponents;
    bool squared; /* squares are added too, for an error budget */
    uint32_t groups;
    bool resident, wide, cut;
    uint64_t levels;
} many_bc;

/* ---- Before ------------------------------------------------------------------------------------------------------ */

static heddle_status compile(many_bc *b) {
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_bc_value,
                                        hd_text_kernels_bc_many, NULL};
    char defines[512], more[160];
    hd_kernels_text text = {.name = "bc", .texts = texts, .defines = defines, .warps = WARPS};
    bool waits = b->s.device->info.grid_barrier;
    int chunk = waits && b->s.graph->edges / DEGREE > b->s.graph->vertices ? 8 : 4;
    text.wide = b->s.resident->wide;
    hd_many_defines(&b->m, waits, defines, sizeof defines - sizeof more);
    snprintf(more, sizeof more,
             "#define BC_EXTENDED %d\n#define BCM_GROUPS %d\n#define BCM_CUT %d\n#define BCM_MOST %s\n"
             "#define BCM_CHUNK %du\n",
             b->wide, GROUPS, waits && b->cut, "8.45e270", chunk); /* 2^900 */
    strcat(defines, more);
    hd_kernels_close(&b->kernels);
    HD_TRY(hd_kernels_open(b->s.device, &text, &b->s.result->report, &b->kernels));
    for (int i = 0; i < (waits ? KERNELS : FORWARD); i++)
        HD_TRY(hd_kernels_find(&b->kernels, names[i], &b->kernel[i]));
    b->groups = hd_kernels_groups(&b->kernels, b->s.graph->vertices);
    b->resident = false;
    if (waits) {
        uint32_t forward = hd_kernels_resident(&b->kernels, b->kernel[FORWARD]);
        uint32_t backward = hd_kernels_resident(&b->kernels, b->kernel[BACKWARD]);
        uint32_t both = forward < backward ? forward : backward;
        b->resident = both > 0;
        b->groups = both ? both : b->groups;
    }
    return hd_many_find(&b->m, &b->kernels, b->groups);
}

/* Adds exponents, for counts that do not fit a double; the search continues where it stopped. The time is not
 * counted. */
static heddle_status widen(many_bc *b) {
    uint64_t all = ((uint64_t)b->m.vertices << b->m.shift) * 4;
    hd_device *d = b->s.device;
    b->wide = true;
    HD_TRY(hd_structure_stop(&b->s));
    HD_TRY(hd_structure_buffer(&b->s, all, "path counts", &b->exponents));
    HD_TRY(hd_structure_buffer(&b->s, (b->m.parts << b->m.shift) * 4, "long rows", &b->sum_exponents));
    HD_TRY(compile(b));
    HD_TRY(d->fill(d, &b->exponents, 0, 0, all));
    HD_TRY(hd_structure_start(&b->s));
    return hd_many_again(&b->m);
}

static heddle_status open_buffers(many_bc *b) {
    uint64_t n = b->m.vertices, all = n << b->m.shift;
    HD_TRY(hd_many_open(&b->m, true));
    HD_TRY(hd_structure_buffer(&b->s, n * 8, "dependencies", &b->total));
    HD_TRY(hd_structure_buffer(&b->s, b->squared ? n * 8 : 8, "squares", &b->squares));
    HD_TRY(hd_structure_buffer(&b->s, all * 8, "path counts", &b->sigma));
    HD_TRY(hd_structure_buffer(&b->s, all * 8, "dependencies", &b->shares));
    return hd_structure_buffer(&b->s, (b->m.parts << b->m.shift) * 8, "long rows", &b->sums);
}

heddle_status hd_bc_many_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t sources, bool squared,
                               uint64_t left, uint64_t *bytes) {
    many_bc b = {.s = {.ctx = ctx, .graph = graph}, .squared = squared};
    uint64_t rows = hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN);
    left -= rows < left ? rows : left;
    *bytes = 0;
    HD_TRY(hd_many_foresee(&b.m, &b.s, sources, pair_bytes, part_bytes, left));
    if (b.m.shift == 0)
        return HEDDLE_OK;
    HD_TRY(open_buffers(&b));
    *bytes = b.s.bytes + rows;
    return HEDDLE_OK;
}

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

static heddle_status launch(many_bc *b, int which, uint32_t groups, uint32_t from, uint32_t to) {
    enum { ALL = HD_MANY_ARGUMENTS + 5 };
    hd_argument arguments[ALL] = {[HD_MANY_ARGUMENTS] = HD_ARGUMENT_BUFFER(b->sigma),
                                  HD_ARGUMENT_BUFFER(b->shares),
                                  HD_ARGUMENT_BUFFER(b->exponents),
                                  HD_ARGUMENT_BUFFER(b->sums),
                                  HD_ARGUMENT_BUFFER(b->sum_exponents)};
    hd_many_arguments(&b->m, from, to, arguments);
    return hd_kernels_launch(&b->kernels, b->kernel[which], names[which], groups, which >= FORWARD, arguments, ALL);
}

static heddle_status begin(many_bc *b, uint64_t first, uint32_t count) {
    heddle_vertex sources[HD_MANY_MOST];
    for (uint32_t i = 0; i < count; i++)
        sources[i] = hd_source_at(b->sources, first + i);
    HD_TRY(hd_many_ready(&b->m, sources, count));
    HD_TRY(b->s.device->fill(b->s.device, &b->sigma, 0, 0, ((uint64_t)b->m.vertices << b->m.shift) * 8));
    HD_TRY(launch(b, BEGIN, 1, 0, 0));
    return hd_many_begin(&b->m);
}

/* The sums of a level, one launch after the other. */
static heddle_status sums(many_bc *b, uint32_t level, uint32_t back) {
    if (b->m.units)
        HD_TRY(launch(b, UNITS, b->groups, level, back));
    HD_TRY(launch(b, PAIRS, b->groups, level, back));
    return b->cut ? launch(b, JOIN, b->groups, level, back) : HEDDLE_OK;
}

static heddle_status one_forward(many_bc *b, uint32_t level) {
    HD_TRY(hd_many_half(&b->m, level));
    if (level)
        HD_TRY(sums(b, level, 0));
    return hd_many_launch(&b->m, HD_MANY_SETTLE, b->groups, level + 1, 0);
}

static heddle_status forward(many_bc *b) {
    uint32_t levels = hd_many_levels(&b->m, b->resident);
    while (!b->m.done) {
        uint32_t level = b->m.level;
        if (b->resident)
            HD_TRY(launch(b, FORWARD, b->groups, level, levels));
        for (uint32_t i = 0; !b->resident && i < levels; i++)
            HD_TRY(one_forward(b, level + i));
        HD_TRY(hd_many_look(&b->m));
    }
    return HEDDLE_OK;
}

static heddle_status backward(many_bc *b) {
    hd_device *d = b->s.device;
    uint32_t levels = hd_many_levels(&b->m, b->resident), to;
    HD_TRY(d->fill(d, &b->m.masks, 0, 0, (uint64_t)b->m.vertices * 12));
    for (uint32_t from = b->m.level - 1; from; from = to - 1) {
        to = from > levels ? from - levels + 1 : 1;
        if (b->resident)
            HD_TRY(launch(b, BACKWARD, b->groups, from, to));
        for (uint32_t level = from; !b->resident && level >= to; level--)
            HD_TRY(sums(b, level, 1));
        if (to > 1) {
            HD_TRY(d->finish(d));
            if (hd_advance(b->s.ctx, 0))
                return hd_cancelled_status(b->s.ctx);
        }
    }
    return HEDDLE_OK;
}

static heddle_status add(many_bc *b) {
    hd_many *m = &b->m;
    uint32_t squared = b->squared;
    return HD_LAUNCH(&b->kernels, b->kernel[ADD], names[ADD], hd_kernels_groups(&b->kernels, m->vertices),
                     HD_ARGUMENT_VALUE(m->vertices), HD_ARGUMENT_VALUE(m->shift), HD_ARGUMENT_VALUE(m->full),
                     HD_ARGUMENT_VALUE(squared), HD_ARGUMENT_BUFFER(m->source), HD_ARGUMENT_BUFFER(b->sigma),
                     HD_ARGUMENT_BUFFER(b->total), HD_ARGUMENT_BUFFER(b->squares));
}

static heddle_status one_batch(many_bc *b, uint64_t first, uint32_t count) {
    HD_TRY(begin(b, first, count));
    HD_TRY(forward(b));
    if (b->m.over) {
        HD_TRY(widen(b));
        HD_TRY(forward(b));
    }
    b->levels += b->m.level;
    HD_TRY(backward(b));
    HD_TRY(add(b));
    hd_structure_record(b->s.ctx, b->m.level, HEDDLE_DIRECTION_MIXED, "sources at once");
    return HEDDLE_OK;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static heddle_status clear(void *self) {
    many_bc *b = self;
    uint64_t bytes = b->s.graph->vertices * 8;
    HD_TRY(b->s.device->fill(b->s.device, &b->total, 0, 0, bytes));
    return b->squared ? b->s.device->fill(b->s.device, &b->squares, 0, 0, bytes) : HEDDLE_OK;
}

static heddle_status add_sources(void *self, const hd_sources *sources) {
    many_bc *b = self;
    uint32_t most = UINT32_C(1) << b->m.shift;
    b->sources = sources;
    for (uint64_t i = 0; i < sources->count; i += most) {
        uint64_t left = sources->count - i;
        HD_TRY(one_batch(b, i, left < most ? (uint32_t)left : most));
        hd_advance(b->s.ctx, most);
    }
    return HEDDLE_OK;
}

static heddle_status fetch(void *self, double *sums, double *squares) {
    many_bc *b = self;
    return hd_bc_fetch(&b->s, &b->total, &b->squares, sums, squares);
}

static heddle_status compute(many_bc *b, const hd_run *run, bool *served) {
    heddle_context *ctx = run->ctx;
    const hd_sources *all = b->sources;
    hd_bc_engine engine = {b, clear, add_sources, fetch, 1};
    hd_sources used = *all;
    HD_TRY(hd_structure_open(&b->s, ctx, run->graph, run->options.device, HD_WANT_OUT | HD_WANT_IN, run->result));
    HD_TRY(hd_many_choose(&b->m, &b->s, all->count, pair_bytes, part_bytes));
    *served = b->m.shift > 0;
    if (!*served)
        return HEDDLE_OK;
    uint32_t most = UINT32_C(1) << b->m.shift;
    b->squared = run->options.max_error > 0;
    b->cut = b->m.parts > 0;
    HD_TRY(open_buffers(b));
    HD_TRY(compile(b));
    HD_TRY(clear(b));
    HD_TRY(hd_structure_start(&b->s));
    hd_rounds_mark(ctx);
    hd_phase_total(ctx, all->count);
    HD_TRY(hd_bc_add_all(run, &engine, all, &used));
    HD_TRY(hd_structure_stop(&b->s));
    hd_structure_report(&b->s, run->options.device, "fast");
    HD_TRY(hd_bc_hand_over(&b->s, &b->total, &used, b->levels, &run->options));
    hd_result_figure(run->result, "batch", used.count < most ? (double)used.count : most);
    return HEDDLE_OK;
}

heddle_status hd_bc_many(const hd_run *run, const hd_sources *sources, bool *served) {
    many_bc b = {.s = {.ctx = run->ctx}, .sources = sources};
    heddle_status status = compute(&b, run, served);
    hd_kernels_close(&b.kernels);
    hd_structure_close(&b.s);
    return status;
}
