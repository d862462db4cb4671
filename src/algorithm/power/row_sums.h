/* row_sums.h - sums over the rows of a graph on a device (row_sums.cl), for runs of several rounds: very long rows are
 * listed once. */
#ifndef HD_ALGORITHM_POWER_ROW_SUMS_H
#define HD_ALGORITHM_POWER_ROW_SUMS_H

#include "algorithm/structure/structure_device.h"

enum { HD_ROW_SUMS_KERNELS = 4 };

/* The rows of one direction. */
typedef struct hd_row_sums {
    hd_structure *s;
    const hd_resident_rows *rows;
    uint32_t columns;
    uint32_t long_count, piece_count;
    hd_buffer counts, long_rows, pieces, parts;
    void *kernel[HD_ROW_SUMS_KERNELS];
} hd_row_sums;

/* Takes the buffers; where the structure has no device they are only counted. `columns`: numbers per vertex. */
heddle_status hd_row_sums_buffers(hd_row_sums *sums, hd_structure *s, uint32_t columns);
/* Finds the kernels in those of the structure, and lists the long rows. */
heddle_status hd_row_sums_open(hd_row_sums *sums, const hd_resident_rows *rows);
/* to[v] = terms[0] + terms[1] * from[v] + terms[2] * (the sum of `from` over the row of v), unless words[0] is set.
 * `terms` are three doubles. */
heddle_status hd_row_sums_queue(const hd_row_sums *sums, const hd_buffer *from, const hd_buffer *to,
                                const hd_buffer *terms, const hd_buffer *words);

#endif
