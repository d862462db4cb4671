/* build.c - a graph from a source of edges, in linear time, without holding an edge list.
 *
 * The source is walked, part by part in parallel, for
 *   1. the survey: which ids occur, what the weights are like, and how many arcs leave each small range of ids;
 *   2. the placing: ranges are joined into buckets of some 10^5 arcs and at most 2^15 vertices, and each arc is written
 *      to its bucket. Positions are known from the counts per part, so every bucket holds its arcs in input order
 *      whatever the threads did;
 *   3. bucket by bucket, in the cache: sorting into rows, loops, duplicates, missing reverse arcs (bucket.c).
 * The array that the arcs were placed in is the finished CSR's target array: beyond it the build needs 2 bytes per
 * arc. Ids that are huge or text need one or two walks more, to collect them.
 *
 * Symmetrising doubles the arcs before it drops those that were there already; it places and finishes one half of the
 * buckets after the other, so that the peak stays low.
 */
#include "graph/build.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "graph/bucket.h"
#include "graph/ids.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_BUCKETS = 2048, MOST_RANGES_LOG = 14, MOST_RANGE_SHIFT = 15 };
/* Arcs placed between two looks at the cancel flag: while the staging arrays are fresh each one may touch a huge page for
 * the first time, and a batch of them would take seconds. */
enum { CHECK_EVERY = 64 };
static const uint64_t bucket_arcs = 1 << 16;

typedef struct bucket {
    uint64_t start;  /* of its arcs in the staging arrays; end = next bucket's start */
    uint32_t first;  /* vertex */
    uint32_t vertices;
    uint64_t kept;   /* arcs left by the rules */
} bucket;

/* What one part of the source learns in the survey. */
typedef struct part_survey {
    uint64_t edges;
    double weight_min, weight_max;
    bool beyond; /* an id outside the dense range */
    bool failed; /* memory */
    hd_id_set set;
    hd_cursor cursor; /* as the walk left it */
} part_survey;

typedef struct builder {
    heddle_context *ctx;
    const hd_edge_source *source;
    const heddle_build_options *options;
    hd_bucket_rules rules;
    bool both;           /* every edge leaves arcs in both end points' rows */
    bool undirected;     /* the result */
    bool skew_flattened; /* a skew-symmetric matrix symmetrised: both arcs get the smaller weight, -|w| */

    part_survey *parts;
    hd_id_map map;
    bool ids_unsigned;
    uint64_t edges;
    heddle_weight_type weight_type;

    /* ranges of keys, a key being the vertex, or, when the map was not yet known at the counting, the id;
     * range = key >> shift */
    bool keys_are_ids;
    int shift;
    uint64_t ranges;
    uint32_t *counts; /* parts x ranges: arcs */
    uint64_t counts_size;

    uint32_t *bucket_of; /* range -> bucket */
    bucket *buckets;     /* bucket_count + 1 */
    uint64_t bucket_count;
    uint64_t *positions; /* parts x bucket_count */

    hd_arcs staged;
    uint64_t staged_arcs;  /* capacity of target and weight */
    uint64_t staged_local; /* capacity of local */
    uint64_t *offsets;
} builder;

/* ---- Walking ---------------------------------------------------------------------------------------------------- */

/* Handles a batch of part `part`; false stops the walk (the visitor has noted why). */
typedef bool (*visit_fn)(builder *b, uint64_t part, const hd_edge_batch *batch);

static void walk_part(builder *b, uint64_t part, visit_fn visit, hd_edge_batch *batch) {
    const hd_edge_source *source = b->source;
    hd_cursor *cursor = &b->parts[part].cursor;
    *cursor = (hd_cursor){.part = part};
    source->begin(source->self, cursor);
    for (;;) {
        uint64_t before = cursor->position;
        batch->count = 0;
        source->next(source->self, cursor, batch);
        if (batch->count == 0 || !visit(b, part, batch))
            return;
        if (hd_advance(b->ctx, cursor->position - before))
            return;
    }
}

