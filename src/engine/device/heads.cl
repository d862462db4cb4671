/* heads.cl - where the heads of a vertex (graph/heads.h) are: by a table of three words for 32 vertices, which kernels
 * that take neighbouring vertices read together. HD_HEADS: the most that a vertex has, HD_MOST_HEADS or fewer. */
#if HD_HEADS
/* Returns the place of the first in `heads`; *count: how many there are. */
INLINE u32 hd_heads_at(GLOBAL const u32 *heads, u32 v, u32 *count) {
    GLOBAL const u32 *entry = heads + v / 32 * 3;
    u32 at = hd_constant(entry), low = hd_constant(entry + 1), high = hd_constant(entry + 2);
    u32 one = low & ~high, two = high & ~low, many = low & high, before = (1u << v % 32) - 1;
    u32 of_two = HD_HEADS < 2u ? HD_HEADS : 2u;
    *count = many >> v % 32 & 1 ? HD_HEADS : two >> v % 32 & 1 ? of_two : one >> v % 32 & 1;
    return at + hd_popcount(one & before) + of_two * hd_popcount(two & before) + HD_HEADS * hd_popcount(many & before);
}
#endif
