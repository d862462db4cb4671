/* selftest_case.c - how bytes are read as a case. */
#include "selftest/selftest_case.h"

#include <limits.h>
#include <string.h>

/* The bytes of a case, one after the other; 0 past the last. */
typedef struct byte_reader {
    const uint8_t *bytes;
    size_t left;
} byte_reader;

static unsigned next_byte(byte_reader *r) {
    if (!r->left)
        return 0;
    r->left--;
    return *r->bytes++;
}

/* One of `count` values, from 0; a case that is all zeros has the first of each. */
static unsigned choose(byte_reader *r, unsigned count) { return next_byte(r) % count; }

/* SplitMix64: a well mixed function of a counter. */
static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/* ---- The graph ------------------------------------------------------------------------------------------------- */

typedef enum case_shape { LISTED, UNIFORM, SKEWED, STAR, PATH, GRID, CLIQUES, SHAPES, LAYERS } case_shape;

/* Arc i of a graph that follows a rule. */
static void rule_arc(case_shape shape, uint64_t i, uint64_t n, uint64_t salt, int64_t *from, int64_t *to) {
    uint64_t r = mix(salt + i), a = r % n, b = (r >> 32) % n, side = n < 25 ? 5 : n / 5;
    switch (shape) {
    case SKEWED: a = a * a / n * a / n, b = b * b / n; break;
    case STAR: a = 0, b = i % n; break;
    case PATH: a = i % n, b = (i + 1) % n; break;
    case GRID: a = i / 2 % n, b = (a + (i & 1 ? side : 1)) % n; break;
    case CLIQUES: a = a / 8 * 8 + (r >> 20) % 8, b = a / 8 * 8 + (r >> 40) % 8, a %= n, b %= n; break;
    case LAYERS: a = i / 9 * 3 + i % 3, b = i / 9 * 3 + 3 + i / 3 % 3; break;
    default: break;
    }
    *from = (int64_t)a, *to = (int64_t)b;
}

/* A weight that its type holds exactly: with zeros, and for signed types some below 0 if `negative`. */
static double weight_of(heddle_weight_type type, unsigned byte, bool negative) {
    double whole = negative ? (double)byte - 32 : byte;
    switch (type) {
    case HEDDLE_WEIGHT_I32: return whole;
    case HEDDLE_WEIGHT_F32: return whole / 4;
    case HEDDLE_WEIGHT_I64: return whole * 8589934592.0;
    case HEDDLE_WEIGHT_F64: return whole * 0.1;
    default: return byte;
    }
}

/* Large enough for several threads, spans and pieces, and with paths of few edges. */
static case_shape enlarge(cli_case_graph *graph, case_shape shape) {
    graph->vertices *= CLI_CASE_LARGE;
    graph->arcs *= CLI_CASE_LARGE;
    return shape == PATH || shape == GRID ? UNIFORM : shape;
}

/* Layers of three vertices with all arcs from each to the next: the shortest paths are more than a double can count. */
static case_shape stack_layers(cli_case_graph *graph) {
    graph->vertices = 4 * CLI_CASE_VERTICES;
    graph->arcs = 3 * (graph->vertices - 3);
    return LAYERS;
}

