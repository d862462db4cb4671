/* ceilings.c - measures peak rates of a machine: bytes copied, random reads, and bytes sent to a device per second.
 *
 * Lower bounds of an algorithm's time follow from them: every byte of the graph moved once, or one random read per
 * edge. They are measured together with the algorithms, since data sheets and earlier runs do not give them reliably.
 */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/threads.h"
#include "device/bus.h"
#include "engine/device/incore.h"
#include "engine/device/kernels.h"

#include <string.h>

extern const char hd_text_kernels_ceilings[];

enum { REPEATS = 5 };
/* The CPU's table ends at 1 GiB: reads from a larger one are no slower, but filling it takes long. */
static const uint64_t copy_words = 1 << 28, gather_words = 1 << 26, cpu_words = 1 << 24, cpu_table = 1 << 28,
                      bus_bytes = 1 << 26;

/* ---- CPU -------------------------------------------------------------------------------------------------------- */

static heddle_status measure_cpu(heddle_context *ctx, uint32_t *from, uint32_t *to, uint32_t *table, uint64_t size,
                                 heddle_ceilings *found) {
    double best_copy = 1e30, best_gather = 1e30;
    uint32_t sum = 0;
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t i = 0; i < size; i++)
        table[i] = 1; /* untouched pages would all map to one zero page */
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t i = 0; i < cpu_words; i++)
        from[i] = (uint32_t)hd_below(hd_hash2(1, i), size), to[i] = 0;
    for (int round = 0; round < REPEATS; round++) {
        if (hd_cancelled(ctx))
            return hd_cancelled_status(ctx);
        double start = hd_clock(), middle;
        HD_PARALLEL_FOR(ctx, schedule(static))
        for (uint64_t i = 0; i < cpu_words; i++)
            to[i] = from[i];
        middle = hd_clock();
        HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : sum))
        for (uint64_t i = 0; i < cpu_words; i++)
            sum += table[from[i]];
        double end = hd_clock();
        best_copy = middle - start < best_copy ? middle - start : best_copy;
        best_gather = end - middle < best_gather ? end - middle : best_gather;
    }
    found->copy = (double)cpu_words * 8 / best_copy;
    found->gather = (double)cpu_words / best_gather + (sum == 1 ? 1e-9 : 0); /* the sum is used */
    return HEDDLE_OK;
}

static heddle_status ceilings_cpu(heddle_context *ctx, uint64_t size, heddle_ceilings *found) {
    uint32_t *from = NULL, *to = NULL, *table = NULL;
    heddle_status status;
    size = size < cpu_table ? size : cpu_table;
    HD_CHECK(HD_NEW(ctx, &from, cpu_words, "measuring"));
    HD_CHECK(HD_NEW(ctx, &to, cpu_words, "measuring"));
    HD_CHECK(HD_NEW(ctx, &table, size, "measuring"));
    HD_CHECK(measure_cpu(ctx, from, to, table, size, found));
out:
    HD_DELETE(&ctx->allocator, from, cpu_words);
    HD_DELETE(&ctx->allocator, to, cpu_words);
    HD_DELETE(&ctx->allocator, table, size);
    return status;
}

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

enum { COPY, PLACES, GATHER, KERNELS };
enum { FROM, TO, TABLE, SUMS, BUFFERS };

typedef struct measure {
    hd_device *device;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_buffer buffer[BUFFERS];
    uint64_t copied, gathered;
    uint32_t size, groups;
} measure;

