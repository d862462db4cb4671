/* cache.h - the folder of compiled kernels and programs.
 *
 * $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle (where that is absolute, as its specification has it), else
 * ~/.cache/heddle. It is created with mode 0700 and used only if it belongs to the user and no other user can write to
 * it, since code is loaded from it. A file CACHEDIR.TAG, which backup programs know too, marks it as Heddle's: files
 * are removed only from a folder with this tag. It holds at most $HEDDLE_CACHE_MAX bytes. If there is no such folder, a
 * private temporary one is used for this call: a read-only or missing home directory costs only time.
 */
#ifndef HD_JIT_CACHE_H
#define HD_JIT_CACHE_H

#include "base/context.h"

enum { HD_CACHE_MOST_BYTES = 1 << 30 /* of an entry */ };

typedef struct hd_cache {
    char path[512];
    bool temporary; /* removed by hd_cache_close */
} hd_cache;

/* The path of the permanent folder, which need not exist; false if none is configured. */
bool hd_cache_folder(char *path, size_t size);
/* Whether an existing folder is safe to use. */
bool hd_cache_usable(const char *path);
/* Whether it has Heddle's CACHEDIR.TAG. */
bool hd_cache_tagged(const char *path);
/* "12", "12K", "12M" or "12G" of $HEDDLE_CACHE_MAX; 512 MiB without it. */
uint64_t hd_cache_limit(void);
/* Opens the permanent folder, and makes it if need be; false if there is none that is safe to use. */
bool hd_cache_open_permanent(hd_cache *cache);
/* The same, or a temporary folder. */
heddle_status hd_cache_open(heddle_context *ctx, hd_cache *cache);
void hd_cache_close(hd_cache *cache);
/* "FOLDER/NAME" into `path`; false when it does not fit. */
bool hd_cache_path(const hd_cache *cache, const char *name, char *path, size_t size);
/* Removes the least recently used entries until the rest is within the limit. An entry that another process is about to
 * open may be removed too: that process compiles again. */
void hd_cache_trim(heddle_context *ctx, const hd_cache *cache);
/* True if the file exists, belongs to the user, and is not writable by others. */
bool hd_cache_has(const char *path);

#endif
