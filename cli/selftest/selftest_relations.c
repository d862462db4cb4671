/* selftest_relations.c - the second run of a case, and how its result relates to the first.
 *
 * A relation changes the graph, the options or the place of a run in a way whose effect on the result is known:
 * renaming the vertices renames the values, doubling the weights doubles the distances, one thread more changes
 * nothing. So every result is checked three times: by its certificate, by the sequential reference, and by another run
 * of the same code that must agree. Which relations hold for an algorithm stands in algorithm_table.c. */
#include "selftest/selftest_case.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run, and all that belongs to it. */
typedef struct trial {
    heddle_context *context;
    heddle_graph *graph, *lender[2]; /* lender: the rows of `graph` belong to them */
    heddle_result *result;
    heddle_status status;
    char message[512];
} trial;

/* The second run: what it differs in, and how values relate. */
typedef struct second_run {
    cli_case_graph graph;
    heddle_vertex map[CLI_CASE_MOST_VERTICES]; /* the vertex that was v */
    double initial[CLI_CASE_MOST_VERTICES];
    unsigned char fixed[CLI_CASE_MOST_VERTICES];
    heddle_run_options run;
    heddle_vertex sources[CLI_CASE_SOURCES], pairs[2 * CLI_CASE_PAIRS];
    char device[24], plan[80];
    const char *file;       /* not NULL: the graph goes through this .hdl file */
    bool in_edges, packed;  /* which stores these, too */
    const char *checkpoint; /* not NULL: interrupted, and resumed from this folder */
    char paths[2][256];
    uint64_t interrupt_after; /* rounds */
    int threads;
    uint64_t fail_at; /* the allocation that fails, or at which the call is cancelled; 0: none */
    bool cancels;
    double factor; /* of values */
    bool renamed;  /* `map` is not the identity */
    bool exact;    /* equal bits */
    bool twice;    /* the graph is transposed twice */
    unsigned warm; /* another run in the same context comes first; 0: none */
    bool built_in; /* an algorithm in place of the program */
    cli_program program;
} second_run;

typedef struct relation {
    const char *name;
    unsigned holds; /* the bit of cli_algorithm.holds that it needs; 0: it holds for all */
    bool (*apply)(const cli_case *c, second_run *second); /* false: there is nothing to change */
} relation;

static const int usual_threads = 2;
enum { MOST_MEMORY = 1 << 28 };

/* ---- Running ---------------------------------------------------------------------------------------------------- */

/* Fails at the n-th call, or cancels what the context does. */
typedef struct failing {
    uint64_t left; /* 0: never */
    heddle_context *cancelled;
} failing;

static void *allocate(void *user, size_t bytes, int zero) {
    failing *countdown = user;
    void *memory;
    uint64_t left = __atomic_load_n(&countdown->left, __ATOMIC_RELAXED);
    if (left && __atomic_sub_fetch(&countdown->left, 1, __ATOMIC_RELAXED) == 0) {
        if (!countdown->cancelled)
            return NULL;
        heddle_context_cancel(countdown->cancelled);
    }
    if (posix_memalign(&memory, 64, bytes ? bytes : 1) != 0)
        return NULL;
    if (zero)
        memset(memory, 0, bytes);
    return memory;
}

static void release(void *user, void *memory, size_t bytes) {
    (void)user, (void)bytes;
    free(memory);
}

/* The weights in the type that the graph has. */
static void *typed_weights(const cli_case_graph *graph) {
    void *weights = calloc(graph->arcs + 1, sizeof(double));
    for (uint64_t i = 0; weights && i < graph->arcs; i++)
        switch (graph->type) {
        case HEDDLE_WEIGHT_U32: ((uint32_t *)weights)[i] = (uint32_t)graph->weight[i]; break;
        case HEDDLE_WEIGHT_I32: ((int32_t *)weights)[i] = (int32_t)graph->weight[i]; break;
        case HEDDLE_WEIGHT_F32: ((float *)weights)[i] = (float)graph->weight[i]; break;
        case HEDDLE_WEIGHT_I64: ((int64_t *)weights)[i] = (int64_t)graph->weight[i]; break;
        default: ((double *)weights)[i] = graph->weight[i];
        }
    return weights;
}

static heddle_status build(trial *t, const cli_case_graph *graph) {
    heddle_build_options options;
    void *weights = graph->type == HEDDLE_WEIGHT_NONE ? NULL : typed_weights(graph);
    heddle_build_options_init(&options);
    options.symmetrize = graph->undirected;
    heddle_status status = heddle_graph_from_edges(t->context, graph->vertices, graph->arcs, graph->from, graph->to,
                                                   weights, graph->type, &options, &t->graph);
    free(weights);
    return status;
}

