"""Arrow's C data interface: streams of pandas, polars, pyarrow, DuckDB … pass through to the library, which reads them,
and results come back as such streams. Strings of Python become `Text`, as the library takes them."""
from __future__ import annotations

import ctypes
from typing import Any, Container, Optional, Sequence

import numpy as np

from .errors import argument

Array = np.ndarray[Any, Any]


class _Stream(ctypes.Structure):
    """An ArrowArrayStream, whose functions the library calls."""


_Stream._fields_ = [
    ("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]
_NAME = b"arrow_array_stream"
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Exported:
    """The stream of a table or a column, which a call of the library takes over."""

    def __init__(self, given: Any) -> None:
        try:
            self.capsule = given.__arrow_c_stream__()
        except (TypeError, ValueError) as error:  # pyarrow's errors are these too
            raise argument(f"the table cannot be read as one of Arrow: {error}") from error
        self.address = _pointer(id(self.capsule), _NAME)


_streams: dict[int, _Stream] = {}  # in capsules, by their addresses


def _close(capsule: int) -> None:
    """The end of a capsule: releases a stream that has not been taken."""
    stream = _streams.pop(_pointer(capsule, _NAME) or 0, None)
    if stream is not None and stream.release:
        stream.release(ctypes.byref(stream))


_closer = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_close)


def new_stream() -> _Stream:
    return _Stream()


def in_capsule(stream: _Stream) -> Any:
    """The capsule that `__arrow_c_stream__` returns."""
    address = ctypes.addressof(stream)
    _streams[address] = stream
    return _capsule(address, _NAME, ctypes.cast(_closer, ctypes.c_void_p))


def is_column(given: Any) -> bool:
    """Whether the library reads it as it is: a column of polars or pyarrow. One of pandas may be of any objects."""
    return hasattr(given, "__arrow_c_stream__") and not hasattr(given, "iloc") and not hasattr(given, "columns")


def array(given: Any, name: str) -> Array:
    """A column that NumPy cannot read by itself."""
    try:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise argument(f"{name}: reading an array of Arrow alone needs pyarrow, which is not installed: pass a table "
                       "to from_dataframe, or a NumPy array") from None
    try:
        stream = hasattr(given, "__arrow_c_stream__")
        made = pyarrow.chunked_array(given) if stream else pyarrow.array(given)
        return np.asarray(made.to_numpy(zero_copy_only=False) if not stream else made.to_numpy())
    except (TypeError, ValueError) as error:
        raise argument(f"{name}: not an array of Arrow: {error}") from error


class Text:
    """Strings as the library takes them (heddle_strings): parts of one array of bytes, each from an offset to the next
    one, or by their lengths; with codes they are a dictionary."""

    def __init__(self, data: Array, offsets: Array, lengths: Optional[Array] = None,
                 codes: Optional[Array] = None) -> None:
        self.data, self.offsets, self.lengths, self.codes = data, offsets, lengths, codes

    @property
    def count(self) -> int:
        """Of strings, those of a dictionary."""
        return len(self.offsets) - 1 if self.lengths is None else len(self.offsets)

    def __len__(self) -> int:
        return self.count if self.codes is None else len(self.codes)

    @classmethod
    def of(cls, strings: Sequence[Any], name: str) -> "Text":
        """From Python's strings, or from bytes, which are UTF-8."""
        count, content = len(strings), b""
        try:
            if count and isinstance(strings[0], bytes):
                content = b"\0".join(strings)
            else:
                content = "\0".join(strings).encode("utf-8", "surrogateescape")
        except TypeError:
            kind = bytes if isinstance(strings[0], bytes) else str
            odd = next(one for one in strings if not isinstance(one, kind))
            raise argument(f"{name}: all ids must be strings, and {odd!r} is not") from None
        except UnicodeEncodeError:
            odd = next(one for one in strings if encoded(one) is None)
            raise argument(f"{name}: the id {odd!r} has half of a character that two code units make, which "
                           "no UTF-8 has") from None
        data = np.frombuffer(content, np.uint8)
        ends = np.append(np.flatnonzero(data == 0), len(data)) if count else np.empty(0, np.int64)
        if len(ends) != count:
            odd = next(k for k, one in enumerate(strings) if ("\0" if isinstance(one, str) else b"\0") in one)
            raise argument(f"{name}: element {odd} has NUL in it, which no id has")
        starts = np.zeros(count, np.int64)
        starts[1:] = ends[:-1] + 1
        return cls(data, starts, ends - starts)

    def taken(self, codes: Array) -> "Text":
        """The strings as a dictionary."""
        return Text(self.data, self.offsets, self.lengths, codes)

    def fill(self, struct: Any) -> None:
        """Sets the fields of a heddle_strings; the arrays have to stay."""
        self.offsets = np.ascontiguousarray(self.offsets)
        struct.text, struct.offsets, struct.count = self.data.ctypes.data, self.offsets.ctypes.data, self.count
        struct.offset_bits = 8 * self.offsets.itemsize
        if self.lengths is not None:
            self.lengths = np.ascontiguousarray(self.lengths, np.int64)
            struct.lengths = self.lengths.ctypes.data
        if self.codes is not None:
            self.codes = np.ascontiguousarray(self.codes)
            struct.codes, struct.code_bits = self.codes.ctypes.data, 8 * self.codes.itemsize


def encoded(label: Any) -> Optional[bytes]:
    """A label as the library has it; None if none can be this."""
    if not isinstance(label, str) or "\0" in label:
        return None
    try:
        return label.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


class Usual(str):
    """The name of a column that a table may lack."""


def present(names: list[Any], labels: Container[Any]) -> list[Any]:
    """The columns to be read."""
    return [name for name in names if not isinstance(name, Usual) or name in labels]


#: The column of weights of a table that has one.
IF_THERE = Usual("weight")
