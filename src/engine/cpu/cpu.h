/* cpu.h - running a vertex program on the CPU. */
#ifndef HD_ENGINE_CPU_CPU_H
#define HD_ENGINE_CPU_CPU_H

#include "engine/cpu/cpu_abi.h"
#include "engine/result.h"
#include "graffix/graffix.h"
#include "transform/split.h"

struct hd_disk; /* residency/disk_rows.h */

/* Inputs of a run besides the graph and the program. */
typedef struct hd_cpu_setup {
    const heddle_vertex *sources;
    uint64_t source_count;
    const double *initial;      /* per vertex, or NULL */
    const unsigned char *fixed; /* per vertex, or NULL */
    double parameter[HD_PARAMETERS];
    uint64_t seed;
    double tolerance;        /* programs that are not monotone stop when no output changes by more */
    uint64_t max_iterations; /* 0: no limit */
    bool mixed;              /* let rounds mix old and new values (monotone programs always do) */
    bool check;              /* test the laws of reduce first */
    bool steady;             /* update ignores the round number: the same messages give the same value */
    bool ranks;              /* pr: stop by the sum of changes; parameter 1 is (1 - d + d * rank of sinks) / n */
    bool shares;             /* … and values are shares (hd_cpu_program_rank_shares) */
    /* On a split graph: the original degrees, or NULL; and, for sums, the split of in-edges, whose new vertices pass
     * their sums on and have no values. */
    const uint32_t *out_degrees, *in_degrees;
    const hd_split_result *passing;
    /* On a derived graph: the number of vertices of the user's graph, 0 if equal; and each vertex's number there, NULL
     * if equal. */
    uint64_t own_vertices;
    const heddle_vertex *names;
    /* On a graph with copies of vertices (NULL: there are none): their values are merged after every so many rounds,
     * or, if 0, at the end, into the vertex' own, which is what the program's reduction gives, or into the mean. */
    const hd_copies *copies;
    bool mean;
    uint32_t every;
    /* Clusters that are iterated between rounds of a monotone program; NULL: there are none. */
    const hd_clusters *clusters;
    /* Rows that are read from a file, checked, in the direction of hd_cpu_pulls; NULL: the graph's, in memory. For a
     * directed graph the degrees of the other direction are then in out_degrees or in_degrees. */
    struct hd_disk *disk;
    /* The operator that carries out the rounds in place of the engine (operator/operator.h); NULL: none. */
    const struct hd_operator *by;
    /* How the algorithm runs on parts of the CPU (engine/parts/part.h); NULL: by rounds of the program. */
    const struct hd_part_own *own;
} hd_cpu_setup;

/* Whether the program uses in-edges: all do except monotone ones that can push. */
bool hd_cpu_pulls(const hd_cpu_program *program);
/* Bytes per vertex of a run from a file, besides the offsets and the degrees of the other direction. */
uint64_t hd_cpu_vertex_bytes(const hd_cpu_program *program, bool strict);

/* The built-in program of that name, or NULL. */
const hd_cpu_program *hd_cpu_program_find(const char *name, bool in_double);
/* sssp with whole-number distances of 64 or 32 bits; vertices whose distance does not fit are unreached. */
const hd_cpu_program *hd_cpu_program_whole_sums(bool wide);

/* pr whose values are ranks divided by the out-degree, or by 1 if that is 0. */
const hd_cpu_program *hd_cpu_program_rank_shares(bool in_double);

/* HEDDLE_E_PROGRAM if reduce breaks one of its laws on messages of this run's first values, or on others that the
 * program would send. */
heddle_status hd_cpu_laws(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run);
/* HEDDLE_E_PROGRAM, in words, for the number of a law that is broken (program/laws.h); 0: none is. */
heddle_status hd_cpu_law(heddle_context *ctx, int broken);
/* The laws before a run on a device, over rows in host memory. */
heddle_status hd_cpu_laws_of_rows(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_setup *setup,
                                  uint64_t vertices, const heddle_adjacency *rows, heddle_weight_type weight_type);

/* Runs to convergence and fills the result's values and report. Monotone programs reach the same values for any number
 * of threads; the others reduce each vertex's messages in a fixed order, so that strict rounds are reproducible too. */
heddle_status hd_cpu_execute(heddle_context *ctx, const heddle_graph *graph, const hd_cpu_program *program,
                             const hd_cpu_setup *setup, heddle_result *result);

#endif
