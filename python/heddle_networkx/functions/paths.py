"""Shortest paths in edges, and the functions that take a weight or none."""
from __future__ import annotations

from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np
from networkx.algorithms.shortest_paths import generic  # type: ignore[import-untyped, unused-ignore]

from ..graph import Array, BackendGraph
from ..search import Search, distances, each, reached, within

__all__ = [
    "all_pairs_all_shortest_paths", "all_pairs_shortest_path", "all_pairs_shortest_path_length", "all_shortest_paths",
    "bidirectional_shortest_path", "predecessor", "shortest_path", "shortest_path_length",
    "single_source_all_shortest_paths", "single_source_shortest_path", "single_source_shortest_path_length",
    "single_target_shortest_path", "single_target_shortest_path_length",
]


_build_paths: Any = getattr(generic, "_build_paths_from_predecessors")  # no public function does it


def lengths(G: BackendGraph, sources: list[int], values: Array, cutoff: Any = None,
            weight: Any = None) -> dict[Any, Any]:
    """{node: distance} of those reached, in order of distance; a source has the integer 0, whatever the weights are."""
    there = np.flatnonzero(within(values, cutoff, weight))
    there = there[np.argsort(values[there], kind="stable")]
    found: dict[Any, Any] = {G.nodes[v]: 0 for v in sources}
    found.update(zip(G.named(there), values[there].tolist()))
    found.update((G.nodes[v], 0) for v in sources)
    return found


def _lengths(G: BackendGraph, node: Any, reverse: bool = False, cutoff: Any = None,
             weight: Any = None) -> dict[Any, Any]:
    sources = [G.vertex(node)]
    return lengths(G, sources, distances(G, sources, weight, reverse), cutoff, weight)


# ---- in edges ----

def single_source_shortest_path_length(G: BackendGraph, source: Any, cutoff: Any = None) -> dict[Any, int]:
    return _lengths(G, source, cutoff=cutoff)


def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: Any = None) -> dict[Any, int]:
    return _lengths(G, target, reverse=True, cutoff=cutoff)


def all_pairs_shortest_path_length(G: BackendGraph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    for vertex, levels in each(G, list(range(len(G)))):
        yield G.nodes[vertex], lengths(G, [vertex], levels, cutoff)


def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    return Search(G, [G.vertex(source)], cutoff=cutoff).paths()


def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    return Search(G, [G.vertex(target)], reverse=True, cutoff=cutoff).paths(backward=True)


def all_pairs_shortest_path(G: BackendGraph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for vertex, levels in each(G, list(range(len(G)))):
        yield G.nodes[vertex], Search(G, [vertex], cutoff=cutoff, values=levels).paths()


def predecessor(G: BackendGraph, source: Any, target: Any = None, cutoff: Any = None, return_seen: Any = None) -> Any:
    # The cutoff ends the search behind a level, and the first level is always taken.
    limit = max(1, cutoff) if cutoff else None
    search = Search(G, [G.vertex(source)], cutoff=limit)
    if target is not None:
        there = G.vertex(target)
        if not search.has(there):
            return ([], -1) if return_seen else []
        before = search.predecessors()[target]
        return (before, int(search.values[there])) if return_seen else before
    found = search.predecessors()
    return (found, search.lengths()) if return_seen else found


def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list[Any]:
    """NetworkX searches from both ends, the smaller fringe first, until they meet: of several shortest paths it takes
    the one through the first arc that joins them."""
    start, end = G.vertex(source), G.vertex(target)
    forth, back = Search(G, [start]), Search(G, [end], reverse=True)
    if not forth.has(end):
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    depth = int(forth.values[end])
    if depth == 0:
        return [source]
    sizes = [np.bincount(one.values[one.order], minlength=depth + 1).tolist() for one in (forth, back)]
    ahead, behind = 0, 0  # levels that each side has
    while ahead + behind < depth - 1:
        if sizes[0][ahead] <= sizes[1][behind]:
            ahead += 1
        else:
            behind += 1
    if sizes[0][ahead] <= sizes[1][behind]:
        near, far = _joined(forth, back, ahead, behind)
    else:
        far, near = _joined(back, forth, behind, ahead)
    return forth.path(near) + back.path(far)[::-1]


def _joined(side: Search, other: Search, level: int, met: int) -> tuple[int, int]:
    """The first tight arc that a search finds from its level to the other's."""
    arcs = np.flatnonzero((side.values[side.heads] == level) & (other.values[side.tails] == met))
    best = arcs[np.argmin(side.position[side.heads[arcs]])]
    return int(side.heads[best]), int(side.tails[best])


# ---- with a weight or none ----

def shortest_path(G: BackendGraph, source: Any = None, target: Any = None, weight: Any = None,
                  method: str = "dijkstra") -> Any:
    if source is None or target is None:
        end = target if source is None else source
        search = Search(G, [G.vertex(end)], weight, reverse=source is None)
        if weight is not None and method != "dijkstra":
            search.unique()
        return search.paths(backward=source is None)
    if weight is None:
        return bidirectional_shortest_path(G, source, target)
    search, there = Search(G, [G.vertex(source)], weight), G.vertex(target)
    if not search.has(there):
        raise nx.NetworkXNoPath(f"No path between {source} and {target}." if method == "dijkstra" else
                                f"Target {target} cannot be reached from given sources")
    return search.unique(there).path(there)


def shortest_path_length(G: BackendGraph, source: Any = None, target: Any = None, weight: Any = None,
                         method: str = "dijkstra") -> Any:
    if source is None:
        return _lengths(G, target, reverse=True, weight=weight)
    if target is None:
        return _lengths(G, source, weight=weight)
    values, there = distances(G, [G.vertex(source)], weight), G.vertex(target)
    if not reached(values)[there]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}." if weight is None else
                                f"Node {target} not reachable from {source}" if method == "dijkstra" else
                                f"node {target} not reachable from {source}")
    return 0 if source == target else values[there].item()


def _before(search: Search, weight: Any, method: str) -> dict[Any, list[Any]]:
    """Predecessors, in the order of the method."""
    return (search if weight is None or method == "dijkstra" else search.unique()).predecessors()


def all_shortest_paths(G: BackendGraph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra") -> Any:
    before = _before(Search(G, [G.vertex(source)], weight), weight, method)
    return _build_paths({source}, target, before)


def _all_paths(before: dict[Any, list[Any]], source: Any) -> Iterator[tuple[Any, list[Any]]]:
    for node in before:
        yield node, list(_build_paths({source}, node, before))


def single_source_all_shortest_paths(G: BackendGraph, source: Any, weight: Any = None,
                                     method: str = "dijkstra") -> Iterator[tuple[Any, list[Any]]]:
    yield from _all_paths(_before(Search(G, [G.vertex(source)], weight), weight, method), source)


def all_pairs_all_shortest_paths(G: BackendGraph, weight: Any = None,
                                 method: str = "dijkstra") -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for vertex, values in each(G, list(range(len(G))), weight):
        before = _before(Search(G, [vertex], weight, values=values), weight, method)
        yield G.nodes[vertex], dict(_all_paths(before, G.nodes[vertex]))
