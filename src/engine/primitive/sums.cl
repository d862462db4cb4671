/* sums.cl - prefix sums of an array of words, in two kernels, a warp for each part of the array. Other kernel texts
 * include it; the host calls hd_sort_sums (sort.h). */

/* The sum over the warp's lanes. */
INLINE hd_offset hd_total(LOCAL hd_offset *scratch, hd_offset mine) {
    hd_offset total = 0;
    hd_warp_barrier();
    scratch[HD_LANE] = mine;
    hd_warp_barrier();
    for (u32 i = 0; i < HD_WARP; i++)
        total += scratch[i];
    return total;
}

/* First kernel: the sum of each part. */
KERNEL hd_sort_sum(u64 count, u32 length, u32 parts, GLOBAL const u32 *counts, GLOBAL hd_offset *sums) {
    SHARED hd_offset scratch[HD_WARPS * HD_WARP];
    for (u64 part = HD_WARP_INDEX; part < parts; part += HD_WARP_TOTAL) {
        u64 from = part * length, to = count - from < length ? count : from + length;
        hd_offset sum = 0;
        for (u64 i = from + HD_LANE; i < to; i += HD_WARP)
            sum += counts[i];
        sum = hd_total(&scratch[HD_WARP_HERE * HD_WARP], sum);
        if (HD_LANE == 0)
            sums[part] = sum;
    }
}

/* Second kernel: the sum of all words below each one. */
KERNEL hd_sort_spread(u64 count, u32 length, u32 parts, GLOBAL const u32 *counts, GLOBAL const hd_offset *sums,
                      GLOBAL hd_offset *places) {
    SHARED hd_offset scratch[HD_WARPS * HD_WARP];
    SHARED u32 scan[HD_WARPS * HD_SCRATCH];
    for (u64 part = HD_WARP_INDEX; part < parts; part += HD_WARP_TOTAL) {
        u64 from = part * length, to = count - from < length ? count : from + length;
        hd_offset place = 0;
        for (u64 i = HD_LANE; i < part; i += HD_WARP)
            place += sums[i];
        place = hd_total(&scratch[HD_WARP_HERE * HD_WARP], place);
        for (u64 base = from; base < to; base += HD_WARP) {
            u64 i = base + HD_LANE;
            u32 total, mine = i < to ? counts[i] : 0, below = hd_scan(&scan[HD_WARP_HERE * HD_SCRATCH], mine, &total);
            if (i < to)
                places[i] = place + below;
            place += total;
        }
    }
}
