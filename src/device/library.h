/* library.h - a driver's shared library, opened at run time, and its functions by name. */
#ifndef HD_DEVICE_LIBRARY_H
#define HD_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function's name, and the member of a struct of function pointers that receives its address. */
typedef struct hd_symbol {
    const char *name;
    size_t offset;
    bool optional;
} hd_symbol;

/* Opens the first of the names (NULL-terminated) that the system has and fills the table. On failure returns NULL and
 * writes to `missing` which library or function is missing. The handle is never closed: drivers do not support it. */
void *hd_library_open(const char *const *names, const hd_symbol *symbols, size_t count, void *table, char *missing,
                      size_t size);

#endif
