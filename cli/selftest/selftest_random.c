/* selftest_random.c - heddle selftest --seed: random cases, and the smallest form of those that fail. */
#include "progress.h"
#include "report.h"
#include "selftest/selftest_case.h"
#include "signals.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct random_run {
    const cli_session *session;
    const cli_random_settings *settings;
    char folder[128];
    cli_case decoded;
    uint64_t passed, refused, failed;
    char words[768];
} random_run;

static cli_case_outcome check_bytes(random_run *run, const uint8_t *bytes, size_t size) {
    cli_case_decode(bytes, size, run->settings->device, run->settings->algorithm, false, &run->decoded);
    cli_case_outcome outcome = cli_case_check(&run->decoded, run->folder, run->words, sizeof run->words);
    return cli_interrupted() ? CLI_CASE_REFUSED : outcome; /* a compiler may have been interrupted, too */
}

/* Drops runs of bytes, then clears single ones, as long as the case still fails. Returns the number left. */
static size_t shrink(random_run *run, uint8_t *bytes, size_t size) {
    uint8_t tried[CLI_CASE_BYTES];
    for (size_t piece = size / 2; piece; piece /= 2)
        for (size_t at = 0; at + piece <= size && !cli_interrupted();) {
            memcpy(tried, bytes, at);
            memcpy(tried + at, bytes + at + piece, size - at - piece);
            if (check_bytes(run, tried, size - piece) == CLI_CASE_FAILED)
                memcpy(bytes, tried, size -= piece);
            else
                at += piece;
        }
    for (size_t at = 0; at < size && !cli_interrupted(); at++) {
        uint8_t before = bytes[at];
        for (unsigned shift = 8; bytes[at] && shift; shift--) {
            bytes[at] = (uint8_t)(before >> shift);
            if (bytes[at] == before || check_bytes(run, bytes, size) == CLI_CASE_FAILED)
                break;
            bytes[at] = before;
        }
    }
    while (size && !bytes[size - 1]) /* missing bytes are zeros */
        size--;
    return size;
}

/* Of a race that is not met again, what failed is shown as it was. */
static void show_failure(random_run *run, uint64_t seed, uint8_t *bytes, size_t whole) {
    uint8_t smaller[CLI_CASE_BYTES];
    char first_words[sizeof run->words];
    memcpy(smaller, bytes, whole);
    memcpy(first_words, run->words, sizeof first_words);
    run->failed++;
    size_t size = shrink(run, smaller, whole);
    bool again = check_bytes(run, smaller, size) == CLI_CASE_FAILED; /* its words */
    if (again) {
        bytes = smaller;
    } else {
        check_bytes(run, bytes, size = whole);
    }
    cli_progress_clear();
    printf("FAILED  %s (seed %llu): %s%s\n        heddle selftest --device %s%s%s --case ", run->decoded.run.algorithm,
           (unsigned long long)seed, again ? run->words : first_words, again ? "" : " (not each time)",
           run->settings->device, run->settings->algorithm ? " --algorithm " : "",
           run->settings->algorithm ? run->settings->algorithm : "");
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf("%s\n", size ? "" : "00");
    cli_case_describe(stdout, &run->decoded);
    fflush(stdout);
}

static void count_outcome(random_run *run, cli_case_outcome outcome) {
    run->passed += outcome == CLI_CASE_PASSED;
    run->refused += outcome == CLI_CASE_REFUSED;
}

static void run_seed(random_run *run, uint64_t seed) {
    uint8_t bytes[CLI_CASE_BYTES];
    uint64_t state = seed;
    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        bytes[i] = (uint8_t)(state >> 56);
    }
    cli_case_outcome outcome = check_bytes(run, bytes, sizeof bytes);
    if (outcome == CLI_CASE_FAILED)
        show_failure(run, seed, bytes, sizeof bytes);
    else
        count_outcome(run, outcome);
    if (outcome == CLI_CASE_REFUSED && run->settings->verbose)
        printf("refused %s, plan %s: %s\n", run->decoded.run.algorithm, run->decoded.plan, run->words);
}

/* A case in hexadecimal digits, shown whether it fails or not. */
static int run_digits(random_run *run, const char *digits) {
    uint8_t bytes[CLI_CASE_BYTES];
    size_t size = 0;
    unsigned value;
    for (; sscanf(digits, "%2x", &value) == 1 && digits[1] && size < sizeof bytes; digits += 2)
        bytes[size++] = (uint8_t)value;
    if (*digits)
        return cli_usage_error(run->session->command, "--case: found '%.20s', expected pairs of hexadecimal digits",
                               digits);
    cli_case_outcome outcome = check_bytes(run, bytes, size);
    count_outcome(run, outcome);
    run->failed += outcome == CLI_CASE_FAILED;
    cli_case_describe(stdout, &run->decoded);
    if (run->words[0])
        printf("%s %s\n", outcome == CLI_CASE_FAILED ? "FAILED " : "refused", run->words);
    return 0;
}

int cli_selftest_random(const cli_session *session, const cli_random_settings *settings) {
    const char *parent = getenv("TMPDIR");
    random_run *run = calloc(1, sizeof *run);
    if (!run)
        return heddle_status_exit(HEDDLE_E_MEMORY);
    run->session = session;
    run->settings = settings;
    snprintf(run->folder, sizeof run->folder, "%.100s/heddle-case-XXXXXX", parent && *parent ? parent : "/tmp");
    int exit_status = 0;
    if (!mkdtemp(run->folder)) {
        cli_say("%s: cannot create a temporary folder", run->folder);
        free(run);
        return heddle_status_exit(HEDDLE_E_OPEN);
    }
    if (settings->bytes)
        exit_status = run_digits(run, settings->bytes);
    for (uint64_t i = 0; !settings->bytes && i < settings->cases && !cli_interrupted(); i++)
        run_seed(run, settings->seed + i);
    rmdir(run->folder);
    if (!exit_status) {
        printf("%s passed, %s refused, %s failed on %s\n", cli_grouped(run->passed).text,
               cli_grouped(run->refused).text, cli_grouped(run->failed).text, settings->device);
        exit_status = cli_interrupted() ? heddle_status_exit(HEDDLE_E_CANCELLED) : run->failed ? 1 : 0;
    }
    free(run);
    return exit_status;
}
