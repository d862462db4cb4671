#!/usr/bin/env python3
"""What grows with the number of parts: the tables of counts in bench/notes/clusters.md, from parts of one process,
which send what ranks send. Nothing in them depends on load or machine.

    bench/parts_counts.py rmat18.hdl rmat20.hdl … [--parts 2,8,64] [--tables copies,own] [--algorithms bfs,sssp,cc]

    copies    remote copies per vertex, the largest part, and the bytes of vertex programs (exchange=vr); pr: 10 rounds
    own       bytes, edges walked and steps: the vertex program, then the algorithm's own way on parts
"""
import argparse
import json

import common


def report(graph, algorithm, parts, plan):
    command = [common.HEDDLE, algorithm, graph, "--device", ",".join(["cpu"] * parts), "--plan", plan, "--json",
               "--quiet"]
    return json.loads(common.run(command + (["--max-iterations", "10"] if algorithm == "pr" else [])))


def sent(run):
    return sum(part["bytes_sent"] for part in run["parts"])


def short(number):
    """Three digits and a unit."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return str(number)


def copies(graph, parts):
    runs = {algorithm: report(graph, algorithm, parts, "exchange=vr") for algorithm in ("bfs", "cc", "pr")}
    shares = runs["bfs"]["parts"]
    vertices, edges = (runs["bfs"]["graph"][what] for what in ("vertices", "edges"))
    return [f"{sum(part['remote'] for part in shares) / vertices:.2f}",
            f"{max(part['edges'] for part in shares) * parts / edges:.2f}",
            *(short(sent(run)) for run in runs.values())]


def own(graph, parts, algorithms):
    row = []
    for algorithm in algorithms:
        runs = [report(graph, algorithm, parts, plan) for plan in ("exchange=vr", "auto")]
        for value in (sent, lambda run: run["edges_walked"], lambda run: run["iterations"]):
            row.append(" → ".join(short(value(run)) for run in runs))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--parts", default="2,8,64")
    parser.add_argument("--tables", default="copies,own")
    parser.add_argument("--algorithms", default="bfs,sssp,cc")
    options = parser.parse_args()
    algorithms = options.algorithms.split(",")
    heads = {"copies": ["copies per vertex", "largest part, edges / mean", "bfs: bytes", "cc", "pr, 10 rounds"],
             "own": [f"{a}: {what}" for a in algorithms for what in ("bytes", "edges walked", "steps")]}
    for table in options.tables.split(","):
        print("| graph | parts | " + " | ".join(heads[table]) + " |")
        print("|---" * (2 + len(heads[table])) + "|")
        for graph in options.graphs:
            for parts in map(int, options.parts.split(",")):
                cells = copies(graph, parts) if table == "copies" else own(graph, parts, algorithms)
                print(f"| {graph} | {parts} | " + " | ".join(cells) + " |", flush=True)
        print()


if __name__ == "__main__":
    main()
