/* graphml.c - reading GraphML, through libexpat, which sees the file piece by piece:
 *
 *     <graphml>
 *       <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
 *       <graph edgedefault="directed">
 *         <node id="a"/> <node id="b"/>
 *         <edge source="a" target="b"><data key="d0">2.5</data></edge>
 *       </graph>
 *     </graphml>
 *
 * Reads the ids of nodes, and the end points, directions and weights of edges; the weight is the edge attribute named
 * weight (or value), of which NetworkX declares one key for each type of number. igraph numbers its nodes n0, n1 … and
 * keeps their names in an attribute, which is read in place of these ids. Nested graphs and hyperedges are refused. So
 * are entity declarations: GraphML files have none, and malicious ones expand without bound.
 */
#include "io/graphml.h"

#ifdef HD_HAVE_EXPAT
#include "io/collect.h"

#include <expat.h>

enum { SLICE = 1 << 18, MOST_DEPTH = 256, KEY_ROOM = 128, MOST_KEYS = 8 };

/* A key of weights. */
typedef struct weight_key {
    char id[KEY_ROOM];
    hd_word fallback; /* the default value; p is NULL: none */
} weight_key;

typedef struct graphml {
    hd_collector c;
    XML_Parser parser;
    heddle_status status; /* of the handlers: parsing ends when it is not HEDDLE_OK */
    int depth;
    bool root, in_graph, graph_seen, edge_default; /* edge_default: directed */
    int edge_depth, key_depth, data_depth;         /* nesting depth of such an open element; 0: none is open */
    int node_depth;
    weight_key keys[MOST_KEYS]; /* all of one name */
    int key_count;
    bool exact;             /* that name is weight, not value */
    bool named;             /* igraph: nodes have their names in an attribute … */
    hd_bytes name;          /* the part of the name that is read so far */
    bool in_name;           /* it is being read */
    const char *data_start; /* of the value that is being read */
    uint32_t node, source, target;
    bool directed;
    hd_word weight;
} graphml;

/* ---- Places in the input ---------------------------------------------------------------------------------------- */

static uint64_t element_at(const graphml *g) {
    XML_Index at = XML_GetCurrentByteIndex(g->parser);
    return at < 0 ? 0 : (uint64_t)at;
}

static hd_word element(const graphml *g) {
    const char *p = g->c.text.data + element_at(g);
    return (hd_word){p, p + XML_GetCurrentByteCount(g->parser)};
}

/* Byte offset of an attribute's value, for error messages. */
static uint64_t value_at(const graphml *g, const char *value) {
    hd_word whole = element(g);
    size_t length = strlen(value);
    for (const char *p = whole.p + 1; length && p + length <= whole.end; p++)
        if ((p[-1] == '"' || p[-1] == '\'') && memcmp(p, value, length) == 0)
            return (uint64_t)(p - g->c.text.data);
    return element_at(g);
}

/* Keeps the first error, and ends the parsing. */
static void stop(graphml *g, heddle_status status) {
    if (status == HEDDLE_OK || g->status != HEDDLE_OK)
        return;
    g->status = status;
    XML_StopParser(g->parser, XML_FALSE);
}

/* Reports an error at the current markup, or at its beginning (declarations are reported in pieces). */
static void refuse(graphml *g, const char *expected) {
    const char *p = g->c.text.data + element_at(g);
    while (p > g->c.text.data && (p == g->c.text.end || *p != '<'))
        p--;
    const char *end = p;
    while (end < g->c.text.end && end - p < 40 && !hd_is_token_end(*end) && *end != '>' && *end != '/')
        end++;
    stop(g, hd_collector_refuse(&g->c, (hd_word){p, end}, expected));
}

/* ---- Elements --------------------------------------------------------------------------------------------------- */

