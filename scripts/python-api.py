#!/usr/bin/env python3
"""Makes docs/python-api.md, the reference of the Python package, from its docstrings.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python scripts/python-api.py > docs/python-api.md

A test compares. The methods that run algorithms are not listed one by one: they come from the library's table.
"""
import inspect

import heddle
from heddle import errors
from heddle._algorithms import ALIASES, TABLE

HEAD = """# Python reference

Made from the docstrings by `scripts/python-api.py`; the tutorial is [python.md](python.md).
"""
SPECIAL = {"__getitem__": "result[id]", "__array__": "numpy.asarray(result)"}
METHODS = """### Algorithms

Each entry of `heddle.algorithms()` is a method of `Graph`, and returns a `Result`: `g.bfs(source)`, `g.cc()` … Those
that start at vertices take one id as `source`, or several as `sources`. All options are keywords named as in the
command; `help(heddle.Graph.bfs)` lists those of one algorithm. `threads`, `verify` and `progress` are options of every
run. Other names: {aliases}.
"""


def signature(function, method):
    """Names and defaults; annotations are in the source."""
    parts, star = [], False
    for parameter in list(inspect.signature(function).parameters.values())[1 if method else 0:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        name = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        star = star or parameter.kind is parameter.VAR_POSITIONAL
        parts.append(name if parameter.default is parameter.empty else f"{name}={parameter.default!r}")
    return f"({', '.join(parts)})"


def head(name, call):
    """A title that is short, and below it how it is called."""
    return f"### {name}\n\n```python\n{name}{call}\n```\n"


def text(thing):
    return inspect.cleandoc(thing.__doc__ or "") + "\n"


def members(kind):
    """What a class defines itself: the public part, in the order of the source."""
    elsewhere = {*TABLE, *ALIASES, *heddle.__all__} - {"explain"}
    for base in reversed([one for one in kind.__mro__ if one.__module__.startswith("heddle")]):
        for name, value in vars(base).items():
            if name.startswith("_") and name not in ("__getitem__", "__array__") or name in elsewhere:
                continue
            yield name, value


def of_class(kind):
    print(f"## heddle.{kind.__name__}\n\n{text(kind)}")
    if kind is heddle.Graph:
        aliases = ", ".join(f"`{alias}` for `{name}`" for alias, name in ALIASES.items())
        print(METHODS.format(aliases=aliases))
    for name, value in members(kind):
        if isinstance(value, property):
            print(f"### {kind.__name__}.{name}\n\n{text(value)}")
        elif isinstance(value, (classmethod, staticmethod)):
            print(head(f"{kind.__name__}.{name}", signature(value.__func__, isinstance(value, classmethod))))
            print(text(value.__func__))
        elif inspect.isfunction(value) and value.__doc__:
            title = SPECIAL.get(name, name)
            print(head(f"{kind.__name__}.{title}", signature(value, True)) if title == name else f"### {title}\n")
            print(text(value))


def main():
    print(HEAD)
    print("## Functions\n")
    for name in heddle.__all__:
        value = getattr(heddle, name)
        if inspect.isfunction(value):
            print(head(f"heddle.{name}", signature(value, False)))
            print(text(value))
    of_class(heddle.Graph)
    of_class(heddle.Result)
    of_class(heddle.Table)
    print("## Errors\n")
    for name in heddle.__all__:
        value = getattr(heddle, name)
        if inspect.isclass(value) and issubclass(value, errors.HeddleError):
            builtin = [one.__name__ for one in value.__mro__ if one.__module__ == "builtins"]
            kinds = [one for one in builtin if one not in ("Exception", "BaseException", "object", "LookupError")]
            print(f"- `heddle.{name}`{' (' + ', '.join(kinds) + ')' if kinds else ''}: "
                  + " ".join((value.__doc__ or "").split()))


if __name__ == "__main__":
    main()
