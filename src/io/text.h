/* text.h - edge sources over text, shared by the readers of edge lists, Matrix Market, DIMACS and METIS files.
 *
 * The text is cut into parts at line starts, for the builder to read in parallel. There are two ways to read a line.
 * The slow path, the format's own line function, knows the whole grammar and reports errors; the fast path,
 * hd_quick_line, knows only the usual shape of a line, and gives up on anything else. It uses the marks of scan.h, and
 * is inlined into each reader with the shape as a constant: one hot loop, written once.
 */
#ifndef HD_IO_TEXT_H
#define HD_IO_TEXT_H

#include "graph/build.h"
#include "io/input.h"
#include "io/scan.h"

#define HD_NOWHERE UINT64_MAX

/* A part of the text, and findings of the latest pass over it (byte offsets; HD_NOWHERE: none). */
typedef struct hd_text_part {
    uint64_t start;
    uint64_t negative_id; /* the first id below 0 */
    uint64_t large_id;    /* the first id past 2^63 - 1 */
    uint64_t huge_weight; /* the first whole weight that does not fit 64 bits */
    uint64_t more;        /* edge lists: the first number after the columns that are read */
    bool negative_weight;
    bool real_weight;
    bool point_weight, comma_weight; /* edge lists: with a decimal point, a decimal comma */
} hd_text_part;

typedef struct hd_text {
    const hd_input *input;
    const char *data;
    const char *end;
    uint64_t parts;
    hd_text_part *part; /* parts + 1; the last one only has a start, the end of the text */
    uint64_t vertices;  /* if the file declares them: indices are 1 .. vertices */
    char indices[48];   /* this range as text, for errors */
    char delimiter;     /* HD_SHAPE_DELIMITER: the only separator */
} hd_text;

/* The text of an input, not yet cut. */
void hd_text_open(hd_text *text, const hd_input *input);
/* Cuts the text between `first` and the end into parts. hd_text_close frees them. */
heddle_status hd_text_cut(heddle_context *ctx, hd_text *text, const char *first);
void hd_text_close(heddle_context *ctx, hd_text *text);

