/* options.c - which options an algorithm takes, and what follows from that: checks, defaults, the public list. */
#include "algorithm/algorithm.h"

#include "base/argument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const hd_option_use *use_of(const hd_algorithm *algorithm, hd_option_id id) {
    const hd_option_use *use = algorithm->options;
    while (use && use->id && use->id != id)
        use++;
    return use && use->id ? use : NULL;
}

bool hd_algorithm_takes(const hd_algorithm *algorithm, hd_option_id id) { return use_of(algorithm, id) != NULL; }

/* The default of a number or count in runs of the algorithm; 0: there is none. */
static double standard_of(const hd_algorithm *algorithm, hd_option_id id) {
    return id == HD_OPTION_tolerance        ? algorithm->tolerance
           : id == HD_OPTION_max_iterations ? (double)algorithm->max_iterations
                                            : hd_run_options[id].about.standard;
}

static bool is_read(const hd_algorithm *algorithm, hd_option_id id) {
    return hd_run_options[id].about.common || hd_algorithm_takes(algorithm, id);
}

heddle_status hd_algorithm_check_options(heddle_context *ctx, const hd_algorithm *algorithm,
                                         const heddle_run_options *options) {
    for (int id = 0; id < HD_RUN_OPTION_COUNT; id++)
        if (is_read(algorithm, (hd_option_id)id))
            HD_TRY(hd_option_check(ctx, &hd_run_options[id], options));
    return HEDDLE_OK;
}

void hd_algorithm_settle_options(const hd_algorithm *algorithm, heddle_run_options *options) {
    for (int id = 0; id < HD_RUN_OPTION_COUNT; id++)
        if (is_read(algorithm, (hd_option_id)id))
            hd_option_settle(&hd_run_options[id], options, standard_of(algorithm, (hd_option_id)id));
}

void hd_algorithm_unused_options(const hd_algorithm *algorithm, const heddle_run_options *options, char *text,
                                 size_t size) {
    size_t used = 0;
    *text = '\0';
    for (int id = 0; id < HD_RUN_OPTION_COUNT && used < size; id++) {
        const hd_run_option *option = &hd_run_options[id];
        bool read = option->hidden || is_read(algorithm, (hd_option_id)id) ||
                    (algorithm->weighs && id == HD_OPTION_weighted); /* it needs weights anyway */
        /* 0 is what a caller leaves who fills the struct without its _init. */
        if (!read && !hd_option_is_zero(option, options) && !hd_option_is_default(option, options))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", option->about.name);
    }
}

/* ---- The public list --------------------------------------------------------------------------------------------- */

/* The index-th option of those that are, or are not, for every run; NULL: past the last. */
static const hd_run_option *row_at(size_t index, bool all) {
    for (const hd_run_option *o = hd_run_options; o < hd_run_options + HD_RUN_OPTION_COUNT; o++)
        if (!o->hidden && (all || o->about.common) && index-- == 0)
            return o;
    return NULL;
}

static const hd_algorithm *algorithm_called(const char *name) {
    return name && strcmp(name, hd_user_program.info.name) == 0 ? &hd_user_program : hd_algorithm_find(name);
}

int heddle_run_option_at(const char *name, size_t index, heddle_run_option *option) {
    const hd_algorithm *algorithm = algorithm_called(name);
    const hd_option_use *use = algorithm ? algorithm->options : NULL;
    if (!option || option->size < sizeof option->size || (name && !algorithm))
        return 0;
    for (; use && use->id && index; use++)
        index--;
    const hd_run_option *row = use && use->id ? &hd_run_options[use->id] : row_at(index, !algorithm);
    if (!row)
        return 0;
    heddle_run_option found = row->about;
    if (algorithm)
        found.standard = standard_of(algorithm, (hd_option_id)(row - hd_run_options));
    if (use && use->id && use->description)
        found.description = use->description;
    if (!found.command)
        found.command = found.name;
    else if (!*found.command)
        found.command = NULL;
    if (found.kind == HEDDLE_OPTION_NUMBER && !(found.high > 0))
        found.high = HUGE_VAL;
    HD_GIVE(option, &found);
    return 1;
}
