/* pr_device.c - PageRank on a device: rounds of the kernels in pr.cl, queued ahead of the host.
 *
 * A round is one gather per edge, so everything else is done beforehand: shares (rank / out-degree) are computed once
 * per vertex, and long rows are found once per run.
 */
#include "algorithm/pr/pr_device.h"
#include "algorithm/pr/pr_state.h"

#include "algorithm/pr/pr_bins.h"
#include "algorithm/pr/pr_each.h"
#include "algorithm/pr/pr_heat.h"
#include "algorithm/pr/pr_packed.h"
#include "algorithm/pr/pr_small.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "engine/device/kernels.h"
#include "engine/device/stall.h"
#include "engine/primitive/restore_order.h"

#include <string.h>

extern const char hd_text_kernels_pr[];

enum {
    LONG = 2048,      /* HD_LONG of pr.cl */
    UNIT_GROUPS = 32, /* groups of a round per multiprocessor: several times the resident ones, for balance */
    SHORT_GROUPS = 8, /* the same if all rows are short */
    BATCH = 16,       /* most rounds queued at once */
    JOINERS = 64,
    TALLY_BYTES = 16
};
/* In the order of allocation: what does not fit is in host memory, so what is accessed at random comes first and what
 * is read and written in order last. */
enum { SHARES, SHARES_NEXT, STATE, FIGURES, PARTIALS, LONG_LIST, PIECE_LIST, PARTS, RANKS, RANKS_NEXT, BUFFERS };
static const double near_start = 1e-3; /* the smallest budget whose rounds start near the result */
enum { FIND_LONG, START, PIECE, ROUND, JOIN, TURN, COUNT_CLASSES, NAME, RENAME, SHORT, KERNELS };

static const char *const buffer_names[BUFFERS] = {"shares",          "shares",    "the state", "the parameters",
                                                  "partial results", "long rows", "pieces",    "parts of rows",
                                                  "ranks",           "ranks"};
static const char *const kernel_names[KERNELS] = {"rank_long",   "rank_start", "rank_pieces",  "rank_round",
                                                  "rank_join",   "rank_turn",  "rank_classes", "rank_names",
                                                  "rank_rename", "rank_short"};

typedef struct rank {
    heddle_context *ctx;
    const heddle_graph *host;
    hd_resident *graph;
    hd_device *device;
    hd_kernels kernels;
    hd_pr_bins bins;
    hd_pr_small small;
    hd_pr_packed packed;
    void *kernel[KERNELS];
    hd_buffer buffer[BUFFERS];
    hd_buffer names, sources; /* positions of shares, and the in-edges' sources by position */
    bool pack;                /* in-edges do not fit: they are read packed */
    uint32_t renamed;         /* 0: names are not used, sources are the graph's own */
    uint32_t n, groups;
    uint32_t words[RANK_WORDS];
    uint64_t bytes;
} rank;

static heddle_status open_kernels(rank *r, heddle_report *report) {
    hd_kernels_text text = {.name = "pr",
                            .texts = (const char *const[]){hd_text_kernels_pr, NULL},
                            .wide = r->graph->wide};
    HD_TRY(hd_kernels_open(r->device, &text, report, &r->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&r->kernels, kernel_names[i], &r->kernel[i]));
    return HEDDLE_OK;
}

static void count_bytes(uint64_t n, uint64_t edges, uint64_t groups, uint64_t bytes[BUFFERS]) {
    uint64_t rows = edges / LONG + 1, pieces = 2 * rows; /* upper bounds of the long rows and their pieces */
    uint64_t each[BUFFERS] = {[RANKS] = n * 4,
                              [RANKS_NEXT] = n * 4,
                              [SHARES] = n * 4 + 16,
                              [SHARES_NEXT] = n * 4 + 16,
                              [LONG_LIST] = rows * 12,
                              [PIECE_LIST] = pieces * 8,
                              [PARTS] = pieces * 8,
                              [STATE] = RANK_WORDS * 4,
                              [FIGURES] = RANK_NUMBERS * 8,
                              [PARTIALS] = (groups + JOINERS) * TALLY_BYTES};
    memcpy(bytes, each, sizeof each);
}

