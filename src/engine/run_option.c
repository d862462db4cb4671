/* run_option.c - see run_option.h. */
#include "engine/run_option.h"

#include "base/argument.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELDS(...) __VA_ARGS__
#define ROW(field, kind_, words, public, private)             \
    {.about = {.size = sizeof(heddle_run_option),             \
               .name = #field,                                \
               .kind = HEDDLE_OPTION_##kind_,                 \
               .offset = offsetof(heddle_run_options, field), \
               .description = (words),                        \
               FIELDS public},                                \
     .bytes = sizeof(((heddle_run_options *)0)->field),       \
     FIELDS private},

const hd_run_option hd_run_options[HD_RUN_OPTION_COUNT] = {HD_RUN_OPTIONS(ROW)};

static const void *field_of(const hd_run_option *option, const heddle_run_options *options) {
    return (const char *)options + option->about.offset;
}

static void set_field(const hd_run_option *option, heddle_run_options *options, const void *value) {
    memcpy((char *)options + option->about.offset, value, option->bytes);
}

static void set_number(const hd_run_option *option, heddle_run_options *options, double value) {
    uint64_t count = (uint64_t)value;
    set_field(option, options, option->about.kind == HEDDLE_OPTION_NUMBER ? (const void *)&value : &count);
}

void heddle_run_options_init_sized(heddle_run_options *options, size_t size) {
    heddle_run_options defaults = {.size = sizeof defaults};
    for (const hd_run_option *o = hd_run_options; o < hd_run_options + HD_RUN_OPTION_COUNT; o++) {
        if (o->text)
            set_field(o, &defaults, &o->text);
        if (!o->about.automatic && o->about.standard > 0)
            set_number(o, &defaults, o->about.standard);
    }
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static heddle_status check_number(heddle_context *ctx, const hd_run_option *option, double value) {
    const heddle_run_option *about = &option->about;
    char range[64] = "a finite number, 0 or more";
    bool ended = about->high > 0;
    if (value >= about->low &&
        (ended ? value < about->high || (!about->below && value <= about->high) : isfinite(value)))
        return HEDDLE_OK;
    if (ended && about->automatic)
        snprintf(range, sizeof range, "a number between %g and %g", about->low, about->high);
    else if (ended)
        snprintf(range, sizeof range, "a number from %g to %s%g", about->low, about->below ? "below " : "",
                 about->high);
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s %g: expected %s", about->name, value, range);
}

static heddle_status check_choice(heddle_context *ctx, const hd_run_option *option, int value) {
    int most = 0;
    for (const char *at = option->about.values; *at; at++)
        most += *at == ' ';
    return value >= 0 && value <= most ? HEDDLE_OK
                                       : hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s %d: expected a number from 0 to %d: %s",
                                                 option->about.name, value, most, option->about.values);
}

heddle_status hd_option_check(heddle_context *ctx, const hd_run_option *option, const heddle_run_options *options) {
    double number;
    int choice;
    switch (option->about.kind) {
    case HEDDLE_OPTION_NUMBER:
        memcpy(&number, field_of(option, options), sizeof number);
        return check_number(ctx, option, number);
    case HEDDLE_OPTION_CHOICE:
        memcpy(&choice, field_of(option, options), sizeof choice);
        return check_choice(ctx, option, choice);
    default: return HEDDLE_OK;
    }
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

bool hd_option_is_zero(const hd_run_option *option, const heddle_run_options *options) {
    return hd_all_zero(field_of(option, options), option->bytes);
}

bool hd_option_is_default(const hd_run_option *option, const heddle_run_options *options) {
    heddle_run_options defaults;
    heddle_run_options_init(&defaults);
    return memcmp(field_of(option, options), field_of(option, &defaults), option->bytes) == 0;
}

void hd_option_settle(const hd_run_option *option, heddle_run_options *options, double standard) {
    if (option->about.automatic && standard > 0 && hd_option_is_zero(option, options))
        set_number(option, options, standard);
}

/* Elements of an array. */
static uint64_t elements(const hd_run_option *option, const heddle_run_options *options, uint64_t vertices) {
    if (option->counted)
        memcpy(&vertices, (const char *)options + option->counted, sizeof vertices);
    return vertices;
}

uint64_t hd_option_hash(const hd_run_option *option, const heddle_run_options *options, uint64_t vertices) {
    const char *array = NULL;
    if (option->local)
        return 0;
    switch (option->about.kind) {
    case HEDDLE_OPTION_TEXT:
    case HEDDLE_OPTION_PATH:
    case HEDDLE_OPTION_ARRAY: break;
    default: return hd_hash_block(field_of(option, options), option->bytes);
    }
    memcpy(&array, field_of(option, options), sizeof array);
    if (!array)
        return 0;
    size_t bytes = option->about.kind == HEDDLE_OPTION_ARRAY
                       ? (size_t)elements(option, options, vertices) * option->each
                       : strlen(array);
    return bytes || option->about.kind != HEDDLE_OPTION_ARRAY ? hd_hash_block(array, bytes) : 0;
}

/* ---- Inner runs -------------------------------------------------------------------------------------------------- */

void hd_options_drop_outcome(heddle_run_options *options) {
    for (const hd_run_option *o = hd_run_options; o < hd_run_options + HD_RUN_OPTION_COUNT; o++)
        if (o->outcome)
            memset((char *)options + o->about.offset, 0, o->bytes);
}
