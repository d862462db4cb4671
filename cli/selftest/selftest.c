/* selftest.c - heddle selftest: every algorithm under every preset on small difficult graphs, checked by certificates
 * and sequential references. It needs nothing but the command itself, so it shows on any machine whether driver,
 * compiler and device can be trusted. */
#include "selftest/selftest.h"

#include "algorithm.h"
#include "json.h"
#include "names.h"
#include "progress.h"
#include "report.h"
#include "selftest/selftest_case.h"
#include "text.h"

#include <string.h>

enum { MOST_FAILURES = 100 };

typedef struct selftest_settings {
    cli_common common;
    const char *device, *algorithm, *plan, *graph;
    int quick, verbose;
    cli_random_settings random;
} selftest_settings;

typedef struct count {
    uint64_t passed, refused, failed;
} count;

/* One run that went wrong, or that was refused. */
typedef struct story {
    const char *algorithm, *plan, *graph;
    char message[1024];
} story;

typedef struct selftest {
    cli_session *session;
    const selftest_settings *settings;
    heddle_graph *graphs[CLI_SELFTEST_GRAPHS]; /* NULL: left out */
    count all, here;                           /* here: of one algorithm */
    story failures[MOST_FAILURES];
    size_t failure_count;
    cli_json *json;
    int exit_status; /* not 0: the test itself cannot go on */
} selftest;

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

/* Sums of a program of the user's own end within its tolerance, and depend on the order of additions. */
static const double program_room = 1e-3;

static double room_for(const char *name, const heddle_graph *graph) {
    return cli_names_program(name) ? program_room : cli_room_for(cli_algorithm_called(name), graph);
}

static bool same_values(const heddle_result *found, const heddle_result *expected, double room, char *words,
                        size_t size) {
    uint64_t count = heddle_result_values(expected)->count;
    if (heddle_result_values(found)->count != count) {
        snprintf(words, size, "expected %llu values, found %llu", (unsigned long long)count,
                 (unsigned long long)heddle_result_values(found)->count);
        return false;
    }
    for (uint64_t v = 0; v < count; v++) {
        double a = heddle_result_value(found, (heddle_vertex)v), b = heddle_result_value(expected, (heddle_vertex)v);
        if (!cli_near(a, b, room)) {
            snprintf(words, size, "vertex %llu: the reference has %.9g, the run %.9g", (unsigned long long)v, b, a);
            return false;
        }
    }
    return true;
}

static bool same_forest(const heddle_result *found, const heddle_result *expected, char *words, size_t size) {
    heddle_forest a = *heddle_result_forest(found), b = *heddle_result_forest(expected);
    if (a.edges == b.edges && (!a.edges || !memcmp(a.ends, b.ends, a.edges * 2 * sizeof *a.ends)))
        return true;
    snprintf(words, size, "the forest's edges differ from the reference's (%llu, reference %llu)",
             (unsigned long long)a.edges, (unsigned long long)b.edges);
    return false;
}

/* ---- One run --------------------------------------------------------------------------------------------------- */

static const char *message_of(const selftest *test, heddle_status status) {
    const heddle_error *error = heddle_context_error(test->session->context);
    return error->message[0] ? error->message : heddle_status_text(status);
}

static void fail_case(selftest *test, const story *what) {
    const selftest_settings *settings = test->settings;
    test->here.failed++;
    if (test->failure_count < MOST_FAILURES)
        test->failures[test->failure_count++] = *what;
    if (test->json)
        return;
    cli_progress_clear();
    printf("FAILED  %s, plan %s, graph %s: %s\n", what->algorithm, what->plan, what->graph, what->message);
    printf("        heddle selftest --device %s --algorithm %s --plan %s --graph %s\n", settings->device,
           what->algorithm, what->plan, what->graph);
}

static void refuse_case(selftest *test, const story *what) {
    test->here.refused++;
    if (!test->settings->verbose || test->json)
        return;
    cli_progress_clear();
    printf("refused %s, plan %s, graph %s: %s\n", what->algorithm, what->plan, what->graph, what->message);
}

