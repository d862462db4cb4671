"""The methods of a graph that run algorithms, one for each entry of the library's table."""
from __future__ import annotations

import ctypes
import inspect
import os
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from ._library import answer, as_dict, header, lib, options, structs, table
from ._options import Filler, refuse_unknown
from ._session import lent, progress_of
from .errors import argument
from ._result import Result

_FIELDS = header.fields["heddle_run_options"]
_OPTIONS = structs["heddle_run_options"]
#: Words of the field for names of the table.
ALIASES = {"pagerank": "pr", "betweenness": "bc", "components": "cc"}
_HIDDEN = ("size", "algorithm", "source_count", "pair_count", "program", "program_text", "parameters",
           "compiled_program")
_CPU = (None, "auto", "cpu")
#: Options by which a run on a graph of any size may take long.
_LENGTHENING = ("max_iterations", "max_error", "tolerance", "damping", "walks", "length")


class Algorithm:
    """An entry of the library's table: its name, description, and the options that it reads."""

    def __init__(self, name: str, description: str, own: list[str]) -> None:
        self.name, self.description, self.own = name, description, own
        self.template = options("heddle_run_options")
        self.kept = name.encode()
        self.template.algorithm = self.kept

    def new_options(self) -> Any:
        return _OPTIONS.from_buffer_copy(self.template)

    def keywords(self) -> list[str]:
        """The parameters of its method."""
        return [*(["source"] if "sources" in self.own else []), *self.own, *COMMON, "threads", "verify", "progress"]


def _read_table() -> dict[str, Algorithm]:
    found = {}
    for info in table("heddle_algorithm_at"):
        name = info.name.decode()
        found[name] = Algorithm(name, info.description.decode(), info.options.decode().split())
    return found


TABLE = _read_table()
_some = {name for algorithm in TABLE.values() for name in algorithm.own}
#: Options that every run has: those that no algorithm claims for itself.
COMMON = [name for name in _FIELDS if name not in _some and name not in _HIDDEN]
_PROGRAM = Algorithm("program", "a vertex program of your own",
                     ["sources", "seed", "tolerance", "max_iterations", "initial", "fixed", "precision"])


def find(name: str) -> Algorithm:
    algorithm = TABLE.get(ALIASES.get(name, name))
    if algorithm is None:
        raise argument(f"there is no algorithm {name!r}; there are: {', '.join(TABLE)}")
    return algorithm


class _Run:
    """Options of a run in C, and what they point at."""

    def __init__(self, graph: Any, algorithm: Algorithm, given: dict[str, Any], program: bool = False) -> None:
        self.graph, self.algorithm = graph, algorithm
        self.options = algorithm.new_options()
        self.kept: Any = ()
        self.sources: tuple[int, ...] = ()
        self.quick = graph.tiny and not program
        if given:
            self._fill(given)

    def _fill(self, given: dict[str, Any]) -> None:
        sources = given.pop("sources", None)
        if sources is not None:
            refuse_unknown(self.algorithm.name, ["source"], lambda _: "sources" in self.algorithm.own,
                           self.algorithm.keywords())
            self.sources = tuple(self.graph.numbers_of(sources))
            if not self.sources:
                raise argument("sources: at least one is needed")
            if self.algorithm.name == "pr" and not given.get("each"):
                self._jump_to_sources(given)
            else:
                numbers = (ctypes.c_uint32 * len(self.sources))(*self.sources)
                self.options.sources, self.options.source_count = ctypes.addressof(numbers), len(numbers)
                self.kept = (numbers,)
        pairs = given.pop("pairs", None) if "pairs" in self.algorithm.own else None
        if pairs is not None:
            numbers = self._pairs(pairs)
            self.options.pairs, self.options.pair_count = ctypes.addressof(numbers), len(numbers) // 2
            self.kept = (*self.kept, numbers)
        if not given:
            return
        algorithm = self.algorithm
        refuse_unknown(algorithm.name, given, lambda name: name in algorithm.own or name in COMMON,
                       algorithm.keywords())
        filler = Filler()
        filler.fill(self.options, "heddle_run_options", [pair for pair in given.items() if pair[1] is not None],
                    self.graph)
        self.kept = (*self.kept, filler.kept)
        if given.get("device") not in _CPU or any(given.get(name) is not None for name in _LENGTHENING):
            self.quick = False

    def _jump_to_sources(self, given: dict[str, Any]) -> None:
        """PageRank from sources: they are the personalization."""
        if given.get("personalization") is not None:
            raise argument("source and personalization both say where jumps go: give one of them")
        given["personalization"] = np.bincount(self.sources, minlength=self.graph.vertices).astype(np.float64)

    def _pairs(self, pairs: Any) -> Any:
        ends: list[Any] = []
        pairs = pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs  # a data frame's elements are its labels
        if isinstance(pairs, np.ndarray) and pairs.ndim == 2 and pairs.shape[1] == 2:
            ends = pairs.ravel().tolist()
        else:
            for pair in pairs:
                ends += _two(pair)
        if not ends:
            raise argument("pairs: at least one is needed")
        return (ctypes.c_uint32 * len(ends))(*self.graph.numbers_of(ends))


