/* rounds.h - a record of every round of a run, for the report, the trace and the HTML page.
 *
 * The number of records is bounded however many rounds there are: when the list is full, neighbouring records are
 * merged in pairs, and from then on a record covers twice as many rounds. The clock is read once per record, so a round
 * of a few edges costs a few additions. Only the thread that called the run records.
 */
#ifndef HD_BASE_ROUNDS_H
#define HD_BASE_ROUNDS_H

#include "heddle.h"

#include <stdbool.h>

enum { HD_ROUNDS_MOST = 1024 };

#define HD_NOT_KNOWN UINT64_MAX

/* Edges that passed through memory part by part: see heddle_round. */
typedef struct hd_traffic {
    uint64_t parts_needed, parts_sent, parts_reused;
    uint64_t bytes_needed, bytes_sent, bytes_reused;
    double copy_seconds, kernel_seconds;
    uint64_t parts_gathered, bytes_gathered;
    uint64_t parts_in_place, bytes_in_place;
    uint64_t parts_again;
} hd_traffic;

/* Bytes and seconds of exchange between the parts of a run: see heddle_round. */
typedef struct hd_exchanged {
    uint64_t bytes, useful;
    double seconds, mean, slowest;
} hd_exchanged;

/* Work since the last call: one round, or several that the host cannot distinguish. */
typedef struct hd_pass {
    uint64_t rounds;
    uint64_t vertices;       /* active, or HD_NOT_KNOWN */
    uint64_t edges;          /* walked, or HD_NOT_KNOWN */
    uint64_t weight_bytes;   /* read with each edge */
    uint64_t useful, walked; /* lanes; 0: not counted */
    heddle_direction direction;
    const char *kernel; /* copied */
    bool whole_rows;    /* `edges` are those of whole rows, each of which was read once */
    hd_traffic traffic;
    hd_exchanged exchange;
} hd_pass;

typedef struct hd_rounds {
    heddle_round *list;
    uint32_t count;
    bool on;         /* a run is being recorded */
    uint64_t least;  /* rounds that a record covers, at least, unless it is the last */
    uint64_t number; /* rounds so far */
    double start;    /* clock at the beginning of the run */
    double last;     /* clock at the end of the last record */
    heddle_round open;
    const char *kernel; /* of the open record: the pointer that was passed, for a quick comparison */
} hd_rounds;

/* Discards the records of the previous run and starts recording. */
heddle_status hd_rounds_begin(heddle_context *ctx);
/* Closes the open record and stops recording. The list stays until the next run. */
void hd_rounds_end(heddle_context *ctx);
/* The next round begins now: time since the last record is not part of it. */
void hd_rounds_mark(heddle_context *ctx);
/* Records one or several finished rounds. */
void hd_rounds_add(heddle_context *ctx, const hd_pass *pass);
#define HD_ROUND(ctx, ...) hd_rounds_add(ctx, &(hd_pass){__VA_ARGS__})

/* The same with a list of its own, as a part of a run has it, freed with HD_DELETE(…, rounds->list, HD_ROUNDS_MOST). */
heddle_status hd_rounds_new(heddle_context *ctx, hd_rounds *rounds);
void hd_rounds_put(hd_rounds *rounds, const hd_pass *pass);
void hd_rounds_close(hd_rounds *rounds);

/* Sets the true number of rounds: a device that is given several rounds at once may count some after the last one. */
void hd_rounds_trim(heddle_context *ctx, uint64_t rounds);

/* Suspends recording for work that is not part of the run's rounds; pass the result to hd_rounds_resume. */
bool hd_rounds_pause(heddle_context *ctx);
void hd_rounds_resume(heddle_context *ctx, bool was);

#endif
