/* incore_memory.c - the buffers of an in-core run: their sizes and initial contents. Large arrays that the host does
 * not have in the device's layout are generated piece by piece during the upload. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/incore_run.h"

#include <string.h>

enum { STAGE = 1 << 20 /* elements generated at a time during the upload */ };

#define USE(NAME, name, type, use) use,
static const char *const uses[BUFFERS] = {HD_BUFFERS(USE)};

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

/* Of an out-degree, or of the value that a program gets instead. */
static size_t degree_size(const incore *e) { return e->program->strengths && e->program->in_double ? 8 : 4; }

static void plan_shards(const incore *e, uint64_t bytes[BUFFERS]) {
    const hd_shards *s = &e->shards;
    uint64_t m = s->edges, count = s->count, word = s->wide ? 8 : 4;
    bytes[OFFSETS] = (count + 1) * word;
    bytes[NEXT] = m * hd_incore_copy_size(e->program, &e->shape);
    bytes[LAYOUT] = s->listed ? (count + 1) * word : (count + 1) * count * 4;
    bytes[SPLITS] = e->shape.copied_degrees ? m * 4 : 0;
    bytes[TOUCHED] = m * 4;
    bytes[TOUCHED_BITS] = s->listed ? m * word : 0;
    bytes[SENT_NEXT] = 0;
    bytes[WALKED] = e->shape.profile ? hd_incore_shard_counts(e) * 8 : 0;
    uint64_t partials = (count ? count : 1) * hd_incore_tally_bytes(e->program); /* a launch has a group at least */
    if (bytes[PARTIALS] < partials)
        bytes[PARTIALS] = partials;
}

/* The boxes of schedule/slice.cl. */
static void plan_slice(const incore *e, uint64_t bytes[BUFFERS]) {
    bytes[QUEUED] = (e->rows.vertices / 32 + 2) / 2 * 8; /* the host reads words of 64 bits */
    bytes[QUEUE] = (e->boundary + HD_LISTS_MOST) * 4;
    bytes[TOUCHED] = e->boundary * 4;
    bytes[QUEUE_NEXT] = e->boundary * e->program->value_size;
    bytes[TOUCHED_BITS] = e->inbox * 4;
    bytes[QUEUED_NEXT] = e->inbox * e->program->value_size;
}

/* Vertices whose numbers in the user's graph the program reads: of other parts' only as ends of edges. */
static uint64_t named(const incore *e) {
    return e->rows.vertices + (e->program->traits & HD_SENDS_EDGE ? e->remote : 0);
}

