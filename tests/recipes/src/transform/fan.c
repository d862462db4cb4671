/* fan.c - a toy: the original is the hub of new vertices of at most half K edges. */
#include "transform/family.h"

static uint64_t piece(const hd_family *f) { return (f->K + 1) / 2; }

static void shape(hd_family *f) {
    f->nodes = f->links = hd_pieces(f->degree, piece(f));
    f->levels = 1;
    f->hops = f->height = 1;
    f->ends[0] = f->nodes;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    hd_family_row r = {.skip = UINT64_MAX};
    if (node == f->nodes) {
        r.node_end = f->nodes;
    } else {
        r.edge = node * piece(f);
        r.edge_end = hd_piece_end(f->degree, piece(f), node);
    }
    return r;
}

const hd_transform hd_transform_fan = {
    .info = {"fan", "a hub over vertices of at most half K edges"},
    .tree = true,
    .least = 1,
    .shape = shape,
    .row = row,
};
