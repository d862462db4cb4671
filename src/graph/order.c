/* order.c - see order.h: the table of orders, and the permutation of the renamed graph; order_rows.c builds its rows.
 * */
#include "graph/order.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order_parts.h"

#include <string.h>

const hd_order hd_order_none = {.info = {"none", "vertices as they are"}, .in_reports = "none"};

/* One line each, in the order that texts list them. */
#define ORDERS(X) \
    X(none)       \
    X(degree)     \
    X(bfs)        \
    X(out)

#define DECLARE(name) extern const hd_order hd_order_##name;
ORDERS(DECLARE)

#define ENTER(name) &hd_order_##name,
static const hd_order *const orders[] = {ORDERS(ENTER)};

enum { COUNT = sizeof orders / sizeof *orders };

const hd_order *hd_order_at(size_t index) { return index < COUNT ? orders[index] : NULL; }

const hd_order *hd_order_named(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(orders[i]->info.name) == length && memcmp(orders[i]->info.name, name, length) == 0)
            return orders[i];
    return NULL;
}

const hd_order *hd_order_numbered(uint32_t number) {
    for (size_t i = 0; i < COUNT; i++)
        if (orders[i]->number == number)
            return orders[i];
    return NULL;
}

const heddle_order_info *heddle_order_at(size_t index) { return index < COUNT - 1 ? &orders[index + 1]->info : NULL; }

int heddle_graph_has_order(const heddle_graph *graph, const char *order) {
    return graph && order && hd_order_kept(graph, hd_order_named(order, strlen(order))) != NULL;
}

static heddle_status sort(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                          heddle_vertex *sequence) {
    hd_order_sort s = {.ctx = ctx, .graph = graph, .sequence = sequence};
    HD_TRY(hd_graph_bare(ctx, graph, false, &s.out));
    HD_TRY(HD_NEW(ctx, &s.counts, graph->vertices + 1, "degrees"));
    heddle_status status = order->sort(&s);
    HD_DELETE(&ctx->allocator, s.counts, graph->vertices + 1);
    return status;
}

heddle_status hd_order_hollow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **renamed) {
    heddle_status status;
    HD_TRY(hd_graph_new(ctx, renamed));
    heddle_graph *g = *renamed;
    g->vertices = graph->vertices;
    g->edges = graph->edges;
    g->directed = graph->directed;
    g->weight_type = graph->weight_type;
    g->origin = graph->serial;
    g->original = graph;
    g->out.owned = g->hollow = true;
    HD_CHECK(HD_NEW(ctx, &g->places, graph->vertices, "the order of vertices"));
    HD_CHECK(HD_NEW(ctx, &g->names, graph->vertices, "the order of vertices"));
    return HEDDLE_OK;
out:
    heddle_graph_destroy(renamed);
    return status;
}

heddle_status hd_order_names(heddle_context *ctx, const hd_order *order, heddle_graph *renamed) {
    uint64_t n = renamed->vertices;
    HD_TRY(sort(ctx, renamed->original, order, renamed->names));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < n; i++)
        renamed->places[renamed->names[i]] = (heddle_vertex)i;
    return HEDDLE_OK;
}

heddle_status hd_order_graph(heddle_context *ctx, const heddle_graph *graph, const hd_order *order,
                             heddle_graph **renamed) {
    heddle_status status;
    *renamed = NULL;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS));
    HD_TRY(hd_order_hollow(ctx, graph, renamed));
    HD_CHECK(hd_order_names(ctx, order, *renamed));
    HD_CHECK(hd_order_rows(ctx, *renamed));
    return HEDDLE_OK;
out:
    heddle_graph_destroy(renamed);
    return status;
}
