/* triangles.h - triangles at each vertex, for tc and lcc on the CPU. */
#ifndef HD_ALGORITHM_TRIANGLES_TRIANGLES_H
#define HD_ALGORITHM_TRIANGLES_TRIANGLES_H

#include "engine/run.h"
#include "graph/oriented.h"

/* Adds, for each row of the oriented graph, the triangles at its vertex; if edges have directions (`both`), the arcs
 * between its neighbours instead. `counts` is zeroed by the caller. Adds the entries looked at to *walked. */
heddle_status hd_triangles_count(heddle_context *ctx, const hd_oriented *oriented, uint64_t *counts, uint64_t *walked);

/* The same for a graph's own vertices, by vertex; with `arcs`, of a directed graph, arcs between neighbours. Allocates
 * nothing that is left. `degrees`, unless NULL, receives the numbers of distinct neighbours. */
heddle_status hd_triangles_of(const hd_run *run, bool arcs, uint64_t *counts, uint32_t *degrees);
/* Bytes that this takes at once, beside `counts`. */
heddle_status hd_triangles_bytes(const hd_run *run, bool arcs, double *bytes);

#endif
