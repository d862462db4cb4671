/* residency.c - see residency.h: the table. */
#include "residency/residency.h"

/* One line each, in the order in which an open choice tries them. */
#define RESIDENCIES(X) \
    X(device)          \
    X(mixed)           \
    X(host)            \
    X(stream)          \
    X(disk)

#define DECLARE(name) extern const hd_residency hd_residency_##name;
RESIDENCIES(DECLARE)

#define ENTER(name) &hd_residency_##name,
static const hd_residency *const residencies[] = {RESIDENCIES(ENTER)};

enum { COUNT = sizeof residencies / sizeof *residencies };

const hd_residency *hd_residency_at(size_t index) { return index < COUNT ? residencies[index] : NULL; }

const hd_residency *hd_residency_choose(const hd_residency_facts *facts, const hd_residency *after) {
    size_t i = 0;
    while (after && i < COUNT && residencies[i++] != after)
        ;
    for (; i < COUNT; i++)
        if (!residencies[i]->refuse(facts) && residencies[i]->fits(facts))
            return residencies[i];
    return NULL;
}

uint64_t hd_residency_none_on_host(const hd_residency_facts *facts) {
    (void)facts;
    return 0;
}

bool hd_residency_values_fit(const hd_residency_facts *facts) { return facts->least <= facts->room; }
