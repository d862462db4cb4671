/* threads.h - how many threads a call uses: the requested number, limited by the system and by the amount of work. */
#ifndef HD_BASE_THREADS_H
#define HD_BASE_THREADS_H

#include "base/context.h"

/* The context's number of threads: as requested (0: by OMP_NUM_THREADS, else by the machine). */
void hd_threads_init(heddle_context *ctx, int requested);
/* Work of processes that had so many threads together is this one's from here on: as many, if there are CPUs. */
void hd_threads_join(heddle_context *ctx, int threads);
/* Sets ctx->threads for the current call. Public functions with parallel work call it before they allocate or start
 * anything, since the code below relies on a constant number; `work` counts edges, vertices or bytes. */
void hd_threads_settle(heddle_context *ctx, uint64_t work);
/* The work of `times` passes over a graph of that size, for hd_threads_settle. */
uint64_t hd_work(uint64_t vertices, uint64_t edges, uint64_t times);

#endif
