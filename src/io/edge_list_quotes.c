/* edge_list_quotes.c - labels with quotes in them, which CSV files double: "say ""hi""".
 *
 * Labels are (offset, length) pairs in the text, so the text itself must hold the resolved label. When the reader finds
 * such a label, the input is copied, and each of them is rewritten in the copy between two control characters that no
 * text file contains. Offsets do not change: shortened labels are padded with blanks.
 */
#include "io/edge_list.h"

heddle_status hd_edge_list_own(heddle_context *ctx, hd_edge_list *list, hd_input *input, uint64_t room,
                               const char **first) {
    uint64_t start = (uint64_t)(*first - list->text.data);
    HD_TRY(hd_input_own(ctx, input, input->bytes + room));
    list->text.data = input->data;
    list->text.end = input->data + input->bytes;
    *first = input->data + start;
    return HEDDLE_OK;
}

char *hd_edge_list_undouble(hd_word label, char *to) {
    for (const char *p = label.p; p < label.end; p++) {
        *to++ = *p;
        p += *p == '"'; /* the other one */
    }
    return to;
}

static void rewrite(hd_word label) {
    char *open = (char *)(uintptr_t)label.p - 1, *close = (char *)(uintptr_t)label.end;
    char *end = hd_edge_list_undouble(label, open + 1);
    *open = HD_LABEL_OPEN;
    *end++ = HD_LABEL_CLOSE;
    memset(end, ' ', (size_t)(close + 1 - end));
}

/* Rewrites the labels of a line; false if the line is malformed, with the error in the cursor. */
static bool resolve_line(hd_edge_list *list, hd_cursor *cursor, const char *p, const char *end) {
    hd_fields line = hd_edge_list_fields(list, p, end);
    for (int column = 1; column <= list->last_column; column++) {
        hd_word word;
        hd_field kind = hd_edge_list_field(list, cursor, &line, &word);
        if (kind == HD_FIELD_NONE)
            return true; /* the reader will report it */
        if (kind == HD_FIELD_WRONG)
            return false;
        if (line.doubled && (column == list->column[HD_ROLE_SOURCE] || column == list->column[HD_ROLE_TARGET]))
            rewrite(word);
    }
    return true;
}

heddle_status hd_edge_list_resolve(heddle_context *ctx, hd_edge_list *list, hd_input *input, const char **first) {
    HD_TRY(hd_edge_list_own(ctx, list, input, 0, first));
    hd_enter(ctx); /* clears the error that reported the quotes */
    hd_phase_begin(ctx, "read", (uint64_t)(list->text.end - *first));
    hd_cursor cursor = {.part = 0};
    bool fine = true;
    for (const char *p = *first, *next; fine && p < list->text.end; p = next) {
        const char *newline = hd_line_end(p, list->text.end), *end = hd_trim_return(p, newline);
        next = newline < list->text.end ? newline + 1 : newline;
        fine = hd_edge_list_is_empty(list, p, end) || resolve_line(list, &cursor, p, end);
        if (hd_advance(ctx, (uint64_t)(next - p)))
            break;
    }
    hd_phase_end(ctx);
    HD_TRY(hd_cancelled_status(ctx));
    list->resolved = true;
    return fine ? HEDDLE_OK : hd_text_fail(&list->text, ctx, &cursor);
}
