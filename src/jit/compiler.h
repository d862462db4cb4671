/* compiler.h - the system's C compiler: which one, and running it. */
#ifndef HD_JIT_COMPILER_H
#define HD_JIT_COMPILER_H

#include "base/context.h"

enum { HD_COMPILER_WORDS = 24 };

/* $CC may be a compiler with options, or with another command before it ("ccache gcc -m64"). */
typedef struct hd_compiler {
    char text[1024];               /* the words, each NUL-terminated */
    char *word[HD_COMPILER_WORDS]; /* into the text; the first is a path */
    int words;
    uint64_t identity; /* hash of the words and the compiler's file */
} hd_compiler;

/* The first of $CC, cc, gcc and clang that is in the PATH; a $CC that is not found is noted. False: none. */
bool hd_compiler_find(heddle_context *ctx, hd_compiler *compiler);

/* Runs it with more arguments (NULL-terminated); output goes to the file `log`, its temporary files to `folder`. Ends
 * it if the work is cancelled. True if it succeeded; otherwise *reason is an errno if it could not be started. */
bool hd_compiler_run(heddle_context *ctx, const hd_compiler *compiler, char *const *more, const char *log,
                     const char *folder, int *reason);

#endif
