/* vertex.h - vertices by the user's own ids, for people, for tables and for JSON. */
#ifndef CLI_VERTEX_H
#define CLI_VERTEX_H

#include "heddle.h"
#include "json.h"
#include "text.h"

/* For people: cut to fit, and harmless to a terminal. */
cli_word cli_vertex_word(const heddle_graph *graph, heddle_vertex vertex);
/* The whole id, as it stood in the file. */
void cli_put_vertex(FILE *out, const heddle_graph *graph, heddle_vertex vertex);
/* A number, or a string where ids are words. */
void cli_json_vertex(cli_json *json, const char *key, const heddle_graph *graph, heddle_vertex vertex);

/* A number in the fewest digits that read back the same, in single or double precision; "inf", "-inf" or "nan". */
cli_word cli_shortest(double value, bool single);
/* The value of a vertex, in the fewest digits that read back the same; "inf" or "-inf" where there is none. */
cli_word cli_value_word(const heddle_result *result, heddle_vertex vertex);
/* Whole numbers without an exponent, others in the fewest digits. */
void cli_json_number(cli_json *json, const char *key, double value);
/* A number, or the string "inf", "-inf" or "nan". */
void cli_json_value(cli_json *json, const char *key, const heddle_result *result, heddle_vertex vertex);

#endif
