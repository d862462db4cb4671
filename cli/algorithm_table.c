/* algorithm_table.c - the algorithm commands: their words, options and examples. algorithm.c does the work. */
#include "algorithm.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- Options of their own -------------------------------------------------------------------------------------- */

static const cli_option verify_options[] = {
    CLI_FLAG("verify", 0, 1, cli_run_settings, verify,
             "check the result against its certificate; exit status 5 when it is wrong"),
    CLI_END_OPTIONS,
};

static const cli_option bfs_options[] = {
    CLI_FLAG(
        "each", 0, 1, cli_run_settings, run.each,
        "a search of its own from each source, many at once, instead of one from all: a column of levels for each"),
    CLI_END_OPTIONS,
};

static const cli_option sssp_options[] = {
    CLI_FLAG("each", 0, 1, cli_run_settings, run.each,
             "distances of its own from each source, instead of the least from all: a column for each"),
    CLI_VALUE("delta", 0, "X", cli_parse_positive, cli_run_settings, run.delta,
              "width of the buckets of distances (default: from the graph)"),
    CLI_END_OPTIONS,
};

static const cli_option pr_options[] = {
    CLI_FLAG("each", 0, 1, cli_run_settings, run.each, "separate ranks for each of the sources: a column for each"),
    CLI_VALUE("damping", 0, "X", cli_parse_fraction, cli_run_settings, run.damping,
              "share of the rank that follows edges (default: 0.85)"),
    CLI_VALUE("tolerance", 0, "X", cli_parse_positive, cli_run_settings, run.tolerance,
              "stop when the ranks change by less in all (default: 0.000001)"),
    CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations,
               "stop after N rounds (default: 100)"),
    CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "edges count by their weight"),
    CLI_VALUE("personalize", 0, "FILE", cli_parse_text, cli_run_settings, personalize,
              "where jumps go: \"id weight\" lines, or ids alone for equal shares (default: to all vertices alike)"),
    CLI_END_OPTIONS,
};

static const cli_option bc_options[] = {
    CLI_NUMBER("samples", 0, "K", cli_parse_count, 1, 4294967295.0, cli_run_settings, run.samples,
               "paths from K vertices chosen by chance (--seed), instead of all"),
    CLI_VALUE("confidence", 0, "C", cli_parse_probability, cli_run_settings, run.confidence,
              "with --max-error: the probability that the bound holds (default: 0.9)"),
    CLI_FLAG("normalized", 0, 1, cli_run_settings, run.normalized, "divide by the number of pairs of other vertices"),
    CLI_END_OPTIONS,
};

#define SAMPLES                                                                                    \
    CLI_NUMBER("samples", 0, "K", cli_parse_count, 1, 4294967295.0, cli_run_settings, run.samples, \
               "distances from K vertices chosen by chance (--seed), instead of all, with an error bound")

static const cli_option closeness_options[] = {
    SAMPLES,
    CLI_FLAG("reversed", 0, 1, cli_run_settings, run.reversed, "distances from a vertex to the others, not to it"),
    CLI_FLAG("reachable-only", 0, 1, cli_run_settings, run.reachable_only,
             "do not multiply by the share of vertices that reach the vertex"),
    CLI_END_OPTIONS,
};

static const cli_option harmonic_options[] = {
    SAMPLES,
    CLI_VALUE("confidence", 0, "C", cli_parse_probability, cli_run_settings, run.confidence,
              "with --max-error: the probability that the bound holds (default: 0.9)"),
    CLI_FLAG("normalized", 0, 1, cli_run_settings, run.normalized, "divide by the number of other vertices"),
    CLI_FLAG("reversed", 0, 1, cli_run_settings, run.reversed, "distances from a vertex to the others, not to it"),
    CLI_END_OPTIONS,
};

static const cli_option eccentricity_options[] = {
    CLI_NUMBER("samples", 0, "K", cli_parse_count, 1, 4294967295.0, cli_run_settings, run.samples,
               "distances to K vertices chosen by chance (--seed), instead of all: lower bounds"),
    CLI_FLAG("reversed", 0, 1, cli_run_settings, run.reversed, "distances to a vertex, not from it"),
    CLI_END_OPTIONS,
};

#define SPECTRAL_OPTIONS                                                                                     \
    CLI_VALUE("tolerance", 0, "X", cli_parse_positive, cli_run_settings, run.tolerance,                      \
              "stop when a round changes the values by no more (default: 0.000001)"),                        \
        CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations, \
                   "stop after N rounds (default: 1000)"),                                                   \
        CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "edges count by their weight")

static const cli_option eigenvector_options[] = {SPECTRAL_OPTIONS, CLI_END_OPTIONS};

static const cli_option katz_options[] = {
    CLI_VALUE("alpha", 0, "X", cli_parse_positive, cli_run_settings, run.alpha,
              "what each further edge of a walk is multiplied by (default: one that surely converges)"),
    CLI_FLAG("normalized", 0, 1, cli_run_settings, run.normalized, "divide by the square root of the sum of squares"),
    SPECTRAL_OPTIONS,
    CLI_END_OPTIONS,
};

static const cli_option hits_options[] = {
    CLI_FLAG("hubs", 0, 1, cli_run_settings, run.hubs, "the hubs, not the authorities"),
    SPECTRAL_OPTIONS,
    CLI_END_OPTIONS,
};

static const cli_choice measure_choices[] = {
    {"jaccard", HEDDLE_SIMILARITY_JACCARD},
    {"overlap", HEDDLE_SIMILARITY_OVERLAP},
    {"cosine", HEDDLE_SIMILARITY_COSINE},
    {"adamic-adar", HEDDLE_SIMILARITY_ADAMIC_ADAR},
    {"resources", HEDDLE_SIMILARITY_RESOURCES},
    {"attachment", HEDDLE_SIMILARITY_ATTACHMENT},
    {NULL, 0},
};