static heddle_status pass_through(trial *t, const second_run *second) {
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.in_edges = second->in_edges, options.packed = second->packed;
    heddle_status status = heddle_graph_save(t->context, t->graph, second->file, &options);
    heddle_graph_destroy(&t->graph);
    return status != HEDDLE_OK ? status : heddle_graph_load(t->context, second->file, NULL, &t->graph);
}

/* The graph whose out-edges are the in-edges of this one, which keeps them. */
static heddle_status transpose(trial *t, heddle_graph **lender) {
    heddle_adjacency in;
    heddle_csr_options options;
    heddle_csr_options_init(&options);
    options.undirected = !heddle_graph_directed(t->graph);
    *lender = t->graph;
    t->graph = NULL;
    heddle_status status = heddle_graph_in(t->context, *lender, &in);
    if (status != HEDDLE_OK)
        return status;
    return heddle_graph_from_csr(t->context, heddle_graph_vertices(*lender), heddle_graph_edges(*lender), in.offsets,
                                 64, in.targets, in.weights, heddle_graph_weight_type(*lender), &options, &t->graph);
}

static void note_status(trial *t, heddle_status status) {
    t->status = status;
    if (status != HEDDLE_OK)
        snprintf(t->message, sizeof t->message, "%s: %.400s", heddle_status_name(status),
                 heddle_context_error(t->context)->message);
}

/* `countdown` has to live as long as the trial. */
static bool open_trial(trial *t, int threads, failing *countdown) {
    heddle_context_options options;
    memset(t, 0, sizeof *t);
    heddle_context_options_init(&options);
    options.threads = threads;
    options.allocator = (heddle_allocator){allocate, release, countdown};
    return heddle_context_create(&options, &t->context) == HEDDLE_OK;
}

static void forget_graph(trial *t) {
    heddle_result_destroy(&t->result);
    heddle_graph_destroy(&t->graph);
    heddle_graph_destroy(&t->lender[1]);
    heddle_graph_destroy(&t->lender[0]);
}

static void close_trial(trial *t) {
    forget_graph(t);
    heddle_context_destroy(&t->context);
}

static void run_first(trial *t, const cli_case *c) {
    heddle_status status = build(t, &c->graph);
    note_status(t, status != HEDDLE_OK ? status : heddle_run(t->context, t->graph, &c->run, &t->result));
}

/* A run that leaves checkpoints, of at most `rounds` rounds if that is not 0. */
static heddle_status run_with_checkpoints(trial *t, const second_run *second, uint64_t rounds) {
    heddle_run_options run = second->run;
    run.checkpoint = second->checkpoint;
    run.checkpoint_every = 1;
    run.max_iterations = rounds ? rounds : run.max_iterations;
    heddle_result_destroy(&t->result);
    return heddle_run(t->context, t->graph, &run, &t->result);
}

/* State that a run leaves in its context must not affect the next: another algorithm, or the same with another plan. */
static void run_before(trial *t, const second_run *second) {
    heddle_run_options run = second->run, other;
    heddle_run_options_init(&other);
    other.algorithm = second->warm & 2 ? "cc" : "pr";
    other.device = run.device;
    run.plan = second->warm & 2 ? "order=bfs" : "ws";
    heddle_run(t->context, t->graph, second->warm & 1 ? &run : &other, &t->result);
    heddle_result_destroy(&t->result);
}

static void run_once(trial *t, const second_run *second) {
    heddle_run_options run = second->run;
    forget_graph(t);
    heddle_status status = build(t, &second->graph);
    if (status == HEDDLE_OK && second->file)
        status = pass_through(t, second);
    for (int i = 0; status == HEDDLE_OK && second->twice && i < 2; i++)
        status = transpose(t, &t->lender[i]);
    if (status == HEDDLE_OK && second->warm)
        run_before(t, second);
    if (status == HEDDLE_OK && second->checkpoint) {
        status = run_with_checkpoints(t, second, second->interrupt_after);
        if (status == HEDDLE_OK && heddle_result_report(t->result)->converged) { /* nothing is left to resume */
            note_status(t, status);
            return;
        }
        heddle_result_destroy(&t->result);
        run.checkpoint = second->checkpoint;
        run.resume = 1;
    }
    note_status(t, status != HEDDLE_OK ? status : heddle_run(t->context, t->graph, &run, &t->result));
}

