"""Searches whose answers are NetworkX's own: the order in which it finds nodes, and the paths that it chooses.

Heddle gives distances, which are unique. NetworkX's breadth-first search and its Dijkstra choose among equals by order:
a node comes behind those that are nearer, and among equals first comes the one whose parent came first, then the one
that stands first among that parent's neighbours; its parent is the first node on a shortest path to it. So the order
follows from the distances and the tight arcs (those on shortest paths), group by group of equal distance.
"""
from __future__ import annotations

import math
from typing import Any, Iterator, Optional

import numpy as np

from .graph import Array, BackendGraph, Odd

_BATCH = 64  # searches side by side
_PASSES = 16  # over the arcs of a group of equal distance, before its vertices are placed one by one


def reached(values: Array) -> Array:
    kind = values.dtype.kind
    found: Array = np.isfinite(values) if kind == "f" else values >= 0 if kind == "i" else \
        values != np.iinfo(values.dtype).max
    return found


def within(values: Array, cutoff: Any, weight: Optional[str] = None) -> Array:
    """Which vertices are reached, and not farther than `cutoff`. A search in edges takes the last level whole that the
    cutoff touches, as NetworkX's does."""
    found = reached(values)
    if cutoff is not None:
        if weight is None and math.isfinite(cutoff):
            cutoff = math.ceil(cutoff)
        found &= values <= cutoff
    return found


def distances(G: BackendGraph, sources: list[int], weight: Optional[str] = None, reverse: bool = False) -> Array:
    """From the nearest of the sources to each vertex, in edges or by weight."""
    weight = G.named_weight(weight)
    if weight is None:
        return G.simple(reverse).bfs(sources=sources).values
    return G.weighted(weight, reverse=reverse).sssp(sources=sources, precision="double").values


def each(G: BackendGraph, vertices: list[int], weight: Optional[str] = None,
         reverse: bool = False) -> Iterator[tuple[int, Array]]:
    """(vertex, distances from it) for each vertex."""
    weight = G.named_weight(weight)
    if weight is not None:
        for vertex in vertices:
            yield vertex, distances(G, [vertex], weight, reverse)
        return
    graph = G.simple(reverse)
    for first in range(0, len(vertices), _BATCH):
        batch = vertices[first:first + _BATCH]
        yield from zip(batch, graph.bfs(sources=batch, each=True).values)