/* Over packed rows there are only shares, and long rows are no different from others. */
static void omit_unpacked(uint64_t bytes[BUFFERS]) {
    bytes[RANKS] = bytes[RANKS_NEXT] = bytes[LONG_LIST] = bytes[PIECE_LIST] = bytes[PARTS] = 16;
}

static uint32_t largest_grid(const rank *r) {
    uint32_t most = r->groups > r->bins.groups ? r->groups : r->bins.groups;
    return most > r->packed.groups ? most : r->packed.groups;
}

static heddle_status allocate(rank *r) {
    uint64_t bytes[BUFFERS];
    count_bytes(r->n, r->graph->edges, largest_grid(r), bytes);
    if (r->pack)
        omit_unpacked(bytes);
    for (int i = 0; i < BUFFERS; i++) {
        HD_TRY(r->device->allocate(r->device, bytes[i], buffer_names[i], &r->buffer[i]));
        r->bytes += bytes[i];
    }
    return HEDDLE_OK;
}

/* Numbers are uploaded as the device's f64. */
static heddle_status upload_state(rank *r, const heddle_run_options *options) {
    double numbers[RANK_NUMBERS] = {[RANK_DAMPING] = options->damping,
                                    [RANK_TOLERANCE] = options->tolerance,
                                    [RANK_FIRST] = r->n ? 1 / (double)r->n : 0,
                                    [RANK_EDGE_SHARE] = r->graph->edges ? 1 / (double)r->graph->edges : 0};
    float singles[RANK_NUMBERS];
    for (int i = 0; i < RANK_NUMBERS; i++)
        singles[i] = (float)numbers[i];
    bool wide = r->device->info.doubles;
    r->words[RANK_LIMIT] = options->max_iterations > UINT32_MAX ? 0 : (uint32_t)options->max_iterations;
    HD_TRY(r->device->upload(r->device, &r->buffer[STATE], 0, r->words, sizeof r->words));
    HD_TRY(r->device->upload(r->device, &r->buffer[FIGURES], 0, wide ? (void *)numbers : singles,
                             wide ? sizeof numbers : sizeof singles));
    return r->device->finish(r->device);
}

#define BUFFER(which) HD_ARGUMENT_BUFFER(r->buffer[which])

static heddle_status turn(rank *r, uint32_t round, uint32_t partials) {
    return HD_LAUNCH(&r->kernels, r->kernel[TURN], kernel_names[TURN], 1, HD_ARGUMENT_VALUE(r->n),
                     HD_ARGUMENT_VALUE(partials), HD_ARGUMENT_VALUE(round), BUFFER(PARTIALS), BUFFER(STATE),
                     BUFFER(FIGURES));
}

/* ---- Renaming --------------------------------------------------------------------------------------------------- */

static const uint64_t small_bytes = 1 << 16; /* shares of this size fit any cache */
/* Extras kept with the graph on the device; a single word instead of the sources if renaming does not pay off. */
static const char names_by_degree[] = "names by degree", renamed_sources[] = "renamed sources";

/* Whether renaming pays off; if so, `counts` gets the first name of each class. */
static heddle_status count_classes(rank *r, hd_buffer *counts, bool *pays) {
    uint32_t words[HD_PR_CLASSES] = {0}, groups = hd_kernels_groups(&r->kernels, r->n);
    hd_device *d = r->device;
    HD_TRY(d->fill(d, counts, 0, 0, sizeof words));
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[COUNT_CLASSES], kernel_names[COUNT_CLASSES], groups,
                     HD_ARGUMENT_VALUE(r->n), HD_ARGUMENT_BUFFER(r->graph->out.offsets), HD_ARGUMENT_BUFFER(*counts)));
    HD_TRY(d->download(d, words, counts, 0, sizeof words));
    HD_TRY(d->finish(d));
    *pays = hd_pr_hot(r->n, words);
    for (uint32_t i = 0, at = 0; i < HD_PR_CLASSES; i++) {
        uint32_t count = words[i];
        words[i] = at;
        at += count;
    }
    HD_TRY(d->upload(d, counts, 0, words, sizeof words));
    return d->finish(d);
}

