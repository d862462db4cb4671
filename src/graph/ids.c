/* ids.c - id maps for the builder.
 *
 * Three cases, the most common first. Ids below about twice the size of the file get a bit each; the rank of the bit is
 * the vertex (no table of n words, no hashing, ascending by construction). Other integers are collected in hash sets,
 * one per part of the input, and radix sorted. Labels are collected likewise, and numbered by first appearance: parts
 * are merged in input order, so the numbering does not depend on the threads.
 */
#include "graph/ids.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* ---- Hashing of values and labels ------------------------------------------------------------------------------ */

/* The last 1 to 8 bytes of a label as one word. */
static uint64_t last_word(const char *p, uint64_t length, uint64_t left) {
    uint64_t word = 0;
    uint32_t low, high;
    if (length >= 8) { /* some of them for the second time: the length, which is hashed too, says how many */
        memcpy(&word, p + left - 8, 8);
    } else if (length >= 4) {
        memcpy(&low, p, 4);
        memcpy(&high, p + length - 4, 4);
        word = (uint64_t)high << 32 | low;
    } else if (length) {
        word = (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[length / 2] << 8 |
               (uint64_t)(unsigned char)p[length - 1] << 16;
    }
    return word;
}

uint64_t hd_label_hash(const hd_hash_key *key, const char *p, uint64_t length) {
    uint64_t hash = length, word, left = length;
    for (; left > 8; p += 8, left -= 8) {
        memcpy(&word, p, 8);
        hash = hd_hash_keyed(key, hash, word);
    }
    return hd_hash_keyed(key, hd_hash_keyed(key, hash, last_word(p, length, left)), 0);
}

static uint64_t value_hash(const hd_hash_key *key, const char *text, uint64_t raw) {
    return text ? hd_label_hash(key, text + (raw >> 16), raw & 0xffff)
                : hd_hash_keyed(key, hd_hash_keyed(key, 0, raw), 0);
}

static bool value_equal(const char *text, uint64_t a, uint64_t b) {
    if (!text || a == b)
        return a == b;
    return (a & 0xffff) == (b & 0xffff) && memcmp(text + (a >> 16), text + (b >> 16), a & 0xffff) == 0;
}

/* ---- Applying a map --------------------------------------------------------------------------------------------- */

/* Whether base <= raw < base + n for all of them; n is below 2^63. Sign bits are gathered, so that the loop is
 * vectorised: x >= n shows in that of x or of n - 1 - x. */
static bool all_within(const uint64_t *raw, size_t count, uint64_t base, uint64_t n) {
    uint64_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t x = raw[i] - base;
        outside |= x | (n - 1 - x);
    }
    return !(outside >> 63);
}

static bool apply_identity(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count) {
    for (size_t i = 0; i < count; i++)
        vertices[i] = (uint32_t)(raw[i] - map->base);
    return all_within(raw, count, map->base, map->vertices);
}

static HD_ALWAYS_INLINE bool apply_rank_body(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices,
                                             size_t count) {
    uint64_t known = 1;
    if (!all_within(raw, count, 0, map->words * 64))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = raw[i] >> 6, bits = map->bits[word], below = (UINT64_C(1) << (raw[i] & 63)) - 1;
        vertices[i] = map->rank[word] + (uint32_t)__builtin_popcountll(bits & below);
        known &= bits >> (raw[i] & 63);
    }
    return known;
}

static bool apply_rank_plain(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count) {
    return apply_rank_body(map, raw, vertices, count);
}

#if defined(__x86_64__)
/* Compiled for the popcnt instruction, used if the CPU has it. */
__attribute__((target("popcnt"))) static bool apply_rank_popcnt(const hd_id_map *map, const uint64_t *raw,
                                                                uint32_t *vertices, size_t count) {
    return apply_rank_body(map, raw, vertices, count);
}
#endif

static bool apply_rank(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return apply_rank_popcnt(map, raw, vertices, count);
#endif
    return apply_rank_plain(map, raw, vertices, count);
}

static bool apply_table(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t slot = value_hash(&map->key, map->text, raw[i]) & map->slot_mask;
        while (map->slots[slot] && !value_equal(map->text, map->values[map->slots[slot] - 1], raw[i]))
            slot = (slot + 1) & map->slot_mask;
        if (!map->slots[slot])
            return false;
        vertices[i] = map->slots[slot] - 1;
    }
    return true;
}

