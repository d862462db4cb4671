/* selftest_formula.c - see selftest_formula.h. */
#include "selftest/selftest_formula.h"

#include <stdio.h>

const cli_type cli_types[CLI_TYPES] = {
    {CLI_KIND_UNSIGNED, 32, 0xffffffffu, "0xffffffffu"},
    {CLI_KIND_UNSIGNED, 64, UINT64_MAX, "0xffffffffffffffffu"},
    {CLI_KIND_SIGNED, 32, 0x3fffffff, "0x3fffffff"}, /* so that sums do not overflow */
    {CLI_KIND_SIGNED, 64, 0x3fffffffffffffff, "0x3fffffffffffffff"},
    {CLI_KIND_REAL, 32, 0, "INFINITE"},
    {CLI_KIND_REAL, 64, 0, "INFINITE"},
    {CLI_KIND_REAL, 0, 0, "INFINITE"},
};

bool cli_leaf_known(const cli_program *p, bool updating, unsigned leaf) {
    switch (leaf) {
    case CLI_LEAF_WEIGHT: return !updating && p->weight;
    case CLI_LEAF_DEGREE: return !updating;
    case CLI_LEAF_SOURCE:
    case CLI_LEAF_TARGET: return !updating && p->edges;
    case CLI_LEAF_VERTEX:
    case CLI_LEAF_MESSAGE:
    case CLI_LEAF_IN_DEGREE:
    case CLI_LEAF_OUT_DEGREE:
    case CLI_LEAF_IS_SOURCE:
    case CLI_LEAF_INITIAL:
    case CLI_LEAF_FIXED: return updating;
    case CLI_LEAF_ITERATION:
    case CLI_LEAF_PARAMETER:
    case CLI_LEAF_VERTICES: return updating || p->run;
    case CLI_LEAF_TOTAL: return (updating || p->run) && p->totals;
    case CLI_LEAF_PHASE: return (updating || p->run) && p->phases;
    default: return true;
    }
}

void cli_monotone_text(const cli_program *p, unsigned operation, char *text, size_t size) {
    const cli_type *type = &cli_types[p->type];
    bool bits = p->reduce == CLI_REDUCE_OR || p->reduce == CLI_REDUCE_AND;
    if (operation == CLI_OP_SAME)
        snprintf(text, size, "value");
    else if (bits && operation == CLI_OP_FARTHER)
        snprintf(text, size, "value << 1 | value >> %u", type->bits - 1);
    else if (bits)
        snprintf(text, size, "value %s amount", p->reduce == CLI_REDUCE_OR ? "&" : "|");
    else if (operation == CLI_OP_BOUND)
        snprintf(text, size, "%s(value, amount)", p->reduce == CLI_REDUCE_MIN ? "MAXIMUM" : "MINIMUM");
    else if (p->reduce == CLI_REDUCE_MAX)
        snprintf(text, size, "value > amount ? value - amount : 0");
    else if (type->kind == CLI_KIND_REAL)
        snprintf(text, size, "value + amount");
    else
        snprintf(text, size, "value > %s - amount ? %s : value + amount", type->most_text, type->most_text);
}

const char *cli_worst(const cli_program *p) {
    switch (p->reduce) {
    case CLI_REDUCE_MIN: return cli_types[p->type].most_text;
    case CLI_REDUCE_AND: return cli_types[p->type].kind == CLI_KIND_UNSIGNED ? cli_types[p->type].most_text : "-1";
    default: return "0";
    }
}

/* Subtracting from infinity has no effect. */
const char *cli_first(const cli_program *p) {
    switch (p->reduce) {
    case CLI_REDUCE_MIN: return p->from_sources ? "0" : "me->vertex";
    case CLI_REDUCE_MAX:
        return !p->from_sources                               ? "me->vertex % 97"
               : p->send.steps[1].operation == CLI_OP_FARTHER ? "100"
                                                              : cli_types[p->type].most_text;
    case CLI_REDUCE_OR: return "(VALUE)1 << me->vertex % 32";
    default: return "~((VALUE)1 << me->vertex % 32)";
    }
}

const char *cli_dumb_weight(const cli_program *p) {
    unsigned operation = p->send.steps[1].operation;
    bool bits = p->reduce == CLI_REDUCE_OR || p->reduce == CLI_REDUCE_AND;
    if (operation == CLI_OP_SAME)
        return "0";
    if (p->send.steps[1].leaf != CLI_LEAF_WEIGHT || (bits && operation == CLI_OP_FARTHER))
        return NULL;
    if (operation == CLI_OP_FARTHER || p->reduce == CLI_REDUCE_MIN || p->reduce == CLI_REDUCE_AND)
        return "0";
    return p->weight == 1 + p->type ? cli_types[p->type].most_text : NULL;
}
