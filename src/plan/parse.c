/* parse.c - reading a plan: the tables of presets and of keys. */
#include "base/word_list.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct preset {
    hd_plan plan;
    const char *about;
} preset;

#define VIRTUAL_WARPS(name_, width_)                                                            \
    {                                                                                           \
        {.name = name_, .schedule = &hd_schedule_vwarp, .width = width_, .direction = HD_PULL}, \
            "virtual warps: as many lanes walk a vertex's edges together"                       \
    }

/* One entry each, in the order that texts list them. */
static const preset presets[] = {
    {{.name = "auto"},
     "the default: an algorithm's own kernels where it has some, else a schedule by the graph's degrees"},
    {{.name = "baseline", .schedule = &hd_schedule_thread, .direction = HD_PULL},
     "one lane walks all edges of a vertex"},
    VIRTUAL_WARPS("vwc-2", 2),
    VIRTUAL_WARPS("vwc-4", 4),
    VIRTUAL_WARPS("vwc-8", 8),
    VIRTUAL_WARPS("vwc-16", 16),
    VIRTUAL_WARPS("vwc-32", 32),
    {{.name = "ws", .schedule = &hd_schedule_wseg, .direction = HD_PULL},
     "Warp Segmentation: a warp walks its vertices' edges side by side"},
    {{.name = "ws-vr", .schedule = &hd_schedule_wseg, .direction = HD_PULL, .exchange = &hd_exchange_vr},
     "the same on several devices, which send each other what has changed and is read there (Vertex Refinement)"},
    {{.name = "tigr-base", .schedule = &hd_schedule_thread, .direction = HD_PUSH},
     "Tigr's own baseline: one lane pushes along all edges of a vertex, from a worklist where there can be one"},
    {{.name = "tigr-v", .schedule = &hd_schedule_vnode, .coalesced = HD_NO, .dynamic = HD_NO, .direction = HD_PUSH},
     "virtual nodes of at most K = 10 edges, one lane each"},
    {{.name = "tigr-v+", .schedule = &hd_schedule_vnode, .coalesced = HD_YES, .dynamic = HD_NO, .direction = HD_PUSH},
     "the same, with the edges of a vertex taken in turn, so that lanes read side by side"},
    {{.name = "tigr-udt", .transform = &hd_transform_udt, .schedule = &hd_schedule_thread},
     "vertices of many edges split into trees first (heddle help transform)"},
    {{.name = "cusha-gs", .schedule = &hd_schedule_shard, .listed = HD_NO, .direction = HD_PULL},
     "shards: edges grouped by target, with copies of their sources' values"},
    {{.name = "cusha-cw", .schedule = &hd_schedule_shard, .listed = HD_YES, .direction = HD_PULL},
     "the same, with values copied by lists"},
    {{.name = "udt-cusha",
      .transform = &hd_transform_udt,
      .schedule = &hd_schedule_shard,
      .listed = HD_YES,
      .direction = HD_PULL},
     "vertices of many edges split into trees, then shards"},
    {{.name = "graphie",
      .order = &hd_order_out,
      .schedule = &hd_schedule_coo,
      .direction = HD_PUSH,
      .worklist = HD_NO,
      .residency = &hd_residency_stream,
      .stream_active = HD_YES,
      .stream_reuse = HD_YES,
      .stream_shared = HD_YES,
      .stream_packed = HD_NO,
      .stream_gather = HD_NO,
      .stream_place = HD_NO,
      .stream_again = HD_NO,
      .stream_queues = 32},
     "edges pass through the device in partitions, one lane each; only active partitions are sent"},
    {{.name = "graffix-coalesce", .graffix = &hd_graffix_coalesce},
     "approximate: vertices renumbered for neighbouring lanes, well-connected ones copied beside their neighbours"},
    {{.name = "graffix-latency", .graffix = &hd_graffix_latency},
     "approximate: neighbourhoods that know each other get edges, and are iterated in shared memory"},
    {{.name = "graffix-divergence", .graffix = &hd_graffix_divergence},
     "approximate: vertices that a warp walks together get edges until their degrees are similar"},
};

enum { PRESETS = sizeof presets / sizeof *presets, WORDS_MOST = 64, WARP = 32 };

