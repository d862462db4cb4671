/* bc_state.h - contents of `words` in betweenness on devices. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_BC_BC_STATE_H
#define HD_ALGORITHM_BC_BC_STATE_H

#define BC_NEAR 64u /* levels that each group counts by itself */

/* From one source, by levels. */
enum {
    BC_LEVELS,
    BC_BITS, /* upper bound of the bits of a path count */
    BC_BIGS,
    BC_PARTS,
    BC_BARRIER,
    BC_MOST,       /* largest degree of a reached vertex */
    BC_HEAVY = 16, /* for each of the first BC_NEAR levels, its edges in units of BC_UNIT */
    BC_WORDS = BC_HEAVY + BC_NEAR
};
/* On a split graph. */
enum { BCS_LEVELS, BCS_EXCESS, BCS_ENTRIES /* in the list of a stage */, BCS_WORDS = 4 };

#endif
