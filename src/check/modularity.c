/* modularity.c - louvain, leiden: a plain sequential reference, and the certificate of a result.
 *
 * Which communities are best is not known in practice: the methods promise no more than what they found. The
 * certificate recomputes the modularity of the labels, by separate code, and compares it with the one that the report
 * has, which is the one that the search raised: another resolution than the one requested gives another. A plain search
 * at that resolution must not give a much higher one. Labels are the smallest vertices of their communities, which the
 * report counts; and those of leiden are connected. The reference moves single vertices, one after the other, until
 * none gains: the first level of Louvain, no more. */
#include "base/memory.h"
#include "check/check.h"
#include "check/check_in_edges.h"
#include "engine/vertex_name.h"

#include <math.h>
#include <string.h>

enum { STEP = 1 << 14, MOST_PASSES = 100, COMPARED_PASSES = 3 };
static const double rounding = 1e-9, joining = 1e-6; /* of sums; of what joins two communities */
static const double missed = 0.05;                   /* by how much a plain search may be better: orders differ */

typedef struct audit {
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_run_options *options;
    heddle_adjacency out;
    hd_check_in_edges in_edges; /* of the reference */
    bool weighted;
    double all;    /* 2m: all ends of edges */
    double *ends;  /* per vertex */
    double *total; /* per community: its ends */
    double *toward;
    uint32_t *size, *root; /* of communities; of pieces */
} audit;

/* Of an out-edge. */
static double weight_of(const audit *a, uint64_t e) {
    return a->weighted ? hd_weight_at(a->out.weights, a->graph->weight_type, e) : 1;
}

/* How many of its ends an arc stands for: both, but of the two arcs of an undirected edge each has one. A loop is there
 * once. */
static double ends_of(const audit *a, uint64_t v, uint64_t e) {
    return weight_of(a, e) * (a->graph->directed || a->out.targets[e] == v ? 2 : 1);
}

static heddle_status open_audit(audit *a) {
    uint64_t n = a->graph->vertices;
    a->weighted = a->options->weighted && a->graph->weight_type != HEDDLE_WEIGHT_NONE;
    HD_TRY(heddle_graph_out(a->ctx, a->graph, &a->out));
    HD_TRY(HD_NEW_ZERO(a->ctx, &a->ends, n, "ends of edges"));
    HD_TRY(HD_NEW_ZERO(a->ctx, &a->total, n, "ends of communities"));
    HD_TRY(HD_NEW_ZERO(a->ctx, &a->toward, n, "weights"));
    HD_TRY(HD_NEW_ZERO(a->ctx, &a->size, n, "sizes"));
    HD_TRY(HD_NEW(a->ctx, &a->root, n, "pieces"));
    for (uint64_t v = 0; v < n && !(v % STEP == 0 && hd_advance(a->ctx, STEP)); v++) {
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            a->all += ends_of(a, v, e);
            a->ends[v] += ends_of(a, v, e) / 2;
            a->ends[a->out.targets[e]] += ends_of(a, v, e) / 2;
        }
    }
    return hd_cancelled_status(a->ctx);
}

static void close_audit(audit *a) {
    uint64_t n = a->graph->vertices;
    HD_DELETE(&a->ctx->allocator, a->ends, n);
    HD_DELETE(&a->ctx->allocator, a->total, n);
    HD_DELETE(&a->ctx->allocator, a->toward, n);
    HD_DELETE(&a->ctx->allocator, a->size, n);
    HD_DELETE(&a->ctx->allocator, a->root, n);
    hd_check_in_edges_close(a->ctx, a->graph, &a->in_edges);
}

static double modularity_of(audit *a, const uint32_t *label) {
    uint64_t n = a->graph->vertices;
    double inside = 0, squares = 0;
    memset(a->total, 0, n * sizeof *a->total);
    for (uint64_t v = 0; v < n; v++) {
        a->total[label[v]] += a->ends[v];
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++)
            inside += label[a->out.targets[e]] == label[v] ? ends_of(a, v, e) : 0;
    }
    for (uint64_t v = 0; v < n && a->all > 0; v++)
        squares += a->total[v] / a->all * (a->total[v] / a->all);
    return a->all > 0 ? inside / a->all - a->options->resolution * squares : 0;
}