class Search:
    """A search from some vertices, with the vertices that it reaches within `cutoff`."""

    def __init__(self, G: BackendGraph, sources: list[int], weight: Optional[str] = None, reverse: bool = False,
                 cutoff: Any = None, values: Optional[Array] = None) -> None:
        self.G, self.sources = G, list(dict.fromkeys(sources))
        self.values = distances(G, self.sources, weight, reverse) if values is None else values
        if self.values.dtype.kind == "u":  # NumPy would add weights to them as floats
            raise Odd("distances exceed 63 bits")
        self._kept = within(self.values, cutoff, weight)
        self._kept[self.sources] = True
        arcs, values, weight = G.arcs(reverse), self.values, G.named_weight(weight)
        ends = np.flatnonzero(self._kept[arcs.sources] & self._kept[arcs.targets])
        heads, tails = arcs.sources[ends], arcs.targets[ends]
        steps: Any = 1 if weight is None else G.least_weights(weight, reverse)[ends]
        tight = values[heads] + steps == values[tails]
        #: Ends of the tight arcs, in NetworkX's order of arcs.
        self.heads, self.tails = heads[tight], tails[tight]
        self._place()

    def _place(self) -> None:
        """Sets `order`, the vertices in the order of the search, and `position`, the place of each in it."""
        values = self.values
        order = np.flatnonzero(self._kept)
        order = order[np.argsort(values[order], kind="stable")]
        starts = np.flatnonzero(np.append(True, values[order[1:]] != values[order[:-1]])) if order.size else order
        sizes = np.diff(np.append(starts, len(order)))
        position = np.full(len(values), -1)
        # Vertices that are alone at their distance have their place, and so have the sources.
        alone = order[starts[sizes == 1]]
        position[alone] = starts[sizes == 1]
        position[self.sources] = np.arange(len(self.sources))
        group = np.full(len(values), -1)
        group[order] = np.repeat(np.arange(len(starts)), sizes)
        open_arcs = np.flatnonzero(position[self.tails] < 0)
        open_arcs = open_arcs[np.argsort(group[self.tails[open_arcs]], kind="stable")]
        groups = np.flatnonzero(sizes > 1)
        cuts = np.searchsorted(group[self.tails[open_arcs]], np.append(groups, len(starts))).tolist()
        first = np.empty(len(values), np.int64)
        for k, start in enumerate(starts[groups].tolist()):
            taken = start + (len(self.sources) if start == 0 else 0)
            self._place_group(open_arcs[cuts[k]:cuts[k + 1]], taken, position, first)
        if order.size and position[order].min() < 0:  # distances that no sums of weights along arcs give
            raise Odd("the distances are not sums of weights")
        order[position[order]] = order.copy()
        self.order, self.position = order, position

    def _place_group(self, arcs: Array, taken: int, position: Array, first: Array) -> None:
        """Places the vertices that these arcs enter, all at one distance, from place `taken` on. Arcs of weight 0 join
        vertices of the group: a step along them is a pass over the arcs that are left, unless there are many."""
        left = _PASSES * len(arcs)
        while arcs.size:
            before = position[self.heads[arcs]]
            left -= len(arcs)
            if left < 0:
                return self._place_singly(arcs, before, taken, position)
            ready = np.flatnonzero(before >= 0)
            ends = self.tails[arcs[ready[np.argsort(before[ready], kind="stable")]]]
            numbers = np.arange(len(ends))
            first[ends[::-1]] = numbers[::-1]  # of an end's numbers the smallest is written last
            found = ends[first[ends] == numbers]
            position[found] = np.arange(taken, taken + len(found))
            taken += len(found)
            arcs = arcs[position[self.tails[arcs]] < 0] if len(ready) < len(arcs) else arcs[:0]

    def _place_singly(self, arcs: Array, before: Array, taken: int, position: Array) -> None:
        """The same with a queue, for a chain of arcs of weight 0. `before`: the places of the arcs' heads."""
        order = np.argsort(before, kind="stable")  # -1 is first: heads that have no place yet
        cut = int(np.searchsorted(before[order], 0))
        following: dict[int, list[int]] = {}
        for head, tail in zip(self.heads[arcs[order[:cut]]].tolist(), self.tails[arcs[order[:cut]]].tolist()):
            following.setdefault(head, []).append(tail)
        seen = dict.fromkeys(self.tails[arcs[order[cut:]]].tolist())
        queue = list(seen)
        for vertex in queue:  # it grows
            for tail in following.get(vertex, ()):
                if tail not in seen:
                    seen[tail] = None
                    queue.append(tail)
        position[queue] = np.arange(taken, taken + len(queue))

    def parents(self) -> Array:
        """The parent of each vertex; its own number for sources, -1 for those that are not reached."""
        best = np.full(len(self.values), len(self.values))
        np.minimum.at(best, self.tails, self.position[self.heads])
        found = np.full(len(self.values), -1)
        inner = best < len(self.values)
        found[inner] = self.order[best[inner]]
        found[self.sources] = self.sources
        return found

    def edges(self) -> tuple[Array, Array]:
        """The edges of the tree, parent and child, in order."""
        children = self.order[len(self.sources):]
        return self.parents()[children], children

    def lengths(self) -> dict[Any, Any]:
        """{node: distance} in order; a source has the integer 0, whatever the weights are."""
        found = dict(zip(self.G.named(self.order), self.values[self.order].tolist()))
        found.update((self.G.nodes[v], 0) for v in self.sources)
        return found

    def paths(self, backward: bool = False) -> dict[Any, list[Any]]:
        """{node: path from its source} in order; `backward`: paths that end at the source."""
        nodes, (parents, children) = self.G.nodes, self.edges()
        found = {nodes[v]: [nodes[v]] for v in self.sources}
        for parent, child in zip(self.G.named(parents), self.G.named(children)):
            found[child] = [child, *found[parent]] if backward else [*found[parent], child]
        return found

    def unique(self, vertex: Optional[int] = None) -> "Search":
        """This search, if there is one shortest path only to a vertex, or to each. Else NetworkX's choice depends on
        how it searches, and its own code shall answer."""
        counts = np.bincount(self.tails, minlength=len(self.values))
        counts[self.sources] = 1
        if vertex is None:
            single = bool((counts[self.order] == 1).all())
        else:
            parents, single = self.parents(), True
            while single and parents[vertex] not in (vertex, -1):
                single, vertex = bool(counts[vertex] == 1), int(parents[vertex])
        if not single:
            raise Odd("there are several shortest paths to a node")
        return self

    def path(self, vertex: int) -> list[Any]:
        """The path from its source to a vertex that is reached."""
        parents, found = self.parents(), [vertex]
        while (parent := int(parents[found[-1]])) != found[-1]:
            found.append(parent)
        return [self.G.nodes[v] for v in reversed(found)]

    def predecessors(self) -> dict[Any, list[Any]]:
        """{node: the nodes before it on shortest paths}, in order."""
        by_end = np.lexsort((self.position[self.heads], self.position[self.tails]))
        before = self.G.named(self.heads[by_end])
        cuts = np.searchsorted(self.position[self.tails[by_end]], np.arange(len(self.order) + 1)).tolist()
        return {node: before[cuts[k]:cuts[k + 1]] for k, node in enumerate(self.G.named(self.order))}

    def has_each(self) -> Array:
        """Which vertices are reached."""
        return self._kept

    def has(self, vertex: int) -> bool:
        return bool(self._kept[vertex])
