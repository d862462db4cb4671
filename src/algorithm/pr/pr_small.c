/* pr_small.c - see pr_small.h. */
#include "algorithm/pr/pr_small.h"

#include "base/memory.h"

#include <stdio.h>

extern const char hd_text_kernels_pr[], hd_text_kernels_pr_small[];

/* Tunables. */
enum {
    WARPS = 32,         /* in a group */
    GROUPS = 1,         /* groups on a multiprocessor */
    EACH = 8,           /* edges that a lane takes at once, at most, */
    STEP = 4,           /* and a multiple of this */
    MOST = 20 << 20,    /* vertices and edges up to which it pays off, */
    SPARSE = 4 << 20,   /* or up to which, if there are fewer edges than */
    DEGREE = 5,         /* this per vertex on average: one lane per row is as fast then */
    CACHE_PART = 4,     /* shares must fit in 1/4 of the cache */
    BUSY_WARPS = 4,     /* warps with work in a group before another group is added */
    ROUNDS = 256,       /* in one launch */
    STATIC_BYTES = 2048 /* of shared memory that the kernel declares */
};

enum { CUT, SMALL };
static const char *const names[HD_PR_SMALL_KERNELS] = {"rank_cut", "rank_small"};
static const uint64_t tally_bytes = 16;

/* Bytes of the units that a group holds at once. */
static uint32_t unit_bytes(const hd_device_info *info, uint32_t each) {
    return WARPS * (info->warp * (each + 1) + 1) * 8;
}

/* Otherwise a group is one warp, and the size of shared memory is fixed at compile time. */
static bool large(const hd_device_info *info) {
    return info->local_most >= (uint64_t)GROUPS * unit_bytes(info, EACH) + STATIC_BYTES;
}

static bool suits(uint64_t n, uint64_t edges, const hd_device_info *info) {
    uint64_t most = edges / DEGREE < n ? SPARSE : MOST;
    return edges && n + edges <= most && n * 4 <= info->cache_bytes / CACHE_PART && info->doubles && info->grid_barrier;
}

/* Units of equal length, so that all warps have the same number of them. */
static void shape(hd_pr_small *p, const hd_device_info *info) {
    uint64_t warps = large(info) ? (uint64_t)info->units * GROUPS * WARPS : 1, least = STEP * info->warp;
    uint64_t most = large(info) ? (uint64_t)EACH * info->warp : least, turns = (p->items - 1) / (warps * most) + 1;
    uint64_t length = (p->items - 1) / (warps * turns) + 1;
    p->length = (uint32_t)(length > least ? length : least);
    p->each = ((p->length - 1) / (uint32_t)least + 1) * STEP;
    p->units = (p->items - 1) / p->length + 1;
}

static heddle_status open_kernels(hd_pr_small *p, heddle_report *report) {
    hd_device *d = p->graph->device;
    char defines[80];
    hd_kernels_text text = {.name = "pr",
                            .texts = (const char *const[]){hd_text_kernels_pr, hd_text_kernels_pr_small, NULL},
                            .defines = defines,
                            .warps = WARPS};
    snprintf(defines, sizeof defines, "#define HD_EACH %uu\n#define HD_GROUPS %d\n", p->each, GROUPS);
    HD_TRY(hd_kernels_open(d, &text, report, &p->kernels));
    for (int i = 0; i < HD_PR_SMALL_KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->kernels, names[i], &p->kernel[i]));
    return HEDDLE_OK;
}

static uint32_t shared_bytes(const hd_pr_small *p) {
    const hd_device_info *info = &p->graph->device->info;
    return large(info) ? unit_bytes(info, p->each) : 0;
}

/* As many groups as there is work for; 0: the kernel does not fit the device. */
static uint32_t count_groups(const hd_pr_small *p) {
    hd_device *d = p->graph->device;
    if (!d->resident_groups)
        return 1;
    uint32_t most = d->resident_groups(d, p->kernel[SMALL], p->kernels.lanes, shared_bytes(p));
    uint32_t wanted = d->info.units * GROUPS, busy = (p->units - 1) / BUSY_WARPS + 1;
    wanted = wanted < busy ? wanted : busy;
    return wanted < most ? wanted : most;
}

