/* rank_checks.c - see rank_checks.h: joining the other ranks of a launch, and preparing a run of all of them. */
#include "run/rank_checks.h"

#include "base/argument.h"
#include "base/hash.h"
#include "base/limit.h"
#include "base/machine.h"
#include "base/memory.h"
#include "engine/cpu/cpu_user.h"
#include "exchange/agree.h"
#include "exchange/fold.h"
#include "exchange/launcher.h"
#include "exchange/link_mpi.h"
#include "exchange/together.h"
#include "run/memory_estimate.h"

#include <stdio.h>
#include <string.h>

int heddle_launched(int *rank) {
    hd_launching launch = hd_launched();
    if (rank)
        *rank = (int)launch.rank;
    return (int)launch.size;
}

int heddle_context_rank(const heddle_context *context) {
    return context && context->link ? (int)context->link->rank : 0;
}

int heddle_context_ranks(const heddle_context *context) {
    return !context ? 0 : context->link ? (int)context->link->size : 1;
}

static void leave(heddle_context *ctx) {
    hd_fold_drop(ctx);
    hd_link_mpi_close(&ctx->link);
}

/* Ranks of different versions would misunderstand each other's messages. */
static heddle_status compare_versions(hd_link *link) {
    uint64_t hash = HD_MPI_ABI;
    for (const char *p = HEDDLE_VERSION_STRING; *p; p++)
        hash = hd_hash2(hash, (unsigned char)*p);
    return hd_agree_same(link, hash, "the ranks run different versions of heddle: install one on all machines");
}

heddle_status heddle_context_join(heddle_context *context) {
    HD_ENTER(context);
    if (context->link)
        return hd_fail(context, HEDDLE_E_REFUSED, "heddle_context_join: this context has joined already");
    if (hd_launched().size == 1)
        return HEDDLE_OK;
    HD_TRY(hd_link_mpi_open(context, &context->link));
    context->release_link = leave;
    return compare_versions(context->link);
}

heddle_status heddle_context_fold(heddle_context *context, int most) {
    HD_ENTER(context);
    if (most < 0)
        return hd_fail(context, HEDDLE_E_ARGUMENT, "heddle_context_fold: most is %d", most);
    if (context->fold)
        return hd_fail(context, HEDDLE_E_REFUSED, "heddle_context_fold: ranks are folded already");
    return context->link ? hd_fold_begin(context, (uint32_t)most) : HEDDLE_OK;
}

int heddle_context_sleeps(const heddle_context *context) { return context && hd_fold_sleeps(context); }

heddle_status heddle_context_unfold(heddle_context *context, heddle_status status) {
    if (!context)
        return HEDDLE_E_ARGUMENT;
    if (!context->fold)
        return heddle_context_agree(context, status);
    heddle_error error = context->error;
    HD_TRY(hd_fold_end(context));
    context->error = error;
    return hd_agree(context->link, status);
}

heddle_status heddle_context_agree(heddle_context *context, heddle_status status) {
    if (!context)
        return HEDDLE_E_ARGUMENT;
    return context->link ? hd_agree(context->link, status) : status;
}

/* Rank 0's text is shown beside that of the first rank that has another. */
heddle_status heddle_context_compare(heddle_context *context, const char *text) {
    struct {
        uint64_t hash;
        char text[400];
    } first;
    HD_ENTER(context);
    HD_NEEDS(context, text);
    if (!context->link)
        return HEDDLE_OK;
    uint64_t hash = hd_hash_block(text, strlen(text));
    memset(&first, 0, sizeof first);
    first.hash = hash;
    snprintf(first.text, sizeof first.text, "%s", text);
    HD_TRY(hd_broadcast(context->link, 0, &first, sizeof first));
    heddle_status status = HEDDLE_OK;
    if (first.hash != hash)
        status = hd_fail(context, HEDDLE_E_REFUSED, "the ranks were given different commands: '%s', and rank 0 '%s'",
                         text, first.text);
    return hd_agree(context->link, status);
}

/* ---- A run ------------------------------------------------------------------------------------------------------ */

/* Refusals of ranks beside those of parts. */
static hd_refusal refusal(const hd_run *run) {
    const heddle_run_options *options = &run->options;
    hd_refusal r;
    if (!hd_executor_of(run, NULL, &r))
        return r;
    if (hd_renames(run->plan.order))
        return (hd_refusal){"order", "ranks take the graph as it is", "order=none"};
    if (options->max_error > 0)
        return (hd_refusal){"max-error", "an error budget takes one process", "a tolerance, or one process,"};
    if (!run->graph->mapping.address)
        return (hd_refusal){"the graph", "ranks share a file that all of them map", "heddle convert"};
    return (hd_refusal){NULL, NULL, NULL};
}

