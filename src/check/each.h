/* each.h - values from each source separately (bfs, pr): reference and certificate of one run, applied per source. */
#ifndef HD_CHECK_EACH_H
#define HD_CHECK_EACH_H

#include "engine/result.h"

typedef heddle_status (*hd_reference_fn)(heddle_context *ctx, const heddle_graph *graph,
                                         const heddle_run_options *options, heddle_result *result);
typedef heddle_status (*hd_verify_fn)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                      heddle_result *result);

/* `one` gets options without `each`, with the one source, and with a personalisation that is 0 elsewhere. */
heddle_status hd_reference_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                hd_reference_fn one, heddle_result *result);
heddle_status hd_verify_each(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_verify_fn one, heddle_result *result);

#endif
