/* label_rank.h - which of several equally frequent labels a vertex takes by chance: the one of smallest rank, its own
 * if that is among them. Kernels and host read it: preprocessor only. The macros' arguments are 32-bit words without
 * side effects. */
#ifndef HD_ENGINE_LABEL_RANK_H
#define HD_ENGINE_LABEL_RANK_H

/* A bijection of 32-bit words: two rounds of a multiplication by an odd number and a shift. */
#define HD_SCRAMBLE_ONCE(word) ((word)*0x9e3779b1u ^ ((word)*0x9e3779b1u) >> 16)
#define HD_SCRAMBLE(word) HD_SCRAMBLE_ONCE(HD_SCRAMBLE_ONCE(word))

/* Different labels have different ranks, `own` has 0. */
#define HD_LABEL_RANK(label, own, salt) (HD_SCRAMBLE((label) ^ (salt)) ^ HD_SCRAMBLE((own) ^ (salt)))
/* Every vertex has an order of its own. */
#define HD_LABEL_SALT(vertex, seed) HD_SCRAMBLE((vertex) + (seed))

#endif
