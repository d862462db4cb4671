/* run.h - a run: the decisions made before it starts, and its result. */
#ifndef HD_ENGINE_RUN_H
#define HD_ENGINE_RUN_H

#include "device/device.h"
#include "engine/result.h"
#include "plan/choose.h"
#include "plan/plan.h"

struct hd_algorithm;
struct hd_executor;
struct hd_program_run;
struct hd_view;

typedef struct hd_run hd_run;
/* Fills values, parents, report.iterations, converged, edges_walked and figures of the run's result. */
typedef heddle_status (*hd_run_fn)(const hd_run *run);

struct hd_run {
    heddle_context *ctx;
    const heddle_graph *graph; /* the user's, or one derived from it */
    const struct hd_algorithm *algorithm;
    const struct hd_view *view;           /* the view whose inner run this is; NULL: none */
    const struct hd_program_run *program; /* its vertex program, once the algorithm has set it up */
    heddle_run_options options;           /* checked, with defaults filled in and the device chosen */
    hd_plan plan;                         /* options.plan, parsed once */
    const hd_device_kind *kind;           /* of the device; NULL: the CPU, or several devices */
    hd_device_list devices;               /* several: their names; else count is 0 */
    hd_choose choice;                     /* with --device auto: the chosen device and the reason; else empty */
    const struct hd_executor *executor;   /* who carries it out (algorithm/executor.h) */
    bool by_reference;                    /* no executor: computed by the reference in check/ */
    bool on_split;                        /* the graph is the split graph of `view` */
    uint64_t limit;                       /* bytes that it may use where it runs; UINT64_MAX: what is free */
    uint64_t wanted; /* bytes if everything is on the device and the host renames; 0: not counted */
    heddle_result *result;
    bool plain_rounds; /* a user's program runs in strict rounds over all in-edges, whatever it promises */
    double estimate;   /* of the inaccuracy, from a sample (run/search.h); below 0: none */
    heddle_vertex hub; /* the default source, to which options.sources points */
    bool wants_hub;    /* options.sources will point to it when ranks have found it together */
};

/* Whether the run consists of parts: several devices or ranks share the graph, or one keeps checkpoints. */
static inline bool hd_in_parts(const hd_run *run) { return run->plan.parts > 0; }
static inline bool hd_on_device(const hd_run *run) { return run->kind != NULL; }
/* Whether edges, and buffers of that length, may be in host memory because the device has no room for them. */
static inline bool hd_run_spills(const hd_run *run) { return run->plan.residency && run->plan.residency->spills; }

#endif
