/* print.c - floats in the fewest digits.
 *
 * Nine digits always identify a float, and a float always keeps six. So: round to 6, 7, 8, 9 digits and take the first
 * that reads back as the same float. (A number that needs fewer than six ends in zeros.) Reading back is exact, so the
 * result is right even if the scaling before it was off by a bit.
 */
#include "io/print.h"

#include "io/scan.h"

#include <math.h>

#define TEN(d) #d "0" #d "1" #d "2" #d "3" #d "4" #d "5" #d "6" #d "7" #d "8" #d "9"
const char hd_digit_pairs[201] = TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9);
#undef TEN

static double power_of_ten(int exponent) {
    if (exponent < 0)
        return 1 / power_of_ten(-exponent);
    return exponent <= 22 ? hd_powers_of_ten[exponent] : hd_powers_of_ten[22] * power_of_ten(exponent - 22);
}

typedef struct decimal {
    uint32_t digits;
    int count;
    int exponent; /* of the first digit */
} decimal;

/* The nine digits nearest to x > 0. */
static decimal nine_digits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int binary = (int)(bits >> 52) - 1023, exponent = (binary * 1233) >> 12; /* log10(2) = 1233 / 4096, at most 1 low */
    if (x >= power_of_ten(exponent + 1))
        exponent++;
    uint32_t digits = (uint32_t)(x * power_of_ten(8 - exponent) + 0.5);
    if (digits >= 1000000000) {
        digits /= 10;
        exponent++;
    }
    return (decimal){digits, 9, exponent};
}

static decimal shortest(float value) {
    static const uint32_t units[] = {1, 10, 100, 1000};
    decimal nine = nine_digits(value), d = nine;
    for (int count = 6; count <= 9; count++) {
        uint32_t unit = units[9 - count];
        d = (decimal){(nine.digits + unit / 2) / unit, count, nine.exponent};
        if ((float)hd_decimal(d.digits, d.exponent - count + 1) == value)
            break;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.count--;
    }
    if (d.count < 1) { /* 999999.9… rounded up to a power of ten */
        d.count = 1;
        d.exponent++;
    }
    return d;
}

/* digits with a point after the first `whole` of them */
static char *print_with_point(char *p, decimal d, int whole) {
    char *end = hd_print_u64(p, d.digits);
    memmove(p + whole + 1, p + whole, (size_t)(end - p - whole));
    p[whole] = '.';
    return end + 1;
}

static char *print_zeros(char *p, int count) {
    while (count-- > 0)
        *p++ = '0';
    return p;
}

char *hd_print_float(char *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 31) {
        *p++ = '-';
        value = -value;
    }
    if (value == 0) {
        memcpy(p, "0.0", 3);
        return p + 3;
    }
    decimal d = shortest(value);
    if (d.exponent < -5 || d.exponent > 9) { /* d.ddde-7 */
        p = d.count > 1 ? print_with_point(p, d, 1) : hd_print_u64(p, d.digits);
        *p++ = 'e';
        return hd_print_i64(p, d.exponent);
    }
    if (d.exponent < 0) { /* 0.00ddd */
        memcpy(p, "0.", 2);
        return hd_print_u64(print_zeros(p + 2, -d.exponent - 1), d.digits);
    }
    if (d.exponent + 1 < d.count) /* ddd.ddd */
        return print_with_point(p, d, d.exponent + 1);
    p = print_zeros(hd_print_u64(p, d.digits), d.exponent + 1 - d.count); /* ddd000.0 */
    memcpy(p, ".0", 2);
    return p + 2;
}

char *hd_print_single(char *p, float value) {
    double wide = (double)value;
    return wide == floor(wide) && fabs(wide) < 1e15 ? hd_print_double(p, wide) : hd_print_float(p, value);
}
