/* far_edges.h - a graph of more than 2^33 edges that nobody stores: the edges of vertex 0 are a reserved range of
 * addresses that no process can read, so that a test which touches them ends; those of the other vertices lie behind.
 */
#ifndef FAR_EDGES_H
#define FAR_EDGES_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FAR_ROWS = 3000, FAR_DEGREE = 7 };
static const uint64_t far_first = (UINT64_C(1) << 33) + 12345; /* the first edge that exists */

typedef struct far_edges {
    uint64_t n, m;
    uint64_t *offsets;
    uint32_t *targets;
} far_edges;

/* An array of 32-bit words of which those before `far_first` cannot be read. NULL: no such room. */
static uint32_t *far_array(uint64_t words) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = far_first * 4 / page * page;
    char *all = mmap(NULL, words * 4, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + start, words * 4 - start, PROT_READ | PROT_WRITE) == 0)
        return (uint32_t *)all;
    munmap(all, words * 4);
    return NULL;
}

static void far_free(far_edges *far) {
    if (far->targets)
        munmap(far->targets, far->m * 4);
    free(far->offsets);
}

/* Edges lead from vertex v to v + 1, and on in growing steps; never to vertex 0. `more` isolated vertices follow. */
static int far_make(far_edges *far, uint64_t more) {
    *far = (far_edges){.n = 1 + FAR_ROWS + more, .m = far_first + FAR_ROWS * FAR_DEGREE};
    far->offsets = malloc((far->n + 1) * sizeof *far->offsets);
    far->targets = far_array(far->m);
    if (!far->offsets || !far->targets) {
        far_free(far);
        return 0;
    }
    far->offsets[0] = 0;
    for (uint64_t v = 1; v <= far->n; v++)
        far->offsets[v] = v <= FAR_ROWS + 1 ? far_first + (v - 1) * FAR_DEGREE : far->m;
    for (uint64_t v = 1, e = far_first; v <= FAR_ROWS; v++)
        for (uint32_t i = 0; i < FAR_DEGREE; i++, e++) {
            uint64_t to = v + 1 + i * i * 3;
            far->targets[e] = (uint32_t)(to <= FAR_ROWS ? to : FAR_ROWS);
        }
    return 1;
}

#endif
