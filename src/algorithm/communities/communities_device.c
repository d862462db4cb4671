/* communities_device.c - louvain and leiden on a device, from the user's graph to labels. Large levels stay there; the
 * host takes over when a level has fewer than FEW entries. */
#include "algorithm/communities/communities_device.h"

#include "base/memory.h"
#include "base/parallel.h"

extern const char hd_text_kernels_communities[], hd_text_kernels_communities_refine[],
    hd_text_kernels_communities_merge[], hd_text_kernels_sets[];

enum { FEW = 1 << 14 };
static const uint64_t most_entries = 0xa0000000u; /* of a level: half as many again are slots of a table */

#define HD_COMMUNITY_TEXT(name, text) text,
const char *const hd_community_kernels[HD_C_KERNELS] = {HD_COMMUNITY_KERNELS(HD_COMMUNITY_TEXT)};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

heddle_status hd_community_room(hd_community_run *r, uint64_t bytes, const char *what, hd_buffer *buffer) {
    hd_device *device = r->s.device;
    bytes = bytes < 16 ? 16 : bytes;
    if (buffer->bytes >= bytes)
        return HEDDLE_OK;
    r->bytes += bytes - buffer->bytes;
    r->most = r->bytes > r->most ? r->bytes : r->most;
    if (!device) {
        buffer->bytes = bytes;
        return HEDDLE_OK;
    }
    device->release(device, buffer);
    *buffer = (hd_buffer){.handle = 0};
    return device->allocate(device, bytes, what, buffer);
}

heddle_status hd_community_rows_room(hd_community_run *r, uint32_t n, uint64_t entries, bool even,
                                     hd_rows_there *rows) {
    rows->n = n;
    rows->even = even;
    rows->entries = entries;
    HD_TRY(hd_community_room(r, ((uint64_t)n + 1) * 8, "offsets of a level", &rows->offsets));
    HD_TRY(hd_community_room(r, entries * 4, "edges of a level", &rows->targets));
    HD_TRY(hd_community_room(r, even ? 0 : entries * 8, "weights of a level", &rows->weights));
    HD_TRY(hd_community_room(r, (uint64_t)n * 8, "loops of a level", &rows->own));
    return hd_community_room(r, (uint64_t)n * 8, "ends of edges", &rows->ends);
}

/* Buffers of all levels. */
static heddle_status make_buffers(hd_community_run *r, uint64_t n) {
    hd_buffer *const words[] = {&r->member, &r->part, &r->next, &r->best, &r->size, &r->marks, &r->gone, &r->chosen};
    uint64_t strips = (n + MOVE_STRIP - 1) / MOVE_STRIP;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        HD_TRY(hd_community_room(r, n * 4, "communities", words[i]));
    HD_TRY(hd_community_room(r, n * 8, "ends of communities", &r->total));
    HD_TRY(hd_community_room(r, r->refine ? n * 4 : 0, "parts of communities", &r->inner));
    HD_TRY(hd_community_room(r, r->refine ? n * 8 : 0, "edges inside", &r->inward));
    HD_TRY(hd_community_room(r, (n + 1) * 4, "flags", &r->flags));
    HD_TRY(hd_community_room(r, (n + 1) * 8, "numbers of communities", &r->places));
    HD_TRY(hd_community_room(r, sizeof r->numbers, "numbers", &r->numbers_there));
    HD_TRY(hd_community_room(r, 16, "a counter", &r->tail));
    return hd_community_room(r, strips * 8, "sums of strips", &r->strips_there);
}

static void release(hd_community_run *r, hd_buffer *buffer) {
    if (r->s.device)
        r->s.device->release(r->s.device, buffer);
}

static void release_rows(hd_community_run *r, hd_rows_there *rows, bool borrowed) {
    if (!borrowed) {
        release(r, &rows->offsets);
        release(r, &rows->targets);
    }
    release(r, &rows->weights);
    release(r, &rows->own);
    release(r, &rows->ends);
}

