/* pr_packed.c - see pr_packed.h. */
#include "algorithm/pr/pr_packed.h"

#include "algorithm/pr/pr_heat.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/edge_room.h"
#include "engine/primitive/pack_renamed.h"
#include "graph/order.h"
#include "graph/pack.h"
#include "graph/rows.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_pr[], hd_text_kernels_pr_blocks[], hd_text_kernels_pr_packed[];

/* Tunables. */
enum {
    SPAN = 31,        /* edges of a bin per lane, odd, so that lanes read from different banks */
    UNIT_GROUPS = 6,  /* groups per multiprocessor: more than are resident, so that all are busy to the end */
    RESTS = 64,       /* groups of the kernel that finishes the other rows */
    LINE = 8,         /* HD_LINE of pr_packed.cl */
    RENAMED = 1 << 18 /* edges: with fewer the host has packed them before a kernel is loaded */
};
/* Warps of a group, by the shared memory that it may have. 18 are one group of a multiprocessor with 227 KB, of which
 * they leave a part to the first-level cache, for the shares that are read most: three groups of 8 leave none, and take
 * 1.4 times as long (bench/notes). */
static const struct { uint32_t warps, bytes; } sizes[] = {{18, 168 << 10}, {8, 72 << 10}, {1, 0}};

static const char round_name[] = "rank_packed", rest_name[] = "rank_packed_rest", end_name[] = "rank_packed_end";
/* Extras kept with the graph on the device; `starts` is created last, and dropped first: if it and rows exist, all are
 * filled. */
static const char *const packed_rows[2] = {"packed rows", "packed rows, renamed"};
static const char packed_firsts[] = "first rows of packed bins", packed_starts[] = "starts of packed rows",
                  packed_names[] = "names in packed rows";

static uint32_t warps_of(const hd_device_info *info) {
    int i = 0;
    while (info->local_most < sizes[i].bytes)
        i++;
    return sizes[i].warps;
}
static bool large(const hd_device_info *info) { return warps_of(info) > 1; }
static uint32_t blocks_of(const hd_device_info *info) { return SPAN * info->warp / HD_PACK_BLOCK; }

/* A warp has a lane for each entry of a block, and row sums are differences in double precision. */
bool hd_pr_packed_suits(const hd_device_info *info, const hd_device_kind *kind) {
    return info->doubles && info->warp == HD_PACK_BLOCK && blocks_of(info) <= HD_PACK_MOST_BLOCKS &&
           (large(info) || kind->static_shared);
}

static uint32_t lanes_of(const hd_device_info *info) { return warps_of(info) * info->warp; }

static uint64_t bins_of(uint64_t edges, const hd_device_info *info) {
    uint64_t bin = (uint64_t)SPAN * lanes_of(info);
    return (edges + bin - 1) / bin;
}

static uint64_t chunks_of(uint64_t edges, const hd_device_info *info) {
    uint64_t each = (uint64_t)blocks_of(info) * HD_PACK_BLOCK;
    return (edges + each - 1) / each;
}

static uint64_t parts_bytes(uint64_t bins) { return (bins + 1) * 16; }

uint64_t hd_pr_packed_bytes(uint64_t edges, const hd_device_info *info) {
    uint64_t bins = bins_of(edges, info);
    return (bins + 1) * 4 + (chunks_of(edges, info) + 1) * 4 + parts_bytes(bins);
}

/* ---- Renaming --------------------------------------------------------------------------------------------------- */

/* Whether packed sources get names by out-degree: on skewed graphs rows then take fewer bits, and the shares that are
 * read most lie together. What the file has packed is used as it is, and so is a graph in an order of its own. */
static heddle_status renames(heddle_context *ctx, const heddle_graph *graph, bool *yes) {
    bool kept = graph->mapping.packed[graph->directed ? HD_PACKED_IN : HD_PACKED_OUT].data != NULL;
    *yes = false;
    if (graph->edges < RENAMED || kept || graph->names)
        return HEDDLE_OK;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS));
    *yes = hd_pr_hot_rows(ctx, graph->out.offsets, graph->vertices);
    return HEDDLE_OK;
}

