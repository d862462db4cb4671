/* program_object.h - a compiled vertex program: heddle_program of the public interface.
 *
 * A context keeps those that its runs have compiled, the most recently used first, so that a program that runs again
 * costs no file, no checksum and no dlopen. Programs with included files are not kept: the files may change. */
#ifndef HD_ENGINE_CPU_PROGRAM_OBJECT_H
#define HD_ENGINE_CPU_PROGRAM_OBJECT_H

#include "engine/cpu/cpu.h"
#include "jit/compile_cpu.h"

#include <stdatomic.h>

enum { HD_PROGRAMS_KEPT = 32, HD_PARAMETER_NAME = 64 };

struct heddle_program {
    heddle_allocator allocator;
    struct heddle_program *next; /* in the context's list */
    char *name, *text;
    size_t name_bytes, text_bytes; /* with the 0 at the end */
    bool in_double;
    hd_loaded loaded;
    const hd_cpu_program *compiled;
    atomic_uint_least64_t tested; /* a hash of what reduce was last tested with (hd_program_tested); 0: nothing */
    char names[HD_PARAMETERS][HD_PARAMETER_NAME];
    heddle_program_parameter parameters[HD_PARAMETERS];
    heddle_program_info info;
};

/* Compiles the file `name`, or the text `given`, which errors call `name`. Freed by hd_program_object_free. */
heddle_status hd_program_object_new(heddle_context *ctx, const char *name, const char *given, bool in_double,
                                    heddle_program **program);
void hd_program_object_free(heddle_program *program);

/* The same from the context's list, where it stays; *temporary, which is NULL then, has to be freed. */
heddle_status hd_program_object_get(heddle_context *ctx, const char *name, const char *given, bool in_double,
                                    const heddle_program **program, heddle_program **temporary);

/* Whether reduce was tested with this key last; and that it was. */
bool hd_program_tested(const heddle_program *program, uint64_t key);
void hd_program_set_tested(const heddle_program *program, uint64_t key);

#endif
