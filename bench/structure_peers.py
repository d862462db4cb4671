#!/usr/bin/env python3
"""Times triangles, cores, communities and centralities beside igraph, NetworKit and GAP (tc), in turns, in one run.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python bench/structure_peers.py GRAPH.hdl… [--gap DIR] [--repeat N]

The graphs are undirected, without loops and duplicates (`heddle generate rmat g.hdl --scale 18 --symmetrize --dedup
--no-loops`). Peers that are not installed are left out; DIR holds GAP's programs. All use as many threads as there are
cores, igraph one. Prints a table of milliseconds in memory, the best of N turns, and the modularity of communities.
"""
import argparse
import os
import re
import subprocess
import tempfile
import time

import numpy as np

import heddle


class Heddle:
    def __init__(self, graph):
        self.tasks = {name: getattr(graph, name) for name in
                      ("tc", "lcc", "kcore", "cdlp", "louvain", "leiden", "eigenvector", "katz", "hits")}

    def modularity(self, result):
        return result.report["summary"]["modularity"]


class Igraph:
    def __init__(self, graph):
        import igraph
        sources, targets = edges_once(graph)
        g = igraph.Graph(graph.vertices, np.stack([sources, targets], axis=1).tolist())
        self.tasks = {"tc": g.transitivity_undirected, "lcc": lambda: g.transitivity_local_undirected(mode="zero"),
                      "kcore": g.coreness, "cdlp": g.community_label_propagation, "louvain": g.community_multilevel,
                      "leiden": lambda: g.community_leiden("modularity", n_iterations=2),
                      "eigenvector": g.eigenvector_centrality, "hits": g.authority_score}

    def modularity(self, result):
        return result.modularity


class Networkit:
    def __init__(self, graph):
        import networkit as nk
        sources, targets = edges_once(graph)
        ends = (sources.astype(np.uint64), targets.astype(np.uint64))
        g = nk.GraphFromCoo((np.ones(len(sources)), ends), n=graph.vertices, weighted=False, directed=False)
        self.graph, self.quality = g, nk.community.Modularity()
        central, community = nk.centrality, nk.community
        self.tasks = {"tc": lambda: nk.globals.ClusteringCoefficient.exactGlobal(g),
                      "lcc": lambda: central.LocalClusteringCoefficient(g, True).run().scores(),
                      "kcore": lambda: central.CoreDecomposition(g).run().scores(),
                      "cdlp": lambda: community.PLP(g).run().getPartition(),
                      "louvain": lambda: community.PLM(g).run().getPartition(),
                      "leiden": lambda: community.ParallelLeiden(g).run().getPartition(),
                      "eigenvector": lambda: central.EigenvectorCentrality(g, 1e-6).run().scores(),
                      "katz": lambda: central.KatzCentrality(g).run().scores()}

    def modularity(self, result):
        return self.quality.getQuality(result, self.graph)


class Gap:
    """Its program times itself, without reading the file."""
    seconds = re.compile(r"Trial Time:\s+([0-9.]+)")

    def __init__(self, graph, folder):
        self.file = tempfile.NamedTemporaryFile(suffix=".sg")
        graph.save(self.file.name, lossy=True)
        self.command = [os.path.join(folder, "tc"), "-f", self.file.name, "-n", "1"]
        self.tasks = {"tc": self.count}

    def count(self):
        words = subprocess.run(self.command, check=True, capture_output=True, text=True).stdout
        return float(self.seconds.search(words).group(1))


def edges_once(graph):
    offsets, targets, _ = graph.out_edges()
    sources = np.repeat(np.arange(graph.vertices), np.diff(offsets))
    once = sources < targets
    return sources[once], targets[once].astype(np.int64)


def peers_of(graph, options):
    peers = {"heddle": Heddle(graph)}
    for name, peer in (("igraph", Igraph), ("networkit", Networkit)):
        try:
            peers[name] = peer(graph)
        except ImportError:
            pass
    if options.gap:
        peers["gap"] = Gap(graph, options.gap)
    return peers


def take_turn(peer, task, cell):
    start = time.perf_counter()
    result = peer.tasks[task]()
    taken = result if isinstance(peer, Gap) else time.perf_counter() - start
    quality = f" ({peer.modularity(result):.4f})" if task in ("louvain", "leiden") else ""
    return min(cell or (taken, quality), (taken, quality))


def compare(path, options):
    graph = heddle.read(path)
    peers = peers_of(graph, options)
    print(f"\n{path}: {graph.vertices} vertices, {graph.edges} arcs; milliseconds, best of {options.repeat} "
          "(modularity)")
    print("| |" + "|".join(peers) + "|\n|---|" + "---:|" * len(peers), flush=True)
    for task in peers["heddle"].tasks:
        cells = {}
        for _ in range(options.repeat):
            for name, peer in peers.items():
                if task in peer.tasks:
                    cells[name] = take_turn(peer, task, cells.get(name))
        row = (f"{1e3 * cells[name][0]:.1f}{cells[name][1]}" if name in cells else "" for name in peers)
        print(f"|{task}|" + "|".join(row) + "|", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--gap")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    for path in options.graphs:
        compare(path, options)


if __name__ == "__main__":
    main()
