/* device_start.c - see device_start.h. */
#include "engine/device/device_start.h"

#include "base/memory.h"
#include "device/stage.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct hd_start {
    pthread_t thread;
    heddle_context own;
    char name[24]; /* "": chosen by the thread */
    hd_choose_facts facts;
    uint64_t bytes;
    heddle_status status;
    hd_device *device;
    atomic_int over;
};

/* Pins the blocks for the upload in the background. If that fails, it is tried again later. */
static void pin_blocks(hd_start *s) {
    void *block = s;
    for (uint64_t bytes = 0; block && bytes < s->bytes && bytes < (uint64_t)HD_STAGES * HD_STAGE_BYTES;
         bytes += HD_STAGE_BYTES)
        if (hd_stage_next(s->device, &block) != HEDDLE_OK)
            return;
}

static void choose(hd_start *s) {
    hd_choose choice;
    hd_choose_device(&s->own, &s->facts, &choice);
    if (!hd_device_is_cpu(choice.device))
        hd_device_full_name(choice.device, s->name, sizeof s->name);
}

/* A driver's compiler may replace the thread's signal stack and not restore it (LLVM does, with PoCL). Sanitizers,
 * which set one per thread, must find theirs at the thread's end. */
static void *work(void *self) {
    hd_start *s = self;
    stack_t before;
    bool known = sigaltstack(NULL, &before) == 0;
    if (!s->name[0])
        choose(s);
    if (s->name[0])
        s->status = hd_device_open(&s->own, s->name, &s->device);
    if (s->device)
        pin_blocks(s);
    if (known)
        sigaltstack(&before, NULL);
    atomic_store(&s->over, 1);
    return NULL;
}

bool hd_start_going(const hd_start *s) { return !atomic_load(&s->over); }

hd_start *hd_start_begin(heddle_context *ctx, const char *name, const hd_choose_facts *facts, uint64_t bytes) {
    hd_start *s = hd_zalloc(&ctx->allocator, sizeof *s);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t all, before;
    if (!s)
        return NULL;
    s->own.allocator = ctx->allocator;
    s->own.most_threads = ctx->most_threads; /* for the estimates; nothing runs in parallel here */
    s->bytes = bytes;
    if (name)
        hd_device_full_name(name, s->name, sizeof s->name);
    if (facts) {
        s->facts = *facts;
        s->facts.resident = NULL;
    }
    sigfillset(&all); /* signals go to the caller, except those that this thread itself raises */
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    bool masked = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    int failed = pthread_create(&s->thread, NULL, work, s);
    if (masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        hd_free(&ctx->allocator, s, sizeof *s);
        return NULL;
    }
    return s;
}

heddle_status hd_start_end(heddle_context *ctx, hd_start *s, char name[24], hd_device **device) {
    pthread_join(s->thread, NULL);
    heddle_status status = s->status;
    memcpy(name, s->name, sizeof s->name);
    *device = s->device;
    if (s->device)
        s->device->ctx = ctx;
    if (status != HEDDLE_OK)
        ctx->error = s->own.error;
    hd_free(&ctx->allocator, s, sizeof *s);
    return status;
}
