"""Shortest paths by weights that are not negative: the families of Dijkstra and of Bellman and Ford, one composition.

Both families have the same distances. Among several shortest paths NetworkX's Dijkstra chooses as `Search` does. Its
Bellman-Ford and its bidirectional search choose by the order of their queues: if there are several, they answer."""
from __future__ import annotations

from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

from ..graph import BackendGraph
from ..search import Search, distances, each, reached
from .paths import lengths

__all__ = [
    "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "all_pairs_dijkstra",
    "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "bellman_ford_path", "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance", "bidirectional_dijkstra", "dijkstra_path", "dijkstra_path_length",
    "dijkstra_predecessor_and_distance", "goldberg_radzik", "johnson", "multi_source_dijkstra",
    "multi_source_dijkstra_path", "multi_source_dijkstra_path_length", "single_source_bellman_ford",
    "single_source_bellman_ford_path", "single_source_bellman_ford_path_length", "single_source_dijkstra",
    "single_source_dijkstra_path", "single_source_dijkstra_path_length", "voronoi_cells",
]

Pairs = Iterator[tuple[Any, Any]]


def _lengths(G: BackendGraph, sources: Any, weight: str, cutoff: Any = None) -> dict[Any, Any]:
    vertices = G.vertices(sources)
    return lengths(G, vertices, distances(G, vertices, weight), cutoff, weight)


def _search(G: BackendGraph, sources: Any, weight: str, cutoff: Any = None) -> Search:
    return Search(G, G.vertices(sources), weight, cutoff=cutoff)


def _all_searches(G: BackendGraph, weight: str, cutoff: Any = None) -> Iterator[tuple[Any, Search]]:
    for vertex, values in each(G, list(range(len(G))), weight):
        yield G.nodes[vertex], Search(G, [vertex], weight, cutoff=cutoff, values=values)


def _length(G: BackendGraph, source: Any, target: Any, weight: str, no_path: str) -> Any:
    values, there = distances(G, [G.vertex(source)], weight), G.vertex(target)
    if not reached(values)[there]:
        raise nx.NetworkXNoPath(no_path)
    return 0 if source == target else values[there].item()


def _pair(G: BackendGraph, sources: Any, target: Any, weight: str, no_path: str, cutoff: Any = None,
          unique: bool = False) -> tuple[Any, list[Any]]:
    """Length and path to one node."""
    search, there = _search(G, sources, weight, cutoff), G.vertex(target)
    if there in search.sources:
        return 0, [target]
    if not search.has(there):
        raise nx.NetworkXNoPath(no_path)
    if unique:
        search.unique(there)
    return search.values[there].item(), search.path(there)


# ---- Dijkstra ----

def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> Any:
    return _length(G, source, target, weight, f"Node {target} not reachable from {source}")


