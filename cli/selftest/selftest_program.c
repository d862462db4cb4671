/* selftest_program.c - random vertex programs: how bytes are read as one, and its text in the words of
 * docs/programs.md. What it promises in TRAITS is true by construction: monotone programs have only operations that
 * keep the order of values. selftest_interpreter.c computes the same formulas by itself. */
#include "selftest/selftest_program.h"

#include "algorithm.h"
#include "selftest/selftest_formula.h"

#include <stdarg.h>
#include <string.h>

/* ---- Choices ---------------------------------------------------------------------------------------------------- */

typedef struct choice_reader {
    const uint8_t *bytes;
    unsigned left;
} choice_reader;

static unsigned choose(choice_reader *r, unsigned count) {
    if (!r->left)
        return 0;
    r->left--;
    return *r->bytes++ % count;
}

/* The type of values for weights, too, or one whose numbers it can hold. */
static unsigned choose_weight(choice_reader *r, unsigned type) {
    static const unsigned others[] = {CLI_TYPE_U32, CLI_TYPE_I32, CLI_TYPE_I64, CLI_TYPE_F32, CLI_TYPE_F64};
    bool narrow = type == CLI_TYPE_U32 || type == CLI_TYPE_I32;
    unsigned chosen = choose(r, 10);
    return 1 + (chosen < 5 ? type : others[narrow ? chosen % 2 : chosen - 5]);
}

static void decode_formula(choice_reader *r, unsigned operations, cli_program_formula *formula) {
    formula->count = 1 + choose(r, CLI_PROGRAM_STEPS);
    for (unsigned i = 0; i < formula->count; i++)
        formula->steps[i] = (cli_program_step){choose(r, operations), choose(r, CLI_LEAVES)};
}

/* Monotone: the reduction gives the operations under which order is kept. */
static void decode_path(choice_reader *r, cli_program *p) {
    p->type = choose(r, CLI_TYPES);
    p->reduce = choose(r, 4); /* MIN, MAX, OR, AND */
    if (p->reduce >= CLI_REDUCE_OR && cli_types[p->type].kind != CLI_KIND_UNSIGNED)
        p->reduce -= CLI_REDUCE_OR;
    p->weight = choose(r, 2) ? choose_weight(r, p->type) : 0;
    p->from_sources = choose(r, 2);
    p->monotone = choose(r, 4) != 3;
    p->reversed = choose(r, 4) == 3;
    p->edges = choose(r, 4) == 3;
    p->send.count = 2;
    p->send.steps[0] = (cli_program_step){0, CLI_LEAF_VALUE};
    p->send.steps[1] = (cli_program_step){CLI_OP_SAME + choose(r, 3), 1 + choose(r, CLI_LEAF_VERTEX - 1)};
    p->unreached = choose(r, 2);
    p->output = choose(r, 4) == 3 && p->type != CLI_TYPE_REAL;
    p->pair = p->reduce == CLI_REDUCE_MIN && p->type <= CLI_TYPE_U64 && p->send.steps[1].operation != CLI_OP_BOUND &&
              choose(r, 3) == 2;
    if (p->pair)
        p->output = 1 + p->output;
}

/* Strict rounds: any formula will do. */
static void decode_rounds(choice_reader *r, cli_program *p) {
    p->type = choose(r, CLI_TYPES);
    cli_type_kind kind = cli_types[p->type].kind;
    p->reduce = choose(r, kind == CLI_KIND_UNSIGNED ? 6 : kind == CLI_KIND_SIGNED ? 3 : 2);
    if (kind == CLI_KIND_REAL && p->reduce == CLI_REDUCE_MIN && choose(r, 2))
        p->reduce = CLI_REDUCE_SUM;
    p->weight = choose(r, 2) ? choose_weight(r, p->type) : 0;
    unsigned flags = choose(r, 256), more = choose(r, 256);
    p->totals = flags & 1, p->phases = flags & 2, p->run = flags & 4, p->edges = flags & 8;
    p->reversed = (flags & 48) == 48, p->all_active = flags & 64;
    bool inexact = p->reduce == CLI_REDUCE_SUM && kind == CLI_KIND_REAL; /* such programs also end by the tolerance */
    p->done = inexact || more & 1;
    p->changes = inexact ? 0 : (more >> 1) % 3;
    p->rounds = 1 + (more >> 4) % 6;
    p->output = more & 8 && p->type != CLI_TYPE_REAL;
    unsigned operations = kind == CLI_KIND_UNSIGNED ? CLI_OP_UNSIGNED : kind == CLI_KIND_SIGNED ? CLI_OP_SIGNED : 4;
    decode_formula(r, operations, &p->send);
    decode_formula(r, operations, &p->update);
    p->update.steps[choose(r, p->update.count)].leaf = CLI_LEAF_MESSAGE;
}

