"""Opens libheddle and types its functions by the header that lies beside it.

In an installed package both are in this folder. $HEDDLE_LIBRARY names another library; in a source tree the header is
found in include/.
"""
from __future__ import annotations

import ctypes
import os
import re
from typing import Any

from . import _header, errors

_here = os.path.dirname(os.path.abspath(__file__))


def _first(*paths: str) -> str:
    for path in paths:
        if os.path.exists(path):
            return path
    raise ImportError("heddle: none of these files exists: " + ", ".join(paths))


def _open() -> ctypes.CDLL:
    given = os.environ.get("HEDDLE_LIBRARY")
    path = given or _first(os.path.join(_here, "libheddle.so"), os.path.join(_here, "libheddle.dylib"))
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"heddle: cannot open the library: {error}") from error


header = _header.read(_first(os.path.join(_here, "heddle.h"),
                             os.path.join(_here, "..", "..", "include", "heddle.h")))
lib = _open()
structs = header.structs
constants = header.constants
OK: int = constants["OK"]

for _name, (_result, _arguments) in header.functions.items():
    try:
        _function = getattr(lib, _name)
    except AttributeError:
        raise ImportError(f"heddle: {lib._name} lacks {_name}: it is older than the package's heddle.h") from None
    _function.restype, _function.argtypes = _result, _arguments

version: str = lib.heddle_version().decode()
build_info: str = lib.heddle_build_info().decode()
_status_names = {code: name for name, code in header.enums["heddle_status"].items()}


def error_of(context: int | None, status: int) -> errors.HeddleError:
    """The exception for what a call with this context returned."""
    name = _status_names.get(status, "E_INTERNAL")
    record = lib.heddle_context_error(context).contents
    if record.status != status:  # a call without a record
        return errors.make(name, status, lib.heddle_status_text(status).decode())
    text = {key: getattr(record, key).decode("utf-8", "replace") for key in ("message", "file", "token", "expected")}
    text["expected"] = in_python(text["expected"])
    message = in_python(text.pop("message"), text["file"])
    return errors.make(name, status, message, line=record.line, column=record.column, **text)


def options(name: str) -> Any:
    """A struct of options with its defaults."""
    made = structs[name]()
    getattr(lib, name + "_init_sized")(ctypes.byref(made), ctypes.sizeof(made))
    return made


def answer(name: str) -> Any:
    """A struct that a call fills."""
    made = structs[name]()
    made.size = ctypes.sizeof(made)
    return made


def table(function: str) -> list[Any]:
    """The entries of one of the library's tables: heddle_algorithm_at …"""
    found: list[Any] = []
    at = getattr(lib, function)
    while entry := at(len(found)):
        found.append(entry if isinstance(entry, bytes) else entry.contents)
    return found


def copy_value(value: Any) -> Any:
    """A field of a struct as a Python object: text, numbers, lists of them."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, ctypes.Array):
        if value._type_ is ctypes.c_char:  # a row of a table of texts
            return value.value.decode("utf-8", "replace")
        return [copy_value(one) for one in value]
    if isinstance(value, ctypes.Structure):
        return as_dict(value)
    return value


def as_dict(struct: ctypes.Structure) -> dict[str, Any]:
    return {name: copy_value(getattr(struct, name)) for name, *_ in struct._fields_
            if name not in ("size", "reserved")}


#: Options of the command that have another name here.
_RENAMED = {"no_isolated": "drop_isolated", "personalize": "personalization", "to": "format", "dedup": "duplicates",
            "undirected": "symmetrize", "param": "parameters"}
#: Values of options that have another name here.
_RENAMED_VALUES = {"int": "integer"}
#: Fields of type int that are numbers, not switches.
_COUNTED = ("weight_column", "level", "scale")


def _keywords() -> dict[str, bool]:
    """The keyword arguments that messages may name, and whether each is a switch."""
    found = {"threads": False, "verify": True, "progress": False}
    for struct in ("build", "load", "save", "generate", "subgraph", "run"):
        for name, field in header.fields[f"heddle_{struct}_options"].items():
            found[name] = field.declared == "int" and name not in _COUNTED
    return found


def _values() -> str:
    """Words that may follow an option in a message as its value; others belong to the sentence."""
    words = {"cpu", "none", *_RENAMED_VALUES, *(one.name.decode() for one in table("heddle_format_at"))}
    for kind in ("id_choice", "header_choice", "weight_type", "duplicates", "precision"):
        words.update(name.lower() for name in header.enums[f"heddle_{kind}"])
    return "|".join(sorted(words))


_known_keywords = _keywords()
#: Advice for the shell, and what does the same here.
_ADVICE = [(re.compile(shell), python) for shell, python in (
    (r"(pandas\.read_\w+\(IN\))\.to_csv\(OUT, index=False\) makes an edge list of it",
     r"heddle.Graph.from_dataframe(\1) takes it"),
    (r"numpy\.savetxt\('OUT\.txt', (numpy\.load\('IN'\)), fmt='%d'\) makes an edge list of pairs",
     r"heddle.Graph.from_edges(\1) takes pairs"),
    (r"scipy\.io\.mmwrite\('OUT\.mtx', (.*)\) makes Matrix Market of it", r"heddle.Graph.from_scipy(\1) takes it"),
    (r"networkx\.write_edgelist\((networkx\.read_\w+\(IN\)), OUT, data=False\)",
     r"heddle.Graph.from_networkx(\1) takes it"),
    (r"networkx\.write_graphml\((.*), OUT\) makes GraphML of it", r"heddle.Graph.from_networkx(\1) takes it"),
    (r"--weight-column none reads the file without weights", "a graph made without weights has none"),
    (r"'heddle subgraph --min-weight 0' drops", "g.subgraph(min_weight=0) drops"),
    (r"--format, or --from of convert", "--format"))]
#: What is quoted from a file or an argument, and a call of the command, which stay as they are; or a field of a struct
#: of options, or C's word for None; or an option of the command, and its value.
_option = re.compile(r"(?<!\w)'[^']*'|heddle [a-z]+ [^:;,()]*|\boptions->(?P<field>\w+)|\b(?P<null>NULL)\b|"
                     rf"(?<![\w-])--(?P<name>[a-z]+(?:-[a-z]+)*)(?:[ =](?P<value>\d+|(?:{_values()})\b))?")
#: A keyword, and behind it the same again, which was the command's option.
_twice = re.compile(r"\b(?:option )?(\w+)(?:=True)? \((?:or )?(\1(?:=True)?)\)")


def in_python(text: str, file: str = "") -> str:
    """A message of the library in Python's words: keyword arguments in place of the command's options (lossy=True for
    --lossy) and of fields in C, and advice for Python. The name of a file that it begins with stays."""
    start = len(file) if text.startswith(file) else 0
    detail = text[start:]
    for shell, python in _ADVICE:
        detail = shell.sub(python, detail)
    return text[:start] + _twice.sub(r"\2", _option.sub(_as_keyword, detail))


def _as_keyword(found: "re.Match[str]") -> str:
    if found["field"] or found["null"]:
        return found["field"] or "None"
    name, value = (found["name"] or "").replace("-", "_"), found["value"]
    name = _RENAMED.get(name, name)
    if name not in _known_keywords:
        return found[0]
    if value is None:
        return name + ("=True" if _known_keywords[name] else "")
    if _known_keywords[name]:  # a switch has no value: the word is the sentence's
        return f"{name}=True {value}"
    return f"{name}={value}" if value.isdigit() else f'{name}="{_RENAMED_VALUES.get(value, value)}"'
