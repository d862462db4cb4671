/* page_heat.c - see page_heat.h.
 *
 * The heat of a page is the mean degree of its edges' rows: vertices of many edges are neighbours of many, so runs come
 * back to their rows most often. If the vertices are sorted by degree, the hottest pages are the first ones.
 */
#include "residency/page_heat.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct page {
    double heat;
    uint64_t number;
} page;

static double heat_of(const hd_paged_edges *e, uint64_t number) {
    uint64_t from = number * e->entries, all = e->offsets[e->vertices];
    uint64_t to = all - from < e->entries ? all : from + e->entries;
    double sum = 0;
    for (uint64_t v = hd_row_of(e->offsets, e->vertices, from); v < e->vertices && e->offsets[v] < to; v++) {
        uint64_t begin = e->offsets[v] > from ? e->offsets[v] : from;
        uint64_t end = e->offsets[v + 1] < to ? e->offsets[v + 1] : to;
        if (end > begin)
            sum += (double)(end - begin) * (double)(e->offsets[v + 1] - e->offsets[v]);
    }
    return sum / (double)(to - from);
}

static int hotter(const void *left, const void *right) {
    const page *a = left, *b = right;
    if (a->heat != b->heat)
        return a->heat > b->heat ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

heddle_status hd_page_heat_choose(heddle_context *ctx, const hd_paged_edges *edges, uint64_t count,
                                  unsigned char *hot) {
    page *list;
    memset(hot, count >= edges->pages, edges->pages);
    if (count == 0 || count >= edges->pages)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(ctx, &list, edges->pages, "pages"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 16))
    for (uint64_t i = 0; i < edges->pages; i++)
        list[i] = (page){heat_of(edges, i), i};
    qsort(list, edges->pages, sizeof *list, hotter);
    for (uint64_t i = 0; i < count; i++)
        hot[list[i].number] = 1;
    HD_DELETE(&ctx->allocator, list, edges->pages);
    return HEDDLE_OK;
}
