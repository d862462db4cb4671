"""The functions that NetworkX calls: conversion, `can_run`, `should_run`, and the functions.

A call that does not fit is answered by NetworkX's own code on the graph it was given, so that its result or error
is NetworkX's: arguments that are faults there too (the wrong kind of graph, no nodes, a node that is not there) and odd
weights. Of options that Heddle lacks `can_run` says so. `completed` counts the calls that Heddle answered.
"""
from __future__ import annotations

import collections
import inspect
import itertools
from typing import Any, Callable, Optional

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

import heddle

from . import functions
from .checks import CHECKS, FAULTS, Arguments, keeps_adjacency
from .costs import refusal
from .graph import BackendGraph, Odd, convert_from_nx, convert_to_nx
from .info import FUNCTIONS

#: Calls that Heddle answered, by function.
completed: "collections.Counter[str]" = collections.Counter()


#: Functions that networkx itself does not have, but a submodule has.
_INNER = {"color": nx.bipartite, "sets": nx.bipartite, "is_bipartite_node_set": nx.bipartite,
          "bridge_components": nx.connectivity.edge_kcomponents,
          **dict.fromkeys(("inter_community_edges", "intra_community_edges"), nx.community.quality),
          **dict.fromkeys(("asyn_lpa_communities", "fast_label_propagation_communities", "leiden_communities",
                           "louvain_communities", "modularity", "partition_quality"), nx.community)}


def _original_of(name: str) -> Any:
    return getattr(_INNER.get(name, nx), name, None)


class _Parameters:
    """Those of a function of NetworkX: `bind` does what inspect.Signature.bind does, in a tenth of the time."""

    def __init__(self, function: Any) -> None:
        every = inspect.signature(function).parameters.values()
        self.names = {one.name: None for one in every}  # in order
        self.positional = [one.name for one in every if one.kind is one.POSITIONAL_OR_KEYWORD]
        self.defaults = {one.name: one.default for one in every if one.default is not one.empty}

    def bind(self, args: Any, kwargs: Any) -> Optional[Arguments]:
        """The arguments by name; None if they do not fit."""
        given = {**self.defaults, **dict(zip(self.positional, args)), **kwargs}
        if given.keys() != self.names.keys() or len(args) > len(self.positional):
            return None  # one is missing, or not known
        if kwargs and any(name in kwargs for name in self.positional[:len(args)]):
            return None  # one is given twice
        return given


def _bound(name: str, args: Any, kwargs: Any) -> Optional[Arguments]:
    return _SIGNATURES[name].bind(args, kwargs)


def _refusal(name: str, given: Optional[Arguments], faults: bool = True) -> Optional[str]:
    if given is None:
        return "the arguments are not those of the function"
    G = convert_to_nx(given["G"])
    if not keeps_adjacency(type(G)):
        return "the graph's class is not one of NetworkX, or has an adjacency of its own"
    for option, default in _UNKNOWN[name]:
        if given[option] is not default:
            return f"{option} is not known here"
    for check in CHECKS[name]:
        reason = check(G, given) if faults or check not in FAULTS else None
        if reason is not None:
            return reason
    return None


def can_run(name: str, args: Any, kwargs: Any) -> "bool | str":
    if name not in _SIGNATURES:
        return False
    return _refusal(name, _bound(name, args, kwargs), faults=False) or True


def should_run(name: str, args: Any, kwargs: Any) -> "bool | str":
    given = _bound(name, args, kwargs)
    if given is None or not keeps_adjacency(type(convert_to_nx(given["G"]))):
        return False
    G = given["G"]
    kept = (getattr(G, "__networkx_cache__", None) or {}).get("backends", {}).get("heddle") or {}
    cached = isinstance(G, BackendGraph) or any(one is not None for one in kept.values())
    return refusal(name, convert_to_nx(G), given, cached) or True


# ---- the functions ----

#: What NetworkX's own code may deal with: odd weights, and distances too large for 64 bits.
_LEFT = (Odd, heddle.RefusedError, heddle.OutOfMemoryError)


def _is_left(error: Exception) -> bool:
    """Whether it does: not if memory does not suffice."""
    return not isinstance(error, heddle.OutOfMemoryError) or error.status == "HEDDLE_E_LIMIT"


def _wrapped(name: str) -> Callable[..., Any]:
    own = getattr(functions, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        def original() -> Any:
            return _original_of(name).orig_func(*[convert_to_nx(one) for one in args],
                                               **{key: convert_to_nx(one) for key, one in kwargs.items()})

        given = _bound(name, args, kwargs)
        if given is None or _refusal(name, given) is not None:
            return original()
        try:
            result = own(**{option: given[option] for option in _KNOWN[name] if option in given})
            if inspect.isgenerator(result):
                result = _begun(result, original)
        except _LEFT as error:
            if _is_left(error):
                return original()
            raise MemoryError(str(error)) from error
        completed[name] += 1
        return result

    call.__name__ = call.__qualname__ = name
    call.__doc__ = own.__doc__
    return call


def _begun(generator: Any, original: Callable[[], Any]) -> Any:
    """A generator whose first item is computed, so that what it finds odd is found now; errors come with the item.
    NetworkX's code goes on where a later item is odd."""
    first, failed = [], None
    try:
        first = list(_take(generator))
    except _LEFT:
        raise
    except Exception as error:
        failed = error

    def rest() -> Any:
        if failed is not None:
            raise failed
        count = 0
        try:
            for item in itertools.chain(first, generator):
                yield item
                count += 1
        except _LEFT as error:
            if not _is_left(error):
                raise MemoryError(str(error)) from error
            yield from itertools.islice(original(), count, None)
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
_SIGNATURES: dict[str, _Parameters] = {}
_UNKNOWN: dict[str, list[tuple[str, Any]]] = {}  # options of later versions of NetworkX, which have defaults
_KNOWN = {name: set(inspect.signature(getattr(functions, name)).parameters) for name in FUNCTIONS}
# First and last release of NetworkX in which a function is what it is here: one returned an iterator before, one began
# with the sources in their order, one warns later that it is deprecated.
_RELEASES = {"single_target_shortest_path_length": ((3, 5), ()), "bfs_layers": ((3, 5), ()),
             "bfs_predecessors": ((3, 4), (3, 6))}
_version = tuple(int(part) for part in nx.__version__.split(".")[:2])
for _name in FUNCTIONS:
    _original = _original_of(_name)
    _first, _last = _RELEASES.get(_name, ((3, 4), ()))
    if hasattr(_original, "orig_func") and _first <= _version and (not _last or _version <= _last):
        _SIGNATURES[_name] = _known = _Parameters(_original.orig_func)
        _UNKNOWN[_name] = [(one, _known.defaults.get(one)) for one in _known.names if one not in _KNOWN[_name]]
        setattr(Backend, _name, staticmethod(_wrapped(_name)))

backend = Backend()
