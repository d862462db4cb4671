/* library.h - a driver's shared library, opened at run time, and its functions by name. */
#ifndef HD_DEVICE_LIBRARY_H
#define HD_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Where a function's address goes: names a member of a struct of function pointers. */
typedef struct hd_symbol {
    const char *name;
    size_t offset;
    bool optional;
} hd_symbol;

/* Opens the first of the names (NULL ends) that the system has and fills the table. On failure returns NULL and says in
 * `missing` which library or function is missing. The handle is never closed: drivers do not survive it. */
void *hd_library_open(const char *const *names, const hd_symbol *symbols, size_t count, void *table, char *missing,
                      size_t size);

#endif
