/* intersect.cl - looking up entries of ascending rows on a device, and counters for what is found. */

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

/* Adds to a 64-bit counter of two words: not all devices have atomics of 64 bits. */
INLINE void hd_add_wide(GLOBAL u32 *words, u64 index, u64 more) {
    u32 low = (u32)more, high = (u32)(more >> 32), before = hd_add32(&words[2 * index], low);
    high += before + low < before;
    if (high)
        hd_add32(&words[2 * index + 1], high);
}