def _two(pair: Any) -> list[Any]:
    try:
        ends = [] if isinstance(pair, (str, bytes)) else list(pair)
    except TypeError:
        ends = []
    if len(ends) != 2:
        raise argument(f"pairs: two ids are needed, not {pair!r}")
    return ends


def _starts(source: Any, sources: Any) -> Any:
    """Where a run starts: one of the two arguments."""
    if source is not None and sources is not None:
        raise argument("source and sources: one id is `source`, several are `sources`: both are given")
    return source if sources is None else sources


def _number(value: Any, name: str) -> "int | float":
    """A parameter of a program: of Python, NumPy, or a boolean, which is 0 or 1."""
    try:
        return int(value.__index__()) if hasattr(value, "__index__") else float(value)
    except (TypeError, ValueError):
        raise argument(f"parameters: {name}: a number is needed, not {value!r}") from None


def _execute(graph: Any, run: _Run, threads: Optional[int], verify: bool, progress: Any) -> Result:
    callback, close = progress_of(progress, graph.edges if "tolerance" in run.algorithm.own else 0)
    pointer = ctypes.c_void_p()
    handle = graph._open  # the C graph lives as long as this call, even if it is closed meanwhile
    try:
        with lent(threads, run.quick, callback) as call:
            try:
                call(lib.heddle_run, handle.pointer, ctypes.byref(run.options), ctypes.byref(pointer))
                if verify:
                    call(lib.heddle_verify, handle.pointer, ctypes.byref(run.options), pointer)
            except BaseException:
                lib.heddle_result_destroy(ctypes.byref(pointer))
                raise
            result = Result(graph, pointer.value or 0, call.notes)
    finally:
        close()
    graph._results.add(result)
    if graph.closed:
        graph._keep_ids(handle)
    result._sources = frozenset(run.sources) or result._default_source()
    if run.options.each:
        result._each = True
    return result


if TYPE_CHECKING:
    from ._methods import Methods  # made from the table
else:
    Methods = object


