/* pr_passes.c - see pr_passes.h. */
#include "algorithm/pr/pr_passes.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_pr[], hd_text_kernels_pr_blocks[], hd_text_kernels_pr_passes[];

/* Tunables. */
enum {
    WARPS = 32,           /* in a group */
    SPAN = 15,            /* edges of a bin per lane: odd, so that lanes read from different banks */
    LEAST_PASSES = 8,     /* fewer do not pay off */
    DEGREE = 5,           /* mean degree from which passes pay off */
    MOST_ROWS = 1 << 14,  /* rows that begin in a bin, up to which passes pay off */
    STATIC_BYTES = 20480, /* of shared memory that rank_passes declares */
    LARGE_BYTES = 160 << 10,
    SMALL = 2048,      /* sources of a block, and */
    SMALL_MOST = 8192, /* vertices, if groups have little shared memory */
    MOST_BLOCKS = 256,
    PIECE = 8 /* HD_PIECE */
};
static const double uneven = 1.3; /* slowest groups' steps over the mean, from which passes do not pay off */

enum { CUT, COUNT, LAY, SPREAD, PASSES };
static const char *const names[HD_PR_PASS_KERNELS] = {"rank_cut", "rank_count", "rank_lay", "rank_spread",
                                                      "rank_passes"};

static bool large(const hd_device *d) { return d->info.local_most >= LARGE_BYTES && d->info.grid_barrier; }

/* Chooses sizes; returns whether passes may pay off. Without a grid barrier there is one group, for small graphs. */
static bool suits(hd_pr_passes *p) {
    const hd_resident *g = p->graph;
    hd_device *d = g->device;
    bool many = large(d);
    if (g->wide || !d->info.doubles || !(many || d->kind->static_shared) || g->edges > INT32_MAX ||
        g->edges / DEGREE < g->vertices)
        return false;
    p->n = (uint32_t)g->vertices;
    p->edges = (uint32_t)g->edges;
    p->groups = many ? d->info.units : 1;
    p->bin = (many ? WARPS : 1) * d->info.warp * SPAN;
    p->block = many ? (uint32_t)((d->info.local_most - STATIC_BYTES - 16) / 4 - p->bin) / 4 * 4 : SMALL;
    p->blocks = many ? p->groups : p->n / (SMALL / 4 * 3) + 1;
    p->bins = (p->edges + p->bin - 1) / p->bin;
    p->stride = (p->bin + (PIECE - 1) * p->blocks + PIECE - 1) / PIECE * PIECE;
    p->per = p->groups;
    p->passes = (p->bins + p->per - 1) / p->per;
    return p->blocks <= MOST_BLOCKS && p->block <= 1 << 16 && p->passes >= LEAST_PASSES && p->n > SMALL &&
           (many ? p->n / p->blocks < p->block : p->n <= SMALL_MOST);
}

static heddle_status open_kernels(hd_pr_passes *p, heddle_report *report) {
    hd_device *d = p->graph->device;
    char defines[240];
    hd_kernels_text text = {.name = "pr",
                            .texts = (const char *const[]){hd_text_kernels_pr, hd_text_kernels_pr_blocks,
                                                           hd_text_kernels_pr_passes, NULL},
                            .defines = defines,
                            .warps = WARPS};
    uint32_t lanes = p->bin / SPAN;
    snprintf(defines, sizeof defines,
             "#define HD_BIN %uu\n#define HD_ROW_LANES %uu\n#define HD_SPAN %uu\n"
             "#define HD_BLOCK %uu\n#define HD_STAGE %uu\n",
             p->bin, lanes, SPAN, p->block, p->bin + PIECE * (SMALL_MOST / (SMALL / 4 * 3) + 2));
    HD_TRY(hd_kernels_open(d, &text, report, &p->kernels));
    for (int i = 0; i < HD_PR_PASS_KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->kernels, names[i], &p->kernel[i]));
    return HEDDLE_OK;
}

/* `words`: dynamic shared memory, if the device supports it. */
static hd_launch how_to(const hd_pr_passes *p, int which, uint32_t groups, uint64_t words) {
    bool many = large(p->graph->device);
    return (hd_launch){.name = names[which],
                       .groups = groups,
                       .local_bytes = many ? (uint32_t)words * 4 : 0,
                       .resident = which == PASSES && many};
}
#define LAUNCH(p, which, groups, words, ...) \
    HD_LAUNCH_AS(&(p)->kernels, (p)->kernel[which], how_to(p, which, groups, words), __VA_ARGS__)

/* ---- Once for a graph -------------------------------------------------------------------------------------------- */

/* Blocks with about the same number of edges; `fits`: each fits a group. */
static heddle_status cut(hd_pr_passes *p, bool *fits) {
    hd_device *d = p->graph->device;
    uint32_t words[MOST_BLOCKS + 1];
    HD_TRY(LAUNCH(p, CUT, 1, 0, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->blocks),
                  HD_ARGUMENT_BUFFER(p->graph->out.offsets), HD_ARGUMENT_BUFFER(p->bounds)));
    HD_TRY(d->download(d, words, &p->bounds, 0, ((uint64_t)p->blocks + 1) * 4));
    HD_TRY(d->finish(d));
    *fits = true;
    for (uint32_t i = 0; i < p->blocks; i++)
        *fits = *fits && words[i + 1] - words[i] <= p->block;
    return HEDDLE_OK;
}

