/* registry.c - the kinds of device, and finding one by name. A new kind is one file and one line here. */
#include "device/budget.h"
#include "device/device.h"
#include "device/drivers.h"

#include <stdio.h>
#include <string.h>

/* One line each, in the order that texts list them. */
#define DEVICE_KINDS(X) \
    X(cuda)             \
    X(opencl)

#define DECLARE(name) extern const hd_device_kind hd_device_##name;
DEVICE_KINDS(DECLARE)

#define ENTER(name) &hd_device_##name,
static const hd_device_kind *const kinds[] = {DEVICE_KINDS(ENTER) NULL};

const hd_device_kind *hd_device_kind_at(size_t index) {
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

const char *heddle_device_kind_at(size_t index) {
    const hd_device_kind *kind = hd_device_kind_at(index);
    return kind ? kind->name : NULL;
}

/* An index: decimal digits that fit 32 bits. */
static bool parse_index(const char *text, uint32_t *index) {
    uint64_t value = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9')
            return false;
        value = value * 10 + (uint64_t)(*p - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *index = (uint32_t)value;
    return *text != '\0';
}

/* Splits "cuda:1" into its kind and index. */
static const hd_device_kind *parse(const char *name, uint32_t *index) {
    size_t length = strcspn(name, ":");
    *index = 0;
    for (const hd_device_kind *const *kind = kinds; *kind; kind++) {
        if (strlen((*kind)->name) != length || memcmp((*kind)->name, name, length) != 0)
            continue;
        return !name[length] || parse_index(name + length + 1, index) ? *kind : NULL;
    }
    return NULL;
}

bool hd_device_is_cpu(const char *name) { return strcmp(name, "cpu") == 0; }

const hd_device_kind *hd_device_kind_of(const char *name) {
    uint32_t index;
    return name ? parse(name, &index) : NULL;
}

/* The next name of a list: "cuda:1"; "1" is another one of the same kind. False: it is none. */
static bool next_name(const char *text, size_t length, const char *kind, char name[24]) {
    uint32_t index;
    char word[24];
    if (!length || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    if (hd_device_is_cpu(word) || parse(word, &index)) {
        hd_device_full_name(word, name, sizeof word);
        return true;
    }
    return kind[0] && parse_index(word, &index) && snprintf(name, sizeof word, "%s:%u", kind, index) < (int)sizeof word;
}

bool hd_device_list_read(const char *text, hd_device_list *list) {
    char kind[24] = "";
    list->count = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (list->count == HD_DEVICES_MOST || !next_name(at, length, kind, list->name[list->count]))
            return false;
        snprintf(kind, sizeof kind, "%s", list->name[list->count++]);
        kind[strcspn(kind, ":")] = '\0';
        if (!hd_device_kind_of(kind))
            kind[0] = '\0'; /* the CPU: there is one */
        at += length;
        if (!*at)
            return true;
    }
}

heddle_status hd_device_unknown(heddle_context *ctx, const char *name) {
    char expected[160] = "auto, cpu";
    for (const hd_device_kind *const *kind = kinds; *kind; kind++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s%s[:INDEX]", kind[1] ? ", " : " or ", (*kind)->name);
    }
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "device '%.60s': expected %s; or several, as in cuda:0,1 or opencl:0,cpu",
                   name, expected);
}

heddle_status hd_device_count(heddle_context *ctx, const hd_device_kind *kind, uint32_t *count) {
    char missing[192] = "";
    *count = hd_drivers_discover(kind, missing, sizeof missing);
    return *count ? HEDDLE_OK : hd_fail(ctx, HEDDLE_E_DEVICE, "no %s device: %s", kind->name, missing);
}

static heddle_status find(heddle_context *ctx, const char *name, const hd_device_kind **kind, uint32_t *index) {
    uint32_t count;
    *kind = parse(name, index);
    if (!*kind)
        return hd_device_unknown(ctx, name);
    HD_TRY(hd_device_count(ctx, *kind, &count));
    if (*index >= count)
        return hd_fail(ctx, HEDDLE_E_DEVICE, "no device %s:%u: there %s %u", (*kind)->name, *index,
                       count == 1 ? "is" : "are", count);
    return HEDDLE_OK;
}

void hd_device_full_name(const char *name, char *full, size_t size) {
    snprintf(full, size, "%.18s%s", name, strchr(name, ':') || !hd_device_kind_of(name) ? "" : ":0");
}

heddle_status hd_device_open(heddle_context *ctx, const char *name, hd_device **device) {
    const hd_device_kind *kind;
    uint32_t index;
    *device = NULL;
    HD_TRY(find(ctx, name, &kind, &index));
    HD_TRY(hd_drivers_open(ctx, kind, index, device));
    hd_budget_install(*device);
    return HEDDLE_OK;
}

heddle_status hd_device_look(heddle_context *ctx, const char *name, hd_device_info *info) {
    const hd_device_kind *kind;
    uint32_t index;
    HD_TRY(find(ctx, name, &kind, &index));
    return hd_drivers_describe(ctx, kind, index, info);
}

bool hd_device_reaches(const char *from, const char *to) {
    uint32_t one, other;
    const hd_device_kind *kind = hd_device_kind_of(from) ? parse(from, &one) : NULL;
    return kind && hd_device_kind_of(to) && parse(to, &other) == kind && kind->reaches && kind->reaches(one, other);
}
