#!/usr/bin/env python3
"""The tables about several devices of Warp Segmentation's and Vertex Refinement's evaluation (Khorasani, Gupta and
Bhuyan, PACT 2015), from the reports of runs under exchange `all`, `ms` and `vr`.

    bench/exchange.py GRAPH.hdl … [--devices cpu,cpu cuda:0,0] [--tables useful,bytes,speedup,scaling]
        [--programs bfs,pr] [--plan ws] [--repeats 3] [--max-iterations 100]

    useful    of what is sent, the share of values that changed and are read by the receiver (Table I)
    bytes     bytes that ALL and MS send over those of VR, and VR's share of ALL in percent; these do not depend on load
    speedup   time of the rounds under ALL and MS over that under VR (Table VIII)
    scaling   time on the first device of a list over that on the whole list, under VR (Table IX)

Every run is verified. Times are the median of the repeats; `useful` and `bytes` take one run.
"""
import argparse
import json
import os
import statistics
import tempfile

import common

ALL = ("useful", "bytes", "speedup", "scaling")
GIVEN = {"cs": "--fixed", "hs": "--init", "nn": "--init"}
SETTLING = ("cs", "hs", "nn", "pr")
PROGRAMS = ("bfs", "cc", "cs", "hs", "nn", "pr", "sssp", "sswp")


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.files = {}
        self.found = {}

    def values(self, graph):
        """A file that gives one vertex in 64 a value; without any nothing would change."""
        if graph not in self.files:
            self.files[graph] = os.path.join(self.folder, f"{len(self.files)}.txt")
            ids = common.run([common.HEDDLE, "bfs", graph, "--device", "cpu", "--quiet", "-o", "-"]).splitlines()
            with open(self.files[graph], "w") as file:
                file.writelines(f"{line.split(chr(9))[0]} {1 + i % 97}\n" for i, line in enumerate(ids) if i % 64 == 0)
        return self.files[graph]

    def reports(self, graph, program, devices, exchange, repeats):
        key = graph, program, devices, exchange
        values = [GIVEN[program], self.values(graph)] if program in GIVEN else []
        if program in SETTLING:
            values += ["--max-iterations", str(self.options.max_iterations)]
        while len(self.found.setdefault(key, [])) < repeats:
            plan = f"{self.options.plan},exchange={exchange}" if self.options.plan else f"exchange={exchange}"
            command = [common.HEDDLE, program, graph, "--device", devices, "--plan", plan, "--json", "--verify"]
            report = json.loads(common.run([*command, "--quiet", *values]))
            if report["verified"] is False:
                raise SystemExit(f"{program} on {graph}, {devices}, {plan}: not verified")
            self.found[key].append(report)
        return self.found[key]

    def total(self, graph, program, devices, exchange, what):
        return sum(part[what] for part in self.reports(graph, program, devices, exchange, 1)[0]["parts"])

    def seconds(self, graph, program, devices, exchange):
        return statistics.median(report["phases"]["compute"] for report in
                                 self.reports(graph, program, devices, exchange, self.options.repeats))

    def useful(self, graph, program, devices, exchange):
        sent = self.total(graph, program, devices, exchange, "bytes_sent")
        return f"{100 * self.total(graph, program, devices, exchange, 'bytes_useful') / sent:.1f}" if sent else "-"

    def bytes(self, graph, program, devices, exchange):
        least = self.total(graph, program, devices, "vr", "bytes_sent")
        sent = self.total(graph, program, devices, exchange, "bytes_sent")
        return f"{sent / least:.1f}" if least else "-"

    def share(self, graph, program, devices, _):
        sent = self.total(graph, program, devices, "all", "bytes_sent")
        return f"{100 * self.total(graph, program, devices, 'vr', 'bytes_sent') / sent:.1f}" if sent else "-"

    def speedup(self, graph, program, devices, exchange):
        return f"{self.seconds(graph, program, devices, exchange) / self.seconds(graph, program, devices, 'vr'):.2f}"

    def scaling(self, graph, program, devices, _):
        one = devices.split(",")[0]
        return f"{self.seconds(graph, program, one, 'vr') / self.seconds(graph, program, devices, 'vr'):.2f}"


def table(bench, title, rows):
    """Rows: (words, method, exchange)."""
    options = bench.options
    print(f"\n{title}\n\n| graph | devices | |", *(f"{program} |" for program in options.programs))
    print("|---|---|---|" + "---|" * len(options.programs))
    for graph in options.graphs:
        for devices in options.devices:
            for words, method, exchange in rows:
                cells = [method(graph, program, devices, exchange) for program in options.programs]
                print("|", " | ".join([os.path.basename(graph).split(".")[0], devices, words, *cells]), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--devices", nargs="+", default=["cpu,cpu", "cpu,cpu,cpu"])
    parser.add_argument("--tables", type=lambda text: text.split(","), default=["useful", "bytes"])
    parser.add_argument("--programs", type=lambda text: text.split(","), default=PROGRAMS)
    parser.add_argument("--plan", default="")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--max-iterations", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show(parser, Bench(options, folder))


def show(parser, bench):
    tables = {"useful": ("useful share of what is sent, in percent", [("ALL", bench.useful, "all"),
                                                                      ("MS", bench.useful, "ms"),
                                                                      ("VR", bench.useful, "vr")]),
              "bytes": ("bytes sent, as multiples of VR's, and VR in percent of ALL",
                        [("over ALL", bench.bytes, "all"), ("over MS", bench.bytes, "ms"),
                         ("VR, % of ALL", bench.share, None)]),
              "speedup": ("speedup of VR", [("over ALL", bench.speedup, "all"), ("over MS", bench.speedup, "ms")]),
              "scaling": ("speedup over one device", [("VR", bench.scaling, None)])}
    for name in bench.options.tables:
        if name not in ALL:
            parser.error(f"no table {name}: {', '.join(ALL)}")
        table(bench, *tables[name])


if __name__ == "__main__":
    main()
