/* paths_order.cl - values of a program as words that paths.cl compares: unsigned numbers, the better the less. Whole
 * numbers with a sign get it inverted; the bits of real ones order as numbers once those below 0 are inverted; with
 * LARGEST_FIRST every bit is inverted. -0 is 0. Stands before paths.cl, whose names a program may use as well. */
#undef UNREACHED
#undef LIST
#undef NEAR
#undef SPAN
#undef LONG
#undef LINE
#undef CHUNK
#undef BLOCK
#undef PER
#undef PATHS
#undef DESK
#undef STEP
#define label hd_label
#define paths hd_paths
#define desk hd_desk
#define tally hd_finds
#define offer hd_offer
#define relax hd_relax
#define turn hd_turn_plan
#define decide hd_decide
#define collect hd_collect
#define reserve hd_reserve
#define along hd_along
#define wider hd_wider
#define narrower hd_narrower

#ifdef LABEL_64
typedef u64 hd_word;
#define HD_TOP 0x8000000000000000ul
#define hd_real_bits hd_f64_bits
#define hd_bits_real hd_bits_f64
#define HD_INFINITE_WORD 0xfff0000000000000ul
#else
typedef u32 hd_word;
#define HD_TOP 0x80000000u
#define hd_real_bits hd_f32_bits
#define hd_bits_real hd_bits_f32
#define HD_INFINITE_WORD 0xff800000u
#endif
#ifdef PATH_LARGEST
#define HD_FLIPPED(word) (~(word))
#else
#define HD_FLIPPED(word) (word)
#endif

INLINE hd_word hd_word_of(hd_value value) {
#if PATH_VALUE == 2 /* real */
    hd_word bits = hd_real_bits(value + (hd_value)0);
    bits = bits & HD_TOP ? ~bits : bits | HD_TOP;
#elif PATH_VALUE == 1 /* with a sign */
    hd_word bits = (hd_word)value ^ HD_TOP;
#else
    hd_word bits = value;
#endif
    return HD_FLIPPED(bits);
}

INLINE hd_value hd_value_of(hd_word word) {
    hd_word bits = HD_FLIPPED(word);
#if PATH_VALUE == 2
    return hd_bits_real(bits & HD_TOP ? bits & ~HD_TOP : ~bits);
#elif PATH_VALUE == 1
    return (hd_value)(bits ^ HD_TOP);
#else
    return bits;
#endif
}

/* The worst value that can be meant: any message is better, or is of no use. */
#if PATH_VALUE == 2
#define HD_WORST_WORD HD_INFINITE_WORD
#else
#define HD_WORST_WORD ((hd_word) ~(hd_word)0)
#endif

#define MORE_ARGUMENTS , HD_INPUT_ARGUMENTS
#define MORE_FIELDS                \
    ;                              \
    g.inputs = HD_INPUTS(offsets); \
    g.worst = (label)input_numbers[PATHS_WORST]
/* Places in the program's numbers (program_inputs_state.h). */
enum { PATHS_WORST = HD_INPUT_FREE, PATHS_MIXED };
#define ALONG(g, from, bits, to, excess) along(g, from, bits, to)
