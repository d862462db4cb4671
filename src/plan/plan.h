/* plan.h - how a program runs on a device: schedule, direction, worklist, synchronisation.
 *
 * A plan is written as a preset ("ws"), as keys ("schedule=vwarp,width=8,direction=push"), or as a preset with some
 * keys changed ("tigr-v,K=4"). Keys that are not given are chosen to suit the program; combinations that cannot work
 * are refused with the reason. docs/schedules.md is the manual.
 */
#ifndef HD_PLAN_PLAN_H
#define HD_PLAN_PLAN_H

#include "schedule/schedule.h"

/* HEDDLE_E_ARGUMENT, with the valid alternatives, for text that is not a plan. NULL and "auto": all open. */
heddle_status hd_plan_parse(heddle_context *ctx, const char *text, hd_plan *plan);
/* The plan's order, and in `rest`, of `size` bytes, the plan without it, which is what a run on the renamed graph goes
 * by: "auto" where nothing else was said. NULL leaves `rest` alone. */
heddle_status hd_plan_order(heddle_context *ctx, const char *text, char *rest, size_t size, const hd_order **order);
/* Whether the text is a plan that transforms the graph. */
bool hd_plan_transforms(heddle_context *ctx, const char *text);
/* Whether it is a plan with shards. */
bool hd_plan_shards(heddle_context *ctx, const char *text);
/* True for NULL and "auto": algorithms with kernels of their own take these. */
bool hd_plan_is_auto(const char *text);
/* Computes the largest and mean in-degree, on which the schedule of programs without a frontier depends; does nothing
 * for those with one. Linear in the vertices. */
heddle_status hd_plan_degrees(heddle_context *ctx, const heddle_graph *graph, const hd_plan *plan,
                              hd_plan_program *program);
/* Fills in open choices; HEDDLE_E_REFUSED, with the reason, if this program cannot run under the plan. `warp` is the
 * device's warp width, `fixed_warp` says that it has no other, `atomics64` that it has 64-bit atomics. */
heddle_status hd_plan_fit(heddle_context *ctx, const hd_plan_program *program, uint32_t warp, bool fixed_warp,
                          bool atomics64, hd_plan *plan);
#endif