void hd_incore_plan_bytes(const incore *e, uint64_t bytes[BUFFERS]) {
    const hd_incore_shape *s = &e->shape;
    const hd_incore_layout *l = &e->layout;
    uint64_t n = e->rows.vertices, m = e->rows.edges, all = n + e->remote, bits = (n / 32 + 1) * 4;
    uint64_t value = all * e->program->value_size;
    uint64_t slots = (uint64_t)e->groups * s->warps * 2, queue = l->queue_most * (s->pairs ? 8 : 4);
    memset(bytes, 0, BUFFERS * sizeof *bytes);
    bytes[OFFSETS] = (n + 1) * (s->wide ? 8 : 4);
    bytes[TARGETS] = m * 4;
    bytes[WEIGHTS] = e->program->weighted ? m * hd_weight_size(e->graph->weight_type) : 0;
    bytes[DEGREES] = all * degree_size(e);
    bytes[IN_DEGREES] = s->in_degrees ? n * 4 : 0;
    bytes[NAMES] = s->names ? named(e) * 4 : 0;
    bytes[VALUES] = value;
    bytes[NEXT] = s->in_place ? 0 : value;
    bytes[INITIAL] = s->no_initial ? 0 : n * (e->program->in_double ? 8 : 4);
    bytes[FLAGS] = n;
    bytes[WORDS] = HD_WORDS * 4;
    bytes[NUMBERS] = HD_NUMBERS * 8;
    bytes[PARTIALS] = s->settles ? slots * hd_incore_tally_bytes(e->program) : 0;
    bytes[WALKED] = s->profile ? slots * 8 * (1 + e->plan.warp) : s->worklist ? slots * 8 : 0;
    bytes[LAYOUT] = l->room * 4;
    bytes[SPLITS] = l->splits_count * 12;
    bytes[MESSAGES] = (s->accumulate ? n : s->tiles && !s->push ? l->count * 2 : 0) * e->program->message_size;
    if (e->program->has_output && bytes[MESSAGES] < n * hd_value_size(e->program->output))
        bytes[MESSAGES] = n * hd_value_size(e->program->output);
    if (s->passing && bytes[MESSAGES] < e->setup->passing->added_vertices * e->program->message_size)
        bytes[MESSAGES] = e->setup->passing->added_vertices * e->program->message_size;
    if (s->span) { /* edges are in slots of their own */
        bytes[TARGETS] = bytes[WEIGHTS] = 0;
        bytes[OFFSETS] = s->no_offsets ? 0 : bytes[OFFSETS];
        bytes[QUEUED] = bytes[QUEUED_NEXT] = s->active ? bits : 0;
    }
    if (s->window)
        bytes[TARGETS] = bytes[WEIGHTS] = 0;
    bytes[SENT] = s->sent ? all * hd_incore_sent_size(e->program) : 0;
    bytes[SENT_NEXT] = s->accumulate ? 0 : bytes[SENT];
    bytes[CLUSTERS] = e->clusters.words_room * 4;
    bytes[CLUSTER_WEIGHTS] = e->clusters.weights_bytes;
    bytes[CLUSTER_VALUES] = s->settles ? e->clusters.places * e->program->value_size : 0;
    bytes[COPIES] = s->copies ? e->setup->copies->count * sizeof(hd_copy) : 0;
    if (s->shards)
        plan_shards(e, bytes);
    if (s->slice)
        plan_slice(e, bytes);
    if (!s->worklist)
        return;
    bytes[QUEUE] = bytes[QUEUE_NEXT] = queue;
    bytes[QUEUED] = bytes[QUEUED_NEXT] = s->accumulate ? 0 : bits;
    bytes[TOUCHED] = s->accumulate ? n * 4 : 0;
    bytes[TOUCHED_BITS] = s->accumulate ? bits : 0;
}

/* Arrays that have an element for each entry of a shard. */
static bool by_entry(int which) {
    return which == TARGETS || which == WEIGHTS || which == NEXT || which == SPLITS || which == TOUCHED ||
           which == TOUCHED_BITS;
}

/* Pinned host memory that the device accesses in place: its address is the same on both sides. */
static heddle_status pin(incore *e, int which, uint64_t bytes) {
    e->pinned[which] = e->device->pin(e->device, bytes ? bytes : 16);
    if (!e->pinned[which])
        return hd_fail(e->ctx, HEDDLE_E_DEVICE_MEMORY,
                       "%s: cuMemHostAlloc gave no %llu bytes of the host's memory for %s (shards=host)",
                       e->device->info.name, (unsigned long long)bytes, uses[which]);
    e->buffer[which] = (hd_buffer){.handle = (uint64_t)(uintptr_t)e->pinned[which], .bytes = bytes};
    return HEDDLE_OK;
}

/* Whether a part has allocated it already, where the edges are to lie. */
static bool is_placed(const incore *e, int which) { return !e->lent[which] && e->buffer[which].handle; }

heddle_status hd_incore_allocate(incore *e) {
    uint64_t bytes[BUFFERS], free = 0, total = 0, all = 0;
    hd_incore_plan_bytes(e, bytes);
    bool host = e->plan.host == HD_YES;
    for (int i = 0; i < BUFFERS; i++) {
        bytes[i] = (bytes[i] + 15) / 16 * 16;
        e->bytes += is_placed(e, i) ? e->buffer[i].bytes - e->buffer[i].away : 0;
        all += e->lent[i] || is_placed(e, i) || (host && by_entry(i)) ? 0 : bytes[i];
        e->bytes += e->lent[i] && e->shape.shards ? e->buffer[i].bytes : 0;
    }
    e->bytes += all;
    HD_TRY(e->device->memory(e->device, &free, &total));
    if (all > free && !e->device->budget.spills)
        return hd_fail(e->ctx, HEDDLE_E_DEVICE_MEMORY,
                       "%s: the graph does not fit: %llu bytes wanted for %llu vertices and %llu edges, %llu of %llu "
                       "free",
                       e->device->info.name, (unsigned long long)all, (unsigned long long)e->rows.vertices,
                       (unsigned long long)e->rows.edges, (unsigned long long)free, (unsigned long long)total);
    for (int i = 0; i < BUFFERS; i++) {
        if (e->lent[i] || is_placed(e, i))
            continue;
        if (host && by_entry(i)) {
            HD_TRY(pin(e, i, bytes[i]));
            continue;
        }
        HD_TRY(e->device->allocate(e->device, bytes[i] ? bytes[i] : 16, uses[i], &e->buffer[i]));
        if (i >= WORDS)
            HD_TRY(e->device->fill(e->device, &e->buffer[i], 0, 0, bytes[i]));
    }
    return HEDDLE_OK;
}

