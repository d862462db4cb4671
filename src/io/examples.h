/* examples.h - small real graphs that are part of the library, read by names like "example:karate". */
#ifndef HD_IO_EXAMPLES_H
#define HD_IO_EXAMPLES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hd_example {
    const char *name, *about;
    const char *text; /* an edge list */
    size_t bytes;
} hd_example;

const hd_example *hd_example_at(size_t index); /* NULL past the last */
/* Whether a path names an example, known or not. */
bool hd_example_names(const char *path);
const hd_example *hd_example_find(const char *path); /* NULL: there is none of this name */

#endif