const char *heddle_plan_at(size_t index) { return index < PRESETS ? presets[index].plan.name : NULL; }

const char *heddle_plan_about(size_t index) { return index < PRESETS ? presets[index].about : NULL; }

/* ---- Keys ------------------------------------------------------------------------------------------------------- */

static const char *schedule_name(size_t i) { return hd_schedule_at(i) ? hd_schedule_at(i)->name : NULL; }
static const void *schedule_there(size_t i) { return hd_schedule_at(i); }
static const char *order_name(size_t i) { return hd_order_at(i) ? hd_order_at(i)->info.name : NULL; }
static const void *order_there(size_t i) { return hd_order_at(i); }
static const char *transform_name(size_t i) {
    return !i ? "none" : hd_transform_at(i - 1) ? hd_transform_at(i - 1)->info.name : NULL;
}
static const void *transform_there(size_t i) { return i ? hd_transform_at(i - 1) : NULL; }
static const char *exchange_name(size_t i) { return hd_exchange_at(i) ? hd_exchange_at(i)->name : NULL; }
static const void *exchange_there(size_t i) { return hd_exchange_at(i); }
static const char *graffix_name(size_t i) {
    return !i ? "none" : hd_graffix_at(i - 1) ? hd_graffix_at(i - 1)->name : NULL;
}
static const void *graffix_there(size_t i) { return i ? hd_graffix_at(i - 1) : NULL; }
static const char *residency_name(size_t i) { return hd_residency_at(i) ? hd_residency_at(i)->name : NULL; }
static const void *residency_there(size_t i) { return hd_residency_at(i); }

/* A number; a share, from 0 to 1, or several of them; a word of a list, kept as its place from 1 on; or the name of
 * something in a table, kept as a pointer. */
typedef struct plan_key {
    heddle_plan_key_info info;
    size_t member;
    uint32_t given;       /* its bit in a plan */
    uint32_t least, most; /* a number; most 0: a word or a name */
    bool power;           /* of a number: it is a power of two */
    bool share, shares;   /* a real number from 0 to 1; one or more of them */
    const char *words[3];
    const char *(*name)(size_t index);
    const void *(*there)(size_t index);
} plan_key;

#define NUMBER(key, member_, given_, least_, most_, power_, about)                                                 \
    {                                                                                                              \
        .info = {key, about}, .member = offsetof(hd_plan, member_), .given = HD_GIVEN_##given_, .least = (least_), \
        .most = (most_), .power = (power_)                                                                         \
    }
