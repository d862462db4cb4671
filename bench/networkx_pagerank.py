#!/usr/bin/env python3
"""Times `nx.pagerank` by the backend beside NetworkX's own: the first call, which converts the graph, and later ones.

    PYTHONPATH=python HEDDLE_LIBRARY=build/libheddle.so bench/networkx_pagerank.py [--nodes N] [--edges M] [--repeat R]

Random graphs of each kind. One thread each, and turns in each of R rounds; the table has the least milliseconds of CPU
time, and how many times as long NetworkX takes.
"""
import argparse
import os
import random
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before libraries read them

import networkx as nx

from heddle_networkx.interface import backend, convert_from_nx


def weighted(graph):
    draw = random.Random(2)
    for _, _, record in graph.edges(data=True):
        record["weight"] = draw.randint(1, 64)
    return graph


KINDS = {
    "directed, nodes are integers": lambda n, m: nx.gnm_random_graph(n, m, 1, directed=True),
    "undirected, nodes are integers": lambda n, m: nx.gnm_random_graph(n, m, 1),
    "directed, integers, with weights": lambda n, m: weighted(nx.gnm_random_graph(n, m, 1, directed=True)),
    "directed, nodes are strings": lambda n, m: nx.relabel_nodes(nx.gnm_random_graph(n, m, 1, directed=True),
                                                                 "node {}".format),
}


def spent(function, *arguments):
    start = time.process_time()
    function(*arguments)
    return 1e3 * (time.process_time() - start)


def row(graph, repeat):
    own, first, later = [], [], []
    for _ in range(repeat):
        own.append(spent(nx.pagerank.orig_func, graph))
        converted = convert_from_nx(graph)
        first.append(spent(backend.pagerank, converted))
        later.append(spent(backend.pagerank, converted))
    return min(own), min(first), min(later)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print("| graph | NetworkX | first call | times as fast | converted | times as fast |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, make in KINDS.items():
        own, first, later = row(make(options.nodes, options.edges), options.repeat)
        print(f"| {name} | {own:.0f} | {first:.0f} | {own / first:.1f} | {later:.1f} | {own / later:.0f} |", flush=True)


if __name__ == "__main__":
    main()
