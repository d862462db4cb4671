/* draw.c - heddle draw: its options, and the steps from a graph to a picture. */
#include "draw/draw.h"

#include "common.h"
#include "file.h"
#include "json.h"
#include "page/page.h"
#include "report.h"
#include "signals.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLOUR_COMMUNITY,
    COLOUR_COMPONENT,
    COLOUR_NONE,
    SIZE_DEGREE,
    SIZE_RANK,
    SIZE_NONE,
    FORM_AUTO,
    FORM_VERTICES,
    FORM_COMMUNITIES
};
enum { MOST_VERTICES = 100000, MOST_GROUPS = 3000, STRONGEST = 4, PAIRS = 10000 };

typedef struct draw_settings {
    cli_common common;
    heddle_load_options load;
    int colour, size, form, weighted;
    uint64_t labels, seed;
} draw_settings;

static void defaults(void *opaque) {
    draw_settings *settings = opaque;
    heddle_load_options_init(&settings->load);
    settings->form = FORM_AUTO;
    settings->colour = COLOUR_COMMUNITY;
    settings->size = SIZE_DEGREE;
    settings->labels = 20;
    settings->seed = 1;
}

/* All that a drawing is made from; what is allocated is freed by release(). */
typedef struct drawing {
    cli_session *session;
    const draw_settings *settings;
    heddle_graph *graph;
    draw_graph drawn;
    draw_point *at;
    uint32_t *group; /* of each drawn vertex; NULL: no colours */
    uint32_t groups;
    double *value; /* that sizes follow */
    heddle_vertex *name;
    uint64_t *members; /* of each drawn vertex; NULL: 1 */
    uint64_t left_out; /* communities */
    draw_picture picture;
    double load_seconds, layout_seconds;
    uint64_t edges; /* drawn */
} drawing;

static void release(drawing *d) {
    draw_picture_free(&d->picture);
    draw_graph_free(&d->drawn);
    free(d->at);
    free(d->group);
    free(d->value);
    free(d->name);
    free(d->members);
    heddle_graph_destroy(&d->graph);
}

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* ---- Values of vertices ------------------------------------------------------------------------------------------ */

static int compute(const drawing *d, const char *algorithm, heddle_result **result) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    options.seed = d->settings->seed;
    options.weighted = d->settings->weighted;
    heddle_status status = heddle_run(d->session->context, d->graph, &options, result);
    return status == HEDDLE_OK ? 0 : cli_fail(d->session, status);
}

/* Replaces labels, which are vertices, by numbers from 0 in the order of the first vertex of each. */
static bool number(uint32_t n, const uint32_t *label, uint32_t *group, uint32_t *count) {
    uint32_t *number_of = malloc(((size_t)n + 1) * sizeof *number_of);
    if (!number_of)
        return false;
    memset(number_of, 0xff, (size_t)n * sizeof *number_of);
    *count = 0;
    for (uint32_t v = 0; v < n; v++) {
        if (number_of[label[v]] == UINT32_MAX)
            number_of[label[v]] = (*count)++;
        group[v] = number_of[label[v]];
    }
    free(number_of);
    return true;
}

static int find_communities(drawing *d) {
    uint32_t n = (uint32_t)heddle_graph_vertices(d->graph);
    heddle_result *result = NULL;
    d->group = malloc(((size_t)n + 1) * sizeof *d->group);
    int exit_status = d->group ? compute(d, "leiden", &result) : no_memory();
    if (!exit_status && !number(n, heddle_result_values(result)->data, d->group, &d->groups))
        exit_status = no_memory();
    heddle_result_destroy(&result);
    return exit_status;
}

static int find_components(drawing *d) {
    d->group = malloc(((size_t)d->drawn.n + 1) * sizeof *d->group);
    return d->group && draw_graph_components(&d->drawn, d->group, &d->groups) ? 0 : no_memory();
}

