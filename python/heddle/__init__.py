"""Heddle: graph analytics on CPUs and GPUs. NumPy, SciPy, Arrow, NetworkX and files in, NumPy arrays out.

    import heddle
    g = heddle.read("soc-Slashdot0902.txt.gz")
    ranks = g.pagerank()
    ranks.top(10)

The tutorial is docs/python.md.
"""
from __future__ import annotations

import ctypes as _ctypes
import typing as _typing
from typing import Any as _Any

from . import errors
from ._library import build_info, lib as _lib, structs as _structs, table as _table, as_dict as _as_dict
from ._library import version as __version__
from ._session import lent as _lent
from ._algorithms import ALIASES as _ALIASES, TABLE as _TABLE
from ._options import build_options as _build_options
from .errors import (ArgumentError, CancelledError, ClosedError, DeviceError, FileError, HeddleError, InputError, Note,
                     OutOfMemoryError, ProgramError, RefusedError, UnsupportedError, VerificationError, VertexError)
from ._graph import Graph, graph_of as _graph_of, read
from ._result import Result
from ._joined import Table

if _typing.TYPE_CHECKING:  # by this name: pyright knows no other
    from ._methods import generate
else:
    from ._graph import generate

__all__ = ["Graph", "Result", "Table", "read", "generate", "devices", "explain", "algorithms", "generators", "formats",
           "plans", "build_info", "errors", "HeddleError", "ArgumentError", "CancelledError", "ClosedError",
           "DeviceError", "FileError", "InputError", "Note", "OutOfMemoryError", "ProgramError", "RefusedError",
           "UnsupportedError", "VerificationError", "VertexError", "__version__"]


def devices() -> list[dict[str, _Any]]:
    """The devices that were found; for a kind of which there is none, an entry without a name that says why in
    `missing`."""
    kind = _structs["heddle_device_info"]
    count = _ctypes.c_size_t()
    room = 16
    while True:
        found = (kind * room)()
        found[0].size = _ctypes.sizeof(kind)
        with _lent() as call:
            call(_lib.heddle_device_list, found, room, _ctypes.byref(count))
        if count.value <= room:
            return [_as_dict(one) for one in found[:count.value]]
        room = count.value


def explain(graph: Graph, algorithm: str = "bfs", **options: _Any) -> dict[str, _Any]:
    """Explains a run without running it: `Graph.explain`."""
    return graph.explain(algorithm, **options)


def algorithms() -> dict[str, str]:
    """{name: description} of the algorithms, each a method of `Graph`."""
    return {name: algorithm.description for name, algorithm in _TABLE.items()}


def generators() -> dict[str, str]:
    """{kind: description} for `generate`."""
    return {one.kind.decode(): one.description.decode() for one in _table("heddle_generator_at")}


def formats() -> dict[str, str]:
    """{name: description} of the file formats that this build reads and writes."""
    return {one.name.decode(): one.description.decode() for one in _table("heddle_format_at")}


def plans() -> list[str]:
    """The presets that `plan=` takes."""
    return [one.decode() for one in _table("heddle_plan_at")]


def __getattr__(name: str) -> _typing.Callable[..., Result]:
    """The algorithms as functions: `heddle.pagerank(duckdb.sql("FROM follows"))`. They take a graph, a table whose
    first columns are sources and targets, or whatever else a graph is made of, and the options of building with those
    of the method."""
    if name not in _TABLE and name not in _ALIASES:
        raise AttributeError(f"module 'heddle' has no attribute {name!r}")

    def run(graph: _Any, *arguments: _Any, **options: _Any) -> Result:
        build = {one: options.pop(one) for one in _build_options() if one in options}
        result: Result = getattr(_graph_of(graph, **build), name)(*arguments, **options)
        return result
    run.__name__ = run.__qualname__ = name
    run.__doc__ = getattr(Graph, name).__doc__
    return run


def __dir__() -> list[str]:
    return sorted({*globals(), *_TABLE, *_ALIASES})