/* `first_large`: the byte from which on the graph is a large one. */
static void decode_graph(byte_reader *r, cli_case_graph *graph, unsigned first_large, bool may_be_huge) {
    case_shape shape = (case_shape)choose(r, SHAPES);
    unsigned kind = next_byte(r);
    bool negative = kind / 12 % 8 == 1;
    graph->undirected = kind & 1;
    graph->type = (heddle_weight_type)(kind / 2 % 6);
    if (shape == LISTED) {
        graph->vertices = choose(r, 41);
        graph->arcs = graph->vertices ? choose(r, 121) : 0;
        for (uint64_t i = 0; i < graph->arcs; i++) {
            graph->from[i] = (int64_t)(next_byte(r) % graph->vertices);
            graph->to[i] = (int64_t)(next_byte(r) % graph->vertices);
            graph->weight[i] = weight_of(graph->type, next_byte(r), negative);
        }
        return;
    }
    graph->vertices = 1 + (next_byte(r) + 256 * choose(r, 3)) % CLI_CASE_VERTICES;
    graph->arcs = (next_byte(r) * 16 + next_byte(r)) % CLI_CASE_ARCS;
    uint64_t salt = mix(next_byte(r));
    unsigned bits = next_byte(r); /* of a weight: few bits make many ties */
    if (next_byte(r) >= first_large)
        shape = may_be_huge ? enlarge(graph, shape) : stack_layers(graph);
    for (uint64_t i = 0; i < graph->arcs; i++) {
        rule_arc(shape, i, graph->vertices, salt, &graph->from[i], &graph->to[i]);
        graph->weight[i] = weight_of(graph->type, (unsigned)mix(salt ^ ~i) & bits, negative);
    }
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static bool reads_option(const cli_case *c, const char *word) {
    const heddle_algorithm_info *info;
    size_t length = strlen(word);
    for (size_t i = 0; (info = heddle_algorithm_at(i)); i++)
        if (!strcmp(info->name, c->run.algorithm))
            for (const char *at = info->options; (at = strstr(at, word)); at += length)
                if ((at == info->options || at[-1] == ' ') && (!at[length] || at[length] == ' '))
                    return true;
    return false;
}

/* The graph is not known yet: bound_sources makes vertices of the bytes. */
static void decode_sources(byte_reader *r, cli_case *c) {
    c->run.source_count = reads_option(c, "sources") ? choose(r, CLI_CASE_SOURCES + 1) : 0;
    for (uint64_t i = 0; i < c->run.source_count; i++)
        c->sources[i] = next_byte(r);
    c->run.pair_count = reads_option(c, "pairs") ? choose(r, CLI_CASE_PAIRS + 1) : 0;
    for (uint64_t i = 0; i < 2 * c->run.pair_count; i++)
        c->pairs[i] = next_byte(r);
}

static void bound_sources(cli_case *c) {
    heddle_run_options *run = &c->run;
    uint64_t n = c->graph.vertices;
    run->pair_count = n > 1 ? run->pair_count : 0;
    run->source_count = n && !run->pair_count ? run->source_count : 0;
    run->each = run->source_count && (run->each || reads_option(c, "personalization")); /* pr: sources with each only */
    for (uint64_t i = 0; i < run->source_count; i++)
        c->sources[i] %= n;
    for (uint64_t i = 0; i < 2 * run->pair_count; i += 2) { /* two different vertices */
        c->pairs[i] %= n;
        c->pairs[i + 1] = (heddle_vertex)((c->pairs[i] + 1 + c->pairs[i + 1] % (n - 1)) % n);
    }
    run->sources = run->source_count ? c->sources : NULL;
    run->pairs = run->pair_count ? c->pairs : NULL;
    run->samples = run->source_count ? 0 : run->samples < n ? run->samples : n;
}

/* A flag or number that the algorithm reads takes a byte; others take none. */
static int flag_of(byte_reader *r, const cli_case *c, const char *word) {
    return reads_option(c, word) ? (int)choose(r, 2) : 0;
}

static double number_of(byte_reader *r, const cli_case *c, const char *word, double usual, double unit) {
    unsigned byte = reads_option(c, word) ? next_byte(r) : 0;
    return byte ? byte * unit : usual;
}

/* Values that vertices begin with and may keep; fill_given has them. */
static void decode_given(byte_reader *r, cli_case *c) {
    bool program = c->run.program != NULL;
    c->run.initial = (program || reads_option(c, "initial")) && choose(r, 2) ? c->initial : NULL;
    c->run.fixed = (program || reads_option(c, "fixed")) && choose(r, 2) ? c->fixed : NULL;
    bool personal = !program && !c->run.source_count && !strcmp(c->run.algorithm, "pr") && choose(r, 4) == 3;
    c->run.personalization = personal ? c->initial : NULL;
}

static void fill_given(cli_case *c) {
    if (!c->run.initial && !c->run.fixed && !c->run.personalization)
        return;
    for (uint64_t v = 0; v < c->graph.vertices + CLI_CASE_ISOLATED; v++) {
        uint64_t r = mix(c->salt + v);
        c->initial[v] = (double)(r % 11 + (v == 0)); /* not all are 0 */
        c->fixed[v] = (unsigned char)(r >> 32) % 4 == 3;
    }
}

static void decode_options(byte_reader *r, cli_case *c) {
    heddle_run_options *run = &c->run;
    decode_sources(r, c);
    run->parents = flag_of(r, c, "parents");
    run->each = run->parents ? 0 : flag_of(r, c, "each");
    run->weighted = flag_of(r, c, "weighted");
    run->normalized = flag_of(r, c, "normalized");
    run->reversed = flag_of(r, c, "reversed");
    run->reachable_only = flag_of(r, c, "reachable_only");
    run->hubs = flag_of(r, c, "hubs");
    run->damping = number_of(r, c, "damping", run->damping, 1 / 256.0);
    run->delta = number_of(r, c, "delta", 0, 1 / 16.0);
    run->rate = number_of(r, c, "rate", run->rate, 1 / 256.0);
    run->resolution = number_of(r, c, "resolution", run->resolution, 1 / 64.0);
    run->seed = (uint64_t)number_of(r, c, "seed", 1, 1);
    run->samples = reads_option(c, "samples") ? choose(r, 4) : 0;
    run->walks = (uint64_t)number_of(r, c, "walks", 2, 1 / 64.0 + 1);
    run->length = (uint64_t)number_of(r, c, "length", 5, 1 / 8.0 + 1);
    run->p = number_of(r, c, "p", 1, 1 / 32.0);
    run->q = number_of(r, c, "q", 1, 1 / 32.0);
    run->top = reads_option(c, "measure") ? 1 + choose(r, 12) : 0;
    run->measure = reads_option(c, "measure") ? (heddle_similarity)choose(r, 6) : run->measure;
    run->not_neighbours = flag_of(r, c, "not_neighbours");
    run->min_degree = reads_option(c, "min_degree") ? choose(r, 4) : 0;
    run->precision = reads_option(c, "precision") ? (heddle_precision)choose(r, 3) : HEDDLE_PRECISION_DEFAULT;
    run->max_iterations = reads_option(c, "max_iterations") && choose(r, 4) == 3 ? 1 + choose(r, 6) : 0;
    if (run->walks > 8)
        run->walks = 8;
    decode_given(r, c);
}

/* ---- Plan and device ------------------------------------------------------------------------------------------- */

static const char *const keyed_plans[] = {
    "order=degree",
    "order=bfs",
    "order=out",
    "transform=udt,K=3",
    "transform=star,K=2",
    "transform=circ,K=3",
    "transform=cliq,K=4",
    "sync=strict",
    "transform=rstar,K=2",
    "direction=push",
    "schedule=shard,window=gs",
    "direction=pull",
};

static void decode_plan(byte_reader *r, const char *device, cli_case *c) {
    enum { KEYED = sizeof keyed_plans / sizeof *keyed_plans };
    unsigned presets = 0, chosen = next_byte(r);
    while (heddle_plan_at(presets))
        presets++;
    chosen = chosen < 96 ? 0 : chosen % (presets + KEYED); /* more than a third: auto */
    snprintf(c->plan, sizeof c->plan, "%s", chosen < presets ? heddle_plan_at(chosen) : keyed_plans[chosen - presets]);
    snprintf(c->device, sizeof c->device, "%s", device);
    c->run.plan = c->plan;
    c->run.device = c->device;
}

/* Algorithms that search from every vertex, or compare all pairs, would take minutes. */
static bool may_be_huge(const cli_case *c) {
    return !c->algorithm || !(c->algorithm->from_all || reads_option(c, "samples") || reads_option(c, "measure"));
}

/* One graph in fifty is large; one in eight where that is cheap and small ones do not reach much of the code, and one
 * in three of those read from disk, where what is small stays in memory. */
static unsigned first_large(const cli_case *c, bool quick) {
    bool often =
        !strcmp(c->run.algorithm, "bc") || !strcmp(c->run.algorithm, "cc") || !strcmp(c->run.algorithm, "kcore");
    bool disk = !strcmp(cli_case_relation_name(c->relation), "disk");
    return quick ? UINT_MAX : disk ? 171 : often ? 224 : 251;
}

/* The program's own bytes, or one of so many. */
static void decode_program(byte_reader *r, unsigned programs, cli_case *c) {
    uint8_t bytes[CLI_PROGRAM_BYTES];
    uint64_t number = programs ? choose(r, programs) : 0;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = programs ? (uint8_t)(mix(64 * number + i) >> 56) : (uint8_t)next_byte(r);
    cli_program_decode(bytes, &c->program);
    c->run.program = "case.c";
    c->run.program_text = c->program.text;
}

/* Rounds end after a number of them; vertices of largest degree are others when edges are reversed. */
static void decode_program_options(byte_reader *r, cli_case *c) {
    const cli_program *p = &c->program;
    c->run.source_count = choose(r, CLI_CASE_SOURCES + 1);
    for (uint64_t i = 0; i < c->run.source_count; i++)
        c->sources[i] = next_byte(r);
    if (p->reversed && !c->run.source_count)
        c->run.source_count = 1;
    c->run.precision = (heddle_precision)choose(r, 3);
    decode_given(r, c);
    c->run.tolerance = p->kind == CLI_PROGRAM_SUMS ? 1e-6 : 0;
    c->run.max_iterations = p->kind == CLI_PROGRAM_ROUNDS && !p->done ? p->rounds : 0;
}

void cli_case_decode(const uint8_t *bytes, size_t size, const char *device, const char *algorithm, bool quick,
                     cli_case *found) {
    byte_reader reader = {bytes, size};
    enum { FIRST_PROGRAM = 224, QUICK_PROGRAMS = 32 }; /* an eighth of the cases: they take the longest */
    unsigned algorithms = 0, relations = 0;
    memset(&found->program, 0, sizeof found->program);
    while (heddle_algorithm_at(algorithms))
        algorithms++;
    while (cli_case_relation_name(relations))
        relations++;
    heddle_run_options_init(&found->run);
    unsigned chosen = next_byte(&reader);
    bool program = algorithm ? !strcmp(algorithm, "program") : chosen >= FIRST_PROGRAM;
    found->run.algorithm = algorithm ? algorithm : program ? "program" : heddle_algorithm_at(chosen % algorithms)->name;
    found->algorithm = cli_algorithm_called(found->run.algorithm);
    found->relation = choose(&reader, relations);
    found->salt = mix(next_byte(&reader));
    decode_plan(&reader, device, found);
    if (program) {
        decode_program(&reader, quick ? QUICK_PROGRAMS : 0, found);
        decode_program_options(&reader, found);
    } else {
        decode_options(&reader, found);
    }
    decode_graph(&reader, &found->graph, first_large(found, quick), may_be_huge(found));
    bound_sources(found);
    fill_given(found);
}

/* ---- In words -------------------------------------------------------------------------------------------------- */

/* The program's text, a line behind each "# ". */
static void describe_program(FILE *out, const char *text) {
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        fprintf(out, "# %.*s\n", (int)(end - line), line);
    }
}

