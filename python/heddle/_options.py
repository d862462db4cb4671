"""Keyword arguments into the library's structs of options, by the types that the header declares."""
from __future__ import annotations

import difflib
import os
from typing import Any, Callable, Iterable

import numpy as np

from ._arrays import Array, per_vertex
from ._library import header
from .errors import argument

_SIZES = {"K": 10, "M": 20, "G": 30, "T": 40}
#: Options whose 0 means "the default" to the library: a caller who writes 0 does not mean that.
_NOT_ZERO = ("tolerance", "max_iterations", "samples", "delta", "confidence", "top", "alpha", "walks", "length",
             "p", "q", "checkpoint_every", "memory_limit")
_PER_VERTEX = {"const double *": np.float64, "const unsigned char *": np.uint8}


def byte_count(given: Any, name: str) -> int:
    """A number of bytes: an integer, or text as the command takes it, "4G"."""
    if isinstance(given, str):
        text = given.strip().upper().removesuffix("B").removesuffix("I")
        shift = _SIZES.get(text[-1:], 0)
        try:
            return int(float(text[:-1] if shift else text) * (1 << shift))
        except (ValueError, OverflowError):
            raise argument(f"{name}: a number of bytes such as 100000000 or '4G' is needed, not {given!r}") from None
    return whole(given, name)


def whole(given: Any, name: str) -> int:
    try:
        return given.__index__()  # type: ignore[no-any-return]
    except (AttributeError, TypeError):  # the latter: an array of several
        raise argument(f"{name}: an integer is needed, not {given!r}") from None


def _enumerated(declared: str, given: Any, name: str) -> int:
    values = header.enums[declared]
    name_in_c = given.upper().replace("-", "_") if isinstance(given, str) else ""
    if name_in_c in values:
        return values[name_in_c]
    known = ", ".join(key.lower() for key in values)
    raise argument(f"{name}: one of {known} is needed, not {given!r}")


def build_options() -> list[str]:
    """Names of the options of building that no run has."""
    return [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved", "memory_limit")]


class Filler:
    """Sets fields of structs, and keeps what they point at."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def fill(self, struct: Any, declared_as: str, given: Iterable[tuple[str, Any]], graph: Any = None) -> None:
        fields = header.fields[declared_as]
        for name, value in given:
            if name in _NOT_ZERO and isinstance(value, (int, float)) and value == 0:
                raise argument(f"{name}: a number above 0 is needed, not {value!r}; None is the default")
            self.set(struct, name, fields[name].declared, value, graph)

    def set(self, struct: Any, name: str, declared: str, value: Any, graph: Any) -> None:
        if declared == "const char *":
            setattr(struct, name, self._text(value, name))
        elif declared in _PER_VERTEX:
            if value is not None:
                made: Array = per_vertex(graph.in_order(value, name), name, graph.vertices, _PER_VERTEX[declared])
                self.kept.append(made)
                setattr(struct, name, made.ctypes.data)
        elif declared in header.enums:
            setattr(struct, name, _enumerated(declared, value, name))
        elif declared == "double":
            try:
                setattr(struct, name, float(value))
            except (TypeError, ValueError):
                raise argument(f"{name}: a number is needed, not {value!r}") from None
        elif declared == "char":
            self._character(struct, name, value)
        else:
            self._integer(struct, name, declared, value)

    def _text(self, value: Any, name: str) -> Any:
        if value is None:
            return None
        try:
            text = os.fsencode(value)
        except TypeError:
            raise argument(f"{name}: text is needed, not {value!r}") from None
        except UnicodeEncodeError as error:
            raise argument(f"{name}: {error}") from None
        if b"\0" in text:
            raise argument(f"{name}: text without NUL is needed")
        self.kept.append(text)
        return text

    def path(self, given: Any) -> bytes:
        """The name of a file."""
        if given is None:
            raise argument("path: the name of a file is needed, not None")
        made: bytes = self._text(given, "path")
        return made

    def _character(self, struct: Any, name: str, value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, str) or len(value.encode()) != 1:
            raise argument(f"{name}: one character is needed, not {value!r}")
        setattr(struct, name, value.encode())

    def _integer(self, struct: Any, name: str, declared: str, value: Any) -> None:
        if value is None:
            return
        number = byte_count(value, name) if name.endswith("limit") else whole(value, name)
        bits = 31 if declared == "int" else 64
        if not (-(1 << bits) if declared == "int" else 0) <= number < 1 << bits:
            raise argument(f"{name}: {number} is out of range")
        setattr(struct, name, number)


def refuse_unknown(what: str, given: Iterable[str], known: Callable[[str], bool], names: Iterable[str]) -> None:
    for name in given:
        if not known(name):
            near = difflib.get_close_matches(name, names := list(names), n=1, cutoff=0.75)
            raise TypeError(f"{what} has no option {name!r}; " +
                            (f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(names)}"))