/* ---- Upload ----------------------------------------------------------------------------------------------------- */

/* An array that is generated piece by piece: make(e, from, to, stage) fills the elements from .. to. */
typedef void (*maker)(const incore *e, uint64_t from, uint64_t to, void *stage);

static heddle_status upload_made(incore *e, int which, uint64_t count, size_t size, maker make) {
    uint64_t *stage;
    heddle_status status = HEDDLE_OK;
    HD_TRY(HD_NEW(e->ctx, &stage, STAGE, "upload"));
    for (uint64_t from = 0; from < count && status == HEDDLE_OK; from += STAGE) {
        uint64_t to = count - from < STAGE ? count : from + STAGE;
        make(e, from, to, stage);
        status = e->device->upload(e->device, &e->buffer[which], from * size, stage, (to - from) * size);
        if (status == HEDDLE_OK)
            status = e->device->finish(e->device); /* the stage is used again */
        if (status == HEDDLE_OK && hd_advance(e->ctx, 0))
            status = hd_cancelled_status(e->ctx);
    }
    HD_DELETE(&e->ctx->allocator, stage, STAGE);
    return status;
}

static void make_offsets(const incore *e, uint64_t from, uint64_t to, void *stage) {
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t v = from; v < to; v++) {
        uint64_t offset = hd_incore_offset(&e->rows, v);
        if (e->shape.wide)
            ((uint64_t *)stage)[v - from] = offset;
        else
            ((uint32_t *)stage)[v - from] = (uint32_t)offset;
    }
}

static void make_degrees(const incore *e, uint64_t from, uint64_t to, void *stage) {
    const uint64_t *offsets = e->graph->out.offsets;
    const uint32_t *given = e->setup->out_degrees;
    for (uint64_t v = from; v < to; v++)
        ((uint32_t *)stage)[v - from] = given ? given[v] : (uint32_t)(offsets[v + 1] - offsets[v]);
}

static void make_strengths(const incore *e, uint64_t from, uint64_t to, void *stage) {
    for (uint64_t v = from; v < to; v++) {
        if (e->program->in_double)
            ((double *)stage)[v - from] = e->program->strengths[v];
        else
            ((float *)stage)[v - from] = (float)e->program->strengths[v];
    }
}

static void make_in_degrees(const incore *e, uint64_t from, uint64_t to, void *stage) {
    const uint64_t *offsets = e->graph->directed ? e->graph->in.offsets : e->graph->out.offsets;
    const uint32_t *given = e->setup->in_degrees;
    for (uint64_t v = from; v < to; v++)
        ((uint32_t *)stage)[v - from] = given ? given[v] : (uint32_t)(offsets[v + 1] - offsets[v]);
}

static void make_names(const incore *e, uint64_t from, uint64_t to, void *stage) {
    memcpy(stage, e->setup->names + from, (to - from) * sizeof *e->setup->names);
}

static void make_initial(const incore *e, uint64_t from, uint64_t to, void *stage) {
    for (uint64_t v = from; v < to; v++) {
        double value = e->setup->initial ? e->setup->initial[v] : 0;
        if (e->program->in_double)
            ((double *)stage)[v - from] = value;
        else
            ((float *)stage)[v - from] = (float)value;
    }
}

/* Or a hole. */
static bool is_copy(const hd_copies *copies, uint64_t v) {
    return copies && (copies->vertex[v] == UINT32_MAX || copies->place[copies->vertex[v]] != v);
}

