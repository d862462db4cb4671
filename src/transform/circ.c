/* circ.c - a ring: the original and ceil(d / K) - 1 new vertices hold K edges each and one to the next. Edges of the
 * other direction are spread over the family, which is why the ring must be closed. */
#include "transform/family.h"

static void shape(hd_family *f) {
    f->links = hd_pieces(f->degree, f->K);
    f->nodes = f->links - 1;
    f->levels = 1;
    f->hops = f->links / 2;
    f->height = f->nodes;
    f->ends[0] = f->nodes;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    uint64_t piece = node == f->nodes ? 0 : node + 1;
    hd_family_row r = {.edge = piece * f->K, .edge_end = hd_piece_end(f->degree, f->K, piece), .skip = UINT64_MAX};
    if (piece < f->nodes) {
        r.node = piece;
        r.node_end = piece + 1;
    } else {
        r.to_original = true;
    }
    return r;
}

const hd_transform hd_transform_circ = {
    .info = {"circ", "a ring of vertices of K edges each: least space, many hops"},
    .least = 1,
    .shape = shape,
    .row = row,
};
