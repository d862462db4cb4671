#!/usr/bin/env python3
"""Times the Python package beside NetworkX, igraph, networkit, SciPy and graph-tool, as far as they are installed.

    PYTHONPATH=python HEDDLE_LIBRARY=build/libheddle.so bench/python_peers.py FILE [--repeat N] [--skip NAME,…]
        [--once NAME,…] [--tasks TASK,…] [--wall]

FILE is a graph, for example soc-Slashdot0902.txt.gz, or one that `heddle generate rmat g.hdl --scale 18` wrote; it is
used as undirected, without loops and duplicates. All have one thread, and take turns in each of N rounds; the table has
the least milliseconds of CPU time, or with --wall of time: loading an edge list (text, each edge once) with the
library's own reader, building from arrays of ends in the order of rows and shuffled (NetworkX: adding edges), pagerank,
bfs, components, bc of 16 sources, sssp with small weights. Libraries of --once take part in the first round only, and
--tasks leaves other tasks out. Distances and the number of components are compared with Heddle's.
"""
import argparse
import importlib
import os
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"  # before libraries read it

import numpy as np

import heddle

TASKS = ["load", "build", "shuffled", "pagerank", "bfs", "components", "bc16", "sssp"]


class Heddle:
    def load(self, path, count):
        return heddle.read(path, symmetrize=True, vertices=count, weight_column="none")

    def build(self, sources, targets, weights, count):
        return heddle.Graph.from_edges(sources, targets, weights, vertices=count)

    def tasks(self, g, source, sample):
        return {"pagerank": lambda: g.pagerank(), "bfs": lambda: g.bfs(source), "components": lambda: g.cc(),
                "bc16": lambda: g.bc(sources=sample), "sssp": lambda: g.sssp(source)}


class Networkx:
    def load(self, path, count):
        import networkx as nx
        return nx.read_edgelist(path, nodetype=int, data=False)

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
    def load(self, path, count):
        import igraph
        return igraph.Graph.Read_Edgelist(path, directed=False)

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
    def load(self, path, count):
        import networkit as nk
        return nk.readGraph(path, nk.Format.EdgeListSpaceZero)

    def build(self, sources, targets, weights, count):
        import networkit as nk
        once = sources < targets
        data = (weights[once].astype(float), (sources[once].astype(np.uint64), targets[once].astype(np.uint64)))
        return nk.GraphFromCoo(data, n=count, weighted=True, directed=False)

    def tasks(self, g, source, sample):
        import networkit as nk
        plain = nk.graphtools.toUnweighted(g)
        nk.setNumberOfThreads(1)
        return {"pagerank": lambda: nk.centrality.PageRank(plain, tol=1e-6).run().scores(),
                "bfs": lambda: nk.distance.BFS(plain, source, storePaths=False).run().getDistances(),
                "bc16": lambda: nk.centrality.EstimateBetweenness(plain, len(sample)).run().scores(),  # drawn
                "components": lambda: nk.components.ConnectedComponents(plain).run().getPartition(),
                "sssp": lambda: nk.distance.Dijkstra(g, source, storePaths=False).run().getDistances()}


class Scipy:
    def load(self, path, count):
        from scipy.sparse import csr_array
        ends = np.loadtxt(path, np.int64)
        half = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
        return half + half.T

    def build(self, sources, targets, weights, count):
        from scipy.sparse import csr_array
        return csr_array((weights.astype(float), (sources, targets)), shape=(count, count))

    def tasks(self, g, source, sample):
        from scipy.sparse import csgraph
        return {"bfs": lambda: csgraph.dijkstra(g, indices=source, unweighted=True),
                "components": lambda: csgraph.connected_components(g),
                "sssp": lambda: csgraph.dijkstra(g, indices=source)}


class GraphTool:
    def load(self, path, count):
        import graph_tool
        return graph_tool.load_graph_from_csv(path, directed=False, hashed=False, csv_options={"delimiter": " "})

    def build(self, sources, targets, weights, count):
        import graph_tool
        graph_tool.openmp_set_num_threads(1)
        once = sources < targets
        g = graph_tool.Graph(directed=False)
        g.add_vertex(count)
        weight = g.new_edge_property("int")
        g.add_edge_list(np.stack([sources[once], targets[once], weights[once]], axis=1), eprops=[weight])
        g.edge_properties["weight"] = weight
        return g

    def tasks(self, g, source, sample):
        from graph_tool import centrality, topology
        weight = g.edge_properties["weight"]
        return {"pagerank": lambda: centrality.pagerank(g, epsilon=1e-6).a,
                "bfs": lambda: topology.shortest_distance(g, source=source).a,
                "components": lambda: topology.label_components(g)[0].a,
                "bc16": lambda: centrality.betweenness(g, pivots=sample)[0].a,
                "sssp": lambda: topology.shortest_distance(g, source=source, weights=weight).a}


