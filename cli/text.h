/* text.h - numbers and words for people: grouped digits, sizes, durations, wrapped paragraphs, near misses. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_WIDTH = 80 }; /* columns of help texts */

/* Text in a fixed buffer, returned by value so that several fit in one printf. */
typedef struct cli_word {
    char text[48];
} cli_word;

cli_word cli_grouped(uint64_t value); /* 1,234,567 */
/* "1 vertex", "1,234 vertices" */
cli_word cli_counted(uint64_t value, const char *one, const char *many);
cli_word cli_bytes(uint64_t bytes);   /* "1.2 MiB"; "17 bytes" */
cli_word cli_seconds(double seconds); /* "0.012 s", "3.4 s", "2 min 05 s" */
cli_word cli_about(double seconds);   /* "about 3 minutes", "less than a second": for estimates */
cli_word cli_si(double value);        /* "118M", "4.2k": for rates */

/* Length of the character that `text` begins with if terminals and pages may show it as it is. 0: they must not obey it
 * (control characters, marks that turn the direction of writing around), or it is no UTF-8. */
size_t cli_harmless(const char *text);
/* Replaces characters that are not harmless by '?', and tabs by blanks; returns `text`. */
char *cli_clean(char *text);

/* Whether the word is one of `words`, which spaces separate. */
bool cli_has_word(const char *words, const char *word);
/* Adds a word to a list in `text`: "a", then "a, b", and "a, b or c" with the last. `used` starts at 0. */
void cli_list_word(char *text, size_t size, size_t *used, const char *word, bool last);

/* A finite decimal number that fills `length` bytes of text. */
bool cli_read_real(const char *text, size_t length, double *value);

/* Prints paragraphs (separated by "\n\n"; a single "\n" breaks the line) wrapped at `width` columns with all lines but
 * the first indented by `indent`; `column` is where the first begins. Ends with a newline. */
void cli_wrap(FILE *out, const char *text, int column, int indent, int width);

/* Length of the valid UTF-8 sequence that `text` begins with, or 0. */
size_t cli_utf8_length(const char *text);
/* True when the terminal's character set can show block characters. */
bool cli_utf8(void);
/* Columns of the terminal behind a descriptor, or 80. */
int cli_columns(int descriptor);

/* Finds the candidate nearest to a misspelt word: offer all candidates; `best` is the nearest one, or NULL if none is
 * close enough. */
typedef struct cli_nearest {
    const char *word;
    const char *best;
    size_t distance;
} cli_nearest;

cli_nearest cli_nearest_to(const char *word);
void cli_nearest_offer(cli_nearest *nearest, const char *candidate);

/* Monotonic seconds. */
double cli_clock(void);

#endif
