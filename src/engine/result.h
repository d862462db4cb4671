/* result.h - the result of a run. */
#ifndef HD_ENGINE_RESULT_H
#define HD_ENGINE_RESULT_H

#include "graph/graph.h"
#include "plan/plan.h"

__extension__ typedef __int128 hd_whole; /* for sums of 64-bit numbers */

enum { HD_FIGURE_TEXT = 48 };

struct heddle_result {
    heddle_allocator allocator;
    uint64_t graph; /* serial of its graph; 0: not known */
    heddle_report report;
    heddle_value_type type;
    uint64_t count;                /* vertices that there are values of (0 for mst) */
    uint64_t first;                /* the first of them */
    bool spread;                   /* every rank has the values of its own vertices; false: here are all, or none */
    void *values;                  /* columns * count */
    uint64_t columns;              /* 1, unless there is one for each source */
    heddle_vertex *column_sources; /* the source of each column; else NULL */
    heddle_vertex *parents;        /* count, or NULL */
    bool widest;                   /* sswp: unreached is -infinity */
    bool plain;                    /* the largest u32 or u64 is an ordinary value, not "unreached" */
    bool labels;                   /* values are vertices: labels of components */
    bool walks;                    /* columns are the steps of `count` walks */
    /* Inputs of proofs and certificates; the report's figures show the same. */
    double residual;         /* of the last round, in the algorithm's terms; NaN: none */
    uint64_t sources, pilot; /* bc: how many were used; those before them, of an error budget's pilot */
    bool sampled;            /* approximate because of that, and the certificate of a sample holds */
    bool home;               /* of a run on a renamed graph: values have been mapped back */
    char figures[HEDDLE_SUMMARY_MOST][HD_FIGURE_TEXT]; /* the report's, as text */
    char device[64], schedule[24], transform[64];      /* storage of the report's names that are not constants */
    char plan[HD_PLAN_TEXT];
    hd_plan fitted; /* the plan of the device's engine, with open keys filled in; schedule NULL: none */
    heddle_round *rounds;
    uint64_t round_count;
    heddle_part *parts; /* of a run on several devices, or NULL */
    struct hd_part_rounds {
        heddle_round *list;
        uint64_t count;
    } * part_rounds; /* of each part */
    uint64_t part_count;
    /* mst */
    uint64_t forest_edges;
    heddle_vertex *forest_ends; /* 2 * forest_edges */
    heddle_weight_type forest_type;
    void *forest_weights;
    /* the public view of the above, filled in at the end */
    heddle_values shown_values;
    heddle_forest shown_forest;
};

heddle_status hd_result_new(heddle_context *ctx, const char *algorithm, heddle_result **result);
/* Allocates `count` values of the type (not initialised). */
heddle_status hd_result_values_new(heddle_context *ctx, heddle_result *result, heddle_value_type type, uint64_t count);
/* A column of values per source. HEDDLE_E_MEMORY at once if the machine has less memory. */
heddle_status hd_result_columns_new(heddle_context *ctx, heddle_result *result, heddle_value_type type, uint64_t count,
                                    const heddle_run_options *options);
/* Allocates room for edges with weights of the type; NONE: without. */
heddle_status hd_result_edges_new(heddle_context *ctx, heddle_result *result, uint64_t count, heddle_weight_type type);
/* The value at a place of `values`, as heddle_result_value gives it. */
double hd_result_at(const heddle_result *result, uint64_t at);
heddle_status hd_result_parents_new(heddle_context *ctx, heddle_result *result, uint64_t count);
/* Rounds values of type F64 to F32. */
heddle_status hd_result_to_single(heddle_context *ctx, heddle_result *result);
size_t hd_value_size(heddle_value_type type);
/* Fills in the public view: the last step of a run. */
void hd_result_show(heddle_result *result);
/* HEDDLE_E_ARGUMENT for a result of another graph; `function` is the public function, for the message. */
heddle_status hd_result_of(heddle_context *ctx, const char *function, const heddle_graph *graph,
                           const heddle_result *result);
/* Takes over the records of rounds of the finished run. */
heddle_status hd_result_take_rounds(heddle_context *ctx, heddle_result *result);
/* Allocates a record for each part of a run on several devices. */
heddle_status hd_result_parts_new(heddle_context *ctx, heddle_result *result, uint64_t count);
/* Copies the records of a part's rounds. */
heddle_status hd_result_part_rounds_take(heddle_context *ctx, heddle_result *result, uint64_t part,
                                         const hd_rounds *rounds);
/* Sets the report's device: "cuda" becomes "cuda:0". */
void hd_result_device(heddle_result *result, const char *name);
/* Sets the report's transform; one inside another is appended: "order-bfs+udt". */
void hd_result_transform(heddle_result *result, const char *name);
/* Adds a figure to the report's summary, or replaces the one of that name (static text). */
void hd_result_figure(heddle_result *result, const char *name, double value);
/* The same for a whole number, and for a value of type F32, with exact texts. */
void hd_result_figure_whole(heddle_result *result, const char *name, hd_whole value);
void hd_result_figure_single(heddle_result *result, const char *name, float value);
/* The figure's value, for checking what the report shows; NaN: there is none. */
double hd_result_figure_of(const heddle_result *result, const char *name);
/* Set what proofs start from, and its figure. */
void hd_result_residual(heddle_result *result, double residual);
void hd_result_sources(heddle_result *result, uint64_t sources);
/* The figure total_weight of a forest: exact for whole numbers, else summed in double, in the order of its edges. */
void hd_result_total_weight(heddle_result *result);

#endif
