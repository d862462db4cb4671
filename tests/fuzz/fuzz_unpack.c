/* fuzz_unpack.c - gzip, zstd, bzip2 and xz files: whatever they hold, unpacking ends with bytes or with an error. */
#include "fuzz.h"

#include "io/compress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const hd_codec *codec = hd_codec_of_content((const char *)data, size);
    if (!codec)
        return 0;
    heddle_context *ctx = fuzz_context();
    hd_bytes out = {0};
    heddle_status status = codec->unpack(ctx, "fuzz", (const char *)data, size, &out);
    if (status != HEDDLE_OK && !heddle_context_error(ctx)->message[0])
        abort();
    hd_bytes_trim(ctx, &out);
    hd_bytes_free(ctx, &out);
    heddle_context_destroy(&ctx);
    return 0;
}
