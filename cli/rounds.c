/* rounds.c - see rounds.h. Figures that were not counted are null, or omitted from the trace. */
#include "rounds.h"

#include <math.h>
#include <stdlib.h>

bool cli_rounds_take(const heddle_result *result, cli_rounds *rounds) {
    uint64_t count = heddle_result_round_count(result);
    *rounds = (cli_rounds){.bus = heddle_result_report(result)->bus};
    if (!count)
        return true;
    rounds->list = malloc(count * sizeof *rounds->list);
    if (!rounds->list)
        return false;
    rounds->count = heddle_result_rounds(result, rounds->list, sizeof *rounds->list, count);
    return true;
}

void cli_rounds_free(cli_rounds *rounds) {
    free(rounds->list);
    *rounds = (cli_rounds){.count = 0};
}

const char *cli_direction_name(heddle_direction direction) {
    switch (direction) {
    case HEDDLE_DIRECTION_PUSH: return "push";
    case HEDDLE_DIRECTION_PULL: return "pull";
    case HEDDLE_DIRECTION_MIXED: return "mixed";
    default: return "none";
    }
}

static void json_known(cli_json *json, const char *key, uint64_t value) {
    if (value == HEDDLE_NOT_KNOWN)
        cli_json_null(json, key);
    else
        cli_json_count(json, key, value);
}

/* To the nanosecond. */
static void json_time(cli_json *json, const char *key, double seconds) {
    cli_json_real(json, key, rint(seconds * 1e9) / 1e9);
}

/* Time in which copies and kernels ran side by side, at least: what is more than the round took. */
static double overlap(const heddle_round *round) {
    double more = round->copy_seconds + round->kernel_seconds - round->seconds;
    return more > 0 ? more : 0;
}

/* Parts of the edges that the round needed, and where they came from. */
static void json_traffic(cli_json *json, const heddle_round *round) {
    cli_json_count(json, "parts_needed", round->parts_needed);
    cli_json_count(json, "parts_sent", round->parts_sent);
    cli_json_count(json, "parts_reused", round->parts_reused);
    cli_json_count(json, "bytes_needed", round->bytes_needed);
    cli_json_count(json, "bytes_sent", round->bytes_sent);
    cli_json_count(json, "bytes_reused", round->bytes_reused);
    if (round->parts_gathered) {
        cli_json_count(json, "parts_gathered", round->parts_gathered);
        cli_json_count(json, "bytes_gathered", round->bytes_gathered);
    }
    if (round->parts_in_place)
        cli_json_count(json, "parts_in_place", round->parts_in_place);
    if (round->parts_again)
        cli_json_count(json, "parts_again", round->parts_again);
    if (round->copy_seconds > 0) {
        json_time(json, "copy_seconds", round->copy_seconds);
        cli_json_real(json, "bytes_per_second", (double)round->bytes_sent / round->copy_seconds);
    }
    if (round->kernel_seconds > 0)
        json_time(json, "kernel_seconds", round->kernel_seconds);
    if (round->copy_seconds > 0 && round->kernel_seconds > 0)
        json_time(json, "overlap_seconds", overlap(round));
}

double cli_bus_share(const heddle_round *round, double bus) {
    bool in_place = round->bytes_in_place && round->bytes_in_place != HEDDLE_NOT_KNOWN && !round->bytes_sent;
    double bytes = in_place ? (double)round->bytes_in_place : (double)round->bytes_sent;
    double seconds = in_place ? round->seconds : round->copy_seconds;
    return bus > 0 && seconds > 0 && bytes > 0 ? bytes / seconds / bus : -1;
}

/* How the edges came, and what of them crossed the bus. */
static void json_road(cli_json *json, const heddle_round *round, double bus) {
    cli_json_text(json, "road", round->road);
    if (round->bytes_in_place) {
        json_known(json, "bytes_in_place", round->bytes_in_place);
        if (round->bytes_in_place != HEDDLE_NOT_KNOWN)
            cli_json_flag(json, "in_place_exact", round->in_place_exact);
    }
    double share = cli_bus_share(round, bus);
    if (share >= 0)
        cli_json_real(json, "bus_share", share);
}

/* Bytes that the parts of a run exchanged, and how evenly they computed. */
static void json_exchange(cli_json *json, const heddle_round *round) {
    cli_json_count(json, "exchanged", round->exchanged);
    cli_json_count(json, "exchanged_useful", round->exchanged_useful);
    json_time(json, "exchange_seconds", round->exchange_seconds);
    json_time(json, "part_seconds", round->part_seconds);
    json_time(json, "slowest_seconds", round->slowest_seconds);
}

