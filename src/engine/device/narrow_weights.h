/* narrow_weights.h - weights of one byte each, in place of the graph's own, to reduce traffic over the bus. */
#ifndef HD_ENGINE_DEVICE_NARROW_WEIGHTS_H
#define HD_ENGINE_DEVICE_NARROW_WEIGHTS_H

#include "engine/device/resident.h"

/* Whether all weights of the out-edges are whole numbers from 0 to 255. One pass over them, the first time. */
heddle_status hd_narrow_weights_fit(heddle_context *ctx, const heddle_graph *graph, heddle_report *report, bool *fit);
/* Those of a graph that was opened with HD_WANT_NARROW; built once. */
heddle_status hd_narrow_weights_open(hd_resident *resident, const heddle_graph *graph, hd_buffer *weights);

#endif
