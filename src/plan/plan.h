/* plan.h - how a program's edges are walked on a device: schedule, direction, worklist, synchronisation.
 *
 * A plan is written as a preset ("ws"), as keys ("schedule=vwarp,width=8,direction=push"), or as a preset with some
 * keys changed ("tigr-v,K=4"). What is left open is filled in to fit the program; what is asked for and cannot be is
 * refused with the reason. docs/schedules.md is the manual.
 */
#ifndef HD_PLAN_PLAN_H
#define HD_PLAN_PLAN_H

#include "graph/order.h"
#include "transform/split.h"

typedef enum hd_schedule {
    HD_SCHEDULE_OPEN = 0,
    HD_SCHEDULE_THREAD,
    HD_SCHEDULE_VWARP,
    HD_SCHEDULE_WSEG,
    HD_SCHEDULE_VNODE,
    HD_SCHEDULE_EDGE,
    HD_SCHEDULE_SHARD
} hd_schedule;

typedef enum hd_direction { HD_DIRECTION_OPEN = 0, HD_PULL, HD_PUSH } hd_direction;
typedef enum hd_choice { HD_OPEN = 0, HD_NO, HD_YES } hd_choice;

typedef struct hd_plan {
    char name[32]; /* the preset's, "auto", or "custom" */
    hd_schedule schedule;
    uint32_t width; /* vwarp: lanes for a vertex */
    hd_direction direction;
    hd_choice worklist;     /* only vertices that changed send */
    hd_choice strict;       /* sync=strict: a round sees the values of the round before only */
    hd_transform transform; /* vertices of many edges are split before the run */
    uint32_t K; /* transform, vnode: edges of a (virtual) node at most; 0: open, for a transform chosen by it */
    hd_choice coalesced;    /* vnode: a vertex' virtual nodes take its edges in turn, not in pieces */
    hd_choice dynamic;      /* vnode: mapping found on the fly, without an array */
    hd_choice listed;       /* shard: window=cw, Concatenated Windows; no: window=gs, G-Shards */
    uint32_t range;         /* shard: vertices in a range; 0: chosen from the graph and shared memory */
    hd_choice host;         /* shards=host: entries stay in the host's memory, and the device reads them there */
    uint32_t warp;          /* lanes; 0: the device's (OpenCL: 8, 16, 32, 64) */
    hd_choice wide_offsets; /* offsets=64; open: as the graph needs */
    hd_choice debug;        /* kernels compiled for a debugger, without optimisation */
    hd_order order;         /* vertices are renamed before the run; open: as the graph's file has them */
    hd_choice doubles;      /* doubles=no: as on a device without double precision */
} hd_plan;

/* What a plan must know of a program. */
typedef struct hd_plan_program {
    const char *name;
    bool monotone;   /* has a frontier, and rounds may mix */
    bool mixes;      /* not monotone, but rounds may mix all the same */
    bool sums;       /* reduce() adds: a split vertex can pass on what it got */
    size_t add_size; /* messages consist of numbers of this size that reduce() adds; 0: they do not */
    size_t value_size, message_size;
    /* Of the rows to walk; both 0: not known. hd_plan_degrees fills them in. */
    double mean_degree;
    uint64_t longest;
} hd_plan_program;

/* HEDDLE_E_ARGUMENT, saying what would be right, for text that is no plan. NULL and "auto": all open. */
heddle_status hd_plan_parse(heddle_context *ctx, const char *text, hd_plan *plan);
/* The plan's order, and in `rest`, of `size` bytes, the plan without it, which is what a run on the renamed graph goes
 * by: "auto" where nothing else was said. HD_ORDER_OPEN leaves `rest` alone. */
heddle_status hd_plan_order(heddle_context *ctx, const char *text, char *rest, size_t size, hd_order *order);
/* Whether the text is a plan that transforms the graph. */
bool hd_plan_transforms(heddle_context *ctx, const char *text);
/* Whether it is a plan with shards. */
bool hd_plan_shards(heddle_context *ctx, const char *text);
/* True for NULL and "auto": algorithms with kernels of their own take these. */
bool hd_plan_is_auto(const char *text);
/* Looks at the in-degrees of a graph, on which the schedule of programs without a frontier depends. Nothing for those
 * with one. Linear in the vertices. */
heddle_status hd_plan_degrees(heddle_context *ctx, const heddle_graph *graph, const hd_plan *plan,
                              hd_plan_program *program);
/* Fills in what is open; HEDDLE_E_REFUSED with the reason for what this program cannot have. `warp` is the device's
 * width, `fixed_warp` says that it has no other, `atomics64` that it can exchange 64-bit words. */
heddle_status hd_plan_fit(heddle_context *ctx, const hd_plan_program *program, uint32_t warp, bool fixed_warp,
                          bool atomics64, hd_plan *plan);
/* "wseg", "vwarp-8" …: the schedule's name for reports. */
void hd_plan_schedule_name(const hd_plan *plan, char *text, size_t size);
/* The presets by index; NULL past the last. */
const char *hd_plan_preset_at(size_t index);

#endif