/* Walks all parts; the first error in input order wins. */
static heddle_status walk(builder *b, const char *phase, visit_fn visit) {
    heddle_context *ctx = b->ctx;
    bool failed = false;
    hd_phase_begin(ctx, phase, b->source->work);
    HD_PARALLEL(ctx, reduction(|| : failed)) {
        hd_edge_batch *batch = hd_alloc(&ctx->allocator, sizeof *batch);
        failed = failed || !batch;
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t part = 0; part < b->source->parts; part++)
            if (batch && !hd_cancelled(ctx))
                walk_part(b, part, visit, batch);
        HD_DELETE(&ctx->allocator, batch, 1);
    }
    hd_phase_end(ctx);
    for (uint64_t part = 0; part < b->source->parts; part++)
        if (b->parts[part].cursor.expected)
            return b->source->fail(b->source->self, ctx, &b->parts[part].cursor);
    for (uint64_t part = 0; part < b->source->parts; part++)
        failed = failed || b->parts[part].failed;
    HD_TRY(hd_cancelled_status(ctx));
    return failed ? hd_fail_memory(ctx, sizeof(hd_edge_batch), "walking the edges") : HEDDLE_OK;
}

/* ---- The survey ------------------------------------------------------------------------------------------------- */

static void survey_weights(part_survey *survey, const hd_edge_batch *batch) {
    double low = survey->weight_min, high = survey->weight_max;
    for (size_t i = 0; i < batch->count; i++) {
        low = batch->weight[i] < low ? batch->weight[i] : low;
        high = batch->weight[i] > high ? batch->weight[i] : high;
    }
    survey->weight_min = low;
    survey->weight_max = high;
}

/* Loops are placed once even where other edges leave an arc at both ends. */
static void count_keys(builder *b, uint64_t part, const hd_edge_batch *batch, uint64_t base) {
    uint32_t *counts = b->counts + part * b->ranges;
    for (size_t i = 0; i < batch->count; i++)
        counts[(batch->source[i] - base) >> b->shift]++;
    for (size_t i = 0; b->both && i < batch->count; i++)
        counts[(batch->target[i] - base) >> b->shift] += batch->source[i] != batch->target[i];
}

/* Known ids: the keys are there at once. */
static bool survey_known(builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint64_t base = (uint64_t)b->source->base;
    b->parts[part].edges += batch->count;
    if (b->source->weighted)
        survey_weights(&b->parts[part], batch);
    count_keys(b, part, batch, base);
    return true;
}

/* Ids expected to be small: mark them, and take the ids themselves as keys. */
static bool survey_dense(builder *b, uint64_t part, const hd_edge_batch *batch) {
    part_survey *survey = &b->parts[part];
    survey->edges += batch->count;
    if (b->source->weighted)
        survey_weights(survey, batch);
    if (survey->beyond || !hd_id_map_mark(&b->map, batch->source, batch->count) ||
        !hd_id_map_mark(&b->map, batch->target, batch->count)) {
        survey->beyond = true; /* go on: errors further down must be found all the same */
        return true;
    }
    count_keys(b, part, batch, 0);
    return true;
}

static bool survey_collect(builder *b, uint64_t part, const hd_edge_batch *batch) {
    part_survey *survey = &b->parts[part];
    survey->edges += batch->count;
    if (b->source->weighted)
        survey_weights(survey, batch);
    /* source and target by turns: labels are numbered in the order of the text */
    for (size_t i = 0; i < batch->count && !survey->failed; i++) {
        uint64_t ends[2] = {batch->source[i], batch->target[i]};
        survey->failed = !hd_id_set_add(b->ctx, &survey->set, ends, 2);
    }
    return !survey->failed;
}

