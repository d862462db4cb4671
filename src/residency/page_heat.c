/* page_heat.c - see page_heat.h.
 *
 * The hottest pages are those of the shortest rows. A round reads about as many bytes of one page as of another, but a
 * bus delivers a long row at its full rate and short ones, scattered, at a sixth of it. If the vertices are sorted by
 * degree, the hottest pages are the last ones: sssp of R-MAT 25 at a quarter of its memory took 112 ms, 133 with the
 * first ones on the device. In an order without meaning all pages are alike.
 */
#include "residency/page_heat.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct page {
    double length; /* of a row, on the average of its edges */
    uint64_t number;
} page;

static double length_of(const hd_paged_edges *e, uint64_t number) {
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
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->number > b->number ? -1 : 1; /* neighbours in degree order */
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
        list[i] = (page){length_of(edges, i), i};
    qsort(list, edges->pages, sizeof *list, hotter);
    for (uint64_t i = 0; i < count; i++)
        hot[list[i].number] = 1;
    HD_DELETE(&ctx->allocator, list, edges->pages);
    return HEDDLE_OK;
}
