/* views.c - the views of whole runs (engine/view.h). */
#include "run/views.h"

#include "algorithm/executor.h"
#include "algorithm/views/ranked.h"
#include "algorithm/views/split_view.h"
#include "run/copied.h"
#include "run/graffixed.h"
#include "run/ordered.h"

/* The outermost first: the graph whose weights are ranks is renamed, what is renamed gets new edges, and is split. */
static const hd_view_kind *const views[] = {&hd_view_ranks,         &hd_view_order,
                                            &hd_view_graffix,       &hd_view_copied,
                                            &hd_view_copied_forest, &hd_view_copied_paths,
                                            &hd_view_split,         NULL};

heddle_status hd_views_check(const hd_run *run) {
    for (size_t i = 0; views[i]; i++)
        if (views[i]->check)
            HD_TRY(views[i]->check(run));
    return HEDDLE_OK;
}

heddle_status hd_views_host_bytes(const hd_run *run, uint64_t *bytes) {
    *bytes = 0;
    for (size_t i = 0; views[i]; i++)
        if (views[i]->host_bytes)
            HD_TRY(views[i]->host_bytes(run, bytes));
    return HEDDLE_OK;
}

static heddle_status execute(const hd_run *run) { return run->executor->run(run); }

heddle_status hd_views_perform(const hd_run *run) { return hd_view_perform(views, run, execute); }
