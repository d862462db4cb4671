/* builder.h - state shared by the steps of a build; see build.c for how they work together. */
#ifndef HD_GRAPH_BUILDER_H
#define HD_GRAPH_BUILDER_H

#include "graph/bucket.h"
#include "graph/build.h"
#include "graph/ids.h"
#include "graph/pairs.h"

typedef struct hd_bucket {
    uint64_t start; /* of its arcs in the staging arrays; end = next bucket's start */
    uint32_t first; /* vertex */
    uint32_t vertices;
    uint64_t kept; /* arcs left by the rules */
} hd_bucket;

/* Staged positions of the arcs that one part of the source has in one bucket, as counted in the survey. */
typedef struct hd_run_of_arcs {
    uint64_t next; /* where the next arc goes */
    uint64_t end;
} hd_run_of_arcs;

/* Results of the survey for one part of the source. */
typedef struct hd_part_survey {
    uint64_t edges;
    double weight_min, weight_max;
    bool inexact; /* a weight that f32 does not hold exactly */
    bool fraction;
    bool beyond;  /* an id outside the dense range */
    bool failed;  /* out of memory */
    bool changed; /* this pass found other edges than an earlier one */
    hd_id_set set;
    hd_pairs pairs;
    hd_cursor cursor; /* its state at the end of the pass */
} hd_part_survey;

/* The round being placed: buckets [first, last), whose arcs move down by `shift` in the staging arrays. */
typedef struct hd_round {
    uint64_t first, last;
    uint64_t start; /* staged position of the first bucket before the move */
    uint64_t base;  /* and after it */
} hd_round;

typedef struct hd_builder {
    heddle_context *ctx;
    const hd_edge_source *source;
    hd_bucket_rules rules;
    bool both;           /* every edge leaves arcs in both end points' rows */
    bool undirected;     /* the result */
    bool drop_isolated;  /* the caller will drop vertices without arcs */
    bool skew_flattened; /* a skew-symmetric matrix symmetrised: both arcs get the smaller weight, -|w| */

    hd_part_survey *parts;
    uint64_t sample_limit; /* symmetrising: which edges are sampled (pairs.h) */
    double kept;           /* share of the sampled edges that is kept */
    hd_id_map map;
    bool ids_unsigned;
    uint64_t edges;
    uint64_t unequal; /* as hd_bucket_rules has it */
    heddle_weight_type weight_type;

    /* ranges of keys, range = key >> shift; a key is the vertex, or the id if the id map was not known when counting */
    bool keys_are_ids;
    int shift;
    uint64_t ranges;
    uint32_t *counts; /* parts x ranges: arcs */
    uint64_t counts_size;

    uint32_t *bucket_of; /* range -> bucket */
    hd_bucket *buckets;  /* bucket_count + 1 */
    uint64_t bucket_count;
    hd_run_of_arcs *runs; /* parts x bucket_count */

    /* Called on the thread that read a part, after its last batch; NULL: nothing is. */
    void (*leave)(struct hd_builder *b, uint64_t part);
    struct hd_external *external; /* of a build on disk (external.h) */

    hd_round round;
    hd_arcs staged;
    uint64_t staged_arcs;  /* capacity of target and weight */
    uint64_t staged_local; /* capacity of local */
    uint64_t *offsets;
} hd_builder;

/* Address of the weight of staged arc `at`; NULL without weights. */
static inline void *hd_staged_weight(const hd_builder *b, uint64_t at) {
    return b->staged.weight ? (char *)b->staged.weight + at * b->rules.weight_size : NULL;
}

/* Sets what the source and the caller's options say of the graph; then, once the survey has found it, the type of
 * weights and how many vertices there are. */
void hd_builder_take(hd_builder *b, const hd_edge_source *source, const heddle_build_options *options);
void hd_builder_weigh(hd_builder *b, uint64_t vertices);
void hd_builder_release(hd_builder *b);
/* The note on pairs of opposite arcs with different weights. */
void hd_builder_note_unequal(const hd_builder *b);

/* Handles a batch of part `part`, on any thread; false ends the pass over this part (the visitor recorded why). */
typedef bool (*hd_visit)(hd_builder *b, uint64_t part, const hd_edge_batch *batch);

/* One pass over all parts of the source; of several errors the first in input order is reported. */
heddle_status hd_builder_walk(hd_builder *b, const char *phase, hd_visit visit);
/* The error of a source that gives other edges than in an earlier pass. */
heddle_status hd_builder_fail_changed(const hd_builder *b);
/* Step 1 (survey.c): the map of ids, the type of weights, the arcs per range. */
heddle_status hd_builder_survey(hd_builder *b);
void hd_builder_reset_parts(hd_builder *b);

/* Steps of the survey, for a build whose source is a share of a larger one (exchange/shared_build.c). The ids of the
 * share, as known ones or in a table, its edges and weights; nothing is counted. */
heddle_status hd_builder_survey_share(hd_builder *b);
/* The largest id in the first batch of each part: an estimate for the size of a bitmap. */
uint64_t hd_builder_largest_sampled(hd_builder *b);
/* Whether ids that occur get a bit each, given the largest of the sample, and of all. */
bool hd_builder_ids_are_small(const hd_edge_source *source, uint64_t sampled, uint64_t largest);
/* The caller gave the number of vertices n: small ids must be 0 .. n-1, or 1 .. n; the map becomes that. */
heddle_status hd_builder_demand_vertices(hd_builder *b, uint64_t lowest, uint64_t highest);
/* The error of ids that are not small then. */
heddle_status hd_builder_fail_outside(const hd_builder *b);
/* The end of the survey: the source's own checks, and the type of weights. */
heddle_status hd_builder_conclude(hd_builder *b);
/* At most this many arcs are placed: loops count once. */
static inline uint64_t hd_builder_most_arcs(const hd_builder *b) { return b->edges * (b->both ? 2 : 1); }
/* Lays out buckets of about `most` arcs, and where each part writes in them. */
heddle_status hd_builder_lay(hd_builder *b, uint64_t most);
/* Fails if a part left room in one of the buckets [first, last): the source changed. */
heddle_status hd_builder_check_runs(const hd_builder *b, uint64_t first, uint64_t last);
/* The error for the worst status of the buckets; `bytes` were wanted if memory ran out. */
heddle_status hd_builder_finished(const hd_builder *b, heddle_status worst, uint64_t bytes);
/* Steps 2 and 3 (arrange.c): arcs to buckets, buckets to rows; their lengths go to offsets. */
heddle_status hd_builder_arrange(hd_builder *b, uint64_t *arcs);

#endif
