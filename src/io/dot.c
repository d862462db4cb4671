/* dot.c - DOT, the language of Graphviz, for drawing. It is written, not read: there is much more to it than graphs.
 * Drawings are small; a large graph goes into such a file only when its format is named. */
#include "io/element_write.h"
#include "io/format.h"

enum { MOST_DRAWN = 100000 }; /* vertices and edges */

static char *print_id(const hd_element_writer *writer, char *p, uint64_t v) {
    *p++ = '"';
    p = hd_print_vertex(writer, p, v);
    *p++ = '"';
    return p;
}

static char *print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    p = hd_print_text(p, "  ");
    p = print_id(writer, p, v);
    return hd_print_text(p, ";\n");
}

static char *print_edge(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_text(p, "  ");
    p = print_id(writer, p, u);
    p = hd_print_text(p, writer->rows.graph->directed ? " -> " : " -- ");
    p = print_id(writer, p, writer->rows.out.targets[k]);
    if (writer->rows.out.weights) { /* `weight` would bend the drawing, and has to be whole there */
        p = hd_print_text(p, " [label=\"");
        p = hd_print_edge_weight(writer, p, k);
        p = hd_print_text(p, "\"]");
    }
    return hd_print_text(p, ";\n");
}

static heddle_status write_dot(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                               hd_output *output) {
    hd_element_writer writer;
    if (!options->format && graph->vertices + graph->edges > MOST_DRAWN)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, hd_output_name(output), 0,
                            "%llu vertices and %llu edges are more than Graphviz can draw (%d together); name the "
                            "format to write them all the same (--to dot)",
                            (unsigned long long)graph->vertices, (unsigned long long)graph->edges, MOST_DRAWN);
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_DOT, "DOT file", &writer));
    writer.vertex = print_vertex;
    writer.edge = print_edge;
    writer.extras = 32;
    hd_output_printf(output, graph->directed ? "digraph {\n" : "graph {\n");
    HD_TRY(hd_element_write_vertices(ctx, &writer, output));
    HD_TRY(hd_element_write_edges(ctx, &writer, output));
    hd_output_printf(output, "}\n");
    return HEDDLE_OK;
}

static int sniff(const char *data, uint64_t bytes) {
    (void)data, (void)bytes;
    return 0; /* foreign.c recognises it */
}

static heddle_status read_dot(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    (void)options;
    *graph = NULL;
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                        "DOT is written but not read: gv2gml %s -o OUT.gml (of Graphviz) makes GML of it", input->name);
}

const hd_format hd_format_dot = {
    .info = {"dot", "DOT, for drawing small graphs with Graphviz; written only", ".dot .gv"},
    .holds =
        HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .sniff = sniff,
    .read = read_dot,
    .write = write_dot,
};
