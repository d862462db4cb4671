"""Columns by Arrow's C data interface: pandas, polars, pyarrow, DuckDB …, without any of them.

A producer hands over a stream of record batches whose structs are those below. Numbers become NumPy arrays over its
memory (one batch) or one copy (several); text becomes `Text`, which has it as the library wants it: NUL-terminated.
"""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

import numpy as np

from .errors import argument

Array = np.ndarray[Any, Any]

_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2",
            "f": "f4", "g": "f8"}


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p)]
_Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))), ("private_data", ctypes.c_void_p)]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]

_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_capsule.restype, _capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Owner:
    """Releases a batch or a schema when the last array over it is gone."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(ctypes.byref(self.struct))


class _Memory:
    """A buffer for NumPy, which keeps its batch alive."""

    def __init__(self, owner: Any, start: int, count: int, code: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (start, True), "shape": (count,), "typestr": "<" + code}


def _view(owner: Any, start: Optional[int], first: int, count: int, code: str) -> Array:
    if not count or not start:
        return np.empty(0, code)
    return np.asarray(_Memory(owner, start + first * np.dtype(code).itemsize, count, code))


class Text:
    """Strings, in one array of bytes in which each is followed by NUL."""

    def __init__(self, data: Array, starts: Array, lengths: Array) -> None:
        """Strings at data[starts[k] : starts[k] + lengths[k]]."""
        count = len(starts)
        places = np.zeros(count + 1, np.int64)
        np.cumsum(lengths + 1, out=places[1:])
        self.bytes = np.zeros(int(places[-1]), np.uint8)
        within = np.arange(int(lengths.sum()), dtype=np.int64)
        firsts = np.cumsum(lengths) - lengths
        self.bytes[np.repeat(places[:-1] - firsts, lengths) + within] = \
            data[np.repeat(starts - firsts, lengths) + within]
        if count and int((self.bytes == 0).sum()) != count:
            raise argument("an id has a NUL byte in it")
        self.starts, self.lengths = places[:-1], lengths

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, strings: Any, name: str) -> "Text":
        try:
            parts = [one.encode("utf-8", "surrogateescape") for one in strings]
        except AttributeError:
            odd = next(one for one in strings if not isinstance(one, str))
            raise argument(f"{name}: all ids must be strings, and {odd!r} is not") from None
        except UnicodeEncodeError as error:
            raise argument(f"{name}: the id {error.object!r} has half of a character that two code units make, which "
                           "no UTF-8 has") from None
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        return cls(np.frombuffer(b"".join(parts), np.uint8), np.cumsum(lengths) - lengths, lengths)

    @classmethod
    def joined(cls, parts: list["Text"]) -> "Text":
        made = cls.__new__(cls)
        bases = np.cumsum([0] + [len(part.bytes) for part in parts])
        made.bytes = np.concatenate([part.bytes for part in parts] or [np.zeros(0, np.uint8)])
        starts = [part.starts + base for part, base in zip(parts, bases)]
        made.starts = np.concatenate(starts or [np.zeros(0, np.int64)])
        made.lengths = np.concatenate([part.lengths for part in parts] or [np.zeros(0, np.int64)])
        return made

    def taken(self, indices: Array) -> "Text":
        """The strings that the indices of a dictionary name."""
        made = Text.__new__(Text)
        made.bytes, made.starts, made.lengths = self.bytes, self.starts[indices], self.lengths[indices]
        return made

    def pointers(self) -> Array:
        return np.ascontiguousarray(self.starts + self.bytes.ctypes.data, dtype=np.uint64)

    def to_list(self) -> list[str]:
        content = self.bytes.tobytes()
        return [content[start:start + length].decode("utf-8", "surrogateescape")
                for start, length in zip(self.starts.tolist(), self.lengths.tolist())]


Column = Union[Array, Text]


def _no_nulls(owner: Any, array: Any, first: int, count: int, name: str) -> None:
    if array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
        return
    bits = _view(owner, array.buffers[0], 0, (first + count + 7) // 8, "u1")
    valid = np.unpackbits(bits, bitorder="little")[first:first + count]
    if not valid.all():
        raise argument(f"{name}: row {int(np.argmin(valid))} has no value")


def _strings(owner: Any, array: Any, code: str, first: int, count: int) -> Text:
    offsets = _view(owner, array.buffers[1], first, count + 1 if count else 0, code).astype(np.int64)
    if not len(offsets):
        return Text(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0, np.int64))
    data = _view(owner, array.buffers[2], 0, int(offsets[-1]), "u1")
    return Text(data, offsets[:-1], np.diff(offsets))


def _string_views(owner: Any, array: Any, first: int, count: int) -> Text:
    """Strings of up to 12 bytes lie in their record of 16 bytes, longer ones in a buffer that the record names."""
    variadic = array.n_buffers - 3
    records = _view(owner, array.buffers[1], 16 * first, 16 * count, "u1").reshape(count, 16)
    words = np.ascontiguousarray(records).view("<i4").reshape(count, 4)
    lengths = words[:, 0].astype(np.int64)
    sizes = _view(owner, array.buffers[array.n_buffers - 1], 0, variadic, "i8")
    buffers = [_view(owner, array.buffers[2 + k], 0, int(sizes[k]), "u1") for k in range(variadic)]
    bases = 16 * count + np.cumsum([0] + [len(one) for one in buffers])
    data = np.concatenate([np.ascontiguousarray(records).reshape(-1), *buffers])
    starts = 16 * np.arange(count, dtype=np.int64) + 4
    far = lengths > 12
    if far.any():
        starts[far] = bases[words[far, 2]] + words[far, 3]
    return Text(data, starts, lengths)


def _column(owner: Any, schema: Any, array: Any, name: str, first: int, count: int) -> Column:
    first += array.offset
    code = (schema.format or b"").decode()
    _no_nulls(owner, array, first, count, name)
    if schema.dictionary:
        indices = _view(owner, array.buffers[1], first, count, _NUMBERS[code])
        known = array.dictionary.contents
        values = _column(owner, schema.dictionary.contents, known, name, 0, known.length)
        return values.taken(indices) if isinstance(values, Text) else values[indices]
    if code in _NUMBERS:
        return _view(owner, array.buffers[1], first, count, _NUMBERS[code])
    if code == "b":
        return np.unpackbits(_view(owner, array.buffers[1], 0, (first + count + 7) // 8 if count else 0, "u1"),
                             bitorder="little")[first:first + count].astype(bool)
    if code in ("u", "U", "z", "Z"):
        return _strings(owner, array, "i4" if code in "uz" else "i8", first, count)
    if code in ("vu", "vz"):
        return _string_views(owner, array, first, count)
    raise argument(f"{name}: a column of numbers or strings is needed, not of Arrow's type '{code}'")


def _join(parts: list[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, Text) for part in parts):
        return Text.joined([part for part in parts if isinstance(part, Text)])
    return np.concatenate([part for part in parts if isinstance(part, np.ndarray)]) if parts else np.empty(0, np.int64)


def _batches(given: Any) -> tuple[Any, list[Any]]:
    """The schema and the batches of a stream, or of one array."""
    schema, found = _Schema(), []
    if hasattr(given, "__arrow_c_stream__"):
        capsule = _exported(given)
        stream = _Stream.from_address(_capsule(capsule, b"arrow_array_stream"))
        if not stream.release:
            raise argument("the stream of Arrow was read before, and has nothing left: make it again")
        try:
            _fine(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
            while True:
                batch = _Array()
                _fine(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(batch)))
                if not batch.release:
                    break
                found.append(_Owner(batch))
        finally:
            if stream.release:
                stream.release(ctypes.byref(stream))
    else:
        first, second = given.__arrow_c_array__()
        moves = [(schema, _capsule(first, b"arrow_schema")), (batch := _Array(), _capsule(second, b"arrow_array"))]
        if not all(type(struct).from_address(source).release for struct, source in moves):
            raise argument("the array of Arrow was taken by another reader before: export it again")
        for struct, source in moves:
            ctypes.memmove(ctypes.byref(struct), source, ctypes.sizeof(struct))
            type(struct).from_address(source).release = type(struct.release)()  # moved: ours to release now
        found.append(_Owner(batch))
    return _Owner(schema), found


def _exported(given: Any) -> Any:
    """The capsule of a stream."""
    try:
        return given.__arrow_c_stream__()
    except (TypeError, ValueError) as error:  # pyarrow's errors are these too
        raise argument(f"the table cannot be read as one of Arrow: {error}") from error


def _fine(stream: Any, status: int) -> None:
    if status:
        text = stream.get_last_error(ctypes.byref(stream))
        raise argument("Arrow stream: " + (text.decode("utf-8", "replace") if text else f"error {status}"))


def columns(given: Any, names: list[Any], titles: Optional[list[str]] = None) -> list[Column]:
    """Columns of a table, by name or place; `titles` are their names in messages."""
    schema, batches = _batches(given)
    known = schema.struct
    if known.format != b"+s":
        raise argument("a table of columns is needed")
    labels = [(known.children[k].contents.name or b"").decode() for k in range(known.n_children)]
    made = []
    for name, title in zip(names, titles or map(str, names)):
        if isinstance(name, int) and 0 <= name < len(labels):
            at = name
        elif name in labels:
            at = labels.index(name)
        else:
            raise argument(f"there is no column {name!r}; there are: {', '.join(labels) or 'none'}")
        parts = [_column(owner, known.children[at].contents, owner.struct.children[at].contents, title,
                         owner.struct.offset, owner.struct.length) for owner in batches]
        made.append(_join(parts))
    return made


def column(given: Any, name: str) -> Column:
    """One array, or a stream of pieces of one."""
    schema, batches = _batches(given)
    return _join([_column(owner, schema.struct, owner.struct, name, 0, owner.struct.length) for owner in batches])
