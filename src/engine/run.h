/* run.h - a run: what was decided before it starts, and where its result goes. */
#ifndef HD_ENGINE_RUN_H
#define HD_ENGINE_RUN_H

#include "engine/result.h"

struct hd_algorithm;

typedef struct hd_run {
    heddle_context *ctx;
    const heddle_graph *graph; /* the user's, or one that was made of it */
    const struct hd_algorithm *algorithm;
    heddle_run_options options; /* checked, with defaults filled in and the device chosen */
    heddle_result *result;
} hd_run;

#endif
