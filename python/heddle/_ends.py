"""Ends of edges from what users have: arrays, lists of tuples, data frames."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _arrays, _arrow
from ._arrays import Array
from .errors import argument


IF_THERE = _arrow.IF_THERE
#: What is an array, or becomes one by a protocol; of other containers the elements are edges.
_ARRAYS = ("__array__", "__array_interface__", "__dlpack__", "__arrow_c_stream__", "__arrow_c_array__")


def ends_of(given: Any, name: str) -> Any:
    """Ids as an array, or as Arrow's text."""
    if isinstance(given, _arrow.Text):
        return given
    if hasattr(getattr(given, "dtype", None), "categories"):
        return _categories(given, name)
    return _arrays.as_array(given, name)


def _categories(given: Any, name: str) -> Any:
    """A column of pandas' categories: the codes are used as they are."""
    codes = getattr(given, "cat", given).codes
    codes = codes.to_numpy() if hasattr(codes, "to_numpy") else codes
    if len(codes) and int(codes.min()) < 0:
        raise argument(f"{name}: row {int(np.argmin(codes))} has no value")
    values = _arrays.as_array(given.dtype.categories, name)
    return _arrow.Text.of(values.tolist(), name).taken(codes) if _arrays.is_text(values) else values[codes]


def is_text(given: Any) -> bool:
    return isinstance(given, _arrow.Text) or _arrays.is_text(given)


def two_ends(given: Any) -> tuple[Any, Any, Any]:
    """Sources, targets and weights from one object."""
    if hasattr(given, "edge_index"):  # a Data object of PyTorch Geometric
        weights = getattr(given, "edge_weight", None)
        first, second, _ = two_ends(given.edge_index)
        return first, second, weights
    if hasattr(given, "get_edgelist"):
        raise argument("edges: for a graph of igraph, pass G.get_edgelist() and vertices=G.vcount(), with "
                       "weights=G.es['weight'] if it has weights and symmetrize=True if it is undirected")
    if hasattr(given, "_adj"):
        raise argument("edges: Graph.from_networkx takes a graph of NetworkX")
    if not isinstance(given, memoryview) and not any(hasattr(given, name) for name in _ARRAYS):
        return _tuples(given)
    array = _arrays.as_array(given, "edges")
    if array.ndim != 2:
        raise argument(f"edges: an array of shape (2, edges) or (edges, 2) is needed, not {array.shape}")
    tall, flat = array.shape[1] in (2, 3), array.shape[0] == 2
    if tall and flat and isinstance(given, np.ndarray):
        raise argument(f"edges: shape {array.shape} can be read in two ways: pass sources and targets")
    if flat:  # tensors: PyTorch Geometric's layout
        return array[0], array[1], None
    if tall:
        return _whole(array[:, 0]), _whole(array[:, 1]), array[:, 2] if array.shape[1] == 3 else None
    raise argument(f"edges: an array of shape (2, edges) or (edges, 2) is needed, not {array.shape}")


def _whole(column: Array) -> Array:
    """Ids from an array whose weights made all of it floats."""
    if column.dtype.kind != "f":
        return column
    if not np.array_equal(column, np.trunc(column)) or (column.size and float(np.abs(column).max()) > 2.0**53):
        raise argument("edges: ids are not integers")
    return column.astype(np.int64)


def _tuples(given: Any) -> tuple[Any, Any, Any]:
    try:
        edges = list(given)
        lengths = {-1 if isinstance(edge, (str, bytes)) else len(edge) for edge in edges}
    except TypeError:
        lengths = {-1}
    if -1 in lengths:  # also strings, whose characters are no ids
        raise argument("edges: a list of tuples (source, target) or (source, target, weight) is needed")
    if not lengths <= {2} and not lengths <= {3}:
        raise argument("edges: tuples of two or of three are needed, all of the same length")
    columns = list(zip(*edges)) or [(), ()]
    if len(columns) == 3 and isinstance(columns[2][0], dict):
        raise argument("weights: numbers are needed, not dicts of attributes: G.edges(data='weight') has numbers, and "
                       "Graph.from_networkx takes the graph itself")
    weights = _arrays.as_array(columns[2], "weights") if len(columns) == 3 else None
    return _ids(columns[0]), _ids(columns[1]), weights


def _ids(column: tuple[Any, ...]) -> Array:
    return _arrays.as_array(column, "edges") if column else np.empty(0, np.int64)


def text_of(given: Any, name: str) -> _arrow.Text:
    if isinstance(given, _arrow.Text):
        return given
    array = _arrays.vector(given, name)
    if array.size and not _arrays.is_text(array):
        raise argument(f"{name}: ids are strings in the other array, so strings are needed here too")
    return _arrow.Text.of(array.tolist(), name)


def collected(frame: Any) -> Any:
    """The rows of a LazyFrame of polars, which is a query; others as they are."""
    return frame.collect() if type(frame).__name__ == "LazyFrame" else frame


