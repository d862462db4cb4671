/* long_rows.cl - lists of very long rows, which several warps share piece by piece. Other kernel texts include it. */

/* Appends row v, of `degree` edges, as a triple (row, first piece, pieces), and its pieces of `size` edges as pairs
 * (row, number). */
INLINE void list_long_row(u32 v, u32 degree, u32 size, GLOBAL u32 *row_count, GLOBAL u32 *piece_count,
                          GLOBAL u32 *long_rows, GLOBAL u32 *pieces) {
    u32 count = degree / size + (degree % size != 0);
    u32 place = hd_add32(row_count, 1), first = hd_add32(piece_count, count);
    long_rows[3 * place] = v;
    long_rows[3 * place + 1] = first;
    long_rows[3 * place + 2] = count;
    for (u32 i = 0; i < count; i++) {
        pieces[2 * ((u64)first + i)] = v;
        pieces[2 * ((u64)first + i) + 1] = i;
    }
}