static heddle_status count_pieces(hd_pr_passes *p) {
    hd_device *d = p->graph->device;
    uint32_t rows = p->passes * p->blocks, most = d->info.units * 2;
    HD_TRY(d->fill(d, &p->pieces, 0, 0, p->pieces.bytes));
    HD_TRY(d->fill(d, &p->facts, 0, 0, p->facts.bytes));
    HD_TRY(LAUNCH(p, COUNT, p->bins < most ? p->bins : most, 0, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->edges),
                  HD_ARGUMENT_VALUE(p->blocks), HD_ARGUMENT_VALUE(p->bins), HD_ARGUMENT_VALUE(p->per),
                  HD_ARGUMENT_BUFFER(p->graph->in.offsets), HD_ARGUMENT_BUFFER(p->graph->in.targets),
                  HD_ARGUMENT_BUFFER(p->bounds), HD_ARGUMENT_BUFFER(p->pieces), HD_ARGUMENT_BUFFER(p->facts)));
    return LAUNCH(p, LAY, hd_kernels_groups(&p->kernels, (uint64_t)rows * d->info.warp), 0, HD_ARGUMENT_VALUE(rows),
                  HD_ARGUMENT_VALUE(p->per), HD_ARGUMENT_BUFFER(p->pieces), HD_ARGUMENT_BUFFER(p->totals));
}

/* Turns the numbers of pieces into the beginnings of each pass and block. Returns the pieces of the slowest groups. */
static uint64_t add_up(const hd_pr_passes *p, uint32_t *words) {
    uint64_t rows = (uint64_t)p->passes * p->blocks, slowest = 0;
    uint32_t before = 0, most = 0;
    for (uint64_t i = 0; i < rows; i++) {
        uint32_t mine = words[i];
        words[i] = before;
        before += mine;
        most = mine > most ? mine : most;
        if ((i + 1) % p->blocks == 0) {
            slowest += most;
            most = 0;
        }
    }
    words[rows] = before;
    return slowest;
}

/* `even`: groups have about the same work in each pass; `all`: number of pieces. */
static heddle_status find_begins(hd_pr_passes *p, bool *even, uint32_t *all) {
    hd_device *d = p->graph->device;
    uint32_t *words;
    uint64_t rows = (uint64_t)p->passes * p->blocks;
    HD_TRY(HD_NEW(d->ctx, &words, rows + 1, "shares of work"));
    heddle_status status = d->download(d, words, &p->totals, 0, rows * 4);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    if (status == HEDDLE_OK) {
        uint64_t slowest = add_up(p, words);
        *all = words[rows];
        *even = p->groups < p->blocks || (double)slowest * p->blocks <= uneven * *all;
        status = d->upload(d, &p->begins, 0, words, (rows + 1) * 4);
    }
    HD_DELETE(&d->ctx->allocator, words, rows + 1);
    return status;
}

static heddle_status spread(hd_pr_passes *p) {
    uint32_t most = p->graph->device->info.units * 2;
    return LAUNCH(p, SPREAD, p->bins < most ? p->bins : most, p->stride, HD_ARGUMENT_VALUE(p->n),
                  HD_ARGUMENT_VALUE(p->edges), HD_ARGUMENT_VALUE(p->blocks), HD_ARGUMENT_VALUE(p->bins),
                  HD_ARGUMENT_VALUE(p->per), HD_ARGUMENT_VALUE(p->stride), HD_ARGUMENT_BUFFER(p->graph->in.targets),
                  HD_ARGUMENT_BUFFER(p->bounds), HD_ARGUMENT_BUFFER(p->pieces), HD_ARGUMENT_BUFFER(p->begins),
                  HD_ARGUMENT_BUFFER(p->from), HD_ARGUMENT_BUFFER(p->where), HD_ARGUMENT_BUFFER(p->to));
}

/* The outcome of sorting the edges: whether passes pay off, and how many pieces there are. */
typedef struct verdict {
    uint32_t pays, pieces;
} verdict;

static heddle_status find_tables(hd_pr_passes *p) {
    hd_resident *g = p->graph;
    bool fresh;
    HD_TRY(hd_resident_extra(g, "bounds of blocks", ((uint64_t)p->blocks + 1) * 4, &p->bounds, &fresh));
    HD_TRY(hd_resident_extra(g, "beginnings in passes", ((uint64_t)p->passes * p->blocks + 1) * 4, &p->begins, &fresh));
    return hd_resident_extra(g, "rows and places of bins", (2 * (uint64_t)p->bins + 2) * 4, &p->facts, &fresh);
}

static heddle_status find_edges(hd_pr_passes *p, uint32_t pieces) {
    hd_resident *g = p->graph;
    bool fresh;
    HD_TRY(hd_resident_extra(g, "sources in passes", (uint64_t)pieces * PIECE * 2, &p->from, &fresh));
    HD_TRY(hd_resident_extra(g, "places of pieces", (uint64_t)pieces * 4, &p->where, &fresh));
    return hd_resident_extra(g, "places in bins", (uint64_t)p->bins * p->stride * 2, &p->to, &fresh);
}

