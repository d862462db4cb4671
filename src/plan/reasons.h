/* reasons.h - explains in words why a plan was chosen. */
#ifndef HD_PLAN_REASONS_H
#define HD_PLAN_REASONS_H

#include "plan/plan.h"

enum { HD_REASON_ROOM = 200, HD_REASONS_MOST = 8 };

typedef struct hd_reasons {
    uint32_t count;
    char text[HD_REASONS_MOST][HD_REASON_ROOM];
} hd_reasons;

/* `requested` is the plan as parsed, `fitted` the same after hd_plan_fit: open choices were made there. */
void hd_plan_reasons(const hd_plan *requested, const hd_plan *fitted, const hd_plan_program *program,
                     hd_reasons *reasons);

#endif
