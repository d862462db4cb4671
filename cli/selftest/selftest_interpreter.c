/* selftest_interpreter.c - the expected results of a random program: plain rounds over all edges, one after the other,
 * that interpret the program's choices. It shares neither code nor compiler with the engine. */
#include "selftest/selftest_case.h"
#include "selftest/selftest_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value: signed ones are never below 0. */
typedef struct number {
    uint64_t whole;
    double real;
} number;

typedef struct machine {
    const cli_program *program;
    const heddle_run_options *options;
    heddle_adjacency out;
    heddle_weight_type weight_type;
    cli_type type; /* with the size that `real` has in this run */
    bool real;
    uint64_t vertices, rounds, phase, phase_round;
    double total[2];
    uint64_t out_degree[CLI_CASE_MOST_VERTICES], in_degree[CLI_CASE_MOST_VERTICES];
    number value[CLI_CASE_MOST_VERTICES], before[CLI_CASE_MOST_VERTICES], message[CLI_CASE_MOST_VERTICES];
    uint64_t label[CLI_CASE_MOST_VERTICES]; /* of pairs */
    bool source[CLI_CASE_MOST_VERTICES];
} machine;

/* Inputs of a formula. */
typedef struct scene {
    number value, message;
    double weight;
    uint64_t from, to, vertex;
    bool updating;
} scene;

static double rounded(const machine *m, double x) { return m->type.bits == 32 ? (double)(float)x : x; }

static number number_of(const machine *m, double x) {
    uint64_t mask = m->type.bits == 32 ? 0xffffffffu : UINT64_MAX;
    return m->real ? (number){0, rounded(m, x)} : (number){(uint64_t)x & mask, 0};
}

static double initial_of(const machine *m, uint64_t v) { return m->options->initial ? m->options->initial[v] : 0; }

static number leaf(const machine *m, const scene *s, unsigned index) {
    switch (cli_leaf_known(m->program, s->updating, index) ? index : CLI_LEAF_ONE) {
    case CLI_LEAF_VALUE: return s->value;
    case CLI_LEAF_WEIGHT: return number_of(m, fmax(s->weight, 0));
    case CLI_LEAF_DEGREE: return number_of(m, (double)m->out_degree[s->from]);
    case CLI_LEAF_THREE: return number_of(m, 3);
    case CLI_LEAF_SEVEN: return number_of(m, 7);
    case CLI_LEAF_SOURCE: return number_of(m, (double)s->from);
    case CLI_LEAF_TARGET: return number_of(m, (double)s->to);
    case CLI_LEAF_VERTEX: return number_of(m, (double)s->vertex);
    case CLI_LEAF_MESSAGE: return m->real ? number_of(m, s->message.real) : s->message;
    case CLI_LEAF_IN_DEGREE: return number_of(m, (double)m->in_degree[s->vertex]);
    case CLI_LEAF_OUT_DEGREE: return number_of(m, (double)m->out_degree[s->vertex]);
    case CLI_LEAF_IS_SOURCE: return number_of(m, m->source[s->vertex]);
    case CLI_LEAF_INITIAL: return number_of(m, initial_of(m, s->vertex));
    case CLI_LEAF_FIXED: return number_of(m, m->options->fixed ? m->options->fixed[s->vertex] : 0);
    case CLI_LEAF_ITERATION: return number_of(m, (double)m->rounds);
    case CLI_LEAF_PARAMETER: return number_of(m, 5);
    case CLI_LEAF_VERTICES: return number_of(m, (double)m->vertices);
    case CLI_LEAF_TOTAL: return number_of(m, m->total[0]);
    case CLI_LEAF_PHASE: return number_of(m, (double)(m->phase + 2 * m->phase_round));
    default: return number_of(m, 1);
    }
}

static bool less(const machine *m, number a, number b) { return m->real ? a.real < b.real : a.whole < b.whole; }
static bool equal(const machine *m, number a, number b) { return m->real ? a.real == b.real : a.whole == b.whole; }

