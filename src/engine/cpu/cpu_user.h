/* cpu_user.h - a user's own program on the CPU. */
#ifndef HD_ENGINE_CPU_CPU_USER_H
#define HD_ENGINE_CPU_CPU_USER_H

#include "engine/cpu/program_object.h"

/* Compiles and loads a program's text, which errors call `path`. `loaded` owns it until hd_loaded_close. */
heddle_status hd_cpu_program_load(heddle_context *ctx, const char *path, const char *text, bool in_double,
                                  hd_loaded *loaded, const hd_cpu_program **program);

/* Its text, NUL-terminated; freed with HD_DELETE(…, *room). */
heddle_status hd_program_text(heddle_context *ctx, const char *path, const char *given, char **text, size_t *room);

/* For a program that does not compile, with the compiler's words in the context: reports a missing definition instead
 * of the errors that follow from it, and beside an error of a function whose form depends on declarations, that form.
 */
heddle_status hd_program_explain_error(heddle_context *ctx, const char *path, const char *text);

/* A cache key for included files if there is no C compiler to list them: 0 without includes, else a new number each
 * time, so that nothing is reused. */
uint64_t hd_program_includes(const char *text);

/* Fills `parameter` from the program's defaults and the user's "name=value,name=value" (may be NULL). */
heddle_status hd_cpu_parameters(heddle_context *ctx, const hd_cpu_program *program, const char *given,
                                double parameter[HD_PARAMETERS]);

/* The program's parameters with their defaults, whose names point into `names`; returns how many there are. */
uint32_t hd_cpu_parameter_list(const hd_cpu_program *program, char names[HD_PARAMETERS][HD_PARAMETER_NAME],
                               heddle_program_parameter parameters[HD_PARAMETERS]);

#endif
