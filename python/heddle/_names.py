"""Files of results whose vertices are nodes of NetworkX. The library knows these by numbers, which are its ids: it
writes the file with them, and here names take their place."""
from __future__ import annotations

import contextlib
import errno
import importlib
import json
import os
import re
import secrets
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Iterator

import numpy as np

from ._arrays import Array
from ._arrow import encoded
from ._library import header, table
from ._options import Filler
from .errors import HeddleError, argument, make

if TYPE_CHECKING:
    from ._result import Result

_VERTICES = ("parent", "source", "target")
_GAPS = {".tsv": "\t", ".txt": "\t", ".csv": ",", ".json": ", "}
_MODULES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "compression.zstd"}  # the last since Python 3.14
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def save(result: "Result", path: "str | os.PathLike[str]") -> None:
    """Writes a result in the format of the suffix."""
    place = os.fsdecode(Filler().path(path)).replace("{rank}", "0", 1)  # as the library does: there is one process
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
                terminal = file.isatty()  # which names must not control
                for line in _renamed(result, lines, _GAPS[layout], nodes):
                    line = _CONTROL.sub(lambda one: f"\\x{ord(one[0]):02x}", line) if terminal else line
                    file.write(line.encode("utf-8", "surrogateescape"))


def _suffixes(path: str) -> tuple[str, str]:
    """That of compression, if there is one, and that of the format."""
    codecs = [one.decode() for one in table("heddle_codec_at")]
    codec = next((one for one in codecs if path.lower().endswith(one)), "")
    name = path.lower().removesuffix(codec)
    layout = next((one for one in (*_GAPS, ".npy") if name.endswith(one)), "")
    return codec, layout or (".tsv" if path == "-" or path.startswith("/dev/") else "")


def _checked(nodes: list[Any]) -> list[Any]:
    """The nodes, if a file can have them as ids."""
    made: list[Any] = []
    for node in nodes:
        if isinstance(node, bool) or not isinstance(node, (int, np.integer, str)):
            raise argument(f"save: the node {node!r} is neither an integer nor a string, and files have no other ids: "
                           "use to_pandas() or to_dict(), or relabel the nodes (networkx.relabel_nodes)")
        made.append(str.__str__(node) if isinstance(node, str) else int(node))  # also of enumerations the value
        if isinstance(node, str) and encoded(made[-1]) is None:
            raise argument(f"save: the node {node!r} has NUL, or half of a character that two code units make, and "
                           "files have no such ids: relabel it")
    if len(set(map(str, made))) < len(made):
        raise argument("save: two nodes would have the same id in a file, as 1 and '1' have: relabel them")
    return made


@contextlib.contextmanager
def _opened(path: str, codec: str) -> Iterator[Any]:
    """A file to write to, which compresses."""
    try:
        module = importlib.import_module(_MODULES[codec]) if codec else None
    except (ImportError, KeyError):
        raise _error("E_UNSUPPORTED", f"{path}: this version of Python does not write {codec}: use .gz") from None
    with plain_file(path) as plain:
        with contextlib.nullcontext(plain) if module is None else module.open(plain, "wb") as file:
            yield file


@contextlib.contextmanager
def plain_file(path: str) -> Iterator[Any]:
    """`_plain`, with the package's errors."""
    try:
        with _plain(path) as file:
            yield file
    except OSError as error:
        raise _error("E_WRITE", f"{path}: {error.strerror}", file=path) from error


@contextlib.contextmanager
def _plain(path: str) -> Iterator[Any]:
    """A file to write to, which appears when it is complete. As the library's: links are followed, the permissions of a
    file that is replaced stay, and what is no file (a pipe, a device) is written to."""
    if path == "-":
        if sys.stdout is not None:
            sys.stdout.flush()
        with open(1, "wb", closefd=False) as file:
            yield file
        return
    target, known = os.path.realpath(path), os.path.exists(path)
    if known and not os.path.isfile(path):
        with open(os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC), "wb") as file:
            yield file
        return
    if known and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = os.stat(target).st_mode & 0o777 if known else 0o666
    partial = os.path.join(os.path.dirname(target), ".heddle-" + secrets.token_hex(8))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    with open(os.open(partial, flags, mode), "wb") as file:  # by its number: .gz files contain the name
        try:
            if known:
                os.fchmod(file.fileno(), mode)
            yield file
            file.close()
            os.replace(partial, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(partial)
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
