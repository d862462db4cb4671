/* streams.c - see streams.h. */
#include "streams.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPLOAD, DOWNLOAD, FILL, LAUNCH, RECORD, WAIT };

typedef struct work {
    struct work *next;
    int kind;
    char *to;
    const char *from;
    char *kept; /* what was read at once, or a kernel's arguments */
    uint64_t count;
    uint32_t word;
    char *text, name[64];
    fake_event *event;
    uint64_t record; /* of the event: its number */
} work;

struct fake_stream {
    fake_stream *next;
    work *first, **end;
};

struct fake_event {
    uint64_t recorded, reached;
    fake_stream *stream; /* of the last record */
};

typedef struct pinned {
    struct pinned *next;
    char *memory;
    uint64_t bytes;
} pinned;

static pthread_mutex_t lock;
static fake_stream *streams;
static pinned *blocks;

__attribute__((constructor)) static void begin(void) {
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &again);
    pthread_mutexattr_destroy(&again);
}

/* ---- Doing it ---------------------------------------------------------------------------------------------------- */

static void reach(fake_event *event, uint64_t record);

static void check(const void *memory, uint64_t bytes) {
    if (fake_inside(memory, bytes))
        return;
    fprintf(stderr, "tests/fake/streams.c: work was left in a stream for memory that is gone\n");
    abort();
}

static void launch(work *w) {
    const void *arguments[FAKE_ARGUMENTS];
    for (uint64_t i = 0; i < w->count; i++)
        arguments[i] = w->kept + 8 * i;
    fake_run(w->text, w->name, arguments);
}

static void carry_out(work *w) {
    switch (w->kind) {
    case UPLOAD:
        check(w->to, w->count);
        memcpy(w->to, w->kept ? w->kept : w->from, w->count);
        break;
    case DOWNLOAD:
        check(w->from, w->count);
        memcpy(w->to, w->from, w->count);
        break;
    case FILL:
        check(w->to, w->count * 4);
        for (uint64_t i = 0; i < w->count; i++)
            memcpy(w->to + 4 * i, &w->word, 4);
        break;
    case LAUNCH: launch(w); break;
    case RECORD: w->event->reached = w->record; break;
    case WAIT: reach(w->event, w->record); break;
    }
}

static void discard(work *w) {
    free(w->kept);
    free(w->text);
    free(w);
}

/* One piece of work of the stream, if there is any. */
static bool step(fake_stream *stream) {
    work *w = stream->first;
    if (!w)
        return false;
    stream->first = w->next;
    if (!stream->first)
        stream->end = &stream->first;
    carry_out(w);
    discard(w);
    return true;
}

static void reach(fake_event *event, uint64_t record) {
    while (event->reached < record && step(event->stream))
        ;
}

static work *add(fake_stream *stream, int kind) {
    work *w = calloc(1, sizeof *w);
    w->kind = kind;
    *stream->end = w;
    stream->end = &w->next;
    return w;
}

static bool is_pinned(const void *memory) {
    for (const pinned *at = blocks; at; at = at->next)
        if ((const char *)memory >= at->memory && (const char *)memory < at->memory + at->bytes)
            return true;
    return false;
}

/* ---- Streams and events ------------------------------------------------------------------------------------------ */

fake_stream *fake_stream_new(void) {
    fake_stream *made = calloc(1, sizeof *made);
    made->end = &made->first;
    pthread_mutex_lock(&lock);
    made->next = streams;
    streams = made;
    pthread_mutex_unlock(&lock);
    return made;
}

void fake_stream_finish(fake_stream *stream) {
    pthread_mutex_lock(&lock);
    while (step(stream))
        ;
    pthread_mutex_unlock(&lock);
}

void fake_finish_all(void) {
    pthread_mutex_lock(&lock);
    for (fake_stream *at = streams; at; at = at->next)
        fake_stream_finish(at);
    pthread_mutex_unlock(&lock);
}

