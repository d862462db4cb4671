/* arrow.c - see arrow.h. */
#include "io/arrow.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------ */

/* Words for types that are neither numbers nor strings, by the letters that their formats begin with. */
static const char *const other_types[][2] = {
    {"td", "date"},
    {"tt", "time"},
    {"ts", "timestamp"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+l", "list"},
    {"+L", "list"},
    {"+vl", "list"},
    {"+vL", "list"},
    {"+w", "list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+r", "run ends"},
    {"+u", "union"},
    {"n", "null"},
    {"w", "binary of fixed size"},
    {"d:", "decimal of more or less than 128 bits"},
};

static const char *other_type(const char *format) {
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++)
        if (strncmp(format, other_types[i][0], strlen(other_types[i][0])) == 0)
            return other_types[i][1];
    return format;
}

/* "d:PRECISION,SCALE", and ",BITS" if these are not 128. */
static bool read_decimal(const char *format, hd_arrow_type *type) {
    char *end;
    const char *comma = strchr(format, ',');
    if (strncmp(format, "d:", 2) != 0 || !comma)
        return false;
    long scale = strtol(comma + 1, &end, 10);
    if (scale < -38 || scale > 38 || (*end && strcmp(end, ",128") != 0))
        return false;
    *type = (hd_arrow_type){.code = 'd', .scale = (int)scale};
    return true;
}

/* False: neither numbers nor strings. Bytes count as strings. */
static bool read_type(const char *format, hd_arrow_type *type) {
    *type = (hd_arrow_type){.code = 0};
    if (!format || !format[0])
        return false;
    if (strcmp(format, "vu") == 0 || strcmp(format, "vz") == 0)
        type->code = 'v';
    else if (!format[1] && strchr("bcCsSiIlLefguU", format[0]))
        type->code = format[0];
    else if (!format[1] && (format[0] == 'z' || format[0] == 'Z'))
        type->code = format[0] == 'z' ? 'u' : 'U';
    return type->code || read_decimal(format, type);
}

/* ---- Streams ---------------------------------------------------------------------------------------------------- */

static heddle_status fail_stream(heddle_context *ctx, const char *name, struct ArrowArrayStream *stream, int code) {
    const char *text = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return hd_fail(ctx, HEDDLE_E_READ, "%s: the stream of Arrow fails: %.600s", name, text ? text : strerror(code));
}

static heddle_status add_batch(heddle_context *ctx, const char *name, hd_arrow_table *table, struct ArrowArray *batch) {
    bool fits = batch->length >= 0 && batch->offset >= 0 &&
                (table->single || (batch->n_children == (int64_t)table->column_count && batch->children));
    if (!fits)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: a batch of Arrow does not have the columns of its schema", name);
    if (table->batch_count == table->room) {
        uint64_t room = table->room ? 2 * table->room : 8;
        struct ArrowArray *grown;
        HD_TRY(HD_NEW(ctx, &grown, room, "batches"));
        if (table->batch_count)
            memcpy(grown, table->batches, table->batch_count * sizeof *grown);
        HD_DELETE(&ctx->allocator, table->batches, table->room);
        table->batches = grown;
        table->room = room;
    }
    table->batches[table->batch_count++] = *batch;
    batch->release = NULL; /* moved */
    return HEDDLE_OK;
}

static heddle_status read_schema(heddle_context *ctx, const char *name, struct ArrowArrayStream *stream,
                                 hd_arrow_table *table) {
    int code = stream->get_schema(stream, &table->schema);
    if (code)
        return fail_stream(ctx, name, stream, code);
    const struct ArrowSchema *schema = &table->schema;
    table->single = schema->format && strcmp(schema->format, "+s") != 0;
    table->column_count = table->single ? 1 : schema->n_children > 0 ? (uint64_t)schema->n_children : 0;
    if (!schema->release || !schema->format || (table->column_count && !table->single && !schema->children))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: the stream of Arrow has no schema", name);
    return HEDDLE_OK;
}

static heddle_status read_batches(heddle_context *ctx, const char *name, struct ArrowArrayStream *stream,
                                  hd_arrow_table *table) {
    for (;;) {
        struct ArrowArray batch = {.release = NULL};
        int code = stream->get_next(stream, &batch);
        if (code)
            return fail_stream(ctx, name, stream, code);
        if (!batch.release)
            return HEDDLE_OK;
        heddle_status status = add_batch(ctx, name, table, &batch);
        if (status == HEDDLE_OK)
            status = hd_cancelled_status(ctx);
        if (batch.release)
            batch.release(&batch);
        HD_TRY(status);
    }
}

