/* ids.h - from the user's ids to vertices 0 .. n-1 while a graph is being built, and back afterwards. */
#ifndef HD_GRAPH_IDS_H
#define HD_GRAPH_IDS_H

#include "base/spill.h"
#include "graph/graph.h"

typedef enum hd_map_kind {
    HD_MAP_IDENTITY, /* vertex = id - base */
    HD_MAP_RANK,     /* small ids with holes: a bit per id, and the number of bits set before each word */
    HD_MAP_HASH,     /* any 64-bit ids: sorted values, and a hash table of positions in them */
    HD_MAP_TEXT      /* labels in order of first appearance, and a hash table likewise */
} hd_map_kind;

typedef struct hd_id_map {
    hd_map_kind kind;
    uint64_t vertices;
    uint64_t base;  /* IDENTITY */
    uint64_t *bits; /* RANK: ids 0 .. 64 * words - 1 */
    uint32_t *rank; /* RANK: bits set before the word */
    uint64_t words;
    uint64_t *values; /* HASH: ids in ascending order; TEXT: offset << 16 | length, by first appearance */
    uint64_t values_capacity;
    uint32_t *slots; /* HASH, TEXT: vertex + 1, 0 empty; open addressing */
    uint64_t slot_mask;
    const char *text; /* TEXT */
    hd_hash_key key;  /* HASH, TEXT: the context's */
} hd_id_map;

/* The hash of a label in tables of labels. */
uint64_t hd_label_hash(const hd_hash_key *key, const char *p, uint64_t length);

/* Vertices of `count` raw ids; false, with `vertices` undefined, if one of them is not in the map. */
bool hd_id_map_apply(const hd_id_map *map, const uint64_t *raw, uint32_t *vertices, size_t count);
void hd_id_map_free(heddle_context *ctx, hd_id_map *map);

/* RANK: marks ids in the (zeroed) bits, from any thread. False when one is not below 64 * words. */
bool hd_id_map_mark(hd_id_map *map, const uint64_t *raw, size_t count);
/* RANK: computes the ranks; the map becomes IDENTITY if the ids have no gaps. */
heddle_status hd_id_map_rank(heddle_context *ctx, hd_id_map *map);
/* RANK: number of marked ids below `id`. */
uint64_t hd_id_map_rank_of(const hd_id_map *map, uint64_t id);

/* A growing set of distinct ids (or labels, when `text` is set), kept in order of first appearance. */
typedef struct hd_id_set {
    const char *text;
    uint64_t *values;
    uint64_t count;
    uint64_t capacity;
    uint32_t *slots;
    uint64_t slot_count;
} hd_id_set;

/* Adds one id or label if it is new, and returns its index in order of first appearance. False as below. */
bool hd_id_set_place(heddle_context *ctx, hd_id_set *set, uint64_t raw, uint32_t *place);
/* Adds ids. False when memory ran out, or more than 2^32 - 2 would be in the set. */
bool hd_id_set_add(heddle_context *ctx, hd_id_set *set, const uint64_t *raw, size_t count);
void hd_id_set_free(heddle_context *ctx, hd_id_set *set);
/* Makes the map of all ids in the sets, which are given in input order and emptied. */
heddle_status hd_id_map_from_sets(heddle_context *ctx, hd_id_map *map, hd_id_set *sets, uint64_t count,
                                  bool is_unsigned);

/* Sorts ids in ascending order; `flip` is xor-ed in: 2^63 to order them as numbers with sign. */
heddle_status hd_sort_ids(heddle_context *ctx, uint64_t *values, uint64_t count, uint64_t flip);

/* Makes the graph's ids from the map; takes ownership of the map's values where possible. */
heddle_status hd_ids_from_map(heddle_context *ctx, hd_id_map *map, bool is_unsigned, hd_ids *ids);
/* The same in a temporary file (ids_on_disk.c): where the arrays lie, and where the file ends then. */
typedef struct hd_ids_on_disk {
    uint64_t values, starts, text, end;
} hd_ids_on_disk;
/* Writes the arrays from byte `at` on. */
heddle_status hd_ids_write(heddle_context *ctx, hd_id_map *map, const hd_spill *file, uint64_t at,
                           hd_ids_on_disk *places);
/* The graph's ids, once the file is mapped at `base`. */
hd_ids hd_ids_mapped(const hd_id_map *map, bool is_unsigned, const hd_ids_on_disk *places, char *base);
/* Frees owned memory. */
void hd_ids_free(const heddle_allocator *allocator, hd_ids *ids, uint64_t vertices);

#endif
