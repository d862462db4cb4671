/* parts.c - see parts.h. */
#include "parts.h"

#include "rounds.h"
#include "text.h"

#include <stdlib.h>

enum { MOST = 64 };

typedef struct totals {
    uint64_t sent, useful;
    double mean, slowest; /* seconds of computing */
} totals;

static totals add_up(const heddle_part *parts, uint64_t count) {
    totals all = {.sent = 0};
    for (uint64_t i = 0; i < count; i++) {
        all.sent += parts[i].bytes_sent;
        all.useful += parts[i].bytes_useful;
        all.mean += parts[i].computing / (double)count;
        all.slowest = parts[i].computing > all.slowest ? parts[i].computing : all.slowest;
    }
    return all;
}

/* The slowest part's time over the mean: 1 where all take the same. */
static double imbalance(const totals *all) { return all->mean > 0 ? all->slowest / all->mean : 1; }

static double share(uint64_t useful, uint64_t sent) { return sent ? (double)useful / (double)sent : 1; }

/* None if there is no memory for them. */
static void json_part_rounds(cli_json *json, const heddle_result *result, uint64_t part) {
    uint64_t count = heddle_result_part_rounds(result, part, NULL, sizeof(heddle_round), 0);
    cli_rounds rounds = {.list = malloc((count + 1) * sizeof(heddle_round))};
    if (rounds.list)
        rounds.count = heddle_result_part_rounds(result, part, rounds.list, sizeof *rounds.list, count);
    cli_json_part_rounds(json, &rounds);
    cli_rounds_free(&rounds);
}

void cli_json_parts(cli_json *json, const heddle_result *result) {
    heddle_part parts[MOST];
    uint64_t count = heddle_result_parts(result, parts, sizeof *parts, MOST);
    totals all = add_up(parts, count);
    if (!count)
        return;
    cli_json_array(json, "parts");
    for (uint64_t i = 0; i < count; i++) {
        cli_json_object(json, NULL);
        cli_json_text(json, "device", parts[i].device);
        cli_json_count(json, "vertices", parts[i].vertices);
        cli_json_count(json, "edges", parts[i].edges);
        cli_json_count(json, "remote", parts[i].remote);
        cli_json_count(json, "boundary", parts[i].boundary);
        cli_json_count(json, "edges_walked", parts[i].edges_walked);
        cli_json_count(json, "changed", parts[i].changed);
        cli_json_count(json, "bytes_sent", parts[i].bytes_sent);
        cli_json_count(json, "bytes_useful", parts[i].bytes_useful);
        cli_json_real(json, "useful_share", share(parts[i].bytes_useful, parts[i].bytes_sent));
        cli_json_seconds(json, "computing", parts[i].computing);
        cli_json_seconds(json, "exchanging", parts[i].exchanging);
        json_part_rounds(json, result, i);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_real(json, "imbalance", imbalance(&all));
}

void cli_print_parts(const heddle_result *result) {
    heddle_part parts[MOST];
    uint64_t count = heddle_result_parts(result, parts, sizeof *parts, MOST);
    totals all = add_up(parts, count);
    if (!count)
        return;
    printf("  %-14s%s, exchange %s: %s sent, %.1f %% of it useful; the slowest computed %.2f times the mean\n", "parts",
           cli_grouped(count).text, heddle_result_report(result)->exchange, cli_bytes(all.sent).text,
           100 * share(all.useful, all.sent), imbalance(&all));
    for (uint64_t i = 0; i < count; i++)
        printf("  %-14s%s: %s, %s, reads %s of others; computing %.3f s, exchanging %.3f s\n", "", parts[i].device,
               cli_counted(parts[i].vertices, "vertex", "vertices").text,
               cli_counted(parts[i].edges, "edge", "edges").text, cli_grouped(parts[i].remote).text, parts[i].computing,
               parts[i].exchanging);
}
