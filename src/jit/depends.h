/* depends.h - the files that a program includes. As long as they are what they were when it was compiled, the compiled
 * program is good. They are kept with it as lines "HASH PATH"; the system's own headers do not count. */
#ifndef HD_JIT_DEPENDS_H
#define HD_JIT_DEPENDS_H

#include "base/context.h"

/* From the rule for make that the compiler wrote: a line for each file but `source`. False when they do not fit, or a
 * file cannot be read. */
bool hd_depends_note(heddle_context *ctx, const char *rule, const char *source, char *lines, size_t size);

/* Whether every file is what its line says. */
bool hd_depends_hold(heddle_context *ctx, const char *lines);

#endif
