/* cache_files.c - the files in the cache folder: counting, removing, enforcing the size limit. Only files with Heddle's
 * names are touched, "cuda-0123456789abcdef.kernel", "cpu-0123456789abcdef.so", "drivers-0123456789abcdef" (what the
 * command found when it tried to open drivers) and partial files of interrupted processes, and only in a folder with
 * Heddle's tag (cache.h). */
#include "jit/cache.h"

#include "base/argument.h"
#include "base/memory.h"
#include "device/device.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEY_DIGITS = 16, OLD = 3600 /* seconds: no write takes longer */, LEFT_OVER = HEDDLE_CACHE_KINDS };

static const char drivers[] = "drivers";

/* The CPU, then the kinds of device, then drivers; NULL past the last. */
static const char *kind_at(int index) {
    const hd_device_kind *kind = index > 0 ? hd_device_kind_at((size_t)index - 1) : NULL;
    if (index == 0 || index >= HEDDLE_CACHE_KINDS)
        return index == 0 ? "cpu" : NULL;
    return kind ? kind->name : index == 1 || hd_device_kind_at((size_t)index - 2) ? drivers : NULL;
}

/* "KIND-0123456789abcdef.SUFFIX" */
static bool is_file_of(const char *name, const char *kind, const char *suffix) {
    size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && name[length] == '-' &&
           strspn(name + length + 1, "0123456789abcdef") == KEY_DIGITS &&
           strcmp(name + length + 1 + KEY_DIGITS, suffix) == 0;
}

/* A partial file of entry.c: being written, or left by a process that was interrupted. */
static bool is_part(const char *name) { return strncmp(name, "heddle-part-", 12) == 0 && strlen(name) == 18; }

/* The index of the file's kind, LEFT_OVER for partial files, -1 for files that are not Heddle's. */
static int kind_of(const char *name) {
    for (int i = 0; kind_at(i); i++)
        if (is_file_of(name, kind_at(i), i == 0 ? ".so" : kind_at(i) == drivers ? "" : ".kernel"))
            return i;
    return is_part(name) ? LEFT_OVER : -1;
}

/* The next file of Heddle's; false at the end. */
static bool next_file(DIR *folder, const char **name, int *kind, struct stat *about) {
    for (struct dirent *each; (each = readdir(folder));) {
        *name = each->d_name;
        *kind = kind_of(each->d_name);
        if (*kind >= 0 && fstatat(dirfd(folder), each->d_name, about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about->st_mode))
            return true;
    }
    return false;
}

/* ---- Show and clear --------------------------------------------------------------------------------------------- */

static heddle_status walk(heddle_context *ctx, heddle_cache_info *info, DIR *folder, bool remove) {
    const char *name;
    struct stat about;
    int kind;
    while (next_file(folder, &name, &kind, &about)) {
        if (remove && unlinkat(dirfd(folder), name, 0) != 0) {
            if (errno == ENOENT)
                continue;
            return hd_fail_file(ctx, HEDDLE_E_WRITE, info->path, errno, "%s cannot be removed", name);
        }
        heddle_cache_count *count = kind < LEFT_OVER ? &info->kinds[kind] : &info->left_over;
        count->files++;
        count->bytes += (uint64_t)about.st_size;
    }
    return HEDDLE_OK;
}

/* Nothing is removed from a folder without Heddle's tag. */
static heddle_status visit_folder(heddle_context *ctx, heddle_cache_info *info, bool remove) {
    DIR *folder = opendir(info->path);
    if (!folder)
        return errno == ENOENT ? HEDDLE_OK : hd_fail_file(ctx, HEDDLE_E_READ, info->path, errno, "cannot be listed");
    info->unused = !hd_cache_usable(info->path);
    heddle_status status = HEDDLE_OK;
    if (!remove || (!info->unused && hd_cache_tagged(info->path)))
        status = walk(ctx, info, folder, remove);
    else
        status = hd_fail_file(ctx, HEDDLE_E_REFUSED, info->path, 0,
                              "is no cache of heddle's: nothing was removed (a cache belongs to you alone, and has a "
                              "CACHEDIR.TAG that says so)");
    closedir(folder);
    return status;
}

static heddle_status visit(heddle_context *ctx, heddle_cache_info *info, bool remove) {
    heddle_status status = HEDDLE_OK;
    heddle_cache_info found = {.path = ""};
    for (int i = 0; kind_at(i); i++)
        found.kinds[i].kind = kind_at(i);
    found.left_over.kind = "left over";
    if (hd_cache_folder(found.path, sizeof found.path))
        status = visit_folder(ctx, &found, remove);
    else
        found.path[0] = '\0';
    HD_GIVE(info, &found);
    return status;
}

heddle_status heddle_cache_show(heddle_context *ctx, heddle_cache_info *info) {
    HD_ENTER(ctx);
    HD_NEEDS_ROOM(ctx, info);
    return visit(ctx, info, false);
}

heddle_status heddle_cache_clear(heddle_context *ctx, heddle_cache_info *info) {
    HD_ENTER(ctx);
    HD_NEEDS_ROOM(ctx, info);
    return visit(ctx, info, true);
}

/* ---- Within the limit ------------------------------------------------------------------------------------------- */

typedef struct kept {
    char name[64];
    struct timespec used;
    uint64_t bytes;
} kept;

static int by_use(const void *a, const void *b) {
    const struct timespec *x = &((const kept *)a)->used, *y = &((const kept *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Lists up to `room` files; returns how many there are, and their bytes. */
static uint64_t list(DIR *folder, kept *all, uint64_t room, uint64_t *bytes) {
    const char *name;
    struct stat about;
    uint64_t count = 0;
    int kind;
    *bytes = 0;
    rewinddir(folder);
    while (next_file(folder, &name, &kind, &about)) {
        if (kind == LEFT_OVER) {
            if (time(NULL) - about.st_mtime > OLD)
                unlinkat(dirfd(folder), name, 0);
            continue;
        }
        *bytes += (uint64_t)about.st_size;
        if (count < room) {
            snprintf(all[count].name, sizeof all->name, "%s", name);
            all[count].used = about.st_mtim;
            all[count].bytes = (uint64_t)about.st_size;
        }
        count++;
    }
    return count;
}

void hd_cache_trim(heddle_context *ctx, const hd_cache *cache) {
    uint64_t limit = hd_cache_limit(), bytes, again;
    DIR *folder = hd_cache_tagged(cache->path) ? opendir(cache->path) : NULL;
    if (!folder)
        return;
    uint64_t count = list(folder, NULL, 0, &bytes);
    kept *all = bytes > limit ? hd_alloc(&ctx->allocator, count * sizeof *all) : NULL;
    if (all) {
        uint64_t there = list(folder, all, count, &again);
        qsort(all, there < count ? there : count, sizeof *all, by_use);
        for (uint64_t i = 0; i < there && i < count && again > limit; i++) {
            unlinkat(dirfd(folder), all[i].name, 0);
            again -= all[i].bytes;
        }
    }
    HD_DELETE(&ctx->allocator, all, count);
    closedir(folder);
}
