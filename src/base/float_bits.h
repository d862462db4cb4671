/* float_bits.h - the bits of real numbers: to send, compare and keep them as words. */
#ifndef HD_BASE_FLOAT_BITS_H
#define HD_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline float hd_float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t hd_bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double hd_double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t hd_bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
