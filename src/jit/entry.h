/* entry.h - files of the cache: compiled code, then a few words of metadata, then a trailer with a checksum of both.
 * The trailer comes last so that a shared object can be opened in place. Files that are truncated, changed or owned by
 * another user are ignored and made again. Files are written under temporary names and renamed: readers find them
 * complete or not at all.
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

enum { HD_ENTRY_ANY = 0 }; /* no entry's key */

/* Reads the entry and updates its time of use; false if there is no valid one. With HD_ENTRY_ANY, of whatever key. */
bool hd_entry_read(heddle_context *ctx, const char *path, uint64_t key, hd_entry *entry);
void hd_entry_free(heddle_context *ctx, hd_entry *entry);

/* Writes an entry; false if that failed. */
bool hd_entry_write(const hd_cache *cache, const char *path, uint64_t key, const void *code, size_t bytes,
                    const char *words);

/* The whole of a file, of at most `most` bytes, as an entry without words. */
bool hd_entry_load(heddle_context *ctx, const char *path, size_t most, hd_entry *entry);

#endif
