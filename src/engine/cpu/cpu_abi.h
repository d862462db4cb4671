/* cpu_abi.h - shared by the CPU driver and the compiled loops of a vertex program.
 *
 * This text stands in front of every program that is compiled for the CPU, when Heddle is built or at run time, so it
 * includes little but the C library. A change here changes HD_CPU_ABI.
 */
#ifndef HD_ENGINE_CPU_CPU_ABI_H
#define HD_ENGINE_CPU_CPU_ABI_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "program/traits.h"

#define HD_CPU_ABI 7

/* One execution, as the loops see it. */
typedef struct hd_cpu_run {
    uint64_t vertices;
    const uint64_t *out_offsets, *in_offsets;
    const uint32_t *out_targets, *in_targets;
    const void *out_weights, *in_weights;
    int weight_type;            /* 0 none (all 1), 1 u32, 2 i32, 3 f32, 4 i64, 5 f64 */
    void *values;               /* vertices x value_size */
    void *next;                 /* where new values go; == values when rounds may mix */
    const double *initial;      /* per vertex, or NULL: 0 */
    const unsigned char *fixed; /* per vertex, or NULL */
    const uint64_t *sources;    /* a bit per vertex, or NULL */
    uint64_t *changed;          /* a bit per vertex: set where a value changed; or NULL */
    uint64_t iteration, seed;
    double parameter[HD_PARAMETERS];
    const uint32_t *out_degrees, *in_degrees; /* per vertex, or NULL: the lengths of rows */
    uint64_t own_vertices;                    /* of the user's graph: what programs read */
    const uint32_t *names;                    /* per vertex, its number in that graph; or NULL: it is the same */
    double total[HD_TOTALS];                  /* of the values before this round */
    uint64_t phase_round;
    uint32_t phase;
    double largest; /* finite magnitude of the outputs after the round before; 0 in the first */
    void *passed;   /* rows behind the vertices pass on what they get: their messages; NULL: there are none */
} hd_cpu_run;

/* A piece of the in-edges, cut so that vertices + edges are even: from (row, edge) to (row, edge). The first row may
 * have begun in an earlier piece, the last may go on in a later one. */
typedef struct hd_cpu_piece {
    uint64_t row, edge, row_end, edge_end;
} hd_cpu_piece;

enum { HD_PIECE_HEAD = 1, HD_PIECE_HEAD_ENDS = 2, HD_PIECE_TAIL = 4, HD_PIECE_TOTALS = 8 };

/* Results that a piece leaves for others: the reduced messages of its unfinished rows are in heads[k], tails[k]. */
typedef struct hd_cpu_outcome {
    int flags;
    uint64_t changes;
    double largest;           /* change of a vertex' output (hd_moved) */
    double magnitude;         /* largest finite one of the outputs, for programs whose tolerance is relative */
    double total;             /* of all changes; shards only */
    double totals[HD_TOTALS]; /* the program's, with HD_PIECE_TOTALS */
} hd_cpu_outcome;

/* The identity of totals; and two totals joined. */
static inline double hd_total_none(int kind) { return kind == 2 ? -INFINITY : kind == 3 ? INFINITY : 0; }
static inline double hd_total_join(int kind, double a, double b) {
    return kind == 2 ? (b > a || b != b ? b : a) : kind == 3 ? (b < a || b != b ? b : a) : a + b;
}
static inline void hd_totals_join(int traits, hd_cpu_outcome *into, const double *totals) {
    for (int i = 0; i < HD_TOTALS; i++) {
        int kind = HD_TOTAL_KIND(traits, i);
        double before = into->flags & HD_PIECE_TOTALS ? into->totals[i] : hd_total_none(kind);
        into->totals[i] = hd_total_join(kind, before, totals[i]);
    }
    into->flags |= HD_PIECE_TOTALS;
}

/* The counts, changes and totals of two sets of vertices joined; flags of pieces stay. */
static inline void hd_outcome_join(int traits, hd_cpu_outcome *into, const hd_cpu_outcome *from) {
    into->changes += from->changes;
    into->total += from->total;
    into->largest = from->largest > into->largest ? from->largest : into->largest;
    into->magnitude = from->magnitude > into->magnitude ? from->magnitude : into->magnitude;
    if (from->flags & HD_PIECE_TOTALS)
        hd_totals_join(traits, into, from->totals);
}

/* The entries of edges into vertices first .. last, with a copy of each source's value (engine/device/shards.h). */
typedef struct hd_cpu_shard {
    uint64_t first, last;
    uint64_t entry, entry_end;
    const uint32_t *targets;
    const uint32_t *sources; /* NULL: not known by entry */
    const uint32_t *degrees; /* of entries' sources */
    const void *weights, *copies;
    void *sums;           /* room for a message for each vertex of the range */
    unsigned char *marks; /* per vertex of the graph: set to 1 where the value changed, else to 0 */
} hd_cpu_shard;

