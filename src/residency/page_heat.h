/* page_heat.h - which pages of an array of edges are worth the device's memory. */
#ifndef HD_RESIDENCY_PAGE_HEAT_H
#define HD_RESIDENCY_PAGE_HEAT_H

#include "base/context.h"

/* An array that has an entry for each edge, row after row, cut into pages. */
typedef struct hd_paged_edges {
    const uint64_t *offsets; /* of the rows */
    uint64_t vertices;
    uint64_t entries; /* edges in a page */
    uint64_t pages;
} hd_paged_edges;

/* Chooses the `count` hottest pages. `hot` has a byte for each page: 1 or 0. Time: linear in vertices and pages. */
heddle_status hd_page_heat_choose(heddle_context *ctx, const hd_paged_edges *edges, uint64_t count, unsigned char *hot);

#endif
