/* promised.c - see promised.h. */
#include "algorithm/program/promised.h"

#include "algorithm/paths/paths_device.h"
#include "base/word_list.h"
#include "plan/plan.h"

#include <string.h>

/* ---- The text ---------------------------------------------------------------------------------------------------- */

/* A word of C text: an identifier, or another character; comments, strings and spaces are skipped. */
typedef struct token {
    const char *at;
    size_t length; /* 0: the end */
} token;

/* The end of a comment or a literal that begins here; `at` itself if none does. */
static const char *past_other(const char *at) {
    const char *end = at;
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at; end++)
        end += *end == '\\' && end[1];
    return *end ? end + 1 : end;
}

static token next_token(const char *at) {
    token t = {at, 0};
    for (const char *past = NULL; past != at;) {
        at += strspn(at, " \t\r\n\v\f\\");
        past = at;
        at = past_other(at);
    }
    t.at = at;
    while (hd_in_identifier(at[t.length]))
        t.length++;
    if (!t.length && *at)
        t.length = 1;
    return t;
}

static token after(token t) { return next_token(t.at + t.length); }

static bool is(token t, const char *word) { return t.length == strlen(word) && strncmp(t.at, word, t.length) == 0; }

/* Finds the definition of send(); its last argument's name in *name. Returns the ')' behind its arguments. */
static bool find_send(const char *text, token *name, token *end) {
    for (token t = next_token(text); t.length; t = after(t)) {
        token open = after(t), last = {NULL, 0}, at;
        if (!is(t, "send") || !is(open, "("))
            continue;
        for (at = after(open); at.length && !is(at, ")") && !is(at, "("); at = after(at))
            last = at;
        if (!is(at, ")") || !is(after(at), "{"))
            continue; /* a call */
        *name = last;
        *end = at;
        return last.at != NULL;
    }
    return false;
}

bool hd_sends_degree(const char *text) {
    token name, end, before[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    if (strstr(text, "##") || !find_send(text, &name, &end))
        return true;
    if (is(name, "u32")) /* it has no name */
        return false;
    for (token t = next_token(text); t.length; t = after(t)) {
        bool same = t.length == name.length && memcmp(t.at, name.at, name.length) == 0, argument = t.at == name.at;
        bool unused = is(before[2], ")") && is(before[1], "void") && is(before[0], "(");
        if (same && !argument && !unused)
            return true;
        memmove(before, before + 1, 2 * sizeof *before);
        before[2] = t;
    }
    return false;
}

/* ---- Who serves a run -------------------------------------------------------------------------------------------- */

static hd_refusal refused(const char *why) { return (hd_refusal){why, NULL, NULL}; }
static const hd_refusal none = {NULL, NULL, NULL};

/* Refusals that all of these kernels share. */
static hd_refusal refuse_any(const hd_run *run, const hd_program_run *p, const hd_device_info *info) {
    const hd_incore_program *program = &p->program;
    if (!hd_plan_is_auto(&run->plan) || run->options.profile)
        return refused("a named plan, and --profile, run in rounds");
    if (hd_run_spills(run) || (run->plan.residency && run->plan.residency->spans))
        return refused("edges are not in the device's memory");
    if (!info->atomics64 || !info->doubles)
        return refused("the device has no 64-bit atomics or no double precision");
    if (run->options.max_iterations)
        return refused("--max-iterations counts rounds");
    if (program->traits & (HD_SENDS_EDGE | HD_SENDS_RUN))
        return refused("send() reads its edge or the run");
    if (program->included)
        return refused("the program includes files");
    if (hd_find_identifier(program->text, "iteration"))
        return refused("the program counts rounds");
    if (p->setup.names || p->setup.out_degrees || p->setup.in_degrees || p->setup.passing || p->setup.copies ||
        p->setup.clusters)
        return refused("the graph is a changed one");
    return none;
}

/* ---- LEAST_FIRST, LARGEST_FIRST ---------------------------------------------------------------------------------- */

static hd_refusal refuse_ordered(const hd_run *run, const hd_program_run *p) {
    const hd_incore_program *program = &p->program;
    bool same = program->message_size == program->value_size;
    if (!(program->traits & MONOTONE))
        return refused("it needs MONOTONE");
    if (program->has_output || hd_find_identifier(program->text, "ORDER") || !same ||
        (program->value_size != 4 && program->value_size != 8))
        return refused("values and messages are not one number each");
    if (hd_sends_degree(program->text))
        return refused("send() uses the out-degree");
    return hd_paths_refuse(run);
}

static heddle_status run_ordered(const hd_run *run, const hd_program_run *p) {
    const heddle_graph *graph = run->graph;
    hd_paths_setup setup = {.wide_labels = p->program.value_size == 8,
                            .wide_offsets = run->plan.wide_offsets == HD_YES,
                            .width = 1,
                            .program = &p->program,
                            .inputs = &p->setup};
    bool unused;
    HD_TRY(hd_result_values_new(run->ctx, run->result, p->program.output, graph->vertices));
    return hd_paths_run(run, &setup, run->result->values, &unused);
}

static const hd_promised all[] = {
    {LEAST_FIRST, "LEAST_FIRST", "least values first, in windows", refuse_ordered, run_ordered},
    {LARGEST_FIRST, "LARGEST_FIRST", "largest values first, in windows", refuse_ordered, run_ordered},
};

const hd_promised *hd_promised_of(const hd_run *run, const hd_program_run *p, const hd_device_info *info,
                                  hd_refusal *refusal) {
    *refusal = none;
    for (size_t i = 0; p->compiled && !p->program.own && i < sizeof all / sizeof *all; i++) {
        if (!(p->program.traits & all[i].promise))
            continue;
        *refusal = refuse_any(run, p, info);
        if (!hd_is_refused(*refusal))
            *refusal = all[i].refuse(run, p);
        if (!hd_is_refused(*refusal))
            return &all[i];
    }
    return NULL;
}