/* Communities and the size of the largest. */
static void count(audit *a, const uint32_t *label, double *communities, double *largest) {
    *communities = *largest = 0;
    memset(a->size, 0, a->graph->vertices * sizeof *a->size);
    for (uint64_t v = 0; v < a->graph->vertices; v++) {
        *communities += a->size[label[v]] == 0;
        *largest = fmax(*largest, ++a->size[label[v]]);
    }
}

/* ---- Reference --------------------------------------------------------------------------------------------------- */

/* The next neighbour of v, along out-edges and then, of a directed graph, along in-edges. */
typedef struct walk {
    heddle_vertex neighbour;
    double weight;
    uint64_t next; /* how many were there before */
} walk;

static bool step(const audit *a, uint64_t v, walk *w) {
    uint64_t at = a->out.offsets[v] + w->next, end = a->out.offsets[v + 1];
    if (at < end) {
        w->neighbour = a->out.targets[at];
        w->weight = weight_of(a, at);
    } else {
        at = at - end + a->in_edges.rows.offsets[v];
        if (!a->graph->directed || at >= a->in_edges.rows.offsets[v + 1])
            return false;
        w->neighbour = a->in_edges.rows.targets[at];
        w->weight = weight_of(a, a->in_edges.arcs[at]);
    }
    w->next++;
    return true;
}

/* Moves v to the neighbouring community in which it gains most. */
static bool move(audit *a, uint32_t *label, uint64_t v) {
    uint32_t best = label[v];
    double gain, most;
    for (walk w = {.next = 0}; step(a, v, &w);)
        a->toward[label[w.neighbour]] += w.neighbour != v ? w.weight : 0;
    a->total[label[v]] -= a->ends[v];
    most = a->toward[best] - a->options->resolution * a->ends[v] * a->total[best] / a->all + rounding * a->all;
    for (walk w = {.next = 0}; step(a, v, &w);) {
        uint32_t c = label[w.neighbour];
        gain = a->toward[c] - a->options->resolution * a->ends[v] * a->total[c] / a->all;
        if (gain > most) {
            most = gain;
            best = c;
        }
    }
    for (walk w = {.next = 0}; step(a, v, &w);)
        a->toward[label[w.neighbour]] = 0;
    bool moved = best != label[v];
    a->total[best] += a->ends[v];
    label[v] = best;
    return moved;
}

/* Moves single vertices, which begin apart, until none gains, or so many times each. */
static void move_all(audit *a, uint32_t *label, int passes) {
    uint64_t n = a->graph->vertices, moved = n;
    for (uint64_t v = 0; v < n; v++) {
        label[v] = (uint32_t)v;
        a->total[v] = a->ends[v];
    }
    for (int pass = 0; pass < passes && moved && a->all > 0 && !hd_cancelled(a->ctx); pass++) {
        moved = 0;
        for (uint64_t v = 0; v < n && !(v % STEP == 0 && hd_advance(a->ctx, STEP)); v++)
            moved += move(a, label, v);
    }
}

/* Pieces of labels: union-find over edges inside of communities. */
static uint32_t find(uint32_t *root, uint32_t v) {
    while (root[v] != v)
        v = root[v] = root[root[v]];
    return v;
}

static void find_pieces(audit *a, const uint32_t *label) {
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        a->root[v] = (uint32_t)v;
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        for (uint64_t e = a->out.offsets[v]; e < a->out.offsets[v + 1]; e++) {
            uint32_t x = find(a->root, (uint32_t)v), y = find(a->root, a->out.targets[e]);
            if (label[a->out.targets[e]] == label[v] && x != y)
                a->root[x > y ? x : y] = x > y ? y : x; /* so that roots are the smallest */
        }
}

