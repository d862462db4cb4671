/* pack_renamed.c - see pack_renamed.h; pack_renamed.cl says how. */
#include "engine/primitive/pack_renamed.h"

#include "base/memory.h"
#include "engine/device/kernels.h"
#include "engine/primitive/sort.h"
#include "graph/pack.h"
#include "graph/rows.h"

#include <stdio.h>

extern const char hd_text_pack_renamed[];

enum {
    MOST = 1 << 25,  /* edges of a piece */
    LEAST = 1 << 14, /* with fewer, or */
    PIECES = 1024    /* with more pieces, launches take most of the time */
};

enum { TAKE, SIZES, WRITE, KERNELS };
static const char *const kernel_names[KERNELS] = {"hd_pack_take", "hd_pack_sizes", "hd_pack_write"};

typedef struct packer {
    const hd_pack_renaming *what;
    hd_device *device;
    heddle_context *ctx;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_sorter by_name, by_row;
    hd_buffer targets; /* as they are, then the names in the order of rows */
    hd_buffer rows, sizes, starts, packed;
    uint64_t edges, piece; /* of the graph, of a piece at most */
    uint32_t chunk;        /* edges of a chunk */
} packer;

/* ---- Room ------------------------------------------------------------------------------------------------------- */

/* Both sorts have the keys of vertices: a piece may have the edges of all rows. */
static void shape(const hd_pack_renaming *what, uint64_t piece, hd_sorter *by_name, hd_sorter *by_row) {
    hd_sort_shape(by_name, what->device, piece, what->vertices, false, what->wide);
    by_name->inside = true;
    hd_sort_shape(by_row, what->device, piece, what->vertices, false, what->wide);
}

/* Of the packed words of so many chunks, at most. */
static uint64_t packed_bytes(const hd_pack_renaming *what, uint64_t chunks) {
    return chunks * (what->blocks * HD_PACK_BLOCK + hd_pack_header(what->blocks) + HD_PACK_ALIGN) * 4;
}

/* On the device, for pieces of so many edges. */
static uint64_t bytes_of(const hd_pack_renaming *what, uint64_t piece) {
    uint64_t chunks = piece / (what->blocks * HD_PACK_BLOCK);
    hd_sorter by_name, by_row;
    shape(what, piece, &by_name, &by_row);
    return hd_sort_bytes(&by_name) + hd_sort_bytes(&by_row) + piece * 8 + (chunks + 1) * 12 +
           packed_bytes(what, chunks);
}

/* Edges of a piece: whole chunks, as many as fit beside the bytes that are `taken`; 0: too few. */
static heddle_status size_piece(const hd_pack_renaming *what, uint64_t taken, uint64_t *piece) {
    uint64_t left = 0, total, chunk = (uint64_t)what->blocks * HD_PACK_BLOCK;
    uint64_t edges = what->rows->offsets[what->vertices], all = (edges + chunk - 1) / chunk * chunk;
    uint64_t least = all / PIECES > LEAST ? all / PIECES : LEAST;
    HD_TRY(what->device->memory(what->device, &left, &total));
    left -= left / 64; /* the driver's own needs */
    *piece = all < MOST ? all : MOST / chunk * chunk;
    while (*piece && bytes_of(what, *piece) + taken > left)
        *piece = *piece > least ? *piece * 7 / 8 / chunk * chunk : 0;
    return HEDDLE_OK;
}

heddle_status hd_pack_renamed_fits(const hd_pack_renaming *what, bool *fits) {
    uint64_t piece;
    HD_TRY(size_piece(what, what->vertices * 4, &piece));
    *fits = piece > 0;
    return HEDDLE_OK;
}

/* The first row and the one after the last that have edges from .. to. */
static void rows_of(const packer *p, uint64_t from, uint64_t to, uint32_t *low, uint32_t *high) {
    const uint64_t *offsets = p->what->rows->offsets;
    *low = (uint32_t)hd_row_of(offsets, p->what->vertices, from);
    *high = (uint32_t)hd_row_of(offsets, p->what->vertices, to - 1) + 1;
}

static uint64_t end_of(const packer *p, uint64_t from) {
    return p->edges - from < p->piece ? p->edges : from + p->piece;
}

