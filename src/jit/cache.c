/* cache.c - see cache.h. */
#include "jit/cache.h"

#include <dirent.h>
#include <errno.h>
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

heddle_status hd_cache_open(heddle_context *ctx, hd_cache *cache) {
    cache->temporary = false;
    if (hd_cache_folder(cache->path, sizeof cache->path - 64) && make_private(cache->path))
        return HEDDLE_OK;
    const char *folder = getenv("TMPDIR");
    int length = snprintf(cache->path, sizeof cache->path - 64, "%s/heddle-XXXXXX", folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof cache->path - 64 || !mkdtemp(cache->path))
        return hd_fail(ctx, HEDDLE_E_WRITE, "no folder for compiled programs: set HEDDLE_CACHE to one of your own");
    cache->temporary = true;
    return HEDDLE_OK;
}

void hd_cache_close(hd_cache *cache) {
    if (!cache->temporary)
        return;
    DIR *folder = opendir(cache->path);
    char path[sizeof cache->path + 256];
    for (struct dirent *each; folder && (each = readdir(folder));)
        if (each->d_name[0] != '.' && hd_cache_path(cache, each->d_name, path, sizeof path))
            unlink(path);
    if (folder)
        closedir(folder);
    rmdir(cache->path);
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
