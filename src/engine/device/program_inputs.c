/* program_inputs.c - see program_inputs.h. */
#include "engine/device/program_inputs.h"

#include "base/float_bits.h"
#include "base/memory.h"

#include <stdio.h>

extern const char hd_text_words[], hd_text_program_inputs[];

_Static_assert((int)HD_PARAMETERS == (int)HD_INPUT_VERTICES, "parameters come first");

void hd_program_inputs_texts(hd_program_inputs *in, const hd_incore_program *program, const hd_cpu_setup *setup,
                             const char **texts) {
    const char *const all[HD_PROGRAM_TEXTS] = {hd_text_words, in->line, program->text, "\n", hd_text_program_inputs};
    for (int i = 0; i < HD_PROGRAM_TEXTS; i++)
        texts[i] = all[i];
    hd_line_of(program->name, in->line);
    snprintf(in->defines, sizeof in->defines, "#define HD_NO_IN_DEGREE\n%s%s%s",
             program->in_double ? "#define real f64\n" : "", setup->initial ? "#define HD_HAS_INITIAL\n" : "",
             setup->fixed ? "#define HD_HAS_FIXED\n" : "");
}

static heddle_status allocate(hd_program_inputs *in, uint64_t bytes, hd_buffer *buffer) {
    in->bytes += bytes + 16;
    return in->device->allocate(in->device, bytes + 16, "inputs of the program", buffer);
}

static heddle_status upload_sources(hd_program_inputs *in, const hd_cpu_setup *setup, uint64_t vertices) {
    heddle_context *ctx = in->device->ctx;
    uint64_t words = vertices / 32 + 1;
    uint32_t *bits;
    HD_TRY(HD_NEW_ZERO(ctx, &bits, words, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++)
        bits[setup->sources[i] / 32] |= UINT32_C(1) << setup->sources[i] % 32;
    heddle_status status = in->device->upload(in->device, &in->sources, 0, bits, words * sizeof *bits);
    if (status == HEDDLE_OK)
        status = in->device->finish(in->device);
    HD_DELETE(&ctx->allocator, bits, words);
    return status;
}

heddle_status hd_program_inputs_open(hd_program_inputs *in, hd_device *d, const hd_cpu_setup *setup,
                                     uint64_t vertices) {
    uint64_t numbers[HD_INPUT_NUMBERS] = {
        [HD_INPUT_VERTICES] = setup->own_vertices ? setup->own_vertices : vertices, [HD_INPUT_SEED] = setup->seed};
    for (int i = 0; i < HD_PARAMETERS; i++)
        numbers[i] = hd_bits_of_double(setup->parameter[i]);
    in->device = d;
    HD_TRY(allocate(in, sizeof numbers, &in->numbers));
    HD_TRY(allocate(in, (vertices / 32 + 1) * 4, &in->sources));
    HD_TRY(allocate(in, setup->initial ? vertices * sizeof *setup->initial : 0, &in->initial));
    HD_TRY(allocate(in, setup->fixed ? vertices : 0, &in->fixed));
    HD_TRY(d->upload(d, &in->numbers, 0, numbers, sizeof numbers));
    HD_TRY(upload_sources(in, setup, vertices));
    if (setup->initial)
        HD_TRY(d->upload(d, &in->initial, 0, setup->initial, vertices * sizeof *setup->initial));
    if (setup->fixed)
        HD_TRY(d->upload(d, &in->fixed, 0, setup->fixed, vertices));
    return d->finish(d);
}

void hd_program_inputs_close(hd_program_inputs *in) {
    if (!in->device)
        return;
    in->device->release(in->device, &in->numbers);
    in->device->release(in->device, &in->sources);
    in->device->release(in->device, &in->initial);
    in->device->release(in->device, &in->fixed);
    in->device = NULL;
}
