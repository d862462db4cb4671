/* arrow_write.c - see arrow_write.h. */
#include "io/arrow_write.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BUFFERS = 3, NAME = 128 };

/* A column's memory. */
typedef struct column_memory {
    heddle_allocator allocator;
    const void *buffers[BUFFERS];
    uint64_t bytes[BUFFERS];
} column_memory;

typedef struct column_shape {
    char name[NAME];
    char format[2];
    bool nullable;
} column_shape;

/* The stream's own: what its schema is made of, and the batch. */
typedef struct table_stream {
    heddle_allocator allocator;
    column_shape *shapes;
    uint64_t room;
    struct ArrowArray batch;
} table_stream;

/* Of a batch: its columns, and the pointers to them. */
typedef struct batch_memory {
    heddle_allocator allocator;
    struct ArrowArray *columns, **children;
    uint64_t room;
    const void *buffers[1];
} batch_memory;

/* Of a schema. */
typedef struct schema_memory {
    heddle_allocator allocator;
    struct ArrowSchema *columns, **children;
    column_shape *shapes;
    uint64_t room;
} schema_memory;

/* ---- Releasing -------------------------------------------------------------------------------------------------- */

static void release_column(struct ArrowArray *array) {
    column_memory *memory = array->private_data;
    heddle_allocator allocator = memory->allocator;
    for (int b = 0; b < BUFFERS; b++)
        if (memory->buffers[b])
            hd_free(&allocator, (void *)(uintptr_t)memory->buffers[b], (size_t)memory->bytes[b]);
    hd_free(&allocator, memory, sizeof *memory);
    array->release = NULL;
}

static void free_batch(batch_memory *memory) {
    heddle_allocator allocator = memory->allocator;
    HD_DELETE(&allocator, memory->columns, memory->room);
    HD_DELETE(&allocator, memory->children, memory->room);
    hd_free(&allocator, memory, sizeof *memory);
}

static void release_batch(struct ArrowArray *batch) {
    for (int64_t c = 0; c < batch->n_children; c++)
        if (batch->children[c]->release) /* else it was moved out */
            batch->children[c]->release(batch->children[c]);
    free_batch(batch->private_data);
    batch->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream) {
    table_stream *own = stream->private_data;
    heddle_allocator allocator = own->allocator;
    if (own->batch.release)
        own->batch.release(&own->batch);
    HD_DELETE(&allocator, own->shapes, own->room);
    hd_free(&allocator, own, sizeof *own);
    stream->release = NULL;
}

static void release_nothing(struct ArrowSchema *schema) { schema->release = NULL; }

static void free_schema(schema_memory *memory) {
    heddle_allocator allocator = memory->allocator;
    HD_DELETE(&allocator, memory->columns, memory->room);
    HD_DELETE(&allocator, memory->children, memory->room);
    HD_DELETE(&allocator, memory->shapes, memory->room);
    hd_free(&allocator, memory, sizeof *memory);
}

static void release_schema(struct ArrowSchema *schema) {
    for (int64_t c = 0; c < schema->n_children; c++)
        if (schema->children[c]->release)
            schema->children[c]->release(schema->children[c]);
    free_schema(schema->private_data);
    schema->release = NULL;
}

/* ---- Reading the stream ----------------------------------------------------------------------------------------- */

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
    const table_stream *own = stream->private_data;
    uint64_t count = (uint64_t)own->room;
    schema_memory *memory = hd_zalloc(&own->allocator, sizeof *memory);
    memset(schema, 0, sizeof *schema);
    if (!memory)
        return ENOMEM;
    memory->allocator = own->allocator;
    memory->room = count;
    memory->columns = hd_zalloc(&own->allocator, (size_t)count * sizeof *memory->columns);
    memory->children = hd_zalloc(&own->allocator, (size_t)count * sizeof(struct ArrowSchema *));
    memory->shapes = hd_zalloc(&own->allocator, (size_t)count * sizeof *memory->shapes);
    if (!memory->columns || !memory->children || !memory->shapes) {
        free_schema(memory);
        return ENOMEM;
    }
    memcpy(memory->shapes, own->shapes, (size_t)count * sizeof *memory->shapes);
    for (uint64_t c = 0; c < count; c++) {
        column_shape *shape = &memory->shapes[c];
        memory->columns[c] = (struct ArrowSchema){.format = shape->format,
                                                  .name = shape->name,
                                                  .flags = shape->nullable ? ARROW_FLAG_NULLABLE : 0,
                                                  .release = release_nothing};
        memory->children[c] = &memory->columns[c];
    }
    *schema = (struct ArrowSchema){.format = "+s",
                                   .name = "",
                                   .n_children = (int64_t)count,
                                   .children = memory->children,
                                   .release = release_schema,
                                   .private_data = memory};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *batch) {
    table_stream *own = stream->private_data;
    *batch = own->batch;
    own->batch.release = NULL; /* moved; the next one is the end */
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return NULL;
}

