/* progress.c - the bar: phase, share done, rate, time left. Redrawn in place, wiped at the end. */
#include "progress.h"

#include "report.h"
#include "signals.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool wanted;
    bool quiet;
    const char *advice; /* not given yet */
    bool drawn;
    bool utf8;
    double started; /* of the command: short work shows no bar */
    char phase[24];
    double phase_started;
    uint64_t phase_done; /* when it was first seen */
    uint64_t done;
} bar;

static const double patience = 0.3; /* seconds without a bar */
static const double long_run = 100; /* seconds left that are worth advice, and tenths of a percent */

void cli_progress_advise(const char *advice) { bar.advice = advice; }

void cli_progress_start(bool quiet) {
    const char *terminal = getenv("TERM");
    bar.quiet = quiet;
    bar.wanted = !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    bar.utf8 = cli_utf8();
    bar.started = cli_clock();
}

void cli_progress_clear(void) {
    if (!bar.drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    bar.drawn = false;
}

static void begin_phase(const heddle_progress *progress, double now) {
    snprintf(bar.phase, sizeof bar.phase, "%s", progress->phase ? progress->phase : "");
    bar.phase_started = now;
    bar.phase_done = progress->done;
}

/* Whether the rate so far says something about the rest: the first blocks of a phase are often the slowest. */
static bool can_tell(const heddle_progress *progress, double elapsed) {
    double share = (double)progress->done / (double)progress->total;
    return share >= 0.1 || (elapsed >= 2 && share >= 0.01) || elapsed >= 5;
}

/* Seconds left at the rate so far; negative: not known yet. */
static double time_left(const heddle_progress *progress, double now) {
    double elapsed = now - bar.phase_started, done = (double)(progress->done - bar.phase_done);
    if (!progress->total || progress->done >= progress->total || done <= 0 || !can_tell(progress, elapsed))
        return -1;
    return (double)(progress->total - progress->done) * elapsed / done;
}

/* " 42%  118M/s  3 s left", without the parts that are not known yet. Phases count bytes, edges or blocks; the rate is
 * omitted if the work consists of few units. */
static int tail(char *text, size_t size, const heddle_progress *progress, double now) {
    double elapsed = now - bar.phase_started, left = time_left(progress, now);
    double rate = elapsed > 0 ? (double)(progress->done - bar.phase_done) / elapsed : 0;
    double share = progress->total ? (double)progress->done / (double)progress->total : 0;
    int used = 0;
    text[0] = '\0';
    if (progress->total)
        used = snprintf(text, size, left > long_run ? " %.2f%%" : " %3.0f%%",
                        left > long_run ? 100 * share : floor(100 * share));
    if (elapsed < patience || rate <= 0)
        return used;
    if (rate >= 1000)
        used += snprintf(text + used, size - (size_t)used, "  %4s/s", cli_si(rate).text);
    if (left < 0)
        return used;
    if (left < 100)
        used += snprintf(text + used, size - (size_t)used, "  %.0f s left", ceil(left));
    else
        used += snprintf(text + used, size - (size_t)used, "  %s left", cli_about(left).text);
    return used;
}

static void draw(const heddle_progress *progress, double now) {
    char words[128];
    int columns = cli_columns(STDERR_FILENO), label = 10;
    int used = tail(words, sizeof words, progress, now);
    int room = columns - label - used - 3;
    room = room > 40 ? 40 : room;
    fprintf(stderr, "\r%-*.*s", label, label - 1, bar.phase);
    if (progress->total && room >= 8) {
        int full = (int)((double)room * (double)progress->done / (double)progress->total);
        fputc('[', stderr);
        for (int i = 0; i < room; i++)
            fputs(i < full ? (bar.utf8 ? "█" : "#") : (bar.utf8 ? "·" : "."), stderr);
        fputc(']', stderr);
    }
    if (label + used < columns)
        fputs(words, stderr);
    fputs("\033[K", stderr);
    fflush(stderr);
    bar.drawn = true;
}

/* Once, where a run turns out to be long. */
static void advise(const heddle_progress *progress, double now) {
    double left = bar.advice && !bar.quiet ? time_left(progress, now) : -1;
    if (left <= long_run)
        return;
    cli_say("note: %s left; %s", cli_about(left).text, bar.advice);
    bar.advice = NULL;
}

int cli_progress_update(void *user, const heddle_progress *progress) {
    (void)user;
    if (!bar.wanted && (bar.quiet || !bar.advice))
        return cli_interrupted(); /* perhaps before this call, which then is not cancelled yet */
    double now = cli_clock();
    heddle_progress shown = *progress;
    if (shown.total && shown.done > shown.total)
        shown.done = shown.total;
    if (strncmp(bar.phase, shown.phase ? shown.phase : "", sizeof bar.phase - 1) != 0 || shown.done < bar.done)
        begin_phase(&shown, now);
    bar.done = shown.done;
    advise(&shown, now);
    if (bar.wanted && now - bar.started >= patience)
        draw(&shown, now);
    return cli_interrupted();
}