static void decode_sums(choice_reader *r, cli_program *p) {
    static const unsigned reals[] = {CLI_TYPE_REAL, CLI_TYPE_F64, CLI_TYPE_F32};
    p->type = reals[choose(r, 3)];
    p->means = choose(r, 2);
    p->mixed = choose(r, 2);
    p->all_active = choose(r, 2);
    p->reversed = choose(r, 4) == 3;
}

/* Programs that compute what bfs, sssp, sswp and cc do. */
static void set_built_in(choice_reader *r, cli_program *p) {
    static const unsigned types[] = {CLI_TYPE_F32, CLI_TYPE_F64, CLI_TYPE_U32, CLI_TYPE_REAL, CLI_TYPE_U64};
    bool weights = p->kind == CLI_PROGRAM_SSSP || p->kind == CLI_PROGRAM_SSWP;
    p->type = p->kind == CLI_PROGRAM_SSWP ? types[choose(r, 2)] : types[choose(r, 5)];
    p->reduce = p->kind == CLI_PROGRAM_SSWP ? CLI_REDUCE_MAX : CLI_REDUCE_MIN;
    p->weight = weights ? 1 + p->type : 0;
    p->from_sources = p->kind != CLI_PROGRAM_CC;
    p->monotone = choose(r, 4) != 3;
    p->unreached = true;
    p->send.count = 2;
    p->send.steps[0] = (cli_program_step){0, CLI_LEAF_VALUE};
    p->send.steps[1] = (cli_program_step){p->kind == CLI_PROGRAM_CC     ? CLI_OP_SAME
                                          : p->kind == CLI_PROGRAM_SSWP ? CLI_OP_BOUND
                                                                        : CLI_OP_FARTHER,
                                          weights ? CLI_LEAF_WEIGHT : CLI_LEAF_ONE};
}

void cli_program_decode(const uint8_t *bytes, cli_program *p) {
    choice_reader reader = {bytes, CLI_PROGRAM_BYTES}, *r = &reader;
    static const cli_program_kind kinds[] = {
        CLI_PROGRAM_BFS,    CLI_PROGRAM_SSSP,   CLI_PROGRAM_SSWP,   CLI_PROGRAM_CC,     CLI_PROGRAM_PR,
        CLI_PROGRAM_KCORE,  CLI_PROGRAM_PATHS,  CLI_PROGRAM_PATHS,  CLI_PROGRAM_PATHS,  CLI_PROGRAM_PATHS,
        CLI_PROGRAM_SUMS,   CLI_PROGRAM_SUMS,   CLI_PROGRAM_PATHS,  CLI_PROGRAM_ROUNDS, CLI_PROGRAM_ROUNDS,
        CLI_PROGRAM_ROUNDS, CLI_PROGRAM_ROUNDS, CLI_PROGRAM_ROUNDS, CLI_PROGRAM_ROUNDS, CLI_PROGRAM_ROUNDS,
    };
    memset(p, 0, sizeof *p);
    p->kind = kinds[choose(r, sizeof kinds / sizeof *kinds)];
    switch (p->kind) {
    case CLI_PROGRAM_PATHS: decode_path(r, p); break;
    case CLI_PROGRAM_ROUNDS: decode_rounds(r, p); break;
    case CLI_PROGRAM_SUMS: decode_sums(r, p); break;
    case CLI_PROGRAM_PR: p->type = CLI_TYPE_REAL; break;
    case CLI_PROGRAM_KCORE: p->type = CLI_TYPE_U32; break;
    default: set_built_in(r, p);
    }
    cli_program_write(p);
}

