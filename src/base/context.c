/* context.c - life of a context, its error record, progress and cancellation. */
#include "base/context.h"

#include "base/argument.h"
#include "base/limit.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const double report_interval = 0.1; /* seconds between two calls of the progress callback */

const char *heddle_status_name(heddle_status status) {
    switch (status) {
#define NAME(name, value, text, exit_status) \
    case HEDDLE_##name: return "HEDDLE_" #name;
        HEDDLE_STATUS_MAP(NAME)
#undef NAME
    }
    return "HEDDLE_UNKNOWN";
}

const char *heddle_status_text(heddle_status status) {
    switch (status) {
#define TEXT(name, value, text, exit_status) \
    case HEDDLE_##name: return text;
        HEDDLE_STATUS_MAP(TEXT)
#undef TEXT
    }
    return "unknown status";
}

int heddle_status_exit(heddle_status status) {
    switch (status) {
#define EXIT(name, value, text, exit_status) \
    case HEDDLE_##name: return exit_status;
        HEDDLE_STATUS_MAP(EXIT)
#undef EXIT
    }
    return 1;
}

void heddle_context_options_init_sized(heddle_context_options *options, size_t size) {
    heddle_context_options defaults = {.size = sizeof defaults};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

/* Random; the clock and an address where the system has no random numbers yet. */
static hd_hash_key make_hash_key(const heddle_context *ctx) {
    hd_hash_key key;
    /* never: where tests run, the system has booted */
    if (getrandom(&key, sizeof key, GRND_NONBLOCK) != (ssize_t)sizeof key) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        key.pad = hd_hash2((uint64_t)(uintptr_t)ctx, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
        key.factor = hd_hash2(key.pad, (uint64_t)(uintptr_t)&key);
    }
    key.factor |= 1;
    return key;
}

heddle_status heddle_context_create(const heddle_context_options *given, heddle_context **context) {
    heddle_context_options options;
    if (!context)
        return HEDDLE_E_ARGUMENT;
    *context = NULL;
    heddle_context_options_init(&options);
    if (!hd_copy_options(given, &options, sizeof options) || options.threads < 0 || options.threads > HD_MOST_THREADS ||
        !options.allocator.allocate != !options.allocator.release)
        return HEDDLE_E_ARGUMENT;
    heddle_allocator allocator = options.allocator.allocate ? options.allocator : hd_default_allocator();
    heddle_context *ctx = hd_zalloc(&allocator, sizeof *ctx);
    if (!ctx)
        return HEDDLE_E_MEMORY;
    ctx->allocator = allocator;
    ctx->error.size = sizeof ctx->error;
    ctx->progress = options.progress;
    ctx->progress_user = options.progress_user;
    ctx->note = options.note;
    ctx->note_user = options.note_user;
    ctx->hash_key = make_hash_key(ctx);
    hd_threads_init(ctx, options.threads);
    *context = ctx;
    return HEDDLE_OK;
}

void hd_context_share(const heddle_context *ctx, uint32_t shares, heddle_context *part) {
    int threads = ctx->threads / (int)shares ? ctx->threads / (int)shares : 1;
    part->allocator = ctx->allocator;
    part->limit = ctx->limit;
    part->error.size = sizeof part->error;
    part->hash_key = ctx->hash_key;
    part->keep_source = ctx->keep_source;
    part->threads = part->most_threads = threads;
    part->exact_threads = true;
    part->above = ctx;
    part->calls = 1; /* inside that of `ctx` */
}

void hd_context_release(heddle_context *part) {
    if (part->release_resident)
        part->release_resident(part);
    if (part->release_derived)
        part->release_derived(part);
    HD_DELETE(&part->allocator, part->rounds.list, HD_ROUNDS_MOST);
}

void heddle_context_destroy(heddle_context **context) {
    if (!context || !*context)
        return;
    if ((*context)->release_programs)
        (*context)->release_programs(*context);
    if ((*context)->release_slice)
        (*context)->release_slice(*context);
    if ((*context)->release_link)
        (*context)->release_link(*context);
    heddle_allocator allocator = (*context)->allocator;
    hd_context_release(*context);
    hd_free(&allocator, *context, sizeof **context);
    *context = NULL;
}

static uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }

const heddle_error *heddle_context_error(const heddle_context *context) {
    static const heddle_error none = {.size = sizeof none, .status = HEDDLE_E_ARGUMENT, .message = "context is NULL"};
    static const heddle_error busy = {.size = sizeof busy,
                                      .status = HEDDLE_E_REFUSED,
                                      .message = "another thread is in a call with this context: a context serves one "
                                                 "thread at a time; each thread needs a context of its own"};
    if (!context)
        return &none;
    return atomic_load(&context->refused) == this_thread() ? &busy : &context->error;
}