/* ---- Making it -------------------------------------------------------------------------------------------------- */

heddle_status hd_arrow_stream_begin(heddle_context *ctx, uint64_t rows, uint64_t columns,
                                    struct ArrowArrayStream *stream) {
    table_stream *own;
    batch_memory *memory;
    memset(stream, 0, sizeof *stream);
    HD_TRY(HD_NEW_ZERO(ctx, &own, 1, "a stream of Arrow"));
    own->allocator = ctx->allocator;
    own->room = columns;
    *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, own};
    heddle_status status = HD_NEW_ZERO(ctx, &own->shapes, columns, "columns");
    if (status == HEDDLE_OK)
        status = HD_NEW_ZERO(ctx, &memory, 1, "columns");
    if (status == HEDDLE_OK) {
        memory->allocator = ctx->allocator;
        memory->room = columns;
        own->batch = (struct ArrowArray){.length = (int64_t)rows,
                                         .n_buffers = 1,
                                         .buffers = memory->buffers,
                                         .release = release_batch,
                                         .private_data = memory};
        status = HD_NEW_ZERO(ctx, &memory->columns, columns, "columns");
        if (status == HEDDLE_OK)
            status = HD_NEW_ZERO(ctx, (void ***)&memory->children, columns, "columns");
        own->batch.children = memory->children;
    }
    if (status != HEDDLE_OK)
        stream->release(stream);
    return status;
}

/* Adds a column with buffers of these sizes; 0: none. Zeroed ones are bitmaps. */
static heddle_status add_column(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name, char format,
                                const uint64_t bytes[BUFFERS], column_memory **added) {
    table_stream *own = stream->private_data;
    batch_memory *batch = own->batch.private_data;
    uint64_t at = (uint64_t)own->batch.n_children;
    column_shape *shape = &own->shapes[at];
    column_memory *memory;
    HD_TRY(HD_NEW_ZERO(ctx, &memory, 1, "a column"));
    memory->allocator = ctx->allocator;
    snprintf(shape->name, sizeof shape->name, "%s", name);
    shape->format[0] = format;
    shape->nullable = bytes[0] != 0;
    batch->columns[at] = (struct ArrowArray){.length = own->batch.length,
                                             .n_buffers = bytes[2] ? 3 : 2,
                                             .buffers = memory->buffers,
                                             .release = release_column,
                                             .private_data = memory};
    batch->children[at] = &batch->columns[at];
    own->batch.n_children++;
    for (int b = 0; b < BUFFERS; b++) {
        char *made = NULL;
        memory->bytes[b] = bytes[b];
        if (bytes[b])
            HD_TRY(hd_new(ctx, (void **)&made, bytes[b], 1, b == 0, "a column"));
        memory->buffers[b] = made;
    }
    *added = memory;
    return HEDDLE_OK;
}

static uint64_t bitmap_bytes(const struct ArrowArrayStream *stream) {
    const table_stream *own = stream->private_data;
    return ((uint64_t)own->batch.length + 7) / 8 + 1;
}

static void *writable(const void *buffer) { return (void *)(uintptr_t)buffer; }