static heddle_status sort_edges(hd_pr_passes *p, verdict *found) {
    hd_device *d = p->graph->device;
    uint64_t rows = (uint64_t)p->passes * p->blocks;
    uint32_t most_rows;
    bool fits, even;
    HD_TRY(cut(p, &fits));
    if (!fits)
        return HEDDLE_OK;
    HD_TRY(d->allocate(d, rows * p->per * 4, "pieces of bins", &p->pieces));
    HD_TRY(d->allocate(d, rows * 4, "pieces of blocks", &p->totals));
    HD_TRY(count_pieces(p));
    HD_TRY(d->download(d, &most_rows, &p->facts, (2 * (uint64_t)p->bins + 1) * 4, 4));
    HD_TRY(find_begins(p, &even, &found->pieces));
    if (!even || most_rows > MOST_ROWS)
        return HEDDLE_OK;
    HD_TRY(find_edges(p, found->pieces));
    HD_TRY(spread(p));
    HD_TRY(d->finish(d));
    found->pays = 1;
    return HEDDLE_OK;
}

/* The verdict is "does not pay off" until everything is filled. */
static heddle_status prepare(hd_pr_passes *p) {
    hd_device *d = p->graph->device;
    hd_buffer kept;
    verdict found = {0, 0};
    bool fresh;
    HD_TRY(hd_resident_extra(p->graph, "whether passes pay", sizeof found, &kept, &fresh));
    HD_TRY(fresh ? d->upload(d, &kept, 0, &found, sizeof found) : d->download(d, &found, &kept, 0, sizeof found));
    HD_TRY(d->finish(d));
    if (!fresh && !found.pays)
        return HEDDLE_OK;
    HD_TRY(find_tables(p));
    if (fresh) {
        heddle_status status = sort_edges(p, &found);
        d->release(d, &p->pieces);
        d->release(d, &p->totals);
        HD_TRY(status);
        HD_TRY(d->upload(d, &kept, 0, &found, sizeof found));
    } else
        HD_TRY(find_edges(p, found.pieces));
    p->on = found.pays;
    return HEDDLE_OK;
}

heddle_status hd_pr_passes_open(hd_pr_passes *p, hd_resident *graph, heddle_report *report) {
    hd_device *d = graph->device;
    *p = (hd_pr_passes){.graph = graph};
    if (!suits(p))
        return HEDDLE_OK;
    HD_TRY(open_kernels(p, report));
    double begun = hd_clock();
    HD_TRY(prepare(p));
    if (!p->on)
        return HEDDLE_OK;
    uint64_t values = 2 * (uint64_t)p->per * p->stride * 4, parts = (uint64_t)p->bins * 16;
    p->bytes = values + parts + 4;
    HD_TRY(d->allocate(d, values, "shares of edges", &p->values));
    HD_TRY(d->allocate(d, parts, "parts of rows", &p->parts));
    HD_TRY(d->allocate(d, 4, "the groups' meeting", &p->meeting));
    HD_TRY(d->fill(d, &p->meeting, 0, 0, 4));
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

void hd_pr_passes_close(hd_pr_passes *p) {
    hd_buffer *const buffers[] = {&p->values, &p->parts, &p->meeting};
    for (size_t i = 0; p->graph && i < sizeof buffers / sizeof *buffers; i++)
        p->graph->device->release(p->graph->device, buffers[i]);
    hd_kernels_close(&p->kernels);
}

heddle_status hd_pr_passes_round(hd_pr_passes *p, const hd_pr_round *r) {
    const hd_resident *g = p->graph;
    return LAUNCH(p, PASSES, p->groups, (uint64_t)p->block + p->bin + 4, HD_ARGUMENT_VALUE(p->n),
                  HD_ARGUMENT_VALUE(p->edges), HD_ARGUMENT_VALUE(p->blocks), HD_ARGUMENT_VALUE(p->bins),
                  HD_ARGUMENT_VALUE(p->per), HD_ARGUMENT_VALUE(p->stride), HD_ARGUMENT_BUFFER(g->in.offsets),
                  HD_ARGUMENT_BUFFER(g->out.offsets), HD_ARGUMENT_BUFFER(r->before), HD_ARGUMENT_BUFFER(r->after),
                  HD_ARGUMENT_BUFFER(r->shares), HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(p->bounds),
                  HD_ARGUMENT_BUFFER(p->begins), HD_ARGUMENT_BUFFER(p->from), HD_ARGUMENT_BUFFER(p->where),
                  HD_ARGUMENT_BUFFER(p->to), HD_ARGUMENT_BUFFER(p->facts), HD_ARGUMENT_BUFFER(p->values),
                  HD_ARGUMENT_BUFFER(p->parts), HD_ARGUMENT_BUFFER(r->state), HD_ARGUMENT_BUFFER(r->figures),
                  HD_ARGUMENT_BUFFER(r->partials), HD_ARGUMENT_BUFFER(p->meeting));
}
