/* own_file.c - see own_file.h. */
#define _GNU_SOURCE /* dladdr */
#include "base/own_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of a program, dladdr knows only the name that it was started by, perhaps without a folder: /proc has the path. */
void hd_own_file(char *path, size_t room) {
    static const char inside; /* an address in this file */
    Dl_info here;
    /* never: every address of ours is in a file that has a name */
    if (dladdr(&inside, &here) && here.dli_fname && strchr(here.dli_fname, '/')) {
        snprintf(path, room, "%s", here.dli_fname);
        return;
    }
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    path[length > 0 ? length : 0] = '\0';
}