heddle_status hd_arrow_table_take(heddle_context *ctx, const char *name, struct ArrowArrayStream *stream,
                                  hd_arrow_table *table) {
    memset(table, 0, sizeof *table);
    if (!stream->release || !stream->get_schema || !stream->get_next)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: the stream of Arrow was released: it was read before", name);
    heddle_status status = read_schema(ctx, name, stream, table);
    if (status == HEDDLE_OK)
        status = read_batches(ctx, name, stream, table);
    if (stream->release)
        stream->release(stream);
    if (status != HEDDLE_OK)
        hd_arrow_table_free(ctx, table);
    return status;
}

void hd_arrow_table_free(heddle_context *ctx, hd_arrow_table *table) {
    for (uint64_t b = 0; b < table->batch_count; b++)
        if (table->batches[b].release)
            table->batches[b].release(&table->batches[b]);
    HD_DELETE(&ctx->allocator, table->batches, table->room);
    if (table->schema.release)
        table->schema.release(&table->schema);
    memset(table, 0, sizeof *table);
}

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

static const struct ArrowSchema *schema_of(const hd_arrow_table *table, uint64_t column) {
    return table->single ? &table->schema : table->schema.children[column];
}

const char *hd_arrow_table_name(const hd_arrow_table *table, uint64_t column) {
    const struct ArrowSchema *schema = schema_of(table, column);
    return schema && schema->name ? schema->name : "";
}

bool hd_arrow_table_numeric(const hd_arrow_table *table, uint64_t column) {
    hd_arrow_type type;
    const struct ArrowSchema *schema = schema_of(table, column);
    schema = schema && schema->dictionary ? schema->dictionary : schema;
    return schema && read_type(schema->format, &type) && !hd_arrow_is_text(type);
}

/* The number of buffers that arrays of a type have, the views' own aside, and which must be there if there are rows. */
static bool has_buffers(const struct ArrowArray *array, hd_arrow_type type) {
    int64_t least = hd_arrow_is_text(type) ? 3 : 2;
    if (array->length < 0 || array->offset < 0 || array->n_buffers < least || !array->buffers)
        return false;
    return !array->length || array->buffers[1]; /* text is missing if all strings are empty */
}

static heddle_status add_piece(heddle_context *ctx, const hd_arrow_table *table, uint64_t column,
                               const struct ArrowArray *batch, hd_arrow_column *opened) {
    const struct ArrowArray *array = table->single ? batch : batch->children[column];
    uint64_t offset = table->single ? 0 : (uint64_t)batch->offset;
    hd_arrow_type stored = opened->index.code ? opened->index : opened->type;
    bool fits = array && has_buffers(array, stored) && offset + (uint64_t)batch->length <= (uint64_t)array->length;
    if (table->single)
        fits = array && has_buffers(array, stored);
    if (fits && opened->index.code)
        fits = array->dictionary && has_buffers(array->dictionary, opened->type);
    if (!fits)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: a batch of Arrow has no such values as its schema says",
                       opened->name);
    if (!table->single && batch->null_count > 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: a batch of Arrow has rows that are missing as a whole",
                       opened->name);
    opened->pieces[opened->piece_count++] = (hd_arrow_piece){.first = opened->rows,
                                                             .rows = (uint64_t)batch->length,
                                                             .offset = offset + (uint64_t)array->offset,
                                                             .array = array};
    opened->rows += (uint64_t)batch->length;
    return HEDDLE_OK;
}

heddle_status hd_arrow_column_open(heddle_context *ctx, const hd_arrow_table *table, uint64_t column,
                                   hd_arrow_column *opened) {
    heddle_status status = HEDDLE_OK;
    const struct ArrowSchema *schema = schema_of(table, column);
    const struct ArrowSchema *values = schema && schema->dictionary ? schema->dictionary : schema;
    snprintf(opened->name, sizeof opened->name, "%s", hd_arrow_table_name(table, column));
    if (!values || !read_type(values->format, &opened->type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "%s: a column of numbers or strings is needed, not of Arrow's type '%.40s'", opened->name,
                       values && values->format ? other_type(values->format) : "");
    if (values != schema && (!read_type(schema->format, &opened->index) || !strchr("cCsSiIlL", opened->index.code)))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: codes of a dictionary that are no whole numbers", opened->name);
    opened->piece_room = table->batch_count + 1;
    HD_TRY(HD_NEW(ctx, &opened->pieces, opened->piece_room, "batches"));
    for (uint64_t b = 0; b < table->batch_count && status == HEDDLE_OK; b++)
        status = add_piece(ctx, table, column, &table->batches[b], opened);
    if (status != HEDDLE_OK)
        hd_arrow_column_close(ctx, opened);
    return status;
}

void hd_arrow_column_close(heddle_context *ctx, hd_arrow_column *column) {
    HD_DELETE(&ctx->allocator, column->pieces, column->piece_room);
    memset(column, 0, sizeof *column);
}
