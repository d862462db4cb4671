/* link.c - shared by all links. */
#include "exchange/link.h"

#include <string.h>

static uint64_t joined(hd_link_operation operation, uint64_t a, uint64_t b) {
    return operation == HD_LINK_SUM ? a + b : operation == HD_LINK_MIN ? (b < a ? b : a) : (b > a ? b : a);
}

/* Minimum and maximum: a number that is none wins, so that it is noticed. */
static double joined_real(hd_link_operation operation, double a, double b) {
    if (operation == HD_LINK_SUM)
        return a + b;
    if (a != a || b != b)
        return a != a ? a : b;
    return operation == HD_LINK_MIN ? (b < a ? b : a) : (b > a ? b : a);
}

void hd_link_join(hd_link_operation operation, const uint64_t *all, uint32_t parts, uint64_t stride, uint64_t *numbers,
                  uint32_t count) {
    memcpy(numbers, all, count * sizeof *numbers);
    for (uint32_t p = 1; p < parts; p++)
        for (uint32_t i = 0; i < count; i++)
            numbers[i] = joined(operation, numbers[i], all[p * stride + i]);
}

void hd_link_join_real(hd_link_operation operation, const uint64_t *all, uint32_t parts, uint64_t stride,
                       double *numbers, uint32_t count) {
    memcpy(numbers, all, count * sizeof *numbers);
    for (uint32_t p = 1; p < parts; p++)
        for (uint32_t i = 0; i < count; i++) {
            double other;
            memcpy(&other, &all[p * stride + i], sizeof other);
            numbers[i] = joined_real(operation, numbers[i], other);
        }
}

heddle_status hd_link_drain(hd_link *link, heddle_status status, hd_message_way *ways, uint64_t count) {
    heddle_error error = link->ctx->error;
    if (status != HEDDLE_OK)
        link->fail(link, status);
    for (uint64_t i = 0; i < count; i++) {
        heddle_status waited = link->wait(link, &ways[i]);
        if (status == HEDDLE_OK && waited != HEDDLE_OK) {
            status = waited;
            error = link->ctx->error;
            link->fail(link, status);
        }
    }
    link->ctx->error = error;
    return status;
}
