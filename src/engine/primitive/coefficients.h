/* coefficients.h - how many neighbours of each vertex are joined (graffix/latency.c), counted on the run's device. The
 * counts are those of the host. */
#ifndef HD_ENGINE_PRIMITIVE_COEFFICIENTS_H
#define HD_ENGINE_PRIMITIVE_COEFFICIENTS_H

#include "engine/run.h"
#include "graffix/graffix.h"

/* hd_link_counter.count; `run` is an hd_run on one device. It counts if the plan says so (graffix.prepare), or if the
 * device is a GPU that has room for the rows and the graph is large enough. Rows that were not there before are freed
 * afterwards: the run is on another graph, unless no edge is added. Seconds of compiling go to the run's report; those
 * of the upload belong to the time that the caller measures. */
heddle_status hd_coefficients_count(const void *run, const heddle_graph *graph, const uint32_t *missing,
                                    uint32_t *words, bool *counted);

#endif
