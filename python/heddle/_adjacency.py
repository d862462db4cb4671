"""What a graph of NetworkX holds, as arrays: arcs and attributes. Loops over all neighbours are C's own."""
from __future__ import annotations

from array import array
from itertools import chain, compress, islice
from typing import Any, Optional

import numpy as np

from ._arrays import Array
from .errors import argument


def rows_of(adjacency: Any) -> list[Any]:
    """The dicts of neighbours. Those of subgraph views are filters, whose len() counts what is filtered out too."""
    return [row if type(row) is dict else dict(row.items()) for row in adjacency.values()]


def _integers(values: Any) -> Array:
    """An array of Python's integers: by pieces that stay in the cache, in half the time of NumPy's fromiter."""
    made, rest = array("q"), iter(values)
    while piece := list(islice(rest, 8192)):
        made.fromlist(piece)
    return np.frombuffer(made, np.int64)


def _numbers(rows: list[Any], nodes: list[Any], index: dict[Any, int]) -> Array:
    """The neighbours in all rows, as numbers of nodes. Those of integers NumPy finds: `index` misses the cache several
    times for each. Other objects may become integers without being equal to them, so all nodes have to be ints."""
    if set(map(type, nodes)) == {int}:
        try:
            names, found = _integers(nodes), _integers(chain.from_iterable(rows))
        except (TypeError, OverflowError):  # 64 bits do not suffice; or a neighbour is 1.0, which is the node 1, too
            pass
        else:
            return _places(names, found)
    return _integers(map(index.__getitem__, chain.from_iterable(rows)))


def _places(names: Array, found: Array) -> Array:
    """Where each integer of `found` stands in `names`, all of which are different."""
    places, least = np.arange(len(names)), int(names.min())
    if np.array_equal(names, places):
        return found
    span = int(names.max()) - least + 1
    if span <= 4 * (len(names) + len(found)):
        table = np.empty(span, np.int64)
        table[names - least] = places
        return np.asarray(table[found - least])
    order = np.argsort(names)
    return np.asarray(order[np.searchsorted(names, found, sorter=order)])


def arcs_of(rows: list[Any], nodes: list[Any], index: dict[Any, int],
            multi: bool) -> tuple[Array, Array, Optional[Array]]:
    """Sources and targets, as numbers of nodes, of the arcs that a graph of NetworkX has in these rows; and for a
    multigraph how many edges each arc stands for."""
    degrees = np.fromiter(map(len, rows), np.int64, len(rows))
    targets = _numbers(rows, nodes, index)
    parallel = None
    if multi:
        groups = chain.from_iterable(map(dict.values, rows))
        parallel = np.fromiter((len(keys) if type(keys) is dict else len(list(keys)) for keys in groups), np.int64,
                               len(targets))
    return np.repeat(np.arange(len(rows)), degrees), targets, parallel


def records_of(rows: list[Any], multi: bool) -> Any:
    """The attributes of all edges, in the order of `arcs_of`. Views of dicts live for a moment each: a list of them
    would make the garbage collector visit the whole graph."""
    records = chain.from_iterable(map(dict.values, rows))
    return chain.from_iterable(keys.values() for keys in records) if multi else records


def attributes_of(rows: list[Any], multi: bool, weight: str, default: Any,
                  chosen: Optional[Array] = None) -> Optional[list[Any]]:
    """An attribute of all edges, or of those that are chosen, in the order of `arcs_of`; None if no edge has any
    attribute. By `get`, as NetworkX asks: other ways would add keys to defaultdicts."""
    def records() -> Any:
        every = records_of(rows, multi)
        return every if chosen is None else compress(every, chosen.tobytes())

    return [record.get(weight, default) for record in records()] if any(records()) else None


def numbers_from(values: list[Any]) -> Optional[Array]:
    """Attributes as an array; None if they are not a number, of at most 64 bits, on every edge."""
    try:
        made = np.asarray(values)
    except ValueError:  # lists of different lengths
        return None
    if made.ndim != 1 or made.dtype.kind not in "biuf":
        return None
    if made.dtype.kind == "f" and made.size and np.abs(made).max() >= 2.0**63:  # NumPy rounds larger integers
        return None if any(isinstance(value, int) and abs(value) >= 2**63 for value in values) else made
    return made


def weights_of(rows: list[Any], multi: bool, weight: str, default: float, chosen: Optional[Array]) -> Optional[Array]:
    """The weights of all edges, or of those that are chosen; None if no edge has one."""
    values = attributes_of(rows, multi, weight, None, chosen)
    missing = 0 if values is None else values.count(None)
    if values is None or missing == len(values):
        return None
    if missing:
        values = [default if value is None else value for value in values]
    made = numbers_from(values)
    if made is None:
        raise argument(f"weight: the attribute {weight!r} is not a number, of at most 64 bits, on every edge")
    return made
