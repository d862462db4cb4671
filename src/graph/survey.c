/* survey.c - the first pass over an edge source: which ids occur, the type and range of the weights, and how many arcs
 * leave each small range of ids, per part. Ids that are huge or text are collected first, and counted in a second
 * pass. */
#include "base/limit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "graph/builder.h"

#include <float.h>
#include <math.h>

enum { MOST_RANGES_LOG = 14, MOST_RANGE_SHIFT = 15 };
/* Positions of a source between two times that pages are given back. */
enum { GIVE_BACK = 1 << 19 };
/* The counts of arcs take at most this share of a memory limit, if ranges need not be larger than a bucket for it. */
enum { COUNTS_SHARE = 16 };

/* ---- Walking ---------------------------------------------------------------------------------------------------- */

/* Gives back the pages of mapped files at positions that were read, and around them: the system maps some more. */
static void give_back(const hd_edge_source *source, uint64_t from, uint64_t to) {
    static const uint64_t around = 1 << 18;
    for (size_t i = 0; i < sizeof source->behind / sizeof *source->behind; i++) {
        const struct hd_behind *file = &source->behind[i];
        uint64_t first = file->unit ? from * file->unit : 0, last = file->unit ? to * file->unit : file->bytes;
        first = first > around ? first - around : 0;
        last = file->bytes - last > around ? last + around : file->bytes;
        if (file->data)
            hd_pages_release((const char *)file->data + first, last - first);
    }
}

static void walk_part(hd_builder *b, uint64_t part, hd_visit visit, hd_edge_batch *batch) {
    const hd_edge_source *source = b->source;
    hd_cursor *cursor = &b->parts[part].cursor;
    *cursor = (hd_cursor){.part = part};
    source->begin(source->self, cursor);
    uint64_t given_back = cursor->position;
    for (;;) {
        uint64_t before = cursor->position;
        batch->count = 0;
        source->next(source->self, cursor, batch);
        if (b->ctx->limit && (cursor->position - given_back >= GIVE_BACK || batch->count == 0)) {
            give_back(source, given_back, cursor->position);
            given_back = cursor->position;
        }
        if (batch->count == 0 || !visit(b, part, batch))
            break;
        if (hd_advance(b->ctx, cursor->position - before))
            break;
    }
    if (b->leave)
        b->leave(b, part);
}

/* A reader that maps a file names it instead when it sees that the file was written to. */
heddle_status hd_builder_fail_changed(const hd_builder *b) {
    return hd_fail(b->ctx, HEDDLE_E_READ, "the edges changed while they were read");
}

static bool survey_collect(hd_builder *b, uint64_t part, const hd_edge_batch *batch);

heddle_status hd_builder_walk(hd_builder *b, const char *phase, hd_visit visit) {
    heddle_context *ctx = b->ctx;
    bool failed = false, changed = false;
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
    for (uint64_t part = 0; part < b->source->parts; part++) {
        failed = failed || b->parts[part].failed;
        changed = changed || b->parts[part].changed;
    }
    HD_TRY(hd_cancelled_status(ctx));
    if (changed)
        return hd_builder_fail_changed(b);
    return failed ? hd_fail_memory(ctx, sizeof(hd_edge_batch),
                                   visit == survey_collect ? "the ids that occur" : "walking the edges")
                  : HEDDLE_OK;
}

/* ---- The survey ------------------------------------------------------------------------------------------------- */

static void survey_weights(const hd_builder *b, hd_part_survey *survey, const hd_edge_batch *batch) {
    double low = survey->weight_min, high = survey->weight_max;
    for (size_t i = 0; i < batch->count; i++) {
        low = batch->weight[i] < low ? batch->weight[i] : low;
        high = batch->weight[i] > high ? batch->weight[i] : high;
    }
    survey->weight_min = low;
    survey->weight_max = high;
    bool choice = b->ctx->weight_type; /* the caller's */
    if (choice || !b->source->weight_type) {
        int inexact = 0;
        for (size_t i = 0; i < batch->count; i++)
            inexact |= (double)(float)batch->weight[i] != batch->weight[i];
        survey->inexact |= inexact;
        for (size_t i = 0; choice && i < batch->count; i++)
            survey->fraction |= batch->weight[i] != rint(batch->weight[i]);
    }
}

