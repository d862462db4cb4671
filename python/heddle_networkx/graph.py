"""A graph of NetworkX with its graphs in Heddle, made when a function needs them."""
from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional

import numpy as np

from heddle import Graph
from heddle._adjacency import Rows, arcs_of, attributes_of

Array = np.ndarray[Any, Any]


class Odd(Exception):
    """Weights that NetworkX's own code shall deal with."""


def _made_undirected(graph: Any) -> bool:
    """Whether this is a view of a directed graph as an undirected one, whose edges weigh what their arc weighs that
    leaves the node where one looks."""
    while not graph.is_directed() and hasattr(graph, "_graph"):
        graph = graph._graph
        if graph.is_directed():
            return True
    return False


class Arcs(NamedTuple):
    """Arcs in NetworkX's order: nodes in order, and each node's neighbours in the order of its dict."""
    sources: Array
    targets: Array
    parallel: Optional[Array]  # multigraphs: how many edges each arc stands for; else None

    def repeated(self) -> tuple[Array, Array]:
        """An arc for each edge."""
        if self.parallel is None:
            return self.sources, self.targets
        return np.repeat(self.sources, self.parallel), np.repeat(self.targets, self.parallel)


class BackendGraph:
    """NetworkX caches this for a graph. It keeps that graph, so that nothing is lost when NetworkX needs it back."""
    __networkx_backend__ = "heddle"

    def __init__(self, graph: Any) -> None:
        self.nx = graph
        self.graph = graph.graph
        self._nodes: Optional[list[Any]] = None
        self._index: Optional[dict[Any, int]] = None
        self._rows: dict[bool, Rows] = {}
        self._made: dict[Any, Graph] = {}
        self._arcs: dict[bool, Arcs] = {}
        self._weights: dict[tuple[str, bool], Array] = {}
        self._bare: Optional[bool] = None  # no edge has any attribute; None: not known yet

    def __reduce__(self) -> Any:
        """A copy of a graph of NetworkX has no conversion: in its cache stands None, which NetworkX takes for that, and
        which can be read where this package is not installed."""
        cache = getattr(self.nx, "__networkx_cache__", None) or {}
        if any(one is self for one in cache.get("backends", {}).get("heddle", {}).values()):
            return getattr, (0, "", None)  # None by a call of Python's own; not every pickler knows its type
        return BackendGraph, (self.nx,)

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
        return self._nodes

    @property
    def index(self) -> dict[Any, int]:
        """{node: vertex number}"""
        if self._index is None:
            self._index = dict(zip(self.nodes, range(len(self.nodes))))
        return self._index

    def named(self, vertices: Array) -> list[Any]:
        """The nodes of vertices."""
        nodes = self.nodes
        return [nodes[v] for v in vertices.tolist()]

    def vertex(self, node: Any) -> int:
        return self.index[node]

    def vertices(self, nodes: Iterable[Any]) -> list[int]:
        return [self.vertex(node) for node in nodes]

    # ---- arcs and weights as NetworkX has them ----

    def _backward(self, reverse: bool) -> bool:
        return reverse and self.is_directed()

    def rows(self, backward: bool = False) -> Rows:
        if backward not in self._rows:
            self._rows[backward] = Rows(self.nx._pred if backward else self.nx._adj, self.is_multigraph())
        return self._rows[backward]

    def arcs(self, reverse: bool = False) -> Arcs:
        backward = self._backward(reverse)
        if backward not in self._arcs:
            self._arcs[backward] = Arcs(*arcs_of(self.rows(backward), self.nodes, lambda: self.index))
        return self._arcs[backward]

    def named_weight(self, weight: Optional[str]) -> Optional[str]:
        """The name of an attribute; None if no edge has any attribute, so that every edge counts 1."""
        if weight is None or self._bare:
            return None
        if self._bare is None:
            self._bare = self.rows().bare()
        return None if self._bare else weight

    def _read(self, weight: str, backward: bool, chosen: Optional[Array] = None) -> Optional[Array]:
        if self.named_weight(weight) is None:
            return None
        if _made_undirected(self.nx):
            raise Odd("the graph is an undirected view: an edge may have two weights")
        return self._checked(weight, attributes_of(self.rows(backward), weight, 1, chosen))

    def weights(self, weight: str, reverse: bool = False) -> Array:
        """The attribute of all edges, an arc of `arcs().repeated()` each; 1 where an edge lacks it."""
        backward = self._backward(reverse)
        if (weight, backward) not in self._weights:
            found = self._read(weight, backward)
            if found is None:
                return np.ones(len(self.arcs(reverse).repeated()[0]), np.int64)
            self._weights[weight, backward] = found
        return self._weights[weight, backward]

    @staticmethod
    def _checked(weight: str, values: Optional[Array]) -> Array:
        if values is None:
            raise Odd(f"the attribute {weight!r} is not a number on every edge")
        if values.size and (not np.isfinite(values).all() or values.min() < 0):
            raise Odd(f"the attribute {weight!r} is negative or not finite on an edge")
        return values

    def least_weights(self, weight: str, reverse: bool = False) -> Array:
        """The attribute for each arc of `arcs()`: of parallel edges the least."""
        values, parallel = self.weights(weight, reverse), self.arcs(reverse).parallel
        if parallel is None or not values.size:
            return values
        return np.asarray(np.minimum.reduceat(values, np.cumsum(parallel) - parallel))

    # ---- graphs of Heddle ----

    def _build(self, weight: Optional[str], **build: Any) -> Graph:
        sources, targets = self.arcs().repeated()
        weights: Optional[Array] = None
        if self.is_directed():
            weights = None if weight is None else self.weights(weight)
        else:  # each edge once, and Heddle adds the other arc
            once = sources <= targets
            sources, targets = sources[once], targets[once]
            if weight is not None:
                weights = self._read(weight, False, once)
                weights = np.ones(len(sources), np.int64) if weights is None else weights
            build["symmetrize"] = True
        return Graph.from_edges(sources, targets, weights, vertices=len(self.nodes), **build)

    def simple(self, reverse: bool = False) -> Graph:
        """Without weights; parallel edges are one. `reverse`: every arc is reversed."""
        if "simple" not in self._made:
            self._made["simple"] = self._build(None, **({"duplicates": "first"} if self.is_multigraph() else {}))
        return self._reversed("simple") if self._backward(reverse) else self._made["simple"]

    def weighted(self, weight: str, parallel: str = "min", reverse: bool = False) -> Graph:
        """With weights; of parallel edges the weights are joined by "min" or "sum"."""
        key = (weight, parallel if self.is_multigraph() else "")
        if key not in self._made:
            build = {"duplicates": parallel} if self.is_multigraph() else {}
            self._made[key] = self._build(weight, **build)
        return self._reversed(key) if self._backward(reverse) else self._made[key]

    def _reversed(self, key: Any) -> Graph:
        if ("reverse", key) not in self._made:
            self._made["reverse", key] = Graph.from_csr(*self._made[key].in_edges())
        return self._made["reverse", key]


def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> BackendGraph:
    if isinstance(graph, BackendGraph):
        return graph
    if hasattr(graph, "_graph"):  # a view: it does not learn of changes of the graph underneath, so it is not cached
        graph.__networkx_cache__ = None
    return BackendGraph(graph)


def convert_to_nx(obj: Any, *args: Any, **kwargs: Any) -> Any:
    return obj.nx if isinstance(obj, BackendGraph) else obj
