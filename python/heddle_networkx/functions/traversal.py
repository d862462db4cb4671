"""Breadth-first searches: their edges, trees and layers, in NetworkX's order."""
from __future__ import annotations

from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from ..graph import BackendGraph
from ..search import Search, distances, reached

__all__ = [
    "ancestors", "bfs_edges", "bfs_labeled_edges", "bfs_layers", "bfs_predecessors", "bfs_successors", "bfs_tree",
    "descendants", "descendants_at_distance", "has_path",
]


def _edges(G: BackendGraph, source: Any, reverse: bool, depth_limit: Any) -> Iterator[tuple[Any, Any]]:
    parents, children = Search(G, [G.vertex(source)], reverse=reverse, cutoff=depth_limit).edges()
    return zip(G.named(parents), G.named(children))


def bfs_edges(G: BackendGraph, source: Any, reverse: bool = False, depth_limit: Any = None,
              sort_neighbors: Any = None) -> Iterator[tuple[Any, Any]]:
    yield from _edges(G, source, reverse, depth_limit)


def bfs_tree(G: BackendGraph, source: Any, reverse: bool = False, depth_limit: Any = None,
             sort_neighbors: Any = None) -> Any:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(_edges(G, source, reverse, depth_limit))
    return tree


def bfs_predecessors(G: BackendGraph, source: Any, depth_limit: Any = None,
                     sort_neighbors: Any = None) -> Iterator[tuple[Any, Any]]:
    for parent, child in _edges(G, source, False, depth_limit):
        yield child, parent


def bfs_successors(G: BackendGraph, source: Any, depth_limit: Any = None,
                   sort_neighbors: Any = None) -> Iterator[tuple[Any, list[Any]]]:
    children: list[Any] = []
    at = source
    for parent, child in _edges(G, source, False, depth_limit):
        if parent != at:
            yield at, children
            at, children = parent, []
        children.append(child)
    yield at, children


def _starts(G: BackendGraph, sources: Any) -> list[Any]:
    """NetworkX: one node, or a container of nodes."""
    try:
        if sources in G:
            return [sources]
    except TypeError:  # not hashable
        pass
    return list(sources)


def bfs_layers(G: BackendGraph, sources: Any) -> Iterator[list[Any]]:
    search = Search(G, G.vertices(set(_starts(G, sources))))
    cuts = np.flatnonzero(np.diff(search.values[search.order])) + 1
    for layer in np.split(search.order, cuts):
        yield G.named(layer)


def bfs_labeled_edges(G: BackendGraph, sources: Any) -> Iterator[tuple[Any, Any, str]]:
    search, arcs = Search(G, G.vertices(_starts(G, sources))), G.arcs()
    seen = np.flatnonzero(search.has_each()[arcs.sources])
    seen = seen[np.argsort(search.position[arcs.sources[seen]], kind="stable")]
    heads, tails = arcs.sources[seen], arcs.targets[seen]
    step = search.values[tails] - search.values[heads]  # 1: to the next layer, 0: in one, less: back
    tree = (search.parents()[tails] == heads) & (step == 1)
    kinds = np.select([tree, step == 1, step == 0], [_TREE, _FORWARD, _LEVEL], _REVERSE)
    if not G.is_directed():  # each edge once: when the search leaves the first of its ends
        shown = (step > 0) | ((step == 0) & (search.position[tails] >= search.position[heads]))
        heads, tails, kinds = heads[shown], tails[shown], kinds[shown]
    yield from zip(G.named(heads), G.named(tails), map(_LABELS.__getitem__, kinds.tolist()))


_TREE, _FORWARD, _LEVEL, _REVERSE = range(4)
_LABELS = ["tree", "forward", "level", "reverse"]


# ---- reachability ----

def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    return bool(distances(G, [G.vertex(source)])[G.vertex(target)] >= 0)


def descendants(G: BackendGraph, source: Any) -> set[Any]:
    return set(G.named(np.flatnonzero(distances(G, [G.vertex(source)]) > 0)))


def ancestors(G: BackendGraph, source: Any) -> set[Any]:
    return set(G.named(np.flatnonzero(distances(G, [G.vertex(source)], reverse=True) > 0)))


def descendants_at_distance(G: BackendGraph, source: Any, distance: Any) -> set[Any]:
    values = distances(G, [G.vertex(source)])
    return set(G.named(np.flatnonzero(reached(values) & (values == distance))))
