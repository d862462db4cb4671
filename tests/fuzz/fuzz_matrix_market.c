/* fuzz_matrix_market.c - Matrix Market files. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(&hd_format_matrix_market, data, size, NULL);
    return 0;
}