void heddle_context_cancel(heddle_context *context) {
    if (context)
        atomic_store(&context->cancelled, 1);
}

void heddle_context_reset(heddle_context *context) {
    if (context)
        atomic_store(&context->cancelled, 0);
}

int heddle_context_threads(const heddle_context *context) { return context ? context->most_threads : 0; }

void hd_enter(heddle_context *ctx) {
    ctx->error.status = HEDDLE_OK;
    ctx->error.message[0] = ctx->error.file[0] = ctx->error.token[0] = ctx->error.expected[0] = '\0';
    ctx->error.line = ctx->error.column = 0;
}

/* Contexts of parts belong to threads that the library started. */
static bool take_context(heddle_context *ctx) {
    uintptr_t unused = 0, self = this_thread();
    return ctx->above || atomic_load(&ctx->caller) == self ||
           atomic_compare_exchange_strong(&ctx->caller, &unused, self);
}

heddle_context *hd_call_begin(heddle_context *ctx) {
    if (!take_context(ctx)) {
        atomic_store(&ctx->refused, this_thread());
        return NULL;
    }
    if (atomic_load(&ctx->refused) == this_thread())
        atomic_store(&ctx->refused, 0);
    hd_enter(ctx);
    if (ctx->calls++ == 0)
        atomic_store(&ctx->cancelled, 0);
    return ctx;
}

void hd_call_end(heddle_context **ctx) {
    if (*ctx && --(*ctx)->calls == 0)
        atomic_store(&(*ctx)->caller, 0);
}

/* Keeps the end of a path that is too long, because the file name is there. */
static void copy_file_name(heddle_error *error, const char *file) {
    size_t length = strlen(file), room = sizeof error->file - 1;
    snprintf(error->file, sizeof error->file, "%s", length > room ? file + (length - room) : file);
}

heddle_status hd_fail(heddle_context *ctx, heddle_status status, const char *format, ...) {
    va_list arguments;
    hd_enter(ctx);
    ctx->error.status = status;
    va_start(arguments, format);
    vsnprintf(ctx->error.message, sizeof ctx->error.message, format, arguments);
    va_end(arguments);
    return status;
}

heddle_status hd_fail_file(heddle_context *ctx, heddle_status status, const char *file, int errnum, const char *format,
                           ...) {
    heddle_error *error = &ctx->error;
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    hd_enter(ctx);
    error->status = status;
    copy_file_name(error, file);
    char system[128] = "";
    if (errnum && strerror_r(errnum, system, sizeof system) != 0)
        snprintf(system, sizeof system, "system error %d", errnum);
    snprintf(error->message, sizeof error->message, "%s: %s%s%s", error->file, words, errnum ? ": " : "", system);
    return status;
}

static void copy_token(heddle_error *error, const char *token, size_t length) {
    char *out = error->token, *end = error->token + sizeof error->token - 4;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)token[i];
        bool c1 = c == 0xc2 && i + 1 < length && (token[i + 1] & 0xe0) == 0x80; /* control characters in UTF-8 */
        if (c1)
            c = (unsigned char)token[++i];
        if (out + 4 > end) {
            memcpy(out, "...", 4);
            return;
        }
        if (c >= 0x20 && c != 0x7f && !c1)
            *out++ = (char)c;
        else
            out += snprintf(out, 5, "\\x%02x", c);
    }
    *out = '\0';
}

heddle_status hd_fail_token(heddle_context *ctx, const char *file, uint64_t line, uint64_t column, const char *token,
                            size_t token_length, const char *expected) {
    heddle_error *error = &ctx->error;
    hd_enter(ctx);
    error->status = HEDDLE_E_FORMAT;
    copy_file_name(error, file);
    copy_token(error, token, token_length);
    error->line = line;
    error->column = column;
    snprintf(error->expected, sizeof error->expected, "%s", expected);
    bool end = strcmp(error->token, "end of line") == 0 || strcmp(error->token, "end of file") == 0; /* no token */
    const char *quote = end ? "" : "'";
    snprintf(error->message, sizeof error->message, "%s:%llu:%llu: found %s%s%s, expected %s", error->file,
             (unsigned long long)line, (unsigned long long)column, quote, error->token, quote, error->expected);
    return HEDDLE_E_FORMAT;
}