const char *cli_program_built_in(const cli_program *p) {
    static const char *const names[CLI_PROGRAM_KINDS] = {"bfs", "sssp", "sswp", "cc", "pr", "kcore"};
    return names[p->kind];
}

double cli_program_room(const cli_program *p) {
    if (p->kind == CLI_PROGRAM_SUMS)
        return 1e-3;
    return cli_types[p->type].kind == CLI_KIND_REAL && (p->reduce == CLI_REDUCE_SUM || p->kind == CLI_PROGRAM_PR) ? 1e-5
                                                                                                                  : 0;
}

static bool reads(const cli_program *p, unsigned first, unsigned last) {
    for (unsigned i = 0; i < p->send.count; i++)
        if (p->send.steps[i].leaf >= first && p->send.steps[i].leaf <= last)
            return true;
    for (unsigned i = 0; i < p->update.count; i++)
        if (p->update.steps[i].leaf >= first && p->update.steps[i].leaf <= last)
            return true;
    return false;
}

/* A program whose rounds end when no vertex changes may have more of them if there are more vertices. */
unsigned cli_program_holds(const cli_program *p) {
    unsigned holds = p->weight ? 0 : CLI_HOLDS_DOUBLED;
    bool rounds = p->kind == CLI_PROGRAM_ROUNDS, fixed = p->kind == CLI_PROGRAM_PR || p->kind == CLI_PROGRAM_KCORE;
    bool path = !rounds && !fixed && p->kind != CLI_PROGRAM_SUMS;
    bool numbered = rounds || p->pair || (path && !p->from_sources) || reads(p, CLI_LEAF_SOURCE, CLI_LEAF_VERTEX);
    if (!numbered)
        holds |= CLI_HOLDS_RENAMED | (p->from_sources ? CLI_HOLDS_GIVEN : 0);
    if (p->kind != CLI_PROGRAM_PR &&
        (!rounds || (p->done && !p->totals && !reads(p, CLI_LEAF_VERTICES, CLI_LEAF_TOTAL))))
        holds |= CLI_HOLDS_ISOLATED;
    if (!fixed)
        holds |= CLI_HOLDS_REVERSED;
    if (p->kind == CLI_PROGRAM_SSSP)
        holds |= CLI_HOLDS_DOUBLED | CLI_HOLDS_TIMES | CLI_HOLDS_SPLIT;
    return holds;
}

/* ---- The text --------------------------------------------------------------------------------------------------- */

static void say(cli_program *p, const char *format, ...) {
    size_t used = strlen(p->text);
    va_list values;
    va_start(values, format);
    vsnprintf(p->text + used, sizeof p->text - used, format, values);
    va_end(values);
}

static const char *leaf_text(const cli_program *p, bool updating, unsigned leaf) {
    static const char *const texts[CLI_LEAVES] = {
        "value",
        "(VALUE)1",
        "(VALUE)MAXIMUM(weight, 0)",
        "(VALUE)degree",
        "(VALUE)3",
        "(VALUE)7",
        "(VALUE)edge->source",
        "(VALUE)edge->target",
        "(VALUE)me->vertex",
        "(VALUE)message",
        "(VALUE)me->in_degree",
        "(VALUE)me->out_degree",
        "(VALUE)me->source",
        "(VALUE)me->initial",
        "(VALUE)me->fixed",
        "(VALUE)run->iteration",
        "(VALUE)run->parameter[0]",
        "(VALUE)run->vertices",
        "(VALUE)TOTAL(run, 0)",
        "(VALUE)(PHASE(run) + 2 * PHASE_ROUND(run))",
    };
    return texts[cli_leaf_known(p, updating, leaf) ? leaf : CLI_LEAF_ONE];
}

