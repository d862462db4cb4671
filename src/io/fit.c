/* fit.c - see fit.h. First determines what would be lost, in words; only then changes anything. */
#include "io/fit.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rebuild.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 15 };

typedef enum weight_change { WEIGHTS_SAME, WEIGHTS_TO_INTEGER, WEIGHTS_DROPPED } weight_change;

typedef struct fitting {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_format *format;
    const char *path;
    int holds;
    bool symmetrize, drop_loops;
    weight_change weights;
    heddle_weight_type weight_type; /* of the changed weights */
    uint64_t isolated;              /* that are lost */
    char losses[512];
    size_t length;
} fitting;

static void lose(fitting *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void lose(fitting *f, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof f->losses - f->length;
    int comma = snprintf(f->losses + f->length, room, "%s", f->length ? ", " : "");
    va_start(arguments, format);
    int words = vsnprintf(f->losses + f->length + comma, room - (size_t)comma, format, arguments);
    va_end(arguments);
    f->length += (size_t)(comma + words); /* at most five short phrases: they fit */
}

/* ---- Looking ---------------------------------------------------------------------------------------------------- */

static uint64_t count_loops(const fitting *f) {
    const hd_csr *out = &f->graph->out;
    uint64_t n = f->graph->vertices, loops = 0;
    HD_PARALLEL_FOR(f->ctx, schedule(dynamic, 1) reduction(+ : loops) if (n > BLOCK))
    for (uint64_t block = 0; block < n; block += BLOCK)
        for (uint64_t v = block; v < n && v < block + BLOCK && !hd_cancelled(f->ctx); v++)
            for (uint64_t k = out->offsets[v]; k < out->offsets[v + 1] && out->targets[k] <= v; k++)
                loops += out->targets[k] == v;
    return loops;
}

/* Vertices that no arc touches: without out-arcs, and no target. */
static heddle_status count_isolated(const fitting *f, uint64_t *isolated) {
    const hd_csr *out = &f->graph->out;
    uint64_t n = f->graph->vertices, m = f->graph->edges, words = n / 64 + 1, touched = 0, *bits;
    HD_TRY(HD_NEW_ZERO(f->ctx, &bits, words, "marks of vertices"));
    HD_PARALLEL_FOR(f->ctx, schedule(static) if (m > BLOCK))
    for (uint64_t block = 0; block < m; block += BLOCK)
        for (uint64_t k = block; k < m && k < block + BLOCK && !hd_cancelled(f->ctx); k++) {
            uint64_t bit = UINT64_C(1) << (out->targets[k] & 63), *word = &bits[out->targets[k] >> 6];
            if (!(hd_load(word) & bit))
                hd_fetch_or(word, bit);
        }
    HD_PARALLEL_FOR(f->ctx, schedule(static) reduction(+ : touched) if (n > BLOCK))
    for (uint64_t v = 0; v < n; v++)
        touched += out->offsets[v] < out->offsets[v + 1] || (bits[v >> 6] >> (v & 63) & 1);
    HD_DELETE(&f->ctx->allocator, bits, words);
    *isolated = n - touched;
    return hd_cancelled_status(f->ctx);
}

typedef struct weight_range {
    double low, high;
    bool fraction;
} weight_range;

static weight_range survey_weights(const fitting *f) {
    const void *weights = f->graph->out.weights;
    heddle_weight_type type = f->graph->weight_type;
    uint64_t m = f->graph->edges;
    double low = INFINITY, high = -INFINITY;
    bool fraction = false;
    HD_PARALLEL_FOR(f->ctx, schedule(static) reduction(min
                                                       : low) reduction(max
                                                                        : high) reduction(||
                                                                                          : fraction) if (m > BLOCK))
    for (uint64_t block = 0; block < m; block += BLOCK) {
        uint64_t last = m - block < BLOCK ? m : block + BLOCK;
        for (uint64_t k = block; k < last && !hd_cancelled(f->ctx); k++) {
            double weight = hd_weight_at(weights, type, k);
            low = weight < low ? weight : low;
            high = weight > high ? weight : high;
            fraction = fraction || weight != rint(weight);
        }
    }
    return (weight_range){low, high, fraction};
}

/* The first whole-number type that the format holds and that has this range; NONE: no type has. */
static heddle_weight_type whole_type(bool below_2_31, double low, double high) {
    if (low >= 0 && high <= (below_2_31 ? INT32_MAX : UINT32_MAX))
        return HEDDLE_WEIGHT_U32;
    if (low >= INT32_MIN && high <= INT32_MAX)
        return HEDDLE_WEIGHT_I32;
    return !below_2_31 && low >= -0x1p63 && high <= 0x1p63 ? HEDDLE_WEIGHT_I64 : HEDDLE_WEIGHT_NONE;
}

static void look_at_weights(fitting *f) {
    bool any = f->holds & (HD_HOLDS_WEIGHTS | HD_HOLDS_INTEGER_WEIGHTS);
    if (f->graph->weight_type == HEDDLE_WEIGHT_NONE || f->holds & HD_HOLDS_WEIGHTS)
        return;
    if (!any) {
        f->weights = WEIGHTS_DROPPED;
        lose(f, "weights");
        return;
    }
    weight_range range = survey_weights(f);
    double low = rint(range.low), high = rint(range.high);
    heddle_weight_type fitting = whole_type(f->holds & HD_NEEDS_I32, low, high), own = f->graph->weight_type;
    if (f->graph->edges && low < 1 && f->holds & HD_NEEDS_POSITIVE) {
        f->weights = WEIGHTS_DROPPED;
        lose(f, "weights (they must be whole numbers above 0; the smallest is %g)", range.low);
    } else if (f->graph->edges && !fitting) {
        f->weights = WEIGHTS_DROPPED;
        lose(f, "weights (they lie between %g and %g, outside of its range)", range.low, range.high);
    } else if (hd_weight_real(own) || (own == HEDDLE_WEIGHT_I64 && f->holds & HD_NEEDS_I32)) {
        f->weights = WEIGHTS_TO_INTEGER;
        f->weight_type = f->graph->edges ? fitting : HEDDLE_WEIGHT_U32;
        if (range.fraction)
            lose(f, "fractions of weights");
    }
}

static void look_at_ids(fitting *f) {
    const hd_ids *ids = &f->graph->ids;
    if (f->holds & HD_HOLDS_IDS || f->graph->vertices == 0)
        return;
    if (ids->type == HEDDLE_ID_STRING)
        lose(f, "string labels");
    else if (ids->values || (ids->base != 0 && ids->base != 1))
        lose(f, "vertex ids (it counts from %d)", f->format->base);
}

static heddle_status look(fitting *f) {
    const heddle_graph *graph = f->graph;
    look_at_ids(f);
    if (graph->directed && !(f->holds & HD_HOLDS_DIRECTION)) {
        f->symmetrize = true;
        lose(f, "the direction of the edges");
    }
    look_at_weights(f);
    if (!(f->holds & HD_HOLDS_LOOPS)) {
        uint64_t loops = count_loops(f);
        f->drop_loops = loops > 0;
        if (loops)
            lose(f, "%llu self loop%s", (unsigned long long)loops, loops == 1 ? "" : "s");
    }
    if (!(f->holds & HD_HOLDS_ISOLATED)) {
        HD_TRY(count_isolated(f, &f->isolated));
        if (f->isolated)
            lose(f, "%llu isolated %s (which --no-isolated leaves out)", (unsigned long long)f->isolated,
                 f->isolated == 1 ? "vertex" : "vertices");
    }
    return hd_cancelled_status(f->ctx);
}

/* Notes changes that lose nothing. */
static void note_changes(const fitting *f) {
    const heddle_graph *graph = f->graph;
    const hd_ids *ids = &graph->ids;
    int base = f->format->base;
    unsigned long long last = graph->vertices - 1;
    if (!(f->holds & HD_HOLDS_IDS) && graph->vertices && ids->type != HEDDLE_ID_STRING && !ids->values &&
        ids->base == 1 - base)
        hd_note(f->ctx, "%s: ids %d .. %llu become %d .. %llu", f->path, 1 - base, last + (unsigned)(1 - base), base,
                last + (unsigned)base);
    if (!graph->directed && !(f->holds & HD_HOLDS_UNDIRECTED))
        hd_note(f->ctx, "%s: the %s format cannot say that a graph is undirected: both arcs of each edge are written",
                f->path, f->format->info.name);
}

/* ---- Changing --------------------------------------------------------------------------------------------------- */

/* Nearest whole numbers, in the type that was chosen. Doubles of 2^63 become the largest i64. */
static void round_weights(const fitting *f, const heddle_graph *own, void *rounded) {
    uint64_t m = own->edges;
    bool real = hd_weight_real(own->weight_type), large = hd_weight_size(f->weight_type) == 8;
    HD_PARALLEL_FOR(f->ctx, schedule(static) if (m > BLOCK))
    for (uint64_t k = 0; k < m; k++) { /* two's complement: right for signed types too */
        double nearest = real ? rint(hd_weight_at(own->out.weights, own->weight_type, k)) : 0;
        int64_t whole = !real               ? hd_weight_whole(own->out.weights, own->weight_type, k)
                        : nearest >= 0x1p63 ? INT64_MAX
                                            : (int64_t)nearest;
        if (large)
            ((int64_t *)rounded)[k] = whole;
        else
            ((uint32_t *)rounded)[k] = (uint32_t)whole;
    }
}

static heddle_status change_weights(const fitting *f, hd_fit *fit) {
    if (!fit->own)
        HD_TRY(hd_graph_borrow(f->ctx, fit->graph, &fit->own));
    heddle_graph *own = fit->own;
    uint64_t m = own->edges;
    bool integer = f->weights == WEIGHTS_TO_INTEGER;
    if (integer) {
        HD_TRY(hd_new(f->ctx, &fit->weights, m, hd_weight_size(f->weight_type), false, "edge weights"));
        round_weights(f, own, fit->weights);
    }
    if (own->out.owned)
        hd_free(&own->allocator, own->out.weights, m * hd_weight_size(own->weight_type));
    /* a copy with its own arrays takes ownership of the new weights; otherwise hd_fit frees them */
    own->out.weights = fit->weights;
    own->weight_type = integer ? f->weight_type : HEDDLE_WEIGHT_NONE;
    if (own->out.owned)
        fit->weights = NULL;
    return HEDDLE_OK;
}

static heddle_status change(const fitting *f, hd_fit *fit) {
    if (f->symmetrize || f->drop_loops) {
        heddle_build_options options;
        heddle_build_options_init(&options);
        options.symmetrize = f->symmetrize;
        options.drop_loops = f->drop_loops;
        HD_TRY(hd_graph_rebuild(f->ctx, f->graph, &options, &fit->own));
        fit->graph = fit->own;
    }
    if (f->weights != WEIGHTS_SAME)
        HD_TRY(change_weights(f, fit));
    if (fit->own)
        fit->graph = fit->own;
    return HEDDLE_OK;
}

heddle_status hd_fit_open(heddle_context *ctx, const heddle_graph *graph, const hd_format *format, const char *path,
                          bool lossy, hd_fit *fit) {
    fitting f = {.ctx = ctx, .graph = graph, .format = format, .path = strcmp(path, "-") == 0 ? "<stdout>" : path};
    *fit = (hd_fit){.graph = graph};
    f.holds = format->holds_as ? format->holds_as(path) : format->holds;
    HD_TRY(look(&f));
    if (f.length && !lossy)
        return hd_fail_file(ctx, HEDDLE_E_LOSSY, f.path, 0,
                            "the %s format would lose %s: use --lossy to write it all the same", format->info.name,
                            f.losses);
    note_changes(&f);
    if (f.length)
        hd_note(ctx, "%s: the %s format loses %s", f.path, format->info.name, f.losses);
    fit->isolated = f.isolated;
    heddle_status status = change(&f, fit);
    if (status != HEDDLE_OK)
        hd_fit_close(ctx, fit);
    return status;
}

void hd_fit_close(heddle_context *ctx, hd_fit *fit) {
    if (fit->weights)
        hd_free(&ctx->allocator, fit->weights, fit->own->edges * hd_weight_size(fit->own->weight_type));
    heddle_graph_destroy(&fit->own);
}