static void close_run(hd_community_run *r) {
    hd_buffer *const all[] = {&r->list_rows,    &r->list,   &r->found,  &r->keys,  &r->values, &r->member,
                              &r->part,         &r->next,   &r->best,   &r->size,  &r->marks,  &r->gone,
                              &r->total,        &r->inner,  &r->inward, &r->flags, &r->places, &r->numbers_there,
                              &r->strips_there, &r->chosen, &r->tail};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        release(r, all[i]);
    release_rows(r, &r->first, r->s.resident != NULL);
    release_rows(r, &r->later[0], false);
    release_rows(r, &r->later[1], false);
    hd_sort_close(&r->sums);
    HD_DELETE(&r->s.ctx->allocator, r->strips, (r->run->graph->vertices + MOVE_STRIP - 1) / MOVE_STRIP);
    hd_structure_close(&r->s);
}

/* Pieces of the first level's long rows, about: an arc of a directed graph is in two rows. */
static heddle_status count_pieces(const hd_run *run, uint64_t *pieces) {
    const heddle_graph *graph = run->graph;
    const uint64_t *offsets = graph->out.offsets;
    uint64_t count = 0;
    HD_TRY(hd_graph_verify(run->ctx, graph, HD_VERIFY_OFFSETS));
    HD_PARALLEL_FOR(run->ctx, schedule(static) reduction(+ : count) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t length = (offsets[v + 1] - offsets[v]) * (graph->directed ? 2 : 1);
        count += length > MOVE_SHORT ? (length + MOVE_PIECE - 1) / MOVE_PIECE : 0;
    }
    *pieces = count;
    return HEDDLE_OK;
}

/* If half of the edges are between communities of the first level, and rows are as long as in the user's graph. */
heddle_status hd_communities_device_bytes(const hd_device_request *q, bool refine, uint64_t *bytes) {
    const heddle_graph *graph = q->run->graph;
    hd_community_run r = {.run = q->run, .refine = refine};
    uint64_t n = graph->vertices, entries = graph->edges * (graph->directed ? 2 : 1), slots = entries + entries / 2;
    uint64_t pieces;
    bool even = !q->run->options.weighted || !graph->weight_type;
    HD_TRY(count_pieces(q->run, &pieces));
    slots = slots > pieces * 2 * MOVE_PIECE ? slots : pieces * 2 * MOVE_PIECE;
    HD_TRY(make_buffers(&r, n));
    HD_TRY(hd_community_list_room(&r, entries, pieces));
    HD_TRY(hd_community_rows_room(&r, (uint32_t)n, entries, even, &r.first));
    HD_TRY(hd_community_rows_room(&r, (uint32_t)(n / 2), entries / 2, false, &r.later[0]));
    HD_TRY(hd_community_rows_room(&r, (uint32_t)(n / 4), entries / 4, false, &r.later[1]));
    HD_TRY(hd_community_room(&r, slots * 4, "tables", &r.keys));
    HD_TRY(hd_community_room(&r, slots * 8, "tables", &r.values));
    *bytes = r.most;
    return HEDDLE_OK;
}

/* ---- The first level --------------------------------------------------------------------------------------------- */

static heddle_status upload(hd_community_run *r, const hd_buffer *to, const void *from, uint64_t bytes) {
    return bytes ? r->s.device->upload(r->s.device, to, 0, from, bytes) : HEDDLE_OK;
}

static void set_limits(hd_community_run *r) {
    double whole = hd_whole_of(&r->scale, r->scale.sum);
    r->all = hd_communities_all(whole, r->run->options.resolution);
    r->least = HD_LEAST_GAIN * whole;
}