/* With a limit: the least that is enough, of its doubles. */
static void run_second(trial *t, second_run *second) {
    run_once(t, second);
    for (; t->status == HEDDLE_E_MEMORY && second->run.memory_limit && second->run.memory_limit < MOST_MEMORY;
         run_once(t, second))
        second->run.memory_limit *= 2;
}

/* A legitimate refusal: the options are valid, but not for this algorithm, graph or plan. */
static bool is_refusal(heddle_status status) {
    return status == HEDDLE_E_REFUSED || status == HEDDLE_E_WEIGHT || status == HEDDLE_E_SOURCE ||
           status == HEDDLE_E_UNSUPPORTED;
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

bool cli_near(double a, double b, double room) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= room * fmax(1, fmax(fabs(a), fabs(b)));
}

double cli_room_for(const cli_algorithm *algorithm, const heddle_graph *graph) {
    if (!algorithm || (algorithm->room_by_weights && heddle_graph_weight_type(graph) != HEDDLE_WEIGHT_F32))
        return 0;
    return algorithm->room;
}

static size_t bytes_of(heddle_value_type type) {
    return type == HEDDLE_VALUE_U64 || type == HEDDLE_VALUE_F64 || type == HEDDLE_VALUE_I64 ? 8 : 4;
}

/* Figures of the reports about the values. */
static bool same_figures(const heddle_result *a, const heddle_result *b, char *words, size_t size) {
    const heddle_report *x = heddle_result_report(a), *y = heddle_result_report(b);
    for (uint32_t i = 0; i < x->figure_count || i < y->figure_count; i++) {
        const char *name = i < x->figure_count ? x->figures[i].name : y->figures[i].name;
        const char *first = heddle_result_figure_text(a, i), *second = heddle_result_figure_text(b, i);
        if (i < x->figure_count && i < y->figure_count && !strcmp(name, y->figures[i].name) && !strcmp(first, second))
            continue;
        snprintf(words, size, "%s: %s in the first run, %s in the second", name, first ? first : "none",
                 second ? second : "none");
        return false;
    }
    return true;
}

/* Figures that the reference has, too; how many rounds led there, and what was left, depends on the way. */
static bool near_figures(const heddle_result *expected, const heddle_result *found, double room, char *words,
                         size_t size) {
    const heddle_report *x = heddle_result_report(expected), *y = heddle_result_report(found);
    for (uint32_t i = 0; i < x->figure_count; i++)
        for (uint32_t k = 0; k < y->figure_count; k++) {
            const heddle_figure *right = &x->figures[i], *shown = &y->figures[k];
            if (strcmp(right->name, shown->name) != 0 || !strcmp(right->name, "residual") ||
                cli_near(right->value, shown->value, room))
                continue;
            snprintf(words, size, "%s: expected %.17g, found %.17g", right->name, right->value, shown->value);
            return false;
        }
    return true;
}

static bool same_bits(const heddle_result *a, const heddle_result *b, char *words, size_t size) {
    const heddle_values *x = heddle_result_values(a), *y = heddle_result_values(b);
    const heddle_forest *f = heddle_result_forest(a), *g = heddle_result_forest(b);
    const heddle_vertex *p = heddle_result_parents(a), *q = heddle_result_parents(b);
    bool same = x->type == y->type && x->count == y->count && x->columns == y->columns && f->edges == g->edges;
    if (same && x->count)
        same = !memcmp(x->data, y->data, x->count * x->columns * bytes_of(x->type));
    if (same && f->edges)
        same = !memcmp(f->ends, g->ends, 2 * f->edges * sizeof *f->ends);
    if (same && p && q && x->count)
        same = !memcmp(p, q, x->count * sizeof *p);
    for (uint64_t v = 0; !same && v < x->count && v < y->count; v++) {
        double first = heddle_result_value(a, (heddle_vertex)v), second = heddle_result_value(b, (heddle_vertex)v);
        if (first != second && !(isnan(first) && isnan(second))) {
            snprintf(words, size, "vertex %llu: %.17g in the first run, %.17g in the second", (unsigned long long)v,
                     first, second);
            return false;
        }
    }
    if (!same)
        snprintf(words, size, "the two runs differ");
    return same && same_figures(a, b, words, size);
}

