/* view.h - a run on another graph than the one it was asked for.
 *
 * A view makes that graph, translates what the run is told of vertices on the way in, and turns the result into one of
 * the run's own graph on the way back: values, labels, parents, edges and figures. Views nest: the inner run may take
 * another one. run/views.c lists those of whole runs, shared/program_run.c those of vertex programs, each in the order
 * in which they apply; CPU and devices are alike.
 */
#ifndef HD_ENGINE_VIEW_H
#define HD_ENGINE_VIEW_H

#include "engine/run.h"

typedef struct hd_view {
    const hd_run *run; /* as it was asked for */
    hd_run inner;      /* on the view's graph, into the same result; its `view` is this one */
    void *own;         /* what the kind keeps from open to close */
} hd_view;

typedef struct hd_view_kind {
    bool keeps_numbers; /* the graph's vertices have the same numbers there: errors may name them */
    /* HEDDLE_E_REFUSED, with the reason, for a run whose plan asks for the view and whose result could not be brought
     * back exactly. Asked before the device is chosen; NULL: there is none. */
    heddle_status (*check)(const hd_run *run);
    bool (*serves)(const hd_run *run);
    /* Adds the host memory that a run takes for the view's graph, about; NULL: none. */
    heddle_status (*host_bytes)(const hd_run *run, uint64_t *bytes);
    /* `inner` comes as a copy of the run: sets its graph, and changes options, program and plan to what holds there, so
     * that the same view does not serve it again. Closed also where it fails. */
    heddle_status (*open)(hd_view *view);
    heddle_status (*bring_back)(hd_view *view);
    void (*close)(hd_view *view); /* NULL: nothing to free */
} hd_view_kind;

/* Carries a run out: through the first of the kinds (the last is NULL) that serves it, which may lead through another;
 * then by run->execute. */
heddle_status hd_view_perform(const hd_view_kind *const *kinds, const hd_run *run);

#endif