/* Loops are placed once even where other edges leave an arc at both ends. */
static void count_keys(hd_builder *b, uint64_t part, const hd_edge_batch *batch, uint64_t base) {
    uint32_t *counts = b->counts + part * b->ranges;
    for (size_t i = 0; i < batch->count; i++)
        counts[(batch->source[i] - base) >> b->shift]++;
    for (size_t i = 0; b->both && i < batch->count; i++)
        counts[(batch->target[i] - base) >> b->shift] += batch->source[i] != batch->target[i];
}

/* When symmetrising: records the edge if it is in the sample. Loops do not matter. */
static bool sample(hd_builder *b, uint64_t part, uint64_t from, uint64_t to) {
    uint64_t hash = hd_pair_hash(from, to);
    if (__builtin_expect(hash > b->sample_limit || from == to, 1))
        return true;
    return hd_pairs_add(b->ctx, &b->parts[part].pairs, (hash & ~UINT64_C(1)) | (from > to));
}

static bool sample_batch(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    bool fine = true;
    for (size_t i = 0; b->rules.symmetrize && i < batch->count; i++)
        fine &= sample(b, part, batch->source[i], batch->target[i]);
    b->parts[part].failed |= !fine;
    return fine;
}

/* Known ids: keys are the ids minus the base. */
static bool survey_known(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint64_t base = (uint64_t)b->source->base;
    b->parts[part].edges += batch->count;
    if (b->source->weighted)
        survey_weights(b, &b->parts[part], batch);
    count_keys(b, part, batch, base);
    return sample_batch(b, part, batch);
}

/* Ids expected to be small: marks them in the bitmap, and uses the ids themselves as keys. */
static bool survey_dense(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    hd_part_survey *survey = &b->parts[part];
    survey->edges += batch->count;
    if (b->source->weighted)
        survey_weights(b, survey, batch);
    if (survey->beyond || !hd_id_map_mark(&b->map, batch->source, batch->count) ||
        !hd_id_map_mark(&b->map, batch->target, batch->count)) {
        survey->beyond = true; /* continue: later syntax errors must still be found */
        return true;
    }
    count_keys(b, part, batch, 0);
    return sample_batch(b, part, batch);
}

/* Under a memory limit one thread reads all parts, into one set: sets of their own would hold ids several times. */
static bool survey_collect(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    hd_part_survey *survey = &b->parts[part];
    hd_id_set *set = b->ctx->limit ? &b->parts[0].set : &survey->set;
    survey->edges += batch->count;
    if (b->source->weighted)
        survey_weights(b, survey, batch);
    /* source and target alternate: labels are numbered in the order of the text */
    for (size_t i = 0; i < batch->count && !survey->failed; i++) {
        uint64_t ends[2] = {batch->source[i], batch->target[i]};
        survey->failed = !hd_id_set_add(b->ctx, set, ends, 2);
    }
    return !survey->failed;
}

/* Once the id map is known: counts with vertices as keys. */
static bool count_mapped(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    uint32_t from[HD_BATCH], to[HD_BATCH], *counts = b->counts + part * b->ranges;
    b->parts[part].changed = !hd_id_map_apply(&b->map, batch->source, from, batch->count) ||
                             (b->both && !hd_id_map_apply(&b->map, batch->target, to, batch->count));
    if (b->parts[part].changed)
        return false;
    for (size_t i = 0; i < batch->count; i++)
        counts[from[i] >> b->shift]++;
    if (!b->both)
        return true;
    for (size_t i = 0; i < batch->count; i++)
        counts[to[i] >> b->shift] += from[i] != to[i];
    bool fine = true;
    for (size_t i = 0; b->rules.symmetrize && i < batch->count; i++)
        fine &= sample(b, part, from[i], to[i]);
    b->parts[part].failed |= !fine;
    return fine;
}