static heddle_status refer(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                           bool connected, heddle_result *result) {
    audit a = {.ctx = ctx, .graph = graph, .options = options};
    uint64_t n = graph->vertices;
    double communities, largest;
    uint32_t *label;
    heddle_status status;
    hd_phase_begin(ctx, "reference", 0);
    HD_CHECK(open_audit(&a));
    HD_CHECK(hd_check_in_edges_open(ctx, graph, true, &a.in_edges));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, n));
    label = result->values;
    move_all(&a, label, MOST_PASSES);
    HD_CHECK(hd_cancelled_status(ctx));
    memset(a.root, 0xff, n * sizeof *a.root);
    for (uint64_t v = 0; v < n && !connected; v++) /* the smallest vertex of each */
        label[v] = a.root[label[v]] == UINT32_MAX ? (a.root[label[v]] = (uint32_t)v) : a.root[label[v]];
    if (connected)
        find_pieces(&a, label);
    for (uint64_t v = 0; v < n && connected; v++)
        a.size[v] = find(a.root, (uint32_t)v);
    if (connected)
        memcpy(label, a.size, n * sizeof *label);
    count(&a, label, &communities, &largest);
    hd_result_figure(result, "communities", communities);
    hd_result_figure(result, "largest", largest);
    hd_result_figure(result, "modularity", modularity_of(&a, label));
    result->report.converged = connected; /* louvain would join communities on further levels */
out:
    hd_phase_end(ctx);
    close_audit(&a);
    return status;
}

/* ---- Certificate ------------------------------------------------------------------------------------------------- */

static heddle_status check_labels(const audit *a, const uint32_t *label) {
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        if (label[v] > v || label[label[v]] != label[v])
            return hd_fail(a->ctx, HEDDLE_E_VERIFY, "vertex %s: its label is not the smallest vertex of its community",
                           hd_vertex_name(a->ctx, a->graph, (heddle_vertex)v).text);
    return HEDDLE_OK;
}

static heddle_status check_figure(const audit *a, const heddle_result *result, const char *name, double expected) {
    double shown = hd_result_figure_of(result, name);
    if (fabs(shown - expected) <= rounding * fmax(1, fabs(expected)))
        return HEDDLE_OK;
    return hd_fail(a->ctx, HEDDLE_E_VERIFY, "the report has %s %.17g: the labels give %.17g", name, shown, expected);
}

/* A search begins with single vertices, and no step of it lowers the modularity. */
static heddle_status check_raised(audit *a, const heddle_result *result) {
    double found = hd_result_figure_of(result, "modularity"), apart;
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        a->root[v] = (uint32_t)v;
    apart = modularity_of(a, a->root);
    if (found >= apart - rounding * fmax(1, fabs(apart)))
        return HEDDLE_OK;
    return hd_fail(a->ctx, HEDDLE_E_VERIFY, "the modularity is %.9g, but that of single vertices is %.9g", found,
                   apart);
}

/* Nor does a search end far below what moving single vertices gives at the resolution requested. */
static heddle_status check_compared(audit *a, const heddle_result *result) {
    double found = hd_result_figure_of(result, "modularity"), plain;
    move_all(a, a->root, COMPARED_PASSES);
    HD_TRY(hd_cancelled_status(a->ctx));
    plain = modularity_of(a, a->root);
    if (found >= plain - missed * fmax(1, a->options->resolution))
        return HEDDLE_OK;
    return hd_fail(a->ctx, HEDDLE_E_VERIFY, "the modularity is %.9g, but moving single vertices gives %.9g", found,
                   plain);
}

static heddle_status check_connected(audit *a, const uint32_t *label) {
    find_pieces(a, label);
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        if (find(a->root, (uint32_t)v) != label[v])
            return hd_fail(a->ctx, HEDDLE_E_VERIFY, "vertex %s: its community is not connected",
                           hd_vertex_name(a->ctx, a->graph, (heddle_vertex)v).text);
    return HEDDLE_OK;
}

