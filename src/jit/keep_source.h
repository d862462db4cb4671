/* keep_source.h - saves the sources that are compiled at run time, if the context requests it (--keep-source). */
#ifndef HD_JIT_KEEP_SOURCE_H
#define HD_JIT_KEEP_SOURCE_H

#include "base/context.h"

/* Writes the source to "FOLDER/LABEL-KEY.SUFFIX", ctx->keep_source being the folder, made if it is not there; nothing
 * when the context does not ask. The label is what the source's first line says ("/" "* heddle: sssp, wseg, pull …"),
 * otherwise `name` without folders and suffix. */
heddle_status hd_keep_source(heddle_context *ctx, const char *name, const char *suffix, uint64_t key,
                             const char *source);

#endif
