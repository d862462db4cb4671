"""Tables of several results: an id and a value of each in every row."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrow, _tables
from ._algorithms import find
from ._arrays import Array
from ._library import lib
from ._options import Filler
from ._result import Result
from ._session import lent
from .errors import argument

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]

    from ._graph import Graph


class Table:
    """A row for each vertex of a graph: its id, and a column for each of several results.

    pandas, polars, DuckDB and pyarrow take it as it is; whole numbers are int64, unreached vertices have no value.
    """

    def __init__(self, graph: "Graph", columns: tuple[Any, ...], named: dict[str, Any]) -> None:
        given = [(None, one) for one in columns] + list(named.items())
        if not given:
            raise argument("table: at least one algorithm or result is needed")
        self.graph = graph
        self.results = [_result_of(graph, one) for _, one in given]
        held = [_column(one) for one in self.results]
        open_ = [name for name, (own, _) in zip(held, given) if own is None]
        self._names = [own or (name if open_.count(name) == 1 else one.report["algorithm"])
                       for name, (own, _), one in zip(held, given, self.results)]

    @property
    def columns(self) -> list[str]:
        """The names of the columns behind "id"."""
        return list(self._names)

    def __len__(self) -> int:
        return self.graph.vertices

    def __getitem__(self, column: str) -> Array:
        """The values of a column, in the order of the graph's `ids`; labels of groups are ids."""
        if column not in self._names:
            raise argument(f"there is no column {column!r}; there are: {', '.join(self._names)}")
        return self._values(self.results[self._names.index(column)])

    def _values(self, result: Result) -> Array:
        return np.asarray(self.graph.ids[result.values] if result.labels else result.values)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with the columns id and `columns`; unreached vertices have -1 or inf, as in `Result.values`."""
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]
        return pd.DataFrame({"id": self.graph.ids, **{name: self[name] for name in self._names}})

    def to_arrow(self) -> Any:
        """A table of pyarrow."""
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as a stream of Arrow."""
        if self.graph._nodes is not None:
            import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
            table = pyarrow.Table.from_pandas(self.to_pandas(), preserve_index=False)
            return table.__arrow_c_stream__(requested_schema)
        stream = _arrow.new_stream()
        self._call(lib.heddle_table_to_arrow, ctypes.addressof(stream))
        return _arrow.in_capsule(stream)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the table in the format of the suffix: .tsv, .csv, .npy (a structured array) and .json, also
        compressed; .parquet, .arrow and .feather, by pyarrow."""
        if _tables.is_table(path):
            _tables.write(self, path)
        elif self.graph._nodes is not None:
            raise argument("save: a table with nodes of NetworkX is written as .parquet or .arrow, or by to_pandas()")
        else:
            self._call(lib.heddle_table_save, Filler().path(path))

    def _call(self, function: Any, last: Any) -> None:
        count, handle = len(self.results), self.graph._open
        results = (ctypes.c_void_p * count)(*(one._owner.pointer.value for one in self.results))
        names = (ctypes.c_char_p * count)(*(name.encode("utf-8", "surrogateescape") for name in self._names))
        with lent() as call:
            call(function, handle.pointer, ctypes.addressof(results), ctypes.addressof(names), count, last)

    def __repr__(self) -> str:
        return f"<heddle.Table: {len(self)} rows, id, {', '.join(self._names)}>"


def _result_of(graph: "Graph", given: Any) -> Result:
    """A result of the graph; the name of an algorithm is run."""
    if isinstance(given, str):
        made: Result = getattr(graph, find(given).name)()
        return made
    if not isinstance(given, Result):
        raise argument(f"table: results and names of algorithms are needed, not {given!r}")
    if given.graph is not graph:
        raise argument("table: the results are of different graphs")
    return given


def _column(result: Result) -> str:
    """The name of its values: "pagerank"."""
    text = ctypes.create_string_buffer(64)
    lib.heddle_result_column_text(result._owner.pointer, text, len(text))
    return text.value.decode()
