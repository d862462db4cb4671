/* views.h - runs through the views that their plans and graphs ask for (engine/view.h). */
#ifndef HD_RUN_VIEWS_H
#define HD_RUN_VIEWS_H

#include "engine/view.h"

/* HEDDLE_E_REFUSED, with the reason, for an order or a transform that the algorithm cannot have. */
heddle_status hd_views_check(const hd_run *run);
/* Host memory of the graphs that the run's views make, about. */
heddle_status hd_views_host_bytes(const hd_run *run, uint64_t *bytes);
/* Carries the run out: through the views that serve it, then by run->executor. */
heddle_status hd_views_perform(const hd_run *run);

#endif
