/* communities_state.h - what kernels and host of communities*.cl share: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_COMMUNITIES_COMMUNITIES_STATE_H
#define HD_ALGORITHM_COMMUNITIES_COMMUNITIES_STATE_H

enum {
    MOVE_SHORT = 128,  /* entries of a row whose table is in shared memory */
    MOVE_PIECE = 256,  /* entries of a longer row that a warp takes at once; slots of its table: twice as many */
    MOVE_CLASSES = 4,  /* of vertices, by chance, that move one after the other */
    MOVE_STRIP = 1024, /* communities whose squares are summed up by one lane */
    MERGE_PIECE = 256  /* slots of the tables of communities that a warp counts or writes at once */
};

/* `numbers`, of 64 bits: moves; the weight of edges inside communities, from both ends; long rows and their pieces. */
enum { MOVE_MOVED, MOVE_INSIDE, MOVE_LONGS, MOVE_PIECES, MOVE_NUMBERS };

/* A long row: its vertex, its first piece, their number. A piece: the number of the long row, and its place there. */
enum { LONG_VERTEX, LONG_FIRST, LONG_PIECES, LONG_WORDS };

#endif
