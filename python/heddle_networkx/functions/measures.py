"""Measures of the distances from every node, in edges or by weight."""
from __future__ import annotations

import math
from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from ..graph import Array, BackendGraph
from ..search import distances, each, reached, within

__all__ = [
    "average_shortest_path_length", "barycenter", "center", "centroid", "closeness_centrality", "diameter",
    "eccentricity", "ego_graph", "global_efficiency", "global_reaching_centrality", "harmonic_centrality",
    "harmonic_diameter", "hyper_wiener_index", "local_reaching_centrality", "periphery", "radius", "wiener_index",
]


def _each(G: BackendGraph, vertices: Any = None, weight: Any = None,
          reverse: bool = False) -> Iterator[tuple[int, Array]]:
    """(vertex, distances of those it reaches, ascending, its own 0 first) for each vertex."""
    for vertex, values in each(G, list(range(len(G))) if vertices is None else vertices, weight, reverse):
        yield vertex, np.sort(values[reached(values)])


def _sum(values: Array) -> Any:
    """Ascending values, as Python adds them in this order: exact for integers, of any size."""
    if values.dtype.kind in "iu" and int(values[-1]) * len(values) < 2**63:
        return int(values.sum(dtype=np.int64))
    return sum(values.tolist())


def _squares(values: Array) -> Array:
    """value + value ** 2, of ascending values; integers whose squares exceed 63 bits become Python's own."""
    if values.dtype.kind in "iu":
        values = values.astype(np.int64 if int(values[-1]) < 2**31 else object)
    return np.asarray(values + values ** 2)


def _inverse_sum(values: Array, before: float = 0.0) -> float:
    """`before` and the inverses of all that are not 0, added one after the other."""
    inverse = 1 / values[values > 0]
    return float(np.cumsum(np.append(before, inverse))[-1])


def _total(G: BackendGraph, weight: Any) -> Any:
    """The sum over all pairs; infinite if some node does not reach all."""
    total: Any = 0
    for _, values in _each(G, weight=weight):
        if len(values) < len(G):
            return math.inf
        total += _sum(values)
    return total


def average_shortest_path_length(G: BackendGraph, weight: Any = None, method: Any = None) -> float:
    total = _total(G, weight)
    if total == math.inf:
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
    return float(total / (len(G) * (len(G) - 1)))


def wiener_index(G: BackendGraph, weight: Any = None) -> Any:
    total = _total(G, weight)
    return total if G.is_directed() or total == math.inf else total / 2


def hyper_wiener_index(G: BackendGraph, weight: Any = None) -> float:
    total: Any = 0
    for _, values in _each(G, weight=weight):
        if len(values) < len(G):
            return math.inf
        total += _sum(_squares(values))
    return float(total / 2)


def _eccentricities(G: BackendGraph, vertices: Any, weight: Any) -> dict[Any, Any]:
    found = {}
    for vertex, values in _each(G, vertices, weight):
        if len(values) < len(G):
            raise nx.NetworkXError("Found infinite path length because the digraph is not strongly connected"
                                   if G.is_directed() else
                                   "Found infinite path length because the graph is not connected")
        found[G.nodes[vertex]] = values[-1].item() if len(values) > 1 else 0
    return found


def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    found = _eccentricities(G, G.vertices(G.nx.nbunch_iter(v)), weight)
    return found[v] if v is not None and v in G.nx else found


def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    return max(_eccentricities(G, None, weight).values())


def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    return min(_eccentricities(G, None, weight).values())


def center(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = _eccentricities(G, None, weight)
    least = min(found.values())
    return [node for node, far in found.items() if far == least]


def periphery(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = _eccentricities(G, None, weight)
    most = max(found.values())
    return [node for node, far in found.items() if far == most]


def barycenter(G: BackendGraph, weight: Any = None, attr: Any = None, sp: Any = None) -> list[Any]:
    sums = {}
    for vertex, values in _each(G, weight=weight):
        if len(values) < len(G):
            raise nx.NetworkXNoPath(
                f"Input graph {G.nx} is disconnected, so every induced subgraph has infinite barycentricity.")
        sums[G.nodes[vertex]] = _sum(values)
    least = min(sums.values())
    return [node for node, total in sums.items() if total == least]


centroid = barycenter  # its name since NetworkX 3.7


def harmonic_diameter(G: BackendGraph, sp: Any = None, *, weight: Any = None) -> float:
    total, count = 0.0, len(G)
    for _, values in _each(G, weight=weight):
        total = _inverse_sum(values, total)
    if total:
        return count * (count - 1) / total
    return math.inf if count > 1 else math.nan


def global_efficiency(G: BackendGraph) -> float:
    total = 0.0
    for _, values in _each(G):
        total = _inverse_sum(values, total)
    return total / (len(G) * (len(G) - 1))


def closeness_centrality(G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:
    count, found = len(G), {}
    for vertex, values in _each(G, None if u is None else [G.vertex(u)], distance, reverse=True):
        total, value = _sum(values), 0.0
        if total > 0 and count > 1:
            value = (len(values) - 1.0) / total
            if wf_improved:
                value *= (len(values) - 1.0) / (count - 1)
        found[G.nodes[vertex]] = value
    return found if u is None else found[u]


def harmonic_centrality(G: BackendGraph, nbunch: Any = None, distance: Any = None,
                        sources: Any = None) -> dict[Any, Any]:
    wanted = None if nbunch is None else G.vertices(dict.fromkeys(G.nx.nbunch_iter(nbunch)))
    return {G.nodes[vertex]: _inverse_sum(values) if values[-1] > 0 else 0
            for vertex, values in _each(G, wanted, distance, reverse=True)}


# ---- reaching ----

def _reaching(G: BackendGraph, values: Array) -> float:
    if G.is_directed():
        return float((len(values) - 1) / (len(G) - 1))
    return float(sum((1 / values[1:]).tolist()) / (len(G) - 1))


def local_reaching_centrality(G: BackendGraph, v: Any, paths: Any = None, weight: Any = None,
                              normalized: bool = True) -> float:
    return _reaching(G, next(_each(G, [G.vertex(v)]))[1])


def global_reaching_centrality(G: BackendGraph, weight: Any = None, normalized: bool = True) -> float:
    found = [_reaching(G, values) for _, values in _each(G)]
    most = max(found)
    return sum(most - one for one in found) / (len(G) - 1)


def ego_graph(G: BackendGraph, n: Any, radius: Any = 1, center: bool = True, undirected: bool = False,
              distance: Any = None) -> Any:
    values = distances(G, [G.vertex(n)], distance)
    near = set(G.named(np.flatnonzero(within(values, radius, distance)))) | {n}
    found = G.nx.subgraph(near).copy()
    if not center:
        found.remove_node(n)
    return found
