/* inner.c - see inner.h. Inherited is what the table of options does not call the outcome of the caller's run. */
#include "run/inner.h"

#include "engine/parts/checkpoint.h"
#include "engine/run_option.h"

heddle_run_options hd_inner_options(const heddle_run_options *given, hd_inner inner) {
    heddle_run_options o = *given;
    hd_options_drop_outcome(&o); /* what is derived from a budget is there already, and contradicts it */
    switch (inner) {
    case HD_INNER_COMPARISON:
        o.approximate = 0;
        o.device = "cpu";
        o.plan = "auto";
        break;
    case HD_INNER_TRIAL: o.approximate = 1; break;
    case HD_INNER_REHEARSAL:
        hd_options_shorten(&o);
        o.checkpoint = given->checkpoint ? hd_checkpoint_unwritten : NULL;
        break;
    }
    return o;
}
