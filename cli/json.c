/* json.c - the JSON writer. The outermost container, and arrays directly inside it, have one line per member; deeper
 * values are on one line. */
#include "json.h"

#include "text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void put_string(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t length = cli_utf8_length((const char *)p);
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", out);
        else if (*p == '\t')
            fputs("\\t", out);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(out, "\\u%04x", *p);
        else if (length)
            fwrite(p, 1, length, out);
        else
            fputs("\\ufffd", out);
        p += length ? length : 1;
    }
    fputc('"', out);
}

static void separate(cli_json *json) {
    int top = json->depth - 1;
    if (json->level[top].filled)
        fputs(json->level[top].lines ? "," : ", ", json->out);
    if (json->level[top].lines)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    json->level[top].filled = true;
}

static void put_key(cli_json *json, const char *key) {
    if (json->depth)
        separate(json);
    if (key) {
        put_string(json->out, key);
        fputs(": ", json->out);
    }
}

static void open_level(cli_json *json, const char *key, char open, char close) {
    assert(json->depth < CLI_JSON_DEPTH);
    bool lines = json->depth == 0 || (json->depth == 1 && open == '[');
    put_key(json, key);
    fputc(open, json->out);
    json->level[json->depth].close = close;
    json->level[json->depth].filled = false;
    json->level[json->depth++].lines = lines;
}

void cli_json_object(cli_json *json, const char *key) { open_level(json, key, '{', '}'); }
void cli_json_array(cli_json *json, const char *key) { open_level(json, key, '[', ']'); }

void cli_json_end(cli_json *json) {
    assert(json->depth > 0);
    json->depth--;
    if (json->level[json->depth].filled && json->level[json->depth].lines)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(json->level[json->depth].close, json->out);
    if (!json->depth)
        fputc('\n', json->out);
}

void cli_json_text(cli_json *json, const char *key, const char *value) {
    if (!value) {
        cli_json_null(json, key);
        return;
    }
    put_key(json, key);
    put_string(json->out, value);
}

void cli_json_count(cli_json *json, const char *key, uint64_t value) {
    put_key(json, key);
    fprintf(json->out, "%llu", (unsigned long long)value);
}

void cli_json_integer(cli_json *json, const char *key, int64_t value) {
    put_key(json, key);
    fprintf(json->out, "%lld", (long long)value);
}

void cli_json_digits(cli_json *json, const char *key, const char *digits) {
    put_key(json, key);
    fputs(digits, json->out);
}

void cli_json_real(cli_json *json, const char *key, double value) {
    char text[32];
    if (!isfinite(value)) {
        cli_json_null(json, key);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put_key(json, key);
    fputs(text, json->out);
}

void cli_json_estimate(cli_json *json, const char *key, double value) {
    if (value > 0)
        cli_json_real(json, key, value);
    else
        cli_json_null(json, key);
}

void cli_json_seconds(cli_json *json, const char *key, double value) {
    cli_json_real(json, key, round(value * 1e6) / 1e6);
}

void cli_json_flag(cli_json *json, const char *key, bool value) {
    put_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_null(cli_json *json, const char *key) {
    put_key(json, key);
    fputs("null", json->out);
}
