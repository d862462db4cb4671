/* text.c - numbers and words for people. */
#include "text.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

cli_word cli_grouped(uint64_t value) {
    cli_word digits, word;
    size_t length = (size_t)snprintf(digits.text, sizeof digits.text, "%llu", (unsigned long long)value);
    char *out = word.text;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits.text[i];
    }
    *out = '\0';
    return word;
}

cli_word cli_counted(uint64_t value, const char *one, const char *many) {
    cli_word word;
    snprintf(word.text, sizeof word.text, "%.26s %.20s", cli_grouped(value).text, value == 1 ? one : many);
    return word;
}

cli_word cli_bytes(uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    cli_word word;
    if (bytes < 1024) {
        snprintf(word.text, sizeof word.text, "%d byte%s", (int)bytes, bytes == 1 ? "" : "s");
        return word;
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    for (; value >= 1023.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(word.text, sizeof word.text, "%.1f %s", value, units[unit]);
    return word;
}

cli_word cli_seconds(double seconds) {
    cli_word word;
    if (seconds < 1)
        snprintf(word.text, sizeof word.text, "%.3f s", seconds);
    else if (seconds < 100)
        snprintf(word.text, sizeof word.text, "%.1f s", seconds);
    else
        snprintf(word.text, sizeof word.text, "%.0f min %02.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
    return word;
}

cli_word cli_about(double seconds) {
    static const struct {
        double seconds, most; /* of a unit; up to how many of them */
        const char *one, *many;
    } units[] = {{1, 90, "second", "seconds"},
                 {60, 90, "minute", "minutes"},
                 {3600, 48, "hour", "hours"},
                 {86400, HUGE_VAL, "day", "days"}};
    cli_word word;
    size_t unit = 0;
    if (seconds < 1) {
        snprintf(word.text, sizeof word.text, "less than a second");
        return word;
    }
    while (seconds >= units[unit].most * units[unit].seconds)
        unit++;
    double count = fmin(seconds / units[unit].seconds, 1e9);
    snprintf(word.text, sizeof word.text, "about %.36s",
             cli_counted((uint64_t)(count + 0.5), units[unit].one, units[unit].many).text);
    return word;
}

cli_word cli_si(double value) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    cli_word word;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1000;
    snprintf(word.text, sizeof word.text, value < 9.95 && unit ? "%.1f%s" : "%.0f%s", value, units[unit]);
    return word;
}

/* C0, DEL, C1, and the marks that turn the direction of writing around. */
static bool is_control(const unsigned char *p, size_t length) {
    return length == 1 ? *p < 0x20 || *p == 0x7f
           : length == 2
               ? *p == 0xc2 && p[1] < 0xa0
               : length == 3 && *p == 0xe2 &&
                     ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) || (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

size_t cli_harmless(const char *text) {
    size_t length = cli_utf8_length(text);
    return length && !is_control((const unsigned char *)text, length) ? length : 0;
}

char *cli_clean(char *text) {
    char *out = text;
    for (const char *p = text; *p;) {
        size_t length = cli_harmless(p);
        memmove(out, length ? p : *p == '\t' ? " " : "?", length ? length : 1);
        out += length ? length : 1;
        length = length ? length : cli_utf8_length(p);
        p += length ? length : 1;
    }
    *out = '\0';
    return text;
}

bool cli_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *p = words; *p; p += strspn(p, " ")) {
        size_t here = strcspn(p, " ");
        if (here == length && !memcmp(p, word, length))
            return true;
        p += here;
    }
    return false;
}

void cli_list_word(char *text, size_t size, size_t *used, const char *word, bool last) {
    const char *before = last ? " or " : ", ";
    if (*used < size)
        *used += (size_t)snprintf(text + *used, size - *used, "%s%s", *used ? before : "", word);
}

bool cli_read_real(const char *text, size_t length, double *value) {
    char copy[64], *end;
    if (!length || length >= sizeof copy || strspn(text, "+-.0123456789eE") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return !*end && isfinite(*value);
}

/* Prints one line of `length` bytes, which may need several. */
static void wrap_line(FILE *out, const char *line, size_t length, int column, int indent, int width) {
    const char *end = line + length;
    bool fresh = true; /* no word on this line yet */
    while (line < end) {
        const char *word = line + strspn(line, " ");
        if (word >= end)
            break;
        size_t letters = strcspn(word, " \n");
        if (!fresh && column + 1 + (int)letters > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            fresh = true;
        }
        int lead = fresh ? 0 : 1;
        fprintf(out, "%*s%.*s", lead, "", (int)letters, word);
        column += lead + (int)letters;
        fresh = false;
        line = word + letters;
    }
    fputc('\n', out);
}

void cli_wrap(FILE *out, const char *text, int column, int indent, int width) {
    for (bool first = true; first || *text; first = false) {
        size_t length = strcspn(text, "\n");
        if (!first && length)
            fprintf(out, "%*s", indent, "");
        wrap_line(out, text, length, first ? column : indent, indent, width);
        text += length + (text[length] == '\n');
    }
}

size_t cli_utf8_length(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    if (length <= 1 || *p < 0xc2)
        return *p < 0x80;
    unsigned long code = *p & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? length : 0;
}

bool cli_utf8(void) {
    const char *terminal = getenv("TERM");
    return !strcmp(nl_langinfo(CODESET), "UTF-8") && !(terminal && !strcmp(terminal, "dumb"));
}

int cli_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : CLI_WIDTH;
}

enum { LONGEST = 32 };

/* Edits (insert, delete, replace, swap of neighbours) that lead from a to b. */
static size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][LONGEST + 1], m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[m % 3][n];
}

cli_nearest cli_nearest_to(const char *word) {
    /* up to a third of the word may be wrong, and one letter of a short word */
    return (cli_nearest){.word = word, .distance = strlen(word) / 3 + 1 + (strlen(word) > 2)};
}

void cli_nearest_offer(cli_nearest *nearest, const char *candidate) {
    size_t distance = edit_distance(nearest->word, candidate);
    bool prefix = strlen(nearest->word) >= 3 && !strncmp(nearest->word, candidate, strlen(nearest->word));
    if (prefix && distance > 1)
        distance = 1;
    if (distance < nearest->distance && 2 * distance < strlen(candidate) + 1) { /* most of it is right */
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

double cli_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
