/* words.h - lists of words in one string, separated by spaces. */
#ifndef HD_BASE_WORDS_H
#define HD_BASE_WORDS_H

#include <stdbool.h>
#include <string.h>

static inline bool hd_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

#endif
