"""A graph of NetworkX with its graphs in Heddle, made when a function needs them."""
from __future__ import annotations

from itertools import chain
from typing import Any, Optional

import numpy as np

from heddle import Graph
from heddle._graph import _adjacency, rows_of

Array = np.ndarray[Any, Any]


class Odd(Exception):
    """Weights that NetworkX's own code shall deal with."""


class BackendGraph:
    """What NetworkX caches for a graph. It keeps that graph, so that nothing is lost when NetworkX needs it back."""
    __networkx_backend__ = "heddle"

    def __init__(self, graph: Any) -> None:
        self.nx = graph
        self.graph = graph.graph
        self._nodes: Optional[list[Any]] = None
        self._index: dict[Any, int] = {}
        self._made: dict[Any, Graph] = {}
        self._weights: dict[str, Array] = {}

    def is_directed(self) -> bool:
        return bool(self.nx.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.nx.is_multigraph())

    def __len__(self) -> int:
        return len(self.nx)

    def __contains__(self, node: Any) -> bool:
        return node in self.nx

    def __iter__(self) -> Any:
        return iter(self.nx)

    @property
    def nodes(self) -> list[Any]:
        """The nodes; a node's place is its vertex number."""
        if self._nodes is None:
            self._nodes = list(self.nx)
            self._index = dict(zip(self._nodes, range(len(self._nodes))))
        return self._nodes

    def vertex(self, node: Any) -> int:
        if self._nodes is None:
            self.nodes
        return self._index[node]

    def _build(self, weights: Optional[Array], **build: Any) -> Graph:
        count = len(self.nodes)
        sources, targets = _adjacency(self.nx, self._index, count)
        if not self.is_directed():  # each edge once, and Heddle adds the other arc
            once = sources <= targets
            sources, targets = sources[once], targets[once]
            weights = None if weights is None else weights[once]
            build["symmetrize"] = True
        return Graph.from_edges(sources, targets, weights, vertices=count, **build)

    def simple(self) -> Graph:
        """Without weights; parallel edges are one."""
        if "simple" not in self._made:
            self._made["simple"] = self._build(None, **({"duplicates": "first"} if self.is_multigraph() else {}))
        return self._made["simple"]

    def reverse(self) -> Graph:
        """`simple`, with every arc reversed."""
        if not self.is_directed():
            return self.simple()
        if "reverse" not in self._made:
            offsets, targets, _ = self.simple().in_edges()
            self._made["reverse"] = Graph.from_csr(offsets, targets)
        return self._made["reverse"]

    def weights(self, weight: str) -> Array:
        """The attribute of all arcs, 1 where an edge lacks it."""
        if weight not in self._weights:
            records = chain.from_iterable(row.values() for row in rows_of(self.nx))
            if self.is_multigraph():
                records = chain.from_iterable(keys.values() for keys in records)
            values = np.asarray([record.get(weight, 1) for record in records] or np.empty(0, np.int64))
            if values.dtype.kind not in "biuf" or values.ndim != 1:
                raise Odd(f"the attribute {weight!r} is not a number on every edge")
            if values.size and (not np.isfinite(values).all() or values.min() < 0):
                raise Odd(f"the attribute {weight!r} is negative or not finite on an edge")
            self._weights[weight] = values
        return self._weights[weight]

    def weighted(self, weight: str, parallel: str) -> Graph:
        """With weights; of parallel edges the weights are joined by "min" or "sum"."""
        key = (weight, parallel if self.is_multigraph() else "")
        if key not in self._made:
            build = {"duplicates": parallel} if self.is_multigraph() else {}
            self._made[key] = self._build(self.weights(weight), **build)
        return self._made[key]


def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> BackendGraph:
    return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)


def convert_to_nx(obj: Any, *args: Any, **kwargs: Any) -> Any:
    return obj.nx if isinstance(obj, BackendGraph) else obj
