/* vertex.c - vertices by the user's own ids, and their values. */
#include "vertex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cli_word cli_vertex_word(const heddle_graph *graph, heddle_vertex vertex) {
    cli_word word;
    heddle_graph_id_text(graph, vertex, word.text, sizeof word.text);
    cli_clean(word.text);
    return word;
}

enum { USUAL = 256 };

/* The whole id in `usual`, or in memory of its own when it is longer: free what is returned when it is not `usual`. */
static char *whole_id(const heddle_graph *graph, heddle_vertex vertex, char usual[USUAL]) {
    size_t length = heddle_graph_id_text(graph, vertex, usual, USUAL);
    char *longer = length >= USUAL ? malloc(length + 1) : NULL;
    if (!longer)
        return usual;
    heddle_graph_id_text(graph, vertex, longer, length + 1);
    return longer;
}

/* For terminals, which labels of strangers must not command: bytes of what is not harmless as \\xNN. */
static void put_shown(FILE *out, const char *id) {
    for (size_t length; *id; id += length ? length : 1) {
        length = cli_harmless(id);
        if (length)
            fwrite(id, 1, length, out);
        else
            fprintf(out, "\\x%02x", (unsigned char)*id);
    }
}

/* As in result files: in quotes if it would end its field or its row. */
static void put_field(FILE *out, const char *id) {
    if (id[0] != '"' && !strpbrk(id, "\t\r\n")) {
        fputs(id, out);
        return;
    }
    putc('"', out);
    for (const char *p = id; *p; p++)
        fprintf(out, "%s%c", *p == '"' ? "\"" : "", *p);
    putc('"', out);
}

void cli_put_vertex(FILE *out, const heddle_graph *graph, heddle_vertex vertex) {
    char usual[USUAL], *id = whole_id(graph, vertex, usual);
    if (isatty(fileno(out)))
        put_shown(out, id);
    else
        put_field(out, id);
    if (id != usual)
        free(id);
}

void cli_json_vertex(cli_json *json, const char *key, const heddle_graph *graph, heddle_vertex vertex) {
    heddle_id_type type = heddle_graph_id_type(graph);
    if (type == HEDDLE_ID_STRING) {
        char usual[USUAL], *id = whole_id(graph, vertex, usual);
        cli_json_text(json, key, id);
        if (id != usual)
            free(id);
    } else if (type == HEDDLE_ID_U64) {
        cli_json_count(json, key, (uint64_t)heddle_graph_id(graph, vertex));
    } else {
        cli_json_integer(json, key, heddle_graph_id(graph, vertex));
    }
}

cli_word cli_value_word(const heddle_result *result, heddle_vertex vertex) {
    cli_word word;
    heddle_result_value_text(result, vertex, word.text, sizeof word.text);
    return word;
}

/* How many digits of a value are shown to people: where rounds stopped short of a limit, about those that the last one
 * did not change any more, and one; of samples eight. 17: all. */
static int shown_digits(const heddle_report *report, double value) {
    enum { ALL = 17, MOST = 8, LEAST = 4 };
    for (uint32_t i = 0; i < report->figure_count; i++)
        if (!strcmp(report->figures[i].name, "residual") && report->figures[i].value > 1e-12 && value != 0 &&
            isfinite(value)) {
            double digits = floor(log10(fabs(value))) - floor(log10(report->figures[i].value)) + 1;
            return digits < LEAST ? LEAST : digits < ALL ? (int)digits : ALL;
        }
    return report->approximate ? MOST : ALL;
}

cli_word cli_shown_value(const heddle_result *result, heddle_vertex vertex) {
    cli_word exact = cli_value_word(result, vertex), rounded;
    double value = heddle_result_value(result, vertex);
    snprintf(rounded.text, sizeof rounded.text, "%.*g", shown_digits(heddle_result_report(result), value), value);
    return strlen(rounded.text) < strlen(exact.text) ? rounded : exact;
}

void cli_json_value(cli_json *json, const char *key, const heddle_result *result, heddle_vertex vertex) {
    cli_word word = cli_value_word(result, vertex);
    if (isfinite(heddle_result_value(result, vertex)))
        cli_json_digits(json, key, word.text);
    else
        cli_json_text(json, key, word.text);
}
