/* gzip.c - .gz files, through zlib. Several members in a row are one file, as gzip has it; zeros may follow the last
 * one, anything else may not. */
#include "io/compress.h"

static bool matches(const char *data, uint64_t bytes) { return bytes >= 2 && data[0] == '\x1f' && data[1] == '\x8b'; }

#ifdef HD_HAVE_ZLIB
#include <string.h>
#include <zlib.h>

enum {
    GZIP_WINDOW = 15 + 16, /* the largest window, in gzip's wrapping */
    SLICE = 1 << 18,       /* compressed bytes between two checks of the clock and the cancel flag */
    LEAST_ROOM = 1 << 16,  /* least room for decompressed bytes in each call */
    MOST_ROOM = 1 << 30    /* zlib counts in unsigned int */
};

static voidpf gzip_alloc(voidpf allocator, uInt items, uInt size) {
    return hd_sized_alloc(allocator, (size_t)items * size);
}

static void gzip_free(voidpf allocator, voidpf memory) { hd_sized_free(allocator, memory); }

static heddle_status fail_damaged(heddle_context *ctx, const char *name, const z_stream *z, int result, uint64_t at) {
    if (result == Z_MEM_ERROR)
        return hd_fail_memory_in(ctx, name, "zlib");
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0, "gzip data are damaged at byte %llu of the compressed file (%s)",
                        (unsigned long long)at, z->msg ? z->msg : zError(result));
}

/* The size modulo 2^32 that the last member claims. */
static uint64_t claimed_size(const char *data, uint64_t bytes) {
    const unsigned char *tail = (const unsigned char *)data + bytes - 4;
    return bytes < 18 ? 0 : tail[0] | tail[1] << 8 | tail[2] << 16 | (uint64_t)tail[3] << 24;
}

static bool all_zero(const char *data, uint64_t bytes) {
    return bytes == 0 || (data[0] == 0 && memcmp(data, data + 1, (size_t)bytes - 1) == 0);
}

/* Unpacks members until the input is used up. `z` has been set up. */
static heddle_status unpack_members(heddle_context *ctx, const char *name, z_stream *z, const char *data,
                                    uint64_t bytes, hd_bytes *out) {
    int result = Z_OK;
    for (uint64_t at = 0;;) {
        if (result == Z_STREAM_END) { /* the end, padding, another member, or rubbish */
            if (all_zero(data + at, bytes - at))
                return HEDDLE_OK;
            if (!matches(data + at, bytes - at))
                return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                    "something other than gzip data follows at byte %llu of the compressed file",
                                    (unsigned long long)at);
            inflateReset(z);
        }
        HD_TRY(hd_bytes_reserve(ctx, out, LEAST_ROOM));
        uint64_t room = out->capacity - out->bytes;
        uInt given = (uInt)(bytes - at < SLICE ? bytes - at : SLICE);
        uInt unused = (uInt)(room < MOST_ROOM ? room : MOST_ROOM);
        z->next_in = (Bytef *)(uintptr_t)(data + at); /* zlib only reads it, though its type is not const */
        z->avail_in = given;
        z->next_out = (Bytef *)out->data + out->bytes;
        z->avail_out = unused;
        result = inflate(z, Z_NO_FLUSH);
        at += given - z->avail_in;
        out->bytes += unused - z->avail_out;
        if (result == Z_BUF_ERROR) /* there was room, so the input is truncated */
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "gzip stream ends early, after %llu bytes: the file is truncated",
                                (unsigned long long)bytes);
        if (result != Z_OK && result != Z_STREAM_END)
            return fail_damaged(ctx, name, z, result, at);
        if (hd_advance(ctx, given - z->avail_in))
            return hd_cancelled_status(ctx);
    }
}

static heddle_status unpack(heddle_context *ctx, const char *name, const char *data, uint64_t bytes, hd_bytes *out) {
    z_stream z = {.zalloc = gzip_alloc, .zfree = gzip_free, .opaque = &ctx->allocator};
    hd_bytes_guess(ctx, out, hd_unpack_guess(bytes, claimed_size(data, bytes)) + LEAST_ROOM);
    int result = inflateInit2(&z, GZIP_WINDOW);
    if (result != Z_OK)
        return fail_damaged(ctx, name, &z, result, 0);
    heddle_status status = unpack_members(ctx, name, &z, data, bytes, out);
    inflateEnd(&z);
    return status;
}

static heddle_status pack_open(hd_packer *packer, const char *name, int level) {
    heddle_context *ctx = packer->ctx;
    if (level < 0 || level > 9)
        return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, name, 0, "gzip has no compression level %d (1 to 9)", level);
    z_stream *z = hd_zalloc(&ctx->allocator, sizeof *z);
    packer->stream = z;
    if (z) {
        z->zalloc = gzip_alloc;
        z->zfree = gzip_free;
        z->opaque = &ctx->allocator;
    }
    if (!z || deflateInit2(z, level ? level : Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY))
        return hd_fail_memory(ctx, sizeof *z, "compression");
    return HEDDLE_OK;
}

static heddle_status pack(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last) {
    z_stream *z = packer->stream;
    const char *p = data;
    int result = Z_OK;
    (void)name;
    do {
        size_t given = bytes < MOST_ROOM ? bytes : MOST_ROOM;
        z->next_in = (Bytef *)(uintptr_t)p;
        z->avail_in = (uInt)given;
        p += given;
        bytes -= given;
        do {
            z->next_out = (Bytef *)packer->room;
            z->avail_out = HD_PACK_ROOM;
            result = deflate(z, last && bytes == 0 ? Z_FINISH : Z_NO_FLUSH);
            if (!packer->sink(packer->self, packer->room, HD_PACK_ROOM - z->avail_out))
                return HEDDLE_E_WRITE;
        } while (z->avail_out == 0 || (last && bytes == 0 && result == Z_OK));
    } while (bytes > 0);
    return HEDDLE_OK;
}

static void pack_close(hd_packer *packer) {
    z_stream *z = packer->stream;
    if (!z)
        return;
    deflateEnd(z);
    hd_free(&packer->ctx->allocator, z, sizeof *z);
    packer->stream = NULL;
}

#else
HD_CODEC_MISSING("gzip", "zlib (zlib1g-dev)")
#endif

const hd_codec hd_codec_gzip = {"gzip", ".gz", matches, unpack, pack_open, pack, pack_close};
