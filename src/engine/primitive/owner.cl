/* owner.cl - one list of entries made of the rows of a warp's lanes, of which each lane takes every 32nd: lanes are
 * equally busy whatever the lengths of rows. Other kernel texts include it. */

/* Given how many entries each lane has together with the lanes below, the lane from `lane` on whose entry number k is.
 */
INLINE u32 hd_owner(LOCAL const u32 *upto, u32 lane, u32 k) {
    u32 high = HD_WARP - 1;
    while (lane < high) {
        u32 middle = (lane + high) / 2;
        if (upto[middle] > k)
            high = middle;
        else
            lane = middle + 1;
    }
    return lane;
}
