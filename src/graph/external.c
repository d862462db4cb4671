/* external.c - building a graph on disk, under a memory limit.
 *
 * The survey is that of any build. Then the arcs are written to their buckets as in memory, except that the array of
 * buckets is a temporary file: counts from the survey give every part its places, so that each bucket holds its arcs in
 * input order for any number of threads. Each thread has a small buffer for every bucket. Then buckets are read back,
 * one for each thread, finished by the same code as in memory, and appended to a second file, which becomes the graph's
 * rows. A bucket that does not fit in memory, as that of one giant vertex, is split first (external_split.c).
 *
 * Neither file has a name. Reads and writes are linear in the arcs: a record of 6 bytes and the weight each, and
 * the rows.
 */
#include "graph/external.h"

#include "base/limit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/batch_arcs.h"

#include <string.h>

enum {
    PAGE = 4096,
    LEAST_BUFFER = 64, /* records */
    MOST_BUFFER = 4096,
    LEAST_SORTED = 1024,  /* arcs */
    SPLIT_BYTES = 1 << 20 /* memory that splitting takes at most */
};

static uint64_t page_up(uint64_t at) { return (at + PAGE - 1) / PAGE * PAGE; }

/* ---- What fits -------------------------------------------------------------------------------------------------- */

/* Bytes of the finished graph's ids. */
static uint64_t id_bytes(const hd_builder *b) {
    uint64_t bytes = b->map.kind == HD_MAP_IDENTITY ? 0 : b->map.vertices * 8;
    for (uint64_t v = 0; b->map.kind == HD_MAP_TEXT && v < b->map.vertices; v++)
        bytes += b->map.values[v] & 0xffff;
    return bytes;
}

enum { BUCKET = 1 << 16 }; /* arcs of a bucket in memory, about */

/* Arcs by which the buckets that threads sort at once may exceed that: a range of one giant vertex is not divided. */
static uint64_t arcs_beyond(const hd_builder *b) {
    uint64_t all = 0, most = 0;
    for (uint64_t range = 0; b->counts && range < b->ranges; range++) {
        uint64_t arcs = 0;
        for (uint64_t part = 0; part < b->source->parts; part++)
            arcs += b->counts[part * b->ranges + range];
        arcs = arcs > BUCKET ? arcs - BUCKET : 0;
        all += arcs;
        most = arcs > most ? arcs : most;
    }
    uint64_t at_once = most * (uint64_t)b->ctx->threads;
    return at_once < all ? at_once : all;
}

/* Bytes that placing and finishing all arcs in memory takes, about. */
static uint64_t bytes_in_memory(const hd_builder *b) {
    uint64_t arcs = hd_builder_most_arcs(b), n = b->map.vertices, each = 6 + b->rules.weight_size;
    uint64_t buckets = arcs / BUCKET + n / HD_BUCKET_VERTICES + 1;
    uint64_t scratch =
        (uint64_t)b->ctx->threads * ((arcs < BUCKET ? arcs : BUCKET) * each * 5 / 4 + HD_BUCKET_VERTICES * 8) +
        arcs_beyond(b) * each * 5 / 4;
    return arcs * each + (n + 1) * 8 + id_bytes(b) + scratch + b->source->parts * buckets * sizeof(hd_run_of_arcs);
}

/* An eighth is left for what is not counted, such as lists of rows that are under way. */
bool hd_builder_fits(const hd_builder *b) {
    uint64_t bytes = b->ctx->limit ? bytes_in_memory(b) : 0;
    return bytes + bytes / 8 <= hd_limit_left(b->ctx);
}

/* The error of a graph that does not fit, with no folder to build it in. */
static heddle_status refuse(const hd_builder *b) {
    const hd_limit *limit = b->ctx->limit;
    const char *name = limit->subject ? limit->subject : "IN";
    return hd_fail(b->ctx, HEDDLE_E_MEMORY,
                   "%s%s%llu vertices and %llu arcs take %s while they are built in memory, and the memory limit of %s "
                   "leaves %s: heddle convert %s OUT.hdl --memory-limit %llu builds them on disk, for runs on OUT.hdl",
                   limit->subject ? limit->subject : "", limit->subject ? ": " : "",
                   (unsigned long long)b->map.vertices, (unsigned long long)hd_builder_most_arcs(b),
                   hd_size_of(bytes_in_memory(b)).text, hd_size_of(limit->most).text,
                   hd_size_of(hd_limit_left(b->ctx)).text, name, (unsigned long long)limit->most);
}

