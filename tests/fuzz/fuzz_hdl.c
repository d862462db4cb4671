/* fuzz_hdl.c - .hdl files: as they come, which tests the checksums, and with the checksums made right, which tests
 * everything behind them. */
#include "fuzz.h"

#include "base/hash.h"
#include "io/hdl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void seal(char *data, size_t size) {
    hd_hdl_header *header = (hd_hdl_header *)(void *)data;
    hd_hdl_entry *table = (hd_hdl_entry *)(void *)(data + sizeof *header);
    if (size < sizeof *header || header->sections > (size - sizeof *header) / sizeof *table)
        return;
    header->file_bytes = size;
    for (uint32_t i = 0; i < header->sections; i++)
        if (table[i].offset <= size && table[i].bytes <= size - table[i].offset && table[i].bytes <= HD_HASH_BLOCK) {
            uint64_t hash = hd_hash_block(data + table[i].offset, table[i].bytes);
            table[i].checksum = hd_hash_join(&hash, table[i].bytes);
        }
    header->checksum = hd_hdl_header_checksum(header, table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_load_options options;
    heddle_load_options_init(&options);
    options.build.symmetrize = options.build.drop_loops = options.build.drop_isolated = 1;
    fuzz_read(&hd_format_hdl, data, size, NULL);
    char *copy = fuzz_allocate(NULL, size, 0);
    if (size)
        memcpy(copy, data, size);
    seal(copy, size);
    fuzz_read(&hd_format_hdl, copy, size, NULL);
    fuzz_read(&hd_format_hdl, copy, size, &options);
    free(copy);
    return 0;
}