/* Labels: two vertices are in one group in both results, or in neither. */
static bool same_groups(const heddle_result *a, const heddle_result *b, const heddle_vertex *map, uint64_t n,
                        char *words, size_t size) {
    for (uint64_t v = 0; v < n; v++) {
        heddle_vertex head = (heddle_vertex)heddle_result_value(a, (heddle_vertex)v);
        double here = heddle_result_value(b, map[v]), there = heddle_result_value(b, map[head]);
        heddle_vertex back = (heddle_vertex)here; /* the head of v's group in the second run */
        bool first_of_group = true;
        for (uint64_t u = 0; u < n; u++)
            if (map[u] == back)
                first_of_group = heddle_result_value(a, (heddle_vertex)u) == head;
        if (here != there || !first_of_group) {
            snprintf(words, size, "vertex %llu is in other groups of the two runs", (unsigned long long)v);
            return false;
        }
    }
    return true;
}

static bool same_values(const trial *a, const trial *b, const second_run *second, uint64_t n, double room, char *words,
                        size_t size) {
    if (second->renamed && heddle_result_values(a->result)->labels)
        return same_groups(a->result, b->result, second->map, n, words, size);
    for (uint64_t v = 0; v < n; v++) {
        double first = heddle_result_value(a->result, (heddle_vertex)v) * second->factor;
        double other = heddle_result_value(b->result, second->map[v]);
        if (second->built_in && other < 0) /* programs have widths from 0 */
            other = 0;
        if (!cli_near(first, other, room)) {
            snprintf(words, size, "vertex %llu: expected %.17g, found %.17g as vertex %llu", (unsigned long long)v,
                     first, other, (unsigned long long)second->map[v]);
            return false;
        }
    }
    return true;
}

static double weight_at(const heddle_forest *forest, uint64_t edge) {
    char text[64];
    heddle_forest_weight_text(forest, edge, text, sizeof text);
    return strtod(text, NULL);
}

/* Of several lightest forests any may be found; their weights are equal. */
static bool same_forest(const trial *a, const trial *b, const second_run *second, double room, char *words,
                        size_t size) {
    const heddle_forest *f = heddle_result_forest(a->result), *g = heddle_result_forest(b->result);
    double first = 0, other = 0;
    for (uint64_t i = 0; i < f->edges; i++)
        first += weight_at(f, i);
    for (uint64_t i = 0; i < g->edges; i++)
        other += weight_at(g, i);
    if (f->edges == g->edges && cli_near(first * second->factor, other, room > 0 ? room : 1e-12))
        return true;
    snprintf(words, size, "forests of %llu edges and weight %.17g, and of %llu edges and weight %.17g",
             (unsigned long long)f->edges, first, (unsigned long long)g->edges, other);
    return false;
}

static unsigned holds_of(const cli_case *c) {
    return c->algorithm ? c->algorithm->holds : c->run.program ? cli_program_holds(&c->program) : 0;
}

/* ---- Relations -------------------------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t below) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (*state >> 33) % below;
}

static bool same_again(const cli_case *c, second_run *s) {
    (void)c;
    s->exact = true;
    return true;
}

static bool other_threads(const cli_case *c, second_run *s) {
    s->threads = 1 + 2 * (int)(c->salt % 2); /* 1 or 3 */
    s->exact = true;
    return true;
}

static bool renamed(const cli_case *c, second_run *s) {
    uint64_t state = c->salt, n = c->graph.vertices;
    s->renamed = true;
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = draw(&state, i);
        heddle_vertex swap = s->map[i - 1];
        s->map[i - 1] = s->map[j];
        s->map[j] = swap;
    }
    for (uint64_t i = 0; i < c->graph.arcs; i++) {
        s->graph.from[i] = s->map[c->graph.from[i]];
        s->graph.to[i] = s->map[c->graph.to[i]];
    }
    for (uint64_t v = 0; v < n; v++) {
        s->initial[s->map[v]] = c->initial[v];
        s->fixed[s->map[v]] = c->fixed[v];
    }
    s->run.initial = c->run.initial ? s->initial : NULL;
    s->run.fixed = c->run.fixed ? s->fixed : NULL;
    s->run.personalization = c->run.personalization ? s->initial : NULL;
    for (uint64_t i = 0; i < c->run.source_count; i++)
        s->sources[i] = s->map[c->sources[i]];
    for (uint64_t i = 0; i < 2 * c->run.pair_count; i++)
        s->pairs[i] = s->map[c->pairs[i]];
    /* Without sources, the vertex of largest degree is one: of several the smallest, which may be another now. */
    return n && (c->run.source_count || !(holds_of(c) & CLI_HOLDS_GIVEN));
}

static bool isolated_added(const cli_case *c, second_run *s) {
    s->graph.vertices += 1 + c->salt % 5;
    return c->graph.vertices && !c->run.normalized;
}

