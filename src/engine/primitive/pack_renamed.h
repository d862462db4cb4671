/* pack_renamed.h - rows packed on a device (graph/pack.h), their targets renamed.
 *
 * Rows are sorted again under the new names. If vertices that many rows point to have names close to each other, this
 * leaves small differences. Rows pass through the device in pieces, of as many edges as its memory holds: where a piece
 * begins in the midst of a row, that row's names ascend anew. The output is in host memory.
 */
#ifndef HD_ENGINE_PRIMITIVE_PACK_RENAMED_H
#define HD_ENGINE_PRIMITIVE_PACK_RENAMED_H

#include "engine/device/resident.h"

typedef struct hd_pack_renaming {
    hd_device *device;
    const heddle_adjacency *rows; /* on the host */
    uint64_t vertices;
    uint32_t blocks;                  /* of a chunk */
    const hd_buffer *offsets, *names; /* on the device: of the rows; the new name of each vertex */
    bool wide;                        /* the offsets there are of 64 bits */
} hd_pack_renaming;

typedef struct hd_packed_piece {
    uint32_t *words;
    uint64_t count;
} hd_packed_piece;

typedef struct hd_packed_pieces {
    uint32_t *starts; /* chunks + 1, over all pieces, as of hd_packed */
    hd_packed_piece *piece;
    uint64_t chunks, count, words; /* pieces, words of all of them */
} hd_packed_pieces;

/* Whether the memory that is free on the device holds the names, which are not there yet, and enough edges at a time:
 * otherwise the other function must not be called. */
heddle_status hd_pack_renamed_fits(const hd_pack_renaming *what, bool *fits);
/* HEDDLE_E_LIMIT beyond 64 GiB of packed rows. */
heddle_status hd_pack_renamed(const hd_pack_renaming *what, heddle_report *report, hd_packed_pieces *pieces);
void hd_packed_pieces_free(heddle_context *ctx, hd_packed_pieces *pieces); /* if zeroed: does nothing */

#endif