static void describe_list(FILE *out, const char *word, const heddle_vertex *list, uint64_t count) {
    if (count)
        fprintf(out, "# %s", word);
    for (uint64_t i = 0; i < count; i++)
        fprintf(out, " %u", (unsigned)list[i]);
    if (count)
        putc('\n', out);
}

void cli_case_describe(FILE *out, const cli_case *c) {
    static const char *const types[] = {"none", "u32", "i32", "f32", "i64", "f64"};
    const heddle_run_options *run = &c->run;
    const cli_case_graph *graph = &c->graph;
    fprintf(out, "# %s, plan %s, device %s, relation %s\n", run->algorithm, run->plan, run->device,
            cli_case_relation_name(c->relation));
    fprintf(out, "# parents %d each %d weighted %d normalized %d reversed %d reachable_only %d hubs %d precision %d\n",
            run->parents, run->each, run->weighted, run->normalized, run->reversed, run->reachable_only, run->hubs,
            (int)run->precision);
    fprintf(out, "# damping %g delta %g rate %g resolution %g p %g q %g\n", run->damping, run->delta, run->rate,
            run->resolution, run->p, run->q);
    fprintf(out, "# seed %llu samples %llu walks %llu length %llu top %llu measure %d max_iterations %llu\n",
            (unsigned long long)run->seed, (unsigned long long)run->samples, (unsigned long long)run->walks,
            (unsigned long long)run->length, (unsigned long long)run->top, (int)run->measure,
            (unsigned long long)run->max_iterations);
    describe_program(out, c->program.text);
    for (uint64_t v = 0; v < graph->vertices && (run->initial || run->fixed || run->personalization); v++)
        fprintf(out, "# vertex %llu %s%g%s\n", (unsigned long long)v, run->personalization ? "weight " : "initial ",
                c->initial[v], run->fixed && c->fixed[v] ? " fixed" : "");
    describe_list(out, "sources", run->sources, run->source_count);
    describe_list(out, "pairs", run->pairs, 2 * run->pair_count);
    fprintf(out, "# %llu vertices, %llu edges, %s, weights %s\n", (unsigned long long)graph->vertices,
            (unsigned long long)graph->arcs, graph->undirected ? "undirected" : "directed", types[graph->type]);
    for (uint64_t i = 0; i < graph->arcs; i++) {
        fprintf(out, "%lld %lld", (long long)graph->from[i], (long long)graph->to[i]);
        if (graph->type != HEDDLE_WEIGHT_NONE)
            fprintf(out, " %.17g", graph->weight[i]);
        putc('\n', out);
    }
}
