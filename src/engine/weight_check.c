/* weight_check.c - see weight_check.h. */
#include "engine/weight_check.h"

#include "base/parallel.h"
#include "engine/vertex_name.h"
#include "exchange/agree.h"
#include "exchange/together.h"
#include "graph/rows.h"

#include <float.h>
#include <math.h>

enum { BLOCK = 1 << 14, SAMPLES = 4096 };

typedef struct seen {
    bool bad;
    double most;
} seen;

static seen look_i32(const int32_t *weights, uint64_t count, bool not_negative) {
    int32_t least = 0, most = INT32_MIN;
    for (uint64_t k = 0; k < count; k++) {
        least = weights[k] < least ? weights[k] : least;
        most = weights[k] > most ? weights[k] : most;
    }
    return (seen){not_negative && least < 0, most};
}

static seen look_f32(const float *weights, uint64_t count, bool not_negative) {
    float most = -FLT_MAX, low = not_negative ? 0 : -FLT_MAX;
    int bad = 0;
    for (uint64_t k = 0; k < count; k++) {
        bad |= !(weights[k] >= low) | !(weights[k] <= FLT_MAX);
        most = weights[k] > most ? weights[k] : most;
    }
    return (seen){bad, (double)most};
}

static seen look_i64(const int64_t *weights, uint64_t count, bool not_negative) {
    int64_t least = not_negative ? 0 : INT64_MIN, most = INT64_MIN;
    int bad = 0;
    for (uint64_t k = 0; k < count; k++) {
        bad |= weights[k] < least;
        most = weights[k] > most ? weights[k] : most;
    }
    return (seen){bad, (double)most};
}

static seen look_f64(const double *weights, uint64_t count, bool not_negative) {
    double most = -DBL_MAX, low = not_negative ? 0 : -DBL_MAX;
    int bad = 0;
    for (uint64_t k = 0; k < count; k++) {
        bad |= !(weights[k] >= low) | !(weights[k] <= DBL_MAX);
        most = weights[k] > most ? weights[k] : most;
    }
    return (seen){bad, most};
}

static seen look(const heddle_graph *graph, const void *weights, uint64_t k, uint64_t end, bool not_negative) {
    switch (graph->weight_type) {
    case HEDDLE_WEIGHT_I32: return look_i32((const int32_t *)weights + k, end - k, not_negative);
    case HEDDLE_WEIGHT_I64: return look_i64((const int64_t *)weights + k, end - k, not_negative);
    case HEDDLE_WEIGHT_F64: return look_f64((const double *)weights + k, end - k, not_negative);
    default: return look_f32((const float *)weights + k, end - k, not_negative);
    }
}

static heddle_status refuse(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out, uint64_t k,
                            bool not_negative, const char *algorithm) {
    while (!look(graph, out->weights, k, k + 1, not_negative).bad)
        k++;
    hd_name from = hd_vertex_name(ctx, graph, (heddle_vertex)hd_row_of(out->offsets, graph->vertices, k));
    hd_name to = hd_vertex_name(ctx, graph, out->targets[k]);
    return hd_fail(ctx, HEDDLE_E_WEIGHT,
                   "the edge from %s to %s has weight %g: %s needs finite weights%s (--weight-column none reads the "
                   "file without weights%s)",
                   from.text, to.text, hd_weight_at(out->weights, graph->weight_type, k), algorithm,
                   not_negative ? " of 0 or more" : "",
                   not_negative ? ", 'heddle subgraph --min-weight 0' drops such edges" : "");
}

/* Ranges of the types that WEIGHT may have and that do not hold every weight: the first number, and the one behind the
 * last. f32: those that are not rounded to infinity. */
static const struct {
    const char *name;
    double first, end;
    bool whole;
} narrow_types[] = {[1] = {"u32", 0, 0x1p32, true},
                    [2] = {"i32", -0x1p31, 0x1p31, true},
                    [3] = {"f32", -0x1.ffffffp127, 0x1.ffffffp127, false},
                    [4] = {"i64", -0x1p63, 0x1p63, true},
                    [6] = {"u64", 0, 0x1p64, true}};
enum { NARROW_TYPES = sizeof narrow_types / sizeof *narrow_types };

bool hd_weights_may_be_cut(heddle_weight_type type, int to) {
    if (to < 0 || to >= NARROW_TYPES || !narrow_types[to].name || type == HEDDLE_WEIGHT_NONE || (int)type == to)
        return false;
    if (!narrow_types[to].whole)
        return type == HEDDLE_WEIGHT_F64;
    return !(type == HEDDLE_WEIGHT_U32 && to > 2) && !(type == HEDDLE_WEIGHT_I32 && to == 4);
}

