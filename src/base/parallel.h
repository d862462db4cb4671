/* parallel.h - OpenMP if the compiler has it, else one thread; and named atomics.
 *
 * Parallel regions are written `HD_PARALLEL(ctx)` so that the thread count always comes from the context. Words that
 * several threads access without other synchronisation go through these atomics: there are no "benign" races.
 */
#ifndef HD_BASE_PARALLEL_H
#define HD_BASE_PARALLEL_H

#include "base/context.h"

#ifdef _OPENMP
#include <omp.h>
static inline int hd_thread(void) { return omp_get_thread_num(); }
static inline int hd_threads_here(void) { return omp_get_num_threads(); }
#else
static inline int hd_thread(void) { return 0; }
static inline int hd_threads_here(void) { return 1; }
#endif

#define HD_PRAGMA_(text) _Pragma(#text)
#define HD_PRAGMA(text) HD_PRAGMA_(text)
#ifdef _OPENMP
/* gcc starts regions through GOMP_parallel; those of this library go through alone.c. (An asm label on a declaration
 * has no effect, since gcc calls a built-in function of this name.) */
#if defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
__asm__(".set GOMP_parallel, hd_gomp_parallel");
#endif
/* HD_PARALLEL(ctx) or HD_PARALLEL(ctx, clauses) runs the next statement on every thread of the context. */
#define HD_PARALLEL(...) HD_PARALLEL_PICK(__VA_ARGS__, HD_PARALLEL_CLAUSES, HD_PARALLEL_PLAIN, )(__VA_ARGS__)
#define HD_PARALLEL_PICK(ctx, clauses, macro, ...) macro
#define HD_PARALLEL_PLAIN(ctx) HD_PRAGMA(omp parallel num_threads((ctx)->threads))
#define HD_PARALLEL_CLAUSES(ctx, clauses) HD_PRAGMA(omp parallel num_threads((ctx)->threads) clauses)
/* Spreads the iterations of the next loop; use schedule(...) and reduction(...) clauses as needed. */
#define HD_PARALLEL_FOR(ctx, clauses) HD_PRAGMA(omp parallel for num_threads((ctx)->threads) clauses)
#define HD_FOR(...) HD_PRAGMA(omp for __VA_ARGS__)
#define HD_BARRIER HD_PRAGMA(omp barrier)
#define HD_SINGLE HD_PRAGMA(omp single)
#define HD_CRITICAL HD_PRAGMA(omp critical)
#else
#define HD_PARALLEL(...) HD_PARALLEL_CONTEXT(__VA_ARGS__, )
/* Without OpenMP: runs the next statement once, and marks the context as used. */
#define HD_PARALLEL_CONTEXT(ctx, ...) for (int hd_once_ = ((void)(ctx), 1); hd_once_; hd_once_ = 0)
#define HD_PARALLEL_FOR(ctx, clauses) HD_PARALLEL_CONTEXT(ctx, )
#define HD_FOR(...)
#define HD_BARRIER
#define HD_SINGLE
#define HD_CRITICAL
#endif

/* Simple loops over fewer items finish before the other threads have woken up: `if (n >= HD_WORTH_THREADS)`. */
enum { HD_WORTH_THREADS = 1 << 15 };

#define hd_load(pointer) __atomic_load_n(pointer, __ATOMIC_RELAXED)
#define hd_store(pointer, value) __atomic_store_n(pointer, value, __ATOMIC_RELAXED)
#define hd_fetch_add(pointer, value) __atomic_fetch_add(pointer, value, __ATOMIC_RELAXED)
#define hd_fetch_or(pointer, value) __atomic_fetch_or(pointer, value, __ATOMIC_RELAXED)
#define hd_fetch_and(pointer, value) __atomic_fetch_and(pointer, value, __ATOMIC_RELAXED)
#define hd_compare_swap(pointer, expected, desired) \
    __atomic_compare_exchange_n(pointer, expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)

/* Acquire and release: a thread that loads a value that another thread stored sees all that thread wrote before. */
#define hd_load_acquire(pointer) __atomic_load_n(pointer, __ATOMIC_ACQUIRE)
#define hd_store_release(pointer, value) __atomic_store_n(pointer, value, __ATOMIC_RELEASE)

/* Atomic minimum. */
static inline void hd_lower(uint32_t *word, uint32_t value) {
    uint32_t old = hd_load(word);
    while (value < old && !hd_compare_swap(word, &old, value)) {
    }
}

/* The k-th of `parts` even ranges of 0 .. total: [hd_split(total, parts, k), hd_split(total, parts, k + 1)). */
static inline uint64_t hd_split(uint64_t total, uint64_t parts, uint64_t k) {
    uint64_t each = total / parts, rest = total % parts;
    return each * k + (k < rest ? k : rest);
}

/* In place: counts[0..n] become the exclusive prefix sums, counts[n] the total, which is returned. counts[n] on entry
 * is ignored. Parallel, linear. */
uint64_t hd_prefix_sum(heddle_context *ctx, uint64_t *counts, uint64_t n);

#endif
