/* path_weight.c - see path_weight.h. */
#include "graffix/path_weight.h"

#include <math.h>

bool hd_path_weight(heddle_weight_type type, const void *w, uint64_t first, uint64_t second, void *to, uint64_t at) {
    uint32_t whole;
    int32_t small;
    int64_t large;
    float single;
    switch (type) {
    case HEDDLE_WEIGHT_U32: {
        uint32_t a = ((const uint32_t *)w)[first], b = ((const uint32_t *)w)[second];
        if (__builtin_add_overflow(a, b, &whole) || whole <= a || whole <= b)
            return false;
        if (to)
            ((uint32_t *)to)[at] = whole;
        return true;
    }
    case HEDDLE_WEIGHT_I32: {
        int32_t a = ((const int32_t *)w)[first], b = ((const int32_t *)w)[second];
        if (__builtin_add_overflow(a, b, &small) || small <= a || small <= b)
            return false;
        if (to)
            ((int32_t *)to)[at] = small;
        return true;
    }
    case HEDDLE_WEIGHT_I64: {
        int64_t a = ((const int64_t *)w)[first], b = ((const int64_t *)w)[second];
        if (__builtin_add_overflow(a, b, &large) || large <= a || large <= b)
            return false;
        if (to)
            ((int64_t *)to)[at] = large;
        return true;
    }
    case HEDDLE_WEIGHT_F32: {
        float a = ((const float *)w)[first], b = ((const float *)w)[second];
        single = a + b;
        if (!(single > a && single > b) || isinf(single))
            return false;
        if (to)
            ((float *)to)[at] = single;
        return true;
    }
    case HEDDLE_WEIGHT_F64: {
        double a = ((const double *)w)[first], b = ((const double *)w)[second], sum = a + b;
        if (!(sum > a && sum > b) || isinf(sum))
            return false;
        if (to)
            ((double *)to)[at] = sum;
        return true;
    }
    default:
        if (to)
            ((uint32_t *)to)[at] = 2;
        return true;
    }
}
