/* facts.cl - what the host must know of a program, told by the program itself: sizes, traits, names of parameters.
 * Stands behind the program; one lane writes. */
#ifndef TRAITS
#define TRAITS 0
#endif
#ifndef PARAMETERS
#define PARAMETERS ""
#endif
#ifdef OUTPUT
typedef OUTPUT hd_output;
#define HD_HAS_OUTPUT 1
#else
typedef VALUE hd_output; /* where it is no number, what follows does not compile: define OUTPUT */
#define HD_HAS_OUTPUT 0
#endif
#ifdef WEIGHT
#define HD_WEIGHTED 1
#else
#define HD_WEIGHTED 0
#endif

HD_CONSTANT_DATA char hd_parameters[] = PARAMETERS;

/* facts[10] is how many characters follow behind facts[11], one a word. */
KERNEL hd_facts(GLOBAL u32 *facts) {
    if (HD_GROUP_LANE != 0 || HD_GROUP_INDEX != 0)
        return;
    facts[0] = (u32)sizeof(VALUE);
    facts[1] = (u32)sizeof(MESSAGE);
    facts[2] = TRAITS;
    facts[3] = HD_WEIGHTED;
    facts[4] = HD_HAS_OUTPUT;
    facts[5] = (u32)sizeof(hd_output);
    facts[6] = (hd_output)0.5f != 0; /* a real number */
    facts[7] = (hd_output)-1 < 0;    /* one that may be negative */
#ifdef DUMB_WEIGHT
    facts[8] = 1;
    facts[9] = hd_f32_bits((f32)(DUMB_WEIGHT));
#else
    facts[8] = 0;
    facts[9] = 0;
#endif
    facts[10] = (u32)sizeof(hd_parameters);
#ifdef UNREACHED
    facts[11] = 1;
#else
    facts[11] = 0;
#endif
    for (u32 i = 0; i < sizeof(hd_parameters) && i < HD_ROOM; i++)
        facts[12 + i] = (u32)(unsigned char)hd_parameters[i];
}