/* Names and renamed sources, if they pay off. Both are allocated before either is filled: a later run must not find one
 * that was left incomplete by an error. */
static heddle_status make_names(rank *r, hd_buffer *counts) {
    uint64_t edges = r->graph->edges;
    bool pays, fresh;
    HD_TRY(count_classes(r, counts, &pays));
    if (pays)
        HD_TRY(hd_resident_extra(r->graph, names_by_degree, (uint64_t)r->n * 4, &r->names, &fresh));
    HD_TRY(hd_resident_extra(r->graph, renamed_sources, pays ? edges * 4 : 4, &r->sources, &fresh));
    if (!pays)
        return HEDDLE_OK;
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[NAME], kernel_names[NAME], hd_kernels_groups(&r->kernels, r->n),
                     HD_ARGUMENT_VALUE(r->n), HD_ARGUMENT_BUFFER(r->graph->out.offsets), HD_ARGUMENT_BUFFER(*counts),
                     HD_ARGUMENT_BUFFER(r->names)));
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[RENAME], kernel_names[RENAME], hd_kernels_groups(&r->kernels, edges),
                     HD_ARGUMENT_VALUE(edges), HD_ARGUMENT_BUFFER(r->graph->in.targets), HD_ARGUMENT_BUFFER(r->names),
                     HD_ARGUMENT_BUFFER(r->sources)));
    return r->device->finish(r->device);
}

/* On skewed graphs whose shares exceed the cache, shares of vertices with many out-edges are stored together (Graphie
 * and others rename vertices; here only the shares move). Done once for a graph on the device. */
static heddle_status rename_sources(rank *r, heddle_report *report) {
    double begun = hd_clock();
    hd_buffer counts;
    if ((uint64_t)r->n * 4 < small_bytes || r->device->budget.spills) /* no room for a second copy of the edges */
        return HEDDLE_OK;
    r->sources = hd_resident_extra_known(r->graph, renamed_sources);
    if (!r->sources.handle) {
        HD_TRY(r->device->allocate(r->device, HD_PR_CLASSES * 4, "degree classes", &counts));
        heddle_status status = make_names(r, &counts);
        r->device->release(r->device, &counts);
        HD_TRY(status);
    } else
        r->names = hd_resident_extra_known(r->graph, names_by_degree);
    r->renamed = r->sources.bytes > 4;
    if (!r->renamed)
        r->sources = r->graph->in.targets;
    report->prepare += hd_clock() - begun;
    return HEDDLE_OK;
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

/* Reads the state: when the run is over, and how many long rows there are. */
static heddle_status look(rank *r) {
    HD_TRY(r->device->download(r->device, r->words, &r->buffer[STATE], 0, sizeof r->words));
    return r->device->finish(r->device);
}

/* Whether rounds start near the result, not at equal ranks: within a budget any start is right (rank_options.h). On an
 * undirected graph ranks by degree are near it, but the sum of each component's ranks is off, and decays by the damping
 * only: a smaller budget takes fewer rounds from equal ranks. */
static bool starts_near(const rank *r, const heddle_run_options *options) {
    return options->max_error >= near_start && !r->host->directed && r->graph->edges;
}

static heddle_status set_first(rank *r, uint32_t groups) {
    int ranks = r->pack ? SHARES_NEXT : RANKS; /* ranks that are not needed */
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[START], kernel_names[START], groups, HD_ARGUMENT_VALUE(r->n),
                     HD_ARGUMENT_VALUE(r->renamed), HD_ARGUMENT_BUFFER(r->names),
                     HD_ARGUMENT_BUFFER(r->graph->out.offsets), BUFFER(ranks), BUFFER(SHARES), BUFFER(FIGURES),
                     BUFFER(PARTIALS)));
    return turn(r, 0, groups);
}

