/* arrow_cell.c - values in Arrow's buffers. */
#include "io/arrow.h"

#include <math.h>
#include <string.h>

const hd_arrow_piece *hd_arrow_piece_at(const hd_arrow_column *column, uint64_t row, uint64_t *hint) {
    const hd_arrow_piece *piece = &column->pieces[*hint];
    if (row >= piece->first && row - piece->first < piece->rows)
        return piece;
    uint64_t low = 0, high = column->piece_count;
    while (high - low > 1) { /* the last one that begins at the row or before it; empty ones come before it */
        uint64_t middle = low + (high - low) / 2;
        if (column->pieces[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    *hint = low;
    return &column->pieces[low];
}

static bool is_valid(const struct ArrowArray *array, uint64_t at) {
    const uint8_t *bits = array->null_count == 0 ? NULL : array->buffers[0];
    return !bits || bits[at / 8] >> (at % 8) & 1;
}

static int64_t whole_of(char code, const void *values, uint64_t at) {
    switch (code) {
    case 'b': return ((const uint8_t *)values)[at / 8] >> (at % 8) & 1;
    case 'c': return ((const int8_t *)values)[at];
    case 'C': return ((const uint8_t *)values)[at];
    case 's': return ((const int16_t *)values)[at];
    case 'S': return ((const uint16_t *)values)[at];
    case 'i': return ((const int32_t *)values)[at];
    case 'I': return ((const uint32_t *)values)[at];
    default: return ((const int64_t *)values)[at]; /* l, L */
    }
}

uint64_t hd_arrow_code(const hd_arrow_column *column, const hd_arrow_piece *piece, uint64_t row) {
    int64_t code = whole_of(column->index.code, piece->array->buffers[1], piece->offset + (row - piece->first));
    return code < 0 ? UINT64_MAX : (uint64_t)code;
}

hd_arrow_cell hd_arrow_cell_at(const hd_arrow_column *column, const hd_arrow_piece *piece, uint64_t row) {
    hd_arrow_cell cell = {piece->array, piece->offset + (row - piece->first)};
    if (!is_valid(cell.array, cell.at))
        return (hd_arrow_cell){NULL, 0};
    if (!column->index.code)
        return cell;
    uint64_t code = hd_arrow_code(column, piece, row);
    const struct ArrowArray *dictionary = cell.array->dictionary;
    cell = (hd_arrow_cell){dictionary, code + (uint64_t)dictionary->offset};
    bool there = code < (uint64_t)dictionary->length && is_valid(dictionary, cell.at);
    return there ? cell : (hd_arrow_cell){NULL, 0};
}

bool hd_arrow_may_lack(const hd_arrow_column *column) {
    bool may = column->index.code != 0; /* a code may name no value */
    for (uint64_t k = 0; k < column->piece_count; k++)
        may |= column->pieces[k].array->null_count != 0 && column->pieces[k].array->buffers[0];
    return may;
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* Decimals are whole numbers of 128 bits in the order of bytes of the machine, of which the last `scale` digits are
 * behind the point. */
typedef struct decimal {
    uint64_t low;
    int64_t high;
} decimal;

static decimal decimal_at(hd_arrow_cell cell) {
    const uint64_t *words = (const uint64_t *)cell.array->buffers[1] + 2 * cell.at;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (decimal){words[1], (int64_t)words[0]};
#else
    return (decimal){words[0], (int64_t)words[1]};
#endif
}

/* Half precision: a sign, 5 bits of exponent, 10 of fraction. */
static double half_of(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

bool hd_arrow_whole(hd_arrow_type type, hd_arrow_cell cell, int64_t *value) {
    if (type.code != 'd') {
        *value = whole_of(type.code, cell.array->buffers[1], cell.at);
        return true;
    }
    decimal number = decimal_at(cell);
    *value = (int64_t)number.low;
    return number.high == *value >> 63;
}

double hd_arrow_real(hd_arrow_type type, hd_arrow_cell cell) {
    const void *values = cell.array->buffers[1];
    switch (type.code) {
    case 'e': return half_of(((const uint16_t *)values)[cell.at]);
    case 'f': return (double)((const float *)values)[cell.at];
    case 'g': return ((const double *)values)[cell.at];
    case 'L': return (double)((const uint64_t *)values)[cell.at];
    case 'd': {
        int64_t small;
        decimal number = decimal_at(cell);
        double size = hd_arrow_whole(type, cell, &small) ? (double)small : (double)number.high * 0x1p64 + number.low;
        return type.scale > 0 ? size / pow(10, type.scale) : size * pow(10, -type.scale);
    }
    default: return (double)whole_of(type.code, values, cell.at);
    }
}

/* ---- Strings ---------------------------------------------------------------------------------------------------- */

/* A view has 16 bytes: a length, and up to 12 bytes of text, or its beginning, the buffer that has it, and where. */
static const char *view_at(hd_arrow_cell cell, uint64_t *length) {
    const int32_t *view = (const int32_t *)cell.array->buffers[1] + 4 * cell.at;
    *length = view[0] > 0 ? (uint64_t)view[0] : 0;
    if (*length <= 12)
        return (const char *)(view + 1);
    bool there = view[2] >= 0 && view[2] < cell.array->n_buffers - 3 && view[3] >= 0;
    const char *buffer = there ? cell.array->buffers[2 + view[2]] : NULL;
    *length = buffer ? *length : 0;
    return buffer ? buffer + view[3] : NULL;
}

const char *hd_arrow_text(hd_arrow_type type, hd_arrow_cell cell, uint64_t *length) {
    if (type.code == 'v')
        return view_at(cell, length);
    const int32_t *narrow = cell.array->buffers[1];
    const int64_t *wide = cell.array->buffers[1];
    int64_t start = type.code == 'u' ? narrow[cell.at] : wide[cell.at];
    int64_t end = type.code == 'u' ? narrow[cell.at + 1] : wide[cell.at + 1];
    const char *text = cell.array->buffers[2];
    *length = text && start >= 0 && end > start ? (uint64_t)(end - start) : 0;
    return *length ? text + start : NULL;
}
