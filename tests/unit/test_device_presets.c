/* test_device_presets.c - every preset with every algorithm on a device: the result passes its certificate, or the
 * preset is one that the algorithm cannot have and is refused, with what to use instead. Kernels that take long to
 * compile, bc's, scc's, mst's and those of auto, have tests of their own, and come here with HEDDLE_TEST_ALL. */
#include "device_case.h"

#include <stdio.h>
#include <string.h>

static bool one_of(const char *name, const char *list) {
    char padded[32];
    snprintf(padded, sizeof padded, " %s ", name);
    return strstr(list, padded) != NULL;
}

static bool is_program(const char *algorithm) { return !one_of(algorithm, " bc scc mst "); }

/* docs/schedules.md and docs/transforms.md have the reasons. */
static bool cannot_be(const char *algorithm, const char *preset) {
    if (one_of(preset, " cusha-gs cusha-cw "))
        return !is_program(algorithm);
    if (one_of(preset, " udt-cusha "))
        return !one_of(algorithm, " bfs sssp sswp cc ");
    return one_of(preset, " graffix-coalesce graffix-latency graffix-divergence ") ||
           (one_of(preset, " tigr-udt ") && one_of(algorithm, " mst "));
}

static void try_preset(const heddle_graph *graph, const char *algorithm, const char *preset) {
    static const heddle_vertex sources[] = {0, 3, 17};
    heddle_run_options options;
    heddle_result *result = NULL;
    char plan[48];
    heddle_status expected = cannot_be(algorithm, preset) ? HEDDLE_E_REFUSED : HEDDLE_OK;
    /* Kernels for a debugger are compiled in a tenth of the time; only programs have them. */
    bool debug = is_program(algorithm) && strcmp(preset, "auto") != 0;
    if (!debug && expected == HEDDLE_OK && !getenv("HEDDLE_TEST_ALL"))
        return;
    snprintf(plan, sizeof plan, "%s%s", preset, debug ? ",debug=yes" : "");
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device_name;
    options.plan = plan;
    if (one_of(algorithm, " bfs sssp sswp bc ")) {
        options.sources = sources;
        options.source_count = 3;
    }
    heddle_status status = heddle_run(device_ctx, graph, &options, &result);
    if (status == HEDDLE_OK)
        status = heddle_verify(device_ctx, graph, &options, result);
    if (status != expected)
        fail_msg("%s, plan %s: expected %s, found %s: %s", algorithm, plan, heddle_status_text(expected),
                 heddle_status_text(status), heddle_context_error(device_ctx)->message);
    if (expected == HEDDLE_E_REFUSED)
        assert_non_null(strstr(heddle_context_error(device_ctx)->message, "; use "));
    heddle_result_destroy(&result);
}

static void every_preset(void **state) {
    const char *algorithm = *state, *preset;
    heddle_generate_options options;
    heddle_graph *graph;
    skip_without_device();
    heddle_generate_options_init(&options);
    options.kind = "rmat";
    options.scale = 7;
    options.weighted = 1;
    options.weight_max = 9;
    support_assert_status(device_ctx, heddle_graph_generate(device_ctx, &options, &graph), HEDDLE_OK);
    for (size_t i = 0; (preset = heddle_plan_at(i)); i++)
        try_preset(graph, algorithm, preset);
    heddle_graph_destroy(&graph);
}

int main(void) {
#define OF(name) \
    { #name, every_preset, NULL, NULL, (void *)(uintptr_t) #name }
    const struct CMUnitTest tests[] = {OF(bfs), OF(sssp), OF(sswp), OF(cc), OF(pr), OF(bc),
                                       OF(scc), OF(mst),  OF(hs),   OF(cs), OF(nn)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