/* Verifies and compares; what is wrong goes to `what`. */
static heddle_status check(selftest *test, const heddle_graph *graph, const heddle_run_options *options,
                           heddle_result *found, const heddle_result *expected, story *what) {
    double room = options->program ? program_room : room_for(options->algorithm, graph);
    heddle_value_type type = heddle_result_values(found)->type;
    if (options->program && type != HEDDLE_VALUE_F32 && type != HEDDLE_VALUE_F64)
        room = 0;
    heddle_status status = options->program ? HEDDLE_OK : heddle_verify(test->session->context, graph, options, found);
    const heddle_report *report = heddle_result_report(found);
    if (status == HEDDLE_E_VERIFY && !report->converged && report->residual_verified >= 0)
        status = HEDDLE_OK; /* the values of so many rounds, which the reference has, too */
    if (status != HEDDLE_OK)
        snprintf(what->message, sizeof what->message, "%s", message_of(test, status));
    else if (expected && !(same_values(found, expected, room, what->message, sizeof what->message) &&
                           same_forest(found, expected, what->message, sizeof what->message)))
        status = HEDDLE_E_VERIFY;
    return status;
}

/* An algorithm, or a program of the user's own. */
static void set_algorithm(const char *algorithm, heddle_run_options *options) {
    heddle_run_options_init(options);
    if (cli_names_program(algorithm))
        options->program = algorithm;
    else
        options->algorithm = algorithm;
}

static void run_case(selftest *test, size_t graph, const char *algorithm, const char *plan,
                     const heddle_result *expected) {
    heddle_run_options options;
    heddle_result *result = NULL;
    story what = {algorithm, plan, cli_selftest_graph_name(graph), ""};
    set_algorithm(algorithm, &options);
    options.device = test->settings->device;
    options.plan = plan;
    heddle_status status = heddle_run(test->session->context, test->graphs[graph], &options, &result);
    if (status == HEDDLE_OK)
        status = check(test, test->graphs[graph], &options, result, expected, &what);
    else
        snprintf(what.message, sizeof what.message, "%s", message_of(test, status));
    heddle_result_destroy(&result);
    if (status == HEDDLE_E_CANCELLED || status == HEDDLE_E_ARGUMENT || /* no such plan */
        (status == HEDDLE_E_DEVICE && !test->all.passed && !test->here.passed))
        test->exit_status = cli_fail(test->session, status);
    else if (status == HEDDLE_OK)
        test->here.passed++;
    else if (status == HEDDLE_E_REFUSED)
        refuse_case(test, &what);
    else
        fail_case(test, &what);
}

/* ---- All of them ----------------------------------------------------------------------------------------------- */

/* Of a program, what the CPU's own loop gives. */
static heddle_status reference(const selftest *test, const heddle_graph *graph, heddle_run_options *options,
                               heddle_result **expected) {
    if (!options->program)
        return heddle_run_reference(test->session->context, graph, options, expected);
    options->device = "cpu";
    return heddle_run(test->session->context, graph, options, expected);
}

static void run_plans(selftest *test, size_t graph, const char *algorithm) {
    heddle_run_options options;
    heddle_result *expected = NULL;
    const char *plan;
    set_algorithm(algorithm, &options);
    if (room_for(algorithm, test->graphs[graph]) >= 0) {
        heddle_status status = reference(test, test->graphs[graph], &options, &expected);
        if (status != HEDDLE_OK) {
            test->exit_status = cli_fail(test->session, status);
            return;
        }
    }
    if (test->settings->plan)
        run_case(test, graph, algorithm, test->settings->plan, expected);
    for (size_t i = 0; !test->settings->plan && !test->exit_status && (plan = heddle_plan_at(i)); i++)
        run_case(test, graph, algorithm, plan, expected);
    heddle_result_destroy(&expected);
}

static void add_up(count *sum, const count *more) {
    sum->passed += more->passed;
    sum->refused += more->refused;
    sum->failed += more->failed;
}

static void json_count(cli_json *json, const count *count) {
    cli_json_count(json, "passed", count->passed);
    cli_json_count(json, "refused", count->refused);
    cli_json_count(json, "failed", count->failed);
}