static void json_round(cli_json *json, const heddle_round *round, double bus) {
    cli_json_object(json, NULL);
    cli_json_count(json, "round", round->number);
    cli_json_count(json, "rounds", round->rounds);
    json_known(json, "vertices", round->vertices);
    json_known(json, "edges", round->edges);
    json_known(json, "bytes", round->bytes);
    cli_json_text(json, "direction", cli_direction_name(round->direction));
    cli_json_text(json, "kernel", round->kernel);
    json_time(json, "begin", round->begin);
    json_time(json, "seconds", round->seconds);
    if (round->lanes_walked) {
        cli_json_count(json, "lanes_useful", round->lanes_useful);
        cli_json_count(json, "lanes_walked", round->lanes_walked);
    }
    json_road(json, round, bus);
    if (round->parts_needed)
        json_traffic(json, round);
    if (round->slowest_seconds > 0)
        json_exchange(json, round);
    cli_json_end(json);
}

void cli_json_rounds(cli_json *json, const cli_rounds *rounds) {
    cli_json_array(json, "rounds");
    for (uint64_t i = 0; i < rounds->count; i++)
        json_round(json, &rounds->list[i], rounds->bus);
    cli_json_end(json);
}

void cli_json_part_rounds(cli_json *json, const cli_rounds *rounds) {
    cli_json_array(json, "rounds");
    for (uint64_t i = 0; i < rounds->count; i++) {
        const heddle_round *round = &rounds->list[i];
        cli_json_object(json, NULL);
        cli_json_count(json, "round", round->number);
        json_known(json, "edges", round->edges);
        cli_json_count(json, "sent", round->exchanged);
        cli_json_count(json, "useful", round->exchanged_useful);
        json_time(json, "computing", round->part_seconds);
        json_time(json, "exchanging", round->exchange_seconds);
        cli_json_end(json);
    }
    cli_json_end(json);
}

/* ---- The trace: events of the format that browsers read, times in microseconds ---------------------------------- */

static void open_event(cli_json *json, const char *name, const char *kind, double seconds) {
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_text(json, "ph", kind);
    cli_json_real(json, "ts", seconds * 1e6);
    cli_json_count(json, "pid", 1);
    cli_json_count(json, "tid", 2);
}

static void trace_counter(cli_json *json, const char *name, double seconds, double value) {
    open_event(json, name, "C", seconds);
    cli_json_object(json, "args");
    cli_json_real(json, "value", value);
    cli_json_end(json);
    cli_json_end(json);
}

/* The mean of its rounds. */
static void trace_count(cli_json *json, const char *name, double seconds, uint64_t sum, uint64_t rounds) {
    if (sum != HEDDLE_NOT_KNOWN)
        trace_counter(json, name, seconds, (double)sum / (double)rounds);
}

static void trace_round(cli_json *json, const heddle_round *round, double begin) {
    double start = begin + round->begin;
    open_event(json, round->kernel, "X", start);
    cli_json_real(json, "dur", round->seconds * 1e6);
    cli_json_object(json, "args");
    cli_json_count(json, "round", round->number);
    cli_json_count(json, "rounds", round->rounds);
    cli_json_text(json, "direction", cli_direction_name(round->direction));
    cli_json_end(json);
    cli_json_end(json);
    trace_count(json, "active vertices", start, round->vertices, round->rounds);
    trace_count(json, "active edges", start, round->edges, round->rounds);
    if (round->lanes_walked)
        trace_counter(json, "lane efficiency", start, (double)round->lanes_useful / (double)round->lanes_walked);
    if (round->slowest_seconds > 0)
        trace_count(json, "bytes exchanged", start, round->exchanged, round->rounds);
}

void cli_trace_rounds(cli_json *json, const cli_rounds *rounds, double begin) {
    for (uint64_t i = 0; i < rounds->count; i++)
        trace_round(json, &rounds->list[i], begin);
    if (rounds->count) {
        const heddle_round *last = &rounds->list[rounds->count - 1];
        trace_counter(json, "active vertices", begin + last->begin + last->seconds, 0);
        trace_counter(json, "active edges", begin + last->begin + last->seconds, 0);
    }
}
