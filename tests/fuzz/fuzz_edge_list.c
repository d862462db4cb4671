/* fuzz_edge_list.c - edge lists: as they are, and with every choice of ids and weights. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    fuzz_read(&hd_format_edge_list, data, size, NULL);
    options.ids = HEDDLE_IDS_STRING;
    options.weight_column = 4;
    fuzz_read(&hd_format_edge_list, data, size, &options);
    options.ids = HEDDLE_IDS_INTEGER;
    options.weight_column = HEDDLE_COLUMN_NONE;
    options.vertices = 10;
    fuzz_read(&hd_format_edge_list, data, size, &options);
    return 0;
}
