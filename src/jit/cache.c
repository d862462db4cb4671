/* cache.c - see cache.h. */
#include "jit/cache.h"

#include "jit/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool private_to_us(const struct stat *about) {
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool hd_cache_usable(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && private_to_us(&about) && access(path, W_OK | X_OK) == 0;
}

/* Makes the folder and those above it; true when it is usable in the end. */
static bool make_private(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    return hd_cache_usable(path);
}

bool hd_cache_folder(char *path, size_t size) {
    const char *own = getenv("HEDDLE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (own && *own)
        length = snprintf(path, size, "%s", own);
    else if (xdg && *xdg == '/')
        length = snprintf(path, size, "%s/heddle", xdg);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/heddle", home);
    return length > 0 && (size_t)length < size;
}

/* The standard's first line (https://bford.info/cachedir/), then ours. */
static const char tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                          "# The cache of heddle: compiled kernels and programs. It may be removed at any time.\n";

static bool tag_path(const char *folder, char *path, size_t size) {
    int length = snprintf(path, size, "%s/CACHEDIR.TAG", folder);
    return length > 0 && (size_t)length < size;
}

bool hd_cache_tagged(const char *folder) {
    char path[640], text[sizeof tag] = "";
    if (!tag_path(folder, path, sizeof path) || !hd_cache_has(path))
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof tag - 1 && memcmp(text, tag, sizeof tag - 1) == 0;
}

/* Writes our tag to a cache folder that has none; a folder with another tag keeps it. */
static void put_tag(const char *folder) {
    char path[640];
    int file = tag_path(folder, path, sizeof path) ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    bool written = write(file, tag, sizeof tag - 1) == (ssize_t)sizeof tag - 1;
    if (close(file) != 0 || !written)
        unlink(path);
}

uint64_t hd_cache_limit(void) {
    static const char units[] = "KMG";
    const uint64_t usual = UINT64_C(512) << 20;
    const char *text = getenv("HEDDLE_CACHE_MAX"), *unit;
    char *end;
    if (!text || *text < '0' || *text > '9')
        return usual;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (errno || (*end && (!unit || end[1])) || value > UINT64_MAX >> shift)
        return usual;
    return value << shift;
}

bool hd_cache_open_permanent(hd_cache *cache) {
    cache->temporary = false;
    if (!hd_cache_folder(cache->path, sizeof cache->path - 64) || !make_private(cache->path))
        return false;
    put_tag(cache->path);
    return true;
}

heddle_status hd_cache_open(heddle_context *ctx, hd_cache *cache) {
    if (hd_cache_open_permanent(cache))
        return HEDDLE_OK;
    if (!hd_scratch_make(NULL, cache->path, sizeof cache->path - 64))
        return hd_fail(ctx, HEDDLE_E_WRITE, "no folder for compiled programs: set HEDDLE_CACHE to one of your own");
    cache->temporary = true;
    return HEDDLE_OK;
}

void hd_cache_close(hd_cache *cache) {
    if (cache->temporary)
        hd_scratch_remove(cache->path);
    cache->temporary = false;
}

bool hd_cache_path(const hd_cache *cache, const char *name, char *path, size_t size) {
    int length = snprintf(path, size, "%s/%s", cache->path, name);
    return length > 0 && (size_t)length < size;
}

bool hd_cache_has(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode) && private_to_us(&about);
}
