/* operator.h - runs a program on the CPU by its promises, faster than rounds over all edges.
 *
 * Operators compute what rounds of the engine would, bit for bit: they are for graphs in memory, as they are, and for
 * runs without a limit of rounds. */
#ifndef HD_OPERATOR_OPERATOR_H
#define HD_OPERATOR_OPERATOR_H

#include "engine/cpu/cpu_engine.h"

extern const hd_operator hd_operator_once, hd_operator_carried;

/* The operator for this run, or NULL. */
const hd_operator *hd_operator_of(const hd_cpu_program *program, const heddle_graph *graph, const hd_cpu_setup *setup);

#endif
