/* input.h - the bytes of an input: a mapped file, or memory that a pipe was read or a compressed file decompressed
 * into. Compression is recognised by its magic number. The bytes do not move until hd_input_close. */
#ifndef HD_IO_INPUT_H
#define HD_IO_INPUT_H

#include "base/context.h"
#include "base/stamp.h"

typedef struct hd_input {
    const char *name; /* as the user gave it; "<stdin>" for "-" */
    const char *data; /* `bytes` bytes; not NUL-terminated; aligned to 64 bytes or better if nothing was skipped */
    uint64_t bytes;   /* never 0 once opened */
    bool empty;       /* it could not be opened because nothing is in it */
    bool mapped;      /* data is a read-only mapping of a plain file, or of a temporary one */
    bool named;       /* data is the mapping of the file `name`, which can be opened again */
    bool compressed;
    uint64_t capacity; /* of `data` when allocated */
    uint64_t skipped;  /* bytes of a byte order mark, which no reader sees: `data` begins behind it */
    hd_stamp stamp;    /* of the file that is mapped */
} hd_input;

/* `path` must outlive the input. HEDDLE_E_OPEN, _READ, _FORMAT (empty, or damaged compression), _UNSUPPORTED. */
heddle_status hd_input_open(heddle_context *ctx, const char *path, hd_input *input);
/* The same over a copy of bytes in memory: never decompressed, nothing skipped, may be empty. */
heddle_status hd_input_copy(heddle_context *ctx, const char *name, const void *data, uint64_t bytes, hd_input *input);
/* The same for the content of a file: decompressed if necessary, not empty. */
heddle_status hd_input_memory(heddle_context *ctx, const void *data, uint64_t bytes, hd_input *input);
/* Makes `data` memory that can be written to, of at least `capacity` bytes, with the same content. */
heddle_status hd_input_own(heddle_context *ctx, hd_input *input, uint64_t capacity);
/* HEDDLE_E_READ if the mapped file was written to since it was opened: data read from it cannot be trusted. */
heddle_status hd_input_check(heddle_context *ctx, const hd_input *input);
/* Does nothing if `data` is NULL: code that takes ownership of the memory clears it. */
void hd_input_close(heddle_context *ctx, hd_input *input);

/* Fills the error record for the bytes [at, at + length) of the input: counts the line, cuts out the token. At or past
 * the end of the input the token is "end of file". Returns HEDDLE_E_FORMAT. */
heddle_status hd_input_fail(heddle_context *ctx, const hd_input *input, uint64_t at, uint64_t length,
                            const char *expected);

#endif