static heddle_status open(packer *p, heddle_report *report) {
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_pack_renamed, NULL};
    static const char what[] = "packing";
    hd_device *d = p->device;
    char defines[40];
    snprintf(defines, sizeof defines, "#define PACK_BLOCKS %uu\n", p->what->blocks);
    hd_kernels_text text = {.name = "pack", .texts = texts, .defines = defines, .wide = p->what->wide};
    uint64_t chunks = p->piece / p->chunk;
    HD_TRY(hd_kernels_open(d, &text, report, &p->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->kernels, kernel_names[i], &p->kernel[i]));
    shape(p->what, p->piece, &p->by_name, &p->by_row);
    HD_TRY(hd_sort_open(&p->by_name, &p->kernels, what));
    HD_TRY(hd_sort_open(&p->by_row, &p->kernels, what));
    HD_TRY(d->allocate(d, p->piece * 4, what, &p->targets));
    HD_TRY(d->allocate(d, p->piece * 4, what, &p->rows));
    HD_TRY(d->allocate(d, (chunks + 1) * 4, what, &p->sizes));
    HD_TRY(d->allocate(d, (chunks + 1) * 8, what, &p->starts));
    return d->allocate(d, packed_bytes(p->what, chunks), what, &p->packed);
}

static void close_all(packer *p) {
    hd_buffer *buffers[] = {&p->targets, &p->rows, &p->sizes, &p->starts, &p->packed};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        p->device->release(p->device, buffers[i]);
    hd_sort_close(&p->by_name);
    hd_sort_close(&p->by_row);
    hd_kernels_close(&p->kernels);
}

/* ---- A piece ---------------------------------------------------------------------------------------------------- */

/* A warp for each of `items`. */
#define LAUNCH(p, which, items, ...)                                  \
    HD_LAUNCH(&(p)->kernels, (p)->kernel[which], kernel_names[which], \
              hd_kernels_groups(&(p)->kernels, (uint64_t)(items)*HD_PACK_BLOCK), __VA_ARGS__)

/* Its rows in their order, each by name: names in `targets`, rows in the keys of the second sort. */
static heddle_status sort_rows(packer *p, uint64_t from, uint64_t count) {
    hd_sort_items by_name = {NULL, &p->rows, &p->rows}, begin = hd_sort_begin(&p->by_name, &by_name);
    hd_sort_items sorted = {&p->rows, &p->by_name.buffer[HD_SORT_KEYS], &p->rows};
    hd_sort_items by_row = {NULL, &p->targets, &p->targets};
    hd_sorter *s = &p->by_name;
    uint32_t low, high;
    rows_of(p, from, from + count, &low, &high);
    hd_sort_fewer(&p->by_name, count);
    hd_sort_fewer(&p->by_row, count);
    HD_TRY(p->device->upload(p->device, &p->targets, 0, p->what->rows->targets + from, count * 4));
    HD_TRY(LAUNCH(p, TAKE, s->pieces, HD_ARGUMENT_VALUE(from), HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(s->length),
                  HD_ARGUMENT_VALUE(s->pieces), HD_ARGUMENT_VALUE(low), HD_ARGUMENT_VALUE(high),
                  HD_ARGUMENT_BUFFER(*p->what->offsets), HD_ARGUMENT_BUFFER(*p->what->names),
                  HD_ARGUMENT_BUFFER(p->targets), HD_ARGUMENT_BUFFER(*begin.keys), HD_ARGUMENT_BUFFER(*begin.first)));
    HD_TRY(hd_sort_run(&p->by_name, &begin, NULL, 0, &by_name));
    return hd_sort_run(&p->by_row, &sorted, NULL, 0, &by_row);
}

static heddle_status write_chunks(packer *p, uint64_t count, uint32_t chunks) {
    const hd_buffer *rows = &p->by_row.buffer[HD_SORT_KEYS];
    HD_TRY(LAUNCH(p, SIZES, (uint64_t)chunks + 1, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(chunks),
                  HD_ARGUMENT_BUFFER(*rows), HD_ARGUMENT_BUFFER(p->targets), HD_ARGUMENT_BUFFER(p->sizes)));
    HD_TRY(hd_sort_sums(&p->by_row, (uint64_t)chunks + 1, &p->sizes, &p->starts));
    return LAUNCH(p, WRITE, chunks, HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(chunks), HD_ARGUMENT_BUFFER(*rows),
                  HD_ARGUMENT_BUFFER(p->targets), HD_ARGUMENT_BUFFER(p->starts), HD_ARGUMENT_BUFFER(p->packed));
}

