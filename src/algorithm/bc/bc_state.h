/* bc_state.h - what `words` hold in betweenness on devices. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_BC_BC_STATE_H
#define HD_ALGORITHM_BC_BC_STATE_H

#define BC_NEAR 64u /* levels that a group counts for itself */

/* From one source, by levels. */
enum {
    BC_LEVELS,
    BC_BITS, /* of the largest count that is possible, at most */
    BC_BIGS,
    BC_PARTS,
    BC_BARRIER,
    BC_MOST,       /* edges of a vertex that was reached */
    BC_HEAVY = 16, /* for each of the first BC_NEAR levels, its edges in units of BC_UNIT */
    BC_WORDS = BC_HEAVY + BC_NEAR
};
/* On a split graph. */
enum { BCS_LEVELS, BCS_EXCESS, BCS_WORDS = 4 };

#endif