/* Once the map is there: counts vertices as keys. */
static bool count_mapped(builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint32_t from[HD_BATCH], to[HD_BATCH], *counts = b->counts + part * b->ranges;
    hd_id_map_apply(&b->map, batch->source, from, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        counts[from[i] >> b->shift]++;
    if (!b->both)
        return true;
    hd_id_map_apply(&b->map, batch->target, to, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        counts[to[i] >> b->shift] += from[i] != to[i];
    return true;
}

static void reset_parts(builder *b) {
    for (uint64_t part = 0; part < b->source->parts; part++) {
        hd_id_set_free(b->ctx, &b->parts[part].set);
        b->parts[part] = (part_survey){.weight_min = INFINITY, .weight_max = -INFINITY, .set.text = b->source->text};
    }
}

/* Lays out ranges over keys 0 .. keys-1 and clears their counts. */
static heddle_status lay_ranges(builder *b, uint64_t keys) {
    b->shift = 0;
    while (b->shift < MOST_RANGE_SHIFT && (keys >> b->shift) >= (UINT64_C(1) << MOST_RANGES_LOG))
        b->shift++;
    HD_DELETE(&b->ctx->allocator, b->counts, b->counts_size);
    b->ranges = (keys >> b->shift) + 1;
    b->counts_size = b->ranges * b->source->parts;
    return HD_NEW_ZERO(b->ctx, &b->counts, b->counts_size, "counting arcs");
}

/* The largest id in the first batch of each part, to size the bits by. */
static uint64_t sample_largest(builder *b) {
    hd_edge_batch *batch = hd_alloc(&b->ctx->allocator, sizeof *batch);
    uint64_t largest = 0;
    for (uint64_t part = 0; batch && part < b->source->parts; part++) {
        hd_cursor cursor = {.part = part};
        b->source->begin(b->source->self, &cursor);
        batch->count = 0;
        b->source->next(b->source->self, &cursor, batch);
        for (size_t i = 0; i < batch->count; i++) {
            largest = batch->source[i] > largest ? batch->source[i] : largest;
            largest = batch->target[i] > largest ? batch->target[i] : largest;
        }
    }
    HD_DELETE(&b->ctx->allocator, batch, 1);
    return largest;
}

static heddle_status survey_dense_below(builder *b, uint64_t limit, bool *beyond) {
    heddle_context *ctx = b->ctx;
    reset_parts(b);
    hd_id_map_free(ctx, &b->map);
    b->map = (hd_id_map){.kind = HD_MAP_RANK, .words = limit / 64 + 1};
    HD_TRY(HD_NEW_ZERO(ctx, &b->map.bits, b->map.words, "marks of ids"));
    HD_TRY(lay_ranges(b, b->map.words * 64));
    HD_TRY(walk(b, b->source->phase, survey_dense));
    *beyond = false;
    for (uint64_t part = 0; part < b->source->parts; part++)
        *beyond = *beyond || b->parts[part].beyond;
    return HEDDLE_OK;
}

/* Tries bits sized by a sample of the ids, then by the source's hint; whether the ids are too large for both is told
 * by *beyond. */
static heddle_status survey_small_ids(builder *b, bool *beyond) {
    uint64_t hint = b->source->id_hint, sampled = sample_largest(b);
    if (hint < b->source->vertices)
        hint = b->source->vertices;
    *beyond = sampled > hint;
    if (*beyond)
        return HEDDLE_OK;
    uint64_t guess = sampled * 2 + 1024;
    if (guess < b->source->vertices)
        guess = b->source->vertices;
    HD_TRY(survey_dense_below(b, guess, beyond));
    if (*beyond && guess < hint)
        HD_TRY(survey_dense_below(b, hint, beyond));
    return HEDDLE_OK;
}

static heddle_status survey_by_sets(builder *b, hd_map_kind kind) {
    heddle_context *ctx = b->ctx;
    uint64_t parts = b->source->parts;
    reset_parts(b);
    hd_id_map_free(ctx, &b->map);
    b->map = (hd_id_map){.kind = kind, .text = b->source->text};
    HD_TRY(walk(b, b->source->phase, survey_collect));
    for (uint64_t part = 0; part < parts; part++)
        b->ids_unsigned |= b->parts[part].cursor.seen_large;
    hd_id_set *sets;
    HD_TRY(HD_NEW(ctx, &sets, parts, "sets of ids"));
    for (uint64_t part = 0; part < parts; part++) {
        sets[part] = b->parts[part].set;
        b->parts[part].set = (hd_id_set){.text = NULL};
    }
    heddle_status status = hd_id_map_from_sets(ctx, &b->map, sets, parts, b->ids_unsigned);
    for (uint64_t part = 0; part < parts; part++)
        hd_id_set_free(ctx, &sets[part]);
    HD_DELETE(&ctx->allocator, sets, parts);
    HD_TRY(status);
    HD_TRY(lay_ranges(b, b->map.vertices));
    return HEDDLE_OK;
}

/* A demanded number of vertices: ids must be 0 .. n-1, or 1 .. n. */
static heddle_status demand_vertices(builder *b, uint64_t lowest, uint64_t highest) {
    uint64_t n = b->source->vertices;
    bool one_based = highest == n && lowest >= 1;
    if (highest >= n && !one_based)
        return hd_fail(b->ctx, HEDDLE_E_ARGUMENT, "%llu vertices were asked for, but id %llu occurs",
                       (unsigned long long)n, (unsigned long long)highest);
    hd_id_map_free(b->ctx, &b->map);
    b->map = (hd_id_map){.kind = HD_MAP_IDENTITY, .vertices = n, .base = one_based ? 1 : 0};
    return HEDDLE_OK;
}

static heddle_status rank_ids(builder *b) {
    hd_id_map *map = &b->map;
    if (b->source->vertices && b->edges) {
        uint64_t low = 0, high = map->words - 1;
        while (!map->bits[low])
            low++;
        while (!map->bits[high])
            high--;
        return demand_vertices(b, low * 64 + (uint64_t)__builtin_ctzll(map->bits[low]),
                               high * 64 + 63 - (uint64_t)__builtin_clzll(map->bits[high]));
    }
    if (b->source->vertices)
        return demand_vertices(b, 0, 0);
    return hd_id_map_rank(b->ctx, map);
}

static void sum_edges(builder *b) {
    b->edges = 0;
    for (uint64_t part = 0; part < b->source->parts; part++)
        b->edges += b->parts[part].edges;
}

/* Walk 1: ids, weights, counts. Leaves the map and the counts per range. */
static heddle_status survey(builder *b) {
    const hd_edge_source *source = b->source;
    bool beyond = true;
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->parts, source->parts, "parts of the input"));
    reset_parts(b);
    if (source->ids == HD_IDS_KNOWN) {
        b->map = (hd_id_map){
            .kind = HD_MAP_IDENTITY, .vertices = source->vertices, .base = (uint64_t)source->base};
        HD_TRY(lay_ranges(b, source->vertices));
        HD_TRY(walk(b, source->phase, survey_known));
        sum_edges(b);
        return HEDDLE_OK;
    }
    if (source->ids == HD_IDS_DISCOVER)
        HD_TRY(survey_small_ids(b, &beyond));
    if (!beyond) {
        b->keys_are_ids = true;
        sum_edges(b);
        return rank_ids(b);
    }
    HD_TRY(survey_by_sets(b, source->ids == HD_IDS_TEXT ? HD_MAP_TEXT : HD_MAP_HASH));
    sum_edges(b);
    if (source->vertices && source->ids == HD_IDS_DISCOVER && b->map.vertices)
        return hd_fail(b->ctx, HEDDLE_E_ARGUMENT, "%llu vertices were asked for, but ids lie outside 0 .. %llu",
                       (unsigned long long)source->vertices, (unsigned long long)source->vertices);
    return walk(b, "count", count_mapped);
}

