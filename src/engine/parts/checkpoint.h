/* checkpoint.h - the state of a run of a vertex program between two rounds, in a file, to go on from.
 *
 * The file DIR/checkpoint holds a header and the values of all vertices, in the order of the graph; nothing in it
 * depends on how many parts wrote it, so that any number can go on. Parts write their own ranges into one new file,
 * which replaces the old one when it is complete: there is always a whole one. The active vertices follow from the
 * values: rounds of parts pull along all edges.
 */
#ifndef HD_ENGINE_PARTS_CHECKPOINT_H
#define HD_ENGINE_PARTS_CHECKPOINT_H

#include "engine/device/incore.h"
#include "exchange/slice.h"

/* The values depend on these beside the graph: a hash of each, so that a refusal can name what differs. */
typedef enum hd_checkpoint_part {
    HD_CHECKPOINT_PROGRAM,
    HD_CHECKPOINT_PRECISION,
    HD_CHECKPOINT_PARAMETERS,
    HD_CHECKPOINT_SOURCES,
    HD_CHECKPOINT_INITIAL,
    HD_CHECKPOINT_FIXED,
    HD_CHECKPOINT_SEED,
    HD_CHECKPOINT_PARTS
} hd_checkpoint_part;

/* Where and when; folder NULL: never. */
typedef struct hd_checkpoint {
    const char *folder;
    uint64_t every; /* rounds */
    bool resume;
    bool labels; /* values are vertices: those of a file are bounded, as they index arrays */
    uint64_t graph, part[HD_CHECKPOINT_PARTS]; /* hashes: whose values they are */
} hd_checkpoint;

/* Requests of the run's options. */
heddle_status hd_checkpoint_of(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup,
                               hd_checkpoint *checkpoint);

/* Collective: all parts call them, after the same round. */
/* Makes the folder, locks it against other runs, and removes what a run that was killed while it wrote has left there.
 * *lock is for hd_checkpoint_end. HEDDLE_E_REFUSED if another run has the folder. */
heddle_status hd_checkpoint_begin(hd_link *link, const hd_checkpoint *checkpoint, int *lock);
/* Fills in the values of own vertices and the rounds that they have seen; *round is 0 if there is no checkpoint yet.
 * HEDDLE_E_REFUSED, with what differs, for one of another graph or program, HEDDLE_E_FORMAT for one that is damaged. */
heddle_status hd_checkpoint_load(hd_link *link, const hd_checkpoint *checkpoint, const hd_slice *slice, size_t size,
                                 void *values, uint64_t *round);
heddle_status hd_checkpoint_save(hd_link *link, const hd_checkpoint *checkpoint, const hd_slice *slice, size_t size,
                                 const void *values, uint64_t round);

/* Not collective. */
void hd_checkpoint_end(int lock);

#endif
