/* test_hints.c - what is refused is refused beforehand too, and what a refusal names instead is not. */
#include "context_case.h"

#include <stdio.h>
#include <stdlib.h>

static heddle_graph *graph;

static int open_all(void **state) {
    static const int64_t from[] = {0, 0, 0, 0, 1, 2, 3, 4}, to[] = {1, 2, 3, 4, 2, 3, 4, 0};
    static const uint32_t weights[] = {1, 2, 3, 4, 5, 6, 7, 8};
    set_up(state);
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 5, 8, from, to, weights, HEDDLE_WEIGHT_U32, NULL, &graph),
                          HEDDLE_OK);
    return 0;
}

static int close_all(void **state) {
    heddle_graph_destroy(&graph);
    return tear_down(state);
}

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

enum { KEYS = 6, ROOM = 256 };

static const char *const names[KEYS] = {"transform", "K", "schedule", "direction", "worklist", "sync"};
static const char *const values[KEYS][8] = {{"", "udt", "star", "circ", "cliq", "rstar"},
                                            {"", "1", "2"},
                                            {"", "thread", "vwarp", "wseg", "vnode", "edge", "shard"},
                                            {"", "pull", "push"},
                                            {"", "yes", "no"},
                                            {"", "strict", "relaxed"}};

typedef struct plan_case {
    const char *value[KEYS]; /* "": not said */
} plan_case;

static void write_plan(const plan_case *p, char text[ROOM]) {
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < KEYS; k++)
        if (p->value[k][0])
            used += (size_t)snprintf(text + used, ROOM - used, "%s%s=%s", used ? "," : "", names[k], p->value[k]);
    if (!used)
        snprintf(text, ROOM, "auto");
}

static heddle_status ask(const char *algorithm, const char *device, const char *plan) {
    heddle_run_options options = support_run_options(algorithm, device, plan);
    heddle_device_memory memory = {.size = sizeof memory};
    options.parents = 0;
    return heddle_run_memory(ctx, graph, &options, &memory);
}

/* ---- Hints ------------------------------------------------------------------------------------------------------ */

/* The k-th word of a list "a, b or c"; false: there is none. */
static bool pick(const char *list, int k, char *word, size_t room) {
    const char *at = list;
    for (; k && at; k--) {
        const char *comma = strstr(at, ", "), *last = strstr(at, " or ");
        at = comma && (!last || comma < last) ? comma + 2 : last ? last + 4 : NULL;
    }
    size_t length = at ? strcspn(at, " ,") : 0;
    snprintf(word, room, "%.*s", (int)length, at ? at : "");
    return length > 0;
}

/* Does what the hint says, taking the k-th of its choices: "direction=pull with schedule=thread or wseg". */
static bool follow(const char *hint, int k, plan_case *p, char room[KEYS][32]) {
    bool chosen = k == 0;
    for (int key = 0; key < KEYS; key++) {
        char word[40];
        snprintf(word, sizeof word, "%s=", names[key]);
        const char *at = strstr(hint, word);
        if (!at)
            continue;
        char list[ROOM];
        snprintf(list, sizeof list, "%s", at + strlen(word));
        for (int next = 0; next < KEYS; next++) { /* up to the next key */
            snprintf(word, sizeof word, " %s=", names[next]);
            if (strstr(list, word))
                *strstr(list, word) = '\0';
        }
        chosen |= pick(list, k, room[key], sizeof room[key]);
        if (!room[key][0] && !pick(list, 0, room[key], sizeof room[key]))
            fail_msg("the hint '%s' cannot be followed", hint);
        p->value[key] = room[key];
    }
    return chosen;
}

static char *last_of(char *text, const char *word) {
    char *last = NULL;
    for (char *at = strstr(text, word); at; at = strstr(at + 1, word))
        last = at;
    return last;
}

static void check_hint(const char *algorithm, const char *device, const plan_case *given) {
    char message[1024], plan[ROOM], better[ROOM], room[KEYS][32];
    snprintf(message, sizeof message, "%s", heddle_context_error(ctx)->message);
    const char *hint = last_of(message, "; use ");
    char *end = hint ? strstr(hint, " instead") : NULL;
    if (!end)
        return;
    *end = '\0';
    write_plan(given, plan);
    for (int k = 0; k < 8; k++) {
        plan_case p = *given;
        memset(room, 0, sizeof room);
        if (strstr(hint, "plan auto")) {
            snprintf(better, sizeof better, "auto");
        } else {
            if (!follow(hint, k, &p, room))
                return;
            write_plan(&p, better);
        }
        if (strcmp(better, plan) == 0)
            fail_msg("%s --plan %s on %s: the hint '%s' changes nothing", algorithm, plan, device, hint);
        heddle_status status = ask(algorithm, device, better);
        if (status == HEDDLE_E_REFUSED || status == HEDDLE_E_ARGUMENT)
            fail_msg("%s --plan %s on %s: the hint '%s' leads to --plan %s, which is refused too: %s", algorithm, plan,
                     device, hint, better, heddle_context_error(ctx)->message);
    }
}

