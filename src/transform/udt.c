/* udt.c - uniform-degree tree. Tigr's Algorithm 1 keeps a queue of what is still to be connected, the edges first:
 * while it holds more than K, a new vertex takes K from its front and joins its end. So node j takes the places j K ..
 * j K + K - 1 of the queue, where place p is edge p, or node p - d behind the d edges, and the original takes what is
 * left: it alone can have less than K. Each node shortens the queue by K - 1, hence ceil((d - K) / (K - 1)) of them,
 * and K = 1 never ends. */
#include "transform/family.h"

static void shape(hd_family *f) {
    uint64_t end = 0;
    f->nodes = f->links = hd_pieces(f->degree - f->K, f->K - 1);
    for (f->levels = 0; end < f->nodes; f->ends[f->levels++] = end) {
        end = (f->degree + end) / f->K; /* nodes whose last place comes before the places of this level's nodes */
        end = end < f->nodes ? end : f->nodes;
    }
    f->hops = f->levels;
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

const hd_family_kind hd_family_udt = {"udt", true, 2, shape, row};
