"""Results: NumPy views of the library's memory, and the report of the run."""
from __future__ import annotations

import ctypes
import math
import os
from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy as np

from ._arrays import Array
from ._library import as_dict, constants, copy_value, header, lib, structs
from ._options import whole
from . import _tables
from .errors import argument, make

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]

    from ._graph import Graph

_DTYPES = {"U32": "u4", "U64": "u8", "I32": "i4", "F32": "f4", "F64": "f8", "I64": "i8"}
_NUMPY = {code: np.dtype(code) for code in _DTYPES.values()}
_SIGNED = {np.dtype("u4"): np.dtype("i4"), np.dtype("u8"): np.dtype("i8")}
_VALUE_TYPES = {code: _DTYPES[name] for name, code in header.enums["heddle_value_type"].items()}
_WEIGHT_TYPES = {code: _DTYPES.get(name, "") for name, code in header.enums["heddle_weight_type"].items()}
_DIRECTIONS = {code: name.lower() for name, code in header.enums["heddle_direction"].items()}
_NONE = 2**32 - 1


class _Owner:
    """The C result; freed with the last array over it."""
    __slots__ = ("pointer", "_destroy")

    def __init__(self, pointer: int) -> None:
        self.pointer: Any = ctypes.c_void_p(pointer)
        self._destroy = lib.heddle_result_destroy

    def __del__(self) -> None:
        self._destroy(ctypes.byref(self.pointer))


def view(owner: Any, start: Optional[int], shape: tuple[int, ...], code: str) -> Array:
    """A read-only array over memory that `owner` keeps."""
    if not start or 0 in shape:
        return np.empty(shape, code)
    kind = _NUMPY[code]
    memory: Any = (ctypes.c_byte * (math.prod(shape) * kind.itemsize)).from_address(start)
    memory.owner = owner
    made: Array = np.ndarray(shape, kind, memory)
    made.flags.writeable = False
    return made


def _signed(values: Array, large: bool = False) -> Array:
    """Unsigned values as signed ones of the same memory, in which unreached is -1. `large`: they may be too large for
    that (sums of weights, vertices beyond 2^31); then 32 bits become 64, in a copy, and 64 bits stay unsigned if all
    are reached."""
    kind = _SIGNED.get(values.dtype)
    if kind is None:
        return values
    signed: Array = values.view(kind)
    if not large or not values.size or signed.item(signed.argmin()) >= -1:  # argmin costs less than min on few values
        return signed
    unreached = signed == -1
    if values.dtype.itemsize == 4:
        wide: Array = values.astype(np.int64)
        wide[unreached] = -1
        wide.flags.writeable = False
        return wide
    if unreached.any():
        raise make("E_LIMIT", header.enums["heddle_status"]["E_LIMIT"],
                   "values: some are 2^63 or more and some vertices are unreached, which no array of integers holds; "
                   "use weights of type float64, or save the result")
    return values


def counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def duration(seconds: float) -> str:
    """Seconds in the unit that gives few digits: "2.48 s", "581 ns"."""
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if seconds * scale >= 0.9995:
            break
    return f"{seconds * scale:.3g} {unit}" if seconds < 999.5 else f"{seconds:,.0f} s"


class Report(dict[str, Any]):
    """A dict: what a run did. Notebooks show its figures and the phases and rounds of the run."""

    def _repr_html_(self) -> str:
        from . import _html
        return _html.of_report(self)


