/* search.h - an error budget for an algorithm whose error cannot be proven: which plan of Graffix keeps it, and is
 * faster than the exact run, on a sample of the graph. */
#ifndef HD_RUN_SEARCH_H
#define HD_RUN_SEARCH_H

#include "engine/run.h"

/* Time and error of a plan on the sample. */
typedef struct hd_trial {
    const char *plan;
    double seconds;    /* preparing and computing */
    double inaccuracy; /* 0: exact */
} hd_trial;

/* The fastest that keeps the budget and is clearly faster than `exact` seconds; NULL: none is. */
const hd_trial *hd_search_best(const hd_trial *trials, size_t count, double exact, double max_error);

/* For a run with max_error that has no other way to use it, under plan auto: tries plans on a sample, and reports in a
 * note what was found. `options`, as given for the run, get the plan that is worth it, if one is; *estimate is its
 * inaccuracy then, and otherwise below 0. False in *searched: nothing was tried. */
heddle_status hd_search_plan(const hd_run *run, heddle_run_options *options, double *estimate, bool *searched);

#endif
