#!/usr/bin/env python3
"""Checks that programs built with the header of the last release work with this library.

    scripts/check-abi.py COMPILER LIBHEDDLE.so

tests/abi/heddle.h is that header. tests/abi/use.c is built with it and run. Then the two headers are compared: every
function is declared as it was, every enumerator has its value, every field its place and size; a struct may have become
larger, with new fields behind all that the old one had, its padding included, or in place of `reserved`.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ABI = os.path.join(ROOT, "tests", "abi")
# Structs that lie inside others, or whose size is not told: they stay as they are.
FIXED = {"heddle_allocator", "heddle_adjacency", "heddle_build_options", "heddle_irregularity", "heddle_figure",
         "heddle_schedule_row", "heddle_cache_count"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)


def functions(text):
    """{name: declaration}, blanks made one."""
    found = {}
    for declaration in re.findall(r"HEDDLE_API ([^;{#]*);", text):
        declaration = re.sub(r"\s+", " ", declaration).strip()
        found[re.search(r"(heddle_\w+)\(", declaration).group(1)] = declaration
    return found


def names_of(line):
    """The fields that a declaration declares: `double a, b[3]`, `void (*release)(void *user)`."""
    pointer = re.search(r"\(\*(\w+)\)\(", line)
    if pointer:
        return [pointer.group(1)]
    return [re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part.strip()).group(1) for part in line.split(",")]


def structs(text):
    found = {}
    for name, body in re.findall(r"typedef struct (heddle_\w+) \{(.*?)\n\} \1;", text, flags=re.S):
        found[name] = [field for line in body.split(";") if line.strip() for field in names_of(line)]
    return found


def enumerators(text):
    names = ["HEDDLE_" + name for name in re.findall(r"X\((\w+), -?\d+,", text)]
    for body in re.findall(r"typedef enum \w+ \{(.*?)\} \w+;", text, flags=re.S):
        names += [name for name in re.findall(r"^\s*(HEDDLE_\w+)", body, flags=re.M) if name != "HEDDLE_STATUS_MAP"]
    return names


def measure(compiler, folder, header, text):
    """{"struct.field": (offset, size), "struct": (0, size), "ENUMERATOR": (0, value)} as the compiler sees them."""
    lines = ['#include "%s"' % header, "#include <stdio.h>", "int main(void) {"]
    for struct, fields in structs(text).items():
        lines.append('    printf("%s 0 %%zu\\n", sizeof(%s));' % (struct, struct))
        for field in fields:
            lines.append('    printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof(((%s *)0)->%s));'
                         % (struct, field, struct, field, struct, field))
    lines += ['    printf("%s 0 %%lld\\n", (long long)%s);' % (name, name) for name in enumerators(text)]
    lines.append("    return 0;\n}\n")
    source, program = os.path.join(folder, "measure.c"), os.path.join(folder, "measure")
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    subprocess.run([compiler, source, "-o", program], check=True)
    output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: (int(offset), int(size)) for name, offset, size in (line.split() for line in output.splitlines())}


def compare_functions(old_text, new_text):
    new = functions(new_text)
    return ["%s was '%s' and is '%s'" % (name, declaration, new.get(name, "gone"))
            for name, declaration in functions(old_text).items() if new.get(name) != declaration]


def compare_old(old, new):
    """What old programs know must be where it was."""
    for name, place in old.items():
        if name.endswith(".reserved"):
            continue
        if name not in new:
            yield "%s is gone" % name
        elif name.startswith("heddle_") and "." not in name:
            if new[name] < place or (name in FIXED and new[name] != place):
                yield "%s had %d bytes and has %d" % (name, place[1], new[name][1])
        elif new[name] != place:
            yield "%s was %s (offset, size or value) and is %s" % (name, place, new[name])


def compare_new(old, new):
    """What they do not know must lie behind all they know."""
    for name, (offset, _) in new.items():
        struct = name.split(".")[0]
        if name in old or struct not in old or name.endswith(".reserved"):
            continue
        first, room = old.get(struct + ".reserved", (0, 0))
        if offset < old[struct][1] and not first <= offset < first + room:
            yield "%s is new, at %d, inside the %d bytes that old programs know" % (name, offset, old[struct][1])


def main():
    compiler, library = sys.argv[1], os.path.abspath(sys.argv[2])
    old_header, new_header = os.path.join(ABI, "heddle.h"), os.path.join(ROOT, "include", "heddle.h")
    old_text, new_text = read(old_header), read(new_header)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "use")
        subprocess.run([compiler, "-I", ABI, os.path.join(ABI, "use.c"), "-o", program, library,
                        "-Wl,-rpath," + os.path.dirname(library)], check=True)
        complaints = []
        if subprocess.run([program], check=False).returncode != 0:
            complaints.append("tests/abi/use.c, built with the old header, fails with this library")
        old, new = measure(compiler, folder, old_header, old_text), measure(compiler, folder, new_header, new_text)
    complaints += compare_functions(old_text, new_text)
    complaints += list(compare_old(old, new)) + list(compare_new(old, new))
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
