"""The contents of a NetworkX graph as arrays: arcs and attributes. Loops over neighbours are C's own, some rows at a
time: what one step has read is in the cache for the next one."""
from __future__ import annotations

from array import array
from itertools import chain, compress, repeat
from operator import itemgetter
from struct import error as StructError, pack
from typing import Any, Callable, Iterable, Iterator, Optional

import numpy as np

from ._arrays import Array
from .errors import argument

_PIECE = 1024  # neighbours that are read at a time


class Rows:
    """The dicts of neighbours, one for each node, and in multigraphs of dicts of parallel edges in them."""

    def __init__(self, adjacency: Any, multi: bool) -> None:
        self.dicts: list[Any] = list(adjacency.values())
        self.multi = multi
        self._plain = False  # multigraphs: dicts of parallel edges are known to be dicts
        if set(map(type, self.dicts)) - {dict}:  # len() of the filters of subgraph views counts hidden neighbours too
            self.dicts = [row if type(row) is dict else dict(row.items()) for row in self.dicts]
        self.degrees = np.fromiter(map(len, self.dicts), np.int64, len(self.dicts))
        self.arcs = int(self.degrees.sum())

    def pieces(self) -> Iterator[list[Any]]:
        """Some rows at a time."""
        step = _PIECE * len(self.dicts) // (self.arcs + 1) + 1
        for first in range(0, len(self.dicts), step):
            yield self.dicts[first:first + step]

    def neighbours(self) -> Iterator[list[Any]]:
        return (list(chain.from_iterable(piece)) for piece in self.pieces())

    def records(self, rows: Optional[list[Any]] = None) -> Iterator[Any]:
        """The attributes of all edges, in the order of the rows. Views of dicts live for a moment each: a list of them
        would make the garbage collector visit the whole graph."""
        records = chain.from_iterable(map(dict.values, self.dicts if rows is None else rows))
        if not self.multi:
            return records
        return chain.from_iterable(map(dict.values, records) if self._plain else (keys.values() for keys in records))

    def bare(self) -> bool:
        """Whether no edge has any attribute."""
        return not any(self.records())

    def parallel(self) -> Optional[Array]:
        """Multigraphs: how many edges each arc stands for."""
        if not self.multi:
            return None
        def groups() -> Iterator[Any]:
            return chain.from_iterable(map(dict.values, self.dicts))
        try:
            found = np.fromiter(map(dict.__len__, groups()), np.int64, self.arcs)
            self._plain = True
            return found
        except TypeError:  # a subgraph view
            return np.fromiter((len(list(keys)) for keys in groups()), np.int64, self.arcs)


def targets_of(rows: Rows, nodes: list[Any], index: Callable[[], dict[Any, int]]) -> Array:
    """The neighbours in all rows, as numbers of nodes. Those of integers NumPy finds: a dict misses the cache several
    times for each. Other objects may become integers without being equal to them, so all nodes have to be ints."""
    names = _integers(nodes)
    if names is not None:
        found = array(names.typecode)
        try:
            for piece in rows.neighbours():
                found.fromlist(piece)
            return _places(_int64(names), _int64(found))
        except (TypeError, OverflowError):  # a neighbour is 1.0, which is the node 1, too
            pass
    numbers, found = index(), array("I")
    for piece in rows.neighbours():
        found.fromlist(list(itemgetter(*piece)(numbers)) if len(piece) > 1 else [numbers[one] for one in piece])
    return _int64(found)


def _integers(nodes: list[Any]) -> Optional["array[int]"]:
    """Nodes that are integers of at most 64 bits. Of the types of arrays the unsigned ones are filled fastest."""
    if set(map(type, nodes)) == {int}:
        for code in "Iq":
            try:
                return array(code, nodes)
            except OverflowError:
                pass
    return None


def _int64(numbers: "array[int]") -> Array:
    return np.asarray(numbers, np.int64)


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


def arcs_of(rows: Rows, nodes: list[Any],
            index: Callable[[], dict[Any, int]]) -> tuple[Array, Array, Optional[Array]]:
    """Sources and targets, as numbers of nodes, of the arcs in these rows; and for a multigraph how many edges each arc
    stands for."""
    return np.repeat(np.arange(len(nodes)), rows.degrees), targets_of(rows, nodes, index), rows.parallel()


def attributes_of(rows: Rows, weight: str, default: Any, chosen: Optional[Array] = None,
                  none: Any = None) -> Optional[Array]:
    """An attribute of all edges, or of those that are chosen, in the order of the rows: `default` where an edge lacks
    it, and `none` where it is None. None if they are not numbers of at most 64 bits with their sign."""
    try:
        return _packed(_values(rows, weight, default, chosen))
    except (TypeError, StructError):  # of several types, too large, or records that are no dicts
        marks = None if chosen is None else iter(chosen.tobytes())
        values = [record.get(weight, default) for record in _kept(rows.records(), marks)]
    return _numbers([none if value is None else value for value in values] if none is not None else values)


def _kept(records: Iterator[Any], marks: Optional[Iterator[int]]) -> Iterator[Any]:
    return records if marks is None else compress(records, marks)


def _values(rows: Rows, weight: str, default: Any, chosen: Optional[Array]) -> Iterator[list[Any]]:
    """The attribute, some edges at a time. By `get`, as NetworkX asks: other ways would add keys to defaultdicts. The
    list of records is worth its while: to make it is to wait for memory, for several records at once."""
    marks = None if chosen is None else iter(chosen.tobytes())
    for piece in rows.pieces():
        records = list(_kept(rows.records(piece), marks))
        yield list(map(dict.get, records, repeat(weight), repeat(default)))


def _packed(pieces: Iterable[list[Any]]) -> Array:
    """An array of floats, or of integers; TypeError if they are neither."""
    kinds: set[type] = set()
    packed = []
    for piece in pieces:
        kinds.update(map(type, piece))
        if kinds == {float}:
            packed.append(pack(f"{len(piece)}d", *piece))
        elif kinds == {int}:
            packed.append(pack(f"{len(piece)}q", *piece))
        elif kinds:
            raise TypeError
    return np.frombuffer(b"".join(packed), float if kinds == {float} else np.int64)


def _numbers(values: list[Any]) -> Optional[Array]:
    """Attributes as an array; None if they are not a number, of at most 64 bits with its sign, on every edge."""
    try:
        made = np.asarray(values)
    except ValueError:  # lists of different lengths
        return None
    if made.ndim != 1 or made.dtype.kind not in "biuf":
        return None
    if made.dtype == np.uint64 and made.size and int(made.max()) >= 2**63:
        return None
    if made.dtype.kind == "f" and made.size and np.abs(made).max() >= 2.0**63:  # NumPy rounds larger integers
        return None if any(isinstance(value, int) and abs(value) >= 2**63 for value in values) else made
    return made


def weights_of(rows: Rows, weight: str, default: float, chosen: Optional[Array]) -> Optional[Array]:
    """The weights of all edges, or of those that are chosen; None if no edge has one."""
    if rows.bare() or not any(record.get(weight) is not None for record in rows.records()):
        return None
    made = attributes_of(rows, weight, default, chosen, none=default)
    if made is None:
        raise argument(f"weight: the attribute {weight!r} is not a number, of at most 64 bits with its sign, on every "
                       "edge")
    return made
