/* check_components.c - cc and scc: sequential references, and certificates of a result.
 *
 * cc: the labels are compared with those of a sequential union-find, in which the smaller root always wins.
 * scc: a partition of the vertices is the right one if and only if
 *   1. every member of a part can be reached from one of its members, and can reach it, without leaving the part, and
 *   2. the parts form no cycle: parts that did would belong together.
 * The label of a part is its smallest member, which is also the member that 1. starts from.
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/check_in_edges.h"
#include "engine/vertex_name.h"

enum { STEP = 1 << 16 }; /* vertices between two checks of the cancel flag */

static bool stop(heddle_context *ctx, uint64_t step) { return step % STEP == 0 && hd_advance(ctx, STEP); }

static void add_figures(heddle_result *result, const uint32_t *label, uint32_t *size) {
    uint64_t components = 0, largest = 0;
    for (uint64_t v = 0; v < result->count; v++)
        size[v] = 0;
    for (uint64_t v = 0; v < result->count; v++) {
        components += label[v] == v;
        if (++size[label[v]] > largest)
            largest = size[label[v]];
    }
    hd_result_figure(result, "components", (double)components);
    hd_result_figure(result, "largest", (double)largest);
}

/* Checks that hold for both algorithms: type, count, and labels that are the smallest member of their part. */
static heddle_status check_shape(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    const uint32_t *label = result->values;
    if (result->type != HEDDLE_VALUE_U32 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 32-bit label for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        heddle_vertex vertex = (heddle_vertex)v;
        if (label[v] >= graph->vertices)
            return hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: its label is no vertex",
                           hd_vertex_name(ctx, graph, vertex).text);
        if (label[v] > v || label[label[v]] != label[v])
            return hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: its label %s is not the smallest member of its component",
                           hd_vertex_name(ctx, graph, vertex).text, hd_vertex_name(ctx, graph, label[v]).text);
    }
    return HEDDLE_OK;
}

/* ---- cc ------------------------------------------------------------------------------------------------------ */

/* Breadth-first from every vertex that has no label yet, in ascending order, along the arcs of both directions. */
heddle_status hd_reference_cc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    uint64_t n = graph->vertices, taken = 0, found = 0;
    heddle_adjacency sides[2];
    uint32_t *queue = NULL, *label;
    heddle_status status;
    (void)options;
    HD_TRY(heddle_graph_out(ctx, graph, &sides[0]));
    HD_TRY(heddle_graph_in(ctx, graph, &sides[1]));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, n));
    HD_TRY(HD_NEW(ctx, &queue, n, "queue"));
    hd_phase_begin(ctx, "compute", n);
    label = result->values;
    for (uint64_t v = 0; v < n; v++)
        label[v] = UINT32_MAX;
    for (uint64_t first = 0; first < n; first++) {
        if (label[first] != UINT32_MAX)
            continue;
        label[first] = (uint32_t)first;
        for (queue[found++] = (uint32_t)first; taken < found && !stop(ctx, taken); taken++)
            for (int side = 0; side < 2; side++)
                for (uint64_t e = sides[side].offsets[queue[taken]]; e < sides[side].offsets[queue[taken] + 1]; e++)
                    if (label[sides[side].targets[e]] == UINT32_MAX) {
                        label[sides[side].targets[e]] = (uint32_t)first;
                        queue[found++] = sides[side].targets[e];
                    }
        HD_CHECK(hd_cancelled_status(ctx));
    }
    add_figures(result, label, queue);
    status = hd_cancelled_status(ctx);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, queue, n);
    return status;
}

static uint32_t find(uint32_t *parent, uint32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static heddle_status join_all(heddle_context *ctx, const heddle_graph *graph, uint32_t *parent) {
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    for (uint64_t v = 0; v < graph->vertices; v++)
        parent[v] = (uint32_t)v;
    for (uint64_t v = 0; v < graph->vertices && !stop(ctx, v); v++)
        for (uint64_t e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            uint32_t a = find(parent, (uint32_t)v), b = find(parent, out.targets[e]);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
    return hd_cancelled_status(ctx);
}

heddle_status hd_verify_cc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *result) {
    const uint32_t *label = result->values;
    uint32_t *parent;
    heddle_status status;
    (void)options;
    HD_TRY(check_shape(ctx, graph, result));
    HD_TRY(HD_NEW(ctx, &parent, graph->vertices, "labels"));
    hd_phase_begin(ctx, "verify", graph->vertices);
    HD_CHECK(join_all(ctx, graph, parent));
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint32_t expected = find(parent, (uint32_t)v);
        if (label[v] != expected) {
            status = hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: label %s, expected %s",
                             hd_vertex_name(ctx, graph, (heddle_vertex)v).text,
                             hd_vertex_name(ctx, graph, label[v]).text, hd_vertex_name(ctx, graph, expected).text);
            goto out;
        }
    }
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, parent, graph->vertices);
    return status;
}

