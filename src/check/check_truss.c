/* check_truss.c - truss: the sequential reference; the validator compares with it.
 *
 * Edges are removed one at a time, always one that has the fewest triangles left, from an array that is kept sorted by
 * that number (as Batagelj and Zaversnik, 2003, do with vertices).
 */
#include "base/memory.h"
#include "check/check.h"
#include "check/compare.h"
#include "check/neighbours.h"

enum { STEP = 1 << 14 }; /* vertices or edges between two checks of the cancel flag */

typedef struct peeling {
    heddle_context *ctx;
    hd_neighbours all;
    heddle_vertex *row; /* the neighbours of each vertex, ascending */
    uint64_t *edge;     /* of each entry */
    uint64_t edges;
    heddle_vertex *ends;
    uint32_t *left;   /* triangles of each edge */
    uint64_t *sorted; /* edges by that number */
    uint64_t *place;  /* of each edge there */
    uint64_t *bounds; /* where each number begins there */
    uint64_t bound_count, *next;
} peeling;

/* Every vertex is put into the rows of its neighbours, the smallest first; at its turn, the neighbours below it are in
 * its own row, and the next free place of theirs is the other entry of the same edge. */
static void sort_rows(peeling *p) {
    const hd_neighbours *all = &p->all;
    for (uint64_t v = 0; v < all->vertices; v++)
        p->next[v] = all->offsets[v];
    for (uint64_t v = 0; v < all->vertices; v++)
        for (uint64_t e = all->offsets[v]; e < all->offsets[v + 1]; e++)
            p->row[p->next[all->list[e]]++] = (heddle_vertex)v;
    for (uint64_t v = 0; v < all->vertices; v++)
        p->next[v] = all->offsets[v];
    for (uint64_t v = 0; v < all->vertices; v++) {
        for (uint64_t e = p->next[v]; e < all->offsets[v + 1]; e++) { /* entries below are done */
            heddle_vertex w = p->row[e];
            p->ends[2 * p->edges] = (heddle_vertex)v;
            p->ends[2 * p->edges + 1] = w;
            p->edge[e] = p->edge[p->next[w]++] = p->edges;
            p->edges++;
        }
    }
}

/* The entry of w in v's row, or UINT64_MAX. */
static uint64_t entry_of(const peeling *p, heddle_vertex v, heddle_vertex w) {
    uint64_t low = p->all.offsets[v], end = p->all.offsets[v + 1], high = end;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (p->row[middle] < w)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && p->row[low] == w ? low : UINT64_MAX;
}

/* The next triangle of the edge, from `at` on in the shorter row: its two other edges. */
static bool next_triangle(const peeling *p, uint64_t edge, uint64_t *at, uint64_t *x, uint64_t *y) {
    heddle_vertex u = p->ends[2 * edge], v = p->ends[2 * edge + 1];
    bool turn = hd_neighbours_count(&p->all, u) > hd_neighbours_count(&p->all, v);
    heddle_vertex shorter = turn ? v : u, longer = turn ? u : v;
    while (*at < hd_neighbours_count(&p->all, shorter)) {
        uint64_t e = p->all.offsets[shorter] + (*at)++, other = entry_of(p, longer, p->row[e]);
        if (other == UINT64_MAX)
            continue;
        *x = p->edge[e];
        *y = p->edge[other];
        return true;
    }
    return false;
}

static heddle_status count_triangles(peeling *p) {
    uint64_t x, y;
    for (uint64_t edge = 0; edge < p->edges; edge++) {
        if (edge % STEP == 0 && hd_advance(p->ctx, STEP))
            return hd_cancelled_status(p->ctx);
        for (uint64_t at = 0; next_triangle(p, edge, &at, &x, &y);)
            p->left[edge]++;
    }
    return HEDDLE_OK;
}

static heddle_status sort_edges(peeling *p) {
    for (uint64_t edge = 0; edge < p->edges; edge++)
        p->bound_count = p->left[edge] + UINT64_C(2) > p->bound_count ? p->left[edge] + UINT64_C(2) : p->bound_count;
    HD_TRY(HD_NEW_ZERO(p->ctx, &p->bounds, p->bound_count, "edges by triangles"));
    for (uint64_t edge = 0; edge < p->edges; edge++)
        p->bounds[p->left[edge] + 1]++;
    for (uint64_t i = 1; i < p->bound_count; i++)
        p->bounds[i] += p->bounds[i - 1];
    for (uint64_t edge = 0; edge < p->edges; edge++) {
        p->place[edge] = p->bounds[p->left[edge]]++;
        p->sorted[p->place[edge]] = edge;
    }
    for (uint64_t i = p->bound_count; i-- > 1;)
        p->bounds[i] = p->bounds[i - 1];
    if (p->bound_count)
        p->bounds[0] = 0;
    return HEDDLE_OK;
}

