/* intersect.cl - row intersection on a device: a warp looks up the entries of the shorter of two ascending rows in the
 * longer one, by binary search. */

/* Whether the row has the entry. */
INLINE int hd_row_has(GLOBAL const u32 *row, u32 count, u32 entry) {
    u32 low = 0, high = count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (row[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && row[low] == entry;
}

/* A 64-bit counter as two words: not all devices have atomics of 64 bits. */
INLINE void hd_count64(GLOBAL u32 *words, u64 index, u32 more) {
    u32 before = hd_add32(&words[2 * index], more);
    if (before + more < before)
        hd_add32(&words[2 * index + 1], 1);
}

/* The number of common entries, for all lanes of a warp, which call it together; each is counted in `counts`. */
INLINE u32 hd_row_meet(LOCAL u32 *scratch, GLOBAL const u32 *a, u32 a_count, GLOBAL const u32 *b, u32 b_count,
                       GLOBAL u32 *counts) {
    GLOBAL const u32 *needles = a_count < b_count ? a : b;
    GLOBAL const u32 *hay = a_count < b_count ? b : a;
    u32 few = a_count < b_count ? a_count : b_count, many = a_count < b_count ? b_count : a_count, sum = 0;
    for (u32 first = 0; first < few; first += HD_WARP) {
        u32 i = first + HD_LANE, here = 0;
        int found = i < few && hd_row_has(hay, many, needles[i < few ? i : 0]);
        if (found)
            hd_count64(counts, needles[i], 1);
        hd_rank(scratch, found, &here);
        sum += here;
    }
    return sum;
}
