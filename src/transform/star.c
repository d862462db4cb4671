/* star.c - the original is the hub of ceil(d / K) new vertices that hold its edges: one hop, but a hub of that
 * degree. */
#include "transform/family.h"

static void shape(hd_family *f) {
    f->nodes = f->links = hd_pieces(f->degree, f->K);
    f->levels = 1;
    f->hops = f->height = 1;
    f->ends[0] = f->nodes;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    hd_family_row r = {.skip = UINT64_MAX};
    if (node == f->nodes) {
        r.node_end = f->nodes;
    } else {
        r.edge = node * f->K;
        r.edge_end = hd_piece_end(f->degree, f->K, node);
    }
    return r;
}

const hd_transform hd_transform_star = {
    .info = {"star", "a hub over vertices of K edges each: one hop, but the hub may have more than K"},
    .tree = true,
    .least = 1,
    .shape = shape,
    .row = row,
};