static const cli_choice direction_choices[] = {
    {"both", HEDDLE_EDGES_BOTH},
    {"out", HEDDLE_EDGES_OUT},
    {"in", HEDDLE_EDGES_IN},
    {NULL, 0},
};

static const cli_option degree_options[] = {
    CLI_CHOICE("direction", 0, "WHICH", direction_choices, cli_run_settings, run.direction,
               "edges that leave (out) or enter (in) a vertex, or both (the default)"),
    CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "the sum of their weights: the strength"),
    CLI_END_OPTIONS,
};

static const cli_option toposort_options[] = {
    CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "the largest sum of weights, not the most edges"),
    CLI_END_OPTIONS,
};

static const cli_option similar_options[] = {
    CLI_CHOICE("measure", 0, "NAME", measure_choices, cli_run_settings, run.measure,
               "jaccard (the default), overlap, cosine, adamic-adar, resources or attachment"),
    CLI_VALUE("pairs", 0, "FILE", cli_parse_text, cli_run_settings, pairs, "compare these pairs: \"id id\" lines"),
    CLI_VALUE("source", 's', "ID[,ID...]", cli_parse_text, cli_run_settings, source,
              "find those most similar to each of these vertices"),
    CLI_VALUE("sources", 0, "FILE", cli_parse_text, cli_run_settings, sources,
              "find those most similar to each of the vertices that FILE lists, one id a line"),
    CLI_NUMBER("count", 0, "K", cli_parse_count, 1, 1e18, cli_run_settings, run.top,
               "how many for each of these vertices, or of all pairs (default: 10)"),
    CLI_FLAG("not-neighbours", 0, 1, cli_run_settings, run.not_neighbours,
             "without pairs that an edge connects already: which edges may be missing?"),
    CLI_NUMBER("min-degree", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.min_degree,
               "only vertices with N neighbours or more"),
    CLI_END_OPTIONS,
};

static const cli_option cdlp_options[] = {
    CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations,
               "how many rounds (default: 10)"),
    CLI_END_OPTIONS,
};

static const cli_option lpa_options[] = {
    CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations,
               "stop after N rounds (default: 1000)"),
    CLI_END_OPTIONS,
};

static const cli_option louvain_options[] = {
    CLI_NUMBER("resolution", 0, "X", cli_parse_real, 0, 1e300, cli_run_settings, run.resolution,
               "above 1: more and smaller communities, below: fewer and larger ones (default: 1)"),
    CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "edges count by their weight"),
    CLI_NUMBER("max-iterations", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.max_iterations,
               "stop after N levels of the hierarchy (default: 100)"),
    CLI_END_OPTIONS,
};

static const cli_option walks_options[] = {
    CLI_VALUE("source", 's', "ID[,ID...]", cli_parse_text, cli_run_settings, source, "begin at these vertices"),
    CLI_VALUE("sources", 0, "FILE", cli_parse_text, cli_run_settings, sources,
              "begin at the vertices that FILE lists, one id a line (default: at all vertices)"),
    CLI_NUMBER("walks", 0, "N", cli_parse_count, 1, 1e18, cli_run_settings, run.walks,
               "how many from each of them (default: 10)"),
    CLI_NUMBER("length", 0, "N", cli_parse_count, 1, 4e9, cli_run_settings, run.length,
               "how many edges each has (default: 80)"),
    CLI_FLAG("weighted", 0, 1, cli_run_settings, run.weighted, "edges are drawn by their weight"),
    CLI_VALUE("return", 0, "P", cli_parse_positive, cli_run_settings, run.p,
              "node2vec's p: a step back is 1/P times as likely (default: 1)"),
    CLI_VALUE("in-out", 0, "Q", cli_parse_positive, cli_run_settings, run.q,
              "node2vec's q: a step away from the vertex before is 1/Q times as likely (default: 1)"),
    CLI_END_OPTIONS,
};

static const cli_option hs_options[] = {
    CLI_NUMBER("rate", 0, "X", cli_parse_real, 0, 1, cli_run_settings, run.rate,
               "how fast heat flows, from 0 to 1 (default: 0.5)"),
    CLI_END_OPTIONS,
};

/* ---- Groups ---------------------------------------------------------------------------------------------------- */

#define VERIFIED_GROUPS {"Checking", verify_options, 0}, CLI_RUN_GROUPS

static const cli_group bfs_groups[] = {{"Paths", cli_start_options, 0},
                                       {"", bfs_options, 0},
                                       {"", cli_path_options, 0},
                                       VERIFIED_GROUPS};
static const cli_group sswp_groups[] = {{"Paths", cli_start_options, 0}, {"", cli_path_options, 0}, VERIFIED_GROUPS};
static const cli_group sssp_groups[] = {{"Paths", cli_start_options, 0},
                                        {"", cli_path_options, 0},
                                        {"", sssp_options, 0},
                                        VERIFIED_GROUPS};
static const cli_group degree_groups[] = {{"Edges", degree_options, 0}, VERIFIED_GROUPS};
static const cli_group toposort_groups[] = {{"Paths", cli_path_options, 0}, {"", toposort_options, 0}, VERIFIED_GROUPS};
static const cli_group plain_groups[] = {VERIFIED_GROUPS};
static const cli_group pr_groups[] = {{"Ranks", pr_options, 0}, {"", cli_start_options, 0}, VERIFIED_GROUPS};
static const cli_group bc_groups[] = {{"Paths", cli_start_options, 0}, {"", bc_options, 0}, VERIFIED_GROUPS};
static const cli_group closeness_groups[] = {{"Paths", cli_start_options, 0},
                                             {"", closeness_options, 0},
                                             VERIFIED_GROUPS};
static const cli_group harmonic_groups[] = {{"Paths", cli_start_options, 0},
                                            {"", harmonic_options, 0},
                                            VERIFIED_GROUPS};
static const cli_group eccentricity_groups[] = {{"Paths", cli_start_options, 0},
                                                {"", eccentricity_options, 0},
                                                VERIFIED_GROUPS};
