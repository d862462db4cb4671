/* scan.h - reading numbers out of text, fast and strictly.
 *
 * There are two kinds of functions. Slow-path functions work on [p, end) and never read past end; a token ends at a
 * blank, tab, comma, semicolon, line end or the end of the text. Fast-path functions read many bytes at a time, and may
 * be used only where the number of bytes they state is readable.
 */
#ifndef HD_IO_SCAN_H
#define HD_IO_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool hd_is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline bool hd_is_space(char c) { return c == ' ' || c == '\t'; }
static inline bool hd_is_line_end(char c) { return c == '\n' || c == '\r'; }
/* Characters that separate columns. */
static inline bool hd_is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';'; }
static inline bool hd_is_token_end(char c) { return hd_is_separator(c) || hd_is_line_end(c); }

static inline const char *hd_skip_spaces(const char *p, const char *end) {
    while (p < end && hd_is_space(*p))
        p++;
    return p;
}
/* The end of the token that starts at p, where only blanks and line ends end it, or separators too. */
static inline const char *hd_word_end(const char *p, const char *end) {
    while (p < end && !hd_is_space(*p) && !hd_is_line_end(*p))
        p++;
    return p;
}
static inline const char *hd_token_end(const char *p, const char *end) {
    while (p < end && !hd_is_token_end(*p))
        p++;
    return p;
}
/* The newline that ends the line p is in, or end. */
static inline const char *hd_line_end(const char *p, const char *end) {
    const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    return newline ? newline : end;
}
/* The first byte after the line that p is in. */
static inline const char *hd_next_line(const char *p, const char *end) {
    const char *newline = hd_line_end(p, end);
    return newline < end ? newline + 1 : end;
}
/* Steps back over a carriage return before a line's end. */
static inline const char *hd_trim_return(const char *line, const char *end) {
    return end > line && end[-1] == '\r' ? end - 1 : end;
}

/* ---- Quick ----------------------------------------------------------------------------------------------------- */

/* Marks: the positions of the non-digit characters in a stretch of text. Once they are known, the numbers between them
 * can be parsed independently of each other, which is what makes this fast. */
enum { HD_STRETCH = 2048, HD_MARKS_BLOCK = 64 };
typedef struct hd_marks {
    size_t count;
    uint32_t at[HD_STRETCH + HD_MARKS_BLOCK]; /* offsets, ascending; entries after the last are scratch */
} hd_marks;

/* Marks the `bytes` <= HD_STRETCH characters from p on, a multiple of HD_MARKS_BLOCK. (scan_marks.c) */
void hd_marks_find(hd_marks *marks, const char *p, size_t bytes);
uint64_t hd_marks_plain(const char *p); /* 64 characters' marks as bits, in plain C */

enum { HD_DIGITS_ROOM = 16 }; /* bytes that hd_digits may read */

/* The number written by eight characters, digits all of them: pairs, then fours, then all eight at once. With `skip`
 * bits (eight for each) the last characters are left out. */
static inline uint64_t hd_eight_digits(const char *p, unsigned skip) {
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word = (word ^ UINT64_C(0x3030303030303030)) << skip;
    word = word * 10 + (word >> 8);
    return ((word & mask) * (100 + (UINT64_C(1000000) << 32)) +
            ((word >> 16) & mask) * (1 + (UINT64_C(10000) << 32))) >>
           32;
}

/* The number written by the `length` digits at p; false when there are none, or more than 15. */
static inline bool hd_digits(const char *p, size_t length, uint64_t *value) {
    static const uint64_t powers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    if (__builtin_expect(length - 1 < 8, 1)) {
        *value = hd_eight_digits(p, 64 - 8 * (unsigned)length);
        return true;
    }
    if (length - 1 >= 15)
        return false;
    *value = hd_eight_digits(p, 0) * powers[length - 8] + hd_eight_digits(p + 8, 128 - 8 * (unsigned)length);
    return true;
}

/* ---- Careful --------------------------------------------------------------------------------------------------- */

/* An unsigned decimal that fills the token. NULL when it does not, or leaves 64 bits. */
static inline const char *hd_scan_u64(const char *p, const char *end, uint64_t *value) {
    const char *start = p;
    uint64_t v = 0;
    while (p < end && hd_is_digit(*p))
        v = v * 10 + (uint64_t)(*p++ - '0');
    if (p - start > 19) { /* may have overflowed: repeat with checks */
        v = 0;
        for (const char *q = start; q < p; q++)
            if (__builtin_mul_overflow(v, UINT64_C(10), &v) || __builtin_add_overflow(v, (uint64_t)(*q - '0'), &v))
                return NULL;
    }
    if (p == start || (p < end && !hd_is_token_end(*p)))
        return NULL;
    *value = v;
    return p;
}

extern const double hd_powers_of_ten[23]; /* the exact ones */

/* The double nearest to mantissa * 10^exponent, infinity past the largest. */
double hd_decimal(uint64_t mantissa, int64_t exponent);

/* A number as weights are written. */
typedef struct hd_scanned {
    double value;  /* the nearest */
    int64_t whole; /* the number itself, where it is neither real nor beyond */
    bool real;     /* anything but a plain whole number */
    bool beyond;   /* does not fit int64_t; meaningless for a real one */
} hd_scanned;

/* Whole or real, with sign and exponent. NULL if the token is not a number, or not one that a double can hold: above
 * the largest, or so small that it would become 0. Independent of the locale. */
const char *hd_scan_weight(const char *p, const char *end, hd_scanned *number);
/* The same if the nearest double is enough; sets *real for a real one. */
const char *hd_scan_number(const char *p, const char *end, double *value, bool *real);

/* One code point of UTF-8; NULL when it is none. */
const char *hd_scan_utf8(const char *p, const char *end, uint32_t *code);

#endif
