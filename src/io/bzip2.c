/* bzip2.c - .bz2 files, through libbz2. Several streams in a row are one file, as bzip2 has it; nothing else may
 * follow. */
#include "io/compress.h"

#include <string.h>

/* "BZh", the block size, and the mark of a block or of an empty stream's end. */
static bool matches(const char *data, uint64_t bytes) {
    return bytes >= 10 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9' &&
           (memcmp(data + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
            memcmp(data + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

#ifdef HD_HAVE_BZIP2
#include <bzlib.h>

enum {
    SLICE = 1 << 18,      /* compressed bytes between two checks of the clock and the cancel flag */
    LEAST_ROOM = 1 << 16, /* least room for decompressed bytes in each call */
    MOST_ROOM = 1 << 30   /* libbz2 counts in unsigned int */
};

static void *bzip2_alloc(void *allocator, int items, int size) {
    return hd_sized_alloc(allocator, (size_t)items * (size_t)size);
}

static void bzip2_free(void *allocator, void *memory) { hd_sized_free(allocator, memory); }

static heddle_status fail_damaged(heddle_context *ctx, const char *name, int result, uint64_t at) {
    if (result == BZ_MEM_ERROR)
        return hd_fail_memory_in(ctx, name, "bzip2");
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                        "bzip2 data are damaged at byte %llu of the compressed file (%s)", (unsigned long long)at,
                        result == BZ_DATA_ERROR_MAGIC ? "not the start of a stream" : "a checksum or block is wrong");
}

/* Unpacks one stream, which begins at *at. */
static heddle_status unpack_stream(heddle_context *ctx, const char *name, bz_stream *bz, const char *data,
                                   uint64_t bytes, uint64_t *at, hd_bytes *out) {
    for (int result = BZ_OK; result != BZ_STREAM_END;) {
        HD_TRY(hd_bytes_reserve(ctx, out, LEAST_ROOM));
        uint64_t room = out->capacity - out->bytes;
        unsigned given = (unsigned)(bytes - *at < SLICE ? bytes - *at : SLICE);
        unsigned unused = (unsigned)(room < MOST_ROOM ? room : MOST_ROOM);
        bz->next_in = (char *)(uintptr_t)(data + *at); /* libbz2 only reads it, though its type is not const */
        bz->avail_in = given;
        bz->next_out = out->data + out->bytes;
        bz->avail_out = unused;
        result = BZ2_bzDecompress(bz);
        unsigned taken = given - bz->avail_in, made = unused - bz->avail_out;
        *at += taken;
        out->bytes += made;
        if (result != BZ_OK && result != BZ_STREAM_END)
            return fail_damaged(ctx, name, result, *at);
        if (result == BZ_OK && !taken && !made) /* there was room, so the input is truncated */
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "bzip2 stream ends early, after %llu bytes: the file is truncated",
                                (unsigned long long)bytes);
        if (hd_advance(ctx, taken))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

static heddle_status unpack(heddle_context *ctx, const char *name, const char *data, uint64_t bytes, hd_bytes *out) {
    hd_bytes_guess(ctx, out, hd_unpack_guess(bytes, 0) + LEAST_ROOM);
    for (uint64_t at = 0; at < bytes;) {
        bz_stream bz = {.bzalloc = bzip2_alloc, .bzfree = bzip2_free, .opaque = &ctx->allocator};
        if (memcmp(data + at, "BZh", bytes - at < 3 ? (size_t)(bytes - at) : 3) != 0)
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "something other than bzip2 data follows at byte %llu of the compressed file",
                                (unsigned long long)at);
        int result = BZ2_bzDecompressInit(&bz, 0, 0);
        if (result != BZ_OK)
            return fail_damaged(ctx, name, result, at);
        heddle_status status = unpack_stream(ctx, name, &bz, data, bytes, &at, out);
        BZ2_bzDecompressEnd(&bz);
        HD_TRY(status);
    }
    return HEDDLE_OK;
}

static heddle_status pack_open(hd_packer *packer, const char *name, int level) {
    heddle_context *ctx = packer->ctx;
    if (level < 0 || level > 9)
        return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, name, 0, "bzip2 has no compression level %d (1 to 9)", level);
    bz_stream *bz = hd_zalloc(&ctx->allocator, sizeof *bz);
    packer->stream = bz;
    if (bz) {
        bz->bzalloc = bzip2_alloc;
        bz->bzfree = bzip2_free;
        bz->opaque = &ctx->allocator;
    }
    if (!bz || BZ2_bzCompressInit(bz, level ? level : 9, 0, 0) != BZ_OK)
        return hd_fail_memory(ctx, sizeof *bz, "compression");
    return HEDDLE_OK;
}

static heddle_status pack(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last) {
    bz_stream *bz = packer->stream;
    const char *p = data;
    int result = BZ_OK;
    (void)name;
    do {
        size_t given = bytes < MOST_ROOM ? bytes : MOST_ROOM;
        bool finish = last && bytes == given;
        bz->next_in = (char *)(uintptr_t)p;
        bz->avail_in = (unsigned)given;
        p += given;
        bytes -= given;
        while (finish ? result != BZ_STREAM_END : bz->avail_in > 0) {
            bz->next_out = packer->room;
            bz->avail_out = HD_PACK_ROOM;
            result = BZ2_bzCompress(bz, finish ? BZ_FINISH : BZ_RUN);
            if (!packer->sink(packer->self, packer->room, HD_PACK_ROOM - bz->avail_out))
                return HEDDLE_E_WRITE;
        }
    } while (bytes > 0);
    return HEDDLE_OK;
}

static void pack_close(hd_packer *packer) {
    bz_stream *bz = packer->stream;
    if (!bz)
        return;
    BZ2_bzCompressEnd(bz);
    hd_free(&packer->ctx->allocator, bz, sizeof *bz);
    packer->stream = NULL;
}

#else
HD_CODEC_MISSING("bzip2", "libbz2 (libbz2-dev)")
#endif

const hd_codec hd_codec_bzip2 = {"bzip2", ".bz2", matches, unpack, pack_open, pack, pack_close};
