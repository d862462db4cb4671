#!/usr/bin/env python3
"""The tables and figures of Graphie's evaluation (Han, Mawhirter, Wu and Buland, PACT 2017), and what Heddle adds, from
the reports of runs under residency `stream`.

    bench/stream.py GRAPH.hdl … --device cuda --share 4 [--tables rounds,savings,queues,renaming,roads,again]
        [--algorithms bfs,cc,sssp] [--repeats 3] [--reports FOLDER]

--share N limits the device's memory to the bytes of the values and 1/N of the edges as the preset sends them (12 bytes
an edge with weights, 8 without); --memory-limit gives the limit itself. Every run is verified. Times are those of the
rounds (phase compute), the median of the repeats, which follow a run that fills the caches. --reports keeps the JSON
reports.

    rounds    partitions that were active, and those that were sent, in every round (Figure 8)
    savings   preset graphie without its optimisations, with one, with both (section VI-C)
    queues    1 to 32 queues (Figure 9)
    renaming  seconds of the two renamings (Table IV)
    roads     preset graphie, packed partitions, gathered rows, mixed, auto: bytes over the bus, and times
    again     partitions that are walked twice before they are dropped: never, always, by default
"""
import argparse
import json
import os
import statistics
import sys

import common

ALL = ("rounds", "savings", "queues", "renaming", "roads", "again")
NAIVE = "graphie,stream.active=no,stream.reuse=no,stream.shared=no"
SAVINGS = (("none", NAIVE), ("active partitions", "graphie,stream.reuse=no"), ("reuse", "graphie,stream.active=no"),
           ("both", "graphie"))
ROADS = (("graphie", "graphie"), ("packed", "residency=stream,stream.gather=no"),
         ("packed, gathered", "residency=stream"), ("always gathered", "residency=stream,stream.gather=yes"),
         ("mixed", "residency=mixed"), ("auto", "auto"))
AGAIN = (("never", ",stream.again=no"), ("always", ",stream.again=yes"), ("by default", ""))