static bool shuffled(const cli_case *c, second_run *s) {
    uint64_t state = c->salt;
    for (uint64_t i = c->graph.arcs; i > 1; i--) {
        uint64_t j = draw(&state, i);
        int64_t from = s->graph.from[i - 1], to = s->graph.to[i - 1];
        double weight = s->graph.weight[i - 1];
        s->graph.from[i - 1] = s->graph.from[j], s->graph.to[i - 1] = s->graph.to[j];
        s->graph.weight[i - 1] = s->graph.weight[j];
        s->graph.from[j] = from, s->graph.to[j] = to, s->graph.weight[j] = weight;
    }
    return c->graph.arcs > 1;
}

/* Programs have the trait REVERSED, which is then there if it was not. */
static bool reversed(const cli_case *c, second_run *s) {
    for (uint64_t i = 0; i < c->graph.arcs; i++) {
        s->graph.from[i] = c->graph.to[i];
        s->graph.to[i] = c->graph.from[i];
    }
    if (!c->graph.arcs || c->graph.undirected)
        return false;
    if (c->run.program) {
        s->program.reversed = !c->program.reversed;
        cli_program_write(&s->program);
        return c->run.source_count;
    }
    s->run.reversed = holds_of(c) & CLI_HOLDS_OPTION_REVERSED ? !c->run.reversed : 0;
    return !(c->run.source_count && !s->run.reversed && !c->run.reversed);
}

static bool transposed_twice(const cli_case *c, second_run *s) {
    s->twice = true;
    return c->graph.arcs;
}

/* By powers of two, which round nothing, or whole numbers by others, too. */
static bool scaled(const cli_case *c, second_run *s) {
    bool real = c->graph.type == HEDDLE_WEIGHT_F32 || c->graph.type == HEDDLE_WEIGHT_F64;
    double factor = real ? ldexp(1, (int)(c->salt % 9) - 4) : (double)(2 + c->salt % 4);
    for (uint64_t i = 0; i < c->graph.arcs; i++)
        s->graph.weight[i] = factor * c->graph.weight[i];
    s->run.delta = factor * c->run.delta;
    s->factor = holds_of(c) & CLI_HOLDS_TIMES ? factor : 1;
    return c->graph.type != HEDDLE_WEIGHT_NONE;
}

/* An edge becomes two, with a vertex between them: the first has its weight, the other weighs nothing, or for widths
 * as much. */
static bool edge_split(const cli_case *c, second_run *s) {
    cli_case_graph *graph = &s->graph;
    if (!c->graph.arcs || c->graph.arcs == CLI_CASE_MOST_ARCS || c->graph.type == HEDDLE_WEIGHT_NONE ||
        c->graph.vertices == CLI_CASE_MOST_VERTICES)
        return false;
    uint64_t edge = c->salt % c->graph.arcs, last = graph->arcs++;
    graph->from[last] = (int64_t)graph->vertices++;
    graph->to[last] = graph->to[edge];
    graph->weight[last] = c->algorithm && c->algorithm->widest ? graph->weight[edge] : 0;
    graph->to[edge] = graph->from[last];
    /* An undirected edge of weight 0 would be walked for nothing in the other direction, too: that is right. Without
     * sources the vertex of largest degree is one, and the new vertex has two edges. */
    return c->run.source_count;
}

static bool in_parts(const cli_case *c, second_run *s) {
    static const char *const exchanges[] = {"exchange=all", "exchange=ms", "exchange=vr"};
    bool three = c->salt % 2, cpu = !strcmp(c->device, "cpu");
    if (cpu)
        snprintf(s->device, sizeof s->device, "%s", three ? "cpu,cpu,cpu" : "cpu,cpu");
    else
        snprintf(s->device, sizeof s->device, "%.12s:0,%s", c->device, three ? "cpu" : "0");
    snprintf(s->plan, sizeof s->plan, "%s", exchanges[c->salt / 2 % 3]);
    if (c->salt / 8 % 4 == 0) /* what the algorithm does by itself on parts */
        snprintf(s->plan, sizeof s->plan, "auto");
    return cpu || !strchr(c->device, ':');
}

/* Edges in the host's memory, or passing through the device's. */
static bool other_residency(const cli_case *c, second_run *s) {
    static const char *const plans[] = {"residency=host", "residency=mixed", "residency=stream",
                                        "residency=stream,stream.partitions=3",
                                        "residency=stream,stream.packed=yes,stream.partitions=4"};
    snprintf(s->plan, sizeof s->plan, "%s", plans[c->salt % 5]);
    return strcmp(c->device, "cpu") != 0;
}