class Algorithms(Methods):
    """The algorithms, for `Graph`."""

    if TYPE_CHECKING:
        vertices: int
        edges: int
        tiny: bool

        @property
        def _open(self) -> Any: ...

    def run(self, program: Any, *, source: Any = None, sources: Any = None, parameters: Any = None,
            threads: Optional[int] = None, verify: bool = False, progress: Any = None, **given: Any) -> Result:
        """Runs a vertex program of your own (docs/programs.md): the path of a C file, or its text.

        A string with a line break is text, and so is `bytes`. `parameters` is a dict, or text as "rate=0.25,bias=1".
        The other options are those of algorithms.
        """
        given["sources"] = _starts(source, sources)
        run = _Run(self, _PROGRAM, given, program=True)
        filler = Filler()
        if isinstance(program, bytes) or (isinstance(program, str) and "\n" in program):
            pairs = [("program", "<program>"), ("program_text", program)]
        else:
            pairs = [("program", os.fspath(program))]
        if isinstance(parameters, dict):
            parameters = ",".join(f"{name}={_number(value, name)!r}" for name, value in parameters.items())
        filler.fill(run.options, "heddle_run_options", [*pairs, ("parameters", parameters)])
        run.kept = (*run.kept, filler.kept)
        return _execute(self, run, threads, verify, progress)

    def explain(self, algorithm: str = "bfs", *, source: Any = None, sources: Any = None, threads: Optional[int] = None,
                **given: Any) -> dict[str, Any]:
        """Explains a run of this algorithm with these options, without running it: device, plan, reasons,
        and the efficiency of each schedule on this graph."""
        given["sources"] = _starts(source, sources)
        run = _Run(self, find(algorithm), given)
        found, handle = answer("heddle_explanation"), self._open
        with lent(threads, False) as call:
            call(lib.heddle_explain, handle.pointer, ctypes.byref(run.options), ctypes.byref(found))
        made = as_dict(found)
        made["reasons"] = made["reasons"][:made.pop("reason_count")]
        made["rows"] = made["rows"][:made.pop("row_count")]
        made["warp_assumed"] = bool(made["warp_assumed"])
        return made

    def memory(self, algorithm: str = "bfs", *, source: Any = None, sources: Any = None, threads: Optional[int] = None,
               **given: Any) -> dict[str, Any]:
        """The memory that a run would take, without running (`--dry-run`)."""
        given["sources"] = _starts(source, sources)
        run = _Run(self, find(algorithm), given)
        found, handle = answer("heddle_device_memory"), self._open
        with lent(threads, False) as call:
            call(lib.heddle_run_memory, handle.pointer, ctypes.byref(run.options), ctypes.byref(found))
        return as_dict(found)


def _method(algorithm: Algorithm) -> Callable[..., Result]:
    if "sources" in algorithm.own:
        def with_source(self: Any, source: Any = None, *, sources: Any = None, threads: Optional[int] = None,
                        verify: bool = False, progress: Any = None, **given: Any) -> Result:
            if source is not None or sources is not None:
                given["sources"] = _starts(source, sources)
            return _execute(self, _Run(self, algorithm, given), threads, verify, progress)
        return with_source

    def without(self: Any, *, threads: Optional[int] = None, verify: bool = False, progress: Any = None,
                **given: Any) -> Result:
        return _execute(self, _Run(self, algorithm, given), threads, verify, progress)
    return without


