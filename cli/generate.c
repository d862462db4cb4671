/* generate.c - heddle generate: synthetic graphs. The kinds, and which options each one reads, come from the library's
 * table, so that a new generator needs no change here unless it brings a new option. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "ranks.h"
#include "report.h"
#include "text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct generate_settings {
    cli_common common;
    heddle_generate_options generate;
    heddle_save_options save;
} generate_settings;

static void defaults(void *opaque) {
    generate_settings *settings = opaque;
    heddle_generate_options_init(&settings->generate);
    heddle_save_options_init(&settings->save);
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

/* MIN..MAX or MIN:MAX; real numbers when one of them is written with a point, or is not whole. It fills
 * several fields: its destination is the whole struct, by its first member. */
static bool parse_weights(const cli_option *option, const char *text, void *destination, char *expected) {
    heddle_generate_options *generate = destination;
    const char *gap = strchr(text, ':');
    size_t gap_length = 1;
    double low, high;
    (void)option;
    if (!gap) {
        gap = strstr(text, "..");
        gap_length = 2;
    }
    if (!gap || !cli_read_real(text, (size_t)(gap - text), &low) ||
        !cli_read_real(gap + gap_length, strlen(gap + gap_length), &high) || low > high) {
        snprintf(expected, CLI_EXPECTED_ROOM, "MIN..MAX, two numbers with MIN <= MAX");
        return false;
    }
    generate->weighted = 1;
    generate->weight_min = low;
    generate->weight_max = high;
    if (memchr(text, '.', (size_t)(gap - text)) || strchr(gap + gap_length, '.') || low != floor(low) ||
        high != floor(high))
        generate->weight_real = 1;
    return true;
}

/* The options of the shape are called as the fields of heddle_generate_options, which the table of generators names;
 * --no-scramble is the one exception (see field_of). */
static const cli_option shape_options[] = {
    CLI_NUMBER("scale", 's', "N", cli_parse_int, 1, 31, heddle_generate_options, scale, "2^N vertices"),
    CLI_NUMBER("vertices", 'n', "N", cli_parse_count, 1, UINT32_MAX, heddle_generate_options, vertices,
               "the number of vertices; K, M or G may follow (1M)"),
    CLI_VALUE("degree", 'd', "X", cli_parse_real, heddle_generate_options, degree,
              "generated edges per vertex, on average"),
    CLI_NUMBER("width", 0, "N", cli_parse_count, 1, UINT32_MAX, heddle_generate_options, width, "of the grid"),
    CLI_NUMBER("height", 0, "N", cli_parse_count, 1, UINT32_MAX, heddle_generate_options, height, "of the grid"),
    CLI_NUMBER("depth", 0, "N", cli_parse_count, 1, UINT32_MAX, heddle_generate_options, depth,
               "of the grid; more than 1 makes it three-dimensional"),
    CLI_NUMBER("a", 0, "X", cli_parse_real, 0, 1, heddle_generate_options, a,
               "probability of the first quadrant of the matrix"),
    CLI_NUMBER("b", 0, "X", cli_parse_real, 0, 1, heddle_generate_options, b, "of the second"),
    CLI_NUMBER("c", 0, "X", cli_parse_real, 0, 1, heddle_generate_options, c, "of the third; the fourth gets the rest"),
    CLI_FLAG("no-scramble", 0, 0, heddle_generate_options, scramble,
             "keep the order of the ids, in which low ids have high degrees"),
    CLI_NUMBER("probability", 'p', "X", cli_parse_real, 0, 1, heddle_generate_options, probability,
               "share of the edges removed (road) or rewired (smallworld)"),
    CLI_NUMBER("branching", 0, "N", cli_parse_count, 1, UINT32_MAX, heddle_generate_options, branching,
               "children of each vertex"),
    CLI_END_OPTIONS,
};

static const cli_option value_options[] = {
    CLI_VALUE("seed", 0, "N", cli_parse_u64, heddle_generate_options, seed,
              "another seed gives another graph of the same kind, the same seed the same graph"),
    CLI_VALUE("weights", 'w', "MIN..MAX", parse_weights, heddle_generate_options, size,
              "give the edges weights from this range: whole numbers, or real ones when a point is in it (0.0..1.0)"),
    CLI_FLAG("real-weights", 0, 1, heddle_generate_options, weight_real, "real weights, however the range is written"),
    CLI_END_OPTIONS,
};

static const char *field_of(const cli_option *option) {
    return !strcmp(option->name, "no-scramble") ? "scramble" : option->name;
}

/* ---- Help ------------------------------------------------------------------------------------------------------ */

/* The options of the shape that a kind reads, with their defaults: "--scale N (20) --degree X (16)". */
static void print_kind_options(FILE *out, const heddle_generator_info *info) {
    char text[512] = "";
    size_t used = 0;
    heddle_generate_options initial;
    heddle_generate_options_init(&initial);
    for (const cli_option *option = shape_options; option->name; option++) {
        const char *field = (const char *)&initial + option->offset;
        char value[32] = "";
        if (!cli_has_word(info->options, field_of(option)) || used >= sizeof text)
            continue;
        if (option->parse == cli_parse_int)
            snprintf(value, sizeof value, "=%d", *(const int *)field);
        else if (option->parse == cli_parse_real)
            snprintf(value, sizeof value, "=%g", *(const double *)field);
        else if (option->parse == cli_parse_count && *(const uint64_t *)field)
            snprintf(value, sizeof value, "=%llu", (unsigned long long)*(const uint64_t *)field);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s--%s%s", used ? " " : "", option->name, value);
    }
    if (used) {
        fprintf(out, "%14s", "");
        cli_wrap(out, text, 14, 14, CLI_WIDTH);
    }
}

