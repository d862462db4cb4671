/* edge_list_write.c - a line per arc; commas in .csv files, tabs elsewhere.
 *
 * Labels that would not be read back unchanged - with separators in them, or like a number, a comment or the beginning
 * of another format - are quoted, and quotes inside are doubled.
 */
#include "io/edge_list.h"
#include "io/text_write.h"

static bool needs_quotes(const char *p, const char *end) {
    const char *number = p;
    while (number < end && number < p + 2 && (*number == '-' || *number == '+' || *number == '.'))
        number++;
    if (*p == '[' || *p == '{') /* else "graph [" would be GML, "graph {" DOT */
        return true;
    if ((number < end && hd_is_digit(*number)) || *p == '"' || *p == '#' || *p == '%' ||
        (*p == '/' && p + 1 < end && p[1] == '/'))
        return true;
    return hd_token_end(p, end) < end;
}

/* Refuses labels that no edge list can hold; *longest is the length of the longest. */
static heddle_status check_labels(heddle_context *ctx, const heddle_graph *graph, size_t *longest) {
    const hd_ids *ids = &graph->ids;
    *longest = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        const char *p = ids->text + ids->starts[v], *end = ids->text + ids->starts[v + 1];
        bool fine = p < end && end - p <= HD_MOST_LABEL;
        for (const char *c = p; c < end && fine; c++)
            fine = (unsigned char)*c >= ' ' && *c != 0x7f;
        if (!fine)
            return hd_fail(ctx, HEDDLE_E_LOSSY,
                           "the label of vertex %llu cannot stand in an edge list: it is empty, too long, or has "
                           "control characters in it",
                           (unsigned long long)v);
        *longest = (size_t)(end - p) > *longest ? (size_t)(end - p) : *longest;
    }
    return HEDDLE_OK;
}

static char *print_label(const hd_ids *ids, char *p, uint64_t v) {
    const char *label = ids->text + ids->starts[v], *end = ids->text + ids->starts[v + 1];
    size_t length = (size_t)(end - label);
    if (!needs_quotes(label, end)) {
        memcpy(p, label, length);
        return p + length;
    }
    *p++ = '"';
    for (; label < end; label++) {
        *p++ = *label;
        if (*label == '"')
            *p++ = '"';
    }
    *p++ = '"';
    return p;
}

static char *print_id(const hd_ids *ids, char *p, uint64_t v) {
    if (ids->type == HEDDLE_ID_STRING)
        return print_label(ids, p, v);
    int64_t id = ids->values ? ids->values[v] : ids->base + (int64_t)v;
    return ids->type == HEDDLE_ID_U64 ? hd_print_u64(p, (uint64_t)id) : hd_print_i64(p, id);
}

/* The most bytes that an id takes. */
static heddle_status longest_id(heddle_context *ctx, const heddle_graph *graph, size_t *longest) {
    const hd_ids *ids = &graph->ids;
    *longest = HD_NUMBER_ROOM;
    if (ids->type == HEDDLE_ID_STRING) {
        HD_TRY(check_labels(ctx, graph, longest));
        *longest = 2 * *longest + 2; /* quotes, around it and inside */
    } else if (graph->vertices) {    /* ids ascend: the first or the last is the longest */
        char text[HD_NUMBER_ROOM];
        size_t first = (size_t)(print_id(ids, text, 0) - text);
        size_t last = (size_t)(print_id(ids, text, graph->vertices - 1) - text);
        *longest = first > last ? first : last;
    }
    return HEDDLE_OK;
}

static const char type_word[] = "Undirected";

/* Edges as they are written: of an undirected graph's arcs one of each pair. */
static uint64_t count_lines(const heddle_graph *graph, const heddle_adjacency *out) {
    uint64_t loops = 0;
    for (uint64_t v = 0; v < graph->vertices && !graph->directed; v++)
        for (uint64_t k = out->offsets[v]; k < out->offsets[v + 1] && out->targets[k] <= v; k++)
            loops += out->targets[k] == v;
    return graph->directed ? graph->edges : (graph->edges + loops) / 2;
}

static char *print_arc(const hd_text_writer *writer, char *p, uint64_t u, uint64_t k) {
    const hd_ids *ids = &writer->graph->ids;
    if (!writer->graph->directed && writer->out.targets[k] < u)
        return p;
    p = print_id(ids, p, u);
    *p++ = writer->separator;
    p = print_id(ids, p, writer->out.targets[k]);
    if (writer->out.weights) {
        *p++ = writer->separator;
        p = hd_print_weight(writer, p, k);
    }
    if (!writer->graph->directed && writer->separator == ',') {
        *p++ = ',';
        memcpy(p, type_word, sizeof type_word - 1);
        p += sizeof type_word - 1;
    }
    *p++ = '\n';
    return p;
}

heddle_status hd_edge_list_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                 hd_output *output) {
    (void)options;
    hd_text_writer writer;
    size_t id;
    bool csv = hd_path_has_suffix(hd_output_name(output), ".csv");
    HD_TRY(hd_text_writer_init(ctx, graph, &writer));
    HD_TRY(longest_id(ctx, graph, &id));
    writer.arc = print_arc;
    writer.separator = csv ? ',' : '\t';
    writer.longest = 2 * id + hd_weight_room(graph) + 3 + sizeof type_word;
    if (csv)
        hd_output_printf(output, "source,target%s%s\n", writer.out.weights ? ",weight" : "",
                         graph->directed ? "" : ",type");
    else
        hd_output_printf(output, "%s%s# Nodes: %llu Edges: %llu\n# FromNodeId\tToNodeId%s\n",
                         graph->directed ? "" : hd_edge_list_says_undirected, graph->directed ? "" : "\n",
                         (unsigned long long)graph->vertices, (unsigned long long)count_lines(graph, &writer.out),
                         writer.out.weights ? "\tWeight" : "");
    return hd_text_write_rows(ctx, &writer, output);
}
