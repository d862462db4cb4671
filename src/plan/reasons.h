/* reasons.h - why a plan is what it is, in words. */
#ifndef HD_PLAN_REASONS_H
#define HD_PLAN_REASONS_H

#include "plan/plan.h"

enum { HD_REASON_ROOM = 200, HD_REASONS_MOST = 8 };

typedef struct hd_reasons {
    uint32_t count;
    char text[HD_REASONS_MOST][HD_REASON_ROOM];
} hd_reasons;

/* `asked` is the plan as it was read, `fitted` the same after hd_plan_fit: what was open before was chosen. */
void hd_plan_reasons(const hd_plan *asked, const hd_plan *fitted, const hd_plan_program *program, hd_reasons *reasons);

#endif
