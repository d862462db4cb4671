"""What NetworkX calls: conversion, `can_run`, `should_run`, and the functions.

A call that does not fit is answered by NetworkX's own code on the graph it was given, so that its result or error
is NetworkX's: arguments that are faults there too (the wrong kind of graph, no nodes, a node that is not there) and odd
weights. Of options that Heddle lacks `can_run` says so. `completed` counts the calls that Heddle answered.
"""
from __future__ import annotations

import collections
import inspect
import random
from typing import Any, Callable, Optional

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

import heddle

from . import functions
from .graph import BackendGraph, Odd, convert_from_nx, convert_to_nx
from .info import FUNCTIONS

#: Calls that Heddle answered, by function.
completed: "collections.Counter[str]" = collections.Counter()

Arguments = dict[str, Any]
Check = Callable[[Any, Arguments], Optional[str]]  # why Heddle does not take the call; None: it does


# ---- which calls fit ----

_faults: set[Check] = set()


def _fault(check: Check) -> Check:
    """A check of what is a fault, or trivial, in NetworkX too: its code answers, and `can_run` does not mind."""
    _faults.add(check)
    return check


@_fault
def _directed(G: Any, _: Arguments) -> Optional[str]:
    return None if G.is_directed() else "it is for directed graphs"


@_fault
def _undirected(G: Any, _: Arguments) -> Optional[str]:
    return "it is for undirected graphs" if G.is_directed() else None


@_fault
def _not_null(G: Any, _: Arguments) -> Optional[str]:
    return None if len(G) else "the graph has no nodes"


@_fault
def _several(G: Any, _: Arguments) -> Optional[str]:
    return None if len(G) > 1 else "the graph has fewer than two nodes"


def _simple(G: Any, _: Arguments) -> Optional[str]:
    return "the graph is a multigraph" if G.is_multigraph() else None


@_fault
def _no_loops(G: Any, _: Arguments) -> Optional[str]:
    return "the graph has self loops" if any(node in row for node, row in G.adj.items()) else None


def _is(**values: Any) -> Check:
    """Arguments that have to have these values."""
    def check(_: Any, given: Arguments) -> Optional[str]:
        for name, value in values.items():
            if given.get(name, value) is not value and given.get(name) != value:
                return f"{name} is not {value!r}"
        return None
    return check


def _node(*names: str) -> Check:
    """Arguments that are nodes of the graph."""
    def check(G: Any, given: Arguments) -> Optional[str]:
        for name in names:
            try:
                if given[name] not in G:
                    return f"{name} is not in the graph"
            except TypeError:
                return f"{name} is not hashable"
        return None
    return _fault(check)


def _nodes(name: str) -> Check:
    """An argument that is a set of nodes of the graph, or None."""
    def check(G: Any, given: Arguments) -> Optional[str]:
        nodes = given[name]
        if nodes is None:
            return None
        if not isinstance(nodes, (set, frozenset, list, tuple, dict)):
            try:
                return None if nodes in G else f"{name} is not a container"
            except TypeError:
                return f"{name} is an iterator"
        try:
            if isinstance(nodes, (tuple, frozenset)) and nodes in G:
                return None
            return None if nodes and all(node in G for node in nodes) else f"{name} has others than nodes of the graph"
        except TypeError:
            return f"{name} is not hashable"
    return check


def _number(name: str) -> Check:
    def check(_: Any, given: Arguments) -> Optional[str]:
        fine = given[name] is None or isinstance(given[name], (int, float))
        return None if fine else f"{name} is not a number"
    return check


def _named(_: Any, given: Arguments) -> Optional[str]:
    return None if isinstance(given["weight"], str) else "weight is not the name of an attribute"


def _attributes(G: Any, given: Arguments) -> Optional[str]:
    """Weights that Kruskal compares: numbers. Edges that a partition includes or excludes are NetworkX's own."""
    for *_, record in G.edges(data=True):
        value = record.get(given["weight"], 1)
        if not isinstance(value, (int, float)) or "partition" in record:
            return "an edge has no number as its weight, or a partition"
    return None


def _rank(G: Any, given: Arguments) -> Optional[str]:
    personal, weight = given["personalization"], given["weight"]
    if not 0 <= given["alpha"] < 1 or not given["max_iter"] >= 1 or not given["tol"] > 0:
        return "alpha, max_iter or tol is out of range"
    if personal is not None:
        values = list(personal.values()) if hasattr(personal, "values") else [None]
        if not all(isinstance(one, (int, float)) and 0 <= one < float("inf") for one in values) or not sum(
                personal.get(node, 0) for node in G):
            return "personalization is not a dict of numbers that are not negative, and not all zero"
    if weight is not None and not isinstance(weight, str):
        return "weight is not the name of an attribute"
    if weight is not None:
        for *_, record in G.edges(data=True):
            value = record.get(weight, 1)
            if not isinstance(value, (int, float)) or not 0 < value < float("inf"):
                return "a weight is not a positive number"
    return None