def _signature(algorithm: Algorithm) -> inspect.Signature:
    keyword, default = inspect.Parameter.KEYWORD_ONLY, None
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    if "sources" in algorithm.own:
        parameters.append(inspect.Parameter("source", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    for name in [one for one in algorithm.keywords() if one != "source"]:
        parameters.append(inspect.Parameter(name, keyword, default=False if name == "verify" else default))
    return inspect.Signature(parameters, return_annotation=Result)


#: Options in Python's words; others have the text of heddle.h.
_TEXTS = {
    "sources": "ids of several vertices to start at; `source` is one",
    "parents": "True: also compute parents, for `path`",
    "each": "True: a run of its own from each source, a row of `values` each",
    "weighted": "True: edges count by their weights",
    "damping": "the probability of following an edge, not jumping",
    "tolerance": "the run ends when values change by less",
    "max_iterations": "the run ends after so many rounds at the latest",
    "personalization": "where jumps lead: a number per vertex, as a dict or Series by id, or an array in the order of "
                       "`ids`",
    "samples": "how many sources to sample; None: all vertices",
    "normalized": "True: divided by the largest value possible",
    "delta": "the width of a bucket; None: from the graph",
    "rate": "the factor of each step",
    "initial": "a value per vertex to begin with, as `personalization` of pagerank",
    "fixed": "a boolean per vertex: those that keep their value",
    "precision": "of the computation",
    "seed": "of random choices",
    "max_error": "stop as soon as the error is proven to be at most this (docs/approximation.md)",
    "confidence": "the probability that the bound of `max_error` holds",
    "top": "how many of the largest are wanted",
    "reversed": "True: distances in the other direction",
    "reachable_only": "True: not multiplied by the share of vertices that reach the vertex",
    "alpha": "what each further edge of a walk is multiplied by; None: one that surely converges",
    "hubs": "True: hubs, not authorities",
    "resolution": "above 1: more and smaller communities",
    "pairs": "pairs of ids to compare; None: the most similar ones are searched",
    "measure": "of similarity",
    "not_neighbours": "True: without pairs that an edge connects already",
    "min_degree": "only vertices with so many neighbours or more",
    "walks": "how many from each source",
    "length": "how many edges each has",
    "p": "node2vec: a step back is 1/p times as likely",
    "q": "node2vec: a step away is 1/q times as likely",
    "direction": "which edges count",
    "device": '"auto", "cpu", "cuda", "cuda:1", "opencl:0"; several: "cuda:0,1"',
    "plan": '"auto", or on a device a preset or KEY=VALUE,... (docs/schedules.md)',
    "profile": "True: kernels count useful lanes, for the report",
    "keep_source": "a folder for the source text of all that is compiled",
    "memory_limit": 'bytes that graph, values and buffers may take, "4G"; None: what is free',
    "approximate": "True: allows plans whose results are approximate (docs/approximation.md)",
    "checkpoint": "a folder for checkpoints (docs/clusters.md)",
    "checkpoint_every": "rounds between two checkpoints",
    "resume": "True: go on from the checkpoint that is there",
    "spread": "on ranks: True: each has the values of its own vertices",
}
_REMARKS = {("pr", "sources"): "; without `each`: all jumps lead to them"}
_RETURNS = {"mst": "`edges` and `weights` of the forest",
            "bridges": "`edges` and `weights`, the vertices on the smaller side of each",
            "truss": "`edges` and `weights`, the truss number of each",
            "biconnected": "`edges` and `weights`, the number of the component of each",
            "bipartite": "`values`, the side of each vertex; or `edges`, an odd cycle",
            "toposort": "`values`, the level of each vertex; or `edges`, a cycle",
            "similar": "`edges`, the pairs, and `weights`, their similarity",
            "walks": "`values`, a row of vertex numbers for each walk"}
_LABELS = ("cc", "scc", "louvain", "leiden", "lpa", "cdlp")


def _document(algorithm: Algorithm, name: str) -> str:
    returns = _RETURNS.get(algorithm.name) or (
        "`values`, for each vertex the number of the vertex that its group is named after"
        if algorithm.name in _LABELS else "`values`, one for each vertex")
    start = "source" if algorithm.own[:1] == ["sources"] and algorithm.name not in ("pr", "walks") else ""
    lines = [algorithm.description[0].upper() + algorithm.description[1:] + ".", "",
             f"Returns a Result with {returns}.", f"Example: `g.{name}({start})`.", "", "Options (None: the default):"]
    lines += [f"    {option}: {_meaning(option)}" + _REMARKS.get((algorithm.name, option), "")
              for option in algorithm.own]
    lines += ["Options of every run:", *(f"    {option}: {_meaning(option)}" for option in COMMON)]
    lines += ["    threads: number of threads; None: chosen", "    verify: check the result by its certificate",
              "    progress: a function of (phase, done, total), true to cancel; or True for a bar of tqdm or a line"]
    return "\n".join(lines)


def _meaning(name: str) -> str:
    """Describes an option: of a choice, the values that it takes; its default, if it has one that is not special."""
    field = _FIELDS[name]
    values = ", ".join(f'"{value.lower()}"' for value in header.enums.get(field.declared, ()))
    default = getattr(TABLE["bfs"].template, name, None) if field.declared in ("double", "uint64_t") else None
    text = _TEXTS.get(name) or field.comment.replace("NULL", "None")
    return "; ".join(part for part in (text, values and f"one of {values}", default and f"default {default:g}") if part)


def _install() -> None:
    named = {**TABLE, **{alias: TABLE[name] for alias, name in ALIASES.items() if name in TABLE}}
    for name, algorithm in named.items():
        method: Any = _method(algorithm)
        method.__name__, method.__qualname__ = name, f"Graph.{name}"
        method.__doc__, method.__signature__ = _document(algorithm, name), _signature(algorithm)
        setattr(Algorithms, name, method)


_install()
