/* label_sums.h - whole numbers added up by label: the hash table of one thread. A slot's place is the label itself
 * where the table has room for all labels. */
#ifndef HD_ALGORITHM_SHARED_LABEL_SUMS_H
#define HD_ALGORITHM_SHARED_LABEL_SUMS_H

#include <stdint.h>

typedef struct hd_label_slot {
    uint32_t key;   /* label + 1; 0: the slot is free */
    uint32_t times; /* how often the label was added; only hd_label_sums_count raises it */
    uint64_t sum;
} hd_label_slot;

typedef struct hd_label_sums {
    hd_label_slot *slots;
    uint32_t *used; /* the taken slots */
    uint32_t count; /* of taken slots */
    uint32_t factor, shift, mask;
} hd_label_sums;

/* Slots that a table for so many different labels needs: less than half of them are taken. */
static inline uint64_t hd_label_slots(uint64_t labels) {
    uint64_t slots = 16;
    while (slots < 2 * labels)
        slots *= 2;
    return slots;
}

/* Before the first label: at most `most` different ones follow, below `all`. The table is empty. */
static inline void hd_label_sums_begin(hd_label_sums *t, uint64_t most, uint64_t all) {
    uint64_t few = most < all ? most : all;
    int bits = few <= 8 ? 4 : 65 - __builtin_clzll(few - 1);
    int direct = (UINT64_C(1) << bits) >= all;
    t->mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    t->factor = direct ? 1 : 0x9e3779b1u;
    t->shift = direct ? 0 : (uint32_t)(32 - bits);
}

static inline hd_label_slot *hd_label_slot_of(hd_label_sums *t, uint32_t label) {
    uint32_t at = (label * t->factor) >> t->shift & t->mask;
    while (t->slots[at].key != label + 1) {
        if (!t->slots[at].key) {
            t->slots[at] = (hd_label_slot){.key = label + 1};
            t->used[t->count++] = at;
            break;
        }
        at = (at + 1) & t->mask;
    }
    return &t->slots[at];
}

static inline void hd_label_sums_add(hd_label_sums *t, uint32_t label, uint64_t number) {
    hd_label_slot_of(t, label)->sum += number;
}

/* Both may wrap around below 0. */
static inline void hd_label_sums_count(hd_label_sums *t, uint32_t label, uint64_t number, uint32_t times) {
    hd_label_slot *slot = hd_label_slot_of(t, label);
    slot->sum += number;
    slot->times += times;
}

/* The i-th label's slot. */
static inline hd_label_slot *hd_label_sums_at(const hd_label_sums *t, uint32_t i) { return &t->slots[t->used[i]]; }

static inline void hd_label_sums_clear(hd_label_sums *t) {
    for (uint32_t i = 0; i < t->count; i++)
        t->slots[t->used[i]].key = 0;
    t->count = 0;
}

#endif
