/* compiler.h - the system's C compiler: which one, and running it. */
#ifndef HD_JIT_COMPILER_H
#define HD_JIT_COMPILER_H

#include "base/context.h"

enum { HD_COMPILER_WORDS = 24 };

/* $CC may be a compiler with options, or one that another command stands before ("ccache gcc -m64"). */
typedef struct hd_compiler {
    char text[1024];               /* the words, a NUL behind each */
    char *word[HD_COMPILER_WORDS]; /* into the text; the first is a path */
    int words;
    uint64_t identity; /* changes when words or the file do */
} hd_compiler;

/* The first of $CC, cc, gcc and clang that the PATH has; a $CC that it does not have is noted. False: none. */
bool hd_compiler_find(heddle_context *ctx, hd_compiler *compiler);

/* Runs it with more arguments (NULL ends them), words going to the file `log` and its own temporary files to `folder`.
 * Ends it when the work is cancelled. True when it succeeded; otherwise *reason is an errno where it did not start. */
bool hd_compiler_run(heddle_context *ctx, const hd_compiler *compiler, char *const *more, const char *log,
                     const char *folder, int *reason);

#endif
