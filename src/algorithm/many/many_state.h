/* many_state.h - contents of `words` in many searches side by side. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_MANY_MANY_STATE_H
#define HD_ALGORITHM_MANY_MANY_STATE_H

/* Places in `words`: apart, for all groups count there. */
enum {
    MANY_BARRIER,
    MANY_LEVEL, /* where the next kernel goes on; in the end, how many depths there are */
    MANY_DONE,
    MANY_OVER,          /* 1 + the depth at which a count got too large */
    MANY_ALL,           /* what all vertices cost */
    MANY_ENTRIES = 32,  /* how many there are */
    MANY_UNITS = 64,    /* likewise */
    MANY_PLACES = 96,   /* likewise of `pairs` */
    MANY_SEEN = 128,    /* what vertices cost that all searches have seen */
    MANY_RECORDS = 160, /* three in turn, by depth */
    MANY_RECORD = 96,
    MANY_WORDS = 512
};
/* In a record. */
enum {
    MANY_LISTED,    /* vertices marked */
    MANY_COST = 32, /* of the entries */
    MANY_PARTS = 64 /* of rows that are cut */
};

#endif
