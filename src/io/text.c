/* text.c - cuts text into parts, reads headers, and has the slow path of reading lines. */
#include "io/text.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/spill.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

/* Enough parts for load balance on any machine; their number depends only on the text, so that results cannot depend on
 * the threads. */
enum { MOST_PARTS = 256 };
static const uint64_t least_part = 64 << 10;

void hd_text_open(hd_text *text, const hd_input *input) {
    const char *end = input->data + input->bytes;
    *text = (hd_text){.input = input, .data = input->data, .end = end};
}

heddle_status hd_text_cut(heddle_context *ctx, hd_text *text, const char *first) {
    uint64_t start = (uint64_t)(first - text->data), bytes = (uint64_t)(text->end - first), parts = bytes / least_part;
    parts = parts < 1 ? 1 : parts > MOST_PARTS ? MOST_PARTS : parts;
    HD_TRY(HD_NEW_ZERO(ctx, &text->part, parts + 1, "parts of the text"));
    text->parts = parts;
    text->part[0].start = start;
    text->part[parts].start = start + bytes;
    for (uint64_t k = 1; k < parts; k++) {
        uint64_t at = start + hd_split(bytes, parts, k), before = text->part[k - 1].start;
        /* a line may be longer than a part: then parts are empty, and its end is searched for only once */
        text->part[k].start =
            at <= before ? before : (uint64_t)(hd_next_line(text->data + at - 1, text->end) - text->data);
        if (ctx->limit && text->input->mapped)
            hd_pages_release(text->data + before, (uint64_t)(text->end - text->data) - before);
    }
    return HEDDLE_OK;
}

void hd_text_close(heddle_context *ctx, hd_text *text) { HD_DELETE(&ctx->allocator, text->part, text->parts + 1); }

void hd_text_begin(hd_text *text, hd_cursor *cursor) {
    hd_text_part *part = &text->part[cursor->part];
    *part = (hd_text_part){.start = part->start,
                           .negative_id = HD_NOWHERE,
                           .large_id = HD_NOWHERE,
                           .huge_weight = HD_NOWHERE,
                           .more = HD_NOWHERE};
    cursor->position = part->start;
    cursor->end = part[1].start;
}

/* Like hd_input_fail, but reports a line that ends too early as such. */
static heddle_status fail_at(heddle_context *ctx, const hd_text *text, uint64_t at, uint64_t length,
                             const char *expected) {
    static const char end_of_line[] = "end of line";
    if (length || at >= text->input->bytes)
        return hd_input_fail(ctx, text->input, at, length, expected);
    hd_input_fail(ctx, text->input, at, 0, expected); /* finds line and column */
    return hd_fail_token(ctx, text->input->name, ctx->error.line, ctx->error.column, end_of_line,
                         sizeof end_of_line - 1, expected);
}

heddle_status hd_text_fail(const hd_text *text, heddle_context *ctx, const hd_cursor *cursor) {
    return fail_at(ctx, text, cursor->error_at, cursor->error_length, cursor->expected);
}

heddle_status hd_text_refuse(heddle_context *ctx, const hd_text *text, const char *p, const char *end,
                             const char *format, ...) {
    char expected[sizeof ctx->error.expected];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return fail_at(ctx, text, (uint64_t)(p - text->data), (uint64_t)(end - p), expected);
}

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

static const uint64_t most_vertices = UINT32_MAX - 1;

hd_word hd_next_word(const char **p, const char *end) {
    hd_word word = {.p = hd_skip_spaces(*p, end)};
    word.end = *p = hd_word_end(word.p, end);
    return word;
}

bool hd_word_is(hd_word word, const char *text) {
    const char *p = word.p;
    for (; p < word.end && *text; p++, text++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        if (c != *text)
            return false;
    }
    return p == word.end && !*text;
}

heddle_status hd_declared_read(heddle_context *ctx, const hd_text *text, const char **p, const char *end,
                               const char *expected, hd_declared *declared) {
    hd_word word = hd_next_word(p, end);
    *declared = (hd_declared){.p = word.p, .end = word.end};
    if (hd_scan_u64(word.p, word.end, &declared->value) != word.end)
        return hd_text_refuse(ctx, text, word.p, word.end, "%s", expected);
    return HEDDLE_OK;
}

heddle_status hd_declared_vertices(heddle_context *ctx, hd_text *text, const hd_declared *declared) {
    uint64_t most = (UINT64_C(1) << 20) + (text->input->bytes << 8); /* isolated vertices take no bytes */
    if (declared->value > most)
        return hd_text_refuse(ctx, text, declared->p, declared->end,
                              "at most %llu vertices, in proportion to the file's size", (unsigned long long)most);
    if (declared->value > most_vertices)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, text->input->name, 0, "%llu vertices declared, at most %llu fit",
                            (unsigned long long)declared->value, (unsigned long long)most_vertices);
    text->vertices = declared->value;
    snprintf(text->indices, sizeof text->indices, "a vertex from 1 to %llu", (unsigned long long)text->vertices);
    return HEDDLE_OK;
}

