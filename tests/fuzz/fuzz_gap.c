/* fuzz_gap.c - serialized GAP graphs, read plainly and with changes. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.build.symmetrize = options.build.drop_isolated = 1;
    options.build.duplicates = HEDDLE_DUPLICATES_MIN;
    fuzz_read(&hd_format_gap, data, size, NULL);
    fuzz_read(&hd_format_gap, data, size, &options);
    return 0;
}
