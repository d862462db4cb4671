#!/usr/bin/env python3
"""Runs algorithms of igraph on an edge list without comments, for bench/run.py --part peers.

    peer_igraph.py FILE -s SOURCE -n TRIALS ALGORITHM...     (bfs, sssp, cc, pr, bc; sssp alone, on a list with weights)

Writes what peer_lagraph.c writes: "done", "check" and "ms" lines. Trials end early after SECONDS of one algorithm.
"""
import argparse
import collections
import math
import time

import igraph

SECONDS = 8


def load(path, weighted):
    if weighted:  # the one list with weights that igraph reads: ids become names
        return igraph.Graph.Read_Ncol(path, names=True, weights=True, directed=False)
    return igraph.Graph.Read_Edgelist(path, directed=False)


def run(name, graph, source):
    if name == "bfs":
        return graph.distances(source=source)[0]
    if name == "sssp":
        return graph.distances(source=source, weights="weight")[0]
    if name == "cc":
        return graph.connected_components().membership
    if name == "pr":
        return graph.pagerank(damping=0.85)
    return graph.betweenness(directed=False, sources=[source])


def check(name, result):
    if name == "cc":
        sizes = collections.Counter(result).values()
        return max(sizes), sum(size > 1 for size in sizes)
    reached = [value for value in result if value != math.inf]
    return len(reached), int(sum(reached))


def time_algorithm(name, graph, source, trials):
    spent = 0
    for trial in range(trials):
        start = time.perf_counter()
        result = run(name, graph, source)
        seconds = time.perf_counter() - start
        if trial == 0:
            print("done", name, flush=True)
            if name in ("bfs", "sssp", "cc"):
                print("check", name, *check(name, result))
        print("ms", name, f"{seconds * 1e3:.3f}")
        spent += seconds
        if spent > SECONDS:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("-s", "--source", required=True)
    parser.add_argument("-n", "--trials", type=int, default=1)
    parser.add_argument("algorithms", nargs="+")
    options = parser.parse_args()
    weighted = options.algorithms[0] == "sssp"
    graph = load(options.file, weighted)
    source = graph.vs.find(name=options.source).index if weighted else int(options.source)
    for name in options.algorithms:
        time_algorithm(name, graph, source, options.trials)


if __name__ == "__main__":
    main()
