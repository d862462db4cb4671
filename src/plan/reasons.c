/* reasons.c - see reasons.h. */
#include "plan/reasons.h"

#include <stdarg.h>
#include <stdio.h>

static void say(hd_reasons *reasons, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(hd_reasons *reasons, const char *format, ...) {
    va_list list;
    if (reasons->count == HD_REASONS_MOST)
        return;
    va_start(list, format);
    vsnprintf(reasons->text[reasons->count++], HD_REASON_ROOM, format, list);
    va_end(list);
}

void hd_plan_reasons(const hd_plan *requested, const hd_plan *fitted, const hd_plan_program *program,
                     hd_reasons *reasons) {
    char schedule[24];
    bool push = fitted->direction == HD_PUSH;
    reasons->count = 0;
    hd_schedule_label(fitted, schedule, sizeof schedule);
    say(reasons, "schedule %s, %s: %s", schedule, requested->schedule ? "as the plan says" : "chosen",
        fitted->schedule->reason);
    if (requested->direction)
        say(reasons, "direction %s, as the plan says", push ? "push" : "pull");
    else if (push)
        say(reasons, "direction push: values of %s are monotone, so only vertices that changed need to send",
            program->name);
    else
        say(reasons, "direction pull: every vertex reduces what comes in, without atomics");
    if (fitted->worklist == HD_YES)
        say(reasons, "worklist: a round costs what its changed vertices have in edges");
    else
        say(reasons, program->monotone ? "no worklist: pull looks at all vertices in every round"
                                       : "no worklist: every vertex is active in every round");
    if (fitted->strict == HD_YES)
        say(reasons, "sync strict: a round sees the values of the round before only");
    else
        say(reasons, "sync relaxed: a round may see values of its own, which ends sooner and changes no result");
}