/* Releases the pages of a mapped file that passes over the text have touched. */
static inline struct hd_behind hd_text_behind(const hd_text *text) {
    const char *data = text->input->mapped ? text->data : NULL;
    return (struct hd_behind){data, (uint64_t)(text->end - text->data), 1};
}
/* Starts a pass: the `begin` of a source. */
void hd_text_begin(hd_text *text, hd_cursor *cursor);
/* The source's `fail`. */
heddle_status hd_text_fail(const hd_text *text, heddle_context *ctx, const hd_cursor *cursor);
/* Records an error at [p, end) in the cursor. */
static inline void hd_text_wrong(const hd_text *text, hd_cursor *cursor, const char *p, const char *end,
                                 const char *expected) {
    cursor->error_at = (uint64_t)(p - text->data);
    cursor->error_length = (uint64_t)(end - p);
    cursor->expected = expected;
}
/* Fills the error record for [p, end). */
heddle_status hd_text_refuse(heddle_context *ctx, const hd_text *text, const char *p, const char *end,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

/* A number that a header declares, and its position, for the error message if it proves wrong. */
typedef struct hd_declared {
    uint64_t value;
    const char *p;
    const char *end;
} hd_declared;

/* A word of a line, between blanks. */
typedef struct hd_word {
    const char *p;
    const char *end;
} hd_word;

/* The next word of the line that ends at `end`; moves *p behind it. Empty, at the line's end, when there is none. */
hd_word hd_next_word(const char **p, const char *end);
bool hd_word_is(hd_word word, const char *text); /* without regard to case */
/* The next word as a whole number; else the error record says `expected`. */
heddle_status hd_declared_read(heddle_context *ctx, const hd_text *text, const char **p, const char *end,
                               const char *expected, hd_declared *declared);
/* Sets the text's number of vertices; refuses one that is implausible for the file's size, or too large. */
heddle_status hd_declared_vertices(heddle_context *ctx, hd_text *text, const hd_declared *declared);
/* Refuses a declared number of `what` that differs from the number found. Memory is never allocated by such a number.
 * */
heddle_status hd_declared_count(heddle_context *ctx, const hd_text *text, const hd_declared *declared, uint64_t found,
                                const char *what);

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

typedef struct hd_text_edge {
    uint64_t source;
    uint64_t target;
    double weight;
} hd_text_edge;

typedef enum hd_line {
    HD_LINE_EDGE,
    HD_LINE_EMPTY, /* blank, or a comment */
    HD_LINE_WRONG  /* the error is in the cursor */
} hd_line;

/* Reads the line [p, end), without its line end. */
typedef hd_line (*hd_line_fn)(void *self, hd_cursor *cursor, const char *p, const char *end, hd_text_edge *edge);

/* For line functions. Each parses a whole token; false on error, which is recorded in the cursor. */
bool hd_text_index(hd_text *text, hd_cursor *cursor, hd_word word, uint64_t *index); /* 1 .. vertices */
/* The weight goes to the batch with cursor->whole beside it. */
bool hd_text_weight(hd_text *text, hd_cursor *cursor, hd_word word, double *weight);
/* False when a further word follows. */
bool hd_text_line_done(hd_text *text, hd_cursor *cursor, const char *p, const char *end);

/* After a pass over all parts: refuses whole weights that do not fit 64 bits (unless real ones make all f64), and ids
 * that no single 64-bit type holds. */
heddle_status hd_text_check_weights(heddle_context *ctx, const hd_text *text);
heddle_status hd_text_check_ids(heddle_context *ctx, const hd_text *text);

/* ---- The quick way ---------------------------------------------------------------------------------------------- */

/* The shape of a usual line: "u v", and what follows. */
enum {
    HD_SHAPE_WEIGHT = 1,    /* a number follows */
    HD_SHAPE_WHOLE = 2,     /* that number is whole */
    HD_SHAPE_COLUMNS = 4,   /* commas and semicolons separate too, one kind of separator per line; further columns are
                             ignored */
    HD_SHAPE_ARC = 8,       /* "a " comes first */
    HD_SHAPE_INDEX = 16,    /* u and v are indices in 1 .. vertices */
    HD_SHAPE_DELIMITER = 32 /* separated by the text's delimiter only */
};
enum { HD_LINE_MARKS = 8 }; /* that a usual line has at most: "a", three blanks, a sign, a point, "\r\n" */

/* Findings about the weights of a batch; kept apart from hd_text_part, whose cache line other threads write to. */
typedef struct hd_quick_seen {
    bool real;
    bool negative;
    const char *more; /* the first number after the columns that are read */
} hd_quick_seen;

/* A stretch of the text, and its marks. */
typedef struct hd_quick {
    const char *base;
    hd_marks marks;
    size_t next; /* the first mark not yet passed */
    hd_quick_seen seen;
} hd_quick;

/* Finds the marks of a stretch from p on, for `edges` more edges; none if `stop` or the end of the text is near. */
void hd_quick_fill(hd_quick *quick, const hd_text *text, const char *p, const char *stop, size_t edges);

static inline void hd_quick_start(hd_quick *quick) {
    quick->next = quick->marks.count = 0;
    quick->seen = (hd_quick_seen){false, false, NULL};
}
/* Skips the marks before p, which the slow path has reached; returns p. */
static inline const char *hd_quick_skip(hd_quick *quick, const char *p) {
    while (quick->next < quick->marks.count && quick->base + quick->marks.at[quick->next] < p)
        quick->next++;
    return p;
}
/* Merges the findings into the part and the cursor. */
void hd_text_learn(hd_text *text, hd_cursor *cursor, hd_quick_seen seen);

static HD_ALWAYS_INLINE bool hd_quick_separator(const hd_text *text, char c, int shape) {
    if (shape & HD_SHAPE_DELIMITER)
        return c == text->delimiter;
    return c == ' ' || c == '\t' || ((shape & HD_SHAPE_COLUMNS) && (c == ',' || c == ';'));
}

/* Reads the weight at p, whose digits end at the mark *at; moves *at on, and returns the place after the weight, or
 * NULL. */
static HD_ALWAYS_INLINE const char *hd_quick_weight(const char *base, const char *p, const uint32_t **at, int shape,
                                                    hd_quick_seen *seen, double *weight) {
    const char *end = base + *(*at)++;
    uint64_t whole, fraction;
    bool negative = false;
    if (__builtin_expect(*p == '-', 0)) {
        negative = true;
        p++;
        end = base + *(*at)++;
    }
    if (!hd_digits(p, (size_t)(end - p), &whole)) /* of 15 digits at most: below 2^53 */
        return NULL;
    double value = (double)whole;
    if (*end == '.') {
        p = end + 1;
        end = base + *(*at)++;
        if ((shape & HD_SHAPE_WHOLE) || !hd_digits(p, (size_t)(end - p), &fraction))
            return NULL;
        double scale = hd_powers_of_ten[end - p], digits = value * scale + (double)fraction;
        if (!(digits < 0x1p53)) /* else both are exact, and the division rounds once */
            return NULL;
        value = digits / scale;
        seen->real = true;
    }
    seen->negative |= negative;
    *weight = negative ? -value : value;
    return end;
}

/* Reads the line at p, whose first mark is *at, when it has the usual shape; moves *at on, though not past `last`, and
 * returns the start of the next line, or NULL. */
static HD_ALWAYS_INLINE const char *hd_quick_line(const hd_text *text, const char *base, const char *p,
                                                  const uint32_t **at, const uint32_t *last, int shape,
                                                  hd_quick_seen *seen, hd_text_edge *edge) {
    if (shape & HD_SHAPE_ARC) {
        if (p[0] != 'a' || p[1] != ' ')
            return NULL;
        p += 2;
        *at += 2;
    }
    const char *end = base + *(*at)++;
    char separator = *end;
    if (!hd_digits(p, (size_t)(end - p), &edge->source) || !hd_quick_separator(text, separator, shape))
        return NULL;
    bool padded = (shape & HD_SHAPE_COLUMNS) && *p == '0' && end - p > 1; /* "007": the slow path decides */
    p = end + 1;
    end = base + *(*at)++;
    if (!hd_digits(p, (size_t)(end - p), &edge->target))
        return NULL;
    padded |= (shape & HD_SHAPE_COLUMNS) && *p == '0' && end - p > 1;
    if (__builtin_expect(padded, 0))
        return NULL;
    if ((shape & HD_SHAPE_INDEX) && (edge->source - 1 >= text->vertices || edge->target - 1 >= text->vertices))
        return NULL;
    if (shape & HD_SHAPE_WEIGHT) {
        if ((shape & HD_SHAPE_COLUMNS) ? *end != separator : !hd_quick_separator(text, *end, shape))
            return NULL;
        end = hd_quick_weight(base, end + 1, at, shape, seen, &edge->weight);
        if (!end)
            return NULL;
    }
    if (*end == '\n')
        return end + 1;
    if (*end == '\r' && end[1] == '\n') {
        ++*at;
        return end + 2;
    }
    if (!(shape & HD_SHAPE_COLUMNS) || *end != separator)
        return NULL;
    if (!seen->more && hd_is_digit(end[1]))
        seen->more = end + 1;
    while (*at < last) { /* columns that are ignored */
        char c = base[*(*at)++];
        if (c == '\n')
            return base + (*at)[-1] + 1;
        if (c == '\0' || c == '"') /* a quote may stay open: the slow path looks */
            return NULL;
    }
    return NULL;
}

/* Reads lines from p on until an unusual one or the end of the batch or the stretch; returns where it stopped. */
static HD_ALWAYS_INLINE const char *hd_quick_lines(const hd_text *text, hd_quick *quick, const char *p,
                                                   hd_edge_batch *batch, int shape) {
    const char *base = quick->base;
    const uint32_t *at = quick->marks.at + quick->next, *last = quick->marks.at + quick->marks.count;
    hd_quick_seen seen = quick->seen;
    size_t count = batch->count;
    while (count < HD_BATCH && at + HD_LINE_MARKS <= last) {
        hd_text_edge edge;
        const uint32_t *ahead = at;
        const char *next = hd_quick_line(text, base, p, &ahead, last, shape, &seen, &edge);
        if (!next)
            break;
        batch->source[count] = edge.source;
        batch->target[count] = edge.target;
        if (shape & HD_SHAPE_WEIGHT)
            batch->weight[count] = edge.weight;
        count++;
        p = next;
        at = ahead;
    }
    batch->count = count;
    quick->next = (size_t)(at - quick->marks.at);
    quick->seen = seen;
    return p;
}

typedef const char *(*hd_lines_fn)(const hd_text *text, hd_quick *quick, const char *p, hd_edge_batch *batch);

/* Fills a batch: usual lines by `lines` (NULL: there are none), others by `line`. */
void hd_text_next(void *self, hd_text *text, hd_cursor *cursor, hd_edge_batch *batch, hd_lines_fn lines,
                  hd_line_fn line);

/* Defines `name`, the `next` of a source of the given type, which has a member `text`. The hot loop is a function of
 * its own, so that it has all registers. */
#define HD_TEXT_NEXT(name, type, shape, line)                                                             \
    static __attribute__((noinline))                                                                      \
    const char *name##_quick(const hd_text *text, hd_quick *quick, const char *p, hd_edge_batch *batch) { \
        return hd_quick_lines(text, quick, p, batch, shape);                                              \
    }                                                                                                     \
    static void name(void *self, hd_cursor *cursor, hd_edge_batch *batch) {                               \
        hd_text_next(self, &((type *)self)->text, cursor, batch, name##_quick, line);                     \
    }

#endif
