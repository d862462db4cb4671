/* json.h - a small streaming JSON writer.
 *
 * Objects and arrays are opened, filled and ended; `key` is NULL inside arrays and at the top. Text that is not valid
 * UTF-8 has each faulty byte replaced by U+FFFD; numbers that are not finite become null.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 16 };

typedef struct cli_json {
    FILE *out;
    int depth;
    struct {
        char close;  /* '}' or ']' */
        bool filled; /* a member has been written */
        bool lines;  /* one member a line */
    } level[CLI_JSON_DEPTH];
} cli_json;

void cli_json_object(cli_json *json, const char *key);
void cli_json_array(cli_json *json, const char *key);
void cli_json_end(cli_json *json);

void cli_json_text(cli_json *json, const char *key, const char *value); /* NULL: null */
void cli_json_count(cli_json *json, const char *key, uint64_t value);
void cli_json_integer(cli_json *json, const char *key, int64_t value);
void cli_json_digits(cli_json *json, const char *key, const char *digits); /* a number that is text already */
void cli_json_real(cli_json *json, const char *key, double value);         /* shortest form that reads back the same */
void cli_json_estimate(cli_json *json, const char *key, double value);     /* null: none */
void cli_json_seconds(cli_json *json, const char *key, double value);      /* to the microsecond */
void cli_json_flag(cli_json *json, const char *key, bool value);
void cli_json_null(cli_json *json, const char *key);

#endif
