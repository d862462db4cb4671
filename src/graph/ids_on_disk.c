/* ids_on_disk.c - writes a graph's ids to a temporary file, when a memory limit leaves no room for them. */
#include "base/memory.h"
#include "graph/ids.h"

#include <string.h>

enum { ROOM = 1 << 16, PAGE = 4096 };

/* Bytes on their way to the file. */
typedef struct stream {
    const hd_spill *file;
    uint64_t at;
    size_t used;
    int errnum;
    char *buffer; /* ROOM */
} stream;

static void flush(stream *s) {
    if (!s->errnum)
        s->errnum = hd_spill_write(s->file, s->buffer, s->used, s->at);
    s->at += s->used;
    s->used = 0;
}

/* `bytes` <= ROOM. */
static void put(stream *s, const void *data, size_t bytes) {
    if (bytes > ROOM - s->used)
        flush(s);
    if (bytes)
        memcpy(s->buffer + s->used, data, bytes);
    s->used += bytes;
}

/* Ends an array; the next one begins on a page. */
static void end_array(stream *s) {
    flush(s);
    s->at = (s->at + PAGE - 1) / PAGE * PAGE;
}

static void put_bits(stream *s, const hd_id_map *map) {
    for (uint64_t w = 0; w < map->words; w++)
        for (uint64_t bits = map->bits[w]; bits; bits &= bits - 1) {
            int64_t id = (int64_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
            put(s, &id, sizeof id);
        }
}

static void put_labels(stream *s, const hd_id_map *map, hd_ids_on_disk *places) {
    uint64_t start = 0;
    for (uint64_t v = 0; v < map->vertices; v++) {
        put(s, &start, sizeof start);
        start += map->values[v] & 0xffff;
    }
    put(s, &start, sizeof start);
    end_array(s);
    places->text = s->at;
    for (uint64_t v = 0; v < map->vertices; v++)
        put(s, map->text + (map->values[v] >> 16), map->values[v] & 0xffff);
}

heddle_status hd_ids_write(heddle_context *ctx, hd_id_map *map, const hd_spill *file, uint64_t at,
                           hd_ids_on_disk *places) {
    stream s = {.file = file, .at = at};
    HD_TRY(HD_NEW(ctx, &s.buffer, ROOM, "writing ids"));
    *places = (hd_ids_on_disk){.values = at, .starts = at};
    switch (map->kind) {
    case HD_MAP_IDENTITY: break;
    case HD_MAP_RANK: put_bits(&s, map); break;
    case HD_MAP_TEXT: put_labels(&s, map, places); break;
    case HD_MAP_HASH:
        for (uint64_t v = 0; v < map->vertices; v++)
            put(&s, &map->values[v], sizeof map->values[v]);
        break;
    }
    end_array(&s);
    places->end = s.at;
    HD_DELETE(&ctx->allocator, s.buffer, ROOM);
    return s.errnum ? hd_spill_fail(ctx, file, s.errnum, "cannot write") : HEDDLE_OK;
}

hd_ids hd_ids_mapped(const hd_id_map *map, bool is_unsigned, const hd_ids_on_disk *places, char *base) {
    hd_ids ids = {.type = is_unsigned ? HEDDLE_ID_U64 : HEDDLE_ID_I64};
    if (map->kind == HD_MAP_IDENTITY)
        ids.base = (int64_t)map->base;
    else if (map->kind != HD_MAP_TEXT)
        ids.values = (int64_t *)(void *)(base + places->values);
    if (map->kind == HD_MAP_TEXT) {
        ids.type = HEDDLE_ID_STRING;
        ids.starts = (uint64_t *)(void *)(base + places->starts);
        ids.text = base + places->text;
    }
    return ids;
}
