/* vertex.h - vertices by the user's own ids, for people, for tables and for JSON. */
#ifndef CLI_VERTEX_H
#define CLI_VERTEX_H

#include "heddle.h"
#include "json.h"
#include "text.h"

/* For people: cut to fit, and harmless to a terminal. */
cli_word cli_vertex_word(const heddle_graph *graph, heddle_vertex vertex);
/* The whole id, as a field of tab-separated rows; to a terminal with control characters as \xNN. */
void cli_put_vertex(FILE *out, const heddle_graph *graph, heddle_vertex vertex);
/* A number, or a string where ids are words. */
void cli_json_vertex(cli_json *json, const char *key, const heddle_graph *graph, heddle_vertex vertex);

/* The value of a vertex, as result files have it. */
cli_word cli_value_word(const heddle_result *result, heddle_vertex vertex);
/* For people: eight digits where no more can be right. */
cli_word cli_shown_value(const heddle_result *result, heddle_vertex vertex);
/* A number, or the string "inf", "-inf" or "nan". */
void cli_json_value(cli_json *json, const char *key, const heddle_result *result, heddle_vertex vertex);

#endif
