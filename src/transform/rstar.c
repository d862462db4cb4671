/* rstar.c - the star applied recursively to its own hub until the hub has at most K edges: up to one vertex with fewer
 * than K edges on every level, where udt has one in all. K = 1 would never end. */
#include "transform/family.h"

static void shape(hd_family *f) {
    f->nodes = 0;
    f->levels = 0;
    for (uint64_t width = f->degree; width > f->K;) {
        width = hd_pieces(width, f->K);
        f->nodes += width;
        f->ends[f->levels++] = f->nodes;
    }
    f->links = f->nodes;
    f->hops = f->height = f->levels;
}

static hd_family_row row(const hd_family *f, uint64_t node) {
    hd_family_row r = {.skip = UINT64_MAX};
    uint32_t level = 0;
    while (level < f->levels && node >= f->ends[level])
        level++;
    uint64_t start = level ? f->ends[level - 1] : 0, below = level > 1 ? f->ends[level - 2] : 0;
    uint64_t width = level ? start - below : f->degree, place = level == f->levels ? 0 : node - start;
    uint64_t end = level == f->levels ? width : hd_piece_end(width, f->K, place);
    if (level) {
        r.node = below + place * f->K;
        r.node_end = below + end;
    } else {
        r.edge = place * f->K;
        r.edge_end = end;
    }
    return r;
}

const hd_transform hd_transform_rstar = {
    .info = {"rstar", "stars of stars, until no hub has more than K edges"},
    .tree = true,
    .least = 2,
    .shape = shape,
    .row = row,
};