/* Integers get the unsigned type when all are >= 0, the signed one when all fit it; a fraction anywhere makes all f32. */
static heddle_status choose_weight_type(builder *b) {
    double low = INFINITY, high = -INFINITY;
    bool real = false;
    b->weight_type = b->source->weighted ? b->source->weight_type : HEDDLE_WEIGHT_NONE;
    if (!b->source->weighted)
        return HEDDLE_OK;
    for (uint64_t part = 0; part < b->source->parts; part++) {
        low = fmin(low, b->parts[part].weight_min);
        high = fmax(high, b->parts[part].weight_max);
        real = real || b->parts[part].cursor.seen_real;
    }
    if (b->source->mirror && b->source->skew) {
        double negated = -high;
        high = fmax(high, -low);
        low = fmin(low, negated);
    }
    if (b->weight_type == HEDDLE_WEIGHT_NONE)
        b->weight_type = real ? HEDDLE_WEIGHT_F32 : low < 0 ? HEDDLE_WEIGHT_I32 : HEDDLE_WEIGHT_U32;
    bool fits = b->edges == 0 || (b->weight_type == HEDDLE_WEIGHT_F32   ? low >= -FLT_MAX && high <= FLT_MAX
                                  : b->weight_type == HEDDLE_WEIGHT_U32 ? low >= 0 && high <= UINT32_MAX
                                                                        : low >= INT32_MIN && high <= INT32_MAX);
    return fits ? HEDDLE_OK
                : hd_fail(b->ctx, HEDDLE_E_FORMAT, "weights from %.17g to %.17g do not fit 32 bits", low, high);
}

