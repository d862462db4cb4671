/* device_laws.c - see device_laws.h. */
#include "engine/device/device_laws.h"

#include "base/float_bits.h"
#include "base/memory.h"
#include "base/word_list.h"
#include "engine/device/kernels.h"
#include "engine/device/laws_state.h"

#include <stdio.h>

extern const char hd_text_words[], hd_text_laws[];

enum { TRIALS = 256, /* as in program/laws.h */ WORDS = HD_LAW_NUMBERS + TRIALS * HD_LAW_SAMPLES * HD_LAW_WORDS };

_Static_assert((int)HD_PARAMETERS == (int)HD_LAW_VERTICES, "parameters come first");

typedef struct sampler {
    const hd_cpu_setup *setup;
    const heddle_adjacency *rows;
    uint64_t vertices, state;
    heddle_weight_type weight_type;
    uint64_t *sources; /* a bit per vertex */
} sampler;

static void put_vertex(const sampler *s, uint64_t v, uint64_t *words) {
    uint64_t degree = s->rows->offsets[v + 1] - s->rows->offsets[v];
    const unsigned char *fixed = s->setup->fixed;
    words[HD_LAW_VERTEX] = s->setup->names ? s->setup->names[v] : v;
    words[HD_LAW_IN] = words[HD_LAW_OUT] = degree;
    words[HD_LAW_FLAGS] = (s->sources[v / 64] >> v % 64 & 1) | (fixed && fixed[v] ? 2 : 0);
    words[HD_LAW_INITIAL] = hd_bits_of_double(s->setup->initial ? s->setup->initial[v] : 0);
}

/* An edge by chance, with its source. */
static void put_edge(sampler *s, uint64_t *words) {
    const uint64_t *offsets = s->rows->offsets;
    s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t e = (s->state >> 24) % offsets[s->vertices], low = 0, high = s->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(offsets[middle] <= e ? &low : &high) = middle;
    }
    put_vertex(s, low, words);
    words[HD_LAW_WEIGHT] = hd_bits_of_double(hd_weight_at(s->rows->weights, s->weight_type, e));
    words[HD_LAW_TARGET] = s->rows->targets[e];
}

static void fill(sampler *s, uint64_t *words) {
    for (int i = 0; i < HD_PARAMETERS; i++)
        words[i] = hd_bits_of_double(s->setup->parameter[i]);
    words[HD_LAW_VERTICES] = s->setup->own_vertices ? s->setup->own_vertices : s->vertices;
    words[HD_LAW_SEED] = s->setup->seed;
    for (uint64_t i = 0; i < TRIALS * HD_LAW_SAMPLES; i++) {
        uint64_t *sample = words + HD_LAW_NUMBERS + i * HD_LAW_WORDS;
        if (i % HD_LAW_SAMPLES < HD_LAW_EDGES)
            put_edge(s, sample);
        else
            put_vertex(s, (s->state >> 20) % s->vertices, sample);
    }
}

static heddle_status take_samples(heddle_context *ctx, sampler *s, uint64_t *words) {
    uint64_t count = s->vertices / 64 + 1;
    HD_TRY(HD_NEW_ZERO(ctx, &s->sources, count, "sources"));
    for (uint64_t i = 0; i < s->setup->source_count; i++)
        s->sources[s->setup->sources[i] / 64] |= UINT64_C(1) << s->setup->sources[i] % 64;
    fill(s, words);
    HD_DELETE(&ctx->allocator, s->sources, count);
    return HEDDLE_OK;
}

/* Compiles and runs the kernel. */
static heddle_status ask(hd_device *d, const hd_incore_program *program, const uint64_t *words, heddle_report *report,
                         uint32_t *broken) {
    char line[HD_LINE_ROOM], included[64];
    const char *texts[] = {
        program->in_double ? "#define real f64\n" : "", hd_text_words, line, program->text, "\n", hd_text_laws, NULL};
    hd_kernels_text text = {.name = program->name, .texts = texts, .defines = included, .warps = 1};
    hd_kernels kernels = {.device = NULL};
    hd_buffer numbers = {.handle = 0}, found = {.handle = 0};
    heddle_status status;
    snprintf(included, sizeof included, "#define HD_INCLUDED 0x%llx\n", (unsigned long long)program->included);
    hd_line_of(program->name, line);
    HD_CHECK(hd_kernels_open(d, &text, report, &kernels));
    HD_CHECK(d->allocate(d, WORDS * sizeof *words, "samples of messages", &numbers));
    HD_CHECK(d->allocate(d, sizeof *broken, "the law that is broken", &found));
    HD_CHECK(d->upload(d, &numbers, 0, words, WORDS * sizeof *words));
    HD_CHECK(HD_START(&kernels, "hd_laws", 1, HD_ARGUMENT_BUFFER(numbers), HD_ARGUMENT_BUFFER(found)));
    HD_CHECK(d->download(d, broken, &found, 0, sizeof *broken));
    status = d->finish(d);
out:
    hd_kernels_close(&kernels);
    d->release(d, &numbers);
    d->release(d, &found);
    return status;
}

heddle_status hd_device_laws(hd_device *device, const hd_incore_program *program, const hd_cpu_program *compiled,
                             const hd_cpu_setup *setup, uint64_t vertices, const heddle_adjacency *rows,
                             heddle_weight_type weight_type, heddle_report *report) {
    heddle_context *ctx = device->ctx;
    if (compiled->laws)
        return hd_cpu_laws_of_rows(ctx, compiled, setup, vertices, rows, weight_type);
    if (compiled->traits & HD_PROMISES)
        hd_note(ctx, "what the program promises is not tested: there is no C compiler");
    if (vertices == 0 || rows->offsets[vertices] == 0)
        return HEDDLE_OK;
    if (!device->info.doubles) {
        hd_note(ctx,
                "the laws of reduce are not tested: there is no C compiler, and the device has no double precision");
        return HEDDLE_OK;
    }
    sampler s = {.setup = setup, .rows = rows, .vertices = vertices, .state = 1, .weight_type = weight_type};
    uint32_t broken = 0;
    uint64_t *words;
    HD_TRY(HD_NEW_ZERO(ctx, &words, WORDS, "samples of messages"));
    heddle_status status = take_samples(ctx, &s, words);
    if (status == HEDDLE_OK)
        status = ask(device, program, words, report, &broken);
    HD_DELETE(&ctx->allocator, words, WORDS);
    return status == HEDDLE_OK ? hd_cpu_law(ctx, (int)broken) : status;
}
