/* schedule.c - the table of schedules, and texts that name them. */
#include "schedule/schedule.h"

#include "base/word_list.h"

#include <stdio.h>
#include <string.h>

/* One line each, in the order that texts list them. */
#define SCHEDULES(X) \
    X(thread)        \
    X(vwarp)         \
    X(wseg)          \
    X(vnode)         \
    X(edge)          \
    X(shard)         \
    X(coo)

#define DECLARE(name) extern const hd_schedule hd_schedule_##name;
SCHEDULES(DECLARE)

#define ENTER(name) &hd_schedule_##name,
static const hd_schedule *const schedules[] = {SCHEDULES(ENTER)};

enum { COUNT = sizeof schedules / sizeof *schedules };

const hd_schedule *hd_schedule_at(size_t index) { return index < COUNT ? schedules[index] : NULL; }

/* A key that was given, or filled in with something that only some schedules have. */
static const char *given(const hd_plan *plan, unsigned key) {
    switch (key) {
    case HD_KEY_WIDTH: return plan->width ? "width" : NULL;
    case HD_KEY_SPLIT:
        return plan->K && !plan->transform ? "K"
               : plan->coalesced == HD_YES ? "coalesced"
               : plan->dynamic == HD_YES   ? "mapping"
                                           : NULL;
    default: return plan->listed ? "window" : plan->range ? "range" : plan->host ? "shards" : NULL;
    }
}

static const char *owner_of(unsigned key) {
    for (size_t i = 0; i < COUNT; i++)
        if (schedules[i]->keys & key)
            return schedules[i]->name;
    return "";
}

heddle_status hd_schedule_check_keys(heddle_context *ctx, const char *who, const hd_plan *plan) {
    static const struct {
        unsigned key;
        const char *what;
    } keys[] = {{HD_KEY_WIDTH, "has virtual warps"}, {HD_KEY_SPLIT, "splits vertices"}, {HD_KEY_SHARD, "has shards"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *name = plan->schedule->keys & keys[i].key ? NULL : given(plan, keys[i].key);
        if (name)
            return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: %s: only schedule=%s %s", who, name, owner_of(keys[i].key),
                           keys[i].what);
    }
    return HEDDLE_OK;
}

void hd_schedule_label(const hd_plan *plan, char *text, size_t size) {
    if (plan->schedule && plan->schedule->label)
        plan->schedule->label(plan, text, size);
    else
        snprintf(text, size, "%s", plan->schedule ? plan->schedule->name : "");
}

void hd_schedule_names(bool (*suits)(const hd_schedule *schedule), char *text, size_t size) {
    const char *names[COUNT];
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (suits(schedules[i]))
            names[count++] = schedules[i]->name;
    hd_join(names, count, ", ", " or ", text, size);
}

uint32_t hd_side_lane(const hd_plan *plan) {
    (void)plan;
    return 1;
}

uint32_t hd_side_warp(const hd_plan *plan) { return plan->warp; }

hd_schedule_layout hd_layout_rows(const hd_plan *plan) {
    (void)plan;
    return (hd_schedule_layout){.chunk = 0};
}
