/* pr_bins.c - see pr_bins.h. */
#include "algorithm/pr/pr_bins.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_pr[], hd_text_kernels_pr_blocks[], hd_text_kernels_pr_bins[];

/* Tunables. */
enum {
    WARPS = 32,          /* in a group */
    ROW_WARPS = 16,      /* in a group that sums rows */
    SPAN = 31,           /* edges of a bin per lane: odd, so that lanes read from different banks; fewer */
    BINS = 2,            /* to get this many bins per multiprocessor, unless they get too small */
    SMALL_SPAN = 63,     /* the same, and */
    SMALL = 2048,        /* sources of a block, if groups have little shared memory */
    ROW_GROUPS = 3,      /* groups that sum rows, per multiprocessor */
    DEALERS = 1,         /* groups that hold a block, per multiprocessor */
    MOST_BLOCKS = 1024,  /* HD_BLOCKS */
    RUN = 24,            /* mean number of edges between a bin and a block from which bins pay off */
    LONG_RUN = 128,      /* runs of at least this many edges get 16 lanes instead of 8 */
    DEGREE = 5,          /* mean degree from which bins pay off */
    MOST_ROWS = 1 << 14, /* rows that begin in a bin, up to which bins pay off */
    BRIDGES = 64,
    STATIC_BYTES = 12288, /* of shared memory that kernels declare */
    LARGE_BYTES = 96 << 10,
    NEAR = 1 << 14 /* graphs of no more vertices are too small */
};

enum { SORT, DEAL, ROWS, BRIDGE };
static const char *const names[HD_PR_BIN_KERNELS] = {"rank_sort", "rank_deal", "rank_rows", "rank_bridge"};

static bool large(const hd_device_info *info) { return info->local_most >= LARGE_BYTES; }
static uint32_t row_lanes(const hd_device_info *info) { return large(info) ? ROW_WARPS * info->warp : info->warp; }

static uint32_t span_of(const hd_device_info *info, uint64_t edges) {
    uint32_t span = large(info) ? SPAN : SMALL_SPAN;
    while (large(info) && span > 3 && edges / (span * row_lanes(info)) < (uint64_t)info->units * BINS)
        span /= 2;
    return span;
}

/* Whether bins may pay off. */
static bool suits(uint64_t n, uint64_t edges, const hd_device_info *info) {
    return info->doubles && edges <= INT32_MAX && edges / DEGREE >= n && n > (large(info) ? NEAR : SMALL);
}

static heddle_status look_whether(const hd_resident *g, bool *worthwhile) {
    hd_device *d = g->device;
    uint64_t room = 0, total;
    *worthwhile = false;
    if (d->budget.spills || g->wide || !suits(g->vertices, g->edges, &d->info) ||
        (!large(&d->info) && !d->kind->static_shared))
        return HEDDLE_OK;
    HD_TRY(d->memory(d, &room, &total));
    *worthwhile = !room || room / 10 > g->edges;
    return HEDDLE_OK;
}

static heddle_status open_kernels(hd_pr_bins *p, heddle_report *report) {
    hd_device *d = p->graph->device;
    uint32_t block = large(&d->info) ? (uint32_t)((d->info.local_most / DEALERS - STATIC_BYTES) / 16 * 4) : SMALL;
    uint32_t span = span_of(&d->info, p->edges), lanes = row_lanes(&d->info);
    char defines[200];
    hd_kernels_text text = {.name = "pr",
                            .texts = (const char *const[]){hd_text_kernels_pr, hd_text_kernels_pr_blocks,
                                                           hd_text_kernels_pr_bins, NULL},
                            .defines = defines,
                            .warps = WARPS};
    block = block < 1 << 16 ? block : 1 << 16;
    p->count = (p->n + block - 5) / (block - 4);
    p->block = (p->n / p->count / 4 + 1) * 4;
    p->bin = span * lanes;
    p->bins = (p->edges + p->bin - 1) / p->bin;
    p->stride = p->bin + 4 * p->count;
    snprintf(defines, sizeof defines,
             "#define HD_BIN %uu\n#define HD_STRIDE %du\n#define HD_BLOCK %uu\n#define HD_SPAN %uu\n"
             "#define HD_ROW_LANES %uu\n#define HD_RUN_LANES %du\n",
             p->bin, SMALL + 4 * (SMALL / RUN + 1), block, span, lanes, p->bin / p->count < LONG_RUN ? 8 : 16);
    HD_TRY(hd_kernels_open(d, &text, report, &p->kernels));
    for (int i = 0; i < HD_PR_BIN_KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->kernels, names[i], &p->kernel[i]));
    return HEDDLE_OK;
}