/* The rows that are on the device anyway: no loops, all weights 1. */
static heddle_status borrow_rows(hd_community_run *r) {
    const heddle_graph *graph = r->run->graph;
    hd_rows_there *g = &r->first;
    hd_whole_scale_set(&r->scale, (double)graph->edges);
    HD_TRY(hd_resident_open(r->s.ctx, graph, r->run->options.device, HD_WANT_OUT, true, &r->run->result->report,
                            &r->s.resident));
    *g = (hd_rows_there){.n = (uint32_t)graph->vertices, .entries = graph->edges, .even = 1};
    g->offsets = r->s.resident->out.offsets;
    g->targets = r->s.resident->out.targets;
    HD_TRY(hd_community_room(r, 0, "weights of a level", &g->weights));
    HD_TRY(hd_community_room(r, graph->vertices * 8, "loops of a level", &g->own));
    HD_TRY(hd_community_room(r, graph->vertices * 8, "ends of edges", &g->ends));
    HD_TRY(r->s.device->fill(r->s.device, &g->own, 0, 0, graph->vertices * 8));
    return HD_C_LAUNCH(r, ENDS, g->n, HD_ARGUMENT_VALUE(g->n), HD_ARGUMENT_BUFFER(g->offsets),
                       HD_ARGUMENT_VALUE(r->scale.unit), HD_ARGUMENT_BUFFER(g->ends));
}

static heddle_status upload_level(hd_community_run *r, const hd_level *g) {
    hd_rows_there *to = &r->first;
    HD_TRY(hd_community_rows_room(r, (uint32_t)g->n, g->entries, !g->weights, to));
    HD_TRY(upload(r, &to->offsets, g->offsets, (g->n + 1) * 8));
    HD_TRY(upload(r, &to->targets, g->targets, g->entries * 4));
    if (g->weights)
        HD_TRY(upload(r, &to->weights, g->weights, g->entries * 8));
    HD_TRY(upload(r, &to->own, g->own, g->n * 8));
    HD_TRY(upload(r, &to->ends, g->ends, g->n * 8));
    for (uint64_t v = 0; v < g->n; v++)
        r->own += g->own[v];
    return r->s.device->finish(r->s.device);
}

static heddle_status make_first(hd_community_run *r) {
    const hd_run *run = r->run;
    bool plain;
    HD_TRY(hd_level_is_plain(run->ctx, run->graph, &run->options, &plain));
    if (plain && run->graph->edges)
        return borrow_rows(r);
    hd_level level = {0};
    double start = hd_clock();
    heddle_status status = hd_level_first(run->ctx, run->graph, &run->options, &level, &r->scale);
    if (status == HEDDLE_OK)
        status = upload_level(r, &level);
    hd_level_close(run->ctx, &level);
    run->result->report.prepare += hd_clock() - start;
    return status;
}

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

/* A level on its way to the host, without the vertices that have no neighbours: these stay where they are. */
typedef struct rest {
    uint64_t n, kept;                   /* vertices */
    uint64_t *offsets;                  /* of the level */
    uint64_t *own, *ends;               /* of all its vertices */
    uint32_t *part, *place, *community; /* per vertex: its community; its number on the host; per community: its number
                                           there, UINT32_MAX: no vertex of it is there */
    uint32_t *label;                    /* per vertex on the host: its community there */
    hd_level level;
} rest;

static heddle_status open_rest(hd_community_run *r, rest *h) {
    heddle_context *ctx = r->s.ctx;
    h->n = r->rows->n;
    HD_TRY(HD_NEW(ctx, &h->offsets, h->n + 1, "offsets of a level"));
    HD_TRY(HD_NEW(ctx, &h->own, h->n, "loops of a level"));
    HD_TRY(HD_NEW(ctx, &h->ends, h->n, "ends of edges"));
    HD_TRY(HD_NEW(ctx, &h->part, h->n, "communities"));
    HD_TRY(HD_NEW(ctx, &h->place, h->n, "numbers of vertices"));
    HD_TRY(HD_NEW(ctx, &h->community, h->n, "numbers of communities"));
    return HD_NEW(ctx, &h->label, h->n, "communities");
}

