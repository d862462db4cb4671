/* fuzz_run.c - algorithms under the fuzzer: bytes become a graph, an algorithm, options, a plan and a relation, whose
 * result is checked by its certificate, by the sequential reference and by a second, related run
 * (cli/selftest/selftest_case.h).
 * HEDDLE_FUZZ_DEVICE names a device other than the CPU. `heddle selftest --case DIGITS` repeats what this prints. */
#include "selftest/selftest_case.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A folder for temporary files, which are removed after each case; the folder itself at the end. */
static char folder[128];

static void remove_folder(void) { remove(folder); }

static const char *temporary_folder(void) {
    const char *parent = getenv("TMPDIR");
    if (folder[0])
        return folder;
    snprintf(folder, sizeof folder, "%.100s/heddle-fuzz-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    return folder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cli_case found;
    char words[768];
    const char *device = getenv("HEDDLE_FUZZ_DEVICE");
    if (size > CLI_CASE_BYTES)
        return 0;
    cli_case_decode(data, size, device ? device : "cpu", NULL, true, &found);
    if (cli_case_check(&found, temporary_folder(), words, sizeof words) != CLI_CASE_FAILED)
        return 0;
    fprintf(stderr, "%s: %s\nheddle selftest --device %s --case ", found.run.algorithm, words, found.device);
    for (size_t i = 0; i < size; i++)
        fprintf(stderr, "%02x", data[i]);
    fputc('\n', stderr);
    cli_case_describe(stderr, &found);
    abort();
}
