"""Files of results whose vertices are nodes of NetworkX. The library knows these by numbers, which are its ids: it
writes the file with them, and here names take their place."""
from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Iterator

import numpy as np

from ._arrays import Array
from ._library import header, table
from .errors import HeddleError, argument, make

if TYPE_CHECKING:
    from ._result import Result

_VERTICES = ("parent", "source", "target")
_GAPS = {".tsv": "\t", ".txt": "\t", ".csv": ",", ".json": ", "}
_MODULES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "compression.zstd"}  # the last since Python 3.14


def save(result: "Result", path: "str | os.PathLike[str]") -> None:
    """Writes a result in the format of the suffix."""
    place = os.fsdecode(path)
    codec, layout = _suffixes(place)
    nodes = dict(zip(result.graph._own_ids().tolist(), _checked(result.graph.ids_list())))
    if layout not in _GAPS and layout != ".npy":  # the library says what is wrong
        return result.graph._save_result(result._owner.pointer, place)
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        numbered = os.path.join(folder, "result" + layout)
        result.graph._save_result(result._owner.pointer, numbered)
        with _opened(place, codec) as file:
            if layout == ".npy":
                np.save(file, _array(result, np.load(numbered), nodes))
                return
            with open(numbered, encoding="ascii") as lines:
                for line in _renamed(result, lines, _GAPS[layout], nodes):
                    file.write(line.encode("utf-8", "surrogateescape"))


def _suffixes(path: str) -> tuple[str, str]:
    """That of compression, if there is one, and that of the format."""
    if path == "-" or path.startswith("/dev/"):
        return "", ".tsv"
    codecs = [one.decode() for one in table("heddle_codec_at")]
    codec = next((one for one in codecs if path.lower().endswith(one)), "")
    return codec, os.path.splitext(path.lower().removesuffix(codec))[1]


def _checked(nodes: list[Any]) -> list[Any]:
    """The nodes, if a file can have them as ids."""
    for node in nodes:
        if isinstance(node, bool) or not isinstance(node, (int, np.integer, str)) or "\0" in str(node):
            raise argument(f"save: the node {node!r} is neither an integer nor a string, and files have no other ids: "
                           "use to_pandas() or to_dict(), or relabel the nodes (networkx.relabel_nodes)")
    if len(set(map(str, nodes))) < len(nodes):
        raise argument("save: two nodes would have the same id in a file, as 1 and '1' have: relabel them")
    return [node if isinstance(node, str) else int(node) for node in nodes]


@contextlib.contextmanager
def _opened(path: str, codec: str) -> Iterator[Any]:
    """A file to write to, which appears when it is complete."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.startswith("/dev/"):
        with open(path, "wb") as file:
            yield file
        return
    try:
        module = importlib.import_module(_MODULES[codec]) if codec else None
    except (ImportError, KeyError):
        raise _error("E_UNSUPPORTED", f"{path}: this version of Python does not write {codec}: use .gz") from None
    partial = f"{path}.{os.getpid()}.part"
    try:
        with open(partial, "xb") if module is None else module.open(partial, "xb") as file:
            yield file
        os.replace(partial, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        if isinstance(error, OSError):
            raise _error("E_WRITE", f"{path}: {error.strerror}", file=path) from error
        raise


def _error(status: str, message: str, **fields: str) -> HeddleError:
    return make(status, header.enums["heddle_status"][status], message, **fields)


def _columns(result: "Result") -> range:
    """Which cells of a row are vertices; columns behind the last one are left out."""
    if result._walks:
        return range(result.values.shape[1])
    if result._forest():
        return range(2)
    if result._each:
        return range(1)
    return range(3) if result.labels else range(0, 3, 2)  # id, value, parent


def _renamed(result: "Result", lines: Iterable[str], gap: str, nodes: dict[int, Any]) -> Iterator[str]:
    """The lines of a file of numbers, with names. All cells are numbers, or are empty: gaps are found by their text."""
    names = {str(number): _cell(node, gap) for number, node in nodes.items()}
    columns = _columns(result)
    for line in lines:
        if not line[0].isdigit() and line[0] != "[":
            yield _head(line, gap, nodes) if result._each else line
            continue
        start, end = ("[", line[line.index("]"):]) if line[0] == "[" else ("", "\n")
        cells = line[len(start):len(line) - len(end)].split(gap)
        for k in columns:
            if k < len(cells):
                cells[k] = names.get(cells[k], cells[k])  # there may be none: an empty cell, null
        yield start + gap.join(cells) + end


def _head(line: str, gap: str, nodes: dict[int, Any]) -> str:
    """The first line of a file that has a column for each source, which is called by its id."""
    if gap != ", ":
        cells = line.removesuffix("\n").split(gap)
        return gap.join(_cell(nodes[int(one)], gap) if one.isdigit() else one for one in cells) + "\n"
    if not line.startswith("{"):
        return line
    about = json.loads(line + "]}")
    about["columns"] = [nodes[one] if isinstance(one, int) else one for one in about["columns"]]
    return json.dumps(about, ensure_ascii=False).removesuffix("]}") + "\n"


def _cell(node: Any, gap: str) -> str:
    """A name as the library writes ids: quoted as in RFC 4180 where that is necessary, or as in JSON."""
    if gap == ", ":
        return json.dumps(node, ensure_ascii=False)
    text = str(node)
    odd = "\t\r\n" if gap == "\t" else '",\r\n'
    ends = text[:1] == '"' if gap == "\t" else text != text.strip(" ") or not text
    return '"' + text.replace('"', '""') + '"' if ends or any(sign in text for sign in odd) else text


def _array(result: "Result", numbers: Array, nodes: dict[int, Any]) -> Array:
    """Vertices by their ids if these are integers of 64 bits, else by their place."""
    known, ids = np.array(list(nodes)), list(nodes.values())
    if not all(isinstance(one, int) and -2**63 <= one < 2**63 for one in ids):
        ids = list(range(len(ids)))
    named, fields = numbers.copy(), numbers.dtype.names
    for part, vertices in [(named[field], field in _VERTICES) for field in fields] if fields else [(named, False)]:
        if (vertices or result.labels or result._walks) and part.size:
            part[part >= 0] = np.array(ids, np.int64)[np.searchsorted(known, part[part >= 0])]
    return named
