/* triangles_device.h - triangles, and arcs between neighbours, at each vertex on a device: for tc and lcc. */
#ifndef HD_ALGORITHM_TRIANGLES_TRIANGLES_DEVICE_H
#define HD_ALGORITHM_TRIANGLES_TRIANGLES_DEVICE_H

#include "algorithm/algorithm.h"

/* Fills in values of the result, which are of type U64, and the report; no figures. Those of tc are in the user's order
 * of vertices. With `arcs`, for lcc: of a directed graph, arcs between neighbours; counts are in the order of
 * run->graph, and `degrees` receives the numbers of distinct neighbours. */
heddle_status hd_device_triangles(const hd_run *run, bool arcs, uint32_t *degrees);
heddle_status hd_tc_device_bytes(const hd_device_request *r, uint64_t *bytes);
heddle_status hd_lcc_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
