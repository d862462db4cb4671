/* part.h - one device's share of a run of a vertex program: its rounds over the slice's in-edges.
 *
 * A part has values of its own vertices and of those of others that it reads. A round pulls over all its rows; own
 * values of this round and others' of the last one may be mixed only where the program is monotone. Between rounds the
 * driver (part_rounds.c) posts what has changed and hands in what others have sent. A kind of part is one hd_part_kind:
 * on the CPU (part_cpu.c), or on a device (part_device.c).
 */
#ifndef HD_ENGINE_PARTS_PART_H
#define HD_ENGINE_PARTS_PART_H

#include "engine/device/incore.h"
#include "engine/parts/checkpoint.h"
#include "engine/parts/slice_transpose.h"
#include "exchange/exchange.h"
#include "exchange/rank_rows.h"

typedef struct hd_part_job hd_part_job;
typedef struct hd_part_report hd_part_report;

/* How an algorithm runs on parts that are all on the CPU (own_rounds.h): in place of the rounds of its vertex program,
 * whose results are the same, or, as it has none, in the only way. May stand at the beginning of a struct with more. */
typedef struct hd_part_own {
    /* As hd_part_run. */
    heddle_status (*run)(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report);
    bool parents;   /* it finds those of own vertices, if job->parents is there */
    bool direction; /* a slice has in-edges; else it has those of one direction, whichever the graph has */
    bool apart;     /* out-edges of a directed graph are in a slice of their own: job->back */
    bool no_values; /* its result has none: outputs is NULL */
} hd_part_own;

/* The work of a part. Arrays are those of its own vertices, in their order. */
struct hd_part_job {
    const hd_incore_program *program; /* for devices, and facts */
    const hd_cpu_program *compiled;   /* for the CPU; NULL: not needed */
    hd_cpu_setup setup;               /* sources in the graph's numbers; initial, fixed, names and degrees as above */
    uint64_t vertices;                /* of the whole graph */
    heddle_weight_type weight_type;
    const char *device; /* "cpu", "opencl:1" … */
    uint64_t limit;     /* bytes on a device that may be used; UINT64_MAX: what is free */
    hd_plan plan;       /* with an exchange */
    hd_checkpoint checkpoint;
    bool keep_rounds;               /* the report gets the part's own rounds */
    struct hd_peer *peers;          /* of all parts of this process (device_peers.h); NULL: there are none */
    hd_slice_transpose *transposed; /* for setup.own: the slice's transposed rows, once they are made; */
    const hd_slice *back;           /* the slice of out-edges; the same one on an undirected graph. NULL: not wanted */
    heddle_vertex *parents;         /* NULL: not requested, or not found by setup.own */
};

static inline bool hd_part_has_values(const hd_cpu_setup *setup) { return !setup->own || !setup->own->no_values; }
/* Whether setup.own may be used. */
bool hd_parts_go_own(const hd_run *run);
/* The edges that parts need of a graph. */
hd_rows_wanted hd_part_rows(const hd_incore_program *program, const hd_cpu_setup *setup);
/* Whether parts find the parents that the run requests. */
static inline bool hd_part_finds_parents(const hd_run *run, const hd_cpu_setup *setup) {
    return run->options.parents && setup->own && setup->own->parents;
}

/* The run's job for the part on `device` whose own vertices begin with `first`; their in-degrees, NULL: not needed. */
hd_part_job hd_part_job_of(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                           const hd_cpu_setup *setup, uint64_t first, const char *device, const uint32_t *in_degrees);

/* Facts of a finished round. */
typedef struct hd_part_outcome {
    uint64_t changes;
    uint64_t passed;          /* bytes of edges that were sent to the device for it */
    double largest;           /* change of an output (hd_moved) */
    double magnitude;         /* largest finite one of the outputs, where changes are relative */
    double change, idle;      /* PageRank: the sum of all changes; the rank of vertices without out-edges */
    double totals[HD_TOTALS]; /* of programs that have some: what own vertices add to them */
} hd_part_outcome;

typedef struct hd_part hd_part;

typedef struct hd_part_kind {
    /* Everything before the first round: own values are initialised, part->values and part->idle filled in.
     * `degrees`: out-degrees of own and remote vertices. Closed also if it fails. */
    heddle_status (*open)(hd_part *part, const uint32_t *degrees);
    /* Values that others have sent, by number among the remote vertices. */
    heddle_status (*take)(hd_part *part, const hd_inbox *inbox);
    /* The first step of a round: rows that other parts read. Then `values` and `changed` are those of these vertices,
     * and can be sent while `round` computes the others. NULL: `round` computes all, as it does without this call. */
    heddle_status (*boundary)(hd_part *part, uint64_t iteration, double base);
    /* One round, or the rest of it; `base` is parameter 1 of PageRank. Fills in values and changed. */
    heddle_status (*round)(hd_part *part, uint64_t iteration, double base, hd_part_outcome *outcome);
    /* (optional, both) With `direct`: passes what has changed to the parts that are reached directly, after a round,
     * and counts the values of each; takes those that have arrived. */
    heddle_status (*pass)(hd_part *part, uint64_t *passed);
    heddle_status (*accept)(hd_part *part, const uint64_t *arrived);
    /* The outputs of own vertices. */
    heddle_status (*results)(hd_part *part, void *outputs);
    void (*close)(hd_part *part);
    /* Replaces the values of own vertices after `open`, by those after `round` rounds. */
    heddle_status (*restore)(hd_part *part, const void *values, uint64_t round);
    /* After a round: makes `values` complete. NULL: they are. */
    heddle_status (*complete)(hd_part *part);
} hd_part_kind;

struct hd_part {
    const hd_part_kind *kind;
    heddle_context *ctx;
    hd_link *link; /* which long work lets move on; NULL: none */
    const hd_slice *slice;
    const hd_part_job *job;
    heddle_report *report; /* seconds of preparing, compiling and copying are added to it */
    size_t value_size;
    const void *values;            /* of own vertices, after `open` all; after a round those that the exchange needs */
    const uint64_t *changed;       /* a bit per own vertex, after a round */
    double idle;                   /* PageRank, after `open` */
    double totals[HD_TOTALS];      /* of programs that have some, after `open` */
    const hd_cpu_run *rule;        /* totals and phase of the next round, which all parts agree on */
    char schedule[24];             /* on a device, after `open`; else "" */
    const hd_residency *residency; /* likewise; else NULL */
    hd_direct direct;              /* after `open`: parts whose devices are reached directly, and that reach this one */
    void *own;                     /* the kind's */
};

extern const hd_part_kind hd_part_cpu, hd_part_device;
/* The kind of part that a device of that name has. */
const hd_part_kind *hd_part_kind_of(const char *device);

#endif
