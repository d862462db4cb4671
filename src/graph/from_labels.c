/* from_labels.c - a graph from edges whose end points the caller names by strings.
 *
 * Labels are numbered first, each hashed once: all threads fill one table, whose slots remember where a label occurs
 * first. The ranks of these places are the vertices, so the numbering is that of one thread. A dictionary's strings are
 * hashed instead of the labels that its codes name. Then the edges are built as those of known vertices, which get
 * their names at the end. Under a memory limit and on ranks the builder reads the labels itself, like a file's text.
 */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/build.h"
#include "graph/ids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_MOST = 65535 };
/* Labels ahead of the one that is looked up: whose slot, and whose text, are fetched into the cache. */
enum { SLOT_AHEAD = 16, TEXT_AHEAD = 8 };
#define NO_SLOT UINT64_MAX

/* One end of all edges. Strings are NUL-terminated ones, or lie in a text, one behind the other. */
typedef struct label_side {
    const char *const *pointers; /* NULL: the text is given */
    heddle_strings given;
    uint64_t *slot_of; /* of each string of a dictionary; NO_SLOT: it cannot be a label */
} label_side;

/* `raw` is offset << 16 | length, from `base`; 0: empty. Where the label occurs first, as ~(2 * edge + side), 0 for a
 * string of a dictionary that does not occur; then the vertex. */
typedef struct label_slot {
    uint64_t raw, first;
} label_slot;

typedef struct label_source {
    label_side side[2]; /* sources, targets */
    const void *weights;
    heddle_weight_type type;
    uint64_t edges, parts;
    uintptr_t base; /* the lowest address of a label */
    uint64_t *ids;  /* 2 for each edge: the hash, then the slot, then the vertex; NULL: the builder reads labels */
    label_slot *slots;
    uint64_t slot_count;
    uint64_t *names; /* raw, of each vertex */
    uint64_t vertices;
} label_source;

/* ---- Reading labels --------------------------------------------------------------------------------------------- */

static uint64_t label_offset(const heddle_strings *given, uint64_t k) {
    return given->offset_bits == 32 ? ((const uint32_t *)given->offsets)[k] : ((const uint64_t *)given->offsets)[k];
}

/* String k of a side, or of its dictionary; *length is 0 or above LABEL_MOST if it cannot be a label. */
static const char *label_string(const label_side *side, uint64_t k, uint64_t *length) {
    if (side->pointers) {
        *length = side->pointers[k] ? strnlen(side->pointers[k], LABEL_MOST + 1) : 0;
        return side->pointers[k];
    }
    uint64_t start = label_offset(&side->given, k);
    uint64_t end = side->given.lengths ? start + side->given.lengths[k] : label_offset(&side->given, k + 1);
    *length = end > start ? end - start : 0;
    return side->given.text + start;
}

static uint64_t label_code(const heddle_strings *given, uint64_t e) {
    switch (given->code_bits) {
    case 8: return ((const uint8_t *)given->codes)[e];
    case 16: return ((const uint16_t *)given->codes)[e];
    case 32: return ((const uint32_t *)given->codes)[e];
    default: return ((const uint64_t *)given->codes)[e];
    }
}

/* The label of an end; *length as above, 0 also for a code that names no string. */
static const char *label_at(const label_source *self, uint64_t i, uint64_t *length) {
    const label_side *side = &self->side[i & 1];
    uint64_t k = i >> 1;
    if (side->given.codes) {
        k = label_code(&side->given, k);
        if (k >= side->given.count) {
            *length = 0;
            return NULL;
        }
    }
    return label_string(side, k, length);
}

static bool label_fits(uint64_t length) { return length >= 1 && length <= LABEL_MOST; }

static uint64_t label_raw(const label_source *self, const char *label, uint64_t length) {
    return ((uintptr_t)label - self->base) << 16 | length;
}

static const char *raw_text(const label_source *self, uint64_t raw) { return (const char *)(self->base + (raw >> 16)); }