heddle_status hd_fail_memory(heddle_context *ctx, size_t bytes, const char *what) {
    const hd_limit *limit = ctx->limit;
    if (!limit || !limit->refused)
        return hd_fail(ctx, HEDDLE_E_MEMORY, "out of memory: %zu bytes wanted for %s", bytes, what);
    char hint[512] = "";
    if (limit->subject && !limit->spill)
        snprintf(hint, sizeof hint,
                 "; heddle convert %.300s OUT.hdl --memory-limit %llu works on disk, for runs on OUT.hdl",
                 limit->subject, (unsigned long long)limit->most);
    return hd_fail(ctx, HEDDLE_E_MEMORY, "%s%sthe memory limit of %s does not suffice: %s more were wanted for %s%s",
                   limit->subject ? limit->subject : "", limit->subject ? ": " : "", hd_size_of(limit->most).text,
                   hd_size_of(limit->refused).text, what, hint);
}

heddle_status hd_fail_memory_in(heddle_context *ctx, const char *file, const char *library) {
    const hd_limit *limit = ctx->limit;
    if (limit && limit->refused)
        return hd_fail(ctx, HEDDLE_E_MEMORY,
                       "%s: the memory limit of %s does not suffice: %s wanted %s more; a file that is not compressed "
                       "takes less",
                       file, hd_size_of(limit->most).text, library, hd_size_of(limit->refused).text);
    return hd_fail(ctx, HEDDLE_E_MEMORY, "%s: out of memory in %s", file, library);
}

void hd_note(heddle_context *ctx, const char *format, ...) {
    if (!ctx->note)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ctx->note(ctx->note_user, text);
}

double hd_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void report(heddle_context *ctx) {
    if (!ctx->progress || !ctx->phase)
        return;
    heddle_progress progress = {ctx->phase, atomic_load_explicit(&ctx->done, memory_order_relaxed), ctx->total};
    if (progress.total && progress.done > progress.total)
        progress.done = progress.total;
    ctx->reported = hd_clock();
    if (ctx->callbacks)
        atomic_fetch_add(ctx->callbacks, 1);
    int cancels = ctx->progress(ctx->progress_user, &progress);
    if (ctx->callbacks)
        atomic_fetch_sub(ctx->callbacks, 1);
    if (cancels)
        atomic_store(&ctx->cancelled, 1);
}

void hd_phase_begin(heddle_context *ctx, const char *phase, uint64_t total) {
    if (ctx->phase && ctx->phases_outside++ < HD_PHASES_MOST)
        ctx->outer[ctx->phases_outside - 1] =
            (hd_phase){ctx->phase, ctx->total, atomic_load_explicit(&ctx->done, memory_order_relaxed)};
    ctx->phase = phase;
    ctx->total = total;
    atomic_store_explicit(&ctx->done, 0, memory_order_relaxed);
    report(ctx);
}

void hd_phase_total(heddle_context *ctx, uint64_t total) {
    ctx->total = total;
    atomic_store_explicit(&ctx->done, 0, memory_order_relaxed);
}

void hd_phase_end(heddle_context *ctx) {
    if (ctx->total)
        atomic_store_explicit(&ctx->done, ctx->total, memory_order_relaxed);
    report(ctx);
    hd_phase outer = {.name = NULL};
    if (ctx->phases_outside && --ctx->phases_outside < HD_PHASES_MOST)
        outer = ctx->outer[ctx->phases_outside];
    ctx->phase = outer.name;
    ctx->total = outer.total;
    atomic_store_explicit(&ctx->done, outer.done, memory_order_relaxed);
}

void hd_phases_clear(heddle_context *ctx) {
    ctx->phase = NULL;
    ctx->phases_outside = 0;
}

bool hd_advance(heddle_context *ctx, uint64_t amount) {
    if (amount)
        atomic_fetch_add_explicit(&ctx->done, amount, memory_order_relaxed);
    if (ctx->progress && hd_thread() == 0 && hd_clock() - ctx->reported >= report_interval)
        report(ctx);
    return hd_cancelled(ctx);
}

bool hd_cancelled(const heddle_context *ctx) {
    if (ctx->above && hd_cancelled(ctx->above))
        return true;
    return atomic_load_explicit(&ctx->cancelled, memory_order_relaxed) != 0;
}

heddle_status hd_cancelled_status(heddle_context *ctx) {
    return hd_cancelled(ctx) ? hd_fail(ctx, HEDDLE_E_CANCELLED, "cancelled") : HEDDLE_OK;
}