/* Downloads the sizes of the chunks, and adds them up to `starts`. A faulty device must not corrupt the host: no chunk
 * takes more words than there can be. */
static heddle_status fetch_starts(const packer *p, uint32_t chunks, uint32_t *starts, uint64_t *units) {
    hd_device *d = p->device;
    uint32_t most = (hd_pack_header(p->what->blocks) + p->chunk + HD_PACK_ALIGN - 1) / HD_PACK_ALIGN;
    uint64_t before = starts[0], sum = before;
    HD_TRY(d->download(d, starts + 1, &p->sizes, 0, (uint64_t)chunks * 4));
    HD_TRY(d->finish(d));
    for (uint32_t k = 1; k <= chunks; k++) {
        uint32_t size = starts[k];
        if (size > most)
            return hd_fail(p->ctx, HEDDLE_E_DEVICE, "%s: packed rows take more than they can", d->info.name);
        sum += size;
        starts[k] = (uint32_t)sum;
    }
    *units = sum - before;
    return sum <= UINT32_MAX ? HEDDLE_OK
                             : hd_fail(p->ctx, HEDDLE_E_LIMIT, "packed rows take more than 64 GiB: %llu edges",
                                       (unsigned long long)p->edges);
}

static heddle_status pack_piece(packer *p, uint64_t from, uint32_t *starts, hd_packed_piece *piece) {
    uint64_t count = end_of(p, from) - from, units = 0;
    uint32_t chunks = (uint32_t)((count + p->chunk - 1) / p->chunk);
    HD_TRY(sort_rows(p, from, count));
    HD_TRY(write_chunks(p, count, chunks));
    HD_TRY(fetch_starts(p, chunks, starts, &units));
    HD_TRY(HD_NEW(p->ctx, &piece->words, units * HD_PACK_ALIGN, "packed rows"));
    piece->count = units * HD_PACK_ALIGN;
    HD_TRY(p->device->download(p->device, piece->words, &p->packed, 0, piece->count * 4));
    HD_TRY(p->device->finish(p->device));
    return hd_advance(p->ctx, 0) ? hd_cancelled_status(p->ctx) : HEDDLE_OK;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static heddle_status pack_all(packer *p, hd_packed_pieces *to) {
    to->chunks = (p->edges + p->chunk - 1) / p->chunk;
    uint64_t count = (p->edges + p->piece - 1) / p->piece;
    HD_TRY(HD_NEW(p->ctx, &to->starts, to->chunks + 1, "starts of packed chunks"));
    HD_TRY(HD_NEW_ZERO(p->ctx, &to->piece, count, "packed rows"));
    to->count = count;
    to->starts[0] = 0;
    for (uint64_t k = 0; k < count; k++) {
        HD_TRY(pack_piece(p, k * p->piece, to->starts + k * (p->piece / p->chunk), &to->piece[k]));
        to->words += to->piece[k].count;
    }
    return HEDDLE_OK;
}

heddle_status hd_pack_renamed(const hd_pack_renaming *what, heddle_report *report, hd_packed_pieces *pieces) {
    packer p = {.what = what, .device = what->device, .ctx = what->device->ctx};
    heddle_status status;
    *pieces = (hd_packed_pieces){.count = 0};
    p.edges = what->rows->offsets[what->vertices];
    p.chunk = what->blocks * HD_PACK_BLOCK;
    HD_TRY(size_piece(what, 0, &p.piece));
    if (!p.piece)
        return hd_fail(p.ctx, HEDDLE_E_DEVICE_MEMORY, "%s: no memory is left to pack rows", p.device->info.name);
    HD_CHECK(open(&p, report));
    HD_CHECK(pack_all(&p, pieces));
out:
    close_all(&p);
    if (status != HEDDLE_OK)
        hd_packed_pieces_free(p.ctx, pieces);
    return status;
}

void hd_packed_pieces_free(heddle_context *ctx, hd_packed_pieces *pieces) {
    for (uint64_t k = 0; k < pieces->count; k++)
        HD_DELETE(&ctx->allocator, pieces->piece[k].words, pieces->piece[k].count);
    HD_DELETE(&ctx->allocator, pieces->piece, pieces->count);
    HD_DELETE(&ctx->allocator, pieces->starts, pieces->chunks + 1);
    *pieces = (hd_packed_pieces){.count = 0};
}
