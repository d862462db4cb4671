/* rounds.h - a record of every round of a run, kept by whoever carries it out: for the report, the trace and the page.
 *
 * A run has few records however many rounds it has: when the list is full, neighbours are put together two by two, and
 * from then on a record stands for twice as many rounds. The clock is looked at once for each record, so that rounds of
 * a few edges cost a few additions. Only the thread that leads a run records.
 */
#ifndef HD_BASE_ROUNDS_H
#define HD_BASE_ROUNDS_H

#include "heddle.h"

#include <stdbool.h>

enum { HD_ROUNDS_MOST = 1024 };

#define HD_NOT_KNOWN UINT64_MAX

/* What was done since the last call: one round, or several that the host did not see apart. */
typedef struct hd_pass {
    uint64_t rounds;
    uint64_t vertices;       /* active, or HD_NOT_KNOWN */
    uint64_t edges;          /* walked, or HD_NOT_KNOWN */
    uint64_t weight_bytes;   /* read with each edge */
    uint64_t useful, walked; /* lanes; 0: not counted */
    heddle_direction direction;
    const char *kernel; /* copied */
} hd_pass;

typedef struct hd_rounds {
    heddle_round *list;
    uint32_t count;
    bool on;         /* a run is being recorded */
    uint64_t least;  /* rounds that a record stands for, unless it is the last */
    uint64_t number; /* of rounds so far */
    double start;    /* of the run */
    double last;     /* the end of the last record */
    heddle_round open;
    const char *kernel; /* of what is open, as it was given */
} hd_rounds;

/* Forgets the records of the run before, and begins. */
heddle_status hd_rounds_begin(heddle_context *ctx);
/* The end: what is open is put down. The list stays until the next run. */
void hd_rounds_end(heddle_context *ctx);
/* Rounds begin here: what was done since the last one was none. */
void hd_rounds_mark(heddle_context *ctx);
/* A round is over, or several. */
void hd_rounds_add(heddle_context *ctx, const hd_pass *pass);
#define HD_ROUND(ctx, ...) hd_rounds_add(ctx, &(hd_pass){__VA_ARGS__})

/* There were only so many: a device that is told of several rounds at once may count on behind the last. */
void hd_rounds_trim(heddle_context *ctx, uint64_t rounds);

/* Work inside a run that is none of its rounds: returns what hd_rounds_resume wants. */
bool hd_rounds_pause(heddle_context *ctx);
void hd_rounds_resume(heddle_context *ctx, bool was);

#endif