/* ---- Buckets ---------------------------------------------------------------------------------------------------- */

/* The first vertex of a range. */
static uint64_t range_first(const builder *b, uint64_t range) {
    uint64_t key = range << b->shift;
    if (b->map.kind == HD_MAP_RANK)
        return hd_id_map_rank_of(&b->map, key);
    if (b->keys_are_ids)
        key = key > b->map.base ? key - b->map.base : 0;
    return key < b->map.vertices ? key : b->map.vertices;
}

static uint64_t range_arcs(const builder *b, uint64_t range) {
    uint64_t arcs = 0;
    for (uint64_t part = 0; part < b->source->parts; part++)
        arcs += b->counts[part * b->ranges + range];
    return arcs;
}

/* Joins ranges into buckets. */
static heddle_status lay_buckets(builder *b) {
    heddle_context *ctx = b->ctx;
    uint64_t total = b->edges * (b->both ? 2 : 1), most = total / MOST_BUCKETS + 1, at = 0;
    most = most < bucket_arcs ? bucket_arcs : most;
    HD_TRY(HD_NEW(ctx, &b->bucket_of, b->ranges, "buckets"));
    HD_TRY(HD_NEW_ZERO(ctx, &b->buckets, b->ranges + 1, "buckets"));
    bucket *current = b->buckets;
    for (uint64_t range = 0; range < b->ranges; range++) {
        uint64_t arcs = range_arcs(b, range), end = range_first(b, range + 1);
        bool full = at - current->start + arcs > most || end - current->first > HD_BUCKET_VERTICES;
        if (full && current->vertices) {
            current++;
            current->start = at;
            current->first = (uint32_t)range_first(b, range);
        }
        current->vertices = (uint32_t)(end - current->first);
        b->bucket_of[range] = (uint32_t)(current - b->buckets);
        at += arcs;
    }
    b->bucket_count = (uint64_t)(current - b->buckets) + 1;
    b->buckets[b->bucket_count].start = at;
    return HEDDLE_OK;
}

/* Where each part starts writing in each bucket. */
static heddle_status lay_positions(builder *b) {
    uint64_t parts = b->source->parts, *at;
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->positions, parts * b->bucket_count, "positions"));
    HD_PARALLEL_FOR(b->ctx, schedule(static))
    for (uint64_t part = 0; part < parts; part++)
        for (uint64_t range = 0; range < b->ranges; range++)
            b->positions[part * b->bucket_count + b->bucket_of[range]] += b->counts[part * b->ranges + range];
    for (uint64_t k = 0; k < b->bucket_count; k++) {
        uint64_t sum = b->buckets[k].start;
        for (uint64_t part = 0; part < parts; part++) {
            at = &b->positions[part * b->bucket_count + k];
            uint64_t count = *at;
            *at = sum;
            sum += count;
        }
    }
    HD_DELETE(&b->ctx->allocator, b->counts, b->counts_size);
    return HEDDLE_OK;
}

/* ---- Placing ---------------------------------------------------------------------------------------------------- */

static uint32_t weight_bits(heddle_weight_type type, double weight) {
    uint32_t bits;
    float single;
    switch (type) {
    case HEDDLE_WEIGHT_U32: return (uint32_t)weight;
    case HEDDLE_WEIGHT_I32: return (uint32_t)(int32_t)weight;
    case HEDDLE_WEIGHT_F32:
        single = (float)weight;
        memcpy(&bits, &single, sizeof bits);
        return bits;
    default: return 0;
    }
}

/* The round being placed: buckets [first, last), whose arcs move down by `shift` in the staging arrays. */
typedef struct placing {
    uint64_t first, last;
    uint64_t start; /* staged position of the first bucket before the move */
    uint64_t base;  /* and after it */
} placing;

