/* declared.h - what a vertex program has declared, as bits beside its traits. Stands behind the program, on every
 * target: whatever a program uses beyond the common words it declares by a macro, and engines ask the bits. */
#ifndef TRAITS
#define TRAITS 0
#endif
#ifdef SEND_EDGE
#define HD_DECLARED_EDGE HD_SENDS_EDGE
#else
#define HD_DECLARED_EDGE 0
#endif
#ifdef SEND_RUN
#define HD_DECLARED_RUN HD_SENDS_RUN
#else
#define HD_DECLARED_RUN 0
#endif
#define HD_DECLARED ((TRAITS) | HD_DECLARED_EDGE | HD_DECLARED_RUN)
