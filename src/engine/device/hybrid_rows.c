/* hybrid_rows.c - see hybrid_rows.h. */
#include "engine/device/hybrid_rows.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/row_upload.h"

enum {
    LINE = HD_HYBRID_LINE,
    AT_ONCE = 1 << 19,   /* vertices whose rows are converted and sent at a time, */
    MOST_TAILS = 1 << 24 /* and edges beyond their lines */
};

static const char lines_name[] = "lines of rows", tails_name[] = "tails of rows", offsets_name[] = "tail offsets";

/* ---- Whether it pays --------------------------------------------------------------------------------------------- */

typedef struct counts {
    uint64_t rows, tailed; /* rows with edges, and with more than a line */
    uint64_t tails;        /* edges beyond the lines */
} counts;

static uint64_t tail_of(const uint64_t *offsets, uint64_t v) {
    uint64_t length = offsets[v + 1] - offsets[v];
    return length > LINE ? length - LINE : 0;
}

static counts count(heddle_context *ctx, const uint64_t *offsets, uint64_t vertices) {
    uint64_t rows = 0, tailed = 0, tails = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : rows, tailed, tails) if (vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < vertices; v++) {
        rows += offsets[v + 1] > offsets[v];
        tailed += tail_of(offsets, v) > 0;
        tails += tail_of(offsets, v);
    }
    return (counts){rows, tailed, tails};
}

/* The share of an array in host memory. */
static double away(double bytes, double room) { return bytes > room ? 1 - room / bytes : 0; }

/* Compares the lines that cross the bus if every row is read once. A row that begins anywhere lies in
 * 1 + (edges - 1) / LINE lines, in the mean. */
static bool pays(const hd_resident *r, const counts *c) {
    double room = (double)r->page_room, tails = 4.0 * (double)c->tails;
    double left = room > tails ? room - tails : 0, lines = 4.0 * LINE * (double)r->vertices;
    double now = away(4.0 * (double)r->edges, room) * ((double)c->rows + (double)(r->edges - c->rows) / LINE);
    double then = away(lines, left) * (double)c->rows +
                  away(tails, room) * ((double)c->tailed + (double)(c->tails - c->tailed) / LINE);
    return then < 0.9 * now && r->vertices * LINE <= r->edges + r->edges / 4;
}

/* ---- What is sent ------------------------------------------------------------------------------------------------ */

typedef struct hybrid_build {
    hd_resident *r;
    const hd_joined *joined;
    const hd_hybrid *hybrid;
    heddle_adjacency out;
    uint32_t *offsets, *lines; /* of AT_ONCE vertices */
    uint32_t *tails;           /* tail_room edges */
    uint64_t tail_room;
} hybrid_build;

static uint32_t edge_at(const hybrid_build *b, uint64_t e) {
    const uint32_t *weights = b->out.weights;
    return (uint32_t)hd_joined_edge(b->joined, b->out.targets[e], weights[e]);
}

static void make_line(const hybrid_build *b, uint64_t v, uint32_t *line) {
    uint64_t first = b->out.offsets[v], length = b->out.offsets[v + 1] - first;
    for (uint64_t i = 0; i < LINE; i++)
        line[i] = i < length ? edge_at(b, first + i) : (uint32_t)v;
}

static heddle_status send_lines(const hybrid_build *b, uint64_t from, uint64_t to) {
    hd_device *d = b->r->device;
    HD_PARALLEL_FOR(b->r->ctx, schedule(static) if ((to - from) * LINE >= HD_WORTH_THREADS))
    for (uint64_t v = from; v < to; v++)
        make_line(b, v, b->lines + (v - from) * LINE);
    HD_TRY(d->upload(d, &b->hybrid->lines, from * LINE * 4, b->lines, (to - from) * LINE * 4));
    return d->finish(d);
}

/* `begin`: where the first of them begins, then the end of the last. */
static heddle_status send_tails(const hybrid_build *b, uint64_t from, uint64_t to, uint64_t *begin) {
    hd_device *d = b->r->device;
    const uint64_t *offsets = b->out.offsets;
    for (uint64_t v = from; v < to; v++) {
        b->offsets[v - from] = (uint32_t)*begin;
        *begin += tail_of(offsets, v);
    }
    b->offsets[to - from] = (uint32_t)*begin;
    HD_TRY(d->upload(d, &b->hybrid->offsets, from * 4, b->offsets, (to - from + 1) * 4));
    uint64_t first = b->offsets[0], all = *begin - first;
    for (uint64_t part = 0; part < all; part += b->tail_room) { /* a tail may be longer than the room */
        uint64_t end = all - part < b->tail_room ? all : part + b->tail_room;
        HD_PARALLEL_FOR(b->r->ctx, schedule(dynamic, 1024) if (end - part >= HD_WORTH_THREADS))
        for (uint64_t v = from; v < to; v++) {
            uint64_t low = b->offsets[v - from] - first, high = b->offsets[v - from + 1] - first;
            for (uint64_t i = low < part ? part : low; i < high && i < end; i++)
                b->tails[i - part] = edge_at(b, offsets[v] + LINE + (i - low));
        }
        HD_TRY(d->upload(d, &b->hybrid->tails, (first + part) * 4, b->tails, (end - part) * 4));
        HD_TRY(d->finish(d));
    }
    return d->finish(d);
}