void hd_builder_reset_parts(hd_builder *b) {
    for (uint64_t part = 0; part < b->source->parts; part++) {
        hd_id_set_free(b->ctx, &b->parts[part].set);
        hd_pairs_free(b->ctx, &b->parts[part].pairs);
        b->parts[part] = (hd_part_survey){.weight_min = INFINITY, .weight_max = -INFINITY, .set.text = b->source->text};
    }
}

/* Lays out ranges over keys 0 .. keys-1 and clears their counts. */
static heddle_status lay_ranges(hd_builder *b, uint64_t keys) {
    b->shift = 0;
    HD_DELETE(&b->ctx->allocator, b->counts, b->counts_size);
    uint64_t most = UINT64_C(1) << MOST_RANGES_LOG,
             room = hd_limit_left(b->ctx) / COUNTS_SHARE / (b->source->parts * sizeof *b->counts);
    most = room < most ? room : most;
    while (b->shift < MOST_RANGE_SHIFT && (keys >> b->shift) >= most)
        b->shift++;
    b->ranges = (keys >> b->shift) + 1;
    b->counts_size = b->ranges * b->source->parts;
    return HD_NEW_ZERO(b->ctx, &b->counts, b->counts_size, "counting arcs");
}

/* The largest id in the first batch of each part: an estimate for the size of the bitmap. */
uint64_t hd_builder_largest_sampled(hd_builder *b) {
    hd_edge_batch *batch = hd_alloc(&b->ctx->allocator, sizeof *batch);
    uint64_t largest = 0;
    for (uint64_t part = 0; batch && part < b->source->parts; part++) {
        hd_cursor cursor = {.part = part};
        b->source->begin(b->source->self, &cursor);
        uint64_t first = cursor.position;
        batch->count = 0;
        b->source->next(b->source->self, &cursor, batch);
        for (size_t i = 0; i < batch->count; i++) {
            largest = batch->source[i] > largest ? batch->source[i] : largest;
            largest = batch->target[i] > largest ? batch->target[i] : largest;
        }
        if (b->ctx->limit)
            give_back(b->source, first, cursor.end);
    }
    HD_DELETE(&b->ctx->allocator, batch, 1);
    for (uint64_t i = 0; i < b->source->more_count; i++)
        largest = b->source->more[i] > largest ? b->source->more[i] : largest;
    return largest;
}

static heddle_status survey_dense_below(hd_builder *b, uint64_t limit, bool *beyond) {
    heddle_context *ctx = b->ctx;
    hd_builder_reset_parts(b);
    hd_id_map_free(ctx, &b->map);
    b->map = (hd_id_map){.kind = HD_MAP_RANK, .words = limit / 64 + 1};
    HD_TRY(HD_NEW_ZERO(ctx, &b->map.bits, b->map.words, "marks of ids"));
    HD_TRY(lay_ranges(b, b->map.words * 64));
    HD_TRY(hd_builder_walk(b, b->source->phase, survey_dense));
    *beyond = !hd_id_map_mark(&b->map, b->source->more, b->source->more_count);
    for (uint64_t part = 0; part < b->source->parts; part++)
        *beyond = *beyond || b->parts[part].beyond;
    return HEDDLE_OK;
}

/* The size of the bitmap that is tried first. */
static uint64_t first_guess(const hd_edge_source *source, uint64_t sampled) {
    uint64_t guess = sampled * 2 + 1024;
    return guess < source->vertices ? source->vertices : guess;
}

static uint64_t hint_of(const hd_edge_source *source) {
    return source->id_hint < source->vertices ? source->vertices : source->id_hint;
}

static bool bitmap_holds(uint64_t limit, uint64_t id) { return id < (limit / 64 + 1) * 64; }

bool hd_builder_ids_are_small(const hd_edge_source *source, uint64_t sampled, uint64_t largest) {
    uint64_t hint = hint_of(source), guess = first_guess(source, sampled);
    return sampled <= hint && (bitmap_holds(guess, largest) || (guess < hint && bitmap_holds(hint, largest)));
}

/* Tries a bitmap sized by a sample of the ids, then one sized by the source's hint; *beyond: ids are too large for
 * both. */
