/* scan.c - parses decimal numbers with fraction and exponent, correctly rounded.
 *
 * A number is a mantissa of at most 19 digits and a power of ten. If both are small, one multiplication or division of
 * exact doubles rounds once and is correct. Otherwise the quotient or product is computed in integer arithmetic, wide
 * enough that the bits beyond those of a double, and a sticky bit for the rest, decide the rounding. Of more digits the
 * first 19 are enough, unless the next larger mantissa gives another double: then all of them are used.
 */
#include "io/scan.h"

#include <float.h>
#include <math.h>

__extension__ typedef unsigned __int128 wide;

enum {
    EXACT_POWER = 22, /* 10^22 is the largest power of ten that is a double */
    LARGEST_POWER = 308,
    SMALLEST_POWER = -343, /* 19 digits and this: below half of the least subnormal */
    USUAL_POWER = -84,
    USUAL_WORDS = 7,     /* the mantissa and 384 bits below it: 10^84 takes 280 of them, 104 are left */
    QUOTIENT_WORDS = 21, /* 10^343 takes 1140 bits, 140 are left */
    PRODUCT_WORDS = 19,  /* 10^308 takes 1024 bits, the mantissa 64; the last word stays 0 */
    MOST_DIGITS = 768,   /* a number half-way between two doubles has no more; they take 2552 bits */
    LONG_WHOLE = 40,
    LONG_WORDS = LONG_WHOLE + QUOTIENT_WORDS
};

