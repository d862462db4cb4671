/* bench_again.c - reads back what heddle bench has to do to measure the same again: the array of texts "arguments" of a
 * file that it has written. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long bytes;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (bytes = ftell(file)) >= 0 && bytes < MOST_BYTES &&
        fseek(file, 0, SEEK_SET) == 0 && (text = malloc((size_t)bytes + 1)))
        text[fread(text, 1, (size_t)bytes, file)] = '\0';
    fclose(file);
    return text;
}

/* A text in quotes, made into a string in place; NULL when there is none. Only escapes that paths need are known. */
static char *take_text(char **at) {
    char *start, *out;
    *at += strspn(*at, " \n\r\t,");
    if (**at != '"')
        return NULL;
    start = out = ++*at;
    for (; **at && **at != '"'; ++*at) {
        if (**at == '\\' && !*++*at)
            return NULL;
        *out++ = **at;
    }
    if (**at != '"')
        return NULL;
    ++*at;
    *out = '\0';
    return start;
}

int bench_read_arguments(const char *path, char **block, char **list) {
    static const char key[] = "\"arguments\":";
    char *at;
    int count = 0;
    *block = read_all(path);
    if (!*block || !(at = strstr(*block, key)))
        return -1;
    at += sizeof key - 1;
    at += strspn(at, " \n\r\t");
    if (*at++ != '[')
        return -1;
    while (count < BENCH_MOST_ARGUMENTS && (list[count] = take_text(&at)))
        count++;
    at += strspn(at, " \n\r\t");
    return *at == ']' ? count : -1;
}