/* One operation; the accumulator is a variable, so that it may be written twice. */
static void say_step(cli_program *p, const char *result, bool updating, const cli_program_step *step) {
    static const char *const symbols[] = {"&", "|", "^", "", "", "+", "*", "-"};
    const char *leaf = leaf_text(p, updating, step->leaf);
    bool real = cli_types[p->type].kind == CLI_KIND_REAL;
    unsigned operation = step->operation;
    say(p, "    %s = ", result);
    if (real && operation < 2)
        say(p, operation ? "%s / 2 + %s" : "%s + %s", result, leaf);
    else if (operation == (real ? 2 : CLI_OP_LESSER))
        say(p, "MINIMUM(%s, %s)", result, leaf);
    else if (real || operation == CLI_OP_LARGER)
        say(p, "MAXIMUM(%s, %s)", result, leaf);
    else
        say(p, "%s %s %s", result, symbols[operation], leaf);
    say(p, ";\n");
}

static void say_formula(cli_program *p, const char *result, bool updating, const cli_program_formula *formula) {
    say(p, "    VALUE %s = %s;\n", result, leaf_text(p, updating, formula->steps[0].leaf));
    for (unsigned i = 1; i < formula->count; i++)
        say_step(p, result, updating, &formula->steps[i]);
}

static void say_head(cli_program *p) {
    static const char *const kinds[] = {"u32", "u64", "i32", "i64", "f32", "f64", "real"};
    const char *value = kinds[p->type], *message = value;
    if (cli_types[p->type].kind == CLI_KIND_REAL && p->reduce == CLI_REDUCE_SUM)
        message = "f64";
    if (p->means)
        say(p, "typedef struct share {\n    f64 sum, count;\n} share;\n"), message = "share";
    if (p->pair)
        say(p, "typedef struct labelled {\n    %s far;\n    u32 label;\n} labelled;\n#define NUMBER %s\n", value,
            value),
            value = message = "labelled";
    say(p, "#define VALUE %s\n#define MESSAGE %s\n", value, message);
    if (p->weight)
        say(p, "#define WEIGHT %s\n", kinds[p->weight - 1]);
    if (p->output)
        say(p, "#define OUTPUT %s\n", p->pair && p->output == 2 ? "u32" : p->pair ? kinds[p->type] : "f64");
    if (p->unreached && cli_types[p->type].kind == CLI_KIND_UNSIGNED && (!p->output || p->pair))
        say(p, "#define UNREACHED\n");
    if (p->edges)
        say(p, "#define SEND_EDGE\n");
    if (p->run)
        say(p, "#define SEND_RUN\n");
    if (p->totals)
        say(p, "#define TOTALS (ADDED(0) | LARGEST(1))\n");
    if (p->phases)
        say(p, "#define FIRST_PHASE 1\n");
    if (p->done)
        say(p, "#define DONE\n");
    if (p->kind == CLI_PROGRAM_ROUNDS)
        say(p, "#define PARAMETERS \"bias=5\"\n");
    say(p, "#define TRAITS (%s%s%s%s%s%s0)\n", p->monotone ? "MONOTONE | " : "",
        p->monotone && p->from_sources ? "FROM_SOURCES | " : "", p->all_active ? "ALL_ACTIVE | " : "",
        p->reduce == CLI_REDUCE_SUM ? "SUM | " : "", p->mixed ? "UNIQUE_FIXED_POINT | " : "",
        p->reversed ? "REVERSED | " : "");
    if (p->monotone && p->weight && cli_dumb_weight(p))
        say(p, "#define DUMB_WEIGHT %s\n", cli_dumb_weight(p));
}

static void say_send(cli_program *p) {
    say(p, "PROGRAM MESSAGE send(VALUE %s, %su32 degree%s%s) {\n", p->pair ? "pair" : "value",
        p->weight ? "WEIGHT weight, " : "", p->edges ? ", EDGE edge" : "", p->run ? ", RUN run" : "");
}