heddle_status hd_declared_count(heddle_context *ctx, const hd_text *text, const hd_declared *declared, uint64_t found,
                                const char *what) {
    if (declared->value == found)
        return HEDDLE_OK;
    return hd_text_refuse(ctx, text, declared->p, declared->end, "%llu, the number of %s in the file",
                          (unsigned long long)found, what);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

bool hd_text_index(hd_text *text, hd_cursor *cursor, hd_word word, uint64_t *index) {
    if (hd_scan_u64(word.p, word.end, index) == word.end && *index - 1 < text->vertices)
        return true;
    hd_text_wrong(text, cursor, word.p, word.end, text->indices);
    return false;
}

bool hd_text_weight(hd_text *text, hd_cursor *cursor, hd_word word, double *weight) {
    hd_text_part *part = &text->part[cursor->part];
    hd_scanned number;
    if (hd_scan_weight(word.p, word.end, &number) != word.end) {
        bool comma = word.p == word.end && word.p < text->end && !hd_is_line_end(*word.p); /* nothing before it */
        hd_text_wrong(text, cursor, word.p, word.end + comma, "a finite number as weight");
        return false;
    }
    *weight = number.value;
    cursor->whole = number.whole;
    if (number.real)
        part->real_weight = true;
    else if (number.beyond && part->huge_weight == HD_NOWHERE)
        part->huge_weight = (uint64_t)(word.p - text->data);
    if (*weight < 0)
        part->negative_weight = true;
    return true;
}

bool hd_text_line_done(hd_text *text, hd_cursor *cursor, const char *p, const char *end) {
    hd_word word = hd_next_word(&p, end);
    if (word.p == end)
        return true;
    hd_text_wrong(text, cursor, word.p, word.end, "the end of the line");
    return false;
}

/* The token at a byte offset, up to a separator. */
static heddle_status refuse_token(heddle_context *ctx, const hd_text *text, uint64_t at, const char *expected) {
    const char *p = text->data + at;
    return hd_text_refuse(ctx, text, p, hd_token_end(p, text->end), "%s", expected);
}

heddle_status hd_text_check_weights(heddle_context *ctx, const hd_text *text) {
    if (hd_weight_real(ctx->weight_type))
        return HEDDLE_OK; /* real weights were requested */
    uint64_t huge = HD_NOWHERE;
    for (const hd_text_part *part = text->part + text->parts; part-- > text->part;) {
        if (part->real_weight)
            return HEDDLE_OK; /* they will all be real */
        huge = part->huge_weight != HD_NOWHERE ? part->huge_weight : huge;
    }
    return huge == HD_NOWHERE ? HEDDLE_OK : refuse_token(ctx, text, huge, "a weight that fits 64 bits with sign");
}

heddle_status hd_text_check_ids(heddle_context *ctx, const hd_text *text) {
    uint64_t negative = HD_NOWHERE, large = HD_NOWHERE;
    for (const hd_text_part *part = text->part + text->parts; part-- > text->part;) {
        negative = part->negative_id != HD_NOWHERE ? part->negative_id : negative;
        large = part->large_id != HD_NOWHERE ? part->large_id : large;
    }
    if (negative == HD_NOWHERE || large == HD_NOWHERE)
        return HEDDLE_OK;
    if (negative < large)
        return refuse_token(ctx, text, large, "an id below 2^63, for negative ids occur too");
    return refuse_token(ctx, text, negative, "an id of 0 or more, for ids of 2^63 and more occur too");
}

/* ---- Batches ---------------------------------------------------------------------------------------------------- */

/* Marks for lines that do not fit in the batch are found again for the next batch; few are, since few lines are shorter
 * than 8 bytes. */
void hd_quick_fill(hd_quick *quick, const hd_text *text, const char *p, const char *stop, size_t edges) {
    uint64_t bytes = (uint64_t)(stop - p), rest = (uint64_t)(text->end - p), most = edges * 8;
    rest = rest > HD_DIGITS_ROOM ? rest - HD_DIGITS_ROOM : 0;
    most = most > HD_STRETCH ? HD_STRETCH : most < 256 ? 256 : most;
    bytes = bytes < rest ? bytes : rest;
    bytes = bytes < most ? bytes : most;
    quick->base = p;
    quick->next = 0;
    hd_marks_find(&quick->marks, p, (size_t)bytes / HD_MARKS_BLOCK * HD_MARKS_BLOCK);
}

void hd_text_learn(hd_text *text, hd_cursor *cursor, hd_quick_seen seen) {
    hd_text_part *part = &text->part[cursor->part];
    if (seen.real)
        part->real_weight = part->point_weight = true;
    if (seen.more && (uint64_t)(seen.more - text->data) < part->more)
        part->more = (uint64_t)(seen.more - text->data);
    if (seen.negative)
        part->negative_weight = true;
    cursor->seen_real = part->real_weight;
}

void hd_text_next(void *self, hd_text *text, hd_cursor *cursor, hd_edge_batch *batch, hd_lines_fn lines,
                  hd_line_fn line) {
    const char *p = text->data + cursor->position, *stop = text->data + cursor->end;
    hd_quick quick;
    hd_quick_start(&quick);
    batch->count = 0;
    while (batch->count < HD_BATCH && p < stop) {
        if (lines) {
            if (quick.next + HD_LINE_MARKS > quick.marks.count)
                hd_quick_fill(&quick, text, p, stop, HD_BATCH - batch->count);
            p = lines(text, &quick, p, batch);
            if (batch->count == HD_BATCH || (quick.next + HD_LINE_MARKS > quick.marks.count && p != quick.base))
                continue; /* only the end of the batch or the stretch */
        }
        hd_text_edge edge = {0, 0, 0};
        const char *end = hd_line_end(p, stop);
        hd_line kind = line(self, cursor, p, hd_trim_return(p, end), &edge);
        if (kind == HD_LINE_WRONG) {
            batch->count = 0;
            break;
        }
        p = hd_quick_skip(&quick, end < stop ? end + 1 : end);
        if (kind == HD_LINE_EDGE) {
            batch->source[batch->count] = edge.source;
            batch->target[batch->count] = edge.target;
            batch->whole[batch->count] = cursor->whole;
            batch->weight[batch->count++] = edge.weight;
        }
    }
    hd_text_learn(text, cursor, quick.seen);
    cursor->position = (uint64_t)(p - text->data);
}
