/* edge_list_sample.c - samples lines of an edge list before it is read: whether the words of the first line recur, as
 * ids mostly do and column names do not, and whether the weights could be timestamps.
 *
 * The sample is bounded, so that a large file is not read twice. Words that do not recur prove nothing in a list where
 * most ids do not; so the words of a few lines after the first are tracked too, for comparison.
 */
#include "io/edge_list.h"

static const uint64_t most_bytes = 1 << 20;
enum { CONTROLS = 8, MOST_TIMES = 1000, FEWEST_TIMES = 8, FEWEST_STEPS = 3 };

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* The next line from *p on that is not empty, as its fields; false at `stop`. */
static bool next_line(const hd_edge_list *list, const char **p, const char *stop, hd_fields *fields) {
    while (*p < stop) {
        const char *start = *p, *newline = hd_line_end(start, stop), *end = hd_trim_return(start, newline);
        *p = newline < stop ? newline + 1 : stop;
        if (!hd_edge_list_is_empty(list, start, end)) {
            *fields = hd_edge_list_fields(list, start, end);
            return true;
        }
    }
    return false;
}

/* The fields of two columns, of which the second may be 0; false if the line does not have them. */
static bool read_columns(hd_edge_list *list, hd_fields *fields, const int column[2], hd_word word[2]) {
    hd_cursor unused = {0};
    int last = column[0] > column[1] ? column[0] : column[1];
    for (int i = 1; i <= last; i++) {
        hd_word field;
        if (hd_edge_list_field(list, &unused, fields, &field) != HD_FIELD)
            return false;
        if (i == column[0])
            word[0] = field;
        if (i == column[1])
            word[1] = field;
    }
    return true;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

/* The first line and some after it: their words, and whether any of them occurs in another line too. */
typedef struct probe {
    hd_word word[2];
    bool recurs;
} probe;

static bool is_same(hd_word a, hd_word b) {
    size_t length = (size_t)(a.end - a.p);
    return a.end - a.p == b.end - b.p && (!length || memcmp(a.p, b.p, length) == 0);
}

static void compare(probe *probes, int count, const hd_word word[2]) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4 && !probes[i].recurs; k++)
            probes[i].recurs = is_same(probes[i].word[k & 1], word[k >> 1]);
}

hd_first_words hd_edge_list_compare_words(hd_edge_list *list, const hd_first_line *line, const int column[2],
                                          uint64_t *lines, bool *all) {
    probe probes[1 + CONTROLS] = {{.word = {line->field[column[0] - 1], line->field[column[1] - 1]}}};
    const char *p = line->next, *stop = list->text.end;
    if ((uint64_t)(stop - p) > most_bytes)
        stop = hd_next_line(p + most_bytes, stop);
    int count = 1, apart = 0;
    hd_fields fields;
    for (*lines = 0; !probes[0].recurs && next_line(list, &p, stop, &fields); ++*lines) {
        probe here = {.recurs = false};
        if (!read_columns(list, &fields, column, here.word))
            continue;
        compare(probes, count, here.word);
        for (int i = 0; i < count && count <= CONTROLS; i++) {
            hd_word other[2] = {probes[i].word[0], probes[i].word[1]};
            compare(&here, 1, other);
        }
        if (count <= CONTROLS)
            probes[count++] = here;
    }
    *all = stop == list->text.end;
    if (probes[0].recurs)
        return HD_WORDS_RECUR;
    for (int i = 1; i < count; i++)
        apart += !probes[i].recurs;
    return count > 1 && 2 * apart < count ? HD_WORDS_APART : HD_WORDS_UNCLEAR;
}

/* ---- Times ------------------------------------------------------------------------------------------------------ */

/* Seconds or milliseconds since 1970, from 1973 to 2033. */
static bool is_time(double value) { return (value >= 1e8 && value <= 2e9) || (value >= 1e11 && value <= 2e12); }

bool hd_edge_list_has_times(hd_edge_list *list, const char *p) {
    const int column[2] = {list->column[HD_ROLE_WEIGHT], 0};
    const char *stop = list->text.end;
    hd_fields fields;
    double before = 0;
    int count = 0, steps = 0;
    bool all_times = true, grows = true, real = false;
    for (; count < MOST_TIMES && next_line(list, &p, stop, &fields); count++) {
        hd_word word[2] = {{NULL, NULL}, {NULL, NULL}};
        double value;
        if (!read_columns(list, &fields, column, word) ||
            hd_scan_number(word[0].p, word[0].end, &value, &real) != word[0].end)
            return false;
        all_times &= is_time(value);
        grows &= count == 0 || value >= before;
        steps += count > 0 && value > before;
        before = value;
        if (!all_times && (!grows || real))
            return false;
    }
    return count && (all_times || (count >= FEWEST_TIMES && steps >= FEWEST_STEPS));
}