heddle_status hd_weights_check_cut(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out, int to,
                                   const char *program) {
    if (!hd_weights_may_be_cut(graph->weight_type, to))
        return HEDDLE_OK;
    for (uint64_t k = 0; k < graph->edges; k++) {
        double weight = hd_weight_at(out->weights, graph->weight_type, k);
        bool inside = weight >= narrow_types[to].first && weight < narrow_types[to].end;
        if (narrow_types[to].whole ? inside && floor(weight) == weight : inside || !isfinite(weight))
            continue;
        hd_name from = hd_vertex_name(ctx, graph, (heddle_vertex)hd_row_of(out->offsets, graph->vertices, k));
        hd_name target = hd_vertex_name(ctx, graph, out->targets[k]);
        return hd_fail(ctx, HEDDLE_E_WEIGHT,
                       "%s: the edge from %s to %s has weight %g, which WEIGHT %s cannot hold: #define WEIGHT %s",
                       program, from.text, target.text, weight, narrow_types[to].name,
                       hd_weight_name(graph->weight_type));
    }
    return HEDDLE_OK;
}

bool hd_weights_may_be_bad(const heddle_graph *graph, bool not_negative) {
    heddle_weight_type type = graph->weight_type;
    bool sign = type == HEDDLE_WEIGHT_I32 || type == HEDDLE_WEIGHT_I64;
    return hd_weight_real(type) || (sign && not_negative);
}

double hd_weights_bound(heddle_weight_type type) {
    return type == HEDDLE_WEIGHT_U32   ? UINT32_MAX
           : type == HEDDLE_WEIGHT_I32 ? INT32_MAX
           : type == HEDDLE_WEIGHT_I64 ? 0x1p63
                                       : 1;
}

heddle_status hd_weights_check_part(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                                    uint64_t first, uint64_t end_edge, bool not_negative, const char *algorithm,
                                    double *most) {
    uint64_t edges = end_edge - first, blocks = (edges + BLOCK - 1) / BLOCK, bad = UINT64_MAX;
    double largest = -DBL_MAX;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) reduction(max : largest) if (blocks > 1))
    for (uint64_t b = 0; b < blocks; b++) {
        if (hd_cancelled(ctx))
            continue;
        uint64_t k = first + b * BLOCK, end = end_edge - k < BLOCK ? end_edge : k + BLOCK;
        seen found = look(graph, out->weights, k, end, not_negative);
        largest = found.most > largest ? found.most : largest;
        bad = found.bad && k < bad ? k : bad;
    }
    HD_TRY(hd_cancelled_status(ctx));
    *most = largest;
    return bad == UINT64_MAX ? HEDDLE_OK : refuse(ctx, graph, out, bad, not_negative, algorithm);
}

/* By all ranks, each a share. */
static heddle_status check_together(hd_link *link, const heddle_graph *graph, const heddle_adjacency *out,
                                    bool not_negative, const char *algorithm, double *most) {
    uint64_t first = hd_split(graph->edges, link->size, link->rank);
    uint64_t end = hd_split(graph->edges, link->size, link->rank + 1);
    HD_TRY(hd_agree(link, hd_weights_check_part(link->ctx, graph, out, first, end, not_negative, algorithm, most)));
    return link->reduce_real(link, HD_LINK_MAX, most, 1);
}

heddle_status hd_weights_check(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                               bool not_negative, const char *algorithm, double *most) {
    hd_link *link = hd_together(ctx);
    *most = hd_weights_bound(graph->weight_type);
    if (!hd_weights_may_be_bad(graph, not_negative))
        return HEDDLE_OK;
    return link ? check_together(link, graph, out, not_negative, algorithm, most)
                : hd_weights_check_part(ctx, graph, out, 0, graph->edges, not_negative, algorithm, most);
}

double hd_weights_mean(const heddle_graph *graph, const heddle_adjacency *out) {
    uint64_t count = graph->edges < SAMPLES ? graph->edges : SAMPLES;
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += hd_weight_at(out->weights, graph->weight_type, hd_split(graph->edges, count, i));
    return count ? sum / (double)count : 1;
}

bool hd_weights_all_one(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out) {
    const uint32_t *weights = out->weights;
    uint64_t edges = graph->edges, blocks = (edges + BLOCK - 1) / BLOCK, count = edges < SAMPLES ? edges : SAMPLES;
    bool other = graph->weight_type != HEDDLE_WEIGHT_U32 && graph->weight_type != HEDDLE_WEIGHT_I32;
    for (uint64_t i = 0; i < count && !other; i++)
        other = weights[hd_split(edges, count, i)] != 1;
    if (other)
        return false;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(|| : other) if (blocks > 1))
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t bits = 0;
        for (uint64_t k = b * BLOCK; !other && k < edges && k < (b + 1) * BLOCK; k++)
            bits |= weights[k] ^ 1;
        other = other || bits;
    }
    return !other;
}
