/* disk_rows.c - see disk_rows.h. */
#include "residency/disk_rows.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/hdl.h"

#include <string.h>
#include <sys/mman.h>

enum {
    CHECKED_EDGES = 1 << 16,    /* a block of the checksum of targets: what the first pass reads at a time, at least */
    LEAST_SPAN = CHECKED_EDGES, /* smaller ones would not make the ring smaller */
    MOST_SPAN = 1 << 20,
    RING_SHARE = 4,         /* spans grow while the ring takes at most 1/RING_SHARE of the bytes for edges */
    OFFSETS_PIECE = 1 << 20 /* bytes of offsets read at a time */
};

/* ---- Where the sections lie ------------------------------------------------------------------------------------- */

static const heddle_graph *file_of(const heddle_graph *graph) {
    return graph->mapping.view && graph->original ? graph->original : graph;
}

static const hd_csr *rows_of(const heddle_graph *graph, bool in) {
    return in && graph->directed ? &graph->in : &graph->out;
}

bool hd_disk_has_rows(const heddle_graph *graph, bool in) {
    const hd_mapping *mapping = &file_of(graph)->mapping;
    const char *offsets = (const char *)rows_of(graph, in)->offsets, *start = mapping->address;
    return mapping->named && graph->source_name && offsets >= start && offsets < start + mapping->bytes;
}

static uint64_t place_in_file(const heddle_graph *graph, const void *data) {
    return data ? (uint64_t)((const char *)data - (const char *)file_of(graph)->mapping.address) : 0;
}

uint64_t hd_disk_least_bytes(const heddle_graph *graph, bool weights) {
    uint64_t span = graph->edges < LEAST_SPAN ? graph->edges : LEAST_SPAN;
    return span * HD_DISK_SLOTS * hd_disk_edge_bytes(graph, weights);
}

/* Spans of a pass, of any size it may have. */
static uint64_t most_spans(const heddle_graph *graph, uint64_t span_edges) {
    return (graph->edges + span_edges - 1) / span_edges + graph->edges / CHECKED_EDGES + 1;
}

