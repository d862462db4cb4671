/* walk.c - see walk.h. */
#include "engine/walk.h"

#include <stdio.h>
#include <string.h>

enum {
    EDGE_CHUNK = 256, /* edges of an entry, balanced over edges */
    WIDTH = 32,
    SPLIT = 10 /* vnode: K */
};

/* Keys that a vertex program has and an algorithm of its own does not. */
static heddle_status check_keys(heddle_context *ctx, const char *algorithm, const char *text) {
    static const struct {
        const char *key, *why;
    } keys[] = {{"direction=", "its passes go the way that they must"},
                {"worklist=", "it makes its own lists of vertices"},
                {"sync=", "its passes are ordered"},
                {"mapping=dynamic", "vertices are cut when they are put in a list"},
                {"window=", "only schedule=shard has windows, which is for vertex programs"},
                {"shards=", "shards are for vertex programs"},
                {"range=", "shards are for vertex programs"},
                {"doubles=no", "only vertex programs can do without double precision"},
                {"debug=yes", "only vertex programs can be compiled for a debugger"}};
    for (size_t i = 0; text && i < sizeof keys / sizeof *keys; i++)
        if (strstr(text, keys[i].key))
            return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: %.*s: %s", algorithm, (int)strcspn(keys[i].key, "="),
                           keys[i].key, keys[i].why);
    return HEDDLE_OK;
}

static heddle_status check_plan(heddle_context *ctx, const char *algorithm, const hd_device_info *device,
                                const hd_plan *plan) {
    if (plan->schedule < HD_SCHEDULE_THREAD || plan->schedule > HD_SCHEDULE_EDGE)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: this schedule is for vertex programs only: expected thread, vwarp, wseg, vnode or edge",
                       algorithm);
    if (plan->transform)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: transform: what is computed on split vertices is told by vertex programs only", algorithm);
    if (plan->warp && plan->warp != device->warp)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: warp=%lu: its kernels have warps of %lu lanes", algorithm,
                       (unsigned long)plan->warp, (unsigned long)device->warp);
    if (plan->schedule != HD_SCHEDULE_VWARP && plan->width)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: width: only schedule=vwarp has virtual warps", algorithm);
    if (plan->schedule != HD_SCHEDULE_VNODE && (plan->K || plan->coalesced == HD_YES))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: K, coalesced: only schedule=vnode splits vertices", algorithm);
    return HEDDLE_OK;
}

static void define(hd_walk *walk) {
    const hd_plan *plan = &walk->plan;
    snprintf(walk->defines, sizeof walk->defines,
             "#define HD_WALK %d\n#define HD_WIDTH %uu\n#define HD_CHUNK %uu\n#define HD_COALESCED %d\n",
             (int)(plan->schedule - HD_SCHEDULE_THREAD) + 1, plan->width ? plan->width : 1,
             walk->chunk ? walk->chunk : 1, plan->coalesced == HD_YES);
}

heddle_status hd_walk_of(heddle_context *ctx, const char *algorithm, const char *text, const hd_device_info *device,
                         hd_walk *walk) {
    hd_plan *plan = &walk->plan;
    HD_TRY(hd_plan_parse(ctx, text, plan));
    HD_TRY(check_keys(ctx, algorithm, text));
    if (!plan->schedule)
        plan->schedule = HD_SCHEDULE_EDGE;
    HD_TRY(check_plan(ctx, algorithm, device, plan));
    if (plan->schedule == HD_SCHEDULE_VWARP && !plan->width)
        plan->width = WIDTH;
    if (plan->width > device->warp)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: width: a virtual warp cannot be wider than the warp", algorithm);
    if (plan->schedule == HD_SCHEDULE_VNODE && !plan->K)
        plan->K = SPLIT;
    walk->wide = plan->wide_offsets == HD_YES;
    walk->chunk = plan->schedule == HD_SCHEDULE_EDGE ? EDGE_CHUNK : plan->K;
    define(walk);
    return HEDDLE_OK;
}

void hd_walk_cut(hd_walk *walk, uint32_t chunk) {
    if (walk->plan.schedule == HD_SCHEDULE_EDGE) {
        walk->chunk = chunk;
        define(walk);
    }
}

static bool is_key(const char *word, const char *key) { return strncmp(word, key, strlen(key)) == 0; }

void hd_walk_rest(const char *text, const hd_plan *plan, char *rest, size_t size) {
    static const char *const names[] = {"auto",           "schedule=thread", "schedule=vwarp", "schedule=wseg",
                                        "schedule=vnode", "schedule=edge",   "schedule=shard"};
    size_t used = (size_t)snprintf(rest, size, "%s", names[plan->schedule]);
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, ",");
        if (memchr(at, '=', length) && !is_key(at, "transform=") && !is_key(at, "K=") && !is_key(at, "direction=") &&
            !is_key(at, "schedule=") && used + length + 2 < size)
            used += (size_t)snprintf(rest + used, size - used, ",%.*s", (int)length, at);
        at += length + (at[length] == ',');
    }
}

uint64_t hd_walk_room(const hd_walk *walk, uint64_t vertices, uint64_t edges) {
    return vertices + (walk->chunk ? edges / walk->chunk : 0);
}