static heddle_status survey_small_ids(hd_builder *b, bool *beyond) {
    uint64_t hint = hint_of(b->source), sampled = hd_builder_largest_sampled(b);
    *beyond = sampled > hint;
    if (*beyond)
        return HEDDLE_OK;
    uint64_t guess = first_guess(b->source, sampled);
    HD_TRY(survey_dense_below(b, guess, beyond));
    if (*beyond && guess < hint)
        HD_TRY(survey_dense_below(b, hint, beyond));
    return HEDDLE_OK;
}

static heddle_status survey_by_sets(hd_builder *b, hd_map_kind kind) {
    heddle_context *ctx = b->ctx;
    uint64_t parts = b->source->parts;
    hd_builder_reset_parts(b);
    hd_id_map_free(ctx, &b->map);
    b->map = (hd_id_map){.kind = kind, .text = b->source->text};
    int threads = ctx->threads;
    ctx->threads = ctx->limit ? 1 : threads;
    heddle_status walked = hd_builder_walk(b, b->source->phase, survey_collect);
    ctx->threads = threads;
    HD_TRY(walked);
    b->ids_unsigned |= b->source->more_large;
    for (uint64_t part = 0; part < parts; part++)
        b->ids_unsigned |= b->parts[part].cursor.seen_large;
    hd_id_set *sets;
    HD_TRY(HD_NEW(ctx, &sets, parts + 1, "sets of ids"));
    sets[parts] = (hd_id_set){.text = b->source->text};
    for (uint64_t part = 0; part < parts; part++) {
        sets[part] = b->parts[part].set;
        b->parts[part].set = (hd_id_set){.text = NULL};
    }
    heddle_status status = HEDDLE_OK;
    if (!hd_id_set_add(ctx, &sets[parts], b->source->more, b->source->more_count))
        status = hd_fail_memory(ctx, sets[parts].count * 16, "more vertices");
    if (status == HEDDLE_OK)
        status = hd_id_map_from_sets(ctx, &b->map, sets, parts + 1, b->ids_unsigned);
    for (uint64_t part = 0; part <= parts; part++)
        hd_id_set_free(ctx, &sets[part]);
    HD_DELETE(&ctx->allocator, sets, parts + 1);
    HD_TRY(status);
    HD_TRY(lay_ranges(b, b->map.vertices));
    return HEDDLE_OK;
}

heddle_status hd_builder_demand_vertices(hd_builder *b, uint64_t lowest, uint64_t highest) {
    uint64_t n = b->source->vertices;
    bool one_based = highest == n && lowest >= 1;
    if (highest >= n && !one_based)
        return hd_fail(b->ctx, HEDDLE_E_ARGUMENT, "%llu vertices were requested, but id %llu occurs",
                       (unsigned long long)n, (unsigned long long)highest);
    hd_id_map_free(b->ctx, &b->map);
    b->map = (hd_id_map){.kind = HD_MAP_IDENTITY, .vertices = n, .base = one_based ? 1 : 0};
    return HEDDLE_OK;
}

static heddle_status rank_ids(hd_builder *b) {
    hd_id_map *map = &b->map;
    if (b->source->vertices && b->edges) {
        uint64_t low = 0, high = map->words - 1;
        while (!map->bits[low])
            low++;
        while (!map->bits[high])
            high--;
        return hd_builder_demand_vertices(b, low * 64 + (uint64_t)__builtin_ctzll(map->bits[low]),
                                          high * 64 + 63 - (uint64_t)__builtin_clzll(map->bits[high]));
    }
    if (b->source->vertices)
        return hd_builder_demand_vertices(b, 0, 0);
    return hd_id_map_rank(b->ctx, map);
}

static void sum_edges(hd_builder *b) {
    b->edges = 0;
    for (uint64_t part = 0; part < b->source->parts; part++)
        b->edges += b->parts[part].edges;
}

heddle_status hd_builder_fail_outside(const hd_builder *b) {
    return hd_fail(b->ctx, HEDDLE_E_ARGUMENT, "%llu vertices were requested, but ids lie outside 0 .. %llu",
                   (unsigned long long)b->source->vertices, (unsigned long long)b->source->vertices);
}

