/* compress.c - shared by the codecs: their table, growing buffers, and a malloc-style allocator. */
#include "io/compress.h"

#include "base/limit.h"
#include "base/word_list.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>

/* One line each, in the order that texts list them. */
#define ALL_CODECS(X) \
    X(gzip)           \
    X(zstd)           \
    X(bzip2)          \
    X(xz)

#define DECLARE(name) extern const hd_codec hd_codec_##name;
ALL_CODECS(DECLARE)

#define ENTER(name) &hd_codec_##name,
static const hd_codec *const codecs[] = {ALL_CODECS(ENTER)};
enum { CODECS = sizeof codecs / sizeof *codecs, SIZE_HEAD = 64 };
static const uint64_t least_capacity = 1 << 16, spool_room = 1 << 19, most_capacity = SIZE_MAX >> 2;

const char *heddle_codec_at(size_t index) { return index < CODECS ? codecs[index]->suffix : NULL; }

void hd_codec_suffixes(char *text, size_t size) {
    const char *suffixes[CODECS];
    for (int i = 0; i < CODECS; i++)
        suffixes[i] = codecs[i]->suffix;
    hd_join(suffixes, CODECS, ", ", " or ", text, size);
}

const hd_codec *hd_codec_of_content(const char *data, uint64_t bytes) {
    for (int i = 0; i < CODECS; i++)
        if (codecs[i]->matches(data, bytes))
            return codecs[i];
    return NULL;
}

const hd_codec *hd_codec_of_path(const char *path) {
    size_t length = strlen(path);
    for (int i = 0; i < CODECS; i++) {
        size_t suffix = strlen(codecs[i]->suffix);
        if (length > suffix && strcasecmp(path + length - suffix, codecs[i]->suffix) == 0)
            return codecs[i];
    }
    return NULL;
}

/* Moves the bytes in memory to the file. */
static heddle_status write_out(heddle_context *ctx, hd_bytes *bytes) {
    int errnum = hd_spill_write(&bytes->file, bytes->data, (size_t)bytes->bytes, bytes->written);
    if (errnum)
        return hd_spill_fail(ctx, &bytes->file, errnum, "cannot write");
    bytes->written += bytes->bytes;
    bytes->bytes = 0;
    if (bytes->behind)
        hd_pages_release(bytes->behind, bytes->behind_bytes);
    return HEDDLE_OK;
}

heddle_status hd_bytes_spool(heddle_context *ctx, hd_bytes *bytes) {
    if (!ctx->limit || !ctx->limit->spill)
        return HEDDLE_OK;
    HD_TRY(hd_spill_open(ctx, ctx->limit->spill, &bytes->file));
    bytes->spooled = true;
    return HEDDLE_OK;
}

heddle_status hd_bytes_settle(heddle_context *ctx, hd_bytes *bytes) {
    void *map = NULL;
    if (!bytes->spooled || bytes->settled)
        return HEDDLE_OK;
    if (bytes->bytes)
        HD_TRY(write_out(ctx, bytes));
    if (bytes->written)
        HD_TRY(hd_spill_map(ctx, &bytes->file, bytes->written, &map));
    HD_DELETE(&ctx->allocator, bytes->data, bytes->capacity);
    hd_spill_close(&bytes->file);
    bytes->data = map;
    bytes->bytes = bytes->capacity = bytes->written;
    bytes->settled = true;
    return HEDDLE_OK;
}

heddle_status hd_bytes_get(heddle_context *ctx, const hd_bytes *bytes, uint64_t at, void *item, size_t size) {
    if (at >= bytes->written) {
        memcpy(item, bytes->data + (at - bytes->written), size);
        return HEDDLE_OK;
    }
    int errnum = hd_spill_read(&bytes->file, item, size, at);
    return errnum ? hd_spill_fail(ctx, &bytes->file, errnum, "cannot read") : HEDDLE_OK;
}

