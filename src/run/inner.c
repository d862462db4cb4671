/* inner.c - see inner.h. Inherited is what the table of options does not call the outcome of the caller's run. */
#include "run/inner.h"

#include "engine/run_option.h"

heddle_run_options hd_inner_options(const heddle_run_options *given, hd_inner inner) {
    heddle_run_options o = *given;
    hd_options_drop_outcome(&o); /* what is derived from a budget is there already, and contradicts it */
    o.approximate = inner == HD_INNER_TRIAL;
    if (inner == HD_INNER_COMPARISON) {
        o.device = "cpu";
        o.plan = "auto";
    }
    return o;
}
