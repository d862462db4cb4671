/* cliq.c - a clique: the original and ceil(d / K) - 1 new vertices hold K edges each and one to every other. One hop
 * between any two, at the price of quadratically many new edges. */
#include "transform/family.h"

static void shape(hd_family *f) {
    uint64_t members = hd_pieces(f->degree, f->K);
    f->nodes = members - 1;
    f->links = members * f->nodes;
    f->levels = 1;
    f->hops = f->height = 1;
    f->ends[0] = f->nodes;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    bool original = node == f->nodes;
    uint64_t piece = original ? 0 : node + 1;
    return (hd_family_row){.edge = piece * f->K,
                           .edge_end = hd_piece_end(f->degree, f->K, piece),
                           .node_end = f->nodes,
                           .skip = original ? UINT64_MAX : node,
                           .to_original = !original};
}

const hd_transform hd_transform_cliq = {
    .info = {"cliq", "a vertex becomes a clique of vertices of K edges each: one hop, edges by the square"},
    .least = 1,
    .shape = shape,
    .row = row,
};