static heddle_status prepare(measure *m) {
    static const char *const names[KERNELS] = {"ceiling_copy", "ceiling_places", "ceiling_gather"};
    hd_kernels_text text = {.name = "ceilings", .texts = (const char *const[]){hd_text_kernels_ceilings, NULL}};
    heddle_report report = {0};
    HD_TRY(hd_kernels_open(m->device, &text, &report, &m->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&m->kernels, names[i], &m->kernel[i]));
    m->groups = hd_kernels_groups(&m->kernels, m->copied);
    uint64_t bytes[BUFFERS] = {m->copied * 4, m->copied * 4, (uint64_t)m->size * 4,
                               (uint64_t)m->groups * m->kernels.lanes * 4};
    for (int i = 0; i < BUFFERS; i++) {
        HD_TRY(m->device->allocate(m->device, bytes[i], "measuring", &m->buffer[i]));
        HD_TRY(m->device->fill(m->device, &m->buffer[i], 0, 1, bytes[i] / 4 * 4));
    }
    HD_TRY(HD_LAUNCH(&m->kernels, m->kernel[PLACES], names[PLACES], m->groups, HD_ARGUMENT_VALUE(m->gathered),
                     HD_ARGUMENT_VALUE(m->size), HD_ARGUMENT_BUFFER(m->buffer[FROM])));
    return m->device->finish(m->device);
}

static heddle_status time_one(measure *m, int which, double *best) {
    uint64_t longs = m->copied / 2;
    for (int round = 0; round <= REPEATS; round++) {
        if (hd_cancelled(m->device->ctx))
            return hd_cancelled_status(m->device->ctx);
        double start = hd_clock();
        HD_TRY(which == COPY
                   ? HD_LAUNCH(&m->kernels, m->kernel[COPY], "ceiling_copy", m->groups, HD_ARGUMENT_VALUE(longs),
                               HD_ARGUMENT_BUFFER(m->buffer[FROM]), HD_ARGUMENT_BUFFER(m->buffer[TO]))
                   : HD_LAUNCH(&m->kernels, m->kernel[GATHER], "ceiling_gather", m->groups,
                               HD_ARGUMENT_VALUE(m->gathered), HD_ARGUMENT_BUFFER(m->buffer[FROM]),
                               HD_ARGUMENT_BUFFER(m->buffer[TABLE]), HD_ARGUMENT_BUFFER(m->buffer[SUMS])));
        HD_TRY(m->device->finish(m->device));
        double took = hd_clock() - start;
        *best = round == 0 || took < *best ? took : *best;
    }
    return HEDDLE_OK;
}

static heddle_status ceilings_device(heddle_context *ctx, const char *name, uint64_t size, heddle_ceilings *found) {
    measure m = {.size = (uint32_t)size};
    double copy = 0, gather = 0;
    heddle_status status;
    HD_CHECK(hd_device_keep(ctx, name, NULL, &m.device));
    bool real = m.device->info.accelerator; /* an OpenCL device that is the CPU gets smaller arrays */
    m.copied = real ? copy_words : copy_words / 16;
    m.gathered = real ? gather_words : gather_words / 16;
    HD_CHECK(prepare(&m));
    HD_CHECK(time_one(&m, COPY, &copy));
    HD_CHECK(time_one(&m, GATHER, &gather));
    uint64_t sent = real ? bus_bytes : bus_bytes / 16;
    HD_CHECK(hd_bus_measure(m.device, &m.buffer[TO], sent, &found->bus));
    found->copy = (double)m.copied * 8 / copy;
    found->gather = (double)m.gathered / gather;
out:
    for (int i = 0; m.device && i < BUFFERS; i++)
        m.device->release(m.device, &m.buffer[i]);
    hd_kernels_close(&m.kernels);
    return status;
}

heddle_status heddle_device_ceilings(heddle_context *ctx, const char *device, uint64_t table_bytes,
                                     heddle_ceilings *ceilings) {
    uint64_t size = table_bytes / 4 ? table_bytes / 4 : 1;
    heddle_ceilings found = {.copy = 0};
    HD_ENTER(ctx);
    HD_NEEDS(ctx, device);
    HD_NEEDS_ROOM(ctx, ceilings);
    if (!hd_device_kind_of(device) && !hd_device_is_cpu(device))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "device '%.60s': expected cpu, or a device by name as cuda:0", device);
    hd_threads_settle(ctx, UINT64_MAX);
    size = size > UINT32_MAX ? UINT32_MAX : size;
    HD_TRY(hd_device_kind_of(device) ? ceilings_device(ctx, device, size, &found) : ceilings_cpu(ctx, size, &found));
    HD_GIVE(ceilings, &found);
    return HEDDLE_OK;
}
