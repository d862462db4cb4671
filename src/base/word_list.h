/* word_list.h - lists of words: in one string, separated by spaces; and joined for people to read. Bytes for them,
 * and file names for compilers. */
#ifndef HD_BASE_WORD_LIST_H
#define HD_BASE_WORD_LIST_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline bool hd_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* "cliq, circ or star": `between` the words, `last` before the last one. Words without room are left out. */
static inline void hd_join(const char *const *words, size_t count, const char *between, const char *last, char *text,
                           size_t size) {
    size_t used = 0;
    if (size)
        *text = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? last
                                                  : between,
                                 words[i]);
}

static inline bool hd_in_identifier(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where the identifier occurs in C text for the first time, not as a part of another; NULL: nowhere. */
static inline const char *hd_find_identifier(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !hd_in_identifier(at[-1])) && !hd_in_identifier(at[length]))
            return at;
    return NULL;
}

enum { HD_LINE_ROOM = 1100 };

/* A line that names the file to a compiler: what follows is line 1 of it. A name too long is cut. */
static inline void hd_line_of(const char *path, char text[HD_LINE_ROOM]) {
    size_t at = (size_t)snprintf(text, HD_LINE_ROOM, "#line 1 \"");
    for (; *path && at < HD_LINE_ROOM - 5; path++) {
        if (*path == '"' || *path == '\\')
            text[at++] = '\\';
        text[at++] = *path;
    }
    snprintf(text + at, HD_LINE_ROOM - at, "\"\n");
}

enum { HD_BYTES_ROOM = 24 };

/* "17 bytes", "1.5 KiB". */
static inline void hd_bytes_text(uint64_t bytes, char text[HD_BYTES_ROOM]) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 5; unit++)
        value /= 1024;
    if (bytes < 1024)
        snprintf(text, HD_BYTES_ROOM, "%u bytes", (unsigned)bytes);
    else
        snprintf(text, HD_BYTES_ROOM, "%.1f %s", value, units[unit]);
}

#endif