/* PATHS, and what is built in of that kind. */
static void write_path(cli_program *p) {
    const char *number = p->pair ? "NUMBER" : "VALUE", *worst = cli_worst(p);
    say_head(p);
    say(p, "PROGRAM MESSAGE identity(void) {\n    MESSAGE none = %s%s%s;\n    return none;\n}\n", p->pair ? "{" : "",
        worst, p->pair ? ", 0xffffffffu}" : "");
    say(p, "PROGRAM VALUE init(ABOUT me, RUN run) {\n    VALUE first = identity();\n");
    if (p->from_sources)
        say(p, "    if (!me->source)\n        return first;\n");
    say(p, "    first%s = %s;\n", p->pair ? ".far" : "", cli_first(p));
    if (p->pair)
        say(p, "    first.label = me->vertex;\n");
    say(p, "    return first;\n}\n");
    say_send(p);
    if (p->pair)
        say(p, "    NUMBER value = pair.far;\n");
    say(p, "    %s amount = (%s)%s, next = ", number, number,
        leaf_text(p, false, p->send.steps[1].leaf) + strlen("(VALUE)"));
    cli_monotone_text(p, p->send.steps[1].operation, p->text + strlen(p->text), sizeof p->text - strlen(p->text));
    say(p, ";\n");
    if (p->pair)
        say(p, "    MESSAGE sent = {next, next == %s ? 0xffffffffu : pair.label};\n    return sent;\n}\n", worst);
    else
        say(p, "    return next;\n}\n");
    static const char *const better[] = {"b < a ? b : a", "b > a ? b : a", "a | b", "a & b"};
    say(p, "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return %s; }\n",
        p->pair ? "b.far < a.far || (b.far == a.far && b.label < a.label) ? b : a" : better[p->reduce]);
    say(p,
        "PROGRAM int update(VALUE *value, MESSAGE message, ABOUT me, RUN run) {\n    VALUE before = *value;\n"
        "    *value = reduce(before, message);\n    return %s;\n}\n",
        p->pair ? "value->far != before.far || value->label != before.label" : "*value != before");
    if (p->output)
        say(p, "PROGRAM OUTPUT output(VALUE value) { return %s; }\n",
            p->output == 2 ? "value.label"
            : p->pair      ? "value.far"
                           : "(f64)value");
}

static void write_rounds(cli_program *p) {
    static const char *const reduces[] = {"MINIMUM(a, b)", "MAXIMUM(a, b)", "a | b", "a & b", "a + b", "a ^ b"};
    static const char *const changed[] = {"1", "fresh != before", "(me->vertex + run->iteration) % 3 != 0"};
    say_head(p);
    say(p, "PROGRAM MESSAGE identity(void) { return %s; }\n", cli_worst(p));
    say(p, "PROGRAM VALUE init(ABOUT me, RUN run) { return (VALUE)(me->vertex %% 23 + 5 * me->source) + "
           "(VALUE)me->initial; }\n");
    say_send(p);
    say_formula(p, "sent", false, &p->send);
    say(p, "    return sent;\n}\nPROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return %s; }\n", reduces[p->reduce]);
    say(p, "PROGRAM int update(VALUE *at, MESSAGE message, ABOUT me, RUN run) {\n    VALUE value = *at, before = "
           "value;\n");
    say_formula(p, "fresh", true, &p->update);
    say(p, "    *at = fresh;\n    return %s;\n}\n", changed[p->changes]);
    if (p->totals)
        say(p,
            "PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {\n"
            "    part[0] = me->out_degree%s;\n    part[1] = me->vertex;\n}\n",
            cli_types[p->type].kind == CLI_KIND_REAL ? "" : " + 2 * (before != after)");
    if (p->done)
        say(p, "PROGRAM int done(RUN run) { return run->iteration >= %u%s; }\n", p->rounds,
            p->totals ? " || TOTAL(run, 1) < 1" : "");
    if (p->phases)
        say(p,
            "PROGRAM u32 next_phase(RUN run) { return PHASE_ROUND(run) >= 2 ? (PHASE(run) + 1) %% 3 : PHASE(run); }\n");
    if (p->output)
        say(p, "PROGRAM OUTPUT output(VALUE value) { return (f64)value; }\n");
}