def _labels(frame: Any) -> Optional[list[Any]]:
    """The labels of a table's columns, if it has them."""
    found = getattr(frame, "column_names", None)  # pyarrow's: its `columns` are the arrays
    found = getattr(frame, "columns", None) if found is None else found
    return None if found is None else list(found)


def _place(labels: list[Any], name: Any) -> int:
    """Which column a label means. Where labels are all strings, an integer means a place."""
    if labels.count(name) > 1:
        raise argument(f"several columns are called {name!r}")
    if name in labels:
        return labels.index(name)
    numbers = not all(isinstance(label, str) for label in labels)
    if numbers or not isinstance(name, (int, np.integer)) or not 0 <= name < len(labels):
        raise argument(f"there is no column {name!r}; there are: {', '.join(map(str, labels)) or 'none'}")
    return int(name)


class Streamed:
    """A table that the library reads itself: its stream, and the options that name the columns."""

    def __init__(self, stream: _arrow.Exported, fields: dict[str, Any]) -> None:
        self.stream, self.fields = stream, fields


_ROLES = ("source", "target", "weight")


def table_of(frame: Any, names: list[Any]) -> "Streamed | list[Any]":
    """The ends of a table's rows, and weights if a third column is named: as a stream, or as arrays. A name that is
    None: of a usual name, or by its place."""
    labels = _labels(frame)
    if labels is not None:
        if names[0] is None and names[1] is None:
            return _usual_columns(frame, labels, names)
        return _columns_at(frame, labels, [_place(labels, name) for name in _arrow.present(names, labels)])
    if hasattr(frame, "__arrow_c_stream__"):
        return Streamed(_arrow.Exported(frame), _named(names))
    known = getattr(getattr(frame, "dtype", None), "names", None) or frame  # NumPy's structured arrays, dicts
    names = _arrow.present(names, known if hasattr(known, "__contains__") else ())
    try:
        found = [frame[name] for name in names]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise argument(f"the table has no such column: {error}") from None
    return [_arrays.as_array(column, str(name)) for column, name in zip(found, names)]


def _named(names: list[Any]) -> dict[str, Any]:
    """Columns of a stream, whose names only the library knows."""
    fields: dict[str, Any] = {} if len(names) == 3 else {"weight_column": 0}
    for role, name in zip(_ROLES, names):
        if isinstance(name, (int, np.integer)):
            fields[role + "_column"] = int(name) + 1
        elif name is not None and not isinstance(name, _arrow.Usual):
            fields[role] = str(name)
    return fields


def _usual_columns(frame: Any, labels: list[Any], names: list[Any]) -> "Streamed | list[Any]":
    """The columns that the library takes if none is named."""
    made = _streamed(frame, labels, list(range(len(labels))))
    if made is None:
        return _columns_at(frame, labels, list(range(min(len(labels), len(names)))))
    made.fields = {role: name for role, name in _named(names).items() if role != "weight" or name in labels}
    return made


def _streamed(frame: Any, labels: list[Any], places: list[int]) -> Optional[Streamed]:
    """None: it has no stream of Arrow."""
    if hasattr(frame, "iloc"):  # pandas: the other columns may be such as Arrow does not take
        frame = frame.iloc[:, places]
        titles = [str(labels[k]) for k in places]
        frame = frame.set_axis(titles if len(set(titles)) == len(titles) else range(len(places)), axis=1)
        places = list(range(len(places)))
    if not hasattr(frame, "__arrow_c_stream__"):
        return None
    try:
        stream = _arrow.Exported(frame)
    except ImportError:  # pandas needs pyarrow for it
        return None
    fields = {role + "_column": place + 1 for role, place in zip(_ROLES, places)}
    return Streamed(stream, {"weight_column": 0, **fields})


def _columns_at(frame: Any, labels: list[Any], places: list[int], stream: bool = True) -> "Streamed | list[Any]":
    titles = [str(labels[k]) for k in places]
    made = _streamed(frame, labels, places) if stream else None
    if made is not None:
        return made
    if hasattr(frame, "iloc"):  # pandas without pyarrow
        return [ends_of(frame.iloc[:, k], title) for k, title in zip(places, titles)]
    return [_arrays.as_array(frame[labels[k]], title) for k, title in zip(places, titles)]


def first_columns(frame: Any, stream: bool) -> "Streamed | list[Any]":
    """Sources, targets and weights of a table that has no others; `stream`: as a stream, if it has one."""
    labels = _labels(frame) or []
    if len(labels) not in (2, 3):
        raise argument(f"edges: a table of two or three columns is needed, not of {len(labels)}: from_dataframe takes "
                       "their names")
    return _columns_at(frame, labels, list(range(len(labels))), stream)


def is_frame(given: Any) -> bool:
    return hasattr(given, "columns") and not isinstance(given, np.ndarray)
