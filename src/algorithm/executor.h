/* executor.h - an executor is one way to carry out a run: code, the worker that it is for, where its edges may lie, and
 * which runs it refuses.
 *
 * Every algorithm has a table of them, in order of preference. hd_executor_of takes the first that serves a run; runs,
 * --dry-run, --memory-limit, explain, views, parts and ranks all ask it, and nothing decides again.
 */
#ifndef HD_ALGORITHM_EXECUTOR_H
#define HD_ALGORITHM_EXECUTOR_H

#include "engine/run.h"

/* Workers: who computes. */
enum {
    HD_ON_CPU = 1 << 0,
    HD_ON_DEVICE = 1 << 1,
    HD_IN_PARTS = 1 << 2, /* several devices, or ranks, each with a slice of the graph */
    HD_ANYWHERE = HD_ON_CPU | HD_ON_DEVICE | HD_IN_PARTS
};

/* Where the edges lie: in memory (of a device: in any residency), or in a file that they are read from. */
enum { HD_IN_MEMORY = 1 << 0, HD_IN_FILE = 1 << 1 };

/* A refused request, the reason, and what to use instead. */
typedef struct hd_refusal {
    const char *what;    /* NULL: nothing is refused */
    const char *why;     /* NULL: `what` says it all */
    const char *instead; /* NULL: nothing helps but another worker */
} hd_refusal;

/* A run whose device memory is computed beforehand. */
typedef struct hd_device_request {
    const hd_run *run; /* without a transform */
    const hd_device_info *info;
    uint64_t left; /* bytes free there; UINT64_MAX if not known */
} hd_device_request;

/* Needs of a run from a file: the rows that it reads, and its memory beside their offsets. */
typedef struct hd_disk_wants {
    bool in, weights;
    bool other_degrees;    /* of a directed graph: the program reads the degrees of the other direction too */
    uint64_t vertex_bytes; /* of memory, per vertex */
    bool check_weights;    /* refuse weights that are not finite … */
    bool not_negative;     /* … or below 0 */
} hd_disk_wants;

typedef struct hd_executor {
    unsigned workers; /* HD_ON_CPU … */
    unsigned edges;   /* HD_IN_MEMORY, HD_IN_FILE; 0: HD_IN_MEMORY */
    /* Which plans its code follows. A vertex program follows all of them, or the engine says why not; `scheduled`
     * kernels walk edges by the plan's schedule (engine/device/walk.h); others are for plans that leave it open. */
    bool program, scheduled;
    bool each;               /* computes values from each source apart, and nothing else */
    bool split_only;         /* for split graphs (hd_run.on_split), and nothing else */
    bool atomics64, doubles; /* what it needs of a device */
    /* Which runs it refuses though all of the above suits them; NULL: none. Without side effects, without a device. */
    hd_refusal (*refuse)(const hd_run *run);
    /* HEDDLE_E_REFUSED for a plan that the engine cannot follow, as --dry-run reports; NULL: the engine follows all. */
    hd_run_fn check;
    /* Bytes on a device, the graph's rows included. HEDDLE_E_REFUSED for a plan that does not work. */
    heddle_status (*bytes)(const hd_device_request *r, uint64_t *bytes);
    hd_disk_wants (*wants)(const hd_run *run); /* with HD_IN_FILE */
    /* Options come with tolerance, max_iterations … filled in from the algorithm's defaults if the caller left 0. */
    hd_run_fn run;
} hd_executor;

/* The field of a descriptor: its executors, in order of preference. */
#define HD_EXECUTORS(...)                \
    .executors = (const hd_executor[]) { \
        __VA_ARGS__, { .run = NULL }     \
    }

static inline bool hd_is_refused(hd_refusal r) { return r.what != NULL; }

/* The first executor that serves the run; NULL: none does, and *refusal (may be NULL) says why. `info`: of its device;
 * NULL: not known, and taken to have all that a device may have. */
const hd_executor *hd_executor_of(const hd_run *run, const hd_device_info *info, hd_refusal *refusal);
/* Sets run->executor, or fails with the reason. The device's facts are those of the device, if it is open. */
heddle_status hd_run_take_executor(hd_run *run);
/* Whether a run on the CPU, or in parts, has an executor that follows its plan. Without side effects. */
heddle_status hd_run_check_executor(const hd_run *run);
/* HEDDLE_E_REFUSED, in one form of words: "bfs: a transform: slices are cut from the graph as it is; use …". */
heddle_status hd_refuse_run(const hd_run *run, hd_refusal refusal);

/* Whether the algorithm has an executor with one of these workers; `own`: other than its vertex program. */
bool hd_executors_have(const struct hd_algorithm *algorithm, unsigned workers, bool own);
/* Whether it has kernels that are no vertex program's and follow the schedule of a plan. */
bool hd_executors_scheduled(const struct hd_algorithm *algorithm);
/* Whether the plan requires what only vertex programs do: parts, copies that are merged between rounds, shards of the
 * CPU, and splits of algorithms that have no other way. */
bool hd_runs_program(const hd_run *run);

#endif
