/* bfs_order_state.h - contents of `words` while a breadth-first order is made. Kernels, host and the tests' fake
 * drivers read it: enumerations and preprocessor only. */
#ifndef HD_ENGINE_PRIMITIVE_BFS_ORDER_STATE_H
#define HD_ENGINE_PRIMITIVE_BFS_ORDER_STATE_H

enum { SEARCH_FROM, SEARCH_TO, SEARCH_DEPTH, SEARCH_LONGS, SEARCH_ISOLATED, SEARCH_WORDS };

#endif
