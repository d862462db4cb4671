/* run_option.h - the options of runs: one row for each field of heddle_run_options. Their defaults and checks, the hash
 * that ranks compare, what inner runs inherit, the command's parser and help and Python's signatures come from here.
 * Which algorithm takes which option stands in its descriptor (HD_ALGORITHM_INFO in algorithm/algorithm.h). */
#ifndef HD_ENGINE_RUN_OPTION_H
#define HD_ENGINE_RUN_OPTION_H

#include "heddle.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct hd_run_option {
    heddle_run_option about; /* the public part */
    size_t bytes;            /* of the field */
    const char *text;        /* the default of a text; NULL: none */
    bool hidden;             /* part of another option, or of the call */
    bool local;              /* ranks may differ: the rank's own device, or no part of the result */
    bool outcome;            /* for the result of the caller's run alone: inner runs have none */
    size_t each;             /* an array: bytes of an element */
    size_t counted;          /* an array: the offset of the number of its elements; 0: one per vertex */
} hd_run_option;

/* X(field, kind, description, (fields of `about` that differ from 0), (fields of hd_run_option that do)). Rows are in
 * the order of the struct. `command`: NULL: as the field; "": the command has no such option. */
#define HD_RUN_OPTIONS(X)                                                                                              \
    X(size, COUNT, "", (), (.hidden = true, .local = true))                                                            \
    X(algorithm, TEXT, "", (), (.hidden = true, .text = "bfs"))                                                        \
    X(sources, ARRAY, "start at these vertices", (.argument = "ID[,ID...]"),                                           \
      (.each = sizeof(heddle_vertex), .counted = offsetof(heddle_run_options, source_count)))                          \
    X(source_count, COUNT, "", (), (.hidden = true))                                                                   \
    X(parents, FLAG, "also give each vertex's parent on its path, as a third column; of several the smallest id", (),  \
      ())                                                                                                              \
    X(each, FLAG, "values of its own for each source, many at once: a column for each", (), ())                        \
    X(weighted, FLAG, "edges count by their weight", (), ())                                                           \
    X(damping, NUMBER, "share of the rank that follows edges",                                                         \
      (.argument = "X", .standard = 0.85, .high = 1, .below = 1), ())                                                  \
    X(tolerance, NUMBER, "stop when no value changes by more", (.argument = "X", .automatic = 1), ())                  \
    X(max_iterations, COUNT, "stop after N rounds", (.command = "max-iterations", .argument = "N", .automatic = 1),    \
      ())                                                                                                              \
    X(personalization, ARRAY, "where jumps go: a share for each vertex",                                               \
      (.command = "personalize", .argument = "FILE"), (.each = sizeof(double)))                                        \
    X(samples, COUNT, "distances from K vertices chosen by chance (--seed), instead of all, with an error bound",      \
      (.argument = "K", .automatic = 1), ())                                                                           \
    X(normalized, FLAG, "divide by the number of other vertices", (), ())                                              \
    X(delta, NUMBER, "width of the buckets of distances (default: from the graph)", (.argument = "X", .automatic = 1), \
      ())                                                                                                              \
    X(rate, NUMBER, "how fast heat flows, from 0 to 1", (.argument = "X", .standard = 0.5, .high = 1), ())             \
    X(initial, ARRAY, "first values", (.command = "init", .argument = "FILE"), (.each = sizeof(double)))               \
    X(fixed, ARRAY, "vertices that keep their value", (.argument = "FILE"), (.each = 1))                               \
    X(precision, CHOICE, "of real values (default: as the algorithm's text says)",                                     \
      (.argument = "single|double", .values = "default single double", .automatic = 1), ())                            \
    X(seed, COUNT, "for choices left to chance", (.argument = "N", .standard = 1), ())                                 \
    X(program, TEXT, "", (), (.hidden = true, .local = true)) /* a path: its text is compared */                       \
    X(parameters, TEXT, "", (), (.hidden = true))                                                                      \
    X(device, TEXT,                                                                                                    \
      "auto, cpu, cuda or opencl, optionally with :INDEX (default: auto, a GPU if the run is estimated to be faster "  \
      "there); or several that share the run, as in cuda:0,1 or opencl:0,cpu",                                         \
      (.argument = "NAME", .common = 1), (.text = "auto", .local = true))                                              \
    X(plan, TEXT,                                                                                                      \
      "how the edges are laid out and walked: auto (the default), a preset, or KEY=VALUE,...; see 'heddle help "       \
      "plans'",                                                                                                        \
      (.argument = "NAME", .common = 1), (.text = "auto"))                                                             \
    X(profile, FLAG, "on a device: count the lanes that have an edge to walk, and report their share (slower)",        \
      (.common = 1), (.local = true, .outcome = true))                                                                 \
    X(keep_source, PATH, "write the source of what is compiled for the run, kernels or a program of your own, to DIR", \
      (.command = "keep-source", .argument = "DIR", .common = 1), (.local = true, .outcome = true))                    \
    X(program_text, TEXT, "", (), (.hidden = true))                                                                    \
    X(memory_limit, BYTES,                                                                                             \
      "graph, values and buffers take no more, on the device where that has memory of its own: edges that do not fit " \
      "lie elsewhere (plan key residency), or nothing is run; K, M, G or T may follow, by 1024",                       \
      (.command = "memory-limit", .argument = "BYTES", .common = 1, .automatic = 1), (.outcome = true))                \
    X(max_error, NUMBER,                                                                                               \
      "pr, bc, harmonic: stop as soon as the error is proven to be at most X (pr: the sum over all ranks; bc, "        \
      "harmonic: of any vertex, normalized); bfs, sssp, cc, scc, mst: a plan of graffix that is faster and as exact "  \
      "on a sample; others are exact",                                                                                 \
      (.command = "max-error", .argument = "X", .common = 1, .automatic = 1), (.outcome = true))                       \
    X(confidence, NUMBER, "with --max-error: the probability that the bound holds (default: 0.9)",                     \
      (.argument = "C", .high = 1, .below = 1, .automatic = 1), (.outcome = true))                                     \
    X(top, COUNT, "how many for each source, or of all pairs (default: 10)",                                           \
      (.command = "count", .argument = "K", .automatic = 1), (.outcome = true))                                        \
    X(approximate, FLAG, "allow plans whose result is not exact", (.common = 1), ())                                   \
    X(checkpoint, PATH, "vertex programs: keep the values in a file in DIR, to go on from after an interruption",      \
      (.argument = "DIR", .common = 1), (.outcome = true))                                                             \
    X(checkpoint_every, COUNT, "write it after every N rounds",                                                        \
      (.command = "every", .argument = "N", .common = 1, .standard = 10, .automatic = 1), (.outcome = true))           \
    X(resume, FLAG, "go on from the checkpoint in DIR, if there is one", (.common = 1), (.outcome = true))             \
    X(spread, FLAG, "on ranks: each has the values of its own vertices", (.command = "", .common = 1),                 \
      (.outcome = true))                                                                                               \
    X(reversed, FLAG, "distances from a vertex to the others, not to it", (), ())                                      \
    X(reachable_only, FLAG, "do not multiply by the share of vertices that reach the vertex",                          \
      (.command = "reachable-only"), ())                                                                               \
    X(alpha, NUMBER, "what each further edge of a walk is multiplied by (default: one that surely converges)",         \
      (.argument = "X", .automatic = 1), ())                                                                           \
    X(hubs, FLAG, "the hubs, not the authorities", (), ())                                                             \
    X(resolution, NUMBER, "above 1: more and smaller communities, below: fewer and larger ones",                       \
      (.argument = "X", .standard = 1), ())                                                                            \
    X(pairs, ARRAY, "compare these pairs of vertices", (.argument = "FILE"),                                           \
      (.each = 2 * sizeof(heddle_vertex), .counted = offsetof(heddle_run_options, pair_count)))                        \
    X(pair_count, COUNT, "", (), (.hidden = true))                                                                     \
    X(measure, CHOICE, "jaccard (the default), overlap, cosine, adamic-adar, resources or attachment",                 \
      (.argument = "NAME", .values = "jaccard overlap cosine adamic-adar resources attachment"), ())                   \
    X(walks, COUNT, "how many from each source", (.argument = "N", .standard = 10, .automatic = 1), ())                \
    X(length, COUNT, "how many edges each has", (.argument = "N", .standard = 80, .automatic = 1), ())                 \
    X(p, NUMBER, "node2vec's p: a step back is 1/P times as likely",                                                   \
      (.command = "return", .argument = "P", .standard = 1, .automatic = 1), ())                                       \
    X(q, NUMBER, "node2vec's q: a step away from the vertex before is 1/Q times as likely",                            \
      (.command = "in-out", .argument = "Q", .standard = 1, .automatic = 1), ())                                       \
    X(compiled_program, TEXT, "", (), (.hidden = true, .local = true)) /* its text is compared */                      \
    X(direction, CHOICE, "edges that leave (out) or enter (in) a vertex, or both (the default)",                       \
      (.argument = "WHICH", .values = "both out in"), ())                                                              \
    X(not_neighbours, FLAG, "without pairs that an edge connects already", (.command = "not-neighbours"), ())          \
    X(min_degree, COUNT, "only vertices with N neighbours or more",                                                    \
      (.command = "min-degree", .argument = "N", .automatic = 1), ())