/* ---- scc: Tarjan --------------------------------------------------------------------------------------------- */

enum { UNSEEN = 0 };

typedef struct tarjan {
    heddle_context *ctx;
    heddle_adjacency out;
    uint64_t n;
    uint32_t *label;
    uint32_t *number; /* when a vertex was first seen, from 1 */
    uint32_t *low;    /* the smallest number known to be reached */
    uint32_t *path;   /* from the root of the search to the current vertex */
    uint64_t *arc;    /* the next arc of each vertex on the path */
    uint32_t *open;   /* vertices seen whose component is not known yet */
    uint64_t depth, opened;
    uint32_t seen;
} tarjan;

static void enter(tarjan *t, uint32_t v) {
    t->number[v] = t->low[v] = ++t->seen;
    t->path[t->depth] = v;
    t->arc[t->depth++] = t->out.offsets[v];
    t->open[t->opened++] = v;
}

/* Pops a component: v and all vertices above it in `open`. */
static void close_component(tarjan *t, uint32_t v) {
    uint64_t from = t->opened;
    uint32_t least = v;
    do {
        from--;
        least = t->open[from] < least ? t->open[from] : least;
    } while (t->open[from] != v);
    while (t->opened > from)
        t->label[t->open[--t->opened]] = least;
}

static void leave(tarjan *t) {
    uint32_t v = t->path[--t->depth];
    if (t->low[v] == t->number[v])
        close_component(t, v);
    if (t->depth && t->low[v] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[v];
}

static void search(tarjan *t, uint32_t root) {
    uint64_t steps = 0;
    enter(t, root);
    while (t->depth && !stop(t->ctx, ++steps)) {
        uint32_t v = t->path[t->depth - 1], w;
        if (t->arc[t->depth - 1] == t->out.offsets[v + 1]) {
            leave(t);
            continue;
        }
        w = t->out.targets[t->arc[t->depth - 1]++];
        if (t->number[w] == UNSEEN)
            enter(t, w);
        else if (t->label[w] == UINT32_MAX && t->number[w] < t->low[v])
            t->low[v] = t->number[w];
    }
}

heddle_status hd_reference_scc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    uint64_t n = graph->vertices;
    tarjan t = {.ctx = ctx, .n = n};
    heddle_status status;
    (void)options;
    HD_TRY(heddle_graph_out(ctx, graph, &t.out));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, n));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(HD_NEW_ZERO(ctx, &t.number, n, "search numbers"));
    HD_CHECK(HD_NEW(ctx, &t.low, n, "search numbers"));
    HD_CHECK(HD_NEW(ctx, &t.path, n, "search path"));
    HD_CHECK(HD_NEW(ctx, &t.arc, n, "search path"));
    HD_CHECK(HD_NEW(ctx, &t.open, n, "open vertices"));
    t.label = result->values;
    for (uint64_t v = 0; v < n; v++)
        t.label[v] = UINT32_MAX;
    for (uint64_t v = 0; v < n && !hd_cancelled(ctx); v++)
        if (t.number[v] == UNSEEN)
            search(&t, (uint32_t)v);
    HD_CHECK(hd_cancelled_status(ctx));
    add_figures(result, t.label, t.low);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, t.number, n);
    HD_DELETE(&ctx->allocator, t.low, n);
    HD_DELETE(&ctx->allocator, t.path, n);
    HD_DELETE(&ctx->allocator, t.arc, n);
    HD_DELETE(&ctx->allocator, t.open, n);
    return status;
}

/* ---- scc: the certificate ------------------------------------------------------------------------------------ */

typedef struct parts {
    heddle_context *ctx;
    const heddle_graph *graph;
    const uint32_t *label;
    uint32_t *queue; /* room for all vertices */
    uint32_t *next;  /* the next member of the same part, UINT32_MAX after the last; labels come first */
    uint64_t *enter; /* per part: arcs that enter it from parts not removed yet */
} parts;