/* Divides the memory that is left. Placing and finishing come one after the other. */
static heddle_status plan(hd_external *x, uint64_t *bucket_arcs) {
    hd_builder *b = x->b;
    heddle_context *ctx = b->ctx;
    uint64_t left = hd_limit_left(ctx), arcs = hd_builder_most_arcs(b), parts = b->source->parts;
    uint64_t tables = b->ranges * (sizeof *b->buckets + sizeof *b->bucket_of) + SPLIT_BYTES;
    uint64_t each = x->record * 9 / 4, fixed = HD_BUCKET_VERTICES * 8 * 2 + HD_SORTER_PIECE; /* of a sorter */
    uint64_t room = left > tables ? (left - tables) / 8 * 7 : 0;
    while (ctx->threads > 1 && room / (uint64_t)ctx->threads < fixed + each * (LEAST_SORTED * 8))
        ctx->threads--;
    if (room < fixed + each * LEAST_SORTED)
        return hd_fail(
            ctx, HEDDLE_E_MEMORY,
            "building %llu vertices and %llu arcs on disk takes at least %s beside their ids, and the memory "
            "limit of %s leaves %s",
            (unsigned long long)b->map.vertices, (unsigned long long)arcs,
            hd_size_of(tables + (fixed + each * LEAST_SORTED) * 8 / 7).text, hd_size_of(ctx->limit->most).text,
            hd_size_of(left).text);
    x->most = (room / (uint64_t)ctx->threads - fixed) / each;
    /* places of the parts, and buffers, take a quarter each */
    uint64_t by_runs = room / 4 / (parts * sizeof *b->runs);
    uint64_t by_buffers = room / 4 / ((uint64_t)ctx->threads * (LEAST_BUFFER * x->record + sizeof *x->filled));
    uint64_t buckets = by_runs < by_buffers ? by_runs : by_buffers;
    *bucket_arcs = x->most;
    if (buckets < 2 * (arcs / x->most + 1))
        *bucket_arcs = arcs / (buckets / 2 + 1) + 1;
    return HEDDLE_OK;
}

/* ---- Placing ---------------------------------------------------------------------------------------------------- */

/* A thread that places the arcs of a part. */
typedef struct placing {
    hd_external *x;
    hd_run_of_arcs *runs;
    uint32_t *filled;
    char *buffers;
} placing;

static placing placing_of(const hd_builder *b, uint64_t part) {
    hd_external *x = b->external;
    uint64_t first = (uint64_t)hd_thread() * b->bucket_count;
    return (placing){x, b->runs + part * b->bucket_count, x->filled + first, x->buffers + first * x->room * x->record};
}

/* Writes what bucket k's buffer holds: the arcs before the run's next place. */
static bool flush(const placing *p, uint64_t k) {
    hd_external *x = p->x;
    uint64_t at = (p->runs[k].next - p->filled[k]) * x->record;
    int errnum = hd_spill_write(&x->stage, p->buffers + k * x->room * x->record, p->filled[k] * x->record, at);
    p->filled[k] = 0;
    if (errnum)
        hd_store(&x->errnum, errnum);
    return !errnum;
}

static HD_ALWAYS_INLINE bool put_arc(const hd_builder *b, void *state, uint64_t range, uint32_t from, uint32_t to,
                                     uint64_t weight, uint32_t tag, const size_t size) {
    const placing *p = state;
    uint64_t k = b->bucket_of[range], room = p->x->room;
    if (p->runs[k].next == p->runs[k].end)
        return false;
    char *record = p->buffers + (k * room + p->filled[k]) * (6 + size);
    uint16_t local = (uint16_t)((from - b->buckets[k].first) | tag);
    memcpy(record, &local, sizeof local);
    memcpy(record + 2, &to, sizeof to);
    uint32_t low = (uint32_t)weight; /* four bytes of a larger number: which they are depends on the byte order */
    memcpy(record + 6, size == sizeof low ? (const void *)&low : &weight, size);
    p->runs[k].next++;
    return ++p->filled[k] < room || flush(p, k);
}

static bool place_mapped(const hd_builder *b, placing *p, const hd_edge_batch *batch, const uint32_t *from,
                         const uint32_t *to) {
    switch (b->rules.weight_size) {
    case 0: return hd_place_edges(b, batch, from, to, 0, put_arc, p);
    case 4: return hd_place_edges(b, batch, from, to, 4, put_arc, p);
    default: return hd_place_edges(b, batch, from, to, 8, put_arc, p);
    }
}

