/* depends.c - see depends.h. */
#include "jit/depends.h"

#include "base/hash.h"
#include "jit/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, PATH_ROOM = 4096, DIGITS = 16 };

static bool hash_file(heddle_context *ctx, const char *path, uint64_t *hash) {
    hd_entry file;
    if (!hd_entry_load(ctx, path, MOST_BYTES, &file))
        return false;
    *hash = hd_hash_block(file.data, file.bytes);
    hd_entry_free(ctx, &file);
    return true;
}

static bool is_gap(const char *p) { return strchr(" \t\r\n", *p) || (p[0] == '\\' && p[1] == '\n'); }

/* The next name of a rule, with make's escapes of blanks, '#' and '$' removed; false at the end or if it does not fit.
 * */
static bool next_name(const char **at, char *name, size_t size) {
    const char *p = *at;
    size_t length = 0;
    while (*p && is_gap(p))
        p++;
    for (; *p && !is_gap(p) && length + 1 < size; p++) {
        if ((p[0] == '\\' && (p[1] == ' ' || p[1] == '#')) || (p[0] == '$' && p[1] == '$'))
            p++;
        name[length++] = *p;
    }
    name[length] = '\0';
    *at = p;
    return length > 0;
}

bool hd_depends_note(heddle_context *ctx, const char *rule, const char *source, char *lines, size_t size) {
    char name[PATH_ROOM];
    size_t used = 0;
    const char *at = strstr(rule, ": ");
    lines[0] = '\0';
    if (!at)
        return false;
    for (at += 2; next_name(&at, name, sizeof name);) {
        uint64_t hash;
        if (strcmp(name, source) == 0)
            continue;
        if (!hash_file(ctx, name, &hash))
            return false;
        int length = snprintf(lines + used, size - used, "%016llx %s\n", (unsigned long long)hash, name);
        if (length < 0 || (size_t)length >= size - used)
            return false;
        used += (size_t)length;
    }
    return true;
}

bool hd_depends_hold(heddle_context *ctx, const char *lines) {
    char name[PATH_ROOM];
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        uint64_t hash, noted = strtoull(line, NULL, 16);
        if (length <= DIGITS + 1 || length - DIGITS - 1 >= sizeof name || line[length] != '\n')
            return false;
        memcpy(name, line + DIGITS + 1, length - DIGITS - 1);
        name[length - DIGITS - 1] = '\0';
        if (!hash_file(ctx, name, &hash) || hash != noted)
            return false;
        line += length + 1;
    }
    return true;
}