heddle_status hd_arrow_stream_numbers(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                      char format, void **values, uint8_t **valid) {
    const table_stream *own = stream->private_data;
    column_memory *memory;
    uint64_t each = format == 'i' || format == 'f' ? 4 : 8, rows = (uint64_t)own->batch.length;
    const uint64_t bytes[BUFFERS] = {valid ? bitmap_bytes(stream) : 0, each * (rows ? rows : 1), 0};
    HD_TRY(add_column(ctx, stream, name, format, bytes, &memory));
    *values = writable(memory->buffers[1]);
    if (valid)
        *valid = writable(memory->buffers[0]);
    return HEDDLE_OK;
}

heddle_status hd_arrow_stream_strings(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                      uint64_t bytes, int64_t **offsets, char **text, uint8_t **valid) {
    const table_stream *own = stream->private_data;
    column_memory *memory;
    const uint64_t sizes[BUFFERS] = {valid ? bitmap_bytes(stream) : 0,
                                     sizeof(int64_t) * ((uint64_t)own->batch.length + 1), bytes ? bytes : 1};
    HD_TRY(add_column(ctx, stream, name, 'U', sizes, &memory));
    *offsets = writable(memory->buffers[1]);
    *text = writable(memory->buffers[2]);
    if (valid)
        *valid = writable(memory->buffers[0]);
    return HEDDLE_OK;
}

void hd_arrow_stream_nulls(struct ArrowArrayStream *stream, uint64_t nulls) {
    const table_stream *own = stream->private_data;
    own->batch.children[own->batch.n_children - 1]->null_count = (int64_t)nulls;
}

/* ---- Ids -------------------------------------------------------------------------------------------------------- */

static heddle_vertex vertex_at(const heddle_vertex *vertices, uint64_t k) {
    return vertices ? vertices[k] : (heddle_vertex)k;
}

static heddle_status add_labels(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                const heddle_graph *graph, const heddle_vertex *vertices, uint64_t rows,
                                uint8_t **valid) {
    const hd_ids *ids = &graph->ids;
    int64_t *offsets;
    char *text;
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < rows; k++) {
        heddle_vertex v = vertex_at(vertices, k);
        bytes += v == UINT32_MAX ? 0 : ids->starts[v + 1] - ids->starts[v];
    }
    HD_TRY(hd_arrow_stream_strings(ctx, stream, name, bytes, &offsets, &text, valid));
    offsets[0] = 0;
    for (uint64_t k = 0; k < rows; k++) {
        heddle_vertex v = vertex_at(vertices, k);
        uint64_t length = v == UINT32_MAX ? 0 : ids->starts[v + 1] - ids->starts[v];
        if (length)
            memcpy(text + offsets[k], ids->text + ids->starts[v], (size_t)length);
        offsets[k + 1] = offsets[k] + (int64_t)length;
    }
    return HEDDLE_OK;
}

heddle_status hd_arrow_stream_ids(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                  const heddle_graph *graph, const heddle_vertex *vertices) {
    const table_stream *own = stream->private_data;
    uint64_t rows = (uint64_t)own->batch.length, nulls = 0;
    uint8_t *valid = NULL;
    void *numbers;
    for (uint64_t k = 0; vertices && k < rows; k++)
        nulls += vertices[k] == UINT32_MAX;
    if (graph->ids.type == HEDDLE_ID_STRING) {
        HD_TRY(add_labels(ctx, stream, name, graph, vertices, rows, nulls ? &valid : NULL));
    } else {
        char format = graph->ids.type == HEDDLE_ID_U64 ? 'L' : 'l';
        HD_TRY(hd_arrow_stream_numbers(ctx, stream, name, format, &numbers, nulls ? &valid : NULL));
        HD_PARALLEL_FOR(ctx, schedule(static) if (rows >= HD_WORTH_THREADS))
        for (uint64_t k = 0; k < rows; k++) {
            heddle_vertex v = vertex_at(vertices, k);
            ((int64_t *)numbers)[k] = v == UINT32_MAX ? 0 : heddle_graph_id(graph, v);
        }
    }
    for (uint64_t k = 0; nulls && k < rows; k++)
        if (vertices[k] != UINT32_MAX)
            valid[k / 8] |= (uint8_t)(1 << k % 8);
    hd_arrow_stream_nulls(stream, nulls);
    return HEDDLE_OK;
}
