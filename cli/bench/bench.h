/* bench.h - shared by the files of heddle bench. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "command.h"

enum { BENCH_MOST_GRAPHS = 32, BENCH_MOST_PLANS = 64, BENCH_MOST_ROWS = 4096, BENCH_MOST_REPEATS = 1000 };

typedef struct bench_settings {
    cli_common common;
    const char *device, *algorithms, *plan, *plans, *output, *again, *report;
    int repeats, sources, parents, verify, scale, approximate, sweep;
    uint64_t seed, memory_limit;
} bench_settings;

/* A graph to measure on: a file, or KIND:SIZE of a generator, and the same with the ending -directed. */
typedef struct bench_graph {
    const char *name;
    heddle_graph *graph;
    heddle_vertex source; /* the vertex of largest out-degree; 0 on road-like graphs */
    double seconds;       /* to make or load it */
    heddle_ceilings ceilings;
} bench_graph;

/* Proven by a certificate of values that approach a limit, if it has no bound of their error, or they stopped
 * before: that they are those of the rounds. */
enum { BENCH_RESIDUAL = 2 };

/* Repeated runs of one kind. Times in seconds. */
typedef struct bench_row {
    const char *graph, *algorithm, *plan; /* a program of the user's own: its file */
    char device[24], schedule[24];
    char refused[1024]; /* the reason when it was; then nothing else is known */
    uint64_t vertices, edges, iterations, device_bytes;
    uint64_t bytes_sent; /* of edges, to the device or from the file, in all rounds */
    int runs;
    double *times;              /* compute, in the order of the runs; from malloc */
    double median, least, most; /* of these */
    double quartiles[2];        /* the first and the third */
    char keys[640];             /* of the plan, as heddle_report has them */
    double prepare;             /* once: in-edges, renaming, transforms */
    double compile;             /* once; 0: from the cache */
    double random_median;       /* over random sources; 0: not measured */
    double passes;              /* a program's: how often it walked all edges */
    double stream_floor, gather_floor;
    double bus_floor; /* of bytes_sent; 0: none were */
    int verified;     /* -1: not verified; or BENCH_RESIDUAL */
    double lanes;     /* share of useful lanes; negative: not known */
    bool approximate;
    double inaccuracy; /* NaN: not measured */
} bench_row;

typedef struct bench {
    cli_session *session;
    const bench_settings *settings;
    bench_row *rows;
    size_t row_count;
    bool presets; /* the table of plans, with ratios to the first */
    const char *plans[BENCH_MOST_PLANS];
    int plan_count;
    char *plan_text, *technique_text; /* what they point into; from malloc */
    char *algorithm_text;             /* the list of algorithms and programs, a NUL behind each; from malloc */
} bench;

/* NULL with the exit status in `status` when it cannot be had. */
int bench_graph_open(cli_session *session, const char *name, uint64_t seed, bench_graph *graph);
void bench_graph_close(bench_graph *graph);

/* Fills in the plans of `bench`; returns the exit status. */
int bench_choose_plans(cli_session *session, bench *bench);

/* Whether rows are compared with that of the first plan. */
bool bench_compares(const bench *bench);
/* Whether a plan has a technique of graffix. */
bool bench_is_approximate(const char *plan);

/* The Graph500 benchmark, of --scale; the exit status. */
int bench_graph500(cli_session *session, const bench_settings *settings);

enum { BENCH_MOST_ARGUMENTS = 256 };
/* The arguments in a file that heddle bench has written: a block for free(), to which `list` points. Returns their
 * number, or -1 when there are none. */
int bench_read_arguments(const char *path, char **block, char **list);

/* Tables on standard output: text, JSON. */
/* `base`: what presets are compared with, or NULL. */
void bench_print_row(const bench *bench, const bench_row *row, const bench_row *base);
void bench_print_head(const bench *bench);
void bench_print_json(FILE *out, const bench *bench);
void bench_print_csv(FILE *out, const bench *bench);
/* The rows as a page (page_bench.c); the exit status. */
int bench_write_page(const bench *bench, const char *path);

#endif
