/* convert.c - heddle convert: any format to any format, with the graph changed while converting if requested. */
#include "command.h"
#include "common.h"
#include "json.h"
#include "ranks.h"
#include "report.h"
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct convert_settings {
    cli_common common;
    heddle_load_options load;
    heddle_save_options save;
    const char *prepare;
} convert_settings;

static void defaults(void *opaque) {
    convert_settings *settings = opaque;
    heddle_load_options_init(&settings->load);
    heddle_save_options_init(&settings->save);
}

static void print_json(const char *input, const cli_transfer *transfer) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "input", input);
    cli_json_transfer(&json, transfer);
    cli_json_end(&json);
}

static void print_summary(cli_session *session, const convert_settings *settings, const char *input,
                          const cli_transfer *transfer) {
    if (settings->common.json)
        print_json(input, transfer);
    else
        cli_say_written(session, transfer);
}

/* By all ranks; rank 0 reads the new file for the summary. */
static int convert_together(cli_session *session, const convert_settings *settings, const char *input,
                            cli_transfer *transfer) {
    heddle_graph *graph = NULL;
    double start = cli_clock();
    heddle_status status =
        heddle_graph_convert(session->context, input, &settings->load, transfer->path, &settings->save);
    transfer->before = "convert";
    transfer->before_seconds = cli_clock() - start;
    if (status == HEDDLE_OK && !cli_is_other_rank()) {
        status = cli_look_at_written(session, transfer, &graph);
        if (status == HEDDLE_OK)
            print_summary(session, settings, input, transfer);
        heddle_graph_destroy(&graph);
    }
    return status == HEDDLE_OK ? 0 : cli_fail(session, status);
}

/* Each of the plans, which have ';' between. */
static heddle_status prepare(cli_session *session, const char *plans, heddle_graph *graph) {
    char plan[256];
    heddle_status status = HEDDLE_OK;
    for (size_t length; status == HEDDLE_OK && plans && *plans; plans += length + (plans[length] == ';')) {
        length = strcspn(plans, ";");
        snprintf(plan, sizeof plan, "%.*s", (int)(length < sizeof plan ? length : sizeof plan), plans);
        status = heddle_graph_prepare(session->context, graph, plan);
    }
    return status;
}

static int run(cli_session *session, void *opaque) {
    convert_settings *settings = opaque;
    char folder[PATH_MAX];
    const char *input = session->arguments.operands[0];
    cli_transfer transfer = {.path = session->arguments.operands[1], .before = "load"};
    heddle_graph *graph = NULL;
    int exit_status = cli_ranks_agree(session, cli_check_output(session, transfer.path, &settings->save));
    if (exit_status)
        return exit_status;
    if (settings->prepare && !cli_writes_hdl(transfer.path, settings->save.format))
        return cli_usage_error(session->command, "--prepare is for .hdl files: no other format keeps plans");
    if (heddle_context_ranks(session->context) > 1 && settings->prepare)
        return cli_usage_error(session->command, "--prepare is for one process");
    if (heddle_context_ranks(session->context) > 1)
        return convert_together(session, settings, input, &transfer);
    cli_limit_build(&settings->save, transfer.path, &settings->load.build, folder, sizeof folder);
    heddle_status status = cli_load(session, input, &settings->load, &graph, &transfer.before_seconds);
    if (status == HEDDLE_OK)
        status = prepare(session, settings->prepare, graph);
    if (status == HEDDLE_OK) {
        transfer.graph = graph;
        status = cli_save(session, &transfer, &settings->save);
    }
    if (status != HEDDLE_OK)
        exit_status = cli_fail(session, status);
    else
        print_summary(session, settings, input, &transfer);
    heddle_graph_destroy(&graph);
    return exit_status;
}

static const cli_option own_options[] = {
    CLI_VALUE("from", 0, "NAME", cli_parse_format, heddle_load_options, format,
              "another name for --format, to go with --to"),
    CLI_END_OPTIONS,
};

static const cli_option prepare_options[] = {
    CLI_VALUE(
        "prepare", 0, "PLANS", cli_parse_text, convert_settings, prepare,
        ".hdl: also keep what these plans of graffix, with ';' between, decide, and renamed edges for graphie, so that "
        "runs need not make them"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    CLI_READ_GROUP(convert_settings, load),
    {"", own_options, offsetof(convert_settings, load)},
    CLI_BUILD_GROUP(convert_settings, load.build),
    CLI_SAVE_GROUP(convert_settings, save),
    {"", prepare_options, 0},
    CLI_LIMIT_GROUP(convert_settings, save),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_convert = {
    .name = "convert",
    .hints = CLI_WORDS("import", "export", "save", "load"),
    .ranks = CLI_RANKS_ALL,
    .summary = "write a graph in another format",
    .operands = "IN OUT",
    .about =
        "Reads the graph IN and writes it to OUT. The format of IN is found from its content, that of OUT from "
        "its suffix; .gz, .zst, .bz2 and .xz are unpacked and packed while reading and writing. Either may be - for "
        "standard "
        "input or output; the latter needs --to.\n\n"
        "OUT appears complete or not at all: it gets its name when all of it is on the disk. A format "
        "that cannot hold all of the graph (ids, direction, weights, vertices without edges) is refused unless "
        "--lossy is given.\n\n"
        "The fastest format to read again is .hdl: it is mapped into memory, whatever its size. With --order it also "
        "holds the graph with its vertices renamed, by descending degree or in the order of a breadth-first search. "
        "Algorithms that are quicker on that run there (--plan order=none: on the graph itself), and give the same "
        "results, by the ids of the graph; sums of real numbers (pr, bc, hs, cs, nn) agree within rounding, since they "
        "are added in another order.\n\n"
        "With --memory-limit a text of any size becomes an .hdl file: what exceeds the limit is built in temporary "
        "files beside OUT, which have no name and are gone however the command ends. The file is the same, byte for "
        "byte.\n\n"
        "Several ranks (mpirun, srun) convert a plain edge list, .gr or .mtx file to an .hdl file together, each a "
        "share "
        "of it.",
    .examples = "heddle convert wiki-Vote.txt.gz wiki-Vote.hdl\n"
                "heddle convert roads.gr roads.mtx.zst --level 19\n"
                "heddle convert links.csv links.graph --symmetrize --no-loops --dedup --lossy\n"
                "curl -s https://example.org/g.txt.gz | heddle convert - g.hdl --in-edges\n"
                "heddle convert web.txt.zst web.hdl --order degree\n"
                "heddle convert web.hdl kept.hdl --prepare 'graffix-coalesce;graffix-latency'\n"
                "heddle convert web.hdl kept.hdl --order out --prepare graphie\n"
                "heddle convert huge.txt huge.hdl --memory-limit 4G\n"
                "mpirun -n 16 heddle convert huge.txt huge.hdl\n"
                "heddle convert g.hdl - --to mtx | head",
    .groups = groups,
    .settings_size = sizeof(convert_settings),
    .defaults = defaults,
    .run = run,
};