/* `words`: dynamic shared memory, if the device supports it. */
static hd_launch how_to(const hd_pr_bins *p, int which, uint32_t groups, uint64_t words) {
    const hd_device_info *info = &p->graph->device->info;
    return (hd_launch){.name = names[which],
                       .groups = groups,
                       .lanes = which == ROWS ? row_lanes(info) : 0,
                       .local_bytes = large(info) ? (uint32_t)words * 4 : 0};
}
#define LAUNCH(p, which, groups, words, ...) \
    HD_LAUNCH_AS(&(p)->kernels, (p)->kernel[which], how_to(p, which, groups, words), __VA_ARGS__)

/* Divides the blocks' bins so that all groups have about the same number of edges, and few blocks each. */
static uint32_t cut_units(const hd_pr_bins *p, const uint32_t *totals, uint32_t *seats, uint32_t *units) {
    double quota = (double)p->edges / p->dealers, before = 0;
    uint32_t at = 0, group = 0;
    seats[0] = 0;
    for (uint32_t i = 0; i < p->count; before += totals[i], i++)
        for (uint32_t bin = 0, end; totals[i] && bin < p->bins; bin = end) {
            double left = quota * (group + 1) - before;
            end = group + 1 == p->dealers || left >= totals[i] ? p->bins : (uint32_t)(left / totals[i] * p->bins);
            if (end > bin) {
                units[3 * at] = i;
                units[3 * at + 1] = bin;
                units[3 * at + 2] = end;
                at++;
            }
            end = end > bin ? end : bin;
            if (end < p->bins)
                seats[++group] = at;
        }
    while (group < p->dealers)
        seats[++group] = at;
    return at;
}

static heddle_status share_out(hd_pr_bins *p, const uint32_t *totals) {
    hd_device *d = p->graph->device;
    uint64_t most = 3 * ((uint64_t)p->count + p->dealers), room = most + p->dealers + 1;
    uint32_t *words;
    HD_TRY(HD_NEW(d->ctx, &words, room, "shares of work"));
    uint32_t used = cut_units(p, totals, words, words + p->dealers + 1);
    heddle_status status = d->upload(d, &p->seats, 0, words, ((uint64_t)p->dealers + 1) * 4);
    if (status == HEDDLE_OK)
        status = d->upload(d, &p->units, 0, words + p->dealers + 1, 12 * (uint64_t)used);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    HD_DELETE(&d->ctx->allocator, words, room);
    return status;
}

static heddle_status sort_edges(hd_pr_bins *p) {
    hd_device *d = p->graph->device;
    uint32_t most = d->info.units * 8, groups = p->bins < most ? p->bins : most;
    HD_TRY(d->fill(d, &p->totals, 0, 0, ((uint64_t)p->count + 1) * 4));
    HD_TRY(LAUNCH(p, SORT, groups, p->stride, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->edges),
                  HD_ARGUMENT_VALUE(p->count), HD_ARGUMENT_VALUE(p->block), HD_ARGUMENT_VALUE(p->bins),
                  HD_ARGUMENT_VALUE(p->stride), HD_ARGUMENT_BUFFER(p->graph->in.offsets),
                  HD_ARGUMENT_BUFFER(p->graph->in.targets), HD_ARGUMENT_BUFFER(p->starts), HD_ARGUMENT_BUFFER(p->from),
                  HD_ARGUMENT_BUFFER(p->to), HD_ARGUMENT_BUFFER(p->firsts), HD_ARGUMENT_BUFFER(p->totals)));
    return HEDDLE_OK;
}

/* The last extra is created last: if it exists, all are filled. */
static heddle_status find_sorted(hd_pr_bins *p, bool *fresh) {
    hd_resident *g = p->graph;
    uint64_t padded = (uint64_t)p->bins * p->stride, table = ((uint64_t)p->count + 1) * p->bins;
    HD_TRY(hd_resident_extra(g, "sources within blocks", padded * 2, &p->from, fresh));
    HD_TRY(hd_resident_extra(g, "places within bins", padded * 2, &p->to, fresh));
    HD_TRY(hd_resident_extra(g, "beginnings of blocks", table * 2, &p->starts, fresh));
    HD_TRY(hd_resident_extra(g, "first rows of bins", ((uint64_t)p->bins + 1) * 4, &p->firsts, fresh));
    return hd_resident_extra(g, "edges of blocks", ((uint64_t)p->count + 1) * 4, &p->totals, fresh);
}

static heddle_status prepare(hd_pr_bins *p) {
    hd_device *d = p->graph->device;
    uint32_t totals[MOST_BLOCKS + 1];
    bool fresh;
    HD_TRY(find_sorted(p, &fresh));
    if (fresh)
        HD_TRY(sort_edges(p));
    HD_TRY(d->download(d, totals, &p->totals, 0, ((uint64_t)p->count + 1) * 4));
    HD_TRY(d->finish(d));
    p->on = totals[p->count] <= MOST_ROWS;
    if (!p->on)
        return HEDDLE_OK;
    uint64_t values = (uint64_t)p->bins * p->stride * 4, parts = (uint64_t)p->bins * 16;
    p->bytes = values + parts;
    HD_TRY(d->allocate(d, ((uint64_t)p->dealers + 1) * 4, "shares of work", &p->seats));
    HD_TRY(d->allocate(d, 12 * ((uint64_t)p->count + p->dealers), "shares of work", &p->units));
    HD_TRY(d->allocate(d, values, "shares of edges", &p->values));
    HD_TRY(d->allocate(d, parts, "parts of rows", &p->parts));
    return share_out(p, totals);
}