/* Degrees of the drawn graph, or ranks. */
static int find_values(drawing *d) {
    uint32_t n = d->drawn.n;
    heddle_result *result = NULL;
    d->value = malloc(((size_t)n + 1) * sizeof *d->value);
    if (!d->value)
        return no_memory();
    int exit_status = d->settings->size == SIZE_RANK ? compute(d, "pr", &result) : 0;
    for (uint32_t v = 0; !exit_status && v < n; v++)
        d->value[v] = result ? heddle_result_value(result, v) : (double)(d->drawn.offsets[v + 1] - d->drawn.offsets[v]);
    heddle_result_destroy(&result);
    return exit_status;
}

/* ---- What is drawn ----------------------------------------------------------------------------------------------- */

static int adjacencies(const drawing *d, heddle_adjacency *out, heddle_adjacency *in) {
    heddle_status status = heddle_graph_out(d->session->context, d->graph, out);
    if (status == HEDDLE_OK)
        status = heddle_graph_in(d->session->context, d->graph, in);
    return status == HEDDLE_OK ? 0 : cli_fail(d->session, status);
}

static int take_vertices(drawing *d) {
    heddle_adjacency out, in;
    int exit_status = adjacencies(d, &out, &in);
    if (!exit_status && !draw_graph_make((uint32_t)heddle_graph_vertices(d->graph), &out, &in, &d->drawn))
        exit_status = no_memory();
    if (!exit_status && d->settings->colour != COLOUR_NONE)
        exit_status = d->settings->colour == COLOUR_COMMUNITY ? find_communities(d) : find_components(d);
    return exit_status ? exit_status : find_values(d);
}

typedef struct community {
    uint64_t members;
    uint32_t group;
} community;

static int by_members(const void *one, const void *other) {
    const community *x = one, *y = other;
    if (x->members != y->members)
        return x->members > y->members ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

/* Renumbers groups by size; those past the last that is drawn become that number. */
static void keep_largest(drawing *d, community *found, uint32_t *place) {
    uint32_t n = (uint32_t)heddle_graph_vertices(d->graph), kept = d->groups < MOST_GROUPS ? d->groups : MOST_GROUPS;
    for (uint32_t g = 0; g < d->groups; g++)
        found[g] = (community){0, g};
    for (uint32_t v = 0; v < n; v++)
        found[d->group[v]].members++;
    qsort(found, d->groups, sizeof *found, by_members);
    for (uint32_t i = 0; i < d->groups; i++)
        place[found[i].group] = i < kept ? i : kept;
    for (uint32_t v = 0; v < n; v++)
        d->group[v] = place[d->group[v]];
    for (uint32_t g = 0; g < kept; g++) {
        d->members[g] = found[g].members;
        d->value[g] = (double)found[g].members;
    }
    d->left_out = d->groups - kept;
    d->groups = kept;
}

/* Each community goes by its vertex of most edges. */
static void name_groups(drawing *d, const heddle_adjacency *out, const heddle_adjacency *in) {
    uint32_t n = (uint32_t)heddle_graph_vertices(d->graph);
    memset(d->name, 0xff, (size_t)d->groups * sizeof *d->name);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t g = d->group[v], best = g < d->groups ? d->name[g] : v;
        if (g < d->groups &&
            (best == UINT32_MAX ||
             out->offsets[v + 1] - out->offsets[v] + in->offsets[v + 1] - in->offsets[v] >
                 out->offsets[best + 1] - out->offsets[best] + in->offsets[best + 1] - in->offsets[best]))
            d->name[g] = v;
    }
}

