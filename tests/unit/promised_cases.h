/* promised_cases.h - programs that make promises, for tests of the kernels that these open. */
#ifndef PROMISED_CASES_H
#define PROMISED_CASES_H

/* The lesser or the greater of values of this type; `first`, `send` and `update` may use their arguments. */
#define CASE_PROGRAM(type, traits, more, first, neutral, arguments, message, join, better)    \
    "#define VALUE " #type "\n#define MESSAGE " #type "\n#define TRAITS (" traits ")\n" more  \
    "PROGRAM VALUE init(ABOUT me, RUN run) { (void)me, (void)run; return " first "; }\n"      \
    "PROGRAM MESSAGE identity(void) { return " neutral "; }\n"                                \
    "PROGRAM MESSAGE send(" arguments ", u32 degree) { (void)degree; return " message "; }\n" \
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return " join "(a, b); }\n"               \
    "PROGRAM int update(VALUE *value, MESSAGE all, ABOUT me, RUN run) {\n"                    \
    "    (void)me, (void)run;\n    if (!(all " better " *value)) return 0;\n    *value = all;\n    return 1;\n}\n"

#define CASE_LEAST "MONOTONE | FROM_SOURCES | LEAST_FIRST"
#define CASE_LARGEST "MONOTONE | FROM_SOURCES | LARGEST_FIRST"

static const char case_sums_u32[] =
    CASE_PROGRAM(u32, CASE_LEAST, "#define WEIGHT u32\n#define UNREACHED 0xffffffffu\n", "me->source ? 0 : UNREACHED",
                 "UNREACHED", "VALUE v, WEIGHT w", "w > UNREACHED - v ? UNREACHED : v + w", "MINIMUM", "<");
static const char case_sums_f64[] = CASE_PROGRAM(f64, CASE_LEAST, "#define WEIGHT f64\n", "me->source ? 0 : INFINITE",
                                                 "INFINITE", "VALUE v, WEIGHT w", "v + w", "MINIMUM", "<");
/* -infinity + w, and a widest source; -0 + 0 is 0. */
static const char case_widths_f32[] =
    CASE_PROGRAM(f32, CASE_LARGEST, "#define WEIGHT f32\n", "me->source ? INFINITE : -INFINITE", "-INFINITE",
                 "VALUE v, WEIGHT w", "MINIMUM(v, w + 0)", "MAXIMUM", ">");
static const char case_products[] = CASE_PROGRAM(f32, CASE_LARGEST, "#define WEIGHT f32\n", "me->source ? 1 : 0", "0",
                                                 "VALUE v, WEIGHT w", "v * w", "MAXIMUM", ">");
/* Signed values of 64 bits, no weights, all active. */
static const char case_least_i64[] =
    CASE_PROGRAM(i64, "MONOTONE | LEAST_FIRST", "", "(i64)(me->vertex * 2654435761u % 1000) - 500",
                 "0x7fffffffffffffff", "VALUE v", "v + 3", "MINIMUM", "<");
/* First values differ, and only sources send: better ones stay. */
static const char case_mixed_i32[] =
    CASE_PROGRAM(i32, CASE_LEAST, "#define WEIGHT i32\n#define PARAMETERS \"stop=5\"\n",
                 "me->source ? -7 : (i32)(me->vertex % 50)", "0x7fffffff", "VALUE v, WEIGHT w",
                 "v > 1000000000 ? v : v + w", "MINIMUM", "<");
/* What is stored is not the message alone but a parameter and the vertex add to it; names that kernels have too. */
static const char case_tolls[] =
    "#define VALUE f32\n#define MESSAGE f32\n#define WEIGHT f32\n#define TRAITS (" CASE_LEAST ")\n"
    "#define PARAMETERS \"toll=0.25 odd=2\"\n#define LIST 3\n#define SPAN 4\n"
    "PROGRAM f32 relax(f32 label, f32 more) { return label + more; }\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->source ? 0 : INFINITE; }\n"
    "PROGRAM MESSAGE identity(void) { return INFINITE; }\n"
    "PROGRAM MESSAGE send(VALUE label, WEIGHT paths, u32 d) { return relax(label, paths * LIST / (SPAN - 1)); }\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }\n"
    "PROGRAM int update(VALUE *desk, MESSAGE all, ABOUT me, RUN run) {\n"
    "    f32 fresh = all + (f32)run->parameter[0] + (me->vertex % 2 ? (f32)run->parameter[1] : 0);\n"
    "    if (!(fresh < *desk)) return 0;\n    *desk = fresh;\n    return 1;\n}\n";

#endif
