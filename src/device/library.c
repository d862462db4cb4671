/* library.c - see library.h. */
#include "device/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool fill(void *library, const hd_symbol *symbols, size_t count, char *table, char *missing, size_t size) {
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && !symbols[i].optional) {
            snprintf(missing, size, "the library lacks %s: too old a version", symbols[i].name);
            return false;
        }
        memcpy(table + symbols[i].offset, &address, sizeof address);
    }
    return true;
}

void *hd_library_open(const char *const *names, const hd_symbol *symbols, size_t count, void *table, char *missing,
                      size_t size) {
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++)
        library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(missing, size, "%s not found", names[0]);
        return NULL;
    }
    return fill(library, symbols, count, table, missing, size) ? library : NULL;
}