static void make_flags(const incore *e, uint64_t from, uint64_t to, void *stage) {
    unsigned char *flags = stage;
    for (uint64_t v = from; v < to; v++)
        flags[v - from] = (e->setup->fixed && e->setup->fixed[v] ? 2 : 0) | (is_copy(e->setup->copies, v) ? 4 : 0);
    for (uint64_t i = 0; i < e->setup->source_count; i++)
        if (e->setup->sources[i] >= from && e->setup->sources[i] < to)
            flags[e->setup->sources[i] - from] |= 1;
}

/* Row by row: words of 4 or 8 bytes of the first direction's edges, then of the second's. */
static void make_merged(const incore *e, const void *first, const void *second, uint64_t from, uint64_t to, size_t size,
                        char *stage) {
    uint64_t low = 0, high = e->rows.vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(hd_incore_offset(&e->rows, middle) <= from ? &low : &high) = middle;
    }
    for (uint64_t v = low, k = from; k < to; v++) {
        uint64_t start = hd_incore_offset(&e->rows, v), end = hd_incore_offset(&e->rows, v + 1);
        uint64_t length = e->rows.first.offsets[v + 1] - e->rows.first.offsets[v];
        for (; k < end && k < to; k++) {
            const char *word = k - start < length
                                   ? (const char *)first + (e->rows.first.offsets[v] + (k - start)) * size
                                   : (const char *)second + (e->rows.second.offsets[v] + (k - start - length)) * size;
            memcpy(stage + (k - from) * size, word, size);
        }
    }
}

static void make_targets(const incore *e, uint64_t from, uint64_t to, void *stage) {
    make_merged(e, e->rows.first.targets, e->rows.second.targets, from, to, 4, stage);
}

static void make_weights(const incore *e, uint64_t from, uint64_t to, void *stage) {
    make_merged(e, e->rows.first.weights, e->rows.second.weights, from, to, hd_weight_size(e->graph->weight_type),
                stage);
}

static heddle_status upload_array(incore *e, int which, const void *from, uint64_t bytes) {
    if (e->pinned[which] && bytes)
        memcpy(e->pinned[which], from, bytes);
    return e->pinned[which] ? HEDDLE_OK : e->device->upload(e->device, &e->buffer[which], 0, from, bytes);
}

static void make_starts(const incore *e, uint64_t from, uint64_t to, void *stage) {
    for (uint64_t i = from; i < to; i++)
        if (e->shape.wide)
            ((uint64_t *)stage)[i - from] = e->shards.starts[i];
        else
            ((uint32_t *)stage)[i - from] = (uint32_t)e->shards.starts[i];
}

static void make_lists(const incore *e, uint64_t from, uint64_t to, void *stage) {
    for (uint64_t i = from; i < to; i++)
        if (e->shape.wide)
            ((uint64_t *)stage)[i - from] = e->shards.lists[i];
        else
            ((uint32_t *)stage)[i - from] = (uint32_t)e->shards.lists[i];
}

static heddle_status upload_shards(incore *e) {
    const hd_shards *s = &e->shards;
    uint64_t count = s->count, word = s->wide ? 8 : 4;
    HD_TRY(upload_made(e, OFFSETS, count + 1, word, make_starts));
    HD_TRY(upload_array(e, TARGETS, s->targets, s->edges * 4));
    HD_TRY(upload_array(e, TOUCHED, s->sources, s->edges * 4));
    if (s->weights)
        HD_TRY(upload_array(e, WEIGHTS, s->weights, s->edges * s->weight_size));
    if (s->degrees)
        HD_TRY(upload_array(e, SPLITS, s->degrees, s->edges * 4));
    if (!s->listed)
        return upload_array(e, LAYOUT, s->windows, (count + 1) * count * 4);
    HD_TRY(upload_array(e, TOUCHED_BITS, s->mapper, s->edges * word));
    return upload_made(e, LAYOUT, count + 1, word, make_lists);
}

