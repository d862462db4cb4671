/* view.c - see view.h. */
#include "engine/view.h"

/* An error may name vertices of the view's graph. Running on the original graph gives the same error with the right
 * names. */
static void rewrite_error(const hd_run *run, hd_run_fn execute, heddle_status status) {
    heddle_error error = run->ctx->error;
    hd_run again = *run;
    again.result = NULL;
    if (hd_result_new(run->ctx, run->result->report.algorithm, &again.result) != HEDDLE_OK || execute(&again) != status)
        run->ctx->error = error;
    heddle_result_destroy(&again.result);
}

heddle_status hd_view_perform(const hd_view_kind *const *kinds, const hd_run *run, hd_run_fn execute) {
    const hd_view_kind *const *found = kinds;
    while (*found && !(*found)->serves(run))
        found++;
    const hd_view_kind *kind = *found;
    if (!kind)
        return execute(run);
    hd_view view = {.run = run, .inner = *run};
    view.inner.view = &view;
    heddle_status status = kind->open(&view);
    bool opened = status == HEDDLE_OK;
    if (opened)
        status = hd_view_perform(kinds, &view.inner, execute);
    if (opened && !kind->keeps_numbers && (status == HEDDLE_E_WEIGHT || status == HEDDLE_E_ARGUMENT))
        rewrite_error(run, execute, status);
    if (status == HEDDLE_OK)
        status = kind->map_result(&view);
    if (kind->close)
        kind->close(&view);
    return status;
}