/* Pass 1: ids, weights, counts. Produces the id map and the counts per range. */
static heddle_status survey_ids(hd_builder *b) {
    const hd_edge_source *source = b->source;
    bool beyond = true;
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->parts, source->parts, "parts of the input"));
    hd_builder_reset_parts(b);
    if (source->ids == HD_IDS_KNOWN) {
        b->map = (hd_id_map){.kind = HD_MAP_IDENTITY, .vertices = source->vertices, .base = (uint64_t)source->base};
        HD_TRY(lay_ranges(b, source->vertices));
        HD_TRY(hd_builder_walk(b, source->phase, survey_known));
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
        return hd_builder_fail_outside(b);
    return hd_builder_walk(b, "count", count_mapped);
}

typedef struct weight_range {
    double low, high;
    bool real, inexact; /* with fraction or exponent; not exactly an f32 */
} weight_range;

static weight_range range_of_weights(const hd_builder *b) {
    weight_range range = {.low = INFINITY, .high = -INFINITY};
    for (uint64_t part = 0; part < b->source->parts; part++) {
        range.low = fmin(range.low, b->parts[part].weight_min);
        range.high = fmax(range.high, b->parts[part].weight_max);
        range.real = range.real || b->parts[part].cursor.seen_real;
        range.inexact = range.inexact || b->parts[part].inexact;
    }
    if (b->source->mirror && b->source->skew) {
        double negated = -range.high;
        range.high = fmax(range.high, -range.low);
        range.low = fmin(range.low, negated);
    }
    return range;
}

static bool weights_fit(heddle_weight_type type, const weight_range *range) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return range->low >= 0 && range->high <= UINT32_MAX;
    case HEDDLE_WEIGHT_I32: return range->low >= INT32_MIN && range->high <= INT32_MAX;
    case HEDDLE_WEIGHT_F32: return range->low >= -FLT_MAX && range->high <= FLT_MAX;
    default: return true; /* sources give at most 64 bits */
    }
}

/* Whole numbers get the first of u32, i32 and i64 that holds them all; a fraction or exponent anywhere makes all of
 * them f32 where that holds each exactly, else f64. */
static heddle_weight_type smallest_type(const weight_range *range) {
    if (range->real)
        return range->inexact ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_F32;
    if (weights_fit(HEDDLE_WEIGHT_U32, range))
        return HEDDLE_WEIGHT_U32;
    return weights_fit(HEDDLE_WEIGHT_I32, range) ? HEDDLE_WEIGHT_I32 : HEDDLE_WEIGHT_I64;
}

/* The weight type requested by the caller: values that it cannot hold are an error, rounding is a note. */
static heddle_status check_choice(hd_builder *b, const weight_range *range) {
    heddle_weight_type from = b->source->weight_type, to = b->weight_type;
    bool was_real = from ? hd_weight_real(from) : range->real;
    if (!hd_weight_real(to) && was_real) {
        bool whole = true;
        for (uint64_t part = 0; part < b->source->parts; part++)
            whole = whole && !b->parts[part].fraction;
        if (!whole)
            return hd_fail(b->ctx, HEDDLE_E_FORMAT, "weights with fractions do not fit %s", hd_weight_name(to));
        if (range->low <= -HD_EXACT_WHOLE || range->high >= HD_EXACT_WHOLE)
            return hd_fail(b->ctx, HEDDLE_E_FORMAT, "real weights from %.17g to %.17g are not known to be whole",
                           range->low, range->high);
    }
    bool large = !was_real && (range->low <= -HD_EXACT_WHOLE || range->high >= HD_EXACT_WHOLE);
    if ((to == HEDDLE_WEIGHT_F32 && range->inexact) || (to == HEDDLE_WEIGHT_F64 && large))
        hd_note(b->ctx, "weights are rounded to %s, as requested", hd_weight_name(to));
    return HEDDLE_OK;
}