static void write_sums(cli_program *p) {
    p->reduce = CLI_REDUCE_SUM;
    say_head(p);
    say(p, "PROGRAM VALUE init(ABOUT me, RUN run) { return 1; }\n");
    if (p->means)
        say(p, "PROGRAM MESSAGE identity(void) {\n    share none = {0, 0};\n    return none;\n}\n"
               "PROGRAM MESSAGE send(VALUE value, u32 degree) {\n    share one = {value, 1};\n    return one;\n}\n"
               "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) {\n"
               "    share both = {a.sum + b.sum, a.count + b.count};\n    return both;\n}\n"
               "#define HEARD(m) ((m).count > 0 ? (m).sum / (m).count : 0)\n");
    else
        say(p, "PROGRAM MESSAGE identity(void) { return 0; }\n"
               "PROGRAM MESSAGE send(VALUE value, u32 degree) { return (f64)value / degree; }\n"
               "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n#define HEARD(m) (m)\n");
    say(p, "PROGRAM int update(VALUE *value, MESSAGE message, ABOUT me, RUN run) {\n    VALUE before = *value;\n"
           "    *value = (VALUE)(1 + (f64)(me->in_degree %% 4) + 0.5 * HEARD(message));\n    return *value != "
           "before;\n}\n");
}

/* Surfers on vertices without edges go anywhere; rounds end when little moves. */
static const char rank_text[] =
    "#define VALUE f64\n#define MESSAGE f64\n#define TRAITS (ALL_ACTIVE | SUM)\n#define TOTALS (ADDED(0) | ADDED(1))\n"
    "#define DONE\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { return 1 / (f64)run->vertices; }\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE rank, u32 degree) { return rank / degree; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n"
    "PROGRAM int update(VALUE *rank, MESSAGE links, ABOUT me, RUN run) {\n"
    "    *rank = (0.15 + 0.85 * TOTAL(run, 0)) / (f64)run->vertices + 0.85 * links;\n    return 1;\n}\n"
    "PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {\n"
    "    part[0] = me->out_degree ? 0 : after;\n    part[1] = real_abs(after - before);\n}\n"
    "PROGRAM int done(RUN run) { return TOTAL(run, 1) < 0.0000001 || run->iteration >= 400; }\n";

/* Phase k removes vertices with at most k neighbours left. */
static const char core_text[] =
    "typedef struct peeled {\n    u32 left, core;\n} peeled;\n#define IN 0xffffffffu\n"
    "#define VALUE peeled\n#define MESSAGE u32\n#define OUTPUT u32\n#define TOTALS (ADDED(0) | SMALLEST(1))\n"
    "#define FIRST_PHASE 0\n#define DONE\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) {\n    peeled all = {me->in_degree, IN};\n    return all;\n}\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE from, u32 degree) { return from.core != IN && from.left; }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n"
    "PROGRAM int update(VALUE *value, MESSAGE gone, ABOUT me, RUN run) {\n"
    "    if (value->core != IN) {\n        value->left = 0;\n        return 1;\n    }\n    value->left -= gone;\n"
    "    if (value->left <= PHASE(run)) {\n        value->core = PHASE(run);\n        value->left = 1;\n        return "
    "1;\n"
    "    }\n    return gone != 0;\n}\n"
    "PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {\n"
    "    part[0] = before.core == IN && after.core != IN;\n    if (after.core == IN)\n        part[1] = "
    "after.left;\n}\n"
    "PROGRAM int done(RUN run) { return TOTAL(run, 1) == INFINITE; }\n"
    "PROGRAM u32 next_phase(RUN run) {\n"
    "    return TOTAL(run, 0) > 0 || done(run) ? PHASE(run) : (u32)TOTAL(run, 1);\n}\n"
    "PROGRAM OUTPUT output(VALUE value) { return value.core; }\n";

void cli_program_write(cli_program *p) {
    p->text[0] = '\0';
    switch (p->kind) {
    case CLI_PROGRAM_PR: say(p, "%s", rank_text); break;
    case CLI_PROGRAM_KCORE: say(p, "%s", core_text); break;
    case CLI_PROGRAM_ROUNDS: write_rounds(p); break;
    case CLI_PROGRAM_SUMS: write_sums(p); break;
    default: write_path(p);
    }
}
