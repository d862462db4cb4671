/* depends.h - the files that a program includes. A compiled program is valid as long as they have not changed. They are
 * stored with it as lines "HASH PATH"; system headers are excluded. */
#ifndef HD_JIT_DEPENDS_H
#define HD_JIT_DEPENDS_H

#include "base/context.h"

/* Makes a line for each file of the compiler's make rule except `source`. False if they do not fit, or a file cannot be
 * read. */
bool hd_depends_note(heddle_context *ctx, const char *rule, const char *source, char *lines, size_t size);

/* Whether every file still has the hash of its line. */
bool hd_depends_hold(heddle_context *ctx, const char *lines);

#endif
