"""Graphs: from arrays, matrices, tables, NetworkX and files; and what can be asked of them."""
from __future__ import annotations

import ctypes
import inspect
import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _arrays, _arrow, _tables, errors
from ._adjacency import Rows, arcs_of, weights_of
from ._arrays import Array, address
from ._library import answer, as_dict, constants, header, lib, options, table
from ._options import Filler, refuse_unknown, whole
from ._session import Progress, lent, progress_of
from ._algorithms import Algorithms
from ._ends import IF_THERE, Streamed, collected, ends_of, first_columns, is_frame, is_text, table_of, text_of, two_ends
from ._result import counted, view
from ._rows import check_rows, laid_out, narrow, only_unsorted, row_numbers, sorted_rows
from .errors import HeddleError, argument

if TYPE_CHECKING:
    from typing import Unpack

    import networkx  # type: ignore[import-untyped, unused-ignore]
    import scipy.sparse  # type: ignore[import-untyped, unused-ignore]

    from ._joined import Table
    from ._methods import EdgeOptions, LoadOptions, MakeOptions, SaveOptions, SubgraphOptions

Path = Union[str, "os.PathLike[str]"]
_TEXT = header.enums["heddle_id_type"]["STRING"]
_UNSIGNED = header.enums["heddle_id_type"]["U64"]
_WEIGHTS = header.enums["heddle_weight_type"]
_WEIGHT_CODES = {"U32": "u4", "I32": "i4", "F32": "f4", "I64": "i8", "F64": "f8"}
#: Graphs of at most this many vertices and edges are used on the caller's thread: every call on them is over at once.
TINY = 4096
#: Ids that are looked up one by one in the library, before a table of all is made for the rest.
FEW = 64


class _Handle:
    """The C graph and the arrays that it borrows; freed with the last user of it."""
    __slots__ = ("pointer", "borrowed", "_destroy")

    def __init__(self) -> None:
        self.pointer: Any = ctypes.c_void_p()
        self.borrowed: Optional[_arrays.Borrowed] = None
        self._destroy = lib.heddle_graph_destroy

    def destroy(self) -> None:
        self._destroy(ctypes.byref(self.pointer))

    def __del__(self) -> None:
        self.destroy()
        if self.borrowed is not None:
            self.borrowed.release()


def _make(threads: Optional[int], direct: bool, progress: Any, function: Any, *arguments: Any) -> _Handle:
    """The graph that a call makes. It has an owner before the call: an exception that comes when the call has succeeded
    (of a signal, or of the progress callback) frees it."""
    callback, close = progress_of(progress)
    handle = _Handle()
    try:
        try:
            with lent(threads, direct, callback) as call:
                call(function, *arguments, ctypes.byref(handle.pointer))
        finally:
            close()
    except BaseException:  # its traceback would keep the handle
        handle.destroy()
        raise
    assert handle.pointer.value
    return handle


