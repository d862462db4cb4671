/* delta_stepping_parts.h - the state that rounds (delta_stepping.c) and edges (delta_stepping_edges.c) share. */
#ifndef HD_ENGINE_CPU_DELTA_STEPPING_PARTS_H
#define HD_ENGINE_CPU_DELTA_STEPPING_PARTS_H

#include "base/team.h"
#include "engine/cpu/delta_stepping.h"
#include "engine/cpu/work_buckets.h"

enum {
    HD_STEPS_SLICE = 16, /* entries that a thread takes at a time */
    HD_STEPS_SLICES = (HD_CHUNK_ROOM + HD_STEPS_SLICE - 1) / HD_STEPS_SLICE,
    HD_STEPS_BIG = 1 << 14 /* vertices of more edges are shared out */
};

typedef struct hd_steps {
    heddle_context *ctx;
    hd_stepping_setup setup;
    hd_bins *bins;        /* one per thread */
    uint64_t bucket, end; /* this round's buckets: bucket .. end - 1 */
    hd_chunk **tasks;     /* this round's chunks */
    uint64_t task_room, task_count;
    heddle_vertex *big; /* set aside this round */
    uint64_t big_room, big_count;
    uint64_t worth;    /* rounds of fewer edges are not worth a second thread, */
    uint64_t small;    /* nor, by estimate, are rounds of fewer entries; */
    uint64_t plenty;   /* rounds of this many are worth all threads */
    hd_team team;      /* while rounds are worth all threads, they stay together */
    bool crowded;      /* there are too few cores for that */
    bool planned;      /* the next round has been planned and its chunks listed */
    bool together;     /* the planned round is for all threads */
    uint64_t recorded; /* edges walked up to the last round */
    heddle_status status;
    hd_stepping_report *report;
} hd_steps;

/* Processing of entries, for one kind of path, with one thread's bins. */
typedef struct hd_steps_kernels {
    void (*alone)(hd_steps *s, hd_bins *bins);    /* a round, by one thread */
    void (*together)(hd_steps *s, hd_bins *bins); /* a thread's part of a round */
    void (*big)(hd_steps *s, hd_bins *bins);      /* a thread's part of the vertices set aside */
    void (*near)(hd_steps *s, hd_bins *bins);     /* moves far entries to near buckets */
} hd_steps_kernels;

const hd_steps_kernels *hd_steps_kernels_of(hd_path path);

#endif
