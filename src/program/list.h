/* list.h - the built-in vertex programs: X(name), one file each in this folder. */
#ifndef HD_PROGRAM_LIST_H
#define HD_PROGRAM_LIST_H

#define HD_PROGRAMS(X) X(bfs) X(sssp) X(sswp) X(cc) X(pr) X(hs) X(cs) X(nn)

#endif