static heddle_status prepare(hd_pr_small *p) {
    hd_device *d = p->graph->device;
    uint64_t cuts = ((uint64_t)p->units * 2 + 1) * 4, parts = (uint64_t)p->units * 16;
    bool fresh;
    HD_TRY(hd_resident_extra(p->graph, "cuts of rows and edges", cuts, &p->cuts, &fresh));
    if (fresh)
        HD_TRY(HD_LAUNCH(&p->kernels, p->kernel[CUT], names[CUT], hd_kernels_groups(&p->kernels, p->units),
                         HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->length), HD_ARGUMENT_VALUE(p->units),
                         HD_ARGUMENT_BUFFER(p->graph->in.offsets), HD_ARGUMENT_BUFFER(p->cuts)));
    p->bytes = parts + p->groups * tally_bytes;
    HD_TRY(d->allocate(d, parts, "parts of rows", &p->parts));
    HD_TRY(d->allocate(d, p->groups * tally_bytes, "partial results", &p->partials));
    return d->finish(d);
}

heddle_status hd_pr_small_open(hd_pr_small *p, hd_resident *graph, heddle_report *report) {
    const hd_device_info *info = &graph->device->info;
    *p = (hd_pr_small){.graph = graph, .n = (uint32_t)graph->vertices};
    if (graph->wide || !suits(graph->vertices, graph->edges, info) || (graph->device->resident_groups && !large(info)))
        return HEDDLE_OK;
    p->items = (uint32_t)(graph->vertices + graph->edges);
    shape(p, info);
    HD_TRY(open_kernels(p, report));
    double begun = hd_clock();
    p->groups = count_groups(p);
    p->on = p->groups > 0;
    if (p->on)
        HD_TRY(prepare(p));
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

uint64_t hd_pr_small_bytes(const heddle_graph *graph, const hd_device_info *info) {
    uint64_t items = graph->vertices + graph->edges;
    if (!suits(graph->vertices, graph->edges, info))
        return 0;
    return (items / (STEP * info->warp) + 2) * 24 + (uint64_t)info->units * GROUPS * tally_bytes;
}

void hd_pr_small_close(hd_pr_small *p) {
    if (!p->graph)
        return;
    p->graph->device->release(p->graph->device, &p->parts);
    p->graph->device->release(p->graph->device, &p->partials);
    hd_kernels_close(&p->kernels);
}

heddle_status hd_pr_small_rounds(hd_pr_small *p, const hd_pr_small_arrays *a) {
    const hd_resident *g = p->graph;
    uint32_t rounds = ROUNDS;
    hd_launch how = {.name = names[SMALL],
                     .groups = p->groups,
                     .local_bytes = shared_bytes(p),
                     .resident = g->device->resident_groups != NULL};
    return HD_LAUNCH_AS(&p->kernels, p->kernel[SMALL], how, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->items),
                        HD_ARGUMENT_VALUE(p->length), HD_ARGUMENT_VALUE(p->units), HD_ARGUMENT_VALUE(rounds),
                        HD_ARGUMENT_VALUE(a->renamed), HD_ARGUMENT_BUFFER(a->names), HD_ARGUMENT_BUFFER(g->in.offsets),
                        HD_ARGUMENT_BUFFER(a->sources), HD_ARGUMENT_BUFFER(g->out.offsets),
                        HD_ARGUMENT_BUFFER(a->ranks[0]), HD_ARGUMENT_BUFFER(a->ranks[1]),
                        HD_ARGUMENT_BUFFER(a->shares[0]), HD_ARGUMENT_BUFFER(a->shares[1]), HD_ARGUMENT_BUFFER(p->cuts),
                        HD_ARGUMENT_BUFFER(p->parts), HD_ARGUMENT_BUFFER(a->state), HD_ARGUMENT_BUFFER(a->figures),
                        HD_ARGUMENT_BUFFER(p->partials));
}