heddle_status hd_pr_bins_open(hd_pr_bins *p, hd_resident *graph, heddle_report *report) {
    *p = (hd_pr_bins){.graph = graph};
    bool worthwhile;
    HD_TRY(look_whether(graph, &worthwhile));
    if (!worthwhile)
        return HEDDLE_OK;
    HD_TRY(hd_pr_passes_open(&p->passes, graph, report));
    if (p->passes.on) {
        p->on = true;
        p->groups = p->passes.groups;
        p->bytes = p->passes.bytes;
        return HEDDLE_OK;
    }
    p->n = (uint32_t)graph->vertices;
    p->edges = (uint32_t)graph->edges;
    HD_TRY(open_kernels(p, report));
    if (p->count > MOST_BLOCKS || p->count * RUN > p->bin)
        return HEDDLE_OK;
    double begun = hd_clock();
    uint32_t units = graph->device->info.units, most = units * ROW_GROUPS;
    p->dealers = units * DEALERS;
    p->groups = p->bins < most ? p->bins : most;
    p->bridges = p->bins / p->kernels.lanes + 1;
    p->bridges = p->bridges < BRIDGES ? p->bridges : BRIDGES;
    HD_TRY(prepare(p));
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

/* An edge takes 8 bytes, plus some padding. */
uint64_t hd_pr_bins_bytes(const heddle_graph *graph, const hd_device_info *info) {
    uint64_t edges = graph->edges;
    return suits(graph->vertices, edges, info) ? 10 * edges + (1 << 20) : 0;
}

void hd_pr_bins_close(hd_pr_bins *p) {
    hd_buffer *const buffers[] = {&p->seats, &p->units, &p->values, &p->parts};
    for (size_t i = 0; p->graph && i < sizeof buffers / sizeof *buffers; i++)
        p->graph->device->release(p->graph->device, buffers[i]);
    hd_pr_passes_close(&p->passes);
    hd_kernels_close(&p->kernels);
}

heddle_status hd_pr_bins_round(hd_pr_bins *p, const hd_pr_round *r) {
    const hd_resident *g = p->graph;
    if (p->passes.on)
        return hd_pr_passes_round(&p->passes, r);
    HD_TRY(LAUNCH(p, DEAL, p->dealers, p->block, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->block),
                  HD_ARGUMENT_VALUE(p->bins), HD_ARGUMENT_VALUE(p->stride), HD_ARGUMENT_BUFFER(p->seats),
                  HD_ARGUMENT_BUFFER(p->units), HD_ARGUMENT_BUFFER(p->starts), HD_ARGUMENT_BUFFER(p->from),
                  HD_ARGUMENT_BUFFER(r->shares), HD_ARGUMENT_BUFFER(p->values), HD_ARGUMENT_BUFFER(r->state)));
    HD_TRY(LAUNCH(p, ROWS, p->groups, p->bin + 4, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->edges),
                  HD_ARGUMENT_VALUE(p->count), HD_ARGUMENT_VALUE(p->bins), HD_ARGUMENT_VALUE(p->stride),
                  HD_ARGUMENT_BUFFER(g->in.offsets), HD_ARGUMENT_BUFFER(g->out.offsets), HD_ARGUMENT_BUFFER(r->before),
                  HD_ARGUMENT_BUFFER(r->after), HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(p->firsts),
                  HD_ARGUMENT_BUFFER(p->starts), HD_ARGUMENT_BUFFER(p->to), HD_ARGUMENT_BUFFER(p->values),
                  HD_ARGUMENT_BUFFER(p->parts), HD_ARGUMENT_BUFFER(r->state), HD_ARGUMENT_BUFFER(r->figures),
                  HD_ARGUMENT_BUFFER(r->partials)));
    return LAUNCH(p, BRIDGE, p->bridges, 0, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->bins),
                  HD_ARGUMENT_VALUE(p->groups), HD_ARGUMENT_BUFFER(g->in.offsets), HD_ARGUMENT_BUFFER(g->out.offsets),
                  HD_ARGUMENT_BUFFER(r->before), HD_ARGUMENT_BUFFER(r->after), HD_ARGUMENT_BUFFER(r->next),
                  HD_ARGUMENT_BUFFER(p->firsts), HD_ARGUMENT_BUFFER(p->parts), HD_ARGUMENT_BUFFER(r->state),
                  HD_ARGUMENT_BUFFER(r->figures), HD_ARGUMENT_BUFFER(r->partials));
}
