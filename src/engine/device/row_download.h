/* row_download.h - downloads the rows of a hollow graph to the host. */
#ifndef HD_ENGINE_DEVICE_ROW_DOWNLOAD_H
#define HD_ENGINE_DEVICE_ROW_DOWNLOAD_H

#include "engine/device/resident.h"

/* Fills in the graph's out-edges, with weights if it has any, from `resident`; without `all` only the offsets. On error
 * the graph is unchanged. */
heddle_status hd_fetch_rows(const hd_resident *resident, heddle_graph *graph, bool all);

#endif
