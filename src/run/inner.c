/* inner.c - see inner.h. What is not named here describes the result, and is the caller's. */
#include "run/inner.h"

#include "engine/parts/checkpoint.h"

/* Options that are for the result of the caller's run alone. */
static void drop_outputs(heddle_run_options *o) {
    o->checkpoint = NULL;
    o->checkpoint_every = 0;
    o->resume = 0;
    o->keep_source = NULL;
    o->profile = 0;
    o->memory_limit = 0;
    o->spread = 0;
}

/* Options that are derived from a budget are there already, and contradict it. */
static void drop_budget(heddle_run_options *o) {
    o->max_error = o->confidence = 0;
    o->top = 0;
}

/* Arrays become those of a graph of two vertices. */
static void shorten_arrays(heddle_run_options *o) {
    static const heddle_vertex source[] = {0}, pair[] = {0, 1};
    static const double values[] = {1, 1};
    static const unsigned char fixed[] = {1, 0};
    o->sources = o->source_count ? source : NULL;
    o->source_count = o->source_count ? 1 : 0;
    o->pairs = o->pair_count ? pair : NULL;
    o->pair_count = o->pair_count ? 1 : 0;
    o->samples = o->samples ? 1 : 0;
    o->initial = o->initial ? values : NULL;
    o->fixed = o->fixed ? fixed : NULL;
    o->personalization = o->personalization ? values : NULL;
    o->walks = o->length = 1;
    o->max_iterations = 1;
}

heddle_run_options hd_inner_options(const heddle_run_options *given, hd_inner inner) {
    heddle_run_options o = *given;
    drop_outputs(&o);
    drop_budget(&o);
    switch (inner) {
    case HD_INNER_COMPARISON:
        o.approximate = 0;
        o.device = "cpu";
        o.plan = "auto";
        break;
    case HD_INNER_TRIAL: o.approximate = 1; break;
    case HD_INNER_REHEARSAL:
        shorten_arrays(&o);
        o.checkpoint = given->checkpoint ? hd_checkpoint_unwritten : NULL;
        break;
    }
    return o;
}