/* Vertices by community, in `root`. */
static void place_members(audit *a, const uint32_t *label) {
    uint32_t begin = 0;
    for (uint64_t c = 0; c < a->graph->vertices; c++) { /* `size` has how many there are */
        uint32_t members = a->size[c];
        a->size[c] = begin;
        begin += members;
    }
    for (uint64_t v = 0; v < a->graph->vertices; v++)
        a->root[a->size[label[v]]++] = (uint32_t)v;
}

/* louvain ends where no community gains by joining another as a whole: otherwise the last level would have moved it.
 * `size` has the communities' sizes. The resolution is what decides. */
static heddle_status check_joined(audit *a, const uint32_t *label) {
    uint64_t n = a->graph->vertices, placed = 0;
    place_members(a, label);
    for (uint64_t c = 0; c < n; c++) {
        uint64_t end = placed;
        while (end < n && label[a->root[end]] == c)
            end++;
        for (uint64_t i = placed; i < end; i++)
            for (walk w = {.next = 0}; step(a, a->root[i], &w);)
                a->toward[label[w.neighbour]] += w.weight;
        for (uint64_t i = placed; i < end; i++)
            for (walk w = {.next = 0}; step(a, a->root[i], &w);) {
                uint32_t d = label[w.neighbour];
                double between = a->toward[d],
                       gain = between - a->options->resolution * a->total[c] / a->all * a->total[d];
                a->toward[d] = 0;
                if (d != c && gain > joining * between + rounding * a->all)
                    return hd_fail(a->ctx, HEDDLE_E_VERIFY,
                                   "the communities of %s and %s together have a higher modularity than apart",
                                   hd_vertex_name(a->ctx, a->graph, (heddle_vertex)c).text,
                                   hd_vertex_name(a->ctx, a->graph, d).text);
            }
        placed = end;
        if (c % STEP == 0 && hd_advance(a->ctx, STEP))
            return hd_cancelled_status(a->ctx);
    }
    return HEDDLE_OK;
}

static heddle_status validate(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              bool connected, const heddle_result *result) {
    audit a = {.ctx = ctx, .graph = graph, .options = options};
    const uint32_t *label = result->values;
    double communities, largest;
    heddle_status status;
    if (result->type != HEDDLE_VALUE_U32 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 32-bit label for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_audit(&a));
    HD_CHECK(check_labels(&a, label));
    count(&a, label, &communities, &largest);
    HD_CHECK(check_figure(&a, result, "communities", communities));
    HD_CHECK(check_figure(&a, result, "largest", largest));
    HD_CHECK(check_raised(&a, result));
    HD_CHECK(check_figure(&a, result, "modularity", modularity_of(&a, label)));
    if (connected)
        HD_CHECK(check_connected(&a, label));
    if (result->report.converged && a.all > 0) {
        HD_CHECK(hd_check_in_edges_open(ctx, graph, true, &a.in_edges));
        if (!connected)
            HD_CHECK(check_joined(&a, label));
        HD_CHECK(check_compared(&a, result));
    }
    status = hd_advance(ctx, 0) ? hd_cancelled_status(ctx) : HEDDLE_OK;
out:
    hd_phase_end(ctx);
    close_audit(&a);
    return status;
}

#define DEFINE(name, connected)                                                                                       \
    heddle_status hd_reference_##name(heddle_context *ctx, const heddle_graph *graph,                                 \
                                      const heddle_run_options *options, heddle_result *result) {                     \
        return refer(ctx, graph, options, connected, result);                                                         \
    }                                                                                                                 \
    heddle_status hd_verify_##name(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options, \
                                   heddle_result *result) {                                                           \
        return validate(ctx, graph, options, connected, result);                                                      \
    }

DEFINE(louvain, false)
DEFINE(leiden, true)
