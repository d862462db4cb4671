/* power.h - shared by eigenvector, katz and hits: rounds in which every vertex sums up the values of its neighbours,
 * until the values hardly change. In double precision, on the CPU (power.c) and on devices (power_device.c); a rule
 * says what a round is.
 *
 * A run returns the last values of which the change in a round is known, not those after it: so the certificate, which
 * makes that round again, finds the residual that the report has. */
#ifndef HD_ALGORITHM_POWER_POWER_H
#define HD_ALGORITHM_POWER_POWER_H

#include "algorithm/algorithm.h"
#include "algorithm/power/power_state.h"

/* A round: y = add + own * x + times * (the sum of x over the row). Values begin equal, with a norm of 1. */
typedef struct hd_power_rule {
    int norm;        /* POWER_SUM …: of values, and of the change in a round */
    bool scaled;     /* values are divided by their norm after each round; otherwise the change is, by theirs */
    bool two_steps;  /* a round sums over the rows of the other direction first; `hubs` exchanges the two */
    bool walks;      /* `times` is alpha: values may grow without end */
    double add, own; /* `times` is 1, unless it is alpha */
} hd_power_rule;

heddle_status hd_power_run(const hd_run *run, const hd_power_rule *rule);
heddle_status hd_power_run_device(const hd_run *run, const hd_power_rule *rule);
heddle_status hd_power_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
heddle_status hd_power_device_bytes(const hd_device_request *r, const hd_power_rule *rule, uint64_t *bytes);

/* The functions of an algorithm with that rule, and the fields of its descriptor for them. */
#define HD_POWER_FUNCTIONS(rule)                                                                        \
    static heddle_status run_on_cpu(const hd_run *run) { return hd_power_run(run, &(rule)); }           \
    static heddle_status run_on_device(const hd_run *run) { return hd_power_run_device(run, &(rule)); } \
    static heddle_status count_bytes(const hd_device_request *r, uint64_t *bytes) {                     \
        return hd_power_device_bytes(r, &(rule), bytes);                                                \
    }
/* The fields of their descriptors that are the same for all. */
#define HD_POWER_FIELDS                                                                                \
    .limit = true, .in_edges = HD_IN_MADE, .doubles = HD_DOUBLES_ALWAYS, .host_bytes = {.vertex = 24}, \
    HD_EXECUTORS({HD_ON_CPU, .run = run_on_cpu},                                                       \
                 {HD_ON_DEVICE, .doubles = true, .bytes = count_bytes, .run = run_on_device}),         \
    .results = HD_RESULTS_VALUES, .tolerance = 1e-6, .max_iterations = 1000

/* ---- Steps that both engines share ------------------------------------------------------------------------------ */

/* The weights of edges as the run takes them; NONE: every edge counts 1. */
heddle_weight_type hd_power_weights(const heddle_graph *graph, const heddle_run_options *options);
/* Of every value. */
double hd_power_first(const hd_power_rule *rule, uint64_t vertices);

/* Alpha, and proofs that it is too large.
 * Let M be alpha times the matrix. Rounds converge exactly if its largest eigenvalue is below 1. It is at most the
 * largest (M v)_i / v_i for any v above 0, hence at most alpha times the largest sum of a row, and, of the transposed
 * matrix, of a column. It is 1 or more if there is a v, not negative and not 0, with M v >= v wherever v is not 0. Such
 * a v is tried after 8, 16, 32 … rounds: the values that have grown by 1 or more in the last one, and 0 for others. If
 * the sums diverge, one of these attempts succeeds unless the rounds end before. */
typedef struct hd_power_alpha {
    double alpha;
    double bound;  /* of the largest eigenvalue of the matrix */
    uint64_t next; /* number of rounds after which the next proof is tried; 0: alpha is small enough */
} hd_power_alpha;

/* `in`, `out`: the largest sums of rows. */
void hd_power_alpha_choose(double requested, double in, double out, hd_power_alpha *alpha);
/* Whether a proof is to be tried now. */
bool hd_power_alpha_due(hd_power_alpha *alpha, uint64_t rounds);
/* The errors: of a proof, `ratio` being the largest (M v)_i / v_i of the last values; of values that are too large. */
heddle_status hd_power_diverges(heddle_context *ctx, const hd_power_alpha *alpha, double ratio);
heddle_status hd_power_too_large(heddle_context *ctx, const hd_power_alpha *alpha);
/* Normalises the values if that is requested, and adds the figures. `grown`: the norm after the last round, before it
 * became 1. */
void hd_power_close(const hd_run *run, const hd_power_rule *rule, const hd_power_alpha *alpha, double grown);

#endif