/* The name without its namespace prefix. */
static const char *local(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* The attribute of this name, or else one of another namespace: xml:id is not id where both are there. */
static const char *attribute(const char **attributes, const char *name) {
    const char *other = NULL;
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
        else if (!other && strcmp(local(attributes[0]), name) == 0)
            other = attributes[1];
    return other;
}

static bool same(const char *text, const char *other) { return text && strcmp(text, other) == 0; }

static bool is_word(const char *text, const char *word) {
    return text && hd_word_is((hd_word){text, text + strlen(text)}, word);
}

/* The weights' key of this id, or NULL. Without declared keys the id is "weight". */
static const weight_key *find_key(const graphml *g, const char *id) {
    static const weight_key undeclared = {.id = "weight"};
    for (int i = 0; id && i < g->key_count; i++)
        if (strcmp(g->keys[i].id, id) == 0)
            return &g->keys[i];
    return !g->key_count && same(id, undeclared.id) ? &undeclared : NULL;
}

/* A <key> that may declare the weight attribute, or igraph's names of nodes. */
static void start_key(graphml *g, const char **attributes) {
    const char *id = attribute(attributes, "id"), *name = attribute(attributes, "attr.name"),
               *where = attribute(attributes, "for");
    bool exact = is_word(name ? name : id, "weight"), value = is_word(name ? name : id, "value");
    g->named |= same(id, "v_name") && same(name, "name") && same(where, "node");
    if ((where && !same(where, "edge") && !same(where, "all")) || !id || (!exact && !value) || (g->exact && !exact))
        return;
    if (exact && !g->exact)
        g->key_count = 0;
    if (strlen(id) >= KEY_ROOM) {
        refuse(g, "a key whose id is shorter than 128 bytes");
        return;
    }
    if (g->key_count == MOST_KEYS) {
        refuse(g, "at most 8 keys of weights");
        return;
    }
    strcpy(g->keys[g->key_count].id, id);
    g->keys[g->key_count++].fallback = (hd_word){NULL, NULL};
    g->exact = exact;
    g->key_depth = g->depth;
}

static void start_graph(graphml *g, const char **attributes) {
    const char *direction = attribute(attributes, "edgedefault");
    if (g->in_graph)
        refuse(g, "no graph inside a graph (nested graphs are not supported)");
    else if (g->graph_seen)
        refuse(g, "one graph in the file");
    else if (direction && !same(direction, "directed") && !same(direction, "undirected"))
        refuse(g, "edgedefault directed or undirected");
    g->in_graph = g->graph_seen = true;
    g->edge_default = !same(direction, "undirected");
}

/* Names or declares a vertex; its position in the input is only determined on error. */
static void take_name(graphml *g, const char *name, bool declare, uint32_t *vertex) {
    hd_word word = {name, name + strlen(name)};
    heddle_status (*take)(hd_collector *, hd_word, uint64_t, uint32_t *) =
        declare ? hd_collector_declare : hd_collector_name;
    heddle_status status = take(&g->c, word, 0, vertex);
    stop(g, status == HEDDLE_E_FORMAT ? take(&g->c, word, value_at(g, name), vertex) : status);
}

static void start_node(graphml *g, const char **attributes) {
    const char *id = attribute(attributes, "id");
    g->node_depth = g->depth;
    if (id)
        take_name(g, id, true, &g->node);
    else
        refuse(g, "a node with an id");
}

static void start_edge(graphml *g, const char **attributes) {
    const char *ends[2] = {attribute(attributes, "source"), attribute(attributes, "target")};
    const char *directed = attribute(attributes, "directed");
    uint32_t *vertices[2] = {&g->source, &g->target};
    if (g->edge_depth) {
        refuse(g, "no edge inside an edge");
        return;
    }
    if (!ends[0] || !ends[1]) {
        refuse(g, "an edge with source and target");
        return;
    }
    for (int i = 0; i < 2 && g->status == HEDDLE_OK; i++)
        take_name(g, ends[i], false, vertices[i]);
    if (directed && !same(directed, "true") && !same(directed, "false"))
        refuse(g, "directed true or false");
    g->directed = directed ? same(directed, "true") : g->edge_default;
    g->edge_depth = g->depth;
    g->weight = (hd_word){NULL, NULL};
    for (int i = 0; i < g->key_count && !g->weight.p; i++)
        g->weight = g->keys[i].fallback;
}

/* <data> of an edge or a node, or <default> of the weights' key. */
static void start_data(graphml *g, const char *name, const char **attributes) {
    const char *key = attribute(attributes, "key");
    bool of_edge = g->edge_depth && g->depth == g->edge_depth + 1 && same(name, "data") && find_key(g, key);
    g->in_name =
        g->named && g->node_depth && g->depth == g->node_depth + 1 && same(name, "data") && same(key, "v_name");
    bool of_key = g->key_depth && g->depth == g->key_depth + 1 && same(name, "default");
    if (!of_edge && !of_key && !g->in_name)
        return;
    g->data_depth = g->depth;
    g->data_start = element(g).end;
    g->name.bytes = 0;
    if (g->in_name)
        stop(g, hd_bytes_reserve(g->c.ctx, &g->name, 1)); /* a name may be empty */
}

static void XMLCALL start_element(void *self, const char *name, const char **attributes) {
    graphml *g = self;
    name = local(name);
    if (++g->depth > MOST_DEPTH) {
        refuse(g, "at most 256 elements inside each other");
        return;
    }
    if (!g->root && !same(name, "graphml"))
        refuse(g, "the element graphml");
    g->root = true;
    if (same(name, "key"))
        start_key(g, attributes);
    else if (same(name, "graph"))
        start_graph(g, attributes);
    else if (same(name, "node") && g->in_graph && !g->edge_depth)
        start_node(g, attributes);
    else if (same(name, "edge") && g->in_graph)
        start_edge(g, attributes);
    else if (same(name, "hyperedge"))
        refuse(g, "edges of two ends (hyperedges are not supported)");
    else if (same(name, "data") || same(name, "default"))
        start_data(g, name, attributes);
}

static hd_word trimmed(const char *p, const char *end) {
    while (p < end && (hd_is_space(*p) || hd_is_line_end(*p)))
        p++;
    while (end > p && (hd_is_space(end[-1]) || hd_is_line_end(end[-1])))
        end--;
    return (hd_word){p, end};
}

static void XMLCALL end_element(void *self, const char *name) {
    graphml *g = self;
    if (g->data_depth && g->depth == g->data_depth) {
        const char *end = g->c.text.data + element_at(g);
        hd_word value = trimmed(g->data_start, end > g->data_start ? end : g->data_start);
        if (g->in_name)
            stop(g, hd_collector_label(&g->c, g->node, (hd_word){g->name.data, g->name.data + g->name.bytes},
                                       (uint64_t)(g->data_start - g->c.text.data)));
        else
            *(g->edge_depth ? &g->weight : &g->keys[g->key_count - 1].fallback) = value;
        g->data_depth = 0;
        g->in_name = false;
    }
    if (g->node_depth && g->depth == g->node_depth)
        g->node_depth = 0;
    if (g->edge_depth && g->depth == g->edge_depth) {
        stop(g, hd_collector_edge(&g->c, g->source, g->target, g->directed, g->weight));
        g->edge_depth = 0;
    }
    if (g->key_depth && g->depth == g->key_depth)
        g->key_depth = 0;
    if (same(local(name), "graph"))
        g->in_graph = false;
    g->depth--;
}

static void XMLCALL take_text(void *self, const char *text, int length) {
    graphml *g = self;
    if (g->in_name && g->status == HEDDLE_OK)
        stop(g, hd_bytes_push(g->c.ctx, &g->name, text, (size_t)length));
}

static void XMLCALL declare_entity(void *self, const char *name, int parameter, const char *value, int length,
                                   const char *base, const char *system, const char *public, const char *notation) {
    graphml *g = self;
    (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    refuse(g, "no declarations of entities (they are not supported)");
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

static heddle_status fail_parse(graphml *g) {
    enum XML_Error code = XML_GetErrorCode(g->parser);
    if (g->status != HEDDLE_OK)
        return g->status;
    if (code == XML_ERROR_NO_MEMORY)
        return hd_fail_memory_in(g->c.ctx, g->c.text.input->name, "expat");
    const char *p = g->c.text.data + element_at(g), *end = p;
    while (end < g->c.text.end && end - p < 40 && !hd_is_token_end(*end))
        end++;
    return hd_text_refuse(g->c.ctx, &g->c.text, p, end, "XML that is well-formed (%s)", XML_ErrorString(code));
}

static heddle_status parse(graphml *g) {
    const char *data = g->c.text.data;
    uint64_t bytes = g->c.text.input->bytes;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t slice = bytes - at < SLICE ? bytes - at : SLICE;
        if (XML_Parse(g->parser, data + at, (int)slice, at + slice == bytes) != XML_STATUS_OK)
            return fail_parse(g);
        at += slice;
        HD_TRY(hd_collector_reach(&g->c, at));
    }
    if (!g->graph_seen)
        return hd_collector_refuse(&g->c, (hd_word){g->c.text.end, g->c.text.end}, "an element graph");
    if (!g->c.edges)
        hd_collector_set_directed(&g->c, g->edge_default);
    return HEDDLE_OK;
}

/* Numbers are parsed from the raw input, so its encoding must be a superset of ASCII. */
static heddle_status check_encoding(heddle_context *ctx, const hd_input *input) {
    bool wide = input->bytes >= 2 && (!input->data[0] || !input->data[1] || memcmp(input->data, "\xff\xfe", 2) == 0 ||
                                      memcmp(input->data, "\xfe\xff", 2) == 0);
    return wide
               ? hd_fail_file(ctx, HEDDLE_E_UNSUPPORTED, input->name, 0,
                              "XML in UTF-16: convert it by iconv -f UTF-16 -t UTF-8 (and take the encoding out of its "
                              "first line)")
               : HEDDLE_OK;
}

heddle_status hd_graphml_read(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    graphml g = {.status = HEDDLE_OK};
    heddle_status status;
    HD_TRY(check_encoding(ctx, input));
    HD_CHECK(hd_collector_open(ctx, input, options, &g.c));
    g.parser = XML_ParserCreate(NULL);
    if (!g.parser) {
        status = hd_fail_memory_in(ctx, input->name, "expat");
        goto out;
    }
    g.c.labels_from = "attribute 'name' (igraph)";
    XML_SetUserData(g.parser, &g);
    XML_SetElementHandler(g.parser, start_element, end_element);
    XML_SetCharacterDataHandler(g.parser, take_text);
    XML_SetEntityDeclHandler(g.parser, declare_entity);
    HD_CHECK(parse(&g));
    HD_CHECK(hd_collector_build(&g.c, graph));
out:
    if (g.parser)
        XML_ParserFree(g.parser);
    hd_bytes_free(ctx, &g.name);
    hd_collector_close(&g.c);
    return status;
}

#else

heddle_status hd_graphml_read(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                              heddle_graph **graph) {
    (void)options;
    *graph = NULL;
    return hd_fail_file(ctx, HEDDLE_E_UNSUPPORTED, input->name, 0,
                        "reading GraphML is not part of this build: install expat (libexpat1-dev) and build again");
}

#endif
