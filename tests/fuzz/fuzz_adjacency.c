/* fuzz_adjacency.c - adjacency lists, and telling them from edge lists. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(&hd_format_adjacency, data, size, NULL);
    return 0;
}
