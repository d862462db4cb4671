/* declared.h - what a vertex program has declared, as bits beside its traits. Stands behind the program, on every
 * target: whatever a program uses beyond the common words it declares by a macro, and engines ask the bits. A function
 * whose macro is missing would never be called: a constant of its name lets the compiler refuse it. */
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
#ifdef TOTALS
#define HD_DECLARED_TOTALS ((TOTALS) << HD_TOTALS_AT)
#if (TOTALS) <= 0 || (TOTALS) > 255
#error "TOTALS: expected ADDED(i), LARGEST(i) and SMALLEST(i), joined with |, i from 0 to 3"
#endif
#else
#define HD_DECLARED_TOTALS 0
enum { contribute };
#endif
#ifdef DONE
#define HD_DECLARED_DONE HD_HAS_DONE
#else
#define HD_DECLARED_DONE 0
enum { done };
#endif
#ifdef FIRST_PHASE
#define HD_DECLARED_PHASES HD_HAS_PHASES
#else
#define HD_DECLARED_PHASES 0
enum { next_phase };
#endif
#define HD_DECLARED \
    ((TRAITS) | HD_DECLARED_EDGE | HD_DECLARED_RUN | HD_DECLARED_TOTALS | HD_DECLARED_DONE | HD_DECLARED_PHASES)