static void close_rest(hd_community_run *r, rest *h) {
    const heddle_allocator *allocator = &r->s.ctx->allocator;
    HD_DELETE(allocator, h->offsets, h->n + 1);
    HD_DELETE(allocator, h->own, h->n);
    HD_DELETE(allocator, h->ends, h->n);
    HD_DELETE(allocator, h->part, h->n);
    HD_DELETE(allocator, h->place, h->n);
    HD_DELETE(allocator, h->community, h->n);
    HD_DELETE(allocator, h->label, h->n);
    hd_level_close(r->s.ctx, &h->level);
}

static heddle_status download(hd_community_run *r, void *to, const hd_buffer *from, uint64_t bytes) {
    return bytes ? r->s.device->download(r->s.device, to, from, 0, bytes) : HEDDLE_OK;
}

static bool has_neighbours(const rest *h, uint64_t v) { return h->offsets[v + 1] > h->offsets[v]; }

/* Numbers the vertices that have neighbours, and their communities. */
static void number_rest(rest *h) {
    uint32_t communities = 0;
    for (uint64_t v = 0; v < h->n; v++)
        h->community[v] = UINT32_MAX;
    for (uint64_t v = 0; v < h->n; v++) {
        if (!has_neighbours(h, v))
            continue;
        uint32_t *number = &h->community[h->part[v]];
        *number = *number == UINT32_MAX ? communities++ : *number;
        h->label[h->kept] = *number;
        h->place[v] = (uint32_t)h->kept++;
    }
}

static void fill_rest(rest *h) {
    hd_level *g = &h->level;
    for (uint64_t v = 0; v < h->n; v++)
        if (has_neighbours(h, v)) {
            uint64_t i = h->place[v];
            g->offsets_made[i + 1] = h->offsets[v + 1];
            g->own[i] = h->own[v];
            g->ends[i] = h->ends[v];
        }
    for (uint64_t e = 0; e < g->entries; e++)
        g->targets_made[e] = h->place[g->targets[e]];
}

static heddle_status download_rest(hd_community_run *r, rest *h) {
    const hd_rows_there *from = r->rows;
    heddle_context *ctx = r->s.ctx;
    HD_TRY(download(r, h->offsets, &from->offsets, (h->n + 1) * 8));
    HD_TRY(download(r, h->part, &r->part, h->n * 4));
    HD_TRY(download(r, h->own, &from->own, h->n * 8));
    HD_TRY(download(r, h->ends, &from->ends, h->n * 8));
    HD_TRY(r->s.device->finish(r->s.device));
    number_rest(h);
    HD_TRY(hd_level_open(ctx, h->kept, &h->level));
    HD_TRY(hd_level_room(ctx, from->entries, true, &h->level));
    HD_TRY(download(r, h->level.targets_made, &from->targets, from->entries * 4));
    HD_TRY(download(r, h->level.weights_made, &from->weights, from->entries * 8));
    HD_TRY(r->s.device->finish(r->s.device));
    fill_rest(h);
    return HEDDLE_OK;
}

/* Communities get the number of a vertex each: of their first one that was on the host, or, if none was, of their first
 * one. `begun`: per community as it was, the first vertex of it, there or else anywhere. */
static void name_rest(rest *h) {
    uint32_t *begun = h->community, *first = (uint32_t *)(void *)h->own; /* what they held is not needed any more */
    for (uint64_t v = 0; v < h->n; v++)
        first[v] = begun[v] = UINT32_MAX;
    for (uint64_t v = 0; v < h->n; v++) {
        uint32_t *there = has_neighbours(h, v) ? &first[h->label[h->place[v]]] : &begun[h->part[v]];
        *there = *there == UINT32_MAX ? (uint32_t)v : *there;
    }
    for (uint64_t v = 0; v < h->n; v++) /* a vertex that was there leads the others of its community */
        if (has_neighbours(h, v))
            begun[h->part[v]] = first[h->label[h->place[v]]];
    for (uint64_t v = 0; v < h->n; v++)
        h->part[v] = has_neighbours(h, v) ? first[h->label[h->place[v]]] : begun[h->part[v]];
}

