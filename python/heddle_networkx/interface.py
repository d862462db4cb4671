"""What NetworkX calls: conversion, `can_run`, `should_run`, and the functions.

A call that does not fit is answered by NetworkX's own code on the graph it was given, so that its result or error
is NetworkX's: arguments that are faults there too (the wrong kind of graph, no nodes, a node that is not there) and odd
weights. Of options that Heddle lacks `can_run` says so. `completed` counts the calls that Heddle answered.
"""
from __future__ import annotations

import collections
import inspect
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
    if not keeps_adjacency(type(G)):
        return "the graph's class is not one of NetworkX, or has an adjacency of its own"
    own = _KNOWN[name]
    for option, parameter in _SIGNATURES[name].parameters.items():  # of later versions of NetworkX
        if option not in own and given[option] is not parameter.default:
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
    if given is None:
        return False
    G = given["G"]
    cached = isinstance(G, BackendGraph) or bool(
        (getattr(G, "__networkx_cache__", None) or {}).get("backends", {}).get("heddle"))
    return refusal(name, convert_to_nx(G), cached) or True


# ---- the functions ----

#: What NetworkX's own code deals with: odd weights, and distances too large for 64 bits.
_LEFT = (Odd, heddle.RefusedError)


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
            except _LEFT:
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
    except _LEFT:
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
# First and last release of NetworkX in which a function is what it is here: one returned an iterator before, one began
# with the sources in their order, one warns later that it is deprecated.
_RELEASES = {"single_target_shortest_path_length": ((3, 5), ()), "bfs_layers": ((3, 5), ()),
             "bfs_predecessors": ((3, 4), (3, 6))}
_version = tuple(int(part) for part in nx.__version__.split(".")[:2])
for _name in FUNCTIONS:
    _original: Any = getattr(nx, _name, None)
    _first, _last = _RELEASES.get(_name, ((3, 4), ()))
    if hasattr(_original, "orig_func") and _first <= _version and (not _last or _version <= _last):
        _SIGNATURES[_name] = inspect.signature(_original.orig_func)
        setattr(Backend, _name, staticmethod(_wrapped(_name)))

backend = Backend()
