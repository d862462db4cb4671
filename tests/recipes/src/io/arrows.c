/* arrows.c - a toy: the word "arrows", then a line "source > target" for each arc. */
#include "io/collect.h"
#include "io/element_write.h"
#include "io/format.h"

static const char head[] = "arrows\n";

static int sniff(const char *data, uint64_t bytes) {
    return bytes >= sizeof head - 1 && memcmp(data, head, sizeof head - 1) == 0 ? 100 : 0;
}

static heddle_status read_line(hd_collector *c, const char *p, const char *end) {
    uint32_t ends[2];
    for (int i = 0; i < 2; i++) {
        hd_word name = hd_next_word(&p, end);
        HD_TRY(hd_collector_name(c, name, (uint64_t)(name.p - c->text.data), &ends[i]));
        hd_word arrow = i == 0 ? hd_next_word(&p, end) : (hd_word){NULL, NULL};
        if (i == 0 && !hd_word_is(arrow, ">"))
            return hd_collector_refuse(c, arrow, "'>'");
    }
    return hd_collector_edge(c, ends[0], ends[1], true, (hd_word){NULL, NULL});
}

static heddle_status read_all(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    hd_collector c;
    heddle_status status;
    HD_CHECK(hd_collector_open(ctx, input, options, &c));
    for (const char *p = c.text.data + sizeof head - 1, *end; p < c.text.end; p = end + 1) {
        end = hd_line_end(p, c.text.end);
        HD_CHECK(read_line(&c, p, end));
    }
    HD_CHECK(hd_collector_build(&c, graph));
out:
    hd_collector_close(&c);
    return status;
}

static char *print_arc(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_text(hd_print_vertex(writer, p, u), " > ");
    return hd_print_text(hd_print_vertex(writer, p, writer->rows.out.targets[k]), "\n");
}

static heddle_status write_all(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                               hd_output *output) {
    hd_element_writer writer;
    (void)options;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_WORD, "file of arrows", &writer));
    writer.edge = print_arc;
    writer.extras = 4;
    hd_output_write(output, head, sizeof head - 1);
    return hd_element_write_edges(ctx, &writer, output);
}

const hd_format hd_format_arrows = {
    .info = {"arrows", "arrows: a line \"source > target\" per arc", ".arrows"},
    .holds = HD_HOLDS_DIRECTION | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .sniff = sniff,
    .read = read_all,
    .write = write_all,
};
