/* graffixed.h - runs on a graph that Graffix has changed: a view of whole runs. */
#ifndef HD_RUN_GRAFFIXED_H
#define HD_RUN_GRAFFIXED_H

#include "engine/view.h"

extern const hd_view_kind hd_view_graffix;

#endif