static const cli_group eigenvector_groups[] = {{"Rounds", eigenvector_options, 0}, VERIFIED_GROUPS};
static const cli_group katz_groups[] = {{"Rounds", katz_options, 0}, VERIFIED_GROUPS};
static const cli_group hits_groups[] = {{"Rounds", hits_options, 0}, VERIFIED_GROUPS};
static const cli_group similar_groups[] = {{"Pairs", similar_options, 0}, VERIFIED_GROUPS};
static const cli_group cdlp_groups[] = {{"Rounds", cdlp_options, 0}, VERIFIED_GROUPS};
static const cli_group lpa_groups[] = {{"Rounds", lpa_options, 0}, VERIFIED_GROUPS};
static const cli_group louvain_groups[] = {{"Communities", louvain_options, 0}, VERIFIED_GROUPS};
static const cli_group walks_groups[] = {{"Walks", walks_options, 0}, VERIFIED_GROUPS};
static const cli_group hs_groups[] = {{"Values", cli_init_options, 0},
                                      {"", hs_options, 0},
                                      {"", cli_rounds_options, 0},
                                      VERIFIED_GROUPS};
static const cli_group steady_groups[] = {{"Values", cli_init_options, 0},
                                          {"", cli_rounds_options, 0},
                                          VERIFIED_GROUPS};

/* ---- The table -------------------------------------------------------------------------------------------------- */

static int run(cli_session *session, void *opaque) {
    cli_run_settings *settings = opaque;
    settings->run.algorithm = session->command->name;
    return cli_run_algorithm(session, settings, cli_algorithm_called(session->command->name),
                             session->arguments.operands[0]);
}

#define SAME                                                                                                   \
    .algorithm = true, .ranks = CLI_RANKS_ALL, .operands = "GRAPH", .settings_size = sizeof(cli_run_settings), \
    .defaults = cli_run_defaults, .run = run

#define SOURCE_WORDS                                                                                                  \
    "Without --source the vertex of largest out-degree is the source, of several the one with the smallest id; with " \
    "several sources each vertex is counted from the one that is best for it."

#define INIT_WORDS \
    "--init gives vertices their first values, --fixed gives values that never change. Both hold \"id value\" lines. "

#define ROUNDS_WORDS                                                                                               \
    "Rounds go on until no value changes by more than --tolerance, at most --max-iterations times. Values are in " \
    "single precision unless --precision double is given."

