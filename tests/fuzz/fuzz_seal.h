/* fuzz_seal.h - makes the checksums of an .hdl file right, so that what lies behind them is tested. */
#ifndef FUZZ_SEAL_H
#define FUZZ_SEAL_H

#include "base/hash.h"
#include "io/hdl.h"

static inline void fuzz_seal(char *data, size_t size) {
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

#endif
