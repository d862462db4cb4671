/* entry.h - files of the cache: compiled code, then a few words about it, then a trailer with a checksum of both. The
 * trailer stands last so that a shared object can be opened where it lies. What is cut, changed or another's is not
 * taken, and made again. Files are written beside their names and renamed: readers find them whole or not at all.
 */
#ifndef HD_JIT_ENTRY_H
#define HD_JIT_ENTRY_H

#include "jit/cache.h"

typedef struct hd_entry {
    char *data;   /* code, then words, then a NUL */
    size_t bytes; /* of the code */
    size_t words; /* bytes behind it */
    size_t room;  /* of `data` */
} hd_entry;

/* Reads the entry and marks it as used just now; false when there is none that can be trusted. */
bool hd_entry_read(heddle_context *ctx, const char *path, uint64_t key, hd_entry *entry);
void hd_entry_free(heddle_context *ctx, hd_entry *entry);

/* Writes one; false when it could not be kept. */
bool hd_entry_write(const hd_cache *cache, const char *path, uint64_t key, const void *code, size_t bytes,
                    const char *words);

/* The whole of a file, of at most `most` bytes, as an entry without words. */
bool hd_entry_load(heddle_context *ctx, const char *path, size_t most, hd_entry *entry);

#endif