heddle_status hd_bytes_reserve(heddle_context *ctx, hd_bytes *bytes, uint64_t room) {
    if (room <= bytes->capacity - bytes->bytes)
        return HEDDLE_OK;
    if (bytes->spooled && bytes->bytes) {
        HD_TRY(write_out(ctx, bytes));
        if (room <= bytes->capacity)
            return HEDDLE_OK;
    }
    if (room > most_capacity - bytes->bytes)
        return hd_fail_memory(ctx, SIZE_MAX, "the input");
    uint64_t capacity = bytes->capacity < most_capacity / 2 ? bytes->capacity * 2 : most_capacity;
    if (capacity < bytes->bytes + room)
        capacity = bytes->bytes + room;
    if (capacity < least_capacity)
        capacity = least_capacity;
    char *data = bytes->data ? hd_resize(&ctx->allocator, bytes->data, (size_t)bytes->capacity, (size_t)capacity)
                             : hd_alloc(&ctx->allocator, (size_t)capacity);
    if (!data)
        return hd_fail_memory(ctx, (size_t)capacity, "the input");
    bytes->data = data;
    bytes->capacity = capacity;
    return HEDDLE_OK;
}

heddle_status hd_bytes_push(heddle_context *ctx, hd_bytes *bytes, const void *item, size_t size) {
    HD_TRY(hd_bytes_reserve(ctx, bytes, size));
    memcpy(bytes->data + bytes->bytes, item, size);
    bytes->bytes += size;
    return HEDDLE_OK;
}

void hd_bytes_guess(heddle_context *ctx, hd_bytes *bytes, uint64_t guess) {
    if (bytes->spooled && guess > spool_room)
        guess = spool_room;
    for (; guess >= least_capacity && !bytes->data; guess /= 2) {
        bytes->data = guess < most_capacity ? hd_alloc(&ctx->allocator, (size_t)guess) : NULL;
        bytes->capacity = bytes->data ? guess : 0;
    }
}

void hd_bytes_trim(heddle_context *ctx, hd_bytes *bytes) {
    uint64_t unused = bytes->spooled ? 0 : bytes->capacity - bytes->bytes;
    if (!bytes->bytes || unused <= bytes->capacity / 8)
        return; /* little would be saved, and shrinking may copy */
    char *data = hd_resize(&ctx->allocator, bytes->data, (size_t)bytes->capacity, (size_t)bytes->bytes);
    if (!data)
        return;
    bytes->data = data;
    bytes->capacity = bytes->bytes;
}

void hd_bytes_free(heddle_context *ctx, hd_bytes *bytes) {
    if (bytes->data && bytes->settled)
        munmap(bytes->data, (size_t)bytes->bytes);
    else if (bytes->data)
        hd_free(&ctx->allocator, bytes->data, (size_t)bytes->capacity);
    if (bytes->spooled)
        hd_spill_close(&bytes->file);
    *bytes = (hd_bytes){0};
}

uint64_t hd_unpack_guess(uint64_t packed, uint64_t claimed) {
    uint64_t most = packed < UINT64_MAX / 1100 ? packed * 1100 : UINT64_MAX;
    uint64_t least = packed < UINT64_MAX / 4 ? packed * 4 : packed;
    if (claimed < packed) /* not given, or the size of the last of several members */
        claimed = least;
    return claimed < most ? claimed : most;
}

void *hd_sized_alloc(const heddle_allocator *allocator, size_t bytes) {
    if (bytes > SIZE_MAX - SIZE_HEAD)
        return NULL;
    bytes += SIZE_HEAD;
    char *block = hd_alloc(allocator, bytes);
    if (!block)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + SIZE_HEAD;
}

void hd_sized_free(const heddle_allocator *allocator, void *memory) {
    if (!memory)
        return;
    char *block = (char *)memory - SIZE_HEAD;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    hd_free(allocator, block, bytes);
}

heddle_status hd_fail_codec(heddle_context *ctx, const char *name, const char *codec, const char *package) {
    return hd_fail_file(ctx, HEDDLE_E_UNSUPPORTED, name, 0,
                        "%s compression is not part of this build: install %s and build again, or use the %s command",
                        codec, package, codec);
}