#define HD_ENTER_OPTION_(field, ...) HD_OPTION_##field,
typedef enum hd_option_id { HD_RUN_OPTIONS(HD_ENTER_OPTION_) HD_RUN_OPTION_COUNT } hd_option_id;

/* An option that an algorithm takes. A list of them ends with HD_OPTION_size, which none takes. */
typedef struct hd_option_use {
    hd_option_id id;
    const char *description; /* what it is to this algorithm; NULL: what the row says */
} hd_option_use;

extern const hd_run_option hd_run_options[HD_RUN_OPTION_COUNT];

/* HEDDLE_E_ARGUMENT for a number or choice outside its range. */
heddle_status hd_option_check(heddle_context *ctx, const hd_run_option *option, const heddle_run_options *options);
bool hd_option_is_zero(const hd_run_option *option, const heddle_run_options *options);
bool hd_option_is_default(const hd_run_option *option, const heddle_run_options *options);
/* Sets a number or count to `standard` where 0 means the default. 0: there is none. */
void hd_option_settle(const hd_run_option *option, heddle_run_options *options, double standard);
/* Of its value, for comparing ranks; 0 for what may differ. */
uint64_t hd_option_hash(const hd_run_option *option, const heddle_run_options *options, uint64_t vertices);

/* For inner runs: without what is for the result of the caller's run alone. */
void hd_options_drop_outcome(heddle_run_options *options);

#endif