static heddle_status open_kernels(hd_pr_packed *p, heddle_report *report) {
    hd_device *d = p->graph->device;
    uint32_t blocks = blocks_of(&d->info), chunk = (hd_pack_header(blocks) + blocks * HD_PACK_BLOCK + 3) / 4;
    char defines[192];
    hd_kernels_text text = {.name = "pr",
                            .texts = (const char *const[]){hd_text_kernels_pr, hd_text_kernels_pr_blocks,
                                                           hd_text_kernels_pr_packed, NULL},
                            .defines = defines,
                            .warps = warps_of(&d->info),
                            .wide = p->graph->wide};
    p->lanes = lanes_of(&d->info);
    p->bin = SPAN * p->lanes;
    p->bins = (uint32_t)bins_of(p->graph->edges, &d->info);
    p->local_bytes = large(&d->info) ? ((p->bin + 4) / 4 + warps_of(&d->info) * chunk + LINE + 1) * 16 : 0;
    snprintf(defines, sizeof defines,
             "#define RANKS_IN_SHARES\n#define HD_BIN %uu\n#define HD_SPAN %uu\n#define HD_ROW_LANES %uu\n#define "
             "HD_BLOCKS_HERE %uu\n",
             p->bin, (unsigned)SPAN, p->lanes, blocks);
    HD_TRY(hd_kernels_open(d, &text, report, &p->kernels));
    HD_TRY(hd_kernels_find(&p->kernels, round_name, &p->round));
    HD_TRY(hd_kernels_find(&p->kernels, end_name, &p->end));
    return hd_kernels_find(&p->kernels, rest_name, &p->rest);
}

/* The first row of each bin, then the first row after the last edge. */
static heddle_status upload_firsts(hd_pr_packed *p, const uint64_t *offsets) {
    hd_device *d = p->graph->device;
    heddle_context *ctx = p->graph->ctx;
    uint64_t edges = p->graph->edges, count = (uint64_t)p->bins + 1;
    uint32_t *firsts;
    bool fresh;
    HD_TRY(hd_resident_extra(p->graph, packed_firsts, count * 4, &p->firsts, &fresh));
    HD_TRY(HD_NEW(ctx, &firsts, count, "first rows"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t b = 0; b < count; b++)
        firsts[b] = b ? (uint32_t)hd_row_of(offsets, p->n, (b < p->bins ? b * p->bin : edges) - 1) + 1 : 0;
    heddle_status status = d->upload(d, &p->firsts, 0, firsts, count * 4);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    HD_DELETE(&ctx->allocator, firsts, count);
    return status;
}

/* Rounds read the names in order, like the rows: where there is no room for rows, there is none for them. */
static heddle_status upload_names(hd_pr_packed *p, const heddle_vertex *places) {
    hd_device *d = p->graph->device;
    uint64_t bytes = (uint64_t)p->n * 4;
    bool fresh;
    HD_TRY(hd_edge_extra(p->graph, HD_WANT_PACKED, NULL, 0, packed_names, bytes, &p->names, &fresh));
    return d->upload(d, &p->names, 0, places, bytes);
}

/* `places` NULL: nothing is renamed. If there is room for some, names come before rows: a round of R-MAT 25 at half of
 * its memory takes 7.77 ms then, 9.27 the other way (H200). But not where rows lie wholly on one side, and might just
 * fit. */
static heddle_status upload_packed(hd_pr_packed *p, const hd_packed_pieces *packed, const heddle_vertex *places) {
    hd_device *d = p->graph->device;
    uint64_t at = 0;
    bool fresh, mixes = d->page_bytes && d->page_bytes(d);
    if (places && mixes)
        HD_TRY(upload_names(p, places));
    HD_TRY(hd_edge_extra(p->graph, HD_WANT_PACKED, NULL, 0, packed_rows[p->renamed], packed->words * 4, &p->words,
                         &fresh));
    for (uint64_t k = 0; k < packed->count; at += packed->piece[k++].count * 4)
        HD_TRY(d->upload(d, &p->words, at, packed->piece[k].words, packed->piece[k].count * 4));
    if (places && !mixes)
        HD_TRY(upload_names(p, places));
    HD_TRY(hd_resident_extra(p->graph, packed_starts, (p->chunks + 1) * 4, &p->starts, &fresh));
    HD_TRY(d->upload(d, &p->starts, 0, packed->starts, (p->chunks + 1) * 4));
    return d->finish(d);
}

static bool find_packed(hd_pr_packed *p) {
    const hd_resident *r = p->graph;
    for (p->renamed = 0; p->renamed < 2; p->renamed++) {
        p->words = hd_resident_extra_known(r, packed_rows[p->renamed]);
        if (p->words.handle)
            break;
    }
    p->firsts = hd_resident_extra_known(r, packed_firsts);
    p->starts = hd_resident_extra_known(r, packed_starts);
    if (p->renamed == 1)
        p->names = hd_resident_extra_known(r, packed_names);
    return p->words.handle && p->starts.handle;
}

/* Packs rows on the device. While it does so the names are there, too, since it reads them at random. */
static heddle_status pack_there(hd_pr_packed *p, hd_pack_renaming *what, const heddle_vertex *places,
                                heddle_report *report, hd_packed_pieces *packed) {
    hd_device *d = p->graph->device;
    hd_buffer names = {.handle = 0};
    heddle_status status = d->allocate(d, (uint64_t)p->n * 4, packed_names, &names);
    what->names = &names;
    if (status == HEDDLE_OK)
        status = d->upload(d, &names, 0, places, (uint64_t)p->n * 4);
    if (status == HEDDLE_OK)
        status = hd_pack_renamed(what, report, packed);
    d->release(d, &names);
    if (status != HEDDLE_E_DEVICE_MEMORY)
        return status;
    hd_enter(p->graph->ctx); /* the host has more memory */
    return HEDDLE_OK;
}

/* Packs on the device, under new names, if that pays off and there is room: otherwise `packed` stays empty. Names are
 * in the order of degrees, not of their classes as in pr.cl: that takes fewer bits, and the same in each run. The
 * caller frees *places in any case. */
static heddle_status pack_renamed(hd_pr_packed *p, const heddle_graph *host, const heddle_adjacency *rows,
                                  heddle_report *report, hd_packed_pieces *packed, heddle_vertex **places) {
    hd_resident *g = p->graph;
    hd_pack_renaming what = {.device = g->device,
                             .rows = rows,
                             .vertices = p->n,
                             .blocks = blocks_of(&g->device->info),
                             .offsets = &g->in.offsets,
                             .wide = g->wide};
    bool yes, fits = false;
    HD_TRY(renames(g->ctx, host, &yes));
    if (yes)
        HD_TRY(hd_pack_renamed_fits(&what, &fits));
    if (!fits)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(g->ctx, places, p->n, packed_names));
    heddle_status status = hd_places_by_out_degree(g->ctx, host, *places);
    if (status == HEDDLE_OK)
        status = pack_there(p, &what, *places, report, packed);
    p->renamed = packed->count > 0;
    return status;
}