static void show_algorithm(const selftest *test, const char *algorithm, double seconds) {
    const count *here = &test->here;
    if (test->json) {
        cli_json_object(test->json, NULL);
        cli_json_text(test->json, "algorithm", algorithm);
        json_count(test->json, here);
        cli_json_end(test->json);
        return;
    }
    cli_progress_clear();
    printf("%-12s %5s passed, %5s refused, %5s failed   %s\n", algorithm, cli_grouped(here->passed).text,
           cli_grouped(here->refused).text, cli_grouped(here->failed).text, cli_seconds(seconds).text);
    fflush(stdout);
}

static void run_algorithm(selftest *test, const char *name) {
    double start = cli_clock();
    test->here = (count){0, 0, 0};
    for (size_t g = 0; g < CLI_SELFTEST_GRAPHS && !test->exit_status; g++)
        if (test->graphs[g])
            run_plans(test, g, name);
    add_up(&test->all, &test->here);
    if (!test->exit_status)
        show_algorithm(test, name, cli_clock() - start);
}

static void run_algorithms(selftest *test) {
    const heddle_algorithm_info *info;
    if (test->settings->algorithm) {
        run_algorithm(test, test->settings->algorithm);
        return;
    }
    for (size_t a = 0; !test->exit_status && (info = heddle_algorithm_at(a)); a++)
        run_algorithm(test, info->name);
}

static int make_graphs(selftest *test) {
    const selftest_settings *settings = test->settings;
    for (size_t g = 0; g < CLI_SELFTEST_GRAPHS; g++) {
        if (settings->graph ? strcmp(settings->graph, cli_selftest_graph_name(g)) != 0
                            : settings->quick && !cli_selftest_graph_quick(g))
            continue;
        heddle_status status = cli_selftest_graph(test->session->context, g, &test->graphs[g]);
        if (status != HEDDLE_OK)
            return cli_fail(test->session, status);
    }
    return 0;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static void json_failures(const selftest *test) {
    cli_json_array(test->json, "failures");
    for (size_t i = 0; i < test->failure_count; i++) {
        const story *what = &test->failures[i];
        cli_json_object(test->json, NULL);
        cli_json_text(test->json, "algorithm", what->algorithm);
        cli_json_text(test->json, "plan", what->plan);
        cli_json_text(test->json, "graph", what->graph);
        cli_json_text(test->json, "message", what->message);
        cli_json_end(test->json);
    }
    cli_json_end(test->json);
}

static void run_all(selftest *test) {
    if (test->json) {
        cli_json_object(test->json, NULL);
        cli_json_text(test->json, "device", test->settings->device);
        cli_json_array(test->json, "algorithms");
    }
    run_algorithms(test);
    cli_progress_clear();
    if (test->json) {
        cli_json_end(test->json);
        json_count(test->json, &test->all);
        json_failures(test);
        cli_json_end(test->json);
    } else if (!test->exit_status) {
        printf("%s passed, %s refused, %s failed on %s\n", cli_grouped(test->all.passed).text,
               cli_grouped(test->all.refused).text, cli_grouped(test->all.failed).text, test->settings->device);
        if (test->all.refused && !test->settings->verbose)
            cli_say("refused: plans that do not exist for an algorithm or device, which is no failure; --verbose lists "
                    "them with the reasons");
    }
}

/* A name that is in a list, or a usage error that shows the list. */
static int check_name(const cli_session *session, const char *option, const char *name,
                      const char *(*at)(size_t index)) {
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; name && at(i); i++) {
        if (!strcmp(name, at(i)))
            return 0;
        cli_list_word(list, sizeof list, &used, at(i), !at(i + 1));
    }
    return name ? cli_usage_error(session->command, "--%s: found '%.100s', expected %s", option, name, list) : 0;
}

static const char *algorithm_name(size_t index) {
    const heddle_algorithm_info *info = heddle_algorithm_at(index);
    return info ? info->name : NULL;
}

