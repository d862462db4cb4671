/* shared_hdl.h - all ranks write one .hdl file, each its range of the graph (shared_build.h). */
#ifndef HD_EXCHANGE_SHARED_HDL_H
#define HD_EXCHANGE_SHARED_HDL_H

#include "exchange/shared_build.h"

/* Collective. The file that hd_hdl_write writes, byte for byte, on a file system that all ranks share; it appears
 * complete or not at all. Then it is read once more, by all together, for the checksums. */
heddle_status hd_shared_hdl_write(hd_link *link, const hd_shared_graph *graph, const char *path);

#endif
