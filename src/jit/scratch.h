/* scratch.h - a private folder for temporary files. */
#ifndef HD_JIT_SCRATCH_H
#define HD_JIT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Makes one in $TMPDIR, /tmp or `last` (NULL: none). The path is absolute, so that it never looks like an option. */
bool hd_scratch_make(const char *last, char *path, size_t size);
/* Removes it with the files in it. */
void hd_scratch_remove(const char *path);

#endif
