/* print_double.c - doubles in the fewest digits.
 *
 * Of 15, 16 and 17 digits the fewest are used that read back as the same double. Extended precision gives 17 digits,
 * and the distance to the neighbouring doubles, within 1/64 of the last digit: that nearly always decides. If it does
 * not, for very large and very small numbers, and if long double has too few bits, the C library decides.
 */
#include "io/print.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST = 17,
    EXTENDED = LDBL_MANT_DIG >= 64,
    EXACT_POWER = 27 /* 10^27 is the largest power of ten whose odd part has no more than 64 bits */
};
static const long double powers[EXACT_POWER + 1] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L,
};
static const long double unsure = 1.0L / 64; /* more than what two roundings do to 17 digits */

typedef struct decimal {
    uint64_t digits;
    int count;    /* that were requested */
    int exponent; /* of the first digit */
} decimal;

static char *print_by_library(char *p, double value) {
    char text[HD_NUMBER_ROOM + 8];
    int length = 0;
    for (int digits = 15; digits <= MOST; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (int i = 0; i < length; i++)
        p[i] = text[i] == ',' ? '.' : text[i]; /* as some locales have it */
    return p + length;
}

/* x * 10^power for powers within twice EXACT_POWER. */
static long double scaled(long double x, int power) {
    int size = abs(power), first = size < EXACT_POWER ? size : EXACT_POWER;
    return power < 0 ? x / powers[first] / powers[size - first] : x * powers[first] * powers[size - first];
}

/* Rounds `whole` + `rest` to a multiple of `unit`; *known is false if the rounding, or whether it is close enough, is
 * uncertain. */
static bool fits(uint64_t whole, long double rest, uint64_t unit, long double room_below, long double room_above,
                 uint64_t *digits, bool *known) {
    long double beyond = (long double)(whole % unit) + rest, half = (long double)unit / 2;
    bool up = beyond > half;
    long double off = up ? (long double)unit - beyond : beyond, room = up ? room_above : room_below;
    *digits = whole / unit + up;
    *known = off > room + unsure || (off < room - unsure && off < half - unsure);
    return off < room;
}

/* For value > 0; false where the C library has to decide. */
static bool shortest(double value, decimal *d) {
    int binary;
    double fraction = frexp(value, &binary); /* 0.5 <= fraction < 1 */
    d->exponent = (int)((binary - 1) * 1233 >> 12);
    if (!EXTENDED || d->exponent < MOST - 1 - 2 * EXACT_POWER + 1 || d->exponent > MOST - 2 + 2 * EXACT_POWER)
        return false;
    long double seventeen = scaled(value, MOST - 1 - d->exponent);
    if (seventeen >= 1e17L)
        seventeen = scaled(value, MOST - 1 - ++d->exponent);
    if (seventeen < 1e16L || seventeen >= 1e17L)
        return false;
    long double room = scaled(ldexp(1, binary - 54), MOST - 1 - d->exponent); /* half the way to the next one */
    uint64_t whole = (uint64_t)seventeen, unit = 100;
    bool known = true;
    for (d->count = 15; d->count <= MOST && known; d->count++, unit /= 10)
        if (fits(whole, seventeen - (long double)whole, unit, fraction == 0.5 ? room / 2 : room, room, &d->digits,
                 &known) &&
            known)
            return true;
    return false;
}

/* As %g has it: `count` digits requested, zeros at the end left out. */
static char *print_general(char *p, decimal d) {
    char digits[MOST + 1];
    int length = (int)(hd_print_u64(digits, d.digits) - digits);
    if (length > d.count) /* 99…9 was rounded up */
        d.exponent++;
    while (length > 1 && digits[length - 1] == '0')
        length--;
    bool power = d.exponent < -4 || d.exponent >= d.count;
    int point = power ? 1 : d.exponent + 1; /* the place of the digit that follows it */
    int first = point < 1 ? point - 1 : 0, end = length > point ? length : point;
    for (int i = first; i < end; i++) {
        if (i == point)
            *p++ = '.';
        *p++ = i < 0 || i >= length ? '0' : digits[i];
    }
    if (!power)
        return p;
    *p++ = 'e';
    *p++ = d.exponent < 0 ? '-' : '+';
    if (abs(d.exponent) < 10)
        *p++ = '0';
    return hd_print_u64(p, (uint64_t)abs(d.exponent));
}

char *hd_print_double(char *p, double value) {
    decimal d;
    if (value == 0) {
        if (signbit(value))
            *p++ = '-';
        *p++ = '0';
        return p;
    }
    if (isinf(value) || isnan(value))
        return print_by_library(p, value);
    if (!shortest(fabs(value), &d))
        return print_by_library(p, value);
    if (value < 0)
        *p++ = '-';
    return print_general(p, d);
}

char *hd_print_real(char *p, double value) {
    char *end = hd_print_double(p, value);
    for (const char *q = p; q < end; q++)
        if (*q == '.' || *q == 'e')
            return end;
    memcpy(end, ".0", 2);
    return end + 2;
}