static heddle_status send(hybrid_build *b) {
    heddle_context *ctx = b->r->ctx;
    uint64_t n = b->r->vertices, begin = 0;
    for (uint64_t from = 0; from < n; from += AT_ONCE) {
        uint64_t to = n - from < AT_ONCE ? n : from + AT_ONCE;
        HD_TRY(send_lines(b, from, to));
        HD_TRY(send_tails(b, from, to, &begin));
        if (hd_advance(ctx, 0))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

static heddle_status fill(hybrid_build *b, uint64_t tails) {
    heddle_context *ctx = b->r->ctx;
    uint64_t some = b->r->vertices < AT_ONCE ? b->r->vertices : AT_ONCE;
    heddle_status status;
    b->tail_room = tails < MOST_TAILS ? tails + 1 : MOST_TAILS;
    HD_CHECK(HD_NEW(ctx, &b->offsets, some + 1, offsets_name));
    HD_CHECK(HD_NEW(ctx, &b->tails, b->tail_room, tails_name));
    HD_CHECK(HD_NEW(ctx, &b->lines, some * LINE, lines_name));
    status = send(b);
out:
    HD_DELETE(&ctx->allocator, b->lines, some * LINE);
    HD_DELETE(&ctx->allocator, b->tails, b->tail_room);
    HD_DELETE(&ctx->allocator, b->offsets, some + 1);
    return status;
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

void hd_hybrid_drop(hd_resident *r) {
    hd_resident_extra_drop(r, offsets_name);
    r->hybrid = false;
}

/* The rows' own offsets make room for those of tails. */
static void drop_offsets(hd_resident *r, bool directed) {
    hd_resident_drop_rows(r, &r->out);
    if (!directed)
        r->in = r->out;
    r->hybrid = true;
}

static heddle_status restore_offsets(hd_resident *r, const heddle_graph *graph) {
    hd_resident_extra_drop(r, lines_name);
    hd_resident_extra_drop(r, tails_name);
    hd_hybrid_drop(r);
    HD_TRY(hd_upload_rows(r, graph, false, HD_WANT_BARE, &r->out));
    if (!graph->directed)
        r->in = r->out;
    return HEDDLE_OK;
}

/* Tails before lines, since they are read in more pieces: the device has room for them first. */
static heddle_status open_buffers(hybrid_build *b, uint64_t tails, hd_hybrid *hybrid) {
    hd_resident *r = b->r;
    bool fresh[3];
    HD_TRY(hd_resident_extra(r, offsets_name, (r->vertices + 1) * 4, &hybrid->offsets, &fresh[0]));
    HD_TRY(hd_edge_extra(r, HD_WANT_JOINED, NULL, 0, tails_name, (tails + 1) * 4, &hybrid->tails, &fresh[1]));
    HD_TRY(hd_edge_extra(r, HD_WANT_JOINED, NULL, 0, lines_name, r->vertices * LINE * 4, &hybrid->lines, &fresh[2]));
    if (!fresh[0] && !fresh[1] && !fresh[2])
        return HEDDLE_OK;
    heddle_status status = fill(b, tails);
    if (status != HEDDLE_OK)
        hd_resident_extra_drop(r, lines_name); /* they are not whole */
    return status;
}

heddle_status hd_hybrid_open(hd_resident *r, const heddle_graph *graph, const hd_joined *joined, hd_hybrid *hybrid) {
    hybrid_build b = {.r = r, .joined = joined, .hybrid = hybrid};
    *hybrid = (hd_hybrid){.used = false};
    if (joined->bits != 32 || r->wide || hd_wide_edges(r->vertices * LINE) || !r->vertices || hd_joined_known(r))
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(r->ctx, graph, &b.out));
    hd_buffer known = hd_resident_extra_known(r, tails_name);
    counts c = {.tails = known.handle ? known.bytes / 4 - 1 : 0};
    if (!known.handle)
        c = count(r->ctx, b.out.offsets, r->vertices);
    if (!r->hybrid && !pays(r, &c))
        return HEDDLE_OK;
    if (!r->hybrid)
        drop_offsets(r, graph->directed);
    heddle_status status = open_buffers(&b, c.tails, hybrid);
    hybrid->used = status == HEDDLE_OK;
    if (status != HEDDLE_E_MEMORY && status != HEDDLE_E_DEVICE_MEMORY)
        return status;
    hd_enter(r->ctx); /* rows in one piece take less */
    return restore_offsets(r, graph);
}