static heddle_status fail_label(heddle_context *ctx, const char *function, const label_source *self, uint64_t bad) {
    uint64_t length, k = bad >> 1;
    const label_side *side = &self->side[bad & 1];
    const char *label = label_at(self, bad, &length);
    char name[40];
    snprintf(name, sizeof name, "%s[%llu]", bad & 1 ? "targets" : "sources", (unsigned long long)k);
    if (side->pointers && !label)
        return hd_fail_null(ctx, function, name);
    if (!label)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s has the code %lld, and the dictionary %llu strings", name,
                       (long long)label_code(&side->given, k), (unsigned long long)side->given.count);
    if (length > LABEL_MOST)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "%s is longer than %d bytes", name, LABEL_MOST);
    return length ? hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s has a NUL byte in it", name)
                  : hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s is empty", name);
}

/* ---- The first look: lengths, addresses, hashes ------------------------------------------------------------------ */

typedef struct label_range {
    uint64_t bad; /* the first label that is none, as 2 * edge + side; UINT64_MAX: none */
    uintptr_t low, high;
} label_range;

static void widen(label_range *range, const char *label, uint64_t length) {
    range->low = (uintptr_t)label < range->low ? (uintptr_t)label : range->low;
    range->high = (uintptr_t)label + length > range->high ? (uintptr_t)label + length : range->high;
}

static void look_at_part(const heddle_context *ctx, const label_source *self, uint64_t part, label_range *range) {
    uint64_t end = 2 * hd_split(self->edges, self->parts, part + 1), length;
    for (uint64_t i = 2 * hd_split(self->edges, self->parts, part); i < end; i++) {
        if (self->ids && self->side[i & 1].given.codes)
            continue; /* its dictionary is looked at */
        const char *label = label_at(self, i, &length);
        if (!label_fits(length) || (!self->ids && memchr(label, 0, length))) { /* the table looks for NUL once */
            range->bad = i < range->bad ? i : range->bad;
            continue;
        }
        widen(range, label, length);
        if (self->ids)
            self->ids[i] = hd_label_hash(&ctx->hash_key, label, length);
    }
}

static void look_at_dictionary(const heddle_context *ctx, const label_side *side, uint64_t k, label_range *range) {
    uint64_t length;
    const char *label = label_string(side, k, &length);
    side->slot_of[k] = NO_SLOT;
    if (!label_fits(length))
        return;
    widen(range, label, length);
    side->slot_of[k] = hd_label_hash(&ctx->hash_key, label, length);
}

/* Sets the base. */
static heddle_status look(heddle_context *ctx, const char *function, label_source *self) {
    uint64_t bad = UINT64_MAX;
    uintptr_t low = UINTPTR_MAX, high = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic) reduction(min
                                                     : bad, low) reduction(max
                                                                           : high) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < self->parts; part++) {
        label_range range = {bad, low, high};
        look_at_part(ctx, self, part, &range);
        bad = range.bad, low = range.low, high = range.high;
    }
    for (int s = 0; s < 2 && self->ids; s++) {
        const label_side *side = &self->side[s];
        HD_PARALLEL_FOR(ctx,
                        schedule(static) reduction(min
                                                   : low) reduction(max
                                                                    : high) if (side->given.count >= HD_WORTH_THREADS))
        for (uint64_t k = 0; k < (side->given.codes ? side->given.count : 0); k++) {
            label_range range = {bad, low, high};
            look_at_dictionary(ctx, side, k, &range);
            low = range.low, high = range.high;
        }
    }
    if (bad != UINT64_MAX)
        return fail_label(ctx, function, self, bad);
    self->base = high ? low : 0;
    return (high ? high - low : 0) >> 48
               ? hd_fail(ctx, HEDDLE_E_LIMIT, "labels lie more than 2^48 bytes apart in memory")
               : HEDDLE_OK;
}

/* ---- Numbering -------------------------------------------------------------------------------------------------- */

/* About how many different hashes there are: each sets a bit, and from the share of bits that stay 0 follows how many
 * there were (linear counting). */