def dijkstra_path(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> list[Any]:
    return _pair(G, [source], target, weight, f"No path to {target}.")[1]


def bidirectional_dijkstra(G: BackendGraph, source: Any, target: Any,
                           weight: str = "weight") -> tuple[Any, list[Any]]:
    return _pair(G, [source], target, weight, f"No path between {source} and {target}.", unique=True)


def multi_source_dijkstra(G: BackendGraph, sources: Any, target: Any = None, cutoff: Any = None,
                          weight: str = "weight") -> Any:
    if target is not None:
        return _pair(G, sources, target, weight, f"No path to {target}.", cutoff)
    search = _search(G, sources, weight, cutoff)
    return search.lengths(), search.paths()


def multi_source_dijkstra_path(G: BackendGraph, sources: Any, cutoff: Any = None,
                               weight: str = "weight") -> dict[Any, list[Any]]:
    return _search(G, sources, weight, cutoff).paths()


def multi_source_dijkstra_path_length(G: BackendGraph, sources: Any, cutoff: Any = None,
                                      weight: str = "weight") -> dict[Any, Any]:
    return _lengths(G, sources, weight, cutoff)


def single_source_dijkstra(G: BackendGraph, source: Any, target: Any = None, cutoff: Any = None,
                           weight: str = "weight") -> Any:
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


def single_source_dijkstra_path(G: BackendGraph, source: Any, cutoff: Any = None,
                                weight: str = "weight") -> dict[Any, list[Any]]:
    return _search(G, [source], weight, cutoff).paths()


def single_source_dijkstra_path_length(G: BackendGraph, source: Any, cutoff: Any = None,
                                       weight: str = "weight") -> dict[Any, Any]:
    return _lengths(G, [source], weight, cutoff)


def dijkstra_predecessor_and_distance(G: BackendGraph, source: Any, cutoff: Any = None,
                                      weight: str = "weight") -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    search = _search(G, [source], weight, cutoff)
    return search.predecessors(), search.lengths()


def all_pairs_dijkstra(G: BackendGraph, cutoff: Any = None, weight: str = "weight") -> Pairs:
    for node, search in _all_searches(G, weight, cutoff):
        yield node, (search.lengths(), search.paths())


def all_pairs_dijkstra_path(G: BackendGraph, cutoff: Any = None, weight: str = "weight") -> Pairs:
    for node, search in _all_searches(G, weight, cutoff):
        yield node, search.paths()


def all_pairs_dijkstra_path_length(G: BackendGraph, cutoff: Any = None, weight: str = "weight") -> Pairs:
    for vertex, values in each(G, list(range(len(G))), weight):
        yield G.nodes[vertex], lengths(G, [vertex], values, cutoff, weight)


def johnson(G: BackendGraph, weight: str = "weight") -> dict[Any, dict[Any, list[Any]]]:
    return dict(all_pairs_dijkstra_path(G, weight=weight))


def voronoi_cells(G: BackendGraph, center_nodes: Any, weight: str = "weight") -> dict[Any, set[Any]]:
    search = _search(G, list(center_nodes), weight)
    roots = search.parents()
    while (further := roots[roots[search.order]]).tolist() != roots[search.order].tolist():
        roots[search.order] = further
    cells: dict[Any, set[Any]] = nx.utils.groups(
        dict(zip(G.named(search.order), G.named(roots[search.order]))))
    apart = set(G.nodes) - set(G.named(search.order))
    if apart:
        cells["unreachable"] = apart
    return cells


# ---- Bellman and Ford ----

def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> Any:
    return _length(G, source, target, weight, f"node {target} not reachable from {source}")


def bellman_ford_path(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> list[Any]:
    return list(single_source_bellman_ford(G, source, target, weight)[1])


def single_source_bellman_ford(G: BackendGraph, source: Any, target: Any = None, weight: str = "weight") -> Any:
    if target is not None:
        return _pair(G, [source], target, weight, f"Target {target} cannot be reached from given sources", unique=True)
    search = _search(G, [source], weight).unique()
    return search.lengths(), search.paths()


def single_source_bellman_ford_path(G: BackendGraph, source: Any, weight: str = "weight") -> dict[Any, list[Any]]:
    return _search(G, [source], weight).unique().paths()


def single_source_bellman_ford_path_length(G: BackendGraph, source: Any, weight: str = "weight") -> dict[Any, Any]:
    return _lengths(G, [source], weight)


def bellman_ford_predecessor_and_distance(G: BackendGraph, source: Any, target: Any = None, weight: str = "weight",
                                          heuristic: bool = False) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    search = _search(G, [source], weight).unique()
    # A lone node NetworkX does not search from: a loop of weight 0 does not make it its own predecessor.
    return search.predecessors() if len(G) > 1 else {source: []}, search.lengths()


def all_pairs_bellman_ford_path(G: BackendGraph, weight: str = "weight") -> Pairs:
    yield from [(node, search.unique().paths()) for node, search in _all_searches(G, weight)]


def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: str = "weight") -> Pairs:
    return all_pairs_dijkstra_path_length(G, weight=weight)


def goldberg_radzik(G: BackendGraph, source: Any, weight: str = "weight") -> tuple[dict[Any, Any], dict[Any, Any]]:
    search = _search(G, [source], weight).unique()
    parents, children = search.edges()
    return {source: None, **dict(zip(G.named(children), G.named(parents)))}, search.lengths()
