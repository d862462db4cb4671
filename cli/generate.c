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
#include <stdlib.h>
#include <string.h>

typedef struct generate_settings {
    cli_common common;
    heddle_generate_options generate;
    heddle_save_options save;
    const char *blocks, *rates, *degrees_of; /* as given */
    double *numbers;                         /* in `rates`, */
    uint64_t *sizes;                         /* in `blocks` */
    heddle_graph *model;                     /* read from `degrees_of` */
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

/* The options of the shape are called as the fields of generate_settings, which the table of generators names;
 * --no-scramble is the one exception (see is_read). */
static const cli_option shape_options[] = {
    CLI_NUMBER("scale", 's', "N", cli_parse_int, 1, 31, generate_settings, generate.scale, "2^N vertices"),
    CLI_NUMBER("vertices", 'n', "N", cli_parse_count, 1, UINT32_MAX, generate_settings, generate.vertices,
               "the number of vertices; K, M or G may follow (1M)"),
    CLI_VALUE("degree", 'd', "X", cli_parse_real, generate_settings, generate.degree,
              "generated edges per vertex, on average"),
    CLI_NUMBER("width", 0, "N", cli_parse_count, 1, UINT32_MAX, generate_settings, generate.width, "of the grid"),
    CLI_NUMBER("height", 0, "N", cli_parse_count, 1, UINT32_MAX, generate_settings, generate.height, "of the grid"),
    CLI_NUMBER("depth", 0, "N", cli_parse_count, 1, UINT32_MAX, generate_settings, generate.depth,
               "of the grid; more than 1 makes it three-dimensional"),
    CLI_NUMBER("a", 0, "X", cli_parse_real, 0, 1, generate_settings, generate.a,
               "probability of the first quadrant of the matrix"),
    CLI_NUMBER("b", 0, "X", cli_parse_real, 0, 1, generate_settings, generate.b, "of the second"),
    CLI_NUMBER("c", 0, "X", cli_parse_real, 0, 1, generate_settings, generate.c,
               "of the third; the fourth gets the rest"),
    CLI_FLAG("no-scramble", 0, 0, generate_settings, generate.scramble,
             "keep the order of the ids, in which low ids have high degrees"),
    CLI_NUMBER("probability", 'p', "X", cli_parse_real, 0, 1, generate_settings, generate.probability,
               "share of the edges removed (road), rewired (smallworld) or between blocks (blockmodel)"),
    CLI_NUMBER("branching", 0, "N", cli_parse_count, 1, UINT32_MAX, generate_settings, generate.branching,
               "children of each vertex"),
    CLI_VALUE("blocks", 0, "K|N,N,...", cli_parse_text, generate_settings, blocks,
              "K blocks of equal size, or as many blocks as sizes"),
    CLI_VALUE("rates", 0, "P,Q|P,P,...", cli_parse_text, generate_settings, rates,
              "probability of an edge for two vertices of one block, and of different ones; or a row for each block: a "
              "probability for each block, K * K in all"),
    CLI_VALUE("degrees-of", 0, "GRAPH", cli_parse_text, generate_settings, degrees_of,
              "take the degrees of this graph, by its vertices; of a directed graph those in and out"),
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

/* Whether a kind of graph reads the option. */
static bool is_read(const heddle_generator_info *info, const cli_option *option) {
    const char *field = option->name;
    field = !strcmp(field, "no-scramble") ? "scramble" : field;
    field = !strcmp(field, "degrees-of") ? "degrees_of" : field;
    return cli_has_word(info->options, field);
}

/* ---- Help ------------------------------------------------------------------------------------------------------ */

/* The options of the shape that a kind reads, with their defaults: "--scale N (20) --degree X (16)". */
static void print_kind_options(FILE *out, const heddle_generator_info *info) {
    char text[512] = "";
    size_t used = 0;
    generate_settings initial = {.blocks = NULL};
    defaults(&initial);
    for (const cli_option *option = shape_options; option->name; option++) {
        const char *field = (const char *)&initial + option->offset;
        char value[32] = "";
        if (!is_read(info, option) || used >= sizeof text)
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
        fprintf(out, "%17s", "");
        cli_wrap(out, text, 17, 17, CLI_WIDTH);
    }
}

void cli_print_generators(FILE *out) {
    const heddle_generator_info *generator;
    fputs("Kinds, with the options that each one reads and their defaults:\n", out);
    for (size_t i = 0; (generator = heddle_generator_at(i)); i++) {
        fprintf(out, "  %-13s  ", generator->kind);
        cli_wrap(out, generator->description, 17, 17, CLI_WIDTH);
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
        if (cli_given(&session->arguments, option->name) && !is_read(info, option))
            return cli_usage_error(session->command, "--%s means nothing to '%s'", option->name, info->kind);
    if (cli_given(&session->arguments, "real-weights") && !cli_given(&session->arguments, "weights"))
        return cli_usage_error(session->command, "--real-weights needs --weights MIN..MAX");
    return 0;
}

/* ---- Lists ----------------------------------------------------------------------------------------------------- */

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* The numbers of "N,N,…", which the caller frees. */
static int read_list(const cli_session *session, const char *option, const char *text, double **numbers,
                     uint64_t *count) {
    uint64_t room = 1;
    for (const char *p = text; *p; p++)
        room += *p == ',';
    *count = 0;
    *numbers = malloc(room * sizeof **numbers);
    if (!*numbers)
        return no_memory();
    for (const char *p = text; *count < room; p += strcspn(p, ",") + 1)
        if (!cli_read_real(p, strcspn(p, ","), *numbers + (*count)++))
            return cli_usage_error(session->command, "--%s: found '%.200s', expected numbers with commas between",
                                   option, text);
    return 0;
}

static int take_blocks(const cli_session *session, generate_settings *settings) {
    double *sizes = NULL;
    uint64_t count = 0;
    int exit_status = read_list(session, "blocks", settings->blocks, &sizes, &count);
    if (!exit_status && !(settings->sizes = malloc(count * sizeof *settings->sizes)))
        exit_status = no_memory();
    for (uint64_t k = 0; !exit_status && k < count; k++) {
        settings->sizes[k] = sizes[k] >= 1 && sizes[k] <= UINT32_MAX ? (uint64_t)sizes[k] : 0;
        if ((double)settings->sizes[k] != sizes[k])
            exit_status =
                cli_usage_error(session->command, "--blocks: found %g, expected whole numbers above 0", sizes[k]);
    }
    if (!exit_status) {
        settings->generate.blocks = count == 1 ? settings->sizes[0] : count;
        settings->generate.block_sizes = count == 1 ? NULL : settings->sizes;
    }
    free(sizes);
    return exit_status;
}

/* Two numbers stand for a matrix, unless there is one block. */
static int take_rates(const cli_session *session, generate_settings *settings) {
    uint64_t count = 0, k = settings->generate.blocks;
    int exit_status = read_list(session, "rates", settings->rates, &settings->numbers, &count);
    if (!exit_status && count == 2 && k > 1 && k < 1 << 16) {
        double pair[2] = {settings->numbers[0], settings->numbers[1]};
        free(settings->numbers);
        settings->numbers = malloc(k * k * sizeof *settings->numbers);
        for (uint64_t i = 0; settings->numbers && i < k * k; i++)
            settings->numbers[i] = pair[i / k != i % k];
        exit_status = settings->numbers ? 0 : no_memory();
    } else if (!exit_status && (count > k * k || k * k != count)) {
        exit_status =
            cli_usage_error(session->command, "--rates: %llu numbers, expected 2, or %llu for each of %llu blocks",
                            (unsigned long long)count, (unsigned long long)k, (unsigned long long)k);
    }
    settings->generate.rates = settings->numbers;
    return exit_status;
}

static int take_model(cli_session *session, generate_settings *settings) {
    heddle_load_options load;
    double seconds;
    heddle_load_options_init(&load);
    heddle_status status = cli_load(session, settings->degrees_of, &load, &settings->model, &seconds);
    settings->generate.degrees_of = settings->model;
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

static int take_lists(cli_session *session, generate_settings *settings) {
    int exit_status = settings->blocks ? take_blocks(session, settings) : 0;
    if (!exit_status && settings->rates)
        exit_status = take_rates(session, settings);
    if (!exit_status && settings->degrees_of)
        exit_status = take_model(session, settings);
    return exit_status;
}

static void print_json(const heddle_generate_options *generate, const cli_transfer *transfer) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "kind", generate->kind);
    cli_json_count(&json, "seed", generate->seed);
    cli_json_transfer(&json, transfer);
    cli_json_end(&json);
}

static void print_summary(cli_session *session, const generate_settings *settings, const cli_transfer *transfer) {
    if (settings->common.json)
        print_json(&settings->generate, transfer);
    else
        cli_say_written(session, transfer);
}

/* By all ranks; rank 0 reads the new file for the summary. */
static int generate_together(cli_session *session, const generate_settings *settings, cli_transfer *transfer) {
    double start = cli_clock();
    heddle_graph *graph = NULL;
    heddle_status status =
        heddle_graph_generate_file(session->context, &settings->generate, transfer->path, &settings->save);
    transfer->before_seconds = cli_clock() - start;
    if (status == HEDDLE_OK && !cli_is_other_rank()) {
        status = cli_look_at_written(session, transfer, &graph);
        if (status == HEDDLE_OK)
            print_summary(session, settings, transfer);
        heddle_graph_destroy(&graph);
    }
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

static int generate(cli_session *session, generate_settings *settings) {
    const heddle_generator_info *info = find_kind(session->arguments.operands[0]);
    cli_transfer transfer = {.path = session->arguments.operands[1], .before = "generate"};
    char folder[PATH_MAX];
    heddle_graph *graph = NULL;
    int exit_status = info ? check_options(session, info) : unknown_kind(session, session->arguments.operands[0]);
    if (!exit_status)
        exit_status = cli_check_output(session, transfer.path, &settings->save);
    if (!exit_status)
        exit_status = take_lists(session, settings);
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
        print_summary(session, settings, &transfer);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static int run(cli_session *session, void *opaque) {
    generate_settings *settings = opaque;
    int exit_status = generate(session, settings);
    heddle_graph_destroy(&settings->model);
    free(settings->numbers);
    free(settings->sizes);
    return exit_status;
}

static const cli_group groups[] = {
    {"Shape", shape_options, 0},
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
                "heddle generate barabasi scalefree.hdl -n 1M --degree 4\n"
                "heddle generate blockmodel groups.hdl --blocks 300,500,200 --rates 0.1,0.01\n"
                "heddle generate configuration null.hdl --degrees-of social.hdl\n"
                "heddle generate star - --vertices 1M --to edgelist | head",
    .groups = groups,
    .settings_size = sizeof(generate_settings),
    .defaults = defaults,
    .more_help = cli_print_generators,
    .run = run,
};