class Bench:
    def __init__(self, options):
        self.options = options
        self.found = {}

    def limit(self, graph, algorithm):
        if self.options.memory_limit:
            return self.options.memory_limit
        if not self.options.share:
            return None
        info = self.info(graph)
        each = 12 if algorithm in ("sssp", "sswp") else 8
        return str(info["vertices"] * 32 + info["edges"] * each // self.options.share + (1 << 20))

    def info(self, graph):
        if graph not in self.found:
            self.found[graph] = json.loads(common.run([common.HEDDLE, "info", graph, "--json", "--quiet"]))
        return self.found[graph]

    def report(self, graph, algorithm, plan):
        """The report of the run with the median time."""
        key = (graph, algorithm, plan)
        if key in self.found:
            return self.found[key]
        command = [common.HEDDLE, algorithm, graph, "--device", self.options.device, "--plan", plan, "--json",
                   "--quiet", "--verify"]
        limit = self.limit(graph, algorithm)
        command += ["--memory-limit", limit] if limit else []
        if algorithm in common.WITH_SOURCE and self.options.source:
            command += ["--source", self.options.source]
        first = 1 if self.options.repeats > 1 else 0  # a run to fill caches, of compiled kernels and of the file
        done = [json.loads(common.run(command)) for _ in range(first + self.options.repeats)][first:]
        for one in done:
            if one["verified"] is False:
                sys.exit(f"{' '.join(command)}: not verified")
        done.sort(key=lambda one: one["phases"]["compute"])
        self.found[key] = done[(len(done) - 1) // 2]
        self.keep(key, done)
        return self.found[key]

    def keep(self, key, done):
        if not self.options.reports:
            return
        os.makedirs(self.options.reports, exist_ok=True)
        name = "-".join((os.path.basename(key[0]), key[1], key[2])).replace("/", "_")
        with open(os.path.join(self.options.reports, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(done, file, indent=1)


def seconds(value):
    return f"{value:.4f}" if value < 1 else f"{value:.2f}"


def megabytes(value):
    return "-" if value is None else f"{value / 1e6:.2f}"


def table(title, heads, rows):
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")


def sent(report):
    return sum(entry.get("bytes_sent", 0) for entry in report["rounds"])


def read_in_place(report):
    found = [entry.get("bytes_in_place", 0) for entry in report["rounds"]]
    return None if None in found else sum(found)


def put_rounds(bench, graph, name):
    for algorithm in bench.options.algorithms:
        report = bench.report(graph, algorithm, "graphie")
        table(f"{name}, {algorithm}: partitions in each round", ("round", "active", "sent", "on the device", "ms"),
              [(entry["round"], entry["parts_needed"], entry["parts_sent"], entry["parts_reused"],
                f"{entry['seconds'] * 1e3:.3f}") for entry in report["rounds"]])


def put_savings(bench, graph, name):
    rows = []
    for algorithm in bench.options.algorithms:
        times = [bench.report(graph, algorithm, plan)["phases"]["compute"] for _, plan in SAVINGS]
        rows.append([algorithm] + [f"{seconds(one)} ({1 - one / times[0]:.0%} less)" if k else seconds(one)
                                   for k, one in enumerate(times)])
    table(f"{name}: seconds with no optimisation, with one, with both", ("", *(title for title, _ in SAVINGS)), rows)


def put_queues(bench, graph, name):
    counts = (1, 2, 4, 8, 16, 32)
    rows = []
    for algorithm in bench.options.algorithms:
        reports = [bench.report(graph, algorithm, f"graphie,stream.queues={count}") for count in counts]
        rows.append([algorithm] + [seconds(one["phases"]["compute"]) for one in reports])
    table(f"{name}: seconds with so many queues", ("", *map(str, counts)), rows)


def put_renaming(bench, graph, name):
    reports = [bench.report(graph, algorithm, "graphie") for algorithm in bench.options.algorithms]
    table(f"{name}: seconds of renaming, on the host", ("first round (order out)", "second round (virtual ids)"),
          [(seconds(statistics.median(one["phases"]["transform"] for one in reports)),
            seconds(statistics.median(one["residency"].get("packing", 0) for one in reports)))])


def put_roads(bench, graph, name):
    for algorithm in bench.options.algorithms:
        rows = []
        for title, plan in ROADS:
            report = bench.report(graph, algorithm, plan)
            gathered = sum(entry.get("bytes_gathered", 0) for entry in report["rounds"])
            shares = [entry["bus_share"] for entry in report["rounds"] if "bus_share" in entry]
            rows.append((title, report["plan"]["residency"], seconds(report["phases"]["compute"]),
                         report["iterations"], megabytes(sent(report)), megabytes(gathered),
                         megabytes(read_in_place(report)), f"{max(shares):.0%}" if shares else "-"))
        table(f"{name}, {algorithm}", ("plan", "residency", "seconds", "rounds", "MB sent", "of these gathered",
                                       "MB read in place", "share of the bus, at best"), rows)


def put_again(bench, graph, name):
    for algorithm in bench.options.algorithms:
        rows = []
        for base in ("residency=stream", "residency=stream,stream.gather=no,stream.place=no"):
            for title, key in AGAIN:
                report = bench.report(graph, algorithm, base + key)
                walked = sum(entry.get("parts_again", 0) for entry in report["rounds"])
                rows.append((base, title, seconds(report["phases"]["compute"]), report["iterations"],
                             megabytes(sent(report)), walked))
        table(f"{name}, {algorithm}", ("plan", "walked twice", "seconds", "rounds", "MB sent", "partitions"),
              rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--share", type=int, default=0)
    parser.add_argument("--memory-limit")
    parser.add_argument("--tables", default=",".join(ALL), type=lambda text: text.split(","))
    parser.add_argument("--algorithms", default="bfs,cc,sssp", type=lambda text: text.split(","))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--source")
    parser.add_argument("--reports")
    options = parser.parse_args()
    wrong = [name for name in options.tables if name not in ALL]
    if wrong:
        parser.error(f"--tables {wrong[0]}: expected {', '.join(ALL)}")
    bench = Bench(options)
    for graph in options.graphs:
        for name in options.tables:
            {"rounds": put_rounds, "savings": put_savings, "queues": put_queues, "renaming": put_renaming,
             "roads": put_roads, "again": put_again}[name](bench, graph, os.path.basename(graph))


if __name__ == "__main__":
    main()