/* One plan in five, others for each algorithm, so that every pair of values comes up; fewer under sanitizers. With
 * HEDDLE_TEST_ALL all of them. */
static void each_plan(void (*check)(const char *algorithm, const plan_case *p)) {
    const heddle_algorithm_info *info;
    const int plans = 6 * 3 * 7 * 3 * 3 * 3;
    const int step = getenv("HEDDLE_TEST_ALL") ? 1 : support_large(8) < 8 ? 25 : 5; /* no factor of any count */
    for (size_t a = 0; (info = heddle_algorithm_at(a)); a++)
        for (int i = (int)a % step; i < plans; i += step) {
            static const int counts[KEYS] = {6, 3, 7, 3, 3, 3};
            plan_case p;
            for (int k = 0, rest = i; k < KEYS; k++, rest /= counts[k - 1])
                p.value[k] = values[k][rest % counts[k]];
            check(info->name, &p);
        }
}

static void check_hints(const char *algorithm, const plan_case *p) {
    static const char *const devices[] = {"cpu", "cuda:999"}; /* a common GPU is assumed in the place of the latter */
    char plan[ROOM];
    write_plan(p, plan);
    for (int d = 0; d < 2; d++)
        if (ask(algorithm, devices[d], plan) == HEDDLE_E_REFUSED)
            check_hint(algorithm, devices[d], p);
}

static void hints_do(void **state) {
    (void)state;
    each_plan(check_hints);
}

/* ---- Beforehand ------------------------------------------------------------------------------------------------- */

static void assert_foretold(const char *algorithm, const char *plan) {
    char words[512];
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_result *result;
    options.parents = 0;
    heddle_status before = ask(algorithm, "cpu", plan);
    snprintf(words, sizeof words, "%.500s", heddle_context_error(ctx)->message);
    heddle_status status = heddle_run(ctx, graph, &options, &result);
    if (status != before || (status != HEDDLE_OK && strcmp(words, heddle_context_error(ctx)->message) != 0))
        fail_msg("%s --plan %s: foretold %s (%s), but was %s (%s)", algorithm, plan, heddle_status_name(before), words,
                 heddle_status_name(status), heddle_context_error(ctx)->message);
    heddle_result_destroy(&result);
}

static void check_foretold(const char *algorithm, const plan_case *p) {
    static unsigned count;
    char plan[ROOM];
    write_plan(p, plan);
    if (count++ % 7 == 0) /* each run for itself takes a while */
        assert_foretold(algorithm, plan);
}

static void refusals_are_foretold(void **state) {
    (void)state;
    each_plan(check_foretold);
}

static void orders_and_presets_are_foretold(void **state) {
    const heddle_algorithm_info *info;
    const char *preset;
    (void)state;
    for (size_t a = 0; (info = heddle_algorithm_at(a)); a++) {
        for (size_t i = 0; (preset = heddle_plan_at(i)); i++)
            assert_foretold(info->name, preset);
        assert_foretold(info->name, "order=degree");
        assert_foretold(info->name, "order=bfs,transform=udt");
        assert_foretold(info->name, "order=none");
        assert_foretold(info->name, "oder=none");
    }
}

/* What is wrong with weights and values. */
static void values_are_foretold(void **state) {
    static const int64_t from[] = {0, 1}, to[] = {1, 2};
    static const int32_t negative[] = {1, -2};
    double wrong[] = {1, -1, 1}, nothing[] = {0, 0, 0};
    heddle_graph *bad;
    heddle_device_memory memory = {.size = sizeof memory};
    (void)state;
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 3, 2, from, to, negative, HEDDLE_WEIGHT_I32, NULL, &bad),
                          HEDDLE_OK);
    static const char *const refuse[] = {"sssp", "cs"};
    for (int i = 0; i < 2; i++) {
        heddle_run_options options = support_run_options(refuse[i], "cpu", "auto");
        support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_E_WEIGHT);
        support_assert_message(ctx, "-2");
    }
    heddle_run_options options = support_run_options("pr", "cpu", "auto");
    support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_OK);
    options.weighted = 1;
    support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_E_WEIGHT);
    options.weighted = 0;
    options.personalization = wrong;
    support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_E_ARGUMENT);
    options.personalization = nothing;
    support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_E_ARGUMENT);
    options = support_run_options("bc", "cpu", "auto");
    heddle_vertex source = 1;
    options.sources = &source;
    options.source_count = 1;
    options.samples = 2;
    support_assert_status(ctx, heddle_run_memory(ctx, bad, &options, &memory), HEDDLE_E_ARGUMENT);
    heddle_graph_destroy(&bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hints_do), cmocka_unit_test(refusals_are_foretold),
                                       cmocka_unit_test(orders_and_presets_are_foretold),
                                       cmocka_unit_test(values_are_foretold)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