typedef struct arc_writer {
    const builder *b;
    uint64_t *positions;
    placing round;
} arc_writer;

static inline void place_arc(const arc_writer *w, uint64_t range, uint32_t from, uint32_t to, uint32_t weight,
                             uint32_t tag) {
    const builder *b = w->b;
    uint64_t k = b->bucket_of[range];
    if (k < w->round.first || k >= w->round.last)
        return;
    uint64_t at = w->positions[k]++ - w->round.start;
    b->staged.local[at] = (uint16_t)((from - b->buckets[k].first) | tag);
    b->staged.target[w->round.base + at] = to;
    if (b->staged.weight)
        b->staged.weight[w->round.base + at] = weight;
}

static inline uint64_t key_range(const builder *b, uint64_t raw, uint32_t vertex) {
    return (b->keys_are_ids ? raw : vertex) >> b->shift;
}

static void place_batch(const arc_writer *w, const hd_edge_batch *batch, const uint32_t *from, const uint32_t *to) {
    const builder *b = w->b;
    const hd_edge_source *source = b->source;
    uint32_t tag = b->rules.symmetrize ? HD_BUCKET_REVERSE : 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (i % CHECK_EVERY == 0 && hd_cancelled(b->ctx))
            return;
        double value = source->weighted ? batch->weight[i] : 0;
        if (b->skew_flattened)
            value = -fabs(value);
        place_arc(w, key_range(b, batch->source[i], from[i]), from[i], to[i], weight_bits(b->weight_type, value), 0);
        if (!b->both || from[i] == to[i])
            continue;
        if (source->skew && !b->skew_flattened)
            value = -value;
        place_arc(w, key_range(b, batch->target[i], to[i]), to[i], from[i], weight_bits(b->weight_type, value), tag);
    }
}

/* The same for the plain case: one round, one arc per edge, no weights. */
static void place_batch_plain(const arc_writer *w, const hd_edge_batch *batch, const uint32_t *from,
                              const uint32_t *to) {
    const builder *b = w->b;
    for (size_t i = 0; i < batch->count; i++) {
        if (i % CHECK_EVERY == 0 && hd_cancelled(b->ctx))
            return;
        uint64_t k = b->bucket_of[key_range(b, batch->source[i], from[i])];
        uint64_t at = w->positions[k]++;
        b->staged.local[at] = (uint16_t)(from[i] - b->buckets[k].first);
        b->staged.target[at] = to[i];
    }
}

static void place_part(builder *b, uint64_t part, placing round, hd_edge_batch *batch) {
    const hd_edge_source *source = b->source;
    arc_writer writer = {b, b->positions + part * b->bucket_count, round};
    bool plain = !b->both && !source->weighted && round.base == 0 && round.first == 0;
    uint32_t from[HD_BATCH], to[HD_BATCH];
    hd_cursor cursor = {.part = part};
    source->begin(source->self, &cursor);
    for (;;) {
        uint64_t before = cursor.position;
        batch->count = 0;
        source->next(source->self, &cursor, batch);
        if (batch->count == 0)
            return;
        hd_id_map_apply(&b->map, batch->source, from, batch->count);
        hd_id_map_apply(&b->map, batch->target, to, batch->count);
        if (plain)
            place_batch_plain(&writer, batch, from, to);
        else
            place_batch(&writer, batch, from, to);
        if (hd_advance(b->ctx, cursor.position - before))
            return;
    }
}

static heddle_status place(builder *b, placing round) {
    heddle_context *ctx = b->ctx;
    bool failed = false;
    hd_phase_begin(ctx, "build", b->source->work);
    HD_PARALLEL(ctx, reduction(|| : failed)) {
        hd_edge_batch *batch = hd_alloc(&ctx->allocator, sizeof *batch);
        failed = failed || !batch;
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t part = 0; part < b->source->parts; part++)
            if (batch && !hd_cancelled(ctx))
                place_part(b, part, round, batch);
        HD_DELETE(&ctx->allocator, batch, 1);
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    return failed ? hd_fail_memory(ctx, sizeof(hd_edge_batch), "walking the edges") : HEDDLE_OK;
}

/* ---- Finishing -------------------------------------------------------------------------------------------------- */

