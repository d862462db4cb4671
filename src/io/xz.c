/* xz.c - .xz files, through liblzma: several streams in a row are one file, and padding between them is skipped. Blocks
 * are unpacked and packed on the calling thread. */
#include "io/compress.h"

#include <string.h>

static const char magic[6] = {'\xfd', '7', 'z', 'X', 'Z', '\0'};

static bool matches(const char *data, uint64_t bytes) {
    return bytes >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

#ifdef HD_HAVE_LZMA
#include <lzma.h>

enum { SLICE = 1 << 18, LEAST_ROOM = 1 << 16 };
/* A header states the size of the dictionary: this allows as much as xz -9 and --long files need. */
static const uint64_t most_memory = UINT64_C(1) << 31;

static void *xz_alloc(void *allocator, size_t items, size_t size) {
    return size && items > SIZE_MAX / size ? NULL : hd_sized_alloc(allocator, items * size);
}

static void xz_free(void *allocator, void *memory) { hd_sized_free(allocator, memory); }

static lzma_allocator memory_of(heddle_context *ctx) { return (lzma_allocator){xz_alloc, xz_free, &ctx->allocator}; }

static heddle_status fail_code(heddle_context *ctx, const char *name, lzma_ret code, uint64_t at) {
    const char *why = code == LZMA_DATA_ERROR      ? "a checksum or block is wrong"
                      : code == LZMA_OPTIONS_ERROR ? "it needs features that this liblzma lacks"
                                                   : "it cannot be unpacked";
    if (code == LZMA_MEM_ERROR)
        return hd_fail_memory_in(ctx, name, "xz");
    if (code == LZMA_MEMLIMIT_ERROR)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, name, 0, "its xz dictionary needs more than 2 GiB to unpack");
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0, "xz data are damaged at byte %llu of the compressed file (%s)",
                        (unsigned long long)at, why);
}

/* Unpacks one stream, which begins at *start. */
static heddle_status unpack_stream(heddle_context *ctx, const char *name, lzma_stream *xz, const char *data,
                                   uint64_t bytes, uint64_t *start, hd_bytes *out) {
    for (uint64_t at = *start;;) {
        HD_TRY(hd_bytes_reserve(ctx, out, LEAST_ROOM));
        size_t given = (size_t)(bytes - at < SLICE ? bytes - at : SLICE);
        size_t unused = (size_t)(out->capacity - out->bytes);
        xz->next_in = (const uint8_t *)data + at;
        xz->avail_in = given;
        xz->next_out = (uint8_t *)out->data + out->bytes;
        xz->avail_out = unused;
        lzma_ret result = lzma_code(xz, at + given == bytes ? LZMA_FINISH : LZMA_RUN);
        at += given - xz->avail_in;
        out->bytes += unused - xz->avail_out;
        *start = at;
        if (hd_advance(ctx, given - xz->avail_in))
            return hd_cancelled_status(ctx);
        if (result == LZMA_STREAM_END)
            return HEDDLE_OK;
        if (result == LZMA_BUF_ERROR || (result == LZMA_OK && at == bytes && xz->avail_out))
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "xz stream ends early, after %llu bytes: the file is truncated",
                                (unsigned long long)bytes);
        if (result != LZMA_OK)
            return fail_code(ctx, name, result, at);
    }
}

static heddle_status unpack(heddle_context *ctx, const char *name, const char *data, uint64_t bytes, hd_bytes *out) {
    lzma_allocator memory = memory_of(ctx);
    hd_bytes_guess(ctx, out, hd_unpack_guess(bytes, 0) + LEAST_ROOM);
    for (uint64_t at = 0; at < bytes;) {
        lzma_stream xz = LZMA_STREAM_INIT;
        xz.allocator = &memory;
        if (memcmp(data + at, magic, bytes - at < sizeof magic ? (size_t)(bytes - at) : sizeof magic) != 0)
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "something other than xz data follows at byte %llu of the compressed file",
                                (unsigned long long)at);
        lzma_ret result = lzma_stream_decoder(&xz, most_memory, 0);
        heddle_status status =
            result == LZMA_OK ? unpack_stream(ctx, name, &xz, data, bytes, &at, out) : fail_code(ctx, name, result, at);
        lzma_end(&xz);
        HD_TRY(status);
        while (bytes - at >= 4 && memcmp(data + at, "\0\0\0", 4) == 0) /* padding between streams */
            at += 4;
    }
    return HEDDLE_OK;
}

typedef struct xz_packer {
    lzma_stream stream;
    lzma_allocator memory;
} xz_packer;

static heddle_status pack_open(hd_packer *packer, const char *name, int level) {
    heddle_context *ctx = packer->ctx;
    if (level < 0 || level > 9)
        return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, name, 0, "xz has no compression level %d (1 to 9)", level);
    xz_packer *xz = hd_zalloc(&ctx->allocator, sizeof *xz);
    packer->stream = xz;
    if (!xz)
        return hd_fail_memory(ctx, sizeof *xz, "compression");
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    xz->memory = memory_of(ctx);
    xz->stream.allocator = &xz->memory;
    lzma_ret result = lzma_easy_encoder(&xz->stream, level ? (uint32_t)level : LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64);
    return result == LZMA_OK ? HEDDLE_OK : fail_code(ctx, name, LZMA_MEM_ERROR, 0);
}

static heddle_status pack(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last) {
    lzma_stream *xz = &((xz_packer *)packer->stream)->stream;
    xz->next_in = data;
    xz->avail_in = bytes;
    for (;;) {
        xz->next_out = (uint8_t *)packer->room;
        xz->avail_out = HD_PACK_ROOM;
        lzma_ret result = lzma_code(xz, last ? LZMA_FINISH : LZMA_RUN);
        if (result != LZMA_OK && result != LZMA_STREAM_END)
            return fail_code(packer->ctx, name, LZMA_MEM_ERROR, 0);
        if (!packer->sink(packer->self, packer->room, HD_PACK_ROOM - xz->avail_out))
            return HEDDLE_E_WRITE;
        if (last ? result == LZMA_STREAM_END : xz->avail_in == 0)
            return HEDDLE_OK;
    }
}

static void pack_close(hd_packer *packer) {
    xz_packer *xz = packer->stream;
    if (!xz)
        return;
    lzma_end(&xz->stream);
    hd_free(&packer->ctx->allocator, xz, sizeof *xz);
    packer->stream = NULL;
}

#else
HD_CODEC_MISSING("xz", "liblzma (liblzma-dev)")
#endif

const hd_codec hd_codec_xz = {"xz", ".xz", matches, unpack, pack_open, pack, pack_close};
