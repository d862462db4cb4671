/* fuzz_pajek.c - Pajek networks. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(&hd_format_pajek, data, size, NULL);
    return 0;
}
