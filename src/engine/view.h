/* view.h - a run on another graph than the one it was asked for.
 *
 * A view makes that graph, translates what the run is told of vertices on the way in, and turns the result into one of
 * the run's own graph on the way back. Views nest: the inner run may take another one. run/view.c lists them, in the
 * order in which they apply.
 */
#ifndef HD_ENGINE_VIEW_H
#define HD_ENGINE_VIEW_H

#include "engine/run.h"

typedef struct hd_view {
    const hd_run *run; /* as it was asked for */
    hd_run inner;      /* on the view's graph, into the same result */
    void *own;         /* what the kind keeps from open to close */
} hd_view;

typedef struct hd_view_kind {
    bool keeps_numbers; /* the graph's vertices have the same numbers there: errors may name them */
    bool (*serves)(const hd_run *run);
    /* `inner` comes as a copy of the run: sets its graph, and changes the options and the plan to what holds there, so
     * that the same view does not serve it again. Closed also where it fails. */
    heddle_status (*open)(hd_view *view);
    /* Values, labels, parents, edges and figures of the result become those of the run's graph. */
    heddle_status (*bring_back)(hd_view *view);
    void (*close)(hd_view *view); /* NULL: nothing to free */
} hd_view_kind;

/* Carries a run out: through the views that serve it, then by run->execute. */
heddle_status hd_view_perform(const hd_run *run);

#endif