static heddle_status count_labels(heddle_context *ctx, const label_source *self, uint64_t *distinct) {
    uint64_t total = 0, words = 16, set = 0, *bits;
    for (int s = 0; s < 2; s++)
        total += self->side[s].given.codes ? self->side[s].given.count : self->edges;
    while (words * 64 < total)
        words *= 2;
    HD_TRY(HD_NEW_ZERO(ctx, &bits, words, "counting labels"));
    HD_PARALLEL(ctx, if (total >= HD_WORTH_THREADS)) {
        for (int s = 0; s < 2; s++) {
            bool coded = self->side[s].given.codes;
            const uint64_t *hashes = coded ? self->side[s].slot_of : self->ids + s;
            uint64_t step = coded ? 1 : 2, count = coded ? self->side[s].given.count : self->edges;
            HD_FOR(schedule(static))
            for (uint64_t k = 0; k < count; k++) {
                uint64_t hash = hashes[step * k] >> 20, bit = UINT64_C(1) << (hash & 63);
                if (!(hd_load(&bits[(hash >> 6) & (words - 1)]) & bit))
                    hd_fetch_or(&bits[(hash >> 6) & (words - 1)], bit);
            }
        }
    }
    for (uint64_t w = 0; w < words; w++)
        set += (uint64_t)__builtin_popcountll(bits[w]);
    HD_DELETE(&ctx->allocator, bits, words);
    double all = (double)words * 64;
    *distinct = (uint64_t)(all * log(all / (all - (double)set + 1)) * 1.05) + 16;
    return HEDDLE_OK;
}

/* The slot of a label, which is put into the table if it is new; NO_SLOT: the table is full. */
static uint64_t slot_of_label(const label_source *self, uint64_t hash, const char *label, uint64_t length) {
    uint64_t mask = self->slot_count - 1, raw = label_raw(self, label, length);
    for (uint64_t probe = 0; probe <= mask; probe++) {
        label_slot *slot = &self->slots[(hash + probe) & mask];
        uint64_t found = hd_load(&slot->raw);
        if (found == 0 && hd_compare_swap(&slot->raw, &found, raw))
            return (hash + probe) & mask;
        if ((found & 0xffff) == length && memcmp(raw_text(self, found), label, length) == 0)
            return (hash + probe) & mask;
    }
    return NO_SLOT;
}

/* A label occurs as end i: the first such end stays. */
static void note_first(label_slot *slot, uint64_t i) {
    uint64_t old = hd_load(&slot->first);
    while (~i > old && !hd_compare_swap(&slot->first, &old, ~i)) {
    }
}

static void fetch_ahead(const label_source *self, uint64_t i, uint64_t end) {
    uint64_t mask = self->slot_count - 1;
    if (i + SLOT_AHEAD < end)
        __builtin_prefetch(&self->slots[self->ids[i + SLOT_AHEAD] & mask]);
    if (i + TEXT_AHEAD < end) {
        uint64_t raw = hd_load(&self->slots[self->ids[i + TEXT_AHEAD] & mask].raw);
        __builtin_prefetch((const void *)raw_text(self, raw));
    }
}

/* Hashes become slots. False if the table is full; *bad is the first end whose code names no label. */
static bool find_slots(const label_source *self, uint64_t part, uint64_t *slots_found, uint64_t *bad) {
    uint64_t end = 2 * hd_split(self->edges, self->parts, part + 1), length;
    for (uint64_t i = 2 * hd_split(self->edges, self->parts, part); i < end; i++) {
        const label_side *side = &self->side[i & 1];
        uint64_t slot;
        if (side->given.codes) {
            uint64_t code = label_code(&side->given, i >> 1);
            slot = code < side->given.count ? side->slot_of[code] : NO_SLOT;
            if (slot == NO_SLOT) {
                *bad = i < *bad ? i : *bad;
                continue;
            }
        } else {
            fetch_ahead(self, i, end);
            const char *label = label_at(self, i, &length);
            slot = slot_of_label(self, self->ids[i], label, length);
            if (slot == NO_SLOT)
                return false;
        }
        note_first(&self->slots[slot], i);
        slots_found[i] = slot;
    }
    return true;
}