/* This rank's device: those of a list are taken in turn by the ranks of a machine; so are all of a kind that is named
 * without a number. */
static heddle_status choose_device(hd_run *run) {
    const char *requested = run->options.device;
    uint32_t local = run->ctx->link->local, count;
    char *own = run->devices.name[0];
    hd_device_list list;
    hd_device_info info;
    if (!hd_device_list_read(requested, &list))
        return hd_device_unknown(run->ctx, requested);
    if (run->kind && !strchr(requested, ':')) {
        HD_TRY(hd_device_count(run->ctx, run->kind, &count));
        snprintf(own, sizeof list.name[0], "%s:%u", run->kind->name, local % count);
    } else {
        memcpy(own, list.name[local % list.count], sizeof list.name[0]);
    }
    run->devices.count = 1;
    run->kind = NULL; /* it is the part's */
    return hd_device_kind_of(own) ? hd_device_look(run->ctx, own, &info) : HEDDLE_OK;
}

heddle_status hd_ranks_place(hd_run *run, hd_refusal *alone) {
    *alone = (hd_refusal){NULL, NULL, NULL};
    if (hd_device_is_open(run->options.device))
        run->options.device = "cpu";
    run->plan.parts = run->ctx->link->size;
    hd_refusal r = refusal(run);
    if (hd_is_refused(r) && !run->graph->mapping.address)
        return hd_refuse_run(run, r);
    if (hd_is_refused(r)) {
        *alone = r;
        return HEDDLE_OK;
    }
    HD_TRY(choose_device(run));
    run->plan.order = &hd_order_none;
    if (!(run->plan.given & HD_GIVEN_RESIDENCY))
        run->plan.residency = &hd_residency_device;
    if (!run->plan.exchange)
        run->plan.exchange = &hd_exchange_vr;
    if (run->options.parents) /* rank 0 gets them, or finds them from the values of all vertices */
        run->options.spread = 0;
    return HEDDLE_OK;
}

heddle_status hd_ranks_fits_first(const hd_run *run) {
    heddle_device_memory memory = {.wanted = 0};
    uint64_t unused, most = hd_machine_memory("");
    if (hd_on_device(run) || (run->plan.residency && run->plan.residency->from_file))
        return HEDDLE_OK;
    HD_TRY(hd_run_measure(run, &memory, &unused));
    uint64_t wanted = memory.host_edges + memory.host_in_edges + memory.host_run;
    return wanted <= most
               ? HEDDLE_OK
               : hd_fail(run->ctx, HEDDLE_E_REFUSED,
                         "%s: ranks cannot make this run together, and one machine needs %s for it: rank 0's "
                         "has %s",
                         run->algorithm->info.name, hd_size_of(wanted).text, hd_size_of(most).text);
}

/* Machines may have different files of that name. */
heddle_status hd_ranks_program(const hd_run *run, uint64_t *hash) {
    const heddle_run_options *o = &run->options;
    heddle_context *ctx = run->ctx;
    char *text = NULL;
    size_t room = 0;
    *hash = 0;
    if (!o->program)
        return HEDDLE_OK;
    heddle_status status = hd_program_text(ctx, o->program, o->program_text, &text, &room);
    if (status == HEDDLE_OK)
        *hash = hd_hash_block(text, strlen(text));
    HD_DELETE(&ctx->allocator, text, room);
    return status;
}

/* One comparison of all together; only if that fails is each made, to find the first that differs. */
static heddle_status compare_options(const hd_run *run, uint64_t program) {
    hd_link *link = run->ctx->link;
    uint64_t all = program, n = run->graph->vertices;
    char words[100];
    for (int id = 0; id < HD_RUN_OPTION_COUNT; id++)
        all = hd_hash2(all, hd_option_hash(&hd_run_options[id], &run->options, n));
    heddle_status status = hd_agree_same(link, all, "the ranks were given different options");
    if (status != HEDDLE_E_REFUSED)
        return status;
    for (int id = 0; id < HD_RUN_OPTION_COUNT; id++) {
        snprintf(words, sizeof words, "the ranks were given different options: %s", hd_run_options[id].about.name);
        HD_TRY(hd_agree_same(link, hd_option_hash(&hd_run_options[id], &run->options, n), words));
    }
    return hd_agree_same(link, program, "the ranks were given different options: the program");
}

heddle_status hd_ranks_check(const hd_run *run, uint64_t program) {
    const heddle_graph *graph = run->graph;
    bool in = graph->directed && graph->in.offsets;
    int what = HD_VERIFY_OUT | HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS | (in ? HD_VERIFY_IN : 0);
    HD_TRY(hd_together_check(run->ctx, graph, what));
    return compare_options(run, program);
}