static int run(cli_session *session, void *opaque) {
    selftest_settings *settings = opaque;
    cli_json json = {.out = stdout};
    selftest test = {.session = session, .settings = settings, .json = settings->common.json ? &json : NULL};
    settings->common.quiet = 1; /* remarks of single runs are of no interest here */
    if (settings->algorithm && cli_algorithm_named(settings->algorithm))
        settings->algorithm = cli_algorithm_named(settings->algorithm);
    bool random = settings->random.cases || settings->random.bytes;
    bool program = settings->algorithm &&
                   (random ? !strcmp(settings->algorithm, "program") : cli_names_program(settings->algorithm));
    int exit_status = program ? 0 : check_name(session, "algorithm", settings->algorithm, algorithm_name);
    if (!exit_status)
        exit_status = check_name(session, "graph", settings->graph, cli_selftest_graph_name);
    if (!exit_status && random) {
        settings->random.device = settings->device;
        settings->random.algorithm = settings->algorithm;
        settings->random.verbose = settings->verbose;
        return cli_selftest_random(session, &settings->random);
    }
    if (!exit_status)
        exit_status = make_graphs(&test);
    if (!exit_status) {
        run_all(&test);
        exit_status = test.exit_status ? test.exit_status : test.all.failed ? 1 : 0;
    }
    for (size_t g = 0; g < CLI_SELFTEST_GRAPHS; g++)
        heddle_graph_destroy(&test.graphs[g]);
    return exit_status;
}

static const cli_option options[] = {
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, selftest_settings, device,
              "the device to test: cpu (the default), cuda or opencl, optionally with :INDEX"),
    CLI_FLAG("quick", 0, 1, selftest_settings, quick, "half of the graphs"),
    CLI_VALUE("algorithm", 0, "NAME", cli_parse_text, selftest_settings, algorithm,
              "this algorithm only; FILE.c is a program of your own; with --cases \"program\": generated programs"),
    CLI_VALUE("plan", 0, "PLAN", cli_parse_text, selftest_settings, plan, "this plan only: a preset, or KEY=VALUE,..."),
    CLI_VALUE("graph", 0, "NAME", cli_parse_text, selftest_settings, graph, "this graph only"),
    CLI_NUMBER("cases", 0, "N", cli_parse_count, 1, 1e18, selftest_settings, random.cases,
               "instead: N random cases, each a small graph, an algorithm, options and a plan, checked by certificate, "
               "reference and a related run; one that fails is shrunk"),
    CLI_NUMBER("seed", 0, "N", cli_parse_count, 0, 1e18, selftest_settings, random.seed,
               "the first of these cases (default: 0)"),
    CLI_VALUE("case", 0, "DIGITS", cli_parse_text, selftest_settings, random.bytes,
              "one such case, as a failure shows it"),
    CLI_FLAG("verbose", 'v', 1, selftest_settings, verbose, "list what was refused, with the reason"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {{"Selftest", options, 0}, CLI_COMMON_GROUP, CLI_END_GROUP};

static void defaults(void *settings) { ((selftest_settings *)settings)->device = "cpu"; }

static void list_graphs(FILE *out) {
    char text[512] = "Graphs: ";
    size_t used = strlen(text);
    for (size_t g = 0; g < CLI_SELFTEST_GRAPHS; g++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", g ? ", " : "", cli_selftest_graph_name(g));
    cli_wrap(out, text, 0, 0, CLI_WIDTH);
}

const cli_command cli_selftest = {
    .name = "selftest",
    .hints = CLI_WORDS("test"),
    .summary = "check every algorithm and plan on a device",
    .operands = "",
    .about =
        "Runs every algorithm under every preset on small graphs that hurt, and holds each result against its "
        "certificate and the values of simple sequential code. One line for each algorithm, then the sum. Plans that "
        "cannot be for an algorithm or a device are refused with a reason; that is no failure. A failure is shown with "
        "the command that repeats it, and the exit status is 1. A program of your own is compared with what the CPU's "
        "own loop gives: whole numbers exactly, real ones up to a thousandth.",
    .examples = "heddle selftest\n"
                "heddle selftest --device cuda\n"
                "heddle selftest --device opencl:1 --quick --verbose\n"
                "heddle selftest --device cuda --algorithm sssp --plan ws --graph rmat\n"
                "heddle selftest --device opencl --algorithm my.c",
    .groups = groups,
    .settings_size = sizeof(selftest_settings),
    .defaults = defaults,
    .more_help = list_graphs,
    .run = run,
};
