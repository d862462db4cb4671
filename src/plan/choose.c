/* choose.c - see choose.h. */
#include "plan/choose.h"

#include "device/drivers.h"

#include <stdio.h>
#include <string.h>

/* Measured on a host of 16 cores with an H200. Rates: bytes of rows per second, uploaded from memory, and from a mapped
 * file that is read and checked on the way. */
static const double start_seconds = 0.25; /* to start a driver, including kernels and buffers */
static const double memory_rate = 40e9, file_rate = 9e9;
static const double worth_a_look = 0.5; /* seconds: for shorter CPU runs no GPU is looked for */
static const double well_ahead = 1.25;  /* the estimates are rough: a GPU must be faster by this factor */
static const double lone_edge_bytes = 4, offset_bytes = 4;
/* A graph larger than the memory of the GPU: bytes beside the edges for each vertex; bytes of host memory that are
 * pinned and filled in a second; how many times longer a run takes if all edges are there (measured: at most 8.6). */
static const double vertex_bytes = 32, pinning_rate = 1.5e9, away_slowdown = 10;
static const double spare_room = 1.5; /* a graph of 1/1.5 of the memory leaves room for the buffers of all algorithms */

static double row_bytes(const hd_choose_facts *facts) {
    double each = lone_edge_bytes * (facts->weighted ? 2 : 1);
    return (double)facts->edges * each + (double)facts->vertices * offset_bytes;
}

/* In-edges of a directed graph are built on the device. */
double hd_choose_gpu_seconds(const hd_choose_facts *facts) {
    double rate = facts->in_file ? file_rate : memory_rate, edges = (double)facts->edges * facts->runs;
    return start_seconds + row_bytes(facts) / rate + facts->cost.gpu * 1e-9 * edges;
}

static double all_rows(const hd_choose_facts *facts) { return row_bytes(facts) * (facts->directed ? 2 : 1); }

double hd_choose_mixed_seconds(const hd_choose_facts *facts, uint64_t memory, double *share) {
    double rows = all_rows(facts), room = (double)memory - vertex_bytes * (double)facts->vertices;
    *share = 0;
    if (spare_room * rows > (double)memory)
        *share = rows > 0 && room < rows ? 1 - (room > 0 ? room / rows : 0) : 0;
    return hd_choose_gpu_seconds(facts) + *share * rows / pinning_rate +
           *share * (away_slowdown - 1) * facts->cost.gpu * 1e-9 * (double)facts->edges * facts->runs;
}

double hd_choose_cpu_seconds(const hd_choose_facts *facts, int threads) {
    return facts->cost.thread * 1e-9 * (double)facts->edges * facts->runs / threads;
}

/* The first real GPU with room for the graph; otherwise, the first that has room for values and reads edges in host
 * memory. *memory is that of the GPU; *any: there are GPUs. */
static bool find_gpu(heddle_context *ctx, const hd_choose_facts *facts, char *name, size_t size, uint64_t *memory,
                     bool *any) {
    const hd_device_kind *kind;
    hd_device_info info;
    char missing[192];
    *memory = 0;
    *any = false;
    for (size_t k = 0; (kind = hd_device_kind_at(k)); k++) {
        uint32_t count = hd_device_may_accelerate(kind) ? hd_drivers_discover(kind, missing, sizeof missing) : 0;
        for (uint32_t i = 0; i < count; i++) {
            memset(&info, 0, sizeof info);
            if (hd_drivers_describe(ctx, kind, i, &info) != HEDDLE_OK || !info.accelerator)
                continue;
            *any = true;
            bool fits = spare_room * all_rows(facts) <= (double)info.memory;
            bool mixes = kind->maps_host && vertex_bytes * (double)facts->vertices <= (double)info.memory;
            if (!fits && (!mixes || *memory))
                continue;
            *memory = info.memory;
            snprintf(name, size, "%.12s:%u", kind->name, i);
            if (fits)
                return true;
        }
    }
    return *memory != 0;
}

void hd_choose_device(heddle_context *ctx, const hd_choose_facts *facts, hd_choose *choice) {
    uint64_t memory;
    double share;
    bool any;
    char away[40] = "";
    *choice = (hd_choose){.device = "cpu", .cpu = hd_choose_cpu_seconds(facts, ctx->most_threads)};
    if (facts->cost.gpu <= 0) {
        snprintf(choice->reason, sizeof choice->reason, "it runs on the cpu alone");
        return;
    }
    if (facts->resident) {
        snprintf(choice->device, sizeof choice->device, "%s", facts->resident);
        snprintf(choice->reason, sizeof choice->reason, "the graph is on %s already", facts->resident);
        return;
    }
    if (choice->cpu < worth_a_look) {
        snprintf(choice->reason, sizeof choice->reason, "about %.2g s on %d threads; starting a GPU alone takes %.2g s",
                 choice->cpu, ctx->most_threads, start_seconds);
        return;
    }
    if (!find_gpu(ctx, facts, choice->device, sizeof choice->device, &memory, &any)) {
        hd_enter(ctx); /* clears the error: a missing driver is no error here */
        snprintf(choice->reason, sizeof choice->reason,
                 any ? "no GPU has room for this graph" : "no GPU was found ('heddle devices' says what is missing)");
        return;
    }
    choice->gpu = hd_choose_mixed_seconds(facts, memory, &share);
    if (share > 0)
        snprintf(away, sizeof away, ", %.0f %% of the edges in host memory", 100 * share);
    bool pays = choice->gpu * well_ahead < choice->cpu;
    snprintf(choice->reason, sizeof choice->reason,
             "about %.2g s on %s, including its start and the upload from %s%s, against %.2g s on %d threads",
             choice->gpu, choice->device, facts->in_file ? "the file" : "memory", away, choice->cpu, ctx->most_threads);
    if (!pays)
        snprintf(choice->device, sizeof choice->device, "cpu");
}