class Result:
    """The result of a run: a value per vertex, in the order of the graph's `ids`, and a report.

    `values` is a read-only NumPy array over the library's memory, which it keeps alive. Unreached vertices have -1 in
    arrays of integers and infinity in arrays of floats (sswp: -infinity, with weights of int64 the smallest int64). For
    mst and similar there are `edges` and `weights` instead.
    """

    def __init__(self, graph: "Graph", pointer: int, notes: list[str]) -> None:
        """For the package's own use."""
        self.graph = graph
        self._owner = _Owner(pointer)
        self._notes = list(notes)
        self._values: Optional[Array] = None
        self._report: Optional[Report] = None

    @property
    def values(self) -> Array:
        """A value per vertex; with `each` a row for each source. Components: the vertex number of the smallest vertex
        in the component. Walks: a row of vertex numbers for each walk, -1 behind its end."""
        if self._values is None:
            found = lib.heddle_result_values(self._owner.pointer).contents
            shape = (found.columns, found.count) if found.columns > 1 or self._each else (found.count,)
            values = view(self._owner, found.data, shape, _VALUE_TYPES[found.type])
            values = values.reshape(found.columns, found.count).T if found.walks else values
            self._values = values if found.plain else _signed(values, self.graph.weight_code != 0 or self._many)
        return self._values

    @property
    def _many(self) -> bool:
        """Whether vertex numbers exceed 31 bits."""
        return self.graph.vertices >= 2**31

    @property
    def labels(self) -> bool:
        """Whether values are vertex numbers: components."""
        return bool(lib.heddle_result_values(self._owner.pointer).contents.labels)

    @property
    def parents(self) -> Optional[Array]:
        """Vertex numbers of parents, -1 for none; None if they were not requested."""
        start = lib.heddle_result_parents(self._owner.pointer)
        if not start:
            return None
        return _signed(view(self._owner, start, (self.graph.vertices,), "u4"), self._many)

    @property
    def edges(self) -> Array:
        """mst: vertex numbers of the ends, an array of shape (edges, 2), smaller first, sorted. similar: those of the
        pairs; a source comes first."""
        forest = lib.heddle_result_forest(self._owner.pointer).contents
        return _signed(view(self._owner, forest.ends, (forest.edges, 2), "u4"), self._many)

    @property
    def weights(self) -> Optional[Array]:
        """mst: the weights of `edges`; None: all 1. similar: how similar the pairs are."""
        forest = lib.heddle_result_forest(self._owner.pointer).contents
        if not forest.weights:
            return None
        return view(self._owner, forest.weights, (forest.edges,), _WEIGHT_TYPES[forest.weight_type])

    @property
    def converged(self) -> bool:
        """Whether the run ended by itself, not at `max_iterations`."""
        return bool(lib.heddle_result_report(self._owner.pointer).contents.converged)

    @property
    def report(self) -> Report:
        """Facts about the run: device, schedule, seconds of its phases, summary, rounds, notes. None: not known, as
        `error_bound`, or not measured, as `verified`, `inaccuracy` and `worst_error` of a run without `verify`; with
        it `verified` is None where a residual was proven (`residual_verified`) but no bound of the error."""
        if self._report is None:
            self._report = self._read_report()
        return self._report

    def _read_report(self) -> Report:
        record = lib.heddle_result_report(self._owner.pointer).contents
        made = Report((name, value) for name, value in as_dict(record).items()
                      if name not in ("figures", "figure_count"))
        made["converged"] = bool(record.converged)
        made["verified"] = None if record.verified < 0 else bool(record.verified)
        made["approximate"] = bool(record.approximate)
        for name in ("error_bound", "inaccuracy", "worst_error", "residual_verified", "relative_error"):
            made[name] = None if made[name] < 0 else made[name]
        made["source"] = None if record.source == _NONE else self.graph.id_of(record.source)
        made["graph"] = {"vertices": self.graph.vertices, "edges": self.graph.edges}
        made["summary"] = {copy_value(record.figures[k].name): self._figure(k) for k in range(record.figure_count)}
        made["notes"] = self._notes
        made["rounds"] = self._rounds()
        return made

    def _figure(self, index: int) -> Any:
        text = lib.heddle_result_figure_text(self._owner.pointer, index).decode()
        try:
            return int(text)
        except ValueError:
            return float(text)

    def _rounds(self) -> list[dict[str, Any]]:
        count, kind = lib.heddle_result_round_count(self._owner.pointer), structs["heddle_round"]
        records = (kind * count)()
        count = lib.heddle_result_rounds(self._owner.pointer, records, ctypes.sizeof(kind), count)
        rounds = []
        for record in records[:count]:
            one = {name: None if value == constants["HEDDLE_NOT_KNOWN"] else value
                   for name, value in as_dict(record).items()}
            one["direction"] = _DIRECTIONS[record.direction]
            rounds.append(one)
        return rounds

    def __len__(self) -> int:
        return int(lib.heddle_result_values(self._owner.pointer).contents.count)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array:
        other = dtype is not None and np.dtype(dtype) != self.values.dtype
        if other and copy is False:
            raise ValueError(f"values are {self.values.dtype}: they cannot be had as {np.dtype(dtype)} without a copy")
        return np.array(self.values, dtype=dtype) if copy or other else self.values

    def __reduce__(self) -> Any:
        """Copies and pickles have values, report and ids, and no graph."""
        from ._stored import StoredResult, state_of
        return StoredResult, (state_of(self),)

    def __getitem__(self, vertex: Any) -> Any:
        """The value of the vertex that has this id; with `each` an array, a value for each source."""
        value = self._per_vertex("result[id]")[..., self.graph.vertex_of(vertex)]
        if value.ndim:
            return value
        return self.graph.id_of(int(value)) if self.labels else value.item()

    def _per_vertex(self, what: str) -> Array:
        """The values, if vertices have some."""
        if self._walks or self._forest():
            raise argument(f"{what}: a value per vertex is needed; this result has "
                           f"{'walks: see `values`' if self._walks else 'edges: see `edges` and `weights`'}")
        return self.values

    @property
    def _walks(self) -> bool:
        return bool(lib.heddle_result_values(self._owner.pointer).contents.walks)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def top(self, count: int = 10) -> list[tuple[Any, Any]]:
        """The vertices of the largest values, as (id, value), largest first, ties by vertex. Components and
        communities: the largest of them, as (label, number of vertices). Unreached vertices and infinite values are
        left out."""
        values = self._per_vertex("top")
        if values.ndim != 1:
            raise argument("top: a value per vertex is needed, not one for each source")
        if whole(count, "count") < 0:
            raise argument(f"count: a number that is not negative is needed, not {count}")
        if self.labels:
            labels, values = np.unique(values, return_counts=True)
            chosen = np.argsort(-values, kind="stable")[:int(count)]
            return list(zip(self.graph.ids_of(labels[chosen].tolist()), values[chosen].tolist()))
        chosen = self._largest(values, int(count))
        return list(zip(self.graph.ids_of(chosen.tolist()), values[chosen].tolist()))

    def _largest(self, values: Array, count: int) -> Array:
        """The vertices of the largest values, in their order. Only those that are shown are sorted."""
        kept = np.flatnonzero(self._finite())
        if 0 < count < len(kept):
            found = values[kept]
            least = np.partition(found, len(kept) - count)[len(kept) - count]
            above = np.flatnonzero(found > least)
            equal = np.flatnonzero(found == least)[:count - len(above)]
            kept = kept[np.sort(np.concatenate([above, equal]))]
        # ascending from the end is descending; reversed before, ties stay in the order of vertices
        order = kept[::-1][np.argsort(values[kept[::-1]], kind="stable")][::-1]
        return np.asarray(order[:count])

    def _finite(self) -> Array:
        """Which values are neither "unreached" nor infinite."""
        found, values = lib.heddle_result_values(self._owner.pointer).contents, self.values
        code = _VALUE_TYPES[found.type]
        kept: Array = np.ones(len(values), bool)
        if code[0] == "f":
            kept = np.isfinite(values)
        elif code == "i8":
            kept = (values != np.iinfo(np.int64).min) & (values != np.iinfo(np.int64).max)
        elif not found.plain and values.dtype.kind == "i" and code[0] == "u":
            kept = values != -1
        return kept

    def path(self, vertex: Any) -> list[Any]:
        """The ids on the path from a source to a vertex; empty if it was not reached. Needs `parents=True`."""
        parents = self.parents
        if parents is None:
            raise argument("path: the run was without parents: use parents=True")
        at = self.graph.vertex_of(vertex)
        sources = self._sources
        found = [at]
        while at not in sources:
            at = int(parents[at])
            if at < 0 or at == _NONE:
                return []
            found.append(at)
        return self.graph.ids_of(found[::-1])

    _sources: frozenset[int] = frozenset()
    _each = False  # a row for each source, also for one

    def _default_source(self) -> frozenset[int]:
        source = lib.heddle_result_report(self._owner.pointer).contents.source
        return frozenset() if source == _NONE else frozenset((source,))

    def to_dict(self) -> dict[Any, Any]:
        """{id: value}; components: {id: id}; with `each` {id: [a value for each source]}."""
        ids, values = self.graph.ids_list(), self._per_vertex("to_dict").T.tolist()
        return dict(zip(ids, [ids[value] for value in values] if self.labels else values))

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with columns id, value, and parent (its id); with `each` id and a column for each source; mst
        and similar: source, target, weight; walks: the ids that a walk comes to, None behind its end."""
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]
        ids = self.graph.ids
        if self._forest():
            ends = self.edges
            weights = np.ones(len(ends), np.int64) if self.weights is None else self.weights
            return pd.DataFrame({"source": ids[ends[:, 0]], "target": ids[ends[:, 1]], "weight": weights})
        if self._walks:
            walks = self.values
            return pd.DataFrame(ids[np.maximum(walks, 0)], dtype=object).where(walks >= 0, None)
        columns: dict[Any, Any] = {"id": ids}
        if self.values.ndim == 2:
            columns.update({k: row for k, row in enumerate(self.values)})
        else:
            columns["value"] = ids[self.values] if self.labels else self.values
        parents = self.parents
        if parents is not None:
            named = pd.Series(ids[np.maximum(parents, 0)], dtype=object)
            columns["parent"] = named.where(pd.Series(parents) >= 0, None)
        return pd.DataFrame(columns)

    def _forest(self) -> bool:
        """Whether there are edges instead of values, or would be if there were any."""
        forest = lib.heddle_result_forest(self._owner.pointer).contents
        return not len(self) and (bool(forest.ends) or self.graph.vertices > 0)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows of `save` as a stream of Arrow, for DuckDB, polars, pandas and pyarrow: id and a column named after
        what the values are; whole numbers are int64, unreached vertices have no value."""
        if self.graph._nodes is not None:
            import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
            table = pyarrow.Table.from_pandas(self.to_pandas(), preserve_index=False)
            return table.__arrow_c_stream__(requested_schema)
        return self.graph._result_stream(self._owner.pointer)

    def to_arrow(self) -> Any:
        """A table of pyarrow with the rows of `save`."""
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        return pyarrow.table(self)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the result in the format of the suffix: .tsv, .csv, .npy, .json, also compressed; .parquet, .arrow and
        .feather, by pyarrow. Nodes of NetworkX that are integers or strings are written as ids; others are refused."""
        if _tables.is_table(path):
            _tables.write(self, path)
        elif self.graph._nodes is not None:
            from . import _names
            _names.save(self, path)
        else:
            self.graph._save_result(self._owner.pointer, path)

    def __repr__(self) -> str:
        record = lib.heddle_result_report(self._owner.pointer).contents
        count = (counted(len(self.edges), "edge", "edges") if self._forest() else
                 counted(len(self), "walk", "walks") if self._walks else counted(len(self), "vertex", "vertices"))
        rounds = counted(record.iterations, "round", "rounds")
        where = record.device.decode()
        return f"<heddle.Result {record.algorithm.decode()}: {count}, {rounds}, {duration(record.compute)} on {where}>"

    def _repr_html_(self) -> str:
        from . import _html
        return _html.of_result(self)