static heddle_status start(rank *r, bool near) {
    uint32_t groups = hd_kernels_groups(&r->kernels, r->n);
    groups = groups < r->groups + JOINERS ? groups : r->groups + JOINERS;
    if (!r->bins.on && !r->small.on && !r->packed.on)
        HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[FIND_LONG], kernel_names[FIND_LONG], groups, HD_ARGUMENT_VALUE(r->n),
                         HD_ARGUMENT_BUFFER(r->graph->in.offsets), BUFFER(STATE), BUFFER(LONG_LIST),
                         BUFFER(PIECE_LIST)));
    HD_TRY(set_first(r, groups));
    if (near)
        HD_TRY(set_first(r, groups));
    return r->small.on ? HEDDLE_OK : look(r);
}

static heddle_status queue_long(rank *r, int before, int after, int now, int next, uint32_t joiners) {
    uint64_t lanes = (uint64_t)r->words[RANK_PIECES] * r->device->info.warp;
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[PIECE], kernel_names[PIECE], hd_kernels_groups(&r->kernels, lanes),
                     HD_ARGUMENT_BUFFER(r->graph->in.offsets), HD_ARGUMENT_BUFFER(r->sources), BUFFER(now),
                     BUFFER(PIECE_LIST), BUFFER(PARTS), BUFFER(STATE)));
    return HD_LAUNCH(&r->kernels, r->kernel[JOIN], kernel_names[JOIN], joiners, HD_ARGUMENT_VALUE(r->n),
                     HD_ARGUMENT_VALUE(r->groups), HD_ARGUMENT_VALUE(r->renamed), HD_ARGUMENT_BUFFER(r->names),
                     HD_ARGUMENT_BUFFER(r->graph->in.offsets), HD_ARGUMENT_BUFFER(r->graph->out.offsets),
                     BUFFER(before), BUFFER(after), BUFFER(next), BUFFER(LONG_LIST), BUFFER(PARTS), BUFFER(STATE),
                     BUFFER(FIGURES), BUFFER(PARTIALS));
}

static heddle_status queue_round(rank *r, uint64_t round) {
    int odd = round % 2, now = SHARES + odd, next = SHARES + !odd, before = RANKS + odd, after = RANKS + !odd;
    const hd_buffer *b = r->buffer;
    hd_pr_round arrays = {b[before], b[after], b[now], b[next], b[STATE], b[FIGURES], b[PARTIALS]};
    if (r->packed.on) {
        HD_TRY(hd_pr_packed_round(&r->packed, &arrays));
        return turn(r, 1, r->packed.groups + r->packed.rests);
    }
    if (r->bins.on) {
        HD_TRY(hd_pr_bins_round(&r->bins, &arrays));
        return turn(r, 1, r->bins.groups + r->bins.bridges);
    }
    uint32_t joiners = r->words[RANK_LONG_ROWS] / r->kernels.lanes + 1;
    joiners = !r->words[RANK_LONG_ROWS] ? 0 : joiners < JOINERS ? joiners : JOINERS;
    if (joiners)
        HD_TRY(queue_long(r, before, after, now, next, joiners));
    uint32_t most = r->device->info.units * SHORT_GROUPS, groups = r->groups;
    int which = r->words[RANK_WARP_ROWS] ? ROUND : SHORT;
    groups = which == SHORT && groups > most ? most : groups;
    HD_TRY(HD_LAUNCH(&r->kernels, r->kernel[which], kernel_names[which], groups, HD_ARGUMENT_VALUE(r->n),
                     HD_ARGUMENT_VALUE(r->renamed), HD_ARGUMENT_BUFFER(r->names),
                     HD_ARGUMENT_BUFFER(r->graph->in.offsets), HD_ARGUMENT_BUFFER(r->sources),
                     HD_ARGUMENT_BUFFER(r->graph->out.offsets), BUFFER(before), BUFFER(after), BUFFER(now),
                     BUFFER(next), BUFFER(STATE), BUFFER(FIGURES), BUFFER(PARTIALS)));
    return turn(r, 1, groups + joiners);
}