#define SHARE(key, member_, given_, about) \
    { .info = {key, about}, .member = offsetof(hd_plan, member_), .given = HD_GIVEN_##given_, .share = true }
#define SHARES(key, member_, given_, about) \
    { .info = {key, about}, .member = offsetof(hd_plan, member_), .given = HD_GIVEN_##given_, .shares = true }
#define WORDS(key, member_, given_, first, second, about)                                                  \
    {                                                                                                      \
        .info = {key, about}, .member = offsetof(hd_plan, member_), .given = HD_GIVEN_##given_, .words = { \
            first,                                                                                         \
            second                                                                                         \
        }                                                                                                  \
    }
#define TABLE(key, member_, given_, about)                                                      \
    {                                                                                           \
        .info = {key, about}, .member = offsetof(hd_plan, member_), .given = HD_GIVEN_##given_, \
        .name = member_##_name, .there = member_##_there                                        \
    }

static const plan_key keys[] = {
    TABLE("transform", transform, TRANSFORM, "split vertices of more than K edges first"),
    NUMBER("K", K, K, 1, 1 << 30, false, "vnode, transforms: the most edges of a node, or of a vertex"),
    TABLE("order", order, ORDER, "rename vertices first"),
    TABLE("schedule", schedule, SCHEDULE, "which lane walks which edge"),
    NUMBER("width", width, WIDTH, 2, 32, true, "vwarp: 2, 4, 8, 16 or 32 lanes for a vertex"),
    WORDS("coalesced", coalesced, COALESCED, "no", "yes", "vnode: whether lanes take a vertex's edges in turn"),
    WORDS("mapping", dynamic, MAPPING, "array", "dynamic",
          "vnode: whether nodes lie in an array or are found on the fly"),
    WORDS("window", listed, WINDOW, "gs", "cw", "shard: values copied in windows, or by lists"),
    NUMBER("range", range, RANGE, 1, 1 << 24, false, "shard: vertices in a range"),
    WORDS("shards", host, SHARDS, "device", "host", "shard: where they lie"),
    WORDS("direction", direction, DIRECTION, "pull", "push", "along in-edges, or along out-edges"),
    WORDS("worklist", worklist, WORKLIST, "no", "yes", "only vertices that changed send"),
    WORDS("sync", strict, SYNC, "relaxed", "strict", "whether a round sees its own values"),
    NUMBER("warp", warp, WARP, 8, 64, true, "OpenCL: 8 to 64 lanes of a warp"),
    WORDS("offsets", wide_offsets, OFFSETS, "32", "64", "bits of an offset"),
    WORDS("doubles", doubles, DOUBLES, "no", "yes", "kernels with double precision, or as devices without it get them"),
    WORDS("debug", debug, DEBUG, "no", "yes", "kernels for a debugger"),
    TABLE("residency", residency, RESIDENCY, "where edges lie while they are walked"),
    TABLE("exchange", exchange, EXCHANGE, "several devices: what they send each other after a round"),
    WORDS("peer", peer, EXCHANGE, "no", "yes", "several devices: vr passes from device to device, or through the host"),
    WORDS("slices", slices, SLICES, "edges", "cost",
          "several devices, ranks: about equal edges, or equal measured cost"),
    TABLE("graffix", graffix, GRAFFIX, "approximate: change the graph first"),
    SHARES(
        "graffix.threshold", threshold, THRESHOLD,
        "graffix: the knob, 0 to 1: a larger one (coalesce, latency: a smaller one) adds more edges; 0.6+0.3 for two"),
    SHARE("graffix.fill", fill, FILL, "divergence: the share of a warp's largest degree that others get, 0 to 1"),
    SHARE("graffix.budget", budget, BUDGET, "latency: new edges at most, as a share of the graph's, 0 to 1"),
    WORDS("graffix.prepare", prepare, PREPARE, "host", "device",
          "latency: where neighbourhoods are counted; by default where it is faster"),
    NUMBER("chunk", chunk, COPIES, 1, 64, false, "coalesce: vertices that lie together, 1 to the warp's width"),
    NUMBER("spare", spare, COPIES, 0, 63, false, "coalesce: places of a chunk left free for copies"),
    WORDS("confluence", mean, COPIES, "reduce", "mean",
          "coalesce: how the values of a vertex and its copies are merged"),
    NUMBER("confluence.every", every, EVERY, 0, 1 << 30, false,
           "coalesce: after how many rounds they are merged; 0: at the end"),
    WORDS("stream.active", stream_active, STREAM, "no", "yes", "stream: only partitions with active vertices are sent"),
    WORDS("stream.reuse", stream_reuse, STREAM, "no", "yes", "stream: partitions on the device are not sent again"),
    WORDS("stream.shared", stream_shared, STREAM, "no", "yes", "stream: sources and flags in shared memory"),
    WORDS("stream.packed", stream_packed, STREAM, "no", "yes", "stream: partitions are sent in fewer bits"),
    WORDS("stream.gather", stream_gather, STREAM, "no", "yes", "stream: few active rows are sent without the others"),
    WORDS("stream.place", stream_place, STREAM, "no", "yes", "stream: few active rows are read in host memory"),
    WORDS("stream.again", stream_again, STREAM, "no", "yes",
          "stream: partitions are walked again before they are dropped"),
    NUMBER("stream.queues", stream_queues, STREAM, 1, 64, false, "stream: queues of copies and kernels, 1 to 64"),
    NUMBER("stream.partitions", stream_partitions, STREAM, 1, 1 << 20, false, "stream: how many partitions, about"),
};

enum { KEYS = sizeof keys / sizeof *keys };

_Static_assert(sizeof(hd_choice) == sizeof(int) && sizeof(hd_direction) == sizeof(int),
               "enumerations of a plan are written as int");

static const char *value_at(const plan_key *key, size_t index) {
    return key->most || key->share || key->shares ? NULL
           : key->name                            ? key->name(index)
           : index < 2                            ? key->words[index]
                                                  : NULL;
}

const heddle_plan_key_info *heddle_plan_key_at(size_t index) { return index < KEYS ? &keys[index].info : NULL; }

const char *heddle_plan_value_at(size_t key, size_t index) { return key < KEYS ? value_at(&keys[key], index) : NULL; }

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* The key's value in the plan, as text; false if it is open. */
static bool value_text(const plan_key *key, const hd_plan *plan, char *text, size_t size) {
    const void *member = (const char *)plan + key->member;
    if (key->share || key->shares) {
        const hd_shares *list = member;
        size_t used = 0;
        if (!(plan->given & key->given))
            return false;
        for (size_t i = 0; i < (key->share ? 1 : list->count) && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%.6g", i ? "+" : "",
                                     key->share ? *(const double *)member : list->at[i]);
        return true;
    }
    if (key->most) {
        uint32_t number = *(const uint32_t *)member;
        snprintf(text, size, "%lu", (unsigned long)number);
        return number || (plan->given & key->given);
    }
    const void *there = key->there ? *(const void *const *)member : NULL;
    int choice = key->there ? 0 : *(const int *)member;
    for (size_t i = 0; value_at(key, i); i++)
        if (key->there ? there && key->there(i) == there : (int)i + 1 == choice) {
            snprintf(text, size, "%s", value_at(key, i));
            return true;
        }
    return false;
}

void hd_plan_text(const hd_plan *plan, const hd_plan *fitted, char *text, size_t size) {
    char value[80];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < KEYS; i++) {
        if (!value_text(&keys[i], plan, value, sizeof value) && !value_text(&keys[i], fitted, value, sizeof value))
            continue;
        size_t length = strlen(keys[i].info.name) + strlen(value) + 2;
        if (used + length >= size)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", keys[i].info.name, value);
    }
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct word {
    const char *text;
    int length;
} word;

static bool same(word w, const char *text) {
    return strlen(text) == (size_t)w.length && memcmp(w.text, text, (size_t)w.length) == 0;
}

static heddle_status choose(heddle_context *ctx, const plan_key *key, word value, void *member) {
    const char *names[WORDS_MOST], *name;
    char expected[256];
    size_t count = 0;
    for (; count < WORDS_MOST && (name = value_at(key, count)); names[count++] = name)
        if (same(value, name)) {
            int choice = (int)count + 1;
            const void *there = key->there ? key->there(count) : NULL;
            memcpy(member, key->there ? (const void *)&there : &choice, key->there ? sizeof there : sizeof choice);
            return HEDDLE_OK;
        }
    hd_join(names, count, ", ", ", ", expected, sizeof expected);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: %s=%.*s: expected %s", key->info.name, value.length, value.text,
                   expected);
}

