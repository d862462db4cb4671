/* bfs_state.h - contents of `words` in breadth-first search on devices. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_BFS_BFS_STATE_H
#define HD_ALGORITHM_BFS_BFS_STATE_H

/* Places in `words`. */
enum {
    BFS_BARRIER,
    BFS_STATE,
    BFS_DEPTH, /* where the next kernel goes on */
    BFS_RECORDS = 16,
    BFS_RECORD = 16, /* words of each */
    BFS_WORDS = 96
};
/* In a record. */
enum {
    BFS_SMALL, /* vertices in the queue */
    BFS_BIG,   /* parts in the list */
    BFS_FOUND, /* vertices */
    BFS_EDGES, /* theirs, f32 */
    BFS_LEFT,  /* vertices that had not been found before them */
    BFS_LEFT_EDGES,
    BFS_BITS, /* 1: the frontier is in the bitmaps, not in the queue */
    BFS_FLIP, /* which of the bitmaps is the newer */
    BFS_QUIET /* small frontiers in a row */
};
/* Values of BFS_STATE. */
enum {
    BFS_START,
    BFS_WIDE,
    BFS_NARROW,
    BFS_DONE,
    BFS_REBUILD /* wide, but the bitmaps have to be made of the levels first */
};

#endif