static heddle_status finish_round(builder *b, placing round) {
    heddle_context *ctx = b->ctx;
    heddle_status worst = HEDDLE_OK;
    hd_phase_begin(ctx, "sort", round.last - round.first);
    HD_PARALLEL(ctx) {
        hd_bucket_scratch scratch = {.capacity = 0};
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t k = round.first; k < round.last; k++) {
            bucket *each = &b->buckets[k];
            uint64_t at = each->start - round.start;
            hd_arcs arcs = {b->staged.local + at, b->staged.target + round.base + at,
                            b->staged.weight ? b->staged.weight + round.base + at : NULL};
            if (hd_cancelled(ctx))
                continue;
            heddle_status status =
                hd_bucket_finish(&ctx->allocator, &b->rules, arcs, each[1].start - each->start, each->first,
                                 each->vertices, &scratch, b->offsets + each->first, &each->kept);
            if (status != HEDDLE_OK)
                hd_store(&worst, status);
            hd_advance(ctx, 1);
        }
        hd_bucket_scratch_free(&ctx->allocator, &scratch);
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    if (worst == HEDDLE_E_MEMORY)
        return hd_fail_memory(ctx, b->staged_local, "sorting rows");
    return worst == HEDDLE_OK ? HEDDLE_OK
                              : hd_fail(ctx, worst, "the sum of duplicate arcs' weights leaves 32 bits");
}

/* Closes the gaps between the round's buckets; returns where the next arc goes. */
static uint64_t close_gaps(builder *b, placing round) {
    uint64_t out = round.base;
    for (uint64_t k = round.first; k < round.last; k++) {
        uint64_t at = round.base + b->buckets[k].start - round.start, kept = b->buckets[k].kept;
        if (at != out) {
            memmove(b->staged.target + out, b->staged.target + at, kept * sizeof *b->staged.target);
            if (b->staged.weight)
                memmove(b->staged.weight + out, b->staged.weight + at, kept * sizeof *b->staged.weight);
        }
        out += kept;
    }
    return out;
}

static uint64_t round_local(const builder *b, uint64_t middle) {
    uint64_t total = b->buckets[b->bucket_count].start, first = b->buckets[middle].start;
    return first > total - first ? first : total - first;
}

/* The bucket at which the second of two rounds starts. */
static uint64_t middle_bucket(const builder *b) {
    uint64_t half = b->buckets[b->bucket_count].start / 2, k = 0;
    while (k < b->bucket_count && b->buckets[k].start < half)
        k++;
    return k;
}

