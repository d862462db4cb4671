/* compile_cpu.h - a user's vertex program, compiled for the CPU by the system's C compiler. */
#ifndef HD_JIT_COMPILE_CPU_H
#define HD_JIT_COMPILE_CPU_H

#include "base/context.h"

typedef struct hd_loaded {
    void *handle;       /* of dlopen */
    const void *symbol; /* the hd_cpu_program */
    uint64_t included;  /* a hash of the files that it includes; 0: none */
    double seconds;     /* spent compiling; 0 when it came from the cache */
} hd_loaded;

/* Compiles `source`, a whole C file, into a shared object (or takes it from the cache) and looks up `symbol`.
 * `name` is the user's file, for errors: the source names it by #line, so the compiler's messages have the user's own
 * line numbers. HEDDLE_E_PROGRAM, with the message, if it does not compile; HEDDLE_E_UNSUPPORTED if there is no
 * compiler. */
heddle_status hd_compile_cpu(heddle_context *ctx, const char *name, const char *source, size_t bytes,
                             const char *symbol, hd_loaded *loaded);
void hd_loaded_close(hd_loaded *loaded);

#endif
