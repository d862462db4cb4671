/* cache.c - heddle cache: the kernels and programs that were compiled at run time. Warming runs every algorithm under
 * every preset on a graph of a few vertices, so that exactly the kernels of later runs are compiled. */
#include "algorithm.h"
#include "json.h"
#include "names.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#include <string.h>

typedef struct cache_settings {
    cli_common common;
    const char *device, *algorithm, *plan;
} cache_settings;

/* ---- Show and clear -------------------------------------------------------------------------------------------- */

static void json_counts(cli_json *json, const heddle_cache_info *info) {
    cli_json_text(json, "folder", info->path[0] ? info->path : NULL);
    cli_json_flag(json, "unused", info->unused);
    cli_json_object(json, "kinds");
    for (int i = 0; i < HEDDLE_CACHE_KINDS && info->kinds[i].kind; i++) {
        cli_json_object(json, info->kinds[i].kind);
        cli_json_count(json, "files", info->kinds[i].files);
        cli_json_count(json, "bytes", info->kinds[i].bytes);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static heddle_cache_count sum_of(const heddle_cache_info *info) {
    heddle_cache_count sum = info->left_over;
    for (int i = 0; i < HEDDLE_CACHE_KINDS && info->kinds[i].kind; i++) {
        sum.files += info->kinds[i].files;
        sum.bytes += info->kinds[i].bytes;
    }
    return sum;
}

static void print_sum(const cache_settings *settings, const heddle_cache_info *info, const char *action) {
    heddle_cache_count sum = sum_of(info);
    if (settings->common.json) {
        cli_json json = {.out = stdout};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "action", action);
        json_counts(&json, info);
        cli_json_count(&json, "files", sum.files);
        cli_json_count(&json, "bytes", sum.bytes);
        cli_json_end(&json);
        return;
    }
    if (!info->path[0]) {
        puts("no folder: neither HEDDLE_CACHE nor XDG_CACHE_HOME nor HOME names one, so every run compiles");
        return;
    }
    char folder[sizeof info->path];
    snprintf(folder, sizeof folder, "%s", info->path);
    printf("%s\n", cli_clean(folder));
    if (info->unused)
        puts("  not used, so that every run compiles: only you may be able to write to the folder");
    for (int i = 0; i < HEDDLE_CACHE_KINDS && info->kinds[i].kind; i++)
        if (info->kinds[i].files)
            printf("  %-10s%6s %s, %s\n", info->kinds[i].kind, cli_grouped(info->kinds[i].files).text,
                   i == 0                                    ? "of programs"
                   : !strcmp(info->kinds[i].kind, "drivers") ? "of trials"
                                                             : "of kernels",
                   cli_bytes(info->kinds[i].bytes).text);
    if (info->left_over.files)
        printf("  %-10s%6s of compilers, %s\n", info->left_over.kind, cli_grouped(info->left_over.files).text,
               cli_bytes(info->left_over.bytes).text);
    printf("%s %s file%s, %s\n", strcmp(action, "clear") ? "in all" : "removed", cli_grouped(sum.files).text,
           sum.files == 1 ? "" : "s", cli_bytes(sum.bytes).text);
}

/* ---- Warm ------------------------------------------------------------------------------------------------------ */

typedef struct warmth {
    uint64_t runs, compiled, refused;
    double seconds;
} warmth;

static int warm_one(cli_session *session, const heddle_graph *graph, const char *device, const char *algorithm,
                    const char *plan, warmth *sum) {
    heddle_run_options options;
    heddle_result *result = NULL;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.plan = plan;
    heddle_status status = heddle_run(session->context, graph, &options, &result);
    if (status == HEDDLE_E_REFUSED || status == HEDDLE_E_WEIGHT) {
        sum->refused++;
        return 0;
    }
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    double compile = heddle_result_report(result)->compile;
    sum->runs++;
    sum->compiled += compile > 0;
    sum->seconds += compile;
    heddle_result_destroy(&result);
    return 0;
}

static int warm_graph(cli_session *session, const cache_settings *settings, const heddle_graph *graph, warmth *sum) {
    const heddle_algorithm_info *info;
    const char *plan;
    for (size_t a = 0; (info = heddle_algorithm_at(a)); a++) {
        if (settings->algorithm && strcmp(settings->algorithm, info->name) != 0)
            continue;
        for (size_t p = 0; (plan = settings->plan && p == 0 ? settings->plan : heddle_plan_at(p)); p++) {
            int exit_status = warm_one(session, graph, settings->device, info->name, plan, sum);
            if (exit_status)
                return exit_status;
            if (settings->plan)
                break;
        }
    }
    return 0;
}

static int warm(cli_session *session, const cache_settings *settings, warmth *sum) {
    static const struct { int weighted, real; } kinds[] = {{0, 0}, {1, 0}, {1, 1}};
    int exit_status = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !exit_status; i++) {
        heddle_generate_options options;
        heddle_graph *graph;
        heddle_generate_options_init(&options);
        options.scale = 4;
        options.weighted = kinds[i].weighted;
        options.weight_real = kinds[i].real;
        heddle_status status = heddle_graph_generate(session->context, &options, &graph);
        if (status != HEDDLE_OK)
            return cli_fail(session, status);
        exit_status = warm_graph(session, settings, graph, sum);
        heddle_graph_destroy(&graph);
    }
    return exit_status;
}