const double hd_powers_of_ten[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static uint64_t whole_power(int64_t exponent) {
    uint64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* The words, most significant first, divided by `divisor`; returns the remainder. */
static uint64_t divide(uint64_t *words, int count, uint64_t divisor) {
    uint64_t rest = 0;
    for (int i = 0; i < count; i++) {
        wide part = (wide)rest << 64 | words[i];
        words[i] = (uint64_t)(part / divisor);
        rest = (uint64_t)(part % divisor);
    }
    return rest;
}

/* The words times `factor`, which they have room for, plus `carry`. */
static void multiply(uint64_t *words, int count, uint64_t factor, uint64_t carry) {
    for (int i = count; i-- > 0;) {
        wide part = (wide)words[i] * factor + carry;
        words[i] = (uint64_t)part;
        carry = (uint64_t)(part >> 64);
    }
}

/* 2^exponent, for the exponents of normal doubles. */
static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* top * 2^exponent, rounded once: the highest bit of `top` is set; its lowest is the sticky bit. */
static double round_once(uint64_t top, int exponent) {
    int below = -1074 - exponent; /* bits that lie below the least subnormal */
    if (exponent + 64 > 1024)
        return HUGE_VAL;
    if (below <= 11) /* a normal double, or one by rounding */
        return exponent >= -1022 ? (double)top * power_of_two(exponent)
                                 : (double)top * 0x1p-64 * power_of_two(exponent + 64);
    if (below > 64)
        return 0;
    uint64_t kept = below == 64 ? 0 : top >> below, half = UINT64_C(1) << (below - 1), rest = top & (half * 2 - 1);
    kept += rest > half || (rest == half && (kept & 1));
    double value; /* subnormals and the first normal one follow each other as their bits do */
    memcpy(&value, &kept, sizeof value);
    return value;
}

/* The words, not all 0 but for the last, as a number whose lowest bit counts 2^exponent; `rest`: more lies below. */
static double rounded(const uint64_t *words, int count, int exponent, bool rest) {
    int first = 0;
    while (first < count - 2 && !words[first])
        first++;
    int shift = __builtin_clzll(words[first]);
    uint64_t top = words[first] << shift | (shift ? words[first + 1] >> (64 - shift) : 0);
    rest |= (shift ? words[first + 1] << shift : words[first + 1]) != 0;
    for (int i = first + 2; i < count; i++)
        rest |= words[i] != 0;
    return round_once(top | rest, exponent + 64 * (count - 1 - first) - shift);
}

/* mantissa / 10^digits. Dividing by 10^19 as often as it goes and then by the rest gives the same whole quotient as
 * dividing at once. */
static double quotient(uint64_t mantissa, int64_t digits) {
    uint64_t words[QUOTIENT_WORDS] = {mantissa};
    int count = digits <= -USUAL_POWER ? USUAL_WORDS : QUOTIENT_WORDS;
    bool rest = false;
    for (; digits > 19; digits -= 19)
        rest |= divide(words, count, whole_power(19)) != 0;
    rest |= divide(words, count, whole_power(digits)) != 0;
    return rounded(words, count, -64 * (count - 1), rest);
}

/* mantissa * 10^exponent. */
static double product(uint64_t mantissa, int64_t exponent) {
    uint64_t words[PRODUCT_WORDS] = {0};
    words[PRODUCT_WORDS - 2] = mantissa;
    for (; exponent > 19; exponent -= 19)
        multiply(words, PRODUCT_WORDS, whole_power(19), 0);
    multiply(words, PRODUCT_WORDS, whole_power(exponent), 0);
    return rounded(words, PRODUCT_WORDS, -64, false);
}

double hd_decimal(uint64_t mantissa, int64_t exponent) {
    if (mantissa == 0 || exponent < SMALLEST_POWER)
        return 0;
    if (exponent > LARGEST_POWER)
        return HUGE_VAL;
    if (mantissa <= UINT64_C(1) << 53 && exponent >= -EXACT_POWER && exponent <= EXACT_POWER) {
        double digits = (double)mantissa;
        return exponent < 0 ? digits / hd_powers_of_ten[-exponent] : digits * hd_powers_of_ten[exponent];
    }
    return exponent < 0 ? quotient(mantissa, -exponent) : product(mantissa, exponent);
}

/* The digits of [p, end), perhaps with a point among them, times 10^exponent; it is in the range of a double. */
static double long_decimal(const char *p, const char *end, int64_t exponent) {
    uint64_t words[LONG_WORDS] = {0}; /* whole ones, then the fraction */
    int64_t kept = 0;
    bool rest = false;
    for (; p < end; p++) {
        if (*p == '.' || (*p == '0' && !kept))
            continue;
        if (kept == MOST_DIGITS) {
            rest |= *p != '0';
            exponent++;
        } else {
            multiply(words, LONG_WHOLE, 10, (uint64_t)(*p - '0'));
            kept++;
        }
    }
    for (; exponent > 0; exponent--)
        multiply(words, LONG_WHOLE, 10, 0);
    for (; exponent < -19; exponent += 19)
        rest |= divide(words, LONG_WORDS, whole_power(19)) != 0;
    rest |= divide(words, LONG_WORDS, whole_power(-exponent)) != 0;
    return rounded(words, LONG_WORDS, -64 * QUOTIENT_WORDS, rest);
}

/* Digits of a mantissa, before or after the point. Beyond 19 significant digits only their number is kept. */
typedef struct mantissa {
    uint64_t value;
    int64_t significant;
    int64_t dropped;
    bool any;
    bool more; /* one that was dropped is not 0 */
} mantissa;

static const char *scan_digits(const char *p, const char *end, mantissa *m) {
    for (; p < end && hd_is_digit(*p); p++) {
        m->any = true;
        if (m->significant == 19) {
            m->dropped++;
            m->more |= *p != '0';
        } else {
            m->value = m->value * 10 + (uint64_t)(*p - '0');
            m->significant += m->value != 0;
        }
    }
    return p;
}

/* The digits after an 'e'; huge exponents saturate. NULL if there are none. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent) {
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !hd_is_digit(*p))
        return NULL;
    for (*exponent = 0; p < end && hd_is_digit(*p); p++)
        if (*exponent < INT64_C(1) << 53)
            *exponent = *exponent * 10 + (*p - '0');
    if (negative)
        *exponent = -*exponent;
    return p;
}

const char *hd_scan_weight(const char *p, const char *end, hd_scanned *number) {
    mantissa m = {0};
    int64_t exponent = 0, fraction = 0;
    bool negative = p < end && *p == '-', other = false;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    const char *digits = p;
    p = scan_digits(p, end, &m);
    int64_t dropped = m.dropped;
    if (p < end && *p == '.') {
        const char *start = ++p;
        other = true;
        p = scan_digits(p, end, &m);
        fraction = (p - start) - (m.dropped - dropped);
    }
    const char *digits_end = p;
    if (!m.any)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        other = true;
        p = scan_exponent(p + 1, end, &exponent);
        if (!p)
            return NULL;
    }
    if (p < end && !hd_is_token_end(*p))
        return NULL;
    double magnitude = hd_decimal(m.value, exponent + dropped - fraction);
    if (m.more && magnitude != hd_decimal(m.value + 1, exponent + dropped - fraction))
        magnitude = long_decimal(digits, digits_end, exponent + dropped - fraction - m.dropped);
    if (!(magnitude <= DBL_MAX) || (magnitude == 0 && m.value))
        return NULL; /* past the largest double, or nothing of it left */
    bool beyond = m.dropped || m.value > (uint64_t)INT64_MAX + negative;
    *number = (hd_scanned){.value = negative ? -magnitude : magnitude,
                           .whole = other || beyond ? 0 : (int64_t)(negative ? -m.value : m.value),
                           .real = other,
                           .beyond = beyond};
    return p;
}

const char *hd_scan_number(const char *p, const char *end, double *value, bool *real) {
    hd_scanned number;
    p = hd_scan_weight(p, end, &number);
    if (!p)
        return NULL;
    *value = number.value;
    *real |= number.real;
    return p;
}

const char *hd_scan_utf8(const char *p, const char *end, uint32_t *code) {
    unsigned char c = (unsigned char)*p++;
    int more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (more < 0 || end - p < more)
        return NULL;
    *code = more ? c & (0x3f >> more) : c;
    for (int i = 0; i < more; i++, p++) {
        if (((unsigned char)*p & 0xc0) != 0x80)
            return NULL;
        *code = *code << 6 | ((unsigned char)*p & 0x3f);
    }
    return *code < least[more] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? NULL : p;
}