static heddle_status choose_weight_type(hd_builder *b) {
    heddle_weight_type wanted = b->ctx->weight_type;
    if (b->rules.duplicates == HEDDLE_DUPLICATES_MEAN && !wanted)
        wanted = HEDDLE_WEIGHT_F64;
    b->weight_type = !b->source->weighted ? HEDDLE_WEIGHT_NONE : wanted ? wanted : b->source->weight_type;
    if (!b->source->weighted)
        return HEDDLE_OK;
    weight_range range = range_of_weights(b);
    if (b->edges == 0)
        range = (weight_range){.real = range.real};
    if (b->weight_type == HEDDLE_WEIGHT_NONE)
        b->weight_type = smallest_type(&range);
    if (!weights_fit(b->weight_type, &range))
        return hd_fail(b->ctx, HEDDLE_E_FORMAT, "weights from %.17g to %.17g do not fit %s", range.low, range.high,
                       hd_weight_name(b->weight_type));
    if (b->source->skew && b->weight_type == HEDDLE_WEIGHT_I64 && range.high >= 0x1p63)
        return hd_fail(b->ctx, HEDDLE_E_FORMAT, "weights down to %.17g cannot be negated in i64", range.low);
    return wanted && wanted != b->source->weight_type ? check_choice(b, &range) : HEDDLE_OK;
}

static heddle_status check_signs(hd_builder *b) {
    bool negative = b->source->more_negative, large = b->source->more_large;
    for (uint64_t part = 0; part < b->source->parts; part++) {
        negative = negative || b->parts[part].cursor.seen_negative;
        large = large || b->parts[part].cursor.seen_large;
    }
    return negative && large ? hd_fail(b->ctx, HEDDLE_E_FORMAT, "negative ids and ids past 2^63 - 1 in one graph")
                             : HEDDLE_OK;
}

/* Estimates from the sample the share of the edges that symmetrising keeps. */
static heddle_status look_at_sample(hd_builder *b) {
    hd_pairs all = {.marks = NULL};
    heddle_status status = HEDDLE_OK;
    for (uint64_t part = 0; part < b->source->parts; part++) {
        hd_pairs *pairs = &b->parts[part].pairs;
        for (uint64_t i = 0; i < pairs->count && status == HEDDLE_OK; i++)
            if (!hd_pairs_add(b->ctx, &all, pairs->marks[i]))
                status = hd_fail_memory(b->ctx, all.room * 16, "a sample of the edges");
        hd_pairs_free(b->ctx, pairs);
    }
    b->kept = hd_pairs_kept(&all, b->rules.duplicates == HEDDLE_DUPLICATES_KEEP);
    hd_pairs_free(b->ctx, &all);
    return status;
}

static bool survey_only_weights(hd_builder *b, uint64_t part, const hd_edge_batch *batch) {
    b->parts[part].edges += batch->count;
    if (b->source->weighted)
        survey_weights(b, &b->parts[part], batch);
    return true;
}

heddle_status hd_builder_survey_share(hd_builder *b) {
    const hd_edge_source *source = b->source;
    HD_TRY(HD_NEW_ZERO(b->ctx, &b->parts, source->parts, "parts of the input"));
    hd_builder_reset_parts(b);
    if (source->ids != HD_IDS_KNOWN) {
        HD_TRY(survey_by_sets(b, source->ids == HD_IDS_TEXT ? HD_MAP_TEXT : HD_MAP_HASH));
    } else {
        b->map = (hd_id_map){.kind = HD_MAP_IDENTITY, .vertices = source->vertices, .base = (uint64_t)source->base};
        HD_TRY(hd_builder_walk(b, source->phase, survey_only_weights));
    }
    sum_edges(b);
    return HEDDLE_OK;
}

heddle_status hd_builder_survey(hd_builder *b) {
    b->sample_limit = hd_pairs_limit(b->source->work);
    HD_TRY(survey_ids(b));
    HD_TRY(look_at_sample(b));
    return hd_builder_conclude(b);
}

heddle_status hd_builder_conclude(hd_builder *b) {
    if (b->source->complete)
        HD_TRY(b->source->complete(b->source->self, b->ctx, b->edges));
    HD_TRY(check_signs(b));
    return choose_weight_type(b);
}