/* 1., one direction: breadth-first from all labels at once, each inside its own part. */
static heddle_status check_reach(parts *p, const heddle_adjacency *side, const char *failure) {
    uint64_t n = p->graph->vertices, found = 0;
    unsigned char *seen;
    heddle_status status = HD_NEW_ZERO(p->ctx, &seen, n, "marks");
    if (status != HEDDLE_OK)
        return status;
    for (uint64_t v = 0; v < n; v++)
        if ((seen[v] = p->label[v] == v))
            p->queue[found++] = (uint32_t)v;
    for (uint64_t taken = 0; taken < found && !stop(p->ctx, taken); taken++) {
        uint32_t v = p->queue[taken];
        for (uint64_t e = side->offsets[v]; e < side->offsets[v + 1]; e++) {
            uint32_t w = side->targets[e];
            if (!seen[w] && p->label[w] == p->label[v]) {
                seen[w] = 1;
                p->queue[found++] = w;
            }
        }
    }
    status = hd_cancelled_status(p->ctx);
    for (uint64_t v = 0; v < n && found < n && status == HEDDLE_OK; v++)
        if (!seen[v])
            status = hd_fail(p->ctx, HEDDLE_E_VERIFY, "vertex %s: its component's smallest member %s %s",
                             hd_vertex_name(p->ctx, p->graph, (heddle_vertex)v).text,
                             hd_vertex_name(p->ctx, p->graph, p->label[v]).text, failure);
    HD_DELETE(&p->ctx->allocator, seen, n);
    return status;
}

static void list_members(parts *p) {
    for (uint64_t v = 0; v < p->graph->vertices; v++) {
        p->next[v] = UINT32_MAX;
        if (p->label[v] != v) { /* the label is smaller and in its place already */
            p->next[v] = p->next[p->label[v]];
            p->next[p->label[v]] = (uint32_t)v;
        }
    }
}

/* 2.: topological sort: removes parts that no arc enters, until none is left. */
static heddle_status check_order(parts *p, const heddle_adjacency *out) {
    uint64_t n = p->graph->vertices, found = 0, count = 0;
    const uint32_t *label = p->label;
    list_members(p);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
            p->enter[label[out->targets[e]]] += label[out->targets[e]] != label[v];
    for (uint64_t v = 0; v < n; v++) {
        count += label[v] == v;
        if (label[v] == v && p->enter[v] == 0)
            p->queue[found++] = (uint32_t)v;
    }
    for (uint64_t taken = 0; taken < found && !stop(p->ctx, taken); taken++)
        for (uint32_t v = p->queue[taken]; v != UINT32_MAX; v = p->next[v])
            for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
                uint32_t part = label[out->targets[e]];
                if (part != label[v] && --p->enter[part] == 0)
                    p->queue[found++] = part;
            }
    HD_TRY(hd_cancelled_status(p->ctx));
    for (uint64_t v = 0; v < n && found < count; v++)
        if (p->enter[v] > 0)
            return hd_fail(p->ctx, HEDDLE_E_VERIFY, "vertex %s: its component lies on or behind a cycle of components",
                           hd_vertex_name(p->ctx, p->graph, (heddle_vertex)v).text);
    return HEDDLE_OK;
}

heddle_status hd_verify_scc(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    parts p = {.ctx = ctx, .graph = graph, .label = result->values};
    uint64_t n = graph->vertices;
    heddle_adjacency out;
    hd_check_in_edges in = {.offsets = NULL};
    heddle_status status;
    (void)options;
    HD_TRY(check_shape(ctx, graph, result));
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    hd_phase_begin(ctx, "verify", 3 * n);
    HD_CHECK(hd_check_in_edges_open(ctx, graph, false, &in));
    HD_CHECK(HD_NEW(ctx, &p.queue, n, "queue"));
    HD_CHECK(check_reach(&p, &out, "does not reach it inside the component"));
    HD_CHECK(check_reach(&p, &in.rows, "is not reached by it inside the component"));
    HD_CHECK(HD_NEW(ctx, &p.next, n, "members"));
    HD_CHECK(HD_NEW_ZERO(ctx, &p.enter, n, "entering arcs"));
    status = check_order(&p, &out);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, p.queue, n);
    HD_DELETE(&ctx->allocator, p.next, n);
    HD_DELETE(&ctx->allocator, p.enter, n);
    hd_check_in_edges_close(ctx, graph, &in);
    return status;
}
