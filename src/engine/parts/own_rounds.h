/* own_rounds.h - helpers for algorithm-specific rounds on parts, in place of those of the vertex program: messages,
 * reductions over all parts after a round, statistics. */
#ifndef HD_ENGINE_PARTS_OWN_ROUNDS_H
#define HD_ENGINE_PARTS_OWN_ROUNDS_H

#include "engine/parts/parts.h"

typedef struct hd_own_rounds {
    hd_link *link;
    const hd_slice *slice;
    const hd_part_job *job;
    hd_part_report *report;
    hd_boxes boxes;
    uint64_t rounds;
    double start, lap;      /* clock: when the first round began, and this one */
    double exchanging;      /* seconds of this round */
    uint64_t bytes, useful; /* sent in this round */
} hd_own_rounds;

/* The work of a part in a round; after hd_own_rounds_next, that of all. */
typedef struct hd_own_round {
    uint64_t vertices, edges; /* that it worked on */
    uint64_t changes;
    uint64_t sums[2]; /* numbers of the algorithm: added up, */
    uint64_t least;   /* one of which the least counts, */
    uint64_t most;    /* and one of which the largest does */
    heddle_direction direction;
    const char *kernel;
} hd_own_round;

/* All parts call these together. Messages are those of exchange vr, with values of `size` bytes (0: which vertices
 * alone). Freed by hd_own_rounds_free, also after a failure: `status` is the part's own, and returned. */
heddle_status hd_own_rounds_begin(hd_own_rounds *r, hd_link *link, const hd_slice *slice, const hd_part_job *job,
                                  size_t size, hd_part_report *report);
/* The same without boxes: messages are the algorithm's own. */
heddle_status hd_own_rounds_begin_bare(hd_own_rounds *r, hd_link *link, const hd_slice *slice, const hd_part_job *job,
                                       hd_part_report *report);
/* As hd_boxes_post and hd_boxes_take. */
heddle_status hd_own_rounds_post(hd_own_rounds *r, const void *values, const uint64_t *changed);
heddle_status hd_own_rounds_take(hd_own_rounds *r);
/* Seconds of this round that went into what a later run need not make again: they are not computing. */
void hd_own_rounds_prepared(hd_own_rounds *r, double seconds);
/* For a round that wants the slice's edges reversed: makes job->transposed, unless *put_off. That is as long as rounds
 * over all edges in its place, which the caller adds to transposed->swept, have cost less than making it: on graphs of
 * small diameter, for ever. */
heddle_status hd_own_rounds_turn(hd_own_rounds *r, bool *put_off);
/* Bytes that were sent in another way. */
void hd_own_rounds_sent(hd_own_rounds *r, uint64_t bytes, uint64_t useful, double seconds);
/* Ends a round. HEDDLE_E_CANCELLED. */
heddle_status hd_own_rounds_next(hd_own_rounds *r, hd_own_round *round);
/* After the last round. */
void hd_own_rounds_finish(hd_own_rounds *r);
heddle_status hd_own_rounds_free(hd_own_rounds *r, heddle_status status);

#endif
