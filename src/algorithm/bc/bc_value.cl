/* bc_value.cl - path counts and shares of bc.cl and bc_many.cl: double, or with BC_EXTENDED number * 2^(512 *
 * exponent). Idea: an extended exponent beside the double, since path counts grow exponentially with the levels of a
 * grid. Plain double is faster and is used wherever a bound shows that it suffices. */
#if BC_EXTENDED
typedef struct bc_value {
    f64 number;
    i32 exponent;
    i32 unused;
} bc_value;
#define BC_DIGIT 1.3407807929942597e154   /* 2^512 */
#define BC_INVERSE 7.458340731200207e-155 /* 2^-512 */

/* number * 2^(512 * by), by <= 0 */
INLINE f64 bc_scaled(f64 number, i32 by) {
    return by == 0 ? number : by == -1 ? number * BC_INVERSE : by == -2 ? number * BC_INVERSE * BC_INVERSE : 0;
}
INLINE bc_value bc_zero(void) {
    bc_value value;
    value.number = 0, value.exponent = 0, value.unused = 0;
    return value;
}
INLINE bc_value bc_plus(bc_value a, bc_value b) {
    bc_value sum = a;
    if (b.number == 0)
        return a;
    if (a.number == 0)
        return b;
    sum.exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    sum.number = bc_scaled(a.number, a.exponent - sum.exponent) + bc_scaled(b.number, b.exponent - sum.exponent);
    if (sum.number >= BC_DIGIT) {
        sum.number *= BC_INVERSE;
        sum.exponent++;
    }
    return sum;
}
#else
typedef f64 bc_value;
INLINE bc_value bc_zero(void) { return 0; }
INLINE bc_value bc_plus(bc_value a, bc_value b) { return a + b; }
#endif
HD_DEFINE_SHIFT(bc_value, bc_shift)
