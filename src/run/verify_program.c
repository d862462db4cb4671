/* verify_program.c - see verify_program.h. */
#include "run/verify_program.h"

#include "engine/vertex_name.h"

#include <math.h>
#include <string.h>

static const double slack_of_sums = 1e-3, slack_of_others = 1e-5; /* as docs/programs.md states them */

typedef struct compared_values {
    const heddle_result *result, *plain;
    double slack, scale; /* allowed: slack times the larger value, and at least slack times a thousandth of `scale` */
} compared_values;

/* Whole numbers have to be equal. */
static bool same_value(const compared_values *c, heddle_vertex v) {
    bool real = c->result->type == HEDDLE_VALUE_F32 || c->result->type == HEDDLE_VALUE_F64;
    if (!real) {
        size_t size = hd_value_size(c->result->type);
        return memcmp((const char *)c->result->values + v * size, (const char *)c->plain->values + v * size, size) == 0;
    }
    double a = heddle_result_value(c->result, v), b = heddle_result_value(c->plain, v);
    return a == b || fabs(a - b) <= c->slack * fmax(fmax(fabs(a), fabs(b)), c->scale / 1000);
}

heddle_status hd_verify_program(const hd_run *run, const heddle_result *result, const heddle_result *plain) {
    compared_values c = {.result = result, .plain = plain, .slack = slack_of_others};
    if (result->type != plain->type || result->count != plain->count)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "heddle_verify: result is not one of %.200s", run->options.program);
    if (!isnan(plain->residual)) /* it ended by the tolerance */
        c.slack = slack_of_sums;
    for (uint64_t v = 0; v < plain->count; v++) {
        double value = fabs(heddle_result_value(plain, (heddle_vertex)v));
        c.scale = value > c.scale && isfinite(value) ? value : c.scale;
    }
    for (uint64_t v = 0; v < result->count; v++)
        if (!same_value(&c, (heddle_vertex)v))
            return hd_fail(run->ctx, HEDDLE_E_VERIFY,
                           "%s: vertex %s has %.9g, and %.9g in plain rounds on the CPU: a promise in TRAITS does not "
                           "hold, or a value depends on the order of its messages",
                           run->options.program, hd_vertex_name(run->ctx, run->graph, (heddle_vertex)v).text,
                           heddle_result_value(result, (heddle_vertex)v), heddle_result_value(plain, (heddle_vertex)v));
    return HEDDLE_OK;
}