/* Keys of graffix without their technique, and chunks that no warp can use. */
static heddle_status check_graffix(heddle_context *ctx, const hd_plan *plan) {
    bool copies = plan->graffix && plan->graffix->copies;
    uint32_t parts = 0;
    uint32_t chunk = plan->chunk ? plan->chunk : HD_GRAFFIX_DEFAULT_CHUNK, warp = plan->warp ? plan->warp : WARP;
    if (!plan->graffix && (plan->given & HD_GIVEN_THRESHOLD))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: graffix.threshold is for graffix");
    while (plan->graffix && hd_graffix_part(plan->graffix, parts))
        parts++;
    if ((plan->given & HD_GIVEN_THRESHOLD) && plan->threshold.count != parts)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: graffix.threshold: expected %s for graffix=%s",
                       parts == 1   ? "one number"
                       : parts == 2 ? "two numbers, 0.6+0.3"
                                    : "three numbers, 0.8+0.6+0.3",
                       plan->graffix->name);
    if ((plan->given & HD_GIVEN_FILL) && !hd_graffix_has(plan->graffix, &hd_graffix_divergence))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: graffix.fill is for graffix=divergence");
    if ((plan->given & HD_GIVEN_BUDGET) && !hd_graffix_has(plan->graffix, &hd_graffix_latency))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: graffix.budget is for graffix=latency");
    if ((plan->given & HD_GIVEN_PREPARE) && !hd_graffix_has(plan->graffix, &hd_graffix_latency))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: graffix.prepare is for graffix=latency");
    if (!copies && (plan->given & (HD_GIVEN_COPIES | HD_GIVEN_EVERY)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "plan: chunk, spare, confluence and confluence.every are for graffix=coalesce");
    if (copies && chunk > warp)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: chunk=%lu: expected a number from 1 to the warp's %lu lanes",
                       (unsigned long)chunk, (unsigned long)warp);
    if (copies && plan->spare >= chunk)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: spare=%lu: expected less than the %lu places of a chunk",
                       (unsigned long)plan->spare, (unsigned long)chunk);
    return HEDDLE_OK;
}

