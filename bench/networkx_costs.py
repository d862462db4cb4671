#!/usr/bin/env python3
"""Measures what functions of NetworkX cost in NetworkX's own code and in Heddle, for `should_run` of the backend.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python:python/tests bench/networkx_costs.py [FUNCTION…] [--write]

Prints a row for each function: microseconds per unit in NetworkX, and of a call in Heddle on a converted graph, fixed
and per unit. A unit is a node or an edge; of functions that search from every node, a node or an edge for each node.
CPU time, one thread, best of several, both sides in turn. --write puts the rows, and the
cost of a conversion, into python/heddle_networkx/costs.py.
"""
import argparse
import os
import random
import re
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before libraries read them

import heddle_suite  # the source tree as an installed package
import networkx as nx

from heddle_networkx import interface
from heddle_networkx.costs import PER_NODE
from heddle_networkx.graph import BackendGraph

TABLE = os.path.join(heddle_suite.ROOT, "python", "heddle_networkx", "costs.py")


#: Measured on graphs without cycles, or without odd ones.
ACYCLIC = ("dag_longest_path_length", "color", "is_bipartite", "sets",
           "is_bipartite_node_set")
#: Arguments with which a function runs in Heddle, where it does not with its defaults.
GIVEN = {"local_bridges": {"with_span": False}, "rich_club_coefficient": {"normalized": False},
         "dag_longest_path_length": {"weight": None}}
SIDES = ("color", "is_bipartite", "sets", "is_bipartite_node_set")
PARTS = frozenset(("louvain_communities", "asyn_lpa_communities", "fast_label_propagation_communities"))


def graph(nodes, kind):
    """Strongly connected, six edges for each node, with weights."""
    draw = random.Random(1)
    made = kind()
    made.add_edges_from((v, (v + 1) % nodes, {"weight": draw.random()}) for v in range(nodes))
    made.add_edges_from((draw.randrange(nodes), draw.randrange(nodes), {"weight": draw.random()})
                        for _ in range(5 * nodes))
    made.remove_edges_from(list(nx.selfloop_edges(made)))
    return made


def halves(made):
    return [set(list(made)[::2]), set(list(made)[1::2])]


def arguments(name, made):
    """For the parameters that have no default."""
    first, other = 0, len(made) // 2
    known = {"source": first, "target": other, "n": first, "v": first, "sources": [first, other],
             "center_nodes": [first, other], "k": 2, "distance": 2, "nodes": list(made), "S": [first, other],
             "nbunch": list(made)[::2],
             "communities": halves(made), "partition": halves(made)}
    expected = interface._SIGNATURES[name]
    given = {key: known[key] for key in expected.names if key not in expected.defaults and key != "G"}
    if "ebunch" in expected.names:  # as many pairs as nodes
        draw = random.Random(2)
        return {"ebunch": [tuple(draw.sample(range(len(made)), 2)) for _ in range(len(made))]}
    if name == "katz_centrality":
        return {"alpha": 0.01}  # with the default sums diverge
    return {"source": first} if name in ("shortest_path", "shortest_path_length") else given


def run(function, *args, **given):
    start = time.process_time()
    found = function(*args, **given)
    if hasattr(found, "__next__"):
        for _ in found:
            pass
    return time.process_time() - start


def measure(name, nodes, repeat):
    """Seconds in NetworkX, in Heddle, and the units of the graph."""
    original, own = interface._original_of(name).orig_func, getattr(interface.backend, name)
    acyclic = name in ACYCLIC
    for kind in (nx.Graph, nx.DiGraph):
        made = graph(nodes, kind)
        if acyclic:
            made = kind(((min(e), max(e)) for e in made.edges) if name not in SIDES else (
                e for e in made.edges if sum(e) % 2))
        given = {**arguments(name, made), **GIVEN.get(name, {})}
        before = interface.completed[name]
        converted = BackendGraph(made)
        try:
            run(own, converted, **given)
        except Exception:  # not for this kind of graph
            continue
        if interface.completed[name] == before:
            continue
        theirs = ours = float("inf")
        drawn = {"seed": random.Random(1)} if name in PARTS else {}
        for _ in range(repeat):
            if name == "leiden_communities":  # which NetworkX does not have: as louvain_communities
                original, drawn = nx.community.louvain_communities.orig_func, {"seed": random.Random(1)}
            theirs = min(theirs, run(original, made, **given, **drawn))
            ours = min(ours, run(own, converted, **given))
        size = made.number_of_nodes() + made.number_of_edges()
        return theirs, ours, size * (len(made) if name in PER_NODE else 1)
    raise SystemExit(f"{name}: no graph fits")


def conversion(nodes, repeat, kind, weight):
    """Microseconds for each node and edge of converting a graph."""
    made = graph(nodes, kind)
    best = min(run(lambda: BackendGraph(made).weighted(weight) if weight else BackendGraph(made).simple())
               for _ in range(repeat))
    return f"{1e6 * best / (made.number_of_nodes() + made.number_of_edges()):.2g}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("functions", nargs="*", help="only these")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.functions or interface._SIGNATURES:
        nodes = 100 if name in PER_NODE else 1500
        theirs, large, units = measure(name, nodes, options.repeat)
        _, small, few = measure(name, 8, 2 * options.repeat)
        each = max(0.0, (large - small) / (units - few))
        fixed = max(0.0, small - each * few)
        rows.append(f'    "{name}": ({1e6 * theirs / units:.3g}, {1e6 * fixed:.0f}, {1e6 * each:.3g}),')
        print(rows[-1], flush=True)
    # Names of other versions of NetworkX.
    rows += [row.replace(f'"{name}"', f'"{other}"') for name, other in (("barycenter", "centroid"),
                                                                      ("centroid", "barycenter"))
             for row in rows if f'"{name}"' in row and other not in interface._SIGNATURES]
    if options.functions:
        return
    kinds = (nx.Graph, None), (nx.Graph, "weight"), (nx.MultiGraph, "weight")
    figure = f"CONVERSION = ({', '.join(conversion(3000, 4 * options.repeat, *one) for one in kinds)})"
    print(figure)
    if options.write:
        with open(TABLE, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(?sm)(^COSTS: .*? = \{\n).*?(^\})", lambda m: m[1] + "\n".join(rows) + "\n" + m[2], text)
        text = re.sub(r"(?m)^CONVERSION = .*$", figure, text)
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
