/* order_backwards.c - a toy: the last vertex first. */
#include "graph/order.h"

static heddle_status sort(hd_order_sort *s) {
    uint64_t n = s->graph->vertices;
    for (uint64_t i = 0; i < n; i++)
        s->sequence[i] = (heddle_vertex)(n - 1 - i);
    return HEDDLE_OK;
}

const hd_order hd_order_backwards = {.info = {"backwards", "the last vertex first"},
                                     .in_reports = "order-backwards",
                                     .number = HD_ORDERS,
                                     .sort = sort};
