/* labels_state.h - the words and sizes that kernels and host share: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_LABELS_LABELS_STATE_H
#define HD_ALGORITHM_LABELS_LABELS_STATE_H

enum {
    LABELS_CHANGED, /* labels that a round changed */
    LABELS_MIXED,   /* a row does not ascend, or has an entry twice */
    LABELS_BARRIER,
    LABELS_WORDS
};

/* Rows by length: how many lanes look at one, and where its labels are counted. */
enum {
    LABELS_TINY = 8,     /* entries, at most: a lane, in registers */
    LABELS_SMALL = 32,   /* a warp, an entry for each lane */
    LABELS_MIDDLE = 256, /* a warp, in its share of the group's table */
    LABELS_LARGE = 2048, /* a group, in its table */
    LABELS_SLOTS = LABELS_LARGE * 3 / 2,
    LABELS_PIECE = 512 /* of a longer row, whose table is in the device's memory: a warp */
};

/* The vertices of a colour: where those of each length begin in the order, and the pieces of long rows. */
enum {
    COLOUR_TINY,
    COLOUR_SMALL,
    COLOUR_MIDDLE,
    COLOUR_LARGE,
    COLOUR_END,
    COLOUR_PIECE,
    COLOUR_LAST_PIECE,
    COLOUR_WORDS
};

/* A long row. */
enum {
    ROW_VERTEX,
    ROW_FIRST, /* its first piece */
    ROW_PIECES,
    ROW_OWN,  /* its vertex' label when its turn came */
    ROW_LIVE, /* whether it is looked at */
    ROW_WORDS
};

/* Flags of a round. */
enum {
    LABELS_MARKED = 1, /* only marked vertices are looked at */
    LABELS_MARKS = 2   /* neighbours of those that change are marked */
};

#endif
