/* algorithm.h - the descriptor of an algorithm. A new one is a folder here with a file that defines an hd_algorithm,
 * its reference and validator in check/, and one line in table.c. Other code asks the descriptor and never compares
 * names; a field that is left out means an algorithm that runs on the CPU only. */
#ifndef HD_ALGORITHM_ALGORITHM_H
#define HD_ALGORITHM_ALGORITHM_H

#include "algorithm/executor.h"
#include "engine/run_option.h"
#include "engine/view.h"
#include "graph/order.h"

/* In-edges of a directed graph: not used, used if the graph has them, or built. */
typedef enum hd_in_edges { HD_IN_NEVER = 0, HD_IN_STORED, HD_IN_MADE } hd_in_edges;

/* When values, also those of the vertex program, have double precision or 64 bits without being requested. */
typedef enum hd_doubles {
    HD_DOUBLES_ASKED = 0,
    HD_DOUBLES_REAL,   /* it computes in `real`: if the weights have 64 bits, unless the caller requests single */
    HD_DOUBLES_SUMS,   /* unless the weights are whole numbers of 32 bits, or f32 and the caller requests single */
    HD_DOUBLES_WIDTHS, /* unless the weights are single */
    HD_DOUBLES_ALWAYS
} hd_doubles;

/* The kind of a result, which decides how it is mapped back from a renamed graph. */
typedef enum hd_results {
    HD_RESULTS_NUMBERED = 0, /* depends on vertex numbers, or not stated: an order is refused */
    HD_RESULTS_VALUES,       /* a value per vertex, independent of its number */
    HD_RESULTS_LABELS,       /* a vertex per vertex: the smallest of its component */
    HD_RESULTS_CHOSEN        /* a vertex per vertex, whose choice depends on vertex numbers: an order is refused */
} hd_results;

/* Whether values are vertices, and whether they can be mapped back from a renamed graph. */
static inline bool hd_results_vertices(hd_results r) { return r == HD_RESULTS_LABELS || r == HD_RESULTS_CHOSEN; }
static inline bool hd_results_renamed(hd_results r) { return r == HD_RESULTS_LABELS || r == HD_RESULTS_VALUES; }

/* Where the algorithm runs on ranks instead of 64-bit weights, because it only compares them. */
typedef enum hd_weight_ranks {
    HD_WEIGHT_RANKS_NEVER = 0,
    HD_WEIGHT_RANKS_ALWAYS,
    HD_WEIGHT_RANKS_OFF_CPU /* on devices and split graphs */
} hd_weight_ranks;

/* The effect on the result of new edges to neighbours' neighbours, as heavy as the path of two (graffix/graffix.h). */
typedef enum hd_shortcuts {
    HD_SHORTCUTS_REFUSED = 0, /* it would mean something else, or that is not known */
    HD_SHORTCUTS_APPROXIMATE,
    HD_SHORTCUTS_SUMS, /* nothing, except that sums of real weights are rounded in another order */
    HD_SHORTCUTS_EXACT /* nothing */
} hd_shortcuts;

/* How an algorithm that is no vertex program runs on a graph with copies of vertices (graffix/coalesce.c). Programs
 * have theirs merged between rounds. */
typedef enum hd_copies_way {
    HD_COPIES_REFUSED = 0,
    HD_COPIES_LINKED, /* edges between a vertex and its copies, in both directions, keep what it computes */
    HD_COPIES_PATHS,  /* as on split graphs: copies are a tree of one level (run/copied_paths.c) */
    HD_COPIES_FOREST  /* the same, with ranks for weights: links are lighter than all others (run/copied_forest.c) */
} hd_copies_way;

/* Host memory of a run for values and buffers, measured on graphs of a million vertices. If all are 0, two values, a
 * frontier and a few flags per vertex are assumed. */
typedef struct hd_host_bytes {
    double vertex;    /* per vertex */
    double in_double; /* more of them in double precision */
    /* Additional bytes in total, may be negative; NULL: none. */
    heddle_status (*more)(const hd_run *run, double *bytes);
} hd_host_bytes;

/* How an algorithm that is no vertex program runs on a split graph, on the CPU and devices (views/split_view.h). */
typedef struct hd_split_way {
    bool simple; /* parallel arcs are merged first: a split would separate them */
    /* HEDDLE_E_REFUSED for some transforms; NULL: all work. */
    heddle_status (*check)(const hd_run *run);
    /* Figures of the graph's own vertices, once values of others are dropped; NULL: those of the run hold. */
    heddle_status (*figures)(heddle_context *ctx, heddle_result *result);
} hd_split_way;

/* How an algorithm keeps an error budget, options.max_error. Without one it runs exactly. */
typedef struct hd_budget_way {
    /* Before the run: checks the budget and derives other options from it. HEDDLE_E_ARGUMENT for options that
     * contradict it or a budget that cannot be kept, with the nearest that can. */
    heddle_status (*prepare)(hd_run *run);
    /* After it: fills in what is proven, unless the run itself did; NULL: it did. */
    void (*prove)(const hd_run *run);
    /* The bound that holds for any run, whatever stopped it, if sums are made in double; NULL: none is known. */
    double (*bound)(const hd_run *run);
    /* A lower bound of exact values, so that this is a bound of relative errors too; NULL, or 0: not known. */
    double (*least)(const hd_run *run);
    /* Changes the options of a run into those of an exact one, for measuring; false: that would be too much work. */
    bool (*exact)(const heddle_graph *graph, heddle_run_options *options);
    /* The error in the terms of the budget, from the sum and the largest of all differences of values. */
    double (*error)(const heddle_graph *graph, const heddle_run_options *options, double sum, double most);
} hd_budget_way;