static bool other_plan(const cli_case *c, second_run *s) {
    snprintf(s->plan, sizeof s->plan, "auto");
    return strcmp(c->plan, "auto") != 0;
}

static bool through_file(const cli_case *c, second_run *s) {
    s->file = "graph.hdl";
    s->in_edges = c->salt / 4 % 2, s->packed = c->salt / 8 % 2;
    s->exact = true;
    return c->graph.vertices > 0;
}

static bool from_disk(const cli_case *c, second_run *s) {
    s->file = "graph.hdl";
    s->in_edges = c->salt / 32 % 4; /* without them much is refused */
    snprintf(s->plan, sizeof s->plan, "residency=disk");
    if (c->salt % 4) /* edges that have to be read in every round, some or all */
        s->run.memory_limit = (8 + c->salt / 4 % 8) << 10;
    return c->graph.vertices > 0 && !strcmp(c->device, "cpu");
}

static bool resumed(const cli_case *c, second_run *s) {
    s->checkpoint = "checkpoint";
    s->interrupt_after = 1 + c->salt % 4;
    s->exact = true;
    return !c->run.max_iterations || s->interrupt_after < c->run.max_iterations;
}

static bool short_of_memory(const cli_case *c, second_run *s) {
    s->fail_at = 1 + c->salt % 300;
    s->exact = true;
    return true;
}

static bool cancelled(const cli_case *c, second_run *s) {
    s->cancels = true;
    return short_of_memory(c, s);
}

static bool after_another(const cli_case *c, second_run *s) {
    s->warm = 4 + (unsigned)(c->salt % 4);
    s->exact = true;
    return true;
}

/* No loops and no edge twice; of few edges. */
static bool is_simple(const cli_case_graph *graph) {
    for (uint64_t i = 0; i < graph->arcs && graph->arcs <= CLI_CASE_ARCS; i++) {
        int64_t a = graph->from[i], b = graph->to[i];
        if (a == b)
            return false;
        for (uint64_t j = 0; j < i; j++)
            if ((graph->from[j] == a && graph->to[j] == b) || (graph->from[j] == b && graph->to[j] == a))
                return false;
    }
    return graph->arcs <= CLI_CASE_ARCS;
}

/* The algorithm that the program is. */
static bool built_in(const cli_case *c, second_run *s) {
    const char *name = c->run.program ? cli_program_built_in(&c->program) : NULL;
    heddle_run_options *run = &s->run;
    if (!name || (!c->graph.undirected && (!strcmp(name, "cc") || !strcmp(name, "kcore"))))
        return false;
    if (!strcmp(name, "kcore") &&
        !is_simple(&c->graph)) /* the program counts loops, and edges as often as they occur */
        return false;
    s->built_in = true;
    run->initial = NULL, run->fixed = NULL;
    run->algorithm = name;
    run->program = run->program_text = NULL;
    if (!strcmp(name, "pr")) {
        run->source_count = 0;
        run->tolerance = 1e-7;
        run->precision = HEDDLE_PRECISION_DOUBLE;
        run->max_iterations = 400;
    }
    return true;
}

static const relation relations[] = {
    {"same", 0, same_again},
    {"threads", 0, other_threads},
    {"renamed", CLI_HOLDS_RENAMED, renamed},
    {"isolated", CLI_HOLDS_ISOLATED, isolated_added},
    {"shuffled", 0, shuffled},
    {"reversed", CLI_HOLDS_REVERSED, reversed},
    {"scaled", CLI_HOLDS_DOUBLED, scaled},
    {"split", CLI_HOLDS_SPLIT, edge_split},
    {"parts", 0, in_parts},
    {"plan", 0, other_plan},
    {"file", 0, through_file},
    {"disk", 0, from_disk},
    {"resumed", 0, resumed},
    {"memory", 0, short_of_memory},
    {"twice", 0, transposed_twice},
    {"residency", 0, other_residency},
    {"cancelled", 0, cancelled},
    {"after", 0, after_another},
    {"built-in", 0, built_in},
};

const char *cli_case_relation_name(size_t index) {
    return index < sizeof relations / sizeof *relations ? relations[index].name : NULL;
}

