/* triangles_state.h - numbers that kernels and host share: enumerations and preprocessor only. */
#ifndef HD_ALGORITHM_TRIANGLES_TRIANGLES_STATE_H
#define HD_ALGORITHM_TRIANGLES_TRIANGLES_STATE_H

enum { TC_PIECE = 256 /* arcs that a warp orients at once: a multiple of a warp's lanes */ };

#endif