static heddle_status number(heddle_context *ctx, const plan_key *key, word value, uint32_t *result) {
    char *end;
    unsigned long long read = strtoull(value.text, &end, 10);
    if (end == value.text + value.length && value.length && value.text[0] >= '0' && value.text[0] <= '9' &&
        read >= key->least && read <= key->most && !(key->power && (read & (read - 1)))) {
        *result = (uint32_t)read;
        return HEDDLE_OK;
    }
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: %s=%.*s: expected %s from %lu to %lu", key->info.name, value.length,
                   value.text, key->power ? "a power of two" : "a number", (unsigned long)key->least,
                   (unsigned long)key->most);
}

/* Digits with a point or without; no other locale's, no exponents. */
static heddle_status share(heddle_context *ctx, const plan_key *key, word value, double *result) {
    double read = 0, unit = 1;
    int i = 0, digits = 0;
    for (; i < value.length && value.text[i] >= '0' && value.text[i] <= '9' && read <= 1; i++, digits++)
        read = read * 10 + (value.text[i] - '0');
    if (i < value.length && value.text[i] == '.')
        for (i++; i < value.length && value.text[i] >= '0' && value.text[i] <= '9'; i++, digits++)
            read += (value.text[i] - '0') * (unit /= 10);
    *result = read;
    if (digits && i == value.length && read <= 1)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: %s=%.*s: expected a number from 0 to 1", key->info.name, value.length,
                   value.text);
}

static heddle_status shares(heddle_context *ctx, const plan_key *key, word value, hd_shares *result) {
    enum { MOST = sizeof result->at / sizeof *result->at };
    for (result->count = 0;; value.text++, value.length--) {
        const char *end = memchr(value.text, '+', (size_t)value.length);
        int length = end && result->count + 1 < MOST ? (int)(end - value.text) : value.length;
        HD_TRY(share(ctx, key, (word){value.text, length}, &result->at[result->count++]));
        value.text += length;
        value.length -= length;
        if (!value.length)
            return HEDDLE_OK;
    }
}

static heddle_status set(heddle_context *ctx, hd_plan *plan, word key, word value) {
    const char *names[KEYS];
    char expected[800];
    for (size_t i = 0; i < KEYS; i++) {
        void *member = (char *)plan + keys[i].member;
        names[i] = keys[i].info.name;
        if (!same(key, names[i]))
            continue;
        plan->given |= keys[i].given;
        if (keys[i].share)
            return share(ctx, &keys[i], value, member);
        if (keys[i].shares)
            return shares(ctx, &keys[i], value, member);
        return keys[i].most ? number(ctx, &keys[i], value, member) : choose(ctx, &keys[i], value, member);
    }
    hd_join(names, KEYS, ", ", " or ", expected, sizeof expected);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: no key '%.*s': expected %s", key.length, key.text, expected);
}

static heddle_status use_preset(heddle_context *ctx, hd_plan *plan, word name) {
    const char *names[PRESETS];
    char expected[512];
    for (size_t i = 0; i < PRESETS; i++) {
        names[i] = presets[i].plan.name;
        if (same(name, names[i])) {
            *plan = presets[i].plan;
            /* Graffix leaves everything else open. */
            plan->given = !i ? 0 : presets[i].plan.graffix ? HD_GIVEN_GRAFFIX : HD_GIVEN_PRESET;
            return HEDDLE_OK;
        }
    }
    hd_join(names, PRESETS, ", ", ", ", expected, sizeof expected);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no plan '%.*s': expected %s, or KEY=VALUE,…", name.length, name.text,
                   expected);
}

