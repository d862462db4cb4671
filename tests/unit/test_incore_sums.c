/* test_incore_sums.c - vertex programs on a device: those whose vertices are all active and whose messages add up,
 * under every schedule; see test_incore.c. */
#include "incore_cases.h"

TEST_PROGRAM(pr)
TEST_PROGRAM(hs)
TEST_PROGRAM(cs)
TEST_PROGRAM(nn)
TEST_FORMS(hs)

static void test_options(void **unused) {
    (void)unused;
    static const char *const options[] = {
        "pr schedule=wseg,warp=8,offsets=64,debug=yes",
        "pr schedule=edge,warp=64,debug=yes",
        "pr schedule=edge,warp=8,offsets=64,debug=yes",
        "pr schedule=vwarp,width=32,warp=64,debug=yes",
        "pr schedule=vnode,warp=8,debug=yes",
        "pr schedule=edge,direction=push,warp=64,debug=yes",
        "pr baseline", /* optimised, as users run it */
        "pr tigr-v+",
        "hs schedule=edge",
    };
    run_options(options, sizeof options / sizeof *options);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pr),          cmocka_unit_test(test_hs),
                                       cmocka_unit_test(test_cs),          cmocka_unit_test(test_nn),
                                       cmocka_unit_test(test_forms_of_hs), cmocka_unit_test(test_options)};
    return run_incore_tests(tests, sizeof tests / sizeof *tests);
}