/* The communities, of which those that are not drawn are one group more, without edges, that is dropped. */
static int group_vertices(drawing *d) {
    heddle_adjacency out, in;
    community *found = malloc(((size_t)d->groups + 1) * sizeof *found);
    uint32_t *place = malloc(((size_t)d->groups + 1) * sizeof *place);
    d->value = malloc(((size_t)d->groups + 1) * sizeof *d->value);
    d->members = malloc(((size_t)d->groups + 1) * sizeof *d->members);
    d->name = malloc(((size_t)d->groups + 1) * sizeof *d->name);
    int exit_status = found && place && d->value && d->members && d->name ? adjacencies(d, &out, &in) : no_memory();
    if (!exit_status) {
        keep_largest(d, found, place);
        name_groups(d, &out, &in);
        if (!draw_graph_group((uint32_t)heddle_graph_vertices(d->graph), &out, d->group, d->groups, STRONGEST,
                              &d->drawn))
            exit_status = no_memory();
    }
    free(found);
    free(place);
    return exit_status;
}

static int take_communities(drawing *d) {
    int exit_status = find_communities(d);
    if (!exit_status)
        exit_status = group_vertices(d);
    for (uint32_t g = 0; !exit_status && g < d->groups; g++) /* from here on each is its own group */
        d->group[g] = g;
    return exit_status;
}

/* ---- The picture ------------------------------------------------------------------------------------------------- */

static int lay_out(drawing *d) {
    double start = cli_clock();
    d->at = malloc(((size_t)d->drawn.n + 1) * sizeof *d->at);
    bool done = d->at && draw_layout(&d->drawn, d->settings->seed, heddle_context_threads(d->session->context), d->at,
                                     &d->picture.size);
    d->layout_seconds = cli_clock() - start;
    if (cli_interrupted())
        return CLI_EXIT_INTERRUPTED;
    return done ? 0 : no_memory();
}

/* Wide enough for the page; the few vertices of a small graph need not be far apart. */
static double scale_of(draw_point size) {
    enum { MOST_APART = 150 };
    double room = DRAW_WIDTH - 2 * DRAW_MARGIN;
    return fmin(room / fmax(size.x, 1e-9), fmin(room / fmax(size.y, 1e-9), MOST_APART));
}

static int look(drawing *d) {
    draw_picture *picture = &d->picture;
    uint32_t n = d->drawn.n;
    picture->graph = d->graph;
    picture->drawn = &d->drawn;
    picture->at = d->at;
    picture->name = d->name;
    picture->scale = scale_of(picture->size);
    picture->colour = malloc((size_t)n + 1);
    picture->radius = malloc(((size_t)n + 1) * sizeof *picture->radius);
    if (!picture->colour || !picture->radius)
        return no_memory();
    memset(picture->colour, d->group ? DRAW_OTHER : 0, n);
    picture->kind = !d->group                                             ? NULL
                    : d->settings->colour == COLOUR_COMPONENT && !d->name ? "components"
                                                                          : "communities";
    if (d->group && !draw_colour(picture, d->group, d->groups, d->members, d->value))
        return no_memory();
    const double *value = d->settings->size == SIZE_NONE && !d->name ? NULL : d->value;
    return draw_sizes(picture, value, (uint32_t)d->settings->labels) ? 0 : no_memory();
}

static bool is_page(const char *path) {
    size_t length = strlen(path);
    return length > 5 && !strcmp(path + length - 5, ".html");
}

static bool is_drawing(const char *path) {
    size_t length = strlen(path);
    return is_page(path) || (length > 4 && !strcmp(path + length - 4, ".svg"));
}

static void put_tiles(cli_page *page, const drawing *d) {
    char note[96] = "";
    cli_page_tiles(page);
    cli_page_tile(page, "vertices", cli_grouped(heddle_graph_vertices(d->graph)).text, NULL);
    uint64_t edges = d->drawn.offsets[d->drawn.n] / 2;
    if (d->edges < edges)
        snprintf(note, sizeof note, "%s of them drawn", cli_grouped(d->edges).text);
    cli_page_tile(page, d->name ? "links between communities" : "pairs of neighbours", cli_grouped(edges).text,
                  *note     ? note
                  : d->name ? "the strongest of each"
                            : NULL);
    if (d->picture.kind)
        cli_page_tile(page, d->picture.kind, cli_grouped(d->picture.kinds + d->left_out).text,
                      d->left_out ? "the largest drawn" : NULL);
    cli_page_tile(page, "layout", cli_seconds(d->layout_seconds).text, NULL);
    cli_page_tiles_end(page);
}

