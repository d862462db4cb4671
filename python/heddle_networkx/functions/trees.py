"""Spanning trees and forests."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from ..graph import BackendGraph, Odd

__all__ = ["maximum_spanning_edges", "maximum_spanning_tree", "minimum_spanning_edges", "minimum_spanning_tree"]


def _spanning(G: BackendGraph, minimum: bool, weight: str, ignore_nan: bool) -> list[Any]:
    """Kruskal's edges in his order. Ranks in the order in which he takes them replace the weights: so there is one
    minimum forest only, his, and NetworkX's rule for edges of equal weight holds."""
    from heddle import Graph
    multi = G.is_multigraph()
    edges = list(G.nx.edges(keys=True, data=True) if multi else G.nx.edges(data=True))
    try:
        values = np.asarray([edge[-1].get(weight, 1) for edge in edges] or np.empty(0, np.int64))
    except ValueError:  # lists of several lengths
        raise Odd("an edge has no number as its weight") from None
    if values.ndim != 1 or values.dtype.kind not in "biuf" or any("partition" in edge[-1] for edge in edges):
        raise Odd("an edge has no number as its weight, or a partition")
    if np.isnan(values).any():
        if not ignore_nan:
            raise ValueError(f"NaN found as an edge weight. Edge {edges[int(np.argmax(np.isnan(values)))]}")
        kept = np.flatnonzero(~np.isnan(values))
        edges, values = [edges[k] for k in kept.tolist()], values[kept]
    if not edges:
        return []
    order = np.argsort(values, kind="stable") if minimum else \
        len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]
    ranks = np.empty(len(edges), np.int64)
    ranks[order] = np.arange(1, len(edges) + 1)
    sources, targets = (np.array(G.vertices(edge[end] for edge in edges)) for end in (0, 1))
    forest = Graph.from_edges(sources, targets, ranks, vertices=len(G), symmetrize=True, drop_loops=True,
                              duplicates="min").mst()
    taken = [] if forest.weights is None else np.sort(forest.weights).tolist()
    places = order.tolist()
    return [edges[places[int(rank) - 1]] for rank in taken]


def _spanning_edges(G: BackendGraph, minimum: bool, weight: str, keys: bool, data: bool,
                    ignore_nan: bool) -> Iterator[Any]:
    for edge in _spanning(G, minimum, weight, ignore_nan):
        ends = edge[:3] if G.is_multigraph() and keys else edge[:2]
        yield (*ends, edge[-1]) if data else tuple(ends)


def minimum_spanning_edges(G: BackendGraph, algorithm: str = "kruskal", weight: str = "weight", keys: bool = True,
                           data: bool = True, ignore_nan: bool = False) -> Iterator[Any]:
    return _spanning_edges(G, True, weight, keys, data, ignore_nan)


def maximum_spanning_edges(G: BackendGraph, algorithm: str = "kruskal", weight: str = "weight", keys: bool = True,
                           data: bool = True, ignore_nan: bool = False) -> Iterator[Any]:
    return _spanning_edges(G, False, weight, keys, data, ignore_nan)


def _spanning_tree(G: BackendGraph, minimum: bool, weight: str, ignore_nan: bool) -> Any:
    tree = G.nx.__class__()
    tree.graph.update(G.nx.graph)
    tree.add_nodes_from(G.nx.nodes.items())
    tree.add_edges_from(_spanning_edges(G, minimum, weight, True, True, ignore_nan))
    return tree


def minimum_spanning_tree(G: BackendGraph, weight: str = "weight", algorithm: str = "kruskal",
                          ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, True, weight, ignore_nan)


def maximum_spanning_tree(G: BackendGraph, weight: str = "weight", algorithm: str = "kruskal",
                          ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, False, weight, ignore_nan)
