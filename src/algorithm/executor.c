/* executor.c - see executor.h. */
#include "algorithm/executor.h"

#include "algorithm/algorithm.h"
#include "engine/device/resident.h"
#include "exchange/link.h"

static unsigned worker_of(const hd_run *run) {
    return hd_in_parts(run) ? HD_IN_PARTS : hd_on_device(run) ? HD_ON_DEVICE : HD_ON_CPU;
}

static bool from_file(const hd_run *run) { return run->plan.residency && run->plan.residency->from_file; }

bool hd_runs_program(const hd_run *run) {
    return hd_in_parts(run) || run->plan.merges || (run->plan.transform && !run->algorithm->split) ||
           (!hd_on_device(run) && hd_plan_shards(&run->plan));
}

/* Kernels of an algorithm's own count no lanes: with `profile` its program runs, if it has one. */
static bool follows_plan(const hd_executor *e, const hd_run *run) {
    if (e->program || e->split_only || e->workers & HD_IN_PARTS)
        return true;
    if (!hd_on_device(run))
        return !hd_runs_program(run);
    return e->scheduled || (hd_plan_is_auto(&run->plan) && !(run->options.profile && run->algorithm->program));
}

static hd_refusal refuse(const hd_executor *e, const hd_run *run, const hd_device_info *info) {
    if (e->each && !hd_plan_is_auto(&run->plan))
        return (hd_refusal){"each", "runs from many sources side by side have no plan but auto", "plan auto"};
    if (!follows_plan(e, run))
        return (hd_refusal){"its kernels take no schedule, transform or stream", NULL, "plan auto"};
    if (info && e->doubles && !info->doubles)
        return (hd_refusal){info->name, "no double precision", "cpu"};
    if (info && e->atomics64 && !info->atomics64)
        return (hd_refusal){info->name, "no 64-bit atomics", "cpu"};
    return e->refuse ? e->refuse(run) : (hd_refusal){NULL, NULL, NULL};
}

/* Why a run has no executor at all. */
static hd_refusal no_executor(const hd_run *run) {
    if (hd_in_parts(run))
        return (hd_refusal){"the algorithm", "it is no vertex program", NULL};
    if (from_file(run))
        return (hd_refusal){"it runs in memory only", NULL, "a larger --memory-limit, or residency=mixed on a device,"};
    return (hd_refusal){"it is not on this device yet", NULL, "cpu"};
}

const hd_executor *hd_executor_of(const hd_run *run, const hd_device_info *info, hd_refusal *refusal) {
    const unsigned worker = worker_of(run), edges = from_file(run) && !hd_in_parts(run) ? HD_IN_FILE : HD_IN_MEMORY;
    const hd_refusal alone = {"each", "values from each source apart are computed in memory, on one device",
                              worker == HD_ON_DEVICE ? "cpu" : NULL};
    hd_refusal found = no_executor(run);
    bool asked = false; /* an executor of such runs */
    for (const hd_executor *e = run->algorithm->executors; e && e->run; e++) {
        bool suits = e->workers & worker && (e->edges ? e->edges : HD_IN_MEMORY) & edges;
        if (!suits || (e->split_only && !run->on_split))
            continue;
        if (e->each != (run->options.each != 0)) {
            found = asked ? found : alone;
            continue;
        }
        found = refuse(e, run, info);
        asked = true;
        if (!hd_is_refused(found))
            return e;
    }
    if (refusal)
        *refusal = found;
    return NULL;
}

heddle_status hd_run_take_executor(hd_run *run) {
    const hd_device_info *info = NULL;
    hd_device *device;
    hd_refusal refusal;
    if (hd_on_device(run) && !hd_in_parts(run)) {
        HD_TRY(hd_device_keep(run->ctx, run->options.device, &run->result->report, &device));
        info = &device->info;
    }
    run->executor = hd_executor_of(run, info, &refusal);
    return run->executor ? HEDDLE_OK : hd_refuse_run(run, refusal);
}

heddle_status hd_run_check_executor(const hd_run *run) {
    hd_run own = *run;
    hd_refusal refusal;
    own.executor = hd_executor_of(run, NULL, &refusal);
    if (!own.executor)
        return hd_refuse_run(run, refusal);
    return own.executor->check ? own.executor->check(&own) : HEDDLE_OK;
}

heddle_status hd_refuse_run(const hd_run *run, hd_refusal r) {
    const char *name = run->algorithm->info.name, *instead = r.instead ? r.instead : "one device";
    if (run->ctx->link)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s on %u ranks: %s: %s; use %s instead", name, run->ctx->link->size,
                       r.what, r.why, r.instead ? r.instead : "one process, without the launcher,");
    if (hd_in_parts(run))
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: %s: %s: %s; use %s instead", name, r.what,
                       run->devices.count > 1 ? "several devices" : "checkpoint", r.why, instead);
    return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: %s%s%s%s%s%s", name, r.what, r.why ? ": " : "", r.why ? r.why : "",
                   r.instead ? "; use " : "", r.instead ? r.instead : "", r.instead ? " instead" : "");
}

bool hd_executors_scheduled(const hd_algorithm *algorithm) {
    for (const hd_executor *e = algorithm->executors; e && e->run; e++)
        if (e->scheduled)
            return true;
    return false;
}

bool hd_executors_have(const hd_algorithm *algorithm, unsigned workers, bool own) {
    for (const hd_executor *e = algorithm->executors; e && e->run; e++)
        if (e->workers & workers && !(own && e->program))
            return true;
    return false;
}
