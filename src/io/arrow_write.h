/* arrow_write.h - a batch of columns as a stream of Arrow.
 *
 * The stream has the batch until a consumer takes it; each column owns its memory, since consumers may move columns out
 * of a batch. All of it outlives the context.
 */
#ifndef HD_IO_ARROW_WRITE_H
#define HD_IO_ARROW_WRITE_H

#include "graph/graph.h"

/* Begins a stream of one batch; columns are added in order. Frees nothing that the stream had before. */
heddle_status hd_arrow_stream_begin(heddle_context *ctx, uint64_t rows, uint64_t columns,
                                    struct ArrowArrayStream *stream);
/* Adds a column of numbers ('i', 'l', 'L', 'f', 'g') for the caller to fill: one value a row. With `valid` there is
 * also a bitmap, all 0, of the rows that have a value. */
heddle_status hd_arrow_stream_numbers(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                      char format, void **values, uint8_t **valid);
/* Adds a column of strings, which have `bytes` bytes in all: offsets (rows + 1) and text for the caller to fill. */
heddle_status hd_arrow_stream_strings(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                      uint64_t bytes, int64_t **offsets, char **text, uint8_t **valid);
/* The number of rows without a value, of the column that was added last. */
void hd_arrow_stream_nulls(struct ArrowArrayStream *stream, uint64_t nulls);

/* The ids of vertices as a column: of all in their order (`vertices` NULL), or of the given ones, of which UINT32_MAX
 * has none. */
heddle_status hd_arrow_stream_ids(heddle_context *ctx, struct ArrowArrayStream *stream, const char *name,
                                  const heddle_graph *graph, const heddle_vertex *vertices);

#endif