static const cli_algorithm described[] = {
    {.command =
         {SAME, .name = "bfs", .aliases = CLI_WORDS("breadthfirst", "breadthfirstsearch"),
          .hints = CLI_WORDS("hops", "levels", "search", "breadth"), .groups = bfs_groups,
          .summary = "how many edges away every vertex is",
          .about =
              "Breadth-first search: the least number of edges on a path from the source to each vertex, along the "
              "edges' direction. Vertices that cannot be reached get inf. --top lists the farthest "
              "vertices.\n\n" SOURCE_WORDS
              " With --each every source has a search of its own; --output writes a column for each, in their "
              "order, below a line with their ids (.npy: a row for each).",
          .examples = "heddle bfs wiki-Vote.txt.gz --source 30\n"
                      "heddle bfs friends.txt --symmetrize --source alice --path-to bob\n"
                      "heddle bfs roads.gr --sources hospitals.txt --output hops.tsv.gz\n"
                      "heddle bfs roads.gr --sources hospitals.txt --each --output hops.npy\n"
                      "heddle bfs g.hdl --parents --verify --json"},
     .value = "distance in edges",
     .top_title = "The farthest vertices",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_GIVEN | CLI_HOLDS_ISOLATED | CLI_HOLDS_DOUBLED},
    {.command = {SAME, .name = "sssp", .aliases = CLI_WORDS("dijkstra", "shortestpath", "shortestpaths"),
                 .hints = CLI_WORDS("shortest", "distance", "distances", "path", "paths", "bellmanford", "astar"),
                 .groups = sssp_groups, .summary = "shortest distances from a source",
                 .about =
                     "The least sum of weights on a path from the source to each vertex, along the edges' direction. "
                     "Weights are whole or real numbers, never negative; without weights every edge counts 1. Vertices "
                     "that cannot be reached get inf. --top lists the farthest vertices.\n\n"
                     "Whole numbers are summed exactly, real ones in double precision. --precision single is for less "
                     "memory: it rounds at every edge, and a path of k edges is within k / 2^24 of its "
                     "length.\n\n" SOURCE_WORDS,
                 .examples = "heddle sssp rome99.gr.gz --source 1 --path-to 3353\n"
                             "heddle sssp roads.gr --source 7 --output distances.npy\n"
                             "heddle sssp roads.gr --sources depots.txt --top 10 --verify"},
     .value = "distance",
     .top_title = "The farthest vertices",
     .weights = true,
     .room = 1e-5,
     .room_by_weights = true,
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_GIVEN | CLI_HOLDS_ISOLATED | CLI_HOLDS_DOUBLED | CLI_HOLDS_TIMES |
              CLI_HOLDS_SPLIT},
    {.command =
         {SAME, .name = "sswp", .aliases = CLI_WORDS("widestpath", "widestpaths"),
          .hints = CLI_WORDS("widest", "bottleneck"), .groups = sswp_groups, .summary = "widest paths from a source",
          .about = "The widest path from the source to each vertex: a path is as wide as its least weight. Without "
                   "weights every width is 1. The source itself is inf wide; vertices that cannot be reached get -inf. "
                   "--top lists the widest paths, without the source.\n\n" SOURCE_WORDS,
          .examples = "heddle sswp pipes.csv --source plant\n"
                      "heddle sswp network.mtx --source 1 --path-to 99 --json"},
     .value = "width",
     .top_title = "The widest paths",
     .widest = true,
     .weights = true,
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_GIVEN | CLI_HOLDS_ISOLATED | CLI_HOLDS_DOUBLED | CLI_HOLDS_TIMES |
              CLI_HOLDS_SPLIT},
    {.command =
         {SAME, .name = "cc",
          .aliases = CLI_WORDS("components", "connectedcomponents", "weaklyconnectedcomponents", "wcc"),
          .hints = CLI_WORDS("connected", "unionfind", "clusters"), .groups = plain_groups,
          .summary = "weakly connected components",
          .about =
              "Which vertices hang together, whatever the edges' direction. Each vertex gets the smallest id of its "
              "component (where ids are words: the first in the file). --top lists the largest components, each "
              "with its number of vertices.",
          .examples = "heddle cc web.txt.zst\n"
                      "heddle cc links.csv --top 20\n"
                      "heddle cc g.hdl --output components.tsv"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest components",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED | CLI_HOLDS_SPLIT},
    {.command =
         {SAME, .name = "pr", .aliases = CLI_WORDS("pagerank"), .hints = CLI_WORDS("rank"), .groups = pr_groups,
          .summary = "PageRank",
          .about =
              "The rank of each vertex: the share of time that a walker spends there who follows edges (with "
              "probability --damping) or jumps. The ranks sum up to 1; what vertices without out-edges hold goes "
              "where jumps go. Several edges between two vertices count as often as they occur. Ranks are held in "
              "single precision unless --precision double is given. Small ones may be off by "
              "some thousandths at the default tolerance: --verify says to how many digits they are right.\n\n"
              "With --source or --sources all jumps go to these vertices: personalised PageRank; --personalize gives "
              "them different shares. With --each they go to one source at a time: --output writes a column of ranks "
              "for each, in their order, below a line with their ids (.npy: a row for each).",
          .examples = "heddle pr web.txt.zst --top 10\n"
                      "heddle pr links.hdl --precision double --tolerance 1e-10 --output ranks.npy\n"
                      "heddle pr friends.txt --source alice --top 20\n"
                      "heddle pr friends.txt --source alice,bob --each --output near.tsv"},
     .value = "rank",
     .top_title = "The highest ranks",
     .jumps = true,
     .walks_per_round = true,
     .room = 2e-5,
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_DOUBLED},
    {.command = {SAME, .name = "bc", .aliases = CLI_WORDS("betweenness", "betweennesscentrality", "brandes"),
                 .hints = CLI_WORDS("centrality"), .groups = bc_groups, .summary = "betweenness centrality",
                 .about =
                     "How many shortest paths pass through each vertex: for every pair of other vertices, the share of "
                     "their shortest paths (by number of edges, along their direction) that do. On an undirected graph "
                     "each pair counts once. Paths differ by their vertices: parallel edges count as one. All vertices "
                     "are sources, which takes long on large graphs; --samples chooses "
                     "some of them, --source names them. Values are held in double precision.",
                 .examples = "heddle bc karate.mtx.gz\n"
                             "heddle bc wiki-Vote.txt.gz --samples 100 --seed 7 --top 20\n"
                             "heddle bc friends.txt --max-error 0.01 --confidence 0.95 --top 10\n"
                             "heddle bc friends.txt --symmetrize --normalized --output centrality.tsv"},
     .value = "betweenness",
     .top_title = "The most central vertices",
     .bounded = true,
     .from_all = true,
     .walks = 2,
     .room = 1e-6,
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "closeness", .aliases = CLI_WORDS("closenesscentrality"),
          .hints = CLI_WORDS("close", "farness"), .groups = closeness_groups, .summary = "closeness centrality",
          .about =
              "How close the other vertices are: the reciprocal of their mean distance, in edges, to the vertex (with "
              "--reversed: from it), times the share of them that reach it at all, as NetworkX defines it. A vertex "
              "that none reaches has 0. A search from every vertex is made, 256 at once; --samples draws some of them, "
              "and the report has a bound of the error on connected undirected graphs; --source names them.",
          .examples = "heddle closeness karate.mtx.gz --top 5\n"
                      "heddle closeness facebook_combined.txt.gz --symmetrize --samples 500 --seed 7\n"
                      "heddle closeness web.txt.zst --reversed --output closeness.npy"},
     .value = "closeness",
     .top_title = "The most central vertices",
     .from_all = true,
     .room = 1e-12,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_REVERSED | CLI_HOLDS_OPTION_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "harmonic", .aliases = CLI_WORDS("harmoniccentrality", "harmoniccloseness"),
          .hints = CLI_WORDS("reciprocal"), .groups = harmonic_groups, .summary = "harmonic centrality",
          .about =
              "The sum of the reciprocals of the distances, in edges, from all other vertices to the vertex (with "
              "--reversed: from it); vertices without a path count 0. A search from every vertex is made, 256 at once; "
              "--samples draws some of them, --max-error as many as an error of the mean reciprocal needs (Hoeffding's "
              "bound), --source names them.",
          .examples = "heddle harmonic karate.mtx.gz --top 5\n"
                      "heddle harmonic wiki-Vote.txt.gz --normalized --max-error 0.05\n"
                      "heddle harmonic web.txt.zst --sources pages.txt --output harmonic.npy"},
     .value = "harmonic centrality",
     .top_title = "The most central vertices",
     .bounded = true,
     .from_all = true,
     .room = 1e-12,
     .holds =
         CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_OPTION_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "eccentricity", .aliases = CLI_WORDS("diameter", "radius", "eccentricities"),
          .hints = CLI_WORDS("farthest", "longest"),
          .groups = eccentricity_groups, .summary = "largest distances, and the diameter",
          .about =
              "The largest distance, in edges, from each vertex to any that it reaches (with --reversed: to it). The "
              "figures have the graph's diameter and radius, the largest and the smallest value, and how many pairs of "
              "vertices have no path. With --samples or --source only distances to these count: the values are lower "
              "bounds, and the figures have bounds of the diameter.",
          .examples = "heddle eccentricity karate.mtx.gz\n"
                      "heddle eccentricity roads.gr --samples 64 --json\n"
                      "heddle eccentricity g.hdl --source 1 --output distances.tsv"},
     .value = "eccentricity",
     .top_title = "The most eccentric vertices",
     .from_all = true,
     .holds =
         CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_OPTION_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "eigenvector", .aliases = CLI_WORDS("eigenvectorcentrality", "evcent"),
          .hints = CLI_WORDS("eigen", "spectral"), .groups = eigenvector_groups, .summary = "eigenvector centrality",
          .about =
              "A vertex is as central as the sum of those whose edges enter it, up to a factor: the eigenvector of the "
              "largest eigenvalue (figure \"eigenvalue\"). The sum of squares is 1. Rounds go on until one changes the "
              "vector by no more than --tolerance (Euclidean distance).",
          .examples = "heddle eigenvector karate.mtx.gz --top 5\n"
                      "heddle eigenvector facebook_combined.txt.gz --symmetrize --verify\n"
                      "heddle eigenvector g.hdl --weighted --output central.npy"},
     .value = "centrality",
     .top_title = "The most central vertices",
     .walks_per_round = true,
     .room = -1},
    {.command =
         {SAME, .name = "katz", .aliases = CLI_WORDS("katzcentrality"), .hints = CLI_WORDS("alpha", "walks"),
          .groups = katz_groups, .summary = "Katz centrality",
          .about =
              "All walks that end in a vertex, one of k edges counting --alpha to the power of k: x = 1 + alpha times "
              "the sum of x over the edges that enter. Without --alpha it is 0.9 divided by the largest degree, in or "
              "out, whichever is smaller, so that the sums converge (figure \"alpha\"). Rounds go on until no value "
              "changes by more than --tolerance times the largest.",
          .examples = "heddle katz karate.mtx.gz --top 5\n"
                      "heddle katz web.txt.zst --alpha 0.001 --output katz.npy\n"
                      "heddle katz g.hdl --weighted --normalized --verify"},
     .value = "centrality",
     .top_title = "The most central vertices",
     .walks_per_round = true,
     .room = -1},
    {.command =
         {SAME, .name = "hits", .aliases = CLI_WORDS("kleinberg"),
          .hints = CLI_WORDS("hubs", "authorities", "authority"),
          .groups = hits_groups, .summary = "authorities and hubs",
          .about =
              "HITS: good hubs point to good authorities. The value of a vertex is its authority, or, with --hubs, how "
              "good a hub it is; the values sum up to 1. Rounds go on until one changes them by no more than "
              "--tolerance in all.",
          .examples = "heddle hits web.txt.zst --top 10\n"
                      "heddle hits web.txt.zst --hubs --output hubs.tsv\n"
                      "heddle hits wiki-Vote.txt.gz --tolerance 1e-9 --verify"},
     .value = "authority",
     .top_title = "The highest values",
     .walks_per_round = true,
     .room = -1},
    {.command = {SAME, .name = "degree", .aliases = CLI_WORDS("degrees", "strength", "indegree", "outdegree"),
                 .hints = CLI_WORDS("neighbors", "valency"), .groups = degree_groups,
                 .summary = "how many edges every vertex has",
                 .about =
                     "The number of edges at each vertex: of a directed graph those that leave and those that enter "
                     "it, or one "
                     "of both (--direction). Parallel edges count each; a loop has two ends here, and counts twice, "
                     "unless only "
                     "one of both counts. With --weighted their weights are added up, which is called the strength.",
                 .examples = "heddle degree wiki-Vote.txt.gz --direction in --top 10\n"
                             "heddle degree roads.gr --weighted --output strength.tsv"},
     .value = "degree",
     .top_title = "The highest degrees",
     .room = 1e-12,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED},
    {.command =
         {SAME, .name = "scc", .aliases = CLI_WORDS("stronglyconnectedcomponents", "strongcomponents", "tarjan"),
          .hints = CLI_WORDS("strong", "strongly", "kosaraju"),
          .groups = plain_groups, .summary = "strongly connected components",
          .about =
              "Which vertices can reach each other along the edges' direction. Each vertex gets the smallest id of "
              "its component (where ids are words: the first in the file). --top lists the largest components, "
              "each with its number of vertices.",
          .examples = "heddle scc web.txt.zst\n"
                      "heddle scc dependencies.csv --top 10\n"
                      "heddle scc g.hdl --output components.tsv --verify"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest components",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "mst",
          .aliases =
              CLI_WORDS("spanningtree", "spanningforest", "minimumspanningtree", "kruskal", "boruvka"),
          .hints = CLI_WORDS("spanning", "prim", "tree"), .groups = plain_groups, .summary = "minimum spanning forest",
          .about = "The lightest edges that keep every weakly connected component together, whatever the edges' "
                   "direction. Without weights every edge weighs 1. Among edges of equal weight those with the smaller "
                   "ids win, so that the forest is unique. Rows are edges: smaller id, larger id, weight. --top lists "
                   "the heaviest edges.",
          .examples = "heddle mst roads.gr\n"
                      "heddle mst points.csv --output tree.tsv\n"
                      "heddle mst g.hdl --top 5 --verify"},
     .rows = CLI_ROWS_EDGES,
     .top_title = "The heaviest edges",
     .weights = true,
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED | CLI_HOLDS_TIMES},
    {.command =
         {SAME, .name = "bridges", .aliases = CLI_WORDS("bridge", "cutedges"),
          .hints = CLI_WORDS("connectivity", "isthmus"),
          .groups = plain_groups, .summary = "edges that hold the graph together",
          .about =
              "The edges without which their ends would not be connected any more, whatever the edges' direction; "
              "parallel edges count as one, loops do not count. Rows are edges: smaller id, larger id, and how many "
              "vertices the smaller of both sides would have.",
          .examples = "heddle bridges power-grid.txt --top 20\n"
                      "heddle bridges roads.gr --output bridges.tsv --verify"},
     .rows = CLI_ROWS_EDGES,
     .top_title = "The bridges with the largest smaller sides",
     .weight = "vertices",
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command = {SAME, .name = "articulation", .aliases = CLI_WORDS("articulationpoints", "cutvertices", "cutvertex"),
                 .hints = CLI_WORDS("cut"), .groups = plain_groups, .summary = "vertices that hold the graph together",
                 .about = "How many components more the graph would have without each vertex, whatever the edges' "
                          "direction: above 0 "
                          "for articulation points, which are also called cut vertices.",
                 .examples = "heddle articulation power-grid.txt --top 20\n"
                             "heddle articulation g.hdl --output points.tsv --verify"},
     .value = "pieces",
     .top_title = "The vertices that join most pieces",
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "biconnected", .aliases = CLI_WORDS("biconnectedcomponents", "blocks", "bicomponents"),
          .groups = plain_groups, .summary = "biconnected components",
          .about =
              "Which edges stay connected whatever single vertex is removed: two edges are in the same biconnected "
              "component (block) if a cycle without repeated vertices passes through both. Direction does not count; "
              "parallel edges count as one, loops do not count. Rows are edges: smaller id, larger id, and the number "
              "of "
              "their block, in the order of their first edges from 0 on.",
          .examples = "heddle biconnected power-grid.txt --output blocks.tsv\n"
                      "heddle biconnected g.hdl --verify --json"},
     .rows = CLI_ROWS_EDGES,
     .top_title = "The edges of the last blocks",
     .weight = "block",
     .holds = CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "bipartite", .aliases = CLI_WORDS("isbipartite", "twocoloring", "twocolouring"),
          .hints = CLI_WORDS("sides", "coloring", "colouring", "oddcycle"),
          .groups = plain_groups, .summary = "two sides, or an odd cycle",
          .about =
              "A side, 0 or 1, for each vertex such that every edge joins different sides, whatever its direction; the "
              "smallest id of each component is on side 0. If there are none, the rows are the edges of a cycle of odd "
              "length, which shows it; a loop is one of length 1. The figure \"bipartite\" is 1 or 0.",
          .examples = "heddle bipartite ratings.csv --output sides.tsv\n"
                      "heddle bipartite g.hdl --verify --json"},
     .value = "side",
     .top_title = "The vertices of side 1",
     .witness = "The edges of an odd cycle",
     .holds = CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "toposort",
          .aliases =
              CLI_WORDS("topologicalsort", "topologicalorder", "dag", "longestpath", "criticalpath"),
          .hints = CLI_WORDS("topological", "acyclic", "cycle"),
          .groups = toposort_groups, .summary = "levels of an acyclic graph, or a cycle",
          .about =
              "The level of each vertex of a directed acyclic graph: the most edges on a path that ends there, or with "
              "--weighted the largest sum of their weights. Every edge leads to a higher level, so that vertices by "
              "level are in topological order. --path-to gives a longest path. If the graph has a cycle, the rows are "
              "its edges, one after the other. The figure \"acyclic\" is 1 or 0.",
          .examples = "heddle toposort dependencies.txt --output levels.tsv\n"
                      "heddle toposort tasks.csv --weighted --path-to done"},
     .value = "level",
     .top_title = "The highest levels",
     .witness = "The edges of a cycle",
     .room = 1e-12,
     .holds = CLI_HOLDS_ISOLATED},
    {.command =
         {SAME, .name = "tc", .aliases = CLI_WORDS("triangles", "trianglecount", "trianglecounting"),
          .hints = CLI_WORDS("triangle", "transitivity"), .groups = plain_groups, .summary = "triangles",
          .about =
              "How many triangles each vertex is in, and how many there are (figure \"triangles\"). They are those of "
              "the simple undirected graph underneath: three vertices that are joined pairwise by arcs of any "
              "direction; parallel edges count once, loops do not count. --top lists the vertices that are in most "
              "triangles.",
          .examples = "heddle tc facebook_combined.txt.gz --symmetrize\n"
                      "heddle tc web.txt.zst --top 10\n"
                      "heddle tc g.hdl --output triangles.npy --verify"},
     .value = "triangles",
     .top_title = "The vertices in most triangles",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "lcc", .aliases = CLI_WORDS("clusteringcoefficient", "localclusteringcoefficient"),
          .hints = CLI_WORDS("clustering", "coefficient"),
          .groups = plain_groups, .summary = "local clustering coefficients",
          .about =
              "How closely the neighbours of each vertex are joined: the number of arcs between them, divided by how "
              "many there could be, d (d - 1) for d neighbours; 0 for less than two. Neighbours are the distinct "
              "vertices that arcs of either direction join to it. On an undirected graph that is the usual "
              "coefficient; "
              "on a directed one each direction between two neighbours counts, as LDBC Graphalytics defines it. "
              "Parallel edges count once, loops do not count. The figure \"mean\" is the mean over all vertices.",
          .examples = "heddle lcc facebook_combined.txt.gz --symmetrize\n"
                      "heddle lcc wiki-Vote.txt.gz --top 10\n"
                      "heddle lcc g.hdl --output clustering.npy --verify"},
     .value = "clustering coefficient",
     .top_title = "The highest coefficients",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "similar",
          .aliases =
              CLI_WORDS("similarity", "jaccard", "nodesimilarity", "adamicadar", "linkprediction"),
          .hints = CLI_WORDS("cosine", "overlap", "neighbours", "recommend", "resourceallocation"),
          .groups = similar_groups, .summary = "vertices with similar neighbours",
          .about =
              "How much the neighbours of two vertices have in common. With --pairs: of these pairs, in their order. "
              "With --source: the --count most similar vertices to each source. With neither: the --count most similar "
              "pairs of all, which takes a walk of two edges in every way and is long where some vertices have very "
              "many neighbours. Direction does not matter; parallel edges count once, loops do not count. For sets A "
              "and B of neighbours jaccard is |A and B| / |A or B|, overlap is |A and B| / min(|A|, |B|), cosine is "
              "|A and B| / sqrt(|A| |B|), adamic-adar sums 1 / log(number of neighbours) over the vertices in both, "
              "resources (resource allocation) 1 / number of neighbours, and attachment (preferential attachment) is "
              "|A| |B|. Rows are two ids and their similarity.",
          .examples = "heddle similar facebook_combined.txt.gz --source 107 --count 20 -o near.tsv\n"
                      "heddle similar wiki-Vote.txt.gz --measure adamic-adar --pairs some.txt -o -\n"
                      "heddle similar g.hdl --measure cosine --count 100 --verify\n"
                      "heddle similar g.hdl --measure resources --not-neighbours --min-degree 3"},
     .rows = CLI_ROWS_EDGES,
     .top_title = "The most similar pairs",
     .weight = "similarity"},
    {.command =
         {SAME, .name = "kcore", .aliases = CLI_WORDS("coreness", "kcore", "kcores", "corenumber", "corenumbers"),
          .hints = CLI_WORDS("core", "cores", "degeneracy"), .groups = plain_groups, .summary = "core numbers",
          .about =
              "The core number of each vertex: the largest k for which it lies in a subgraph in which every vertex has "
              "at least k neighbours. The vertices of value k or more are the k-core. Direction does not matter; "
              "parallel edges count once, loops do not count. --top lists the vertices of the innermost cores.",
          .examples = "heddle kcore facebook_combined.txt.gz --top 20\n"
                      "heddle kcore web.txt.zst --output cores.tsv\n"
                      "heddle kcore g.hdl --verify --json"},
     .value = "core number",
     .top_title = "The highest core numbers",
     .benched = true,
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "truss", .aliases = CLI_WORDS("ktruss", "trussness", "trussnumber", "trussnumbers"),
          .hints = CLI_WORDS("trusses"), .groups = plain_groups, .summary = "truss numbers of edges",
          .about = "The truss number of each edge: the largest k for which it lies in a subgraph in which every edge "
                   "is in at least k - 2 triangles. The edges of value k or more are the k-truss: groups that are "
                   "denser inside than the k-core. Direction does not matter; parallel edges count once, loops do not "
                   "count. Rows are edges: smaller id, larger id, truss number. --top lists the edges of the innermost "
                   "trusses.",
          .examples = "heddle truss facebook_combined.txt.gz --top 20\n"
                      "heddle truss web.txt.zst --output trusses.tsv\n"
                      "heddle truss g.hdl --verify --json"},
     .rows = CLI_ROWS_EDGES,
     .top_title = "The highest truss numbers",
     .weight = "truss",
     .holds = CLI_HOLDS_RENAMED | CLI_HOLDS_ISOLATED | CLI_HOLDS_REVERSED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "cdlp", .aliases = CLI_WORDS("labelpropagation"),
          .groups = cdlp_groups, .summary = "communities by label propagation",
          .about =
              "Every vertex begins with itself as its label. In each round it takes the most frequent label of its "
              "neighbours, of several the smallest; all at once, --max-iterations times, as LDBC Graphalytics defines "
              "it. On a directed graph the neighbours of both directions count, one of both directions twice. --top "
              "lists the largest communities, each with its number of vertices.",
          .examples = "heddle cdlp facebook_combined.txt.gz --symmetrize\n"
                      "heddle cdlp web.txt.zst --max-iterations 30 --top 10\n"
                      "heddle cdlp g.hdl --output communities.tsv --verify"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest communities",
     .walks_per_round = true,
     .benched = true,
     .holds = CLI_HOLDS_ISOLATED | CLI_HOLDS_DOUBLED},
    {.command =
         {SAME, .name = "lpa", .aliases = CLI_WORDS("asynclpa", "asynlpa", "asynchronouslabelpropagation"),
          .groups = lpa_groups, .summary = "communities by asynchronous label propagation",
          .about =
              "Every vertex begins with itself as its label. In each round the vertices, one after the other, take the "
              "most frequent label of their neighbours: of several their own, or else one by chance. Rounds go on "
              "until no label changes. --seed gives the order of visits and the choices; the result is the same for "
              "any number of threads and on any device. On a directed graph the neighbours of both directions count, "
              "one of both directions twice. Each vertex gets the smallest id of its community. --top lists the "
              "largest communities, each with its number of vertices.",
          .examples = "heddle lpa facebook_combined.txt.gz --symmetrize\n"
                      "heddle lpa web.txt.zst --seed 7 --top 10\n"
                      "heddle lpa g.hdl --output communities.tsv --verify"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest communities",
     .walks_per_round = true},
    {.command =
         {SAME, .name = "louvain", .aliases = CLI_WORDS("multilevel", "louvaincommunities"),
          .hints = CLI_WORDS("community", "communities", "modularity"),
          .groups = louvain_groups, .summary = "communities by the Louvain method",
          .about =
              "Communities of high modularity: vertices move to the neighbouring community that gains most, "
              "communities "
              "become vertices, and so on, level by level. Direction does not count. Each vertex gets the smallest id "
              "of its community; the figures have the modularity and the number of levels. Another --seed may give "
              "other communities. --top lists the largest, each with its number of vertices.",
          .examples = "heddle louvain facebook_combined.txt.gz --symmetrize\n"
                      "heddle louvain g.hdl --weighted --resolution 2 --top 10\n"
                      "heddle louvain g.hdl --max-iterations 1 --output communities.tsv"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest communities",
     .room = -1},
    {.command =
         {SAME, .name = "leiden", .aliases = CLI_WORDS("leidencommunities"),
          .hints = CLI_WORDS("community", "communities"),
          .groups = louvain_groups, .summary = "connected communities by the Leiden method",
          .about =
              "Communities of high modularity, as louvain finds them, but what is merged between levels are parts that "
              "are connected inside, all levels are gone through twice, and every community is connected in the end. "
              "Direction does not count. Each vertex gets the smallest id of its community; the figures have the "
              "modularity and the number of levels. Another --seed may give other communities.",
          .examples = "heddle leiden facebook_combined.txt.gz --symmetrize --verify\n"
                      "heddle leiden g.hdl --weighted --resolution 0.5 --top 10\n"
                      "heddle leiden g.hdl --seed 7 --output communities.tsv"},
     .rows = CLI_ROWS_COMPONENTS,
     .top_title = "The largest communities",
     .room = -1},
    {.command =
         {SAME, .name = "walks", .aliases = CLI_WORDS("randomwalk", "randomwalks", "node2vec", "deepwalk"),
          .hints = CLI_WORDS("walk", "embedding"), .groups = walks_groups, .summary = "random walks",
          .about =
              "Walks along the edges' direction, --walks from each source or vertex, of --length edges each; one that "
              "comes to a vertex without out-edges ends there. Each step is drawn uniformly, or with --weighted in "
              "proportion to the weights, which are not negative. --return and --in-out are the parameters p and q of "
              "node2vec: a step back to the vertex before counts 1/p, one to a vertex to which that has an edge 1, "
              "any other 1/q. --seed gives the walks: they are the same for any number of threads and on any device, "
              "and those of a vertex do not depend on the others. --output writes a walk a line (.npy: a row).",
          .examples = "heddle walks facebook_combined.txt.gz --symmetrize --output walks.tsv.zst\n"
                      "heddle walks g.hdl --return 0.25 --in-out 4 --walks 20 -o walks.npy\n"
                      "heddle walks roads.gr --weighted --source 7 --length 10 -o -"},
     .rows = CLI_ROWS_WALKS,
     .top_title = ""},
    {.command =
         {SAME, .name = "hs", .hints = CLI_WORDS("heat", "diffusion"),
          .groups = hs_groups, .summary = "heat spreading over the edges",
          .about =
              "Heat flows along edges until it is in balance: in each round q becomes q + rate * sum w (q_source - "
              "q) / sum |w| over the edges that enter. " INIT_WORDS
              "Without either the smallest id is kept at 1 and all others start at 0.\n\n" ROUNDS_WORDS,
          .examples = "heddle hs plate.mtx --fixed edges.txt\n"
                      "heddle hs g.hdl --rate 0.25 --tolerance 1e-6 --output heat.npy"},
     .value = "heat",
     .top_title = "The warmest vertices",
     .weights = true,
     .room = -1},
    {.command =
         {SAME, .name = "cs", .hints = CLI_WORDS("circuit", "voltage"),
          .groups = steady_groups, .summary = "voltages in a circuit of resistors",
          .about = "The voltage of each node of a circuit: the mean of its neighbours', weighted by the conductance of "
                   "the edges that enter, which are above 0. " INIT_WORDS
                   "--fixed names the terminals; without either the smallest id is at 1 and the largest at "
                   "0.\n\n" ROUNDS_WORDS,
          .examples = "heddle cs circuit.mtx --fixed terminals.txt\n"
                      "heddle cs grid.hdl --tolerance 1e-7 --precision double --top 5"},
     .value = "voltage",
     .top_title = "The highest voltages",
     .weights = true,
     .room = -1},
    {.command = {SAME, .name = "nn", .hints = CLI_WORDS("neural"), .groups = steady_groups,
                 .summary = "activations of a neural network",
                 .about =
                     "In each round the activation of a vertex becomes tanh(sum w x_source) over the edges that enter; "
                     "vertices that none enters are inputs and keep theirs. " INIT_WORDS
                     "All others start at 1.\n\n" ROUNDS_WORDS,
                 .examples = "heddle nn network.wel --init inputs.txt --output activations.tsv\n"
                             "heddle nn network.wel --fixed inputs.txt --max-iterations 50 --top 10"},
     .value = "activation",
     .top_title = "The highest activations",
     .rest = 1,
     .weights = true,
     .room = -1},
};

enum { DESCRIBED = sizeof described / sizeof *described, MOST = 32 };

static bool is_described(const char *name) {
    for (size_t i = 0; i < DESCRIBED; i++)
        if (strcmp(described[i].command.name, name) == 0)
            return true;
    return false;
}

/* The command of an algorithm that is not described above: what the library says of it, and options for what it
 * reads. */
static const cli_algorithm *describe(size_t index, const heddle_algorithm_info *info) {
    static const struct {
        const char *field;
        cli_group group;
    } options[] = {{"sources", {"Paths", cli_start_options, 0}},
                   {"parents", {"", cli_path_options, 0}},
                   {"initial", {"Values", cli_init_options, 0}},
                   {"tolerance", {"", cli_rounds_options, 0}}};
    enum { OPTIONS = sizeof options / sizeof *options };
    static cli_group groups[MOST][OPTIONS + sizeof plain_groups / sizeof *plain_groups];
    static cli_algorithm plain[MOST];
    static char examples[MOST][64];
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; i++)
        if (cli_has_word(info->options, options[i].field))
            groups[index][count++] = options[i].group;
    memcpy(&groups[index][count], plain_groups, sizeof plain_groups);
    snprintf(examples[index], sizeof examples[index], "heddle %.40s GRAPH", info->name);
    plain[index] = (cli_algorithm){.command = {SAME, .name = info->name, .groups = groups[index],
                                               .summary = info->description, .examples = examples[index]},
                                   .top_title = "The largest values"};
    return &plain[index];
}

const cli_algorithm *cli_algorithm_at(size_t index) {
    const heddle_algorithm_info *info;
    size_t others = 0;
    if (index < DESCRIBED)
        return &described[index];
    for (size_t i = 0; (info = heddle_algorithm_at(i)) && others < MOST; i++)
        if (!is_described(info->name) && others++ == index - DESCRIBED)
            return describe(others - 1, info);
    return NULL;
}

const cli_algorithm *cli_algorithm_called(const char *name) {
    const cli_algorithm *each;
    for (size_t i = 0; (each = cli_algorithm_at(i)); i++)
        if (strcmp(each->command.name, name) == 0)
            break;
    return each;
}
