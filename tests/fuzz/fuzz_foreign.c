/* fuzz_foreign.c - finding the format of any bytes: sniffing, and recognising what is not read. */
#include "fuzz.h"

#include "io/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    heddle_context *ctx = fuzz_context();
    hd_input input;
    if (size && hd_input_copy(ctx, "fuzz.graph", data, size, &input) == HEDDLE_OK) {
        static const hd_format *const formats[] = {&hd_format_edge_list, &hd_format_graphml,   &hd_format_gml,
                                                   &hd_format_pajek,     &hd_format_adjacency, &hd_format_json};
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
            formats[i]->sniff(input.data, input.bytes);
        hd_format_edge_list.doubt(ctx, &input);
        if (hd_foreign_refuse(ctx, &input) != HEDDLE_OK && !heddle_context_error(ctx)->message[0])
            abort();
        hd_input_close(ctx, &input);
    }
    heddle_context_destroy(&ctx);
    return 0;
}
