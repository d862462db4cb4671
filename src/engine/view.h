/* view.h - a run on a graph other than the one it was requested for.
 *
 * A view builds that graph, translates vertices in the run's options on the way in, and maps the result back to the
 * run's own graph: values, labels, parents, edges and figures. Views nest: the inner run may use another one.
 * run/views.c lists those of whole runs, algorithm/program/program_run.c those of vertex programs, each in the order
 * in which they apply; CPU and devices are alike.
 */
#ifndef HD_ENGINE_VIEW_H
#define HD_ENGINE_VIEW_H

#include "engine/run.h"

typedef struct hd_view {
    const hd_run *run; /* as it was requested */
    hd_run inner;      /* on the view's graph, into the same result; its `view` is this one */
    void *own;         /* the kind's own data from open to close */
} hd_view;

typedef struct hd_view_kind {
    bool keeps_numbers; /* vertices have the same numbers in the view's graph: errors may name them */
    /* HEDDLE_E_REFUSED, with the reason, for a run whose plan requests the view and whose result could not be mapped
     * back exactly. Called before the device is chosen, of programs for those that it serves; NULL: no check. */
    heddle_status (*check)(const hd_run *run);
    bool (*serves)(const hd_run *run);
    /* Adds the approximate host memory that the view's graph takes; NULL: none. */
    heddle_status (*host_bytes)(const hd_run *run, uint64_t *bytes);
    /* `inner` is a copy of the run: sets its graph, and adapts options, program and plan to it, so that the same view
     * does not apply again. The view is closed even if this fails. */
    heddle_status (*open)(hd_view *view);
    heddle_status (*map_result)(hd_view *view);
    void (*close)(hd_view *view); /* NULL: nothing to free */
} hd_view_kind;

/* Carries out a run: through the first of the kinds (the last is NULL) that applies, whose inner run may use another;
 * the innermost one by `execute`. */
heddle_status hd_view_perform(const hd_view_kind *const *kinds, const hd_run *run, hd_run_fn execute);

#endif
