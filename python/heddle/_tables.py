"""Files of columns, which pyarrow reads and writes: Parquet, and Arrow's own (`.arrow`, `.feather`)."""
from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, Optional

from ._arrow import IF_THERE
from ._options import refuse_unknown
from .errors import argument, make
from ._library import header

if TYPE_CHECKING:
    from ._graph import Graph

_PARQUET = (".parquet", ".pq")
_ARROW = (".arrow", ".feather", ".ipc")
_OWN = ("columns", "weight_column", "vertices")
_ROLES = ("source", "target", "weight")


def is_table(path: Any) -> bool:
    """Whether a path's suffix is one of these."""
    return isinstance(path, (str, os.PathLike)) and os.fsdecode(path).lower().endswith(_PARQUET + _ARROW)


def _pyarrow(path: Any) -> Any:
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        raise make("E_UNSUPPORTED", header.enums["heddle_status"]["E_UNSUPPORTED"],
                   f"{os.fsdecode(path)}: such files are read and written by pyarrow, which is not installed: "
                   "pip install pyarrow") from None


def _table(path: Any) -> Any:
    pyarrow = _pyarrow(path)
    name = os.fsdecode(path)
    try:
        if name.lower().endswith(_PARQUET):
            return importlib.import_module("pyarrow.parquet").read_table(name)
        try:
            return importlib.import_module("pyarrow.feather").read_table(name, memory_map=True)
        except pyarrow.ArrowInvalid:  # the form of streams
            with pyarrow.memory_map(name) as file, pyarrow.ipc.open_stream(file) as reader:
                return reader.read_all()
    except FileNotFoundError:
        raise make("E_OPEN", header.enums["heddle_status"]["E_OPEN"], f"{name}: cannot open: No such file or directory",
                   file=name) from None
    except pyarrow.ArrowException as error:
        raise make("E_FORMAT", header.enums["heddle_status"]["E_FORMAT"], f"{name}: {error}", file=name) from error


def _chosen(given: Optional[str]) -> dict[str, Any]:
    """"source=COLUMN,target=COLUMN,weight=COLUMN", or some of these, as text files take it."""
    found: dict[str, Any] = {}
    for part in given.split(",") if given else []:
        role, sign, name = part.partition("=")
        if role not in _ROLES or not sign or not name or role in found:
            raise argument(f"columns {given!r}: expected source=COLUMN, target=COLUMN and weight=COLUMN "
                           "(or weight=none), each at most once, separated by commas")
        found[role] = int(name) - 1 if name.isdigit() else name
    return found


def read(path: Any, threads: Optional[int], progress: Any, **given: Any) -> "Graph":
    """A graph from such a file: columns as in text files, by options, usual names, or their places."""
    from ._graph import Graph
    build = [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved")]
    refuse_unknown(f"read({os.path.basename(os.fsdecode(path))!r})", given,
                   lambda name: name in _OWN or name in build, [*_OWN, *build])
    chosen = _chosen(given.pop("columns", None))
    weight = given.pop("weight_column", None)
    if weight not in (None, "auto"):
        chosen["weight"] = weight if weight == "none" else int(weight) - 1
    if chosen.get("weight") in ("none", -1):
        chosen["weight"] = None
    table = _table(path)
    source, target = chosen.get("source"), chosen.get("target")
    if (source is None) != (target is None):
        raise argument("columns: source and target are named both, or neither")
    return Graph.from_dataframe(table, source, target, chosen.get("weight", IF_THERE), threads=threads,
                                progress=progress, **given)


def write(result: Any, path: Any) -> None:
    """A result or a table of results as such a file, which appears when it is complete."""
    pyarrow, name = _pyarrow(path), os.fsdecode(path)
    from ._names import plain_file
    with plain_file(name) as file:
        table = pyarrow.table(result)
        if name.lower().endswith(_PARQUET):
            importlib.import_module("pyarrow.parquet").write_table(table, file)
        else:
            with pyarrow.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
