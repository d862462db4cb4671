#!/usr/bin/env python3
"""Makes python/heddle/_methods.pyi, by which type checkers and editors know the algorithms and their options, from the
library's tables and heddle.h.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python scripts/python-stubs.py > python/heddle/_methods.pyi

A test compares.
"""
from heddle._algorithms import ALIASES, COMMON, TABLE
from heddle._library import _known_keywords, header, table

HEAD = '''"""Made by scripts/python-stubs.py: the methods of Graph that run algorithms, and `generate`."""
from os import PathLike
from typing import Any, Callable, Literal

from ._graph import Graph
from ._result import Result

Path = str | PathLike[str]
Progress = bool | Callable[[str, int, int], Any]
'''
FOLDERS = ("checkpoint", "keep_source", "spill")


def kind(struct, name):
    """The type of an option in Python."""
    declared = header.fields[struct][name].declared
    if name in ("sources", "pairs"):
        return "Any"
    if declared in header.enums:
        return f"Literal[{', '.join(repr(one.lower()) for one in header.enums[declared])}]"
    if declared == "const char *":
        return "Path" if name in FOLDERS else "str"
    if declared == "int":
        return "bool" if _known_keywords.get(name) else "int"
    plain = {"double": "float", "uint64_t": "int | str" if name.endswith("limit") else "int"}
    return plain.get(declared, "Any")  # a value for each vertex: arrays, dicts, Series


def listed(parameters, end, indent):
    """A signature, at most 120 columns wide."""
    lines, line = [], indent
    for one in parameters:
        if len(line) + len(one) + 2 > 118:
            lines.append(line.rstrip())
            line = indent
        line += one + ", "
    return "\n".join([*lines, line.rstrip(", ") + end])


def option(struct, name):
    found = kind(struct, name)
    return f"{name}: Any = ..." if found == "Any" else f"{name}: {found} | None = ..."


def method(name, algorithm):
    starts = ["source: Any = ..."] if "sources" in algorithm.own else []
    options = [option("heddle_run_options", one) for one in [*algorithm.own, *COMMON]]
    parameters = ["self", *starts, "*", *options, "threads: int | None = ...", "verify: bool = ...",
                  "progress: Progress | None = ..."]
    print(f"    def {name}(\n{listed(parameters, '', ' ' * 8)}\n    ) -> Result: ...")


def main():
    print(HEAD)
    print("class Methods:")
    for name, algorithm in TABLE.items():
        method(name, algorithm)
    for alias, name in ALIASES.items():
        if name in TABLE:
            method(alias, TABLE[name])
    generators = list(table("heddle_generator_at"))
    own = list(dict.fromkeys(word for one in generators for word in one.options.decode().split()))
    build = [name for name in header.fields["heddle_build_options"] if name not in ("size", "reserved")]
    kinds = ", ".join(repr(one.kind.decode()) for one in generators)
    parameters = [f"kind: Literal[{kinds}] = ...", "*", *[option("heddle_generate_options", one) for one in own],
                  *[option("heddle_build_options", one) for one in build], "threads: int | None = ...",
                  "progress: Progress | None = ..."]
    print(f"\ndef generate(\n{listed(parameters, '', ' ' * 4)}\n) -> Graph: ...")


if __name__ == "__main__":
    main()
