#!/usr/bin/env python3
"""Makes python/heddle/_methods.pyi, by which type checkers and editors know the algorithms and their options, from the
library's tables and heddle.h.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python scripts/python-stubs.py > python/heddle/_methods.pyi

A test compares.
"""
from heddle._algorithms import ALIASES, COMMON, TABLE
from heddle._library import _known_keywords, header, table

HEAD = '''"""Made by scripts/python-stubs.py: the methods of Graph that run algorithms, `generate`, and the options
of other methods."""
from os import PathLike
from typing import Any, Callable, Literal, TypedDict

from ._graph import Graph
from ._result import Result

Path = str | PathLike[str]
Progress = bool | Callable[[str, int, int], Any]
'''
PATHS = ("checkpoint", "keep_source", "spill", "vertices_from")
#: Options that take more than what C declares.
WIDER = {"header": " | bool", "weight_column": " | Literal['auto', 'none']"}


def kind(struct, name):
    """The type of an option in Python."""
    declared = header.fields[struct][name].declared
    if name in ("sources", "pairs", "blocks"):
        return "Any"
    if declared in header.enums:
        return f"Literal[{', '.join(repr(one.lower()) for one in header.enums[declared])}]"
    if declared == "const char *":
        return "Path" if name in PATHS else "str"
    if declared == "int":
        return "bool" if _known_keywords.get(name) else "int"
    plain = {"double": "float", "char": "str", "uint64_t": "int | str" if name.endswith("limit") else "int"}
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
    found = kind(struct, name) + WIDER.get(name, "")
    return f"{name}: Any = ..." if found == "Any" else f"{name}: {found} | None = ..."


def method(name, algorithm):
    starts = ["source: Any = ..."] if "sources" in algorithm.own else []
    options = [option("heddle_run_options", one) for one in [*algorithm.own, *COMMON]]
    parameters = ["self", *starts, "*", *options, "threads: int | None = ...", "verify: bool = ...",
                  "progress: Progress | None = ..."]
    print(f"    def {name}(\n{listed(parameters, '', ' ' * 8)}\n    ) -> Result: ...")


def own(struct):
    """The options of a struct that are keywords."""
    return [name for name in header.fields[struct] if name not in ("size", "reserved", "build", "keep")]


def typed(name, base, options):
    print(f"\nclass {name}({base}, total=False):")
    for one in options:
        print("    " + one.removesuffix(" = ..."))


def main():
    print(HEAD)
    print("class Methods:")
    for name, algorithm in TABLE.items():
        method(name, algorithm)
    for alias, name in ALIASES.items():
        if name in TABLE:
            method(alias, TABLE[name])
    generators = list(table("heddle_generator_at"))
    words = list(dict.fromkeys(word for one in generators for word in one.options.decode().split()))
    build = [option("heddle_build_options", one) for one in own("heddle_build_options")]
    kinds = ", ".join(repr(one.kind.decode()) for one in generators)
    every = ["threads: int | None = ...", "progress: Progress | None = ..."]
    parameters = [f"kind: Literal[{kinds}] = ...", "*", *[option("heddle_generate_options", one) for one in words],
                  *build, *every]
    print(f"\ndef generate(\n{listed(parameters, '', ' ' * 4)}\n) -> Graph: ...")
    typed("BuildOptions", "TypedDict", build)
    typed("MakeOptions", "BuildOptions", every)
    typed("EdgeOptions", "MakeOptions", ["vertices: int | None"])
    for name, base in (("Load", "BuildOptions"), ("Save", "TypedDict"), ("Subgraph", "TypedDict")):
        struct = f"heddle_{name.lower()}_options"
        typed(name + "Options", base, [option(struct, one) for one in own(struct)])


if __name__ == "__main__":
    main()
