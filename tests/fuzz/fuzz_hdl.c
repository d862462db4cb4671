/* fuzz_hdl.c - .hdl files: as they come, which tests the checksums, and with the checksums made right, which tests
 * everything behind them. */
#include "fuzz.h"
#include "fuzz_seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.build.symmetrize = options.build.drop_loops = options.build.drop_isolated = 1;
    fuzz_read(&hd_format_hdl, data, size, NULL);
    char *copy = fuzz_allocate(NULL, size, 0);
    if (size)
        memcpy(copy, data, size);
    fuzz_seal(copy, size);
    fuzz_read(&hd_format_hdl, copy, size, NULL);
    fuzz_read(&hd_format_hdl, copy, size, &options);
    free(copy);
    return 0;
}
