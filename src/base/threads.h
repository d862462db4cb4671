/* threads.h - how many threads a call uses: what was asked for, within what the system gives and the work is worth. */
#ifndef HD_BASE_THREADS_H
#define HD_BASE_THREADS_H

#include "base/context.h"

/* The context's number of threads: as asked for (0: by OMP_NUM_THREADS, else by the machine). */
void hd_threads_init(heddle_context *ctx, int asked);
/* Settles ctx->threads for the call under way. Public functions whose work is parallel do so before they allocate or
 * start anything, since code below relies on the number staying; `work` counts edges, vertices or bytes. */
void hd_threads_settle(heddle_context *ctx, uint64_t work);
/* Work of so many edges and vertices, done so many times. */
uint64_t hd_work(uint64_t vertices, uint64_t edges, uint64_t times);

#endif
