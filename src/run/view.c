/* view.c - carries out runs through views (engine/view.h). */
#include "algorithm/algorithm.h"
#include "algorithm/shared/ranked.h"
#include "run/ordered.h"

/* The outermost first: an order renames the graph whose weights are ranks. */
static const hd_view_kind *const views[] = {&hd_view_ranks, &hd_view_order};

static const hd_view_kind *view_of(const hd_run *run) {
    const hd_view_kind *split = run->algorithm->split_view;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (views[i]->serves(run))
            return views[i];
    return split && split->serves(run) ? split : NULL;
}

/* An error may name vertices of the view's graph. Running on the original graph gives the same error with the right
 * names. */
static void retell(const hd_run *run, heddle_status status) {
    heddle_error error = run->ctx->error;
    hd_run again = *run;
    again.result = NULL;
    if (hd_result_new(run->ctx, run->result->report.algorithm, &again.result) != HEDDLE_OK ||
        again.execute(&again) != status)
        run->ctx->error = error;
    heddle_result_destroy(&again.result);
}

heddle_status hd_view_perform(const hd_run *run) {
    const hd_view_kind *kind = view_of(run);
    if (!kind)
        return run->execute(run);
    hd_view view = {.run = run, .inner = *run};
    heddle_status status = kind->open(&view);
    bool opened = status == HEDDLE_OK;
    if (opened)
        status = hd_view_perform(&view.inner);
    if (opened && !kind->keeps_numbers && (status == HEDDLE_E_WEIGHT || status == HEDDLE_E_ARGUMENT))
        retell(run, status);
    if (status == HEDDLE_OK)
        status = kind->bring_back(&view);
    if (kind->close)
        kind->close(&view);
    return status;
}