static int write_picture(drawing *d, const char *path) {
    cli_page page, drawn;
    cli_page_begin(&drawn);
    d->edges = draw_svg(&drawn, &d->picture, !is_page(path));
    if (!is_page(path))
        return cli_page_finish(&drawn, path);
    cli_page_open(&page, d->name ? "heddle draw, by communities" : "heddle draw",
                  cli_page_name(d->session->arguments.operands[0]));
    put_tiles(&page, d);
    cli_page_section(&page, "The graph", NULL);
    cli_page_append(&page, &drawn);
    cli_page_section_end(&page);
    return cli_page_close(d->session, &page, path);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* How far vertices are from each other on the mean: neighbours, and any two; of some of them where there are many. */
static void measure(const drawing *d, double *edge, double *pair) {
    const draw_graph *graph = &d->drawn;
    double edges = 0, pairs = 0;
    for (uint32_t v = 0; v < graph->n; v++)
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            edges += hypot(d->at[graph->targets[e]].x - d->at[v].x, d->at[graph->targets[e]].y - d->at[v].y);
    for (uint64_t i = 0; graph->n && i < PAIRS; i++) {
        draw_point a = d->at[draw_random(1, i) % graph->n], b = d->at[draw_random(2, i) % graph->n];
        pairs += hypot(a.x - b.x, a.y - b.y) / PAIRS;
    }
    *edge = graph->n && graph->offsets[graph->n] ? edges / (double)graph->offsets[graph->n] : 0;
    *pair = pairs;
}

static void print_json(const drawing *d, const char *output) {
    cli_json json = {.out = stdout};
    double edge, pair;
    measure(d, &edge, &pair);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "output", output);
    cli_json_graph(&json, d->graph);
    cli_json_object(&json, "drawn");
    cli_json_text(&json, "form", d->name ? "communities" : "vertices");
    cli_json_count(&json, "vertices", d->drawn.n);
    cli_json_count(&json, "edges", d->edges);
    cli_json_count(&json, "labels", d->picture.label_count);
    if (d->picture.kind)
        cli_json_count(&json, d->picture.kind, d->picture.kinds + d->left_out);
    cli_json_real(&json, "edge_length", edge);
    cli_json_real(&json, "pair_distance", pair);
    cli_json_end(&json);
    cli_json_object(&json, "phases");
    cli_json_seconds(&json, "load", d->load_seconds);
    cli_json_seconds(&json, "layout", d->layout_seconds);
    cli_json_end(&json);
    cli_json_end(&json);
}

static void print_summary(const drawing *d, const char *output) {
    char shown[160] = "";
    if (d->settings->common.json) {
        print_json(d, output);
        return;
    }
    if (d->name)
        snprintf(shown, sizeof shown, ", drawn as its %s%s", d->left_out ? "largest " : "",
                 cli_counted(d->drawn.n, "community", "communities").text);
    else if (d->picture.kind)
        snprintf(shown, sizeof shown, ", %s %s", cli_grouped(d->picture.kinds).text, d->picture.kind);
    if (!d->settings->common.quiet)
        cli_say("wrote %.400s: %s%s (load %s, layout %s)", output,
                cli_graph_words(d->graph, cli_count_edges(d->session, d->graph)).text, shown,
                cli_seconds(d->load_seconds).text, cli_seconds(d->layout_seconds).text);
}

static int check(const cli_session *session, const char *output) {
    if (!is_drawing(output))
        return cli_usage_error(session->command, "the drawing '%.200s' is neither an .svg nor an .html file", output);
    if (cli_same_file(session->arguments.operands[0], output))
        return cli_usage_error(session->command, "the drawing would overwrite the graph");
    return cli_file_check(output, "cannot write the drawing");
}