/* Rows of both directions, merged; rows of one direction are on the device already. */
static heddle_status upload_rows(incore *e) {
    bool weighted = e->program->weighted && e->graph->weight_type;
    if (e->lent[TARGETS])
        return HEDDLE_OK;
    if (e->shape.shards)
        return upload_shards(e);
    if (!e->shape.no_offsets)
        HD_TRY(upload_made(e, OFFSETS, e->rows.vertices + 1, e->shape.wide ? 8 : 4, make_offsets));
    if (e->shape.span || e->shape.window)
        return HEDDLE_OK;
    if (!e->rows.second.offsets) {
        HD_TRY(upload_array(e, TARGETS, e->rows.first.targets, e->rows.edges * 4));
        return weighted ? upload_array(e, WEIGHTS, e->rows.first.weights,
                                       e->rows.edges * hd_weight_size(e->graph->weight_type))
                        : HEDDLE_OK;
    }
    HD_TRY(upload_made(e, TARGETS, e->rows.edges, 4, make_targets));
    return weighted ? upload_made(e, WEIGHTS, e->rows.edges, hd_weight_size(e->graph->weight_type), make_weights)
                    : HEDDLE_OK;
}

/* Parameters and tolerance, as the device's f64. */
static heddle_status upload_numbers(incore *e) {
    double numbers[HD_NUMBERS] = {0};
    float singles[HD_NUMBERS];
    memcpy(numbers, e->setup->parameter, sizeof e->setup->parameter);
    numbers[HD_TOLERANCE] = e->setup->tolerance;
    for (int i = 0; i < HD_NUMBERS; i++)
        singles[i] = (float)numbers[i];
    bool wide = e->doubles;
    HD_TRY(e->device->upload(e->device, &e->buffer[NUMBERS], 0, wide ? (void *)numbers : singles,
                             wide ? sizeof numbers : sizeof singles));
    return e->device->finish(e->device);
}

heddle_status hd_incore_upload(incore *e) {
    hd_device *d = e->device;
    uint64_t n = e->rows.vertices, limit = e->setup->max_iterations;
    double start = hd_clock();
    e->words[HD_LIMIT] = limit > UINT32_MAX ? 0 : (uint32_t)limit;
    e->words[HD_COUNT] = (uint32_t)e->layout.queue_count;
    e->words[HD_DONE] = e->shape.worklist && e->layout.queue_count == 0;
    e->words[HD_CONVERGED] = e->words[HD_DONE];
    e->words[HD_ORIGINALS] = (uint32_t)hd_incore_visible(e);
    e->words[HD_VERTICES] = (uint32_t)(e->setup->own_vertices ? e->setup->own_vertices : e->graph->vertices);
    e->words[HD_EVERY] = e->setup->every;
    e->words[HD_SEED_LOW] = (uint32_t)e->setup->seed;
    e->words[HD_SEED_HIGH] = (uint32_t)(e->setup->seed >> 32);
    HD_TRY(upload_rows(e));
    HD_TRY(
        upload_made(e, DEGREES, n + e->remote, degree_size(e), e->program->strengths ? make_strengths : make_degrees));
    if (e->shape.in_degrees)
        HD_TRY(upload_made(e, IN_DEGREES, n, 4, make_in_degrees));
    if (e->shape.names)
        HD_TRY(upload_made(e, NAMES, named(e), 4, make_names));
    if (!e->shape.no_initial)
        HD_TRY(upload_made(e, INITIAL, n, e->program->in_double ? 8 : 4, make_initial));
    HD_TRY(upload_made(e, FLAGS, n, 1, make_flags));
    HD_TRY(d->upload(d, &e->buffer[WORDS], 0, e->words, sizeof e->words));
    HD_TRY(d->upload(d, &e->buffer[LAYOUT], 0, e->layout.words, e->layout.room * 4));
    HD_TRY(d->upload(d, &e->buffer[SPLITS], 0, e->layout.splits, e->layout.splits_count * 12));
    HD_TRY(d->upload(d, &e->buffer[QUEUE], 0, e->layout.queue, e->layout.queue_room * 4));
    HD_TRY(d->upload(d, &e->buffer[CLUSTERS], 0, e->clusters.words, e->clusters.words_room * 4));
    HD_TRY(d->upload(d, &e->buffer[CLUSTER_WEIGHTS], 0, e->clusters.weights, e->clusters.weights_bytes));
    if (e->shape.copies)
        HD_TRY(d->upload(d, &e->buffer[COPIES], 0, e->setup->copies->list, e->setup->copies->count * sizeof(hd_copy)));
    HD_TRY(upload_numbers(e));
    e->transfer += hd_clock() - start;
    return HEDDLE_OK;
}
