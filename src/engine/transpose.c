/* transpose.c - see transpose.h; transpose_kernels.h says how. */
#include "engine/transpose.h"

#include "engine/kernels.h"

extern const char hd_text_transpose[];

enum { COUNT, SUM, SPREAD, MOVE, ROWS, KERNELS };
static const char *const names[KERNELS] = {"hd_transpose_count", "hd_transpose_sum", "hd_transpose_spread",
                                           "hd_transpose_move", "hd_transpose_rows"};

enum {
    LEAST = 1 << 18, /* arcs: the host is done with fewer before a kernel is loaded */
    DIGIT = 8,       /* bits, at most */
    PIECE_LEAST = 256,
    PIECE = 1 << 12, /* arcs that a warp takes at once */
    PARTS = 1024     /* of the counts, when they are added up */
};

/* Room on the way: what one pass leaves for the next, and the counts. */
enum { KEYS, OTHER_KEYS, SOURCES, SUMS, COUNTS, PLACES, WEIGHTS, BUFFERS };

typedef struct transposer {
    hd_resident *r;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_buffer buffer[BUFFERS];
    hd_resident_rows *in;
    uint32_t n, weighted;
    uint32_t passes, bits; /* digits, and the bits of one */
    uint32_t length, pieces, part, parts;
} transposer;

/* ---- Room ------------------------------------------------------------------------------------------------------- */

static uint32_t bits_of(uint64_t n) {
    uint32_t bits = 1;
    while (bits < 32 && (n - 1) >> bits)
        bits++;
    return bits;
}

static void shape(transposer *t) {
    const hd_resident *r = t->r;
    uint64_t each = r->edges / ((uint64_t)r->device->info.units * 64) + 1, bits = bits_of(r->vertices);
    t->n = (uint32_t)r->vertices;
    t->passes = (uint32_t)(bits + DIGIT - 1) / DIGIT;
    t->bits = (uint32_t)(bits + t->passes - 1) / t->passes;
    t->length = (uint32_t)(each < PIECE_LEAST ? PIECE_LEAST : each > PIECE ? PIECE : (each + 31) / 32 * 32);
    while (r->edges / t->length >= UINT32_MAX)
        t->length *= 2;
    t->pieces = (uint32_t)((r->edges + t->length - 1) / t->length);
    uint64_t counts = (uint64_t)t->pieces << t->bits;
    t->part = (uint32_t)((counts + PARTS - 1) / PARTS);
    t->parts = (uint32_t)((counts + t->part - 1) / t->part);
}

static void sizes(const transposer *t, uint64_t bytes[BUFFERS]) {
    uint64_t arcs = t->r->edges * 4, offset = t->r->wide ? 8 : 4, counts = (uint64_t)t->pieces << t->bits;
    bytes[KEYS] = arcs;
    bytes[OTHER_KEYS] = t->passes > 1 ? arcs : 16;
    bytes[SOURCES] = t->passes > 1 ? arcs : 16;
    bytes[WEIGHTS] = t->passes > 1 && t->weighted ? arcs : 16;
    bytes[SUMS] = PARTS * offset;
    bytes[COUNTS] = counts * 4;
    bytes[PLACES] = counts * offset;
}

heddle_status hd_transpose_pays(hd_resident *r, bool weights, bool *pays) {
    transposer t = {.r = r, .weighted = weights};
    uint64_t bytes[BUFFERS], left = 0, total = 0;
    uint64_t wanted = (r->vertices + 1) * (r->wide ? 8 : 4) + r->edges * (weights ? 8 : 4);
    *pays = r->device->info.accelerator && r->edges >= LEAST;
    if (!*pays)
        return HEDDLE_OK;
    HD_TRY(r->device->memory(r->device, &left, &total));
    shape(&t);
    sizes(&t, bytes);
    for (int i = 0; i < BUFFERS; i++)
        wanted += bytes[i];
    *pays = wanted <= left / 2;
    return HEDDLE_OK;
}

