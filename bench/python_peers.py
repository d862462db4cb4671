#!/usr/bin/env python3
"""Times the Python package beside NetworkX, igraph, networkit and SciPy, as far as they are installed, in one run.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python bench/python_peers.py FILE [--repeat N] [--skip networkx,…]

FILE is an edge list, for example soc-Slashdot0902.txt.gz, or one that `heddle generate rmat g.txt --scale 18` wrote; it
is used as undirected, without loops and duplicates. Prints a table of milliseconds, the best of N: building the graph
from arrays of ends (NetworkX: adding edges), pagerank, bfs, components, bc of 16 sources, sssp with small weights.
"""
import argparse
import importlib
import time

import numpy as np

import heddle

TASKS = ["build", "pagerank", "bfs", "components", "bc16", "sssp"]


class Heddle:
    def build(self, sources, targets, weights, count):
        return heddle.Graph.from_edges(sources, targets, weights, vertices=count)

    def tasks(self, g, source, sample):
        return {"pagerank": lambda: g.pagerank(), "bfs": lambda: g.bfs(source), "components": lambda: g.cc(),
                "bc16": lambda: g.bc(sources=sample), "sssp": lambda: g.sssp(source)}


class Networkx:
    def build(self, sources, targets, weights, count):
        import networkx as nx
        once = sources < targets
        g = nx.Graph()
        g.add_nodes_from(range(count))
        g.add_weighted_edges_from(zip(sources[once].tolist(), targets[once].tolist(), weights[once].tolist()))
        return g

    def tasks(self, g, source, sample):
        import networkx as nx
        return {"pagerank": lambda: nx.pagerank(g, weight=None),
                "bfs": lambda: nx.single_source_shortest_path_length(g, source),
                "components": lambda: list(nx.connected_components(g)),
                "bc16": lambda: nx.betweenness_centrality_subset(g, sample, list(g)),
                "sssp": lambda: nx.single_source_dijkstra_path_length(g, source)}


class Igraph:
    def build(self, sources, targets, weights, count):
        import igraph
        once = sources < targets
        g = igraph.Graph(count, np.stack([sources[once], targets[once]], axis=1).tolist())
        g.es["weight"] = weights[once].tolist()
        return g

    def tasks(self, g, source, sample):
        return {"pagerank": lambda: g.pagerank(), "bfs": lambda: g.distances(source),
                "components": lambda: g.connected_components().membership,
                "bc16": lambda: g.betweenness(sources=sample), "sssp": lambda: g.distances(source, weights="weight")}


class Networkit:
    def build(self, sources, targets, weights, count):
        import networkit as nk
        once = sources < targets
        data = (weights[once].astype(float), (sources[once].astype(np.uint64), targets[once].astype(np.uint64)))
        return nk.GraphFromCoo(data, n=count, weighted=True, directed=False)

    def tasks(self, g, source, sample):
        import networkit as nk
        plain = nk.graphtools.toUnweighted(g)
        return {"pagerank": lambda: nk.centrality.PageRank(plain, tol=1e-6).run().scores(),
                "bfs": lambda: nk.distance.BFS(plain, source, storePaths=False).run().getDistances(),
                "components": lambda: nk.components.ConnectedComponents(plain).run().getPartition(),
                "sssp": lambda: nk.distance.Dijkstra(g, source, storePaths=False).run().getDistances()}


class Scipy:
    def build(self, sources, targets, weights, count):
        from scipy.sparse import csr_array
        return csr_array((weights.astype(float), (sources, targets)), shape=(count, count))

    def tasks(self, g, source, sample):
        from scipy.sparse import csgraph
        return {"bfs": lambda: csgraph.dijkstra(g, indices=source, unweighted=True),
                "components": lambda: csgraph.connected_components(g),
                "sssp": lambda: csgraph.dijkstra(g, indices=source)}


PEERS = {"heddle": Heddle, "networkx": Networkx, "igraph": Igraph, "networkit": Networkit, "scipy": Scipy}


def best(function, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times), result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--skip", default="")
    options = parser.parse_args()
    read = heddle.read(options.file, symmetrize=True, drop_loops=True, duplicates="first", weight_column="none")
    offsets, targets, _ = read.out_edges()
    sources = np.repeat(np.arange(read.vertices), np.diff(offsets))
    targets = targets.astype(np.int64)
    weights = (sources + targets) % 64 + 1  # the same in both directions
    source = int(np.argmax(np.diff(offsets)))
    sample = np.random.default_rng(1).choice(read.vertices, 16, replace=False).tolist()
    print(f"{options.file}: {read.vertices} vertices, {read.edges} arcs; milliseconds, best of {options.repeat}")
    print("| |" + "|".join(TASKS) + "|\n|---|" + "---:|" * len(TASKS))
    for name, peer in PEERS.items():
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        if name in options.skip.split(","):
            continue
        library = peer()
        cells = {}
        cells["build"], graph = best(lambda: library.build(sources, targets, weights, read.vertices), 1)
        for task, function in library.tasks(graph, source, sample).items():
            cells[task], _ = best(function, options.repeat)
        print(f"|{name}|", *(f"{cells[task]:.2f}|" if task in cells else "-|" for task in TASKS), sep="", flush=True)


if __name__ == "__main__":
    main()