static int run_warm(cli_session *session, cache_settings *settings) {
    warmth sum = {0, 0, 0, 0};
    bool json = settings->common.json;
    if (cli_is_host(settings->device) || cli_is_open(settings->device))
        return cli_usage_error(session->command, "--device %s: kernels are compiled for cuda and opencl",
                               settings->device);
    if (settings->algorithm && !cli_algorithm_named(settings->algorithm))
        return cli_usage_error(session->command, "--algorithm: no algorithm '%.100s'", settings->algorithm);
    if (settings->algorithm)
        settings->algorithm = cli_algorithm_named(settings->algorithm);
    settings->common.quiet = 1; /* remarks of single runs are of no interest here */
    int exit_status = warm(session, settings, &sum);
    cli_progress_clear();
    if (exit_status)
        return exit_status;
    if (json) {
        cli_json out = {.out = stdout};
        cli_json_object(&out, NULL);
        cli_json_text(&out, "action", "warm");
        cli_json_text(&out, "device", settings->device);
        cli_json_count(&out, "runs", sum.runs);
        cli_json_count(&out, "compiled", sum.compiled);
        cli_json_count(&out, "refused", sum.refused);
        cli_json_seconds(&out, "compile", sum.seconds);
        cli_json_end(&out);
        return 0;
    }
    printf("%s: %s compiled in %s, %s were there\n", settings->device, cli_grouped(sum.compiled).text,
           cli_seconds(sum.seconds).text, cli_grouped(sum.runs - sum.compiled).text);
    return 0;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static int run(cli_session *session, void *opaque) {
    cache_settings *settings = opaque;
    const char *action = session->arguments.operand_count ? session->arguments.operands[0] : "show";
    heddle_cache_info info = {.size = sizeof info};
    heddle_status status;
    if (!strcmp(action, "warm"))
        return run_warm(session, settings);
    if (!strcmp(action, "show"))
        status = heddle_cache_show(session->context, &info);
    else if (!strcmp(action, "clear"))
        status = heddle_cache_clear(session->context, &info);
    else
        return cli_usage_error(session->command, "found '%.100s', expected show, warm or clear", action);
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    print_sum(settings, &info, action);
    return 0;
}

static const cli_option options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, cache_settings, device,
              "warm: for this device, cuda (the default) or opencl, optionally with :INDEX"),
    CLI_VALUE("algorithm", 0, "NAME", cli_parse_text, cache_settings, algorithm, "warm: this algorithm only"),
    CLI_VALUE("plan", 0, "PLAN", cli_parse_text, cache_settings, plan,
              "warm: this plan only, a preset or KEY=VALUE,..."),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {{"Warming", options, 0}, CLI_COMMON_GROUP, CLI_END_GROUP};

static void defaults(void *settings) { ((cache_settings *)settings)->device = heddle_device_kind_at(0); }

const cli_command cli_cache = {
    .name = "cache",
    .summary = "the compiled kernels: show, warm, clear",
    .operands = "[ACTION]",
    .about =
        "Kernels for devices and programs of your own are compiled when they are first used, and kept in a folder: "
        "$HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle. A file's name is a hash of all that went "
        "into it: source, options, device, driver and compiler; whatever changes is compiled again, and what is "
        "damaged too. "
        "The folder is used only if it is yours and no other user may write to it. It holds at most $HEDDLE_CACHE_MAX "
        "bytes (512M unless given); what was not used for longest goes first.\n\n"
        "show (also without ACTION) counts what is there. warm compiles every algorithm under every preset for a "
        "device, for graphs without weights and with whole or real ones, so that later runs need not. clear removes "
        "the files that are Heddle's own, nothing else, from a folder whose CACHEDIR.TAG says that it is Heddle's; "
        "runs that "
        "compile meanwhile are not disturbed.",
    .examples = "heddle cache\n"
                "heddle cache warm --device cuda\n"
                "heddle cache warm --device opencl:1 --algorithm sssp\n"
                "HEDDLE_CACHE=/scratch/kernels heddle cache clear",
    .groups = groups,
    .settings_size = sizeof(cache_settings),
    .defaults = defaults,
    .run = run,
};
