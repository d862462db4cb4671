/* cache_files.c - what lies in the cache's folder: counting and removing. Only files with names of our own making are
 * touched: "cuda-0123456789abcdef.kernel", "cpu-0123456789abcdef.so", and what an interrupted compiler left. */
#include "jit/cache.h"

#include "base/argument.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_DIGITS = 16, KINDS = 3, LEFT_OVER = KINDS };

static const char *const kinds[KINDS] = {"cpu", "cuda", "opencl"};

/* "KIND-0123456789abcdef.SUFFIX" */
static bool is_compiled(const char *name, const char *kind, const char *suffix) {
    size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && name[length] == '-' &&
           strspn(name + length + 1, "0123456789abcdef") == KEY_DIGITS &&
           strcmp(name + length + 1 + KEY_DIGITS, suffix) == 0;
}

static bool is_left_over(const char *name) {
    const char *dot = strrchr(name, '.');
    if (strncmp(name, "kernel-", 7) == 0 && strlen(name) == 13)
        return true;
    return strncmp(name, "build-", 6) == 0 && dot &&
           (strcmp(dot, ".c") == 0 || strcmp(dot, ".so") == 0 || strcmp(dot, ".log") == 0);
}

/* The index of the file's kind, LEFT_OVER for what was left over, -1 for files that are not ours. */
static int kind_of(const char *name) {
    for (int i = 0; i < KINDS; i++)
        if (is_compiled(name, kinds[i], i == 0 ? ".so" : ".kernel"))
            return i;
    return is_left_over(name) ? LEFT_OVER : -1;
}

/* Walks the folder; with `remove` the files that are ours go. */
static heddle_status walk(heddle_context *ctx, heddle_cache_info *info, bool remove) {
    char path[sizeof info->path + 260];
    struct dirent *each;
    struct stat about;
    DIR *folder = opendir(info->path);
    if (!folder)
        return errno == ENOENT ? HEDDLE_OK : hd_fail_file(ctx, HEDDLE_E_READ, info->path, errno, "cannot be listed");
    info->unused = !hd_cache_usable(info->path);
    while ((each = readdir(folder))) {
        int kind = kind_of(each->d_name);
        snprintf(path, sizeof path, "%s/%s", info->path, each->d_name);
        if (kind < 0 || lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (remove && unlink(path) != 0 && errno != ENOENT) {
            heddle_status status = hd_fail_file(ctx, HEDDLE_E_WRITE, path, errno, "cannot be removed");
            closedir(folder);
            return status;
        }
        heddle_cache_count *count = kind < KINDS ? &info->kinds[kind] : &info->left_over;
        count->files++;
        count->bytes += (uint64_t)about.st_size;
    }
    closedir(folder);
    return HEDDLE_OK;
}

static heddle_status visit(heddle_context *ctx, heddle_cache_info *info, bool remove) {
    heddle_status status = HEDDLE_OK;
    heddle_cache_info found = {.path = ""};
    for (int i = 0; i < KINDS; i++)
        found.kinds[i].kind = kinds[i];
    found.left_over.kind = "left over";
    if (hd_cache_folder(found.path, sizeof found.path))
        status = walk(ctx, &found, remove);
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