static bool by_communities(const drawing *d) {
    return d->settings->form == FORM_COMMUNITIES ||
           (d->settings->form == FORM_AUTO && heddle_graph_vertices(d->graph) > MOST_VERTICES);
}

static int run(cli_session *session, void *opaque) {
    const draw_settings *settings = opaque;
    const char *input = session->arguments.operands[0], *output = session->arguments.operands[1];
    drawing d = {.session = session, .settings = settings};
    int exit_status = check(session, output);
    if (exit_status)
        return exit_status;
    heddle_status status = cli_load(session, input, &settings->load, &d.graph, &d.load_seconds);
    exit_status = status == HEDDLE_OK ? 0 : cli_fail(session, status);
    if (!exit_status)
        exit_status = by_communities(&d) ? take_communities(&d) : take_vertices(&d);
    if (!exit_status)
        exit_status = lay_out(&d);
    if (!exit_status)
        exit_status = look(&d);
    if (!exit_status)
        exit_status = write_picture(&d, output);
    if (!exit_status)
        print_summary(&d, output);
    release(&d);
    return exit_status;
}

static const cli_choice colours[] = {{"community", COLOUR_COMMUNITY},
                                     {"component", COLOUR_COMPONENT},
                                     {"none", COLOUR_NONE},
                                     {NULL, 0}};
static const cli_choice sizes[] = {{"degree", SIZE_DEGREE}, {"rank", SIZE_RANK}, {"none", SIZE_NONE}, {NULL, 0}};
static const cli_choice forms[] = {{"auto", FORM_AUTO},
                                   {"vertices", FORM_VERTICES},
                                   {"communities", FORM_COMMUNITIES},
                                   {NULL, 0}};

static const cli_option own_options[] = {
    CLI_CHOICE("color", 0, "WHAT", colours, draw_settings, colour,
               "what a color stands for: community (by leiden; the default), component, or none"),
    CLI_CHOICE("size", 0, "WHAT", sizes, draw_settings, size,
               "what a vertex's size stands for: degree (the default), rank (PageRank), or none"),
    CLI_FLAG("weighted", 0, 1, draw_settings, weighted, "communities and ranks count edges by their weight"),
    CLI_NUMBER("labels", 0, "N", cli_parse_count, 0, 10000, draw_settings, labels,
               "label the N largest vertices (default: 20)"),
    CLI_CHOICE("form", 0, "WHAT", forms, draw_settings, form,
               "draw each of the vertices, or one circle for each community (default: auto, vertices up to 100,000)"),
    CLI_NUMBER("seed", 0, "N", cli_parse_count, 0, 18446744073709549568.0, draw_settings, seed,
               "another number, another drawing (default: 1)"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    {"The drawing", own_options, 0},
    CLI_READ_GROUP(draw_settings, load),
    CLI_BUILD_GROUP(draw_settings, load.build),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_draw = {
    .name = "draw",
    .aliases = CLI_WORDS("plot", "layout", "visualize", "visualise"),
    .hints = CLI_WORDS("picture", "svg", "render"),
    .summary = "a picture of a graph",
    .operands = "GRAPH OUT",
    .about =
        "Draws the graph into OUT: an .svg file, or an .html page. Neighbours attract each other and all vertices "
        "repel each other, so that what belongs together lies together. Components are laid out one by one. "
        "Directions, weights, loops and parallel edges are not shown.\n\n"
        "Graphs of more than 100,000 vertices are drawn by their communities: a circle for each of the largest "
        "3,000, whose area follows the number of vertices, and the four strongest links of each. 'heddle subgraph' "
        "cuts out a part to look at.\n\n"
        "The same graph and seed give the same drawing, whatever the number of threads.",
    .examples = "heddle draw example:lesmis lesmis.svg\n"
                "heddle draw friends.csv friends.html --undirected --size rank --labels 40\n"
                "heddle draw web.hdl web.svg --form communities",
    .groups = groups,
    .settings_size = sizeof(draw_settings),
    .defaults = defaults,
    .run = run,
};