static heddle_status queue_small(rank *r) {
    const hd_buffer *b = r->buffer;
    return hd_pr_small_rounds(&r->small, &(hd_pr_small_arrays){r->renamed,
                                                               r->names,
                                                               r->sources,
                                                               {b[RANKS], b[RANKS_NEXT]},
                                                               {b[SHARES], b[SHARES_NEXT]},
                                                               b[STATE],
                                                               b[FIGURES]});
}

static void record(const rank *r, uint64_t rounds) {
    HD_ROUND(r->ctx, .rounds = rounds, .vertices = rounds * r->n, .edges = rounds * r->graph->edges,
             .direction = HEDDLE_DIRECTION_PULL, .whole_rows = true,
             .kernel = r->small.on    ? "pr_small"
                       : r->packed.on ? "pr_packed"
                       : r->bins.on   ? "pr_bins"
                                      : "pr_rows");
}

static heddle_status iterate(rank *r) {
    uint64_t round = 0, batch = 4;
    hd_rounds_mark(r->ctx);
    hd_stall stall = {.looks = 0};
    while (!r->words[RANK_DONE]) {
        uint64_t before = r->words[RANK_ITERATION];
        if (r->small.on)
            HD_TRY(queue_small(r));
        for (uint64_t i = 0; i < batch && !r->small.on; i++)
            HD_TRY(queue_round(r, round++));
        HD_TRY(look(r));
        record(r, r->words[RANK_ITERATION] - before);
        HD_TRY(hd_stall_check(&stall, r->ctx, r->device, r->words, sizeof r->words));
        batch = batch < BATCH ? batch * 2 : BATCH;
        if (hd_advance(r->ctx, 0))
            return hd_cancelled_status(r->ctx);
    }
    return HEDDLE_OK;
}

static heddle_status do_rounds(rank *r, const heddle_run_options *options, bool near) {
    memset(r->words, 0, sizeof r->words);
    HD_TRY(upload_state(r, options));
    HD_TRY(start(r, near));
    return iterate(r);
}

/* The buffer with the ranks, in the order of the user's vertices if the device has room for that. */
static heddle_status find_ranks(rank *r, heddle_result *result, hd_buffer *ranks) {
    uint32_t last = r->words[RANK_ITERATION] % 2;
    if (!r->pack)
        return hd_restore_order(r->graph, r->host, &r->buffer[RANKS + last], 4, false, result, ranks);
    *ranks = r->buffer[SHARES + !last];
    HD_TRY(hd_pr_packed_ranks(&r->packed, &r->buffer[SHARES + last], ranks));
    return r->device->finish(r->device);
}

static heddle_status hand_over(rank *r, heddle_result *result) {
    double numbers[RANK_NUMBERS];
    float single;
    hd_buffer home;
    double begun = hd_clock();
    HD_TRY(find_ranks(r, result, &home));
    result->report.compute += r->pack ? hd_clock() - begun : 0; /* hd_restore_order counts its own time */
    begun = hd_clock();
    HD_TRY(hd_result_values_new(r->ctx, result, HEDDLE_VALUE_F32, r->n));
    HD_TRY(r->device->download(r->device, result->values, &home, 0, (uint64_t)r->n * 4));
    HD_TRY(r->device->download(r->device, numbers, &r->buffer[FIGURES], 0, sizeof numbers));
    HD_TRY(r->device->finish(r->device));
    memcpy(&single, (float *)numbers + RANK_RESIDUAL, sizeof single);
    hd_result_residual(result, r->device->info.doubles ? numbers[RANK_RESIDUAL] : (double)single);
    result->report.iterations = r->words[RANK_ITERATION];
    result->report.converged = (int)r->words[RANK_CONVERGED];
    result->report.edges_walked = result->report.iterations * r->graph->edges;
    result->report.transfer += hd_clock() - begun;
    return HEDDLE_OK;
}

