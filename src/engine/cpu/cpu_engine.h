/* cpu_engine.h - one execution of a vertex program on the CPU: shared by the files of the engine only. */
#ifndef HD_ENGINE_CPU_CPU_ENGINE_H
#define HD_ENGINE_CPU_CPU_ENGINE_H

#include "engine/cpu/cpu.h"
#include "engine/cpu/cpu_unchanged.h"

enum {
    HD_ENGINE_STAGES = HD_SPLIT_LEVELS + 1,
    HD_ENGINE_PIECE = 1 << 15, /* rows and edges in a piece */
    HD_ENGINE_STRIP = 4096,    /* edges that a thread pushes at a time */
    HD_ENGINE_SERIAL = 2048    /* rounds of fewer edges are pushed by the calling thread alone */
};

/* Rounds over edges that are read from a file (cpu_spans.h). */
typedef struct hd_spans {
    uint64_t *first_piece; /* per span, and one more: the first piece of its edges */
    uint64_t room;
    uint64_t *active;      /* a bit per vertex of the frontier */
    uint64_t *listed;      /* spans that a round needs */
    unsigned char *needed; /* per span */
} hd_spans;

typedef struct hd_engine {
    heddle_context *ctx;
    const hd_cpu_program *program;
    const hd_cpu_setup *setup;
    hd_cpu_run run;
    uint64_t edges;

    uint64_t pieces;
    uint32_t stages; /* of a round: new vertices pass sums on, level by level, then all others */
    uint64_t stage_start[HD_ENGINE_STAGES + 1];
    hd_cpu_piece *piece;
    hd_cpu_outcome *outcome;
    char *heads, *tails;
    size_t values_bytes, passed_bytes;
    void *second;   /* the other buffer of strict rounds */
    double *inside; /* per vertex: what comes from its cluster (cpu_clusters.c) */
    hd_quiet quiet;

    uint64_t words; /* of a bitmap */
    uint64_t *sources;
    uint64_t *marks; /* in the next frontier already / changed */
    uint32_t *frontier, *next;
    uint64_t frontier_count;
    uint64_t walked;
    hd_spans spans; /* state of rounds over edges that are read from a file */
} hd_engine;

/* Carries out all rounds of a program that promises something. */
typedef struct hd_operator {
    const char *name;
    int promise;
    /* NULL, or why not this program on this graph. */
    const char *(*refuse)(const hd_cpu_program *program, const heddle_graph *graph, const hd_cpu_setup *setup);
    /* From first values to last ones. *done false: a vertex did not behave as promised, and the engine's own rounds
     * have to do it, from first values. */
    heddle_status (*run)(hd_engine *e, const heddle_graph *graph, heddle_result *result, bool *done);
} hd_operator;

/* Of values that are real numbers. */
static inline double hd_engine_real(const hd_engine *e, const void *values, uint64_t v) {
    return e->program->value_size == sizeof(double) ? ((const double *)values)[v] : (double)((const float *)values)[v];
}

/* A round over rows in memory, for the drivers (cpu.c and parts/part_cpu.c), which have filled in `run`. */
heddle_status hd_engine_pieces(hd_engine *e);
/* Pulls over all in-edges; returns the number of changes and the largest. */
heddle_status hd_engine_pull(hd_engine *e, hd_cpu_outcome *total);
/* The same in two steps, without stages. Lists all pieces in `order`: first those with rows that have a bit in `rows`
 * (*first_count of them), then the others; pieces that share a row stay together, so ends of pieces are moved to
 * ends of rows if these are not long. */
void hd_engine_divide(hd_engine *e, const uint64_t *rows, uint32_t *order, uint64_t *first_count);
/* Pulls over pieces of one of these lists, and adds to the total; `pause` (or NULL) is called now and then, on the
 * calling thread. */
heddle_status hd_engine_pull_some(hd_engine *e, const uint32_t *list, uint64_t count,
                                  heddle_status (*pause)(void *self), void *self, hd_cpu_outcome *total);
/* In rounds that mix old and new values a value larger than a machine word could be read while it is half written. */
bool hd_engine_mixes(const hd_cpu_program *program);
/* Strict rounds: new values go to a second buffer, and the two are swapped after the round. */
heddle_status hd_engine_strict(hd_engine *e);
void hd_engine_swap(hd_engine *e);
/* PageRank: the sum of all changes, and the rank of vertices without out-edges. `sums` has room for hd_engine_sums. */
static inline uint64_t hd_engine_sums(const hd_engine *e) { return 2 * (e->run.vertices / HD_ENGINE_PIECE + 1); }
void hd_engine_ranks(const hd_engine *e, bool first, double *sums, double *change, double *idle);
void hd_engine_free(hd_engine *e);

/* Cuts the merged sequence of rows and in-edges at `place` = rows + edges passed. */
hd_cpu_piece hd_engine_cut(const hd_cpu_run *run, uint64_t rows, uint64_t place);
void hd_engine_pull_piece(hd_engine *e, uint64_t k);
/* Appends to the next frontier, from any thread. */
void hd_engine_append(hd_engine *e, uint64_t *count, const uint32_t *list, uint64_t length);

static inline uint64_t hd_engine_degree(const hd_engine *e, uint32_t v) {
    return e->run.out_degrees ? e->run.out_degrees[v] : e->run.out_offsets[v + 1] - e->run.out_offsets[v];
}

#endif