static number apply(const machine *m, unsigned operation, number a, number b) {
    uint64_t mask = m->type.bits == 32 ? 0xffffffffu : UINT64_MAX;
    if (m->real && operation < 2)
        return number_of(m, (operation ? rounded(m, a.real / 2) : a.real) + b.real);
    if (m->real)
        operation = operation == 2 ? CLI_OP_LESSER : CLI_OP_LARGER;
    switch (operation) {
    case CLI_OP_AND: return (number){a.whole & b.whole, 0};
    case CLI_OP_OR: return (number){a.whole | b.whole, 0};
    case CLI_OP_XOR: return (number){a.whole ^ b.whole, 0};
    case CLI_OP_LESSER: return less(m, a, b) ? a : b;
    case CLI_OP_LARGER: return less(m, b, a) ? a : b;
    case CLI_OP_PLUS: return (number){(a.whole + b.whole) & mask, 0};
    case CLI_OP_TIMES: return (number){(a.whole * b.whole) & mask, 0};
    default: return (number){(a.whole - b.whole) & mask, 0};
    }
}

static number formula(const machine *m, const scene *s, const cli_program_formula *f) {
    number result = leaf(m, s, f->steps[0].leaf);
    for (unsigned i = 1; i < f->count; i++)
        result = apply(m, f->steps[i].operation, result, leaf(m, s, f->steps[i].leaf));
    return result;
}

/* ---- Reducing --------------------------------------------------------------------------------------------------- */

static number worst(const machine *m) {
    bool most = m->program->reduce == CLI_REDUCE_MIN;
    if (m->program->reduce == CLI_REDUCE_AND)
        return (number){m->type.kind == CLI_KIND_SIGNED ? UINT64_MAX : m->type.most, 0};
    return most ? (number){m->type.most, INFINITY} : (number){0, 0};
}

/* Sums of real numbers are formed in double. */
static number reduced(const machine *m, number a, number b) {
    static const unsigned operations[] = {CLI_OP_LESSER, CLI_OP_LARGER, CLI_OP_OR, CLI_OP_AND, CLI_OP_PLUS, CLI_OP_XOR};
    unsigned reduce = m->program->reduce;
    if (m->real && reduce == CLI_REDUCE_SUM)
        return (number){0, a.real + b.real};
    if (reduce <= CLI_REDUCE_MAX)
        return (reduce == CLI_REDUCE_MIN) == less(m, b, a) ? b : a;
    return apply(m, operations[reduce], a, b);
}

/* An operation that keeps the order of values. */
static number moved(const machine *m, unsigned operation, number a, number b) {
    uint64_t mask = m->type.bits == 32 ? 0xffffffffu : UINT64_MAX;
    bool lower = m->program->reduce == CLI_REDUCE_MIN;
    if (operation == CLI_OP_SAME)
        return a;
    if (m->program->reduce >= CLI_REDUCE_OR) {
        if (operation == CLI_OP_FARTHER)
            return (number){(a.whole << 1 | a.whole >> (m->type.bits - 1)) & mask, 0};
        return (number){m->program->reduce == CLI_REDUCE_OR ? a.whole & b.whole : a.whole | b.whole, 0};
    }
    if (operation == CLI_OP_BOUND)
        return less(m, a, b) == lower ? b : a;
    if (m->real)
        return number_of(m, lower ? a.real + b.real : a.real > b.real ? a.real - b.real : 0);
    if (lower)
        return (number){a.whole > m->type.most - b.whole ? m->type.most : a.whole + b.whole, 0};
    return (number){a.whole > b.whole ? a.whole - b.whole : 0, 0};
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static double weight_at(const machine *m, uint64_t arc) {
    if (!m->out.weights)
        return 1;
    switch (m->weight_type) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)m->out.weights)[arc];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)m->out.weights)[arc];
    case HEDDLE_WEIGHT_F32: return (double)((const float *)m->out.weights)[arc];
    case HEDDLE_WEIGHT_I64: return (double)((const int64_t *)m->out.weights)[arc];
    default: return ((const double *)m->out.weights)[arc];
    }
}

/* In the type that the program declares. */
static double seen_weight(const machine *m, uint64_t arc) {
    double weight = weight_at(m, arc);
    unsigned type = m->program->weight - 1;
    bool single = type == CLI_TYPE_F32 || (type == CLI_TYPE_REAL && m->type.bits == 32);
    return single ? (double)(float)weight : weight;
}

typedef void (*visit)(machine *m, uint64_t from, uint64_t to, double weight);

/* Every edge in the direction in which messages go. */
static void for_each_edge(machine *m, visit each) {
    for (uint64_t v = 0; v < m->vertices; v++)
        for (uint64_t arc = m->out.offsets[v]; arc < m->out.offsets[v + 1]; arc++) {
            uint64_t to = m->out.targets[arc];
            bool reversed = m->program->reversed;
            each(m, reversed ? to : v, reversed ? v : to, m->program->weight ? seen_weight(m, arc) : 1);
        }
}