/* The fastest of the variants that read plain rows. */
static heddle_status open_rows(rank *r, heddle_report *report) {
    HD_TRY(hd_pr_small_open(&r->small, r->graph, report));
    if (!r->small.on)
        HD_TRY(hd_pr_bins_open(&r->bins, r->graph, report));
    return r->bins.on ? HEDDLE_OK : rename_sources(r, report);
}

static heddle_status compute(rank *r, const heddle_run_options *options, heddle_result *result) {
    hd_device *d = r->device;
    HD_TRY(open_kernels(r, &result->report));
    uint64_t groups = r->n / r->kernels.lanes + 1, most = (uint64_t)d->info.units * UNIT_GROUPS;
    r->groups = (uint32_t)(groups < most ? groups : most);
    r->sources = r->names = r->pack ? r->graph->in.offsets : r->graph->in.targets;
    if (r->pack) {
        HD_TRY(hd_pr_packed_open(&r->packed, r->graph, r->host, &result->report));
        r->renamed = r->packed.renamed;
        r->names = r->packed.names;
    } else {
        HD_TRY(open_rows(r, &result->report));
    }
    HD_TRY(allocate(r));
    double begun = hd_clock();
    bool near = starts_near(r, options);
    HD_TRY(do_rounds(r, options, near));
    if (near && !r->words[RANK_CONVERGED]) /* the ranks after the rounds that were allowed are the definition's */
        HD_TRY(do_rounds(r, options, false));
    result->report.compute += hd_clock() - begun;
    return hand_over(r, result);
}

heddle_status hd_pr_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    const hd_device_info *info = r->info;
    uint64_t n = graph->vertices, each[BUFFERS], all = hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN);
    uint64_t groups = n / info->warp + 1, most = (uint64_t)info->units * UNIT_GROUPS;
    count_bytes(n, graph->edges, groups < most ? groups : most, each);
    if (hd_run_spills(r->run) && hd_pr_packed_suits(info, r->run->kind)) {
        omit_unpacked(each);
        all += hd_pr_packed_bytes(graph->edges, info);
        all -= graph->directed ? graph->edges * 4 : 0; /* only the in-edges are packed */
    }
    for (int i = 0; i < BUFFERS; i++)
        all += each[i];
    uint64_t names = n * 4 < small_bytes ? 0 : n * 4 + graph->edges * 4, bins = hd_pr_bins_bytes(graph, info);
    if (hd_run_spills(r->run))
        names = bins = 0;
    *bytes = all + (names > bins ? names : bins) + hd_pr_small_bytes(graph, info); /* if they pay off */
    return HEDDLE_OK;
}

heddle_status hd_pr_device(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    rank r = {.ctx = ctx, .host = run->graph, .n = (uint32_t)run->graph->vertices};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_device_keep(ctx, run->options.device, &result->report, &r.device));
    r.pack = hd_run_spills(run) && hd_pr_packed_suits(&r.device->info, r.device->kind);
    HD_CHECK(hd_resident_open(ctx, run->graph, run->options.device,
                              HD_WANT_OUT | HD_WANT_IN | (r.pack ? HD_WANT_BARE | HD_WANT_PACKED : 0), false,
                              &result->report, &r.graph));
    r.device = r.graph->device;
    HD_CHECK(compute(&r, &run->options, result));
    hd_result_device(result, run->options.device);
    result->report.schedule = "fast";
    result->report.device_bytes = r.graph->bytes + r.bytes + r.bins.bytes + r.small.bytes + r.packed.bytes;
out:
    hd_phase_end(ctx);
    for (int i = 0; r.device && i < BUFFERS; i++)
        r.device->release(r.device, &r.buffer[i]);
    hd_pr_bins_close(&r.bins);
    hd_pr_small_close(&r.small);
    hd_pr_packed_close(&r.packed);
    hd_kernels_close(&r.kernels);
    return status;
}
