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

static const char *about_schedule(hd_schedule schedule) {
    switch (schedule) {
    case HD_SCHEDULE_THREAD: return "a lane walks a vertex' edges; as good as degrees are even";
    case HD_SCHEDULE_VWARP: return "a few lanes walk a vertex' edges together; good for degrees near their number";
    case HD_SCHEDULE_WSEG: return "a warp walks its vertices' edges side by side and adds up without atomics";
    case HD_SCHEDULE_VNODE: return "long rows are cut into virtual nodes, a lane each";
    case HD_SCHEDULE_EDGE: return "edges are shared out evenly, so that no distribution of degrees can hurt";
    default: return "edges lie in shards that fit shared memory";
    }
}

void hd_plan_reasons(const hd_plan *asked, const hd_plan *fitted, const hd_plan_program *program, hd_reasons *reasons) {
    char schedule[24];
    bool push = fitted->direction == HD_PUSH;
    reasons->count = 0;
    hd_plan_schedule_name(fitted, schedule, sizeof schedule);
    say(reasons, "schedule %s, %s: %s", schedule, asked->schedule ? "as the plan says" : "chosen",
        about_schedule(fitted->schedule));
    if (asked->direction)
        say(reasons, "direction %s, as the plan says", push ? "push" : "pull");
    else if (push)
        say(reasons, "direction push: values of %s only ever move one way, so only vertices that changed need send",
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
