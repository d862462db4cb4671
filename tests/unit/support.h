/* support.h - what the unit tests share: a failing and counting allocator, temporary files, comparisons.
 *
 * Include cmocka's headers through this one. Everything here fails the running test with a sentence when it cannot do
 * its work. State is kept per process: a test program runs its tests one after the other.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

/* cmocka wants these before it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heddle.h"

#include <stdbool.h>
#include <string.h>

/* ---- Memory -------------------------------------------------------------------------------------------------- */

/* An allocator whose n-th allocation from now on fails, and every later one (0: none fails). It counts, and ends the
 * program when a block comes back with another size than it was asked for, or is not its own. */
heddle_allocator support_failing_allocator(uint64_t n);
/* The same, but the later ones do not fail. */
heddle_allocator support_failing_once(uint64_t n);
/* Since the last support_failing_allocator(): */
uint64_t support_allocations(void);
uint64_t support_live_blocks(void);
uint64_t support_peak_bytes(void);

/* Calls `attempt` with a fresh context whose n-th allocation fails, for n = 1, 2, 3 … (support_stride) until it
 * succeeds. Each failure must be HEDDLE_E_MEMORY with a message, and nothing may stay allocated once the context is
 * gone. `attempt` frees what it got. */
void support_try_every_failure(heddle_status (*attempt)(heddle_context *ctx, void *user), void *user);

/* ---- Contexts ------------------------------------------------------------------------------------------------ */

/* A context with `threads` threads (0: the default). Its notes are kept for these two. */
heddle_context *support_context(int threads);
const char *support_last_note(void); /* "" when there was none */
const char *support_notes(void);     /* all notes, a line each */
void support_clear_notes(void);      /* support_context() does so too */

/* From cancel to uncancel, the context is inside a call that has been cancelled. */
void support_cancel(heddle_context *ctx);
void support_uncancel(heddle_context *ctx);

/* Asserts a status, showing the context's message when it differs. */
#define support_assert_status(ctx, status, expected) support_check_status(ctx, status, expected, __FILE__, __LINE__)
void support_check_status(heddle_context *ctx, heddle_status status, heddle_status expected, const char *file,
                          int line);
/* Asserts that the certificate of a result holds. Of a run that has not converged that is the one of its rounds: it is
 * not verified, and must say so. */
#define support_assert_verified(ctx, graph, options, result) \
    support_check_verified(ctx, graph, options, result, __FILE__, __LINE__)
void support_check_verified(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *file, int line);
/* Asserts that the context's error message contains `words`. */
#define support_assert_message(ctx, words) support_check_message(ctx, words, __FILE__, __LINE__)
void support_check_message(heddle_context *ctx, const char *words, const char *file, int line);

/* ---- Files --------------------------------------------------------------------------------------------------- */

/* A folder that is removed, with all in it, when the program ends. */
const char *support_temp_dir(void);
/* The path of `name` in that folder; the returned string lives until the program ends. */
const char *support_temp_path(const char *name);
/* Writes a file there and returns its path. */
const char *support_write_file(const char *name, const void *data, size_t bytes);
const char *support_write_text(const char *name, const char *text);
/* The content of a file, with a NUL after it; free() it. */
char *support_read_file(const char *path, size_t *bytes);
/* How many entries the temporary folder holds: tells whether something was left behind. */
size_t support_temp_entries(void);
/* The path of a real data file under $HEDDLE_TEST_DATA; skips the running test, saying so, where it is absent. */
const char *support_data_path(const char *name);

/* Ends a child of fork; what it executed counts in a build with counters. */
_Noreturn void support_end_child(int status);

/* ---- How much ------------------------------------------------------------------------------------------------ */

/* The release build tests everything; the others leave out what takes long and what they cannot see, unless
 * HEDDLE_TEST_ALL is set. */

/* The size of a large case: n, but an eighth under sanitizers, where it would take ten times as long, in builds without
 * threads, and for coverage and mutants (HEDDLE_TEST_SMALL). */
uint64_t support_large(uint64_t n);
/* Numbers of threads that give the same result, up to a 0: 1, 2 and 7; under AddressSanitizer 1 and 7, under
 * ThreadSanitizer 7, and in builds without threads 1. */
const int *support_threads(void);
/* Of calls that are made to fail one by one: how far it is from one to the next. 1, also under AddressSanitizer; `wide`
 * under ThreadSanitizer and in builds without threads, whose paths after a failure are the same. */
uint64_t support_stride(uint64_t wide);
/* PoCL, an OpenCL on the CPU, does not optimise the kernels of this test program: it compiles them four times as fast,
 * and they run slowly. For tests of many kernels and small graphs. */
void support_compile_quickly(void);

/* ---- Graphs -------------------------------------------------------------------------------------------------- */

/* Asserts that two graphs are the same: sizes, direction, rows, weights as numbers, ids. */
void support_assert_same_graph(heddle_context *ctx, const heddle_graph *a, const heddle_graph *b);

/* A run with parents where there are some, and few rounds of what converges slowly. */
heddle_run_options support_run_options(const char *algorithm, const char *device, const char *plan);
/* Loads a file and runs the algorithm on it, for support_try_every_failure. */
heddle_status support_load_and_run(heddle_context *ctx, const char *path, const char *algorithm);

#endif
