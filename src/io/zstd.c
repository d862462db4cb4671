/* zstd.c - .zst files, through libzstd: any number of frames, including skippable ones. Compression stays on the
 * calling thread: libzstd's own worker threads crash when memory runs out (seen with 1.5.4). */
#include "io/compress.h"

#include <string.h>

static uint32_t first_word(const char *data) {
    const unsigned char *p = (const unsigned char *)data;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A frame, or one of the sixteen kinds of skippable frames, which parallel packers put first. */
static bool matches(const char *data, uint64_t bytes) {
    return bytes >= 4 && (first_word(data) == 0xfd2fb528 || first_word(data) >> 4 == 0x184d2a5);
}

#ifdef HD_HAVE_ZSTD
#define ZSTD_STATIC_LINKING_ONLY /* for contexts with an allocator of one's own */
#include <zstd.h>
#include <zstd_errors.h>

enum { SLICE = 1 << 18, LEAST_ROOM = 1 << 18, LEAST_WINDOW = 27, MOST_WINDOW = 31 };

static void *zstd_alloc(void *allocator, size_t bytes) { return hd_sized_alloc(allocator, bytes); }
static void zstd_free(void *allocator, void *memory) { hd_sized_free(allocator, memory); }

static ZSTD_customMem memory_of(heddle_context *ctx) {
    return (ZSTD_customMem){zstd_alloc, zstd_free, &ctx->allocator};
}

static heddle_status fail_code(heddle_context *ctx, const char *name, size_t code, uint64_t at) {
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return hd_fail_memory_in(ctx, name, "zstd");
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0, "zstd data are damaged at byte %llu of the compressed file (%s)",
                        (unsigned long long)at, ZSTD_getErrorName(code));
}

/* The size that the first frame claims, which is usually the only one. */
static uint64_t claimed_size(const char *data, uint64_t bytes) {
    unsigned long long size = ZSTD_getFrameContentSize(data, (size_t)bytes);
    return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

/* Whether the frame that starts here fits in the output's capacity. Then libzstd can use the output itself as its
 * window, instead of copying from its own buffer; the output must not move before the frame ends. */
static bool frame_fits(const char *data, uint64_t bytes, const hd_bytes *out) {
    unsigned long long size = ZSTD_getFrameContentSize(data, (size_t)bytes);
    return size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR && size <= out->capacity - out->bytes;
}

static heddle_status unpack_frames(heddle_context *ctx, const char *name, ZSTD_DCtx *stream, const char *data,
                                   uint64_t bytes, hd_bytes *out) {
    size_t wanted = 0; /* 0 between frames */
    bool fits = false;
    ZSTD_outBuffer room = {0};
    for (uint64_t at = 0; at < bytes || wanted;) {
        if (wanted == 0) {
            if (!matches(data + at, bytes - at))
                return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                    "something other than zstd data follows at byte %llu of the compressed file",
                                    (unsigned long long)at);
            fits = frame_fits(data + at, bytes - at, out);
            ZSTD_DCtx_setParameter(stream, ZSTD_d_stableOutBuffer, fits);
            room.size = 0;
        }
        if (!fits)
            HD_TRY(hd_bytes_reserve(ctx, out, LEAST_ROOM));
        if (!fits || room.size == 0)
            room = (ZSTD_outBuffer){out->data + out->bytes, (size_t)(out->capacity - out->bytes), 0};
        size_t before = room.pos;
        ZSTD_inBuffer in = {data + at, (size_t)(bytes - at < SLICE ? bytes - at : SLICE), 0};
        wanted = ZSTD_decompressStream(stream, &room, &in);
        if (ZSTD_isError(wanted))
            return fail_code(ctx, name, wanted, at + in.pos);
        at += in.pos;
        out->bytes += room.pos - before;
        if (wanted && at == bytes && (fits || room.pos < room.size))
            return hd_fail_file(ctx, HEDDLE_E_FORMAT, name, 0,
                                "zstd stream ends early, after %llu bytes: the file is truncated",
                                (unsigned long long)bytes);
        if (hd_advance(ctx, in.pos))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

static heddle_status unpack(heddle_context *ctx, const char *name, const char *data, uint64_t bytes, hd_bytes *out) {
    uint64_t guess = hd_unpack_guess(bytes, claimed_size(data, bytes));
    int window = LEAST_WINDOW; /* long windows need as much memory again: only where the file can be that large */
    while (window < MOST_WINDOW && guess >> window)
        window++;
    hd_bytes_guess(ctx, out, guess + LEAST_ROOM);
    ZSTD_DCtx *stream = ZSTD_createDCtx_advanced(memory_of(ctx));
    if (!stream)
        return hd_fail_memory_in(ctx, name, "zstd");
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, window);
    heddle_status status = unpack_frames(ctx, name, stream, data, bytes, out);
    ZSTD_freeDCtx(stream);
    return status;
}

static heddle_status pack_open(hd_packer *packer, const char *name, int level) {
    heddle_context *ctx = packer->ctx;
    if (level < 0 || level > ZSTD_maxCLevel())
        return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, name, 0, "zstd has no compression level %d (1 to %d)", level,
                            ZSTD_maxCLevel());
    ZSTD_CCtx *stream = packer->stream = ZSTD_createCCtx_advanced(memory_of(ctx));
    if (!stream)
        return hd_fail_memory_in(ctx, name, "zstd");
    ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, level ? level : ZSTD_CLEVEL_DEFAULT);
    ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1);
    return HEDDLE_OK;
}

static heddle_status pack(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last) {
    ZSTD_inBuffer in = {data, bytes, 0};
    for (;;) {
        ZSTD_outBuffer out = {packer->room, HD_PACK_ROOM, 0};
        size_t left = ZSTD_compressStream2(packer->stream, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return fail_code(packer->ctx, name, left, 0);
        if (!packer->sink(packer->self, packer->room, out.pos))
            return HEDDLE_E_WRITE;
        if (last ? left == 0 : in.pos == in.size)
            return HEDDLE_OK;
    }
}

static void pack_close(hd_packer *packer) {
    ZSTD_freeCCtx(packer->stream);
    packer->stream = NULL;
}

#else
HD_CODEC_MISSING("zstd", "libzstd (libzstd-dev)")
#endif

const hd_codec hd_codec_zstd = {"zstd", ".zst", matches, unpack, pack_open, pack, pack_close};