/* As in memory (arrange.c), nothing is taken for granted of a batch but its count. */
static bool place(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint32_t from[HD_BATCH], to[HD_BATCH];
    placing p = placing_of(b, part);
    bool same = hd_id_map_apply(&b->map, batch->source, from, batch->count) &&
                hd_id_map_apply(&b->map, batch->target, to, batch->count) && place_mapped(b, &p, batch, from, to);
    b->parts[part].changed |= !same && !hd_load(&b->external->errnum);
    return same;
}

/* The next part of this thread writes elsewhere: empties its buffers. */
static void leave(hd_builder *b, uint64_t part) {
    placing p = placing_of(b, part);
    for (uint64_t k = 0; k < b->bucket_count; k++)
        if (p.filled[k] && !flush(&p, k))
            break;
}

static void free_buffers(hd_external *x) {
    const heddle_allocator *allocator = &x->b->ctx->allocator;
    HD_DELETE(allocator, x->buffers, x->buffer_count * x->room * x->record);
    HD_DELETE(allocator, x->filled, x->buffer_count);
}

static heddle_status place_all(hd_external *x) {
    hd_builder *b = x->b;
    x->buffer_count = (uint64_t)b->ctx->threads * b->bucket_count;
    x->room = hd_limit_left(b->ctx) / 4 / (x->buffer_count * x->record);
    x->room = x->room < LEAST_BUFFER ? LEAST_BUFFER : x->room > MOST_BUFFER ? MOST_BUFFER : x->room;
    HD_TRY(HD_NEW(b->ctx, &x->buffers, x->buffer_count * x->room * x->record, "buffers of buckets"));
    HD_TRY(HD_NEW_ZERO(b->ctx, &x->filled, x->buffer_count, "buffers of buckets"));
    b->leave = leave;
    heddle_status status = hd_builder_walk(b, "build", place);
    b->leave = NULL;
    if (x->errnum)
        return hd_spill_fail(b->ctx, &x->stage, x->errnum, "cannot write");
    HD_TRY(status);
    HD_TRY(hd_builder_check_runs(b, 0, b->bucket_count));
    free_buffers(x);
    HD_DELETE(&b->ctx->allocator, b->runs, b->source->parts * b->bucket_count);
    return HEDDLE_OK;
}

/* ---- Finishing -------------------------------------------------------------------------------------------------- */

int hd_sorter_load(const hd_external *x, hd_sorter *sorter, uint64_t at, uint64_t count, uint32_t first) {
    const size_t record = x->record, size = record - 6;
    const uint64_t each = HD_SORTER_PIECE / record;
    hd_arcs *arcs = &sorter->arcs;
    for (uint64_t i = 0; i < count;) {
        uint64_t now = count - i < each ? count - i : each;
        int errnum = hd_spill_read(&x->stage, sorter->piece, now * record, (at + i) * record);
        if (errnum)
            return errnum;
        for (const char *p = sorter->piece; now > 0; now--, i++, p += record) {
            memcpy(&arcs->local[i], p, 2);
            memcpy(&arcs->target[i], p + 2, 4);
            arcs->local[i] = (uint16_t)(arcs->local[i] - first);
            if (size)
                memcpy((char *)arcs->weight + i * size, p + 6, size);
        }
    }
    return 0;
}

int hd_sorter_append(const hd_external *x, const hd_sorter *sorter, uint64_t at) {
    const size_t size = x->record - 6;
    int errnum = hd_spill_write(&x->rows, sorter->arcs.target, sorter->kept * 4, x->at_targets + at * 4);
    if (!errnum && size)
        errnum = hd_spill_write(&x->rows, sorter->arcs.weight, sorter->kept * size, x->at_weights + at * size);
    return errnum;
}

static void free_sorters(hd_external *x) {
    const heddle_allocator *allocator = &x->b->ctx->allocator;
    for (int i = 0; x->sorters && i < x->sorter_count; i++) {
        hd_sorter *sorter = &x->sorters[i];
        HD_DELETE(allocator, sorter->arcs.local, x->most);
        HD_DELETE(allocator, sorter->arcs.target, x->most);
        if (sorter->arcs.weight)
            hd_free(allocator, sorter->arcs.weight, x->most * (x->record - 6));
        HD_DELETE(allocator, sorter->lengths, HD_BUCKET_VERTICES);
        HD_DELETE(allocator, sorter->piece, HD_SORTER_PIECE);
        hd_bucket_scratch_free(allocator, &sorter->scratch);
    }
    HD_DELETE(allocator, x->sorters, x->sorter_count);
}

