/* cpu_promises_check.c - see cpu_promises_check.h. */
#include "engine/cpu/cpu_promises_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *hd_promise_name(int promise) {
    return promise == ONCE            ? "ONCE"
           : promise == LEAST_FIRST   ? "LEAST_FIRST"
           : promise == LARGEST_FIRST ? "LARGEST_FIRST"
                                      : "CARRIED";
}

/* The message for a sample; # stands for its next number. */
static const char *const shown[] = {
    [HD_BROKEN_BETTER] = "along an edge a value gets better: a vertex with # sends what update stores as #",
    [HD_BROKEN_REDUCE] = "reduce does not pick the better of two messages: update stores them as # and #, reduced as #",
    [HD_BROKEN_WORSE] = "update replaces # by #, which is no better",
    [HD_BROKEN_OLD] = "what update stores depends on the old value: a message turns # into #, and # into #",
    [HD_BROKEN_KEPT] = "update goes by more than the message: one turns # into #, but leaves #, which is worse, alone",
    [HD_BROKEN_TWICE] = "a vertex changes twice: to #, then to #, by messages that are sent in round # and round #",
    [HD_BROKEN_DIFFERENT] = "two messages of one round have different effects: update stores # and #, in round #",
    [HD_BROKEN_SOURCE] = "a source changes: from # to #, by a message of round #",
    [HD_BROKEN_CARRIED] = "send(#) is #",
    [HD_BROKEN_STORED] = "update does not store what reduce gives: # and message # make #, and reduced #",
    [HD_BROKEN_TYPES] = "VALUE and MESSAGE have to be of one type"};

/* Numbers are printed with enough digits to be read back exactly. */
static void show(const hd_cpu_broken *b, char *text, size_t room) {
    size_t length = 0;
    int next = 0;
    for (const char *p = shown[b->rule]; *p && length + 32 < room; p++) {
        if (*p != '#') {
            text[length++] = *p;
            continue;
        }
        double number = b->number[next++];
        int digits = fabs(number) < 1e15 && number == floor(number) ? 15 : 9;
        length += (size_t)snprintf(text + length, room - length, isnan(number) ? "a struct" : "%.*g", digits, number);
    }
    text[length] = 0;
    if (b->rule == HD_BROKEN_BETTER && !isnan(b->number[2]))
        snprintf(text + length, room - length, " along weight %.9g", b->number[2]);
}

heddle_status hd_cpu_check_promises(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run) {
    int requested = program->traits & HD_PROMISES, seen;
    hd_cpu_broken broken = {.rule = HD_BROKEN_NOT};
    char text[256];
    if (!requested)
        return HEDDLE_OK;
    int failed = requested & ~program->promises(run, 1, requested, &seen, &broken);
    if (!failed)
        return HEDDLE_OK;
    show(&broken, text, sizeof text);
    return hd_fail(ctx, HEDDLE_E_PROGRAM, "the program's promise %s does not hold: %s",
                   hd_promise_name(failed & -failed), text);
}