/* As the file has it, or packed on the host. */
static heddle_status take_packed(hd_pr_packed *p, const heddle_graph *host, const heddle_adjacency *rows,
                                 heddle_report *report, hd_packed *packed) {
    uint32_t blocks = blocks_of(&p->graph->device->info);
    if (blocks == HD_PACK_BLOCKS)
        HD_TRY(hd_graph_packed(p->graph->ctx, host, HD_PACKED_IN, packed));
    double begun = hd_clock();
    if (!packed->words)
        HD_TRY(hd_pack_rows(p->graph->ctx, rows, p->n, blocks, packed));
    report->packing += packed->in_file ? 0 : hd_clock() - begun;
    return HEDDLE_OK;
}

/* Frees what is left of an earlier packing, whose parts may be of another kind or size. */
static void drop_packed(hd_pr_packed *p) {
    const char *const names[] = {packed_rows[0], packed_rows[1], packed_names, packed_starts};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hd_resident_extra_drop(p->graph, names[i]);
    p->renamed = 0;
    p->names = p->graph->in.offsets;
}

static heddle_status pack(hd_pr_packed *p, const heddle_graph *host, heddle_report *report) {
    heddle_context *ctx = p->graph->ctx;
    heddle_adjacency rows;
    hd_packed packed = {.words = NULL};
    hd_packed_pieces pieces = {.count = 0};
    heddle_vertex *places = NULL;
    heddle_status status;
    drop_packed(p);
    HD_CHECK(hd_graph_bare(ctx, host, true, &rows));
    double begun = hd_clock(), compiled = report->compile;
    HD_CHECK(pack_renamed(p, host, &rows, report, &pieces, &places));
    report->packing += p->renamed ? hd_clock() - begun - (report->compile - compiled) : 0;
    HD_CHECK(upload_firsts(p, rows.offsets));
    if (p->renamed) {
        HD_CHECK(upload_packed(p, &pieces, places));
    } else {
        HD_CHECK(take_packed(p, host, &rows, report, &packed));
        hd_packed_piece whole = {packed.words, packed.count};
        HD_CHECK(upload_packed(p, &(hd_packed_pieces){packed.starts, &whole, packed.chunks, 1, packed.count}, NULL));
    }
out:
    HD_DELETE(&ctx->allocator, places, p->n);
    hd_packed_pieces_free(ctx, &pieces);
    hd_packed_free(ctx, &packed);
    return status;
}