uint64_t hd_disk_table_bytes(const heddle_graph *graph) {
    return most_spans(graph, LEAST_SPAN) * (sizeof(uint64_t) + sizeof(hd_disk_want));
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static heddle_status read_offsets(hd_disk *disk) {
    heddle_context *ctx = disk->ctx;
    uint64_t bytes = (disk->graph->vertices + 1) * 8;
    uint64_t at = place_in_file(disk->graph, rows_of(disk->graph, disk->in)->offsets);
    uint64_t room_bytes = hd_disk_room(OFFSETS_PIECE) + HD_DISK_PAGE;
    char *memory;
    int error = 0;
    HD_TRY(HD_NEW(ctx, &disk->offsets, disk->graph->vertices + 1, "row offsets"));
    HD_TRY(HD_NEW(ctx, &memory, room_bytes, "read buffers"));
    char *room = memory + (HD_DISK_PAGE - (uintptr_t)memory % HD_DISK_PAGE) % HD_DISK_PAGE;
    for (uint64_t from = 0; from < bytes && !error && !hd_cancelled(ctx); from += OFFSETS_PIECE) {
        uint64_t length = bytes - from < OFFSETS_PIECE ? bytes - from : OFFSETS_PIECE;
        char *found;
        error = hd_disk_file_read(&disk->file, at + from, length, room, &found);
        if (!error)
            memcpy((char *)disk->offsets + from, found, length);
    }
    HD_DELETE(&ctx->allocator, memory, room_bytes);
    HD_TRY(hd_cancelled_status(ctx));
    return error ? hd_disk_file_fail(ctx, &disk->file, error)
                 : hd_hdl_check_offsets(ctx, disk->graph, disk->in, disk->offsets);
}

static heddle_status open_file(hd_disk *disk, heddle_context *ctx, const heddle_graph *graph, bool in) {
    *disk = (hd_disk){.ctx = ctx, .graph = graph, .in = in && graph->directed, .file = {.direct = -1, .plain = -1}};
    if (!hd_disk_has_rows(graph, in))
        return hd_fail(ctx, HEDDLE_E_INTERNAL, "rows that lie in no file cannot be read from it");
    HD_TRY(hd_disk_file_open(ctx, graph->source_name, &file_of(graph)->mapping.stamp, &disk->file));
    return read_offsets(disk);
}

heddle_status hd_disk_degrees(heddle_context *ctx, const heddle_graph *graph, bool in, uint32_t *degrees) {
    hd_disk disk;
    heddle_status status = open_file(&disk, ctx, graph, in);
    for (uint64_t v = 0; status == HEDDLE_OK && v < graph->vertices; v++) {
        uint64_t degree = disk.offsets[v + 1] - disk.offsets[v];
        degrees[v] = (uint32_t)degree;
        if (degree > UINT32_MAX)
            status = hd_fail(ctx, HEDDLE_E_LIMIT, "a vertex has %llu edges; runs from a file take at most 2^32 - 1",
                             (unsigned long long)degree);
    }
    hd_disk_close(&disk);
    return status;
}

/* The mapped offsets may have been looked at before the residency was known; here are others. */
static void drop_mapped_offsets(const hd_disk *disk, const uint64_t *offsets) {
    uintptr_t start = (uintptr_t)offsets, end = start + (disk->graph->vertices + 1) * 8;
    start = (start + HD_DISK_PAGE - 1) / HD_DISK_PAGE * HD_DISK_PAGE;
    if (!offsets || end < start + HD_DISK_PAGE)
        return;
    madvise((void *)start, (end - start) / HD_DISK_PAGE * HD_DISK_PAGE, MADV_DONTNEED);
    hd_disk_file_drop(&disk->file, place_in_file(disk->graph, offsets), end - start);
}

static uint64_t choose_span(uint64_t bytes, uint64_t edge_bytes) {
    uint64_t span = LEAST_SPAN;
    while (span < MOST_SPAN && span * 2 * edge_bytes * HD_DISK_SLOTS <= bytes / RING_SHARE)
        span *= 2;
    return span;
}

/* Cuts the edges into spans and decides how many stay. */
static heddle_status lay_out(hd_disk *disk, const hd_disk_request *request) {
    uint64_t m = disk->graph->edges, each = 4 + disk->weight_size;
    disk->span_edges = request->span_edges ? request->span_edges : choose_span(request->bytes, each);
    disk->span_count = (m + disk->span_edges - 1) / disk->span_edges;
    uint64_t ring = (disk->span_edges < m ? disk->span_edges : m) * each * HD_DISK_SLOTS;
    uint64_t stay = request->bytes > ring ? (request->bytes - ring) / each : 0;
    disk->kept_edges = stay >= m ? m : stay / disk->span_edges * disk->span_edges;
    disk->pass_room = most_spans(disk->graph, disk->span_edges);
    HD_TRY(HD_NEW(disk->ctx, &disk->pass_spans, disk->pass_room, "spans"));
    HD_TRY(HD_NEW(disk->ctx, &disk->wants, disk->pass_room, "spans"));
    HD_TRY(HD_NEW(disk->ctx, &disk->kept_targets, disk->kept_edges, "edges that stay in memory"));
    if (disk->weight_size)
        HD_TRY(HD_NEW(disk->ctx, &disk->kept_weights, disk->kept_edges * disk->weight_size,
                      "weights that stay in memory"));
    uint64_t largest = disk->span_edges > CHECKED_EDGES ? disk->span_edges : CHECKED_EDGES;
    largest = largest < m ? largest : m;
    const uint64_t rooms[HD_DISK_PARTS] = {largest * 4, largest * disk->weight_size};
    return hd_disk_ring_open(disk->ctx, &disk->file, rooms, &disk->ring);
}

heddle_status hd_disk_open(heddle_context *ctx, const heddle_graph *graph, const hd_disk_request *request,
                           hd_disk *disk) {
    const hd_csr *rows = rows_of(graph, request->in);
    HD_TRY(open_file(disk, ctx, graph, request->in));
    disk->targets_at = place_in_file(graph, rows->targets);
    disk->weights_at = place_in_file(graph, rows->weights);
    disk->weight_size = request->weights ? hd_weight_size(graph->weight_type) : 0;
    drop_mapped_offsets(disk, graph->out.offsets);
    if (graph->directed && hd_disk_has_rows(graph, true))
        drop_mapped_offsets(disk, graph->in.offsets);
    return lay_out(disk, request);
}

void hd_disk_close(hd_disk *disk) {
    if (!disk->ctx)
        return;
    const heddle_allocator *allocator = &disk->ctx->allocator;
    hd_disk_ring_close(&disk->ring);
    HD_DELETE(allocator, disk->offsets, disk->graph->vertices + 1);
    HD_DELETE(allocator, disk->pass_spans, disk->pass_room);
    HD_DELETE(allocator, disk->wants, disk->pass_room);
    HD_DELETE(allocator, disk->kept_targets, disk->kept_edges);
    HD_DELETE(allocator, disk->kept_weights, disk->kept_edges * disk->weight_size);
    hd_disk_file_close(&disk->file);
    disk->ctx = NULL;
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

static uint64_t end_of(const hd_disk *disk, uint64_t span) {
    uint64_t m = disk->graph->edges, first = span * disk->grain;
    return m - first < disk->grain ? m : first + disk->grain;
}

static bool stays(const hd_disk *disk, uint64_t span) { return disk->filled && end_of(disk, span) <= disk->kept_edges; }

/* Counts a span, and requests it if it is not in memory. */
static void want(hd_disk *disk, uint64_t span) {
    uint64_t first = span * disk->grain, length = end_of(disk, span) - first, bytes = length * (4 + disk->weight_size);
    disk->pass.parts_needed++;
    disk->pass.bytes_needed += bytes;
    if (stays(disk, span)) {
        disk->pass.parts_reused++;
        disk->pass.bytes_reused += bytes;
        return;
    }
    disk->pass.parts_sent++;
    disk->pass.bytes_sent += bytes;
    disk->wants[disk->pass_count - disk->pass_kept] =
        (hd_disk_want){.offset = {disk->targets_at + first * 4, disk->weights_at + first * disk->weight_size},
                       .bytes = {length * 4, length * disk->weight_size}};
    disk->pass_spans[disk->pass_count++] = span;
}

static void start_pass(hd_disk *disk, uint64_t grain) {
    disk->grain = grain;
    disk->pass_count = disk->pass_kept = disk->pass_at = 0;
    disk->pass = (hd_traffic){.parts_needed = 0};
    disk->begun = hd_clock();
    disk->slot = NULL;
}

static void read_pass(hd_disk *disk) {
    hd_disk_ring_begin(&disk->ring, disk->wants, disk->pass_count - disk->pass_kept);
}

heddle_status hd_disk_pass_begin(hd_disk *disk, const uint64_t *spans, uint64_t count) {
    start_pass(disk, disk->span_edges);
    count = spans ? count : disk->span_count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t span = spans ? spans[i] : i;
        if (stays(disk, span))
            disk->pass_spans[disk->pass_count++] = span;
    }
    disk->pass_kept = disk->pass_count;
    for (uint64_t i = 0; i < count; i++)
        want(disk, spans ? spans[i] : i);
    read_pass(disk);
    return hd_cancelled_status(disk->ctx);
}

heddle_status hd_disk_pass_begin_by(hd_disk *disk, uint64_t grain, uint64_t end_edge) {
    start_pass(disk, grain);
    for (uint64_t span = 0; span * grain < end_edge; span++)
        want(disk, span);
    read_pass(disk);
    return hd_cancelled_status(disk->ctx);
}

/* Pointers that are right for the graph's edge numbers. */
static hd_csr shifted(const hd_disk *disk, uint64_t first, const char *targets, const char *weights) {
    return (hd_csr){.offsets = disk->offsets,
                    .targets = (uint32_t *)((uintptr_t)targets - first * 4),
                    .weights = weights ? (void *)((uintptr_t)weights - first * disk->weight_size) : NULL};
}

/* The first pass found all targets in bounds; the file may have been written to since. */
static bool in_bounds(const hd_disk *disk, const hd_disk_block *block) {
    const uint32_t *targets = block->rows.targets, n = (uint32_t)disk->graph->vertices;
    uint64_t count = block->end_edge - block->first_edge;
    uint32_t outside = 0; /* no branch: the loop is vectorised */
    HD_PARALLEL_FOR(disk->ctx, schedule(static) reduction(| : outside) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++)
        outside |= -(uint32_t)(targets[block->first_edge + i] >= n);
    return !outside;
}

heddle_status hd_disk_pass_next(hd_disk *disk, hd_disk_block *block, bool *more) {
    if (disk->slot)
        hd_disk_ring_give_back(&disk->ring);
    disk->slot = NULL;
    HD_TRY(hd_cancelled_status(disk->ctx));
    *more = disk->pass_at < disk->pass_count;
    if (!*more)
        return HEDDLE_OK;
    uint64_t at = disk->pass_at++, span = disk->pass_spans[at], first = span * disk->grain;
    *block = (hd_disk_block){.span = span,
                             .first_edge = first,
                             .end_edge = end_of(disk, span),
                             .stays = at < disk->pass_kept};
    if (block->stays) {
        block->rows = shifted(disk, 0, (const char *)disk->kept_targets, disk->kept_weights);
        return HEDDLE_OK;
    }
    HD_TRY(hd_disk_ring_take(&disk->ring, at - disk->pass_kept, &disk->slot));
    block->rows = shifted(disk, first, disk->slot->at[0], disk->slot->at[1]);
    return disk->checking || in_bounds(disk, block) ? HEDDLE_OK : hd_disk_file_changed(disk->ctx, &disk->file);
}

void hd_disk_count(hd_traffic *total, const hd_traffic *pass) {
    total->parts_needed += pass->parts_needed;
    total->parts_sent += pass->parts_sent;
    total->parts_reused += pass->parts_reused;
    total->bytes_needed += pass->bytes_needed;
    total->bytes_sent += pass->bytes_sent;
    total->bytes_reused += pass->bytes_reused;
    total->copy_seconds += pass->copy_seconds;
    total->kernel_seconds += pass->kernel_seconds;
}

heddle_status hd_disk_pass_end(hd_disk *disk) {
    double waited, whole = hd_clock() - disk->begun;
    hd_disk_ring_end(&disk->ring, &disk->pass.copy_seconds, &waited);
    disk->pass.kernel_seconds = whole - waited;
    disk->slot = NULL;
    hd_disk_count(&disk->total, &disk->pass);
    disk->passes++;
    return hd_disk_file_unchanged(disk->ctx, &disk->file);
}
