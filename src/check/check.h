/* check.h - references and validators.
 *
 * A reference is the textbook algorithm, sequential, in separate code. A validator is a certificate check in
 * near-linear time: it accepts exactly the right results (docs/verification.md explains why), and on failure names the
 * first vertex or edge that is wrong, by the user's id, with HEDDLE_E_VERIFY. Neither uses the code it checks, or
 * in-edges that it made. Of values that approach a limit a validator fills in the report's residual_verified, and
 * error_bound where it proves one.
 */
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include "engine/result.h"

#define HD_CHECK_DECLARE(name)                                                                                        \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result);                      \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   heddle_result *result);

HD_CHECK_DECLARE(bfs)
HD_CHECK_DECLARE(sssp)
HD_CHECK_DECLARE(sswp)
HD_CHECK_DECLARE(cc)
HD_CHECK_DECLARE(pr)
HD_CHECK_DECLARE(bc)
HD_CHECK_DECLARE(closeness)
HD_CHECK_DECLARE(harmonic)
HD_CHECK_DECLARE(eccentricity)
HD_CHECK_DECLARE(eigenvector)
HD_CHECK_DECLARE(katz)
HD_CHECK_DECLARE(hits)
HD_CHECK_DECLARE(degree)
HD_CHECK_DECLARE(scc)
HD_CHECK_DECLARE(mst)
HD_CHECK_DECLARE(bridges)
HD_CHECK_DECLARE(articulation)
HD_CHECK_DECLARE(biconnected)
HD_CHECK_DECLARE(bipartite)
HD_CHECK_DECLARE(toposort)
HD_CHECK_DECLARE(tc)
HD_CHECK_DECLARE(lcc)
HD_CHECK_DECLARE(similar)
HD_CHECK_DECLARE(kcore)
HD_CHECK_DECLARE(truss)
HD_CHECK_DECLARE(cdlp)
HD_CHECK_DECLARE(lpa)
HD_CHECK_DECLARE(louvain)
HD_CHECK_DECLARE(leiden)
HD_CHECK_DECLARE(walks)
HD_CHECK_DECLARE(hs)
HD_CHECK_DECLARE(cs)
HD_CHECK_DECLARE(nn)

#endif
