/* cpu_copies.c - see cpu_copies.h. Only the vertex itself has in-edges: its value is what the program's reduction makes
 * of all copies. schedule/copies.cl has the same for devices, and says what the mean is. */
#include "engine/cpu/cpu_copies.h"

#include <string.h>

static char *value_at(const hd_engine *e, void *values, uint64_t v) {
    return (char *)values + v * e->program->value_size;
}

#define MEAN(type, unreached)                                                                     \
    do {                                                                                          \
        type old, now, mean;                                                                      \
        memcpy(&old, copy, sizeof old);                                                           \
        memcpy(&now, owner, sizeof now);                                                          \
        mean = old > now ? old - (old - now) / (type)members : old + (now - old) / (type)members; \
        mean = !(old < (unreached)) || !(mean < old || mean > old) ? now : mean;                  \
        memcpy(copy, &mean, sizeof mean);                                                         \
        memcpy(owner, &mean, sizeof mean);                                                        \
    } while (0)

/* Copies of one vertex follow each other and have one value: the first merges it with the vertex', others follow. */
static void merge(hd_engine *e, uint64_t i) {
    const hd_copy *list = e->setup->copies->list;
    char *copy = value_at(e, e->run.values, list[i].copy), *owner = value_at(e, e->run.values, list[i].owner);
    uint32_t members = list[i].members;
    bool first = i == 0 || list[i - 1].owner != list[i].owner;
    if (!e->setup->mean || !first || !(e->program->traits & MONOTONE)) {
        memcpy(copy, owner, e->program->value_size);
        return;
    }
    switch ((heddle_value_type)e->program->output_type) {
    case HEDDLE_VALUE_U32: MEAN(uint32_t, UINT32_MAX); break;
    case HEDDLE_VALUE_U64: MEAN(uint64_t, UINT64_MAX); break;
    case HEDDLE_VALUE_F32: MEAN(float, INFINITY); break;
    case HEDDLE_VALUE_F64: MEAN(double, INFINITY); break;
    default: memcpy(copy, owner, e->program->value_size);
    }
}

static bool differs(const hd_engine *e, const hd_copy *c) {
    return memcmp(value_at(e, e->run.values, c->copy), value_at(e, e->run.values, c->owner), e->program->value_size) !=
           0;
}

bool hd_copies_merge_frontier(hd_engine *e, bool due) {
    const hd_copies *copies = e->setup->copies;
    bool stale = false;
    for (uint64_t i = 0; copies && i < copies->count; i++) {
        const hd_copy *c = &copies->list[i];
        if (!differs(e, c))
            continue;
        stale = stale || (!due && e->setup->every);
        if (!due)
            continue;
        merge(e, i);
        if (!(e->marks[c->copy >> 6] >> (c->copy & 63) & 1))
            e->frontier[e->frontier_count++] = c->copy;
        e->marks[c->copy >> 6] |= UINT64_C(1) << (c->copy & 63);
    }
    return stale;
}

void hd_copies_merge_sums(hd_engine *e, bool due) {
    const hd_copies *copies = e->setup->copies;
    for (uint64_t i = 0; copies && i < copies->count; i++) {
        heddle_vertex v = copies->list[i].copy;
        if (due)
            merge(e, i);
        else
            memcpy(value_at(e, e->run.values, v), value_at(e, e->run.next, v), e->program->value_size);
    }
}

void hd_copies_merge_last(hd_engine *e) {
    for (uint64_t i = 0; e->setup->copies && i < e->setup->copies->count; i++)
        if (differs(e, &e->setup->copies->list[i]))
            merge(e, i);
}