/* The host goes on from here, with few vertices. */
static heddle_status finish_on_host(hd_community_run *r) {
    rest h = {0};
    heddle_status status;
    HD_CHECK(open_rest(r, &h));
    HD_CHECK(download_rest(r, &h));
    HD_CHECK(hd_communities_rest(r->run, r->refine, &h.level, h.label, &r->scale, &r->levels));
    name_rest(&h);
    HD_CHECK(upload(r, &r->part, h.part, h.n * 4));
    status = r->s.device->finish(r->s.device);
out:
    close_rest(r, &h);
    return status;
}

/* `last`: there is nothing to merge. */
static heddle_status one_level(hd_community_run *r, bool *last) {
    uint64_t n = r->rows->n, edges = r->rows->entries, moved;
    bool merged = false;
    HD_TRY(hd_community_list(r));
    HD_TRY(hd_community_move(r, &moved));
    r->levels++;
    r->run->result->report.edges_walked += edges;
    *last = moved == 0 && r->levels > 1;
    if (r->refine && !*last)
        HD_TRY(hd_community_refine(r));
    if (!*last)
        HD_TRY(hd_community_merge(r, &merged));
    HD_ROUND(r->s.ctx, .rounds = 1, .vertices = n, .edges = edges, .kernel = "level");
    *last = !merged;
    return HEDDLE_OK;
}

static heddle_status all_levels(hd_community_run *r) {
    heddle_report *report = &r->run->result->report;
    bool last = false;
    report->converged = 1;
    while (!last) {
        if (r->levels == r->run->options.max_iterations) {
            report->converged = 0;
            break;
        }
        if (r->rows != &r->first && r->rows->entries < FEW) {
            HD_TRY(finish_on_host(r));
            break;
        }
        HD_TRY(one_level(r, &last));
    }
    /* Vertices that move at once can undo each other's gain, so that none is left here to move. On the host they move
     * one after the other in the end. */
    if (last && !r->refine && r->rows != &r->first)
        HD_TRY(finish_on_host(r));
    report->iterations = r->levels;
    return HEDDLE_OK;
}

/* The user's vertices are those of the first level. */
static heddle_status begin(hd_community_run *r) {
    uint32_t n = r->first.n;
    r->rows = &r->first;
    return HD_C_LAUNCH(r, IDENTITY, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->member));
}

/* ---- Labels ------------------------------------------------------------------------------------------------------ */

/* The smallest vertices of communities, in r->best. */
static heddle_status name(hd_community_run *r) {
    uint32_t n = r->first.n;
    HD_TRY(r->s.device->fill(r->s.device, &r->next, 0, UINT32_MAX, (uint64_t)n * 4));
    HD_TRY(HD_C_LAUNCH(r, SMALLEST, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->member), HD_ARGUMENT_BUFFER(r->part),
                       HD_ARGUMENT_BUFFER(r->next)));
    return HD_C_LAUNCH(r, NAME, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->member), HD_ARGUMENT_BUFFER(r->part),
                       HD_ARGUMENT_BUFFER(r->next), HD_ARGUMENT_BUFFER(r->best));
}

/* Pieces of a community that are not connected become communities: from r->best to r->member. */
static heddle_status split(hd_community_run *r) {
    uint32_t n = r->first.n;
    HD_TRY(begin(r));
    HD_TRY(hd_community_list(r));
    HD_TRY(HD_C_LAUNCH(r, PIECES, hd_community_lanes(r), HD_ARGUMENT_VALUE(n), HD_C_LONG(r),
                       HD_ARGUMENT_BUFFER(r->rows->offsets), HD_ARGUMENT_BUFFER(r->rows->targets),
                       HD_ARGUMENT_BUFFER(r->best), HD_ARGUMENT_BUFFER(r->member)));
    return HD_C_LAUNCH(r, FLATTEN, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->member));
}

