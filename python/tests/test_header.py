"""The header as the binding reads it, against the compiler; and the tables of the library."""
import ctypes
import inspect
import os
import re
import shutil
import subprocess

import pytest

import heddle
from heddle import _algorithms, _library
from conftest import ROOT


def test_structs_as_the_compiler_sees_them(tmp_path):
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler")
    lines = ['#include "heddle.h"', "#include <stdio.h>", "int main(void) {"]
    for name, struct in _library.structs.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));' for field, *_ in struct._fields_]
    constants = [name for name in _library.constants if name.startswith("HEDDLE_")]
    lines += [f'printf("{name} %lld\\n", (long long){name});' for name in constants]
    source, program = tmp_path / "measure.c", tmp_path / "measure"
    source.write_text("\n".join([*lines, "return 0; }"]))
    include = os.path.join(ROOT, "include")
    if not os.path.exists(os.path.join(include, "heddle.h")):
        include = os.path.dirname(heddle.__file__)
    subprocess.run([compiler, "-I", include, source, "-o", program], check=True)
    seen = dict(line.split() for line in subprocess.run([program], check=True, capture_output=True,
                                                        text=True).stdout.splitlines())
    ours = {}
    for name, struct in _library.structs.items():
        ours[name] = ctypes.sizeof(struct)
        ours.update({f"{name}.{field}": getattr(struct, field).offset for field, *_ in struct._fields_})
    ours.update({name: ctypes.c_int64(_library.constants[name]).value for name in constants})
    assert {name: int(value) for name, value in seen.items()} == ours
    assert len(_library.header.functions) > 70


def test_every_status_has_an_exception():
    assert set(heddle.errors.BY_STATUS) == set(_library.header.enums["heddle_status"]) - {"OK"}


def test_methods_follow_the_table():
    graph = heddle.Graph.from_edges([(0, 1), (1, 2)])
    assert list(heddle.algorithms())
    for name in heddle.algorithms():
        method = getattr(graph, name)
        assert "device" in inspect.signature(method).parameters
        assert method.__doc__
    declared = inspect.getsource(_algorithms.Algorithms).split("def run")[0]
    for name in re.findall(r"def (\w+)\(self, (?:source: Any = None, )?\*\*options", declared):  # for type checkers
        assert name in heddle.algorithms() or name in _algorithms.ALIASES


def test_tables():
    assert "rmat" in heddle.generators() and "mtx" in heddle.formats() and "auto" in heddle.plans()
    assert heddle.__version__ in heddle.build_info or heddle.__version__.count(".") == 2
    kinds = [one["kind"] for one in heddle.devices()]
    assert kinds[0] == "cpu" and len(kinds) > 1
