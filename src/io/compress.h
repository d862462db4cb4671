/* compress.h - compressed bytes in and out. A codec is one file (gzip.c, zstd.c, bzip2.c, xz.c) that defines an
 * hd_codec, and one line in compress.c. A codec whose library was missing at build time is still recognised, and its
 * error names the missing package. */
#ifndef HD_IO_COMPRESS_H
#define HD_IO_COMPRESS_H

#include "base/memory.h"
#include "base/spill.h"

/* Bytes in allocated memory that grows; or, under a memory limit, in a temporary file, where only the last of them are
 * in memory until hd_bytes_settle. */
typedef struct hd_bytes {
    char *data;
    uint64_t bytes; /* at `data` */
    uint64_t capacity;
    bool spooled;       /* the bytes go to a file: */
    hd_spill file;      /* this one, */
    uint64_t written;   /* which holds this many of them already */
    bool settled;       /* `data` is a mapping of the file */
    const void *behind; /* a mapped file that the bytes are made of, or NULL: its pages are given back */
    uint64_t behind_bytes;
} hd_bytes;

/* Sends the bytes, of which there are none yet, to a temporary file if a memory limit is set that allows it. */
heddle_status hd_bytes_spool(heddle_context *ctx, hd_bytes *bytes);
/* After the last of them: all bytes are at `data`, for reading only if they were spooled. */
heddle_status hd_bytes_settle(heddle_context *ctx, hd_bytes *bytes);
/* Copies an item out that was put in as a whole, `at` bytes after the first. */
heddle_status hd_bytes_get(heddle_context *ctx, const hd_bytes *bytes, uint64_t at, void *item, size_t size);

/* Makes room for at least `room` more bytes; grows by doubling. */
heddle_status hd_bytes_reserve(heddle_context *ctx, hd_bytes *bytes, uint64_t room);
heddle_status hd_bytes_push(heddle_context *ctx, hd_bytes *bytes, const void *item, size_t size);
/* The first capacity: `guess` bytes, or less where memory is short. The bytes have no memory yet. */
void hd_bytes_guess(heddle_context *ctx, hd_bytes *bytes, uint64_t guess);
/* Frees unused capacity if possible. */
void hd_bytes_trim(heddle_context *ctx, hd_bytes *bytes);
void hd_bytes_free(heddle_context *ctx, hd_bytes *bytes);

/* Receives compressed bytes; false if they could not be written, which ends the compression. */
typedef bool (*hd_sink)(void *self, const void *data, size_t bytes);

/* A running compression. */
typedef struct hd_packer {
    heddle_context *ctx;
    hd_sink sink;
    void *self;   /* the sink's */
    void *stream; /* the codec's */
    char *room;   /* HD_PACK_ROOM bytes: packed, on their way to the sink */
} hd_packer;

enum { HD_PACK_ROOM = 1 << 18 };

typedef struct hd_codec {
    const char *name;   /* "gzip" */
    const char *suffix; /* ".gz" */
    /* Whether the bytes begin with this codec's magic number. */
    bool (*matches)(const char *data, uint64_t bytes);
    /* Decompresses a whole file into `out`, which is empty; `name` is for errors. Memory grows with the data that were
     * decompressed, not with sizes that headers claim. */
    heddle_status (*unpack)(heddle_context *ctx, const char *name, const char *data, uint64_t bytes, hd_bytes *out);
    /* Begins a compression; ctx, sink and self are set. `level` 0 is the library's default. */
    heddle_status (*pack_open)(hd_packer *packer, const char *name, int level);
    /* Compresses more bytes; `last` finishes the file. */
    heddle_status (*pack)(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last);
    void (*pack_close)(hd_packer *packer);
} hd_codec;

/* ".gz, .zst, .bz2 or .xz" */
void hd_codec_suffixes(char *text, size_t size);

/* By the first bytes of a file, or by the suffix of a path; NULL: not compressed. */
const hd_codec *hd_codec_of_content(const char *data, uint64_t bytes);
const hd_codec *hd_codec_of_path(const char *path);

/* For the codecs: the decompressed size to expect if a header claims `claimed` bytes (0: unknown), bounded by a
 * compression ratio of 1100. */
uint64_t hd_unpack_guess(uint64_t packed, uint64_t claimed);
/* For the codecs: malloc and free over the context's allocator. */
void *hd_sized_alloc(const heddle_allocator *allocator, size_t bytes);
void hd_sized_free(const heddle_allocator *allocator, void *memory);
/* For codecs that were not built in. */
heddle_status hd_fail_codec(heddle_context *ctx, const char *name, const char *codec, const char *package);

/* Defines the functions of a codec that was not built in: each refuses, and names the package. */
#define HD_CODEC_MISSING(codec, package)                                                                        \
    static heddle_status unpack(heddle_context *ctx, const char *name, const char *data, uint64_t bytes,        \
                                hd_bytes *out) {                                                                \
        (void)data, (void)bytes, (void)out;                                                                     \
        return hd_fail_codec(ctx, name, codec, package);                                                        \
    }                                                                                                           \
    static heddle_status pack_open(hd_packer *packer, const char *name, int level) {                            \
        (void)level;                                                                                            \
        return hd_fail_codec(packer->ctx, name, codec, package);                                                \
    }                                                                                                           \
    static heddle_status pack(hd_packer *packer, const char *name, const void *data, size_t bytes, bool last) { \
        (void)data, (void)bytes, (void)last;                                                                    \
        return hd_fail_codec(packer->ctx, name, codec, package);                                                \
    }                                                                                                           \
    static void pack_close(hd_packer *packer) { (void)packer; }

#endif
