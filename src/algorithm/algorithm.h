/* algorithm.h - what an algorithm is. A new one is a folder here with a file that defines an hd_algorithm, its
 * reference and validator in check/, and one line in table.c. Others ask the descriptor, never for a name: a field that
 * is left out has the answer that is right for an algorithm that knows the CPU alone. */
#ifndef HD_ALGORITHM_ALGORITHM_H
#define HD_ALGORITHM_ALGORITHM_H

#include "engine/run.h"
#include "graph/order.h"

/* In-edges of a directed graph: not looked at, taken where the graph has them, or made. */
typedef enum hd_in_edges { HD_IN_NEVER = 0, HD_IN_STORED, HD_IN_MADE } hd_in_edges;

/* Where values have double precision or 64 bits, those of the vertex program too, beside where that is asked for. */
typedef enum hd_doubles {
    HD_DOUBLES_ASKED = 0,
    HD_DOUBLES_REAL,   /* it computes in `real`: where the weights have 64 bits, unless the caller wants single */
    HD_DOUBLES_SUMS,   /* where the weights have 64 bits */
    HD_DOUBLES_WIDTHS, /* everywhere but where the weights are single */
    HD_DOUBLES_ALWAYS
} hd_doubles;

/* What a result is, and so how it comes back from a graph whose vertices were renamed. */
typedef enum hd_results {
    HD_RESULTS_NUMBERED = 0, /* goes by the numbers of vertices, or nobody said: an order is refused */
    HD_RESULTS_VALUES,       /* a value for each vertex, whatever its number */
    HD_RESULTS_LABELS        /* a vertex for each vertex: the smallest of its component */
} hd_results;

/* A run whose bytes on a device are counted beforehand. */
typedef struct hd_device_request {
    const hd_run *run; /* without a transform */
    const hd_device_info *info;
    uint64_t left; /* bytes free there; as much as can be where that is not known */
} hd_device_request;

typedef struct hd_algorithm {
    heddle_algorithm_info info;
    bool forward; /* walks out-edges alone: it does not matter to it whether a graph is undirected */
    bool weighs;  /* reads the weights */
    hd_in_edges in_edges;
    hd_doubles doubles;
    bool from_sources; /* takes sources; without any, run/resolve.c fills in the vertex of largest out-degree */
    /* On the CPU. The options come with tolerance, max_iterations … filled in from the defaults below where the caller
     * left 0. */
    hd_run_fn run;
    hd_run_fn device_run; /* the same on devices, and of programs on split graphs anywhere; NULL: not there yet */
    /* Bytes that device_run takes there by kernels of the algorithm's own, rows included; 0 where it takes the vertex
     * program, whose bytes the engine counts. HEDDLE_E_REFUSED for a plan that it cannot have. */
    heddle_status (*device_bytes)(const hd_device_request *r, uint64_t *bytes);
    const char *program; /* its vertex program in src/program/; NULL: it is none */
    hd_run_fn split_run; /* on a split graph anywhere, of what is no vertex program */
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

const hd_algorithm *hd_algorithm_at(size_t index);       /* NULL: past the last */
const hd_algorithm *hd_algorithm_find(const char *name); /* NULL: there is none */
extern const hd_algorithm hd_user_program;               /* for all programs of a user's own */

const hd_algorithm *hd_algorithm_of(const heddle_run_options *options); /* the one they name; NULL: there is none */

/* Whether a run of the algorithm's vertex program has values of double precision, or of 64 bits. */
bool hd_algorithm_in_double(const hd_algorithm *algorithm, const heddle_graph *graph,
                            const heddle_run_options *options);

#endif