bool hd_id_map_apply(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count) {
    switch (map->kind) {
    case HD_MAP_IDENTITY: return apply_identity(map, raw, vertices, count);
    case HD_MAP_RANK: return apply_rank(map, raw, vertices, count);
    default: return apply_table(map, raw, vertices, count);
    }
}

static void free_bits(heddle_context *ctx, hd_id_map *map) {
    HD_DELETE(&ctx->allocator, map->bits, map->words);
    HD_DELETE(&ctx->allocator, map->rank, map->words);
}

static void free_slots(heddle_context *ctx, hd_id_map *map) {
    HD_DELETE(&ctx->allocator, map->slots, map->slot_mask + 1);
}

void hd_id_map_free(heddle_context *ctx, hd_id_map *map) {
    free_bits(ctx, map);
    free_slots(ctx, map);
    HD_DELETE(&ctx->allocator, map->values, map->values_capacity);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------ */

bool hd_id_map_mark(hd_id_map *map, const uint64_t *raw, size_t count) {
    uint64_t limit = map->words * 64;
    for (size_t i = 0; i < count; i++) {
        uint64_t id = raw[i];
        if (id >= limit)
            return false;
        uint64_t bit = UINT64_C(1) << (id & 63);
        /* Most ids have been seen before: test before setting the bit, so that the cache line stays shared. */
        if (!(hd_load(&map->bits[id >> 6]) & bit))
            hd_fetch_or(&map->bits[id >> 6], bit);
    }
    return true;
}

heddle_status hd_id_map_rank(heddle_context *ctx, hd_id_map *map) {
    HD_TRY(HD_NEW(ctx, &map->rank, map->words, "ranks of ids"));
    uint64_t sum = 0, lowest = UINT64_MAX, highest = 0;
    for (uint64_t w = 0; w < map->words; w++) {
        uint64_t bits = map->bits[w];
        map->rank[w] = (uint32_t)sum;
        if (!bits)
            continue;
        sum += (uint64_t)__builtin_popcountll(bits);
        highest = w * 64 + 63 - (uint64_t)__builtin_clzll(bits);
        if (lowest == UINT64_MAX)
            lowest = w * 64 + (uint64_t)__builtin_ctzll(bits);
    }
    map->vertices = sum;
    if (sum == 0 || highest - lowest + 1 == sum) {
        map->kind = HD_MAP_IDENTITY;
        map->base = sum ? lowest : 0;
        free_bits(ctx, map);
    }
    return sum > UINT32_MAX - 1 ? hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices") : HEDDLE_OK;
}

uint64_t hd_id_map_rank_of(const hd_id_map *map, uint64_t id) {
    uint64_t word = id >> 6;
    if (word >= map->words)
        return map->vertices;
    return map->rank[word] + (uint64_t)__builtin_popcountll(map->bits[word] & ((UINT64_C(1) << (id & 63)) - 1));
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

static bool set_grow_slots(heddle_context *ctx, hd_id_set *set) {
    uint64_t fresh = set->slot_count ? set->slot_count * 2 : 1024;
    uint32_t *slots = hd_zalloc(&ctx->allocator, fresh * sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t v = 0; v < set->count; v++) {
        uint64_t slot = value_hash(&ctx->hash_key, set->text, set->values[v]) & (fresh - 1);
        while (slots[slot])
            slot = (slot + 1) & (fresh - 1);
        slots[slot] = (uint32_t)v + 1;
    }
    HD_DELETE(&ctx->allocator, set->slots, set->slot_count);
    set->slots = slots;
    set->slot_count = fresh;
    return true;
}

static bool set_grow_values(heddle_context *ctx, hd_id_set *set) {
    uint64_t fresh = set->capacity ? set->capacity * 2 : 512;
    uint64_t *values = hd_alloc(&ctx->allocator, fresh * sizeof *values);
    if (!values)
        return false;
    if (set->count)
        memcpy(values, set->values, set->count * sizeof *values);
    HD_DELETE(&ctx->allocator, set->values, set->capacity);
    set->values = values;
    set->capacity = fresh;
    return true;
}

bool hd_id_set_place(heddle_context *ctx, hd_id_set *set, uint64_t raw, uint32_t *place) {
    if (set->count * 2 >= set->slot_count && !set_grow_slots(ctx, set))
        return false;
    uint64_t mask = set->slot_count - 1, slot = value_hash(&ctx->hash_key, set->text, raw) & mask;
    for (; set->slots[slot]; slot = (slot + 1) & mask)
        if (value_equal(set->text, set->values[set->slots[slot] - 1], raw)) {
            *place = set->slots[slot] - 1;
            return true;
        }
    if (set->count == UINT32_MAX - 1 || (set->count == set->capacity && !set_grow_values(ctx, set)))
        return false;
    *place = (uint32_t)set->count;
    set->values[set->count++] = raw;
    set->slots[slot] = (uint32_t)set->count;
    return true;
}

bool hd_id_set_add(heddle_context *ctx, hd_id_set *set, const uint64_t *raw, size_t count) {
    uint32_t unused;
    for (size_t i = 0; i < count; i++)
        if (!hd_id_set_place(ctx, set, raw[i], &unused))
            return false;
    return true;
}

void hd_id_set_free(heddle_context *ctx, hd_id_set *set) {
    HD_DELETE(&ctx->allocator, set->values, set->capacity);
    HD_DELETE(&ctx->allocator, set->slots, set->slot_count);
    set->count = set->capacity = set->slot_count = 0;
}

/* A radix sort that skips bytes equal in all values. */
heddle_status hd_sort_ids(heddle_context *ctx, uint64_t *values, uint64_t count, uint64_t flip) {
    uint64_t *other, *result = values, differ = 0;
    HD_TRY(HD_NEW(ctx, &other, count, "sorting ids"));
    uint64_t *spare = other;
    for (uint64_t i = 1; i < count; i++)
        differ |= values[i] ^ values[0];
    for (int shift = 0; shift < 64; shift += 8) {
        if (!((differ >> shift) & 0xff))
            continue;
        uint64_t starts[257] = {0};
        for (uint64_t i = 0; i < count; i++)
            starts[(((result[i] ^ flip) >> shift) & 0xff) + 1]++;
        for (int d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (uint64_t i = 0; i < count; i++)
            spare[starts[((result[i] ^ flip) >> shift) & 0xff]++] = result[i];
        uint64_t *swap = result;
        result = spare;
        spare = swap;
    }
    if (result != values)
        memcpy(values, result, count * sizeof *values);
    HD_DELETE(&ctx->allocator, other, count);
    return HEDDLE_OK;
}

static heddle_status fill_slots(heddle_context *ctx, hd_id_map *map) {
    uint64_t slot_count = 16;
    while (slot_count < map->vertices * 2)
        slot_count *= 2;
    map->slot_mask = slot_count - 1;
    HD_TRY(HD_NEW_ZERO(ctx, &map->slots, slot_count, "hash table of ids"));
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t v = 0; v < map->vertices; v++) {
        uint64_t slot = value_hash(&map->key, NULL, map->values[v]) & map->slot_mask;
        for (;; slot = (slot + 1) & map->slot_mask) {
            uint32_t empty = 0;
            if (!hd_load(&map->slots[slot]) && hd_compare_swap(&map->slots[slot], &empty, (uint32_t)v + 1))
                break;
        }
    }
    return HEDDLE_OK;
}

/* Integers: concatenates all values, sorts them, and drops duplicates. */
static heddle_status map_from_integers(heddle_context *ctx, hd_id_map *map, hd_id_set *sets, uint64_t count,
                                       bool is_unsigned) {
    uint64_t total = 0, distinct = 0;
    for (uint64_t s = 0; s < count; s++)
        total += sets[s].count;
    map->values_capacity = total;
    HD_TRY(HD_NEW(ctx, &map->values, total, "ids"));
    for (uint64_t s = 0, at = 0; s < count; s++) {
        if (sets[s].count)
            memcpy(map->values + at, sets[s].values, sets[s].count * sizeof *map->values);
        at += sets[s].count;
        hd_id_set_free(ctx, &sets[s]);
    }
    HD_TRY(hd_sort_ids(ctx, map->values, total, is_unsigned ? 0 : UINT64_C(1) << 63));
    for (uint64_t i = 0; i < total; i++)
        if (i == 0 || map->values[i] != map->values[i - 1])
            map->values[distinct++] = map->values[i];
    if (distinct > UINT32_MAX - 1)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    map->vertices = distinct;
    return fill_slots(ctx, map);
}

/* Labels: merges the later sets into the first one, in order. */
static heddle_status map_from_labels(heddle_context *ctx, hd_id_map *map, hd_id_set *sets, uint64_t count) {
    for (uint64_t s = 1; s < count; s++) {
        if (!hd_id_set_add(ctx, &sets[0], sets[s].values, sets[s].count))
            return hd_fail_memory(ctx, sets[0].count * 16, "vertex labels");
        hd_id_set_free(ctx, &sets[s]);
    }
    if (!sets[0].slot_count && !set_grow_slots(ctx, &sets[0]))
        return hd_fail_memory(ctx, 4096, "vertex labels");
    map->vertices = sets[0].count;
    map->values = sets[0].values;
    map->values_capacity = sets[0].capacity;
    map->slots = sets[0].slots;
    map->slot_mask = sets[0].slot_count - 1;
    sets[0].values = NULL;
    sets[0].slots = NULL;
    hd_id_set_free(ctx, &sets[0]);
    return HEDDLE_OK;
}

heddle_status hd_id_map_from_sets(heddle_context *ctx, hd_id_map *map, hd_id_set *sets, uint64_t count,
                                  bool is_unsigned) {
    map->key = ctx->hash_key;
    return map->kind == HD_MAP_TEXT ? map_from_labels(ctx, map, sets, count)
                                    : map_from_integers(ctx, map, sets, count, is_unsigned);
}

/* ---- The finished graph's ids ----------------------------------------------------------------------------------- */

static heddle_status ids_from_bits(heddle_context *ctx, const hd_id_map *map, hd_ids *ids) {
    HD_TRY(HD_NEW(ctx, &ids->values, map->vertices, "ids"));
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t w = 0; w < map->words; w++) {
        int64_t *out = ids->values + map->rank[w];
        for (uint64_t bits = map->bits[w]; bits; bits &= bits - 1)
            *out++ = (int64_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
    return HEDDLE_OK;
}

static heddle_status ids_from_labels(heddle_context *ctx, const hd_id_map *map, hd_ids *ids) {
    HD_TRY(HD_NEW(ctx, &ids->starts, map->vertices + 1, "label offsets"));
    for (uint64_t v = 0; v < map->vertices; v++)
        ids->starts[v] = map->values[v] & 0xffff;
    uint64_t bytes = hd_prefix_sum(ctx, ids->starts, map->vertices);
    HD_TRY(HD_NEW(ctx, &ids->text, bytes, "labels"));
    for (uint64_t v = 0; v < map->vertices; v++)
        memcpy(ids->text + ids->starts[v], map->text + (map->values[v] >> 16), map->values[v] & 0xffff);
    return HEDDLE_OK;
}

heddle_status hd_ids_from_map(heddle_context *ctx, hd_id_map *map, bool is_unsigned, hd_ids *ids) {
    ids->owned = true;
    ids->type = map->kind == HD_MAP_TEXT ? HEDDLE_ID_STRING : is_unsigned ? HEDDLE_ID_U64 : HEDDLE_ID_I64;
    switch (map->kind) {
    case HD_MAP_IDENTITY: ids->base = (int64_t)map->base; return HEDDLE_OK;
    case HD_MAP_RANK: return ids_from_bits(ctx, map, ids);
    case HD_MAP_TEXT: return ids_from_labels(ctx, map, ids);
    case HD_MAP_HASH: break;
    }
    HD_TRY(HD_NEW(ctx, &ids->values, map->vertices, "ids"));
    if (map->vertices)
        memcpy(ids->values, map->values, map->vertices * sizeof *ids->values);
    return HEDDLE_OK;
}

void hd_ids_free(const heddle_allocator *allocator, hd_ids *ids, uint64_t vertices) {
    if (ids->owned) {
        HD_DELETE(allocator, ids->values, vertices);
        if (ids->text)
            HD_DELETE(allocator, ids->text, ids->starts[vertices]);
        HD_DELETE(allocator, ids->starts, vertices + 1);
    }
    *ids = (hd_ids){.base = 0};
}