static heddle_status search(hd_community_run *r, double *modularity) {
    uint32_t n = r->first.n;
    HD_TRY(begin(r));
    HD_TRY(HD_C_LAUNCH(r, IDENTITY, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->part)));
    HD_TRY(all_levels(r));
    HD_TRY(name(r));
    if (r->refine && r->run->result->report.converged) { /* again from the first, with the communities found */
        HD_TRY(begin(r));
        HD_TRY(HD_C_LAUNCH(r, COPY, n, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(r->best), HD_ARGUMENT_BUFFER(r->part)));
        HD_TRY(all_levels(r));
        HD_TRY(name(r));
    }
    r->rows = &r->first;
    if (r->refine)
        HD_TRY(split(r));
    else
        HD_TRY(hd_community_list(r));
    const hd_buffer *label = r->refine ? &r->member : &r->best;
    HD_TRY(hd_community_totals(r, label));
    HD_TRY(r->s.device->fill(r->s.device, &r->numbers_there, 0, 0, sizeof r->numbers));
    HD_TRY(hd_community_measure(r, label, modularity));
    *modularity += (double)r->own / hd_whole_of(&r->scale, r->scale.sum);
    return HEDDLE_OK;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_status open_run(hd_community_run *r) {
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_kernels_communities,
                                        hd_text_kernels_communities_refine, hd_text_kernels_communities_merge, NULL};
    const hd_run *run = r->run;
    heddle_report *report = &run->result->report;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, report, &r->s.device));
    if (run->graph->edges * (run->graph->directed ? 2 : 1) > most_entries)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: more than %llu ends of edges on a device: use cpu",
                       run->algorithm->info.name, (unsigned long long)most_entries);
    hd_kernels_text text = {.name = "communities", .texts = texts, .wide = true};
    HD_TRY(hd_kernels_open(r->s.device, &text, report, &r->s.kernels));
    for (int i = 0; i < HD_C_KERNELS; i++)
        HD_TRY(hd_kernels_find(&r->s.kernels, hd_community_kernels[i], &r->kernel[i]));
    return hd_sort_open_sums(&r->sums, r->s.device, &r->s.kernels, "prefix sums");
}

static heddle_status compute(hd_community_run *r, double *modularity) {
    uint64_t n = r->run->graph->vertices;
    HD_TRY(open_run(r));
    HD_TRY(make_first(r));
    set_limits(r);
    if (!r->first.entries || !(r->scale.sum > 0)) /* nothing can move */
        return HEDDLE_OK;
    HD_TRY(make_buffers(r, n));
    HD_TRY(HD_NEW(r->s.ctx, &r->strips, (n + MOVE_STRIP - 1) / MOVE_STRIP, "sums of strips"));
    HD_TRY(hd_structure_start(&r->s));
    hd_rounds_mark(r->s.ctx);
    HD_TRY(search(r, modularity));
    HD_TRY(hd_structure_stop(&r->s));
    HD_TRY(hd_result_values_new(r->s.ctx, r->run->result, HEDDLE_VALUE_U32, n));
    return hd_structure_fetch(&r->s, r->refine ? &r->member : &r->best, r->run->result->values, n * 4);
}

heddle_status hd_communities_run_device(const hd_run *run, bool refine) {
    hd_community_run r = {.run = run, .refine = refine};
    double modularity = 0;
    r.s = (hd_structure){.ctx = run->ctx, .graph = run->graph, .result = run->result};
    HD_TRY(hd_communities_check(run->ctx, run->graph, &run->options));
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&r, &modularity);
    if (status == HEDDLE_OK && r.strips)
        status = hd_communities_figures(run->ctx, run->result, modularity, r.levels);
    hd_phase_end(run->ctx);
    uint64_t resident = r.s.resident ? r.s.resident->bytes : 0;
    bool moved = r.strips != NULL;
    close_run(&r);
    if (status == HEDDLE_OK && !moved) /* nothing could */
        status = hd_communities_run(run, refine);
    hd_result_device(run->result, run->options.device);
    run->result->report.schedule = "fast";
    run->result->report.device_bytes = r.most + resident;
    return status;
}
