/* schedule.h - assignment of edges to lanes: the descriptor of a schedule, and the plan that selects one.
 *
 * A schedule is one descriptor (NAME.c) with its kernel text (NAME.cl), and one line in schedule.c. The descriptor
 * answers all questions about it: which keys it takes, what it needs besides the rows, which programs it refuses, its
 * warp efficiency, its text for `explain`. No other code compares schedules.
 */
#ifndef HD_SCHEDULE_SCHEDULE_H
#define HD_SCHEDULE_SCHEDULE_H

#include "graph/order.h"
#include "transform/split.h"

typedef enum hd_direction { HD_DIRECTION_OPEN = 0, HD_PULL, HD_PUSH } hd_direction;
typedef enum hd_choice { HD_OPEN = 0, HD_NO, HD_YES } hd_choice;

/* Numbers from 0 to 1, written as 0.6+0.3. */
typedef struct hd_shares {
    double at[3];
    uint32_t count;
} hd_shares;

/* How a run distributes its work (plan/plan.h parses one from text). 0 and NULL: open, to be chosen. */
typedef struct hd_plan {
    char name[32];  /* the preset's, "auto", or "custom" */
    uint32_t given; /* HD_GIVEN_…: what the user named */
    const struct hd_schedule *schedule;
    uint32_t width; /* vwarp: lanes for a vertex */
    hd_direction direction;
    hd_choice worklist;            /* only vertices that changed send */
    hd_choice strict;              /* sync=strict: a round sees the values of the round before only */
    const hd_transform *transform; /* vertices of many edges are split before the run; NULL: they are not */
    uint32_t K; /* transform, vnode: edges of a (virtual) node at most; 0: open, for a transform chosen by it */
    hd_choice coalesced;    /* vnode: a vertex's edges are dealt to its virtual nodes in turn, not in pieces */
    hd_choice dynamic;      /* vnode: mapping computed on the fly, without an array */
    hd_choice listed;       /* shard: window=cw, Concatenated Windows; no: window=gs, G-Shards */
    uint32_t range;         /* shard: vertices in a range; 0: chosen from the graph and shared memory */
    hd_choice host;         /* shards=host: entries stay in host memory, and the device accesses them there */
    uint32_t warp;          /* lanes; 0: the device's (OpenCL: 8, 16, 32, 64) */
    hd_choice wide_offsets; /* offsets=64; open: as the graph needs */
    hd_choice debug;        /* kernels compiled for a debugger, without optimisation */
    const hd_order *order;  /* vertices are renamed before the run; NULL: as the graph's file has them */
    const struct hd_graffix *graffix; /* the graph is changed, for approximate values; NULL: it is not */
    hd_shares threshold;              /* of graffix, if HD_GIVEN_THRESHOLD is set */
    double fill;                      /* divergence: if HD_GIVEN_FILL is set */
    double budget;                    /* latency: if HD_GIVEN_BUDGET is set */
    hd_choice prepare;                /* latency: HD_YES: the device counts links, HD_NO: the host; open: what pays */
    bool merges;                      /* a vertex program whose rounds have more steps, which own kernels do not know */
    uint32_t chunk, spare;            /* coalesce: vertices and free places of a chunk; chunk 0: open */
    hd_choice mean;                   /* coalesce: copies are merged by their mean, not by the program's reduction */
    uint32_t every;    /* coalesce: … after so many rounds, where HD_GIVEN_EVERY is set; 0: at the end */
    hd_choice doubles; /* doubles=no: as on a device without double precision */
    const struct hd_residency *residency; /* where edges lie (residency/residency.h); NULL: open */
    const struct hd_exchange *exchange;   /* values that parts exchange (exchange/exchange.h); NULL: open */
    uint32_t parts;                       /* devices that share the run; 0 or 1: there is one, and no exchange */
    /* Residency stream: */
    hd_choice stream_active;    /* only partitions with active vertices are sent */
    hd_choice stream_reuse;     /* partitions that are on the device still are not sent again */
    hd_choice stream_shared;    /* sources and flags of partitions in shared memory */
    hd_choice stream_packed;    /* partitions are sent packed; open: if not all fit the device */
    hd_choice slices;           /* HD_YES: ranges of parts by measured cost; else by edges */
    hd_choice peer;             /* parts exchange values from device to device; open: where they can */
    hd_choice stream_gather;    /* active rows are sent without the others, if they are few; open: where it is faster */
    hd_choice stream_place;     /* active rows are read in host memory, if they are few; open: where it is faster */
    hd_choice stream_again;     /* a partition is walked again before it is dropped; open: while that saves time */
    uint32_t stream_queues;     /* that copies and kernels are put into */
    uint32_t stream_partitions; /* as many as edges are cut into; 0: by their size and the memory */
} hd_plan;