void fake_stream_free(fake_stream *stream) {
    pthread_mutex_lock(&lock);
    fake_stream_finish(stream);
    for (fake_stream **at = &streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    free(stream);
}

fake_event *fake_event_new(void) { return calloc(1, sizeof(fake_event)); }

void fake_event_finish(fake_event *event) {
    pthread_mutex_lock(&lock);
    reach(event, event->recorded);
    pthread_mutex_unlock(&lock);
}

void fake_event_free(fake_event *event) {
    fake_event_finish(event);
    fake_finish_all(); /* others may wait for it */
    free(event);
}

void fake_event_record(fake_event *event, fake_stream *stream) {
    pthread_mutex_lock(&lock);
    reach(event, event->recorded); /* of another stream, perhaps */
    work *w = add(stream, RECORD);
    event->stream = stream;
    w->event = event;
    w->record = ++event->recorded;
    pthread_mutex_unlock(&lock);
}

void fake_stream_wait(fake_stream *stream, fake_event *event) {
    pthread_mutex_lock(&lock);
    work *w = add(stream, WAIT);
    w->event = event;
    w->record = event->recorded;
    pthread_mutex_unlock(&lock);
}

bool fake_event_reached(const fake_event *event) {
    pthread_mutex_lock(&lock);
    bool reached = event->recorded && event->reached == event->recorded;
    pthread_mutex_unlock(&lock);
    return reached;
}

/* ---- Pinned memory ----------------------------------------------------------------------------------------------- */

void *fake_pin(uint64_t bytes) {
    pinned *made = calloc(1, sizeof *made);
    made->memory = calloc(1, bytes ? bytes : 1);
    made->bytes = bytes;
    pthread_mutex_lock(&lock);
    made->next = blocks;
    blocks = made;
    pthread_mutex_unlock(&lock);
    return made->memory;
}

static bool needed(const pinned *block) {
    for (const fake_stream *stream = streams; stream; stream = stream->next)
        for (const work *w = stream->first; w; w = w->next) {
            const char *host = w->kind == UPLOAD && !w->kept ? w->from : w->kind == DOWNLOAD ? w->to : NULL;
            if (host >= block->memory && host < block->memory + block->bytes)
                return true;
        }
    return false;
}

void fake_unpin(void *memory) {
    pinned *found = NULL;
    pthread_mutex_lock(&lock);
    for (pinned **at = &blocks; *at; at = &(*at)->next)
        if ((*at)->memory == memory) {
            found = *at;
            *at = found->next;
            break;
        }
    if (!found || needed(found)) {
        fprintf(stderr, "tests/fake/streams.c: %s\n",
                found ? "pinned memory is freed before a copy is over" : "memory that is not pinned is freed");
        abort();
    }
    pthread_mutex_unlock(&lock);
    free(found->memory);
    free(found);
}

/* ---- Work -------------------------------------------------------------------------------------------------------- */

void fake_upload(fake_stream *stream, void *to, const void *from, uint64_t bytes) {
    pthread_mutex_lock(&lock);
    work *w = add(stream, UPLOAD);
    w->to = to;
    w->from = from;
    w->count = bytes;
    if (!is_pinned(from)) {
        w->kept = malloc(bytes ? bytes : 1);
        memcpy(w->kept, from, bytes);
    }
    pthread_mutex_unlock(&lock);
}

void fake_download(fake_stream *stream, void *to, const void *from, uint64_t bytes) {
    pthread_mutex_lock(&lock);
    work *w = add(stream, DOWNLOAD);
    w->to = to;
    w->from = from;
    w->count = bytes;
    if (!is_pinned(to))
        fake_stream_finish(stream);
    pthread_mutex_unlock(&lock);
}

void fake_fill(fake_stream *stream, void *to, uint32_t word, uint64_t words) {
    pthread_mutex_lock(&lock);
    work *w = add(stream, FILL);
    w->to = to;
    w->word = word;
    w->count = words;
    pthread_mutex_unlock(&lock);
}

void fake_launch(fake_stream *stream, const char *text, const char *kernel, const void *const *arguments) {
    uint8_t sizes[FAKE_ARGUMENTS];
    uint32_t count = fake_arguments(text, kernel, sizes);
    pthread_mutex_lock(&lock);
    if (!count) {
        fake_stream_finish(stream);
        fake_run(text, kernel, arguments);
        pthread_mutex_unlock(&lock);
        return;
    }
    work *w = add(stream, LAUNCH);
    w->count = count;
    w->kept = calloc(count, 8);
    w->text = strdup(text);
    snprintf(w->name, sizeof w->name, "%s", kernel);
    for (uint32_t i = 0; i < count; i++)
        memcpy(w->kept + 8 * i, arguments[i], sizes[i]);
    pthread_mutex_unlock(&lock);
}