PEERS = {"heddle": Heddle, "networkx": Networkx, "igraph": Igraph, "networkit": Networkit, "scipy": Scipy,
         "graph_tool": GraphTool}


def digest(task, found):
    """What all have to agree on: the sum of finite distances, the number of components."""
    if task in ("bfs", "sssp"):
        values = np.asarray(list(found.values()) if isinstance(found, dict) else found, float).ravel()
        return float(values[(values >= 0) & (values < 1e9)].sum())
    if task == "components":
        if hasattr(found, "numberOfSubsets"):
            return found.numberOfSubsets()
        if isinstance(found, tuple):
            return int(found[0])
        if isinstance(found, list) and isinstance(found[0], set):
            return len(found)
        return len(np.unique(np.asarray(found)))
    return None


def installed(skipped):
    found = {}
    for name, peer in PEERS.items():
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        if name not in skipped:
            found[name] = peer()
    return found


def write_edges(path, sources, targets):
    once = sources < targets
    with open(path, "w", encoding="ascii") as file:
        file.writelines(map("%d %d\n".__mod__, zip(sources[once].tolist(), targets[once].tolist())))


class Benchmark:
    """The least milliseconds of each task and library."""

    def __init__(self, clock):
        self.clock, self.cells, self.digests = clock, {}, {}

    def measure(self, task, name, function):
        start = self.clock()
        found = function()
        spent = 1e3 * (self.clock() - start)
        self.cells[task, name] = min(self.cells.get((task, name), float("inf")), spent)
        expected = self.digests.setdefault(task, digest(task, found))
        if digest(task, found) != expected:
            raise SystemExit(f"{task}: {name} finds {digest(task, found)}, Heddle {expected}")
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--skip", default="")
    parser.add_argument("--once", default="")
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--wall", action="store_true")
    options = parser.parse_args()
    wanted, once = options.tasks.split(","), options.once.split(",")
    bench = Benchmark(time.perf_counter if options.wall else time.process_time)
    read = heddle.read(options.file, symmetrize=True, drop_loops=True, drop_isolated=True, duplicates="first",
                       weight_column="none")
    offsets, targets, _ = read.out_edges()
    count, sources = read.vertices, np.repeat(np.arange(read.vertices), np.diff(offsets))
    targets = targets.astype(np.int64)
    weights = (sources + targets) % 64 + 1  # the same in both directions
    source = int(np.argmax(np.diff(offsets)))
    sample = np.random.default_rng(1).choice(count, 16, replace=False).tolist()
    order = np.random.default_rng(2).permutation(len(sources))
    shuffled = [np.ascontiguousarray(one[order]) for one in (sources, targets, weights)]
    peers, tasks = installed(options.skip.split(",")), {}

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "edges.txt")
        write_edges(path, sources, targets)
        for turn in range(options.repeat):
            for name, peer in peers.items():
                if turn and name in once:
                    continue
                if "load" in wanted:
                    bench.measure("load", name, lambda: peer.load(path, count))
                if "shuffled" in wanted:
                    bench.measure("shuffled", name, lambda: peer.build(*shuffled, count))
                if not turn or "build" in wanted:
                    graph = bench.measure("build", name, lambda: peer.build(sources, targets, weights, count))
                if not turn:
                    tasks[name] = peer.tasks(graph, source, sample)
                graph = None
    for turn in range(options.repeat):
        for task in wanted:
            for name in peers:
                if task in tasks[name] and not (turn and name in once):
                    bench.measure(task, name, tasks[name][task])

    kind = "time" if options.wall else "CPU time"
    print(f"{options.file}: {count} vertices, {read.edges} arcs; milliseconds of {kind}, best of {options.repeat}")
    print("| |" + "|".join(wanted) + "|\n|---|" + "---:|" * len(wanted))
    for name in peers:
        row = [f"{bench.cells[task, name]:.3g}" if (task, name) in bench.cells else "-" for task in wanted]
        print(f"|{name}|" + "|".join(row) + "|", flush=True)


if __name__ == "__main__":
    main()