def _sample(G: Any, given: Arguments) -> Optional[str]:
    k = given["k"]
    if k is None:
        return None
    fits = isinstance(k, int) and 0 < k <= len(G)
    seed = given["seed"]
    return None if fits and (seed is None or isinstance(seed, (int, random.Random))) else "k or seed is odd"


def _one_end(G: Any, given: Arguments) -> Optional[str]:
    source, target, weight = given["source"], given["target"], given["weight"]
    if source is None and target is None:
        return "neither a source nor a target is given"
    if weight is not None and not isinstance(weight, str):
        return "weight is not the name of an attribute"
    if given["method"] not in ("dijkstra", "bellman-ford"):
        return "there is no such method"
    return next(filter(None, (_node(name)(G, given) for name in ("source", "target") if given[name] is not None)), None)


@_fault
def _connected(G: Any, _: Arguments) -> Optional[str]:
    whole = nx.is_strongly_connected if G.is_directed() else nx.is_connected
    return None if whole.orig_func(G) else "the graph is not connected"


_FAR = (_not_null, _is(e=None, weight=None, usebounds=False))
_TREE = (_undirected, _is(algorithm="kruskal"), _attributes)
_CHECKS: dict[str, tuple[Check, ...]] = {
    "connected_components": (_undirected, _not_null), "number_connected_components": (_undirected, _not_null),
    "is_connected": (_undirected, _not_null), "node_connected_component": (_undirected, _node("n")),
    "weakly_connected_components": (_directed, _not_null),
    "number_weakly_connected_components": (_directed, _not_null), "is_weakly_connected": (_directed, _not_null),
    "strongly_connected_components": (_directed, _not_null),
    "number_strongly_connected_components": (_directed, _not_null), "is_strongly_connected": (_directed, _not_null),
    "kosaraju_strongly_connected_components": (_directed, _not_null, _is(source=None)),
    "condensation": (_directed, _not_null, _is(scc=None)),
    "has_path": (_node("source", "target"),), "descendants": (_node("source"),), "ancestors": (_node("source"),),
    "descendants_at_distance": (_node("source"), _number("distance")),
    "single_source_shortest_path_length": (_node("source"), _number("cutoff")),
    "single_target_shortest_path_length": (_node("target"), _number("cutoff")),
    "all_pairs_shortest_path_length": (_not_null, _number("cutoff")),
    "shortest_path_length": (_one_end,),
    "average_shortest_path_length": (_several, _is(weight=None, method=None), _connected),
    "eccentricity": (_not_null, _is(sp=None, weight=None), _nodes("v")),
    "diameter": _FAR, "radius": _FAR, "center": _FAR, "periphery": _FAR,
    "closeness_centrality": (_not_null, _is(distance=None), _nodes("u")),
    "harmonic_centrality": (_not_null, _is(distance=None, sources=None), _nodes("nbunch")),
    "betweenness_centrality": (_not_null, _is(weight=None, endpoints=False), _sample),
    "single_source_dijkstra_path_length": (_node("source"), _named, _number("cutoff")),
    "multi_source_dijkstra_path_length": (_nodes("sources"), _named, _number("cutoff")),
    "dijkstra_path_length": (_node("source", "target"), _named),
    "all_pairs_dijkstra_path_length": (_not_null, _named, _number("cutoff")),
    "single_source_bellman_ford_path_length": (_node("source"), _named),
    "bellman_ford_path_length": (_node("source", "target"), _named),
    "all_pairs_bellman_ford_path_length": (_not_null, _named),
    "minimum_spanning_edges": _TREE, "maximum_spanning_edges": _TREE,
    "minimum_spanning_tree": _TREE, "maximum_spanning_tree": _TREE,
    "pagerank": (_not_null, _is(nstart=None, dangling=None), _rank),
    "core_number": (_undirected, _simple, _not_null, _no_loops),
    "triangles": (_undirected, _not_null, _simple, _nodes("nodes")),
    "transitivity": (_undirected, _not_null, _simple),
    "clustering": (_undirected, _not_null, _simple, _is(weight=None), _nodes("nodes")),
    "average_clustering": (_undirected, _not_null, _simple, _is(weight=None, nodes=None, count_zeros=True)),
}

# ---- which calls are worth it ----

# Estimates, not measurements: NetworkX's time for a call in passes over the edges in its own Python code (0: a pass for
# each node), of a call of Heddle in edges, and of converting a graph in such passes.
_PASSES = {name: 1 for name in FUNCTIONS}
_PASSES.update(dict.fromkeys(["strongly_connected_components", "number_strongly_connected_components", "condensation",
                              "is_strongly_connected", "kosaraju_strongly_connected_components"], 6))