/* Facts about a program that a plan needs. */
typedef struct hd_plan_program {
    const char *name;
    bool monotone;   /* has a frontier, and rounds may mix */
    bool mixes;      /* not monotone, but rounds may mix all the same */
    bool ids;        /* send() receives the source and the target of its edge */
    bool sums;       /* reduce() adds: a split vertex can pass on what it got */
    size_t add_size; /* messages consist of numbers of this size that reduce() adds; 0: they do not */
    size_t value_size, message_size;
    /* Of the rows to walk; both 0: not known. hd_plan_degrees fills them in. */
    double mean_degree;
    uint64_t longest;
} hd_plan_program;

/* Keys of a plan that only some schedules take. */
enum { HD_KEY_WIDTH = 1, HD_KEY_SPLIT = 2 /* K, coalesced, mapping */, HD_KEY_SHARD = 4 /* window, range, shards */ };

/* Data that a schedule needs besides the rows. */
typedef struct hd_schedule_layout {
    bool tiles;     /* edges are cut into tiles of `rows` rows and edges */
    bool nodes;     /* virtual nodes in an array: several lanes reduce into one vertex, by atomics */
    bool pairs;     /* worklists hold a vertex and a part's number */
    uint32_t chunk; /* edges in a part at most; 0: vertices are not cut */
    uint32_t rows;  /* that a warp walks at once in shared memory; of a tile, its places */
} hd_schedule_layout;

/* A line of the table that `explain` prints: a name, and the keys that choose it. */
typedef struct hd_schedule_variant {
    const char *name, *keys;
} hd_schedule_variant;

struct hd_efficiency;
struct hd_row_offsets;

/* Functions marked (optional) may be NULL. */
typedef struct hd_schedule {
    const char *name;
    const char *text;                    /* its kernels, for vertex programs */
    const char *reason;                  /* how edges are walked, and what that is good for */
    const hd_schedule_variant *variants; /* ended by name NULL */
    unsigned keys;                       /* HD_KEY_…: those it takes */
    uint32_t walk;   /* its number in schedule/walk.cl, for kernels that are not vertex programs; 0: it has none */
    uint32_t chunk;  /* edges of an entry there, where the plan's K does not say; 0: vertices are not cut */
    bool shards;     /* edges are in shards (engine/device/shards.h), not in rows: out-edges, for either direction */
    bool splits;     /* divides vertices itself: a transform in addition makes no sense */
    bool whole_rows; /* each row is reduced as a whole, so that a split vertex can pass its sum on, level by level */
    bool lane_rows;  /* each row is reduced as a whole, by one lane */
    bool spans;      /* hd_round can walk a span of rows, pushing (residency stream), unless nodes are in an array */
    bool sources;    /* needs the source of every edge, which only edges that pass through the device have */
    /* (optional) Fills in its keys that are open. */
    void (*fill)(hd_plan *plan);
    /* (optional) HEDDLE_E_REFUSED if this program cannot run under it. */
    heddle_status (*check)(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan);
    /* (optional) Its name in reports where that is more than `name`: "vwarp-8". */
    void (*label)(const hd_plan *plan, char *text, size_t size);
    /* Lanes that share a row, or a piece of one. */
    uint32_t (*side)(const hd_plan *plan);
    hd_schedule_layout (*layout)(const hd_plan *plan);
    /* Lanes and transactions of one pass over all rows (schedule/efficiency.h). (optional: with shards) */
    heddle_status (*efficiency)(heddle_context *ctx, const struct hd_row_offsets *rows, const hd_plan *plan,
                                uint32_t tile, struct hd_efficiency *efficiency);
} hd_schedule;

extern const hd_schedule hd_schedule_thread, hd_schedule_vwarp, hd_schedule_wseg, hd_schedule_vnode, hd_schedule_edge,
    hd_schedule_shard, hd_schedule_coo;

const hd_schedule *hd_schedule_at(size_t index); /* NULL past the last */
/* HEDDLE_E_REFUSED for a key of the plan that its schedule does not take; `who` is the program or algorithm. */
heddle_status hd_schedule_check_keys(heddle_context *ctx, const char *who, const hd_plan *plan);
/* "wseg", "vwarp-8" …: the schedule's name for reports. */
void hd_schedule_label(const hd_plan *plan, char *text, size_t size);
/* "thread, vwarp or wseg": the names of the schedules that `suits` picks. */
void hd_schedule_names(bool (*suits)(const hd_schedule *schedule), char *text, size_t size);

/* For descriptors: a row by one lane, by a warp. */
uint32_t hd_side_lane(const hd_plan *plan);
uint32_t hd_side_warp(const hd_plan *plan);
hd_schedule_layout hd_layout_rows(const hd_plan *plan); /* nothing beside the rows */

#endif
