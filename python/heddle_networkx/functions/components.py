"""Components of undirected and of directed graphs."""
from __future__ import annotations

from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from ..graph import Array, BackendGraph

__all__ = [
    "attracting_components", "condensation", "connected_components", "is_attracting_component", "is_connected",
    "is_forest", "is_semiconnected", "is_strongly_connected", "is_tree", "is_weakly_connected",
    "kosaraju_strongly_connected_components", "node_connected_component", "number_attracting_components",
    "number_connected_components", "number_strongly_connected_components", "number_weakly_connected_components",
    "strongly_connected_components", "weakly_connected_components",
]


def _groups(labels: Array) -> list[Array]:
    """The vertices of each component, components in order of their smallest vertex."""
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts)


def _sets(G: BackendGraph, groups: list[Array]) -> Iterator[set[Any]]:
    for group in groups:
        yield set(G.named(group))


def _count(G: BackendGraph, algorithm: str) -> int:
    labels = getattr(G.simple(), algorithm)().values
    return int((labels == np.arange(len(labels))).sum())  # a label is the component's smallest vertex


def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, _groups(G.simple().cc().values))


weakly_connected_components = connected_components


def number_connected_components(G: BackendGraph) -> int:
    return _count(G, "cc")


number_weakly_connected_components = number_connected_components


def is_connected(G: BackendGraph) -> bool:
    return _count(G, "cc") == 1


is_weakly_connected = is_connected


def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    labels = G.simple().cc().values
    return next(_sets(G, [np.flatnonzero(labels == labels[G.vertex(n)])]))


def is_tree(G: BackendGraph) -> bool:
    return bool(G.nx.number_of_edges() == len(G) - 1) and is_connected(G)


def is_forest(G: BackendGraph) -> bool:
    # A component of n nodes has n - 1 edges at least, and is a tree if it has no more.
    return bool(G.nx.number_of_edges() == len(G) - _count(G, "cc"))


class _Condensation:
    """The strong components, and the arcs between different ones."""

    def __init__(self, G: BackendGraph) -> None:
        labels = G.simple().scc().values
        self.groups = _groups(labels)
        numbers = np.empty(len(labels), np.int64)
        numbers[np.concatenate(self.groups)] = np.repeat(np.arange(len(self.groups)), list(map(len, self.groups)))
        offsets, targets, _ = G.simple().out_edges()
        first, second = numbers[np.repeat(np.arange(len(labels)), np.diff(offsets))], numbers[targets]
        #: Pairs of a component and one that has an arc to it, sorted.
        self.pairs = np.unique(np.stack([second, first])[:, first != second], axis=1)

    def order(self) -> list[int]:
        """Components in reverse topological order: one comes after those that it reaches."""
        left = np.bincount(self.pairs[1], minlength=len(self.groups))
        starts = np.searchsorted(self.pairs[0], np.arange(len(self.groups) + 1))
        ready, found = np.flatnonzero(left == 0).tolist(), []
        while ready:
            k = ready.pop()
            found.append(k)
            for other in self.pairs[1, starts[k]:starts[k + 1]].tolist():
                left[other] -= 1
                if not left[other]:
                    ready.append(other)
        return found

    def strong(self) -> list[Array]:
        return [self.groups[k] for k in self.order()]

    def sinks(self) -> list[Array]:
        """Components that no arc leaves."""
        leaving = np.bincount(self.pairs[1], minlength=len(self.groups))
        return [self.groups[k] for k in np.flatnonzero(leaving == 0).tolist()]

    def is_chain(self) -> bool:
        """Whether each component has an arc to the next one in topological order, which is unique then."""
        order = np.array(self.order())
        present = set(map(tuple, self.pairs.T.tolist()))
        return all(pair in present for pair in zip(order[:-1].tolist(), order[1:].tolist()))


def strongly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, _Condensation(G).strong())


def kosaraju_strongly_connected_components(G: BackendGraph, source: Any = None) -> Iterator[set[Any]]:
    yield from strongly_connected_components(G)


def number_strongly_connected_components(G: BackendGraph) -> int:
    return _count(G, "scc")


def is_strongly_connected(G: BackendGraph) -> bool:
    return _count(G, "scc") == 1


def condensation(G: BackendGraph, scc: Any = None) -> Any:
    original: Any = nx.condensation
    return original.orig_func(G.nx, list(strongly_connected_components(G)))


def attracting_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, _Condensation(G).sinks())


def number_attracting_components(G: BackendGraph) -> int:
    return len(_Condensation(G).sinks())


def is_attracting_component(G: BackendGraph) -> bool:
    sinks = _Condensation(G).sinks()
    return len(sinks) == 1 and len(sinks[0]) == len(G)


def is_semiconnected(G: BackendGraph) -> bool:
    return is_weakly_connected(G) and _Condensation(G).is_chain()
