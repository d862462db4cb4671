/* spill.h - data on disk that would exceed a memory limit: temporary files that have no name, so that nothing is left
 * of them however the process ends; and giving back the pages of mapped files that were read.
 */
#ifndef HD_BASE_SPILL_H
#define HD_BASE_SPILL_H

#include "base/context.h"

typedef struct hd_spill {
    int fd; /* -1: not open */
    const char *folder;
} hd_spill;

/* Creates a file in `folder` ("": $TMPDIR, or /var/tmp), which must outlive it. */
heddle_status hd_spill_open(heddle_context *ctx, const char *folder, hd_spill *file);
void hd_spill_close(hd_spill *file);

/* Write and read all bytes at a place, from any thread. 0, or the system's error; reading past the end is EIO. */
int hd_spill_write(const hd_spill *file, const void *data, size_t bytes, uint64_t at);
int hd_spill_read(const hd_spill *file, void *data, size_t bytes, uint64_t at);
/* Frees the disk space of bytes that were read for the last time, if the file system can. */
void hd_spill_discard(const hd_spill *file, uint64_t at, uint64_t bytes);
/* Fills the error record for a failed call: HEDDLE_E_WRITE. */
heddle_status hd_spill_fail(heddle_context *ctx, const hd_spill *file, int errnum, const char *words);

/* Maps the first `bytes` bytes for reading; the mapping stays valid after hd_spill_close. Unmap with munmap. */
heddle_status hd_spill_map(heddle_context *ctx, const hd_spill *file, uint64_t bytes, void **address);

/* The whole pages inside [data, data + bytes) of a mapped file no longer count as this process's memory; they are
 * mapped again when they are used. Never call it for allocated memory, which it would clear. */
void hd_pages_release(const void *data, uint64_t bytes);

#endif