static heddle_status make_sorters(hd_external *x) {
    heddle_context *ctx = x->b->ctx;
    const char *what = "sorting rows";
    x->sorter_count = ctx->threads;
    HD_TRY(HD_NEW_ZERO(ctx, &x->sorters, x->sorter_count, what));
    for (int i = 0; i < x->sorter_count; i++) {
        hd_sorter *sorter = &x->sorters[i];
        HD_TRY(HD_NEW(ctx, &sorter->arcs.local, x->most, what));
        HD_TRY(HD_NEW(ctx, &sorter->arcs.target, x->most, what));
        if (x->record > 6)
            HD_TRY(hd_new(ctx, &sorter->arcs.weight, x->most, x->record - 6, false, what));
        HD_TRY(HD_NEW(ctx, &sorter->lengths, HD_BUCKET_VERTICES, what));
        HD_TRY(HD_NEW(ctx, &sorter->piece, HD_SORTER_PIECE, what));
    }
    return HEDDLE_OK;
}

/* Row lengths become offsets, which are written. */
static int write_offsets(const hd_external *x, const hd_bucket *bucket, uint64_t *lengths, uint64_t at) {
    for (uint32_t v = 0; v < bucket->vertices; v++) {
        uint64_t length = lengths[v];
        lengths[v] = at;
        at += length;
    }
    return hd_spill_write(&x->rows, lengths, bucket->vertices * sizeof *lengths, bucket->first * sizeof *lengths);
}

static void sort_bucket(hd_external *x, hd_sorter *sorter, const hd_bucket *bucket) {
    uint64_t count = bucket[1].start - bucket->start;
    sorter->kept = 0;
    sorter->status = HEDDLE_OK;
    if (hd_cancelled(x->b->ctx))
        return;
    sorter->errnum = hd_sorter_load(x, sorter, bucket->start, count, 0);
    if (!sorter->errnum)
        sorter->status = hd_bucket_finish(&x->b->ctx->allocator, &x->b->rules, sorter->arcs, count, bucket->first,
                                          bucket->vertices, &sorter->scratch, sorter->lengths, &sorter->kept);
    hd_spill_discard(&x->stage, bucket->start * x->record, count * x->record);
    hd_advance(x->b->ctx, 1);
}

/* The first error of the sorters, after `words` failed. */
static heddle_status check_sorters(hd_external *x, int count, const hd_spill *file, const char *words) {
    HD_TRY(hd_cancelled_status(x->b->ctx));
    for (int i = 0; i < count; i++) {
        if (x->sorters[i].errnum)
            return hd_spill_fail(x->b->ctx, file, x->sorters[i].errnum, words);
        HD_TRY(hd_builder_finished(x->b, x->sorters[i].status, x->most * x->record));
    }
    return HEDDLE_OK;
}