static void start_second(const cli_case *c, second_run *s) {
    const cli_case_graph *graph = &c->graph;
    memset((char *)s + offsetof(second_run, run), 0, sizeof *s - offsetof(second_run, run));
    s->graph.vertices = graph->vertices, s->graph.arcs = graph->arcs;
    s->graph.undirected = graph->undirected, s->graph.type = graph->type;
    memcpy(s->graph.from, graph->from, graph->arcs * sizeof *graph->from);
    memcpy(s->graph.to, graph->to, graph->arcs * sizeof *graph->to);
    memcpy(s->graph.weight, graph->weight, graph->arcs * sizeof *graph->weight);
    s->run = c->run;
    for (uint64_t v = 0; v < c->graph.vertices; v++)
        s->map[v] = (heddle_vertex)v;
    memcpy(s->sources, c->sources, sizeof s->sources);
    memcpy(s->pairs, c->pairs, sizeof s->pairs);
    memcpy(s->device, c->device, sizeof s->device);
    memcpy(s->plan, c->plan, sizeof c->plan);
    s->run.sources = c->run.sources ? s->sources : NULL;
    s->run.pairs = c->run.pairs ? s->pairs : NULL;
    s->program = c->program;
    s->run.program_text = c->run.program ? s->program.text : NULL;
    s->run.device = s->device;
    s->run.plan = s->plan;
    s->threads = usual_threads;
    s->factor = 1;
}

/* ---- Checking --------------------------------------------------------------------------------------------------- */

static cli_case_outcome failed(char *words, size_t size, const char *what, const char *message) {
    snprintf(words, size, "%s: %s", what, message);
    return CLI_CASE_FAILED;
}

/* Certificate and reference. */
static cli_case_outcome check_first(trial *t, const cli_case *c, second_run *same, double room, char *words,
                                    size_t size) {
    const heddle_report *report = heddle_result_report(t->result);
    trial expected = {.context = t->context, .graph = t->graph};
    char message[512];
    heddle_status status = report->converged ? heddle_verify(t->context, t->graph, &c->run, t->result) : HEDDLE_OK;
    if (status != HEDDLE_OK && !is_refusal(status)) {
        note_status(t, status);
        return failed(words, size, "certificate", t->message);
    }
    if (c->run.program && !cli_program_agrees(&c->program, t->context, t->graph, &c->run, t->result, words, size))
        return CLI_CASE_FAILED;
    if (room < 0 || report->approximate || c->run.samples || !report->converged)
        return CLI_CASE_PASSED;
    note_status(&expected, heddle_run_reference(t->context, t->graph, &c->run, &expected.result));
    cli_case_outcome outcome = CLI_CASE_PASSED;
    start_second(c, same);
    if (expected.status != HEDDLE_OK && !is_refusal(expected.status))
        outcome = failed(words, size, "reference", expected.message);
    else if (expected.status == HEDDLE_OK && heddle_result_report(expected.result)->converged &&
             !(same_values(&expected, t, same, heddle_result_values(expected.result)->count ? c->graph.vertices : 0,
                           room, message, sizeof message) &&
               same_forest(&expected, t, same, room, message, sizeof message) &&
               near_figures(expected.result, t->result, room, message, sizeof message)))
        outcome = failed(words, size, "reference", message);
    heddle_result_destroy(&expected.result);
    return outcome;
}

static bool rows_equal(trial *a, trial *b) {
    heddle_adjacency x, y;
    uint64_t n = heddle_graph_vertices(a->graph), m = heddle_graph_edges(a->graph);
    size_t width = heddle_graph_weight_type(a->graph) >= HEDDLE_WEIGHT_I64 ? 8 : 4;
    return n == heddle_graph_vertices(b->graph) && m == heddle_graph_edges(b->graph) &&
           heddle_graph_out(a->context, a->graph, &x) == HEDDLE_OK &&
           heddle_graph_out(b->context, b->graph, &y) == HEDDLE_OK &&
           !memcmp(x.offsets, y.offsets, (n + 1) * sizeof *x.offsets) &&
           (!m || !memcmp(x.targets, y.targets, m * sizeof *x.targets)) &&
           (!m || !x.weights || !memcmp(x.weights, y.weights, m * width));
}

static cli_case_outcome compare(trial *a, trial *b, const cli_case *c, second_run *second, double room, char *words,
                                size_t size) {
    char message[512];
    bool values = heddle_result_values(a->result)->count != 0;
    /* Edges in another order that make the same graph make the same bits; parallel edges of different weights are
     * added in another order. */
    if (relations[c->relation].apply == shuffled || second->twice)
        second->exact = rows_equal(a, b);
    if (second->twice && !second->exact && heddle_graph_weight_type(a->graph) == HEDDLE_WEIGHT_NONE)
        return failed(words, size, relations[c->relation].name, "the rows differ");
    if (c->program.mixed) /* threads see each other's new values sooner or later */
        second->exact = false;
    if (second->exact && !same_bits(a->result, b->result, message, sizeof message))
        return failed(words, size, relations[c->relation].name, message);
    if (second->exact || room < 0 || c->run.samples || !heddle_result_report(a->result)->converged ||
        !heddle_result_report(b->result)->converged || heddle_result_report(a->result)->approximate ||
        heddle_result_report(b->result)->approximate)
        return CLI_CASE_PASSED;
    if (!same_values(a, b, second, values ? c->graph.vertices : 0, 2 * room, message, sizeof message) ||
        !same_forest(a, b, second, 2 * room, message, sizeof message))
        return failed(words, size, relations[c->relation].name, message);
    return CLI_CASE_PASSED;
}

