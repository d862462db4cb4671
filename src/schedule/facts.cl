/* facts.cl - facts of a program for the host, reported by the program itself: sizes, traits, names of parameters.
 * Stands behind the program; one lane writes. */
#include "schedule/interface.h"

#include "program/declared.h"
#ifndef PARAMETERS
#define PARAMETERS ""
#endif
#ifdef OUTPUT
typedef OUTPUT hd_output;
#define HD_HAS_OUTPUT 1
#else
typedef VALUE hd_output; /* if VALUE is not a number, the casts below do not compile: define OUTPUT */
#define HD_HAS_OUTPUT 0
#endif
#ifdef WEIGHT
typedef WEIGHT hd_weight;
#define HD_WEIGHT_REAL ((hd_weight)0.5f != 0)
#define HD_WEIGHT_SIGNED ((hd_weight)-1 < 0)
#define HD_WEIGHTED                                      \
    (sizeof(hd_weight) == 4   ? (HD_WEIGHT_REAL     ? 3  \
                                 : HD_WEIGHT_SIGNED ? 2  \
                                                    : 1) \
     : sizeof(hd_weight) == 8 ? (HD_WEIGHT_REAL     ? 5  \
                                 : HD_WEIGHT_SIGNED ? 4  \
                                                    : 6) \
                              : 7)
#else
#define HD_WEIGHTED 0
#endif

HD_CONSTANT_DATA char hd_parameters[] = PARAMETERS;

KERNEL hd_facts(GLOBAL u32 *facts) {
    if (HD_GROUP_LANE != 0 || HD_GROUP_INDEX != 0)
        return;
    facts[HD_FACT_VALUE_SIZE] = (u32)sizeof(VALUE);
    facts[HD_FACT_MESSAGE_SIZE] = (u32)sizeof(MESSAGE);
    facts[HD_FACT_TRAITS] = HD_DECLARED;
    facts[HD_FACT_WEIGHTED] = HD_WEIGHTED;
    facts[HD_FACT_HAS_OUTPUT] = HD_HAS_OUTPUT;
    facts[HD_FACT_OUTPUT_SIZE] = (u32)sizeof(hd_output);
    facts[HD_FACT_OUTPUT_REAL] = (hd_output)0.5f != 0; /* whether it is a floating-point type */
    facts[HD_FACT_OUTPUT_SIGNED] = (hd_output)-1 < 0;  /* whether it is signed */
#ifdef DUMB_WEIGHT
    facts[HD_FACT_HAS_DUMB_WEIGHT] = 1;
    facts[HD_FACT_DUMB_WEIGHT] = hd_f32_bits((f32)(DUMB_WEIGHT));
#else
    facts[HD_FACT_HAS_DUMB_WEIGHT] = 0;
    facts[HD_FACT_DUMB_WEIGHT] = 0;
#endif
    facts[HD_FACT_LENGTH] = (u32)sizeof(hd_parameters);
#ifdef UNREACHED
    facts[HD_FACT_UNREACHED] = 1;
#else
    facts[HD_FACT_UNREACHED] = 0;
#endif
    for (u32 i = 0; i < sizeof(hd_parameters) && i < HD_ROOM; i++)
        facts[HD_FACTS + i] = (u32)(unsigned char)hd_parameters[i];
}
