/* graphml_write.c - writing GraphML, and recognising it. */
#include "io/element_write.h"
#include "io/graphml.h"
#include "io/text.h"

/* ---- Recognising ------------------------------------------------------------------------------------------------ */

static const char *find_text(const char *p, const char *end, const char *text) {
    size_t length = strlen(text);
    for (; (size_t)(end - p) >= length; p++)
        if (memcmp(p, text, length) == 0)
            return p + length;
    return end;
}

static bool starts_with(const char *p, const char *end, const char *text) {
    return (size_t)(end - p) >= strlen(text) && memcmp(p, text, strlen(text)) == 0;
}

hd_xml_root hd_xml_find_root(const char *data, uint64_t bytes) {
    const char *p = data, *end = data + (bytes < 1 << 16 ? bytes : 1 << 16);
    for (;;) {
        while (p < end && (hd_is_space(*p) || hd_is_line_end(*p)))
            p++;
        if (starts_with(p, end, "<?"))
            p = find_text(p, end, "?>");
        else if (starts_with(p, end, "<!--"))
            p = find_text(p, end, "-->");
        else if (starts_with(p, end, "<!")) {
            const char *close = find_text(p, end, ">"), *subset = memchr(p, '[', (size_t)(close - p));
            p = subset ? find_text(find_text(subset, end, "]"), end, ">") : close;
        } else
            break;
    }
    if (p == end || *p != '<')
        return (hd_xml_root){data, 0};
    const char *name = ++p;
    for (; p < end && !hd_is_space(*p) && !hd_is_line_end(*p) && *p != '>' && *p != '/'; p++)
        if (*p == ':')
            name = p + 1;
    bool letter = name < p && ((*name | 32) >= 'a' && (*name | 32) <= 'z');
    return (hd_xml_root){name, letter ? (size_t)(p - name) : 0};
}

static int sniff(const char *data, uint64_t bytes) {
    hd_xml_root root = hd_xml_find_root(data, bytes);
    return root.length == 7 && memcmp(root.p, "graphml", 7) == 0 ? 100 : 0;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_vertex(const hd_element_writer *writer, char *p, uint64_t v) {
    p = hd_print_text(p, "    <node id=\"");
    p = hd_print_vertex(writer, p, v);
    return hd_print_text(p, "\"/>\n");
}

static char *print_edge(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k) {
    p = hd_print_text(p, "    <edge source=\"");
    p = hd_print_vertex(writer, p, u);
    p = hd_print_text(p, "\" target=\"");
    p = hd_print_vertex(writer, p, writer->rows.out.targets[k]);
    if (!writer->rows.out.weights)
        return hd_print_text(p, "\"/>\n");
    p = hd_print_text(p, "\"><data key=\"weight\">");
    p = hd_print_edge_weight(writer, p, k);
    return hd_print_text(p, "</data></edge>\n");
}

static heddle_status write_graphml(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                   hd_output *output) {
    (void)options;
    hd_element_writer writer;
    HD_TRY(hd_element_writer_init(ctx, graph, HD_ESCAPE_XML, "GraphML file", &writer));
    writer.vertex = print_vertex;
    writer.edge = print_edge;
    writer.extras = 96;
    hd_output_printf(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    if (writer.rows.out.weights)
        hd_output_printf(output, "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"%s\"/>\n",
                         hd_weight_is_real(graph) ? "double" : "long");
    hd_output_printf(output, "  <graph edgedefault=\"%s\">\n", graph->directed ? "directed" : "undirected");
    HD_TRY(hd_element_write_vertices(ctx, &writer, output));
    HD_TRY(hd_element_write_edges(ctx, &writer, output));
    hd_output_printf(output, "  </graph>\n</graphml>\n");
    return HEDDLE_OK;
}

const hd_format hd_format_graphml = {
    .info = {"graphml", "GraphML: XML with nodes and edges, as NetworkX, igraph, Gephi and yEd write it", ".graphml"},
    .holds =
        HD_HOLDS_DIRECTION | HD_HOLDS_UNDIRECTED | HD_HOLDS_WEIGHTS | HD_HOLDS_ISOLATED | HD_HOLDS_IDS | HD_HOLDS_LOOPS,
    .names = true,
    .sniff = sniff,
    .read = hd_graphml_read,
    .write = write_graphml,
};