/* The first fields of a descriptor: name, description, and the options that the algorithm takes: HD_NO_OPTIONS, or a
 * macro of X(option) and WITH_WORDS(option, "what it is to this algorithm"), in the order of the help. */
#define HD_ALGORITHM_INFO(name, description, OPTIONS)                                           \
    .info = {name, description, &(" " OPTIONS(HD_OPTION_WORD_, HD_OPTION_WORD_WITH_) "\0")[2]}, \
    .options = (const hd_option_use[]) {                                                        \
        OPTIONS(HD_OPTION_USE_, HD_OPTION_USE_WITH_) { HD_OPTION_size, NULL }                   \
    }
#define HD_OPTION_WORD_(id) " " #id
#define HD_OPTION_WORD_WITH_(id, description) " " #id
#define HD_OPTION_USE_(id) {HD_OPTION_##id, NULL},
#define HD_OPTION_USE_WITH_(id, description) {HD_OPTION_##id, description},
#define HD_NO_OPTIONS(X, WITH_WORDS)

typedef struct hd_algorithm {
    heddle_algorithm_info info;
    const hd_option_use *options;

    const char *column; /* what its values are called in tables; NULL: "value" */
    bool forward;       /* uses only out-edges: whether a graph really is undirected does not matter */
    bool weighs;        /* reads the weights */
    bool counts_edges;  /* every edge counts 1, where users may expect its weight to: a weighted graph gets a note */
    bool limit; /* values approach a limit until a tolerance or a number of rounds stops them; else they are exact */
    hd_in_edges in_edges;
    bool device_one_way; /* on a device out-edges suffice */
    hd_doubles doubles;
    bool from_sources; /* takes sources; without any, run/resolve.c fills in the vertex of largest out-degree */
    const hd_executor *executors; /* HD_EXECUTORS(…) */
    hd_host_bytes host_bytes;
    const char *program;       /* its vertex program in src/program/; NULL: it has none */
    const hd_split_way *split; /* of an algorithm that is no vertex program: on a split graph; NULL: refused */
    const char *no_split;      /* why a transform is refused, if there is a specific reason */
    hd_weight_ranks weight_ranks;
    hd_results results;
    bool host_restores;   /* with edges in host memory, the host maps values back: the device needs no room for that */
    const char *no_order; /* why an order is refused, if there is a specific reason */
    /* Fills result->parents from the final values; NULL: the algorithm has no parents. */
    hd_run_fn find_parents;
    /* Orders that plan auto uses if a file has them, the better one first, on the CPU and on devices: measured on an
     * H200 and its host (bench/notes). */
    const hd_order *cpu_orders[HD_ORDERS], *device_orders[HD_ORDERS];
    hd_cost cost; /* for --device auto, which never chooses a GPU for an algorithm without it */
    /* The number of separate searches, each a pass over the graph; NULL: 1. */
    uint64_t (*searches)(const heddle_graph *graph, const heddle_run_options *options);
    /* Checks graph and options, except the plan, as the run would; NULL: no such check. */
    heddle_status (*check)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
    heddle_status (*reference)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result); /* check/ */
    heddle_status (*verify)(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result); /* check/ */
    hd_shortcuts shortcuts;
    hd_copies_way copies;
    hd_budget_way budget;
    double tolerance;
    uint64_t max_iterations;
} hd_algorithm;

/* For `searches`: with `each` one from every source. */
static inline uint64_t hd_searches_each(const heddle_graph *graph, const heddle_run_options *options) {
    (void)graph;
    return options->each && options->source_count ? options->source_count : 1;
}

/* Whether values on the graph with such edges may be others than without. */
static inline bool hd_shortcuts_change(const hd_algorithm *algorithm, const heddle_graph *graph) {
    bool real = graph->weight_type == HEDDLE_WEIGHT_F32 || graph->weight_type == HEDDLE_WEIGHT_F64;
    return algorithm->shortcuts == HD_SHORTCUTS_SUMS ? real : algorithm->shortcuts != HD_SHORTCUTS_EXACT;
}

const hd_algorithm *hd_algorithm_at(size_t index);       /* NULL: past the last */
const hd_algorithm *hd_algorithm_find(const char *name); /* NULL: there is none */
extern const hd_algorithm hd_user_program;               /* for all user programs */

bool hd_algorithm_takes(const hd_algorithm *algorithm, hd_option_id option);
/* Checks the options that the algorithm takes, apart from the graph; others are ignored. */
heddle_status hd_algorithm_check_options(heddle_context *ctx, const hd_algorithm *algorithm,
                                         const heddle_run_options *options);
/* Sets what the caller left to the defaults that do not depend on the graph. */
void hd_algorithm_settle_options(const hd_algorithm *algorithm, heddle_run_options *options);
/* The options that differ from their default although the algorithm does not take them: "damping, rate"; "": none. */
void hd_algorithm_unused_options(const hd_algorithm *algorithm, const heddle_run_options *options, char *text,
                                 size_t size);

const hd_algorithm *hd_algorithm_of(const heddle_run_options *options); /* the one they name; NULL: there is none */

/* Whether a run of the algorithm's vertex program has values of double precision, or of 64 bits. */
bool hd_algorithm_in_double(const hd_algorithm *algorithm, const heddle_graph *graph,
                            const heddle_run_options *options);

#endif