static heddle_status place_and_finish(builder *b, uint64_t *arcs) {
    heddle_context *ctx = b->ctx;
    uint64_t total = b->buckets[b->bucket_count].start;
    uint64_t middle = b->rules.symmetrize ? middle_bucket(b) : b->bucket_count;
    uint64_t splits[3] = {0, middle, b->bucket_count}, base = 0;
    b->staged_arcs = total;
    b->staged_local = round_local(b, middle);
    HD_TRY(HD_NEW(ctx, &b->staged.target, total, "edge targets"));
    HD_TRY(HD_NEW(ctx, &b->staged.local, b->staged_local, "placing arcs"));
    if (b->weight_type != HEDDLE_WEIGHT_NONE)
        HD_TRY(HD_NEW(ctx, &b->staged.weight, total, "edge weights"));
    for (int r = 0; r < 2 && splits[r] < splits[r + 1]; r++) {
        placing round = {splits[r], splits[r + 1], b->buckets[splits[r]].start, base};
        HD_TRY(place(b, round));
        HD_TRY(finish_round(b, round));
        base = close_gaps(b, round);
    }
    *arcs = base;
    return HEDDLE_OK;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static void release(builder *b) {
    heddle_context *ctx = b->ctx;
    const heddle_allocator *allocator = &ctx->allocator;
    if (b->parts)
        reset_parts(b);
    HD_DELETE(allocator, b->parts, b->source->parts);
    hd_id_map_free(ctx, &b->map);
    HD_DELETE(allocator, b->counts, b->counts_size);
    HD_DELETE(allocator, b->bucket_of, b->ranges);
    HD_DELETE(allocator, b->buckets, b->ranges + 1);
    HD_DELETE(allocator, b->positions, b->source->parts * b->bucket_count);
    HD_DELETE(allocator, b->staged.local, b->staged_local);
    HD_DELETE(allocator, b->staged.target, b->staged_arcs);
    HD_DELETE(allocator, b->staged.weight, b->staged_arcs);
    HD_DELETE(allocator, b->offsets, b->map.vertices + 1);
}

/* Moves the arrays over to the graph, cut to size. */
static heddle_status hand_over(builder *b, uint64_t arcs, heddle_graph *graph) {
    const heddle_allocator *allocator = &b->ctx->allocator;
    uint64_t n = b->map.vertices;
    graph->vertices = n;
    graph->edges = arcs;
    graph->directed = !b->undirected;
    graph->weight_type = b->weight_type;
    graph->out.owned = true;
    if (arcs != b->staged_arcs) {
        uint32_t *fitted = hd_resize(allocator, b->staged.target, b->staged_arcs * 4, arcs * 4);
        if (!fitted)
            return hd_fail_memory(b->ctx, arcs * 4, "edge targets");
        graph->out.targets = fitted;
        b->staged.target = NULL;
        if (b->staged.weight) {
            fitted = hd_resize(allocator, b->staged.weight, b->staged_arcs * 4, arcs * 4);
            if (!fitted)
                return hd_fail_memory(b->ctx, arcs * 4, "edge weights");
        }
        graph->out.weights = b->staged.weight ? fitted : NULL;
    } else {
        graph->out.targets = b->staged.target;
        graph->out.weights = b->staged.weight;
    }
    b->staged.target = b->staged.weight = NULL;
    graph->out.offsets = b->offsets;
    b->offsets = NULL;
    return hd_ids_from_map(b->ctx, &b->map, b->ids_unsigned, &graph->ids);
}

static heddle_status build(builder *b, heddle_graph *graph) {
    heddle_context *ctx = b->ctx;
    uint64_t arcs;
    HD_TRY(survey(b));
    bool negative = false, large = false;
    for (uint64_t part = 0; part < b->source->parts; part++) {
        negative = negative || b->parts[part].cursor.seen_negative;
        large = large || b->parts[part].cursor.seen_large;
    }
    if (b->source->complete)
        HD_TRY(b->source->complete(b->source->self, ctx, b->edges));
    if (negative && large)
        return hd_fail(ctx, HEDDLE_E_FORMAT, "negative ids and ids past 2^63 - 1 in one graph");
    HD_TRY(choose_weight_type(b));
    b->rules.weight_type = b->weight_type;
    b->rules.target_bits = 64 - __builtin_clzll(b->map.vertices | 1);
    HD_TRY(lay_buckets(b));
    HD_TRY(lay_positions(b));
    HD_TRY(HD_NEW_ZERO(ctx, &b->offsets, b->map.vertices + 1, "row offsets"));
    HD_TRY(place_and_finish(b, &arcs));
    hd_prefix_sum(ctx, b->offsets, b->map.vertices);
    return hand_over(b, arcs, graph);
}

heddle_status hd_graph_build(heddle_context *ctx, const hd_edge_source *source, const heddle_build_options *options,
                             heddle_graph **graph) {
    builder b = {.ctx = ctx, .source = source, .options = options};
    b.undirected = source->undirected || options->symmetrize;
    b.skew_flattened = source->skew && options->symmetrize;
    b.rules.drop_loops = options->drop_loops;
    b.rules.symmetrize = options->symmetrize && !source->undirected && !source->mirror;
    b.rules.duplicates = options->duplicates;
    /* Where both arcs are listed apart, "first" may differ between them; the smaller weight is the same for both. */
    if (options->duplicates == HEDDLE_DUPLICATES_FIRST && source->undirected && !source->mirror)
        b.rules.duplicates = HEDDLE_DUPLICATES_MIN;
    b.both = source->mirror || b.rules.symmetrize;
    *graph = NULL;
    HD_TRY(hd_graph_new(ctx, graph));
    heddle_status status = build(&b, *graph);
    release(&b);
    if (status == HEDDLE_OK && options->drop_isolated)
        status = hd_graph_drop_isolated(ctx, *graph);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(graph);
    return status;
}
