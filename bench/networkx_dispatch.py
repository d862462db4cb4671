#!/usr/bin/env python3
"""Times every function of the backend under automatic dispatch beside NetworkX's own code.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python:python/tests bench/networkx_dispatch.py [--repeat N]
        [--nodes N,…] [NAME…]

Random graphs with weights, undirected and directed, with six edges for each node. A first call finds the graph as it
is, a second one what the first has converted. One thread, CPU time; both sides take turns in each of N rounds, and the
least counts. Prints a row for each size: how many calls went to Heddle, the largest ratio of all calls and of those
that take NetworkX 1 ms or more, and what a decision costs; then the calls whose ratio exceeds 1.1.
"""
import argparse
import gc
import os
import time

os.environ["OMP_NUM_THREADS"] = "1"  # before libraries read it

import networkx_costs  # the source tree as an installed package
import networkx as nx

from heddle_networkx import interface
from heddle_networkx.costs import PER_NODE

LIMIT = 0.5  # seconds that a call of NetworkX may take


def spent(function, graph, given, backends):
    """CPU seconds of a call, inner calls of NetworkX's own code included."""
    nx.config.backend_priority.algos = nx.config.backend_priority.generators = backends
    start = time.process_time()
    found = function(graph, **given)
    if hasattr(found, "__next__"):
        for _ in found:
            pass
    return time.process_time() - start


def ratios(name, graph, repeat):
    """NetworkX's seconds; those of a first and a second call; how many calls Heddle answered."""
    function, given = getattr(nx, name), networkx_costs.arguments(name, graph)
    own = first = second = float("inf")
    before = interface.completed[name]
    for _ in range(repeat):
        own = min(own, spent(function, graph, given, []))
        graph.__networkx_cache__.clear()
        first = min(first, spent(function, graph, given, ["heddle"]))
        second = min(second, spent(function, graph, given, ["heddle"]))
    return own, first, second, interface.completed[name] - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nodes", default="8,64,512,4096")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    gc.disable()
    slow, over = {}, []
    print("| nodes | calls | in Heddle | largest ratio | of 1 ms or more | decision, us |\n|---" + "|---:" * 5 + "|")
    for nodes in map(int, options.nodes.split(",")):
        rows = []
        for kind in (nx.Graph, nx.DiGraph):
            graph = networkx_costs.graph(nodes, kind)
            for name in options.names or interface._SIGNATURES:
                growth = 8 ** (2 if name in PER_NODE else 1)
                if slow.get((name, kind), 0) * growth > LIMIT:
                    continue
                try:
                    own, first, second, taken = ratios(name, graph, options.repeat)
                except (nx.NetworkXException, NotImplementedError):  # not for this kind of graph
                    continue
                slow[name, kind] = own
                rows.append((max(first, second) / own, own, max(first, second) - own, taken))
                over += [(f"{one / own:.2f}", name, kind.__name__, nodes, f"{1e6 * own:.0f} us", call)
                         for one, call in ((first, "first"), (second, "second")) if one > 1.1 * own and own > 1e-4]
        long = [row[0] for row in rows if row[1] >= 1e-3]
        decision = sorted(row[2] for row in rows if not row[3])
        print(f"| {nodes} | {len(rows)} | {sum(bool(row[3]) for row in rows)} | {max(row[0] for row in rows):.2f} | "
              f"{max(long, default=0):.2f} | {1e6 * decision[len(decision) // 2] if decision else 0:.0f} |", flush=True)
    print("\nover 1.1, of calls that take NetworkX 100 us or more:")
    for row in sorted(over, reverse=True):
        print(*row)


if __name__ == "__main__":
    main()
