/* result_copy.c - heddle_result_copy: copies values into the caller's array, converted to the caller's type. */
#include "base/argument.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "engine/result.h"

#include <math.h>
#include <string.h>

/* Holds every value of every type; infinity: unreached. */
typedef long double number;

static number number_at(const heddle_result *result, uint64_t i) {
    const void *values = result->values;
    switch (result->type) {
    case HEDDLE_VALUE_U32:
        return ((const uint32_t *)values)[i] == UINT32_MAX ? (number)INFINITY : ((const uint32_t *)values)[i];
    case HEDDLE_VALUE_U64:
        return ((const uint64_t *)values)[i] == UINT64_MAX ? (number)INFINITY : ((const uint64_t *)values)[i];
    case HEDDLE_VALUE_I32: return ((const int32_t *)values)[i];
    case HEDDLE_VALUE_F32: return (number)((const float *)values)[i];
    case HEDDLE_VALUE_F64: return (number)((const double *)values)[i];
    case HEDDLE_VALUE_I64: {
        int64_t value = ((const int64_t *)values)[i];
        bool ends = result->widest && (value == INT64_MIN || value == INT64_MAX);
        return !ends ? (number)value : value < 0 ? -(number)INFINITY : (number)INFINITY;
    }
    }
    return NAN;
}

/* Whether the value is a whole number in [low, high]. */
static bool fits(number value, number low, number high) {
    return value >= low && value <= high && value == floorl(value);
}

static bool store(heddle_value_type type, void *array, uint64_t i, number value) {
    bool unreached = isinf(value);
    switch (type) {
    case HEDDLE_VALUE_U32:
        ((uint32_t *)array)[i] = unreached ? UINT32_MAX : (uint32_t)(fits(value, 0, UINT32_MAX - 1) ? value : 0);
        return unreached || fits(value, 0, UINT32_MAX - 1);
    case HEDDLE_VALUE_U64:
        ((uint64_t *)array)[i] = unreached ? UINT64_MAX : (uint64_t)(fits(value, 0, UINT64_MAX - 1) ? value : 0);
        return unreached || fits(value, 0, UINT64_MAX - 1);
    case HEDDLE_VALUE_I32:
        ((int32_t *)array)[i] = unreached ? -1 : (int32_t)(fits(value, INT32_MIN, INT32_MAX) ? value : 0);
        return unreached || fits(value, INT32_MIN, INT32_MAX);
    case HEDDLE_VALUE_I64:
        ((int64_t *)array)[i] = unreached ? -1 : (int64_t)(fits(value, INT64_MIN, INT64_MAX) ? value : 0);
        return unreached || fits(value, INT64_MIN, INT64_MAX);
    case HEDDLE_VALUE_F32: ((float *)array)[i] = (float)value; return true;
    case HEDDLE_VALUE_F64: ((double *)array)[i] = (double)value; return true;
    }
    return false;
}

static bool is_known(heddle_value_type type) {
    switch (type) {
    case HEDDLE_VALUE_U32:
    case HEDDLE_VALUE_U64:
    case HEDDLE_VALUE_I32:
    case HEDDLE_VALUE_F32:
    case HEDDLE_VALUE_F64:
    case HEDDLE_VALUE_I64: return true;
    }
    return false;
}

heddle_status heddle_result_copy(heddle_context *ctx, const heddle_result *result, heddle_value_type type, void *values,
                                 uint64_t room) {
    uint64_t bad = UINT64_MAX;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, result);
    uint64_t count = result->count * result->columns;
    if (!is_known(type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_result_copy: type is %d, which has no meaning", (int)type);
    if (room < count)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "heddle_result_copy: room is for %llu values, and there are %llu",
                       (unsigned long long)room, (unsigned long long)count);
    if (!count)
        return HEDDLE_OK;
    HD_NEEDS(ctx, values);
    if (type == result->type) {
        memcpy(values, result->values, count * hd_value_size(type));
        return HEDDLE_OK;
    }
    hd_threads_settle(ctx, count);
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) if (count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < count; i++)
        if (!store(type, values, i, number_at(result, i)) && i < bad)
            bad = i;
    if (bad == UINT64_MAX)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_LIMIT, "heddle_result_copy: value %.17Lg of vertex %llu does not fit the type",
                   number_at(result, bad), (unsigned long long)(result->first + bad % result->count));
}
