/* scratch.c - see scratch.h. */
#include "jit/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool make_in(const char *folder, char *path, size_t size) {
    char *whole = folder && *folder ? realpath(folder, NULL) : NULL;
    int length = whole ? snprintf(path, size, "%s/heddle-XXXXXX", whole) : -1;
    free(whole);
    return length > 0 && (size_t)length < size && mkdtemp(path);
}

bool hd_scratch_make(const char *last, char *path, size_t size) {
    return make_in(getenv("TMPDIR"), path, size) || make_in("/tmp", path, size) || make_in(last, path, size);
}

void hd_scratch_remove(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *each; folder && (each = readdir(folder));)
        if (strcmp(each->d_name, ".") != 0 && strcmp(each->d_name, "..") != 0)
            unlinkat(dirfd(folder), each->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}
