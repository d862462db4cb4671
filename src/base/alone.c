/* alone.c - parallel regions of one thread run as a plain call.
 *
 * gcc's OpenMP runtime makes a team for them too, and ends it with a barrier whose system call wakes no thread. Loops
 * too short for threads have such regions (`if (n >= HD_WORTH_THREADS)`), some twenty in a run on a tiny graph. Outside
 * of regions OpenMP's constructs and functions behave as in a team of one. Inside of another region they would see the
 * outer team, so there the runtime makes its own. This file does not include parallel.h, which renames GOMP_parallel.
 */
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__)
#include <omp.h>

void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);
void hd_gomp_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

void hd_gomp_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags) {
    if (threads == 1 && omp_get_level() == 0)
        region(data);
    else
        GOMP_parallel(region, data, threads, flags);
}
#else
typedef int hd_alone_unused; /* ISO C wants a declaration */
#endif
