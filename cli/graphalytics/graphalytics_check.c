/* graphalytics_check.c - results of Graphalytics: written as its files have them, and compared by its rules:
 * levels and labels exactly, components up to other names, real values up to a ten-thousandth of what is expected. */
#include "graphalytics/graphalytics.h"

#include "file.h"
#include "report.h"
#include "signals.h"
#include "vertex.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double epsilon = 1e-4;

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

typedef struct pair {
    int64_t expected;
    heddle_vertex actual;
} pair;

typedef struct comparison {
    const cli_ldbc_algorithm *algorithm;
    heddle_context *context;
    const heddle_graph *graph;
    const heddle_result *result;
    unsigned char *seen;
    pair *pairs; /* of components */
    uint64_t count;
    char *why;
    size_t size;
} comparison;

static bool read_infinity(const char *text) {
    return !strcasecmp(text, "infinity") || !strcasecmp(text, "inf") || !strcmp(text, "9223372036854775807");
}

/* Whether the value of v is the expected one; components are collected. */
static bool fits(comparison *c, heddle_vertex v, const char *expected) {
    double value = heddle_result_value(c->result, v), wanted = HUGE_VAL;
    heddle_vertex label;
    char *end;
    if (c->algorithm->rule == CLI_LDBC_EQUIVALENT) {
        errno = 0;
        c->pairs[v] = (pair){strtoll(expected, &end, 10), (heddle_vertex)value};
        return !errno && end != expected && !*end;
    }
    if (c->algorithm->rule == CLI_LDBC_LABELS)
        return heddle_graph_find(c->context, c->graph, expected, &label) == HEDDLE_OK && label == (heddle_vertex)value;
    if (!read_infinity(expected)) {
        wanted = strtod(expected, &end);
        if (end == expected || *end)
            return false;
    }
    if (isinf(wanted) || isinf(value))
        return isinf(wanted) && isinf(value);
    return c->algorithm->rule == CLI_LDBC_EXACT ? value == wanted : fabs(value - wanted) <= epsilon * wanted;
}

/* A line "id value". */
static bool compare_line(comparison *c, char *line) {
    char *id = strtok(line, " \t\r\n"), *expected = strtok(NULL, " \t\r\n");
    heddle_vertex v;
    if (!id)
        return true;
    if (!expected || heddle_graph_find(c->context, c->graph, id, &v) != HEDDLE_OK) {
        snprintf(c->why, c->size, "vertex %.40s is not in the graph, or has no value", id);
        return false;
    }
    if (c->seen[v]++) {
        snprintf(c->why, c->size, "vertex %.40s is there twice", id);
        return false;
    }
    c->count++;
    if (fits(c, v, expected))
        return true;
    snprintf(c->why, c->size, "vertex %.40s: %s, expected %.40s", id, cli_value_word(c->result, v).text, expected);
    return false;
}

static int by_expected(const void *a, const void *b) {
    const pair *x = a, *y = b;
    return x->expected != y->expected ? (x->expected < y->expected ? -1 : 1)
                                      : (x->actual > y->actual) - (x->actual < y->actual);
}

static int by_actual(const void *a, const void *b) {
    const pair *x = a, *y = b;
    return x->actual != y->actual ? (x->actual < y->actual ? -1 : 1)
                                  : (x->expected > y->expected) - (x->expected < y->expected);
}

/* Each expected label has one of ours, and each of ours one expected. */
static bool equivalent(comparison *c) {
    bool same = true;
    qsort(c->pairs, c->count, sizeof *c->pairs, by_expected);
    for (uint64_t i = 1; i < c->count; i++)
        same =
            same && (c->pairs[i].expected != c->pairs[i - 1].expected || c->pairs[i].actual == c->pairs[i - 1].actual);
    qsort(c->pairs, c->count, sizeof *c->pairs, by_actual);
    for (uint64_t i = 1; i < c->count; i++)
        same =
            same && (c->pairs[i].actual != c->pairs[i - 1].actual || c->pairs[i].expected == c->pairs[i - 1].expected);
    if (!same)
        snprintf(c->why, c->size, "the components are not the expected ones");
    return same;
}

static cli_ldbc_verdict compare(comparison *c, FILE *file) {
    char line[256];
    uint64_t n = heddle_graph_vertices(c->graph);
    while (fgets(line, sizeof line, file))
        if (!compare_line(c, line) || cli_interrupted())
            return CLI_LDBC_FAILED;
    if (c->count < n) {
        snprintf(c->why, c->size, "%llu vertices are expected, the graph has %llu", (unsigned long long)c->count,
                 (unsigned long long)n);
        return CLI_LDBC_FAILED;
    }
    return !c->pairs || equivalent(c) ? CLI_LDBC_PASSED : CLI_LDBC_FAILED;
}

int cli_ldbc_validate(const cli_session *session, const cli_ldbc_algorithm *algorithm, const heddle_graph *graph,
                      const heddle_result *result, const char *path, cli_ldbc_verdict *verdict, char *why,
                      size_t size) {
    comparison c = {.algorithm = algorithm,
                    .context = session->context,
                    .graph = graph,
                    .result = result,
                    .why = why,
                    .size = size};
    uint64_t n = heddle_graph_vertices(graph);
    FILE *file = fopen(path, "r");
    *verdict = CLI_LDBC_NO_REFERENCE;
    why[0] = '\0';
    if (!file && errno == ENOENT)
        return 0;
    if (!file) {
        cli_say("%s: %s", path, strerror(errno));
        return CLI_EXIT_OUTPUT;
    }
    c.seen = calloc(n + 1, 1);
    c.pairs = algorithm->rule == CLI_LDBC_EQUIVALENT ? calloc(n + 1, sizeof *c.pairs) : NULL;
    bool room = c.seen && (c.pairs || algorithm->rule != CLI_LDBC_EQUIVALENT);
    if (room)
        *verdict = compare(&c, file);
    else
        cli_say("out of memory");
    fclose(file);
    free(c.seen);
    free(c.pairs);
    return room ? 0 : heddle_status_exit(HEDDLE_E_MEMORY);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

int cli_ldbc_write(const cli_ldbc_algorithm *algorithm, const heddle_graph *graph, const heddle_result *result,
                   const char *path) {
    uint64_t n = heddle_graph_vertices(graph);
    bool labels = heddle_result_values(result)->labels;
    cli_file file;
    if (!cli_file_open(&file, path)) {
        cli_say("%s: %s", path, strerror(errno));
        return CLI_EXIT_OUTPUT;
    }
    for (uint64_t v = 0; v < n; v++) {
        double value = heddle_result_value(result, (heddle_vertex)v);
        cli_put_vertex(file.out, graph, (heddle_vertex)v);
        fputc(' ', file.out);
        if (labels)
            cli_put_vertex(file.out, graph, (heddle_vertex)value);
        else if (isinf(value) && algorithm->unreached)
            fputs(algorithm->unreached, file.out);
        else
            fputs(cli_value_word(result, (heddle_vertex)v).text, file.out);
        fputc('\n', file.out);
    }
    if (cli_file_close(&file, true))
        return 0;
    cli_say("%s: %s", path, strerror(errno));
    return CLI_EXIT_OUTPUT;
}
