/* algorithm.h - what an algorithm is. A new one is a folder here with a file that defines an hd_algorithm, its
 * reference and validator in check/, and one line in table.c. Others ask the descriptor, never for a name: a field that
 * is left out has the answer that is right for an algorithm that knows the CPU alone. */
#ifndef HD_ALGORITHM_ALGORITHM_H
#define HD_ALGORITHM_ALGORITHM_H

#include "engine/run.h"
#include "graph/order.h"
#include "plan/choose.h"

typedef heddle_status (*hd_run_fn)(const hd_run *run);

/* In-edges of a directed graph: not looked at, taken where the graph has them, or made. */
typedef enum hd_in_edges { HD_IN_NEVER = 0, HD_IN_STORED, HD_IN_MADE } hd_in_edges;

/* What a result is, and so how it comes back from a graph whose vertices were renamed. */
typedef enum hd_results {
    HD_RESULTS_NUMBERED = 0, /* goes by the numbers of vertices, or nobody said: an order is refused */
    HD_RESULTS_VALUES,       /* a value for each vertex, whatever its number */
    HD_RESULTS_LABELS        /* a vertex for each vertex: the smallest of its component */
} hd_results;

typedef struct hd_algorithm {
    heddle_algorithm_info info;
    bool forward; /* walks out-edges alone: it does not matter to it whether a graph is undirected */
    bool weighs;  /* reads the weights */
    hd_in_edges in_edges;
    bool in_real;      /* computes in `real`: by default in double where the weights have 64 bits */
    bool from_sources; /* takes sources; without any, run.c fills in the vertex of largest out-degree */
    /* Fills result->values, parents, report.iterations, converged, edges_walked and figures. run.c does the rest:
     * checks the options it can, times the run, sets the names. The options come with tolerance, max_iterations …
     * filled in from these defaults where the caller left 0. */
    hd_run_fn run;
    hd_run_fn device_run; /* the same on devices, and of programs on split graphs anywhere; NULL: not there yet */
    hd_run_fn split_run;  /* on a split graph anywhere, of what is no vertex program */
    hd_results results;
    const char *no_order; /* why an order is refused, where it is and there is more to say than that */
    /* Fills result->parents from the values that are there; NULL: there are no parents. */
    hd_run_fn find_parents;
    /* Orders that pay under plan auto where a file has them, the better one first, on the CPU and on devices: as
     * measured on an H200 and its host (docs/performance.md). */
    const hd_order *cpu_orders[HD_ORDERS], *device_orders[HD_ORDERS];
    hd_cost cost; /* for --device auto, which takes no GPU for what gives none */
    /* From how many sources it searches apart, each search a walk over the graph; NULL: 1. */
    uint64_t (*searches)(const heddle_graph *graph, const heddle_run_options *options);
    /* What of graph and options the run would refuse, beside the plan; NULL: nothing. Its run asks the same. */
    heddle_status (*check)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
    heddle_status (*reference)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result); /* check/ */
    heddle_status (*verify)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            const heddle_result *result); /* check/ */
    double tolerance;
    uint64_t max_iterations;
} hd_algorithm;

/* The caller's options laid over the defaults, in the name of a public function. */
heddle_status hd_run_options_take(heddle_context *ctx, const char *function, const heddle_run_options *given,
                                  heddle_run_options *options);

const hd_algorithm *hd_algorithm_at(size_t index);       /* NULL: past the last */
const hd_algorithm *hd_algorithm_find(const char *name); /* NULL: there is none */
extern const hd_algorithm hd_user_program;               /* for all programs of a user's own */

const hd_algorithm *hd_algorithm_of(const heddle_run_options *options); /* the one they name; NULL: there is none */

/* What --device auto chooses for a run. */
void hd_run_choose(heddle_context *ctx, const heddle_graph *graph, const hd_algorithm *algorithm,
                   const heddle_run_options *options, hd_choose *choice);
/* Whether a run with these options would be refused, and why, without running: HEDDLE_OK, or the run's own error. What
 * is wrong with a file is left to the run. */
heddle_status hd_run_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
/* The part of it that is about the plan, on the CPU (rehearse.c). */
heddle_status hd_run_rehearse(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
/* Whether a run of the algorithm's vertex program has values of double precision, or of 64 bits. */
bool hd_algorithm_in_double(const hd_algorithm *algorithm, const heddle_graph *graph,
                            const heddle_run_options *options);

#endif
