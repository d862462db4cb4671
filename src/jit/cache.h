/* cache.h - the folder of compiled kernels and programs.
 *
 * $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle (where that is absolute, as its specification has it), else
 * ~/.cache/heddle. It is made with mode 0700 and used only when it belongs to the user and nobody else may write to it,
 * since code is loaded from it. A file CACHEDIR.TAG, which programs for backups know, says that it is ours: only then
 * files are ever removed from it. It holds at most $HEDDLE_CACHE_MAX bytes. Without such a folder a private temporary
 * one serves, for this call only: a read-only or missing home costs time, nothing else.
 */
#ifndef HD_JIT_CACHE_H
#define HD_JIT_CACHE_H

#include "base/context.h"

enum { HD_CACHE_MOST_BYTES = 1 << 30 /* of an entry */ };

typedef struct hd_cache {
    char path[512];
    bool temporary; /* removed by hd_cache_close */
} hd_cache;

/* The name of the lasting folder, whether it is there or not; false when there is none. */
bool hd_cache_folder(char *path, size_t size);
/* Whether the folder that is there can serve. */
bool hd_cache_usable(const char *path);
/* Whether it says that it is ours. */
bool hd_cache_tagged(const char *path);
/* "12", "12K", "12M" or "12G" of $HEDDLE_CACHE_MAX; 512 MiB without it. */
uint64_t hd_cache_limit(void);
heddle_status hd_cache_open(heddle_context *ctx, hd_cache *cache);
void hd_cache_close(hd_cache *cache);
/* "FOLDER/NAME" into `path`; false when it does not fit. */
bool hd_cache_path(const hd_cache *cache, const char *name, char *path, size_t size);
/* Removes the entries that were not used for longest until the others are within the limit. Those that another process
 * is about to open go too: it compiles again then. */
void hd_cache_trim(heddle_context *ctx, const hd_cache *cache);
/* True when the file is there, ours, and not writable by others. */
bool hd_cache_has(const char *path);

#endif
