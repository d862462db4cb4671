/* print.h - numbers as text, fast and independent of the locale. Each function writes at p and returns the end; no NUL
 * is written. */
#ifndef HD_IO_PRINT_H
#define HD_IO_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HD_NUMBER_ROOM = 24 }; /* the most bytes that any of them writes */

extern const char hd_digit_pairs[201]; /* "00" "01" … "99" */

static inline char *hd_print_u64(char *p, uint64_t value) {
    char digits[20], *first = digits + sizeof digits;
    while (value >= 100) {
        first -= 2;
        memcpy(first, hd_digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        first -= 2;
        memcpy(first, hd_digit_pairs + 2 * value, 2);
    } else {
        *--first = (char)('0' + value);
    }
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(p, first, length);
    return p + length;
}

/* How many bytes hd_print_u64 writes. */
static inline size_t hd_digits_of(uint64_t value) {
    size_t digits = 1;
    for (; value >= 10; value /= 10)
        digits++;
    return digits;
}

static inline char *hd_print_i64(char *p, int64_t value) {
    if (value >= 0)
        return hd_print_u64(p, (uint64_t)value);
    *p = '-';
    return hd_print_u64(p + 1, -(uint64_t)value);
}

/* A finite float in the fewest digits (six for subnormal ones) that read back as the same float, with a point or an
 * exponent, so that it is recognisable as a real number. */
char *hd_print_float(char *p, float value);

/* The same for values of vertices: whole numbers have neither a point nor, below 10^15, an exponent. */
char *hd_print_single(char *p, float value);

/* A finite double as printf's %.15g, %.16g or %.17g has it, the first of them that reads back as the same double. */
char *hd_print_double(char *p, double value);

/* The same, with a point or an exponent in it: at most HD_NUMBER_ROOM + 2 bytes. */
char *hd_print_real(char *p, double value);

#endif
