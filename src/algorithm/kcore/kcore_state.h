/* kcore_state.h - the words that kernels and host share. Kernels, host and the tests' fake drivers read it:
 * enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_KCORE_KCORE_STATE_H
#define HD_ALGORITHM_KCORE_KCORE_STATE_H

/* The plan of a round, which a grid's groups have each for themselves. */
enum {
    KCORE_TURN,        /* what is to be done, below */
    KCORE_K,           /* the level */
    KCORE_ROUND,       /* scans and steps of removals so far */
    KCORE_FROM,        /* vertices of the queue that are removed in this round: from here */
    KCORE_TO,          /* to before here */
    KCORE_FIRST_PIECE, /* pieces of long rows, likewise */
    KCORE_LAST_PIECE,
    KCORE_LEAST, /* no more than the least number of neighbours left, of vertices that have more than the level */
    KCORE_LEVELS,
    KCORE_PLAN
};

/* Sums of groups in a round. Three slots are used in turn: the next one is emptied meanwhile. */
enum {
    KCORE_MORE,        /* vertices at the end of the queue */
    KCORE_MORE_PIECES, /* pieces of long rows */
    KCORE_LOWEST,      /* for KCORE_LEAST */
    KCORE_SLOT
};

enum { KCORE_BARRIER = KCORE_PLAN + 3 * KCORE_SLOT, KCORE_WORDS };

enum { KCORE_SCAN, KCORE_PEEL, KCORE_DONE };

enum {
    KCORE_OWN = 2048,  /* vertices that a group removes by itself in one round */
    KCORE_LONG = 1024, /* rows with more entries are removed in pieces */
    KCORE_PIECE = 256
};

#endif
