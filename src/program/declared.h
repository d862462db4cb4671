/* declared.h - the declarations of a vertex program, as bits beside its traits. Stands behind the program, on every
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

/* The change of an output that ends or breaks off a run: at most the tolerance in the last round of a program with
 * HD_BY_TOLERANCE, infinite for a number that is not legal there. `largest` is the largest finite magnitude of the
 * outputs after the round before, 0 in the first. */
PROGRAM f64 hd_moved(int real_output, f64 before, f64 after, f64 largest) {
    f64 low = before < 0 ? -before : before, high = after < 0 ? -after : after, moved = after - before;
    if (!real_output || after == before)
        return 0;
    if (after != after)
        return (f64)INFINITE;
    if (!HD_BY_TOLERANCE(HD_DECLARED, 1))
        return 0;
    if (!(high < (f64)INFINITE))
        return (f64)INFINITE;
    if (!(low < (f64)INFINITE))
        return (f64)1e30f;
    moved = moved < 0 ? -moved : moved;
    if ((HD_DECLARED)&HD_ABSOLUTE)
        return moved;
    high = MAXIMUM(high, low);
    largest *= (f64)HD_SMALL_SHARE;
    return moved / MAXIMUM(high, largest);
}
/* `largest` with one more output. */
PROGRAM f64 hd_magnitude(f64 after, f64 largest) {
    after = after < 0 ? -after : after;
    return after > largest && after < (f64)INFINITE ? after : largest;
}