_PASSES.update(dict.fromkeys([name for name in FUNCTIONS if "dijkstra" in name or "bellman" in name], 6))
_PASSES.update(dict.fromkeys([name for name in FUNCTIONS if "spanning" in name], 1))
_PASSES.update(dict.fromkeys(["pagerank", "core_number", "triangles", "transitivity", "clustering",
                              "average_clustering"], 10))
_PASSES.update(dict.fromkeys([name for name in FUNCTIONS if name.startswith("all_pairs")] + [
    "average_shortest_path_length", "eccentricity", "diameter", "radius", "center", "periphery",
    "closeness_centrality", "harmonic_centrality", "betweenness_centrality"], 0))
_CALL = 2000
_CONVERSION = 2


def _bound(name: str, args: Any, kwargs: Any) -> Optional[Arguments]:
    try:
        bound = _SIGNATURES[name].bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return bound.arguments


def _refusal(name: str, given: Optional[Arguments], faults: bool = True) -> Optional[str]:
    if given is None:
        return "the arguments are not those of the function"
    G = convert_to_nx(given["G"])
    if not isinstance(G, nx.Graph):
        return "the graph is not one of NetworkX"
    own = _KNOWN[name]
    for option, parameter in _SIGNATURES[name].parameters.items():  # of later versions of NetworkX
        if option not in own and given[option] is not parameter.default:
            return f"{option} is not known here"
    for check in _CHECKS[name]:
        reason = check(G, given) if faults or check not in _faults else None
        if reason is not None:
            return reason
    return None


def can_run(name: str, args: Any, kwargs: Any) -> "bool | str":
    if name not in _SIGNATURES:
        return False
    return _refusal(name, _bound(name, args, kwargs), faults=False) or True


def should_run(name: str, args: Any, kwargs: Any) -> "bool | str":
    given = _bound(name, args, kwargs)
    if given is None:
        return False
    G = given["G"]
    cached = isinstance(G, BackendGraph) or bool(
        getattr(G, "__networkx_cache__", {}).get("backends", {}).get("heddle"))
    graph = convert_to_nx(G)
    size = graph.number_of_nodes() + graph.number_of_edges()
    passes = _PASSES[name] or len(graph)
    theirs, ours = passes * size, _CALL + (0 if cached else _CONVERSION * size)
    if ours < theirs:
        return True
    return (f"{name} visits about {theirs} edges and nodes in NetworkX; "
            f"{'a call' if cached else 'converting the graph and a call'} take as long as {ours}")


# ---- the functions ----

def _wrapped(name: str) -> Callable[..., Any]:
    own = getattr(functions, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        given = _bound(name, args, kwargs)
        if given is not None and _refusal(name, given) is None:
            try:
                result = own(**{option: given[option] for option in _KNOWN[name] if option in given})
                if inspect.isgenerator(result):
                    result = _begun(result)
                completed[name] += 1
                return result
            except Odd:
                pass
            except heddle.OutOfMemoryError as error:
                raise MemoryError(str(error)) from error
        original = getattr(nx, name).orig_func
        return original(*[convert_to_nx(one) for one in args],
                        **{key: convert_to_nx(one) for key, one in kwargs.items()})

    call.__name__ = call.__qualname__ = name
    call.__doc__ = own.__doc__
    return call


def _begun(generator: Any) -> Any:
    """A generator whose first item is computed, so that what it finds odd is found now; errors come with the item."""
    first, failed = [], None
    try:
        first = list(_take(generator))
    except Odd:
        raise
    except Exception as error:
        failed = error

    def rest() -> Any:
        if failed is not None:
            raise failed
        yield from first
        yield from generator
    return rest()


def _take(generator: Any) -> Any:
    for item in generator:
        yield item
        return


class Backend:
    """For the entry point networkx.backends."""
    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)
    can_run = staticmethod(can_run)
    should_run = staticmethod(should_run)


# Functions that this version of NetworkX has; signatures are its own.
_SIGNATURES: dict[str, inspect.Signature] = {}
_KNOWN = {name: set(inspect.signature(getattr(functions, name)).parameters) for name in FUNCTIONS}
_SINCE = {"single_target_shortest_path_length": (3, 5)}  # returned an iterator before
_version = tuple(int(part) for part in nx.__version__.split(".")[:2])
for _name in FUNCTIONS:
    _original: Any = getattr(nx, _name, None)
    if hasattr(_original, "orig_func") and _version >= _SINCE.get(_name, (3, 4)):
        _SIGNATURES[_name] = inspect.signature(_original.orig_func)
        setattr(Backend, _name, staticmethod(_wrapped(_name)))

backend = Backend()