static bool find_dictionary_slots(const label_source *self, const label_side *side, uint64_t k, uint64_t *slot) {
    uint64_t length;
    const char *label = label_string(side, k, &length);
    if (label_fits(length))
        *slot = slot_of_label(self, *slot, label, length);
    return !label_fits(length) || *slot != NO_SLOT;
}

/* Fills the table. The size that was estimated suffices; a program that changes its strings meanwhile may fill it. */
static heddle_status fill_table(heddle_context *ctx, const char *function, label_source *self) {
    uint64_t bad = UINT64_MAX;
    bool full = false;
    for (int s = 0; s < 2; s++) {
        const label_side *side = &self->side[s];
        HD_PARALLEL_FOR(ctx, schedule(static) reduction(|| : full) if (side->given.count >= HD_WORTH_THREADS))
        for (uint64_t k = 0; k < (side->given.codes ? side->given.count : 0); k++)
            full = !find_dictionary_slots(self, side, k, &side->slot_of[k]) || full;
    }
    HD_PARALLEL_FOR(ctx, schedule(dynamic) reduction(||
                                                     : full) reduction(min
                                                                       : bad) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < self->parts; part++)
        full = !find_slots(self, part, self->ids, &bad) || full;
    if (bad != UINT64_MAX)
        return fail_label(ctx, function, self, bad);
    return full ? hd_fail(ctx, HEDDLE_E_ARGUMENT, "the labels changed while they were read") : HEDDLE_OK;
}

/* Slots become vertices: the number of labels whose first place is before the first place of this one. */
static heddle_status vertices_of_slots(heddle_context *ctx, const char *function, label_source *self) {
    heddle_status status;
    hd_id_map places = {.kind = HD_MAP_RANK, .words = self->edges / 32 + 1};
    uint64_t bad = UINT64_MAX;
    HD_TRY(HD_NEW_ZERO(ctx, &places.bits, places.words, "places of labels"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (self->slot_count >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < self->slot_count; s++)
        if (self->slots[s].first) {
            uint64_t place = ~self->slots[s].first;
            hd_id_map_mark(&places, &place, 1);
        }
    HD_CHECK(hd_id_map_rank(ctx, &places));
    HD_CHECK(HD_NEW(ctx, &self->names, places.vertices, "labels"));
    self->vertices = places.vertices;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) if (self->slot_count >= HD_WORTH_THREADS))
    for (uint64_t s = 0; s < self->slot_count; s++)
        if (self->slots[s].first) {
            uint32_t vertex = 0;
            uint64_t place = ~self->slots[s].first, raw = self->slots[s].raw;
            hd_id_map_apply(&places, &place, &vertex, 1);
            self->names[vertex] = raw;
            self->slots[s].first = vertex;
            if (memchr(raw_text(self, raw), 0, raw & 0xffff) && place < bad)
                bad = place;
        }
    HD_PARALLEL_FOR(ctx, schedule(static) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < 2 * self->edges; i++)
        self->ids[i] = self->slots[self->ids[i]].first;
    if (bad != UINT64_MAX)
        status = fail_label(ctx, function, self, bad);
out:
    hd_id_map_free(ctx, &places);
    return status;
}

static heddle_status number_labels(heddle_context *ctx, const char *function, label_source *self) {
    uint64_t distinct;
    HD_TRY(HD_NEW(ctx, &self->ids, 2 * self->edges, "labels"));
    for (int s = 0; s < 2; s++)
        if (self->side[s].given.codes)
            HD_TRY(HD_NEW(ctx, &self->side[s].slot_of, self->side[s].given.count, "a dictionary"));
    HD_TRY(look(ctx, function, self));
    HD_TRY(count_labels(ctx, self, &distinct));
    self->slot_count = 16;
    while (self->slot_count < distinct * 2)
        self->slot_count *= 2;
    HD_TRY(HD_NEW_ZERO(ctx, &self->slots, self->slot_count, "hash table of labels"));
    HD_TRY(fill_table(ctx, function, self));
    HD_TRY(vertices_of_slots(ctx, function, self));
    HD_DELETE(&ctx->allocator, self->slots, self->slot_count);
    return HEDDLE_OK;
}