/* How a sample breaks a promise (cpu_promises.c has the words), and its numbers. */
enum {
    HD_BROKEN_NOT,
    HD_BROKEN_BETTER,    /* LEAST_FIRST, LARGEST_FIRST: of the sender, what is stored, the edge's weight or NaN */
    HD_BROKEN_REDUCE,    /* the values stored for either message, and for both reduced */
    HD_BROKEN_WORSE,     /* the value before, the value stored */
    HD_BROKEN_OLD,       /* one value and the value stored, another and the value stored */
    HD_BROKEN_KEPT,      /* the value before, the value stored, another, which stays */
    HD_BROKEN_TWICE,     /* ONCE: what is stored first, then, and the rounds of the two messages */
    HD_BROKEN_DIFFERENT, /* the values stored for two messages of a round, and the round */
    HD_BROKEN_SOURCE,    /* a source's value, the value stored, the round */
    HD_BROKEN_CARRIED,   /* CARRIED: a value, its message */
    HD_BROKEN_STORED,    /* a value, a message, the results of update and of reduce */
    HD_BROKEN_TYPES      /* VALUE and MESSAGE are two types; with LEAST_FIRST: VALUE is no number */
};
typedef struct hd_cpu_broken {
    int rule;
    double number[4];
} hd_cpu_broken;

/* The loops of one program. */
typedef struct hd_cpu_program {
    int abi;
    int traits;
    int weighted;    /* 0, or the type of WEIGHT: as weight_type of a run, 6 u64, 7 another */
    int output_type; /* heddle_value_type */
    int has_output;  /* OUTPUT is defined: results are not the values themselves */
    size_t value_size, message_size;
    const char *parameters; /* "name=default name=default" */
    int unreached;          /* UNREACHED is defined: the largest u32 or u64 is no number */
    int has_dumb_weight;
    double dumb_weight; /* changes nothing on the way */
    void (*initialise)(const hd_cpu_run *run, uint64_t from, uint64_t to);
    void (*pull)(const hd_cpu_run *run, const hd_cpu_piece *piece, void *head, void *tail, hd_cpu_outcome *outcome);
    /* Joins heads and tails in order and finishes their rows. */
    void (*settle)(const hd_cpu_run *run, const hd_cpu_piece *pieces, const void *heads, const void *tails,
                   const hd_cpu_outcome *outcomes, uint64_t count, hd_cpu_outcome *total);
    /* Sends along out-edges [edge, edge_end) of a vertex; vertices that changed and were not yet in `queued` are
     * written to `list` (room for all the edges), their number is returned. NULL when values are too large to be
     * exchanged atomically. */
    uint64_t (*push)(const hd_cpu_run *run, uint32_t vertex, uint64_t edge, uint64_t edge_end, uint64_t *queued,
                     uint32_t *list);
    /* A round of one shard: gathers, then updates values in place. */
    void (*shard)(const hd_cpu_run *run, const hd_cpu_shard *shard, hd_cpu_outcome *outcome);
    void (*output)(const hd_cpu_run *run, void *out, uint64_t from, uint64_t to);
    /* Joins what the values of vertices add to the totals; whether the run is over; the next round's phase. NULL: the
     * program does not declare it. */
    void (*contribute)(const hd_cpu_run *run, uint64_t from, uint64_t to, hd_cpu_outcome *outcome);
    int (*done)(const hd_cpu_run *run);
    uint32_t (*next_phase)(const hd_cpu_run *run);
    uint32_t first_phase;
    /* 0, or which law fails on messages of first values, sampled from out-edges, and of vertices made up: 1
     * associative, 2 commutative, 3 identity. Needs no values. */
    int (*laws)(const hd_cpu_run *run, uint64_t seed);
    /* Which of the promises in `requested` no sample breaks; *seen: those that samples could break. */
    int (*promises)(const hd_cpu_run *run, uint64_t seed, int requested, int *seen, hd_cpu_broken *broken);

    /* Loops of operators (src/operator/); NULL without the promise. */
    /* ONCE. The messages of rounds 1 .. `rounds`: of the first source, then of holders[1], holders[2] …; NULL: of a
     * vertex that is made up. Returns how many of them, from the first on, change the next holder. */
    uint64_t (*chain)(const hd_cpu_run *run, const uint32_t *holders, uint64_t rounds, void *messages);
    /* Updates vertices from .. to by the message of their level; those of level changed + 1 should not change, and
     * those farther away get none. Returns how many behave otherwise. */
    uint64_t (*spread)(const hd_cpu_run *run, const uint32_t *levels, const void *messages, uint64_t changed,
                       uint64_t from, uint64_t to);
    /* CARRIED. Reduces the values of vertices from .. to into those of the vertices that are their labels. */
    void (*join)(const hd_cpu_run *run, const uint32_t *labels, uint32_t giant, uint64_t from, uint64_t to);
    /* Updates vertices by their label's value; returns how many do not store it. */
    uint64_t (*carry)(const hd_cpu_run *run, const uint32_t *labels, uint64_t from, uint64_t to);
} hd_cpu_program;

#endif