/* Sorts `count` buckets at once, one for each thread, then writes them. */
static heddle_status finish_group(hd_external *x, const hd_bucket *buckets, int count) {
    heddle_context *ctx = x->b->ctx;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (int i = 0; i < count; i++)
        sort_bucket(x, &x->sorters[i], &buckets[i]);
    HD_TRY(check_sorters(x, count, &x->stage, "cannot read"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (int i = 0; i < count; i++) {
        hd_sorter *sorter = &x->sorters[i];
        uint64_t at = x->arcs;
        for (int before = 0; before < i; before++)
            at += x->sorters[before].kept;
        sorter->errnum = hd_sorter_append(x, sorter, at);
        if (!sorter->errnum)
            sorter->errnum = write_offsets(x, &buckets[i], sorter->lengths, at);
    }
    for (int i = 0; i < count; i++)
        x->arcs += x->sorters[i].kept;
    return check_sorters(x, count, &x->rows, "cannot write");
}

/* A bucket that is too large for memory. */
static heddle_status finish_large(hd_external *x, const hd_bucket *bucket) {
    heddle_context *ctx = x->b->ctx;
    uint64_t *lengths, first = x->arcs;
    HD_TRY(HD_NEW_ZERO(ctx, &lengths, bucket->vertices, "row lengths"));
    heddle_status status = hd_external_split(x, bucket, lengths);
    int errnum = status == HEDDLE_OK ? write_offsets(x, bucket, lengths, first) : 0;
    if (errnum)
        status = hd_spill_fail(ctx, &x->rows, errnum, "cannot write");
    HD_DELETE(&ctx->allocator, lengths, bucket->vertices);
    hd_advance(ctx, 1);
    return status;
}

static heddle_status finish_buckets(hd_external *x) {
    const hd_builder *b = x->b;
    for (uint64_t k = 0; k < b->bucket_count;) {
        int count = 0;
        while (count < x->sorter_count && k + (uint64_t)count < b->bucket_count &&
               b->buckets[k + (uint64_t)count + 1].start - b->buckets[k + (uint64_t)count].start <= x->most)
            count++;
        HD_TRY(count ? finish_group(x, &b->buckets[k], count) : finish_large(x, &b->buckets[k]));
        k += count ? (uint64_t)count : 1;
    }
    int errnum = hd_spill_write(&x->rows, &x->arcs, sizeof x->arcs, b->map.vertices * sizeof x->arcs);
    return errnum ? hd_spill_fail(b->ctx, &x->rows, errnum, "cannot write") : HEDDLE_OK;
}

static heddle_status finish_all(hd_external *x) {
    hd_phase_begin(x->b->ctx, "sort", x->b->bucket_count);
    heddle_status status = make_sorters(x);
    if (status == HEDDLE_OK)
        status = finish_buckets(x);
    hd_phase_end(x->b->ctx);
    free_sorters(x);
    hd_spill_close(&x->stage);
    return status;
}

/* ---- The graph -------------------------------------------------------------------------------------------------- */

static heddle_status hand_over(hd_external *x, heddle_graph *graph) {
    hd_builder *b = x->b;
    hd_ids_on_disk ids;
    HD_TRY(hd_ids_write(b->ctx, &b->map, &x->rows, x->at_ids, &ids));
    HD_TRY(hd_spill_map(b->ctx, &x->rows, ids.end, &graph->out.map));
    char *base = graph->out.map;
    graph->out.mapped = true;
    graph->out.map_bytes = (size_t)ids.end;
    graph->out.offsets = (uint64_t *)(void *)base;
    graph->out.targets = (uint32_t *)(void *)(base + x->at_targets);
    graph->out.weights = x->record > 6 ? base + x->at_weights : NULL;
    graph->ids = hd_ids_mapped(&b->map, b->ids_unsigned, &ids, base);
    graph->vertices = b->map.vertices;
    graph->edges = x->arcs;
    graph->directed = !b->undirected;
    graph->weight_type = b->weight_type;
    return HEDDLE_OK;
}

static heddle_status build(hd_external *x, heddle_graph *graph) {
    hd_builder *b = x->b;
    const char *folder = b->ctx->limit->spill;
    uint64_t bucket_arcs = 0;
    HD_TRY(plan(x, &bucket_arcs));
    HD_TRY(hd_builder_lay(b, bucket_arcs));
    HD_TRY(hd_spill_open(b->ctx, folder, &x->stage));
    HD_TRY(hd_spill_open(b->ctx, folder, &x->rows));
    uint64_t total = b->buckets[b->bucket_count].start;
    x->at_targets = page_up((b->map.vertices + 1) * 8);
    x->at_weights = page_up(x->at_targets + total * 4);
    x->at_ids = page_up(x->at_weights + total * (x->record - 6));
    HD_TRY(place_all(x));
    HD_TRY(finish_all(x));
    return hand_over(x, graph);
}

heddle_status hd_external_build(hd_builder *b, heddle_graph *graph) {
    hd_external x = {.b = b, .record = 6 + b->rules.weight_size, .stage.fd = -1, .rows.fd = -1};
    if (!b->ctx->limit->spill)
        return refuse(b);
    if (b->drop_isolated)
        return hd_fail(b->ctx, HEDDLE_E_REFUSED,
                       "the graph exceeds the memory limit and is built on disk, where vertices without arcs cannot be "
                       "dropped: leave that out, or raise the limit");
    b->external = &x;
    heddle_status status = build(&x, graph);
    b->external = NULL;
    free_buffers(&x);
    hd_spill_close(&x.stage);
    hd_spill_close(&x.rows);
    return status;
}