heddle_status hd_pr_packed_open(hd_pr_packed *p, hd_resident *graph, const heddle_graph *host, heddle_report *report) {
    hd_device *d = graph->device;
    *p = (hd_pr_packed){.graph = graph, .n = (uint32_t)graph->vertices, .names = graph->in.offsets};
    HD_TRY(open_kernels(p, report));
    double begun = hd_clock(), compiled = report->compile;
    p->chunks = chunks_of(graph->edges, &d->info);
    uint32_t most = d->info.units * UNIT_GROUPS;
    p->groups = p->bins < most ? p->bins : most;
    p->rests = p->n / p->kernels.lanes + 1 < RESTS ? p->n / p->kernels.lanes + 1 : RESTS;
    if (!find_packed(p))
        HD_TRY(pack(p, host, report));
    report->bits_per_edge = graph->edges ? (double)p->words.bytes * 8 / (double)graph->edges : 0;
    p->bytes = parts_bytes(p->bins);
    HD_TRY(d->allocate(d, p->bytes, "parts of rows", &p->parts));
    p->on = true;
    report->prepare += hd_clock() - begun - (report->compile - compiled);
    return HEDDLE_OK;
}

void hd_pr_packed_close(hd_pr_packed *p) {
    if (p->graph)
        p->graph->device->release(p->graph->device, &p->parts);
    hd_kernels_close(&p->kernels);
}

heddle_status hd_pr_packed_round(hd_pr_packed *p, const hd_pr_round *r) {
    const hd_resident *g = p->graph;
    hd_launch how = {.name = round_name, .groups = p->groups, .lanes = p->lanes, .local_bytes = p->local_bytes};
    uint64_t edges = g->edges;
    uint32_t narrow = (uint32_t)edges;
    hd_argument count = {g->wide ? (void *)&edges : (void *)&narrow, g->wide ? 8 : 4};
    if (p->groups)
        HD_TRY(HD_LAUNCH_AS(&p->kernels, p->round, how, HD_ARGUMENT_VALUE(p->n), count, HD_ARGUMENT_VALUE(p->bins),
                            HD_ARGUMENT_VALUE(p->chunks), HD_ARGUMENT_VALUE(p->renamed), HD_ARGUMENT_BUFFER(p->names),
                            HD_ARGUMENT_BUFFER(g->in.offsets), HD_ARGUMENT_BUFFER(g->out.offsets),
                            HD_ARGUMENT_BUFFER(r->shares), HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(p->firsts),
                            HD_ARGUMENT_BUFFER(p->starts), HD_ARGUMENT_BUFFER(p->words), HD_ARGUMENT_BUFFER(p->parts),
                            HD_ARGUMENT_BUFFER(r->state), HD_ARGUMENT_BUFFER(r->figures),
                            HD_ARGUMENT_BUFFER(r->partials)));
    return HD_LAUNCH(&p->kernels, p->rest, rest_name, p->rests, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(p->bins),
                     HD_ARGUMENT_VALUE(p->groups), HD_ARGUMENT_VALUE(p->renamed), HD_ARGUMENT_BUFFER(p->names),
                     HD_ARGUMENT_BUFFER(g->in.offsets), HD_ARGUMENT_BUFFER(g->out.offsets),
                     HD_ARGUMENT_BUFFER(r->shares), HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(p->firsts),
                     HD_ARGUMENT_BUFFER(p->parts), HD_ARGUMENT_BUFFER(r->state), HD_ARGUMENT_BUFFER(r->figures),
                     HD_ARGUMENT_BUFFER(r->partials));
}

heddle_status hd_pr_packed_ranks(hd_pr_packed *p, const hd_buffer *shares, const hd_buffer *ranks) {
    return HD_LAUNCH(&p->kernels, p->end, end_name, hd_kernels_groups(&p->kernels, p->n), HD_ARGUMENT_VALUE(p->n),
                     HD_ARGUMENT_VALUE(p->renamed), HD_ARGUMENT_BUFFER(p->names),
                     HD_ARGUMENT_BUFFER(p->graph->out.offsets), HD_ARGUMENT_BUFFER(*shares),
                     HD_ARGUMENT_BUFFER(*ranks));
}