static heddle_status read_text(heddle_context *ctx, const char *text, hd_plan *plan) {
    *plan = (hd_plan){.name = "custom"};
    for (const char *at = text;;) {
        int length = (int)strcspn(at, ","), name = (int)strcspn(at, "=,");
        if (name < length)
            HD_TRY(set(ctx, plan, (word){at, name}, (word){at + name + 1, length - name - 1}));
        else if (at == text)
            HD_TRY(use_preset(ctx, plan, (word){at, length}));
        else
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "plan: '%.*s': expected KEY=VALUE", length, at);
        if (!at[length])
            return HEDDLE_OK;
        at += length + 1;
    }
}

/* A schedule that only edges on their way through the device can have chooses the residency too. */
static void imply_residency(hd_plan *plan) {
    if (!plan->residency && plan->schedule && plan->schedule->sources)
        plan->residency = &hd_residency_stream;
}

heddle_status hd_plan_parse(heddle_context *ctx, const char *text, hd_plan *plan) {
    HD_TRY(read_text(ctx, text ? text : "auto", plan));
    imply_residency(plan);
    HD_TRY(check_graffix(ctx, plan));
    if (hd_plan_is_auto(plan) && !plan->graffix)
        snprintf(plan->name, sizeof plan->name, "auto");
    return HEDDLE_OK;
}

heddle_status hd_plan_of_variant(heddle_context *ctx, const hd_schedule_variant *variant, hd_plan *plan) {
    HD_TRY(read_text(ctx, variant->keys, plan));
    imply_residency(plan);
    return HEDDLE_OK;
}

static const uint32_t given_of_graffix = HD_GIVEN_GRAFFIX | HD_GIVEN_THRESHOLD | HD_GIVEN_FILL | HD_GIVEN_COPIES |
                                         HD_GIVEN_EVERY | HD_GIVEN_BUDGET | HD_GIVEN_PREPARE;

bool hd_plan_is_auto(const hd_plan *plan) {
    uint32_t neutral = HD_GIVEN_ORDER | HD_GIVEN_RESIDENCY | HD_GIVEN_EXCHANGE | given_of_graffix;
    return !(plan->given & ~neutral) && !hd_plan_spans(plan) && !plan->parts && !plan->merges;
}

bool hd_plan_copies(const hd_plan *plan) { return plan->graffix && plan->graffix->copies; }

bool hd_plan_steps(const hd_plan *plan) { return plan->graffix && (plan->graffix->copies || plan->graffix->clusters); }

hd_graffix_options hd_plan_graffix(const hd_plan *plan) {
    hd_graffix_options options = {.kind = plan->graffix,
                                  .fill = plan->given & HD_GIVEN_FILL ? plan->fill : HD_GRAFFIX_DEFAULT_FILL,
                                  .budget = plan->given & HD_GIVEN_BUDGET ? plan->budget : HD_GRAFFIX_DEFAULT_BUDGET,
                                  .warp = plan->warp ? plan->warp : WARP,
                                  .chunk = plan->chunk ? plan->chunk : HD_GRAFFIX_DEFAULT_CHUNK,
                                  .spare = plan->spare};
    for (size_t i = 0; hd_graffix_part(plan->graffix, i); i++)
        options.thresholds[i] =
            plan->given & HD_GIVEN_THRESHOLD ? plan->threshold.at[i] : hd_graffix_part(plan->graffix, i)->threshold;
    options.threshold = options.thresholds[0];
    return options;
}

hd_plan hd_plan_without_graffix(const hd_plan *plan) {
    hd_plan rest = *plan;
    rest.given &= ~given_of_graffix;
    rest.graffix = NULL;
    return rest;
}

bool hd_plan_spans(const hd_plan *plan) { return plan->residency && plan->residency->spans; }

bool hd_plan_shards(const hd_plan *plan) { return plan->schedule && plan->schedule->shards; }

hd_plan hd_plan_without_transform(const hd_plan *plan) {
    hd_plan rest = *plan;
    rest.given &= ~(uint32_t)(HD_GIVEN_TRANSFORM | HD_GIVEN_K | HD_GIVEN_DIRECTION);
    rest.transform = NULL;
    rest.K = 0;
    rest.direction = HD_DIRECTION_OPEN;
    return rest;
}
