/* vnode.c - one lane per virtual node of at most K edges (vnode.cl): Tigr's virtual split (Nodehi Sabet, Qiu, Zhao,
 * ASPLOS 2018, section 4), with an array of nodes or a mapping found on the fly, edges consecutive or coalesced. */
#include "schedule/efficiency.h"

extern const char hd_text_vnode[]; /* embedded */

static const uint32_t default_K = 10;

static void fill(hd_plan *plan) {
    if (!plan->K)
        plan->K = default_K;
}

static heddle_status check(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    return !plan->transform ? HEDDLE_OK
                            : hd_fail(ctx, HEDDLE_E_REFUSED,
                                      "%s: schedule=vnode: vertices that a transform has split are not split once "
                                      "more; use schedule=thread instead",
                                      program->name);
}

static hd_schedule_layout layout(const hd_plan *plan) {
    bool array = plan->dynamic == HD_NO;
    return (hd_schedule_layout){.nodes = array,
                                .pairs = array && plan->worklist == HD_YES,
                                .chunk = plan->K,
                                .rows = plan->dynamic == HD_YES ? plan->warp : 0};
}

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    (void)tile;
    if (plan->dynamic != HD_YES)
        return hd_efficiency_nodes(ctx, rows, plan, sum);
    *sum = hd_efficiency_split(ctx, rows, plan);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_vnode = {
    .name = "vnode",
    .text = hd_text_vnode,
    .reason = "long rows are cut into virtual nodes, a lane each",
    .variants = (const hd_schedule_variant[]){{"vnode", "schedule=vnode"},
                                              {"vnode coalesced", "schedule=vnode,coalesced=yes"},
                                              {"vnode dynamic", "schedule=vnode,mapping=dynamic"},
                                              {NULL, NULL}},
    .keys = HD_KEY_SPLIT,
    .walk = 4,
    .spans = true,
    .splits = true,
    .fill = fill,
    .check = check,
    .side = hd_side_lane,
    .layout = layout,
    .efficiency = efficiency,
};
