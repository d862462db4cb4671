/* streams.h - streams and events of the fake CUDA driver. What goes into a stream is done as late as the interface
 * allows: when the host waits for the stream or for an event behind it, when another stream that the host waits for
 * has to wait for it, or when memory is freed. So a host that reuses pinned memory before its copy is over, or that
 * forgets to let one stream wait for another, gets wrong results every time. */
#ifndef FAKE_STREAMS_H
#define FAKE_STREAMS_H

#include "fake.h"

typedef struct fake_stream fake_stream;
typedef struct fake_event fake_event;

fake_stream *fake_stream_new(void);
void fake_stream_free(fake_stream *stream); /* its work is done first */
void fake_stream_finish(fake_stream *stream);
void fake_finish_all(void);

fake_event *fake_event_new(void);
void fake_event_free(fake_event *event);
void fake_event_record(fake_event *event, fake_stream *stream);
void fake_stream_wait(fake_stream *stream, fake_event *event);
void fake_event_finish(fake_event *event);
bool fake_event_reached(const fake_event *event); /* it was recorded, and its work is done */

/* Pinned memory. Freeing a block that a copy still has to read or write ends the program. */
void *fake_pin(uint64_t bytes);
void fake_unpin(void *memory);

/* Work. As with the real driver, pageable memory is read at once, and written before the call returns. */
void fake_upload(fake_stream *stream, void *to, const void *from, uint64_t bytes);
void fake_download(fake_stream *stream, void *to, const void *from, uint64_t bytes);
void fake_fill(fake_stream *stream, void *to, uint32_t word, uint64_t words);
/* A kernel whose arguments are not known by their sizes (fake_arguments) runs at once. */
void fake_launch(fake_stream *stream, const char *text, const char *kernel, const void *const *arguments);

#endif
