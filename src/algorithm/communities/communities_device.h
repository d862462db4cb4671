/* communities_device.h - louvain and leiden on a device: what communities_device.c (levels), communities_move.c (moving
 * and refining) and communities_merge.c (the next level) share.
 *
 * Sums are made of whole numbers (communities.h), so that results are the same in every run and on every device; they
 * are not those of the CPU, which has more classes, and blocks of vertices. */
#ifndef HD_ALGORITHM_COMMUNITIES_COMMUNITIES_DEVICE_H
#define HD_ALGORITHM_COMMUNITIES_COMMUNITIES_DEVICE_H

#include "algorithm/communities/communities.h"
#include "algorithm/communities/communities_state.h"
#include "algorithm/structure/structure_device.h"
#include "engine/primitive/sort.h"

/* The kernels: HD_C_SHORT is move_short … */
#define HD_COMMUNITY_KERNELS(X)   \
    X(SELECT, "move_select")      \
    X(SHORT, "move_short")        \
    X(CLEAR, "move_clear")        \
    X(ADD, "move_add")            \
    X(FIND, "move_find")          \
    X(JOIN, "move_join")          \
    X(APPLY, "move_apply")        \
    X(MARK, "move_mark")          \
    X(INSIDE, "move_inside")      \
    X(SQUARES, "move_squares")    \
    X(LIST, "move_list")          \
    X(ENDS, "move_ends")          \
    X(TOTALS, "move_totals")      \
    X(IDENTITY, "move_identity")  \
    X(COPY, "move_copy")          \
    X(INWARD, "refine_inward")    \
    X(START, "refine_start")      \
    X(ALONE, "refine_ends")       \
    X(ATTACH, "refine_apply")     \
    X(FLAG, "merge_flag")         \
    X(NUMBER, "merge_number")     \
    X(PARTS, "merge_parts")       \
    X(MEMBER, "merge_member")     \
    X(BOUNDS, "merge_bounds")     \
    X(SLOTS, "merge_slots")       \
    X(ROWS, "merge_rows")         \
    X(COUNT, "merge_count")       \
    X(OFFSETS, "merge_offsets")   \
    X(WRITE, "merge_write")       \
    X(SMALLEST, "merge_smallest") \
    X(NAME, "merge_name")         \
    X(PIECES, "merge_pieces")     \
    X(FLATTEN, "set_flatten")
#define HD_COMMUNITY_ENUM(name, text) HD_C_##name,
enum { HD_COMMUNITY_KERNELS(HD_COMMUNITY_ENUM) HD_C_KERNELS };
extern const char *const hd_community_kernels[HD_C_KERNELS];

/* Rows of a level. */
typedef struct hd_rows_there {
    uint64_t entries;
    uint32_t n, even; /* even: all weights are scale.unit */
    hd_buffer offsets, targets, weights, own, ends;
} hd_rows_there;

typedef struct hd_community_run {
    const hd_run *run;
    bool refine;
    hd_structure s;
    void *kernel[HD_C_KERNELS];
    hd_sorter sums;
    uint64_t bytes, most; /* in buffers, now and at most */
    hd_rows_there first, later[2];
    const hd_rows_there *rows; /* of this level: one of those */
    uint32_t longs, pieces;    /* its long rows */
    hd_buffer list_rows, list, found;
    hd_buffer keys, values; /* tables, of long rows or of communities */
    /* Per vertex of the first level, used by all: */
    hd_buffer member, part, next, best, size, marks, gone, chosen, total;
    hd_buffer inner, inward; /* refine */
    hd_buffer flags, places; /* one more, and for pieces of tables */
    hd_buffer numbers_there, strips_there, tail;
    uint64_t numbers[MOVE_NUMBERS], own, levels; /* own: loops, of 2m */
    double *strips;
    hd_whole_scale scale;
    double all, least; /* of whole numbers */
} hd_community_run;

/* A lane for each item. */
#define HD_C_LAUNCH(r, which, items, ...)                                                     \
    HD_LAUNCH(&(r)->s.kernels, (r)->kernel[HD_C_##which], hd_community_kernels[HD_C_##which], \
              hd_kernels_groups(&(r)->s.kernels, items), __VA_ARGS__)
/* Arguments that several kernels begin with. */
#define HD_C_ROWS(r)                                                                \
    HD_ARGUMENT_BUFFER((r)->rows->offsets), HD_ARGUMENT_BUFFER((r)->rows->targets), \
        HD_ARGUMENT_BUFFER((r)->rows->weights), HD_ARGUMENT_VALUE((r)->scale.unit), HD_ARGUMENT_VALUE((r)->rows->even)
#define HD_C_LONG(r) HD_ARGUMENT_VALUE((r)->pieces), HD_ARGUMENT_BUFFER((r)->list), HD_ARGUMENT_BUFFER((r)->list_rows)

/* Gives the buffer at least so many bytes; what was in it is lost if it grows. Without a device bytes are counted. */
heddle_status hd_community_room(hd_community_run *r, uint64_t bytes, const char *what, hd_buffer *buffer);
heddle_status hd_community_rows_room(hd_community_run *r, uint32_t n, uint64_t entries, bool even, hd_rows_there *rows);
/* A warp for each short row and each piece of a long one, in lanes. */
static inline uint64_t hd_community_lanes(const hd_community_run *r) {
    return ((uint64_t)r->rows->n + r->pieces) * r->s.device->info.warp;
}

/* Lists the long rows of r->rows, and makes room for their tables. */
heddle_status hd_community_list(hd_community_run *r);
/* Room for the lists that it makes, of rows with so many entries, and for the choices of their pieces. */
heddle_status hd_community_list_room(hd_community_run *r, uint64_t entries, uint64_t pieces);
/* Ends and sizes of the communities in r->part. */
heddle_status hd_community_totals(hd_community_run *r, const hd_buffer *part);
/* The modularity of these communities without what loops add. */
heddle_status hd_community_measure(hd_community_run *r, const hd_buffer *part, double *modularity);
/* Changes r->part; `moved`: the number of moves. */
heddle_status hd_community_move(hd_community_run *r, uint64_t *moved);
/* Fills r->inner: parts of the communities in r->part. */
heddle_status hd_community_refine(hd_community_run *r);
/* r->rows becomes the graph of communities or their parts, r->part the communities in which these begin. `merged`:
 * false if that is the same graph; r->part is still changed to numbers from 0. */
heddle_status hd_community_merge(hd_community_run *r, bool *merged);

#endif
