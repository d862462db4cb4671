/* run.h - a run: what was decided before it starts, and where its result goes. */
#ifndef HD_ENGINE_RUN_H
#define HD_ENGINE_RUN_H

#include "device/device.h"
#include "engine/result.h"
#include "plan/choose.h"
#include "plan/plan.h"

struct hd_algorithm;

typedef struct hd_run hd_run;
/* Fills values, parents, report.iterations, converged, edges_walked and figures of the run's result. */
typedef heddle_status (*hd_run_fn)(const hd_run *run);

struct hd_run {
    heddle_context *ctx;
    const heddle_graph *graph; /* the user's, or one that was made of it */
    const struct hd_algorithm *algorithm;
    heddle_run_options options; /* checked, with defaults filled in and the device chosen */
    hd_plan plan;               /* what options.plan says, read once */
    const hd_device_kind *kind; /* of the device; NULL: the CPU */
    hd_choose choice;           /* of a device that was left to us, and why; else empty */
    hd_run_fn execute;          /* what carries it out; NULL: the reference */
    heddle_result *result;
    heddle_vertex hub; /* a source of our choice, for options.sources to point at */
};

static inline bool hd_on_device(const hd_run *run) { return run->kind != NULL; }

#endif
