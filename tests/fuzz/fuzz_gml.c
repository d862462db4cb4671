/* fuzz_gml.c - GML files. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(&hd_format_gml, data, size, NULL);
    return 0;
}
