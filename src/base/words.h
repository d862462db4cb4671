/* words.h - lists of words: in one string, separated by spaces; and joined for people to read. */
#ifndef HD_BASE_WORDS_H
#define HD_BASE_WORDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool hd_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* "cliq, circ or star": `between` the words, `last` before the last one. What there is no room for is left out. */
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

#endif