void cli_print_generators(FILE *out) {
    const heddle_generator_info *generator;
    fputs("Kinds, with the options that each one reads and their defaults:\n", out);
    for (size_t i = 0; (generator = heddle_generator_at(i)); i++) {
        fprintf(out, "  %-10s  ", generator->kind);
        cli_wrap(out, generator->description, 14, 14, CLI_WIDTH);
        print_kind_options(out, generator);
    }
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static const heddle_generator_info *find_kind(const char *kind) {
    const heddle_generator_info *generator;
    for (size_t i = 0; (generator = heddle_generator_at(i)); i++)
        if (!strcmp(generator->kind, kind))
            break;
    return generator;
}

static int unknown_kind(const cli_session *session, const char *kind) {
    const heddle_generator_info *generator;
    cli_nearest nearest = cli_nearest_to(kind);
    for (size_t i = 0; (generator = heddle_generator_at(i)); i++)
        cli_nearest_offer(&nearest, generator->kind);
    if (nearest.best)
        return cli_usage_error(session->command, "unknown kind of graph '%.100s'; did you mean '%s'?", kind,
                               nearest.best);
    return cli_usage_error(session->command, "unknown kind of graph '%.100s'", kind);
}

/* An option that the kind does not read would be silently without effect: say so instead. */
static int check_options(const cli_session *session, const heddle_generator_info *info) {
    for (const cli_option *option = shape_options; option->name; option++)
        if (cli_given(&session->arguments, option->name) && !cli_has_word(info->options, field_of(option)))
            return cli_usage_error(session->command, "--%s means nothing to '%s'", option->name, info->kind);
    if (cli_given(&session->arguments, "real-weights") && !cli_given(&session->arguments, "weights"))
        return cli_usage_error(session->command, "--real-weights needs --weights MIN..MAX");
    return 0;
}

static void print_json(const heddle_generate_options *generate, const cli_transfer *transfer) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "kind", generate->kind);
    cli_json_count(&json, "seed", generate->seed);
    cli_json_transfer(&json, transfer);
    cli_json_end(&json);
}

static void tell(cli_session *session, const generate_settings *settings, const cli_transfer *transfer) {
    if (settings->common.json)
        print_json(&settings->generate, transfer);
    else
        cli_say_written(session, transfer);
}

/* By all ranks; rank 0 looks at the new file to tell of it. */
static int generate_together(cli_session *session, const generate_settings *settings, cli_transfer *transfer) {
    double start = cli_clock();
    heddle_graph *graph = NULL;
    heddle_status status =
        heddle_graph_generate_file(session->context, &settings->generate, transfer->path, &settings->save);
    transfer->before_seconds = cli_clock() - start;
    if (status == HEDDLE_OK && !cli_is_other_rank()) {
        status = cli_look_at_written(session, transfer, &graph);
        if (status == HEDDLE_OK)
            tell(session, settings, transfer);
        heddle_graph_destroy(&graph);
    }
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

static int run(cli_session *session, void *opaque) {
    generate_settings *settings = opaque;
    const heddle_generator_info *info = find_kind(session->arguments.operands[0]);
    cli_transfer transfer = {.path = session->arguments.operands[1], .before = "generate"};
    char folder[PATH_MAX];
    heddle_graph *graph = NULL;
    int exit_status = info ? check_options(session, info) : unknown_kind(session, session->arguments.operands[0]);
    if (!exit_status)
        exit_status = cli_check_output(session, transfer.path, &settings->save);
    exit_status = cli_ranks_agree(session, exit_status);
    if (exit_status)
        return exit_status;
    settings->generate.kind = info->kind;
    if (heddle_context_ranks(session->context) > 1)
        return generate_together(session, settings, &transfer);
    cli_limit_build(&settings->save, transfer.path, &settings->generate.build, folder, sizeof folder);
    double start = cli_clock();
    heddle_status status = heddle_graph_generate(session->context, &settings->generate, &graph);
    transfer.before_seconds = cli_clock() - start;
    if (status == HEDDLE_OK) {
        transfer.graph = graph;
        status = cli_save(session, &transfer, &settings->save);
    }
    if (status != HEDDLE_OK)
        exit_status = cli_fail(session, status);
    else
        tell(session, settings, &transfer);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_group groups[] = {
    {"Shape", shape_options, offsetof(generate_settings, generate)},
    {"Values", value_options, offsetof(generate_settings, generate)},
    CLI_BUILD_GROUP(generate_settings, generate.build),
    CLI_SAVE_GROUP(generate_settings, save),
    CLI_LIMIT_GROUP(generate_settings, save),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_generate = {
    .name = "generate",
    .hints = CLI_WORDS("gen", "make", "random"),
    .ranks = CLI_RANKS_ALL,
    .summary = "make a synthetic graph",
    .operands = "KIND OUT",
    .about = "Makes a graph and writes it to OUT, in the format of its suffix ('heddle help formats'); - is standard "
             "output and needs --to. The same options and seed give the same graph on any machine, with any number of "
             "threads. Several ranks (mpirun, srun) make an .hdl file together, each a share of the edges.",
    .examples = "heddle generate rmat social.hdl --scale 20 --degree 16\n"
                "heddle generate grid roads.gr --width 1000 --height 1000 --weights 1..100\n"
                "heddle generate smallworld sw.mtx.gz -n 50K --degree 10 --probability 0.05\n"
                "heddle generate uniform u.wel --scale 16 --weights 0.0..1.0 --seed 7\n"
                "heddle generate star - --vertices 1M --to edgelist | head",
    .groups = groups,
    .settings_size = sizeof(generate_settings),
    .defaults = defaults,
    .more_help = cli_print_generators,
    .run = run,
};