/* One triangle less: the edge changes places with the first that had as many, which is then the last that has less. */
static void lower(peeling *p, uint64_t edge) {
    uint64_t *bound = &p->bounds[p->left[edge]--], first = p->sorted[*bound];
    p->sorted[p->place[edge]] = first;
    p->place[first] = p->place[edge];
    p->sorted[*bound] = edge;
    p->place[edge] = (*bound)++;
}

static heddle_status peel(peeling *p) {
    uint64_t x, y;
    for (uint64_t i = 0; i < p->edges; i++) {
        uint64_t edge = p->sorted[i];
        if (i % STEP == 0 && hd_advance(p->ctx, STEP))
            return hd_cancelled_status(p->ctx);
        for (uint64_t at = 0; next_triangle(p, edge, &at, &x, &y);) {
            if (p->place[x] < i || p->place[y] < i)
                continue;
            if (p->left[x] > p->left[edge])
                lower(p, x);
            if (p->left[y] > p->left[edge])
                lower(p, y);
        }
    }
    return HEDDLE_OK;
}

static heddle_status open_peeling(peeling *p, const heddle_graph *graph, heddle_result *result) {
    HD_TRY(hd_neighbours_open(p->ctx, graph, &p->all));
    uint64_t n = p->all.vertices, entries = p->all.offsets[n];
    HD_TRY(HD_NEW(p->ctx, &p->row, entries, "rows"));
    HD_TRY(HD_NEW(p->ctx, &p->edge, entries, "edges of rows"));
    HD_TRY(HD_NEW(p->ctx, &p->next, n, "places in rows"));
    HD_TRY(HD_NEW(p->ctx, &p->sorted, entries / 2, "edges by triangles"));
    HD_TRY(HD_NEW(p->ctx, &p->place, entries / 2, "edges by triangles"));
    HD_TRY(hd_result_edges_new(p->ctx, result, entries / 2, HEDDLE_WEIGHT_U32));
    p->ends = result->forest_ends;
    p->left = result->forest_weights;
    for (uint64_t edge = 0; edge < entries / 2; edge++)
        p->left[edge] = 0;
    sort_rows(p);
    return HEDDLE_OK;
}

static void close_peeling(peeling *p) {
    const heddle_allocator *allocator = &p->ctx->allocator;
    uint64_t n = p->all.vertices, entries = p->all.offsets ? p->all.offsets[n] : 0;
    HD_DELETE(allocator, p->row, entries);
    HD_DELETE(allocator, p->edge, entries);
    HD_DELETE(allocator, p->next, n);
    HD_DELETE(allocator, p->sorted, entries / 2);
    HD_DELETE(allocator, p->place, entries / 2);
    HD_DELETE(allocator, p->bounds, p->bound_count);
    hd_neighbours_close(p->ctx, &p->all);
}

heddle_status hd_reference_truss(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 heddle_result *result) {
    peeling p = {.ctx = ctx};
    uint64_t most = 0, inside = 0;
    heddle_status status;
    (void)options;
    hd_phase_begin(ctx, "reference", 0);
    HD_CHECK(open_peeling(&p, graph, result));
    HD_CHECK(count_triangles(&p));
    HD_CHECK(sort_edges(&p));
    HD_CHECK(peel(&p));
    for (uint64_t edge = 0; edge < p.edges; edge++) {
        p.left[edge] += 2;
        inside = p.left[edge] > most ? 0 : inside;
        most = p.left[edge] > most ? p.left[edge] : most;
        inside += p.left[edge] == most;
    }
    hd_result_figure_whole(result, "max", most);
    hd_result_figure_whole(result, "innermost", inside);
out:
    hd_phase_end(ctx);
    close_peeling(&p);
    return status;
}

heddle_status hd_verify_truss(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    return hd_compare_reference(ctx, graph, options, result, hd_reference_truss, "", "truss number");
}