/* The graph goes through a file, or checkpoints into a folder. */
static void name_files(second_run *s, const char *folder) {
    if (s->file)
        s->file = (snprintf(s->paths[0], sizeof s->paths[0], "%s/graph.hdl", folder), s->paths[0]);
    if (s->checkpoint)
        s->checkpoint = (snprintf(s->paths[1], sizeof s->paths[1], "%s/checkpoint", folder), s->paths[1]);
}

static void remove_files(const second_run *s) {
    char file[280];
    if (s->file)
        unlink(s->file);
    if (s->checkpoint) {
        snprintf(file, sizeof file, "%s/checkpoint", s->checkpoint);
        unlink(file);
        rmdir(s->checkpoint);
    }
}

static cli_case_outcome judge_second(trial *first, trial *other, const cli_case *c, second_run *second, double room,
                                     char *words, size_t size) {
    const char *relation = relations[c->relation].name;
    if (other->status == HEDDLE_OK &&
        second->checkpoint) /* such runs are of the vertex program: so is the first, then */
        note_status(first, run_with_checkpoints(first, second, 0));
    if (first->status != HEDDLE_OK)
        return failed(words, size, relation, first->message);
    if (other->status == HEDDLE_OK)
        return compare(first, other, c, second, room, words, size);
    bool refused = is_refusal(other->status) || (second->run.memory_limit && other->status == HEDDLE_E_MEMORY);
    return refused ? CLI_CASE_PASSED : failed(words, size, relation, other->message);
}

/* Where the relation that was drawn does not hold, the next that does takes its place; the first always holds. */
static void settle_relation(cli_case *c, second_run *second) {
    const relation *one;
    do {
        one = &relations[c->relation];
        c->relation = (c->relation + 1) % (sizeof relations / sizeof *relations);
        start_second(c, second);
    } while ((one->holds && !(holds_of(c) & one->holds)) || !one->apply(c, second));
    c->relation = (unsigned)(one - relations);
}

static cli_case_outcome check_second(trial *first, cli_case *c, second_run *second, double room, const char *folder,
                                     char *words, size_t size) {
    trial other;
    settle_relation(c, second);
    name_files(second, folder);
    failing countdown = {.left = second->fail_at};
    if (!open_trial(&other, second->threads, &countdown))
        return second->fail_at ? CLI_CASE_PASSED : failed(words, size, "context", "it could not be created");
    countdown.cancelled = second->cancels ? other.context : NULL;
    run_second(&other, second);
    if (second->fail_at && (other.status == HEDDLE_E_MEMORY || other.status == HEDDLE_E_CANCELLED)) {
        countdown.left = 0; /* a context is as good as new afterwards */
        run_second(&other, second);
    }
    cli_case_outcome outcome = judge_second(first, &other, c, second, room, words, size);
    close_trial(&other);
    remove_files(second);
    return outcome;
}

cli_case_outcome cli_case_check(cli_case *the_case, const char *folder, char *words, size_t size) {
    failing never = {0};
    trial first;
    words[0] = '\0';
    second_run *second = calloc(1, sizeof *second); /* too large for a stack */
    if (!second || !open_trial(&first, usual_threads, &never)) {
        free(second);
        return failed(words, size, "context", "it could not be created");
    }
    run_first(&first, the_case);
    cli_case_outcome outcome = CLI_CASE_FAILED;
    if (is_refusal(first.status)) {
        snprintf(words, size, "%s", first.message);
        outcome = CLI_CASE_REFUSED;
    } else if (first.status != HEDDLE_OK) {
        failed(words, size, "run", first.message);
    } else {
        double room = the_case->run.program ? cli_program_room(&the_case->program)
                                            : cli_room_for(the_case->algorithm, first.graph);
        outcome = check_first(&first, the_case, second, room, words, size);
        if (outcome == CLI_CASE_PASSED)
            outcome = check_second(&first, the_case, second, room, folder, words, size);
    }
    close_trial(&first);
    free(second);
    return outcome;
}
