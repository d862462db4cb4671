/* incore_facts.c - determines types, traits and parameters of a user's program on the device that will run it: a kernel
 * of one lane writes them. So a machine without a C compiler can still run programs on its devices. */
#include "engine/device/incore_facts.h"

#include "base/memory.h"
#include "base/word_list.h"
#include "engine/cpu/cpu_user.h"
#include "engine/device/kernels.h"
#include "schedule/interface.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_words[], hd_text_facts[];

enum { WORDS = HD_FACTS + HD_FACTS_ROOM };

static heddle_status understand(heddle_context *ctx, const char *path, const uint32_t *words, hd_device_facts *facts) {
    float dumb;
    bool real = words[HD_FACT_OUTPUT_REAL], wide = words[HD_FACT_OUTPUT_SIZE] == 8;
    memcpy(&dumb, &words[HD_FACT_DUMB_WEIGHT], sizeof dumb);
    if (words[HD_FACT_LENGTH] > HD_FACTS_ROOM)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0, "PARAMETERS is longer than %d characters", HD_FACTS_ROOM);
    if (words[HD_FACT_OUTPUT_SIZE] != 4 && !wide)
        return hd_fail_file(ctx, HEDDLE_E_PROGRAM, path, 0,
                            "define OUTPUT (u32, i32, u64, i64, f32 or f64) and OUTPUT output(VALUE value)");
    for (uint32_t i = 0; i < words[HD_FACT_LENGTH]; i++)
        facts->parameters[i] = (char)words[HD_FACTS + i];
    facts->program =
        (hd_cpu_program){.abi = HD_CPU_ABI,
                         .traits = (int)words[HD_FACT_TRAITS],
                         .weighted = (int)words[HD_FACT_WEIGHTED],
                         .has_output = (int)words[HD_FACT_HAS_OUTPUT],
                         .output_type = real                           ? (wide ? HEDDLE_VALUE_F64 : HEDDLE_VALUE_F32)
                                        : words[HD_FACT_OUTPUT_SIGNED] ? (wide ? HEDDLE_VALUE_I64 : HEDDLE_VALUE_I32)
                                        : wide                         ? HEDDLE_VALUE_U64
                                                                       : HEDDLE_VALUE_U32,
                         .value_size = words[HD_FACT_VALUE_SIZE],
                         .message_size = words[HD_FACT_MESSAGE_SIZE],
                         .unreached = (int)words[HD_FACT_UNREACHED],
                         .has_dumb_weight = (int)words[HD_FACT_HAS_DUMB_WEIGHT],
                         .dumb_weight = (double)dumb,
                         .parameters = facts->parameters};
    return HEDDLE_OK;
}

static heddle_status ask(hd_device *d, const hd_kernels *kernels, hd_buffer *buffer, uint32_t *words) {
    void *kernel;
    HD_TRY(hd_kernels_find(kernels, "hd_facts", &kernel));
    HD_TRY(d->allocate(d, WORDS * sizeof *words, "the program's facts", buffer));
    HD_TRY(HD_LAUNCH(kernels, kernel, "hd_facts", 1, HD_ARGUMENT_BUFFER(*buffer)));
    HD_TRY(d->download(d, words, buffer, 0, WORDS * sizeof *words));
    return d->finish(d);
}

heddle_status hd_device_facts_read(heddle_context *ctx, const char *device, const char *path, const char *text,
                                   bool in_double, uint64_t included, heddle_report *report, hd_device_facts *facts) {
    char line[HD_LINE_ROOM], room[96];
    /* The prelude's `real` is single; for programs in double only the sizes matter here. */
    const char *texts[] = {in_double ? "#define real f64\n" : "", hd_text_words, line, text, "\n", hd_text_facts, NULL};
    hd_kernels_text kernel_text = {.name = path, .texts = texts, .defines = room, .warps = 1};
    hd_kernels kernels = {.device = NULL};
    hd_buffer buffer = {.handle = 0};
    hd_device *d;
    uint32_t words[WORDS];
    heddle_status status;
    snprintf(room, sizeof room, "#define HD_ROOM %d\n#define HD_INCLUDED 0x%llx\n", HD_FACTS_ROOM,
             (unsigned long long)included);
    hd_line_of(path, line);
    HD_TRY(hd_device_keep(ctx, device, report, &d));
    status = hd_kernels_open(d, &kernel_text, report, &kernels);
    if (status == HEDDLE_E_PROGRAM)
        status = hd_program_explain_error(ctx, path, text);
    HD_CHECK(status);
    HD_CHECK(ask(d, &kernels, &buffer, words));
    HD_CHECK(understand(ctx, path, words, facts));
out:
    hd_kernels_close(&kernels);
    d->release(d, &buffer);
    return status;
}