/* Names the vertices of the finished graph, some of which may be gone. */
static heddle_status name_vertices(heddle_context *ctx, const label_source *self, heddle_graph *graph) {
    hd_id_map map = {.kind = HD_MAP_TEXT, .vertices = graph->vertices, .text = (const char *)self->base};
    hd_ids named = {.base = 0};
    HD_TRY(HD_NEW(ctx, &map.values, graph->vertices, "labels"));
    for (uint64_t v = 0; v < graph->vertices; v++)
        map.values[v] = self->names[heddle_graph_id(graph, (heddle_vertex)v)];
    heddle_status status = hd_ids_from_map(ctx, &map, false, &named);
    HD_DELETE(&ctx->allocator, map.values, graph->vertices);
    if (status != HEDDLE_OK) {
        hd_ids_free(&ctx->allocator, &named, graph->vertices);
        return status;
    }
    hd_ids_free(&ctx->allocator, &graph->ids, graph->vertices);
    graph->ids = named;
    return HEDDLE_OK;
}

/* ---- The source of edges ---------------------------------------------------------------------------------------- */

static void begin(void *context, hd_cursor *cursor) {
    const label_source *self = context;
    cursor->position = hd_split(self->edges, self->parts, cursor->part);
    cursor->end = hd_split(self->edges, self->parts, cursor->part + 1);
}

static uint64_t end_id(const label_source *self, uint64_t i) {
    if (self->ids)
        return self->ids[i];
    uint64_t length;
    const char *label = label_at(self, i, &length);
    return label_raw(self, label, length & 0xffff);
}

static void next(void *context, hd_cursor *cursor, hd_edge_batch *batch) {
    const label_source *self = context;
    uint64_t e = cursor->position, left = cursor->end - e;
    size_t count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    for (size_t i = 0; i < count; i++, e++) {
        batch->source[i] = end_id(self, 2 * e);
        batch->target[i] = end_id(self, 2 * e + 1);
        if (self->weights) {
            hd_batch_weigh(batch, i, self->weights, self->type, e);
            if (!(batch->weight[i] - batch->weight[i] == 0)) {
                cursor->expected = "a finite weight";
                cursor->error_at = e;
                return; /* count stays 0 */
            }
        }
    }
    cursor->position = e;
    batch->count = count;
}

static heddle_status fail(void *context, heddle_context *ctx, const hd_cursor *cursor) {
    const label_source *self = context;
    uint64_t e = cursor->error_at, lengths[2];
    const char *ends[2] = {label_at(self, 2 * e, &lengths[0]), label_at(self, 2 * e + 1, &lengths[1])};
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "edge %llu (%.*s -> %.*s): expected %s", (unsigned long long)e,
                   (int)(lengths[0] < 60 ? lengths[0] : 60), ends[0], (int)(lengths[1] < 60 ? lengths[1] : 60), ends[1],
                   cursor->expected);
}

static heddle_status build(heddle_context *ctx, const char *function, label_source *self,
                           const heddle_build_options *options, heddle_graph **graph) {
    bool limited = options->memory_limit || ctx->limit || ctx->build_together;
    HD_TRY(limited ? look(ctx, function, self) : number_labels(ctx, function, self));
    hd_edge_source source = {.self = self,
                             .parts = self->parts,
                             .phase = "build",
                             .work = self->edges,
                             .ids = self->ids ? HD_IDS_KNOWN : HD_IDS_TEXT,
                             .vertices = self->vertices,
                             .text = self->ids ? NULL : (const char *)self->base,
                             .weighted = self->type != HEDDLE_WEIGHT_NONE,
                             .weight_type = self->type,
                             .begin = begin,
                             .next = next,
                             .fail = fail};
    HD_TRY(hd_graph_build(ctx, &source, options, graph));
    if (!self->ids)
        return HEDDLE_OK;
    heddle_status status = name_vertices(ctx, self, *graph);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(graph);
    return status;
}

