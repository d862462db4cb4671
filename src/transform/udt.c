/* udt.c - uniform-degree tree. Tigr's Algorithm 1 keeps a queue of items to connect, initially the d edges: while it
 * holds more than K items, a new node takes K from its front and is appended. So node j takes the queue positions j K
 * .. j K + K - 1, where position p is edge p, or node p - d after the d edges, and the original takes the rest: it
 * alone can have fewer than K. Each node shortens the queue by K - 1, hence there are ceil((d - K) / (K - 1)) of them,
 * and K = 1 never ends. */
#include "transform/family.h"

static void shape(hd_family *f) {
    uint64_t end = 0;
    f->nodes = f->links = hd_pieces(f->degree - f->K, f->K - 1);
    for (f->levels = 0; end < f->nodes; f->ends[f->levels++] = end) {
        end = (f->degree + end) / f->K; /* nodes whose last position comes before those of this level's nodes */
        end = end < f->nodes ? end : f->nodes;
    }
    f->hops = f->height = f->levels;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    uint64_t whole = f->degree + f->nodes, from = node * f->K, to = whole - from < f->K ? whole : from + f->K;
    uint64_t d = f->degree;
    return (hd_family_row){.edge = from < d ? from : d,
                           .edge_end = to < d ? to : d,
                           .node = from > d ? from - d : 0,
                           .node_end = to > d ? to - d : 0,
                           .skip = UINT64_MAX};
}

const hd_transform hd_transform_udt = {
    .info = {"udt", "a tree of vertices of exactly K edges, but for its root (uniform-degree tree)"},
    .tree = true,
    .least = 2,
    .shape = shape,
    .row = row,
};