class _Call:
    """Arguments of all calls that make a graph: threads, progress, build options."""

    def __init__(self, what: str, given: Any, size: int = TINY + 1) -> None:
        self.build = options("heddle_build_options")
        self.filler = Filler()
        self.progress = given.pop("progress", None)
        self.threads = given.pop("threads", None)
        names = [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved")]
        own = {name: given.pop(name) for name in names if name in given}
        refuse_unknown(what, given, lambda name: False, names)
        self.filler.fill(self.build, "heddle_build_options", own.items())
        self.direct = size <= TINY

    def make(self, function: Any, *arguments: Any) -> _Handle:
        return _make(self.threads, self.direct, self.progress, function, *arguments)


class Graph(Algorithms):
    """A directed graph; an undirected one has both arcs of every edge. It does not change.

    Make one by `from_csr`, `from_scipy`, `from_edges`, `from_dataframe`, `from_networkx`, `heddle.read` or
    `heddle.generate`. Algorithms are methods: `g.bfs(0)`, `g.pagerank()`; each returns a `Result`. Vertices are named
    by the ids of the input (`ids`), results are in the order of `ids`.
    """

    def __init__(self, handle: _Handle, *, numbered: bool = False) -> None:
        """For the package's own use."""
        pointer = handle.pointer
        self._handle: Optional[_Handle] = handle
        #: Number of vertices, and of edges: stored arcs, two for each edge of an undirected graph.
        self.vertices: int = lib.heddle_graph_vertices(pointer)
        self.edges: int = lib.heddle_graph_edges(pointer)
        self.weight_code: int = lib.heddle_graph_weight_type(pointer)
        self.tiny = self.vertices + self.edges <= TINY
        self._nodes: Optional[list[Any]] = None  # Python objects in place of the graph's own ids
        self._index: Optional[dict[Any, int]] = None
        self._sought = 0  # ids that were looked up without it
        self._counted: Optional[bool] = True if numbered else None  # see _numbered; None: not known yet
        self._ids: Optional[Array] = None
        self._results: weakref.WeakSet[Any] = weakref.WeakSet()  # they ask for ids

    # ---- making ----

    @classmethod
    def from_csr(cls, indptr: Any, indices: Any, weights: Any = None, *, undirected: bool = False, copy: bool = False,
                 **build: Unpack[MakeOptions]) -> "Graph":
        """A graph over compressed sparse rows: row v is indices[indptr[v]:indptr[v + 1]].

        Arrays of the library's own layout (indptr of 32 or 64 bits, indices of 32 bits, ascending in each row) are not
        copied: the graph uses them, and they are read-only until it is closed or gone; `copy=True` copies. Rows that
        do not ascend, 64-bit indices, and build options (symmetrize, drop_loops, duplicates …) mean a copy.
        `undirected=True` says that every arc has its reverse; this is checked, before build options apply.
        """
        offsets = _arrays.whole(indptr, "indptr")
        targets = _arrays.whole(indices, "indices")
        edges = len(targets)
        if len(offsets) == 0:
            raise argument("indptr: at least one element is needed")
        values, kind = _arrays.weights(weights, "weights", edges)
        vertices = len(offsets) - 1
        if build and any(build.get(name) for name in header.fields["heddle_build_options"]):
            check_rows(offsets, edges)
            if undirected:
                shared: Any = {name: build[name] for name in ("threads", "progress") if name in build}
                cls.from_csr(offsets, targets, values, undirected=True, **shared).close()  # checks it
            return cls._from_numbers(row_numbers(offsets), targets, values, vertices, undirected, build)
        given: Any = dict(build)
        call = _Call("from_csr", build, vertices + edges)
        offsets = laid_out(offsets, copy)
        columns = narrow(targets, vertices, copy)
        if copy and values is not None:
            values = values.copy()
        made = options("heddle_csr_options")
        made.undirected = 1 if undirected else 0
        borrowed = _arrays.Borrowed([offsets, columns, values])
        try:
            handle = call.make(lib.heddle_graph_from_csr, vertices, edges, address(offsets),
                               8 * offsets.dtype.itemsize, address(columns), address(values), _WEIGHTS[kind],
                               ctypes.byref(made))
        except BaseException as error:
            borrowed.release()
            if isinstance(error, errors.ArgumentError) and only_unsorted(offsets, columns, values, vertices):
                return cls.from_csr(offsets, *sorted_rows(offsets, columns, values, undirected), undirected=undirected,
                                    copy=copy, **given)
            raise
        handle.borrowed = borrowed
        return cls(handle, numbered=True)

    @classmethod
    def from_scipy(cls, matrix: "scipy.sparse.sparray | scipy.sparse.spmatrix", *, weighted: bool = True,
                   undirected: bool = False, copy: bool = False, **build: Unpack[MakeOptions]) -> "Graph":
        """A graph from a square sparse matrix or array of SciPy: an entry (i, j) is an edge from i to j.

        CSR matrices are borrowed as in `from_csr`; others are converted by SciPy. Entries are the weights, unless
        `weighted` is False or they are booleans.
        """
        shape = getattr(matrix, "shape", None)
        if shape is None or not hasattr(matrix, "tocsr"):
            raise argument(f"a sparse matrix of SciPy is needed, not {type(matrix).__name__}")
        if len(shape) != 2 or shape[0] != shape[1]:
            raise argument(f"a square matrix is needed, not one of shape {shape}")
        given: Any = matrix
        rows = given.tocsr()
        weights = rows.data if weighted and rows.data.dtype.kind != "b" else None
        count = int(rows.indptr[-1])  # arrays may have room behind the last entry
        indices, values = _front(rows.indices, count), None if weights is None else _front(weights, count)
        made = cls.from_csr(rows.indptr, indices, values, undirected=undirected, copy=copy, **build)
        if made._open.borrowed is not None:
            made._open.borrowed.include([rows.indptr, rows.indices, rows.data])
        return made

    @classmethod
    def from_edges(cls, sources: Any, targets: Any = None, weights: Any = None, *, vertices: Optional[int] = None,
                   **build: Unpack[MakeOptions]) -> "Graph":
        """A graph from edges: two arrays of ids, integers or strings; or one array.

        One array has shape (2, edges), as PyTorch Geometric's `edge_index` (its Data object does too, with its
        `edge_weight` and `num_nodes`), or a row (source, target[, weight]) for each edge, as a list of tuples or a
        data frame. With `vertices` ids are 0 .. vertices - 1; else the vertices are the ids that occur, in ascending
        order (strings: in order of occurrence). Build options: symmetrize, drop_loops, drop_isolated, duplicates
        ("keep", "first", "min", "max", "sum", "mean"; with symmetrize also of opposite edges), memory_limit, spill;
        also threads, progress.
        """
        if vertices is None and targets is None and hasattr(sources, "edge_index"):
            vertices = getattr(sources, "num_nodes", None)
        count = _vertex_count(vertices)
        sources = collected(sources)
        if targets is None and is_frame(sources):
            table = first_columns(sources, weights is None)
            if isinstance(table, Streamed):
                return cls._from_stream(table, count, None, build)
            sources, targets, *found = table
            weights = found[0] if found and weights is None else weights
        elif targets is None:
            sources, targets, found = two_ends(sources)
            weights = found if weights is None else weights
        if all(_arrow.is_column(one) for one in (sources, targets, sources if weights is None else weights)):
            return cls._from_columns(sources, targets, weights, count, build)
        first, second = ends_of(sources, "sources"), ends_of(targets, "targets")
        if is_text(first) or is_text(second):
            if count:
                raise argument("vertices: ids are strings here, and the vertices are those that occur: leave it out")
            return cls._from_text(first, second, weights, build)
        first, second = _arrays.ids_of_edges(first, second)
        build_graph = lib.heddle_graph_from_edges32 if first.dtype == np.uint32 else lib.heddle_graph_from_edges
        values, kind = _arrays.weights(weights, "weights", len(first))
        call = _Call("from_edges", build, len(first) + count)
        handle = call.make(build_graph, count, len(first), address(first), address(second), address(values),
                           _WEIGHTS[kind], ctypes.byref(call.build))
        return cls(handle, numbered=count > 0 and not call.build.drop_isolated)

    @classmethod
    def _from_text(cls, sources: Any, targets: Any, weights: Any, build: Any) -> "Graph":
        first, second = text_of(sources, "sources"), text_of(targets, "targets")
        if len(first) != len(second):
            raise argument(f"targets: {len(first)} elements are needed, not {len(second)}")
        values, kind = _arrays.weights(weights, "weights", len(first))
        call = _Call("from_edges", build, len(first))
        ends = options("heddle_strings"), options("heddle_strings")
        for text, struct in zip((first, second), ends):
            text.fill(struct)
        handle = call.make(lib.heddle_graph_from_strings, len(first), ctypes.byref(ends[0]), ctypes.byref(ends[1]),
                           address(values), _WEIGHTS[kind], ctypes.byref(call.build))
        return cls(handle)

    @classmethod
    def _from_stream(cls, table: Streamed, vertices: int, nulls: Optional[str], build: Any, **streams: int) -> "Graph":
        """From a stream of Arrow; `streams` are the addresses of further ones."""
        call = _Call("from_dataframe", build)
        made = options("heddle_arrow_options")
        call.filler.fill(made, "heddle_arrow_options", [*table.fields.items(), ("nulls", nulls or "refuse")])
        made.vertices, made.build = vertices, call.build
        for name, start in streams.items():
            setattr(made, name, start)
        handle = call.make(lib.heddle_graph_from_arrow, table.stream.address, ctypes.byref(made))
        return cls(handle, numbered=vertices > 0 and not call.build.drop_isolated)

    @classmethod
    def _from_columns(cls, sources: Any, targets: Any, weights: Any, vertices: int, build: Any) -> "Graph":
        """From columns of Arrow."""
        given = {"targets": targets} if weights is None else {"targets": targets, "weights": weights}
        others = {name: _arrow.Exported(one) for name, one in given.items()}
        table = Streamed(_arrow.Exported(sources), {})
        return cls._from_stream(table, vertices, None, build, **{name: one.address for name, one in others.items()})

    @classmethod
    def from_dataframe(cls, frame: Any, source: Any = "source", target: Any = "target", weight: Any = IF_THERE, *,
                       nulls: Optional[str] = None, **build: Unpack[EdgeOptions]) -> "Graph":
        """A graph from columns of a table: pandas, polars (also a LazyFrame, which is collected), pyarrow, a relation
        of DuckDB, or anything with `__arrow_c_stream__`, whose batches the library reads without a copy. Columns are
        given by their labels; in a table whose labels are all strings, an integer is a column's place, from 0. Weights
        are the column "weight" if there is one, or the one that `weight` names; None: there are none. With source and
        target None they are found as in a file: columns of usual names ("src", "from" …), else the first two. Ids are
        integers or strings. Rows without a value are refused; nulls="drop" leaves them out of tables of Arrow. Build
        options as in `from_edges`."""
        given: Any = build
        table = table_of(collected(frame), [source, target] + ([] if weight is None else [weight]))
        if isinstance(table, Streamed):
            return cls._from_stream(table, _vertex_count(given.pop("vertices", None)), nulls, given)
        return cls.from_edges(*table, **build)

    @classmethod
    def from_networkx(cls, graph: "networkx.Graph", weight: Optional[str] = "weight", *, default: float = 1,
                      **build: Unpack[MakeOptions]) -> "Graph":
        """A graph from one of NetworkX; `ids` are its nodes, in its order. Weights are the edges' attribute `weight`,
        `default` where an edge lacks it; without weights if no edge has it or `weight` is None."""
        known: Any = graph
        if not hasattr(known, "_adj"):
            raise argument(f"a graph of NetworkX is needed, not {type(graph).__name__}")
        if callable(weight):
            raise argument("weight: the name of an attribute is needed, not a function: set its values as an attribute "
                           "of the edges first")
        nodes, multi = list(graph), graph.is_multigraph()
        rows = Rows(known._adj, multi)
        sources, targets, parallel = arcs_of(rows, nodes, lambda: _numbered(nodes))
        if parallel is not None:
            sources, targets = np.repeat(sources, parallel), np.repeat(targets, parallel)
        undirected, once = not graph.is_directed(), None
        if undirected and not multi:  # each edge once, and Heddle adds the other arc
            once = sources <= targets
            sources, targets = sources[once], targets[once]
        values = None if weight is None else weights_of(rows, weight, default, once)
        made = cls._from_numbers(sources, targets, values, len(nodes), undirected, build)
        if not made._numbered:  # drop_isolated: the graph's own ids are the numbers of the nodes that are left
            nodes = [nodes[k] for k in made._own_ids().tolist()]
        made._nodes = nodes
        return made

    @classmethod
    def _from_numbers(cls, sources: Array, targets: Array, values: Any, vertices: int, undirected: bool,
                      build: Any) -> "Graph":
        if undirected:  # each edge once, and Heddle adds the other arc: `duplicates` combines edges, not their arcs
            once = sources <= targets
            sources, targets, values = sources[once], targets[once], None if values is None else values[once]
            build = dict(build, symmetrize=True)
        return cls.from_edges(sources, targets, values, vertices=vertices, **build)

    # ---- ids ----

    @property
    def _open(self) -> _Handle:
        """The handle, which a call has to hold while it uses the pointer: another thread may close the graph."""
        handle = self._handle
        if handle is None:
            error = errors.ClosedError("the graph is closed")
            error.message = str(error)
            raise error
        return handle

    @property
    def ids(self) -> Array:
        """The ids of the vertices, in the order of results: integers, strings, or NetworkX's nodes. Read-only."""
        if self._ids is None:
            self._ids = self._read_ids()
        return self._ids

    @property
    def _numbered(self) -> bool:
        """Whether the library's own ids are 0 .. vertices - 1: then nothing has to be looked up."""
        return self._counted if self._counted is not None else self._count(self._open)

    def _count(self, handle: _Handle) -> bool:
        """Finds out whether they are. Integers ascend and are all different: the first and the last are enough."""
        if self._counted is None:
            text = lib.heddle_graph_id_type(handle.pointer) == _TEXT
            self._counted = not text and all(self._find(handle, b"%d" % v) == v for v in (0, self.vertices - 1))
        return self._counted

    def _find(self, handle: _Handle, text: bytes) -> Optional[int]:
        """The vertex that has an id, in the library's index."""
        found = ctypes.c_uint32()
        try:
            with lent(direct=self.tiny) as call:
                call(lib.heddle_graph_find, handle.pointer, text, ctypes.byref(found))
        except errors.VertexError:
            return None
        return found.value

    def _keep_ids(self, handle: _Handle) -> None:
        """Reads the ids, which results need after the graph is closed."""
        if self._ids is None and self._nodes is None and not self._count(handle):
            self._ids = self._read_ids(handle)

    def _read_ids(self, handle: Optional[_Handle] = None) -> Array:
        if self._nodes is None:
            made = self._own_ids(handle)
        else:
            made = np.empty(len(self._nodes), dtype=object)
            made[:] = self._nodes
        made.flags.writeable = False
        return made

    def _own_ids(self, handle: Optional[_Handle] = None) -> Array:
        """The ids that the library has, which for NetworkX's nodes are numbers."""
        if self._counted:
            return np.arange(self.vertices)
        handle = handle or self._open
        if self._count(handle):
            return np.arange(self.vertices)
        with lent(direct=self.tiny) as call:
            if lib.heddle_graph_id_type(handle.pointer) != _TEXT:
                numbers = np.empty(self.vertices, np.int64)
                call(lib.heddle_graph_ids, handle.pointer, address(numbers))
                unsigned = lib.heddle_graph_id_type(handle.pointer) == _UNSIGNED
                return numbers.view(np.uint64) if unsigned else numbers
            offsets = np.zeros(self.vertices + 1, np.uint64)
            call(lib.heddle_graph_labels, handle.pointer, address(offsets), None, 0)
            text = np.empty(int(offsets[-1]), np.uint8)
            call(lib.heddle_graph_labels, handle.pointer, address(offsets), address(text), len(text))
        content, places = text.tobytes(), offsets.tolist()
        made = np.empty(self.vertices, dtype=object)
        made[:] = [content[a:b].decode("utf-8", "surrogateescape") for a, b in zip(places, places[1:])]
        return made

    def ids_list(self) -> list[Any]:
        return list(self._nodes) if self._nodes is not None else self.ids.tolist()

    def id_of(self, vertex: int) -> Any:
        """The id of a vertex number."""
        if not 0 <= vertex < self.vertices:
            raise IndexError(f"there is no vertex number {vertex}: there are {self.vertices}")
        if self._nodes is not None:
            return self._nodes[vertex]
        if self._numbered:
            return vertex
        handle = self._handle
        if self._ids is None and not self.tiny and handle is not None:
            return self._id_of(handle, int(vertex))
        found = self.ids[vertex]
        return found.item() if isinstance(found, np.generic) else found

    def _id_of(self, handle: _Handle, vertex: int) -> Any:
        """One id, without reading all."""
        kind = lib.heddle_graph_id_type(handle.pointer)
        if kind == _TEXT:
            room = lib.heddle_graph_id_text(handle.pointer, vertex, None, 0) + 1
            text = ctypes.create_string_buffer(room)
            lib.heddle_graph_id_text(handle.pointer, vertex, text, room)
            return text.value.decode("utf-8", "surrogateescape")
        found = int(lib.heddle_graph_id(handle.pointer, vertex))
        return found % 2**64 if kind == _UNSIGNED else found

    def ids_of(self, vertices: Sequence[int]) -> list[Any]:
        """The ids of vertex numbers."""
        if len(vertices) * FEW < self.vertices:
            return [self.id_of(vertex) for vertex in vertices]
        for vertex in (min(vertices), max(vertices)) if len(vertices) else ():
            self.id_of(vertex)  # refuses it: Python would count from the end, or say nothing of vertices
        ids = self.ids_list()
        return [ids[vertex] for vertex in vertices]

    @property
    def _numbers(self) -> dict[Any, int]:
        """{id: vertex number}"""
        if self._index is None:
            self._index = _numbered(self.ids_list())
        return self._index

    def vertex_of(self, vertex: Any) -> int:
        """The number of the vertex that has this id: its index in `ids` and in results."""
        if self._nodes is None and self._numbered:
            try:
                number = int(vertex.__index__())
            except (AttributeError, TypeError):  # the latter: an array of several
                raise argument(f"an id is an integer here, not {vertex!r}") from None
            found = number if 0 <= number < self.vertices else None
        else:
            found = self._seek(vertex)
        if found is None:
            raise _no_vertex(vertex)
        return found

    def _seek(self, vertex: Any) -> Optional[int]:
        """The first few ids are asked of the library: a table of all takes long to make."""
        handle = self._handle
        if self._index is None and self._nodes is None and self._sought < FEW and handle is not None and not self.tiny:
            self._sought += 1
            if lib.heddle_graph_id_type(handle.pointer) == _TEXT:
                text = _arrow.encoded(vertex)
                return None if text is None else self._find(handle, text)
            if hasattr(vertex, "__index__"):
                return self._find(handle, b"%d" % vertex.__index__())
            if isinstance(vertex, (str, bytes)):
                return None
        try:
            return self._numbers.get(vertex)
        except TypeError:
            raise argument(f"an id is hashable, and {vertex!r} is not") from None

    def numbers_of(self, vertices: Any) -> list[int]:
        """Vertex numbers of one id or several. A tuple is one id if nodes are NetworkX's and one of them is it."""
        if type(vertices) is int or isinstance(vertices, (str, bytes)):
            return [self.vertex_of(vertices)]
        if isinstance(vertices, tuple) and self._nodes is not None and vertices in self._numbers:
            return [self._numbers[vertices]]
        if not hasattr(vertices, "__iter__") or getattr(vertices, "ndim", 1) == 0:
            return [self.vertex_of(vertices)]
        given: Any = vertices
        if getattr(given, "ndim", 1) != 1:
            raise argument(f"sources: one id, or a list of ids, is needed, not an array of shape {given.shape}")
        many = given.tolist() if hasattr(given, "tolist") else list(given)
        found = self._all_of(many) if len(many) > FEW else None
        return [self.vertex_of(one) for one in many] if found is None else found

    def _all_of(self, ids: list[Any]) -> Optional[list[int]]:
        """The vertex numbers of many ids at once; None: one of them is no vertex's, or of another type."""
        if self._nodes is None and self._numbered:
            numbers = np.asarray(ids) if all(type(one) is int for one in ids) else np.empty(0)
            inside = numbers.dtype == np.int64 and 0 <= numbers.min() and numbers.max() < self.vertices
            return ids if inside else None
        try:
            found = list(map(self._numbers.get, ids))
        except TypeError:
            return None
        return None if None in found else found  # type: ignore[return-value]

    def in_order(self, given: Any, name: str) -> Any:
        """Values for vertices, in the order of `ids`: of a dict or a pandas Series, whose labels are ids, with 0 for
        vertices that it lacks; other arrays as they are."""
        if not _labelled(given):
            return given
        labels = list(given) if isinstance(given, Mapping) else given.index.tolist()
        try:
            places = [self.vertex_of(label) for label in labels]
        except (errors.ArgumentError, TypeError) as error:
            raise argument(f"{name}: the labels of a {type(given).__name__} are ids of vertices, and one is not: "
                           f"{error}. Values in the order of `ids` are an array: `.to_numpy()` of a Series") from None
        if len(set(places)) < len(places):
            raise argument(f"{name}: a label is there twice")
        values = _arrays.as_array(_labelled_values(given), name)
        if values.dtype.kind not in "biuf":
            raise argument(f"{name}: numbers are needed, not {values.dtype}")
        made = np.zeros(self.vertices, values.dtype)
        made[places] = values
        return made

    # ---- what it is ----

    @property
    def directed(self) -> bool:
        """False: every arc has its reverse, of equal weight."""
        handle = self._open
        return bool(lib.heddle_graph_directed(handle.pointer))

    @property
    def weighted(self) -> bool:
        """Whether edges have weights."""
        return self.weight_type is not None

    @property
    def weight_type(self) -> Optional["np.dtype[Any]"]:
        """The type of the weights; None: no weights."""
        name = next(name for name, value in _WEIGHTS.items() if value == self.weight_code)
        return np.dtype(_WEIGHT_CODES[name]) if name in _WEIGHT_CODES else None

    def __contains__(self, vertex: Any) -> bool:
        """Whether a vertex has this id."""
        try:
            self.vertex_of(vertex)
        except errors.ArgumentError:
            return False
        return True

    def _row(self, vertex: Any) -> Array:
        offsets, targets, _ = self.out_edges()
        number = self.vertex_of(vertex)
        return targets[offsets[number]:offsets[number + 1]]

    def neighbors(self, vertex: Any) -> list[Any]:
        """The ids of the vertices that a vertex has edges to; parallel edges count each."""
        return self.ids_of(self._row(vertex).tolist())

    def degree(self, vertex: Any = None, **given: Any) -> Any:
        """How many edges a vertex has, those that leave and those that enter it.

        Returns a Result with the degrees of all vertices, or, of one vertex, a number. Options: direction, one of
        "both", "out", "in"; weighted: the sum of their weights. Example: `g.degree()`, `g.degree(id)`.
        """
        result = super().degree(**given)
        return result if vertex is None else result[vertex]

    def has_edge(self, source: Any, target: Any) -> bool:
        """Whether there is an edge between two ids."""
        row, number = self._row(source), self.vertex_of(target)
        at = int(np.searchsorted(row, number))
        return at < len(row) and int(row[at]) == number

    def edge_arrays(self) -> tuple[Array, Array, Optional[Array]]:
        """Ids of the sources, ids of the targets, and weights (None: none) of all edges: what `from_edges` takes."""
        offsets, targets, weights = self.out_edges()
        return self.ids[row_numbers(offsets)], self.ids[targets], weights

    def out_edges(self) -> tuple[Array, Array, Optional[Array]]:
        """Row offsets, targets and weights (None: none), as read-only views of the graph's memory."""
        return self._rows(lib.heddle_graph_out)

    def in_edges(self) -> tuple[Array, Array, Optional[Array]]:
        """The same by target: the sources of the arcs that enter each vertex. Built on first use."""
        return self._rows(lib.heddle_graph_in)

    def _rows(self, function: Any) -> tuple[Array, Array, Optional[Array]]:
        from ._library import structs
        rows = structs["heddle_adjacency"]()
        handle = self._open
        with lent(direct=self.tiny) as call:
            call(function, handle.pointer, ctypes.byref(rows))
        offsets = view(handle, rows.offsets, (self.vertices + 1,), "u8")
        targets = view(handle, rows.targets, (self.edges,), "u4")
        kind = self.weight_type
        weights = None if kind is None else view(handle, rows.weights, (self.edges,), kind.str[1:])
        return offsets.view(np.int64), targets.view(np.int32) if self.vertices < 2**31 else targets, weights

    def to_scipy(self) -> Any:
        """The graph as a CSR array of SciPy; entries are the weights, or 1, as int8.

        It is over the graph's memory, read-only, and SciPy never has to change it; `.copy()` can be written to. A
        graph with parallel arcs gives a copy: SciPy adds such entries up in place.
        """
        from scipy.sparse import csr_array
        offsets, targets, weights = self.out_edges()
        if self.edges < 2**31:
            offsets = offsets.astype(np.int32)
        data = np.ones(self.edges, np.int8) if weights is None else weights
        made: Any = csr_array((data, targets, offsets), shape=(self.vertices, self.vertices))
        return made if made.has_canonical_format else made.copy()

    def stats(self, *, threads: Optional[int] = None, progress: Any = None) -> dict[str, Any]:
        """Degrees, loops, duplicates, components, irregularity: what `heddle info` shows."""
        found, handle = answer("heddle_stats"), self._open
        callback, close = progress_of(progress)
        try:
            with lent(threads, self.tiny, callback) as call:
                call(lib.heddle_graph_stats, handle.pointer, ctypes.byref(found))
        finally:
            close()
        made = as_dict(found)
        made["directed"] = bool(made["directed"])
        kind = self.weight_type
        made["weight_type"] = None if kind is None else kind.name
        made["max_out_vertex"] = self.id_of(found.max_out_vertex) if self.vertices else None
        return made

    def subgraph(self, keep: Any = None, *, drop: Any = None, threads: Optional[int] = None, progress: Any = None,
                 **given: Unpack[SubgraphOptions]) -> "Graph":
        """A new graph of some of the vertices, with their ids, and of the edges between them.

        `keep` is a list of ids, or an array with a boolean for each vertex: `g.subgraph(g.kcore().values >= 3)`; of a
        pandas Series or a dict of booleans the labels are ids, and vertices that it lacks are left out. `drop` is the
        contrary. Options: min_degree, max_degree (in this graph), min_weight, max_weight, drop_isolated; vertex_share,
        edge_share, seed: a random sample.
        """
        made, filler, handle = options("heddle_subgraph_options"), Filler(), self._open
        names = [name for name in header.fields["heddle_subgraph_options"] if name not in ("size", "keep")]
        refuse_unknown("subgraph", given, names.__contains__, names)
        filler.fill(made, "heddle_subgraph_options", given.items())
        if keep is not None or drop is not None:
            chosen = np.ones(self.vertices, bool) if keep is None else self._chosen(keep)
            chosen = chosen if drop is None else chosen & ~self._chosen(drop)
            filler.fill(made, "heddle_subgraph_options", [("keep", chosen)], self)
        part = Graph(_make(threads, self.tiny, progress, lib.heddle_graph_subgraph, handle.pointer, ctypes.byref(made)))
        if self._nodes is not None:
            known = dict(zip(self._own_ids(handle).tolist(), self._nodes))
            part._nodes = [known[k] for k in part._own_ids().tolist()]
        return part

    def _chosen(self, keep: Any) -> Array:
        """A boolean for each vertex."""
        if _labelled(keep) and all(isinstance(one, (bool, np.bool_)) for one in _labelled_values(keep)):
            return np.asarray(self.in_order(keep, "keep"), bool)
        if not isinstance(keep, np.ndarray) and hasattr(keep, "tolist"):  # a series, a tensor
            keep = keep.tolist()
        if isinstance(keep, list) and keep and all(isinstance(one, bool) for one in keep):
            keep = np.array(keep)
        if isinstance(keep, np.ndarray) and keep.dtype == bool:
            return _arrays.vector(keep, "keep", self.vertices)
        chosen = np.zeros(self.vertices, bool)
        chosen[self.numbers_of(keep)] = True
        return chosen

    def save(self, path: Path, *, threads: Optional[int] = None, progress: Any = None,
             **given: Unpack[SaveOptions]) -> None:
        """Writes the graph in the format of the suffix (`heddle help formats`); options: format, lossy, in_edges,
        level, order, memory_limit, packed. Nodes of NetworkX are written as numbers."""
        made, filler, handle = options("heddle_save_options"), Filler(), self._open
        names = [name for name in header.fields["heddle_save_options"] if name != "size"]
        refuse_unknown("save", given, names.__contains__, names)
        filler.fill(made, "heddle_save_options", given.items())
        callback, close = progress_of(progress)
        try:
            with lent(threads, False, callback) as call:
                call(lib.heddle_graph_save, handle.pointer, filler.path(path), ctypes.byref(made))
        finally:
            close()

    def prepare(self, plan: str, *, threads: Optional[int] = None) -> None:
        """Decides what a technique of Graffix does to the graph (`"graffix-coalesce"`), or renames its edges as
        `"graphie"` does, for later runs, and for the .hdl file that `save` writes."""
        handle = self._open
        with lent(threads, False) as call:
            call(lib.heddle_graph_prepare, handle.pointer, plan.encode())

    def table(self, *columns: Any, **named: Any) -> "Table":
        """A table with a row for each vertex and a column for each of several results, given as they are or as names of
        algorithms; columns are called after what they hold, or by keyword: `g.table("degree", "pagerank")`,
        `g.table(near=g.sssp(17), rank=g.pagerank(damping=0.9)).save("users.parquet")`."""
        from ._joined import Table
        return Table(self, columns, named)

    def _result_stream(self, result: Any) -> Any:
        """The capsule of a result's stream of Arrow."""
        handle, stream = self._open, _arrow.new_stream()
        with lent() as call:
            call(lib.heddle_result_to_arrow, handle.pointer, result, ctypes.addressof(stream))
        return _arrow.in_capsule(stream)

    def _save_result(self, result: Any, path: Path) -> None:
        handle = self._open
        with lent() as call:
            call(lib.heddle_result_save, handle.pointer, result, Filler().path(path))

    def close(self) -> None:
        """Frees the graph, and gives borrowed arrays back, when runs that still use it have ended. Results stay; only
        `save` of a result needs the graph."""
        handle, self._handle = self._handle, None
        if handle is not None and len(self._results):
            self._keep_ids(handle)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle is None

    def __enter__(self) -> "Graph":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __len__(self) -> int:
        return self.vertices

    def __reduce__(self) -> Any:
        raise TypeError("a graph of heddle cannot be pickled: save it to a .hdl file, which other processes map")

    def __repr__(self) -> str:
        if self._handle is None:
            return "<heddle.Graph, closed>"
        kind = self.weight_type
        return (f"<heddle.Graph {'directed' if self.directed else 'undirected'}, "
                f"{counted(self.vertices, 'vertex', 'vertices')}, {self._edge_words()}"
                f"{'' if kind is None else ', weights ' + kind.name}>")

    def _edge_words(self) -> str:
        """Edges as people count them, as the command says it: "78 edges (156 arcs)" of an undirected graph."""
        if self.directed:
            return counted(self.edges, "edge", "edges")
        edges, handle, arcs = ctypes.c_uint64(), self._open, counted(self.edges, "arc", "arcs")
        try:
            with lent() as call:
                call(lib.heddle_graph_count_edges, handle.pointer, ctypes.byref(edges))
        except HeddleError:  # a progress callback of this graph that shows it
            return arcs
        return f"{counted(edges.value, 'edge', 'edges')} ({arcs})"

    def _repr_html_(self) -> str:
        from . import _html
        return _html.of_graph(self)


# ---- what the constructors share --------------------------------------------------------------------------------


def _front(array: Array, count: int) -> Array:
    """The first elements; the array itself if it has no others, since a view of it would be locked in its place."""
    return array if len(array) == count else array[:count]


def _numbered(ids: Sequence[Any]) -> dict[Any, int]:
    return dict(zip(ids, range(len(ids))))


def _labelled(given: Any) -> bool:
    """Whether values come with ids: a dict, or a Series of pandas."""
    return isinstance(given, Mapping) or (hasattr(given, "reindex") and getattr(given, "ndim", 0) == 1)


def _labelled_values(given: Any) -> Any:
    return list(given.values()) if isinstance(given, Mapping) else given.to_numpy()


def _vertex_count(given: Any) -> int:
    """The option `vertices`: 0 if it is not given."""
    number = 0 if given is None else whole(given, "vertices")
    if not 0 <= number < 2**64:
        raise argument(f"vertices: a number that is not negative, and below 2^64, is needed, not {number}")
    return number


def _no_vertex(vertex: Any) -> errors.HeddleError:
    return errors.make("E_SOURCE", header.enums["heddle_status"]["E_SOURCE"], f"no vertex has the id {vertex!r}",
                       token=str(vertex))


# ---- functions of the package -----------------------------------------------------------------------------------


def read(path: Union[Path, bytes, Any], *, threads: Optional[int] = None, progress: Any = None,
         **given: Unpack[LoadOptions]) -> Graph:
    """Reads a graph from a file, its content as bytes, or an open file; "-" is standard input.

    Formats and compression are found by content; `.parquet`, `.arrow` and `.feather` are read by pyarrow.
    Options are those of the library: format, vertices, weight_column,
    ids, header, columns, delimiter, vertices_from, weight_type, and those of building (symmetrize, drop_loops,
    drop_isolated, duplicates, memory_limit, spill).
    """
    made, filler = options("heddle_load_options"), Filler()
    own = [name for name in header.fields["heddle_load_options"] if name not in ("size", "build")]
    build = [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved")]
    refuse_unknown("read", given, lambda name: name in own or name in build, own + build)
    found: dict[str, Any] = {**given}
    if isinstance(found.get("weight_column"), str):
        found["weight_column"] = _weight_column(found["weight_column"])
    if isinstance(found.get("header"), bool):
        found["header"] = "yes" if found["header"] else "no"
    filler.fill(made, "heddle_load_options", [(name, found[name]) for name in own if name in found])
    filler.fill(made.build, "heddle_build_options", [(name, found[name]) for name in build if name in found])
    if _tables.is_table(path):
        return _tables.read(path, threads, progress, **given)
    source = _content(path)
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = np.frombuffer(source, np.uint8)
        return Graph(_make(threads, False, progress, lib.heddle_graph_load_memory, address(content), len(content),
                           ctypes.byref(made)))
    return Graph(_make(threads, False, progress, lib.heddle_graph_load, filler.path(source), ctypes.byref(made)))


def graph_of(given: Any, **build: Any) -> Graph:
    """The graph itself, or one of a file, of NetworkX or SciPy, of a table's columns, or of edges."""
    if isinstance(given, Graph):
        if build:
            raise argument(f"{next(iter(build))}: this is an option of making a graph, and there is one")
        return given
    if isinstance(given, (str, os.PathLike)):
        return read(given, **build)
    if hasattr(given, "_adj"):
        return Graph.from_networkx(given, **build)
    if hasattr(given, "tocsr"):
        return Graph.from_scipy(given, **build)
    given = collected(given)
    if is_frame(given) or _arrow.is_column(given):
        return Graph.from_dataframe(given, None, None, **build)
    return Graph.from_edges(given, **build)


def _content(given: Any) -> Any:
    """The content of an open file; other values unchanged."""
    if isinstance(given, memoryview) and not given.c_contiguous:
        return given.tobytes()
    if not hasattr(given, "read"):
        return given
    try:
        found = given.read()
        return found.encode("utf-8", "surrogateescape") if isinstance(found, str) else found
    except UnicodeDecodeError as error:
        raise argument(f"the file is not text as its encoding has it ({error}): open it in binary mode, 'rb'") from None
    except UnicodeEncodeError as error:
        raise argument(f"the file has half of a character that two code units make ({error})") from None


def _weight_column(given: str) -> int:
    known = {"auto": constants["HEDDLE_COLUMN_AUTO"], "none": constants["HEDDLE_COLUMN_NONE"]}
    if given not in known:
        raise argument(f"weight_column: the number of a column, from 1, 'auto' or 'none' is needed, not {given!r}; "
                       f"a column that the header names: columns='weight={given}'")
    return known[given]


def generate(kind: str = "rmat", *, threads: Optional[int] = None, progress: Any = None, **given: Any) -> Graph:
    """Generates a graph: rmat, uniform, grid, road, smallworld, barabasi, blockmodel, configuration, star, path,
    clique, tree (`heddle.generators()`).

    Options are those of the library: scale, vertices, degree, width, height, depth, a, b, c, scramble, probability,
    branching, weighted, weight_min, weight_max, weight_real, seed, and those of building; each kind takes some of
    them. A block model takes blocks, a number or a list of sizes, and rates, the probabilities of an edge inside and
    between blocks, or a matrix of them; the configuration model takes degrees, a list, or degrees_of, a graph. The same
    options and seed give the same graph everywhere.
    """
    made, filler = options("heddle_generate_options"), Filler()
    own = _generator_options(kind)
    build = [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved")]
    refuse_unknown(f"generate({kind!r})", given, lambda name: name in own or name in build, own + build)
    if given.get("vertices") is not None and not _vertex_count(given["vertices"]):
        raise argument("vertices: a number above 0 is needed, not 0")
    filler.fill(made, "heddle_generate_options", [("kind", kind)])
    plain = [name for name in own if name in given and name not in _LISTS]
    filler.fill(made, "heddle_generate_options", [(name, given[name]) for name in plain])
    filler.fill(made.build, "heddle_build_options", [(name, given[name]) for name in build if name in given])
    _fill_lists(made, filler, {name: given[name] for name in _LISTS if given.get(name) is not None})
    model = given.get("degrees_of")
    if model is None:
        return Graph(_make(threads, False, progress, lib.heddle_graph_generate, ctypes.byref(made)))
    if not isinstance(model, Graph):
        raise argument(f"degrees_of: a Graph is needed, not {type(model).__name__}")
    handle = model._open
    made.degrees_of = handle.pointer
    graph = Graph(_make(threads, False, progress, lib.heddle_graph_generate, ctypes.byref(made)))
    del handle  # the model was in use until here
    return graph


_LISTS = ("blocks", "block_sizes", "rates", "degrees", "degrees_of")


def _fill_lists(made: Any, filler: Filler, given: dict[str, Any]) -> None:
    """Sizes of blocks, rates and degrees, as arrays that live as long as the filler."""

    def lend(name: str, array: Array) -> None:
        filler.kept.append(array)
        setattr(made, name, array.ctypes.data)

    def counts(name: str, value: Any) -> Array:
        numbers = _arrays.int64(value, name)
        if numbers.size and numbers.min() < 0:
            raise argument(f"{name}: numbers of 0 or more are needed, not {numbers.min()}")
        return np.ascontiguousarray(numbers, dtype=np.uint64)

    sizes = given.get("block_sizes")
    if "blocks" in given and not np.isscalar(given["blocks"]):
        sizes = given["blocks"]
    elif "blocks" in given:
        made.blocks = whole(given["blocks"], "blocks")
    if sizes is not None:
        lend("block_sizes", counts("blocks", sizes))
        made.blocks = len(filler.kept[-1])
    if "rates" in given:
        rates: Any = np.asarray(given["rates"], dtype=np.float64)
        k = made.blocks
        if rates.shape == (2,) and k <= 1 << 12:
            rates = np.where(np.eye(k, dtype=bool), *rates)
        if rates.shape != (k, k):
            raise argument(f"rates: two probabilities or a matrix of {k} x {k} are needed, not shape {rates.shape}")
        lend("rates", np.ascontiguousarray(rates))
    if "degrees" in given:
        lend("degrees", counts("degrees", given["degrees"]))
        made.degree_count = len(filler.kept[-1])


def _generator_options(kind: Any) -> list[str]:
    """Those that a kind of graph reads."""
    kinds = {one.kind.decode(): one.options.decode().split() for one in table("heddle_generator_at")}
    if kind not in kinds:
        raise argument(f"there is no kind of graph {kind!r} to generate; there are: {', '.join(kinds)}")
    own: list[str] = kinds[kind]
    return own


def _with_vertex(signature: inspect.Signature) -> inspect.Signature:
    """The signature of an algorithm with `vertex` as its first argument."""
    vertex = inspect.Parameter("vertex", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    own, *others = signature.parameters.values()
    return signature.replace(parameters=[own, vertex, *others], return_annotation=Any)


Graph.read = staticmethod(read)  # type: ignore[attr-defined]
Graph.degree.__signature__ = _with_vertex(inspect.signature(Algorithms.degree))  # type: ignore[attr-defined]
__all__ = ["Graph", "read", "generate", "Progress"]