static heddle_status build_from(heddle_context *ctx, const char *function, label_source *self,
                                const heddle_build_options *options, heddle_graph **graph) {
    hd_threads_settle(ctx, hd_work(0, self->edges, 1));
    self->parts = hd_array_parts(ctx, self->edges);
    heddle_status status = build(ctx, function, self, options, graph);
    for (int s = 0; s < 2; s++)
        HD_DELETE(&ctx->allocator, self->side[s].slot_of, self->side[s].given.count);
    HD_DELETE(&ctx->allocator, self->names, self->vertices);
    HD_DELETE(&ctx->allocator, self->slots, self->slot_count);
    HD_DELETE(&ctx->allocator, self->ids, 2 * self->edges);
    return status;
}

heddle_status heddle_graph_from_labels(heddle_context *ctx, uint64_t edges, const char *const *sources,
                                       const char *const *targets, const void *weights, heddle_weight_type weight_type,
                                       const heddle_build_options *given, heddle_graph **graph) {
    heddle_build_options options;
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_TRY(hd_edges_given(ctx, __func__, edges, sources, targets, given, &options));
    HD_TRY(hd_weights_given(ctx, weights, weight_type, edges));
    label_source self = {.side = {{.pointers = sources}, {.pointers = targets}},
                         .weights = weights,
                         .type = weight_type,
                         .edges = edges};
    return build_from(ctx, __func__, &self, &options, graph);
}

static heddle_status take_strings(heddle_context *ctx, const char *name, uint64_t edges, const heddle_strings *given,
                                  label_side *side) {
    const heddle_strings *one = &side->given;
    if (given)
        HD_TRY(hd_take_options(ctx, "heddle_graph_from_strings", given, &side->given, sizeof side->given));
    if (one->offset_bits != 32 && one->offset_bits != 64)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: offset_bits is %d; expected 32 or 64", name, one->offset_bits);
    if (one->codes && one->code_bits != 8 && one->code_bits != 16 && one->code_bits != 32 && one->code_bits != 64)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: code_bits is %d; expected 8, 16, 32 or 64", name, one->code_bits);
    if (!one->codes && one->count != edges)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: there are %llu strings and no codes; expected %llu", name,
                       (unsigned long long)one->count, (unsigned long long)edges);
    if (one->count && !(one->text && one->offsets))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: text or offsets is NULL", name);
    return HEDDLE_OK;
}

heddle_status hd_graph_from_strings(heddle_context *ctx, const char *function, uint64_t edges,
                                    const heddle_strings *sources, const heddle_strings *targets, const void *weights,
                                    heddle_weight_type weight_type, const heddle_build_options *given,
                                    heddle_graph **graph) {
    heddle_build_options options;
    HD_TRY(hd_edges_given(ctx, function, edges, sources, targets, given, &options));
    HD_TRY(hd_weights_given(ctx, weights, weight_type, edges));
    label_source self = {.weights = weights, .type = weight_type, .edges = edges};
    for (int s = 0; s < 2; s++) {
        heddle_strings_init(&self.side[s].given);
        HD_TRY(take_strings(ctx, s ? "targets" : "sources", edges, s ? targets : sources, &self.side[s]));
    }
    return build_from(ctx, function, &self, &options, graph);
}

heddle_status heddle_graph_from_strings(heddle_context *ctx, uint64_t edges, const heddle_strings *sources,
                                        const heddle_strings *targets, const void *weights,
                                        heddle_weight_type weight_type, const heddle_build_options *options,
                                        heddle_graph **graph) {
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    return hd_graph_from_strings(ctx, __func__, edges, sources, targets, weights, weight_type, options, graph);
}

void heddle_strings_init_sized(heddle_strings *strings, size_t size) {
    heddle_strings defaults = {.size = sizeof defaults, .offset_bits = 64, .code_bits = 32};
    hd_give_defaults(strings, size, &defaults, sizeof defaults);
}