static void count_degree(machine *m, uint64_t from, uint64_t to, double weight) {
    (void)weight;
    m->out_degree[from]++;
    m->in_degree[to]++;
}

static void send_round(machine *m, uint64_t from, uint64_t to, double weight) {
    scene s = {.value = m->before[from], .weight = weight, .from = from, .to = to};
    m->message[to] = reduced(m, m->message[to], formula(m, &s, &m->program->send));
}

static void send_path(machine *m, uint64_t from, uint64_t to, double weight) {
    const cli_program_step *step = &m->program->send.steps[1];
    scene s = {.weight = weight, .from = from, .to = to};
    number sent = moved(m, step->operation, m->value[from], leaf(m, &s, step->leaf));
    number better = reduced(m, m->value[to], sent);
    bool closer =
        m->program->pair && equal(m, sent, m->value[to]) && m->label[from] < m->label[to] && !equal(m, sent, worst(m));
    if (equal(m, better, m->value[to]) && !closer)
        return;
    m->value[to] = better;
    m->label[to] = m->label[from];
    m->phase = 1; /* something changed */
}

static void send_share(machine *m, uint64_t from, uint64_t to, double weight) {
    (void)weight;
    m->message[to].real +=
        m->program->means ? m->before[from].real : m->before[from].real / (double)m->out_degree[from];
    m->message[to].whole++;
}

static void interpret_path(machine *m) {
    const cli_program *p = m->program;
    for (uint64_t v = 0; v < m->vertices; v++) {
        uint64_t bit = UINT64_C(1) << v % 32;
        bool starts = !p->from_sources || m->source[v];
        number first = p->reduce == CLI_REDUCE_MIN                    ? number_of(m, p->from_sources ? 0 : (double)v)
                       : p->reduce == CLI_REDUCE_OR                   ? (number){bit, 0}
                       : p->reduce == CLI_REDUCE_AND                  ? (number){m->type.most & ~bit, 0}
                       : !p->from_sources                             ? number_of(m, (double)(v % 97))
                       : p->send.steps[1].operation == CLI_OP_FARTHER ? number_of(m, 100)
                                                                      : (number){m->type.most, INFINITY};
        m->value[v] = starts ? first : worst(m);
        m->label[v] = starts ? v : 0xffffffffu;
    }
    do {
        m->phase = 0;
        for_each_edge(m, send_path);
    } while (m->phase);
}

static void add_totals(machine *m) {
    m->total[0] = 0, m->total[1] = -INFINITY;
    for (uint64_t v = 0; v < m->vertices; v++) {
        m->total[0] += (double)m->out_degree[v] + (!m->real && !equal(m, m->value[v], m->before[v]) ? 2 : 0);
        m->total[1] = (double)v;
    }
}

/* One round; whether an update returned 1. */
static bool do_round(machine *m) {
    bool any = false;
    memcpy(m->before, m->value, sizeof m->before);
    for (uint64_t v = 0; v < m->vertices; v++)
        m->message[v] = worst(m);
    for_each_edge(m, send_round);
    for (uint64_t v = 0; v < m->vertices; v++) {
        scene s = {.value = m->before[v], .message = m->message[v], .vertex = v, .updating = true};
        number fresh = formula(m, &s, &m->program->update);
        bool changed = m->program->changes == 0   ? true
                       : m->program->changes == 1 ? !equal(m, fresh, m->before[v])
                                                  : (v + m->rounds) % 3 != 0;
        m->value[v] = changed ? fresh : m->before[v];
        any = any || changed;
    }
    return any;
}

static void interpret_rounds(machine *m) {
    const cli_program *p = m->program;
    for (uint64_t v = 0; v < m->vertices; v++)
        m->value[v] = number_of(m, (double)(v % 23 + (m->source[v] ? 5 : 0)) + initial_of(m, v));
    memcpy(m->before, m->value, sizeof m->before);
    add_totals(m);
    m->phase = 1;
    for (bool over = false; !over;) {
        bool any = do_round(m), turns = false;
        m->rounds++, m->phase_round++;
        add_totals(m);
        over = m->rounds >= p->rounds || (p->done && p->totals && m->total[1] < 1);
        if (p->phases && m->phase_round >= 2)
            m->phase = (m->phase + 1) % 3, m->phase_round = 0, turns = true;
        over = over || (!p->done && !any && !turns);
    }
}

