"""Reads include/heddle.h and gives its structs, enumerators and functions as ctypes.

The header is the only description of the library's interface: a field or function that it gains is usable from here
without a change. What is read is the subset of C in which the header is written; tests/test_header.py compares every
offset with the compiler's.
"""
from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass, field
from typing import Any

_SCALARS: dict[str, Any] = {
    "int": ctypes.c_int, "char": ctypes.c_char, "unsigned char": ctypes.c_ubyte, "double": ctypes.c_double,
    "float": ctypes.c_float, "size_t": ctypes.c_size_t, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "void": None,
}
_STRUCT = re.compile(r"typedef struct (heddle_\w+) \{(.*?)\n\} \1;", re.S)
_ENUM = re.compile(r"typedef enum (heddle_\w+) \{(.*?)\} \1;", re.S)
_FUNCTION = re.compile(r"HEDDLE_API ([^;{#]*?)(\w+)\(([^;{]*?)\);", re.S)


@dataclass
class Field:
    """A field of a struct: its type as the header writes it, and the comment beside it."""
    name: str
    declared: str
    comment: str = ""


@dataclass
class Header:
    structs: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, dict[str, Field]] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)  # {"heddle_precision": {"SINGLE": 1}}
    constants: dict[str, int] = field(default_factory=dict)
    functions: dict[str, tuple[Any, list[Any]]] = field(default_factory=dict)  # result, arguments


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", text, flags=re.S)).strip()


def _number(text: str) -> int | None:
    text = text.strip().strip("()")
    limits = {"UINT64_MAX": 2**64 - 1, "UINT32_MAX": 2**32 - 1}
    if text in limits:
        return limits[text]
    try:
        return int(text, 0)
    except ValueError:
        return None


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.header = Header()
        self.types = dict(_SCALARS)

    def read(self) -> Header:
        for name, value in re.findall(r"^#define (HEDDLE_\w+) (\S+)", self.text, re.M):
            number = _number(value)
            if number is not None:
                self.header.constants[name] = number
        for name, body in _ENUM.findall(self.text):
            self._enum(name, body)
        for base, name in re.findall(r"typedef (u?int\d+_t) (heddle_\w+);", self.text):
            self.types[name] = _SCALARS[base]
        for name in re.findall(r"typedef \w+ \(\*(heddle_\w+)\)\(", self.text):
            self.types[name] = ctypes.c_void_p
        for name, body in _STRUCT.findall(self.text):
            self._struct(name, body)
        for result, name, arguments in _FUNCTION.findall(self.text):
            names = [self._argument(one) for one in _plain(arguments).split(",") if one.strip() != "void"]
            self.header.functions[name] = (self._result(_plain(result)), names)
        return self.header

    def _enum(self, name: str, body: str) -> None:
        pairs: list[tuple[str, int]] = []
        if "STATUS_MAP" in body:
            pairs = [(key, int(value)) for key, value in re.findall(r"X\((\w+), (-?\d+),", self.text)]
        else:
            value = -1
            for one in _plain(body).split(","):
                key, _, given = one.partition("=")
                if key.strip():
                    value = int(given, 0) if given.strip() else value + 1
                    pairs.append((key.strip(), value))
        shared = name.upper() + "_" if len(pairs) < 2 or "STATUS_MAP" in body else _common([key for key, _ in pairs])
        self.header.enums[name] = {key.removeprefix(shared): value for key, value in pairs}
        self.header.constants.update(pairs)
        self.types[name] = ctypes.c_int

    def _struct(self, name: str, body: str) -> None:
        fields: list[tuple[str, Any]] = []
        known: dict[str, Field] = {}
        comments = _comments(body)
        for line in re.sub(r"/\*.*?\*/", " ", body, flags=re.S).split(";"):
            line = " ".join(line.split())
            if not line:
                continue
            for field_name, declared, kind in self._declared(line):
                fields.append((field_name, kind))
                known[field_name] = Field(field_name, declared, comments.get(field_name, ""))
        self.types[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        self.header.structs[name] = self.types[name]
        self.header.fields[name] = known

    def _declared(self, line: str) -> list[tuple[str, str, Any]]:
        pointer = re.match(r".*\(\*(\w+)\)\(", line)
        if pointer:
            return [(pointer.group(1), "function", ctypes.c_void_p)]
        first = re.match(r"((?:const )?(?:struct )?(?:unsigned )?\w+) (.*)", line)
        assert first, line
        base, rest = first.groups()
        found = []
        for one in rest.split(","):
            stars = one.count("*") + one.count("const")
            name = re.sub(r"\bconst\b|\*", " ", one).strip()
            sizes = re.findall(r"\[([^\]]*)\]", name)
            name = name.split("[")[0].strip()
            declared = base + (" *" * one.count("*"))
            kind = self._kind(base, stars > 0, one.count("*"))
            for size in reversed(sizes):
                kind = kind * (self.header.constants[size] if size in self.header.constants else int(size))
            found.append((name, declared, kind))
        return found

    def _kind(self, base: str, pointer: bool, stars: int) -> Any:
        if not pointer:
            return self.types[base.removeprefix("const ")]
        return ctypes.c_char_p if base == "const char" and stars == 1 else ctypes.c_void_p

    def _argument(self, text: str) -> Any:
        text = text.strip()
        if text.count("*"):
            return ctypes.c_char_p if re.match(r"const char \*\w+$", text) else ctypes.c_void_p
        return self.types[text.rsplit(" ", 1)[0].strip()]

    def _result(self, text: str) -> Any:
        if not text.endswith("*"):
            return self.types[text]
        base = text.rstrip("* ").removeprefix("const ").strip()
        if base == "char":
            return ctypes.c_char_p
        return ctypes.POINTER(self.types[base]) if base in self.header.structs else ctypes.c_void_p


def _common(names: list[str]) -> str:
    """The words that all enumerators begin with: HEDDLE_WEIGHT_NONE, HEDDLE_WEIGHT_U32: HEDDLE_WEIGHT_."""
    start = names[0]
    for name in names[1:]:
        while not name.startswith(start):
            start = start[:-1]
    return start[:start.rfind("_") + 1]


def _comments(body: str) -> dict[str, str]:
    """{field: its comment}: the one behind its declaration; else the one above, on lines of its own, which is for all
    fields that follow it without one."""
    found: dict[str, str] = {}
    above, declared = "", []
    for start, comment, declaration in re.findall(r"(\n?) *(?:/\*(.*?)\*/|([^;/]+);)", body, re.S):
        text = " ".join(re.sub(r"\n\s*\*", " ", comment).split())
        if declaration:
            declared = [words[-1] for words in (re.findall(r"\w+", one.split("[")[0]) for one in declaration.split(","))
                        if words]
            found.update(dict.fromkeys(declared, above))
        elif start:
            above = text
        else:
            found.update(dict.fromkeys(declared, text))
            above = ""
    return found


def read(path: str) -> Header:
    with open(path, encoding="utf-8") as file:
        return _Reader(file.read()).read()
