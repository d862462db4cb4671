/* row_sums.c - see row_sums.h. */
#include "algorithm/power/row_sums.h"

#include "algorithm/power/row_sums_state.h"

enum {
    LONG = 2048,     /* SUM_LONG of row_sums.cl */
    UNIT_GROUPS = 32 /* groups per multiprocessor: several times the resident ones, for balance */
};
enum { FIND, PIECES, JOIN, SUMS };
static const char *const names[HD_ROW_SUMS_KERNELS] = {"row_long", "row_pieces", "row_join", "row_sums"};

heddle_status hd_row_sums_buffers(hd_row_sums *sums, hd_structure *s, uint32_t columns) {
    uint64_t rows = s->graph->edges / LONG + 1, pieces = 2 * rows; /* upper bounds */
    *sums = (hd_row_sums){.s = s, .columns = columns};
    HD_TRY(hd_structure_buffer(s, SUM_COUNTS * 4, "numbers of long rows", &sums->counts));
    HD_TRY(hd_structure_buffer(s, rows * 12, "long rows", &sums->long_rows));
    HD_TRY(hd_structure_buffer(s, pieces * 8, "pieces of rows", &sums->pieces));
    return hd_structure_buffer(s, pieces * 8 * columns, "sums of pieces", &sums->parts);
}

heddle_status hd_row_sums_open(hd_row_sums *sums, const hd_resident_rows *rows) {
    hd_structure *s = sums->s;
    uint32_t n = (uint32_t)s->resident->vertices, counts[SUM_COUNTS];
    sums->rows = rows;
    for (int i = 0; i < HD_ROW_SUMS_KERNELS; i++)
        HD_TRY(hd_kernels_find(&s->kernels, names[i], &sums->kernel[i]));
    HD_TRY(s->device->fill(s->device, &sums->counts, 0, 0, sizeof counts));
    HD_TRY(HD_LAUNCH(&s->kernels, sums->kernel[FIND], names[FIND], hd_kernels_groups(&s->kernels, n),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(rows->offsets), HD_ARGUMENT_BUFFER(sums->counts),
                     HD_ARGUMENT_BUFFER(sums->long_rows), HD_ARGUMENT_BUFFER(sums->pieces)));
    HD_TRY(hd_structure_look(s, &sums->counts, counts, sizeof counts));
    sums->long_count = counts[SUM_LONG_ROWS];
    sums->piece_count = counts[SUM_PIECES];
    return HEDDLE_OK;
}

/* A kernel that reads no weights gets an address all the same. */
static const hd_buffer *weights_of(const hd_row_sums *sums) {
    return sums->rows->weights.handle ? &sums->rows->weights : &sums->rows->targets;
}

static heddle_status queue_long(const hd_row_sums *sums, const hd_buffer *from, const hd_buffer *to,
                                const hd_buffer *terms, const hd_buffer *words) {
    const hd_kernels *kernels = &sums->s->kernels;
    const hd_resident_rows *rows = sums->rows;
    uint64_t lanes = (uint64_t)sums->piece_count * sums->s->device->info.warp;
    HD_TRY(HD_LAUNCH(kernels, sums->kernel[PIECES], names[PIECES], hd_kernels_groups(kernels, lanes),
                     HD_ARGUMENT_VALUE(sums->piece_count), HD_ARGUMENT_BUFFER(rows->offsets),
                     HD_ARGUMENT_BUFFER(rows->targets), HD_ARGUMENT_BUFFER(*weights_of(sums)),
                     HD_ARGUMENT_BUFFER(*from), HD_ARGUMENT_BUFFER(sums->pieces), HD_ARGUMENT_BUFFER(sums->parts),
                     HD_ARGUMENT_BUFFER(*words)));
    return HD_LAUNCH(kernels, sums->kernel[JOIN], names[JOIN],
                     hd_kernels_groups(kernels, (uint64_t)sums->long_count * sums->columns),
                     HD_ARGUMENT_VALUE(sums->long_count), HD_ARGUMENT_BUFFER(sums->long_rows),
                     HD_ARGUMENT_BUFFER(sums->parts), HD_ARGUMENT_BUFFER(*from), HD_ARGUMENT_BUFFER(*to),
                     HD_ARGUMENT_BUFFER(*terms), HD_ARGUMENT_BUFFER(*words));
}

heddle_status hd_row_sums_queue(const hd_row_sums *sums, const hd_buffer *from, const hd_buffer *to,
                                const hd_buffer *terms, const hd_buffer *words) {
    const hd_kernels *kernels = &sums->s->kernels;
    const hd_resident_rows *rows = sums->rows;
    uint32_t n = (uint32_t)sums->s->resident->vertices;
    uint64_t groups = (uint64_t)n * sums->columns / kernels->lanes + 1;
    uint64_t most = (uint64_t)sums->s->device->info.units * UNIT_GROUPS;
    if (sums->long_count)
        HD_TRY(queue_long(sums, from, to, terms, words));
    return HD_LAUNCH(kernels, sums->kernel[SUMS], names[SUMS], (uint32_t)(groups < most ? groups : most),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_BUFFER(rows->offsets), HD_ARGUMENT_BUFFER(rows->targets),
                     HD_ARGUMENT_BUFFER(*weights_of(sums)), HD_ARGUMENT_BUFFER(*from), HD_ARGUMENT_BUFFER(*to),
                     HD_ARGUMENT_BUFFER(*terms), HD_ARGUMENT_BUFFER(*words));
}
