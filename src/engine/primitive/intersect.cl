/* intersect.cl - row intersection on a device: a warp looks up the entries of the shorter of two ascending rows in the
 * longer one, by binary search. */

/* Where the row has the entry; count: it has not. */
INLINE hd_offset hd_row_find(GLOBAL const u32 *row, hd_offset count, u32 entry) {
    hd_offset low = 0, high = count;
    while (low < high) {
        hd_offset middle = low + (high - low) / 2;
        if (row[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && row[low] == entry ? low : count;
}

/* A 64-bit counter as two words: not all devices have atomics of 64 bits. */
INLINE void hd_count64(GLOBAL u32 *words, u64 index, u32 more) {
    u32 before = hd_add32(&words[2 * index], more);
    if (before + more < before)
        hd_add32(&words[2 * index + 1], 1);
}

/* The same for more than a word. */
INLINE void hd_add_wide(GLOBAL u32 *words, u64 index, u64 more) {
    u32 low = (u32)more, high = (u32)(more >> 32), before = hd_add32(&words[2 * index], low);
    high += before + low < before;
    if (high)
        hd_add32(&words[2 * index + 1], high);
}

/* The number of common entries, for all lanes of a warp, which call it together; each is counted in `counts`. */
INLINE u32 hd_row_meet(LOCAL u32 *scratch, GLOBAL const u32 *a, u32 a_count, GLOBAL const u32 *b, u32 b_count,
                       GLOBAL u32 *counts) {
    GLOBAL const u32 *needles = a_count < b_count ? a : b;
    GLOBAL const u32 *hay = a_count < b_count ? b : a;
    u32 few = a_count < b_count ? a_count : b_count, many = a_count < b_count ? b_count : a_count, sum = 0;
    for (u32 first = 0; first < few; first += HD_WARP) {
        u32 i = first + HD_LANE, here = 0;
        int found = i < few && hd_row_find(hay, many, needles[i < few ? i : 0]) < many;
        if (found)
            hd_count64(counts, needles[i], 1);
        hd_rank(scratch, found, &here);
        sum += here;
    }
    return sum;
}

/* Sums over common entries of their weights in either row. */
typedef struct hd_meeting {
    u32 a, b;
} hd_meeting;

/* The same for rows whose entries have weights of 1 or 2; each common entry is counted as `each`. */
INLINE hd_meeting hd_row_meet_twice(LOCAL u32 *scratch, GLOBAL const u32 *a, GLOBAL const u32 *a_weights, u32 a_count,
                                    GLOBAL const u32 *b, GLOBAL const u32 *b_weights, u32 b_count, u32 each,
                                    GLOBAL u32 *counts) {
    int turned = a_count >= b_count; /* the needles are those of b */
    GLOBAL const u32 *needles = turned ? b : a, *needle_weights = turned ? b_weights : a_weights;
    GLOBAL const u32 *hay = turned ? a : b, *hay_weights = turned ? a_weights : b_weights;
    u32 few = turned ? b_count : a_count, many = turned ? a_count : b_count, needle_sum = 0, hay_sum = 0;
    hd_meeting met;
    for (u32 first = 0; first < few; first += HD_WARP) {
        u32 i = first + HD_LANE, here = 0, needles_twice = 0, hay_twice = 0;
        u32 at = i < few ? hd_row_find(hay, many, needles[i < few ? i : 0]) : many;
        int found = at < many;
        if (found)
            hd_count64(counts, needles[i], each);
        hd_rank(scratch, found, &here);
        hd_rank(scratch, found && needle_weights[found ? i : 0] == 2, &needles_twice);
        hd_rank(scratch, found && hay_weights[found ? at : 0] == 2, &hay_twice);
        needle_sum += here + needles_twice;
        hay_sum += here + hay_twice;
    }
    met.a = turned ? hay_sum : needle_sum;
    met.b = turned ? needle_sum : hay_sum;
    return met;
}