static heddle_status make_buffers(transposer *t) {
    hd_device *d = t->r->device;
    uint64_t bytes[BUFFERS];
    HD_TRY(hd_resident_room(t->r, (t->r->vertices + 1) * (t->r->wide ? 8 : 4), "in-edges' offsets", &t->in->offsets));
    HD_TRY(hd_resident_room(t->r, t->r->edges * 4, "in-edges", &t->in->targets));
    if (t->weighted)
        HD_TRY(hd_resident_room(t->r, t->r->edges * 4, "in-edges' weights", &t->in->weights));
    sizes(t, bytes);
    for (int i = 0; i < BUFFERS && t->r->edges; i++)
        HD_TRY(d->allocate(d, bytes[i], "transposing", &t->buffer[i]));
    return HEDDLE_OK;
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

#define LAUNCH(t, which, items, ...)                                                                                   \
    HD_LAUNCH(&(t)->kernels, (t)->kernel[which], names[which], hd_kernels_groups(&(t)->kernels, (uint64_t)(items)*32), \
              __VA_ARGS__)

/* Where a pass takes the arcs from, or leaves them: the last one leaves them where they belong. */
typedef struct arcs {
    const hd_buffer *keys, *sources, *weights;
} arcs;

static arcs after(const transposer *t, uint32_t pass) {
    bool home = (t->passes - pass) % 2; /* pass is the last one, or two, four, … before it */
    return (arcs){&t->buffer[home ? KEYS : OTHER_KEYS], home ? &t->in->targets : &t->buffer[SOURCES],
                  !home         ? &t->buffer[WEIGHTS]
                  : t->weighted ? &t->in->weights
                                : &t->in->targets};
}

static heddle_status run_pass(transposer *t, uint32_t pass) {
    const hd_resident_rows *out = &t->r->out;
    arcs from =
        pass ? after(t, pass - 1) : (arcs){&out->targets, &out->targets, t->weighted ? &out->weights : &out->targets};
    arcs to = after(t, pass);
    uint64_t edges = t->r->edges, counts = (uint64_t)t->pieces << t->bits;
    uint32_t shift = pass * t->bits, mask = (1u << t->bits) - 1;
    hd_buffer *b = t->buffer;
    HD_TRY(LAUNCH(t, COUNT, t->pieces, HD_ARGUMENT_VALUE(edges), HD_ARGUMENT_VALUE(t->length),
                  HD_ARGUMENT_VALUE(t->pieces), HD_ARGUMENT_VALUE(shift), HD_ARGUMENT_VALUE(mask),
                  HD_ARGUMENT_BUFFER(*from.keys), HD_ARGUMENT_BUFFER(b[COUNTS])));
    HD_TRY(LAUNCH(t, SUM, t->parts, HD_ARGUMENT_VALUE(counts), HD_ARGUMENT_VALUE(t->part), HD_ARGUMENT_VALUE(t->parts),
                  HD_ARGUMENT_BUFFER(b[COUNTS]), HD_ARGUMENT_BUFFER(b[SUMS])));
    HD_TRY(LAUNCH(t, SPREAD, t->parts, HD_ARGUMENT_VALUE(counts), HD_ARGUMENT_VALUE(t->part),
                  HD_ARGUMENT_VALUE(t->parts), HD_ARGUMENT_BUFFER(b[COUNTS]), HD_ARGUMENT_BUFFER(b[SUMS]),
                  HD_ARGUMENT_BUFFER(b[PLACES])));
    return LAUNCH(t, MOVE, t->pieces, HD_ARGUMENT_VALUE(edges), HD_ARGUMENT_VALUE(t->length),
                  HD_ARGUMENT_VALUE(t->pieces), HD_ARGUMENT_VALUE(shift), HD_ARGUMENT_VALUE(mask),
                  HD_ARGUMENT_VALUE(pass), HD_ARGUMENT_VALUE(t->weighted), HD_ARGUMENT_VALUE(t->n),
                  HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(b[PLACES]), HD_ARGUMENT_BUFFER(*from.keys),
                  HD_ARGUMENT_BUFFER(*from.sources), HD_ARGUMENT_BUFFER(*from.weights), HD_ARGUMENT_BUFFER(*to.keys),
                  HD_ARGUMENT_BUFFER(*to.sources), HD_ARGUMENT_BUFFER(*to.weights));
}

static heddle_status open_kernels(transposer *t, heddle_report *report) {
    static const char *const texts[] = {hd_text_transpose, NULL};
    hd_kernels_text text = {.name = "transpose", .texts = texts, .wide = t->r->wide};
    HD_TRY(hd_kernels_open(t->r->device, &text, report, &t->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&t->kernels, names[i], &t->kernel[i]));
    return HEDDLE_OK;
}

static heddle_status transpose(transposer *t, heddle_report *report) {
    hd_device *d = t->r->device;
    uint64_t edges = t->r->edges;
    HD_TRY(make_buffers(t));
    if (!edges) {
        HD_TRY(d->fill(d, &t->in->offsets, 0, 0, t->in->offsets.bytes));
        HD_TRY(d->fill(d, &t->in->targets, 0, 0, 16));
        return d->finish(d);
    }
    HD_TRY(open_kernels(t, report));
    for (uint32_t pass = 0; pass < t->passes; pass++)
        HD_TRY(run_pass(t, pass));
    HD_TRY(LAUNCH(t, ROWS, t->n / 32 + 1, HD_ARGUMENT_VALUE(edges), HD_ARGUMENT_VALUE(t->n),
                  HD_ARGUMENT_BUFFER(t->buffer[KEYS]), HD_ARGUMENT_BUFFER(t->in->offsets)));
    return d->finish(d);
}

heddle_status hd_transpose_rows(hd_resident *r, bool weights, heddle_report *report, hd_resident_rows *in) {
    transposer t = {.r = r, .in = in, .weighted = weights};
    double start = hd_clock(), compiled = report->compile;
    if (r->edges)
        shape(&t);
    heddle_status status = transpose(&t, report);
    for (int i = 0; i < BUFFERS; i++)
        r->device->release(r->device, &t.buffer[i]);
    hd_kernels_close(&t.kernels);
    report->prepare += hd_clock() - start - (report->compile - compiled);
    return status;
}