static void interpret_sums(machine *m) {
    for (uint64_t v = 0; v < m->vertices; v++)
        m->value[v].real = 1;
    for (int round = 0; round < 100; round++) {
        memcpy(m->before, m->value, sizeof m->before);
        memset(m->message, 0, sizeof m->message);
        for_each_edge(m, send_share);
        for (uint64_t v = 0; v < m->vertices; v++) {
            number heard = m->message[v];
            double mean = m->program->means && heard.whole ? heard.real / (double)heard.whole : heard.real;
            m->value[v].real = 1 + (double)(m->in_degree[v] % 4) + 0.5 * mean;
        }
    }
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static double found_value(const heddle_values *values, uint64_t v, uint64_t *whole) {
    switch (values->type) {
    case HEDDLE_VALUE_U32: *whole = ((const uint32_t *)values->data)[v]; return (double)*whole;
    case HEDDLE_VALUE_U64: *whole = ((const uint64_t *)values->data)[v]; return (double)*whole;
    case HEDDLE_VALUE_I32: *whole = (uint64_t)(int64_t)((const int32_t *)values->data)[v]; break;
    case HEDDLE_VALUE_I64: *whole = (uint64_t)((const int64_t *)values->data)[v]; break;
    case HEDDLE_VALUE_F32: return (double)((const float *)values->data)[v];
    default: return ((const double *)values->data)[v];
    }
    return (double)(int64_t)*whole;
}

/* Whole numbers and the shortest paths have to be equal; sums are added in another order. */
static bool compare(const machine *m, const heddle_result *result, char *words, size_t size) {
    const cli_program *p = m->program;
    const heddle_values *values = heddle_result_values(result);
    double room = cli_program_room(p);
    bool whole = values->type != HEDDLE_VALUE_F32 && values->type != HEDDLE_VALUE_F64;
    for (uint64_t v = 0; v < m->vertices; v++) {
        uint64_t bits = 0, expected = p->output == 2 ? m->label[v] : m->value[v].whole;
        double found = found_value(values, v, &bits), wanted = m->real ? m->value[v].real : (double)expected;
        if (whole ? bits == expected : cli_near(found, wanted, room))
            continue;
        snprintf(words, size, "program: vertex %llu: expected %.17g, found %.17g", (unsigned long long)v, wanted,
                 found);
        return false;
    }
    return true;
}

static void mark_sources(machine *m) {
    uint64_t largest = 0;
    for (uint64_t i = 0; i < m->options->source_count; i++)
        m->source[m->options->sources[i]] = true;
    for (uint64_t v = 1; v < m->vertices; v++)
        largest = m->out_degree[v] > m->out_degree[largest] ? v : largest;
    m->source[largest] |= m->options->source_count == 0;
}

bool cli_program_agrees(const cli_program *program, heddle_context *context, const heddle_graph *graph,
                        const heddle_run_options *options, const heddle_result *result, char *words, size_t size) {
    heddle_value_type type = heddle_result_values(result)->type;
    machine *m = NULL;
    uint64_t n = heddle_graph_vertices(graph);
    bool agrees = true;
    bool ends = heddle_result_report(result)->converged || program->kind == CLI_PROGRAM_ROUNDS;
    if (program->kind == CLI_PROGRAM_PR || program->kind == CLI_PROGRAM_KCORE || !ends || !n ||
        n > CLI_CASE_MOST_VERTICES || !(m = calloc(1, sizeof *m)))
        return true;
    m->program = program, m->options = options, m->vertices = n;
    m->type = cli_types[program->type];
    m->real = m->type.kind == CLI_KIND_REAL;
    if (program->type == CLI_TYPE_REAL)
        m->type.bits = type == HEDDLE_VALUE_F64 ? 64 : 32;
    m->weight_type = heddle_graph_weight_type(graph);
    if (heddle_graph_out(context, graph, &m->out) == HEDDLE_OK) {
        for_each_edge(m, count_degree);
        mark_sources(m);
        program->kind == CLI_PROGRAM_SUMS     ? interpret_sums(m)
        : program->kind == CLI_PROGRAM_ROUNDS ? interpret_rounds(m)
                                              : interpret_path(m);
        agrees = compare(m, result, words, size);
    }
    free(m);
    return agrees;
}
