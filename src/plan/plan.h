/* plan.h - how a program runs on a device: schedule, direction, worklist, synchronisation.
 *
 * A plan is written as a preset ("ws"), as keys ("schedule=vwarp,width=8,direction=push"), or as a preset with some
 * keys changed ("tigr-v,K=4"). Keys that are not given are chosen to suit the program; combinations that cannot work
 * are refused with the reason. docs/schedules.md is the manual.
 */
#ifndef HD_PLAN_PLAN_H
#define HD_PLAN_PLAN_H

#include "exchange/exchange.h"
#include "graffix/graffix.h"
#include "residency/residency.h"
#include "schedule/schedule.h"

/* Bits of the keys that a plan's text sets: a preset other than auto, or a key. */
enum {
    HD_GIVEN_PRESET = 1 << 0,
    HD_GIVEN_TRANSFORM = 1 << 1,
    HD_GIVEN_K = 1 << 2,
    HD_GIVEN_ORDER = 1 << 3,
    HD_GIVEN_SCHEDULE = 1 << 4,
    HD_GIVEN_WIDTH = 1 << 5,
    HD_GIVEN_COALESCED = 1 << 6,
    HD_GIVEN_MAPPING = 1 << 7,
    HD_GIVEN_WINDOW = 1 << 8,
    HD_GIVEN_RANGE = 1 << 9,
    HD_GIVEN_SHARDS = 1 << 10,
    HD_GIVEN_DIRECTION = 1 << 11,
    HD_GIVEN_WORKLIST = 1 << 12,
    HD_GIVEN_SYNC = 1 << 13,
    HD_GIVEN_WARP = 1 << 14,
    HD_GIVEN_OFFSETS = 1 << 15,
    HD_GIVEN_DOUBLES = 1 << 16,
    HD_GIVEN_DEBUG = 1 << 17,
    HD_GIVEN_RESIDENCY = 1 << 18,
    HD_GIVEN_STREAM = 1 << 19, /* a key of residency stream */
    HD_GIVEN_EXCHANGE = 1 << 20,
    HD_GIVEN_GRAFFIX = 1 << 21,
    HD_GIVEN_THRESHOLD = 1 << 22,
    HD_GIVEN_FILL = 1 << 23,
    HD_GIVEN_COPIES = 1 << 24, /* a key of graffix=coalesce */
    HD_GIVEN_EVERY = 1 << 25,
    HD_GIVEN_BUDGET = 1 << 26,
    HD_GIVEN_SLICES = 1 << 27,
    HD_GIVEN_PREPARE = 1 << 28
};

/* HEDDLE_E_ARGUMENT, with the valid alternatives, for text that is not a plan. NULL and "auto": all open. */
heddle_status hd_plan_parse(heddle_context *ctx, const char *text, hd_plan *plan);
/* The plan of a line in the table that `explain` prints. */
heddle_status hd_plan_of_variant(heddle_context *ctx, const hd_schedule_variant *variant, hd_plan *plan);
/* Whether all but the order and the residency was left open, and all edges are there at once: algorithms with kernels
 * of their own take these plans. */
bool hd_plan_is_auto(const hd_plan *plan);
bool hd_plan_shards(const hd_plan *plan);
enum { HD_PLAN_TEXT = 640 };
/* All keys that have a value, "K=10,schedule=vnode": in the run's plan, or else in what an engine made of it. */
void hd_plan_text(const hd_plan *plan, const hd_plan *fitted, char *text, size_t size);
/* Whether vertices have copies, whose values the run merges; whether vertex programs get more steps in a round. */
bool hd_plan_steps(const hd_plan *plan);
bool hd_plan_copies(const hd_plan *plan);
/* How Graffix changes the graph; only with plan->graffix. */
hd_graffix_options hd_plan_graffix(const hd_plan *plan);
/* The plan of the run on a changed graph: without the keys of the change. */
hd_plan hd_plan_without_graffix(const hd_plan *plan);
/* Whether its runs get their edges span by span. */
bool hd_plan_spans(const hd_plan *plan);
/* The plan of the run on the split graph: without the transform, and its keys. */
hd_plan hd_plan_without_transform(const hd_plan *plan);
/* The plan of a part's run on its slice: it pulls along all edges, which kernels find on the device. `window`: they
 * pass through it, in windows of whole rows. */
hd_plan hd_plan_of_part(const hd_plan *plan, bool window);
/* Computes the largest and mean in-degree, on which the schedule of programs without a frontier depends; does nothing
 * for those with one. Linear in the vertices. */
heddle_status hd_plan_degrees(heddle_context *ctx, const heddle_graph *graph, const hd_plan *plan,
                              hd_plan_program *program);
/* Fills in open choices; HEDDLE_E_REFUSED, with the reason, if this program cannot run under the plan. `warp` is the
 * device's warp width, `fixed_warp` says that it has no other, `atomics64` that it has 64-bit atomics. */
heddle_status hd_plan_fit(heddle_context *ctx, const hd_plan_program *program, uint32_t warp, bool fixed_warp,
                          bool atomics64, hd_plan *plan);
#endif
